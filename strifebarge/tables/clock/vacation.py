"""Vacation: days of a person in which no deadline of theirs passes, at tables with a slow pace.  Pure."""

from collections.abc import Collection
from datetime import UTC, datetime

from msgspec import Struct

from strifebarge.rules import Refusal, Refused
from strifebarge.rules.pace import DAY
from strifebarge.tables.model.clock import ExcludedPeriod

DAYS = 14  # a year has for each person
LEAST = DAY  # what one vacation counts at least


class VacationRefusal(Refusal):
    """The reasons why somebody cannot go on vacation, or come back."""

    NONE_LEFT = "You have less than a day of vacation left this year."
    WRONG_DAYS = "You can go on vacation for 1 to {most} days."
    AWAY = "You're already on vacation."
    NOT_AWAY = "You're not on vacation."

    @property
    def token(self) -> str:
        return f"table.{self.name.lower()}"


class Vacation(Struct, frozen=True):
    """From when to when; it may end sooner than was planned."""

    player: str
    began: float
    until: float

    @property
    def span(self) -> ExcludedPeriod:
        return ExcludedPeriod(self.began, self.until)

    @property
    def counts(self) -> float:
        """Seconds that it takes of the year's days."""
        return max(LEAST, self.until - self.began)


def current(vacations: Collection[Vacation], at: float) -> Vacation | None:
    """Return the one that somebody is on."""
    return next((each for each in vacations if each.began <= at < each.until), None)


class AlreadyDone(Exception):
    """A form has come once more: what it wanted was done, or undone since."""


def vacations_etag(vacations: Collection[Vacation]) -> str:
    """Return a word for forms that differs once somebody has gone away or come back."""
    return f"{len(vacations)}.{max((each.until for each in vacations), default=0):.0f}"


def as_seen(vacations: Collection[Vacation], etag: str | None) -> Collection[Vacation]:
    """Return the vacations, if a form was made for them; None was made for any.  Raises Done."""
    if etag not in (None, vacations_etag(vacations)):
        raise AlreadyDone
    return vacations


def left(vacations: Collection[Vacation], at: float) -> float:
    """Return seconds that are left of a person's days in the year of a moment (UTC)."""
    year = _year(at)
    return DAYS * DAY - sum(each.counts for each in vacations if _year(each.began) == year)


def begun(player: str, vacations: Collection[Vacation], at: float, days: int | None = None) -> Vacation:
    """Return a vacation that begins now; as long as there are days, if nobody says how long.

    Raises Refused: AWAY, NONE_LEFT, WRONG_DAYS.
    """
    if current(vacations, at):
        raise Refused(VacationRefusal.AWAY)
    most = left(vacations, at)
    if most < LEAST:
        raise Refused(VacationRefusal.NONE_LEFT)
    if days is not None and not DAY <= days * DAY <= most:
        raise Refused(VacationRefusal.WRONG_DAYS, most=int(most // DAY))
    return Vacation(player, at, at + (most if days is None else days * DAY))


def ended(vacations: Collection[Vacation], at: float) -> Vacation:
    """Return the vacation that ends now.  Raises Refused(NOT_AWAY)."""
    if ongoing := current(vacations, at):
        return Vacation(ongoing.player, ongoing.began, at)
    raise Refused(VacationRefusal.NOT_AWAY)


def _year(at: float) -> int:
    return datetime.fromtimestamp(at, UTC).year
