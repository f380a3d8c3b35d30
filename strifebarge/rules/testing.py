"""Playing games in tests: say who does what, and what is refused."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from strifebarge.rules.action import Action, Refusal, Refused
from strifebarge.rules.asking import NothingToDo
from strifebarge.rules.board import Offer
from strifebarge.rules.chance import Chance
from strifebarge.rules.game import Game, Options
from strifebarge.rules.match import Match
from strifebarge.rules.notation import write
from strifebarge.rules.text import tell
from strifebarge.rules.validity import refusal


class Tabletop:
    """A match laid out for a test; `arrange(game)` may set up any position, and `game.go_on` to a stage."""

    def __init__(
        self,
        rules: type[Game[Any]],
        seats: int = 2,
        seed: str = "test",
        arrange: Callable[[Any], None] | None = None,
        options: Options | None = None,
    ):
        self.match = Match.new(rules, seats, seed, options, arrange)
        self.packed: list[Any] = self.match.take_log()

    @property
    def game(self) -> Any:
        return self.match.game

    def plays(self, seat: int, *actions: Action) -> None:
        for action in actions:
            self.match.move(seat, action)
            self.packed += self.match.take_log()

    def leaves(self, seat: int) -> None:
        self.match.leave(seat)
        self.packed += self.match.take_log()

    def refused(self, seat: int, action: Action) -> Refusal | None:
        try:
            self.match.check(seat, action)
        except Refused as refused:
            return refused.why
        return None

    @property
    def why(self) -> str:
        """Why the game ended, in words; "" while it goes on, or where its ranking does not say."""
        return tell(self.match.result.why, None) if self.match.result and self.match.result.why else ""

    def log(self, viewer: int | None = None) -> list[str]:
        """Return all that was told, as one viewer heard it."""
        return [tell(line, viewer) for line in self.packed]


class SeenBoard:
    """A view for tests of `board.py` without a page: a match as a seat or a spectator (None) sees it.

    `more` are further parts of a `BoardView`: `picked="e2"`, `filled={"move": ["e2e4"]}`, `news=[...]`.
    """

    def __init__(self, match: Match, seat: int | None = None, **more: Any):
        is_prompted = seat is not None and seat in match.prompts and seat not in match.answers
        options = match.options(seat) if seat is not None and is_prompted else []
        game: Any = match.view() if match.result else match.view(seat)
        self.game = game
        self.you: Any = None if seat is None else game.seats[seat]
        self.choice = write(match.pending[seat]) if seat is not None and seat in match.pending else None
        self.mine = is_prompted and self.choice is None
        self.offers = [
            Offer(each, refusal(game, self.you, each)) for each in options if isinstance(each, Action)
        ]
        self.planning = False
        self.planned: Sequence[str] = []
        self.picked = ""
        self.filled: Mapping[str, Sequence[str]] = {}
        self.places = [_place(match, each, seat) for each in range(len(game.seats))]
        self.lines: list[Any] = []
        self.news: list[Any] = []
        self.number = match.number
        self.live = True
        self.turned = False
        self.result = match.result
        vars(self).update(more)

    def offered(self, action: Action) -> Offer | None:
        return next((each for each in self.offers if each.action == action), None)


class SeenPlace(NamedTuple):
    """A seat at the table of a test: flags and names are A, B, C by number."""

    seat: int
    letter: str
    name: str
    role: str
    mine: bool
    to_move: bool
    chosen: bool
    out: bool
    left: bool


def _place(match: Match, seat: int, viewer: int | None) -> SeenPlace:
    players, letter = match.rules.players, chr(ord("A") + seat)
    return SeenPlace(
        seat=seat,
        letter=letter,
        name=letter,
        role=players[seat] if isinstance(players, tuple) else "",
        mine=seat == viewer,
        to_move=seat in match.waiting_for(),
        chosen=seat in match.pending,
        out=seat in match.game.out,
        left=seat in match.game.gone,
    )


def random_choice(match: Match, seat: int, dice: Chance) -> Action:
    """Return something that this seat may do now, each offer and each class of actions equally likely.

    Raises NothingToDo if there is nothing: a game must not ask for what nobody may do.
    """
    left = [*match.options(seat)]
    while left:
        choice = left.pop(dice.below(len(left)))
        if isinstance(choice, type):
            view = match.view(seat)
            return choice.sample(view, view.seats[seat], dice)
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
