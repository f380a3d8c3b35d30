"""Tournaments of bots on a site that runs: they go on by themselves, however often the site is killed."""

import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import pytest
from sqlalchemy import text

from tests.servers.books import Books
from tests.servers.conftest import BOTH, GENEROUS, on_a_database
from tests.servers.test_killed import kill_some
from tests.support.servers import Site, wait_for
from tests.support.streams import listening
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers

QUICK = {**GENEROUS, "TICK": "1", "BOTS": "on"}

RUNNING = "SELECT count(*) FROM tournament_games WHERE outcome = ''"
ENDED = "SELECT count(*) FROM tournament_games WHERE outcome = 'played'"


@pytest.fixture(params=BOTH)
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """A site with bots whose tournaments go on quickly, for one test, once on each database."""
    with on_a_database(request, **QUICK) as running:
        yield running


def number(books: Books, words: str) -> int:
    [(count,)] = books.ask(words)
    return int(count)


def started(site: Site, bots: int, format: str = "round-robin") -> tuple[Remote, str]:
    """A tournament in which bots alone play Rock-Paper-Scissors, and its organizer; its path."""
    host, new = Remote(site.port), "/tournaments/new/rps"
    answer = host.submit(host.get(new), new, name="Cup", pace="days-3", format=format)
    path = answer.headers["Location"].replace(site.url, "")
    for form, fields in (("/bots", {"level": "easy", "count": str(bots)}), ("/start", {})):
        assert host.submit(host.get(path), form, **fields).status == 303
    return host, path


def test_an_open_page_is_told_when_people_join_and_when_games_end(site: Site) -> None:
    host, new = Remote(site.port), "/tournaments/new/rps"
    answer = host.submit(host.get(new), new, name="Cup", pace="days-3", format="round-robin")
    path = answer.headers["Location"].replace(site.url, "")
    ann = Remote(site.port)
    with listening(ann, path.removeprefix("/")) as stream:
        stream.until_version(ann.get(f"{path}/version").text)
        ann.submit(ann.get(path), "/join", name="Ann")
        stream.until_version(host.get(f"{path}/version").text)
        host.submit(host.get(path), "/bots", level="easy", count="3")
        host.submit(host.get(path), "/remove", number="1")
        host.submit(host.get(path), "/start")
        word = ""
        while "Final standings" not in ann.get(path).words or word != ann.get(f"{path}/version").text:
            word = stream.version()


@pytest.mark.parametrize("ended", [2, 5])
def test_a_tournament_goes_on_after_the_site_was_killed_between_two_rounds(
    site: Site, books: Books, ended: int
) -> None:
    host, path = started(site, 4)
    wait_for(lambda: number(books, ENDED) >= ended, awaited="games that have ended")
    site.kill()
    site.start()
    wait_for(lambda: number(books, ENDED) == 6, awaited="all games")
    wait_for(lambda: "Final standings" in Remote(site.port).get(path).words, awaited="the end")
    assert number(books, RUNNING) == 0
    assert number(books, "SELECT count(*) FROM tables") == 6
    assert host.get(path).words.count("Bot (easy)") > 4


# -- killed while rounds end -------------------------------------------------------------------


FIRST = "WHERE tournament_id = :id AND round = 1 AND board = 1"
STORED_COLUMNS = "board, attempt, table_id, outcome, entrants, places, bye"
DOUBLED = (
    f"INSERT INTO tournament_games SELECT tournament_id, 9, {STORED_COLUMNS} FROM tournament_games {FIRST}"
)
LOST = "DELETE FROM tournament_games WHERE tournament_id = :id AND board = 1 AND round IN (1, 9)"


class Played(NamedTuple):
    """A game of a tournament, as its rows have it."""

    round: int
    board: int
    attempt: int
    entrants: list[int]
    table: str
    places: list[int]


def games_of(books: Books, code: str) -> list[Played]:
    rows = books.ask(
        "SELECT round, board, attempt, entrants, table_id, places FROM tournament_games"
        " WHERE tournament_id = :id AND outcome = 'played' ORDER BY round, board, attempt",
        id=code,
    )
    return [Played(*row[:3], json.loads(row[3]), row[4], json.loads(row[5])) for row in rows]


def must_be_whole(books: Books, code: str, bots: int, format: str) -> None:
    """No round was paired twice, no result is lost or doubled, and each is that of its table."""
    games = games_of(books, code)
    assert number(books, RUNNING) == 0
    assert books.ask("SELECT stage FROM tournaments WHERE id = :id", id=code) == [("over",)]
    met = Counter(frozenset(game.entrants) for game in games)
    if format == "round-robin":
        assert met == Counter(frozenset(pair) for pair in combinations(range(1, bots + 1), 2))
    else:
        assert len({game.board for game in games if game.round == 1}) == bots // 2
    for round_ in {game.round for game in games}:
        boards = {game.board: frozenset(game.entrants) for game in games if game.round == round_}
        assert len(frozenset().union(*boards.values())) == sum(map(len, boards.values())), round_
    tables = [row[0] for row in books.ask("SELECT id FROM tables") if table_in(books, row[0]) == code]
    assert sorted(tables) == sorted(game.table for game in games)
    for game in games:
        result = books.table(game.table)["result"]["places"]
        assert game.places == places_by_seat(result), game
        assert books.ask("SELECT count(*) FROM records WHERE table_id = :id", id=game.table) == [(1,)]


def table_in(books: Books, table: str) -> Any:
    return books.table(table).get("tournament")


def places_by_seat(result: list[list[int]]) -> list[int]:
    """The place of each seat; those in a tie share the better one."""
    places: dict[int, int] = {}
    for seats in result:
        places |= dict.fromkeys(seats, len(places) + 1)
    return [places[seat] for seat in sorted(places)]


def play_killed(site: Site, books: Books, bots: int, format: str, kills: int, chance: Random) -> str:
    """Let bots play, and kill the site, or a part of it, in the moment in which results come in; its code."""
    _, path = started(site, bots, format)
    code, killed = path.removeprefix("/t/"), 0

    def over() -> bool:
        return books.ask("SELECT stage FROM tournaments WHERE id = :id", id=code) == [("over",)]

    def has(results: int) -> bool:
        return over() or len(games_of(books, code)) >= results

    while not over():
        more = len(games_of(books, code)) + chance.randint(1, 3)
        wait_for(partial(has, more), awaited="more results")
        if killed < kills:
            kill_some(site, chance, alone=0.4)
            killed += 1
    assert killed, "the tournament ended before anything was killed: the test has no teeth"
    must_be_whole(books, code, bots, format)
    return code


@pytest.mark.parametrize(("format", "bots"), [("round-robin", 6), ("knock-out", 8)])
def test_no_round_is_paired_twice_and_no_result_lost_however_often_the_site_is_killed(
    site: Site, books: Books, format: str, bots: int
) -> None:
    code = play_killed(site, books, bots, format, kills=4, chance=Random(format))
    for damage in (DOUBLED, LOST):
        with books.engine.connect() as connection:
            connection.execute(text(damage), {"id": code})
            connection.commit()
        with pytest.raises(AssertionError):
            must_be_whole(books, code, bots, format)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_twenty_tournaments_survive_two_hundred_kills(site: Site, books: Books) -> None:
    for nth in range(20):
        format = ("round-robin", "knock-out")[nth % 2]
        play_killed(site, books, 8, format, kills=10, chance=Random(nth))
