"""The ticker's jobs at the tables: that the site is there, and that deadlines have passed."""

import logging
from collections.abc import Callable
from contextlib import suppress

from strifebarge.rules import Refused

from .clock import LITTLE, SPARE
from .ports import Busy, Store
from .referee import Referee

log = logging.getLogger("strifebarge")


def heart(store: Store, every: float, allowed: float) -> Callable[[float], bool]:
    """Notes that the site is there; True for whoever does so first, when it is time."""

    def beat(now: float) -> bool:
        away = store.beat(now, allowed, every * 0.9)
        if away:
            words = "The site was away for %s: clocks credited %s, quick ones %s."
            log.warning(words, _hours(away), _hours(away + SPARE), _hours(away + LITTLE))
        return away is not None

    return beat


def _hours(seconds: float) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min"


def silence(referee: Referee) -> Callable[[float], None]:
    """Ends the games at which nothing has happened for so long that nobody will come; looks once a day."""

    def tend(now: float) -> None:
        referee.tend_daily()

    return tend


def deadlines(referee: Referee) -> Callable[[float], None]:
    """Looks where a deadline may have passed; whether it has is judged at the table, as for any form."""

    def look(now: float) -> None:
        for id in referee.store.due(now):
            with suppress(Refused):  # its game is not here now
                try:
                    referee.look(id)
                except Busy as busy:
                    log.warning("%s is looked at later: %s", id, busy)
                except Exception:
                    log.exception("the deadline of %s could not be looked at", id)

    return look
