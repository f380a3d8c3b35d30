"""Commands of hosts reach every worker of a running site: read-only, an announcement, a ban."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.conftest import BOTH, on_a_database
from tests.support.servers import Site, wait_for
from tests.support.streams import listening
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers
ATTEMPTS = 12  # times in a row, so that both workers answer


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(WORKERS="2") as running:
        yield running


@pytest.fixture(params=BOTH)
def shared(request: pytest.FixtureRequest) -> Iterator[Site]:
    """A machine whose database others use too."""
    with on_a_database(request, WORKERS="2") as running:
        yield running


def run(site: Site, *words: str, **elsewhere: str) -> str:
    env = {**os.environ, "STRIFEBARGE_DATA": str(site.data), **elsewhere}
    command = [sys.executable, "-m", "strifebarge.cli", *words]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def everywhere(who: Remote, words: str, path: str = "/") -> bool:
    """Return whether the words are on the page each time it is asked for."""
    return all(words in who.get(path).text for _ in range(ATTEMPTS))


def nowhere(who: Remote, words: str, path: str = "/") -> bool:
    return not any(words in who.get(path).text for _ in range(ATTEMPTS))


def test_all_workers_know_what_was_switched_without_a_restart(site: Site) -> None:
    who = Remote(site.port)
    table = who.start("rps").table
    assert nowhere(who, "read-only", table)
    run(site, "announce", "Back at 21:00")
    wait_for(lambda: everywhere(who, "Back at 21:00", table))
    run(site, "readonly", "on")
    wait_for(lambda: everywhere(who, "read-only", table))
    refused = who.submit(who.get("/new/rps"), "/new/rps")
    assert refused.status == 503
    run(site, "readonly", "off")
    run(site, "announce", "--off")
    wait_for(lambda: nowhere(who, "read-only", table) and nowhere(who, "Back at", table))
    assert who.submit(who.get("/new/rps"), "/new/rps").status == 303


def test_a_banned_person_is_out_at_the_very_next_request_of_every_worker(site: Site) -> None:
    who = Remote(site.port)
    table = who.start("rps", name="Ann").table
    assert nowhere(who, "banned", table)
    public = re.match(r"[0-9a-f]{16}", run(site, "people", "find", "Ann"))
    assert public
    run(site, "people", "ban", public[0], "--reason", "spam")
    assert everywhere(who, "banned from this site: spam", table)  # at once, with nothing to wait for
    run(site, "people", "unban", public[0])
    assert nowhere(who, "banned", table)


@pytest.mark.parametrize("act", [["ban", "--reason", "spam"], ["revoke"]], ids=lambda act: act[0])
def test_an_act_on_a_machine_without_a_hub_ends_the_streams_of_all_machines(
    shared: Site, tmp_path: Path, act: list[str]
) -> None:
    ann, ben = Remote(shared.port), Remote(shared.port)
    table = ann.start("rps", name="Ann").table
    ben.join(table)
    here = {  # a data folder of its own, so that the command knows no hub
        "STRIFEBARGE_DATA": str(tmp_path),
        "STRIFEBARGE_DATABASE_URL": shared.settings["DATABASE_URL"],
    }
    public = re.match(r"[0-9a-f]{16}", run(shared, "people", "find", "Ann", **here))
    assert public
    with listening(ann, table) as stream, listening(ben, table) as other:
        word = stream.version()
        assert other.version() == word
        run(shared, "people", act[0], public[0], *act[1:], **here)
        assert ("spam" in ann.get(table).text) == (act[0] == "ban")
        assert not ann.get(table).has_form("/turn")
        assert stream.next("again")["after"] > 0
        stream.read_until(lambda: stream.ended)
        assert not other.ended
