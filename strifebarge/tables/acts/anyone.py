"""Play anyone: join a table that waits, or have a bot stand in until somebody comes."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from strifebarge.rules import Refused, Text
from strifebarge.tables.acts.bots import fill_with_bots, seats_with_bots
from strifebarge.tables.acts.forms import seated_as
from strifebarge.tables.acts.opening import new_table, open_table
from strifebarge.tables.acts.seating import join
from strifebarge.tables.library.library import Title
from strifebarge.tables.library.settings import SettingsChange
from strifebarge.tables.model.bots import USUAL_LEVEL
from strifebarge.tables.model.listing import LASTS, STANDS_IN_FOR, TableSearch, who_waits
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Lists
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.table import Table, TableRefusal
from strifebarge.tables.play.game import begin_if_ready, stop
from strifebarge.tables.play.turn import FormToken, Turn

if TYPE_CHECKING:
    from strifebarge.tables.play.referee import Referee

CAME = Text("No result: someone came, and your new game is here.").sentence
WITHOUT_BOTS = {TableRefusal.NO_BOTS, TableRefusal.BOTS_AT_MOST, TableRefusal.BOTS_BUSY}


def play_anyone(
    referee: "Referee",
    lists: Lists,
    player: Player,
    game: str,
    form: FormToken,
    language: str,
    at: str,
    may_bring_bots: Callable[[], bool],
) -> str:
    """Let a player begin a game with anyone who waits, or wait for somebody; return the table's id.

    Who waits plays bots meanwhile, or where there is none for them sits at a listed table.  `at`: the id of
    the table to try first, or "".  `may_bring_bots` is called before bots are brought.  The same form again
    leads to the same table, and so does another one while the player waits.
    Raises Refused: NO_GAME, FOR_ONE, NO_KEY, KEY_REUSED, CANNOT_BEGIN.
    """
    title = referee.library[game]
    if not seats_with_bots(title):
        raise Refused(TableRefusal.FOR_ONE)
    if done := _done_before(referee, player, game, form):
        return done
    for table in lists.tables_of(player.id):
        if table.game == game and _waits(table, player.id):
            return table.id
    for table in _open_tables(referee, lists, title, at):
        try:
            return _begin_at(referee, table, player, form)
        except Refused as no:
            if no.why is TableRefusal.KEY_REUSED:  # the same form, at the same moment
                return _done_before(referee, player, game, form) or _reused()
            # Somebody else was faster, or has that name: the next one.
    return _wait(referee, player, title, form, language, may_bring_bots).id


def _done_before(referee: "Referee", player: Player, game: str, form: FormToken) -> str | None:
    """Return the table that this very form has led to; None if it was not sent before."""
    receipt = referee.receipt(form.key)
    if receipt is None:
        return None
    acts = (("join", receipt.table), ("start", game), ("meet", game))
    if receipt.digest not in [form.digest(act, player.id, subject) for act, subject in acts]:
        _reused()
    return receipt.table


def _reused() -> str:
    raise Refused(TableRefusal.KEY_REUSED)


def _waits(table: Table, player: str) -> bool:
    """Return whether a player waits there for somebody to come."""
    if chair := who_waits(table):
        return chair.has(player)
    return table.settings.listed and table.is_unjoined and table.host == player


def _open_tables(referee: "Referee", lists: Lists, title: Title, at: str) -> list[Table]:
    """Return the tables where somebody waits for anyone: by the usual settings, so that nobody is surprised.

    First come open tables, then those where bots stand in, who was there last before the others.
    """
    now, tables = referee.now(), []
    usual = new_table(referee, title, SettingsChange(seats=seats_with_bots(title), listed=True), now)
    for status, lasts in ((Status.OPEN, LASTS), (Status.PLAYING, STANDS_IN_FOR)):
        search = TableSearch([title.slug], status=status, since=now - lasts)
        tables += lists.open_tables(search)[0]
    return sorted((each for each in tables if _is_usual(each, usual)), key=lambda each: each.id != at)


def _is_usual(table: Table, usual: Table) -> bool:
    """Return whether a table is to be played as one that was opened without any choice."""
    if who_waits(table):
        return True
    settings = msgspec.structs.replace(table.settings, language=usual.settings.language)
    alike = len(table.chairs) == len(usual.chairs) and table.clock is None
    return alike and settings == usual.settings and not table.with_bots


def _begin_at(referee: "Referee", table: Table, player: Player, form: FormToken) -> str:
    """Join an open table, or begin a new game with who plays bots there.  Raises Refused."""
    if table.status is Status.OPEN:
        referee.carry_out(player.id, table.id, form, join, player)
        return table.id
    return referee.change(table.id, meet, player, form)


def meet(turn: Turn, person: Player, form: FormToken) -> str:
    """Begin a new game of a newcomer with the person who plays bots here; return its table's id.

    The game with bots ends without a result.  Raises Refused: BEGUN if somebody else was faster,
    ALREADY_HERE, NAME_TAKEN.
    """
    table, host = turn.table, who_waits(turn.table)
    if host is None or host.player is None:
        raise Refused(TableRefusal.BEGUN)
    if host.has(person.id):
        raise Refused(TableRefusal.ALREADY_HERE)
    requested = SettingsChange(seats=len(table.chairs), listed=True, language=table.settings.language)
    new = new_table(turn.referee, turn.title, requested, turn.now)
    new.sit(host.player, host.name)
    guest = seated_as(person, new.sit(person.id, person.name))
    beginning = Turn(turn.referee, new, turn.now, person.id, form)
    begin_if_ready(beginning)
    receipt = form.receipt("meet", person.id, table.game, turn.now)
    commit = partial(beginning.commit, receipt=msgspec.structs.replace(receipt, table=new.id))
    turn.write(lambda change: change.save_player(guest))
    turn.write(lambda change: change.add(new, commit))
    table.series.rematch = new.id
    stop(turn, CAME)
    turn.conclude()
    return new.id


def _wait(
    referee: "Referee",
    player: Player,
    title: Title,
    form: FormToken,
    language: str,
    may_bring_bots: Callable[[], bool],
) -> Table:
    """Open a table where bots stand in until somebody comes, or a listed one if there are none for it."""
    seats = seats_with_bots(title)

    def fill(turn: Turn) -> None:
        turn.by = player.id
        turn.table.standing_in = True
        fill_with_bots(turn, USUAL_LEVEL)

    requested = SettingsChange(seats=seats, language=language)
    if may_bring_bots():
        try:
            return open_table(referee, player, title.slug, form, requested, fill)
        except Refused as no:
            if no.why not in WITHOUT_BOTS:
                raise
    requested = SettingsChange(seats=seats, language=language, listed=True)
    return open_table(referee, player, title.slug, form, requested)
