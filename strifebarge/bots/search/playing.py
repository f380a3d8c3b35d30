"""Playing imagined games on, and saying what they are worth to each seat."""

from collections.abc import Callable
from inspect import isfunction
from random import Random
from typing import Any

from strifebarge.rules import Chance, Game, Ranking
from strifebarge.rules.playout import Playout

LONGEST = 3000  # choices of one playout


class FastChance(Chance):
    """Chance for imagined games: as fair as the other, faster, and not to be checked by anyone."""

    def __init__(self, seed: str):
        super().__init__(seed)
        self.random = Random(seed)

    def stream(self, name: str) -> "FastChance":
        """Return this very chance: which stream draws matters to nobody."""
        return self

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1."""
        if n < 1:
            raise ValueError("there must be something to choose from")
        return int(self.random.random() * n) if n < 2**40 else self.random.randrange(n)


def has_worth(game: Game[Any]) -> bool:
    """Return whether the author says how good a position looks; a field may have that name too."""
    return isfunction(type(game).worth) and type(game).worth is not Game.worth


def values(playout: Playout, dice: Chance, enough: Callable[[], bool]) -> list[float]:
    """Return what a game is worth to each seat, from 0 to 1.

    It is played on at random: to the end, or a little where its author says what it is worth then.
    `enough` is asked between any two choices; where it says so what comes out says little.
    """
    if not has_worth(playout.game):
        _play_on(playout, dice, LONGEST, enough)
        return _worths(playout)
    _settle(playout, dice)
    ahead = playout.rules.ahead
    _play_on(playout, dice, ahead, enough)
    worths = [_worths(playout)]
    # Who has just moved looks better than who is to move: so it is asked after a move of each.
    while ahead and len(worths) < len(playout.game.seats) and not playout.result and not enough():
        _play_on(playout, dice, 1, enough)
        worths.append(_worths(playout))
    if playout.result:
        return worths[-1]
    return [sum(each) / len(worths) for each in zip(*worths, strict=True)]


def _worths(playout: Playout) -> list[float]:
    """Return what a game is worth to each seat as it stands."""
    seats = range(len(playout.game.seats))
    if playout.result:
        return [of_ranking(playout.result, seat, len(seats)) for seat in seats]
    return [_worth(playout, seat) for seat in seats]


def _worth(playout: Playout, seat: int) -> float:
    if not has_worth(playout.game):
        return 0.5
    worth = playout.game.worth(playout.game.seats[seat])
    return 0.5 if worth is None else min(1.0, max(0.0, worth))


def _settle(playout: Playout, dice: Chance) -> None:
    """Let the others choose by chance where one has chosen already, so that something comes of it."""
    while playout.choices and not playout.result:
        seats = playout.waiting_for()
        action = playout.random(seats[0], dice) if seats else None
        if action is None:
            return
        playout.choose(seats[0], action)


def _play_on(playout: Playout, dice: Chance, choices: int, enough: Callable[[], bool]) -> None:
    for _ in range(choices):
        if playout.result or enough():
            return
        seats = playout.waiting_for()
        seat = seats[0] if len(seats) == 1 else dice.choice(seats)
        action = playout.random(seat, dice)
        if action is None:
            return
        playout.choose(seat, action)


def of_ranking(ranking: Ranking, seat: int, seats: int) -> float:
    """Return what a place is worth: the share of the others that are behind, those beside it by half."""
    for place in ranking.places:
        if seat in place:
            before = ranking.place(seat) - 1
            behind = seats - before - len(place)
            return (behind + (len(place) - 1) / 2) / (seats - 1) if seats > 1 else 1.0
    return 0.5
