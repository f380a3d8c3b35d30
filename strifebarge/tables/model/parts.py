"""The parts of a table: its settings, the position of its game, how it ended, its series, and its times."""

from typing import Any

from msgspec import Struct

from strifebarge.rules import Ranking
from strifebarge.tables.model.status import (
    EVERYBODY,
    USUAL_PATIENCE,
    AbsencePolicy,
    ResultUse,
    Seating,
    StartRule,
)


class TableSettings(Struct, kw_only=True):
    """How a table is played and run, which its players agree to."""

    options: dict[str, Any]  # of the game
    set_by: dict[str, str] = {}  # option: the name of the player who changed it
    begins: StartRule = StartRule.FULL
    seating: Seating = Seating.CHOSEN
    watching: int = EVERYBODY  # moves by which spectators are behind; NOBODY: there are none
    patience: int = USUAL_PATIENCE  # seconds that one seat may keep the others waiting
    remedy: AbsencePolicy = AbsencePolicy.END  # what may be done then
    afterwards: ResultUse = ResultUse.QUIET
    language: str = ""  # that of the player who opened it, unless somebody has chosen another
    shared: bool = False  # people share a device here: one person may have several seats
    listed: bool = False  # anybody may find it and sit down, until it begins


class Position(Struct, kw_only=True):
    """Where the game of a table stands."""

    number: int = 0  # of the last move that everybody may know of
    reached: tuple[int, int] = (0, 0)  # number and step of the ledger's last line
    rows: int = 0  # of the ledger
    steps: dict[int, int] = {}  # by seat: steps it has taken in what is being composed
    pending: dict[int, Any] = {}  # by seat: a choice that is not shown yet
    waiting: list[int] = []  # the seats to move
    out: list[int] = []  # the seats that are out of the game
    chosen_by: dict[int, str] = {}  # by seat: the name of the player who has made its last choice
    anew: list[int] = []  # the seats that choose anew, for other rules do not offer what they had chosen


class RulesAgreement(Struct, frozen=True, kw_only=True):
    """That all have agreed to go on by other rules than those by which a game was played so far."""

    base: int  # number of the snapshot from which the game is played again since
    last_position: tuple[int, int]  # in the ledger: of the last row that counts as it stands


class PlayedBy(Struct, kw_only=True):
    """The code that has played a table's game last."""

    sources: str = ""  # its hash (strifebarge/rules/sources.py); "" where it is not known
    loaded: float = 0  # when its process had read it, in seconds since 1970
    agreed: RulesAgreement | None = None
    untold: list[Any] = []  # packed lines of the log that the next move's row is to have


class Ending(Struct, kw_only=True):
    """How the game of a table has ended."""

    result: Ranking | None = None
    unfinished: bool = False  # it was ended without a result
    stopped: str = ""  # why, where not all had agreed to it
    record: str = ""  # the permanent address of its result


class Series(Struct, kw_only=True):
    """The row of rematches that a table stands in."""

    parent: str | None = None  # the table before it
    rematch: str | None = None  # the table after it
    first: str = ""  # the first of them; "" is this one


class Origin(Struct, frozen=True, kw_only=True):
    """The position of another game with which this one began.  Which table that was is not kept."""

    number: int  # moves made before it
    analysis: bool = False  # one person moves for all seats here, and sees everything


class Times(Struct, kw_only=True):
    """When something happened at a table, in seconds since 1970."""

    created: float = 0
    changed: float = 0
    started: float | None = None
    ended: float | None = None
    nudged: float | None = None  # when a player was last reminded


class Fault(Struct, frozen=True, kw_only=True):
    """A fault of a game's code, for its author: players never see it."""

    what: str  # what was to be done
    error: str  # the exception in a line
    trace: str = ""  # where it was raised
    at: float = 0  # seconds since 1970
    number: int = 0  # of the position at which it was
    deadly: bool = False  # it has cost the process that ran it


class Suspension(Struct):
    """That people have suspended a running game, until all of them are ready again."""

    by: str  # who did, by the name they had; "" for nobody
    at: float
    # Who had each seat then: others see nothing of it until it goes on.
    seat_holders: dict[int, list[str]]
    end: str | None = None  # who proposes to end the game without a result, by name
    back: str | None = None  # who proposes to go back to where the rules still agree, by name
    # From which move on, and whether that is where the game stands now.
    resume_point: tuple[int, bool] | None = None
    ends: float = 0  # where nobody suspended it: not before then does it end by itself
    by_host: bool = False  # a host of the site did, and they alone let it go on

    @property
    def by_itself(self) -> bool:
        """Tell whether nobody suspended the game: everybody had left it."""
        return not (self.by or self.by_host)
