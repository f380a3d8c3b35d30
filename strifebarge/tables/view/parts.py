"""The smaller parts of a view: position, log, times, spectators, suspension, ending."""

from typing import Any

from msgspec import Struct

from strifebarge.rules import Game, Ranking
from strifebarge.tables.model.log import Line as LogLine
from strifebarge.tables.model.plans import DroppedMove, PlanLine, in_words
from strifebarge.tables.model.status import NOBODY
from strifebarge.tables.model.table import Table
from strifebarge.tables.model.watching import SpectatorTable


class PositionView(Struct, kw_only=True):
    """The position shown; `game` is None where it is not shown, or not yet."""

    number: int  # moves made before it
    newest: int  # number of the table's last move
    live: bool = True  # it is the position now, and not a page of history
    permanent: bool = False  # it is looked at under the permanent address of a finished game
    game: Game[Any] | None = None
    you: Any = None  # the viewer's own seat in the game


class LogView(Struct):
    """The lines that the game has told."""

    lines: list[LogLine] = []
    own: list[LogLine] = []  # that the viewer's own last move told
    news: list[LogLine] = []  # since then


class TimesView(Struct, kw_only=True):
    """When something happened, in seconds since 1970."""

    now: float = 0
    moved: float = 0
    changed: float = 0
    nudged: float | None = None  # when a player was last reminded
    started: float | None = None
    ended: float | None = None

    @classmethod
    def of(cls, table: Table, now: float) -> "TimesView":
        """Return the times of a table."""
        return cls(
            now=now,
            moved=table.times.changed,
            changed=table.times.changed,
            nudged=table.times.nudged,
            started=table.times.started,
            ended=table.times.ended,
        )


class Spectators(Struct, kw_only=True):
    """The rules for spectators, and how they concern the viewer."""

    allowed: bool  # a person without a seat sees the game before it is over
    excluded: bool = False  # the viewer may not watch: nothing of the game is in this view
    delay: int = 0  # moves by which the viewer is behind
    count: int = 0  # people who watch now

    @classmethod
    def of(cls, table: Table) -> "Spectators":
        """Return who may watch a table, as one sees it who may be a spectator."""
        return cls(
            allowed=table.settings.watching != NOBODY,
            excluded=isinstance(table, SpectatorTable) and table.excluded,
            delay=table.delay if isinstance(table, SpectatorTable) else 0,
        )

    @property
    def held_back(self) -> bool:
        """Tell whether the viewer is told less than all at the table may know."""
        return self.excluded or self.delay > 0


class SuspensionView(Struct, kw_only=True):
    """The reason why a game is suspended, and what its players propose."""

    by: str | None = (
        None  # the name of the player who did it; "": everybody had gone; None: its rules changed
    )
    trouble: str = ""  # what is wrong with its rules
    faulty: bool = False  # its game's code has failed
    by_host: bool = False  # a host of the site did it, and players can only wait
    end: str | None = None  # the name of the player who proposes to end it without a result
    back: str | None = None  # the name of the player who proposes to go back to where the rules agree
    back_to: int | None = None  # the move to which it can go back
    stands: bool = False  # that is the last one: it can go on from where it stands
    parts_at: int | None = None  # the move (0: the deal) that comes out otherwise by the rules that are here
    why: Any = None  # packed text: what they say against it

    @property
    def ending(self) -> bool:
        """Tell whether somebody proposes to end the game."""
        return self.end is not None

    @property
    def going_back(self) -> bool:
        """Tell whether somebody proposes to go back."""
        return self.back is not None

    @classmethod
    def of(cls, table: Table) -> "SuspensionView | None":
        """Return why a table is suspended; None where it is not."""
        if not table.suspended:
            return None
        suspension = table.suspension
        if suspension is None:
            return cls(trouble=table.trouble, faulty=table.faulty, back_to=_back_to(table))
        return cls(
            by=suspension.by,
            trouble=table.trouble,
            faulty=table.faulty,
            by_host=table.suspended_by_host,
            end=suspension.end,
            back=suspension.back,
            back_to=_back_to(table),
        )


def _back_to(table: Table) -> int | None:
    """Return the move to which a game that has failed can go back, if it has."""
    return table.before_last if table.faulty else None


class PlanView(Struct, kw_only=True):
    """The plan of the viewer's seat, which nobody else is shown."""

    may: bool = False  # they may plan now: they are not asked, and will be
    answering: bool = False  # lines may answer the other seat's moves
    lines: list[PlanLine] = []
    dropped: DroppedMove | None = None  # a move of it that was not made, and why

    @property
    def text(self) -> str:
        """Return the plan as it may be typed; "" where there is none."""
        return in_words(self.lines)

    @property
    def moves(self) -> list[str]:
        """Return the planned moves that answer nothing, in the game's notation."""
        return [step.do for line in self.lines for step in line if not step.answers]

    @classmethod
    def of(cls, table: Table, rules: type[Game[Any]], player: str | None, seat: int) -> "PlanView | None":
        """Return what a player who has this seat has planned; None where nobody plans."""
        if not rules.plans or len(table.chairs_of(player)) != 1 or seat in table.position.out:
            return None
        plan = table.plan_of(seat)
        return cls(
            may=seat not in table.position.waiting and seat not in table.position.pending,
            answering=rules.plans == "lines",
            lines=plan.lines if plan else [],
            dropped=plan.dropped if plan else None,
        )


class EndingView(Struct, kw_only=True):
    """How a game has ended, and what became of it."""

    result: Ranking | None = None
    unfinished: bool = False  # it was ended without a result
    stopped: str = ""  # why, where not all had agreed to it
    record: str = ""  # its permanent address
    rematch: str | None = None  # the id of the next table

    @classmethod
    def of(cls, table: Table) -> "EndingView":
        """Return how the game of a table has ended."""
        return cls(
            result=table.ending.result,
            unfinished=table.ending.unfinished,
            stopped=table.ending.stopped,
            record=table.ending.record,
            rematch=table.series.rematch,
        )
