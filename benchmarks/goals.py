"""Tell what pages and turns cost in processor time: before pages were kept, now, and what they are to."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.boards import SEA
from benchmarks.costs import AGAIN, BY_SCRIPT, FRESH, HELLO, LANDING, SPECTATOR, TURN
from benchmarks.rounds import Cost, Figure

HELLO_THEN = 0.33  # ms of processor of a bare page, when `before` was measured


class Goal(NamedTuple):
    """Holds what one thing cost before, and what it is to cost at most, in ms of processor."""

    name: str
    before: str  # ms, with HELLO_THEN for a bare page
    step: float | None  # ms at most
    goal: float | None  # ms at most
    against_hello: bool = False  # both are a bare page's cost divided by it, at least


GOALS = (
    Goal(AGAIN, "6.9–8.1", 0.3, 0.5, against_hello=True),
    Goal(FRESH, "6.8–8.1", 1.6, 0.7),
    Goal(SPECTATOR, "5.0", 0.3, 0.5, against_hello=True),
    Goal(LANDING, "1.6", 0.5, 0.7, against_hello=True),
    Goal(TURN, "20–31", 3.8, 1.5),
    Goal(BY_SCRIPT, "23–30", 2.3, 0.75),
)
SEA_BEFORE = "1.65"  # ms of processor of the board alone, 18 x 18
SEA_GOAL = 0.04  # ms, as a board of ready pieces took that were joined, without anything else


def tell_goals(costs: Sequence[Cost], boards: dict[str, Figure]) -> Iterator[str]:
    """Tell the costs beside what they were and what they are to be."""
    by_name = {cost.name: cost.processor for cost in costs}
    hello = by_name[HELLO].median
    yield "| ms of processor | before | now | this step | goal |"
    yield "|---|---|---|---|---|"
    for each in GOALS:
        step, goal = (_allowed(each, value, hello) for value in (each.step, each.goal))
        yield f"| {each.name} | {each.before} | {by_name[each.name]} | {step} | {goal} |"
    for game, figure in boards.items():
        sea = game == SEA
        before, goal = (SEA_BEFORE, f"{SEA_GOAL:.2f}") if sea else ("–", "–")
        yield f"| the board of {game}{', 18 x 18' if sea else ''} | {before} | {figure} | – | {goal} |"
    yield ""
    yield f"A bare page takes {hello:.2f} ms here, and took {HELLO_THEN} where `before` was measured."
    yield "Boards are drawn in one process, without a server."


def _allowed(each: Goal, value: float | None, hello: float) -> str:
    """Return how many milliseconds something may take."""
    if value is None:
        return "–"
    return f"{hello / value:.2f} ({value:g} of a bare page's rate)" if each.against_hello else f"{value:.2f}"
