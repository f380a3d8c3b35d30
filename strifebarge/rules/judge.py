"""The judge: what a seat may do at this moment, and what it may undo.  It changes nothing."""

from typing import Any, NamedTuple

from strifebarge.rules.action import FRAMEWORK, Action, Late, Leave, Refused, Standard
from strifebarge.rules.codec import secrets
from strifebarge.rules.replay import Replay
from strifebarge.rules.schema import actions
from strifebarge.rules.validity import well_formed, written

Unknown = tuple[dict[str, int], Any]


class Judge(NamedTuple):
    """A judge of one position: of the replay as it stands, and the choices that may still be changed."""

    replay: Replay
    pending: dict[int, Action]

    # -- moving -------------------------------------------------------------------

    def check(self, seat: int, action: Action) -> Action:
        """Raise Refused unless this seat may do this now.  Returns the action as it will be recorded."""
        self.check_turn(seat)
        action = well_formed(action)
        offered = self._offered(seat, action)
        # Rules need not think of what other games do, nor of Leave and Undo.
        is_known_kind = offered or type(action) in actions(self.replay.rules)
        refused = self.replay.reason(seat, action) if is_known_kind else None
        if refused or not offered:
            raise refused or Refused(Standard.NOT_OFFERED)
        return action

    def check_turn(self, seat: int) -> None:
        """Raise Refused unless this seat is asked something (and may still answer)."""
        self.check_seat(seat)
        replay = self.replay
        chosen = replay.question.final and seat in self.pending
        if seat not in replay.prompts or seat in replay.answers or chosen:
            raise Refused(Standard.NOT_YOUR_TURN)
        if isinstance(self.pending.get(seat), Late):
            raise Refused(Standard.TOO_LATE)

    def check_seat(self, seat: int) -> None:
        """Raise Refused unless the game goes on and this seat's player is in it."""
        if seat not in range(len(self.replay.game.seats)):
            raise Refused(Standard.NO_SUCH_SEAT)
        if self.replay.result:
            raise Refused(Standard.GAME_OVER)
        if seat in self.replay.game.gone:
            raise Refused(Standard.NOT_YOUR_TURN)

    def _offered(self, seat: int, action: Action) -> bool:
        options = self.replay.options(seat)
        if type(action) in options:
            return True
        if action not in options:  # found out quickly, among thousands
            return False
        # By value, and by its written form: 1 is True, but not as a move.
        alike = options[options.index(action) :]
        return any(option == action and written(option) == written(action) for option in alike)

    # -- undoing ------------------------------------------------------------------

    def can_undo(self, seat: int | None) -> bool:
        """Return whether this seat may undo its last move, being asked again."""
        replay = self.replay
        if replay.result or seat not in replay.prompts:
            return False
        composed = replay.question.composed is not None
        since = replay.moves[replay.since :] if composed else replay.moves
        for index, move in enumerate(reversed(since)):
            if isinstance(move.action, Leave):
                return False
            if move.seat == seat:
                return not move.final and (index == 0 or composed)
        return False

    def can_undo_across_turns(self, seat: int) -> bool:
        """Return whether this seat could undo the move it was asked for alone, though the turn has passed on.

        Not if anybody has acted after it, drew or learnt anything by it, or if a stage or the end came of it.
        """
        replay = self.replay
        if replay.result or self.pending or not replay.moves or replay.moves[-1] is not replay.ledger[-1]:
            return False
        last = replay.moves[-1]
        if last.seat != seat or isinstance(last.action, FRAMEWORK):
            return False
        before = Replay(replay.rules, replay.snapshot, replay.ledger[:-1])
        return before.is_alone(seat) and nothing_learnt(unknown(before), replay)


def unknown(replay: Replay) -> Unknown:
    """Return how much has been drawn from chance, and what each viewer may not know."""
    viewers: list[int | None] = [None, *range(len(replay.game.seats))]
    return dict(replay.game.chance.drawn), secrets(replay.game, viewers)


def nothing_learnt(before: Unknown, replay: Replay) -> bool:
    """Return whether nothing has been drawn since, nor been shown to anybody."""
    drawn, hidden = unknown(replay)
    return drawn == before[0] and not before[1] - hidden
