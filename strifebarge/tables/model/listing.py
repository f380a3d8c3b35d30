"""The list of open tables: which are on it, and by what they are found."""

from msgspec import Struct

from strifebarge.rules import Text
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.table import Status, Table

LASTS = 7 * 86400  # seconds, from the last that happened at a table
STANDS_IN_FOR = 3600  # seconds from the host's last move, in which bots stand in for people who may come
PAGE = 20

PACES = {"live": Text("at one sitting"), "slow": Text("over days"), "untimed": Text("without a clock")}


def pace_of(table: Table) -> str:
    """Return how fast a table plays: one of PACES."""
    if table.clock is None:
        return "untimed"
    return "slow" if table.clock.pace.slow else "live"


class TableSearch(Struct, frozen=True):
    """A search of the list; "" is anything.  Tables not changed since `since` are left out."""

    games: list[str]
    pace: str = ""
    language: str = ""
    free: int = 1
    page: int = 1
    since: float = 0
    status: Status = Status.OPEN  # PLAYING: games in which bots stand in


class Listing(Struct, frozen=True):
    """A line of the list: what its table is found by."""

    game: str
    pace: str
    language: str
    free_seats: int
    changed: float


def who_waits(table: Table) -> Chair | None:
    """Return the seat of the one person who plays bots until somebody comes; None if nobody waits so."""
    people = [chair for chair in table.chairs if not is_bot(chair.player)]
    if not table.standing_in or table.status is not Status.PLAYING or len(people) != 1:
        return None
    return None if people[0].left or people[0].player is None or people[0].bot else people[0]


def listing(table: Table) -> Listing | None:
    """Return a table's line; None if it is not on the list: private, full, or begun and no bot stands in."""
    if who_waits(table):
        bots = len(table.chairs) - 1
        return Listing(table.game, pace_of(table), table.settings.language, bots, table.times.changed)
    free = len(table.free())
    if not table.settings.listed or table.status is not Status.OPEN or not free:
        return None
    return Listing(table.game, pace_of(table), table.settings.language, free, table.times.changed)
