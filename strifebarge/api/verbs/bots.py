"""Verbs about the site's bots: bring one to a table, send it away, take one's seat back from one."""

from typing import Annotated

from strifebarge.api.arguments import FromSeat, SeatNumber, Short, WriteAtTable, one_of
from strifebarge.api.caller import ActResult, Caller
from strifebarge.api.verbs.verb import verb
from strifebarge.people.models import Scope
from strifebarge.tables.acts import bots
from strifebarge.tables.model.bots import LEVELS, USUAL_LEVEL

LevelName = Annotated[str, one_of(LEVELS, "How hard it plays.")]


class AddBot(WriteAtTable, kw_only=True, forbid_unknown_fields=True):
    """The level of a bot, and its seat: the first free one, a given one, or with `fill` all free ones."""

    level: LevelName = USUAL_LEVEL
    about: SeatNumber | None = None
    fill: bool = False


class RemoveBot(WriteAtTable, kw_only=True, forbid_unknown_fields=True):
    """The seat of a bot; `holder` of `table.get_info`, to remove that bot and no other."""

    about: SeatNumber
    holder: Short = ""


@verb("table.add_bot", Scope.TABLE, "POST", "/tables/{table}/bots")
def add_bot(caller: Caller, call: AddBot) -> ActResult:
    """Seat a bot before the game, as host; with `fill`, one in every free seat."""
    caller.must_not_hurry(call, "bots")
    if call.fill:
        return caller.carry_out(call, call.table, bots.fill_with_bots, call.level)
    return caller.carry_out(call, call.table, bots.add_bot, call.level, call.about)


@verb("table.remove_bot", Scope.TABLE, "POST", "/tables/{table}/bots/remove")
def remove_bot(caller: Caller, call: RemoveBot) -> ActResult:
    """Remove a bot before the game, as host."""
    return caller.carry_out(call, call.table, bots.remove_bot, call.about, call.holder)


@verb("table.dismiss_bot", Scope.PLAY, "POST", "/tables/{table}/bots/dismiss")
def dismiss_bot(caller: Caller, call: FromSeat) -> ActResult:
    """Take one's own seat back from a bot that stands in."""
    return caller.carry_out(call, call.table, bots.dismiss_bot)
