"""What a chat shows of a link: a card with the position that a spectator sees, by the services' own rules."""

import re
from html import unescape
from struct import unpack
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

import pytest

from strifebarge.tables.model.chair import Pin
from strifebarge.tables.model.status import NOBODY
from strifebarge.web.http.guard import PICTURES
from strifebarge.web.previews import drawn, lettering, previews
from strifebarge.web.previews.drawn import CannotBeDrawn, Symbols
from strifebarge.web.render.assets import _sprite
from strifebarge.web.site.lobby import UNFURLERS
from tests.support.visitor import Page
from tests.web.house import House, OpenHouse, Party
from tests.web.site.test_tournaments import opened

PUBLIC = "https://play.example/games"
# As each service documents itself; iMessage fetches from its sender's device, by the name of two others.
ROBOTS = {
    "iMessage": "Mozilla/5.0 (Macintosh) AppleWebKit/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "WhatsApp": "WhatsApp/2.23.20.0 A",
    "Discord": "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Slack": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
}
LARGEST = 300_000  # bytes of a picture that WhatsApp shows
FIRST_BYTES = 32 * 1024  # of a page, in which Slack looks for tags


def tags(page: Page) -> dict[str, str]:
    """Return what a page says of itself to those who show a link to it."""
    head = page.text.partition("</head>")[0]
    pairs = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', head)
    assert len(pairs) == len(dict(pairs)), "a tag stands twice"
    return {name: unescape(value) for name, value in pairs}


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = unpack(">II", png[16:24])
    return width, height


def card(party: Party, query: str = "", **headers: str) -> Page:
    """Fetch the card of a table, as a stranger."""
    return party.house.visitor().get(f"/preview/tables/{party.code}.png{query}", **headers)


def resigned(house: House) -> Party:
    party = house.gathered("chess")
    quitting = party.to_move()
    page = quitting.get(f"{party.table}/quit")
    form = next(form for form in page.forms if ("how", "resign") in form.fields)
    quitting.post(f"{party.table}/quit", form.filled())
    return party


# -- what services ask for -----------------------------------------------------------------


def test_every_page_that_is_sent_has_the_tags_that_messengers_read(open_house: OpenHouse) -> None:
    house = open_house(public_url=PUBLIC)
    party, over = house.gathered("chess"), resigned(house)
    record = house.referee.views.status(over.code).ending.record
    robots = RobotFileParser()
    robots.parse(house.visitor().get("/robots.txt").text.splitlines())
    joining, (_, cup) = house.visitor().start("chess").table, opened(house, "chess")
    cup = cup.removeprefix("/games")
    for path in ("/", "/rules/chess", joining, party.table, over.table, f"/r/{record}", cup):
        for agent in ROBOTS.values():
            page = house.visitor().get(path, User_Agent=agent)
            assert page.status == 200  # no redirect
            assert page.text.index("og:image:alt") < FIRST_BYTES
            meta = tags(page)
            assert {"og:title", "og:description", "og:image", "og:image:alt", "og:site_name"} <= meta.keys()
            assert all(meta.values())
            assert (meta["og:type"], meta["og:image:type"]) == ("website", "image/png")
            assert meta["twitter:card"] == "summary_large_image"
            image = urlsplit(meta["og:image"])
            assert meta["og:image"].startswith(f"{PUBLIC}/preview/")
            answer = house.visitor().get(
                f"{image.path.removeprefix('/games')}?{image.query}", User_Agent=agent
            )
            assert (answer.status, answer.headers["Content-Type"]) == (200, "image/png")
            assert "Set-Cookie" not in answer.headers
            assert answer.headers["Cache-Control"].startswith("public, max-age=")
            assert size(answer.body) == (int(meta["og:image:width"]), int(meta["og:image:height"]))
            assert 5000 < len(answer.body) < LARGEST
        for name in UNFURLERS:
            assert robots.can_fetch(name, path)
        assert robots.can_fetch("Googlebot", image.path)
    assert not robots.can_fetch("Googlebot", party.table)


def test_who_sits_at_a_table_is_sent_no_preview_of_it(house: House) -> None:
    party = house.gathered("chess")
    assert tags(house.visitor().get(party.table))
    assert [tags(player.get(party.table)) for player in party.players] == [{}, {}]


def test_a_card_is_in_the_language_of_its_page(house: House) -> None:
    party = house.gathered("chess")
    german = tags(house.visitor().get(party.table, Accept_Language="de"))["og:image"]
    english = tags(house.visitor().get(party.table))["og:image"]
    query = {url: "?" + urlsplit(url).query for url in (german, english)}
    assert card(party, query[german]).body != card(party, query[english]).body
    assert card(party, query[german]).body == card(party, "", Accept_Language="de").body
    assert card(party, "?l=xx&shape=nonsense&v=\0").body == card(party).body


# -- what they show ------------------------------------------------------------------------


def test_two_positions_give_two_pictures_at_two_addresses(house: House) -> None:
    party = house.gathered("chess")
    before, first = tags(house.visitor().get(party.table))["og:image"], card(party)
    assert card(party, If_None_Match=first.headers["ETag"]).status == 304
    assert party.to_move().move(party.table, "move e4").status == 303
    assert tags(house.visitor().get(party.table))["og:image"] != before
    second = card(party, If_None_Match=first.headers["ETag"])
    assert second.status == 200
    assert second.body != first.body
    square = card(party, "?shape=square")
    assert size(square.body) == (630, 630)


def test_each_request_is_shown_what_a_spectator_sees(house: House) -> None:
    party = house.fleet()
    path = f"/preview/tables/{party.code}.png"
    assert {player.get(path).body for player in party.players} == {card(party).body}


def test_where_spectators_see_less_no_position_is_drawn(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []
    monkeypatch.setattr(previews, "draw_position", lambda title, game: calls.append(game))
    watched = [house.gathered("rps", t_watching=str(each)) for each in (NOBODY, 3)]
    locked = house.at_one_device()
    with house.referee.store.change(locked.code) as change:
        change.table.chairs[1].pin = Pin("")
    for party in (*watched, locked):
        assert size(card(party).body) == (1200, 630)
        assert not calls
    card(house.gathered("rps"))
    assert calls


def test_a_game_that_cannot_draw_its_position_has_its_emblem_and_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = house.gathered("chess")
    whole = card(party).body
    for wrong in ("", "<svg", "<p/>", '<svg viewBox="0 0 1 1"><use href="#nothing"/></svg>'):
        house.app.extensions["cards"].clear()
        monkeypatch.setattr(previews, "draw_position", lambda title, game, wrong=wrong: wrong)
        picture = card(party)
        assert picture.status == 200
        assert size(picture.body) == (1200, 630)
        assert picture.body != whole
    house.app.extensions["cards"].clear()
    monkeypatch.setattr(previews, "draw_position", lambda title, game: 1 // 0)
    assert card(party).body == picture.body
    assert party.to_move().move(party.table, "move e4").status == 303


def test_an_unknown_table_game_or_record_has_no_card(house: House) -> None:
    for path in ("tables/AAAAAAAA", "games/nothing", "records/0123456789abcdef", "records/x"):
        assert house.visitor().get(f"/preview/{path}.png").status == 404


def test_nobody_has_more_cards_drawn_than_the_limit(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "drawn", lambda card, square: b"PNG")
    party, who = house.gathered("chess"), house.visitor()
    monkeypatch.setattr(previews, "_shown", lambda card: (object(),))
    for _ in range(PICTURES):
        house.app.extensions["cards"].clear()
        assert who.get(f"/preview/tables/{party.code}.png").status == 200
    assert who.get(f"/preview/tables/{party.code}.png").status == 200  # it is kept
    house.app.extensions["cards"].clear()
    assert who.get(f"/preview/tables/{party.code}.png").status == 429


def test_the_result_of_a_game_can_be_sent_and_saved(house: House) -> None:
    party = resigned(house)
    record = house.referee.views.status(party.code).ending.record
    for path in (party.table, f"/r/{record}"):
        page = house.visitor().get(path)
        share = page.text.partition('<section class="share"')[2].partition("</section>")[0]
        assert f'value="http://localhost/r/{record}" data-copy=' in share
        assert f'<a href="http://localhost/r/{record}">' in share
        pictures = re.findall(r'<a href="http://localhost([^"]+)" download="[\w-]+\.png">', share)
        sizes = [size(house.visitor().get(unescape(each)).body) for each in pictures]
        assert sizes == [(1200, 630), (630, 630)]


# -- what they are made of -----------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        *('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', "<svg", "<g/>", ""),
        *("<svg>" + "<g/>" * 9000 + "</svg>", "<svg>" + "<g>" * 30 + "</g>" * 30 + "</svg>"),
        *("<svg><use href='#nothing'/></svg>", "<svg>" + " " * 300_000 + "</svg>"),
    ],
    ids=lambda wrong: wrong[:12],
)
def test_a_drawing_that_might_take_for_ever_is_refused(house: House, wrong: str) -> None:
    with pytest.raises(CannotBeDrawn):
        Symbols(house.app.extensions["sprite"]).self_contained(wrong)


def test_a_drawing_has_colours_for_variables_and_nothing_from_elsewhere(house: House) -> None:
    drawing = Symbols(_sprite(house.referee.library).body).self_contained(
        '<svg viewBox="0 0 8 8"><script>x</script><image href="file:///x"/><g class="dark" onclick="x">'
        '<use href="/static/sprite.svg#c-k" width="1"/><path fill="var(--sea)" style="x" mask="url(http://x)"/>'
        "</g><filter/></svg>"
    )
    inside = [each for part in drawing.iter() for each in (part.tag, *part.attrib.values())]
    assert not {"script", "image", "filter", "x", "url(http://x)"}.intersection(inside)
    assert not any("var(" in each or "file:" in each for each in inside)
    assert {drawn.colours()["sea"], "#14202B", "#F4EFE2"} <= set(inside)


@pytest.mark.parametrize(
    ("dashes", "d", "accepted"),
    [
        *(("1", "M0 0h8", True), ("2 1", "M0 .5h8", True), (".001", "M0 0h8", False), ("0", "M0 0h8", False)),
        *(("1", "M0 0h99999", False), ("1", "M0 0h9e9", False), ("1", "M0 0" + "h9h-9" * 99, False)),
    ],
)
def test_only_few_dashes_are_drawn(house: House, dashes: str, d: str, accepted: bool) -> None:
    drawing = f'<svg><path opacity=".5" stroke-dasharray="{dashes}" d="{d}"/></svg>'
    [path] = Symbols(house.app.extensions["sprite"]).self_contained(drawing)
    assert ("stroke-dasharray" in path.attrib) == accepted
    assert "opacity" not in path.attrib


def test_a_line_is_never_wider_than_its_room() -> None:
    for text in ("W" * 300, "Ann " * 90, "i" * 20, "Zoë & Ben", "مرحبا"):
        for lines in (1, 3):
            size, lines_of_text = lettering.fit_text(text, 200, (30, 20), lines, bold=True)
            assert 1 <= len(lines_of_text) <= lines
            assert all(lettering.font(True).width(each, size) <= 200 for each in lines_of_text)
    assert lettering.fit_text("", 200, (30,), 2)[1] == []


def test_a_name_that_the_font_cannot_write_is_that_of_its_flag() -> None:
    assert lettering.readable("漢字", "Golf") == "Golf"
    assert lettering.readable("Ann 漢", "Golf") == "Golf"
    assert lettering.readable("\U0001f9ff Zoë\u200b\u202e", "Golf") == "Zoë"
    assert lettering.readable("\U0001f9ff", "Golf") == "Golf"
