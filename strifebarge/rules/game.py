"""The class a game author subclasses."""

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from inspect import isawaitable
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    NoReturn,
    Self,
    TypeVar,
    cast,
    dataclass_transform,
)

from msgspec import Meta, Struct, field

from strifebarge.rules.action import Action, No
from strifebarge.rules.asking import (
    BrokenRules,
    EndGame,
    Next,
    NextStage,
    Prompt,
    Question,
    Stage,
    side_by_side,
    waiting,
)
from strifebarge.rules.chance import Chance
from strifebarge.rules.engine import Engine
from strifebarge.rules.pace import Pace
from strifebarge.rules.ranking import Ranking
from strifebarge.rules.text import PACKERS, Text, pack


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Options: the things to settle before a game.  Subclass it, one field an option, each with a default."""

    def refuse(self) -> No:
        """Return why a game cannot begin with these, where the fields' types do not say it already."""
        return None

    def seats(self) -> range | tuple[str, ...] | None:
        """Return how many play with these, or their seats' names; None: as `players` of the game says."""
        return None

    def refuse_seats(self, seats: int) -> No:
        """Return why this number of seats cannot play with these options, or None."""
        return None


class Occasion(Struct, frozen=True):
    """Where and when a game is played, for its files; empty what the site does not know or tell."""

    event: str = ""  # the name of the tournament
    round: int = 0  # of the tournament
    site: str = ""  # an address
    date: str = ""  # on which the game began, in UTC: 2030-12-31
    pace: Pace | None = None  # None: without a clock
    unfinished: bool = False  # it was ended without a result


V = TypeVar("V")
NOTE = "note"
# The type of a field that pages show and no rule reads: fingerprints leave it out, so it can be added to a
# game that is being played.
Note = Annotated[V, Meta(extra={NOTE: True})]

SEAT = "seat"
SeatNumber = Annotated[int, Meta(ge=0, extra={SEAT: True})]  # a field's type: it is shown by the seat's name


class Seat(Struct, eq=False, kw_only=True):
    """A place in a game, counted from 0.  Subclass it to give each seat its own pieces."""

    number: int


PACKERS[Seat] = lambda seat: {"seat": seat.number}


def number_of(seat: Seat) -> int:
    """Return the number of a seat that is to be asked.  Raises Broken for what is no seat."""
    if not isinstance(seat, Seat):
        raise BrokenRules(f"a seat is asked, as in self.seats[0], and not {seat!r:.80}")
    return seat.number


S = TypeVar("S", bound=Seat)
A = TypeVar("A", bound=Action)
T = TypeVar("T")
Choices = Iterable[A | type[A]]


class Game(Struct, Generic[S], eq=False, kw_only=True, dict=True):
    """One game: fields are its state, `play` is its sequence of play.

    `play` is an ordinary coroutine; it rests at every `await self.ask...`,
    for a second or a week, and may be carried on in another process.
    """

    title: ClassVar[str]
    players: ClassVar[range | tuple[str, ...]] = range(2, 3)  # how many, or the seats' names
    usual: ClassVar[int] = 0  # seats of a table nobody chose a number for; 0: two, or the fewest
    length: ClassVar[str] = ""  # about how long it takes, in words
    emblem: ClassVar[str] = "logo"  # a drawing of the sprite, for the list of games
    questions: ClassVar[Mapping[str, str]] = {}  # what may be asked at any time: a method, the words of it
    paces: ClassVar[tuple[Pace, ...]] = ()  # of its own, beside those of every game
    late: ClassVar[Literal["move", "pass", "loss"]] = "move"  # at a deadline
    # What a seat may plan before it is asked: moves of its own, or lines that answer the other seat's.
    plans: ClassVar[Literal["", "moves", "lines"]] = ""
    ahead: ClassVar[int] = 0  # choices that bots play on at random before they ask what a position is worth
    version: ClassVar[int] = 1  # of the rules: raise it when old games must not be replayed by new rules

    options: Options = Options()
    seats: list[S]
    out: dict[int, int] = field(default_factory=dict)  # seat: its turn to be eliminated, 1 the first
    gone: list[int] = field(default_factory=list)  # seats whose player has left for good
    chance: Chance = field(default_factory=Chance)

    # -- what authors write ------------------------------------------------

    def setup(self) -> None:
        """Lay out the pieces."""

    async def play(self) -> Next:
        """Play to the end and return a Ranking, or return the next stage."""
        raise NotImplementedError

    def refuse(self, seat: S, action: Action) -> No:
        """Return why this seat may not do this now, or None.  Must change nothing."""

    def refuse_plan(self, seat: S, action: Action) -> No:
        """Return why this seat may not even plan this, or None.  Must change nothing."""

    def leave(self, seat: S) -> None:
        "You leave for good and rank behind everyone still playing. The last one playing wins."
        self.log("{seat:You} left the game.", seat=seat)
        if seat.number not in self.out:
            self.eliminate(seat)
            if len(self.still_in) < 2:
                self.finish(self.ranking(why=Text("Everyone else is out.")))

    def out_of_time(self, seat: S) -> None:
        """Do what it means that a seat has let its time run out for good: by itself, it leaves."""
        self.log("{seat:You have| has} no time left.", seat=seat)
        self.leave(seat)

    def drawn(self) -> Ranking:
        """Return how a game ends that is called a draw: all who are still in share the first place."""
        return self.ranking(why=Text("Called a draw because a player was absent."))

    def absent(self, seat: S, offers: list[Action]) -> Action:
        """Return what an empty chair does when it is asked, or a seat whose time has run out:
        one of its offers, by chance.

        Where whole classes of actions are offered, a sample of each is among the offers.
        """
        return self.chance.choice(offers)

    @classmethod
    def arrange(cls, position: str) -> Options | None:
        """Return the options by which a game begins at a position that is written down.

        None, as it is where a game does not define it: games begin with their deal alone.
        """
        return None

    def exports(self, names: list[str], occasion: Occasion = Occasion()) -> dict[str, str]:  # noqa: B008 - it is frozen
        """Return this game as files for other programs, by their ending: `{"pgn": …}`.

        Called on what a viewer sees; without names only for the endings.
        """
        return {}

    def standing(self, seat: S) -> Text | None:
        """Return a few public words about a seat, shown beside its name: `3 cards`."""

    def must_hold(self) -> Iterable[tuple[str, bool]]:
        """Return what must be true between any two moves: each in words, and whether it is.

        Looked at after every move.  Where one is not true the move is not made, and Broken is raised.
        """
        return ()

    # -- what helps bots ---------------------------------------------------

    def imagine(self, view: Self, seat: S, chance: Chance) -> None:
        """Put into the hidden places, where None stands, what may well lie there as far as `seat` knows.

        `self` is what the seat saw when the stage began, `view` what it sees now.  What is left None is
        filled with whatever is not seen elsewhere.  Raises NothingFits where nothing was found that may lie
        there: a bot tries once more.
        """

    def worth(self, seat: S) -> float | None:
        """Return how good the position looks for a seat, from 0, lost, to 1, won; None: nobody can say."""

    def engine(self) -> Engine | None:
        """Return the program that plays this game by itself, with the position for it; None: there is none.

        Called on what the seat sees that is to move.
        """

    # -- what authors use --------------------------------------------------

    async def ask(self, seat: S, text: str, options: Choices[A], /, **args: Any) -> A:
        """Wait for one seat to choose."""
        number = number_of(seat)
        answers = await waiting(Question({number: Prompt(Text(text, args), options)}))
        return cast(A, answers[number])

    async def ask_all(
        self,
        text: str,
        options: Choices[A] | Callable[[S], Choices[A]],
        /,
        *,
        of: Iterable[S] | None = None,
        final: bool = False,
        **args: Any,
    ) -> dict[S, A]:
        """Wait for every seat still in (or those `of` which) to choose, none seeing the others' choices.

        Until all are in, a choice may be changed, unless it is to be `final`.
        """
        prompts = self._prompts(text, options, of, args)
        answers = await waiting(Question(prompts, "all", final))
        return {self.seats[number]: cast(A, answers[number]) for number in prompts}

    async def ask_any(
        self,
        text: str,
        options: Choices[A] | Callable[[S], Choices[A]],
        /,
        *,
        of: Iterable[S] | None = None,
        **args: Any,
    ) -> tuple[S, A]:
        """Wait for whichever seat answers first; there must be one that is asked."""
        answers = await waiting(Question(self._prompts(text, options, of, args), "any"))
        [(number, action)] = answers.items()
        return self.seats[number], cast(A, action)

    async def compose(
        self, procedure: Callable[[S], Coroutine[Any, Any, T]], /, *, of: Iterable[S] | None = None
    ) -> dict[S, T]:
        """Let every seat still in (or those `of` which) go through a procedure of small steps.

        Each goes on its own, and nobody waits for another.  None sees the others' steps until all have
        come to the end of theirs, and each may take back its own, one by one, but for what showed or
        rolled something.  Gives what each procedure gave.  While a single seat composes, its procedure
        may ask others too: then they see what was done so far.
        """
        seats = list(self.still_in if of is None else of)
        results = await side_by_side({number_of(seat): procedure(seat) for seat in seats})
        return {seat: results[seat.number] for seat in seats}

    async def call(self, procedure: str | Callable[..., Any], /, *args: Any) -> Any:
        """Go through a procedure, given itself or by its name, whether it waits for somebody or not.

        Gives what it gives.  Raises Broken where the game has none of that name.
        """
        function = getattr(self, procedure, None) if isinstance(procedure, str) else procedure
        if not callable(function):
            raise BrokenRules(f"{self.title} calls “{procedure}”, and has no procedure of that name")
        done = function(*args)
        return await done if isawaitable(done) else done

    def _prompts(
        self, text: str, options: Any, of: Iterable[S] | None, args: Mapping[str, Any]
    ) -> dict[int, Prompt]:
        each = options if callable(options) else lambda _, same=list(options): same
        seats = self.still_in if of is None else of
        return {number_of(seat): Prompt(Text(text, args), each(seat)) for seat in seats}

    def log(self, sentence: str, /, **args: Any) -> None:
        """Tell what happened.  Secrets among the arguments are told only to viewers
        who know them; the others read the words after the colon: `{seat} draws {card:a card}.`
        A seat reads of itself the words after the colon: `{seat:You are| is} out.`

        Telling shows nothing: `show` a hidden thing to the seats that may look at it.
        """
        self._tell(pack(Text(sentence, args)))

    def heading(self, sentence: str, /, **args: Any) -> None:
        """Tell what begins now: a line that stands over those to come."""
        self._tell({**pack(Text(sentence, args)), "line": "heading"})

    def blank(self) -> None:
        """Leave a line blank before the next one."""
        self._tell({"text": "", "line": "blank"})

    def _tell(self, line: dict[str, Any]) -> None:
        self.__dict__.setdefault("told", []).append(line)

    @property
    def still_in(self) -> list[S]:
        """The seats that are not out, in seat order."""
        return [seat for seat in self.seats if seat.number not in self.out]

    def round(self, start: S | int = 0) -> Iterator[S]:
        """Yield the seats once round the table, those that are out passed over, until one is left.

        `start` is the seat that begins, or its number: the dealer, say, or who won the last trick.  If that
        seat is out, the next one begins.
        """
        first = start.number if isinstance(start, Seat) else start
        for seat in [*self.seats[first:], *self.seats[:first]]:
            if len(self.still_in) < 2:
                return
            if seat.number not in self.out:
                yield seat

    def turns(self, start: S | int = 0) -> Iterator[S]:
        """Yield the seats round and round the table, from `start` on, until one is left."""
        while len(self.still_in) > 1:
            yield from self.round(start)

    def eliminate(self, *seats: S) -> None:
        """Eliminate these seats together: they will share a place."""
        when = max(self.out.values(), default=0) + 1
        self.out.update({seat.number: when for seat in seats})

    def ranking(
        self,
        score: Callable[[S], float] | None = None,
        *,
        best: Callable[[Iterable[float]], float] = max,
        ties: Callable[[S], float] | None = None,
        why: Text | None = None,
    ) -> Ranking:
        """Rank the best score first (`best=min`: the lowest), those eliminated after those still in,
        and among them the later before the earlier.  Of equal scores the one with more by `ties`
        goes first; those equal in that too share a place.

        A score of True or False only tells winners from the others, and is not shown.
        """
        scores = {seat.number: score(seat) for seat in self.seats} if score else {}
        displayed = {number: worth for number, worth in scores.items() if not isinstance(worth, bool)}
        sign = 1 if best is max else -1

        def merit(seat: S) -> tuple[float, ...]:
            if seat.number in self.out:
                return self.out[seat.number], 0, 0
            return len(self.seats) + 1, sign * scores.get(seat.number, 0), ties(seat) if ties else 0

        places: dict[tuple[float, ...], list[int]] = {}
        for seat in self.seats:
            places.setdefault(merit(seat), []).append(seat.number)
        return Ranking([places[key] for key in sorted(places, reverse=True)], displayed, pack(why))

    def no_result(self, why: Text) -> Ranking:
        """Return a ranking without places: the game ends, and is neither won nor drawn."""
        return Ranking([], why=pack(why))

    def finish(self, ranking: Ranking) -> NoReturn:
        """End the game now, from however deep inside."""
        raise EndGame(ranking)

    def go_on(self, stage: Stage) -> NoReturn:
        """Leave this stage for the next one now, from however deep inside."""
        raise NextStage(stage)
