"""The ticker's jobs at the tables: that the site is there, and that deadlines have passed."""

import logging
from collections.abc import Callable
from contextlib import suppress

from strifebarge.rules import Refused
from strifebarge.rules.pace import DAY
from strifebarge.rules.replay import Diverged
from strifebarge.tables.clock.absence import CLOSED_AFTER, UNJOINED_AFTER
from strifebarge.tables.clock.site_time import SiteClock
from strifebarge.tables.model.clock import LITTLE, SPARE
from strifebarge.tables.model.ports import Busy
from strifebarge.tables.play.matches import LEFT_OUT
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.timeouts import apply_deadline, apply_timeouts
from strifebarge.tables.play.turn import Turn

log = logging.getLogger("strifebarge")


def heartbeat_job(clock: SiteClock, every: float, allowed: float) -> Callable[[], float | None]:
    """Return what notes that the site is there: the process that notes it first is told what time it is."""

    def beat() -> float | None:
        away = clock.beat(allowed, every * 0.9)
        if away:
            message = "The site was away for %s: clocks credited %s, quick ones %s."
            log.warning(message, _hours(away), _hours(away + SPARE), _hours(away + LITTLE))
        return None if away is None else clock()

    return beat


def _hours(seconds: float) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min"


def daily_timeouts_job(referee: Referee) -> Callable[[float], None]:
    """Return a job that does once a day what time alone decides at tables without a clock."""
    done = 0.0

    def apply_daily(_: float) -> None:
        nonlocal done
        if referee.now() - done > DAY:
            done = referee.now()
            apply_all_timeouts(referee)
            delete_unjoined(referee)

    return apply_daily


def apply_all_timeouts(referee: Referee) -> int:
    """Apply timeouts at all tables where nothing has happened for long; return at how many there was one."""
    silent = referee.store.silent(referee.now() - CLOSED_AFTER)
    return sum(referee.change(id, apply_timeouts) for id in silent)


def delete_unjoined(referee: Referee) -> None:
    """Delete the open tables that nobody has joined for long."""
    for id in referee.store.open_since(referee.now() - UNJOINED_AFTER):
        with suppress(Refused):  # it was deleted
            referee.change(id, _delete_if_unjoined)


def _delete_if_unjoined(turn: Turn) -> None:
    if turn.table.is_unjoined and turn.now - turn.table.times.changed >= UNJOINED_AFTER:
        turn.write(lambda change: change.delete())


def left_out(referee: Referee) -> Callable[[float], None]:
    """Return a job that stops once the clocks of games which cannot be read: nobody can move there."""
    done = not referee.library.left_out

    def stop_clocks(_: float) -> None:
        nonlocal done
        for id in () if done else referee.store.running():
            with suppress(Refused):  # it was deleted
                if referee.store.table(id).game in referee.library.left_out:
                    referee.change(id, suspend_left_out)
        done = True

    return stop_clocks


def suspend_left_out(turn: Turn) -> None:
    """Suspend a game with a clock until its files can be read again."""
    table = turn.table
    if table.ticking:
        table.suspend_for_rules(turn.now, LEFT_OUT)


def deadlines(referee: Referee) -> Callable[[float], None]:
    """Return a job that looks where a deadline may have passed; the table itself judges whether it has."""

    def look(now: float) -> None:
        for id in referee.store.due(now):
            with suppress(Refused, Diverged):  # its game is not here now, or its rules have changed
                try:
                    referee.change(id, apply_deadline)
                except Busy as busy:
                    log.warning("%s is looked at later: %s", id, busy)
                except Diverged:
                    raise
                except Exception:
                    log.exception("the deadline of %s could not be looked at", id)

    return look
