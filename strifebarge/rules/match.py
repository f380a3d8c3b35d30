"""One playing of a game, which can be put away between any two moves."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from .action import Action, Leave, Refused, Standard, Undo
from .chance import Chance
from .codec import ALL_SEEING, load, save, seat_type, secrets
from .game import Game, Options, Over, Prompt, Question, Ranking
from .text import pack


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


class Endless(Exception):
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
        self._start(snapshot)
        self._run(None)
        self.opening = self.lines  # told before anybody was asked
        for move in standing(moves):
            self._take(move)
        self._count_undone(moves)
        self.pending.update(pending or {})
        self.lines: list[Any] = []

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
        game = rules(seats=chairs, chance=Chance(seed), **({"options": options} if options else {}))
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
        self.check(seat, action)
        alone = self.prompts.keys() == {seat}
        before = self._secrets()
        self.pending[seat] = action
        moves = self._settle()
        if moves and not (alone and self.prompts.keys() == {seat} and self._nothing_learnt(before)):
            self.floor = len(self.moves)
            moves[-1] = msgspec.structs.replace(moves[-1], final=True)
        return moves

    def leave(self, seat: int) -> list[Move]:
        """A player leaves for good, whoever's turn it is; the game says what that means."""
        if self.result:
            raise Refused(Standard.GAME_OVER)
        if seat in self.game.gone:
            raise Refused(Standard.NOT_YOUR_TURN)
        self.pending.pop(seat, None)
        left = Move(self.number + 1, seat, Leave(), final=True)
        self._take(left)
        self.floor = len(self.moves)
        return [left, *self._settle()]

    def undo(self, seat: int) -> Move:
        """Take back this seat's last move.  Raises Refused."""
        if not self.undoable(seat):
            raise Refused(Standard.NOTHING_TO_UNDO)
        undo = Move(self.number + 1, seat, Undo())
        floor = self.floor
        self.__dict__.update(Match(self.rules, self.snapshot, [*self.ledger, undo]).__dict__)
        self.floor = floor
        self.game.log("{seat} takes back the last move.", seat=self.game.seats[seat])
        self._collect()
        return undo

    def undoable(self, seat: int | None) -> bool:
        return not self.result and len(self.moves) > self.floor and self.moves[-1].seat == seat

    def check(self, seat: int, action: Action) -> None:
        """Raise Refused unless this seat may do this now."""
        self.check_turn(seat)
        self._check_form(action)
        if refused := self.reason(seat, action):
            raise refused
        if not self._offered(seat, action):
            raise Refused(Standard.NOT_OFFERED)

    def check_turn(self, seat: int) -> None:
        """Raise Refused unless this seat is asked something (and may still answer)."""
        if self.result:
            raise Refused(Standard.GAME_OVER)
        if seat not in self.prompts or seat in self.given or (self.question.final and seat in self.pending):
            raise Refused(Standard.NOT_YOUR_TURN)

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
        return load(self.rules, save(self.game, viewer), whole=viewer is ALL_SEEING)

    def told(self) -> list[Any]:
        """The packed log lines since this was last asked."""
        lines, self.lines = self.lines, []
        return lines

    def fingerprint(self) -> str:
        """A hash (128 bits) of the state, the stage, and who is asked what."""
        asked = [(seat, pack(prompt.text)) for seat, prompt in sorted(self.prompts.items())]
        rest = msgspec.json.encode([self.snapshot.stage, asked, self.result])
        return sha256(save(self.game) + rest).hexdigest()[:32]

    # -- the coroutine -------------------------------------------------------

    def _start(self, snapshot: Snapshot) -> None:
        """Stand at the beginning of a stage."""
        # Always from the bytes, so that a game never put away is the same as one taken up.
        self.game, self.snapshot = load(self.rules, snapshot.state), snapshot
        self.coroutine = getattr(self.game, snapshot.stage)()
        self.moves: list[Move] = []  # those since the snapshot that stand
        self.ledger: list[Move] = []  # those, undone ones and undos
        self.floor = 0  # how many of the moves cannot be taken back
        self.given: dict[int, Action] = {}
        self.pending: dict[int, Action] = {}
        self.lines = []

    def _run(self, answers: dict[int, Action] | None) -> None:
        """Go on until somebody who is there is asked something, or to the end."""
        for _ in range(AUTOMATIC):
            self.given, self.prompts, self.asked = {}, {}, {}
            try:
                self._put(self.coroutine.send(answers))
            except Over as over:
                self.result = over.ranking
            except StopIteration as end:
                if isinstance(end.value, Ranking):
                    self.result = end.value
                else:
                    self._go_on_to(end.value.__name__)
                    answers = None
                    continue
            self._collect()
            if not self._is_answered(self.given):
                return
            answers = self._answers()
        raise Endless(self.rules.title)

    def _put(self, question: Question) -> None:
        self.question = question
        self.prompts = dict(question.prompts)
        self.asked = dict.fromkeys(self.prompts, self.number)
        self._answer_for_the_gone()

    def _go_on_to(self, stage: str) -> None:
        self._collect()
        lines = self.lines
        self._start(Snapshot(self.number, stage, save(self.game)))
        self.lines = lines

    def _collect(self) -> None:
        self.lines.extend(self.game.__dict__.pop("told", []))

    def _take(self, move: Move) -> None:
        self.moves.append(move)
        self.ledger.append(move)
        self.number = move.number
        if move.final:
            self.floor = len(self.moves)
        if isinstance(move.action, Leave):
            self._vacate(move.seat)
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
        if not self.prompts:
            return False
        return bool(answers) if self.question.settled_by == "any" else self.prompts.keys() <= answers.keys()

    def _answers(self) -> dict[int, Action]:
        """What the rules are told: every answer, or the first one."""
        if self.question.settled_by == "any":
            return dict([next(iter(self.given.items()))])
        return {seat: self.given[seat] for seat in self.prompts}

    def _vacate(self, seat: int) -> None:
        self.game.gone.append(seat)
        try:
            self.game.leave(self.game.seats[seat])
        except Over as over:
            self.coroutine.close()
            self.prompts, self.result = {}, over.ranking
        self._collect()
        self._answer_for_the_gone()

    def _answer_for_the_gone(self) -> None:
        """Empty chairs do what the game says they do; nobody waits for them."""
        gone = [seat for seat in self.prompts if seat in self.game.gone and seat not in self.given]
        if gone and self.question.settled_by == "any" and len(gone) < len(self.prompts):
            for seat in gone:
                del self.prompts[seat]
            return
        for seat in gone:
            self.given[seat] = self.game.absent(self.game.seats[seat], self.offers(seat))

    def _count_undone(self, moves: Sequence[Move]) -> None:
        """Only moves that stand were played; the count and the questions know of the others."""
        self.ledger = [move for move in moves if move.number > self.snapshot.number]
        undos = [move.number for move in self.ledger if isinstance(move.action, Undo)]
        if undos:
            self.number = max(self.number, undos[-1])
            self.asked = {seat: max(asked, undos[-1]) for seat, asked in self.asked.items()}

    # -- small questions -----------------------------------------------------

    def _check_form(self, action: Action) -> None:
        # Compared by type exactly, as a decoder would: True is not 1.
        try:
            msgspec.convert(msgspec.to_builtins(action), type(action))
        except msgspec.ValidationError as wrong:
            raise misread(type(action), wrong) from wrong

    def _offered(self, seat: int, action: Action) -> bool:
        wanted = msgspec.json.encode(action)
        return any(
            type(action) is option if isinstance(option, type) else msgspec.json.encode(option) == wanted
            for option in self.options(seat)
            if option is type(action) or type(option) is type(action)
        )

    def _secrets(self) -> tuple[dict[str, int], list[Counter[bytes]]]:
        """What has been drawn, and what each viewer may not know."""
        viewers: list[int | None] = [None, *range(len(self.game.seats))]
        return dict(self.game.chance.drawn), [secrets(self.game, viewer) for viewer in viewers]

    def _nothing_learnt(self, before: tuple[dict[str, int], list[Counter[bytes]]]) -> bool:
        drawn, unknown = self._secrets()
        return drawn == before[0] and not any(old - new for old, new in zip(before[1], unknown, strict=True))


def misread(kind: type[Action], wrong: msgspec.ValidationError) -> Refused:
    """The refusal for a value that does not fit its field: the game's own, or the common one."""
    problem, _, path = str(wrong).partition(" - at `$.")
    field = path.rstrip("`").partition("[")[0].partition(".")[0]
    if field in kind.misread:
        return kind.misread[field]()
    return Refused(Standard.MALFORMED, problem=f"{field}: {problem}" if field else problem)


def refusal(game: Game[Any], seat: Any, action: Action) -> Refused | None:
    """Why a game refuses an action to a seat; `game` may be what that seat sees of it."""
    try:
        why = game.refuse(seat, action)
    except LookupError:  # it names things that are not there
        return Refused(Standard.NOT_OFFERED)
    return why if why is None or isinstance(why, Refused) else why()


def standing(ledger: Iterable[Move]) -> list[Move]:
    """The moves that stand: each undo takes the last one back."""
    moves: list[Move] = []
    for move in ledger:
        if isinstance(move.action, Undo):
            moves.pop()
        else:
            moves.append(move)
    return moves
