"""`python -m benchmarks`: about two minutes; writes benchmarks/RESULTS.md."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.cold import cold_shows
from benchmarks.load import LOOPBACK, Client, rate
from tests.support.servers import Site

RESULTS = Path(__file__).parent / "RESULTS.md"
SECONDS = 8  # each page under wrk
WORKERS, THREADS = 2, 16
GAMES = 24  # played at once


def main() -> None:
    settings = {"WORKERS": str(WORKERS), "THREADS": str(THREADS), "LIMIT_CREATE": "9999", "LIMIT_CODES": "9999"}
    hello_command = [
        "-m", "gunicorn", "--no-control-socket", "-k", "gthread", "-w", str(WORKERS), "--threads", str(THREADS), "benchmarks.hello:app",
    ]
    rows: list[tuple[str, float, str]] = []
    with Hello(hello_command) as hello:
        one = pages(hello, "/", "")
        rows.append(("Bare Flask hello-world, pages", one, ""))
        # Our own client costs more than wrk: what it measures is held against what it measures.
        plain = rate(GAMES // 2, 400, lambda _: _getting(hello, "/"))
    with Site(**settings) as site:
        rows.append(("Landing page", pages(site, "/", ""), ""))
        for sea, side in ("close", 10), ("open", 18):
            table, people = new_game(site, sea=sea)
            playing(site.port, table, people, 10)
            rows.append((f"StrifeBarge table, sea of {side} x {side}, for a player", pages(site, table, cookie(people[0])), ""))
            rows.append((f"The same for an onlooker", pages(site, table, ""), ""))
        turns = turns_per_second(site)
    write(rows, one, turns, plain, cold_shows((10, 1000), 6), cold_shows((10,), 2)[10])
    print(RESULTS.read_text())


class Hello(Site):
    """The yardstick, served as the site is."""

    def command(self) -> list[str]:
        return [sys.executable, *self.arguments, "-b", f"{LOOPBACK}:{self.port}"]

    def __init__(self, command: list[str]):
        super().__init__(arguments=command)


def pages(site: Site, path: str, cookies: str) -> float:
    """Pages a second: by wrk if it is here, or by our own client."""
    if wrk := shutil.which("wrk"):
        command = [wrk, "-t1", "-c16", f"-d{SECONDS}s", *(["-H", f"Cookie: {cookies}"] if cookies else []), site.url + path]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        if "Non-2xx" in told:
            raise RuntimeError(f"{path} was refused:\n{told}")
        return float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1])
    return rate(8, 200, lambda _: _getting(site, path, cookies))


def _getting(site: Site, path: str, cookies: str = "") -> Callable[[], None]:
    client = Client(site.port, cookies)

    def get() -> None:
        status, _, _ = client.get(path)
        if status != 200:
            raise RuntimeError(f"{path} answers {status}")

    return get


# -- playing by forms ----------------------------------------------------------------


def new_game(site: Site, **options: str) -> tuple[str, list[Client]]:
    """A game for two, begun; its address and both players."""
    people = [Client(site.port), Client(site.port)]
    _, _, page = people[0].get("/new/strifebarge")
    form = {"key": key_of(page, ""), "seats": "2", "salvo": "false", **options}
    _, table, _ = people[0].post("/new/strifebarge", urlencode(form))
    _, _, page = people[1].get(table)
    people[1].post(f"{table}/join", urlencode({"key": key_of(page, f"{table}/join")}))
    return table, people


def cookie(client: Client) -> str:
    return client.headers["Cookie"]


def playing(port: int, table: str, people: list[Client], turns: int) -> int:
    """Play by the page's own forms: POST, 303, GET.  Returns the turns made."""
    made = 0
    pages = [person.get(table)[2] for person in people]
    while made < turns:
        for mover, person in enumerate(people):
            squares = re.findall(r'name=move value="(fire \w+)"', pages[mover])
            if not squares:
                pages[mover] = person.get(table)[2]
                if "Game over" in pages[mover]:
                    return made
                continue
            asked = re.search(r'name="asked" value="(\d+)"', pages[mover])[1]
            form = {"move": squares[made * 7 % len(squares)], "asked": asked, "key": key_of(pages[mover], f"{table}/turn")}
            status, where, _ = person.post(f"{table}/turn", urlencode(form))
            if status != 303:
                raise RuntimeError(f"a move answers {status}")
            pages[mover] = person.get(where.partition("#")[0])[2]
            made += 1
            others = people[1 - mover]
            pages[1 - mover] = others.get(table)[2]
    return made


def key_of(page: str, action: str) -> str:
    form = page if not action else page[page.index(f'action="{action}"') :]
    return unescape(re.search(r'name="key" value="(\w+)"', form)[1])


def turns_per_second(site: Site, each: int = 30) -> float:
    """Turns a second over many games at once: each is a POST, its 303, and the page for both players."""
    games = [new_game(site, sea="open") for _ in range(GAMES)]
    return each * rate(GAMES, 1, lambda number: lambda: _checked(playing(site.port, *games[number], each), each))


def _checked(made: int, wanted: int) -> None:
    if made < wanted:
        raise RuntimeError("a game ended before its time")


# -- telling -------------------------------------------------------------------------


def write(
    rows: list[tuple[str, float, str]], one: float, turns: float, plain: float, cold: dict[int, float], cold_small: float
) -> None:
    """The table of ratios."""
    lines = [
        "# How fast it is",
        "",
        f"Made by `make benchmark`, in one run on one machine: gunicorn with {WORKERS} workers of {THREADS} threads, SQLite with",
        f"`synchronous=FULL`, the load from the same {os.cpu_count()} cores. Only the ratios carry over to other machines.",
        "",
        "| pages a second | ratio |",
        "|---|---|",
        *(f"| {name} | {value / one:.2f} |" for name, value, _ in rows),
        "",
        f"Hello-world was {one:.0f} a second there, counted by {'wrk' if shutil.which('wrk') else 'our own client'}.",
        "",
        f"| {GAMES} games at once through forms, 18 x 18 | ratio |",
        "|---|---|",
        "| Hello-world by the same client | 1.00 |",
        f"| Turns (each a POST with its 303, durable when answered, and the page for both players: three requests) | {turns / plain:.2f} |",
        f"| Requests of those turns | {3 * turns / plain:.2f} |",
        "",
        f"That client had {plain:.0f} hello-worlds and {turns:.0f} turns a second.",
        "",
        "| showing a table that is not in memory | ratio |",
        "|---|---|",
        "| StrifeBarge, six captains on 42 x 42, after 10 moves | 1.00 |",
        f"| the same after 1,000 moves | {cold[1000] / cold[10]:.2f} |",
        f"| two captains on 18 x 18, after 10 moves | {cold_small / cold[10]:.2f} |",
        "",
        f"The first took {cold[10] * 1000:.1f} ms there, from the database to the view.",
        "",
    ]
    RESULTS.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
