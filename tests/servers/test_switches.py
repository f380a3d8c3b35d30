"""Commands of hosts reach every worker of a running site: read-only, an announcement, a ban."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.support.servers import Site, wait_for
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers
ASKED = 12  # times in a row, so that both workers answer


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(WORKERS="2") as running:
        yield running


def run(site: Site, *words: str) -> str:
    env = {**os.environ, "STRIFEBARGE_DATA": str(site.data)}
    command = [sys.executable, "-m", "strifebarge.cli", *words]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def everywhere(who: Remote, words: str, path: str = "/") -> bool:
    """Return whether the words are on the page each time it is asked for."""
    return all(words in who.get(path).text for _ in range(ASKED))


def nowhere(who: Remote, words: str, path: str = "/") -> bool:
    return not any(words in who.get(path).text for _ in range(ASKED))


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
