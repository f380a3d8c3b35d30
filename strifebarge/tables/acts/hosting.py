"""Acts of a host of the site at a table: nobody there is asked, and the audit log tells of each."""

from typing import Any

from strifebarge.rules import Refused, Text
from strifebarge.tables.model import suspension
from strifebarge.tables.model.audit import AuditEntry
from strifebarge.tables.model.events import Deleted, Moved
from strifebarge.tables.model.table import Status, TableRefusal
from strifebarge.tables.play.game import go_back_to, stop
from strifebarge.tables.play.turn import Turn

SUSPENDED = TableRefusal.HELD.sentence
ENDED = Text("No result: the host of this site ended the game.").sentence
WENT_BACK = Text("The host of this site took the game back to move {number}.").sentence


def suspend_by_host(turn: Turn, by: str) -> None:
    """Suspend a running game; it goes on when a host resumes it, and not before.

    Raises Refused: NOT_BEGUN, OVER, SUSPENDED.
    """
    turn.table.must_be_running()
    if turn.table.suspended:
        raise Refused(TableRefusal.SUSPENDED)
    suspension.suspend_now(turn.table, turn.now, by_host=True)
    turn.table.trouble = SUSPENDED
    _conclude(turn, by, "suspend")


def resume_by_host(turn: Turn, by: str) -> None:
    """Resume a suspended game; if its code has failed, from before the last move.

    Raises Refused: NOT_SUSPENDED, OVER, NO_WAY_BACK; Diverged if the rules lead elsewhere now.
    """
    table = turn.table
    table.must_be_suspended()
    if not table.faulty:
        turn.match()
        _go_on(turn)
        _conclude(turn, by, "resume")
    elif table.before_last is None:
        raise Refused(TableRefusal.NO_WAY_BACK)
    else:
        rewind_by_host(turn, by, table.before_last)


def rewind_by_host(turn: Turn, by: str, number: int) -> None:
    """Take a running or suspended game back to where it stood after a move, and let it go on.

    Nothing is erased: going back has a number and a line of the log itself.  0 is the deal.
    Raises Refused: NOT_BEGUN, OVER, NO_MOVES_YET, NO_MOVE_BACK.
    """
    table = turn.table
    table.must_be_running()
    if table.before_last is None:
        raise Refused(TableRefusal.NO_MOVES_YET)
    if not 0 <= number <= table.before_last:
        raise Refused(
            TableRefusal.NO_MOVE_BACK, number=number, here=table.position.number, last=table.before_last
        )
    if not table.suspended:
        suspension.suspend_now(table, turn.now)
    go_back_to(turn, number, WENT_BACK)
    _go_on(turn)
    _conclude(turn, by, "rewind", move=number)


def end_by_host(turn: Turn, by: str) -> None:
    """End a running or suspended game without a result.  Raises Refused: NOT_BEGUN, OVER."""
    turn.table.must_be_running()
    stop(turn, ENDED)
    _conclude(turn, by, "end")


def delete_by_host(turn: Turn, by: str, act: str = "delete") -> None:
    """Delete a table, with all that is kept of it, in whatever state it is."""
    table = turn.table
    details = {"game": table.game, "status": str(table.status), "moves": table.position.number}
    _log(turn, by, act, **details)
    turn.write(lambda change: change.delete())
    turn.emit(Deleted(at=turn.now))


def purge_by_host(turn: Turn, by: str, before: float) -> bool:
    """Delete a table if it is open and nobody has joined it, or its game is over.

    Only one at which nothing has happened since `before`, in seconds since 1970.  Return whether it was
    deleted.
    """
    table = turn.table
    if table.times.changed > before or not (table.is_unjoined or table.status is Status.OVER):
        return False
    delete_by_host(turn, by, "purge")
    return True


def _go_on(turn: Turn) -> None:
    table = turn.table
    table.trouble = ""
    suspension.drop_proposals(table)
    if table.times.ended is None:
        suspension.resume(table, turn.now)
    turn.emit(Moved(at=turn.now))


def _conclude(turn: Turn, by: str, act: str, **details: Any) -> None:
    _log(turn, by, act, **details)
    turn.conclude()


def _log(turn: Turn, by: str, act: str, **details: Any) -> None:
    entry = AuditEntry(turn.now, by, act, turn.table.id, details)
    turn.write(lambda change: change.add_to_audit_log(entry))
