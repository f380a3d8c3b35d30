"""`python -m benchmarks`: a good two minutes; writes benchmarks/RESULTS.md."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.cold import cold_shows
from benchmarks.faults import HEAD
from benchmarks.load import LOOPBACK, Client, found, rate
from benchmarks.playing import new_game, playing
from benchmarks.seven import SEATS, full_turns
from benchmarks.waiting import Wait, how_long, waits
from tests.support.servers import Site

RESULTS = Path(__file__).parent / "RESULTS.md"
SECONDS = 8  # each page under wrk
WORKERS, THREADS = 2, 16
GAMES = 24  # played at once


def main() -> None:
    crowd = {"WORKERS": str(WORKERS), "THREADS": str(THREADS), "LIMIT_CREATE": "9999", "LIMIT_CODES": "9999"}
    with Hello() as hello:
        rates = {"Bare Flask hello-world": pages(hello, "/")}
        # Our own client costs more than wrk: what it measures is held against what it measures.
        yardstick = rate(GAMES // 2, 400, lambda _: getting(hello, "/"))
        shortest = how_long("Hello-world by the same client", getting(hello, "/"))
    with Site(**crowd) as site:
        rates["Landing page"] = pages(site, "/")
        for sea, side in ("close", 10), ("open", 18):
            table, people = new_game(site, sea=sea)
            playing(table, people, 10)
            rates[f"StrifeBarge table, {side} x {side}, a player's"] = pages(site, table, people[0].cookie)
            rates[f"StrifeBarge table, {side} x {side}, an onlooker's"] = pages(site, table)
        turns = turns_per_second(site)
        seven = full_turns(site)
        waited = [shortest, *waits(site)]
    cold = cold_shows((10, 1000), seats=6)
    small = cold_shows((10,), seats=2)
    answered = [*told_turns(turns, yardstick), *told_seven(seven, yardstick)]
    speeds = "\n".join([*told(rates), *answered, *told_waits(waited), *told_cold(cold, small)])
    RESULTS.write_text(f"{speeds.rstrip()}\n\n{found_faults()}")
    print(RESULTS.read_text())


def found_faults() -> str:
    """What `python -m benchmarks.faults` has written there, which is left as it is."""
    return "".join(RESULTS.read_text().partition(HEAD)[1:])


class Hello(Site):
    """The yardstick, served as the site is."""

    def command(self) -> list[str]:
        served = f"-k gthread -w {WORKERS} --threads {THREADS} -b {LOOPBACK}:{self.port} benchmarks.hello:app"
        return [sys.executable, "-m", "gunicorn", "--no-control-socket", *served.split()]


def pages(site: Site, path: str, cookies: str = "") -> float:
    """Pages a second: by wrk if it is here, or by our own client."""
    if wrk := shutil.which("wrk"):
        command = [
            wrk,
            "-t1",
            "-c16",
            f"-d{SECONDS}s",
            *(["-H", f"Cookie: {cookies}"] if cookies else []),
            site.url + path,
        ]
        report = subprocess.run(  # noqa: S603 - our own command
            command, capture_output=True, text=True, check=True
        ).stdout
        if "Non-2xx" in report:
            raise RuntimeError(f"{path} was refused:\n{report}")
        return float(found(r"Requests/sec:\s+([\d.]+)", report))
    return rate(8, 200, lambda _: getting(site, path, cookies))


def getting(site: Site, path: str, cookies: str = "") -> Callable[[], None]:
    client = Client(site.port, cookies)

    def get() -> None:
        status, _, _ = client.get(path)
        if status != 200:
            raise RuntimeError(f"{path} answers {status}")

    return get


# -- many at once ---------------------------------------------------------------------


def turns_per_second(site: Site, each: int = 30) -> float:
    """Turns a second over many games at once: each is a POST, its 303, and the page for both players."""
    games = [new_game(site, sea="open") for _ in range(GAMES)]
    return each * rate(GAMES, 1, lambda number: lambda: _checked(playing(*games[number], each), each))


def _checked(made: int, wanted: int) -> None:
    if made < wanted:
        raise RuntimeError("a game ended before its time")


# -- telling -------------------------------------------------------------------------


def told(rates: dict[str, float]) -> list[str]:
    one = next(iter(rates.values()))
    return [
        "# How fast it is",
        "",
        f"Made by `make benchmark`, in one run: gunicorn with {WORKERS} workers of {THREADS} threads, SQLite",
        f"with `synchronous=FULL`, the load from the same {os.cpu_count()} cores. Only ratios carry over.",
        "",
        "| pages a second | ratio |",
        "|---|---|",
        *(f"| {name} | {value / one:.2f} |" for name, value in rates.items()),
        "",
        f"Hello-world was {one:.0f} a second, by {'wrk' if shutil.which('wrk') else 'our own client'}.",
        "",
    ]


def told_turns(turns: float, yardstick: float) -> list[str]:
    return [
        f"| {GAMES} games at once through forms, 18 x 18 | ratio |",
        "|---|---|",
        "| Hello-world by the same client | 1.00 |",
        f"| Turns: a POST with its 303, and both players' pages | {turns / yardstick:.2f} |",
        f"| Requests of those turns | {3 * turns / yardstick:.2f} |",
        "",
        f"That client had {yardstick:.0f} hello-worlds and {turns:.0f} turns a second.",
        "",
    ]


def told_seven(turn: float, yardstick: float) -> list[str]:
    return [
        f"A full turn of 7 Startups, {SEATS} seats: {SEATS} choices, the resolution and {SEATS} pages, one",
        f"after the other, took {turn * 1000:.0f} ms, as long as {turn * yardstick:.0f} hello-worlds.",
        "",
    ]


def told_waits(waited: list[Wait]) -> list[str]:
    one = waited[0].most
    return [
        "| waiting, for one at a time | half of them | 95 of 100 | ratio of the latter |",
        "|---|---|---|---|",
        *(
            f"| {each.what} | {each.half * 1000:.1f} ms | {each.most * 1000:.1f} ms | {each.most / one:.1f} |"
            for each in waited
        ),
        "",
    ]


def told_cold(cold: dict[int, float], small: dict[int, float]) -> list[str]:
    return [
        "| showing a table that is not in memory | ratio |",
        "|---|---|",
        "| StrifeBarge, six captains on 42 x 42, after 10 moves | 1.00 |",
        f"| the same after 1,000 moves | {cold[1000] / cold[10]:.2f} |",
        f"| two captains on 18 x 18, after 10 moves | {small[10] / cold[10]:.2f} |",
        "",
        f"The first took {cold[10] * 1000:.1f} ms, from the database to the view.",
        "",
    ]


if __name__ == "__main__":
    main()
