"""The process of the hub: its event loop with all that hangs on it, from its start to its end."""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from sqlalchemy import Engine

from strifebarge.lib.prctl import begin_helper, raise_file_limit
from strifebarge.lib.signing import Marks
from strifebarge.live import address
from strifebarge.live.bridge import Bridge, bridge_for
from strifebarge.live.door import Door
from strifebarge.live.hub import Hub, StreamLimits, in_turns, present_by
from strifebarge.live.lookout import Findings, Lookout, WatchedTopics
from strifebarge.live.messages import Message, SignedOut, StreamOpened, TableChanged, TableFollowed
from strifebarge.live.shut_out import RevocationWatcher
from strifebarge.ops.metrics import count
from strifebarge.people.switches import Switches
from strifebarge.settings import Settings
from strifebarge.store.db.engine import engine_for
from strifebarge.store.store import Store
from strifebarge.tables.clock.site_time import SiteClock
from strifebarge.tables.library.library import Library
from strifebarge.tables.play.attendance import Attendance
from strifebarge.tables.play.matches import MatchCache
from strifebarge.tables.play.queries import Views
from strifebarge.tables.view.news import News

log = logging.getLogger("strifebarge")

SPARE_FILES = 64  # open files of the hub beside its streams
MOST_FILES = 2**17  # that it asks for
PRESENT_EVERY = 10.0  # seconds after which it is noted again who has streams open
NAME = "strifebarge-hub"  # of the process


class HubProcess:
    """The hub of one machine at work: the door, the lookout, and the bridge to other machines."""

    def __init__(self, settings: Settings, beat: Callable[[], object]):
        self.settings = settings
        self.beat = beat
        self.hub = Hub(StreamLimits(settings.limit_streams, raise_file_limit(MOST_FILES) - SPARE_FILES))
        self.lookout, self.engine = lookout_of(settings, self._watched_topics, self._on_lookout_findings)
        self.bridge: Bridge | None = bridge_for(settings, self._from_elsewhere)
        self.tasks: set[asyncio.Task[None]] = set()
        self.ended = asyncio.Event()

    async def run(self, ends: Iterable[signal.Signals]) -> None:
        """Run the hub until one of these signals ends it."""
        loop = self.loop = asyncio.get_running_loop()
        for each in ends:
            loop.add_signal_handler(each, self.ended.set)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ends)
        self.door = Door(address.listening(self.folder), self._on_message)
        self.socket_identity = address.identity(self.folder)
        self.door.open()
        loop.add_reader(self.hub.poll.fileno(), self.hub.poll_connections)
        self.lookout.start()
        if self.bridge is not None:
            self._begin(self.bridge.run())
        self._begin(self._tick())
        try:
            await self.ended.wait()
        finally:
            address.remove(self.folder, self.socket_identity)
            self.door.close()
            self.hub.end()
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)
            self.lookout.stop()
            self.engine.dispose()

    @property
    def folder(self) -> Path:
        return self.settings.data

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _tick(self) -> None:
        seconds = 0.0
        while True:
            await asyncio.sleep(1)
            seconds += 1
            self.beat()
            try:
                self.hub.tick()
                count.streams.set(len(self.hub.streams))
                if seconds % PRESENT_EVERY == 0:
                    self.lookout.set_present(self.hub.all_present())
                self._keep_address()
            except Exception:
                log.exception("the hub stumbles")

    def _keep_address(self) -> None:
        """Take the hub's address again if the socket there was removed; leave it to a newer hub."""
        if address.identity(self.folder) is None:
            self.door.move_to(address.listening(self.folder))
            self.socket_identity = address.identity(self.folder)

    # -- what it is told ---------------------------------------------------------

    def _on_message(self, message: Message, connection: socket.socket | None) -> None:
        match message:
            case StreamOpened() if connection is not None:
                stream = self.hub.open(connection, message)
                for news in message.news:
                    self._changed(
                        news
                    )  # it may have been read after a change that others are not told of yet
                if stream:
                    self.lookout.set_present(present_by(stream))
                return
            case TableChanged(news, at):
                self._tell(measured(self.hub.changed(news), at))
                if self.bridge is not None:
                    self.bridge.send(message)
            case SignedOut(person, device):
                self.hub.signed_out(person, device)
                if self.bridge is not None:
                    self.bridge.send(message)
            case TableFollowed(person, device, news):
                self.hub.follow(person, device, news)
                if self.bridge is not None:
                    self.bridge.send(message)
        if connection is not None:
            connection.close()

    def _from_elsewhere(self, message: Message) -> None:
        """Do as the hub of another machine has been told."""
        match message:
            case TableChanged(news):
                self._changed(news)
            case SignedOut(person, device):
                self.hub.signed_out(person, device)
            case TableFollowed(person, device, news):
                self.hub.follow(person, device, news)

    def _changed(self, news: News) -> None:
        self._tell(self.hub.changed(news))

    def _tell(self, work: Iterator[None]) -> None:
        """Tell streams of something: at once if they are few, else in turns with all else."""
        if next(work, self) is None:
            self._begin(in_turns(work))

    # -- what the lookout asks and finds, in its own thread -----------------------------

    def _watched_topics(self) -> WatchedTopics:
        topics = list(self.hub.topics.items())  # in one step, so that no other thread comes between
        return WatchedTopics(
            {id: topic.news.revision for id, topic in topics},
            {id: topic.presence for id, topic in topics if topic.news.shows_presence},
            {id for id, topic in topics if topic.news.live},
        )

    def _on_lookout_findings(self, findings: Findings) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self.loop.call_soon_threadsafe(self._on_findings, findings)

    def _on_findings(self, findings: Findings) -> None:
        for person in findings.shut_out:
            self.hub.signed_out(person, "")
        for table in findings.gone:
            self.hub.gone(table)
        for news in findings.news:
            self._changed(news)
        for table, presence in findings.present.items():
            self._tell(self.hub.present(table, presence))


def measured(work: Iterator[None], written: float) -> Iterator[None]:
    """Yield what telling streams of a change yields, and take note of how long ago that was written."""
    yield from work
    if written:
        count.lags.observe(monotonic() - written)


class NoGames(Library):
    """A library without games, for a process that shows none."""

    def __init__(self) -> None:
        self.left_out, self.titles, self.loaded = {}, {}, 0.0


def lookout_of(
    settings: Settings, topics: Callable[[], WatchedTopics], on_findings: Callable[[Findings], None]
) -> tuple[Lookout, Engine]:
    """Return the lookout of a hub, and the engine of its connections to the site's database."""
    engine = engine_for(settings.database_url, 1)
    tables = Store(engine).tables
    clock, mark = SiteClock(tables), Marks(settings.secret_keys)
    views = Views(tables, NoGames(), MatchCache(), clock, lambda fault, number: None)
    attendance = Attendance(tables, views, clock)
    attendance.deferred = True
    switches = Switches(Store(engine).switches, settings.read_only)

    def is_read_only() -> bool:
        switches.refresh()
        return switches.read_only

    versions, shut_out = (
        Store(engine).tournaments.versions,
        RevocationWatcher(Store(engine).people).newly_revoked,
    )
    lookout = Lookout(views, attendance, mark, topics, on_findings, is_read_only, versions, shut_out)
    return lookout, engine


def run_hub(settings: Settings, beat: Callable[[], object] = bool, alone: bool = False) -> None:
    """Run the hub of this machine until SIGTERM; `beat` is called each second as a sign of life.

    `alone`: as `begin_helper` has it.
    """
    asyncio.run(_run(settings, beat, begin_helper(NAME, alone)))


async def _run(settings: Settings, beat: Callable[[], object], ends: Iterable[signal.Signals]) -> None:
    await HubProcess(settings, beat).run(ends)
