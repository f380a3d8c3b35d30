"""The site under gunicorn: its settings, its worker class, and what a worker begins and ends with."""

import logging
import os
import resource
import sys
import tempfile
import time
import traceback
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.errors import AppImportError

import strifebarge.notifications.mail
import strifebarge.notifications.push

# What a worker needs is read before it is forked: that takes its time once, and the memory once.
import strifebarge.notifications.webhooks
import strifebarge.store.sessions
import strifebarge.store.store
import strifebarge.web.words.notifications  # noqa: F401
from strifebarge.lib.addresses import is_wildcard, lan_address, url_of
from strifebarge.lib.lookalikes import prototypes
from strifebarge.lib.prctl import raise_file_limit
from strifebarge.live.handover import Handover
from strifebarge.ops.health import SHARED
from strifebarge.ops.logs import LogEvent, print_line
from strifebarge.ops.recent import IncidentLog
from strifebarge.people.hosts import address_of, operator_name
from strifebarge.server import watchdog
from strifebarge.server.allocator import TRIM_EVERY, return_memory, spare_what_lasts, trim
from strifebarge.server.gunicorn_log import CarefulLog, JsonLog
from strifebarge.server.lane import LaneWorker
from strifebarge.server.ticker import Ticker
from strifebarge.server.watchdog import Watchdog
from strifebarge.server.worker_notes import CrashCases, RunNotes
from strifebarge.settings import Settings

log = logging.getLogger("strifebarge.server")

prototypes()  # reading the list takes 17 MB and keeps little: before the fork, what is freed serves the site

RECENT = IncidentLog()  # what has happened lately in all workers

MEMORY = "/dev/shm"  # noqa: S108 - gunicorn makes its own unguessable file there

OURS = os.path.dirname(os.path.dirname(__file__))  # the folder of the code that a traceback is about

CONNECTIONS = 8192  # open connections of one worker at most; an idle one costs a few kilobytes
SPARE_FILES = 256  # open files of a worker beside its connections and its database
FILES_A_THREAD = 4  # SQLite's file, its -wal and its -shm, and one file of a page
KEEP_ALIVE = 5  # seconds; a page at which somebody waits asks about once a second


def gunicorn_options(settings: Settings) -> dict[str, Any]:
    """Return gunicorn's configuration, for `strifebarge serve` and gunicorn.conf.py alike."""
    return {
        "bind": settings.bind,
        "workers": settings.workers,
        "worker_class": PatientWorker,
        "threads": settings.threads,
        "worker_connections": connections(settings.threads),
        "backlog": 4096,  # connections that wait to be accepted; Linux has at most net.core.somaxconn
        "timeout": 30,
        "graceful_timeout": 3,  # seconds; a form that was cut off may be sent again and counts once
        "keepalive": KEEP_ALIVE,
        "max_requests": 0,  # a recycled gthread worker resets the connections it holds
        "child_exit": note_dead_worker,
        "preload_app": False,  # database connections must not cross a fork
        "worker_tmp_dir": memory_folder(),  # a slow disk must not look like a hang
        "sendfile": False,  # a thread would wait in it for a client that reads slowly
        "control_socket_disable": True,  # else it writes in the home folder
        # Proxies are believed in one place, the site's own, as often as TRUSTED_PROXIES says.
        "forwarded_allow_ips": "",
        "secure_scheme_headers": {},
        "logger_class": JsonLog if settings.log == "json" else CarefulLog,
        "accesslog": None,  # addresses here carry seat links, which are secrets
        "loglevel": "warning",
        "proc_name": "strifebarge",
    }


def memory_folder() -> str | None:
    """Return a folder of files in memory; None where there is none."""
    return MEMORY if os.path.isdir(MEMORY) else None


def connections(threads: int) -> int:
    """Return how many connections one worker may hold: within the files that the system lets it open.

    A worker that ran out of files would die while it accepts a connection.
    """
    most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    left = CONNECTIONS if most_files == resource.RLIM_INFINITY else most_files - needed_files(threads)
    return max(threads + 1, min(CONNECTIONS, left))


def needed_files(threads: int) -> int:
    return SPARE_FILES + FILES_A_THREAD * threads


def allow_files(settings: Settings) -> None:
    """Let this process, and the workers it forks, open the files that its connections need."""
    raise_file_limit(connections(settings.threads) + needed_files(settings.threads))


class PatientWorker(LaneWorker):
    """A gthread worker that watches games' code.

    What it runs of games' code it notes in memory that the process above it can read when it has died.
    """

    cases: CrashCases | None = None  # of all workers
    watchdog: Watchdog | None = None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Make it ready to be forked: what workers share must be there before."""
        super().__init__(*arguments, **named)
        PatientWorker.cases = PatientWorker.cases or CrashCases()
        self.notes = RunNotes()
        self.last_words = tempfile.TemporaryFile(dir=memory_folder(), buffering=0)  # noqa: SIM115

    def notify(self) -> None:
        """Tell the process above, and the watchdog, that this one goes on."""
        super().notify()
        if self.watchdog:
            self.watchdog.restart_timers()

    def load_wsgi(self) -> None:
        """Make the site.  Raises AppImportError, one line that says why it cannot be; gunicorn then ends."""
        try:
            super().load_wsgi()
        except Exception as error:
            raise AppImportError(reason(error)) from error


def reason(error: Exception) -> str:
    """Return in one line why the site cannot start: what went wrong, and where in our own code."""
    passed = traceback.extract_tb(error.__traceback__)
    frame = [*passed[-1:], *(each for each in passed if each.filename.startswith(OURS))][-1]
    message = " ".join(str(error).split())
    return (
        f"Error: The site cannot start: {type(error).__name__}: {message} ({frame.filename}:{frame.lineno})"
    )


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn, told everything by our settings and nothing by a file or a command line of its own."""

    def __init__(self, settings: Settings, reload: bool = False) -> None:
        self.settings = settings
        self.reloading = reload
        super().__init__()

    def load_config(self) -> None:
        """Give gunicorn its options and the hooks of a worker."""
        for name, value in gunicorn_options(self.settings).items():
            self.cfg.set(name, value)
        if self.reloading:
            self.cfg.set("workers", 1)  # which begins anew by itself
        self.cfg.set("on_starting", lambda _arbiter: allow_files(self.settings))
        self.cfg.set("post_worker_init", begin)
        self.cfg.set("worker_exit", end)

    def load(self) -> Any:
        """Make the site, in each worker for itself: connections must not cross a fork."""
        from strifebarge.server.hinting import with_hints

        return self.load_again() if self.reloading else with_hints(self._site())

    def _site(self) -> Any:
        from strifebarge.app import create_app

        return create_app(self.settings, self.reloading, SHARED, RECENT)

    def load_again(self) -> Any:
        """Return the site with the games as they are now, watched; or what is wrong, as a page."""
        from strifebarge.lib.shipped import games
        from strifebarge.server import reload
        from strifebarge.server.hinting import with_hints

        sys.dont_write_bytecode = True  # it would be taken for that of a file written within the same second
        folders = dict.fromkeys([*games.__path__, *map(str, self.settings.games)])
        watcher = reload.Watcher(folders, reload.begin_anew)
        try:
            site = self._site()
        except Exception as error:  # whatever an author may have written
            watcher.start()
            return reload.out_of_order(error)
        site.extensions["tickers"].append(watcher)
        return with_hints(site)


def begin(worker: Any) -> None:
    """Start the tickers of a worker after the fork: threads and connections do not cross one."""
    return_memory()
    watch(worker)
    hand_streams_over(worker)
    tickers(worker).append(Ticker([trim], time.time, TRIM_EVERY))
    for ticker in tickers(worker):
        ticker.start()
    spare_what_lasts()
    say_address(worker)


def watch(worker: Any) -> None:
    """Let a watchdog look at the games of a worker: it starts and ends with the tickers."""
    if not tickers(worker) or not isinstance(worker, PatientWorker):
        return
    suspender = worker.wsgi.extensions["referee"].suspender
    dog = Watchdog(worker.notes, worker.cases, suspender.suspend, worker.last_words)
    dog.limit_memory(worker.cfg.threads)
    worker.watchdog = dog
    tickers(worker).append(dog)


def hand_streams_over(worker: Any) -> None:
    """Let the site's streams be held by the hub, if it has one."""
    site = getattr(worker, "wsgi", None)
    teller = getattr(site, "extensions", {}).get("teller")
    if teller is not None:
        site.wsgi_app = Handover(site.wsgi_app, teller)  # type: ignore[union-attr]


def note_dead_worker(_arbiter: Any, worker: Any) -> None:
    """Note which tables have cost a worker that has died, and say what it has written at last."""
    if not isinstance(worker, PatientWorker) or worker.cases is None:
        return
    try:
        if output := watchdog.note_dead(worker.notes, worker.cases, worker.last_words):
            log.error("A worker has died:\n%s", output)
        worker.notes.close()
        worker.last_words.close()
    except (OSError, ValueError) as error:  # the other workers must not die of it
        log.error("What a dead worker did is not known: %s", error)


def end(_arbiter: Any, worker: Any) -> None:
    """Let the tickers finish what they are doing before the interpreter ends."""
    for ticker in tickers(worker):
        ticker.stop()


def tickers(worker: Any) -> list[Any]:
    """Return the tickers of a worker; none where the site could not be made."""
    site = getattr(getattr(worker, "wsgi", None), "extensions", None)
    return site["tickers"] if site else []


def say_address(worker: Any) -> None:
    """Say where the site is, once it can answer; only the first worker does, not one that replaces it."""
    if worker.age == 1:
        addresses = [url for listener in worker.sockets for url in urls(listener)]
        message = f"StrifeBarge is at {', '.join(addresses)} (Ctrl+C ends it)."
        print_line(style_of(worker), LogEvent("started", message, addresses=addresses))
        say_link_for_hosts(worker, addresses[0])


def say_link_for_hosts(worker: Any, address: str) -> None:
    """Say by which link a host's page is opened, once; where the site is read-only, none is made."""
    site = getattr(worker.wsgi, "extensions", None)
    if not site or site["settings"].read_only:
        return
    home = site["settings"].public_url or address
    if home.startswith("unix:"):
        return
    try:
        link = site["services"].hosts.make_link(operator_name())
    except Exception as error:
        log.warning("No link to the host's page could be made: %s", error)
        return
    opens = address_of(home, link)
    message = f"The host's page, for ten minutes and one browser: {opens}"
    print_line(style_of(worker), LogEvent("host_link", message, address=opens))


def style_of(worker: Any) -> str:
    """Return how the log is written; as text where the site could not be made."""
    site = getattr(worker.wsgi, "extensions", None)
    return str(site["settings"].log) if site else "plain"


def urls(listener: Any) -> list[str]:
    """Return the addresses of a listening socket as browsers take them.

    One that listens on all networks has two: that for this machine, and that for others in its network.
    """
    name = listener.getsockname()
    if isinstance(name, str | bytes):
        return [f"unix:{os.fsdecode(name)}"]
    host, port = name[:2]
    if not is_wildcard(host):
        return [url_of(host, port)]
    others = lan_address()
    return [url_of("localhost", port), *([url_of(others, port)] if others else [])]
