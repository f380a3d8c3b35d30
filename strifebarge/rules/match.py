"""One playing of a game, which can be put away between any two moves."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from inspect import iscoroutine
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from .action import FRAMEWORK, Action, Late, Leave, Refused, Standard, Undo
from .chance import Chance
from .codec import ALL_SEEING, essence, load, save, seat_type, secrets
from .game import Broken, Game, GoOn, Options, Over, Prompt, Question, Ranking
from .schema import actions
from .text import Text


class Move(Struct, frozen=True):
    """What a seat did.  Numbers count from 1 and never go back, even on undo."""

    number: int
    seat: int
    action: Action
    final: bool = False  # there is no taking back this move, nor any before it


class Snapshot(Struct, frozen=True):
    """Where to take the game up again: a stage, the state it starts from, and the moves before it."""

    number: int
    stage: str
    state: bytes


class Diverged(Exception):
    """The moves, played again, lead to another state than they once did."""


class Endless(Broken):
    """The game goes on by itself without asking anybody who is there."""


AUTOMATIC = 10_000  # questions answered for empty chairs in a row before we call it endless


class Match:
    """A game in progress.

    The truth is the snapshot, the moves since, and the choices `pending` until
    all are in; the coroutine is only those moves, played.
    """

    def __init__(
        self,
        rules: type[Game[Any]],
        snapshot: Snapshot,
        moves: Sequence[Move] = (),
        pending: dict[int, Action] | None = None,
    ):
        """Take a game up: `moves` are all since the snapshot, undone ones and undos too."""
        self.rules = rules
        self.number = snapshot.number
        self.result: Ranking | None = None
        self.lines: list[Any] = []
        self._start(snapshot)
        self._run(None)
        self.opening = self.lines  # told before anybody was asked
        for move in standing(moves):
            self._take(move)
        self._count_undone(moves)
        self.pending.update(pending or {})
        self.lines = []

    @classmethod
    def new(
        cls,
        rules: type[Game[Any]],
        seats: int = 2,
        seed: str = "",
        options: Options | None = None,
        arrange: Callable[[Any], None] | None = None,
    ) -> "Match":
        """A fresh game.  `arrange(game)` may lay out any position, for tests."""
        chairs = [seat_type(rules)(number=number) for number in range(seats)]
        game = rules(seats=chairs, chance=Chance(seed))
        if options is not None:
            game.options = options
        game.setup()
        if arrange:
            arrange(game)
        told = game.__dict__.pop("told", [])
        match = cls(rules, Snapshot(0, "play", save(game)))
        match.lines = told + match.opening
        return match

    # -- moving --------------------------------------------------------------

    def move(self, seat: int, action: Action) -> list[Move]:
        """Let a seat act.  Returns the moves this makes: none while others still choose,
        then everyone's at once.  Raises Refused and changes nothing."""
        action = self.check(seat, action)
        with self._or_not_at_all():
            composed = self.question.composed
            before = self._unknown() if composed or self._is_alone(seat) else None
            self.pending[seat] = action
            moves = self._settle()
            still = self._is_still_at_it(seat, composed)
            if moves and not (before and still and self._nothing_learnt(before)):
                self._seal(moves)
            self._must_hold()
        return moves

    def leave(self, seat: int) -> list[Move]:
        """A player leaves for good, whoever's turn it is; the game says what that means.

        Returns the moves this makes: the others' choices too, if they waited for this seat only.
        Raises Refused and changes nothing.
        """
        self._must_be_here(seat)
        with self._or_not_at_all():
            self.pending.pop(seat, None)
            left = Move(self.number + 1, seat, Leave(), final=True)
            self._take(left)
            moves = [left, *self._settle()]
            self._seal(moves)
            self._must_hold()
        return moves

    def miss(self, seat: int, out: bool = False) -> list[Move]:
        """A seat that is waited for has let its time run out: the game answers for it, or it is out.

        Returns the moves this makes: none while others still choose.  Raises Refused and changes nothing.
        """
        self._must_be_here(seat)
        if seat not in self.waiting_for():
            raise Refused(Standard.NOT_YOUR_TURN)
        with self._or_not_at_all():
            moves = []
            if out:
                moves.append(Move(self.number + 1, seat, Late(out=True), final=True))
                self._take(moves[0])
            else:
                self.pending[seat] = Late()
            moves += self._settle()
            if moves:
                self._seal(moves)
        return moves

    def skip(self, seat: int) -> list[Move]:
        """A seat whose player stays away does what an empty chair would do; that is its move.

        Returns the moves this makes, as `move` does.  Raises Refused and changes nothing.
        """
        self.check_turn(seat)
        twin = Match(self.rules, self.snapshot, self.ledger, self.pending)
        # What the game itself will draw must not depend on this, nor be known by it.
        twin.game.chance = Chance(self.game.chance.seed, {}, f"away {self.number}")
        offers = [*twin.offers(seat), *twin._samples(seat)]
        action = twin.game.absent(twin.game.seats[seat], offers)
        if action not in offers:  # what only an empty chair may do
            action = twin.game.chance.choice(offers)
        self.game.log("{seat} is away: the game plays for them.", seat=self.game.seats[seat])
        moves = self.move(seat, action)
        self._collect()
        if moves:
            self._seal(moves)
        return moves

    def undo(self, seat: int) -> Move:
        """Take back this seat's last move.  Raises Refused."""
        if not self.undoable(seat):
            raise Refused(Standard.NOTHING_TO_UNDO)
        return self._undone(seat)

    def take_back(self, seat: int) -> Move:
        """The same, also where the turn has passed on and nothing came of it.  Raises Refused."""
        if not (self.undoable(seat) or self.reversible(seat)):
            raise Refused(Standard.NOTHING_TO_UNDO)
        return self._undone(seat)

    def _undone(self, seat: int) -> Move:
        undo = Move(self.number + 1, seat, Undo())
        self._lay_again(self.snapshot, [*self.ledger, undo], {}, self.lines)
        if not self.question.composed:  # else nobody has seen it
            self.game.log("{seat} takes back the last move.", seat=self.game.seats[seat])
            self._collect()
        return undo

    def undoable(self, seat: int | None) -> bool:
        """May this seat take its last move back?"""
        if self.result or seat not in self.prompts:
            return False
        since = self.moves[self.since :] if self.question.composed else self.moves
        for nth, move in enumerate(reversed(since)):
            if isinstance(move.action, Leave):
                return False
            if move.seat == seat:
                return not move.final and (nth == 0 or self.question.composed is not None)
        return False

    def reversible(self, seat: int) -> bool:
        """Could this seat take back the move it was asked for alone, though the turn has passed on since?

        Not if anybody has acted after it, drew or learnt anything by it, or if a stage or the end came of it.
        """
        if self.result or self.pending or not self.moves or self.moves[-1] is not self.ledger[-1]:
            return False
        last = self.moves[-1]
        if last.seat != seat or isinstance(last.action, FRAMEWORK):
            return False
        before = Match(self.rules, self.snapshot, self.ledger[:-1])
        return before._is_alone(seat) and self._nothing_learnt(before._unknown())

    def check(self, seat: int, action: Action) -> Action:
        """Raise Refused unless this seat may do this now.  Returns the action as it will be recorded."""
        self.check_turn(seat)
        action = well_formed(action)
        offered = self._offered(seat, action)
        # Rules need not think of what other games do, nor of Leave and Undo.
        refused = self.reason(seat, action) if offered or type(action) in actions(self.rules) else None
        if refused or not offered:
            raise refused or Refused(Standard.NOT_OFFERED)
        return action

    def check_turn(self, seat: int) -> None:
        """Raise Refused unless this seat is asked something (and may still answer)."""
        self._must_be_here(seat)
        if seat not in self.prompts or seat in self.given or (self.question.final and seat in self.pending):
            raise Refused(Standard.NOT_YOUR_TURN)
        if isinstance(self.pending.get(seat), Late):
            raise Refused(Standard.TOO_LATE)

    def reason(self, seat: int, action: Action) -> Refused | None:
        """Why the game refuses this action, if it does."""
        return refusal(self.game, self.game.seats[seat], action)

    def options(self, seat: int) -> list[Action | type[Action]]:
        """All a seat is asked to choose from, refused ones too (to be shown greyed)."""
        text, options = self.prompts[seat]
        if not isinstance(options, list):
            self.prompts[seat] = Prompt(text, options := list(options))
        return options

    def offers(self, seat: int) -> list[Action]:
        """The single actions a seat may choose now; classes of actions not among them."""
        single = (option for option in self.options(seat) if isinstance(option, Action))
        return [action for action in single if not self.reason(seat, action)]

    def classes(self, seat: int) -> list[type[Action]]:
        """The options that stand for any well-formed action of their kind."""
        return [option for option in self.options(seat) if isinstance(option, type)]

    def waiting_for(self) -> list[int]:
        """The seats that have something to choose and have not."""
        return [seat for seat in self.prompts if seat not in self.pending and seat not in self.given]

    # -- seeing --------------------------------------------------------------

    def view(self, viewer: int | None = ALL_SEEING) -> Game[Any]:
        """The game as one viewer (a seat, None: an onlooker) may see it; without one, all of it."""
        game = self.game if viewer is ALL_SEEING else self._as_known_to(viewer)
        return load(self.rules, save(game, viewer), whole=viewer is ALL_SEEING)

    def withheld(self, viewer: int | None) -> frozenset[int]:
        """The numbers of moves this viewer is not told of yet: what others are still composing."""
        if not self.question.composed or self.result:
            return frozenset()
        before = self.moves[self.since - 1].number if self.since else self.snapshot.number
        return frozenset(
            move.number for move in self.ledger if move.number > before and self._unseen(move, viewer)
        )

    def _unseen(self, move: Move, viewer: int | None) -> bool:
        return move.seat not in (viewer, *self.game.gone)

    def _as_known_to(self, viewer: int | None) -> Game[Any]:
        """The game as it stands without what others are still composing."""
        withheld = self.withheld(viewer)
        if not withheld:
            return self.game
        return Match(self.rules, self.snapshot, [m for m in self.moves if m.number not in withheld]).game

    def told(self) -> list[Any]:
        """The packed log lines since this was last asked."""
        lines, self.lines = self.lines, []
        return lines

    def fingerprint(self) -> str:
        """A hash (128 bits) of the state, the stage, who is asked, and the places; not of words."""
        places = self.result and self.result.places
        rest = msgspec.json.encode([self.snapshot.stage, sorted(self.prompts), places])
        return sha256(essence(self.game) + rest).hexdigest()[:32]

    # -- the coroutine -------------------------------------------------------

    def _start(self, snapshot: Snapshot) -> None:
        """Stand at the beginning of a stage."""
        # Always from the bytes, so that a game never put away is the same as one taken up.
        self.game, self.snapshot = load(self.rules, snapshot.state), snapshot
        self.coroutine = getattr(self.game, snapshot.stage)()
        if not iscoroutine(self.coroutine):
            raise Broken(f"{self.rules.title}: the stage “{snapshot.stage}” is no `async def`")
        self.moves: list[Move] = []  # those since the snapshot that stand
        self.ledger: list[Move] = []  # those, undone ones and undos
        self.since = 0  # how many of the moves came before what is being composed
        self.question = Question({})
        self.prompts: dict[int, Prompt] = {}
        self.asked: dict[int, int] = {}  # the number of each seat's question: of the move that led to it
        self.given: dict[int, Action] = {}  # answers that are moves already
        self.pending: dict[int, Action] = {}  # answers that may still be changed

    def _run(self, answers: dict[int, Action] | None) -> None:
        """Go on until somebody who is there is asked something, or to the end."""
        for _ in range(AUTOMATIC):
            self.given = {}
            try:
                match self._hear(answers):
                    case Question() as question:
                        self._put(question)
                    case Ranking() as ranking:
                        self._end(ranking)
                    case stage:
                        self._go_on_to(stage)
                        answers = None
                        continue
            except Over as over:
                self._end(over.ranking)
            except GoOn as going:
                self._go_on_to(going.stage)
                answers = None
                continue
            self._collect()
            if not self._is_answered(self.given):
                return
            answers = self._answers()
        self.coroutine.close()
        raise Endless(f"{self.rules.title} goes on and on and asks nobody who is there")

    def _hear(self, answers: dict[int, Action] | None) -> Any:
        """What the rules say next: a question, or at a stage's end the next one or a Ranking."""
        try:
            question = self.coroutine.send(answers)
        except StopIteration as end:
            return end.value
        if not isinstance(question, Question):
            raise Broken(f"{self.rules.title} awaits what is no question to a seat")
        return question

    def _put(self, question: Question) -> None:
        if question.settled_by == "any" and not question.prompts:
            raise Broken(f"{self.rules.title} waits for whichever of nobody answers first")
        same = question.composed is not None and question.composed is self.question.composed
        # Who composes is not asked anew when somebody else takes a step.
        kept = [seat for seat, prompt in question.prompts.items() if same and self._stands(seat, prompt)]
        self.prompts = {**question.prompts, **{seat: self.prompts[seat] for seat in kept}}
        self.asked = {seat: self.asked[seat] if seat in kept else self.number for seat in self.prompts}
        if not same:
            self.since = len(self.moves)
        self.question = question
        self._answer_for_the_gone()

    def _stands(self, seat: int, prompt: Prompt) -> bool:
        return self.question.prompts.get(seat) is prompt

    def _go_on_to(self, stage: Any) -> None:
        name = getattr(stage, "__name__", "")
        if not callable(stage) or getattr(self.game, name, None) != stage:
            raise Broken(
                f"{self.rules.title}: the stage “{self.snapshot.stage}” ends with {stage!r}, "
                "which is neither a Ranking nor a stage, as in `return self.play`"
            )
        self._collect()
        self._start(Snapshot(self.number, name, save(self.game)))

    def _end(self, ranking: Ranking) -> None:
        self.coroutine.close()
        self.result = ranking
        self.prompts, self.asked, self.given, self.pending = {}, {}, {}, {}

    def _collect(self) -> None:
        self.lines.extend(self.game.__dict__.pop("told", []))

    def _take(self, move: Move) -> None:
        late = move.action if isinstance(move.action, Late) else None
        leaving = isinstance(move.action, Leave) or (late is not None and late.out)
        if self.result or not (leaving or move.seat in self.prompts):
            raise Diverged(f"move {move.number}: seat {move.seat} is not asked")
        self.moves.append(move)
        self.ledger.append(move)
        self.number = move.number
        if leaving:
            self._vacate(move.seat, self.game.out_of_time if late else self.game.leave)
        elif late:
            self.game.log("{seat} lets the time run out.", seat=self.game.seats[move.seat])
            self.given[move.seat] = self._default(move.seat)
        else:
            self.given[move.seat] = move.action
        if self._is_answered(self.given):
            self._run(self._answers())

    def _settle(self) -> list[Move]:
        """Make moves of the pending choices once the question is answered, in seat order."""
        if not self._is_answered({**self.pending, **self.given}):
            return []
        pending, self.pending = self.pending, {}
        moves = [
            Move(self.number + nth, seat, action)
            for nth, (seat, action) in enumerate(sorted(pending.items(), key=itemgetter(0)), 1)
        ]
        for move in moves:
            self._take(move)
        return moves

    def _is_answered(self, answers: dict[int, Action]) -> bool:
        if self.result:
            return False
        return bool(answers) if self.question.settled_by == "any" else self.prompts.keys() <= answers.keys()

    def _answers(self) -> dict[int, Action]:
        """What the rules are told: every answer, or the first one."""
        if self.question.settled_by == "any":
            return dict([next(iter(self.given.items()))])
        return {seat: self.given[seat] for seat in self.prompts}

    def _vacate(self, seat: int, go: Callable[[Any], None]) -> None:
        for asked in self.prompts:
            self.options(asked)  # as they were when asked for, whether anybody has looked at them or not
        self.game.gone.append(seat)
        try:
            go(self.game.seats[seat])
            self._answer_for_the_gone()
        except Over as over:
            self._end(over.ranking)
        except GoOn as going:
            self.coroutine.close()
            self._go_on_to(going.stage)
            self._run(None)
        self._collect()

    def _answer_for_the_gone(self) -> None:
        """Empty chairs do what the game says they do; nobody waits for them."""
        gone = [seat for seat in self.prompts if seat in self.game.gone and seat not in self.given]
        anybody = self.question.settled_by == "any" and not self.question.composed
        if gone and anybody and len(gone) < len(self.prompts):
            for seat in gone:
                del self.prompts[seat], self.asked[seat]
            return
        for seat in gone:
            self.given[seat] = self._default(seat)

    def _default(self, seat: int) -> Action:
        """What is done for a seat by nobody."""
        return self.game.absent(self.game.seats[seat], [*self.offers(seat), *self._samples(seat)])

    def _samples(self, seat: int) -> Iterator[Action]:
        """One action of each class that is offered: what an empty chair might do."""
        for kind in self.classes(seat):
            seen = self.view(seat)
            sample = kind.sample(seen, seen.seats[seat], self.game.chance.stream(f"absent {seat}"))
            if not self.reason(seat, sample):
                yield sample

    # -- standing still ------------------------------------------------------

    def _count_undone(self, moves: Sequence[Move]) -> None:
        """Only moves that stand were played; the count and the questions know of the others."""
        self.ledger = [move for move in moves if move.number > self.snapshot.number]
        for move in self.ledger:
            if isinstance(move.action, Undo):
                self.number = max(self.number, move.number)
                if move.seat in self.asked:
                    self.asked[move.seat] = max(self.asked[move.seat], move.number)

    def _seal(self, moves: list[Move]) -> None:
        """There is no taking back these moves, nor any before them."""
        moves[-1] = msgspec.structs.replace(moves[-1], final=True)
        if self.moves:  # no stage has begun since
            self.moves[-1] = self.ledger[-1] = moves[-1]

    @contextmanager
    def _or_not_at_all(self) -> Iterator[None]:
        """Should the rules break down on the way, the match stands as it stood before."""
        before = self.snapshot, [*self.ledger], {**self.pending}, [*self.lines]
        try:
            yield
        except BaseException:
            self._lay_again(*before)
            raise

    def _lay_again(
        self, snapshot: Snapshot, ledger: Sequence[Move], pending: dict[int, Action], lines: list[Any]
    ) -> None:
        """Take this match up anew, with the lines nobody has asked for yet."""
        self.__dict__.update(Match(self.rules, snapshot, ledger, pending).__dict__)
        self.lines = lines

    # -- small questions -----------------------------------------------------

    def _must_be_here(self, seat: int) -> None:
        """Raise Refused unless the game goes on and this seat's player is in it."""
        if seat not in range(len(self.game.seats)):
            raise Refused(Standard.NO_SUCH_SEAT)
        if self.result:
            raise Refused(Standard.GAME_OVER)
        if seat in self.game.gone:
            raise Refused(Standard.NOT_YOUR_TURN)

    def _is_alone(self, seat: int) -> bool:
        """Is this seat asked, and nobody else?"""
        return self.prompts.keys() == {seat}

    def _is_still_at_it(self, seat: int, composed: object) -> bool:
        """Has the turn not passed on, nor a stage begun?"""
        if composed is not self.question.composed or not self.moves:
            return False
        return seat in self.prompts if composed else self._is_alone(seat)

    def _must_hold(self) -> None:
        """Raise Broken if anything is not as the game says that it always must be."""
        for words, holds in self.game.must_hold():
            if not holds:
                raise Broken(f"{self.rules.title}: after move {self.number} it is not so that {words}")

    def _offered(self, seat: int, action: Action) -> bool:
        # By value, then by its written form: 1 is True, but not as a move.
        return any(
            option is type(action) or (option == action and written(option) == written(action))
            for option in self.options(seat)
        )

    def _unknown(self) -> tuple[dict[str, int], Any]:
        """How much has been drawn from chance, and what each viewer may not know."""
        viewers: list[int | None] = [None, *range(len(self.game.seats))]
        return dict(self.game.chance.drawn), secrets(self.game, viewers)

    def _nothing_learnt(self, before: tuple[dict[str, int], Any]) -> bool:
        drawn, hidden = self._unknown()
        return drawn == before[0] and not before[1] - hidden


def written(action: Any) -> bytes:
    """An action as it is recorded, sets in one order."""
    return msgspec.json.encode(action, order="deterministic")


def well_formed(action: Action) -> Action:
    """The action as it will be read from its record.  Raises Refused unless that is the very same.

    Types count exactly, as a decoder takes them: True is not 1, and 1.0 is not.
    """
    kind = type(action)
    if not isinstance(action, Action):
        raise Refused(Standard.MALFORMED, problem=Text("it is no action"))
    try:
        recorded: Action = msgspec.json.decode(written(action), type=kind)
        if written(recorded) == written(action):
            return recorded
    except msgspec.ValidationError as wrong:
        raise misread(kind, wrong) from wrong
    except (TypeError, ValueError, RecursionError) as wrong:
        raise Refused(Standard.MALFORMED, problem=Text("it cannot be written down")) from wrong
    raise Refused(Standard.MALFORMED, problem=Text("it cannot be written down"))


def misread(kind: type[Action], wrong: msgspec.ValidationError) -> Refused:
    """The refusal for a value that does not fit its field: the game's own, or the common one."""
    problem, at, path = str(wrong).rpartition(" - at `$")
    field = re.sub(r"^\.?(\w*).*", r"\1", path, flags=re.DOTALL) if at else ""
    if field in kind.misread:
        return kind.misread[field]()
    problem = (problem or path)[:200]  # it may quote what was sent
    return Refused(Standard.MALFORMED, problem=f"{field}: {problem}" if field else problem)


def refusal(game: Game[Any], seat: Any, action: Action) -> Refused | None:
    """Why a game refuses an action to a seat; `game` may be what that seat sees of it."""
    try:
        why = game.refuse(seat, action)
    except LookupError:  # it names things that are not there
        return Refused(Standard.NOT_OFFERED)
    return why if why is None or isinstance(why, Refused) else why()


def standing(ledger: Iterable[Move]) -> list[Move]:
    """The moves that stand: each undo takes that seat's last one back."""
    moves: list[Move] = []
    for move in ledger:
        if isinstance(move.action, Undo):
            del moves[max(nth for nth, each in enumerate(moves) if each.seat == move.seat)]
        else:
            moves.append(move)
    return moves
