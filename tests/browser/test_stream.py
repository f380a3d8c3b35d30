"""Pages that are told at once: by a stream, one for a whole browser; and by asking, where it is lost."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Gather, People
from tests.browser.party import MOVES, PLAYABLE, SHOT, Party, nobody, to_move
from tests.browser.test_waiting import loads
from tests.support.browser import DESKTOP, Person
from tests.support.servers import Site, wait_for

JOINING = "form[action$='/join'] button"


@pytest.fixture(scope="module")
def streaming() -> Iterator[Site]:
    """A site with a stream."""
    run = ("-m", "gunicorn", "tests.browser.streaming:app")
    with Site(arguments=run, WORKERS="1", THREADS="32", LIMIT_CREATE="9999") as running:
        yield running


@pytest.fixture
def come(people_of: Gather, streaming: Site) -> Iterator[People]:
    people = people_of(streaming)
    yield lambda **how: people(javascript=True, **how)
    no_stream(streaming).unlink(missing_ok=True)


def no_stream(site: Site) -> Path:
    return site.data / "no-stream"


def streams(person: Person) -> int:
    """How many are open."""
    return int(nobody(person).get("/streams").text)


def one_each(*people: Person) -> None:
    """Each of their browsers has one stream, no more and no fewer, and for a second it stays so."""

    def steady() -> bool:
        for _ in range(10):
            if streams(people[0]) != len(people):
                return False
            time.sleep(0.1)
        return True

    wait_for(steady, awaited="one stream for each browser, and no more")


def listening(*people: Person) -> None:
    """Their pages have the stream by now, and ask no more."""

    def quiet() -> bool:
        people[0].page.wait_for_timeout(100)  # what was asked before is heard of late
        counts = [len(each.asked) for each in people]
        people[0].page.wait_for_timeout(1200)
        since = [path for each, n in zip(people, counts, strict=True) for path in each.asked[n:]]
        return not any("/version" in path for path in since)

    wait_for(quiet, awaited="a page that is told")


def test_a_move_is_one_request_and_all_see_it_with_what_they_type_and_where_they_are(come):
    host, friend, watcher = come(), come(size=DESKTOP), come()
    party = Party([host, friend]).sit("StrifeBarge")
    watcher.open(party.link)
    listening(host, friend, watcher)
    friend.tab("chat")
    friend.page.get_by_label("Message", exact=True).fill("half a sen")
    friend.page.evaluate("""() => {
        window.field = document.activeElement;
        field.setSelectionRange(2, 5);
    }""")
    before, pages = {each: len(each.asked) for each in (host, friend, watcher)}, loads(friend)
    host.press(host.page.locator(PLAYABLE).first)
    for each in (friend, watcher):
        expect(each.page.locator("ul.log")).to_contain_text(SHOT)
    expect(friend.page.locator("#turn.mine")).to_be_visible()
    field_state = "[field === document.activeElement, field.value, field.selectionStart, field.selectionEnd]"
    assert friend.page.evaluate(field_state) == [True, "half a sen", 2, 5]
    assert not friend.see("#told")
    assert loads(friend) == pages
    path = party.link.removeprefix(host.address)
    assert host.asked[before[host] :] == [f"POST {path}/turn"]
    assert friend.asked[before[friend] :] == [f"GET {path}"]
    assert watcher.asked[before[watcher] :] == [f"GET {path}"]
    friend.page.keyboard.press("End")
    friend.page.keyboard.type("tence")
    friend.page.keyboard.press("Enter")
    expect(host.page.locator(".talk")).to_contain_text("half a sentence")
    expect(friend.page.get_by_label("Message", exact=True)).to_have_value("")
    expect(friend.page.get_by_label("Message", exact=True)).to_be_focused()


def test_a_refused_move_says_why_on_the_page_as_it_is(come):
    host = Party([come(), come()]).sit("StrifeBarge").host
    host.tab("chat")
    host.page.get_by_label("Message", exact=True).fill("half a sen")
    host.page.get_by_label("Square").fill("Z99")
    pages, address = loads(host), host.page.url
    host.press(host.page.locator(f"{MOVES} button[name=do]"), status=422)
    expect(host.page.locator("#notice[role=alert]")).to_be_in_viewport()
    expect(host.page.get_by_label("Message", exact=True)).to_have_value("half a sen")
    assert (loads(host), host.page.url) == (pages, address)
    host.press(host.page.locator(PLAYABLE).first)
    assert not host.see("#notice")
    assert not to_move(host)


def test_six_tabs_of_a_browser_have_one_stream_and_a_tab_that_is_closed_takes_none_of_it(come):
    host, friend = Party([come(), come()]).sit("StrifeBarge").friends
    tabs = [friend.open_tab() for _ in range(5)]
    for tab in (*tabs[1:], friend.page):
        tab.goto(host.page.url)
    one_each(host, friend)
    tabs.pop().close()
    host.press(host.page.locator(PLAYABLE).first)
    for tab in (*tabs, friend.page):
        expect(tab.locator("#turn.mine")).to_be_visible()
    one_each(host, friend)


def test_where_there_are_no_shared_workers_one_tab_listens_for_all(come):
    host, friend = come(), come()
    friend.context.add_init_script("delete window.SharedWorker;")
    Party([host, friend]).sit("StrifeBarge")
    one_each(host, friend)
    first = friend.open_tab()
    friend.open(host.page.url)
    one_each(host, friend)
    host.press(host.page.locator(PLAYABLE).first)
    for tab in (first, friend.page):
        expect(tab.locator("#turn.mine")).to_be_visible()
    friend.page.close()  # the one that listened: the other takes its place
    friend.page = first
    friend.press(friend.page.locator(PLAYABLE).first)
    expect(host.page.locator("#turn.mine")).to_be_visible()
    one_each(host, friend)


def test_a_lost_stream_is_made_up_for_by_asking_and_comes_back(come, streaming):
    host, friend = Party([come(), come()]).sit("StrifeBarge").friends
    listening(host, friend)
    no_stream(streaming).touch()
    with friend.page.expect_request("**/version"):
        pass
    host.press(host.page.locator(PLAYABLE).first)
    expect(friend.page.locator("#turn.mine")).to_be_visible()
    no_stream(streaming).unlink()
    wait_for(lambda: streams(host) == 2, awaited="the stream")
    listening(host, friend)


def test_a_site_that_was_restarted_is_found_again(come, streaming):
    host, friend = Party([come(), come()]).sit("StrifeBarge").friends
    listening(host, friend)
    streaming.restart()
    host.press(host.page.locator(PLAYABLE).first)
    expect(friend.page.locator("#turn.mine")).to_be_visible()
    wait_for(lambda: streams(host) == 2, awaited="the stream")
    for each in (host, friend):
        expect(each.page.locator("#offline")).to_have_count(0)
        each.troubles.clear()


HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {get: () => hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_page_that_nobody_looks_at_lets_go_of_the_stream_and_catches_up_when_it_is_seen(come):
    host, friend = Party([come(), come()]).sit("StrifeBarge").friends
    listening(host, friend)
    friend.page.evaluate(HIDE, True)
    host.press(host.page.locator(PLAYABLE).first)
    wait_for(lambda: streams(host) == 1, awaited="a stream that ends")
    assert not to_move(friend)
    friend.page.evaluate(HIDE, False)
    expect(friend.page.locator("#turn.mine")).to_be_visible()
    wait_for(lambda: streams(host) == 2, awaited="the stream")


def test_an_answer_that_comes_late_does_not_undo_what_was_done_meanwhile(come):
    host, friend = Party([come(), come()]).sit("StrifeBarge").friends
    listening(host, friend)
    late: list[Route] = []
    pieces = "**/g/*"

    def keep(route: Route) -> None:
        late.append(route) if route.request.method == "GET" and not late else route.continue_()

    host.page.route(pieces, keep)
    friend.tab("chat")
    friend.page.get_by_label("Message", exact=True).fill("Ahoy")
    friend.page.keyboard.press("Enter")
    wait_for(lambda: host.page.evaluate("1") and late, awaited="the question")
    old = late[0].fetch()
    host.press(host.page.locator(PLAYABLE).first)
    assert not to_move(host)
    host.page.evaluate("""() => {
        window.mine = 0;
        const look = () => { mine += document.querySelectorAll("#turn.mine").length; };
        const all = {childList: true, subtree: true, attributes: true};
        new MutationObserver(look).observe(document.querySelector("main"), all);
    }""")
    late[0].fulfill(response=old)
    expect(host.page.locator(".talk")).to_contain_text("Ahoy")
    assert host.page.evaluate("mine") == 0
    assert not to_move(host)


def test_a_form_that_the_network_loses_is_sent_again_and_counts_once(come):
    host = Party([come(), come()]).sit("StrifeBarge").host
    lost: list[str] = []

    def lose(route: Route) -> None:
        """The site has it; its answer never comes."""
        if lost:
            return route.continue_()
        lost.append(route.fetch().text())
        return route.abort("connectionreset")

    host.page.route("**/turn", lose)
    host.press(host.page.locator(PLAYABLE).first)
    assert lost
    assert host.page.locator("ul.log li", has_text=SHOT).count() == 1
    assert not to_move(host)


def test_a_form_sent_without_a_network_goes_when_there_is_one(come):
    host = Party([come(), come()]).sit("StrifeBarge").host
    host.tab("chat")
    host.page.get_by_label("Message", exact=True).fill("half a sen")
    host.context.set_offline(True)
    host.page.locator(PLAYABLE).first.click()
    expect(host.page.locator("#offline")).to_be_visible()
    with host.arriving():
        host.context.set_offline(False)
    assert not to_move(host)
    assert not host.see("#offline")
    expect(host.page.get_by_label("Message", exact=True)).to_have_value("half a sen")


def test_two_forms_at_once_go_one_after_the_other(come):
    host, _ = Party([come(), come()]).sit("StrifeBarge").friends
    host.tab("chat")
    host.page.get_by_label("Message", exact=True).fill("Ahoy")
    host.page.evaluate("""() => {
        document.querySelector("form.moves-form button[name=move]:not([aria-disabled])").click();
        document.querySelector("form.say button").click();
    }""")
    expect(host.page.locator(".talk")).to_contain_text("Ahoy")
    expect(host.page.locator("ul.log")).to_contain_text(SHOT)
    expect(host.page.get_by_label("Message", exact=True)).to_have_value("")


def test_a_message_too_many_keeps_the_page_and_stays_in_its_field_whatever_happens_then(come):
    host, friend = Party([come(), come()]).sit("StrifeBarge").friends
    host.tab("chat")
    field = host.page.get_by_label("Message", exact=True)
    for number in range(6):
        field.fill(f"line {number}")
        with host.page.expect_response("**/say") as answer:
            field.press("Enter")
    assert answer.value.status == 429
    expect(host.page.locator("#notice")).to_contain_text("That's a lot of messages.")
    assert host.see("#board")
    mover = host if to_move(host) else friend
    mover.press(mover.page.locator(PLAYABLE).first)
    expect(host.page.locator("ul.log")).to_contain_text(SHOT)
    expect(host.page.locator("#notice")).to_have_count(0)
    expect(field).to_have_value("line 5")


def test_who_is_removed_before_the_game_is_told_so(come):
    host, friend = Party([come(), come()]).sit("StrifeBarge", 3).friends
    host.press(host.page.get_by_role("button", name="Remove"))
    expect(friend.page.locator("#unseated")).to_have_text("You no longer have a seat at this table.")
    assert "sat" not in friend.page.url


def test_a_double_click_under_which_the_page_has_changed_presses_once(come):
    host = Party([come(), come()]).sit("StrifeBarge").host
    before = len(host.asked)
    with host.arriving():
        host.page.evaluate("""() => {
            const how = {bubbles: true, cancelable: true, clientX: 9, clientY: 9};
            const click = (detail) => new MouseEvent("click", {...how, detail});
            const move = "form.moves-form button[name=move]:not([aria-disabled])";
            document.querySelector(move).dispatchEvent(click(1));
            document.querySelector("form.say button[name=phrase]").dispatchEvent(click(2));
        }""")
    host.page.wait_for_timeout(300)
    assert [path.rpartition("/")[2] for path in host.asked[before:] if path.startswith("POST")] == ["turn"]


def test_pages_of_the_site_as_it_is_run_are_told_by_its_hub(person):
    host, friend = Party([person(javascript=True), person(javascript=True)]).sit("StrifeBarge").friends
    listening(host, friend)
    before = len(friend.asked)
    host.press(host.page.locator(PLAYABLE).first)
    expect(friend.page.locator("#turn.mine")).to_be_visible()
    assert not any("/version" in path for path in friend.asked[before:])


def test_the_page_of_a_tournament_is_told_and_what_is_typed_there_stays(come):
    host, friend, late = come(), come(), come()
    host.open("/tournaments/new/rps")
    host.page.get_by_label("Name of the tournament").fill("The cup")
    host.press("Open the tournament")
    for each in (friend, late):
        each.open(host.page.url)
    listening(host, friend, late)
    late.page.get_by_label("Your name").fill("Lat")
    before = loads(host)
    friend.page.get_by_label("Your name").fill("Frida")
    friend.press(friend.page.locator(JOINING))
    expect(host.page.locator("#people")).to_have_text("1 player")
    expect(host.page.locator("ul.seats")).to_contain_text("Frida")
    expect(late.page.get_by_label("Your name")).to_have_value("Lat")
    late.page.get_by_label("Your name").fill("Late")
    late.press(late.page.locator(JOINING))
    expect(friend.page.locator("ul.seats")).to_contain_text("Late")
    assert loads(host) == before
    host.press("Start the tournament")
    for each in (friend, late):
        expect(each.page.get_by_role("link", name="Go to your game")).to_be_visible()
