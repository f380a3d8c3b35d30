"""What the look must do in a browser: magnified, on paper, with wide spacing and with long words; in colours
that somebody has chosen for all pages, and for people who want nothing to move."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.browser.party import MOVES, PICKS, PLAYABLE, Lookouts, Party, at_random, look_again, typed
from tests.browser.scenes import SEATS, TITLES
from tests.browser.test_keyboard import looks_different, stops
from tests.support.browser import DESKTOP, LARGE_PHONE, PHONE, Person, Size

PAGES = ["/", "/about", "/rules/chess", *TITLES, "salvo", "result"]
TABLES = [*TITLES, "salvo", "result"]

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
    .filter(each => !each.closest(".scroll, .chess, .skip") && getComputedStyle(each).clipPath === "none")
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
    const kinds = "main :is(button, a, input, select, h1, h2, .seats :is(.who, .dim), .plate .who, .digits)";
    const all = [...document.querySelectorAll(kinds)]
        .filter(each => !each.closest("table, .scroll, .skip, .hand, .rps, .log") && each.checkVisibility())
        .filter(each => getComputedStyle(each).clipPath === "none");
    const boxes = all.map(each => each.getBoundingClientRect()), found = [];
    const fixed = all.map(each => {
        const bar = each.closest(".saying, .bar");
        return bar && ["fixed", "sticky"].includes(getComputedStyle(bar).position) ? bar : null;
    });
    all.forEach((one, i) => all.forEach((other, j) => {
        if (j <= i || one.contains(other) || other.contains(one)) return;
        if (!fixed[i] !== !fixed[j]) return;  // the page is scrolled beneath what stays: see BURIED
        if (one.matches(".bar .how") || other.matches(".bar .how")) return;  // the bar is scrolled beneath it
        const wide = Math.min(boxes[i].right, boxes[j].right) - Math.max(boxes[i].left, boxes[j].left);
        const high = Math.min(boxes[i].bottom, boxes[j].bottom) - Math.max(boxes[i].top, boxes[j].top);
        if (wide > 2 && high > 4) found.push([one.outerHTML.slice(0, 90), other.outerHTML.slice(0, 90)]);
    }));
    return found;
}"""

# What a bar that stays in its place covers, although its control was scrolled to, as the focus does.
BURIED = """() => {
    const stays = each => ["fixed", "sticky"].includes(getComputedStyle(each).position);
    const bars = [...document.querySelectorAll(".saying, .bar, .bar .how, .top")].filter(stays), found = [];
    const kinds = "main :is(a[href], button, input:not([type=hidden]), select, summary)";
    for (const each of document.querySelectorAll(kinds)) {
        const seen = each.checkVisibility() && getComputedStyle(each).clipPath === "none";
        if (!seen || each.closest(".skip")) continue;
        each.scrollIntoView({block: "nearest"});
        const {left, right, top, bottom} = each.getBoundingClientRect();
        for (const bar of bars) {
            const box = bar.getBoundingClientRect();
            const wide = Math.min(right, box.right) - Math.max(left, box.left);
            const high = Math.min(bottom, box.bottom) - Math.max(top, box.top);
            if (!bar.contains(each) && !each.contains(bar) && wide > 2 && high > 4)
                found.push([each.outerHTML.slice(0, 90), bar.className]);
        }
    }
    scrollTo(0, 0);
    return found;
}"""

IN_SIGHT = """each => {
    each.closest("details:not([open])")?.setAttribute("open", "");
    each.scrollIntoView({block: "center", inline: "center"});
    const {x, y, width, height} = each.getBoundingClientRect();
    return {x, y, width, height};
}"""
# Every button another colour and back: what is set in motion by that, before a clock has moved.
RESTYLED = """() => {
    const buttons = [...document.querySelectorAll(".btn:not([aria-disabled])")];
    const turn = () => buttons.forEach(each => each.classList.toggle("sec"));
    document.getAnimations();
    turn();
    const moving = document.getAnimations().length;
    turn();
    document.getAnimations().forEach(each => each.finish());
    return moving;
}"""


@pytest.fixture(scope="module")
def shown(browser, dealt) -> Iterator[dict[str, Person]]:
    """Somebody before each page, who stays there; it is their turn where it is a game's."""
    came: list[Person] = []

    def come(**how: object) -> Person:
        came.append(Person(browser, dealt.url, javascript=True, alive=False, **how))
        return came[-1]

    def at(path: str) -> Person:
        person = come()
        person.open(path)
        return person

    pages = {path: at(path) for path in PAGES if path.startswith("/")}
    for slug, title in TITLES.items():
        people = [come() for _ in range(SEATS[slug])]
        party = Party(people).sit(title, **({"best_of": "7"} if slug == "rps" else {}))
        play_on(party, slug)
        pages[slug] = party.mover() or party.host
    chess, rps = pages["chess"], pages["rps"]
    chess.open(chess.page.locator(PICKS).first.get_attribute("href"))
    rps.press(rps.page.locator(PLAYABLE).first)
    salvo = Party([come(), come()]).sit("StrifeBarge", salvo="true").host
    salvo.page.locator(f"{MOVES} input[type=checkbox]").first.check()
    salvo.press("Fire", status=422)  # one is too few, and stays ticked
    pages["salvo"] = salvo
    party = Party([come(), come()]).sit("Rock-Paper-Scissors")
    party.play(at_random(Random(1)))
    look_again(party.host)
    pages["result"] = party.host
    yield pages
    for each in came:
        each.close()


def play_on(party: Party, slug: str) -> None:
    """Until there is something to see; at sea, until there has been every kind of shot."""
    if slug == "strifebarge":
        lookouts = Lookouts(Random(7), honest=0.1)
        while not (party.newest.see(".ship.down") and party.newest.see("td.water")):
            party.play(lookouts.choose, 1)
    elif slug == "chess":
        party.play(typed(["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6"]), 6)
    else:
        party.play(at_random(Random(7)), 6)
    while slug == "eights" and not (party.mover() or party.host).see(".pick:not([aria-disabled])"):
        party.play(at_random(Random(7)), 1)


@pytest.fixture
def person(request, shown) -> Iterator[Person]:
    """Somebody before one of the pages, which is as it was before when they have done with it."""
    who: Person = shown[request.param]
    yield who
    who.page.emulate_media(
        media="screen", color_scheme="light", forced_colors="none", reduced_motion="reduce"
    )
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
        assert person.page.evaluate(BURIED) == []
    person.page.evaluate("html => { document.querySelector('main').innerHTML = html; }", before)


@pytest.mark.parametrize("person", PAGES, indirect=True)
def test_turned_round_for_other_scripts_nothing_sticks_out(person: Person) -> None:
    person.page.evaluate("document.documentElement.dir = 'rtl'")
    for size in PHONE, DESKTOP:
        window(person, size)
        person.must_fit()
        assert person.page.evaluate(OVERLAPPING) == []
    person.page.evaluate("document.documentElement.dir = 'ltr'")


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
def test_magnified_twice_and_four_times_a_table_is_used_whole(person: Person) -> None:
    """Windows of 1280 x 800, of which a half and a quarter is left for what is drawn."""
    for size in Size(640, 400), Size(320, 200):
        window(person, size)
        person.must_fit()
        assert person.page.evaluate(OVERLAPPING) == []
        assert person.page.evaluate(BURIED) == []
        for needed in ("#turn", "#board", ".bar .how", "#tab-chat > summary"):
            person.page.locator(needed).scroll_into_view_if_needed()
            assert person.page.locator(needed).is_visible(), needed


@pytest.mark.parametrize("person", TABLES, indirect=True)
def test_on_paper_there_is_the_game_in_black_on_white_and_nothing_to_press(person: Person) -> None:
    person.page.emulate_media(media="print", color_scheme="dark")
    for gone in (".top", ".foot", ".menu", ".acts", ".bar", ".skip"):
        for each in person.page.locator(gone).all():
            assert not each.is_visible(), gone
    assert person.page.locator("#board").is_visible()
    look = "html => (({backgroundColor, color}) => [backgroundColor, color])(getComputedStyle(html))"
    assert person.page.locator("html").evaluate(look) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


A4, ACROSS = Size(794, 1123), Size(1123, 794)
CONTROLS = """() => [...document.querySelectorAll("button, a.btn, input, select, textarea, summary")]
    .filter(each => !each.closest("#board") && each.checkVisibility() && each.getClientRects().length)
    .map(each => each.outerHTML.slice(0, 90))"""
# Parts of a table that are not one in the other, and stand in the same place.
PILED_UP = """() => {
    const parts = ".saying, .plates, #board, .result, #tab-log > section > *, .tab:not(#tab-log) section";
    const all = [...document.querySelectorAll(parts)].filter(each => each.checkVisibility());
    const found = [];
    all.forEach((one, i) => all.slice(i + 1).forEach(other => {
        const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 1) found.push([one.outerHTML.slice(0, 60), other.outerHTML.slice(0, 60)]);
    }));
    return found;
}"""


@pytest.mark.parametrize("size", [A4, ACROSS], ids=["upright", "across"])
@pytest.mark.parametrize("person", TABLES, indirect=True)
def test_on_paper_board_and_log_stand_one_below_the_other_without_controls(
    person: Person, size: Size
) -> None:
    window(person, size)
    person.page.emulate_media(media="print")
    for tab in ("#tab-chat", "#tab-table", "#tab-log"):
        person.page.evaluate("tab => document.querySelector(tab)?.setAttribute('open', '')", tab)
        assert person.page.evaluate(CONTROLS) == []
        assert person.page.evaluate(PILED_UP) == []
        assert person.page.locator("#tab-log > :not(summary)").first.is_visible()
        assert not person.page.locator("#tab-chat section, #tab-table section").first.is_visible()


@pytest.mark.parametrize("person", ["chess"], indirect=True)
def test_a_piece_picked_up_leaves_the_board_where_it_is(person: Person) -> None:
    picked = person.page.url
    tops = []
    for path in (picked.partition("?")[0], picked):
        person.open(path)
        for size in PHONE, LARGE_PHONE, DESKTOP:
            window(person, size)
            tops.append(
                person.page.locator(".chess").evaluate("each => each.getBoundingClientRect().top + scrollY")
            )
    assert tops[:3] == tops[3:]


# -- colours of one's own -----------------------------------------------------------

GONE = "{ visibility: hidden !important; }"
# What must be told at a glance, on which page it is, and what would take it away.
MARKS = {
    "hit": ("strifebarge", "td:not(:has(.ship)) > .mk", f".mk {GONE}"),
    "water": ("strifebarge", "td.water", f".sea .water::after {GONE}"),
    "sunk": ("strifebarge", ".ship.down", ".ship.down { outline: 0 !important; }"),
    "ship": ("strifebarge", ".ship", f".ship {GONE}"),
    "last shot": ("strifebarge", "td.last", f".sea .last::before {GONE}"),
    "ticked": (
        "salvo",
        "input:checked",
        ".sea input { outline: 0 !important; background: none !important; }",
    ),
    "to play": ("eights", ".pick:not([aria-disabled]) > .pc", ".pc { border-color: CanvasText !important; }"),
    "suit of a card": ("eights", ".hand .pc", f".pc .st {GONE}"),
    "suit to follow": ("eights", ".suit .icon", f".suit .icon {GONE}"),
    "last move": ("chess", "td.last", ".chess .last { box-shadow: none !important; }"),
    "picked": ("chess", "td.sel", ".chess .sel { box-shadow: none !important; }"),
    "goal": ("chess", "td:has(> button)", f".chess i {GONE}"),
    "piece": ("chess", ".man", f".man {GONE}"),
    "chosen": ("rps", ".rp.chosen", ".rp.chosen { border-width: 2px !important; }"),
    "your turn": ("strifebarge", ".saying", ".saying { border-color: CanvasText !important; }"),
    "to move": ("strifebarge", ".plate.now", ".plate.now { border-color: Canvas !important; }"),
    "to move, in the list": (
        "strifebarge",
        ".seats .now",
        ".seats > .now { border-color: Canvas !important; }",
    ),
    "the open tab": (
        "strifebarge",
        ".tab[open] > summary",
        ".tab > summary { border-color: Canvas !important; }",
    ),
}


@pytest.mark.parametrize(("person", "mark", "without"), MARKS.values(), ids=MARKS, indirect=["person"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_forced_colours_every_mark_is_drawn(person: Person, mark: str, without: str, scheme) -> None:
    person.page.emulate_media(forced_colors="active", color_scheme=scheme)
    box = person.page.locator(mark).first.evaluate(IN_SIGHT)
    drawn = person.page.screenshot(clip=box)
    person.page.evaluate(STYLE, without)
    assert person.page.screenshot(clip=box) != drawn


@pytest.mark.parametrize("person", ["/", "eights", "salvo"], indirect=True)
def test_in_forced_colours_the_focus_is_seen(person: Person) -> None:
    person.page.emulate_media(forced_colors="active")
    kinds = set()
    for stop in stops(person, 12):
        if stop["kind"] not in kinds and not stop["kind"].startswith("IFRAME"):
            kinds.add(stop["kind"])
            assert looks_different(person, stop["box"]), stop["what"]
    assert len(kinds) > 3


# -- nothing that moves -------------------------------------------------------------


@pytest.mark.parametrize("person", ["/", "/about", *TABLES], indirect=True)
def test_nothing_moves_for_those_who_want_it_calm(person: Person) -> None:
    assert person.page.evaluate(RESTYLED) == 0
    person.page.emulate_media(reduced_motion="no-preference")
    moving = person.page.evaluate(RESTYLED)
    assert bool(moving) == person.see(".btn:not([aria-disabled])")
