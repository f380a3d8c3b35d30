"""Forms as people really send them: twice, too late, from an old page, filled in wrongly."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import People
from tests.browser.party import MOVES, PICKS, PLAYABLE, SHOT, Party, look_again, tick, to_move, wanted
from tests.support.browser import DESKTOP, Person
from tests.support.servers import Site


@pytest.fixture
def sea(person: People) -> Party:
    """Two captains, and the first to fire."""
    return Party([person(), person(size=DESKTOP)]).sit("StrifeBarge")


@contextmanager
def held(site: Site) -> Iterator[None]:
    """The site hears nothing for a while, and what was said meanwhile afterwards."""
    workers = site.workers()
    try:
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        yield
    finally:
        for pid in workers:
            os.kill(pid, signal.SIGCONT)


def shots(person: Person) -> int:
    """How many have been fired, by the whole log of the game before them."""
    table = person.page.url.partition("?")[0].removesuffix("/turn").removesuffix("/sure")
    person.open(f"{table}/log")
    fired = person.page.locator("ul.log li", has_text=SHOT).count()
    person.open(table)
    return fired


def posts(person: Person) -> list[str]:
    return [request for request in person.asked if request.startswith("POST") and request.endswith("/turn")]


def token(page: Page) -> str | None:
    return page.locator("#notice").get_attribute("data-token")


def test_two_quick_clicks_are_one_move(sea, site):
    square = sea.host.page.locator(PLAYABLE).nth(50)
    square.scroll_into_view_if_needed()
    spot = square.bounding_box()
    middle = spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2
    with held(site):
        for _ in range(2):
            with sea.host.page.expect_request("**/turn"):
                sea.host.page.mouse.click(*middle)
    sea.host.page.wait_for_url("**?done=*")
    assert len(posts(sea.host)) == 2
    assert shots(sea.host) == 1


def test_back_and_forward_and_reload_play_nothing_again(sea):
    sea.host.press(sea.host.page.locator(PLAYABLE).first)
    sea.host.reload()
    sea.host.back()
    assert not to_move(sea.host)
    sea.host.forward()
    assert not to_move(sea.host)
    assert shots(sea.host) == 1
    assert len(posts(sea.host)) == 1


def test_a_page_gone_back_to_plays_nothing_and_shows_the_board_as_it_is(keeper):
    party = Party([keeper(), keeper()]).sit("StrifeBarge")
    host, friend = party.friends
    host.press(host.page.locator(PLAYABLE).first)
    look_again(friend)
    friend.press(friend.page.locator(PLAYABLE).first)
    look_again(host)
    stale = host.page.locator(PLAYABLE).count()
    host.press(host.page.locator(PLAYABLE).first)
    host.page.go_back(wait_until="commit")
    assert host.page.locator(PLAYABLE).count() == stale
    host.press(host.page.locator(PLAYABLE).nth(40), status=409)
    assert host.see("#notice")
    assert host.read("#turn").startswith("Waiting for")
    assert not host.see(PLAYABLE)
    assert shots(friend) == 3


def test_a_tab_left_behind_plays_nothing_and_has_the_fresh_board_below(sea):
    host, friend = sea.friends
    left = host.open_tab()
    host.open(sea.link)
    host.press(host.page.locator(PLAYABLE).first)
    look_again(friend)
    friend.press(friend.page.locator(PLAYABLE).first)
    host.page.close()
    host.page = left
    before = host.page.locator(PLAYABLE).count()
    host.press(host.page.locator(PLAYABLE).nth(40), status=409)
    assert token(host.page) == "game.stale"
    assert "Look at the new position and choose again." in host.read("#notice")
    assert to_move(host)
    assert host.page.locator(PLAYABLE).count() < before
    host.press(host.page.locator(PLAYABLE).first)
    assert shots(host) == 3


def test_reloading_a_refusal_is_harmless(sea):
    sea.host.page.get_by_label("Square").fill("Z99")
    sea.host.press("Fire", status=422)
    sea.host.reload(status=422)
    assert token(sea.host.page) == "strifebarge.no_such_square"
    assert to_move(sea.host)
    assert shots(sea.host) == 0


def test_a_salvo_of_the_wrong_size_keeps_what_was_ticked(person):
    party = Party([person(), person()]).sit("StrifeBarge", salvo="true")
    host = party.host
    boxes = host.values(f"{MOVES} input[type=checkbox]")
    tick(host, boxes[:2])
    host.press("Fire", status=422)
    assert token(host.page) == "strifebarge.wrong_salvo"
    assert host.values(f"{MOVES} input:checked") == boxes[:2]
    tick(host, boxes[2 : wanted(host)])
    host.press("Fire")
    assert shots(host) == 3


def test_a_card_that_cannot_be_played_says_why_when_it_is_pressed(person):
    for _ in range(20):  # until a hand has such a card, which nearly every hand has
        party = Party([person(), person()]).sit("Crazy Eights")
        greyed = party.host.page.locator(f"{MOVES} button[aria-disabled]")
        if greyed.count():
            break
    assert greyed.first.get_attribute("title")
    with party.host.arriving(422):
        greyed.first.click(force=True)  # Playwright itself takes such a button for one that cannot be pressed
    assert token(party.host.page) == "eights.no_match"
    assert to_move(party.host)


def test_who_wants_to_be_asked_once_more_is_asked(sea):
    host = sea.host
    host.follow("About this site")  # in the foot, which the bar does not cover
    host.prefer("Confirm moves", "Always")
    host.open(sea.link)
    square = host.page.locator(PLAYABLE).first
    name = square.inner_text()
    host.press(square)
    assert name in host.read("#sure")
    host.follow("Keep choosing")
    assert shots(host) == 0
    host.press(host.page.locator(PLAYABLE).first)
    host.press(host.page.locator("#sure button"))
    assert shots(host) == 1


@pytest.mark.parametrize(
    ("title", "options", "clicks"),
    [("StrifeBarge", {}, 1), ("StrifeBarge", {"pace": "days-3"}, 2), ("Chess", {}, 2)],
    ids=["a shot", "a shot where there are days for it", "a move of chess"],
)
def test_a_move_costs_few_clicks(person, title, options, clicks):
    host = Party([person(), person()]).sit(title, **options).host
    before = host.clicks
    while to_move(host):
        moves = host.page.locator(f"{PLAYABLE}:not([value=offer_draw])")
        host.press((moves if moves.count() else host.page.locator(PICKS)).first)
        if host.see("text=Nothing is played yet."):
            host.press(host.page.locator("#sure button"))
    assert host.clicks == before + clicks


def test_an_eight_is_played_with_two_clicks(person):
    for _ in range(20):
        host = Party([person(), person()]).sit("Crazy Eights").host
        eights = host.page.locator(f"{PLAYABLE}[value^='play 8']")
        if eights.count():
            break
    before = host.clicks
    host.press(eights.first)
    host.press(host.page.locator(f"{PLAYABLE}[value^='name']").first)
    assert not to_move(host)
    assert host.clicks == before + 2


def test_a_code_read_out_leads_to_the_table(sea, person):
    code = sea.link.rpartition("/")[2].lower()
    caller = person()
    caller.open("/")
    caller.page.get_by_label("Have a code?").fill(f"{code[:3]}-{code[3:6]} {code[6:]}")
    caller.press("Go")
    assert caller.page.url == sea.link
    assert caller.read("#turn").startswith("You're watching.")


def test_a_seat_handed_on_is_played_on_by_whoever_takes_it(sea, person):
    host, heir = sea.host, person()
    host.follow("Leave …")
    heir.open(host.page.get_by_label("Link to your seat").input_value())
    heir.press("Take the seat")
    assert to_move(heir)
    heir.press(heir.page.locator(PLAYABLE).first)
    host.open(sea.link)
    assert not host.see(PLAYABLE)
    assert shots(host) == 1


def test_a_seat_left_free_waits_for_whoever_sits_down(sea, person):
    host, heir = sea.host, person()
    host.follow("Leave …")
    host.press("Leave my seat")
    heir.open(sea.link)
    heir.press(heir.page.locator(".join button"))
    assert to_move(heir)
