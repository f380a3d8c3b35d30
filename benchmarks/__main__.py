"""Measure how fast the site is: `python -m benchmarks`, about ten minutes; writes benchmarks/RESULTS.md."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial

from benchmarks import report
from benchmarks.boards import boards
from benchmarks.cold import cold_shows
from benchmarks.costs import costs, getting
from benchmarks.goals import tell_goals
from benchmarks.load import LOOPBACK, Client, first_match, rate
from benchmarks.open_pages import standing
from benchmarks.playing import new_game, playing
from benchmarks.programs import ProgramGame
from benchmarks.report import Measured, Turns
from benchmarks.results import SPEED, replace_part
from benchmarks.rounds import Figure, processor_seconds
from benchmarks.streams import stream_costs
from benchmarks.waiting import how_long, waits
from tests.support.servers import Site

SECONDS = 2  # of wrk for each page in each round
ROUNDS = 5  # of pages and of turns a second
WORKERS, THREADS = 2, 16
GAMES, EACH = 24, 12  # played at once, and turns of each in a round
LIMITS = dict.fromkeys(("LIMIT_CREATE", "LIMIT_CODES", "LIMIT_STREAMS", "LIMIT_API"), "9999")
CROWD = {"WORKERS": str(WORKERS), "THREADS": str(THREADS), **LIMITS}


class Served(Site):
    """The site with its database on a disk, and room for the benchmark's many visitors."""

    durable = True

    def __init__(self) -> None:
        super().__init__(**CROWD)


class Hello(Site):
    """The hello-world application, served as the site is, to compare with."""

    def command(self) -> list[str]:
        served = f"-k gthread -w {WORKERS} --threads {THREADS} -b {LOOPBACK}:{self.port} benchmarks.hello:app"
        return [sys.executable, "-m", "gunicorn", "--no-control-socket", *served.split()]


def main() -> None:
    with Hello() as hello, Served() as site:
        spent = costs(hello, site)
        parts = [
            report.tell_head(WORKERS, THREADS, os.cpu_count()),
            report.tell_costs(spent),
            tell_goals(spent, boards()),
            report.tell_rates(rates(hello, site), "wrk" if shutil.which("wrk") else "our own client"),
            report.tell_turns(GAMES, turns(hello, site)),
            report.tell_waits(
                [how_long("Hello-world by the same client", getting(Client(hello.port), "/")), *waits(site)]
            ),
            report.tell_standing(standing(site)),
            report.tell_streams(stream_costs(site)),
            report.tell_cold(cold_shows((10, 1000), seats=6), cold_shows((10,), seats=2)),
        ]
        print(replace_part(SPEED, report.joined(*parts)))


# -- pages a second ---------------------------------------------------------------------


def rates(hello: Site, site: Site) -> dict[str, Figure]:
    """Return pages per second, from rounds in which all are measured."""
    measures: dict[str, Callable[[], float]] = {
        "Bare Flask hello-world": lambda: pages(hello, "/"),
        "Landing page": lambda: pages(site, "/"),
    }
    for sea, side in ("close", 10), ("open", 18):
        table, people = new_game(site, sea=sea)
        playing(table, people, 10)
        mine, game = people[0].cookie, f"StrifeBarge table, {side} x {side}"
        measures[f"{game}, a player's"] = lambda table=table, mine=mine: pages(site, table, mine)  # type: ignore[misc]
        measures[f"{game}, a spectator's"] = lambda table=table: pages(site, table)  # type: ignore[misc]
    rounds = [{name: ask() for name, ask in measures.items()} for _ in range(ROUNDS)]
    return {name: Figure.of([each[name] for each in rounds]) for name in measures}


def pages(site: Site, path: str, cookies: str = "") -> float:
    """Return pages per second, measured by wrk if it is installed, else by our own client."""
    if not (wrk := shutil.which("wrk")):
        return rate(8, 100, lambda _: getting(Client(site.port, cookies), path))
    cookie = ["-H", f"Cookie: {cookies}"] if cookies else []
    finished = subprocess.run(  # noqa: S603 - our own command
        [wrk, "-t1", "-c16", f"-d{SECONDS}s", *cookie, site.url + path],
        capture_output=True,
        text=True,
        check=True,
    )
    if "Non-2xx" in finished.stdout:
        raise RuntimeError(f"{path} was refused:\n{finished.stdout}")
    return float(first_match(r"Requests/sec:\s+([\d.]+)", finished.stdout))


# -- turns a second -----------------------------------------------------------------------


def turns(hello: Hello, site: Site) -> Turns:
    """Measure turns in many games at once, by forms and by JSON-RPC, beside bare pages by the same client."""
    bare, forms, programs = [], [], []
    for _ in range(ROUNDS):
        bare.append(rate(GAMES // 2, 200, lambda _: getting(Client(hello.port), "/")))
        games = [new_game(site, sea="open") for _ in range(GAMES)]
        forms.append(_alternate(site, [partial(_must_make, *game) for game in games]))
        fleets = [ProgramGame(site) for _ in range(GAMES)]
        programs.append(_alternate(site, [partial(_must_turn, game) for game in fleets]))
    return Turns(Figure.of(bare), Measured.of(forms), Measured.of(programs))


def _alternate(site: Site, games: list[Callable[[], None]]) -> tuple[float, float]:
    """Let each game make EACH turns, all at once; return turns a second, and ms of processor for each."""
    before = processor_seconds(site)
    rounds = rate(len(games), 1, games.__getitem__)
    return EACH * rounds, 1000 * (processor_seconds(site) - before) / len(games) / EACH


def _must_make(table: str, people: list[Client]) -> None:
    if playing(table, people, EACH) < EACH:
        raise RuntimeError("a game ended before its time")


def _must_turn(game: ProgramGame) -> None:
    for _ in range(EACH):
        game.turn()


if __name__ == "__main__":
    main()
