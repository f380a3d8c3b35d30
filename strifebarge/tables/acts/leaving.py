"""Leave a table, or a seat; leave everything when a person is erased."""

from strifebarge.rules import Refused
from strifebarge.rules.match import Match
from strifebarge.rules.replay import Diverged
from strifebarge.tables.acts.forms import form_name
from strifebarge.tables.clock.absence import EVERYBODY_LEFT
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.table import RUNNING, Status, TableRefusal
from strifebarge.tables.play.game import play_on, stop
from strifebarge.tables.play.planned import play_plans
from strifebarge.tables.play.turn import Turn


@form_name("quit")
def leave(turn: Turn, how: str) -> None:
    """Leave: `resign` for good, by the rules of the game, for all who play the seat; or leave it `free`.

    A seat that is left free is its co-players', or somebody else's.
    Raises Refused: NOT_SEATED, WHICH_SEAT, OVER, SUSPENDED; IN_TOURNAMENT for a seat that would be free.
    """
    table = turn.table
    if how == "free":
        table.must_be_no_tournament()
    if table.status is Status.OPEN:
        table.stand(turn.player)
        return
    chair = table.seated(turn.player, turn.seat)
    if chair.left:
        raise Refused(TableRefusal.NOT_SEATED)
    table.must_be_running()
    _leave(turn, chair, how)
    end_if_only_bots_stay(turn)


def _leave(turn: Turn, chair: Chair, how: str) -> None:
    table = turn.table
    if how == "free" and (chair.coplayers or table.status is Status.SUSPENDED):
        _leave_to_the_others(turn, chair, turn.player)
        return
    match = turn.playing().match
    if how == "free":
        chair.give(None)
        table.pass_host_on(chair.seat)
    else:
        _leave_by_the_rules(turn, chair, match)


def leave_for_good(turn: Turn, player: str) -> None:
    """Let a player leave a table who will never come back: stand up, or leave the game by its rules.

    A game that is suspended is left to somebody else.
    """
    table = turn.table
    if table.status is Status.OPEN and table.chair_of(player):
        table.stand(player)
    for chair in table.chairs_of(player):
        if table.status in RUNNING and not chair.left:
            _leave_seat(turn, chair, player)
    end_if_only_bots_stay(turn)


def end_if_only_bots_stay(turn: Turn) -> None:
    """End a game that bots would play on for nobody; in a tournament it counts, so they play on."""
    table = turn.table
    stay = [chair for chair in table.chairs if not chair.left]
    for_nobody = bool(stay) and not table.tournament and all(chair.has_only_bots for chair in stay)
    if table.status in RUNNING and for_nobody:
        stop(turn, EVERYBODY_LEFT)


def _leave_seat(turn: Turn, chair: Chair, player: str) -> None:
    table = turn.table
    if chair.coplayers:
        _leave_to_the_others(turn, chair, player)
        return
    try:
        match = turn.playing().match
    except (Refused, Diverged):  # suspended, by people or for its rules' sake
        chair.give(None)
        table.unready()
        table.pass_host_on(chair.seat)
    else:
        _leave_by_the_rules(turn, chair, match)


def _leave_by_the_rules(turn: Turn, chair: Chair, match: Match) -> None:
    """Leave a seat without anybody in it, in the way that the rules of the game have."""
    moves = match.leave(chair.seat)
    chair.left = True
    turn.table.pass_host_on(chair.seat)
    play_on(turn, moves)
    play_plans(turn)


def _leave_to_the_others(turn: Turn, chair: Chair, player: str) -> None:
    """Leave a seat that its co-players, or somebody else, will play on."""
    chair.go(player)
    turn.table.somebody_went()
    turn.table.pass_host_on(chair.seat)
