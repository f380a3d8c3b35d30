"""The class a game author subclasses."""

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from inspect import isawaitable
from typing import Any, ClassVar, Generic, Literal, NoReturn, TypeVar, cast, dataclass_transform

from msgspec import Struct, field

from .action import Action, Refusal, Refused
from .asking import GoOn, Over, Prompt, Question, Stage, side_by_side, waiting
from .chance import Chance
from .pace import Pace
from .ranking import Ranking
from .text import Text, pack


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be settled before a game: subclass it, one field an option, each with a default."""

    def refuse(self) -> "Refusal | Refused | None":
        """Why a game cannot begin with these, where the fields' types do not say it already."""
        return None

    def refuse_seats(self, seats: int) -> "Refusal | Refused | None":
        """Why so many cannot play with these, if they cannot."""
        return None


class Seat(Struct, eq=False, kw_only=True):
    """A place in a game, counted from 0.  Subclass it to give each seat its own pieces."""

    number: int


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
    vocabulary: ClassVar[Iterable[str]] = ()  # words to translate that stand in no rules: names in data files
    paces: ClassVar[tuple[Pace, ...]] = ()  # of its own, beside those of every game
    late: ClassVar[Literal["move", "pass", "loss"]] = "move"  # at a deadline
    version: ClassVar[int] = 1  # of the rules: raise it when old games must not be replayed by new rules

    options: Options = Options()
    seats: list[S]
    out: dict[int, int] = field(default_factory=dict)  # seat: its turn to be eliminated, 1 the first
    gone: list[int] = field(default_factory=list)  # seats whose player has left for good
    chance: Chance = field(default_factory=Chance)

    # -- what authors write ------------------------------------------------

    def setup(self) -> None:
        """Lay out the pieces."""

    async def play(self) -> Any:
        """Play to the end and return a Ranking, or return the next stage."""
        raise NotImplementedError

    def refuse(self, seat: S, action: Action) -> Refusal | Refused | None:
        """Why this seat may not do this now, if it may not.  Must change nothing."""

    def leave(self, seat: S) -> None:
        """A player leaves for good: out now, ranked after those still in; the last one in wins."""
        self.log("{seat} leaves the game.", seat=seat)
        if seat.number not in self.out:
            self.eliminate(seat)
            if len(self.still_in) < 2:
                self.finish(self.ranking(why=Text("Everybody else is out.")))

    def out_of_time(self, seat: S) -> None:
        """A seat has let its time run out for good: the same as if it had left."""
        self.log("{seat} has no time left.", seat=seat)
        self.leave(seat)

    def drawn(self) -> Ranking:
        """How it ends when it is called a draw: all who are still in share the first place."""
        return self.ranking(why=Text("It was called a draw, since somebody stayed away."))

    def absent(self, seat: S, offers: list[Action]) -> Action:
        """What an empty chair does when it is asked, and what is done for a seat whose time has run out:
        one of its offers, by chance.

        Where whole classes of actions are offered, a sample of each is among the offers.
        """
        return self.chance.choice(offers)

    def exports(self, names: list[str]) -> dict[str, str]:
        """This game as files for other programs, by their ending: `{"pgn": …}`.

        Called on what a viewer sees.
        """
        return {}

    def standing(self, seat: S) -> Text | None:
        """A few public words about a seat, shown beside its name: `3 cards`."""

    def must_hold(self) -> Iterable[tuple[str, bool]]:
        """What must be true between any two moves: each in words, and whether it is.

        Looked at after every move.  Where one is not true the move is not made, and Broken is raised.
        """
        return ()

    # -- what authors use --------------------------------------------------

    async def ask(self, seat: S, text: str, options: Choices[A], /, **args: Any) -> A:
        """Wait for one seat to choose."""
        answers = await waiting(Question({seat.number: Prompt(Text(text, args), options)}))
        return cast(A, answers[seat.number])

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
        given = await side_by_side({seat.number: procedure(seat) for seat in seats})
        return {seat: given[seat.number] for seat in seats}

    async def call(self, procedure: str | Callable[..., Any], /, *args: Any) -> Any:
        """Go through a procedure, given itself or by its name, whether it waits for somebody or not.

        Gives what it gives.  Raises AttributeError where the game has none of that name.
        """
        done = (getattr(self, procedure) if isinstance(procedure, str) else procedure)(*args)
        return await done if isawaitable(done) else done

    def _prompts(
        self, text: str, options: Any, of: Iterable[S] | None, args: Mapping[str, Any]
    ) -> dict[int, Prompt]:
        each = options if callable(options) else lambda _, same=list(options): same
        seats = self.still_in if of is None else of
        return {seat.number: Prompt(Text(text, args), each(seat)) for seat in seats}

    def log(self, sentence: str, /, **args: Any) -> None:
        """Tell what happened.  Secrets among the arguments are told only to those who
        know them; the rest read the words after the colon: `{seat} draws {card:a card}.`

        Telling shows nothing: whoever may look at a hidden thing, `show` it to them.
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

    def round(self) -> Iterator[S]:
        """Once round the table, passing over seats that are out, until one is left."""
        for seat in self.seats:
            if len(self.still_in) < 2:
                return
            if seat.number not in self.out:
                yield seat

    def turns(self) -> Iterator[S]:
        """Round and round the table, until one is left."""
        while len(self.still_in) > 1:
            yield from self.round()

    def eliminate(self, *seats: S) -> None:
        """These are out, together: they will share a place."""
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
        """The best score first (`best=min`: the lowest), those eliminated after those still in,
        and among them the later before the earlier.  Of equal scores the one with more by `ties`
        goes first; those equal in that too share a place.

        A score of True or False only tells winners from the others, and is not shown.
        """
        scores = {seat.number: score(seat) for seat in self.seats} if score else {}
        shown = {number: worth for number, worth in scores.items() if not isinstance(worth, bool)}
        sign = 1 if best is max else -1

        def merit(seat: S) -> tuple[float, ...]:
            if seat.number in self.out:
                return self.out[seat.number], 0, 0
            return len(self.seats) + 1, sign * scores.get(seat.number, 0), ties(seat) if ties else 0

        places: dict[tuple[float, ...], list[int]] = {}
        for seat in self.seats:
            places.setdefault(merit(seat), []).append(seat.number)
        return Ranking([places[key] for key in sorted(places, reverse=True)], shown, pack(why))

    def no_result(self, why: Text) -> Ranking:
        """Nobody has a place: the game ends, and it is neither won nor drawn."""
        return Ranking([], why=pack(why))

    def finish(self, ranking: Ranking) -> NoReturn:
        """End the game now, from however deep inside."""
        raise Over(ranking)

    def go_on(self, stage: Stage) -> NoReturn:
        """Leave this stage for the next one now, from however deep inside."""
        raise GoOn(stage)
