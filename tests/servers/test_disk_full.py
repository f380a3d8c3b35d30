"""A full disk: games can be watched, moves are refused truly, and go on by themselves once there is room."""

import os
import pwd
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from time import sleep

import pytest

from strifebarge.tables.play.attendance import SIGNS_WRITTEN_EVERY
from tests.conftest import need
from tests.servers.books import Books, library
from tests.servers.conftest import GENEROUS
from tests.servers.ledger import Ledger, Match, Player
from tests.support.disks import SmallDisk, remove_abandoned, small_disk
from tests.support.servers import Postgres, Site, wait_for
from tests.support.visitor import Page, Remote

pytestmark = pytest.mark.servers

STRIP = "The server's disk is full. You can watch games, but not play until there is room."
SENTENCE = "The server's disk is full. Try again in a minute: it counts only once."
MOST_TRIES = 400  # forms until one finds no space: what is free within the database's files is used first
SETTINGS = {**GENEROUS, "TICK": "1"}


HOLDING = """
import sys
from tests.support.disks import small_disk
with small_disk(1) as small:
    print(small.folder, flush=True)
    sys.stdin.read()
"""


@contextmanager
def disk(megabytes: int, owner: str | None = None) -> Iterator[SmallDisk]:
    """A small disk; the test is left out where there can be none."""
    mounting = small_disk(megabytes, owner)
    mounted = need(mounting.__enter__)
    try:
        yield mounted
    finally:
        mounting.__exit__(None, None, None)


@contextmanager
def on_sqlite() -> Iterator[tuple[Site, SmallDisk]]:
    """A site whose whole data folder is on a small disk, which a -wal file of 4 MB does not fill."""
    with disk(16) as small, Site(DATA=str(small.folder / "data"), **SETTINGS) as site:
        site.settings["DATABASE_URL"] = f"sqlite:///{site.data / 'strifebarge.db'}"
        yield site, small


@contextmanager
def on_postgres(postgres: Postgres) -> Iterator[tuple[Site, SmallDisk]]:
    """A site whose database is on a small disk, and PostgreSQL's own files elsewhere."""
    owner = postgres.user and str(pwd.getpwnam(postgres.user).pw_uid)
    with disk(24, owner) as small:
        place = small.folder / "space"
        place.mkdir()
        if postgres.user:
            os.chown(place, pwd.getpwnam(postgres.user).pw_uid, -1)
        postgres.run(f"CREATE TABLESPACE small LOCATION '{place}'")
        name = postgres.create()
        postgres.run(f'ALTER DATABASE "{name}" SET TABLESPACE small')
        try:
            with Site(DATABASE_URL=postgres.url(name), **SETTINGS) as site:
                yield site, small
        finally:
            postgres.drop(name)
            postgres.run("DROP TABLESPACE small")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest) -> Iterator[tuple[Site, SmallDisk]]:
    if request.param == "sqlite":
        with on_sqlite() as database:
            yield database
        return
    with on_postgres(request.getfixturevalue("postgres")) as database:
        yield database


def gathered(site: Site) -> tuple[str, list[Remote]]:
    """Two players at a table whose game has begun."""
    players = [Remote.of(site) for _ in range(2)]
    table = players[0].start("strifebarge", seats="2").table
    players[1].join(table)
    return table, players


def moved(table: str, players: list[Remote]) -> Page:
    """The answer to the next move of the game."""
    for player in players:
        page = player.get(table)
        if page.my_turn:
            return player.submit(page, "/turn", page.form("/turn").moves[0])
    raise AssertionError("it is nobody's turn")


def until_refused(site: Site, table: str, players: list[Remote]) -> tuple[Page, int]:
    """Play until a move is not taken; return its answer, and how many were."""
    for taken in range(MOST_TRIES):
        answer = moved(table, players)
        if answer.status != 303:
            return answer, taken
        stranger = Remote.of(site)  # whose large table needs more room than a move
        stranger.submit(stranger.get("/new/strifebarge"), "/new/strifebarge", seats="8")
    raise AssertionError("the disk is never full")


def until_full(site: Site, small: SmallDisk, table: str, players: list[Remote]) -> Page:
    """Fill the disk until the site finds no room by itself either; return the answer to the last move.

    What the database gives back when it has run out of room may be enough for more.
    """
    for _ in range(MOST_TRIES):
        small.fill()
        refused, _ = until_refused(site, table, players)
        sleep(2.5 * SIGNS_WRITTEN_EVERY)  # it has tried twice meanwhile
        if ready(site).status == 503:
            return refused
    raise AssertionError("the disk is never full for long")


def has_room(site: Site, player: Remote, table: str) -> bool:
    """Whether the site says so, and a player's page too, which another worker may have made."""
    return ready(site).status == 200 and STRIP not in player.get(table).words


def ready(site: Site) -> Page:
    return Remote.of(site).get("/readyz")


def test_with_a_full_disk_games_are_watched_and_moves_go_on_when_there_is_room(
    place: tuple[Site, SmallDisk],
) -> None:
    site, small = place
    table, players = gathered(site)
    assert moved(table, players).status == 303
    wait_for(lambda: ready(site).status == 200)
    with Books(site.settings["DATABASE_URL"]) as books:

        def number() -> int:
            return int(books.table(table.removeprefix("/g/"))["number"])

        assert number()  # from now on it has a connection: with a full disk PostgreSQL may let nobody in
        refused = until_full(site, small, table, players)

        assert (refused.status, refused.token, refused.headers["Retry-After"]) == (503, "web.disk_full", "30")
        assert SENTENCE in refused.words
        before = number()
        for path in ("", "/log", "/status", "/version", "/at/0", "?view=text"):
            for who in (*players, Remote.of(site)):
                page = who.copy().get(table + path)  # a copy, for a browser remembers the view
                assert page.status == 200, (path, page.words)
                assert STRIP in page.words or path in ("/status", "/version")
        for path in ("/", "/about", "/games", "/new/rps", "/rules/strifebarge", "/me"):
            for who in (players[0], Remote.of(site)):
                assert STRIP in who.follow(who.get(path)).words, path
        assert (ready(site).status, ready(site).text) == (503, "disk full\n")
        stranger = Remote.of(site)
        assert stranger.submit(stranger.get("/new/rps"), "/new/rps").status == 503
        assert number() == before

        small.free()
        wait_for(
            lambda: all(has_room(site, players[0], table) for _ in range(8)), awaited="that there is room"
        )
        mover = next(player for player in players if player.get(table).my_turn)
        for _ in range(2):  # the very form that was refused counts once
            assert mover.submit(refused, "/turn").status == 303
        assert moved(table, players).status == 303
        assert number() == before + 2
        books.must_replay(table.removeprefix("/g/"), library())
    must_be_whole(site)
    assert "Traceback" not in site.log()
    assert "The disk is full" in site.log()


def must_be_whole(site: Site) -> None:
    url = site.settings["DATABASE_URL"]
    if not url.startswith("sqlite:"):
        return
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.parametrize("times", [2, pytest.param(20)])
def test_nothing_is_torn_by_a_disk_that_is_full_now_and_then(times: int, tmp_path: Path) -> None:
    chance = Random(7)
    with on_sqlite() as (site, small):
        ledger = Ledger(tmp_path / "ledger.jsonl")
        matches = [
            Match(game, options, [Player(ledger, Remote.of(site), chance) for _ in range(2)])
            for game, options in (("strifebarge", {"seats": "2"}), ("rps", {"best_of": "7"}))
        ]
        for match in matches:
            match.start()
        try:
            for _ in range(times):
                accepted = len(ledger.of("ok"))
                wait_for(lambda accepted=accepted: len(ledger.of("ok")) > accepted + 5, awaited="a move")
                small.fill()
                wait_for(lambda: ready(site).status == 503, awaited="that the disk is full")
                small.free()
        finally:
            ledger.enough.set()
            for match in matches:
                match.join()
            ledger.close()
        assert [match.error for match in matches] == [None, None]
        assert ledger.faults == []
        with Books(site.settings["DATABASE_URL"]) as books:
            receipts = books.receipts()
            assert all(entry.key in receipts for entry in ledger.of("ok"))
            assert not any(entry.key in receipts for entry in ledger.of("refused"))
            for code in ledger.tables():
                books.must_replay(code, library())
        must_be_whole(site)


def test_a_site_whose_log_cannot_be_written_serves_all_the_same() -> None:
    class Unheard(Site):
        def launch(self) -> None:
            self.output = Path("/dev/full")
            super().launch()

        def log(self) -> str:
            return ""

    with Unheard(WORKERS="2") as site:
        table, players = gathered(site)
        assert moved(table, players).status == 303


def test_the_disk_of_a_run_that_was_killed_is_removed_by_the_next_and_no_other() -> None:
    with disk(1) as mine:
        command = [sys.executable, "-c", HOLDING]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed:
            assert killed.stdout
            folder = Path(killed.stdout.readline().strip())
            assert folder.is_mount()
            remove_abandoned()
            assert folder.is_mount()  # its process is there still
            killed.kill()
        assert folder.is_mount()
        with disk(1):
            assert not folder.exists()
            assert mine.folder.is_mount()
    assert not mine.folder.exists()
