"""Bots on a site that runs: games with them come to their end, and nothing is lost or doubled if they die."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from secrets import token_hex
from statistics import median
from time import monotonic

import pytest

from strifebarge.services import Services
from strifebarge.starter import new_game
from strifebarge.tables.library.settings import SettingsChange
from strifebarge.tables.model.bots import WaitingQuestion
from strifebarge.tables.play.turn import FormToken
from strifebarge.tournaments.models import Format
from strifebarge.tournaments.service import NewTournament
from tests.servers.books import Books, library
from tests.servers.conftest import GENEROUS
from tests.support import forms
from tests.support.bots import BotsAlone, against_bots, play_to_the_end, services_of
from tests.support.servers import Postgres, Site, gone, group, wait_for

pytestmark = pytest.mark.servers

WITH_BOTS = {**GENEROUS, "WORKERS": "1", "BOTS": "on"}
GAMES = [
    ("rps", {"best_of": "3"}),
    ("eights", {"seats": "3"}),
    pytest.param("strifebarge", {"seats": "3"}),
    pytest.param("startups", {"seats": "3"}),
    pytest.param("mirrow", {}),
]
OPENING = ("move a3", "move h3", "move c3")  # of chess: allowed whatever a bot does
SOON = 20.0  # seconds, on a machine with much else to do


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(**WITH_BOTS) as running:
        running.settings["DATABASE_URL"] = f"sqlite:///{running.data / 'strifebarge.db'}"
        yield running


@pytest.fixture(scope="module")
def services(site: Site) -> Iterator[Services]:
    with services_of(site) as site_services:
        yield site_services


def must_be_played_by_all(site: Site, code: str, seats: int) -> None:
    """Check that a game is over, that each seat has moved, and that its ledger leads where it says."""
    with Books(site.settings["DATABASE_URL"]) as books:
        assert books.table(code)["status"] == "over"
        assert {line.seat for line in books.moves(code)} == set(range(seats))
        books.must_replay(code, library())


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_game_with_bots_is_played_to_its_end_by_forms(
    site: Site, services: Services, game: str, options: dict[str, str]
) -> None:
    person, table = against_bots(site, services, game, **options)
    assert play_to_the_end(person, table, Random(game)) > 0
    must_be_played_by_all(site, table.removeprefix("/g/"), int(options.get("seats", 2)))
    with_us = [site.bots, *site.thinking]
    assert all(os.sched_getscheduler(pid) == os.SCHED_BATCH for pid in with_us[1:])
    assert not any(_has_open(pid, site.data) for pid in with_us[1:])


def _has_open(pid: int, folder: Path) -> bool:
    """Whether a process has a file of a folder open."""
    return any(os.readlink(each).startswith(str(folder)) for each in Path(f"/proc/{pid}/fd").iterdir())


def test_bots_that_are_killed_while_they_think_are_back_and_have_moved_once(
    site: Site, services: Services
) -> None:
    person, table = against_bots(site, services, "startups", "hard", seats="3")
    code = table.removeprefix("/g/")

    def asked(seconds: float) -> list[WaitingQuestion]:
        """The questions that have waited for the table's bots for some seconds."""
        now = services.clock()
        waiting = services.lists.waiting_for_bots(100)
        return [each for each in waiting if each.table == code and now - each.since >= seconds]

    wait_for(lambda: asked(0.8) and site.thinking, awaited="a bot that thinks")
    before, thinking = site.bots, site.thinking
    os.kill(before, signal.SIGKILL)
    wait_for(lambda: all(map(gone, thinking)), awaited="the end of its thinking")
    wait_for(lambda: site.bots not in (0, before), awaited="another process of the bots")
    wait_for(lambda: not asked(0), awaited="the bots' moves")
    assert "The process of the bots has ended (signal 9)" in site.log()
    page = person.get(table)
    assert person.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    with Books(site.settings["DATABASE_URL"]) as books:
        assert sorted(str(line.seat) for line in books.moves(code)) == ["0", "1", "2"]
        books.must_replay(code, library())


def test_a_bot_answers_a_move_of_chess(site: Site, services: Services) -> None:
    person, table = against_bots(site, services, "chess", "medium")
    assert person.move(table, "move e4").status == 303
    wait_for(lambda: person.get(table).my_turn, awaited="the bot's move")
    with Books(site.settings["DATABASE_URL"]) as books:
        assert [line.seat for line in books.moves(table.removeprefix("/g/"))] == [0, 1]


def test_a_bot_answers_a_person_as_usual_beside_a_hundred_games_of_bots_alone() -> None:
    with Site(**WITH_BOTS) as site, services_of(site) as services:
        quiet = answering_times(site, services)
        play_tournaments(services, 10)
        assert len(services.lists.waiting_for_bots(1000)) > 50
        assert max(answering_times(site, services)) < max(3 * median(quiet), SOON)


def answering_times(site: Site, services: Services) -> list[float]:
    """For how many seconds an easy bot lets somebody wait, at each move of a new game."""
    person, table = against_bots(site, services, "chess")
    times = []
    for words in OPENING:
        assert person.move(table, words).status == 303
        began = monotonic()
        wait_for(lambda: person.get(table).my_turn, awaited="the bot's move")
        times.append(monotonic() - began)
    return times


def play_tournaments(services: Services, number: int) -> None:
    """Let bots alone play tournaments, each with ten games at once, which is all that one person may have."""
    tournaments = services.tournaments
    for _ in range(number):
        host = forms.newcomer(services.referee)
        new = NewTournament(name="Cup", format=Format.ROUND_ROBIN, settings=SettingsChange(pace="turn-180"))
        id = tournaments.open(host, "strifebarge", FormToken(token_hex(16)), new)
        for level, count in (("easy", 8), ("medium", 8), ("hard", 4)):
            tournaments.add_bots(host.id, id, level, count, FormToken(token_hex(16)))
        tournaments.start(host.id, id, FormToken(token_hex(16)))


def test_nothing_of_the_bots_is_left_when_the_site_ends() -> None:
    with Site(**WITH_BOTS) as site, services_of(site) as services:
        person, table = against_bots(site, services, "rps", best_of="1")
        play_to_the_end(person, table, Random(1))
        everybody = group(site.pid)
        assert site.bots in everybody
        assert site.thinking
        site.process.terminate()  # type: ignore[union-attr]
        assert site.process.wait(30) == 0  # type: ignore[union-attr]
        wait_for(lambda: all(map(gone, everybody)), awaited="the end of all")
        assert "Bots have played rps: " in site.log()


def test_bots_play_by_the_newest_rules_while_games_are_read_again(tmp_path: Path) -> None:
    new_game("reloaded", tmp_path / "games")
    rules = tmp_path / "games" / "reloaded" / "rules.py"
    serve = ("-m", "strifebarge.cli", "serve", "--reload")
    with Site(arguments=serve, **{**WITH_BOTS, "GAMES": str(tmp_path / "games")}) as site:
        wait_for(lambda: site.bots, awaited="a process of the bots")
        before, workers = site.bots, site.workers()
        rules.write_text(rules.read_text() + "\n# another line\n")
        wait_for(lambda: site.bots not in (0, before), awaited="another process of the bots")
        wait_for(lambda: site.workers() not in ([], workers), awaited="another worker")
        with services_of(site) as services:
            person, table = against_bots(site, services, "reloaded", seats="2")
            play_to_the_end(person, table, Random(3))


@pytest.mark.postgres
def test_bots_play_on_postgresql_and_by_a_process_of_their_own(postgres: Postgres) -> None:
    name = postgres.create()
    settings = {**WITH_BOTS, "BOTS": "apart", "DATABASE_URL": postgres.url(name)}
    with Site(**settings) as site, services_of(site) as services:
        assert not site.bots
        with BotsAlone(**{**settings, "DATA": str(site.data)}):
            person, table = against_bots(site, services, "eights", seats="3")
            assert play_to_the_end(person, table, Random(2)) > 0
            must_be_played_by_all(site, table.removeprefix("/g/"), 3)
    postgres.drop(name)
