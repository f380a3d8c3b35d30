"""Positions that are put up: on the chess board by links alone, in writing, and what may be begun there."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings

from strifebarge.tables.library.library import Title
from tests.games.written_positions import ARRANGING, positions
from tests.support.visitor import Local, Page
from tests.web.house import House
from tests.web.markup import must_be_sound

PAGE = "/position/chess"
MATE_IN_ONE = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"


def at(who: Local, position: str, **more: str) -> Page:
    return who.get(f"{PAGE}?{urlencode({'position': position, **more})}")


def written(page: Page) -> str:
    """The position in the field."""
    return unescape(re.search(r"<textarea[^>]*>([^<]*)", page.text)[1])


def pressed(who: Local, page: Page, label: str) -> Page:
    """Follow the link of a square, or with these words on it."""
    words = re.escape(label)
    named, shown = f'aria-label="{words}"', rf">(?:&#10003; |<svg(?:(?!</a>).)*</svg><span[^>]*>)?{words}<"
    match = re.search(rf'<a [^>]*href="([^"]+)"[^>]*(?:{named}|{shown})', page.text)
    assert match, label
    page = who.get(unescape(match[1]).partition("#")[0])
    must_be_sound(page)
    return page


def test_a_position_is_put_up_by_links_and_analyzed(house: House) -> None:
    ann = house.visitor()
    page = pressed(ann, ann.get(PAGE), "Empty board")
    assert page.token == "chess.bad_position"
    assert "A game can't start from there: the board is empty." in page.words
    for man, square in (("white king", "f6"), ("white queen", "g6"), ("black king", "h7")):
        page = pressed(ann, pressed(ann, page, man), f"{square}, empty")
    page = pressed(ann, at(ann, written(page)), "h7, black king")
    page = pressed(ann, page, "h8, empty")
    assert written(page) == MATE_IN_ONE
    assert not page.token
    table = ann.submit(page, PAGE).table
    assert ann.move(table, "move Qg7").status == 303
    assert "Checkmate." in ann.get(table).words
    assert ann.get(table).over


def test_the_side_to_move_and_castling_are_pressed(house: House) -> None:
    ann = house.visitor()
    page = pressed(ann, at(ann, "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"), "Black to move")
    assert written(page) == "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1"
    page = pressed(ann, page, "White castles kingside")
    assert written(page) == "r3k3/8/8/8/8/8/8/4K2R b q - 0 1"
    assert written(pressed(ann, page, "White castles kingside")) == "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1"
    assert "White castles queenside" not in page.words
    page = pressed(ann, pressed(ann, page, "a8, black rook"), "b8, empty")
    assert written(page) == "1r2k3/8/8/8/8/8/8/4K2R b - - 0 1"


def test_a_piece_that_is_pressed_twice_is_taken_off_and_so_is_any_by_the_cross(house: House) -> None:
    ann = house.visitor()
    page = pressed(ann, at(ann, MATE_IN_ONE, held="Q"), "a1, empty")
    assert written(pressed(ann, page, "a1, white queen")) == MATE_IN_ONE
    page = pressed(ann, pressed(ann, page, "Empty a square"), "a1, white queen")
    assert written(page) == MATE_IN_ONE


@pytest.mark.parametrize("position", ["8/8/8/8/8/8/8/K7 w - - 0 1", "nonsense", "k7/8/8 w", "x" * 8000])
def test_an_impossible_position_is_refused_with_a_sentence_and_stays_in_the_field(
    house: House, position: str
) -> None:
    ann = house.visitor()
    page = at(ann, position)
    must_be_sound(page)
    assert page.token == "chess.bad_position"
    assert "Analyze" not in page.words
    form = at(ann, MATE_IN_ONE).form(PAGE)
    with house.unchanged():
        answer = ann.post(PAGE, form.filled(position=position))
    assert (answer.status, answer.token) == (422, "chess.bad_position")
    must_be_sound(answer)


LONG = "x" * 8001
# A game with an evaluation and a clock after each move, as servers write them.
NOTE = "{ [%eval 0.18] [%clk 0:10:00] }"
GAME = " ".join(
    f"{n}. {file}{rank} {NOTE} {n}... {file}{9 - rank} {NOTE}"
    for n, (file, rank) in enumerate([(file, rank) for rank in (3, 4) for file in "abcdefgh"], 1)
)


def shown(who: Local, position: str, **headers: str) -> Page:
    """The page after a position was written and set up."""
    page = who.get(PAGE, **headers)
    return who.post(PAGE, page.form(PAGE).filled(position=position, do="show"), **headers)


def test_a_whole_game_with_its_clocks_is_set_up_without_a_long_address(house: House) -> None:
    ann = house.visitor()
    page = shown(ann, "1. e4 ; the best\n1... e5 2. Nf3")
    must_be_sound(page)
    assert (page.status, page.token) == (200, "")
    assert written(page).startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq")
    page = shown(ann, GAME)
    assert written(page) == "rnbqkbnr/8/8/pppppppp/PPPPPPPP/8/8/RNBQKBNR w KQkq - 0 17"
    assert ann.get(ann.submit(page, PAGE).table).my_turn


def test_a_position_that_is_too_long_is_refused_in_the_words_of_the_page(house: House) -> None:
    ann = house.visitor()
    for page in shown(ann, LONG), ann.post(PAGE, ann.get(PAGE).form(PAGE).filled(position=LONG)):
        assert page.token == "table.wrong_options"
        assert "You can't choose that: Position has 8000 characters at most." in page.words
    german = shown(ann, LONG, Accept_Language="de")
    assert "Stellung hat höchstens 8000 Zeichen" in german.words


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("1. e4 e5 2. Nc6", "Nc6 geht in Zug 2 nicht: keine solche Figur von dir (Springer) kann nach c6"),
        ("1. Sf3 Sf6", "„Sf3“ ist nicht lesbar"),
        ("8/8 w", "„8/8“ passt nicht in eine FEN"),
        ("1. e4 * 1. d4 *", "gib eine einzige Partie an"),
    ],
)
def test_a_refusal_is_all_in_german(house: House, position: str, words: str) -> None:
    assert words in shown(house.visitor(), position, Accept_Language="de").words


def test_a_game_is_written_in_several_lines_on_the_page_of_the_options(house: House) -> None:
    ann = house.visitor()
    page = ann.get("/new/chess")
    assert '<textarea id="o-position"' in page.text
    two = "1. e4 ; one\n1... e5"
    table = ann.submit(page, "/new/chess", start="position", position=two, sit="0").table
    house.visitor().join(table)
    assert house.referee.views.show(None, table.removeprefix("/g/")).position.game.sheet == ["e4", "e5"]


def test_a_table_is_started_from_a_position_with_all_options(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()
    options = ann.submit(at(ann, MATE_IN_ONE), "/new/chess")
    must_be_sound(options)
    assert options.status == 200
    table = ann.submit(options, "/new/chess", sit="0").table
    ben.join(table)
    assert ann.move(table, "move Qg7").status == 303
    assert ann.get(table).over


def test_at_the_analysis_board_every_move_can_be_undone_to_the_position_and_no_further(house: House) -> None:
    ann = house.visitor()
    table = ann.submit(at(ann, MATE_IN_ONE), PAGE).table
    ann.move(table, "move Qg1")
    ann.submit(ann.get(table), "/undo")
    assert house.referee.views.show(None, table.removeprefix("/g/")).position.game.board.fen() == MATE_IN_ONE
    assert ann.submit(ann.get(table), "/undo").token in ("game.nothing_to_undo", "")


def test_the_same_form_twice_opens_one_table(house: House) -> None:
    ann = house.visitor()
    form = at(ann, MATE_IN_ONE).form(PAGE)
    assert ann.post(PAGE, form.filled()).location == ann.post(PAGE, form.filled()).location


def test_a_game_whose_board_puts_nothing_up_takes_its_position_in_writing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Title, "editor", "")
    ann = house.visitor()
    page = ann.get(PAGE)
    must_be_sound(page)
    assert written(page) == ""
    page = at(ann, MATE_IN_ONE)
    assert "Choose a piece" not in page.words
    assert ann.get(ann.submit(page, PAGE).table).my_turn
    page = shown(ann, GAME)
    assert written(page) == GAME
    assert max(map(len, page.seen.links)) < 200  # a position goes by form, and not into an address
    options = ann.submit(page, "/new/chess")
    assert ann.submit(options, "/new/chess", sit="0").table


@pytest.mark.parametrize("game", ["rps", "eights", "nothing"])
def test_a_game_that_arranges_nothing_has_no_such_page(house: House, game: str) -> None:
    ann = house.visitor()
    assert ann.get(f"/position/{game}").status == 404
    assert ann.post(f"/position/{game}", [("key", "k" * 32)]).status == 404
    if game != "nothing":
        assert "Set up a position" not in ann.get(f"/new/{game}").words


def test_the_page_reads_in_german(house: House) -> None:
    page = house.visitor().get(f"{PAGE}?position=8/8/8/8/8/8/8/K7+w+-+-+0+1", Accept_Language="de")
    assert "Schwarz hat keinen König" in page.words
    assert "Stellung aufbauen" in page.words


@pytest.mark.parametrize("title", [pytest.param(each, id=each.slug) for each in ARRANGING])
def test_whatever_position_is_accepted_can_be_drawn_on_every_page(house: House, title: Title) -> None:
    who, page = house.visitor(), f"/position/{title.slug}"
    form = who.get(page).form(page)

    @settings(max_examples=12, deadline=None)
    @given(position=positions(title))
    def drawn(position: str) -> None:
        key = {"key": f"{next(house.numbers):032x}"}
        must_be_sound(who.post(page, form.filled(position=position, do="show", **key)))
        answer = who.post(page, form.filled(position=position, **key))
        if answer.status == 422:
            assert answer.token
            return
        for path in "", "?view=text", "/log", "/at/0", "/log.txt":
            assert who.get(answer.table + path).status == 200, path
        for ending in house.referee.views.show(None, answer.code).position.game.exports([]):
            assert who.get(f"{answer.table}/export.{ending}").status == 200
        assert who.get(answer.table).my_turn

    drawn()
