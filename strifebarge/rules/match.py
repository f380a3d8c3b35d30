"""A match: one playing of a game, which can be put away between any two moves."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Any

from strifebarge.rules.action import Action, CallDraw, Late, Leave, Refused, Standard, Undo
from strifebarge.rules.asking import BrokenRules, EndGame, NextStage, Prompt, Question
from strifebarge.rules.chance import Chance
from strifebarge.rules.codec import ALL_SEEING, save, seat_type
from strifebarge.rules.game import Game, Options
from strifebarge.rules.judge import Judge, nothing_learnt, unknown
from strifebarge.rules.ledger import Move, Snapshot
from strifebarge.rules.ranking import Ranking
from strifebarge.rules.replay import AUTOMATIC, SETUP, STEP, Replay
from strifebarge.rules.validity import distinct, kinds_of


class Match:
    """A game in progress, and all that may be done in it.

    `replay` is the game as the moves have made it; `pending` are choices that are no moves yet, and may
    still be changed.  Whatever is done is done wholly, or it is refused and nothing has changed.
    """

    def __init__(
        self,
        rules: type[Game[Any]],
        snapshot: Snapshot,
        moves: Sequence[Move] = (),
        pending: dict[int, Action] | None = None,
    ):
        """Take a game up: `moves` are all since the snapshot, undone ones and undos too."""
        self.replay = Replay(rules, snapshot, moves)
        self.pending = {**(pending or {})}

    @classmethod
    def new(
        cls,
        rules: type[Game[Any]],
        seats: int = 2,
        seed: str = "",
        options: Options | None = None,
        arrange: Callable[[Any], None] | None = None,
    ) -> "Match":
        """Begin a fresh game.  `arrange(game)` may lay out any position, and go on to a stage, for tests."""
        game, stage = _fresh(rules, seats, seed, options), "play"
        try:
            game.setup()
        except (EndGame, NextStage) as ended:
            if not arrange:  # it is over before it begins, or begins with another stage: done again there
                match = cls(rules, Snapshot(0, SETUP, save(_fresh(rules, seats, seed, options))))
                match.replay.lines = [*match.opening]
                return match
            stage = _stage_after(ended)
        if arrange:
            try:
                arrange(game)
            except NextStage as going:
                stage = _stage_after(going)
        log = game.__dict__.pop("told", [])
        match = cls(rules, Snapshot(0, stage, save(game)))
        match.replay.lines = log + match.opening
        return match

    # -- moving ---------------------------------------------------------------------

    def move(self, seat: int, action: Action) -> list[Move]:
        """Let a seat act.  Returns the moves this makes: none while others still choose,
        then everyone's at once.  Raises Refused and changes nothing."""
        action = self.check(seat, action)
        with self._or_not_at_all():
            composed = self.question.composed
            before = unknown(self.replay) if composed or self.replay.is_alone(seat) else None
            self.pending[seat] = action
            moves = self._settle()
            still = self._is_still_at_it(seat, composed)
            if moves and not (before and still and nothing_learnt(before, self.replay)):
                moves[-1] = self.replay.seal(moves[-1])
            self._must_hold()
        return moves

    def leave(self, seat: int) -> list[Move]:
        """Let a player leave for good, also when it is not their turn; the game says what that means.

        Returns the moves this makes: the others' choices too, if they waited for this seat only.
        Raises Refused and changes nothing.
        """
        self.judge.check_seat(seat)
        with self._or_not_at_all():
            self.pending.pop(seat, None)
            left = self._take(self.replay.next_move(seat, Leave(), final=True))
            moves = [left, *self._settle()]
            moves[-1] = self.replay.seal(moves[-1])
            self._must_hold()
        return moves

    def miss(self, seat: int, out: bool = False) -> list[Move]:
        """Let the time of a seat run out: the game answers for it, or the seat is out.

        What it was composing the game carries to the end.
        Returns the moves this makes: none while others still choose.  Raises Refused and changes nothing.
        """
        self.judge.check_seat(seat)
        if seat not in self.waiting_for():
            raise Refused(Standard.NOT_YOUR_TURN)
        with self._or_not_at_all():
            moves = []
            if out:
                moves.append(self._take(self.replay.next_move(seat, Late(out=True), final=True)))
            else:
                self.pending[seat] = Late()
            moves += self._settle()
            if moves:
                moves[-1] = self.replay.seal(moves[-1])
            self._must_hold()
        return moves

    def call_draw(self, seat: int) -> list[Move]:
        """Let a seat call it a draw, for the other stays away.  Raises Refused and changes nothing."""
        self.judge.check_seat(seat)
        with self._or_not_at_all():
            return [self._take(self.replay.next_move(seat, CallDraw(), final=True))]

    def repeat(self, seat: int, action: Action) -> list[Move]:
        """Do what a ledger says that a seat once did, by whichever of these it was.  Raises Refused."""
        match action:
            case Undo():
                return [self.undo_across_turns(seat)]
            case Leave():
                return self.leave(seat)
            case Late(out=out):
                return self.miss(seat, out)
            case CallDraw():
                return self.call_draw(seat)
        return self.move(seat, action)

    def skip(self, seat: int) -> list[Move]:
        """Do for a seat whose player stays away what an empty chair would do; that is its move.

        What it was composing is carried to the end.  Returns the moves this makes, as `move` does.
        Raises Refused and changes nothing.
        """
        self.check_turn(seat)
        with self._or_not_at_all():
            self.game.log("{seat} is away: the game moves for them.", seat=self.game.seats[seat])
            composed, moves = self.question.composed, self._skip_once(seat)
            while moves and composed and self._is_still_at_it(seat, composed) and len(moves) < AUTOMATIC:
                moves += self._skip_once(seat)
            if moves:
                moves[-1] = self.replay.seal(moves[-1])
        return moves

    def _skip_once(self, seat: int) -> list[Move]:
        twin = Replay(self.rules, self.snapshot, self.ledger)
        # What the game itself will draw must not depend on this, nor be known by it.
        twin.game.chance = Chance(self.game.chance.seed, {}, f"away {self.question_numbers[seat]}")
        offers = [*twin.offers(seat), *twin.samples(seat)]
        action = twin.game.absent(twin.game.seats[seat], offers)
        if action not in offers:  # what only an empty chair may do
            action = twin.game.chance.choice(offers)
        moves = self.move(seat, action)
        self.replay.collect()
        return moves

    # -- undoing --------------------------------------------------------------------

    def undo(self, seat: int) -> Move:
        """Undo this seat's last move, while it is asked again.  Raises Refused."""
        if not self.can_undo(seat):
            raise Refused(Standard.NOTHING_TO_UNDO)
        return self._undo(seat)

    def undo_across_turns(self, seat: int) -> Move:
        """Undo this seat's last move, also where the turn has passed on and nothing came of it.

        Raises Refused.
        """
        if not (self.can_undo(seat) or self.can_undo_across_turns(seat)):
            raise Refused(Standard.NOTHING_TO_UNDO)
        return self._undo(seat)

    def can_undo(self, seat: int | None) -> bool:
        """Return whether this seat may undo its last move."""
        return self.judge.can_undo(seat)

    def can_undo_across_turns(self, seat: int) -> bool:
        """Return whether this seat could undo its last move, though the turn has passed on since."""
        return self.judge.can_undo_across_turns(seat)

    def _undo(self, seat: int) -> Move:
        undo = self.replay.next_move(seat, Undo())
        self._rebuild(self.snapshot, [*self.ledger, undo], {}, self.replay.lines)
        if not self.question.composed:  # else nobody has seen it
            self.game.log("{seat:You} undid the last move.", seat=self.game.seats[seat])
            self.replay.collect()
        return undo

    # -- how it is done -------------------------------------------------------------

    def _take(self, move: Move) -> Move:
        """Make a move; choices for a question that is asked no more are dropped."""
        before = self.snapshot
        self.replay.take(move)
        if self.result or self.snapshot is not before:
            self.pending = {}
        return move

    def _settle(self) -> list[Move]:
        """Make moves of the pending choices once the question is answered, in seat order."""
        if not self.replay.is_answered({**self.pending, **self.answers}):
            return []
        pending, self.pending = self.pending, {}
        choices = sorted(pending.items(), key=itemgetter(0))
        return [self._take(self.replay.next_move(seat, action)) for seat, action in choices]

    @contextmanager
    def _or_not_at_all(self) -> Iterator[None]:
        """Put everything back as it stood before, should the rules break down on the way."""
        before = self.snapshot, [*self.ledger], {**self.pending}, [*self.replay.lines]
        try:
            yield
        except BaseException:
            self._rebuild(*before)
            raise

    def _rebuild(
        self, snapshot: Snapshot, ledger: Sequence[Move], pending: dict[int, Action], lines: list[Any]
    ) -> None:
        """Play the game anew to where it is to stand; `lines` are those not asked for yet."""
        self.replay = Replay(self.rules, snapshot, ledger)
        self.replay.lines = lines
        self.pending = pending

    def _is_still_at_it(self, seat: int, composed: object) -> bool:
        """Return whether the turn has not passed on, and no stage has begun."""
        if composed is not self.question.composed or not self.moves:
            return False
        return seat in self.prompts if composed else self.replay.is_alone(seat)

    def _must_hold(self) -> None:
        """Raise Broken if anything is not as the game says that it always must be."""
        for condition, holds in self.game.must_hold():
            if not holds:
                raise BrokenRules(
                    f"{self.rules.title}: after move {self.number} it is not so that {condition}"
                )

    # -- what may be done -----------------------------------------------------------

    @property
    def judge(self) -> Judge:
        """The judge of the position as it stands."""
        return Judge(self.replay, self.pending)

    def check(self, seat: int, action: Action) -> Action:
        """Raise Refused unless this seat may do this now.  Returns the action as it will be recorded."""
        return self.judge.check(seat, action)

    def check_turn(self, seat: int) -> None:
        """Raise Refused unless this seat is asked something (and may still answer)."""
        self.judge.check_turn(seat)

    def reason(self, seat: int, action: Action) -> Refused | None:
        """Return why the game refuses this action, or None."""
        return self.replay.reason(seat, action)

    def options(self, seat: int) -> list[Action | type[Action]]:
        """Return all that a seat is asked to choose from, refused options too (to be shown greyed).

        Each stands there once, however often the rules offer it.
        """
        return distinct(self.replay.options(seat))

    def offered(self, seat: int) -> list[Action | type[Action]]:
        """Return the options as the rules offer them: some perhaps twice.  The list must not be changed.

        Raises Broken for what is neither an action nor a class of actions.
        """
        options = self.replay.options(seat)
        kinds_of(options)
        return options

    def offers(self, seat: int) -> list[Action]:
        """Return the single actions that a seat may choose now, each once; classes are not among them."""
        return distinct(self.replay.offers(seat))

    def classes(self, seat: int) -> list[type[Action]]:
        """Return the options that stand for any well-formed action of their kind, each once."""
        return distinct(self.replay.classes(seat))

    def waiting_for(self) -> list[int]:
        """Return the seats that have something to choose and have not."""
        return [seat for seat in self.prompts if seat not in self.pending and seat not in self.answers]

    def turn_of(self, seat: int) -> int:
        """Return the number of the move with which a seat's turn began; all that it composes is one turn."""
        return self.question_numbers[seat] % STEP

    # -- what is seen ---------------------------------------------------------------

    def view(self, viewer: int | None = ALL_SEEING) -> Game[Any]:
        """Return the game as one viewer (a seat, None: a spectator) may see it; without one, all of it."""
        return self.replay.view(viewer)

    def known_to(self, viewer: int | None) -> Game[Any]:
        """Return the game without what others are still composing; hidden things are in it."""
        return self.replay.known_to(viewer)

    def withheld(self, viewer: int | None) -> frozenset[tuple[int, int]]:
        """Return the places of moves this viewer is not told of yet: what others are still composing."""
        return self.replay.withheld(viewer)

    def take_log(self) -> list[Any]:
        """Return the packed log lines since this was last asked."""
        return self.replay.take_log()

    def fingerprint(self) -> str:
        """Return a hash (128 bits) of the state, the stage, who is asked, and the places; not of words."""
        return self.replay.fingerprint()

    # -- where it stands ------------------------------------------------------------

    @property
    def rules(self) -> type[Game[Any]]:
        """The class of the game."""
        return self.replay.rules

    @property
    def game(self) -> Game[Any]:
        """The state, with all that is hidden in it."""
        return self.replay.game

    @property
    def snapshot(self) -> Snapshot:
        """The start of the stage that is played."""
        return self.replay.snapshot

    @property
    def moves(self) -> list[Move]:
        """The moves since the snapshot that stand."""
        return self.replay.moves

    @property
    def ledger(self) -> list[Move]:
        """All moves since the snapshot, undone ones and undos too."""
        return self.replay.ledger

    @property
    def number(self) -> int:
        """The number of the last move that everybody may know of."""
        return self.replay.number

    @property
    def ledger_position(self) -> tuple[int, int]:
        """The place of the last move: beyond `number` while somebody composes."""
        return self.replay.ledger_position

    @property
    def question(self) -> Question:
        """The question that the game waits for an answer to."""
        return self.replay.question

    @property
    def prompts(self) -> dict[int, Prompt]:
        """The question to each seat that is asked."""
        return self.replay.prompts

    @property
    def question_numbers(self) -> dict[int, int]:
        """The number of each seat's question."""
        return self.replay.question_numbers

    @property
    def answers(self) -> dict[int, Action]:
        """The answers that are moves already."""
        return self.replay.answers

    @property
    def steps(self) -> dict[int, int]:
        """How many steps each seat has taken in what is being composed, undone ones and undos too."""
        return self.replay.steps

    @property
    def opening(self) -> list[Any]:
        """The packed lines told at the start of the stage, before anybody was asked."""
        return self.replay.opening

    @property
    def result(self) -> Ranking | None:
        """The ranking, once the game is over."""
        return self.replay.result


def _stage_after(ended: EndGame | NextStage) -> str:
    """Return the name of the stage with which a game begins whose layout ended so."""
    return getattr(ended.stage, "__name__", "") if isinstance(ended, NextStage) else "play"


def _fresh(rules: type[Game[Any]], seats: int, seed: str, options: Options | None) -> Game[Any]:
    """Return a game whose pieces are not laid out yet."""
    chairs = [seat_type(rules)(number=number) for number in range(seats)]
    game = rules(seats=chairs, chance=Chance(seed))
    if options is not None:
        game.options = options
    return game
