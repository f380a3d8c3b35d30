"""A site that is told to begin anew (SIGHUP) answers every request meanwhile, and its streams go on."""

import http.client
import os
import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from threading import Event, Thread

import pytest

from tests.support.servers import LOOPBACK, PATIENCE, Site, wait_for
from tests.support.streams import listening, two_at
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers

HANGUPS = 3
SETTINGS = {"WORKERS": "2", "LIMIT_CREATE": "9999"}
GUNICORN = ("-m", "gunicorn", "wsgi:app")


class Traffic:
    """Requests one after the other until it is stopped: how many were answered, and what went wrong."""

    def __init__(self, requests: Generator[int, None, None], wanted: int):
        self.requests = requests
        self.wanted = wanted
        self.answered = 0
        self.failed: list[str] = []
        self.stopping = Event()
        self.thread = Thread(target=self._run)

    def _run(self) -> None:
        with closing(self.requests):
            try:
                while not self.stopping.is_set():
                    status = next(self.requests)
                    self.answered += 1
                    if status != self.wanted:
                        self.failed.append(f"status {status}")
            except Exception as error:
                self.failed.append(repr(error))


def by_new_connections(site: Site) -> Generator[int, None, None]:
    while True:
        yield Remote(site.port).get("/").status


def by_reused_connections(site: Site) -> Generator[int, None, None]:
    """Use a connection until an answer says that it is the last one."""
    with closing(http.client.HTTPConnection(LOOPBACK, site.port, timeout=PATIENCE)) as connection:
        while True:
            connection.request("GET", "/games")
            answer = connection.getresponse()
            answer.read()
            yield answer.status
            if answer.will_close:
                connection.close()


def by_forms(site: Site) -> Generator[int, None, None]:
    """Begin games: each has its own form, and is answered where it stands."""
    ann = Remote(site.port)
    while True:
        page = ann.start("rps")
        yield ann.get(page.table).status


@contextmanager
def going_on(site: Site) -> Iterator[list[Traffic]]:
    kinds: list[Callable[[Site], Generator[int, None, None]]] = [
        by_new_connections,
        by_reused_connections,
        by_forms,
    ]
    traffics = [Traffic(kind(site), 200) for kind in kinds]
    for each in traffics:
        each.thread.start()
    try:
        yield traffics
    finally:
        for each in traffics:
            each.stopping.set()
        for each in traffics:
            each.thread.join(PATIENCE)


def hang_up(site: Site) -> None:
    """Let the site begin anew, and come back when all its workers are others."""
    before = set(site.workers())
    os.kill(site.pid, signal.SIGHUP)
    wait_for(lambda: len(site.workers()) == 2 and not before & set(site.workers()), awaited="new workers")


@pytest.mark.parametrize(
    "arguments", [("-m", "strifebarge.cli", "serve"), GUNICORN], ids=["serve", "gunicorn"]
)
def test_no_request_and_no_stream_fails_while_the_site_begins_anew(arguments: tuple[str, ...]) -> None:
    with Site(arguments=arguments, **SETTINGS) as site:
        wait_for(lambda: len(site.workers()) == 2, awaited="two workers")
        ann, ben, table = two_at(site)
        hub = site.hub
        with listening(ann, table) as stream, going_on(site) as traffic:
            stream.version()
            for _ in range(HANGUPS):
                hang_up(site)
                for each in traffic:
                    so_far = each.answered
                    wait_for(lambda: each.failed or each.answered > so_far + 5, awaited="requests")  # noqa: B023
                assert ann.move(table, "throw rock").status == 303
                assert stream.version()
                assert ben.move(table, "throw rock").status == 303
                assert stream.version()
            assert not stream.ended
        assert [each.failed for each in traffic] == [[], [], []]
        assert site.hub == hub


def test_a_worker_that_ends_answers_who_has_just_connected() -> None:
    with Site(WORKERS="1") as site:
        with closing(http.client.HTTPConnection(LOOPBACK, site.port, timeout=PATIENCE)) as connection:
            connection.connect()
            time.sleep(0.3)  # it is accepted, and has sent nothing
            [worker] = site.workers()
            os.kill(worker, signal.SIGTERM)
            time.sleep(0.3)
            connection.request("GET", "/")
            assert connection.getresponse().status == 200
        wait_for(lambda: worker not in site.workers(), awaited="the worker's end")
