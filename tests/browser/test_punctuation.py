"""Marks of punctuation stand at their words: no gap before a comma, and none begins a line by itself."""

import re

import pytest

from tests.browser.conftest import Gather
from tests.browser.test_glued_words import MOVES, RULES, halfway
from tests.support.browser import LARGE_PHONE, PHONE, Size
from tests.support.servers import Site

GAP = re.compile(r"\S[^\S\n]+[,.;:](?=\s|$)", re.MULTILINE)
WITHOUT_MAPS = "() => document.querySelectorAll('pre').forEach(each => each.remove())"  # drawn of such marks
AT_FIRST = """() => document.getAnimations().forEach(each => {
    each.pause();
    each.currentTime = 0;
})"""  # where what moves is furthest from where it belongs
# A browser may begin a line after a name that is isolated, whatever comes there.
# Ends of words in an element of their own that the mark after them, or before, does not stand beside.
TORN = """() => {
    const torn = [], range = new Range();
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const box = (node, at) => {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect();
    };
    const hidden = ({parentElement: each}) => each.closest(".vh, [aria-hidden]") || !each.checkVisibility();
    const apart = (before, after, name) => after.top < before.bottom && before.top < after.bottom
        ? after.left - before.right > 2
        : !name;
    for (let node = null, last = null; (node = walker.nextNode()); last = node) {
        if (!last?.data || !node.data || hidden(last) || hidden(node)) continue;
        if (!/^[,.;:)]/.test(node.data) && !/[(]$/.test(last.data)) continue;
        const [before, after] = [box(last, last.data.length - 1), box(node, 0)];
        if (before.width && after.width && apart(before, after, last.parentElement.localName === "bdi")) {
            torn.push(last.data + "|" + node.data);
        }
    }
    return torn;
}"""


@pytest.mark.parametrize("moves", [0, MOVES], ids=["first", "halfway"])
@pytest.mark.parametrize("slug", RULES)
def test_marks_stand_at_their_words(people_of: Gather, dealt: Site, slug: str, moves: int) -> None:
    player, table = halfway(dealt, slug, moves)
    person = people_of(dealt)(size=PHONE, javascript=True, alive=False)
    cookies = [
        {"name": name, "value": value, "url": person.address} for name, value in player.cookies.items()
    ]
    person.context.add_cookies(cookies)
    person.page.emulate_media(reduced_motion="no-preference")
    for language in "en", "de":
        person.context.add_cookies([{"name": "lang", "value": language, "url": person.address}])
        for query in ("", "?view=text"):
            person.open(table + query)
            person.page.evaluate(WITHOUT_MAPS)
            person.page.evaluate(AT_FIRST)
            assert GAP.findall(person.page.locator("main").inner_text()) == []
            for size in PHONE, Size(360, 640), LARGE_PHONE:
                person.page.set_viewport_size({"width": size.width, "height": size.height})
                assert person.page.evaluate(TORN) == [], size
