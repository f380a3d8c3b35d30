"""Chat at a table: what is unread is marked where everybody sees it, until it has been in sight."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import People
from tests.browser.party import Party, visitor
from tests.support.browser import DESKTOP, LARGE_PHONE, PHONE, Person, Size

IN_SIGHT = """each => {
    const {x, y, width, height} = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


def say(person: Person, text: str) -> None:
    quick = visitor(person)
    quick.submit(quick.get(person.page.url.removeprefix(person.address)), "/say", text=text)


def must_see_the_last_line(person: Person, text: str) -> None:
    """It is in the window, and the bar does not cover it."""
    line = person.page.locator(".talk > li").last
    expect(line).to_contain_text(text)
    assert line.evaluate(IN_SIGHT)


@pytest.mark.parametrize("size", [PHONE, LARGE_PHONE], ids=["320", "390"])
def test_on_a_phone_the_bar_says_what_is_unread_and_leads_there(person: People, size: Size) -> None:
    host, friend = Party([person(javascript=True, size=size), person()]).sit("StrifeBarge").friends
    button, unread = host.page.locator(".saying .chat"), host.page.locator(".unread")
    say(friend, "The north is mine.")
    expect(button.locator(".unread")).to_be_in_viewport(ratio=1)
    expect(unread).to_have_count(2)
    button.click()
    must_see_the_last_line(host, "The north is mine.")
    expect(unread).to_have_count(0)
    say(friend, "And the south.")
    expect(host.page.locator(".talk")).to_contain_text("And the south.")
    must_see_the_last_line(host, "And the south.")
    expect(unread).to_have_count(0)
    host.page.evaluate("scrollTo(0, 0)")
    say(friend, "All of it.")
    expect(unread).to_have_count(2)
    host.reload()
    expect(unread).to_have_count(2)


def test_on_a_desk_the_tab_says_what_is_unread(person: People) -> None:
    host, friend = Party([person(javascript=True, size=DESKTOP), person()]).sit("StrifeBarge").friends
    unread = host.page.locator("#tab-chat .unread")
    say(friend, "The north is mine.")
    expect(unread).to_be_in_viewport(ratio=1)
    expect(host.page.locator(".saying .chat")).to_be_hidden()
    host.page.locator("#tab-chat > summary").click()
    expect(unread).to_have_count(0)
    must_see_the_last_line(host, "The north is mine.")
    host.reload()
    expect(unread).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, LARGE_PHONE], ids=["320", "390"])
def test_without_a_script_the_bar_leads_to_the_chat_too(person: People, size: Size) -> None:
    host, friend = Party([person(size=size), person()]).sit("StrifeBarge").friends
    say(friend, "The north is mine.")
    host.reload()
    expect(host.page.locator(".saying .chat .unread")).to_have_text("1 new")
    host.page.locator(".saying .chat").click()
    with host.scripted():
        must_see_the_last_line(host, "The north is mine.")
    host.follow("Full chat")
    host.follow("Back to the game")
    expect(host.page.locator(".unread")).to_have_count(0)
