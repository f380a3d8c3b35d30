"""Positions on the Mirrow for tests: who lies where, and how the dice fall."""

from collections.abc import Callable, Iterable
from typing import Any

from games.mirrow.delta import Area
from games.mirrow.fleet import FLEET, Craft, Face, League
from games.mirrow.rules import Mirrow
from games.mirrow.waters import Terms
from strifebarge.rules import Chance, Hidden
from strifebarge.rules.codec import save
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.testing import Tabletop

HERON, OTTER = 0, 1
Lying = dict[Area, list[tuple[Craft, int]]]  # the blocks of a side: what, and how strong


class Table(Tabletop):
    """A game in the middle of a year: all that is not said to lie somewhere is eliminated."""

    def __init__(
        self,
        heron: Lying,
        otter: Lying,
        cards: tuple[int, int] = (3, 3),
        stage: str = "take_turns",
        arrange: Callable[[Mirrow], None] = lambda game: None,
        **terms: Any,
    ):
        match = Match.new(Mirrow, 2, "mirrow", Terms(**terms))
        game: Any = match.view()
        game.begun, game.year, game.turn, game.deck = True, 1, 1, Hidden()
        deal(game, cards)
        for side, lying in zip(game.seats, (heron, otter), strict=True):
            lay(side, lying)
        game.order = [HERON, OTTER]
        arrange(game)
        self.match = Match(Mirrow, Snapshot(0, stage, save(game)))
        self.packed = self.match.opening

    def token(self, side: int, craft: Craft, nth: int = 0) -> int:
        """The token of a side's block of this craft; of several, the nth by number."""
        blocks = [block for block in self.game.seats[side].fleet if block.craft is craft]
        return sorted(blocks, key=lambda block: block.face.value.number)[nth].token

    def strength(self, side: int, craft: Craft, nth: int = 0) -> int:
        return self.game.seats[side].block(self.token(side, craft, nth)).strength

    def area(self, side: int, craft: Craft, nth: int = 0) -> Area | None:
        return self.game.seats[side].block(self.token(side, craft, nth)).area


def deal(game: Mirrow, cards: tuple[int, int]) -> None:
    """These cards are played, three each are in hand, and the others in the deck."""
    rest = [card for card in range(1, 21) if card not in cards]
    game.spent = sorted({*cards})
    for side, card in zip(game.seats, cards, strict=True):
        side.card, side.hand = card, Hidden([rest.pop() for _ in range(3)])
    game.deck = Hidden(rest)


def lay(side: League, lying: Lying) -> None:
    """The first block of each craft that is free is laid where it is wanted."""
    free = {block.face.value.number: block for block in side.fleet}
    for area, blocks in lying.items():
        for craft, strength in blocks:
            number = min(number for number in free if FLEET[number] is craft)
            block = free.pop(number)
            block.face.value, block.area = Face(number, strength), area
    for number, block in free.items():
        block.face.value, block.area = Face(number, 0), None
        block.face.show(side)


class Dice:
    """Dice that fall as they are told to."""

    def __init__(self, monkeypatch: Any, rolls: Iterable[int]):
        self.rolls = list(rolls)
        monkeypatch.setattr(Chance, "die", self.roll)

    def roll(self, sides: int = 6) -> int:
        return self.rolls.pop(0)
