"""Small phones: each button can be pressed, each word can be read, and a name stands before its button."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from strifebarge.tables.library.library import Library
from tests.browser.conftest import Gather, People
from tests.browser.party import Party, visitor, with_friends
from tests.support.browser import DESKTOP, LARGE_PHONE, PHONE, QUIET, Person, Size
from tests.support.servers import Site, find_chromium

TITLES = {title.slug: title.title for title in Library()}
LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])
PHONES = pytest.mark.parametrize("size", [PHONE, LARGE_PHONE], ids=["320", "390"])

COVERED = """each => {
    const {x, y, width, height} = each.getBoundingClientRect();
    return !each.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
CUT = "each => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1"
TORN = """all => all.flatMap((each) => {
    const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT), torn = [], range = new Range();
    const line = (node, at) => {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return [...range.getClientRects()].at(-1).top;
    };
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (node.parentElement.closest(".vh, [aria-hidden]")) continue;
        for (const part of node.data.matchAll(/[^\\s\\u00ad-]+/g)) {
            const last = part.index + part[0].length - 1;
            if (line(node, part.index) !== line(node, last)) torn.push(part[0]);
        }
    }
    return torn;
})"""

CLIPPED = """each => {
    const range = new Range(), {top, bottom} = each.getBoundingClientRect();
    range.selectNodeContents(each);
    return [...range.getClientRects()].some((drawn) => drawn.top < top - .3 || drawn.bottom > bottom + .3);
}"""
RESEARCH = """(all, word) => all.forEach((each) => {
    each.innerHTML = '<span class="fact"><svg class="icon" viewBox="0 0 24 24"></svg> </span>';
    each.firstChild.append(word);
})"""


BUSY_PLATES = """(all, [name, state]) => all.forEach((each) => {
    each.querySelector("bdi").textContent = name;
    const fact = [...each.querySelectorAll(".tells .fact")].at(-1);
    fact.after(" ", fact.cloneNode(true));
    each.querySelector("small").textContent = state;
})"""


def seated(person: People, slug: str, seats: int, language: str = "en", **how: object) -> Person:
    """The host of a table that has begun, who reads this language."""
    friends = [person(**how), *(person() for _ in range(seats - 1))]
    friends[0].context.add_cookies([{"name": "lang", "value": language, "url": friends[0].address}])
    return Party(friends).sit(TITLES[slug], seats).host


def is_any(elements: Locator, what: str) -> list[str]:
    """The words of those things of which it is true; there is at least one thing."""
    things = elements.all()
    assert things
    return [each.inner_text() for each in things if each.evaluate(what)]


@LANGUAGES
@PHONES
@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_every_button_of_the_bar_can_be_pressed(
    person: People, language: str, size: Size, scripts: bool
) -> None:
    host = seated(person, "mirrow", 2, language, javascript=scripts, size=size)
    host.page.locator(".fleet a").first.click()
    goal = host.page.locator("button.name").first
    goal.wait_for()
    host.press(goal)
    undo = host.page.locator("#undo button")
    undo.wait_for()
    assert is_any(host.page.locator(".bar .btn"), COVERED) == []
    host.press(undo)
    undo.wait_for(state="detached")


@LANGUAGES
@PHONES
def test_the_sentence_above_the_chart_can_be_read_whole(person: People, language: str, size: Size) -> None:
    host = seated(person, "mirrow", 2, language, size=size)
    assert is_any(host.page.locator(".moment"), CUT) == []


@LANGUAGES
@PHONES
def test_neighbours_and_cards_can_be_read_whole(person: People, language: str, size: Size) -> None:
    host = seated(person, "startups", 4, language, size=size)
    assert is_any(host.page.locator(".neighbours .who"), CUT) == []
    words = host.page.locator(".cards summary > b, .cards summary .does, .cards summary .price")
    assert words.count() > 7
    assert words.evaluate_all(TORN) == []


@pytest.mark.parametrize(
    ("language", "state"), [("en", "has chosen"), ("de", "hat gewählt")], ids=["en", "de"]
)
@PHONES
def test_names_on_plates_can_be_read_whole(person: People, language: str, state: str, size: Size) -> None:
    host = seated(person, "startups", 3, language, size=size)
    plates = host.page.locator(".plate")
    plates.evaluate_all(BUSY_PLATES, ["Bot (medium)", state])
    assert is_any(plates.locator("b"), CUT) == []


@pytest.fixture(scope="module")
def large_letters(browser: Browser) -> Iterator[Browser]:
    """A browser whose owner has letters twice as large as usual."""
    args = [*QUIET, "--blink-settings=defaultFontSize=32"]
    launched = browser.browser_type.launch(executable_path=find_chromium(), args=args)
    yield launched
    launched.close()


@PHONES
@pytest.mark.parametrize("slug", ["rps", "startups"])
def test_with_letters_twice_as_large_no_plate_tab_or_choice_lies_over_another(
    people_of: Gather, large_letters: Browser, site: Site, slug: str, size: Size
) -> None:
    page = seated(people_of(site, large_letters), slug, 3 if slug == "startups" else 2, "de", size=size).page
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert page.locator(".plate .who > b, .tab > summary, .rp").evaluate_all(TORN) == []
    for plate in page.locator(".plate").all():
        who, tells = plate.locator(".who").bounding_box(), plate.locator(".tells").bounding_box()
        assert who
        assert tells
        assert tells["y"] >= who["y"] + who["height"] - 1
    choices = page.locator(".rp")
    assert choices.count() == 0 or is_any(choices, CUT) == []


@PHONES
@pytest.mark.parametrize("slug", ["chess", "eights", "mirrow"])
def test_with_letters_twice_as_large_the_board_the_sentence_above_it_and_the_bar_are_seen_whole(
    people_of: Gather, large_letters: Browser, site: Site, slug: str, size: Size
) -> None:
    page = seated(people_of(site, large_letters), slug, 2, "de", size=size).page
    whole = page.locator(".eights, .mirrow, .moment, .bar")
    assert whole.count() > 1 or slug == "chess"
    assert is_any(whole, CUT) == []
    buttons = page.locator(".bar .btn")
    assert buttons.evaluate_all(OUTSIDE) == []
    for pile in page.locator(".eights .pile").all():
        pile.evaluate(LATE_IN_EIGHTS, "diamonds")
        assert pile.evaluate(BEYOND) == []
        assert is_any(pile.locator(".pc"), "each => each.clientWidth < 30") == []


OUTSIDE = """all => all.filter((each) => {
    const { left, right } = each.getBoundingClientRect();
    return left < 0 || right > innerWidth;
}).map((each) => each.outerHTML)"""


@pytest.mark.parametrize("size", [Size(320, 256), Size(568, 320)], ids=["320x256", "568x320"])
def test_in_a_low_window_a_table_that_waits_for_players_takes_all_of_its_width(
    person: People, size: Size
) -> None:
    host = person(size=size)
    host.open("/")
    host.press(with_friends(TITLES["chess"]))
    box = host.page.locator(".invite").bounding_box()
    assert box
    assert box["width"] > 0.85 * size.width


@PHONES
def test_no_dot_of_a_name_on_a_plate_is_cut_off(person: People, size: Size) -> None:
    plates = seated(person, "chess", 2, size=size).page.locator(".plate")
    plates.locator("bdi").evaluate_all("all => all.forEach(each => each.textContent = 'Özgür Ünal')")
    assert is_any(plates.locator("b, small"), CLIPPED) == []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["custom solution", "scaling", "pro\u00adgram\u00adming"]),
        ("de", ["Eigen\u00adbau", "Ska\u00adlierung", "Pro\u00adgram\u00admierung"]),
    ],
    ids=["en", "de"],
)
@PHONES
def test_each_kind_of_research_on_a_card_can_be_read_whole(
    person: People, language: str, words: list[str], size: Size
) -> None:
    host = seated(person, "startups", 3, language, size=size)
    does = host.page.locator(".cards summary > .does")
    for each in words:
        does.evaluate_all(RESEARCH, each)
        assert does.evaluate_all(TORN) == []


THREE_EACH = """all => all.forEach((blocks) => {
    const one = document.querySelector(".area .block").parentElement;
    while (blocks.children.length < 3) blocks.append(one.cloneNode(true));
})"""
CROSSING = """all => all.flatMap((one, i) => all.slice(i + 1).filter((other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}).map((other) => `${one.innerText} | ${other.innerText}`))"""


@LANGUAGES
@PHONES
def test_areas_of_the_delta_full_of_blocks_do_not_cover_each_other(
    person: People, language: str, size: Size
) -> None:
    friends = [person(size=size), person()]
    friends[0].context.add_cookies([{"name": "lang", "value": language, "url": friends[0].address}])
    party = Party(friends).sit(TITLES["mirrow"])
    party.each_moves(lambda _, shown: "auto" if "auto" in shown else shown[0])
    party.each_moves(lambda _, shown: "ready" if "ready" in shown else shown[0])
    party.host.reload()
    party.host.page.locator(".area .blocks").evaluate_all(THREE_EACH)
    assert party.host.page.locator(".area").evaluate_all(CROSSING) == []
    names = party.host.page.locator(".orders summary b")
    assert names.count() == 4
    assert names.evaluate_all(TORN) == []


LATE_IN_EIGHTS = """(pile, suit) => {
    for (const {lastChild} of pile.querySelectorAll("figcaption")) {
        lastChild.data = lastChild.data.replace(/\\d+/, "49");
    }
    pile.querySelector(".follow .suit").lastChild.data = suit;
}"""
BEYOND = """pile => {
    const {left, right} = pile.parentElement.getBoundingClientRect();
    return [pile, ...pile.querySelectorAll("figure, figcaption, .follow b")].filter((each) => {
        const drawn = each.getBoundingClientRect();
        return drawn.left < left || drawn.right > right;
    }).map((each) => each.textContent);
}"""


@pytest.mark.parametrize(("language", "suit"), [("en", "diamonds"), ("de", "Kreuz")])
@PHONES
def test_piles_and_the_suit_to_follow_stand_within_the_board(
    person: People, language: str, suit: str, size: Size
) -> None:
    pile = seated(person, "eights", 2, language, size=size).page.locator(".eights .pile")
    pile.evaluate(LATE_IN_EIGHTS, suit)
    assert suit in pile.inner_text()
    assert pile.evaluate(BEYOND) == []


SEVEN = """row => {
    while (row.children.length < 7) row.append(row.firstElementChild.cloneNode(true));
    while (row.children.length > 7) row.lastElementChild.remove(); // drawn by who could not play
}"""
TWO_LINES = "each => each.getClientRects().length > 1 || each.clientHeight > 40"


@LANGUAGES
def test_a_hand_of_two_rows_is_seen_whole_and_numbers_stand_beside_a_clock(
    person: People, language: str
) -> None:
    friends = [person(), person()]
    friends[0].context.add_cookies([{"name": "lang", "value": language, "url": friends[0].address}])
    host = Party(friends).sit(TITLES["eights"], pace="clock-5-3").host
    host.page.locator(".eights .own .hand").evaluate(SEVEN)
    assert host.page.locator(".eights .own .hand > li").count() == 7
    assert is_any(host.page.locator(".eights .own .rows"), CUT) == []
    assert host.page.locator(".plate > .digits").count() == 2
    assert is_any(host.page.locator(".plate .held"), TWO_LINES) == []


OVER_THE_NAME = """each => {
    const range = new Range(), name = each.parentElement.querySelector(".whose");
    range.selectNodeContents(each);
    return range.getBoundingClientRect().bottom > name.getBoundingClientRect().top;
}"""


@PHONES
def test_a_name_of_two_lines_does_not_cover_what_is_thrown(person: People, size: Size) -> None:
    signs = seated(person, "rps", 2, "de", size=size).page.locator(".duel .sign")
    names = signs.page.locator(".duel bdi")
    names.evaluate_all("all => all.forEach((each) => { each.textContent = 'Maximilian Mustermann'; })")
    assert is_any(signs, OVER_THE_NAME) == []


@LANGUAGES
@PHONES
def test_beside_a_plan_every_button_of_the_bar_can_be_read_and_pressed(
    person: People, language: str, size: Size
) -> None:
    friends = [person(size=size), person(size=size)]
    for each in friends:
        each.context.add_cookies([{"name": "lang", "value": language, "url": each.address}])
    Party(friends).sit(TITLES["chess"])
    planner = next(each for each in friends if not each.see("#turn.mine"))
    planner.follow(planner.page.locator(".bar a[href*='pick=plan']"))
    planner.page.locator(".bar [name=plan]").fill("e5")
    planner.press(planner.page.locator(".bar .planning button"))
    buttons = planner.page.locator(".bar .btn:visible")
    assert buttons.count() == 5
    assert is_any(buttons, COVERED) == []
    assert is_any(buttons, CUT) == []
    done = {"en": "Done", "de": "Fertig"}[language]
    planner.follow(done)


@PHONES
def test_the_squares_of_a_ship_stand_on_one_line(person: People, size: Size) -> None:
    host = seated(person, "strifebarge", 2, "de", size=size)
    berths = host.page.locator(".own .fleet .dim")
    assert is_any(berths, "each => each.getClientRects().length > 1") == []
    assert host.page.locator(".own .fleet b").evaluate_all(TORN) == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["320", "1280"])
def test_before_the_game_a_host_removes_players_in_their_own_lines(person: People, size: Size) -> None:
    host = person(size=size)
    host.open("/")
    house = visitor(host)
    table = house.start("strifebarge", seats="8").table
    for _ in range(6):
        visitor(person()).join(table)
    cookies = [{"name": name, "value": value, "url": host.address} for name, value in house.cookies.items()]
    host.context.add_cookies(cookies)
    host.open(table)
    removes = host.page.locator(".seats form button")
    assert removes.count() == 6
    for each in removes.all():
        line = each.locator("xpath=ancestor::li")
        name, button = line.locator(".who").bounding_box(), each.bounding_box()
        assert name["x"] + name["width"] <= button["x"] or name["y"] + name["height"] <= button["y"] + 1
        assert each.get_attribute("aria-label") == f"Remove {line.locator('bdi').inner_text()}"
    host.press(removes.first)
    assert removes.count() == 5


GREYED_BUTTON = "button[name=move][aria-disabled]"
GREYED = f"form.moves-form {GREYED_BUTTON}"
IN_SIGHT = """each => [...each.getClientRects()].every(({left, right, top, bottom}) =>
    each.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)))"""


@pytest.mark.parametrize("size", [PHONE, LARGE_PHONE, DESKTOP], ids=["320", "390", "desktop"])
@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("slug", ["eights", "mirrow", "startups"])
def test_who_presses_what_is_greyed_reads_why_without_scrolling(
    dealt: Site, people_of: Gather, slug: str, size: Size, scripts: bool
) -> None:
    """In the games in which a first position has such a thing, as somebody without a mouse finds out."""
    host = seated(people_of(dealt), slug, 3 if slug == "startups" else 2, javascript=scripts, size=size)
    greyed = host.page.locator(GREYED).first
    if not greyed.is_visible():
        host.page.locator(f"details:has({GREYED_BUTTON}) > summary").first.click()
    reason = greyed.get_attribute("title")
    assert reason
    with host.arriving(422):
        greyed.click(force=True)
    notice = host.page.locator("#notice p")
    expect(notice).to_contain_text(reason)
    expect(notice).to_be_in_viewport(ratio=1)
    assert notice.evaluate(IN_SIGHT)
