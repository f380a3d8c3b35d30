"""The pages of leaderboards: what they say, to whom, and how often they ask the database."""

import re
from typing import NamedTuple

import pytest

from strifebarge.results.models import ESTABLISHED
from strifebarge.tables.model.player import Player
from tests.support.databases import statements
from tests.support.visitor import Local
from tests.web.house import House, OpenHouse
from tests.web.markup import must_be_sound

MONTHS = ["", "/month"]


class Rivals(NamedTuple):
    """Ann, who has won each of as many rated games as it takes to be listed, and Ben."""

    house: House
    ann: Local
    ben: Local
    records: list[str]  # the addresses of these games


def play_rated(ann: Local, ben: Local, **options: str) -> str:
    """Play one rated game of Rock-Paper-Scissors, which Ann wins; return its table's address."""
    table = ann.start("rps", **{"afterwards": "rated", "name": "Ann <i>", **options}).table
    ben.join(table, "Ben")
    ann.move(table, "throw paper")
    ben.move(table, "throw rock")
    assert ann.get(table).over
    return table


@pytest.fixture(scope="module")
def rivals(house: House) -> Rivals:
    ann, ben = house.visitor(), house.visitor()
    return Rivals(house, ann, ben, [play_rated(ann, ben) for _ in range(ESTABLISHED)])


def people(house: House, table: str) -> list[Player]:
    chairs = house.referee.views.status(table.removeprefix("/g/")).chairs
    return [Player(chair.player or "") for chair in chairs]


@pytest.mark.parametrize("month", MONTHS)
def test_a_leaderboard_lists_people_with_place_rating_and_games(rivals: Rivals, month: str) -> None:
    page = rivals.house.visitor().get(f"/leaderboards/rps{month}")
    must_be_sound(page)
    assert re.search(
        rf"Place Player Rating Games 1 Ann <i> \d+ {ESTABLISHED} 2 Ben \d+ {ESTABLISHED}", page.words
    )
    for player in people(rivals.house, rivals.records[0]):
        assert f"/p/{player.public}" in page.seen.links
        assert player.id not in page.text
    assert f'<a href="/leaderboards/rps{month}" aria-current="page">' in page.text
    assert "(you)" not in page.words


@pytest.mark.parametrize("month", MONTHS)
def test_who_is_listed_sees_which_line_is_theirs(rivals: Rivals, month: str) -> None:
    assert "2 Ben (you)" in rivals.ben.get(f"/leaderboards/rps{month}").words


@pytest.mark.parametrize("month", MONTHS)
def test_a_leaderboard_asks_once_beside_whose_session_it_is(rivals: Rivals, month: str) -> None:
    run = statements(rivals.house.referee.store.engine)  # type: ignore[attr-defined]
    for who in (rivals.house.visitor(), rivals.ann):
        for path, most in (("/rules/", 0), (f"/leaderboards/rps{month}", 1)):
            run.clear()
            assert who.get(path).status == 200
            selects = [words for words in run if words.startswith("SELECT") and "web_sessions" not in words]
            of_devices = [words for words in selects if "devices" in words]
            assert len(selects) - len(of_devices) == most, selects


def test_before_enough_rated_games_nobody_is_listed(open_house: OpenHouse) -> None:
    house = open_house()
    ann, ben = house.visitor(), house.visitor()
    for afterwards in (*["rated"] * (ESTABLISHED - 1), "public", "quiet"):
        play_rated(ann, ben, afterwards=afterwards)
    for month in MONTHS:
        page = house.visitor().get(f"/leaderboards/rps{month}")
        must_be_sound(page)
        assert "Nobody is listed yet" in page.words
        assert f"listed after {ESTABLISHED} rated games" in page.words
    play_rated(ann, ben)
    assert "Nobody is listed yet" not in house.visitor().get("/leaderboards/rps").words


def test_a_game_of_another_month_counts_for_all_time_alone(
    rivals: Rivals, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = rivals.house.referee.now()
    monkeypatch.setattr(rivals.house.referee, "now", lambda: now + 32 * 86400)
    assert "Nobody is listed yet" in rivals.house.visitor().get("/leaderboards/rps/month").words
    assert "Nobody is listed yet" not in rivals.house.visitor().get("/leaderboards/rps").words


def test_the_first_page_and_a_games_own_page_lead_to_its_leaderboard(house: House) -> None:
    who = house.visitor()
    assert "/leaderboards/" in who.get("/").seen.links
    contents = who.get("/leaderboards/")
    must_be_sound(contents)
    for title in house.referee.library:
        if not title.for_one:
            address = f"/leaderboards/{title.slug}"
            assert address in contents.seen.links
            assert address in who.get(f"/rules/{title.slug}").seen.links


@pytest.mark.parametrize("month", MONTHS)
def test_a_game_that_does_not_exist_or_is_never_rated_has_no_leaderboard(
    house: House, month: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for wrong in ("nosuch", "%00", "%ff", "x" * 300):
        page = house.visitor().get(f"/leaderboards/{wrong}{month}")
        assert page.status == 404
        assert "doesn't have that game." in page.words, wrong
    title = house.referee.library["chess"]
    monkeypatch.setattr(type(title), "for_one", True)
    page = house.visitor().get(f"/leaderboards/chess{month}")
    must_be_sound(page)
    assert page.status == 404
    assert "This game is for one player, so it's never rated." in page.words


def test_caches_may_keep_a_leaderboard_for_strangers_only(rivals: Rivals) -> None:
    stranger = rivals.house.visitor()
    assert "max-age=60" in stranger.get("/leaderboards/rps").headers["Cache-Control"]
    assert rivals.ann.get("/leaderboards/rps").headers["Cache-Control"] == "no-store"
