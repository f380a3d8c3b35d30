"""One playing of a game, which can be put away between any two moves."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Any

import msgspec

from .action import FRAMEWORK, Action, CallDraw, Late, Leave, Refused, Standard, Undo
from .asking import Broken
from .chance import Chance
from .codec import save, seat_type, secrets
from .course import AUTOMATIC, Course
from .game import Game, Options
from .judging import well_formed, written
from .ledger import Move, Snapshot
from .schema import actions


class Match(Course):
    """A game in progress, and all that may be done in it."""

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
            left = self._next(seat, Leave(), final=True)
            self._take(left)
            moves = [left, *self._settle()]
            self._seal(moves)
            self._must_hold()
        return moves

    def miss(self, seat: int, out: bool = False) -> list[Move]:
        """A seat that is waited for has let its time run out: the game answers for it, or it is out.

        What it was composing the game carries to the end.
        Returns the moves this makes: none while others still choose.  Raises Refused and changes nothing.
        """
        self._must_be_here(seat)
        if seat not in self.waiting_for():
            raise Refused(Standard.NOT_YOUR_TURN)
        with self._or_not_at_all():
            moves = []
            if out:
                moves.append(self._next(seat, Late(out=True), final=True))
                self._take(moves[0])
            else:
                self.pending[seat] = Late()
            moves += self._settle()
            if moves:
                self._seal(moves)
        return moves

    def call_draw(self, seat: int) -> list[Move]:
        """A seat calls it a draw, for the other stays away.  Raises Refused and changes nothing."""
        self._must_be_here(seat)
        with self._or_not_at_all():
            called = self._next(seat, CallDraw(), final=True)
            self._take(called)
        return [called]

    def repeat(self, seat: int, action: Action) -> list[Move]:
        """What a ledger says that a seat once did, by whichever of these it was.  Raises Refused."""
        match action:
            case Undo():
                return [self.take_back(seat)]
            case Leave():
                return self.leave(seat)
            case Late(out=out):
                return self.miss(seat, out)
            case CallDraw():
                return self.call_draw(seat)
        return self.move(seat, action)

    def skip(self, seat: int) -> list[Move]:
        """A seat whose player stays away does what an empty chair would do; that is its move.

        What it was composing is carried to the end.  Returns the moves this makes, as `move` does.
        Raises Refused and changes nothing.
        """
        self.check_turn(seat)
        self.game.log("{seat} is away: the game plays for them.", seat=self.game.seats[seat])
        composed, moves = self.question.composed, self._skip_once(seat)
        while moves and composed and self._is_still_at_it(seat, composed) and len(moves) < AUTOMATIC:
            moves += self._skip_once(seat)
        if moves:
            self._seal(moves)
        return moves

    def _skip_once(self, seat: int) -> list[Move]:
        twin = Match(self.rules, self.snapshot, self.ledger, self.pending)
        # What the game itself will draw must not depend on this, nor be known by it.
        twin.game.chance = Chance(self.game.chance.seed, {}, f"away {self.asked[seat]}")
        offers = [*twin.offers(seat), *twin._samples(seat)]
        action = twin.game.absent(twin.game.seats[seat], offers)
        if action not in offers:  # what only an empty chair may do
            action = twin.game.chance.choice(offers)
        moves = self.move(seat, action)
        self._collect()
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
        undo = self._next(seat, Undo())
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

    def _settle(self) -> list[Move]:
        """Make moves of the pending choices once the question is answered, in seat order."""
        if not self._is_answered({**self.pending, **self.given}):
            return []
        pending, self.pending = self.pending, {}
        moves = []
        for seat, action in sorted(pending.items(), key=itemgetter(0)):
            moves.append(self._next(seat, action))
            self._take(moves[-1])
        return moves

    def _next(self, seat: int, action: Action, final: bool = False) -> Move:
        """The move that comes next in the ledger."""
        number, step = self.place
        if number > self.number:
            return Move(number, seat, action, final, step + 1)
        return Move(self.number + 1, seat, action, final)

    # -- standing still ------------------------------------------------------

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
