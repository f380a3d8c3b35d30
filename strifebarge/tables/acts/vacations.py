"""Go on vacation, and come back: for all tables with a slow pace at once."""

from contextlib import suppress
from typing import TYPE_CHECKING

from strifebarge.tables.clock import vacation
from strifebarge.tables.clock.vacation import Vacation

if TYPE_CHECKING:
    from strifebarge.tables.play.referee import Referee


def go_on_vacation(referee: "Referee", player: str, days: int, etag: str | None = None) -> None:
    """Go on vacation for `days` days; a form that was made for older vacations (`etag`) does nothing.

    Raises Refused: AWAY, NONE_LEFT, WRONG_DAYS.
    """
    at = referee.now()

    def go(vacations: list[Vacation]) -> Vacation:
        return vacation.begun(player, vacation.as_seen(vacations, etag), at, days)

    with suppress(vacation.AlreadyDone):
        referee.store.set_vacation(player, go)


def come_back(referee: "Referee", player: str, etag: str | None = None) -> None:
    """End a vacation; a form that was made for older vacations (`etag`) does nothing.

    Raises Refused(NOT_AWAY).
    """
    at = referee.now()
    with suppress(vacation.AlreadyDone):
        referee.store.set_vacation(
            player, lambda vacations: vacation.ended(vacation.as_seen(vacations, etag), at)
        )
