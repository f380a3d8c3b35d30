"""Boards where the script runs: one stop for Tab, arrows, squares jumped to by name, pieces dragged."""

import re
from collections.abc import Callable
from random import Random

import pytest

from tests.browser.party import MOVES, PLAYABLE, Lookouts, Party, at_random, look_again, over, to_move, wanted
from tests.browser.test_keyboard import stops, tab_to
from tests.support.browser import DESKTOP, PHONE, Person

HERE = """() => {
    const square = document.activeElement.closest('[data-grid] td');
    if (!square) return '';
    const heads = square.closest('table').tHead.rows[0].cells;
    return heads[square.cellIndex].textContent.trim() + square.parentNode.cells[0].textContent.trim();
}"""
CARD = "() => [...document.querySelector('.hand').children].indexOf(document.activeElement.closest('li')) + 1"
INSIDE = "() => document.activeElement.closest('[data-grid], [data-row]') !== null"
FOCUSED = "document.activeElement"


@pytest.fixture
def two(person):
    """Makes a game that has begun, of two people whose scripts run; the first is to move."""

    def begin(title: str, size=DESKTOP, **options: str) -> Party:
        return Party([person(javascript=True, size=size) for _ in range(2)]).sit(title, **options)

    return begin


def come_to(person: Person, board: str = "[data-grid]") -> None:
    """By Tab to the one stop there is on a board."""
    tab_to(person, person.page.locator(f"{board} [tabindex='0']"))


def keys(person: Person, *several: str) -> str:
    """Where these lead on a grid."""
    for each in several:
        person.page.keyboard.press(each)
    return str(person.page.evaluate(HERE))


def jump(person: Person, name: str) -> None:
    """To a square by typing its name, after long enough to begin a new one."""
    person.page.wait_for_timeout(1100)
    person.page.keyboard.type(name)
    assert person.page.evaluate(HERE) == name


# -- stops and ways -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "options"),
    [
        ("StrifeBarge", {"sea": "open"}),
        ("StrifeBarge", {"salvo": "true"}),
        ("Chess", {}),
        ("Crazy Eights", {}),
    ],
    ids=["sea", "salvo", "chess", "hand"],
)
def test_a_board_is_one_stop_for_tab(two, title, options):
    for friend in two(title, **options).friends:
        friend.reload()
        inside = [friend.page.evaluate(INSIDE) for _ in stops(friend, 100)]
        boards = friend.page.locator("[data-grid], [data-row]:has(button)").count()
        assert inside.count(True) == boards
        assert len(inside) < 60


def test_arrows_and_their_like_go_over_the_sea(two):
    host = two("StrifeBarge", sea="open").host
    come_to(host)
    host.page.keyboard.type("c3")
    assert keys(host, "ArrowRight") == "D3"
    assert keys(host, "ArrowDown") == "D4"
    assert keys(host, "ArrowLeft", "ArrowLeft") == "B4"
    assert keys(host, "ArrowUp") == "B3"
    assert keys(host, "Home") == "A3"
    assert keys(host, "ArrowLeft") == "A3"
    assert keys(host, "PageDown") == "A8"
    assert keys(host, "PageUp", "PageUp") == "A1"
    last = keys(host, "Control+End")
    assert keys(host, "Home", "End") == last
    assert keys(host, "ArrowDown", "ArrowRight") == last
    assert keys(host, "Control+Home") == "A1"
    assert to_move(host)


def test_squares_are_jumped_to_by_name_wherever_they_are(two):
    host = two("StrifeBarge", sea="open").host
    come_to(host)
    host.page.keyboard.type("b1")
    assert host.page.evaluate(HERE) == "B1"
    host.page.keyboard.type("2")
    assert host.page.evaluate(HERE) == "B12"
    host.page.keyboard.type("c4")
    assert host.page.evaluate(HERE) == "C4"
    jump(host, "R18")
    stop = host.page.evaluate_handle(FOCUSED).bounding_box()
    frame = host.page.locator(".scroll").bounding_box()
    assert frame["x"] <= stop["x"] <= frame["x"] + frame["width"] - stop["width"] + 1
    assert frame["y"] <= stop["y"] <= frame["y"] + frame["height"] - stop["height"] + 1


def test_a_square_without_a_button_says_which_it_is(two):
    friend = two("StrifeBarge").friends[1]
    look_again(friend)
    come_to(friend)
    friend.page.keyboard.type("e5")
    spoken = friend.page.evaluate("document.activeElement.ariaLabel || document.activeElement.textContent")
    assert spoken.strip().startswith("E5, ")
    assert friend.page.evaluate("document.activeElement.tagName") == "TD"


def test_boards_run_from_left_to_right_in_every_script_and_hands_as_the_page_does(two):
    sea, hand = two("StrifeBarge").host, two("Crazy Eights").host
    for each in sea, hand:
        each.page.evaluate("document.documentElement.dir = 'rtl'")
    come_to(sea)
    sea.page.keyboard.type("c3")
    assert keys(sea, "ArrowRight") == "D3"
    come_to(hand, "[data-row]")
    hand.page.keyboard.press("Home")
    hand.page.keyboard.press("ArrowLeft")
    assert hand.page.evaluate(CARD) == 2


def test_cards_of_a_hand_by_arrows_and_digits(two):
    host = two("Crazy Eights").host
    come_to(host, "[data-row]")
    cards = host.page.locator(".hand > li").count()
    for key, card in [
        ("3", 3),
        ("1", 1),
        ("ArrowRight", 2),
        ("ArrowDown", 3),
        ("End", cards),
        ("ArrowLeft", cards - 1),
    ]:
        host.page.keyboard.press(key)
        assert host.page.evaluate(CARD) == card


def test_the_square_is_the_same_when_the_page_is_made_anew_and_on_the_next(two):
    host, friend = two("StrifeBarge").friends
    look_again(friend)
    come_to(friend)
    friend.page.keyboard.type("j9")
    host.press(host.page.locator(PLAYABLE).nth(30))
    friend.page.locator("#turn.mine").wait_for()
    assert friend.page.evaluate(HERE) == "J9"
    shot = friend.values(PLAYABLE)[7].removeprefix("fire ")
    jump(friend, shot)
    with friend.arriving():
        friend.page.keyboard.press("Enter")
    come_to(friend)
    assert friend.page.evaluate(HERE) == shot


# -- whole games --------------------------------------------------------------------


def test_a_sea_is_fought_over_by_names_of_squares(two):
    party = two("StrifeBarge")
    lookouts = Lookouts(Random("names"), honest=0)

    def choose(captain: Person) -> None:
        named = lookouts.aim(captain, captain.values(PLAYABLE), 1)[0]
        come_to(captain)
        captain.page.keyboard.type(named.removeprefix("fire "))
        with captain.arriving():
            captain.page.keyboard.press("Enter")

    party.play(choose)
    assert all(map(over, party.friends))


def test_a_salvo_is_ticked_with_space(two):
    captain = two("StrifeBarge", salvo="true").host
    squares = captain.values(f"{MOVES} input[type=checkbox]")[: wanted(captain)]
    come_to(captain)
    for square in squares:
        jump(captain, square)
        captain.page.keyboard.press("Space")
    assert captain.values(f"{MOVES} input:checked") == squares
    tab_to(captain, captain.page.get_by_role("button", name="Fire", exact=True))
    with captain.arriving():
        captain.page.keyboard.press("Enter")
    assert not to_move(captain)


def test_chess_is_played_on_its_board_to_the_mate(two):
    party = two("Chess")
    coming = iter(["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"])

    def choose(player: Person) -> None:
        move = next(coming)
        pages = len(player.sent)
        come_to(player)
        player.page.keyboard.type(move[:2])
        player.page.keyboard.press("Enter")
        player.page.locator(f"button[value='move {move}']").wait_for()
        assert [each for each in player.sent[pages:] if each.is_navigation_request()] == []
        assert player.page.evaluate(HERE) == move[:2]
        player.page.keyboard.type(move[2:])
        with player.arriving():
            player.page.keyboard.press("Enter")

    party.play(choose)
    assert all(map(over, party.friends))


@pytest.mark.slow
def test_cards_are_played_from_the_hand_to_the_last(two):
    party = two("Crazy Eights")
    anything = at_random(Random("cards"))

    def choose(player: Person) -> None:
        playable = player.page.locator(".hand button:not([aria-disabled])")
        if not playable.count():
            return anything(player)
        come_to(player, "[data-row]")
        player.page.keyboard.press("Home")
        while not playable.first.evaluate("each => each === document.activeElement"):
            player.page.keyboard.press("ArrowRight")
        with player.arriving():
            player.page.keyboard.press("Enter")

    party.play(choose)
    assert all(map(over, party.friends))


# -- dragging -----------------------------------------------------------------------


def centre(person: Person, square: str) -> tuple[float, float]:
    """The middle of a square of the chess board, as white has it before them."""
    row, column = 8 - int(square[1]), "abcdefgh".index(square[0])
    box = person.page.locator(".chess tbody tr").nth(row).locator("td").nth(column).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(person: Person, start: str, goal: str) -> None:
    mouse = person.page.mouse
    mouse.move(*centre(person, start))
    mouse.down()
    mouse.move(*centre(person, goal), steps=5)
    assert person.see(".dragged")
    mouse.up()
    assert not person.see(".dragged")


def test_a_piece_is_dragged_to_where_it_may_go(two):
    host = two("Chess").host
    with host.arriving():
        drag(host, "g1", "f3")
    assert "Nf3" in host.page.locator(".scoresheet").text_content()
    assert not to_move(host)


def test_a_piece_dragged_to_where_it_may_not_go_stays_in_the_hand(two):
    host = two("Chess").host
    drag(host, "g1", "g5")
    host.page.locator("button[value='move g1f3']").wait_for()
    with host.arriving():
        drag(host, "g1", "h3")
    assert "Nh3" in host.page.locator(".scoresheet").text_content()


def test_a_drag_let_go_of_with_escape_moves_nothing(two):
    host = two("Chess").host
    host.page.mouse.move(*centre(host, "g1"))
    host.page.mouse.down()
    host.page.mouse.move(*centre(host, "f3"), steps=5)
    host.page.keyboard.press("Escape")
    assert not host.see(".dragged")
    host.page.mouse.up()
    host.reload()
    assert to_move(host)


def test_a_piece_is_picked_and_put_in_two_clicks_without_leaving_the_page(two):
    host = two("Chess").host
    before = len(host.sent)
    host.page.locator("a[href*='pick=g1']").click()
    goal = host.page.locator("button[value='move g1f3']")
    goal.wait_for()
    assert not any(each.is_navigation_request() for each in host.sent[before:])
    host.press(goal)
    assert not to_move(host)


def test_escape_puts_back_what_was_picked_and_the_focus_stays(two):
    host = two("Chess").host
    come_to(host)
    jump(host, "g1")
    before = len(host.sent)
    host.page.keyboard.press("Enter")
    goal = host.page.locator("button[value='move g1f3']")
    goal.wait_for()
    host.page.keyboard.press("Escape")
    goal.wait_for(state="detached")
    assert host.page.evaluate(HERE) == "g1"
    assert not any(each.is_navigation_request() for each in host.sent[before:])
    host.page.keyboard.press("Escape")  # with nothing left to put back
    host.page.keyboard.press("Enter")
    goal.wait_for()
    assert to_move(host)


def test_escape_closes_the_menu_first_and_then_puts_back_what_was_picked(two):
    host = two("Chess").host
    host.page.locator("a[href*='pick=g1']").click()
    goal = host.page.locator("button[value='move g1f3']")
    goal.wait_for()
    host.page.locator(".prefs > summary").click()
    host.page.keyboard.press("Escape")
    assert not host.see(".prefs[open]")
    assert host.see("button[value='move g1f3']")
    host.page.keyboard.press("Escape")
    goal.wait_for(state="detached")


def test_a_pawn_dragged_to_the_last_row_is_asked_what_it_becomes(two):
    party = two("Chess")
    moves = ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "c8b7", "a6b7", "b8c6"]
    for move in moves:
        mover = party.mover()
        mover.page.locator("#notation").fill(move)
        mover.press(mover.page.locator(f"{MOVES} button[name=do]"))
    host = party.mover()
    drag(host, "b7", "a8")
    queen = host.page.locator("button[value='move b7a8q']")
    queen.wait_for()
    assert to_move(host)
    keys(host, "ArrowDown")
    assert host.page.evaluate("document.activeElement.value") != "move b7a8q"
    keys(host, "ArrowUp")
    assert host.page.evaluate("document.activeElement.value") == "move b7a8q"
    with host.arriving():
        host.page.keyboard.press("Enter")
    assert "bxa8=Q" in host.page.locator(".scoresheet").text_content()


def finger(person: Person) -> Callable[..., None]:
    """Does what a finger does, as the browser hears of it."""
    devtools = person.context.new_cdp_session(person.page)

    def touch(kind: str, *spots: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in spots]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    return touch


def test_a_piece_is_dragged_by_finger_and_the_board_stays(person):
    host, friend = person(javascript=True, size=PHONE), person(javascript=True, size=PHONE)
    Party([host, friend]).sit("Chess")
    host.page.evaluate("document.querySelector('.chess').scrollIntoView()")
    board = host.page.locator(".chess")
    top = board.bounding_box()["y"]
    touch, start, goal = finger(host), centre(host, "b1"), centre(host, "c3")
    with host.arriving():
        touch("touchStart", start)
        for step in range(1, 6):
            x, y = (a + (b - a) * step / 5 for a, b in zip(start, goal, strict=True))
            touch("touchMove", (x, y))
        host.page.locator("button[value='move b1c3']").wait_for()
        assert abs(board.bounding_box()["y"] - top) < 1
        touch("touchEnd")
    assert "Nc3" in host.page.locator(".scoresheet").text_content()


@pytest.mark.parametrize(("title", "square"), [("Chess", ".chess td"), ("StrifeBarge", ".sea td")])
def test_the_size_of_a_square_is_computed_for_the_board_and_not_by_each_square(two, title, square):
    """A hundred squares that compute it make a page wait for its layout after every move."""
    size = (
        two(title)
        .host.page.locator(square)
        .last.evaluate("each => getComputedStyle(each).getPropertyValue('--u')")
    )
    assert re.fullmatch(r"\d+(\.\d+)?px", size), size
