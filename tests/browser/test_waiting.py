"""Waiting for others: without JavaScript in a small frame of its own, with it on the page itself."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import People
from tests.browser.party import PLAYABLE, Party, look_again, to_move
from tests.support.browser import DESKTOP, Person


def halfway(person: Person, text: str) -> None:
    """Somebody begins to type their name."""
    person.page.get_by_label("Your name").click()
    person.page.keyboard.type(text)


def must_still_be_typing(person: Person, text: str) -> None:
    field = person.page.get_by_label("Your name")
    expect(field).to_have_value(text)
    expect(field).to_be_focused()


def icon(person: Person) -> str:
    return person.page.locator("link[rel=icon]").get_attribute("href")


# -- without JavaScript -------------------------------------------------------------


def test_the_status_frame_says_when_it_is_your_turn_and_leads_to_the_board(person):
    party = Party([person(), person()]).sit("StrifeBarge")
    host, friend = party.friends
    frame = friend.page.frame_locator("iframe.status")
    expect(frame.locator("body")).to_contain_text("Still waiting.")
    host.press(host.page.locator(PLAYABLE).first)
    expect(frame.locator("body")).to_contain_text("It's your turn")
    assert not to_move(friend)
    friend.follow(frame.get_by_role("link", name="show the board"))
    assert to_move(friend)


def test_the_status_frame_renews_itself_and_nothing_else(person):
    party = Party([person(), person()])
    party.start("StrifeBarge", 3)
    watcher = person()
    watcher.open(party.link)
    halfway(watcher, "Mar")
    scrolled = watcher.page.evaluate("scrollY")
    party.join()
    frame = watcher.page.frame_locator("iframe.status")
    expect(frame.locator("body")).to_contain_text("There's news")
    must_still_be_typing(watcher, "Mar")
    assert watcher.page.evaluate("scrollY") == scrolled
    assert (
        len([path for path in watcher.asked if path.endswith(party.link.removeprefix(watcher.address))]) == 1
    )
    watcher.page.keyboard.type("ta")
    watcher.page.keyboard.press("Enter")
    expect(watcher.page.locator(".seats")).to_contain_text("Marta")


def test_the_status_frame_can_be_stopped_and_started_again(person):
    host = person()
    Party([host]).start("StrifeBarge")
    frame = host.page.frame_locator("iframe.status")
    frame.get_by_role("link", name="Stop updates").click()
    expect(frame.locator("body")).to_contain_text("Updates stopped.")
    frame.get_by_role("link", name="Start updates").click()
    expect(frame.locator("body")).to_contain_text("Still waiting.")


def test_my_games_have_such_a_frame_too(person):
    host, friend = person(), person()
    party = Party([host, friend])
    party.start("Rock-Paper-Scissors")
    host.open("/games")
    frame = host.page.frame_locator("iframe.status")
    expect(frame.locator("body")).to_contain_text("Nothing new.")
    party.join()
    expect(frame.locator("body")).to_contain_text("There's news")
    host.follow(frame.get_by_role("link", name="show the games"))
    assert "Your turn" in host.read("main")


# -- with it ------------------------------------------------------------------------


@pytest.fixture
def lively(person: People) -> Party:
    """Two captains with JavaScript; the first is to fire, the second waits."""
    host, friend = person(javascript=True), person(javascript=True, size=DESKTOP)
    return Party([host, friend]).sit("StrifeBarge")


def loads(person: Person) -> int:
    """How many pages they have been on."""
    return sum(each.is_navigation_request() for each in person.sent)


def test_a_waiting_page_becomes_the_playing_page_by_itself(lively):
    host, friend = lively.friends
    pages, calm, title = loads(friend), icon(friend), friend.page.title()
    host.press(host.page.locator(PLAYABLE).first)
    expect(friend.page.locator("#turn.mine")).to_be_visible()
    expect(friend.page).to_have_title("● Your turn – StrifeBarge")
    assert not title.startswith("●")
    assert icon(friend) != calm
    assert "turn" in icon(friend)
    assert loads(friend) == pages
    assert friend.see(".badge")
    friend.must_fit()
    friend.press(friend.page.locator(PLAYABLE).first)
    assert icon(friend) == calm
    expect(host.page.locator("#turn.mine")).to_be_visible()


def test_a_table_fills_before_the_eyes_of_whoever_waits_there(person):
    party = Party([person(javascript=True), person(javascript=True)])
    party.start("Rock-Paper-Scissors")
    expect(party.host.page.locator("#turn")).to_contain_text("Waiting for players.")
    party.join()
    expect(party.host.page.locator("#turn.mine")).to_be_visible()
    host, friend = party.friends
    host.press(host.page.locator(PLAYABLE).nth(0))
    expect(friend.page.locator(".seats")).to_contain_text("has chosen")
    friend.press(friend.page.locator(PLAYABLE).nth(1))
    expect(host.page.locator("section.result")).to_be_visible()
    friend.press("Rematch")
    expect(party.host.page.get_by_role("button", name="To the rematch")).to_be_visible()


def test_my_games_renew_themselves(person):
    host, friend = person(javascript=True), person(javascript=True)
    party = Party([host, friend])
    party.start("Rock-Paper-Scissors")
    host.open("/games")
    assert "Your turn" not in host.read("main")
    pages = loads(host)
    friend.open(party.link)
    friend.press(friend.page.locator(".join button"))
    expect(host.page.locator("main")).to_contain_text("Your turn")
    expect(host.page).to_have_title("(1) My games – StrifeBarge")
    assert host.page.locator("#said").inner_text().startswith("Rock-Paper-Scissors")
    assert loads(host) == pages


def test_the_place_where_somebody_is_on_the_page_is_kept(person):
    host, friend = person(javascript=True), person(javascript=True)
    Party([host, friend]).sit("StrifeBarge", sea="open")
    page = friend.page
    details, sea = page.locator("#tab-table"), page.locator(".scroll")
    details.locator("> summary").click()
    sea.evaluate("each => each.scrollTo(150, 40)")
    link = page.get_by_role("link", name="Leave …")
    link.focus()
    inside = sea.evaluate("each => [each.scrollLeft, each.scrollTop]")
    on_the_screen = link.bounding_box()["y"]
    host.press(host.page.locator(PLAYABLE).first)
    expect(page.locator("#turn.mine")).to_be_visible()
    expect(link).to_be_focused()
    expect(details).to_have_attribute("open", "")
    assert sea.evaluate("each => [each.scrollLeft, each.scrollTop]") == inside
    # Though the section above, in which one plans, has gone; to a pixel, by which browsers scroll.
    assert link.bounding_box()["y"] == pytest.approx(on_the_screen, abs=1)


def test_the_page_goes_on_around_what_somebody_is_typing(person):
    party = Party([person(javascript=True), person()])
    party.start("StrifeBarge", 3)
    watcher = person(javascript=True)
    watcher.open(party.link)
    halfway(watcher, "Mar")
    party.join()
    expect(watcher.page.locator("#turn")).to_contain_text("1 of 3 seats free")
    must_still_be_typing(watcher, "Mar")
    assert not watcher.see("#told")


def test_what_somebody_is_typing_stays_where_it_has_no_place_any_more_and_they_are_told(person):
    party = Party([person(javascript=True), person()])
    party.start("StrifeBarge", 2)
    watcher = person(javascript=True)
    watcher.open(party.link)
    halfway(watcher, "Mar")
    party.join()  # the last seat
    expect(watcher.page.locator("main")).to_contain_text("There's news")
    must_still_be_typing(watcher, "Mar")


def test_without_its_script_a_page_is_played_by_hand(person):
    party = Party([person(javascript=True), person(javascript=True)])
    for friend in party.friends:
        friend.page.route("**/live.*.js", lambda route: route.abort())
    party.sit("StrifeBarge")
    host, friend = party.friends
    for mover, waiter in (host, friend), (friend, host):
        mover.press(mover.page.locator(PLAYABLE).first)
        look_again(waiter)
        assert to_move(waiter)
