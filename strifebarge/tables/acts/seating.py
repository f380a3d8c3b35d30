"""Sit down, change seats, agree to play, begin; the host removes somebody."""

from typing import Any

from strifebarge.rules import Refused
from strifebarge.rules.schema import seat_numbers
from strifebarge.tables.acts.forms import form_name, seated_as
from strifebarge.tables.library.settings import (
    SettingsChange,
    checked_options,
    clock_for,
    must_fit_the_game,
    must_suit_the_seats,
    options_at,
)
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Status, TableRefusal
from strifebarge.tables.play.game import begin, begin_if_ready, notice_trouble
from strifebarge.tables.play.planned import go_on_with_plans
from strifebarge.tables.play.turn import Turn

INVITATION = {
    TableRefusal.NO_INVITATION,
    TableRefusal.REVOKED,
    TableRefusal.RUN_OUT,
}  # what is wrong with it; the rest `Table.sit` says


def join(turn: Turn, person: Player, seat: int | None = None, invitation: str = "", terms: str = "") -> None:
    """Let a person sit down; also in a seat that was left free in the middle of a game.

    `terms` are the table's terms when they looked.  Raises Refused: what `Table.why_not_join` gives, and what
    `Table.sit` raises; CHANGED.
    """
    table = turn.table
    why = table.why_not_join(person.id, invitation, turn.now)
    if why in INVITATION:
        raise Refused(why)
    if table.status is Status.OPEN:
        table.require_current_terms(terms, whom=False)
    is_new = table.chair_of(person.id) is None
    guest = seated_as(person, table.sit(person.id, person.name, seat))
    if is_new:
        turn.write(lambda change: change.save_player(guest))
    table.invited.pop(person.id, None)
    begin_if_ready(turn)


@form_name("sit")
def sit_elsewhere(turn: Turn, seat: int) -> None:
    """Change seats before the game.  Raises Refused: SEAT_TAKEN, BEGUN, NOT_SEATED."""
    turn.table.change_seat(turn.player, seat, turn.seat)


def ready(turn: Turn, terms: str = "") -> None:
    """Note that a player agrees to a table as it is, or to go on; when all have, it does.

    `terms` are the table's terms when they looked.  Raises Refused: NOT_SEATED, HELD; CHANGED if they differ
    now.
    """
    table = turn.table
    own_chairs = table.must_sit(turn.player)
    notice_trouble(turn)
    if table.status not in (Status.OPEN, Status.SUSPENDED):
        turn.quiet = True  # it has begun: somebody else was the last to agree
        return
    table.must_not_be_held()
    table.require_current_terms(terms)
    for chair in own_chairs:
        chair.agree(turn.player, True)
    go_on_with_plans(turn)


def unready(turn: Turn) -> None:
    """Take one's agreement back.  Raises Refused: NOT_SEATED, BEGUN, OVER."""
    table = turn.table
    own_chairs = table.must_sit(turn.player)
    if table.status is not Status.SUSPENDED:
        table.must_be_open()
    for chair in own_chairs:
        chair.agree(turn.player, False)


def configure(turn: Turn, settings: SettingsChange) -> None:
    """Play by other options, on other terms or at another pace; all are asked anew.

    Raises Refused: WRONG_OPTIONS, WRONG_TERMS, NO_PACE, BEGUN, NOT_SEATED.
    """
    table, title = turn.table, turn.title
    terms: dict[str, Any] = settings.terms()
    if settings.pace is not None and settings.pace != table.pace_key:
        terms["clock"] = clock_for(title, settings.pace)
    table.configure(turn.player, checked_options(title, settings.options), terms, turn.seat)
    must_fit_the_game(table, title)


@form_name("begin")
def begin_early(turn: Turn) -> None:
    """Begin, as host, with the players who are there and ready.  Raises Refused: NOT_HOST, BEGUN, TOO_FEW."""
    table = turn.table
    table.must_be_open()
    table.must_be_hosted_by(turn.player)
    for chair in table.chairs_of(turn.player):
        chair.agree(turn.player, True)
    rules = turn.title.rules
    numbers = seat_numbers(rules, options_at(table, rules))
    table.close_up()
    if len(table.chairs) not in numbers:
        raise Refused(TableRefusal.TOO_FEW, fewest=numbers[0])
    must_suit_the_seats(table, turn.title)
    begin(turn)


def remove(turn: Turn, seat: int, holder: str) -> None:
    """Clear a seat before the game, as host.

    `holder` is what `Chair.holder` was when they looked.  Raises Refused: NOT_HOST, BEGUN; SEAT_CHANGED if
    somebody else sits there now.
    """
    table = turn.table
    table.must_be_open()
    table.must_be_hosted_by(turn.player)
    if [chair.seat for chair in table.chairs_of(turn.player)] == [seat]:
        table.stand(turn.player)
        return
    chair = table.chair(seat)
    if chair.holder != holder:
        raise Refused(TableRefusal.SEAT_CHANGED)
    table.free_seat(chair, turn.player)


def seat_other(turn: Turn, seat: int, holder: str, to: int) -> None:
    """Move a player to a free seat before the game, as host; all are asked anew.

    `holder` is what `Chair.holder` was when they looked.  Raises Refused: NOT_HOST, BEGUN, NOT_SEATED,
    SEAT_TAKEN; SEAT_CHANGED if somebody else sits there now.
    """
    table = turn.table
    table.must_be_open()
    table.must_be_hosted_by(turn.player)
    chair = table.chair(seat)
    if chair.player is None or chair.holder != holder:
        raise Refused(TableRefusal.SEAT_CHANGED)
    if to != seat:
        table.change_seat(chair.player, to, seat)
        table.unready()
