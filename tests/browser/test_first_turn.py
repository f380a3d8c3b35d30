"""The first turn of the two games with most words, as somebody who has never seen them finds it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from strifebarge.tables.library.library import Library
from strifebarge.tables.view.learning import glossary
from strifebarge.web.words.terms import GameGlossary, Term
from tests.browser.conftest import Gather
from tests.browser.party import PICKS, Party
from tests.support.browser import DESKTOP, LARGE_PHONE, Person, Size
from tests.support.servers import Site

LIBRARY = Library()
SEATS = {"mirrow": 2, "startups": 3}
MOVES = "form.moves-form button[name=move]"
# What is read on the board, sheets that are folded up included, but for what is pressed and what is hidden.
READ = """board => {
    const words = board.cloneNode(true);
    words.querySelectorAll("a, button, summary, .vh, label, select").forEach((each) => each.remove());
    return words.textContent;
}"""
SEEN = f"{MOVES}:visible"
SHEETS = f"form.moves-form details:has({MOVES.partition(' ')[2]}) > summary"
ON_TOP = """button => {
    const box = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""
NAMES = "all => all.map((each) => each.ariaLabel || each.innerText || each.textContent.trim())"


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("size", [LARGE_PHONE, DESKTOP], ids=["390", "1280"])
@pytest.mark.parametrize("slug", SEATS)
def test_every_option_and_every_term_of_a_first_turn_is_explained_by_one_tap(
    people_of: Gather, dealt: Site, slug: str, size: Size, scripts: bool
) -> None:
    come, title = people_of(dealt), LIBRARY[slug]
    friends = [come(javascript=scripts, size=size), *(come() for _ in range(SEATS[slug] - 1))]
    host = Party(friends).sit(title.title, SEATS[slug]).host
    moves = host.page.locator(MOVES)
    assert all(moves.evaluate_all(NAMES))
    assert all(each.get_attribute("title") for each in host.page.locator(f"{MOVES}[aria-disabled]").all())
    _, meanings = glossary(title, "en")
    terms = GameGlossary("en", tuple(Term(words, meaning) for words, meaning in meanings.items()))
    links = host.page.locator("#board a.term")
    linked = terms.within(links.evaluate_all("all => all.map((each) => each.textContent)"))
    read = terms.within([host.page.locator("#board").evaluate(READ)])
    assert linked
    assert [term.name for term in read if term not in linked] == []
    must_explain(host, linked, scripts)


def must_explain(host: Person, linked: list[Term], scripts: bool) -> None:
    """One tap on a term in sight shows its meaning."""
    link = next(each for each in host.page.locator("#board a.term").all() if each.is_visible())
    meaning = link.get_attribute("title")
    assert meaning in [term.meaning for term in linked]
    link.click()
    shown = host.page.locator("dialog.sheet .terms dd" if scripts else "main .terms dd")
    shown.filter(has_text=meaning).first.wait_for()


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("size", [LARGE_PHONE, DESKTOP], ids=["390", "1280"])
def test_each_option_of_7_startups_is_one_tap_away_with_its_price_and_what_it_gives(
    people_of: Gather, dealt: Site, size: Size, scripts: bool
) -> None:
    come = people_of(dealt, javascript=scripts, size=size)
    host = Party([come(), come(), come()]).sit("7 Startups", 3).host
    wanted, values = host.values(MOVES), host.values(SEEN)
    for sheet in tapped(host):
        values += sheet.locator("button[name=move]").evaluate_all("all => all.map((each) => each.value)")
        assert sheet.get_by_text("Gives", exact=True).first.is_visible()
        for way in sheet.locator(".way").all():
            must_be_in_reach(host, way.locator("button"))
            assert way.locator(".now").is_visible() or "Discard" in way.inner_text()
    assert values == wanted


def test_the_sheet_of_a_card_closes_with_escape_and_leaves_the_focus_on_the_card(
    people_of: Gather, dealt: Site
) -> None:
    come = people_of(dealt, javascript=True)
    page = Party([come(), come(), come()]).sit("7 Startups", 3).host.page
    card = page.locator(".cards details").first
    card.locator("summary").click()
    expect(card.locator(".opened")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card.locator(".opened")).to_be_hidden()
    expect(card.locator("summary")).to_be_focused()


def test_without_scripts_pieces_glide_to_the_next_page_but_not_over_the_sheet_of_a_card(
    people_of: Gather, dealt: Site
) -> None:
    """What a browser moves from one page to the next it draws over everything else, as long as it moves."""
    come = people_of(dealt, javascript=False)
    page = Party([come(), come(), come()]).sit("7 Startups", 3).host.page
    page.emulate_media(reduced_motion="no-preference")
    pieces = "[...document.querySelectorAll('[data-piece]')]"
    gliding = f"{pieces}.map(each => getComputedStyle(each).viewTransitionName)"
    assert "none" not in page.evaluate(gliding)
    page.locator(".cards details summary").first.click()
    assert {*page.evaluate(gliding)} == {"none"}
    page.locator(".cards details summary").first.click()
    assert "none" not in page.evaluate(gliding)


def test_escape_closes_the_manual_over_the_sheet_of_a_card_and_then_the_sheet(
    people_of: Gather, dealt: Site
) -> None:
    come = people_of(dealt, javascript=True)
    page = Party([come(), come(), come()]).sit("7 Startups", 3).host.page
    cards, manual = page.locator(".cards details"), page.locator("dialog.sheet")
    with_term = cards.filter(has=page.locator("a[data-sheet]")).first
    with_term.locator("summary").click()
    with_term.locator("a[data-sheet]").first.click()
    expect(manual).to_be_visible()
    page.keyboard.press("Escape")
    expect(manual).to_have_count(0)
    expect(with_term.locator(".opened")).to_be_visible()
    page.keyboard.press("Escape")
    expect(with_term.locator(".opened")).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("size", [LARGE_PHONE, DESKTOP], ids=["390", "1280"])
def test_each_option_of_mirrow_is_one_tap_away_from_placing_blocks_to_the_first_move(
    people_of: Gather, dealt: Site, size: Size, scripts: bool
) -> None:
    come = people_of(dealt, javascript=scripts, size=size)
    party = Party([come(), come()]).sit("Strife on the Mirrow")
    for placed in ("auto", "ready"):
        must_be_one_tap_away(party.host)
        party.each_moves(lambda _, moves, placed=placed: placed)
        party.host.reload()
    for sheet in tapped(party.host):
        assert sheet.get_by_text("action point").first.is_visible()
        must_be_in_reach(party.host, sheet.locator("button[name=move]"))
    party.each_moves(lambda _, moves: moves[0])
    mover = next(friend for friend in party.friends if friend.reload() or friend.see(SEEN))
    must_be_one_tap_away(mover)
    mover.press(mover.page.locator(SEEN).first)
    must_be_one_tap_away(mover)


def must_be_one_tap_away(person: Person) -> None:
    """Each move is in sight on the chart, at once or when its block is tapped."""
    wanted, values = {*person.values(MOVES)}, {*person.values(SEEN)}
    assert wanted
    links = person.page.locator(PICKS).evaluate_all("all => all.map((each) => each.getAttribute('href'))")
    for link in dict.fromkeys(links):
        pick_up(person, person.page.locator(f'{PICKS}[href="{link}"]').first)
        values |= {*person.values(SEEN)}
    assert wanted <= values


def pick_up(person: Person, block: Locator) -> None:
    """Tap a block; with scripts the page stays, and changes."""
    if not person.alive:
        return person.follow(block)
    address = str(block.get_attribute("href"))
    block.click()
    expect(person.page.locator(f'{PICKS}[href="{address}"]')).to_have_count(0)


def tapped(person: Person) -> Iterator[Locator]:
    """Each sheet that holds moves, while it is open."""
    for summary in person.page.locator(SHEETS).all():
        summary.click()
        yield summary.locator("..")
        summary.click()


def must_be_in_reach(person: Person, button: Locator) -> None:
    """Nothing covers a button, greyed or not, where a finger comes to it."""
    button.scroll_into_view_if_needed()
    assert button.evaluate(ON_TOP)
    person.must_fit()
