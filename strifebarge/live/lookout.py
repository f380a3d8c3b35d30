"""Looks at the database for what the hub was not told, and writes down there who has streams open.

All in a thread of its own, so that the streams never wait for the database.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import NamedTuple

from strifebarge.lib.busy import Busy
from strifebarge.live.hub import PresentViewer
from strifebarge.rules import Refused
from strifebarge.tables.clock.presence import presence_part
from strifebarge.tables.model.status import RUNNING
from strifebarge.tables.model.table import Status, Table
from strifebarge.tables.play.attendance import SIGNS_WRITTEN_EVERY, Attendance
from strifebarge.tables.play.queries import Views
from strifebarge.tables.view.news import Mark, News, table_news
from strifebarge.tournaments.news import topic_of, tournament_news, tournament_of

log = logging.getLogger("strifebarge")

TICK = 0.1  # seconds between two looks at the queue
LOOK_EVERY = 1.0  # seconds between two looks at the versions of all tables with streams
SHARE = 20  # a look that took so long is not repeated before this many times as long
HOLDS = 10.0  # seconds for which a sign of being here holds at least: until the next one is written


class WatchedTopics(NamedTuple):
    """The tables and tournaments with streams, each with the revision of its news.

    `presence` is how the words of tables end that show who is present; those at `live` ones change as time
    passes, with nobody coming or going.
    """

    revisions: dict[str, int]
    presence: dict[str, str]
    live: set[str]


class PresenceSuffix(NamedTuple):
    """How the words of a table end that show who is present; it stays as long as all of this does."""

    revision: int
    present: frozenset[str]
    end: str


class Findings(NamedTuple):
    """The news of a look: of tables that have changed, that are gone, and at which others are present.

    `shut_out` are the marks of people whom a host has banned or signed out.
    """

    news: list[News]
    gone: list[str]
    present: dict[str, str]
    shut_out: Sequence[str] = ()


def no_versions(ids: list[str]) -> dict[str, int]:
    """Return the versions of tournaments where there are none."""
    return {}


class Lookout:
    """Looks for changes of the tables that have streams; `asked` says which these are."""

    def __init__(
        self,
        views: Views,
        attendance: Attendance,
        mark: Mark,
        topics: Callable[[], WatchedTopics],
        on_findings: Callable[[Findings], None],
        read_only: Callable[[], bool] = bool,
        versions: Callable[[list[str]], dict[str, int]] = no_versions,
        shut_out: Callable[[], list[str]] = list,
    ):
        self.views = views
        self.attendance = attendance
        self.mark = mark
        self.wanted_topics = topics
        self.on_findings = on_findings
        self.read_only = read_only
        self.versions = versions  # of tournaments
        self.shut_out = shut_out  # people whose streams end, by their secret ids
        self.present: SimpleQueue[list[PresentViewer]] = SimpleQueue()
        self.enough = Event()
        self.thread: Thread | None = None
        self.due = {"look": 0.0, "write": 0.0}
        self.amiss = False
        self.ends: dict[str, PresenceSuffix] = {}  # by table, as of the last look

    def start(self) -> None:
        """Begin to look, in a thread of its own."""
        self.thread = Thread(target=self._run, name="lookout", daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Look no longer; what is to be written is written first."""
        self.enough.set()
        if self.thread is not None:
            self.thread.join(5)

    def _run(self) -> None:
        while not self.enough.wait(TICK):
            try:
                self._run_round(monotonic())
                self.amiss = False
            except Exception as error:  # the database may be away
                if not self.amiss:
                    log.warning("the hub cannot look at the database: %s", error)
                self.amiss = True
                self.enough.wait(LOOK_EVERY)
        with suppress(Exception):
            self._write()

    def _run_round(self, now: float) -> None:
        """Do what is due."""
        self._note_present()
        if self._is_due("write", now, SIGNS_WRITTEN_EVERY):
            self._write()
        if self._is_due("look", now, LOOK_EVERY):
            self.on_findings(self.scan(self.wanted_topics()))
            after = monotonic()
            self.due["look"] = after + max(LOOK_EVERY, SHARE * (after - now))

    def _is_due(self, what: str, now: float, every: float) -> bool:
        if now < self.due[what]:
            return False
        self.due[what] = now + every
        return True

    # -- changes -----------------------------------------------------------------

    def scan(self, watched: WatchedTopics) -> Findings:
        """Return what has changed at the tables that have streams."""
        tables = [topic for topic in watched.revisions if not tournament_of(topic)]
        revisions = self.views.store.revisions(tables) | self._versions(watched.revisions)
        gone = [id for id in watched.revisions if id not in revisions]
        changed = [id for id, revision in revisions.items() if revision > watched.revisions[id]]
        news, present = [], {}
        ends = self._ends(watched, revisions)
        stirred = (id for id, end in ends.items() if id in watched.live or self.ends.get(id) != end)
        for id in {*changed, *stirred}:
            if tournament := tournament_of(id):
                news.append(tournament_news(tournament, revisions[id]))
                continue
            with suppress(Refused):  # it has just been deleted
                table = self.views.status(id)
                if id in changed:
                    news.append(table_news(table, self.mark))
                if table.shows_presence:
                    present[id] = presence_part(table, self.views.presence(table))
        self.ends = {id: end._replace(end=present.get(id, end.end)) for id, end in ends.items()}
        others = {id: each for id, each in present.items() if watched.presence.get(id) != each}
        return Findings(news, gone, others, tuple(self.mark("person", id) for id in self.shut_out()))

    def _ends(self, watched: WatchedTopics, revisions: dict[str, int]) -> dict[str, PresenceSuffix]:
        """Return how the words of the tables end that show who is present, and what that was made of."""
        ids = [id for id in watched.presence if id in revisions]
        present = self.views.store.here_at(ids, self.views.now())
        return {
            id: PresenceSuffix(revisions[id], present.get(id, frozenset()), watched.presence[id])
            for id in ids
        }

    def _versions(self, topics: Iterable[str]) -> dict[str, int]:
        """Return the versions of the tournaments among these topics."""
        ids = [id for topic in topics if (id := tournament_of(topic))]
        return {topic_of(id): version for id, version in self.versions(ids).items()} if ids else {}

    # -- presence ----------------------------------------------------------------

    def set_present(self, present: Iterable[PresentViewer]) -> None:
        """Note who has streams open; any thread may call this."""
        self.present.put(list(present))

    def _note_present(self) -> None:
        by_table: dict[str, set[PresentViewer]] = {}
        with suppress(Empty):
            while True:
                for each in self.present.get_nowait():
                    by_table.setdefault(each.table, set()).add(each)
        if self.read_only():
            return
        for id, all_of_them in by_table.items():
            with suppress(Refused, Busy):
                self._note_at(self.views.store.table(id), all_of_them)

    def _note_at(self, table: Table, present: set[PresentViewer]) -> None:
        """Note who is present at one table: people by their marks, among the players of that table."""
        sitting = {player for chair in table.chairs for player in chair.players}
        players = {self.mark("person", player): player for player in sitting}
        for _, person, spectator in present:
            player = players.get(person)
            if player and table.plays(player):
                if table.status is not Status.OVER:
                    self.attendance.record_presence(player, table.id, HOLDS)
            elif spectator and table.status in RUNNING:
                for _ in range(2):  # whose page opens a stream has asked for the second time
                    self.attendance.record_spectator(table.id, spectator, HOLDS)

    def _write(self) -> None:
        with suppress(Busy):  # then the next time
            self.attendance.write()
