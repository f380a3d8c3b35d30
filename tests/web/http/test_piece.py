"""A page's script asks for the page's `main` alone, and has it as the answer to a form."""

import re
from html import unescape
from urllib.parse import unquote

import pytest

from tests.support.visitor import Page

PIECE = {"X-Piece": "main"}
NEEDED = re.compile(r'(?:href|src)="([^"]*/static/[^"]*\.(?:css|js))"')
KEY = re.compile(r'(name="key" value=")[^"]*|data-at="[^"]*')


def main_of(page: Page) -> str:
    """What stands in `main`, keys of forms left out."""
    inside = re.search(r"<main[^>]*>(.*)</main>", page.text, re.DOTALL)
    return KEY.sub(r"\1", inside[1] if inside else page.text).strip()


def submit(player, page, ending, **changed):
    """Send a form as the page's script does."""
    form = page.form(ending)
    return player.post(form.action, form.filled(**changed), **PIECE)


@pytest.fixture
def two(house):
    party = house.gathered("strifebarge")
    return party.table, *party.players


def test_a_piece_is_the_main_of_the_whole_page(house, two):
    table, host, friend = two
    for each in (host, friend, house.visitor()):
        whole, piece = each.get(table), each.get(table, **PIECE)
        assert piece.status == 200
        assert main_of(piece) == main_of(whole)
        title = re.search("<title>(.*)</title>", whole.text)
        assert title
        assert unquote(piece.headers["X-Title"]) == unescape(title[1])
        assert piece.headers["X-Icon"] in whole.text
        assert sorted(NEEDED.findall(whole.text)) == piece.headers["X-Needs"].split()
        assert piece.headers["Cache-Control"] == "no-store"
    assert host.get("/games", **PIECE).headers["X-Turns"] == "1"


def test_what_a_proxy_keeps_of_a_page_is_never_the_answer_to_a_script(house, two):
    table, *_ = two
    stranger = house.visitor()
    page = stranger.get(table)
    assert "public" in page.headers["Cache-Control"]
    assert "X-Piece" in page.headers["Vary"]


def test_a_piece_that_has_not_changed_is_not_sent_again(two):
    table, host, friend = two
    first = friend.get(table, **PIECE)
    same = friend.get(table, **PIECE, **{"If-None-Match": first.headers["ETag"]})
    assert (same.status, same.text) == (304, "")
    host.move(table, host.get(table).form("/turn").moves[0].value)
    assert friend.get(table, **PIECE, **{"If-None-Match": first.headers["ETag"]}).status == 200


def test_a_move_is_answered_with_the_page_after_it(two):
    table, host, _ = two
    page = host.get(table)
    move = page.form("/turn").moves[0].value  # none of their own ships lies there
    answer = submit(host, page, "/turn", move=move)
    assert answer.status == 200
    assert answer.headers["X-Location"] == f"{table}?done=1#turn"
    assert answer.headers["X-Turns"] == "0"
    assert main_of(answer) == main_of(host.get(f"{table}?done=1"))
    assert f"at {move.removeprefix('fire ')}" in answer.words


def test_the_page_after_a_move_has_the_tag_by_which_it_is_not_sent_again(two):
    table, host, _ = two
    page = host.get(table)
    answer = submit(host, page, "/turn", move=page.form("/turn").moves[0].value)
    again = host.get(str(answer.headers["X-Location"]), **PIECE, If_None_Match=str(answer.headers["ETag"]))
    assert (again.status, again.headers["ETag"]) == (304, answer.headers["ETag"])


def test_the_same_move_sent_again_gets_the_same_answer(two):
    table, host, _ = two
    page = host.get(table)
    move = page.form("/turn").moves[0].value
    answers = [submit(host, page, "/turn", move=move) for _ in range(2)]
    assert main_of(answers[0]) == main_of(answers[1])
    assert f"at {move.removeprefix('fire ')}" in answers[0].words


def test_a_refused_move_is_answered_with_the_reason_above_the_fresh_board(two):
    table, host, friend = two
    answer = submit(friend, host.get(table), "/turn", move="fire A1")
    assert answer.status == 409
    assert answer.token == "game.not_your_turn"
    assert "<main" not in answer.text
    assert "X-Location" not in answer.headers
    assert "ETag" not in answer.headers


def test_what_leads_to_another_page_says_where_that_is(house):
    host = house.visitor()
    page = host.start("strifebarge")
    quit_page = host.get(f"{page.table}/quit")
    answer = submit(host, quit_page, "/delete")
    assert (answer.status, answer.text) == (204, "")
    assert answer.headers["X-Location"] == "/games"


def test_forms_of_all_kinds_are_answered_with_the_table(two):
    table, host, _ = two
    answer = submit(host, host.get(table), "/say", text="Ahoy")
    assert answer.status == 200
    assert "Ahoy" in answer.words
    assert answer.headers["X-Location"] == f"{table}#talk"


def test_a_stranger_who_sits_down_has_the_page_of_their_seat(house):
    host, friend = house.visitor(), house.visitor()
    table = host.start("strifebarge").table
    answer = submit(friend, friend.get(table), "/join", new="1")
    assert answer.status == 200
    assert main_of(answer) == main_of(friend.get(f"{table}?new=1"))


def test_a_device_that_is_passed_round_shows_who_lifts_the_curtain_and_covers_the_next(house):
    device = house.visitor()
    page = device.start("rps", devices="one", name="Ann", others="Ben")
    covered = device.get(page.table, **PIECE)
    assert "ETag" not in covered.headers
    form = covered.form("/uncover")
    shown = device.post(form.action, form.filled(seat="0"), **PIECE)
    assert shown.status == 200
    assert shown.has_form("/turn")
    assert "ETag" not in shown.headers
    passed = submit(device, shown, "/turn", move="throw rock")
    assert passed.status == 200
    assert passed.has_form("/uncover")
    assert main_of(passed) == main_of(device.get(page.table))
