"""Many threads may read a game at the same time, also as the first that read it."""

import subprocess
import sys

import pytest

from strifebarge.rules.match import Match
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.support.servers import ROOT

# Each process can try once for each game: afterwards msgspec knows its classes.
TRY = """
import faulthandler, sys
from threading import Barrier, Thread

from strifebarge.rules.codec import load
from strifebarge.tables.library.library import Library

failed = []
states = {title.rules: open(f"{sys.argv[1]}/{title.slug}", "rb").read() for title in Library()}
faulthandler.enable()
faulthandler.dump_traceback_later(20, exit=True)
sys.setswitchinterval(1e-6)
for rules, state in states.items():
    together = Barrier(8)

    def read():
        together.wait()
        try:
            load(rules, state)
        except Exception as error:
            failed.append(error)

    threads = [Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
sys.exit(str(failed[:3]) if failed else 0)
"""


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with a state of each game."""
    folder = tmp_path_factory.mktemp("states")
    for title in Library():
        seats = usual_seats(title.rules)
        (folder / title.slug).write_bytes(Match.new(title.rules, seats, "seed").snapshot.state)
    return str(folder)


@pytest.mark.parametrize("attempt", range(4))
def test_games_are_read_by_many_threads_at_once_as_the_first_that_read_them(
    states: str, attempt: int
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRY, states], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
