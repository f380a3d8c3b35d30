"""Moments at a table: what moves after a move, in each game, and the tones of what has happened."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from strifebarge.rules.schema import seat_numbers
from strifebarge.tables.library.library import Library, Title
from tests.browser.conftest import Gather, People
from tests.browser.party import PLAYABLE, SLUGS, Party, any_of, at_random, nobody, unfold
from tests.support.browser import Person
from tests.support.servers import Site

TYPED = {"Chess": ["move e4", "move e5"]}  # where the page has no buttons that move a piece
SEATS = {each.title: max(2, seat_numbers(each.rules)[0]) for each in Library()}
# What moves on the board or a plate, with another beginning than end; looked for in every frame.
COLLECT = """() => {
    const plain = ({ offset, computedOffset, easing, composite, ...what }) => JSON.stringify(what);
    const look = () => {
        for (const { effect } of document.getAnimations()) {
            const frames = effect.getKeyframes(), [first, last] = [frames[0], frames.at(-1)].map(plain);
            const lies = effect.target.closest("#board, .plate");
            if (lies && first !== last) document.body.dataset.moved = `${first} ${last}`;
        }
        requestAnimationFrame(look);
    };
    look();
}"""
HEARING = """
    window.notes = [];
    window.hums = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...given) {
        notes.push(this.frequency.value);
        return start.apply(this, given);
    };
    Object.defineProperty(navigator, "vibrate", { value: (time) => hums.push(time) });
"""


def moves(title: Title) -> bool:
    """Tell whether something moves on the board of a game: pieces with names, or what its style says."""
    texts = [path.read_text(encoding="utf-8") for path in title.folder.glob("*.html")]
    style = title.folder / "board.css"
    animated = style.is_file() and re.search("@keyframes|transition", style.read_text(encoding="utf-8"))
    return bool(animated) or any("data-piece" in text for text in texts)


@pytest.mark.parametrize("title", [each.title for each in Library() if moves(each)])
def test_after_a_move_something_on_the_board_moves_unless_somebody_wants_no_motion(
    person: People, title: str
) -> None:
    """With the script, which is told by the stream; one sees it move, and another only that it has moved."""
    lively, calm, *others = (person(javascript=True) for _ in range(SEATS[title]))
    party = Party([lively, calm, *others]).sit(title)
    lively.page.emulate_media(reduced_motion="no-preference")
    version = calm.page.locator("#live").get_attribute("data-version")
    for each in (lively, calm):
        each.page.evaluate(COLLECT)
    typed = iter(TYPED.get(title, ()))
    party.each_moves(lambda friend, moves: next(typed, "") or any_of(Random(title))(friend, moves))
    lively.page.wait_for_selector("body[data-moved]")
    newer = f'#live:not([data-version="{version}"])'
    calm.page.wait_for_selector(newer, state="attached")
    assert calm.page.evaluate("document.body.dataset.moved || ''") == ""


# What the bar, and a screen reader, say at once of somebody's own first move in games of ours.
OWN = {
    "7 Startups": "You have chosen.",
    "Chess": "You played e4.",
    "Crazy Eights": "You play the ",
    "Rock-Paper-Scissors": "You have chosen.",
    "Strife on the Mirrow": "Place your blocks (0 left).",
    "StrifeBarge": "You missed at A1.",
}


def make_first_move(mover: Person, title: str) -> None:
    if title == "Chess":
        mover.page.locator("#notation").fill("e4")
        mover.press(mover.page.locator("button[name=do]"))
    elif title == "Strife on the Mirrow":
        mover.press("Place the rest randomly")
    elif title not in OWN:
        at_random(Random(title))(mover)
    else:
        if title == "7 Startups":
            unfold(mover)
        mover.press(mover.page.locator(PLAYABLE).first)


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("title", SLUGS)
def test_what_ones_own_move_has_done_is_said_at_once(
    people_of: Gather, dealt: Site, title: str, scripts: bool
) -> None:
    """With a script also aloud; without one the page begins with it, at the place that the address names."""
    come = people_of(dealt)
    party = Party([come(javascript=scripts) for _ in range(SEATS[title])]).sit(title)
    mover = party.mover()
    assert mover
    make_first_move(mover, title)
    told = OWN.get(title) or re.compile(r"\bYou\b")
    expect(mover.page.locator(".saying")).to_contain_text(told)
    if scripts:
        expect(mover.page.locator("#said[aria-live=polite]")).to_contain_text(told)
    else:
        assert mover.page.url.endswith("#turn")
        expect(mover.page.locator(".saying")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_capture_and_the_end_have_tones_of_their_own_and_a_turn_makes_a_phone_hum(
    person: People, motion: str
) -> None:
    black = person(javascript=True)
    white = nobody(black)
    black.context.add_init_script(HEARING)
    black.open("/about")
    black.prefer("Sounds", "On")
    table = white.start("chess").table
    black.open(table)
    black.press(black.page.locator(".join button"))
    black.page.emulate_media(reduced_motion=motion)
    black.page.locator(".top > .here").click()  # browsers want a page touched before it makes a sound
    for own, others in (("d7d5", "e2e4"), ("d8d5", "e4d5")):
        assert white.move(table, f"move {others}").status == 303
        black.page.wait_for_selector("#turn.mine")
        black.page.locator("input[name=notation]").fill(own)
        black.page.keyboard.press("Enter")
        black.page.wait_for_selector("#turn:not(.mine)")
    assert black.page.evaluate("notes") == [294, 220, 294, 220]
    assert white.submit(white.get(f"{table}/resign"), "/quit").status == 303
    black.page.wait_for_selector(".stage.won")
    assert black.page.evaluate("notes")[4:] == [392, 494, 587, 784]
    assert black.page.evaluate("hums") == ([40, 40] if motion == "no-preference" else [])
