"""Open a table; delete one."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from strifebarge.rules import Refused
from strifebarge.tables.acts.forms import seated_as
from strifebarge.tables.library.budget import GameFault, run
from strifebarge.tables.library.library import Title
from strifebarge.tables.library.settings import (
    SettingsChange,
    checked_options,
    clock_for,
    must_fit_the_game,
    must_suit_the_seats,
    number_of_seats,
    options_from,
    terms_when_opened,
)
from strifebarge.tables.model.names import chosen_name, code_of
from strifebarge.tables.model.parts import TableSettings, Times
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Chair, DevicePolicy, Table, TableRefusal
from strifebarge.tables.play.faults import tell
from strifebarge.tables.play.game import begin_if_ready
from strifebarge.tables.play.turn import Context, FormToken, Turn

if TYPE_CHECKING:
    from strifebarge.tables.play.referee import Referee


def open_table(
    referee: "Referee",
    player: Player,
    game: str,
    form: FormToken,
    requested: SettingsChange,
    act: Callable[[Turn], object] = begin_if_ready,
) -> Table:
    """Open a table for a game, with `player` at it; alone at the table, they begin at once.

    `act` is done there before anybody sees the table.  Raises Refused: NO_GAME, WRONG_SEATS, WRONG_OPTIONS,
    WRONG_TERMS, NO_PACE, SHARED_IS_QUIET, FULL, NAME_TAKEN, WRONG_NAME, RESERVED_NAME, NO_KEY, KEY_REUSED.
    """
    title = referee.library[game]
    table = run("", f"setting up {game}", new_table, referee, title, requested, referee.now())
    run("", f"setting up {game}", must_suit_the_seats, table, title)
    must_fit_the_game(table, title)
    player = seated_as(player, table.sit(player.id, player.name, requested.sit))
    _seat_others(table, player, requested)
    receipt = form.receipt("start", player.id, game, referee.now())
    return referee.open(table, receipt, player, act)


def open_for_tournament(
    referee: "Referee", tournament: str, game: str, people: Sequence[Player], requested: SettingsChange
) -> Turn:
    """Return the turn in which a game of a tournament begins, with these people by seat; nothing is written.

    Raises Refused: NO_GAME, WRONG_SEATS, WRONG_OPTIONS, NO_PACE, CANNOT_BEGIN.
    """
    title = referee.library[game]
    table = run("", f"setting up {game}", new_table, referee, title, requested, referee.now())
    table.tournament = tournament
    for chair, person in zip(table.chairs, people, strict=True):
        chair.give(person.id, person.name, ready=True)
    turn = Turn(referee, table, table.times.created)
    try:
        run(table.id, f"beginning {game}", begin_if_ready, turn)
    except GameFault as fault:
        tell(fault)
        raise Refused(TableRefusal.CANNOT_BEGIN) from None
    return turn


def new_table(referee: Context, title: Title, requested: SettingsChange, now: float) -> Table:
    """Return a table by these settings, with nobody at it and not kept yet.

    Raises Refused: WRONG_SEATS, WRONG_OPTIONS, NO_PACE.
    """
    options = checked_options(title, requested.options)
    seats = number_of_seats(title, options_from(title.rules, options), requested.seats)
    return Table(
        id=code_of(referee.entropy(5)),
        game=title.slug,
        seed=referee.entropy(32).hex(),
        chairs=[Chair(seat) for seat in range(seats)],
        settings=TableSettings(
            options=options,
            shared=requested.devices is not DevicePolicy.OWN,
            listed=requested.listed,
            **terms_when_opened(requested, seats),
        ),
        rules_version=title.version,
        clock=clock_for(title, requested.pace),
        times=Times(created=now, changed=now),
    )


def _seat_others(table: Table, player: Player, requested: SettingsChange) -> None:
    """Seat the players of one device: by name, and at a single device in every seat."""
    if requested.devices is DevicePolicy.OWN:
        return
    for name in requested.others:
        table.seat_another(player.id, chosen_name(name))
    while requested.devices is DevicePolicy.ONE and table.free():
        table.seat_another(player.id, "")


def delete(turn: Turn, player: str) -> None:
    """Delete a table at which nobody else has moved, for its host.

    Raises Refused: NOT_HOST, OVER, IS_REMATCH, MOVED_IN.
    """
    if why := turn.table.why_not_delete(player):
        raise Refused(why)
    turn.write(lambda change: change.delete())
