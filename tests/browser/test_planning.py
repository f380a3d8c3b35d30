"""A move planned on the chess board while the other side is to move: by two presses, by typing, at 320 px."""

import pytest
from playwright.sync_api import expect

from tests.browser.party import MOVES, Party, to_move
from tests.browser.test_keyboard import tab_to
from tests.support.browser import PHONE


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_a_move_is_planned_on_the_board_and_played_when_it_is_due(person, scripts):
    party = Party([person(javascript=scripts), person(javascript=scripts, size=PHONE)]).sit("Chess")
    host, friend = party.friends
    friend.reload()
    friend.page.locator("a[href*='pick=e7']").click()
    goal = friend.page.locator("button[value='move e7e5']")
    goal.wait_for()
    friend.press(goal)
    planned = friend.page.locator(".chess td.plan")
    planned.first.wait_for()
    assert planned.count() == 2
    host.reload()
    assert host.page.locator(".chess td.plan").count() == 0
    host.page.locator("#notation").fill("e4")
    host.press(host.page.locator(f"{MOVES} button[name=do]"))
    host.page.locator(".scoresheet", has_text="e5").wait_for(state="attached")
    assert to_move(host)
    friend.reload()
    assert friend.page.locator(".chess td.plan").count() == 0
    assert "e5" in friend.page.locator(".scoresheet").text_content()


def test_a_plan_is_typed_and_dropped_by_keyboard(person):
    party = Party([person(), person(size=PHONE)]).sit("Chess")
    friend = party.friends[1]
    friend.reload()
    friend.page.locator("#tab-table > summary").click()
    tab_to(friend, friend.page.locator("#plan-field"))
    friend.page.keyboard.type("e4 e5; Nf3 Nc6")
    with friend.arriving():
        friend.page.keyboard.press("Enter")
    friend.page.locator("#tab-table > summary").click()
    assert "e4 e5; Nf3 Nc6" in friend.page.locator("#plan .attempt").text_content()
    width = friend.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE.width
    tab_to(friend, friend.page.locator("#plan form[action$='/drop'] button"))
    with friend.arriving():
        friend.page.keyboard.press("Enter")
    assert friend.page.locator("#plan .attempt").count() == 0


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("title", ["StrifeBarge", "Crazy Eights"])
def test_on_a_phone_a_move_is_planned_by_pressing_it_without_scrolling(person, title, scripts):
    party = Party([person(javascript=scripts, size=PHONE) for _ in range(2)]).sit(title, 2)
    friend = next(each for each in party.friends if not to_move(each))
    friend.reload()
    control, bar = friend.page.locator("#bar a[href*='pick=plan']"), friend.page.locator("#bar")
    expect(control).to_be_in_viewport(ratio=1)
    before = (bar.bounding_box(), friend.page.locator(".saying").bounding_box())
    control.click()
    done = friend.page.get_by_role("link", name="Done")
    expect(done).to_be_in_viewport(ratio=1)
    friend.press(friend.page.locator("form.moves-form button[name=move]").first)
    planned = friend.page.locator("form.moves-form button[name=without]")
    expect(planned).to_have_count(1)
    drop = friend.page.get_by_role("button", name="Drop the plan").first
    for each in (planned, drop, done, friend.page.locator(".saying .attempt")):
        expect(each).to_be_in_viewport(ratio=1)
    assert (bar.bounding_box(), friend.page.locator(".saying").bounding_box()) == before
    friend.press(planned)
    expect(planned).to_have_count(0)
