"""The course of a match: its rules carried on from question to question, and what is seen of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from inspect import iscoroutine
from typing import Any

import msgspec

from .action import Action, CallDraw, Late, Refused, Undo
from .asking import Broken, GoOn, Over, Prompt, Question
from .codec import ALL_SEEING, essence, load, save
from .game import Game
from .judging import refusal
from .ledger import Move, Snapshot, standing
from .ranking import Ranking


class Diverged(Exception):
    """The moves, played again, lead to another state than they once did."""


class Endless(Broken):
    """The game goes on by itself without asking anybody who is there."""


AUTOMATIC = 10_000  # questions answered for empty chairs in a row before we call it endless
STEP = 10**6  # between the numbers of the questions that one composition puts to a seat


class Course:
    """A game in progress, as its rules carry it on.

    The truth is the snapshot, the moves since, and the choices `pending` until
    all are in; the coroutine is only those moves, played.  `number` is that of the
    last move of which everybody may know.
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

    # -- asking --------------------------------------------------------------

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

    def turn_of(self, seat: int) -> int:
        """The number of the move with which a seat's turn began; steps that it composes are one turn."""
        return self.asked[seat] % STEP

    # -- seeing --------------------------------------------------------------

    def view(self, viewer: int | None = ALL_SEEING) -> Game[Any]:
        """The game as one viewer (a seat, None: an onlooker) may see it; without one, all of it."""
        game = self.game if viewer is ALL_SEEING else self.known_to(viewer)
        return load(self.rules, save(game, viewer), whole=viewer is ALL_SEEING)

    @property
    def place(self) -> tuple[int, int]:
        """Of the last move in the ledger of this stage: further than `number` while somebody composes."""
        return self.ledger[-1].place if self.ledger else (self.snapshot.number, 0)

    def withheld(self, viewer: int | None) -> frozenset[tuple[int, int]]:
        """The places of moves this viewer is not told of yet: what others are still composing."""
        seen = (viewer, *self.game.gone)
        return frozenset(move.place for move in self._composing() if move.seat not in seen)

    def _composing(self) -> list[Move]:
        """The steps of what is being composed, undone ones and undos too."""
        if not self.question.composed:
            return []
        before = self.moves[self.since - 1].place if self.since else (self.snapshot.number, 0)
        return [move for move in self.ledger if move.place > before]

    def known_to(self, viewer: int | None) -> Game[Any]:
        """The game as it stands without what others are still composing; hidden things are in it."""
        withheld = self.withheld(viewer)
        if not withheld:
            return self.game
        return type(self)(self.rules, self.snapshot, [m for m in self.moves if m.place not in withheld]).game

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
        self.began = self.number  # the number with which the question began, or what is being composed
        self.steps: dict[int, int] = {}  # how many each seat has taken in it, undone ones and undos too
        self.carried: set[int] = set()  # the seats for which it is carried to the end
        self.question = Question({})
        self.prompts: dict[int, Prompt] = {}
        self.asked: dict[int, int] = {}  # the number of each seat's question: of the move that led to it;
        # in a composition the number it began with, and how many steps of the seat's own lie behind it
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
        if not same:
            self._all_may_know()
            self.since, self.began, self.steps, self.carried = len(self.moves), self.number, {}, set()
        # Who composes is not asked anew when somebody else takes a step.
        kept = [seat for seat, prompt in question.prompts.items() if same and self._stands(seat, prompt)]
        self.prompts = {**question.prompts, **{seat: self.prompts[seat] for seat in kept}}
        self.asked = {seat: self.began + STEP * self.steps.get(seat, 0) for seat in self.prompts}
        self.question = question
        self._answer_for_the_gone()

    def _all_may_know(self) -> None:
        """Nothing that was done is withheld from anybody any more."""
        self.number = self.place[0]

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
        self._all_may_know()
        self._start(Snapshot(self.number, name, save(self.game)))

    def _end(self, ranking: Ranking) -> None:
        self.coroutine.close()
        self._all_may_know()
        self.result = ranking
        self.question, self.steps = Question({}), {}
        self.prompts, self.asked, self.given, self.pending = {}, {}, {}, {}

    def _collect(self) -> None:
        self.lines.extend(self.game.__dict__.pop("told", []))

    def _take(self, move: Move) -> None:
        late, calling = isinstance(move.action, Late), isinstance(move.action, CallDraw)
        if self.result or not (move.leaves or calling or move.seat in self.prompts):
            raise Diverged(f"move {move.number}: seat {move.seat} is not asked")
        self.moves.append(move)
        self.ledger.append(move)
        if move.leaves or calling or not self.question.composed:
            self.number = move.number
        else:
            self.steps[move.seat] = self.steps.get(move.seat, 0) + 1
        if calling:
            self.game.log("{seat} calls it a draw.", seat=self.game.seats[move.seat])
            self._end(self.game.drawn())
            self._collect()
        elif move.leaves:
            self._vacate(move.seat, self.game.out_of_time if late else self.game.leave)
        elif late:
            self.game.log("{seat} lets the time run out.", seat=self.game.seats[move.seat])
            self.given[move.seat] = self._default(move.seat)
            self.carried.add(move.seat)
        else:
            self.given[move.seat] = move.action
        if self._is_answered(self.given):
            self._run(self._answers())

    def _is_answered(self, answers: dict[int, Action]) -> bool:
        if self.result:
            return False
        return bool(answers) if self.question.settled_by == "any" else self.prompts.keys() <= answers.keys()

    def _answers(self) -> dict[int, Action]:
        """What the rules are told: every answer, or the first one."""
        if self.question.settled_by == "any":
            return dict([next(iter(self.given.items()))])
        return {seat: self.given[seat] for seat in self.prompts}

    # -- empty chairs ---------------------------------------------------------

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
        absent = {*self.game.gone, *(self.carried if self.question.composed else ())}
        gone = [seat for seat in self.prompts if seat in absent and seat not in self.given]
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

    def _count_undone(self, moves: Sequence[Move]) -> None:
        """Only moves that stand were played; the count and the questions know of the others."""
        self.ledger = [move for move in moves if move.number > self.snapshot.number]
        steps = self._composing()
        for move in self.ledger[: len(self.ledger) - len(steps)]:
            if isinstance(move.action, Undo):
                self.number = max(self.number, move.number)
                if move.seat in self.asked:
                    self.asked[move.seat] = max(self.asked[move.seat], move.number)
        self.steps = Counter(move.seat for move in steps if not move.leaves)
        for seat in self.asked if steps else ():
            self.asked[seat] = self.began + STEP * self.steps[seat]
