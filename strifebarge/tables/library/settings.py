"""How a table is to be played and run: read from a form, judged, and given to a table."""

from collections.abc import Callable, Container, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.rules import Game, Options, Refused
from strifebarge.rules.schema import in_short, misfit, options_type, seat_numbers, usual_seats
from strifebarge.tables.clock.absence import usual_remedy
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.status import PATIENCES, WATCHING
from strifebarge.tables.model.table import (
    AbsencePolicy,
    DevicePolicy,
    ResultUse,
    Seating,
    StartRule,
    Table,
    TableRefusal,
)


class SettingsChange(Struct, kw_only=True):
    """How a table is to be opened, or what is to change at it.  None: as it is, or the default."""

    options: dict[str, Any] = {}  # of the game; strings where a form posted them
    pace: str | None = None  # the key of one that the game may be played at; "" for no clock
    begins: StartRule | None = None
    seating: Seating | None = None
    watching: int | None = None
    patience: int | None = None  # seconds
    remedy: AbsencePolicy | None = None
    afterwards: ResultUse | None = None
    language: str | None = None
    # What follows is settled when a table is opened.
    seats: int | None = None
    sit: int | None = None  # the seat of the player who opens it; None: the first
    devices: DevicePolicy = DevicePolicy.OWN
    others: list[str] = []  # names of the people who play at the same device
    listed: bool = False

    def terms(self) -> dict[str, Any]:
        """Return those fields of a table that say how it is run, and are said here."""
        fields = {name: getattr(self, name) for name in TERMS}
        return {name: value for name, value in fields.items() if value is not None}


# The fields of a table that say how it is run, as forms write them.
TERMS: dict[str, Callable[[str], Any]] = {
    "afterwards": ResultUse,
    "begins": StartRule,
    "seating": Seating,
    "language": str,
    "patience": int,
    "remedy": AbsencePolicy,
    "watching": int,
}


def settings_from(
    options: dict[str, Any],
    terms: Mapping[str, str],
    languages: Container[str],
    devices: str = DevicePolicy.OWN,
    **others: Any,
) -> SettingsChange:
    """Return settings whose terms and devices are given in words; `languages` are those of the site.

    Raises Refused: WRONG_TERMS, WRONG_AFTERWARDS, WRONG_DEVICES.
    """
    read: dict[str, Any] = {}
    for what, word in terms.items():
        wrong = Refused(TableRefusal.WRONG_TERMS, what=word)
        read[what] = _read(
            TERMS[what], word, Refused(TableRefusal.WRONG_AFTERWARDS) if what == "afterwards" else wrong
        )
    choices: tuple[tuple[str, Container[Any]], ...] = (
        ("patience", PATIENCES),
        ("watching", WATCHING),
        ("language", languages),
    )
    for what, allowed in choices:
        if what in read and read[what] not in allowed:
            raise Refused(TableRefusal.WRONG_TERMS, what=terms[what])
    device = _read(DevicePolicy, devices, Refused(TableRefusal.WRONG_DEVICES))
    return SettingsChange(options=options, devices=device, **read, **others)


def _read(kind: Callable[[str], Any], word: str, otherwise: Refused) -> Any:
    try:
        return kind(word)
    except ValueError as wrong:
        raise otherwise from wrong


# -- given to a table ----------------------------------------------------------------


def number_of_seats(title: Title, options: Options, requested: int | None) -> int:
    """Return how many seats a new table has; where the options leave no choice, that many.

    Raises Refused(WRONG_SEATS).
    """
    numbers = seat_numbers(title.rules, options)
    if requested is None or (len(numbers) == 1 and title.allows(requested)):
        return usual_seats(title.rules, options)
    if requested not in numbers:
        raise Refused(TableRefusal.WRONG_SEATS, numbers=in_short(numbers))
    return requested


def terms_when_opened(settings: SettingsChange, seats: int) -> dict[str, Any]:
    """Return the terms of a new table: what the settings say, else what is usual for that number of seats."""
    return {"remedy": usual_remedy(seats), **settings.terms()}


def clock_for(title: Title, pace: str | None) -> Clock | None:
    """Return the clock of a table before its game begins.  Raises Refused(NO_PACE)."""
    if not pace:
        return None
    if chosen := title.paces.get(pace):
        return Clock.of(chosen, 0)
    raise Refused(TableRefusal.NO_PACE)


def must_fit_the_game(table: Table, title: Title) -> None:
    """Refuse what the game cannot be played by.

    A game for one number of seats begins only when all are there, and the result of a shared device can be
    neither public nor rated.  Raises Refused: WRONG_SEATS, WRONG_TERMS, SHARED_IS_QUIET.
    """
    numbers = seat_numbers(title.rules, options_at(table, title.rules))
    if len(table.chairs) not in numbers:
        raise Refused(TableRefusal.WRONG_SEATS, numbers=in_short(numbers))
    if table.settings.begins is StartRule.AGREED and len(numbers) < 2:
        raise Refused(TableRefusal.WRONG_TERMS, what=table.settings.begins)
    if table.settings.shared and table.settings.afterwards is not ResultUse.QUIET:
        raise Refused(TableRefusal.SHARED_IS_QUIET)


# -- options of the game ---------------------------------------------------------------


def checked_options(title: Title, values: dict[str, Any]) -> dict[str, Any]:
    """Return options as a table keeps them, from strings too.  Raises Refused."""
    options = options_from(title.rules, values, strict=False)
    if why := options.refuse():
        raise why if isinstance(why, Refused) else why()
    return dict(msgspec.to_builtins(options))


def options_at(table: Table, rules: type[Game[Any]]) -> Options:
    """Return a table's options.  Raises Refused(WRONG_OPTIONS) if the rules know them no more."""
    return options_from(rules, table.settings.options)


def options_from(rules: type[Game[Any]], values: dict[str, Any], strict: bool = True) -> Options:
    """Return options by name; where not `strict`, from strings too.  Raises Refused(WRONG_OPTIONS)."""
    kind = options_type(rules)
    try:
        return msgspec.convert(values, kind, strict=strict)
    except msgspec.ValidationError as wrong:
        raise Refused(TableRefusal.WRONG_OPTIONS, problem=misfit(kind, wrong)) from wrong


def must_suit_the_seats(table: Table, title: Title) -> None:
    """Raise Refused if a table's options are not for as many as its chairs."""
    options = options_at(table, title.rules)
    if why := options.refuse_seats(len(table.chairs)):
        raise why if isinstance(why, Refused) else why()
