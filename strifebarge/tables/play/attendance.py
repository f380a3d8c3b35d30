"""Records who looks at tables: seldom, and nothing of a game changes by it.

A page only leaves a sign in memory.  A thread of the process writes the signs of all pages every few seconds,
so that no page waits for the database's lock.  What is lost with a process, the next look replaces.
"""

from collections.abc import Callable
from contextlib import suppress
from threading import Lock

from strifebarge.tables.clock.presence import (
    PRESENCE_KEPT_EVERY,
    SPECTATOR_KEPT_EVERY,
    asks_again,
    game_ends_by_absence,
    looks_again,
)
from strifebarge.tables.model.ports import Busy, PresenceSign, TableRepository
from strifebarge.tables.play.queries import Views

REMEMBERED = 10_000  # people at tables, in each process
SIGNS_AT_ONCE = 2_000  # written in one transaction
SIGNS_WRITTEN_EVERY = 2.0  # seconds


class Attendance:
    """Keeps who is at a table, as far as this process has not just kept it."""

    def __init__(self, store: TableRepository, views: Views, now: Callable[[], float]):
        self.store = store
        self.views = views
        self.now = now
        self.deferred = False  # whether a thread calls `write`; else each sign is written at once
        # By table and person: when it was kept that somebody is there, and until when they are.
        self.noted: dict[tuple[str, str], tuple[float, float]] = {}
        self.players: dict[tuple[str, str], float] = {}  # signs that are to be written: until when they hold
        self.spectators: dict[tuple[str, str], float] = {}
        self.mutex = Lock()

    def record_presence(self, player: str, id: str, again: float = 0) -> None:
        """Note that a player looks at their table, with a page that asks again after `again` seconds."""
        now, until = self.now(), asks_again(self.now(), again)
        noted = self.noted.get((id, player))
        if noted and now - noted[0] < PRESENCE_KEPT_EVERY and until - noted[1] < PRESENCE_KEPT_EVERY:
            return
        table = self.store.table(id)
        before = table.status
        if game_ends_by_absence(table, self.views.presence(table)) or table.status is not before:
            return  # they have come too late: the next form at this table makes that a fact
        self._remember(id, player, until)
        self._note(self.players, id, player, until)

    def record_spectator(self, id: str, alias: str, again: float = 0) -> None:
        """Note that somebody without a seat watches, with a page that asks again after `again` seconds.

        They count when they have asked for the second time: a program that fetches a page once, to show where
        a link leads, watches nothing.  `alias` tells them from others, and not who they are.
        """
        now, until = self.now(), looks_again(self.now(), again)
        noted = self.noted.get((id, alias))
        if (
            noted
            and noted[1] > 0
            and now - noted[0] < SPECTATOR_KEPT_EVERY
            and until - noted[1] < SPECTATOR_KEPT_EVERY
        ):
            return
        self._remember(id, alias, until if noted else 0)
        if noted:
            self._note(self.spectators, id, alias, until)

    def write(self) -> None:
        """Write the signs of the last seconds.  Raises Busy, and keeps them for the next time."""
        players, spectators = self._take(self.players), self._take(self.spectators)
        if not players and not spectators:
            return
        try:
            left = self.store.see(players, spectators, self.now())
        except BaseException:
            self._put_back(players, spectators)
            raise
        self._put_back([sign for sign in left if sign in players], [])

    def _note(self, signs: dict[tuple[str, str], float], id: str, who: str, until: float) -> None:
        with self.mutex:
            if len(signs) < REMEMBERED:
                signs[id, who] = until
        if not self.deferred:
            self._write_at_once()

    def _write_at_once(self) -> None:
        with suppress(Busy):  # then with the next page
            self.write()

    def _take(self, signs: dict[tuple[str, str], float]) -> list[PresenceSign]:
        """Take the oldest signs that still hold out of those to be written."""
        now = self.now()
        with self.mutex:
            taken = list(signs.items())[:SIGNS_AT_ONCE]
            for key, _ in taken:
                del signs[key]
        return [PresenceSign(id, who, until) for (id, who), until in taken if until >= now]

    def _put_back(self, players: list[PresenceSign], spectators: list[PresenceSign]) -> None:
        """Keep signs that could not be written, unless there are newer ones."""
        with self.mutex:
            for signs, current in ((players, self.players), (spectators, self.spectators)):
                for sign in signs:
                    current.setdefault((sign.table, sign.who), sign.until)

    def _remember(self, id: str, who: str, until: float) -> None:
        if len(self.noted) >= REMEMBERED:
            self.noted.clear()
        self.noted[id, who] = self.now(), until
