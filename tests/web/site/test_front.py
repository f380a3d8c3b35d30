"""The way to a table: pictures of games, setting up, and the menu of preferences."""

import re

import pytest
from markupsafe import Markup

from strifebarge.rules import Refused
from strifebarge.tables.library.examples import Example, example_of, played
from strifebarge.tables.library.library import Library, Title
from strifebarge.web.page.pictures import picture
from tests.web.house import House

LIBRARY = Library()
DRAWN = [title for title in LIBRARY if title.picture]
MOST = 6 * 1024  # bytes of a picture, of which the first page has one for each game


def drawn(house: House, title: Title) -> Markup:
    with house.app.test_request_context():
        return picture(title)


# -- pictures ------------------------------------------------------------------------------


@pytest.mark.parametrize("title", DRAWN, ids=lambda title: title.slug)
def test_the_picture_of_a_game_is_drawn_from_a_position_that_was_played(house: House, title: Title) -> None:
    example = example_of(title)
    assert example is not None
    assert len(example.moves) >= 2
    svg = drawn(house, house.referee.library[title.slug])
    assert svg.startswith('<svg class="picture" ')
    assert svg.count("<svg") == svg.count("</svg>") == 1
    assert len(svg) <= MOST
    assert not re.search(r"\s(id|style|on\w+)=", svg)


def test_another_position_gives_another_picture(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    title = house.referee.library["strifebarge"]
    before = drawn(house, title)
    example = example_of(title)
    assert example is not None
    fewer = Example(example.seats, example.seed, example.options, example.moves[:4])
    monkeypatch.setattr("strifebarge.web.page.pictures.example_of", lambda title: fewer)
    assert drawn(house, title) == before  # it is kept
    house.app.extensions["pictures"].clear()
    after = drawn(house, title)
    house.app.extensions["pictures"].clear()
    assert 0 < len(after) < len(before)


def test_an_example_shows_what_a_spectator_sees() -> None:
    title = LIBRARY["strifebarge"]
    example = example_of(title)
    assert example is not None
    game = played(title, example)
    sunk = [ship for captain in game.seats for ship in captain.fleet.visible]
    assert len(sunk) == 2
    assert all(game.sunk(ship) for ship in sunk)


@pytest.mark.parametrize(
    "moves", [["0 fire Z99"], ["0 sail A1"], ["fire A1"], ["1 fire A1"]], ids=["where", "what", "who", "turn"]
)
def test_a_game_whose_example_does_not_hold_has_its_emblem(
    house: House, monkeypatch: pytest.MonkeyPatch, moves: list[str]
) -> None:
    title = house.referee.library["strifebarge"]
    with pytest.raises((Refused, ValueError)):
        played(title, Example(moves=moves))
    house.app.extensions.setdefault("pictures", {}).clear()
    monkeypatch.setattr("strifebarge.web.page.pictures.example_of", lambda title: Example(moves=moves))
    page = house.visitor().get("/bots")
    house.app.extensions["pictures"].clear()
    assert page.status == 200
    assert page.text.count('<svg class="picture emblem"') == len(DRAWN)


# -- setting up, and joining ---------------------------------------------------------------


def test_few_choices_are_open_and_the_others_folded(house: House) -> None:
    for title in LIBRARY:
        page = house.visitor().get(f"/new/{title.slug}").text
        ahead, _, rest = page.partition('<form method="post" class="options">')[2].partition("<details")
        assert len(re.findall("<select|<input (?!type=.hidden)", ahead)) <= 3, title.slug
        assert 'name="afterwards"' in rest
        assert rest.index("</details>") < rest.index('name="name"') < rest.index("<button")
    page = house.visitor()
    refused = page.submit(page.get("/new/chess"), "/new/chess", start="position", position="nonsense")
    assert '<details class="more" open>' in refused.text
    assert "<details open><summary>Position</summary>" in refused.text


def test_whoever_opens_the_link_is_told_what_the_game_is_and_who_waits(house: House) -> None:
    table = house.visitor().start("strifebarge", seats="3", name="Ann").table
    page = house.visitor().get(table)
    join = page.text.partition('<section class="join"')[2].partition("</section>")[0]
    for phrase in (
        '<svg class="picture"',
        "Battleships for two to eight captains",
        "about 15 minutes",
        "Ann",
    ):
        assert phrase in join
    assert join.index('name="name"') < join.index('<button class="btn">Join</button>')


# -- preferences ---------------------------------------------------------------------------


def test_the_menu_of_every_page_keeps_what_is_chosen_and_leads_back(house: House) -> None:
    who = house.visitor()
    for path in ("/", "/rules/chess?a=b", "/about", "/games"):
        form = who.get(path).form("/prefer")
        [dark] = [each for each in form.buttons if each.value == "dark"]
        answer = who.post("/prefer", form.filled(dark), Referer=f"http://localhost{path}")
        assert (answer.status, answer.location) == (303, path)
        assert 'value="dark" aria-pressed="true"' in who.get(path).text
    for elsewhere in (
        "http://evil.example/",
        "http://localhost//evil.example",
        "http://localhost/no/such",
        "http://[",
        "",
    ):
        assert who.post("/prefer", [("sure", "yes")], Referer=elsewhere).location == "/"
    assert 'name="sure" value="yes" aria-pressed="true"' in who.get("/").text
    assert who.post("/prefer", [("session", "x"), ("key", "y")]).status == 303
    assert "session=x" not in str(who.cookies)
