"""Verbs that show one table: what it is, its state, its past, its log, its record."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from msgspec import Meta, Raw, Struct

from strifebarge.api.arguments import AtTable, Number, SeatNumber
from strifebarge.api.caller import Caller
from strifebarge.api.event_views import stable_state
from strifebarge.api.shown import LogLine, State, TableInfo, info_of, line_of, state_of
from strifebarge.api.verbs.verb import verb
from strifebarge.lib.costly import COSTLY
from strifebarge.people.models import Scope
from strifebarge.results.record import written
from strifebarge.tables.library.budget import GameFault, run
from strifebarge.tables.play.queries import place_for
from strifebarge.tables.view import View

T = TypeVar("T")


class FromWhere(AtTable, kw_only=True, forbid_unknown_fields=True):
    """A table, and at a shared device the seat that looks."""

    seat: SeatNumber | None = None


class StateArguments(FromWhere, kw_only=True, forbid_unknown_fields=True):
    """A table to be shown as it is now, or as it stood when it last changed."""

    stable: Annotated[
        bool,
        Meta(
            description="The state as of the last change, with all players shown as absent: "
            "nothing in it changes by itself, and events say whatever does."
        ),
    ] = False


class PastPosition(FromWhere, kw_only=True, forbid_unknown_fields=True):
    """A position of a game's past."""

    number: Number
    as_seen: Annotated[bool, Meta(description="After the end: what the caller saw in play.")] = False


class Version(Struct):
    """A word that changes with anything that the caller may see."""

    table: str
    version: str


class Log(Struct):
    """The whole log of a game."""

    table: str
    lines: list[LogLine]


class PersonPresent(Struct):
    """A person at the table."""

    name: str
    seat: int
    present: bool
    bot: str | None = None  # the level of the bot that plays the seat; None for people


class Roster(Struct):
    """The players who are at a table now, how many watch, and who was invited by name."""

    table: str
    players: list[PersonPresent]
    spectators: int
    invited: list[str]


class RecordView(Struct):
    """A whole game, to be played again anywhere: seed, options, seats and moves."""

    record: Raw


@verb("table.get_info", Scope.READ, "GET", "/tables/{table}")
def get_info(caller: Caller, call: FromWhere) -> TableInfo:
    """Show a table without its game: seats, settings, what is proposed, how it ended."""
    view = caller.view(call.table, call.seat)
    return _shown(caller, view, lambda visible: TableInfo(**info_of(visible, caller.sentences(visible))))


@verb("table.state", Scope.READ, "GET", "/tables/{table}/state")
def state(caller: Caller, call: StateArguments) -> State:
    """Show a table with its game: the view, the question, all offers, greyed ones with reasons, the log."""
    if call.stable:
        id = caller.table(call.table)
        caller.must_look_from(id, call.seat)
        table = caller.referee.store.table(id)
        with caller.referee.views.place(table, caller.site.address(), caller.player.id):
            return stable_state(caller, table, call.seat)
    view = caller.view(call.table, call.seat)
    return _shown(caller, view, lambda visible: state_of(visible, caller.sentences(visible)))


@verb("table.version", Scope.READ, "GET", "/tables/{table}/version")
def version(caller: Caller, call: AtTable) -> Version:
    """Return a word that changes with the table. Cheap to ask for."""
    id, views = caller.table(call.table), caller.referee.views
    table = views.visible_table(caller.player.id, id)
    if table.plays(caller.player.id) and not caller.site.read_only:
        caller.referee.attendance.record_presence(caller.player.id, id, 0)
    return Version(id, views.version(table, caller.player.id))


@verb("table.history", Scope.READ, "GET", "/tables/{table}/history/{number}")
def history(caller: Caller, call: PastPosition) -> State:
    """Show the position after a move, as the caller may see it."""
    id = caller.table(call.table)
    caller.must_look_from(id, call.seat)
    with place_for(caller.referee.store.table(id), caller.site.address()):
        view = caller.referee.views.show_at(caller.player.id, id, call.number, call.as_seen, call.seat)
        return _shown(caller, view, lambda visible: state_of(visible, caller.sentences(visible)))


@verb("table.log", Scope.READ, "GET", "/tables/{table}/log")
def log(caller: Caller, call: FromWhere) -> Log:
    """Show the whole log, from the first move on."""
    id = caller.table(call.table)
    caller.must_look_from(id, call.seat)
    with place_for(caller.referee.store.table(id), caller.site.address()):
        view = caller.referee.views.log(caller.player.id, id, call.seat)
        sentences = caller.sentences(view)
        return Log(id, [line_of(line, sentences) for line in view.lines])


@verb("table.record", Scope.READ, "GET", "/tables/{table}/record")
def record(caller: Caller, call: AtTable) -> RecordView:
    """Return the whole game, once it is over, as a record that `verify.py` checks."""
    id = caller.table(call.table)
    with COSTLY.place(caller.site.address()):
        return RecordView(Raw(written(caller.site.services.results.record(id))))


@verb("table.roster", Scope.READ, "GET", "/tables/{table}/roster")
def roster(caller: Caller, call: AtTable) -> Roster:
    """Show who is at a table now and how many watch; players also see who was invited by name."""
    view = caller.view(call.table)
    seated = [
        PersonPresent(seat.name, seat.seat, seat.presence.present, seat.bot or None) for seat in view.seated
    ]
    table = caller.referee.views.visible_table(caller.player.id, view.id)
    invited = [each.name for each in table.invited.values()] if table.chair_of(caller.player.id) else []
    return Roster(view.id, seated, view.spectators.count, invited)


def _shown(caller: Caller, view: View, show: Callable[[View], T]) -> T:
    """Show a view within the game's budget; where its code fails, the table without its game."""
    try:
        return run(view.id, "showing it to a program", show, view)
    except GameFault as fault:
        views = caller.referee.views
        views.report(fault, view.position.newest)
        return show(views.show_failed(caller.player.id, view.id))
