"""`python -m benchmarks.profile_requests page|turn|first`: where time goes, by package and by function.

A page is a player's of StrifeBarge on 18 x 18, again and again; a turn is a move by its form, with both
players' pages; `first` is the page that the other player sees after each move.  All in this process, on
SQLite; the profiler makes calls dearer than they are, so trust the order and not the milliseconds.
"""

import cProfile
import pstats
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.trace_move import ROOT, must_be_accepted, site_in_this_process
from tests.support.visitor import Local

TIMES = 300
MOST = 40  # functions that are told
WARM_UP = 10


class Players:
    """Two players of a game of StrifeBarge on 18 x 18."""

    def __init__(self, people: list[Local]):
        self.people = people
        self._begin()

    def _begin(self) -> None:
        self.table = self.people[0].start("strifebarge", seats="2", sea="open").table
        self.people[1].join(self.table)

    def page(self) -> None:
        """Look at the table."""
        self.people[0].get(self.table)

    def turn(self) -> Local | None:
        """Look at both pages, and move by the form of one; return the other player.

        Another game begins where one is over; then nobody has moved.
        """
        pages = [(who, who.get(self.table)) for who in self.people]
        for (who, page), other in zip(pages, self.people[::-1], strict=True):
            if page.has_form("/turn"):
                must_be_accepted(who.submit(page, "/turn", page.form("/turn").moves[0]))
                return other
        return self._begin()


def profiled(what: str) -> pstats.Stats:
    """Return the profile of many pages, or of many turns."""
    with site_in_this_process() as people:
        players = Players(people)
        do: Callable[[], object] = players.page if what == "page" else players.turn
        for _ in range(WARM_UP):
            do()
        profile, answer = cProfile.Profile(), people[0].app.wsgi_app
        with patch.object(people[0].app, "wsgi_app", within(profile, answer)):
            for _ in range(TIMES):
                if what == "first":
                    with patch.object(people[0].app, "wsgi_app", answer):
                        waits = players.turn()
                    (waits or people[0]).get(players.table)
                else:
                    do()
        return pstats.Stats(profile)


def within(profile: cProfile.Profile, answer: Callable[..., Any]) -> Callable[..., Any]:
    """Return a WSGI application that is profiled while it answers; what its client does is not."""

    def profiled_answer(*request: Any) -> Any:
        with profile:
            return answer(*request)

    return profiled_answer


def package(file: str) -> str:
    """Return what a file belongs to: a package of ours, a library, or Python itself."""
    parts = Path(file).parts
    if "site-packages" in parts:
        return parts[parts.index("site-packages") + 1]
    if file.startswith(f"{ROOT}/"):
        return ".".join(Path(file).relative_to(ROOT).parts[:2]).removesuffix(".py")
    return "python"


def summary(stats: pstats.Stats) -> list[str]:
    """Return the lines: packages, then functions, by the time spent in themselves."""
    packages: Counter[str] = Counter()
    functions: Counter[str] = Counter()
    for (file, line, name), (_, calls, own, _, _) in stats.stats.items():  # type: ignore[attr-defined]
        packages[package(file)] += own
        functions[f"{package(file)}: {name} ({Path(file).name}:{line}), {calls / TIMES:.1f} calls"] += own
    whole = packages.total()
    return [
        f"{1000 * whole / TIMES:.2f} ms each, under the profiler",
        "",
        *(f"{own / whole:6.1%}  {name}" for name, own in packages.most_common(MOST // 2)),
        "",
        *(f"{own / whole:6.1%}  {name}" for name, own in functions.most_common(MOST)),
    ]


if __name__ == "__main__":
    if sys.argv[1:] not in (["page"], ["turn"], ["first"]):
        sys.exit(__doc__)
    print("\n".join(summary(profiled(sys.argv[1]))))
