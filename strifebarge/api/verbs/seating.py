"""Verbs round a table: sit down, agree, open one, set it, invite, remove."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from strifebarge.api.arguments import FromSeat, SeatNumber, Short, Write, WriteAtTable, one_of
from strifebarge.api.caller import CODES, ActResult, Caller
from strifebarge.api.verbs.playing import OpenedTable
from strifebarge.api.verbs.verb import verb
from strifebarge.people.models import Scope
from strifebarge.rules import Refused
from strifebarge.tables.acts import inviting, opening, seating
from strifebarge.tables.acts.forms import form_name, named
from strifebarge.tables.acts.from_here import Branch, play_from
from strifebarge.tables.library.settings import TERMS, SettingsChange, settings_from
from strifebarge.tables.model.names import tidy_characters
from strifebarge.tables.model.status import (
    PATIENCES,
    WATCHING,
    AbsencePolicy,
    ResultUse,
    Seating,
    StartRule,
)
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tables.play.turn import Turn

Name = Annotated[str, Meta(max_length=40, description="The caller's name at the table; empty to keep it.")]
TermsName = Annotated[
    str, Meta(max_length=100, description="`terms` of `table.get_info`: what is agreed to.")
]
Watching = Annotated[int, one_of(WATCHING, "Moves by which spectators are behind; -1: they see nothing.")]
Patience = Annotated[int, one_of(PATIENCES, "Seconds that one seat may keep the others waiting.")]


class Sit(WriteAtTable, kw_only=True, forbid_unknown_fields=True):
    """A seat to take, and the invitation for it."""

    seat: SeatNumber | None = None
    name: Name = ""
    invitation: Short = ""
    terms: TermsName = ""


class ChangeSeat(FromSeat, kw_only=True, forbid_unknown_fields=True):
    """The seat to move to."""

    to: SeatNumber


class Ready(FromSeat, kw_only=True, forbid_unknown_fields=True):
    """The terms that are agreed to."""

    terms: TermsName = ""


class Terms(Write, kw_only=True, forbid_unknown_fields=True):
    """The settings of a table. What is left out stays as it is, or is the default."""

    options: dict[str, str | int | bool | float | None] | None = None
    pace: Short | None = None
    begins: StartRule | None = None
    seating: Seating | None = None
    watching: Watching | None = None
    patience: Patience | None = None
    remedy: AbsencePolicy | None = None
    afterwards: ResultUse | None = None
    language: Short | None = None

    def terms(self) -> dict[str, str]:
        """Return the terms of the table, in words as forms have them."""
        fields = {name: getattr(self, name) for name in TERMS}
        return {name: str(value) for name, value in fields.items() if value is not None}


class NewTable(Terms, kw_only=True, forbid_unknown_fields=True):
    """A new table."""

    game: Short
    seats: SeatNumber | None = None
    sit: SeatNumber | None = None
    name: Name = ""
    visible: Annotated[bool, Meta(description="Whether it is on the list of open tables.")] = False


class FromHere(WriteAtTable, kw_only=True, forbid_unknown_fields=True):
    """A position of a game, and how it is to be played on."""

    number: Annotated[int, Meta(ge=0, description="The move after which the position stands.")]
    analysis: Annotated[bool, Meta(description="Whether the caller moves alone, for all seats.")] = True
    sit: SeatNumber | None = None
    name: Name = ""


class ChangeSettings(Terms, kw_only=True, forbid_unknown_fields=True):
    """Changes of a table's settings."""

    table: Annotated[str, Meta(min_length=1, max_length=40)]
    seat: SeatNumber | None = None


class Visible(WriteAtTable, kw_only=True, forbid_unknown_fields=True):
    """A table, to be on the list of open ones or not."""

    visible: bool = True


class Remove(WriteAtTable, kw_only=True, forbid_unknown_fields=True):
    """A seat, and who has it: `holder` of `table.get_info`."""

    about: SeatNumber
    holder: Short


class MovePlayer(Remove, kw_only=True, forbid_unknown_fields=True):
    """A seat, who has it, and where they are to sit."""

    to: SeatNumber


class Person(FromSeat, kw_only=True, forbid_unknown_fields=True):
    """A person, by their alias: `person` of `lobby.people`; to withdraw, also of `table.invitation`."""

    person: Short


class Invite(Person, kw_only=True, forbid_unknown_fields=True):
    """A person to invite, with a message."""

    message: Annotated[str, Meta(max_length=1200)] = ""


@verb("table.new", Scope.TABLE, "POST", "/tables")
def new(caller: Caller, call: NewTable) -> OpenedTable:
    """Open a table and take a seat. A game for one player starts at once."""
    caller.must_not_hurry(call, "create")
    settings = settings_from(
        dict(call.options or {}),
        call.terms(),
        caller.site.languages,
        seats=call.seats,
        sit=call.sit,
        pace=call.pace or "",
        listed=call.visible,
    )
    settings.language = settings.language or caller.language.code
    return OpenedTable(open_at(caller, call, settings))


@verb("table.from_here", Scope.TABLE, "POST", "/tables/{table}/from-here")
def from_here(caller: Caller, call: FromHere) -> OpenedTable:
    """Open a table whose game goes on from a position of another one, unrated; alone, or with others."""
    id = caller.table(call.table)
    caller.must_not_hurry(call, "create")
    branch = Branch(call.number, call.analysis, call.sit, caller.language.code)
    person = named(caller.player, call.name)
    return OpenedTable(play_from(caller.referee, person, id, caller.form(call), branch).id)


def open_at(caller: Caller, call: NewTable, settings: SettingsChange) -> str:
    """Open a table with these settings; return its code."""
    person = named(caller.player, call.name)
    return opening.open_table(caller.referee, person, call.game, caller.form(call), settings).id


@verb("table.sit", Scope.PLAY, "POST", "/tables/{table}/sit")
def sit(caller: Caller, call: Sit) -> ActResult:
    """Join a table, in any free seat or in one. The game may start."""
    person, code = named(caller.player, call.name), tidy_characters(call.invitation)
    id = caller.table(call.table)
    caller.must_not_hurry(call, "join")
    # Which seat is part of what is asked for, and not of who asks.
    accepted = caller.referee.carry_out(
        caller.player.id, id, caller.form(call), seating.join, person, call.seat, code, call.terms
    )
    return caller.done(id, accepted.number, accepted.repeated)


@verb("table.change_seat", Scope.PLAY, "POST", "/tables/{table}/change-seat")
def change_seat(caller: Caller, call: ChangeSeat) -> ActResult:
    """Move to another seat before the game."""
    return caller.carry_out(call, call.table, seating.sit_elsewhere, call.to)


@verb("table.stand", Scope.PLAY, "POST", "/tables/{table}/stand")
def stand(caller: Caller, call: FromSeat) -> ActResult:
    """Leave a table before the game. For a running game, see `table.leave`."""
    return caller.carry_out(call, call.table, stand_up)


@form_name("stand")
def stand_up(turn: Turn) -> None:
    """Stand up before the game.  Raises Refused: NOT_SEATED, BEGUN, OVER."""
    turn.table.must_be_open()
    turn.table.stand(turn.player)


@verb("table.ready", Scope.PLAY, "POST", "/tables/{table}/ready")
def ready(caller: Caller, call: Ready) -> ActResult:
    """Agree to the table's settings, or to resume a suspended game."""
    return caller.carry_out(call, call.table, seating.ready, call.terms)


@verb("table.unready", Scope.PLAY, "POST", "/tables/{table}/unready")
def unready(caller: Caller, call: FromSeat) -> ActResult:
    """Withdraw one's agreement."""
    return caller.carry_out(call, call.table, seating.unready)


@verb("table.decline", Scope.PLAY, "POST", "/tables/{table}/decline")
def decline(caller: Caller, call: WriteAtTable) -> ActResult:
    """Decline an invitation by name."""
    return caller.carry_out(call, call.table, inviting.decline)


@verb("table.set", Scope.TABLE, "POST", "/tables/{table}/settings")
def set_(caller: Caller, call: ChangeSettings) -> ActResult:
    """Change settings before the game. All players have to agree again."""
    settings = settings_from(dict(call.options or {}), call.terms(), caller.site.languages, pace=call.pace)
    return caller.carry_out(call, call.table, change_settings, settings)


@form_name("configure")
def change_settings(turn: Turn, settings: SettingsChange) -> None:
    """Change some settings of a table, and leave the others as they are.  Raises what `configure` raises."""
    options: dict[str, Any] = {**turn.table.settings.options, **settings.options}
    seating.configure(turn, msgspec.structs.replace(settings, options=options))


@verb("table.begin", Scope.TABLE, "POST", "/tables/{table}/begin")
def begin(caller: Caller, call: WriteAtTable) -> ActResult:
    """Start the game, as host, with the players who are ready."""
    return caller.carry_out(call, call.table, seating.begin_early)


@verb("table.remove", Scope.TABLE, "POST", "/tables/{table}/remove")
def remove(caller: Caller, call: Remove) -> ActResult:
    """Remove a player before the game, as host."""
    return caller.carry_out(call, call.table, seating.remove, call.about, call.holder)


@verb("table.seat_other", Scope.TABLE, "POST", "/tables/{table}/seat-other")
def seat_other(caller: Caller, call: MovePlayer) -> ActResult:
    """Move a player to a free seat before the game, as host."""
    return caller.carry_out(call, call.table, seating.seat_other, call.about, call.holder, call.to)


@verb("table.invite", Scope.TABLE, "POST", "/tables/{table}/invitations")
def invite(caller: Caller, call: Invite) -> ActResult:
    """Invite a person the caller has played with. For the link for others, see `table.invitation`."""
    players = caller.site.services.results.past_players(caller.player.id)
    return caller.carry_out(call, call.table, inviting.invite, call.person, players, call.message)


@verb("table.withdraw", Scope.TABLE, "POST", "/tables/{table}/invitations/withdraw")
def withdraw(caller: Caller, call: Person) -> ActResult:
    """Withdraw an invitation by name."""
    return caller.carry_out(call, call.table, inviting.withdraw_invitation, call.person)


@verb("table.renew_link", Scope.TABLE, "POST", "/tables/{table}/renew-link")
def renew_link(caller: Caller, call: WriteAtTable) -> ActResult:
    """Replace the invitation link; the old one ends."""
    return caller.carry_out(call, call.table, inviting.renew_link)


@verb("table.show", Scope.TABLE, "POST", "/tables/{table}/visibility")
def show(caller: Caller, call: Visible) -> ActResult:
    """Put a table on the list of open ones, or take it off, as host."""
    return caller.carry_out(call, call.table, inviting.publish, call.visible)


@verb("table.delete", Scope.TABLE, "POST", "/tables/{table}/delete")
def delete(caller: Caller, call: WriteAtTable) -> OpenedTable:
    """Delete a table, as host, unless another player has moved. Deleting it again changes nothing."""
    id = caller.table(call.table)
    try:
        caller.referee.change(id, opening.delete, caller.player.id)
    except Refused as no:
        if no.why is not TableRefusal.NO_TABLE:
            raise
        caller.count(CODES)  # it may be a guess
    return OpenedTable(id)
