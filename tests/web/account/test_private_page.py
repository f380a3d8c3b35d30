"""A person's page: how their ratings have changed, and keeping it to oneself."""

import re

import pytest

from strifebarge.results.models import ESTABLISHED, Rating, RatingStep
from strifebarge.results.trends import Trend, trends
from strifebarge.tables.model.player import public_id
from strifebarge.web.table.rating_line import MOST_POINTS, rating_line
from tests.support.visitor import Local
from tests.web.house import House, token
from tests.web.markup import must_be_sound
from tests.web.site.test_leaderboards import play_rated

NEWCOMER = Rating().displayed


def secret_of(house: House, table: str, seat: int) -> str:
    return house.referee.views.status(table.removeprefix("/g/")).chairs[seat].player or ""


def keep_private(who: Local, wanted: bool = True) -> None:
    """Tick the box on the page "You", or take the tick away, and save."""
    page = who.get("/me")
    answer = who.submit(page, "/me/page", private="yes" if wanted else None)
    assert (answer.status, answer.location) == (303, "/me")


# -- how ratings have changed -------------------------------------------------------------------


def test_a_trend_begins_as_a_newcomer_and_tells_what_each_game_changed() -> None:
    lines = trends(
        [RatingStep("a", "rps", 1100), RatingStep("b", "chess", 980), RatingStep("c", "rps", 1060)]
    )
    assert lines == {
        "rps": Trend([NEWCOMER, 1100, 1060], {"a": 1100 - NEWCOMER, "c": -40}),
        "chess": Trend([NEWCOMER, 980], {"b": 980 - NEWCOMER}),
    }
    assert lines["rps"].best == 1100


def test_where_games_are_left_out_nothing_is_made_up_of_the_first_one_that_is_there() -> None:
    lines = trends([RatingStep("a", "rps", 1100), RatingStep("c", "rps", 1060)], whole=False)
    assert lines == {"rps": Trend([1100, 1060], {"c": -40})}


def test_a_line_goes_from_left_to_right_and_up_with_the_rating() -> None:
    line = rating_line(Trend([1000, 1200, 1100], {}))
    assert line.points == "2.0,38.0 100.0,2.0 198.0,20.0"
    assert (line.first, line.last, line.best, line.games) == (1000, 1100, 1200, 2)
    assert rating_line(Trend([1000, 1000], {})).points == "2.0,20.0 198.0,20.0"
    long = rating_line(Trend(list(range(5000)), {}))
    assert long.points.count(" ") == MOST_POINTS - 1
    assert (long.last, long.games) == (4999, MOST_POINTS - 1)


def test_a_page_shows_ratings_with_their_trend_and_what_each_game_changed(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()
    tables = [play_rated(ann, ben) for _ in range(ESTABLISHED)]
    for seat, signs in ((0, r"\+"), (1, "−")):
        secret = secret_of(house, tables[0], seat)
        page = house.visitor().get(f"/p/{public_id(secret)}")
        must_be_sound(page)
        assert secret not in page.text
        steps = house.services.results.repository.steps(secret, 99)
        assert len(steps) == ESTABLISHED
        last, best = steps[-1].rating, max(NEWCOMER, *(each.rating for each in steps))
        sentence = f"From {NEWCOMER} to {last} in {ESTABLISHED} rated games, best {best}"
        assert sentence in page.words
        assert page.text.count("<polyline") == 1
        assert "(provisional)" not in page.words
        changes = re.findall(rf"place [12], rated \d+ \(({signs})(\d+)\)", page.words)
        assert len(changes) == ESTABLISHED
        assert sum(int(number) for _, number in changes) == abs(last - NEWCOMER)
        assert {f"/r/{each.record}" for each in steps} <= {*page.seen.links}
        assert "/leaderboards/rps" in page.seen.links


def test_a_rating_of_few_games_is_marked_as_provisional(house: House) -> None:
    ann = house.visitor()
    play_rated(ann, house.visitor())
    page = ann.get("/p/me")
    assert re.search(r"Rock-Paper-Scissors \d+ \(provisional\) finished: 1", page.words)
    assert f"From {NEWCOMER} to" in page.words
    assert "in 1 rated game, best" in page.words


def test_a_game_that_is_not_rated_has_no_line(house: House) -> None:
    ann = house.visitor()
    play_rated(ann, house.visitor(), afterwards="public")
    page = ann.get("/p/me")
    assert "finished: 1, won: 1" in page.words
    assert "<polyline" not in page.text


# -- keeping it to oneself ----------------------------------------------------------------------


def test_a_private_page_is_shown_to_its_person_alone(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()
    table = play_rated(ann, ben)
    address = f"/p/{public_id(secret_of(house, table, 0))}"
    before = house.visitor().get(address)
    assert "Rock-Paper-Scissors" in before.words
    keep_private(ann)
    for who in (house.visitor(), ben):
        page = who.get(address)
        must_be_sound(page)
        assert (page.status, token(page)) == (403, "table.private_page")
        assert "This page is private." in page.words
        for hidden in ("Ann", "Rock-Paper-Scissors", "/r/"):
            assert hidden not in page.text
    for path in ("/p/me", address):
        mine = ann.get(path)
        must_be_sound(mine)
        assert "Only you see this page. You aren't on leaderboards." in mine.words
        assert "Rock-Paper-Scissors" in mine.words
    keep_private(ann, wanted=False)
    assert house.visitor().get(address).words == before.words


def test_who_keeps_their_page_private_is_on_no_leaderboard(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()
    tables = [play_rated(ann, ben) for _ in range(ESTABLISHED)]
    mine = f"/p/{public_id(secret_of(house, tables[0], 0))}"
    for path in ("/leaderboards/rps", "/leaderboards/rps/month"):
        assert mine in ann.get(path).seen.links
    keep_private(ann)
    for path in ("/leaderboards/rps", "/leaderboards/rps/month"):
        assert mine not in house.visitor().get(path).seen.links
        assert "You aren't listed, because your page is private." in ann.get(path).words
        assert "your page is private" not in ben.get(path).words


def test_the_choice_goes_with_the_person_and_not_with_the_browser(house: House) -> None:
    ann = house.visitor()
    ann.start("rps")
    keep_private(ann)
    assert 'name="private" value="yes" checked' in ann.get("/me").text
    assert "page" not in ann.cookies
    with house.unchanged():
        keep_private(ann)
    keep_private(ann, wanted=False)
    assert 'name="private" value="yes" checked' not in ann.get("/me").text


@pytest.mark.parametrize("value", ["", "no", "private", "\0", "y" * 999])
def test_nothing_but_the_tick_makes_a_page_private(house: House, value: str) -> None:
    ann = house.visitor()
    ann.start("rps")
    answer = ann.post("/me/page", [("key", ann.get("/me").form("/me/page")["key"]), ("private", value)])
    assert answer.status == 303
    assert "checked" not in ann.get("/me").text


def test_a_browser_that_is_nobody_is_told_so(house: House) -> None:
    stranger = house.visitor()
    with house.unchanged():
        answer = stranger.post("/me/page", [("key", "k" * 32), ("private", "yes")])
    assert (answer.status, token(answer)) == (403, "who.not_known")
    assert stranger.post("/me/page", [("private", "yes")]).status == 422
    assert not stranger.get("/me").has_form("/me/page")


def test_who_is_erased_has_no_page_and_is_on_no_leaderboard(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()
    tables = [play_rated(ann, ben) for _ in range(ESTABLISHED)]
    address = f"/p/{public_id(secret_of(house, tables[0], 0))}"
    assert address in house.visitor().get("/leaderboards/rps").seen.links
    ann.submit(ann.get("/me/erase"), "/me/erase", sure="yes")
    assert house.visitor().get(address).status == 404
    for path in ("/leaderboards/rps", "/leaderboards/rps/month"):
        page = house.visitor().get(path)
        assert address not in page.seen.links
        assert "Former" not in page.words
