"""The replaying engine: a game's rules carried on from question to question, by the moves of a ledger."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Sized
from hashlib import sha256
from inspect import iscoroutine
from itertools import chain, islice
from typing import Any

import msgspec

from strifebarge.rules.action import Action, CallDraw, Late, Refused, Undo
from strifebarge.rules.asking import BrokenRules, EndGame, NextStage, NothingToDo, Prompt, Question
from strifebarge.rules.codec import ALL_SEEING, essence, load, save
from strifebarge.rules.game import Game
from strifebarge.rules.ledger import Move, Snapshot, standing_moves_of
from strifebarge.rules.ranking import Ranking, ranking_fault
from strifebarge.rules.validity import refusal


class Diverged(Exception):
    """Raised where a ledger's moves, played again, lead to another state than they once did."""


class Endless(BrokenRules):
    """Raised where a game goes on by itself without asking anybody who is there."""


AUTOMATIC = 10_000  # questions answered for empty chairs in a row before the game is called endless
SETUP = "setup"  # the stage of a game that `setup` ends or sends on: it is kept as it was before
STEP = 10**6  # between the numbers of the questions that one composition puts to a seat


class Replay:
    """A game as its moves have made it: taken up from a snapshot, and carried on move by move.

    The truth is the snapshot and the moves since; the coroutine is only those moves, played.  A move is
    taken as it is: whether it may be made, the judge says (judge.py).  `number` is that of the last move
    that everybody may know of.
    """

    snapshot: Snapshot  # the start of the stage that is played
    game: Game[Any]
    moves: list[Move]  # those since the snapshot that stand
    ledger: list[Move]  # those, undone ones and undos

    question: Question
    prompts: dict[int, Prompt]  # of the seats whose players are there
    question_numbers: dict[int, int]  # the number of each seat's question: of the move that led to it;
    # in a composition the number it began with, and how many steps of the seat's own lie behind it
    answers: dict[int, Action]  # answers that are moves already

    since: int  # how many of the moves came before the question, or before what is being composed
    began: int  # the number with which that began
    steps: dict[int, int]  # how many each seat has taken in it, undone ones and undos too
    carried: set[int]  # the seats for which it is carried to the end

    def __init__(self, rules: type[Game[Any]], snapshot: Snapshot, moves: Sequence[Move] = ()):
        """Play the moves made since the snapshot, undone ones and undos among them.

        Raises Diverged for a move that is not asked for, and Broken or whatever else faulty rules raise.
        """
        self.rules = rules
        self.number = snapshot.number
        self.result: Ranking | None = None
        self.lines: list[Any] = []  # packed lines of the log, not asked for yet
        self._start(snapshot)
        self._run(None)
        self.opening = [*self.lines]  # told before anybody was asked
        for move in standing_moves_of(moves):
            self.take(move)
        self._count_undone(moves)
        self.lines = []

    # -- what may be chosen -----------------------------------------------------

    def reason(self, seat: int, action: Action) -> Refused | None:
        """Return why the game refuses this action, or None."""
        return refusal(self.game, self.game.seats[seat], action)

    def options(self, seat: int) -> list[Action | type[Action]]:
        """Return all that the rules let a seat choose from, refused options too, as they offer them.

        What is offered twice stands there twice: the choice that chance makes for an empty chair must come
        out the same whenever a game is played again.
        """
        text, options = self.prompts[seat]
        if not isinstance(options, list):
            self.prompts[seat] = Prompt(text, options := list(options))
        return options

    def offers(self, seat: int) -> list[Action]:
        """Return the single actions that a seat may choose now; classes of actions are not among them."""
        single = (option for option in self.options(seat) if isinstance(option, Action))
        return [action for action in single if not self.reason(seat, action)]

    def classes(self, seat: int) -> list[type[Action]]:
        """Return the options that stand for any well-formed action of their kind."""
        return [option for option in self.options(seat) if isinstance(option, type)]

    def samples(self, seat: int) -> Iterator[Action]:
        """Yield one action of each class on offer that is not refused: what an empty chair might do."""
        for kind in self.classes(seat):
            view = self.view(seat)
            sample = kind.sample(view, view.seats[seat], self.game.chance.stream(f"absent {seat}"))
            if not self.reason(seat, sample):
                yield sample

    def is_alone(self, seat: int) -> bool:
        """Return whether this seat is asked, and no other."""
        return self.prompts.keys() == {seat}

    # -- what is seen -----------------------------------------------------------

    def view(self, viewer: int | None = ALL_SEEING) -> Game[Any]:
        """Return the game as one viewer (a seat, None: a spectator) may see it; without one, all of it."""
        game = self.game if viewer is ALL_SEEING else self.known_to(viewer)
        return load(self.rules, save(game, viewer), whole=viewer is ALL_SEEING)

    def known_to(self, viewer: int | None) -> Game[Any]:
        """Return the game without what others are still composing; hidden things are in it."""
        withheld = self.withheld(viewer)
        if not withheld:
            return self.game
        return Replay(
            self.rules, self.snapshot, [m for m in self.moves if m.ledger_position not in withheld]
        ).game

    def withheld(self, viewer: int | None) -> frozenset[tuple[int, int]]:
        """Return the places of moves this viewer is not told of yet: what others are still composing."""
        revealed_seats = (viewer, *self.game.gone)
        return frozenset(
            move.ledger_position for move in self._composing() if move.seat not in revealed_seats
        )

    def _composing(self) -> list[Move]:
        """Return the steps of what is being composed, undone ones and undos too."""
        if not self.question.composed:
            return []
        before = self.moves[self.since - 1].ledger_position if self.since else (self.snapshot.number, 0)
        return [move for move in self.ledger if move.ledger_position > before]

    def take_log(self) -> list[Any]:
        """Return the packed log lines since this was last asked."""
        lines, self.lines = self.lines, []
        return lines

    def collect(self) -> None:
        """Move what the game has told into `lines`."""
        self.lines.extend(self.game.__dict__.pop("told", []))

    def fingerprint(self) -> str:
        """Return a hash (128 bits) of the state, the stage, who is asked, and the places; not of words."""
        places = self.result and self.result.places
        rest = msgspec.json.encode([self.snapshot.stage, sorted(self.prompts), places])
        return sha256(essence(self.game) + rest).hexdigest()[:32]

    # -- moves ------------------------------------------------------------------

    @property
    def ledger_position(self) -> tuple[int, int]:
        """The place of this stage's last move: beyond `number` while somebody composes."""
        return self.ledger[-1].ledger_position if self.ledger else (self.snapshot.number, 0)

    def next_move(self, seat: int, action: Action, final: bool = False) -> Move:
        """Return this action as the move that comes next in the ledger."""
        number, step = self.ledger_position
        if number > self.number:
            return Move(number, seat, action, final, step + 1)
        return Move(self.number + 1, seat, action, final)

    def take(self, move: Move) -> None:
        """Make a move that comes next.  Raises Diverged where its seat is not asked."""
        calling = isinstance(move.action, CallDraw)
        if self.result or not (move.leaves or calling or move.seat in self.prompts):
            raise Diverged(f"move {move.number}: seat {move.seat} is not asked")
        self.moves.append(move)
        self.ledger.append(move)
        if move.leaves or calling or not self.question.composed:
            self.number = move.number
        else:
            self.steps[move.seat] = self.steps.get(move.seat, 0) + 1
        try:
            self._do(move)
        except EndGame as over:
            self._end(over.ranking)
        except NextStage as going:
            self.coroutine.close()
            self._go_on_to(going.stage)
            self._run(None)
        self.collect()
        if self.is_answered(self.answers):
            self._run(self._answers())

    def _do(self, move: Move) -> None:
        """Do at once what a move does, before the rules go on."""
        late, seat = isinstance(move.action, Late), self.game.seats[move.seat]
        if isinstance(move.action, CallDraw):
            self.game.log("{seat:You} called it a draw.", seat=seat)
            self._end(self.game.drawn())
        elif move.leaves:
            self._vacate(move.seat, self.game.out_of_time if late else self.game.leave)
        elif late:
            self.game.log("{seat:You} ran out of time.", seat=seat)
            self.answers[move.seat] = self._default(move.seat)
            self.carried.add(move.seat)
        else:
            self.answers[move.seat] = move.action

    def seal(self, last: Move) -> Move:
        """Make the last move final, so that neither it nor any before it can be undone; returns it so."""
        last = msgspec.structs.replace(last, final=True)
        if self.moves:  # no stage has begun since
            self.moves[-1] = self.ledger[-1] = last
        return last

    def is_answered(self, answers: dict[int, Action]) -> bool:
        """Return whether these answers settle the question."""
        if self.result:
            return False
        return bool(answers) if self.question.settled_by == "any" else self.prompts.keys() <= answers.keys()

    def _answers(self) -> dict[int, Action]:
        """Return what the rules are told: every answer, or the first one."""
        if self.question.settled_by == "any":
            return dict([next(iter(self.answers.items()))])
        return {seat: self.answers[seat] for seat in self.prompts}

    def _count_undone(self, moves: Sequence[Move]) -> None:
        """Count undone moves and undos too: of them the numbers know, and of those that stand the game."""
        self.ledger = [move for move in moves if move.number > self.snapshot.number]
        steps = self._composing()
        for move in self.ledger[: len(self.ledger) - len(steps)]:
            if isinstance(move.action, Undo):
                self.number = max(self.number, move.number)
                if move.seat in self.question_numbers:
                    self.question_numbers[move.seat] = max(self.question_numbers[move.seat], move.number)
        self.steps = Counter(move.seat for move in steps if not move.leaves)
        for seat in self.question_numbers if steps else ():
            self.question_numbers[seat] = self.began + STEP * self.steps[seat]

    # -- the coroutine ----------------------------------------------------------

    def _start(self, snapshot: Snapshot) -> None:
        """Begin a stage from its snapshot."""
        # Always from the bytes, so that a game never put away is the same as one taken up.
        self._begin(load(self.rules, snapshot.state), snapshot)

    def _begin(self, game: Game[Any], snapshot: Snapshot) -> None:
        """Begin a stage with this game."""
        self.game, self.snapshot = game, snapshot
        if snapshot.stage == SETUP:
            self.coroutine = _set_up(self.game)
        else:
            self.coroutine = getattr(self.game, snapshot.stage)()
        if not iscoroutine(self.coroutine):
            raise BrokenRules(f"{self.rules.title}: the stage “{snapshot.stage}” is no `async def`")
        self.moves, self.ledger = [], []
        self.since, self.began, self.steps, self.carried = 0, self.number, {}, set()
        self._ask_nobody()

    def _ask_nobody(self) -> None:
        self.question, self.prompts, self.question_numbers, self.answers = Question({}), {}, {}, {}

    def _run(self, answers: dict[int, Action] | None) -> None:
        """Go on until somebody who is there is asked something, or to the end."""
        for _ in range(AUTOMATIC):
            self.answers = {}
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
            except EndGame as over:
                self._end(over.ranking)
            except NextStage as going:
                self._go_on_to(going.stage)
                answers = None
                continue
            self.collect()
            if not self.is_answered(self.answers):
                return
            answers = self._answers()
        self.coroutine.close()
        raise Endless(f"{self.rules.title} goes on and on and asks nobody who is there")

    def _hear(self, answers: dict[int, Action] | None) -> Any:
        """Return what the rules say next: a question, or at a stage's end the next stage or a Ranking."""
        try:
            question = self.coroutine.send(answers)
        except StopIteration as end:
            return end.value
        if not isinstance(question, Question):
            raise BrokenRules(f"{self.rules.title} awaits what is no question to a seat")
        return question

    def _put(self, question: Question) -> None:
        """Ask a question; empty chairs answer at once."""
        if question.settled_by == "any" and not question.prompts:
            raise BrokenRules(f"{self.rules.title} waits for whichever of nobody answers first")
        seats = range(len(self.game.seats))
        if strangers := [number for number in question.prompts if number not in seats]:
            raise BrokenRules(
                f"{self.rules.title} asks seat {strangers[0]}, and its seats are 0 to {seats[-1]}"
            )
        same = question.composed is not None and question.composed is self.question.composed
        if not same:
            self._reveal()
            self.since, self.began, self.steps, self.carried = len(self.moves), self.number, {}, set()
        # Who composes is not asked anew when somebody else takes a step.
        same_seats = [
            seat for seat, prompt in question.prompts.items() if same and self._stands(seat, prompt)
        ]
        self.prompts = {**question.prompts, **{seat: self.prompts[seat] for seat in same_seats}}
        self.question_numbers = {seat: self.began + STEP * self.steps.get(seat, 0) for seat in self.prompts}
        self.question = question
        for seat in question.prompts:
            if seat not in same_seats:
                self._must_offer(seat)
        self._answer_for_the_gone()

    def _must_offer(self, seat: int) -> None:
        """Raise NothingToDo where a seat has nothing to choose from.

        Of an iterator it takes the first option alone: often nobody asks for the others.
        """
        text, options = self.prompts[seat]
        first = options if isinstance(options, Sized) else [*islice(left := iter(options), 1)]
        if not first:
            raise NothingToDo(f"{self.rules.title} asks seat {seat} “{text.sentence}”, and offers nothing")
        if first is not options:
            self.prompts[seat] = Prompt(text, chain(first, left))

    def _reveal(self) -> None:
        """Let everybody know of all that was done."""
        self.number = self.ledger_position[0]

    def _stands(self, seat: int, prompt: Prompt) -> bool:
        return self.question.prompts.get(seat) is prompt

    def _go_on_to(self, stage: Any) -> None:
        """Begin the next stage, from a snapshot of its own."""
        name = getattr(stage, "__name__", "")
        if not callable(stage) or getattr(self.game, name, None) != stage:
            raise BrokenRules(
                f"{self.rules.title}: the stage “{self.snapshot.stage}” ends with {stage!r}, "
                "which is neither a Ranking nor a stage, as in `return self.play`"
            )
        self.collect()
        self._reveal()
        self._start_next(name)

    def _start_next(self, stage: str) -> None:
        """Begin the next stage, by its name, with the game as it stands."""
        self._start(Snapshot(self.number, stage, save(self.game)))

    def _end(self, ranking: Ranking) -> None:
        self._must_rank(ranking)
        self.coroutine.close()
        self._reveal()
        self.result = ranking
        self.steps = {}
        self._ask_nobody()

    def _must_rank(self, ranking: Ranking) -> None:
        """Raise Broken unless a ranking gives each seat of this game its place."""
        if wrong := ranking_fault(ranking, len(self.game.seats)):
            raise BrokenRules(
                f"{self.rules.title} ends with {ranking!r:.400}, which does not rank its seats: {wrong}"
            )

    # -- empty chairs -----------------------------------------------------------

    def _vacate(self, seat: int, go: Callable[[Any], None]) -> None:
        """Let a seat's player go for good, by what the game says of it."""
        for prompted in self.prompts:
            self.options(prompted)  # as they were when asked for, whether anybody has looked at them or not
        self.game.gone.append(seat)
        go(self.game.seats[seat])
        self._answer_for_the_gone()

    def _answer_for_the_gone(self) -> None:
        """Let empty chairs do what the game says they do, so that the table does not wait for them."""
        absent = {*self.game.gone, *(self.carried if self.question.composed else ())}
        gone = [seat for seat in self.prompts if seat in absent and seat not in self.answers]
        anybody = self.question.settled_by == "any" and not self.question.composed
        if gone and anybody and len(gone) < len(self.prompts):
            for seat in gone:
                del self.prompts[seat], self.question_numbers[seat]
            return
        for seat in gone:
            self.answers[seat] = self._default(seat)

    def _default(self, seat: int) -> Action:
        """Return what is done for a seat whose player is not there."""
        return self.game.absent(self.game.seats[seat], [*self.offers(seat), *self.samples(seat)])


async def _set_up(game: Game[Any]) -> Any:
    """Lay out the pieces, as the first stage of a game that has more to do there."""
    game.setup()
    return game.play
