"""Metrics: what the processes of a site count, in the format of Prometheus.

Nothing is counted, and the library is not read, unless the site serves metrics.  Each process counts in files
of its own, in a folder that they share; the process that serves the metrics adds them up.
"""

import logging
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from strifebarge.lib.busy import Busy
from strifebarge.rules import Refused, Standard

if TYPE_CHECKING:
    from strifebarge.settings import Settings

log = logging.getLogger("strifebarge.ops.metrics")

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where the library looks, when it is first imported
MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made there, and nobody else's is used
OF_A_PROCESS = re.compile(r"\w+?_(\d+)\.db")  # a file of the library, with the number of its process
REQUESTS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)  # seconds
WRITES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)  # seconds

METRICS: dict[str, tuple[str, str, str, tuple[str, ...], dict[str, Any]]] = {
    "requests": (
        *("Histogram", "request_seconds", "Requests, by route, method and code."),
        ("route", "method", "code"),
        {"buckets": REQUESTS},
    ),
    "moves": ("Counter", "moves", "Moves, by game, result and player.", ("game", "result", "by"), {}),
    "writes": (
        *("Histogram", "commit_seconds", "Transactions that wrote, with their wait."),
        (),
        {"buckets": WRITES},
    ),
    "busy": ("Counter", "database_busy", "Questions that the database did not answer in time.", (), {}),
    "limits": ("Counter", "limits_hit", "Requests over a limit, by limit.", ("limit",), {}),
    "messages": (
        *("Counter", "messages_sent", "Messages of notifications, by kind and result."),
        ("kind", "result"),
        {},
    ),
    "streams": ("Gauge", "streams", "Streams that are open.", (), {"multiprocess_mode": "livesum"}),
    "lags": (
        *("Histogram", "wakeup_seconds", "From a change to when open pages were told."),
        (),
        {"buckets": WRITES},
    ),
}


class Uncounted:
    """A metric of a process that counts nothing."""

    def labels(self, *_: object) -> "Uncounted":
        return self

    def inc(self) -> None: ...
    def set(self, number: float) -> None: ...
    def observe(self, seconds: float) -> None: ...


count: Any = SimpleNamespace(**dict.fromkeys(METRICS, Uncounted()))  # the metrics of this process


def measure(settings: "Settings") -> None:
    """Let this process count what it does, if the site serves metrics; what cannot be counted is logged."""
    if settings.metrics:
        try:
            count_in(folder_of(settings.data))
        except (OSError, WrongFolder) as error:
            log.error("Nothing is measured: %s", error)


def count_in(folder: Path | None) -> Any:
    """Begin to count in a folder, or without one in this process alone; return the library's registry."""
    if folder:
        os.environ.setdefault(FOLDER, str(folder))
    import prometheus_client

    registry = prometheus_client.CollectorRegistry()
    for name, (kind, called, description, labels, more) in METRICS.items():
        metric_class = getattr(prometheus_client, kind)
        setattr(
            count, name, metric_class(f"strifebarge_{called}", description, labels, registry=registry, **more)
        )
    return registry


@dataclass
class MoveCount:
    """A move, as far as it is known while it is carried out."""

    game: str = ""
    repeated: bool = False


@contextmanager
def counting_move(by_bot: bool) -> Iterator[MoveCount]:
    """Count a move that is carried out inside by what becomes of it."""
    move, result = MoveCount(), "fault"
    try:
        yield move
        result = "repeated" if move.repeated else "played"
    except Refused as no:
        result = "stale" if no.why is Standard.STALE else "refused"
        raise
    except Busy:
        result = "busy"
        raise
    finally:
        if move.game:
            count.moves.labels(move.game, result, "bot" if by_bot else "person").inc()


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
    info = folder.lstat()
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.getuid() or info.st_mode & 0o077:
        raise WrongFolder(f"{str(folder)!r} must be a folder for the site's user alone.")
    return folder


def forget_dead(folder: Path, counts: bool) -> None:
    """Delete the gauges of processes that are gone, and with `counts` what they have counted, too."""
    for file in folder.glob("*.db" if counts else "gauge_live*.db"):
        match = OF_A_PROCESS.fullmatch(file.name)
        if match and not Path(f"/proc/{match[1]}").exists():
            file.unlink(missing_ok=True)


class Reading(NamedTuple):
    """A gauge that is read when somebody asks for it."""

    name: str
    description: str
    value: float


def text_of(folder: Path, read: Callable[[], Iterable[Reading]]) -> Any:
    """Return a WSGI application that answers with all metrics: those counted in a folder, and readings."""
    from prometheus_client import CollectorRegistry, make_wsgi_app
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.multiprocess import MultiProcessCollector

    class Readings:
        def collect(self) -> Iterator[Any]:
            forget_dead(folder, counts=False)
            yield from (
                GaugeMetricFamily(f"strifebarge_{name}", description, value)
                for name, description, value in read()
            )

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Readings())  # before the files are read
    MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    return make_wsgi_app(registry)
