"""Measure turns a second beside boardgame.io: `python -m benchmarks.peers`; needs Node and npm.

Both play StrifeBarge for two on 18 x 18, many matches at once, on the same machine.  boardgame.io keeps
its matches in memory, and a turn is a message and the state that both players are sent.  Ours are on a disk,
and a turn is a POST with its 303, and both players' pages.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.__main__ import Hello, Served
from benchmarks.costs import getting
from benchmarks.load import Client, rate
from benchmarks.playing import new_game, playing
from benchmarks.results import PEERS, replace_part
from benchmarks.rounds import Figure, processor_seconds
from tests.support.servers import Server

HERE = Path(__file__).parent
MATCHES = 40  # at once
ROUNDS = 5
THEIR_TURNS, OUR_TURNS = 100, 8  # of each match in a round; a match may end before that
PATIENCE = 300  # seconds for npm, and for one round


class BoardgameIo(Server):
    """The server of boardgame.io, with its matches in memory."""

    name = "boardgame.io"

    def command(self) -> Sequence[str]:
        return [found("node"), str(HERE / "server.js"), str(self.port)]

    def answers(self) -> bool:
        return "ready" in self.log()


class Round(NamedTuple):
    """Turns a second, and the milliseconds of processor that each cost the server."""

    turns: float
    processor: float


def main() -> None:
    subprocess.run([found("npm"), "ci", "--no-audit", "--no-fund"], cwd=HERE, check=True, timeout=PATIENCE)  # noqa: S603 - npm, by its path
    with BoardgameIo() as theirs, Served() as ours, Hello() as hello:
        rounds = [(their_round(theirs), our_round(ours), bare(hello)) for _ in range(ROUNDS)]
    print(replace_part(PEERS, told(*zip(*rounds, strict=True))))


def found(program: str) -> str:
    """Return the path of a program; end with a sentence if it is not there."""
    path = shutil.which(program)
    if path is None:
        sys.exit(f"{program} is not on this machine: it is needed to run boardgame.io.")
    return path


def their_round(server: BoardgameIo) -> Round:
    """Play many matches of boardgame.io by the messages of its own client."""
    before = processor_seconds(server)
    command = [found("node"), str(HERE / "drive.js"), str(server.port), str(MATCHES), str(THEIR_TURNS)]
    played = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=PATIENCE)  # noqa: S603 - ours
    answer = json.loads(played.stdout)
    used = processor_seconds(server) - before
    return Round(answer["turns"] / answer["seconds"], 1000 * used / answer["turns"])


def our_round(site: Served) -> Round:
    """Play as many games through the forms of our pages."""
    games = [new_game(site, sea="open") for _ in range(MATCHES)]
    before = processor_seconds(site)
    rounds = rate(MATCHES, 1, lambda number: lambda: _must_make(*games[number]))
    used = processor_seconds(site) - before
    return Round(OUR_TURNS * rounds, 1000 * used / MATCHES / OUR_TURNS)


def _must_make(table: str, people: list[Client]) -> None:
    if playing(table, people, OUR_TURNS) < OUR_TURNS:
        raise RuntimeError("a game ended before its time")


def bare(hello: Hello) -> float:
    """Return hello-worlds a second, by the client that plays our games."""
    return rate(20, 150, lambda _: getting(Client(hello.port), "/"))


def told(theirs: Sequence[Round], ours: Sequence[Round], hellos: Sequence[float]) -> Iterator[str]:
    """Tell what came out, as Markdown."""
    one = Figure.of([each.turns for each in theirs]).median
    yield f"Made by `make benchmark-peers`: {MATCHES} matches at once of StrifeBarge for two on 18 x 18, in"
    yield f"{ROUNDS} rounds, each of both. boardgame.io keeps its matches in memory, and a turn is a message"
    yield "and the state that both are sent; ours are on a disk; a turn is a POST, its 303 and both pages."
    yield ""
    yield "| turns a second | a second | ratio | ms of the server's processor |"
    yield "|---|---|---|---|"
    for name, rounds in ("boardgame.io, in memory", theirs), ("StrifeBarge through forms", ours):
        turns, processor = (Figure.of(each) for each in zip(*rounds, strict=True))
        spread = f"{turns.median:.0f} ({turns.low:.0f}–{turns.high:.0f})"
        yield f"| {name} | {spread} | {turns.median / one:.3f} | {processor} |"
    yield ""
    yield f"Bare Flask had {Figure.of(hellos).median:.0f} hello-worlds a second by the client that played."


if __name__ == "__main__":
    main()
