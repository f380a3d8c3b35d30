"""The stage of a table: where the board and the bar stand, what is seen at once, the focus, what moves."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.browser.party import PLAYABLE, Party, look_again, visitor
from tests.support.browser import LARGE_PHONE, PHONE, TABLET, Person, Size

LANDSCAPE, DESK, WALL = Size(844, 390), Size(1280, 800), Size(1920, 1080)
SHORT = {  # games by the moves of each seat in turn, from the first to the last
    "Chess": ["move f3", "move e5", "move g4", "move Qh4"],
    "Rock-Paper-Scissors": ["throw rock", "throw paper"],
}
BOX = "each => { const {x, y, width} = each.getBoundingClientRect(); return [x, y, width]; }"
FOCUSED = "document.activeElement.matches('main *') && !document.activeElement.matches('body')"
KEEP_GLIDES = """() => {
    window.glides = [];
    Element.prototype.animate = function (frames) { glides.push(frames.transform); };
}"""


def boxes(person: Person) -> dict[str, list[float]]:
    """Where the board and the bar are, the board without its height."""
    return {each: person.page.locator(each).evaluate(BOX) for each in ("#board", ".saying", ".bar")}


@pytest.mark.parametrize(
    "size",
    [
        LARGE_PHONE,
        DESK,
        *(pytest.param(each) for each in (PHONE, TABLET, LANDSCAPE, WALL)),
    ],
    ids=lambda size: f"{size.width}x{size.height}",
)
@pytest.mark.parametrize("title", SHORT)
def test_the_board_and_the_bar_stay_where_they_are_through_a_whole_game(person, title, size):
    party = Party([person(size=size), person()]).sit(title)
    host, table = party.host, urlsplit(party.link).path
    before = boxes(host)
    for number, move in enumerate(SHORT[title]):
        mover = visitor(party.friends[number % 2])
        page = mover.get(table)
        assert mover.submit(page, "/turn", move=move).status == 303
        look_again(host)
        assert boxes(host) == before, move
    assert host.see("section.result")


@pytest.mark.parametrize("size", [PHONE, LARGE_PHONE, DESK], ids=lambda size: f"{size.width}x{size.height}")
def test_what_another_proposes_is_said_at_once_in_a_bar_that_keeps_its_height(person, size):
    party = Party([person(size=size, javascript=True), person()]).sit("Chess", pace="clock-5-3")
    host, table = party.host, urlsplit(party.link).path
    before = boxes(host)
    proposer, agree = visitor(party.friends[1]), host.page.get_by_role("button", name="Agree", exact=True)
    proposer.submit(proposer.get(table), "/pause")
    expect(host.page.locator("#turn")).to_contain_text("Guest Golf wants to stop the clocks.")
    expect(agree).to_be_in_viewport(ratio=1)
    assert boxes(host) == before
    agree.click()
    expect(host.page.locator("#clock")).to_contain_text("The clocks are stopped until")


@pytest.mark.parametrize("title", ["Rock-Paper-Scissors", pytest.param("StrifeBarge")])
def test_bar_own_plate_rules_and_chat_are_seen_at_once(person, title):
    party = Party([person(size=LARGE_PHONE), person()]).sit(title)
    page = party.host.page
    field = page.locator(".saying").bounding_box()
    for each in (".plate.below", "#tab-log > summary", "#tab-chat > summary", "#tab-table > summary"):
        box = page.locator(each).bounding_box()
        assert 0 <= box["y"] <= box["y"] + box["height"] <= field["y"], each
    for each in (".saying", ".bar", ".bar .how"):
        expect(page.locator(each)).to_be_in_viewport(ratio=1)


def test_a_board_fills_the_height_of_a_wide_window_and_of_one_magnified_twice(person):
    host = Party([person(size=DESK), person()]).sit("Chess").host
    for size, part in ((DESK, 0.6), (WALL, 0.65), (Size(640, 400), 0.9)):
        host.page.set_viewport_size({"width": size.width, "height": size.height})
        box = host.page.locator(".chess").bounding_box()
        assert min(box["width"], box["height"]) >= part * size.height, size


def test_who_types_a_move_is_back_in_the_field_at_their_next_turn(person):
    party = Party([person(javascript=True), person()]).sit("Chess")
    host, table = party.host, urlsplit(party.link).path
    host.page.locator("#notation").fill("e4")
    with host.arriving():
        host.page.keyboard.press("Enter")
    assert visitor(party.friends[1]).move(table, "move e5").status == 303
    expect(host.page.locator("#notation")).to_be_focused()


def test_after_a_move_by_keyboard_the_focus_is_on_what_the_bar_says_and_the_tab_stays_open(person):
    party = Party([person(javascript=True), person()]).sit("Rock-Paper-Scissors")
    host = party.host
    host.page.locator("#tab-chat > summary").click()
    button = host.page.locator(PLAYABLE).first
    button.focus()
    with host.arriving():
        host.page.keyboard.press("Enter")
    assert host.page.evaluate(FOCUSED)
    expect(host.page.locator("#tab-chat")).to_have_attribute("open", "")
    expect(host.page.locator("#tab-log[open]")).to_have_count(0)


def test_who_has_won_reads_so_in_the_window_with_the_rematch_below(person):
    party = Party([person(size=LARGE_PHONE), person()]).sit("Rock-Paper-Scissors")
    table = urlsplit(party.link).path
    for friend, move in zip(party.friends, ["throw paper", "throw rock"], strict=True):
        visitor(friend).move(table, move)
    look_again(party.host)
    expect(party.host.page.locator(".won > .saying .turn")).to_be_in_viewport(ratio=1)
    expect(party.host.page.get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_piece_that_bears_a_name_glides_from_where_it_was(person, motion):
    """The name is put first on one thing of the page, then on another: any piece will do."""
    party = Party([person(javascript=True), person()]).sit("Rock-Paper-Scissors")
    page = party.host.page
    page.emulate_media(reduced_motion=motion)
    page.evaluate(KEEP_GLIDES)
    page.locator(".plate.below").evaluate("each => { each.dataset.piece = 'one'; }")

    def named(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('id="bar"', 'id="bar" data-piece="one"'))

    page.route("**/turn", named)
    party.host.press(page.locator(PLAYABLE).first)
    glides = page.evaluate("glides")
    if motion == "reduce":
        assert glides == []
    else:
        [[begins, ends]] = glides
        assert begins.startswith("translate(")
        assert ends == "none"
