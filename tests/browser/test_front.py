"""What a script adds on the way to a table: a button that says the name, a menu that closes by itself."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import People
from tests.browser.party import Party


def test_the_button_says_the_name_that_is_typed(person: People) -> None:
    host, friend, plain = person(), person(javascript=True), person()
    Party([host]).start("StrifeBarge")
    for visitor, after in ((friend, "Join as Zoë"), (plain, "Join")):
        visitor.open(host.page.url)
        button = visitor.page.locator(".join form button").first
        expect(button).to_have_text("Join")
        visitor.page.get_by_label("Your name").fill(" Zoë ")
        expect(button).to_have_text(after)
        visitor.page.get_by_label("Your name").fill("")
        expect(button).to_have_text("Join")
    friend.open("/new/rps")
    friend.page.get_by_label("Your name").fill("Zoë")
    friend.press("Start as Zoë")
    friend.open("/new/rps")
    expect(friend.page.locator("form.options button")).to_have_text("Start as Zoë")


@pytest.mark.parametrize("javascript", [False, True], ids=["plain", "scripted"])
def test_a_preference_is_two_clicks_away_on_every_page_and_leads_back(
    person: People, javascript: bool
) -> None:
    visitor = person(javascript=javascript)
    visitor.open("/rules/chess")
    visitor.prefer("Theme", "Dark")
    assert visitor.page.url.endswith("/rules/chess")
    assert visitor.see("html[data-theme=dark]")
    menu = visitor.page.locator("header .prefs")
    menu.locator("summary").click()
    expect(menu.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    visitor.must_fit()
    if javascript:
        visitor.page.keyboard.press("Escape")
        expect(menu.get_by_role("button", name="Dark")).to_be_hidden()
        expect(menu.locator("summary")).to_be_focused()
