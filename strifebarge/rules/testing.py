"""Playing games in tests: say who does what, and what is refused."""

from collections.abc import Callable, Iterator
from typing import Any

from .action import Action, Refusal, Refused
from .asking import Broken
from .chance import Chance
from .game import Game, Options
from .match import Match
from .text import tell


class Tabletop:
    """A match laid out for a test; `arrange(game)` may set up any position."""

    def __init__(
        self,
        rules: type[Game[Any]],
        seats: int = 2,
        seed: str = "test",
        arrange: Callable[[Any], None] | None = None,
        options: Options | None = None,
    ):
        self.match = Match.new(rules, seats, seed, options, arrange)
        self.packed: list[Any] = self.match.told()

    @property
    def game(self) -> Any:
        return self.match.game

    def plays(self, seat: int, *actions: Action) -> None:
        for action in actions:
            self.match.move(seat, action)
            self.packed += self.match.told()

    def leaves(self, seat: int) -> None:
        self.match.leave(seat)
        self.packed += self.match.told()

    def refused(self, seat: int, action: Action) -> Refusal | None:
        try:
            self.match.check(seat, action)
        except Refused as refused:
            return refused.why
        return None

    def log(self, viewer: int | None = None) -> list[str]:
        """All that was told, as one viewer heard it."""
        return [tell(line, viewer) for line in self.packed]


class NothingToDo(Broken):
    """A seat is asked, and there is nothing that it may do."""


def random_choice(match: Match, seat: int, dice: Chance) -> Action:
    """Something this seat may do now, each offer and each class of actions equally likely.

    Raises NothingToDo if there is nothing: a game must not ask for what nobody may do.
    """
    left = [*match.options(seat)]
    while left:
        choice = left.pop(dice.below(len(left)))
        if isinstance(choice, type):
            seen = match.view(seat)
            return choice.sample(seen, seen.seats[seat], dice)
        if not match.reason(seat, choice):
            return choice
    prompt = tell(match.prompts[seat].text, seat)
    raise NothingToDo(f"{match.rules.title} asks seat {seat} “{prompt}”, and there is nothing it may do")


def random_play(match: Match, dice: Chance, longest: int = 5000) -> Iterator[Match]:
    """Play a match to its end at random; yields it before every choice and at the end."""
    for _ in range(longest):
        yield match
        if match.result:
            return
        seat = dice.choice(match.waiting_for())
        match.move(seat, random_choice(match, seat, dice))
    raise AssertionError(f"{match.rules.title} does not end")
