"""Measure several subjects in turns, so that what else the machine does falls on all of them alike.

Of each subject the processor time is told that its server's processes used, and the time that went by.
Both are medians over rounds, with the lowest and the highest round, which is the spread.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import NamedTuple

from tests.support.servers import Server, group

ROUNDS = 7
SETTLING = 0.003  # seconds after an answer in which its server may still be at work on it


def nothing() -> None:
    """Prepare nothing."""


class Subject(NamedTuple):
    """Something that a server is asked again and again.

    Where there is `prepare`, that and a rest go before each time, unmeasured.
    """

    name: str
    server: Server
    ask: Callable[[], object]
    prepare: Callable[[], object] | None = None
    times: int = 20  # in each round


class Figure(NamedTuple):
    """The median of the rounds, and the lowest and the highest of them."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, rounds: Sequence[float]) -> "Figure":
        """Return the figure that the rounds come to."""
        return cls(median(rounds), min(rounds), max(rounds))

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f}–{self.high:.2f})"


class Cost(NamedTuple):
    """The cost of one time, in milliseconds: of processor, and on the clock."""

    name: str
    processor: Figure
    clock: Figure


def in_rounds(subjects: Sequence[Subject], rounds: int | None = None) -> list[Cost]:
    """Measure all subjects in each round, after one round that does not count."""
    samples: dict[str, list[tuple[float, float]]] = {subject.name: [] for subject in subjects}
    for _ in range((rounds or ROUNDS) + 1):
        for subject in subjects:
            samples[subject.name].append(_once(subject))
    return [_cost(name, measured[1:]) for name, measured in samples.items()]


def _cost(name: str, measured: Sequence[tuple[float, float]]) -> Cost:
    processor, clock = zip(*measured, strict=True)
    return Cost(name, Figure.of(processor), Figure.of(clock))


def _once(subject: Subject) -> tuple[float, float]:
    """Return the milliseconds of processor and on the clock that each time took in one round."""
    if subject.prepare is None:
        used, took = _used(subject.server, lambda: [subject.ask() for _ in range(subject.times)])
    else:
        used = took = 0.0
        for _ in range(subject.times):
            subject.prepare()
            sleep(SETTLING)
            each_used, each_took = _used(subject.server, subject.ask)
            used, took = used + each_used, took + each_took
    return 1000 * used / subject.times, 1000 * took / subject.times


def _used(server: Server, do: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds of processor that the server used for something, and those that went by."""
    before, began = processor_seconds(server), perf_counter()
    do()
    took = perf_counter() - began
    sleep(SETTLING)
    return processor_seconds(server) - before, took


def processor_seconds(server: Server) -> float:
    """Return the seconds that the processes of a server which are alive have run so far (Linux)."""
    return sum(map(process_seconds, group(server.pid)))


def process_seconds(pid: int) -> float:
    """Return the seconds that a process has run so far; 0 if it has ended (Linux).

    Taken from the scheduler's own count of each thread, in nanoseconds: what `stat` has is 10 ms coarse.
    """
    ran = 0
    for thread in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            ran += int(thread.read_text().split()[0])
    return ran / 1e9
