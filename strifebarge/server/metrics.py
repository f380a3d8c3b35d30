"""The process that serves the site's metrics to Prometheus, at an address of its own on this machine."""

import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from strifebarge.backup.kept import newest
from strifebarge.lib.busy import Busy
from strifebarge.lib.prctl import begin_helper
from strifebarge.ops.metrics import Reading, WrongFolder, folder_of, forget_dead, text_of
from strifebarge.settings import Settings
from strifebarge.store.db.engine import engine_for
from strifebarge.store.store import Store
from strifebarge.tables.clock.site_time import SiteClock

log = logging.getLogger("strifebarge.ops.metrics")

NAME = "strifebarge-mtr"  # of the process
LOOK = 1.0  # seconds between two signs of life
REST, LONGEST_REST = 5.0, 600.0  # seconds until it is tried again to serve; twice as many each time
PATH = "/metrics"
UNIX = "unix:"
MOST_WAITING = 10_000  # seats that wait for a bot, counted up to here


class QuietRequestHandler(WSGIRequestHandler):
    """Answers without a line for each request."""

    timeout = 10  # seconds that somebody has to send a request

    def address_string(self) -> str:
        """Return who asks, which a Unix socket does not tell."""
        return ""

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


class MetricsServer(ThreadingMixIn, WSGIServer):
    """Listens at an address as `STRIFEBARGE_METRICS` has it: of this machine, or a Unix socket."""

    daemon_threads = True

    def __init__(self, address: str, site: Any):
        """Begin to listen.  Raises OSError where that cannot be."""
        self.path = Path(address.removeprefix(UNIX)) if address.startswith(UNIX) else None
        host, _, port = address.rpartition(":")
        self.address_family = (
            socket.AF_UNIX if self.path else socket.AF_INET6 if "[" in host else socket.AF_INET
        )
        where: Any = str(self.path) if self.path else (host.strip("[]"), int(port))
        super().__init__(where, QuietRequestHandler)
        self.set_app(site)

    def server_bind(self) -> None:
        """Listen at the address; a socket in the file system is for the site's user and group alone."""
        self.server_name, self.server_port = "localhost", 0
        if self.path is None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self.socket.bind(self.server_address)
        else:
            if self.path.is_socket():  # of a process that was killed
                self.path.unlink()
            before = os.umask(0o117)
            try:
                self.socket.bind(str(self.path))
            finally:
                os.umask(before)
        self.setup_environ()

    def get_request(self) -> tuple[Any, Any]:
        """Return the next connection, with an address also where it has none."""
        connection, who = super().get_request()
        return connection, who or ("", 0)

    def server_close(self) -> None:
        """Listen no more."""
        super().server_close()
        if self.path is not None:
            with suppress(OSError):
                self.path.unlink()


def run_metrics(settings: Settings, beat: Callable[[], object]) -> None:
    """Serve the metrics of this machine's site until SIGTERM; `beat` is called each second."""
    begin_helper(NAME)
    last_error, rest = "", REST
    while True:
        try:
            with serving(settings):
                _wait_for_the_end(beat)
                return
        except (OSError, WrongFolder) as error:
            last_error = _tell(str(settings.metrics), error, last_error)
        if _wait_for_the_end(beat, rest):
            return
        rest = min(2 * rest, LONGEST_REST)


def _wait_for_the_end(beat: Callable[[], object], seconds: float = inf) -> bool:
    """Wait for SIGTERM, some seconds at most, with signs of life; return whether it came."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if signal.sigtimedwait({signal.SIGTERM}, LOOK):
            return True
        beat()
    return False


def _tell(address: str, error: Exception, last_error: str) -> str:
    """Log why no metrics are served, unless that was told before; return what is told now."""
    why = getattr(error, "strerror", None) or str(error)
    message = f"STRIFEBARGE_METRICS is {address}, but no metrics can be served there: {why}."
    if message != last_error:
        log.error("%s It is tried again, less and less often.", message)
    return message


@contextmanager
def serving(settings: Settings) -> Iterator[MetricsServer]:
    """Serve the metrics of a site, in threads of this process.  Raises OSError, WrongFolder."""
    folder = folder_of(settings.data)
    forget_dead(folder, counts=True)
    engine = engine_for(settings.database_url, 2)
    store = Store(engine)
    clock = SiteClock(store.tables)

    read = partial(readings, store, clock, settings.backups)
    try:
        with MetricsServer(str(settings.metrics), at_path(text_of(folder, read))) as server:
            Thread(target=server.serve_forever, name="metrics", daemon=True).start()
            yield server
            server.shutdown()
    finally:
        engine.dispose()


def at_path(metrics: WSGIApplication) -> WSGIApplication:
    """Return an application that answers at one path only."""

    def site(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"] == PATH:
            return metrics(environ, start_response)
        start_response("404 Not Found", [("Content-Type", "text/plain")])
        return [f"The metrics are at {PATH}.\n".encode()]

    return site


def readings(store: Store, now: Callable[[], float], backups: Path | None) -> Iterator[Reading]:
    """Yield what is found out when somebody asks; what the database does not tell now is left out."""
    try:
        moment = now()
        waiting, oldest = store.notifications.waiting(moment)
        bots = len(store.tables.waiting_for_bots(MOST_WAITING))
    except Busy:
        yield Reading("database_up", "Whether the database answers.", 0)
    else:
        yield Reading("database_up", "Whether the database answers.", 1)
        yield Reading("notifications_waiting", "Notifications that are due and not sent.", waiting)
        age = 0 if oldest is None else moment - oldest
        yield Reading("notifications_oldest_seconds", "For how long the oldest of them is due.", age)
        yield Reading("bots_waiting", "Seats that wait for the move of a bot.", bots)
    if backups and (last := newest(backups)):
        yield Reading("backup_age_seconds", "Age of the newest backup.", time.time() - last.timestamp())
