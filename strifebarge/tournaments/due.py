"""The ticker's job for tournaments: to go on where the last game of a round has ended."""

import logging
from collections.abc import Callable

from strifebarge.rules import Refused
from strifebarge.rules.pace import DAY, MINUTE
from strifebarge.tables.model.ports import Busy
from strifebarge.tournaments.service import Tournaments

log = logging.getLogger("strifebarge")
AGAIN_AFTER = 10 * MINUTE  # seconds until a tournament is tried again that could not go on


def going_on(tournaments: Tournaments) -> Callable[[float], None]:
    """Return a job that lets tournaments go on, and once a day deletes those that never started."""
    failed: dict[str, float] = {}
    deleted = 0.0

    def look(now: float) -> None:
        nonlocal deleted
        due = tournaments.due()
        for id in failed.keys() - {*due}:  # deleted, say
            del failed[id]
        for id in due:
            if now - failed.get(id, 0) < AGAIN_AFTER:
                continue
            try:
                tournaments.go_on(id)
                failed.pop(id, None)
            except Busy as busy:
                log.warning("tournament %s goes on later: %s", id, busy)
            except Refused as no:  # its game is not here now, or has a bug
                failed[id] = now
                log.warning("tournament %s cannot go on: %s", id, no)
        if now - deleted > DAY:
            deleted = now
            tournaments.delete_unstarted()

    return look
