"""Tell in Markdown what was measured, for RESULTS.md."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from benchmarks.open_pages import PATIENCE, Standing
from benchmarks.opponents import MOVES_A_SECOND
from benchmarks.rounds import ROUNDS, SETTLING, Cost, Figure
from benchmarks.streams import StreamCost
from benchmarks.waiting import Wait

Lines = Iterator[str]


def joined(*parts: Lines) -> Lines:
    """Return the lines of these parts, an empty one after each."""
    return chain.from_iterable([*part, ""] for part in parts)


def tell_head(workers: int, threads: int, cores: int | None) -> Lines:
    """Tell how all was measured."""
    yield f"Made by `make benchmark`, in one run: gunicorn with {workers} workers of {threads} threads,"
    yield f"SQLite with `synchronous=FULL` on a disk, the load from the same {cores} cores. Only ratios carry"
    yield f"over. Where a figure stands before two others, it is the median of {ROUNDS} rounds, in each of"
    yield "which all rows were measured in turn; the others are the lowest and the highest of these rounds."


def tell_costs(rows: Sequence[Cost]) -> Lines:
    """Tell what requests cost in processor time; the first row is what the others are held against."""
    one = rows[0]
    yield "| one at a time | ms of processor | of hello-world's | ms on the clock |"
    yield "|---|---|---|---|"
    for cost in rows:
        times = cost.processor.median / one.processor.median
        yield f"| {cost.name} | {cost.processor} | {times:.1f} | {cost.clock.median:.2f} |"
    yield ""
    yield "Pages are asked for again and again. First pages and turns are measured one by one, each after"
    yield f"a rest of {1000 * SETTLING:.0f} ms, in which the processor's caches cool down."
    yield "What that does to a bare page, the second row tells."


def tell_rates(rates: dict[str, Figure], by: str) -> Lines:
    """Tell how many pages a second there are, each against the first."""
    one = next(iter(rates.values())).median
    yield "| pages a second | ratio |"
    yield "|---|---|"
    for name, rate in rates.items():
        yield f"| {name} | {rate.median / one:.3f} ({rate.low / one:.3f}–{rate.high / one:.3f}) |"
    yield ""
    yield f"Hello-world was {one:.0f} a second, by {by}."


class Measured(NamedTuple):
    """How many turns a second are made in one way, and the ms of processor that each takes."""

    rate: Figure
    processor: Figure

    @classmethod
    def of(cls, rounds: Sequence[tuple[float, float]]) -> "Measured":
        rates, used = zip(*rounds, strict=True)
        return cls(Figure.of(rates), Figure.of(used))


class Turns(NamedTuple):
    """Turns in many games at once, beside hello-worlds by the same client."""

    bare: Figure
    forms: Measured
    programs: Measured


def tell_turns(games: int, turns: Turns) -> Lines:
    """Tell how many turns a second there are in many games at once."""
    yield f"| {games} games at once, 18 x 18 | a second | ratio | ms of processor |"
    yield "|---|---|---|---|"
    yield f"| Hello-world by the same client | {turns.bare.median:.0f} | 1.000 | |"
    yield _measured_row(
        "Turns by forms: a POST with its 303, and both players' pages", turns.forms, turns.bare
    )
    yield _measured_row(
        "Turns by JSON-RPC: table.move, and both players' table.state", turns.programs, turns.bare
    )


def _measured_row(what: str, measured: Measured, bare: Figure) -> str:
    ratio = measured.rate.median / bare.median
    return f"| {what} | {measured.rate.median:.1f} | {ratio:.3f} | {measured.processor} |"


def tell_waits(waits: Sequence[Wait]) -> Lines:
    """Tell how long people wait, each row against the first."""
    one = waits[0].most
    yield "| waiting | half of them | 95 of 100 | 99 of 100 | ratio of 95 |"
    yield "|---|---|---|---|---|"
    for wait in waits:
        yield f"| {wait.what} | {_three(wait)} | {wait.most / one:.1f} |"
    yield ""
    yield f"One at a time, but for the moves of others, of which there are {MOVES_A_SECOND} a second."


def _three(wait: Wait) -> str:
    return " | ".join(f"{1000 * each:.1f} ms" for each in (wait.half, wait.most, wait.nearly_all))


def tell_standing(rows: Sequence[Standing]) -> Lines:
    """Tell how long a move and a new visitor wait while many pages stand open."""
    yield "| pages of another game that stand open | a move: half, 99 of 100 | a new visitor |"
    yield "|---|---|---|"
    for each in rows:
        how = ", told by streams" if each.have_streams else ", each asking for news"
        yield f"| {each.pages:,}{how * bool(each.pages)} | {_two(each.move)} | {_two(each.visitor)} |"


def _two(wait: Wait | None) -> str:
    if wait is None:
        return f"no answer within {PATIENCE:.0f} s"
    return f"{1000 * wait.half:.1f} ms, {1000 * wait.nearly_all:.1f} ms"


def tell_streams(rows: Sequence[StreamCost]) -> Lines:
    """Tell how soon open streams are told of a move, and what they cost the hub."""
    yield "| streams open at one table | the first, the last told | the hub's processor | memory for each |"
    yield "|---|---|---|---|"
    for each in rows:
        times = f"{1000 * each.first:.0f} ms, {1000 * each.last:.0f} ms | {1000 * each.processor:.0f} ms"
        yield f"| {each.streams:,} | {times} | {each.memory / 1000:.1f} KB |"


def tell_cold(six: dict[int, float], two: dict[int, float]) -> Lines:
    """Tell what it costs to show a table that is not in memory."""
    yield "| showing a table that is not in memory | ratio |"
    yield "|---|---|"
    yield "| StrifeBarge, six captains on 42 x 42, after 10 moves | 1.00 |"
    yield f"| the same after 1,000 moves | {six[1000] / six[10]:.2f} |"
    yield f"| two captains on 18 x 18, after 10 moves | {two[10] / six[10]:.2f} |"
    yield ""
    yield f"The first took {six[10] * 1000:.1f} ms, from the database to the view."
