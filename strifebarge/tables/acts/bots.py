"""Bring bots to a table: into its free seats before the game, or in place of somebody who is absent."""

from typing import TYPE_CHECKING

from strifebarge.rules import Refused
from strifebarge.rules.schema import seat_numbers, usual_seats
from strifebarge.tables.acts.opening import open_table
from strifebarge.tables.library.library import Title
from strifebarge.tables.library.settings import SettingsChange
from strifebarge.tables.model.bots import COUNTS_FOR, LEVELS, USUAL_LEVEL, BotRules, is_bot
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Change
from strifebarge.tables.model.status import StartRule
from strifebarge.tables.model.table import Table, TableRefusal
from strifebarge.tables.play.game import begin_if_ready
from strifebarge.tables.play.turn import FormToken, Turn

if TYPE_CHECKING:
    from strifebarge.tables.play.referee import Referee


# -- before the game ---------------------------------------------------------------------------


def add_bot(turn: Turn, level: str, seat: int | None = None) -> None:
    """Give a free seat to a bot, as host: that seat, or the first one; the game may begin by it.

    Where a game was to be rated, all are asked anew, since with a bot it is not.
    Raises Refused: NOT_HOST, BEGUN, OVER, NO_LEVEL, FULL, NO_SUCH_SEAT, SEAT_TAKEN, NO_BOTS,
    BOTS_AT_MOST, BOTS_BUSY.
    """
    free = _free_seats(turn, level)
    chair = free[0] if seat is None else turn.table.chair(seat)
    if chair not in free:
        raise Refused(TableRefusal.SEAT_TAKEN)
    _seat_bots(turn, level, [chair])


def fill_with_bots(turn: Turn, level: str) -> None:
    """Give all free seats to bots, as host; the game may begin by it.  Raises what `add_bot` raises."""
    _seat_bots(turn, level, _free_seats(turn, level))


def remove_bot(turn: Turn, seat: int, holder: str = "") -> None:
    """Clear the seat of a bot before the game, as host.

    `holder` is what `Chair.holder` was when they looked, or "".  Raises Refused: NOT_HOST, BEGUN, OVER,
    NO_BOT_THERE; SEAT_CHANGED if another bot sits there now.
    """
    table = turn.table
    table.must_be_open()
    table.must_be_hosted_by(turn.player)
    chair = table.chair(seat)
    if not is_bot(chair.player):
        raise Refused(TableRefusal.NO_BOT_THERE)
    if holder not in ("", chair.holder):
        raise Refused(TableRefusal.SEAT_CHANGED)
    table.free_seat(chair, turn.player)


def _free_seats(turn: Turn, level: str) -> list[Chair]:
    """Return the free seats of an open table, to its host.  Raises Refused as `add_bot`."""
    turn.table.must_be_open()
    turn.table.must_be_hosted_by(turn.player)
    must_be_level(level)
    free = turn.table.free()
    if not free:
        raise Refused(TableRefusal.FULL)
    return free


def _seat_bots(turn: Turn, level: str, chairs: list[Chair]) -> None:
    """Seat a bot in each of these chairs, and begin the game if it can begin then."""
    table = turn.table
    allow_bots(turn, turn.player, table)
    own_chairs = [chair for chair in table.chairs_of(turn.player) if chair.is_ready(turn.player)]
    if table.is_rated:
        table.unready()
    for chair in chairs:
        id, name = table.bot_for(level, chair)
        chair.give(id, name, ready=True)
        table.ask_newcomer_agreement(chair)
    if table.settings.begins is not StartRule.AGREED or not table.free():
        for chair in own_chairs:  # who brings a bot agrees to play with it
            chair.agree(turn.player, True)
    begin_if_ready(turn)


def must_be_level(level: str) -> None:
    """Raise Refused(NO_LEVEL) if bots do not play at such a level."""
    if level not in LEVELS:
        raise Refused(TableRefusal.NO_LEVEL)


# -- a game against bots -------------------------------------------------------------------------


def play_against_bots(
    referee: "Referee", player: Player, game: str, level: str, form: FormToken, language: str
) -> Table:
    """Open a table with the usual settings, with bots in all seats but the first; its game begins at once.

    Raises Refused: NO_GAME, NO_LEVEL, FOR_ONE, NO_BOTS, BOTS_AT_MOST, BOTS_BUSY, CANNOT_BEGIN, NO_KEY,
    KEY_REUSED.
    """
    must_be_level(level)
    seats = seats_with_bots(referee.library[game])
    if not seats:
        raise Refused(TableRefusal.FOR_ONE)

    def fill(turn: Turn) -> None:
        turn.by = player.id
        fill_with_bots(turn, level)

    requested = SettingsChange(seats=seats, language=language)
    return open_table(referee, player, game, form, requested, fill)


def seats_with_bots(title: Title) -> int:
    """Return how many seats a game has that a lone visitor plays against bots; 0 if it is for one alone."""
    usual = usual_seats(title.rules)
    return usual if usual > 1 else min((each for each in seat_numbers(title.rules) if each > 1), default=0)


# -- in place of somebody who is absent ----------------------------------------------------------


def stand_in(turn: Turn, chair: Chair) -> None:
    """Let a bot play a seat of a running game from now on; its own player keeps the seat too.

    Raises Refused: NO_BOTS, BOTS_AT_MOST, BOTS_BUSY, FULL.
    """
    table = turn.table
    allow_bots(turn, turn.player, table)
    chair.take_bot(*table.bot_for(USUAL_LEVEL, chair), table.position.number)
    chair.note()
    chair.since, chair.skipped, chair.against = None, 0, []
    if table.clock:
        table.clock.anew(chair.seat, turn.now)


def dismiss_bot(turn: Turn, seat: int | None = None) -> None:
    """Play one's own seat again, in which a bot has stood in; of several at one device, that `seat`.

    Raises Refused: NOT_SEATED, WHICH_SEAT, NOT_BEGUN, OVER, NO_BOT_THERE.
    """
    chair = turn.table.seated(turn.player, turn.seat if seat is None else seat)
    turn.table.must_be_running()
    if chair.left or chair.bot is None:
        raise Refused(TableRefusal.NO_BOT_THERE)
    chair.let_bot_go(turn.table.position.number)
    chair.since = None


# -- how many ------------------------------------------------------------------------------------


def allow_bots(turn: Turn, player: str, table: Table | None = None) -> None:
    """Let a player play with bots at a table, or at a new one, if there are not too many games with them.

    A table at which bots play already counts no second time.  Raises Refused(NO_BOTS); what is written may
    raise BOTS_AT_MOST, BOTS_BUSY.
    """
    rules = turn.referee.bots
    if not rules.on:
        raise Refused(TableRefusal.NO_BOTS)
    if table is not None and any(chair.bot for chair in table.chairs):
        return
    turn.write(lambda change: _must_be_room(change, rules, player, turn.now - COUNTS_FOR))


def _must_be_room(change: Change, rules: BotRules, player: str, since: float) -> None:
    own_games, all_here = change.count_games_with_bots(player, since)
    if own_games >= rules.per_person:
        raise Refused(TableRefusal.BOTS_AT_MOST, most=rules.per_person)
    if all_here >= rules.per_site:
        raise Refused(TableRefusal.BOTS_BUSY)
