"""A seat at the table, as one viewer sees it."""

from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.rules import Game, Options
from strifebarge.rules.match import Match
from strifebarge.rules.schema import options_type, roles
from strifebarge.rules.text import pack
from strifebarge.tables.clock.absence import enough_against, in_grace, is_absent
from strifebarge.tables.clock.presence import TablePresence
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.bots import is_bot, level_of
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.table import Table
from strifebarge.tables.model.watching import SpectatorTable


class Presence(Struct, frozen=True):
    """The presence of a seat's players at the table."""

    present: bool = False  # now
    last_seen: float | None = None  # when they last were, if they are not, in seconds since 1970


class SeatTime(Struct, frozen=True):
    """The time of a seat on the clock."""

    remaining: float  # seconds
    ticking: bool  # they run, unless all clocks stand still
    still: float = 0  # until then they stand still: a vacation or a pause, in seconds since 1970


class Absence(Struct, frozen=True):
    """How long the table has waited for a seat, and who may have it instead."""

    since: float | None = None  # since when the table waits for it, in seconds since 1970
    overtime: bool = False  # its own time has run out, and what remains is a grace period
    missed: int = 0  # deadlines in a row
    absent: bool = False  # it has missed enough of them that others may have the seat
    against: tuple[int, int] = (0, 0)  # votes to take it out of the game, and votes needed
    substitute: str | None = None  # the name of its substitute, "" for a guest; None: it has none


class SeatView(Struct, frozen=True):
    """A seat at the table, as everyone sees it."""

    seat: int
    letter: str
    holder: str  # who has it, as forms say it that are about them
    name: str
    guest: bool  # the name is that of the seat's flag
    role: str  # the seat's own name in this game, "White"; or ""
    free: bool
    mine: bool
    my_device: bool  # the viewer has it, alone or with others
    ready: bool
    to_move: bool
    chosen: bool
    left: bool
    out: bool = False
    coplayers: tuple[str, ...] = ()  # their names
    bot: str = ""  # the level of the bot that plays this seat
    stands_in: bool = False  # that bot stands in for the seat's own player
    standing: Any = None  # packed text
    suspends: bool = False  # it would have the game suspended
    returned: float | None = None  # when its player was last given it back in another browser
    locked: bool = False  # its PIN is asked for before its page is shown
    unlocks: float | None = None  # when the PIN ends, after somebody has said that it is forgotten
    presence: Presence = Presence()
    absence: Absence = Absence()
    time: SeatTime | None = None  # None where no clock is


def place_of(
    table: Table,
    title: Title,
    chair: Chair,
    seat: int | None,
    player: str | None,
    presence: TablePresence,
    at: float,
) -> SeatView:
    """Return the place of a chair, for a player who looks from `seat` at a moment."""
    bot = chair.bot
    return SeatView(
        seat=chair.seat,
        letter=chair.letter,
        holder=chair.holder,
        name=chair.called,
        guest=chair.guest,
        role=_role(table, title, chair.seat),
        free=chair.player is None and table.status is not Status.OVER,
        mine=chair.seat == seat,
        my_device=chair.has(player),
        ready=chair.agreed,
        to_move=chair.seat in table.position.waiting,
        chosen=chair.seat in table.position.pending,
        left=chair.left,
        coplayers=tuple(each.name for each in chair.coplayers),
        bot=level_of(bot) if bot else "",
        stands_in=bot is not None and not is_bot(chair.player),
        suspends=chair.suspends is not None,
        returned=chair.returned,
        locked=chair.locked(at),
        unlocks=chair.pin.ends if chair.pin and chair.locked(at) else None,
        presence=_presence(chair, presence),
        absence=_absence(table, chair),
        time=_time(table, chair, at),
    )


def _role(table: Table, title: Title, seat: int) -> str:
    names = _roles(table, title)
    return names[seat] if seat < len(names) else ""


def _roles(table: Table, title: Title) -> tuple[str, ...]:
    """Return the seats' names by the table's options; in general, where these suit the rules no more."""
    kind = options_type(title.rules)
    if kind.seats is Options.seats:
        return roles(title.rules)
    try:
        return roles(title.rules, msgspec.convert(table.settings.options, kind))
    except msgspec.ValidationError:
        return roles(title.rules)


def _presence(chair: Chair, presence: TablePresence) -> Presence:
    if presence.any_of(chair):
        return Presence(present=True)
    return Presence(last_seen=max(map(presence.last_seen, chair.players), default=0) or None)


def _absence(table: Table, chair: Chair) -> Absence:
    timed = _has_time(table, chair)
    return Absence(
        since=table.waits_since(chair),
        overtime=in_grace(table, chair),
        missed=table.clock.seat_clocks[chair.seat].missed if table.clock and timed else 0,
        absent=is_absent(table, chair),
        against=enough_against(table, chair) if chair.against else (0, 0),
        substitute=chair.substitute.name or "" if chair.substitute else None,
    )


def _time(table: Table, chair: Chair, at: float) -> SeatTime | None:
    if table.clock is None or not _has_time(table, chair):
        return None
    hand = table.clock.seat_clocks[chair.seat]
    return SeatTime(hand.remaining(at), hand.since is not None, hand.still)


def _has_time(table: Table, chair: Chair) -> bool:
    """Tell whether a seat's time is known: a spectator's delayed table has a clock that does not run."""
    return (
        table.clock is not None
        and chair.seat < len(table.clock.seat_clocks)
        and not isinstance(table, SpectatorTable)
    )


def with_standing(seat: SeatView, game: Game[Any]) -> SeatView:
    """Return a place with how its seat stands in a game."""
    standing = pack(game.standing(game.seats[seat.seat]))
    return msgspec.structs.replace(seat, out=seat.seat in game.out, standing=standing)


def as_of(seat: SeatView, match: Match) -> SeatView:
    """Return a place as it was in the position of a match, whatever has happened since."""
    return msgspec.structs.replace(
        seat,
        left=seat.seat in match.game.gone,
        chosen=seat.seat in match.answers,
        to_move=seat.seat in match.prompts and seat.seat not in match.answers,
    )
