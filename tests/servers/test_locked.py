"""A database that somebody has locked: pages are shown all the while, and forms wait in their lane."""

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

import psycopg
import pytest

from tests.servers.books import Books, library
from tests.servers.conftest import BOTH, GENEROUS
from tests.servers.test_slow_at_a_deadline import A_TURN, SLOW, THINKS_FOR
from tests.support.servers import Postgres, Site, wait_for
from tests.support.visitor import Button, Page, Remote

pytestmark = pytest.mark.servers

WRITERS = 40
THREADS = 8  # the fewest that a site may have
LONGEST = 10  # forms that wait in a lane, for the sake of a test
WAITING = THREADS // 2 + LONGEST  # forms that are not turned away at once
SETTINGS = {**GENEROUS, "WORKERS": "1", "THREADS": str(THREADS), "TICK": "1"}

# A site in which nobody gives up: who waits for the lock is seen to wait, however slow the machine is.
PATIENT = f"""
import strifebarge.server.lane, strifebarge.store.db.engine
from strifebarge.cli import main
strifebarge.server.lane.PATIENCE = strifebarge.store.db.engine.PATIENCE = 600
strifebarge.server.lane.LONGEST = {LONGEST}
main(["serve"])
"""
SERVE = ("-m", "strifebarge.cli", "serve")


class Place(NamedTuple):
    """A site, and how its database is locked from outside: readers need not wait for that."""

    site: Site
    locked: Callable[[], AbstractContextManager[None]]


class Throw(NamedTuple):
    """A form that somebody is about to send: a throw of Rock-Paper-Scissors."""

    who: Remote
    page: Page
    button: Button | None = None

    def sent(self) -> Page:
        return self.who.submit(self.page, "/turn", self.button)

    def sent_with(self, words: str) -> Page:
        return self.who.submit(self.page, "/turn", move=words)


@contextmanager
def place(request: pytest.FixtureRequest, arguments: tuple[str, ...], **more: str) -> Iterator[Place]:
    settings = {**SETTINGS, **more}
    if request.param == "sqlite":
        with Site(arguments=arguments, **settings) as site:
            path = site.data / "strifebarge.db"
            site.settings["DATABASE_URL"] = f"sqlite:///{path}"
            yield Place(site, lambda: lock_sqlite(str(path)))
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    name = postgres.create()
    url = postgres.url(name)
    with Site(arguments=arguments, DATABASE_URL=url, **settings) as site:
        yield Place(site, lambda: lock_postgres(url.replace("+psycopg", "")))
    postgres.drop(name)


@pytest.fixture(params=BOTH)
def patient(request: pytest.FixtureRequest) -> Iterator[Place]:
    with place(request, ("-c", PATIENT)) as new_place:
        yield new_place


@pytest.fixture(params=BOTH)
def usual(request: pytest.FixtureRequest) -> Iterator[Place]:
    with place(request, SERVE) as new_place:
        yield new_place


@contextmanager
def lock_sqlite(path: str) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def lock_postgres(url: str) -> Iterator[None]:
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE tables, presence, receipts IN EXCLUSIVE MODE")
        yield


def gathered(site: Site) -> tuple[str, list[Remote]]:
    """Two who sit at a table and have not seen its page since."""
    players = [Remote(site.port, patience=600) for _ in range(2)]
    table = players[0].start("rps").table
    players[1].join(table)
    return table, players


def throws(site: Site, writers: int = WRITERS) -> tuple[list[str], list[Throw]]:
    """The tables, and one form for each of their players."""
    tables, forms = [], []
    for _ in range(writers // 2):
        table, players = gathered(site)
        tables.append(table)
        for player, words in zip(players, ("throw rock", "throw paper"), strict=True):
            page = player.get(table)
            [button] = [each for each in page.form("/turn").moves if each.value == words]
            forms.append(Throw(player, page, button))
    return tables, forms


def must_be_shown(site: Site, table: str, player: Remote) -> None:
    """Pages of all kinds, to somebody who sits at another table and to a stranger."""
    of_the_table = [table + more for more in ("", "/version", "/status", "/log")]
    for path in ("/about", "/", "/rules/rps", "/new/rps", "/games", *of_the_table):
        for who in (player, Remote(site.port)):
            assert who.get(path).status == 200, path


def signs(site: Site, table: str) -> int:
    """Of how many it is written down that they are at a table."""
    with Books(site.settings["DATABASE_URL"]) as books:
        return len(
            books.ask("SELECT player FROM presence WHERE table_id = :id", id=table.removeprefix("/g/"))
        )


def must_be_done_once(site: Site, tables: list[str], forms: list[Throw]) -> None:
    with Books(site.settings["DATABASE_URL"]) as books:
        receipts = books.receipts()
        assert all(form.page.form("/turn")["key"] in receipts for form in forms)
        for table in tables:
            code = table.removeprefix("/g/")
            assert len(books.moves(code)) == 2
            books.must_replay(code, library())


def send_until_taken(answers: list[tuple[Throw, Page]]) -> None:
    """Press "Try again" on each page that says so, once and for all."""
    for form, answer in answers:
        again = answer
        for _ in range(20):
            if again.status == 303:
                break
            again = form.who.submit(again, "/turn")
        assert again.status == 303, again.words


def test_while_the_database_is_locked_all_pages_are_shown_and_the_lane_of_forms_has_an_end(
    patient: Place,
) -> None:
    site = patient.site
    tables, forms = throws(site)
    other, players = gathered(site)
    with ThreadPoolExecutor(WRITERS) as threads:
        with patient.locked():
            before = signs(site, other)  # of their first pages, where that was written already
            sent = [threads.submit(form.sent) for form in forms]
            # All but those for whom there is room are turned away while the lock is still held.
            wait_for(lambda: sum(each.done() for each in sent) >= WRITERS - WAITING, awaited="an answer")
            for player in players:
                must_be_shown(site, other, player)
            assert signs(site, other) == before
            turned_away = [each.result() for each in sent if each.done()]
            assert len(turned_away) == WRITERS - WAITING
            large = Remote(site.port).post("/import", [("text", "x" * 600_000)])
            assert (large.status, large.token, large.headers["Connection"]) == (503, "web.busy", "close")
        answers = [(form, each.result()) for form, each in zip(forms, sent, strict=True)]
    assert sorted(answer.status for _, answer in answers) == WAITING * [303] + (WRITERS - WAITING) * [503]
    for answer in turned_away:
        assert (answer.token, answer.headers["Retry-After"]) == ("web.busy", "2")
        assert "Press again: it counts only once." in answer.words
    send_until_taken(answers)
    must_be_done_once(site, tables, forms)
    wait_for(lambda: signs(site, other) == 2, awaited="a sign")  # who was there is noted when it can be


def test_a_form_that_has_waited_for_too_long_is_sent_again_and_counts_once(usual: Place) -> None:
    site = usual.site
    tables, forms = throws(site, WRITERS // 4)
    with ThreadPoolExecutor(WRITERS) as threads:
        with usual.locked():
            sent = [threads.submit(form.sent) for form in forms]
            answers = [(form, each.result()) for form, each in zip(forms, sent, strict=True)]
            assert Remote(site.port).get("/about").status == 200
        assert {(answer.status, answer.headers["Retry-After"]) for _, answer in answers} == {(503, "2")}
    send_until_taken(answers)
    must_be_done_once(site, tables, forms)
    assert "Traceback" not in site.log()


@pytest.fixture(params=BOTH)
def quick(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A site with a game in which a player has some seconds for a turn."""
    (tmp_path / "slow").mkdir()
    (tmp_path / "slow" / "rules.py").write_text(SLOW.replace(f"sleep({THINKS_FOR})", "pass"))
    with place(request, SERVE, GAMES=str(tmp_path)) as made:
        yield made


def test_a_form_that_came_in_time_may_be_sent_again_after_its_deadline(quick: Place) -> None:
    site = quick.site
    one, other = (Remote(site.port, patience=600) for _ in range(2))
    table = one.start("slow", pace=f"turn-{A_TURN}").table
    other.join(table)
    deadline = monotonic() + A_TURN
    page = one.get(table)
    with quick.locked():
        answer = one.submit(page, "/turn", move="press")
        assert answer.status == 503
        sleep(max(0, deadline + 1 - monotonic()))
    sleep(3)  # the ticker looks each second
    assert one.submit(answer, "/turn").status == 303
    with Books(site.settings["DATABASE_URL"]) as books:
        assert books.moves(table.removeprefix("/g/"))[0].action == {"do": "press"}


@pytest.mark.postgres
def test_a_table_that_is_locked_holds_up_no_move_at_another(postgres: Postgres) -> None:
    name = postgres.create()
    url = postgres.url(name)
    with Site(arguments=("-c", PATIENT), DATABASE_URL=url, **SETTINGS) as site:
        (table, others), (locked, players) = gathered(site), gathered(site)
        forms = [Throw(who, who.get(locked)) for who in players for _ in range(THREADS // 2)]
        with ThreadPoolExecutor(len(forms)) as threads:
            with psycopg.connect(url.replace("+psycopg", "")) as other:
                code = locked.removeprefix("/g/")
                other.execute("SELECT * FROM tables WHERE id = %s FOR UPDATE", [code])
                sent = [threads.submit(form.sent_with, "throw rock") for form in forms]
                wait_for(lambda: waits_for_a_lock(other), awaited="a form that waits")
                for player in others:
                    assert player.move(table, "throw rock").status == 303
                assert not any(each.done() for each in sent)
            assert {each.result().status for each in sent} <= {
                303,
                409,
            }  # those that came too late are refused
        with Books(url) as books:
            for each in (code, table.removeprefix("/g/")):
                assert len(books.moves(each)) >= 2
                books.must_replay(each, library())
    postgres.drop(name)


def waits_for_a_lock(connection: psycopg.Connection) -> bool:
    return connection.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone() is not None
