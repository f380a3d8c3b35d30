"""The first turn of the two games with most words, as somebody who has never seen them finds it."""

import pytest

from strifebarge.table.learning import glossary
from strifebarge.table.library import Library
from strifebarge.web.terms import Term, Terms
from tests.browser.conftest import Gather
from tests.browser.party import Party
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
    terms = Terms("en", tuple(Term(words, meaning) for words, meaning in meanings.items()))
    links = host.page.locator("#board a.term")
    linked = terms.within(links.evaluate_all("all => all.map((each) => each.textContent)"))
    read = terms.within([host.page.locator("#board").evaluate(READ)])
    assert linked
    assert [term.words for term in read if term not in linked] == []
    must_explain(host, linked, scripts)


def must_explain(host: Person, linked: list[Term], scripts: bool) -> None:
    """One tap on a term in sight shows its meaning."""
    link = next(each for each in host.page.locator("#board a.term").all() if each.is_visible())
    meaning = link.get_attribute("title")
    assert meaning in [term.meaning for term in linked]
    link.click()
    shown = host.page.locator("dialog.sheet .terms dd" if scripts else "main .terms dd")
    shown.filter(has_text=meaning).first.wait_for()
