"""The first process of the site: however the site ends, no process of it is left, and none stays unburied."""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.servers import NotStarted, Site, children, gone, group, is_hub, wait_for
from tests.support.streams import listening, two_at
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers

GUNICORN = ("-m", "gunicorn", "wsgi:app")


def zombies(pids: list[int]) -> list[int]:
    """Those of these processes that are dead and not buried."""
    defunct = []
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                defunct.append(pid)
    return defunct


@pytest.mark.parametrize(
    ("number", "code"),
    [
        pytest.param(signal.SIGTERM, 0, id="TERM"),
        pytest.param(signal.SIGINT, 0, id="INT"),
        pytest.param(signal.SIGKILL, -signal.SIGKILL, id="KILL"),
    ],
)
def test_however_it_ends_nobody_is_left(number: signal.Signals, code: int) -> None:
    with Site(WORKERS="2", BOTS="on") as site:
        ann, _, table = two_at(site)
        wait_for(lambda: len(site.workers()) == 2, awaited="two workers")
        wait_for(lambda: site.bots, awaited="a process of the bots")
        for _ in range(2):
            before = site.hub
            os.kill(before, signal.SIGKILL)
            wait_for(lambda before=before: site.hub not in (0, before), awaited="another hub")
        wait_for(lambda: ann.get("/readyz").text == "ready\n", awaited="a site that is ready")
        assert site.log().count("The hub has ended (signal 9)") == 2
        assert zombies(children(site.pid)) == []
        all_of_them = [site.pid, site.gunicorn, site.hub, site.bots, *site.workers()]
        assert sorted(group(site.pid)) == sorted(all_of_them)
        with listening(ann, table) as stream:
            site.process.send_signal(number)
            assert stream.next("again")["after"] > 0
        assert site.process.wait(30) == code
        wait_for(lambda: all(map(gone, all_of_them)), awaited="the end of all")
        wait_for(lambda: not group(site.pid), awaited="the end of the group")
        assert not (site.data / "hub-1.sock").exists()


def test_a_gunicorn_that_is_killed_ends_the_site() -> None:
    with Site(WORKERS="1") as site:
        wait_for(lambda: site.hub, awaited="a hub")
        os.kill(site.gunicorn, signal.SIGKILL)
        assert site.process.wait(30) == 128 + signal.SIGKILL
        wait_for(lambda: not group(site.pid), awaited="the end of all")


@pytest.mark.parametrize(
    "arguments", [("-m", "strifebarge.cli", "serve"), GUNICORN], ids=["serve", "gunicorn"]
)
def test_a_second_site_on_the_same_data_is_refused_until_the_first_is_gone(
    arguments: tuple[str, ...],
) -> None:
    with Site(WORKERS="1") as site:
        second = Site(arguments=arguments, WORKERS="1", DATA=str(site.data))
        with pytest.raises(NotStarted, match=f"Process {site.pid} serves the site"):
            second.start()
        wait_for(lambda: site.hub, awaited="a hub")
        site.kill()
        with second:
            assert Remote(second.port).get("/healthz").status == 200


def test_a_hub_that_hangs_is_replaced() -> None:
    with Site(WORKERS="1") as site:
        wait_for(lambda: site.hub, awaited="a hub")
        hung = site.hub
        os.kill(hung, signal.SIGSTOP)
        wait_for(lambda: site.hub not in (0, hung), awaited="another hub")
        wait_for(lambda: Remote(site.port).get("/readyz").text == "ready\n", awaited="a site that is ready")


def test_gunicorn_by_itself_has_a_hub_too_that_is_started_again_and_ends_with_it() -> None:
    with Site(arguments=GUNICORN, WORKERS="2", BOTS="on") as site:
        wait_for(lambda: site.hub and site.bots, awaited="a hub, and a process of the bots")
        ann, ben, table = two_at(site)
        first = site.hub
        with listening(ann, table) as stream:
            stream.version()
            assert ann.move(table, "throw rock").status == 303
            assert stream.version()
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: site.hub not in (0, first), awaited="another hub")
        wait_for(lambda: ann.get("/readyz").text == "ready\n", awaited="a site that is ready")
        with listening(ben, table) as stream:
            everybody = group(site.pid)
            assert any(map(is_hub, everybody))
            site.process.terminate()
            stream.next("again")
        assert site.process.wait(30) == 0
        wait_for(lambda: all(map(gone, everybody)), awaited="the end of all")


def test_a_site_without_a_hub_says_so_to_nobody() -> None:
    with Site(WORKERS="1", LIVE="off") as site:
        ann, _, table = two_at(site)
        assert ann.get(f"/live?at={table.removeprefix('/g/')}").status == 503
        assert Remote(site.port).get("/readyz").text == "ready\n"
        assert not any(map(is_hub, group(site.pid)))


def test_a_gunicorn_that_replaces_another_keeps_the_streams() -> None:
    """As with USR2: another gunicorn is started beside the first, which is then told to end."""
    program = str(Path(sys.executable).with_name("strifebarge"))  # gunicorn starts itself again by its name
    with Site(arguments=(program, "serve"), WORKERS="1") as site:
        ann, ben, table = two_at(site)
        hub, old = site.hub, site.gunicorn
        with listening(ann, table) as stream:
            stream.version()
            before = children(old)
            os.kill(site.pid, signal.SIGUSR2)
            wait_for(lambda: len(children(old)) == 2, awaited="another gunicorn")
            [new] = {*children(old)} - {*before}
            wait_for(lambda: children(new), awaited="its worker")
            os.kill(old, signal.SIGQUIT)
            wait_for(lambda: gone(old), awaited="the end of the first")
            wait_for(site.answers, awaited="an answer")
            assert site.hub == hub
            assert ann.move(table, "throw rock").status == 303
            assert stream.version()
            assert ben.move(table, "throw paper").status == 303
        everybody = group(site.pid)
        site.process.terminate()
        site.process.wait(30)
        wait_for(lambda: all(map(gone, everybody)), awaited="the end of all")
