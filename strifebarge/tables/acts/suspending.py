"""Suspend a running game, and propose how it ends or goes on; agreeing is done by `seating.ready`."""

from strifebarge.rules import Refused
from strifebarge.tables.model import suspension
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tables.play.game import notice_trouble
from strifebarge.tables.play.matches import resume_point
from strifebarge.tables.play.turn import Turn


def suspend(turn: Turn, agrees: bool = True) -> None:
    """Note that a player would have a running game suspended, or no longer; when all who play agree, it is.

    It goes on when all who play are ready.  Raises Refused: NOT_SEATED, NOT_BEGUN, OVER, SUSPENDED,
    ON_THE_CLOCK, IN_TOURNAMENT.
    """
    turn.table.must_be_no_tournament()
    suspension.propose(turn.table, turn.player, agrees, turn.now)


def propose_end(turn: Turn, end: bool) -> None:
    """Offer to end a suspended game without a result, or no longer; it ends when all there are ready.

    Raises Refused: NOT_SEATED, NOT_SUSPENDED, HELD, OVER.
    """
    notice_trouble(turn)
    suspension.propose_end(turn.table, turn.player, end, turn.seat)


def propose_back(turn: Turn, back: bool) -> None:
    """Offer to go on by rules that have changed, or from before the move at which the game failed; or not.

    The game goes on when all who play are ready.  Raises Refused: NOTHING_TO_MEND,
    NO_WAY_BACK, NOT_SUSPENDED, HELD, OVER, NOT_SEATED.
    """
    table, store, title = turn.table, turn.referee.store, turn.title
    table.seated(turn.player, turn.seat)
    notice_trouble(turn)
    table.must_be_suspended()
    table.must_not_be_held()
    if not back:
        suspension.propose_back(table, turn.player, None, turn.seat)
        return
    if table.faulty:  # its code is not run before all have agreed
        if table.before_last is None:
            raise Refused(TableRefusal.NO_WAY_BACK)
        suspension.propose_back(table, turn.player, (table.before_last, False), turn.seat)
        return
    if turn.referee.views.rules_agree(table):
        raise Refused(TableRefusal.NOTHING_TO_MEND)
    way = resume_point(store, title, table)
    if way is None:
        raise Refused(TableRefusal.NO_WAY_BACK)
    suspension.propose_back(table, turn.player, (way.number, way.stands), turn.seat)
