"""`python -m benchmarks.trace_move`: which files and functions of ours one move goes through.

It plays an ordinary move by the form of a page, in this process and on SQLite, and prints the functions
entered, in the order in which each was first entered; with `--nudge` those of a nudge.  Only the one POST
counts.  All is driven by HTTP, so the numbers of two versions may be held against each other.
"""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from tests.support.clock import Clock, standing_at
from tests.support.visitor import Local, Page

ROOT = Path(__file__).parent.parent
OURS = (f"{ROOT}/strifebarge/", f"{ROOT}/games/")
DAYS = 2 * 86400  # seconds after which somebody may be nudged


class Trace:
    """Counts how often each function of ours is entered; comprehensions and classes are no functions."""

    def __init__(self) -> None:
        self.entered: Counter[CodeType] = Counter()

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        named = not code.co_name.startswith("<") or code.co_name == "<lambda>"
        if event == "call" and named and code.co_filename.startswith(OURS):
            self.entered[code] += 1

    @contextmanager
    def on(self) -> Iterator[None]:
        sys.setprofile(self)
        threading.setprofile(self)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def told(self) -> Iterator[str]:
        """Return a line for each function in order of first entry, and the two totals."""
        files: dict[str, None] = {}
        for number, (code, times) in enumerate(self.entered.items(), 1):
            file = code.co_filename.removeprefix(f"{ROOT}/")
            files[file] = None
            more = f"  x{times}" if times > 1 else ""
            yield f"{number:4}  {file}:{code.co_firstlineno}  {code.co_qualname}{more}"
        yield f"{len(files)} files, {len(self.entered)} functions, {self.entered.total()} calls"


def a_move(players: list[Local], table: str) -> Callable[[], Page]:
    """Prepare the second move of a game; return what sends its form."""
    ready: list[Callable[[], Page]] = []
    for who in (players[0], players[1], players[0]):
        page = who.get(table)
        if page.has_form("/turn"):
            ready.append(partial(who.submit, page, "/turn", page.form("/turn").moves[0]))
        if len(ready) == 1:
            must_be_accepted(ready[0]())
        elif ready:
            break
    return ready[1]


def must_be_accepted(answer: Page) -> None:
    """Raise ValueError where a form was refused."""
    if answer.status != 303:
        raise ValueError(f"{answer.path} was answered with {answer.status}: {answer.words}")


def a_nudge(players: list[Local], table: str, clock: Clock) -> Callable[[], Page]:
    """Prepare a nudge of somebody who keeps the others waiting; return what sends its form."""
    clock.shift(DAYS)
    for who in players:
        page = who.get(table)
        if page.has_form("/nudge"):
            form = page.form("/nudge")
            return lambda: who.post(form.action, form.filled(form.buttons[0]))
    raise ValueError("nobody may nudge")


@contextmanager
def site_in_this_process() -> Iterator[list[Local]]:
    """Make a site on SQLite that no server serves, and two people who come to it."""
    from strifebarge.app import create_app
    from strifebarge.cli import main as command

    with TemporaryDirectory() as folder:
        environment = {"STRIFEBARGE_DATA": folder, "STRIFEBARGE_TICK": "0", "STRIFEBARGE_WORKERS": "1"}
        upgraded = CliRunner().invoke(command, ["db", "upgrade"], env=environment)
        if upgraded.exit_code:
            raise ValueError(upgraded.output)
        with patch.dict("os.environ", environment):
            app = create_app()
        yield [Local(app, f"10.0.0.{number}") for number in (1, 2)]


def trace(nudge: bool) -> Trace:
    """Return the trace of one form that was accepted."""
    with standing_at(1_795_000_000) as clock, site_in_this_process() as players:
        table = players[0].start("strifebarge", seats="2").table
        players[1].join(table)
        send = a_nudge(players, table, clock) if nudge else a_move(players, table)
        traced = Trace()
        with traced.on():
            answer = send()
        must_be_accepted(answer)
        return traced


def main(arguments: list[str]) -> None:
    if {*arguments} - {"--nudge"}:
        sys.exit(__doc__)
    for line in trace("--nudge" in arguments).told():
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
