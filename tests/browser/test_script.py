"""What the script says and does besides boards: news aloud, a lost network, Back; and what if it breaks."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Route, expect

from games.strifebarge.rules import FLEET
from strifebarge.web.render.assets import script
from tests.browser.party import MOVES, PLAYABLE, Lookouts, Party, at_random, look_again, over, to_move, typed
from tests.browser.test_access import TAGS
from tests.browser.test_boards import come_to, keys
from tests.browser.test_forms import held, posts, shots
from tests.browser.test_waiting import halfway, must_still_be_typing
from tests.support.browser import Person

LONGEST = 140  # characters that are said at once

# Keeps all that is said, and the place where it is said, so that it can be seen whether it is still the same.
LISTEN = """() => {
    window.place = document.getElementById("said");
    window.heard = [];
    const all = {childList: true, characterData: true, subtree: true};
    new MutationObserver(() => heard.push(place.textContent)).observe(place, all);
}"""


@pytest.fixture
def come(person):
    return lambda **how: person(javascript=True, **how)


@pytest.fixture
def two(come):
    """Makes a game that has begun, of two people whose scripts run; the first is to move."""
    return lambda title="StrifeBarge", **options: Party([come(), come()]).sit(title, **options)


# -- what is said -------------------------------------------------------------------


def listen(person: Person) -> None:
    """Nothing has been said yet; from now on it is kept."""
    place = person.page.locator("#said")
    assert place.inner_text() == ""
    assert place.get_attribute("role") == "status"
    assert place.get_attribute("aria-live") == "polite"
    assert place.get_attribute("aria-atomic") == "true"
    assert person.page.locator("[role=status], [aria-live]").count() == 1
    person.page.evaluate(LISTEN)


def heard(person: Person, number: int) -> list[str]:
    """`number` things were said, each in the same place and at once."""
    person.page.wait_for_function("number => heard.length >= number", arg=number)
    assert person.page.evaluate("place === document.getElementById('said') && place.isConnected")
    announcements = list(person.page.evaluate("heard"))
    assert len(announcements) == number, announcements
    assert all(0 < len(each) <= LONGEST for each in announcements), announcements
    return announcements


def test_a_shot_and_whose_turn_it_is_are_said_once(two):
    host, friend = two().friends
    look_again(friend)
    listen(friend)
    square = host.page.locator(PLAYABLE).first.inner_text()
    host.press(host.page.locator(PLAYABLE).first)
    assert heard(friend, 1)[0] in [
        f"Guest Foxtrot missed at {square}. Your turn.",
        *(f"Guest Foxtrot hit your {ship} at {square}! Your turn." for ship in FLEET),
    ]


def test_what_is_no_move_is_said_too(come):
    host, friend, other = come(), come(), come()
    party = Party([host, friend, other])
    party.start("StrifeBarge", 3)
    listen(host)
    friend.open(party.link)
    friend.press(friend.page.locator(".join button"))
    assert heard(host, 1) == ["1 of 3 seats free."]
    other.open(party.link)
    other.press(other.page.locator(".join button"))
    assert heard(host, 2)[1] == "Your turn."
    friend.page.wait_for_selector(".stage:not(.open)")  # the log is now in front of the menu
    friend.follow("Leave …")
    friend.press("Leave for good")
    assert "Guest Golf" in heard(host, 3)[2]
    other.follow("Leave …")
    other.press("Leave for good")
    assert heard(host, 4)[3].endswith("Game over. You won!")


def test_that_another_has_chosen_is_said_and_then_what(two):
    host, friend = two("Rock-Paper-Scissors", best_of="3").friends
    look_again(friend)
    listen(friend)
    host.press(host.page.locator(PLAYABLE).first)
    assert heard(friend, 1)[0].startswith("Guest Foxtrot")
    assert "has chosen" in heard(friend, 1)[0]
    look_again(host)
    listen(host)
    friend.press(friend.page.locator(PLAYABLE).nth(1))
    assert "paper" in heard(host, 1)[0]


def test_news_are_said_while_somebody_is_in_the_field_for_moves_and_it_stays_theirs(come):
    party = Party([come(), come(), come()]).sit("StrifeBarge", 3)
    host, friend, other = party.friends
    field = host.page.get_by_label("Square")
    field.focus()
    host.page.evaluate("window.field = document.activeElement")
    listen(host)
    look_again(friend)
    friend.follow("Leave …")
    friend.press("Leave for good")
    assert "Guest Golf" in heard(host, 1)[0]
    assert host.page.evaluate("window.field === document.activeElement")
    host.page.keyboard.type("K9")
    other.open(party.link)
    other.follow("Leave …")
    other.press("Leave my seat")
    assert len(heard(host, 2)) == 2
    expect(host.page.locator(".seats")).to_contain_text("Juliett – free")
    expect(field).to_have_value("K9")
    expect(field).to_be_focused()


def test_a_whole_game_is_told_to_whoever_watches_briefly(come):
    party = Party([come(), come()]).sit("StrifeBarge", salvo="true")
    watcher = come()
    watcher.open(party.link)
    listen(watcher)
    party.play(Lookouts(Random(7), honest=0).choose)
    expect(watcher.page.locator("section.result")).to_be_visible()
    assert watcher.page.evaluate("place === document.getElementById('said')")
    announcements = watcher.page.evaluate("heard")
    assert announcements[-1].endswith("won.")
    assert max(map(len, announcements)) <= LONGEST


# -- forms on their way, Back -------------------------------------------------------


def test_a_form_on_its_way_is_not_sent_again_and_keeps_what_was_pressed(two, site):
    host = two().host
    square = host.page.locator(PLAYABLE).nth(50)
    name, number = square.inner_text(), host.page.locator(f"{MOVES} button").count()
    square.scroll_into_view_if_needed()
    spot = square.bounding_box()
    middle = spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2
    host.page.evaluate("window.kept = true")
    with held(site):
        with host.page.expect_request("**/turn"):
            host.page.mouse.click(*middle)
        host.page.mouse.click(*middle)
        expect(host.page.locator(f"{MOVES} button[aria-disabled]")).to_have_count(number)
        assert host.page.locator("[aria-busy]").inner_text() == name
    host.page.wait_for_url("**?done=*")
    assert host.page.evaluate("window.kept")
    assert not host.see("[aria-busy], [data-sent]")
    assert name in host.read("ul.log")
    assert len(posts(host)) == 1
    assert shots(host) == 1


def test_back_leads_out_of_the_table_and_forward_to_the_board_as_it_is(keeper):
    party = Party([keeper(javascript=True), keeper(javascript=True)]).sit("StrifeBarge")
    host = party.host
    before = host.page.evaluate("history.length")
    host.page.get_by_label("Square").fill(host.page.locator(PLAYABLE).first.inner_text())
    host.press(host.page.locator(f"{MOVES} button[name=do]"))
    assert host.page.evaluate("history.length") == before
    host.open("/about")
    host.page.go_back(wait_until="commit")
    expect(host.page.locator("#turn")).to_contain_text("Waiting for")
    assert not host.see(f"{PLAYABLE}, [data-sent], [aria-busy]")
    assert not host.see("#told")
    assert shots(host) == 1


def test_after_back_the_buttons_of_a_page_that_is_still_true_can_be_pressed(keeper):
    host = Party([keeper(javascript=True), keeper(javascript=True)]).sit("StrifeBarge").host
    count = host.page.locator(PLAYABLE).count()
    host.page.get_by_label("Square").fill("Z99")
    host.press(host.page.locator(f"{MOVES} button[name=do]"), status=422)
    host.open("/about")
    host.page.go_back(wait_until="commit")
    expect(host.page.locator(PLAYABLE)).to_have_count(count)
    assert not host.see("[data-sent], [aria-busy]")
    host.press(host.page.locator(PLAYABLE).first)
    assert not to_move(host)


# -- without a network --------------------------------------------------------------


def test_leaving_a_table_before_the_next_page_is_there_is_no_error(two):
    page = two().host.page
    page.emulate_media(reduced_motion="no-preference")
    table = page.url
    for _ in range(3):
        page.evaluate("() => { location = '/games'; setTimeout(() => { location = '/about'; }, 0); }")
        page.wait_for_url("**/about")
        page.goto(table)


def test_a_lost_network_is_said_at_the_edge_and_goes_away_by_itself(two):
    host, friend = two().friends
    look_again(friend)
    listen(friend)
    friend.context.set_offline(True)
    notice = friend.page.locator("#offline")
    expect(notice).to_contain_text("Offline. Trying again in")
    expect(notice).to_be_in_viewport()
    assert heard(friend, 1) == ["Offline."]
    edges = (
        Axe().run(friend.page, options={"runOnly": {"type": "tag", "values": TAGS}}).response["violations"]
    )
    assert not edges, edges
    friend.page.get_by_role("button", name="Try now").click()
    expect(notice).to_be_visible()
    host.press(host.page.locator(PLAYABLE).first)
    friend.context.set_offline(False)
    expect(friend.page.locator("#turn.mine")).to_be_visible()
    expect(notice).to_have_count(0)
    assert heard(friend, 2)[1].endswith("Your turn.")


def test_who_tries_now_need_not_wait(two):
    host, friend = two().friends
    friend.context.add_init_script("delete window.SharedWorker;")  # whose requests could not be held up
    for question in "**/version*", "**/live?*":
        friend.page.route(question, lambda route: route.abort())
    look_again(friend)
    notice = friend.page.locator("#offline")
    expect(notice).to_be_visible()
    host.press(host.page.locator(PLAYABLE).first)
    friend.page.unroute("**/version*")  # until it tries by itself there are some seconds
    friend.page.get_by_role("button", name="Try now").click()
    expect(notice).to_have_count(0)
    expect(friend.page.locator("#turn.mine")).to_be_visible()


def test_a_table_that_was_deleted_is_said_to_be_gone_and_not_asked_for_again(come):
    host, friend = come(), come()
    party = Party([host, friend])
    party.start("StrifeBarge", 3)
    friend.open(party.link)
    friend.press(friend.page.locator(".join button"))
    look_again(friend)
    listen(friend)
    host.reload()
    host.follow("Leave …")
    host.press("Delete table")
    gone = "This game was deleted."
    expect(friend.page.locator("#told")).to_contain_text(gone)
    assert heard(friend, 1) == [gone]
    requests = []
    friend.page.on("request", lambda request: requests.append(request.url))
    friend.page.wait_for_timeout(3000)
    assert requests == []
    expect(friend.page.locator("#offline")).to_have_count(0)
    [trouble] = friend.troubles  # that is how the page learns of it
    assert "404" in trouble
    friend.troubles.clear()


# -- links to send ------------------------------------------------------------------


def test_the_link_to_send_is_copied_with_a_button(come):
    host = come()
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    party = Party([host])
    party.start("StrifeBarge")
    host.page.get_by_role("button", name="Copy", exact=True).click()
    expect(host.page.get_by_role("button", name="Copied", exact=True)).to_be_visible()
    assert host.page.evaluate("navigator.clipboard.readText()") == party.link


def test_it_is_shared_where_there_is_something_to_share_it_with(come):
    host = come()
    host.context.add_init_script("navigator.share = async (what) => { window.shared = what.url; };")
    party = Party([host])
    party.start("StrifeBarge")
    host.page.get_by_role("button", name="Share …").click()
    assert host.page.evaluate("window.shared") == party.link


def test_without_scripts_there_is_no_such_button(person):
    host = person()
    Party([host]).start("StrifeBarge")
    assert not host.see("text=Copy")


# -- when it breaks -----------------------------------------------------------------

BREAKS: dict[str, str] = {
    "at its start": "",
    "without the network": "fetch = () => { throw new Error('broken'); };",
    "making boards": "Element.prototype.closest = () => { throw new Error('broken'); };",
    "in each listener": "Document.prototype.querySelector = () => { throw new Error('broken'); };",
}


def broken_at_once(route: Route) -> None:
    route.fulfill(content_type="text/javascript", body="throw new Error('broken');" + script("live.js"))


@pytest.fixture(params=BREAKS)
def unlucky(request, come) -> Iterator[Any]:
    """Makes people whose script breaks; that is their only trouble."""
    met = []

    def unlucky() -> Person:
        each = come()
        if code := BREAKS[request.param]:
            each.context.add_init_script(code)
        else:
            each.context.route("**/live.*.js", broken_at_once)
        met.append(each)
        return each

    yield unlucky
    for each in met:
        assert all("broken" in trouble for trouble in each.troubles), each.troubles
        each.troubles.clear()


@pytest.mark.parametrize(
    "title",
    ["StrifeBarge", *(pytest.param(title, marks=pytest.mark.slow) for title in ("Chess", "Crazy Eights"))],
)
def test_with_a_broken_script_games_are_played_as_without(unlucky, title):
    party = Party([unlucky(), unlucky()]).sit(title)
    chance = Random(title)
    for _ in party.friends:
        at_random(chance)(party.mover())
    party.give_up()
    assert all(map(over, party.friends))


def test_where_a_browser_keeps_nothing_boards_forget_the_square_and_no_more(come):
    host = come()
    host.context.add_init_script("Storage.prototype.setItem = Storage.prototype.getItem = null;")
    Party([host, come()]).sit("StrifeBarge")
    come_to(host)
    assert keys(host, "Control+End", "Home") == "A10"


def test_a_page_with_another_style_sheet_is_loaded_anew(two):
    """As when an author has changed it, or the site was brought up to date."""
    host, friend = two().friends
    look_again(friend)
    friend.page.evaluate("window.kept = true")
    friend.page.evaluate("document.querySelector('link[rel=stylesheet]').href += '?older'")
    host.press(host.page.locator(PLAYABLE).first)
    friend.page.wait_for_function("() => window.kept === undefined")
    assert friend.page.evaluate("document.querySelector('link[href*=older]')") is None


def test_typing_is_never_hindered_by_boards(two):
    host = two("Chess").host
    come_to(host)
    host.page.locator("#notation").focus()
    host.page.keyboard.type("e4")
    assert host.page.locator("#notation").input_value() == "e4"
    with host.arriving():
        host.page.keyboard.press("Enter")
    assert "e4" in host.page.locator(".scoresheet").text_content()


def test_a_name_half_typed_stays_while_the_board_goes_on(come):
    party = Party([come(), come()])
    party.start("StrifeBarge", 3)
    watcher = come()
    watcher.open(party.link)
    listen(watcher)
    halfway(watcher, "Mar")
    party.join()
    assert heard(watcher, 1) == ["1 of 3 seats free."]
    must_still_be_typing(watcher, "Mar")


# -- time that runs out -----------------------------------------------------------------


def on_the_clock(come: Any) -> Person:
    """A game of five minutes a move, whose first player has a clock decades behind that goes as we say."""
    host = come()
    Party([host, come()]).sit("StrifeBarge", pace="turn-300")
    host.page.emulate_media(reduced_motion="no-preference")
    host.page.clock.install(time="2001-02-03T04:05:06")
    look_again(host)
    # The site's time does not go as the page's does: nothing that it says anew may set the page right.
    host.page.route("**/g/*", _unchanged)
    return host


def _unchanged(route: Any) -> None:
    """Answer a page that asks for itself again that nothing has changed."""
    if "x-piece" in route.request.headers:
        route.fulfill(status=304)
    else:
        route.continue_()


def seen_left(person: Person) -> str:
    return person.page.locator("#clock time [aria-hidden]").inner_text()


def time_left(person: Person) -> str:
    return person.page.locator("#clock time .vh").text_content() or ""


def seconds(words: str) -> int:
    """How many `4 minutes 12 seconds` are."""
    numbers = words.split()
    sizes = {"minute": 60, "minutes": 60, "second": 1, "seconds": 1}
    return sum(int(n) * sizes[unit] for n, unit in zip(numbers[::2], numbers[1::2], strict=True))


# Keeps what a screen reader finds there.
FOLLOW = """() => {
    const place = document.querySelector("#clock time .vh");
    window.told = [];
    new MutationObserver(() => told.push(place.textContent)).observe(place, {childList: true});
}"""


def test_what_is_left_is_counted_down_whatever_the_devices_own_clock_says(come):
    host = on_the_clock(come)
    before = seconds(seen_left(host))
    assert 240 < before <= 300
    host.page.clock.run_for(20_000)
    assert before - 21 <= seconds(seen_left(host)) <= before - 19


def test_those_who_listen_are_told_each_minute_and_aloud_when_little_is_left(come):
    host = on_the_clock(come)
    listen(host)
    host.page.evaluate(FOLLOW)
    host.page.clock.run_for((seconds(seen_left(host)) - 5) * 1000)
    times = host.page.evaluate("told")
    assert times[-5:] == ["3 minutes", "2 minutes", "1 minute", "30 seconds", "10 seconds"]
    announcements = [each for each in host.page.evaluate("heard") if each.startswith("You have")]
    assert announcements == [f"You have {left} left." for left in ("1 minute", "30 seconds", "10 seconds")]
    assert host.page.locator("[role=status], [aria-live]").count() == 1
    assert host.page.locator("#clock time").get_attribute("role") == "timer"


def test_who_wants_nothing_to_move_sees_it_each_minute(come):
    host = on_the_clock(come)
    host.page.emulate_media(reduced_motion="reduce")
    host.page.clock.run_for(2000)
    before = seen_left(host)
    host.page.clock.run_for(20_000)
    after = seen_left(host)
    assert after == before or after.endswith("minutes")
    assert after == time_left(host)


def test_without_the_words_for_it_the_page_stays_as_it_came(come):
    host = come()
    host.context.add_init_script("delete Intl.NumberFormat")
    Party([host, come()]).sit("StrifeBarge", pace="turn-300")
    assert host.read("#clock").startswith("You have 4 minutes")
    assert not host.see("#clock [role=timer]")
    host.troubles.clear()  # that is what it said about it


# -- looking back -------------------------------------------------------------------


def test_keys_leaf_through_the_moves_and_leave_the_board_its_own(two):
    party = two("Chess")
    party.play(typed(["e4", "e5", "Nf3"]), 3)
    host = party.host
    host.open(f"{party.link}/at/3")
    for key, number in [("ArrowLeft", 2), ("Home", 0), ("ArrowRight", 1), ("End", 3)]:
        with host.arriving():
            host.page.keyboard.press(key)
        assert host.page.url.endswith(f"/at/{number}")
    host.page.keyboard.press("End")  # there is nothing later
    host.page.keyboard.press("Shift+ArrowLeft")
    come_to(host)
    host.page.keyboard.press("ArrowRight")
    host.page.wait_for_timeout(200)
    assert host.page.url.endswith("/at/3")


# -- no cookies ---------------------------------------------------------------------

COOKIELESS = "Object.defineProperty(document, 'cookie', { get: () => '', set() {} });"


def test_whose_browser_blocks_cookies_is_told_before_they_take_a_seat(come):
    host, guest = come(), come()
    guest.context.add_init_script(COOKIELESS)
    for path in "/", "/new/rps":
        for each, warned in (host, False), (guest, True):
            each.open(path)
            expect(each.page.locator("#forgetful")).to_be_visible(visible=warned)
    assert guest.read("#forgetful") == "Your browser blocks cookies. To play, allow them for this site."
    assert host.context.cookies() == []
