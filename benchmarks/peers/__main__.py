"""Measure turns a second beside boardgame.io: `python -m benchmarks.peers`; needs Node and npm.

Both play StrifeBarge for two on 18 x 18, many matches at once, on the same machine, and Node plays them.
boardgame.io keeps its matches in memory, and a turn is a message and the state that both players are sent.
Ours are on a disk, and a turn is a POST with its 303 and both players' pages, or a POST and both pieces,
one of them when a stream has told of the move.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from subprocess import PIPE
from typing import NamedTuple

from benchmarks.__main__ import Hello, Served
from benchmarks.playing import new_game
from benchmarks.results import PEERS, replace_part
from benchmarks.rounds import Figure, processor_seconds
from tests.support.servers import Server

HERE = Path(__file__).parent
MATCHES = 40  # at once
ROUNDS = 5
THEIR_TURNS, OUR_TURNS = 100, 40  # of each match in a round; theirs may end before that
PATIENCE = 300  # seconds for npm, and for one round
THEIRS = "boardgame.io, in memory"


class BoardgameIo(Server):
    """The server of boardgame.io, with its matches in memory."""

    name = "boardgame.io"

    def command(self) -> Sequence[str]:
        return [version_of("node"), str(HERE / "server.js"), str(self.port)]

    def answers(self) -> bool:
        return "ready" in self.log()


class Round(NamedTuple):
    """Turns a second, and the milliseconds of processor that each cost the server."""

    turns: float
    processor: float


def main() -> None:
    npm = [version_of("npm"), "ci", "--no-audit", "--no-fund"]
    subprocess.run(npm, cwd=HERE, check=True, timeout=PATIENCE)  # noqa: S603 - npm, by its path
    with BoardgameIo() as theirs, Served() as ours, Hello() as hello:
        measures = {
            THEIRS: lambda: their_round(theirs),
            "StrifeBarge through forms": lambda: our_round(ours, "forms"),
            "StrifeBarge with JavaScript and the stream": lambda: our_round(ours, "script"),
            "bare Flask hello-world, a page for a turn": lambda: hello_round(hello),
        }
        rounds = [{name: ask() for name, ask in measures.items()} for _ in range(ROUNDS)]
    print(replace_part(PEERS, report_lines(rounds)))


def version_of(program: str) -> str:
    """Return the path of a program; end with a sentence if it is not there."""
    path = shutil.which(program)
    if path is None:
        sys.exit(f"{program} is not on this machine: it is needed to run boardgame.io.")
    return path


def their_round(server: BoardgameIo) -> Round:
    """Play many matches of boardgame.io by the messages of its own client."""
    return driven(server, "drive.js", str(MATCHES), str(THEIR_TURNS))


def our_round(site: Served, way: str) -> Round:
    """Play as many games through our pages: by `forms`, or as their `script` does."""
    games = [new_game(site, sea="open") for _ in range(MATCHES)]
    players = json.dumps([[table, *(person.cookie for person in people)] for table, people in games])
    return driven(site, "forms.js", str(OUR_TURNS), way, players=players)


def hello_round(hello: Hello) -> Round:
    """Ask for hello-world as often as boardgame.io is asked for a turn."""
    return driven(hello, "forms.js", str(THEIR_TURNS), "hello", players=json.dumps([["/", ""]] * MATCHES))


def driven(server: Server, script: str, *arguments: str, players: str = "") -> Round:
    """Let a script of Node put its load on a server."""
    before = processor_seconds(server)
    command = [version_of("node"), str(HERE / script), str(server.port), *arguments]
    played = subprocess.run(command, input=players, stdout=PIPE, text=True, check=True, timeout=PATIENCE)  # noqa: S603 - ours
    answer = json.loads(played.stdout)
    used = processor_seconds(server) - before
    return Round(answer["turns"] / answer["seconds"], 1000 * used / answer["turns"])


def report_lines(rounds: Sequence[dict[str, Round]]) -> Iterator[str]:
    """Tell what came out, as Markdown."""
    yield f"Made by `make benchmark-peers`: {MATCHES} matches at once of StrifeBarge for two on 18 x 18, in"
    yield f"{ROUNDS} rounds, each of all. boardgame.io keeps its matches in memory, and a turn is a message"
    yield "and the state that both are sent; ours are on a disk; a turn is a POST, its 303 and both pages,"
    yield "or with JavaScript a POST with its piece and, when a stream has told of it, the other's piece."
    yield "Node plays them all, on the same cores."
    yield ""
    yield "| turns a second | a second | ratio | ms of the server's processor |"
    yield "|---|---|---|---|"
    one = Figure.of([each[THEIRS].turns for each in rounds]).median
    for name in rounds[0]:
        turns, processor = (Figure.of(each) for each in zip(*(each[name] for each in rounds), strict=True))
        spread = f"{turns.median:.0f} ({turns.low:.0f}–{turns.high:.0f})"
        yield f"| {name} | {spread} | {turns.median / one:.3f} | {processor} |"


if __name__ == "__main__":
    main()
