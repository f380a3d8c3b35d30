"""What the look must do in a browser: magnified, on paper, with wide spacing and with long words."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.browser.party import Party, at_random, look_again
from tests.browser.scenes import TITLES
from tests.support.browser import DESKTOP, PHONE, Person, Size

PAGES = ["/", "/about", "/rules/chess", *TITLES, "result"]
TABLES = [*TITLES, "result"]

STYLE = """rules => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet];
}"""
# As WCAG 1.4.12 has it.
SPACED = """* { line-height: 1.5 !important; letter-spacing: .12em !important; }
    * { word-spacing: .16em !important; }
    p { margin-block-end: 2em !important; }"""
CUT_OFF = """() =>
    [...document.querySelectorAll("main :is(button, a.btn, h1, h2, h3, legend, label)")]
    .filter(each => !each.closest(".scroll, .chess, .skip"))
    .filter(each => each.clientWidth && each.scrollWidth > each.clientWidth + 2)
    .map(each => each.outerHTML.slice(0, 120))"""
LONGER = """() => {
    const kept = "table, code, .pc, time, .vh, script, noscript", found = [];
    const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) found.push(texts.currentNode);
    for (const text of found) {
        const words = text.data.trim();
        if (/[a-z]{2}/i.test(words) && !text.parentElement.closest(kept))
            text.data += " " + words.slice(0, Math.ceil(words.length * .4));
    }
}"""
OVERLAPPING = """() => {
    const kinds = "main :is(button, a, input, select, h1, h2, .seats .who, .seats .dim)";
    const all = [...document.querySelectorAll(kinds)]
        .filter(each => !each.closest("table, .scroll, .skip, .hand, .rps, .log") && each.checkVisibility());
    const boxes = all.map(each => each.getBoundingClientRect()), found = [];
    all.forEach((one, i) => all.forEach((other, j) => {
        if (j <= i || one.contains(other) || other.contains(one)) return;
        const wide = Math.min(boxes[i].right, boxes[j].right) - Math.max(boxes[i].left, boxes[j].left);
        const high = Math.min(boxes[i].bottom, boxes[j].bottom) - Math.max(boxes[i].top, boxes[j].top);
        if (wide > 2 && high > 4) found.push([one.outerHTML.slice(0, 90), other.outerHTML.slice(0, 90)]);
    }));
    return found;
}"""


@pytest.fixture(scope="module")
def shown(browser, site) -> Iterator[dict[str, Person]]:
    """Somebody before each page, who stays there; it is their turn where it is a game's."""
    came: list[Person] = []

    def come(**how: object) -> Person:
        came.append(Person(browser, site.url, javascript=True, alive=False, **how))
        return came[-1]

    def at(path: str) -> Person:
        person = come()
        person.open(path)
        return person

    pages = {path: at(path) for path in PAGES if path.startswith("/")}
    for slug, title in TITLES.items():
        party = Party([come(), come()]).sit(title, **({"best_of": "7"} if slug == "rps" else {}))
        party.play(at_random(Random(7)), 6)
        pages[slug] = party.mover() or party.host
    party = Party([come(), come()]).sit("Rock-Paper-Scissors")
    party.play(at_random(Random(1)))
    look_again(party.host)
    pages["result"] = party.host
    yield pages
    for each in came:
        each.close()


@pytest.fixture
def person(request, shown) -> Iterator[Person]:
    """Somebody before one of the pages, which is as it was before when they have done with it."""
    who: Person = shown[request.param]
    yield who
    who.page.emulate_media(media="screen", color_scheme="light", forced_colors="none")
    who.page.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
    who.page.evaluate(STYLE, "")


def window(person: Person, size: Size) -> None:
    person.page.set_viewport_size({"width": size.width, "height": size.height})


@pytest.mark.parametrize("person", PAGES, indirect=True)
def test_wider_spacing_of_text_cuts_nothing_off(person: Person) -> None:
    person.page.evaluate(STYLE, SPACED)
    for size in PHONE, DESKTOP:
        window(person, size)
        person.must_fit()
        assert person.page.evaluate(CUT_OFF) == []


@pytest.mark.parametrize("person", PAGES, indirect=True)
def test_words_longer_by_four_tenths_cover_nothing(person: Person) -> None:
    before = person.page.evaluate("() => document.querySelector('main').innerHTML")
    person.page.evaluate(LONGER)
    for size in PHONE, DESKTOP:
        window(person, size)
        person.must_fit()
        assert person.page.evaluate(OVERLAPPING) == []
    person.page.evaluate("html => { document.querySelector('main').innerHTML = html; }", before)


def test_magnified_four_times_a_wide_window_is_read_without_scrolling_sideways(browser, site) -> None:
    context = browser.new_context(
        viewport={"width": 1280 // 4, "height": 1024 // 4}, device_scale_factor=4, base_url=site.url
    )
    page = context.new_page()
    for path in ("/", "/about", "/new/strifebarge", "/rules/strifebarge", "/games", "/nowhere"):
        page.goto(path)
        assert page.evaluate("() => document.scrollingElement.scrollWidth <= innerWidth"), path
        assert page.evaluate("() => devicePixelRatio") == 4
    context.close()


@pytest.mark.parametrize("person", TABLES, indirect=True)
def test_on_paper_there_is_the_game_in_black_on_white_and_nothing_to_press(person: Person) -> None:
    person.page.emulate_media(media="print", color_scheme="dark")
    for gone in (".top", ".foot", ".menu", ".acts", ".skip"):
        for each in person.page.locator(gone).all():
            assert not each.is_visible(), gone
    assert person.page.locator("#board").is_visible()
    look = "html => (({backgroundColor, color}) => [backgroundColor, color])(getComputedStyle(html))"
    assert person.page.locator("html").evaluate(look) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
