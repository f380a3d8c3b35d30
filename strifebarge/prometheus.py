"""Meters in the format of Prometheus, which all processes of a site on one machine share.

Each process counts in files of its own, in a folder that they share; the process that serves the metrics adds
them up.  Importing this module reads the library, so it is imported only where metrics are switched on.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from strifebarge.answered import Answered
from strifebarge.meters import Meters

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where the library looks, when it is first imported
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made there, and nobody else's is used
OF_A_PROCESS = re.compile(r"\w+?_(\d+)\.db")  # a file of the library, with the number of its process
ROUTED = ("route", "method", "code")  # labels of a request
REQUESTS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds
WRITES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)  # seconds


class WrongFolder(Exception):
    """The folder of the metrics belongs to somebody else."""


def folder_of(data: Path) -> Path:
    """Return the folder in which the processes of a site count, made if it is not there.

    It lies in memory where that can be: on a full disk a write to its files would end the process.  Raises
    WrongFolder where somebody else has made one of that name.
    """
    name = f"strifebarge-metrics-{sha256(os.fsencode(data.resolve())).hexdigest()[:16]}"
    folder = MEMORY / name if os.access(MEMORY, os.W_OK) else data / "metrics"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise WrongFolder(f"{str(folder)!r} must be a folder for the site's user alone.")
    return folder


def forget_dead(folder: Path, counts: bool) -> None:
    """Delete the gauges of processes that are gone, and with `counts` what they have counted, too."""
    for file in folder.glob("*.db" if counts else "gauge_live*.db"):
        found = OF_A_PROCESS.fullmatch(file.name)
        if found and not Path(f"/proc/{found[1]}").exists():
            file.unlink(missing_ok=True)


class PrometheusMeters(Meters):
    """Counts in files that the process which serves the metrics can read."""

    def __init__(self, folder: Path):
        """Begin to count in a folder; the library takes the first one that it is told of."""
        os.environ.setdefault(FOLDER, str(folder))
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        registry = CollectorRegistry()

        def made(kind: Any, name: str, told: str, labels: tuple[str, ...] = (), **more: Any) -> Any:
            return kind(f"strifebarge_{name}", told, labels, registry=registry, **more)

        self.requests = made(
            Histogram, "request_seconds", "Requests, by route, method and code.", ROUTED, buckets=REQUESTS
        )
        self.moves = made(Counter, "moves", "Moves, by game, result and player.", ("game", "result", "by"))
        self.writes = made(
            Histogram, "commit_seconds", "Transactions that wrote, with their wait.", buckets=WRITES
        )
        self.busy = made(Counter, "database_busy", "Questions that the database did not answer in time.")
        self.limits = made(Counter, "limits_hit", "Requests over a limit, by limit.", ("limit",))
        self.messages = made(
            Counter, "messages_sent", "Messages of notifications, by kind and result.", ("kind", "result")
        )
        self.open = made(Gauge, "streams", "Streams that are open.", multiprocess_mode="livesum")
        self.lags = made(
            Histogram, "wakeup_seconds", "From a change to when open pages were told.", buckets=WRITES
        )

    def answered(self, done: Answered) -> None:
        """Count a request."""
        self.requests.labels(done.route, done.method, done.status).observe(done.seconds)

    def moved(self, game: str, result: str, by_bot: bool) -> None:
        """Count a move."""
        self.moves.labels(game, result, "bot" if by_bot else "person").inc()

    def wrote(self, seconds: float) -> None:
        """Count a transaction."""
        self.writes.observe(seconds)

    def database_busy(self) -> None:
        """Count a question without an answer."""
        self.busy.inc()

    def limited(self, what: str) -> None:
        """Count a request over a limit."""
        self.limits.labels(what).inc()

    def notified(self, kind: str, result: str) -> None:
        """Count a message."""
        self.messages.labels(kind, result).inc()

    def streams(self, number: int) -> None:
        """Set how many streams are open."""
        self.open.set(number)

    def woken(self, seconds: float) -> None:
        """Count a change that open pages were told of."""
        self.lags.observe(seconds)


class Reading:
    """A gauge that is read when somebody asks for it."""

    def __init__(self, name: str, told: str, value: float):
        self.name = f"strifebarge_{name}"
        self.told = told
        self.value = value


class Readings:
    """A collector of the library: reads what is not counted by processes, but found out."""

    def __init__(self, read: Any):
        self.read = read

    def collect(self) -> Iterator[Any]:
        """Yield each reading as the library wants it."""
        from prometheus_client.core import GaugeMetricFamily

        for each in self.read():
            yield GaugeMetricFamily(each.name, each.told, value=each.value)


def text_of(folder: Path, read: Any) -> Any:
    """Return a WSGI application that answers with all metrics: those counted in a folder, and readings."""
    from prometheus_client import CollectorRegistry, make_wsgi_app
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry(auto_describe=False)
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    registry.register(Readings(read))
    metrics = make_wsgi_app(registry)

    def site(environ: dict[str, Any], start_response: Any) -> Any:
        forget_dead(folder, counts=False)
        return metrics(environ, start_response)

    return site
