"""Chess as it is seen: by each side, and on the page."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from games.chess.rules import Move
from strifebarge.app import create_app
from strifebarge.rules.chance import Chance
from strifebarge.rules.codec import save
from strifebarge.settings import Settings
from strifebarge.store.migrations import upgrade
from tests.support.visitor import Local, Page

from .chess_table import BLACK, WHITE, table

# -- what is seen ------------------------------------------------------------------------


def test_everybody_sees_the_same():
    at = table(moves="e4 e5 Nf3")
    assert save(at.game, WHITE) == save(at.game, BLACK) == save(at.game, None)
    assert at.match.view(BLACK).board == at.game.board  # type: ignore[attr-defined]


def test_every_legal_move_is_offered():
    at = table()
    offers = at.match.offers(WHITE)
    assert len([offer for offer in offers if isinstance(offer, Move)]) == 20
    assert at.match.classes(WHITE) == [Move]


def test_a_sample_is_a_legal_move():
    match = table(moves="e4").match
    seen: Any = match.view(BLACK)
    sample = Move.sample(seen, seen.seats[BLACK], Chance("dice"))
    assert match.check(BLACK, sample) == sample


# -- on the page -------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Flask:
    settings = Settings(data=tmp_path, database_url=f"sqlite:///{tmp_path / 'db'}", secret_keys=("k" * 32,))
    upgrade(settings.database_url)
    return create_app(settings)


def seated(site: Flask, **options: str) -> tuple[Local, Local, str]:
    """Ann with White and Ben with Black, at a table."""
    ann, ben = Local(site), Local(site)
    address = ann.start("chess", name="Ann", **options).table
    ben.join(address, "Ben")
    return ann, ben, address


def labels(page: Page) -> list[str]:
    """The names of the squares, as they are read out."""
    board = page.text.partition('<table class="chess"')[2].partition("</table>")[0]
    named = re.findall(r'aria-label="([^"]+)"|<span class=vh>([^<]+)', board)
    return [link or plain for link, plain in named]


def test_each_side_sees_the_board_from_its_own_side_and_spectators_from_whites(site):
    ann, ben, address = seated(site)
    assert labels(ann.get(address))[0] == "a8, black rook"
    assert labels(ben.get(address))[0] == "h1, white rook"
    assert labels(Local(site).get(address))[-1] == "h1, white rook"
    assert len(labels(ben.get(address))) == 64


def test_two_clicks_move_a_piece(site):
    ann, ben, address = seated(site)
    page = ann.get(address)
    assert f"{address}?pick=g1#board" in page.seen.links
    assert f"{address}?pick=f1#board" not in page.seen.links  # it cannot move
    picked = ann.get(f"{address}?pick=g1")
    assert "g1, white knight, selected: put it back" in labels(picked)
    [button] = [each for each in picked.form("/turn").moves if each.value == "move g1f3"]
    assert ann.submit(picked, "/turn", button).status == 303
    assert "f3, white knight, last move" in labels(ben.get(address))


def test_enter_in_the_text_box_plays_what_is_written_there(site):
    ann, _, address = seated(site)
    picked = ann.get(f"{address}?pick=g1")
    [form] = [each for each in picked.forms if "notation" in each]
    first = form.buttons[0]  # what browsers press on Enter
    assert (first.name, first.value) == ("do", "move")
    assert ann.submit(picked, "/turn", first, notation="e4").status == 303
    assert "played e4" in ann.get(address).words


def test_a_refused_move_says_why_and_stays_in_the_box(site):
    ann, _, address = seated(site)
    page = ann.submit(ann.get(address), "/turn", notation="Bb5", do="move")
    assert (page.status, page.token) == (422, "chess.illegal_move")
    assert "the way to b5 is blocked" in page.words
    assert 'value="Bb5"' in page.text


def test_a_promotion_asks_which_piece(site):
    ann, _, address = seated(site, start="position", position="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    page = ann.get(f"{address}?pick=a7")
    assert "a8, empty, become another piece" in labels(page)
    assert not [each for each in page.form("/turn").moves if "a7a8" in each.value]
    [goal] = [link for link in page.seen.links if "pick=a7a8" in link]
    question = ann.get(goal)
    assert [each.value for each in question.form("/turn").moves if "a7a8" in each.value] == [
        "move a7a8q",
        "move a7a8r",
        "move a7a8b",
        "move a7a8n",
    ]
    assert "a8, become a queen" in labels(question)
    assert "Put the pawn back" in labels(question)
    picks = [link for link in question.seen.links if "pick=" in link]
    assert picks == [f"{address}?pick=#board"]  # the four lie over squares, where nothing can be pressed


def test_the_board_is_turned_round_by_a_link_and_stays_so_while_moving(site):
    ann, ben, address = seated(site)
    [turn] = [link for link in ann.get(address).seen.links if "turned=" in link]
    answer = ann.get(turn)
    assert (answer.status, answer.location) == (303, address)
    assert f"Path={address}" in answer.headers["Set-Cookie"], "of this table alone"
    assert labels(ann.get(address))[0] == "h1, white rook"
    ann.move(address, "move e4")
    assert labels(ann.get(address))[0] == "h1, white rook"
    assert labels(ann.get(f"{address}/at/0"))[0] == "h1, white rook"
    assert labels(ben.get(address))[0] == "h1, white rook", "Ben has it from his own side, as before"
    [back] = [link for link in ann.get(f"{address}/at/0").seen.links if "turned=" in link]
    assert ann.get(back).location == f"{address}/at/0"
    assert labels(ann.get(address))[0] == "a8, black rook"


def test_no_board_is_turned_by_other_words_or_leads_elsewhere(site):
    ann, _, address = seated(site)
    for wrong in ("", "maybe", "yes&turned=no&_external=1&_scheme=javascript"):
        answer = ann.get(f"{address}?turned={wrong}")
        assert answer.status == 200 or answer.location == address


def test_pieces_carry_the_same_names_on_every_page(site):
    ann, ben, address = seated(site)
    ann.move(address, "move e4")
    pages = [viewer.get(address).text for viewer in (ann, ben, Local(site))]
    named = [sorted(re.findall(r"data-piece=([\w-]+)", page)) for page in pages]
    assert named[0] == named[1] == named[2]
    assert len({*named[0]}) == len(named[0]) == 32


# -- the score sheet -----------------------------------------------------------------


def cells(page: Page) -> list[tuple[str, str]]:
    """The addresses of the score sheet's cells, and the moves in them."""
    sheet = page.text.partition('<div class="scoresheet"')[2].partition("</table>")[0]
    return re.findall(r'<td><a href="([^"]+)"[^>]*>([^<]+)', sheet)


def test_each_move_of_the_score_sheet_leads_to_its_position(site):
    ann, ben, address = seated(site)
    for nth, move in enumerate(["e4", "e5", "Nf3"]):
        (ann, ben)[nth % 2].move(address, f"move {move}")
    page = ann.get(address)
    assert cells(page) == [(f"{address}/at/{n}", move) for n, move in enumerate(["e4", "e5", "Nf3"], 1)]
    assert re.findall(r"aria-current=true>([^<]+)", page.text) == ["Nf3"]
    past = ben.get(f"{address}/at/2")
    assert re.findall(r"aria-current=true>([^<]+)", past.text) == ["e5"]


def test_the_score_sheet_of_a_finished_game_leads_on_to_its_positions(site):
    ann, ben, address = seated(site)
    moves = ["f3", "e5", "g4", "Qh4"]
    for nth, move in enumerate(moves):
        (ann, ben)[nth % 2].move(address, f"move {move}")
    for viewer in ann, ben, Local(site):
        page = viewer.get(address)
        assert "Checkmate" in page.words
        assert cells(page) == [(f"{address}/at/{n}", move) for n, move in enumerate([*moves[:3], "Qh4#"], 1)]
        past = viewer.get(f"{address}/at/2")
        assert "e5, black pawn, last move" in labels(past)
        assert cells(past) == cells(page)[:2], "as it stood then"


def test_a_cell_leads_to_its_position_whatever_else_was_done_and_however_long_ago(site):
    ann, ben, address = seated(site)
    ann.move(address, "offer_draw")
    moves = " ".join(f"{file}3 {file}6 Nf3 Nf6 Ng1 Ng8" for file in "abcdegh")
    for nth, move in enumerate(moves.split()):
        assert (ann, ben)[nth % 2].move(address, f"move {move}").status == 303, move
    links = cells(ann.get(address))
    assert [move for _, move in links[:2]] == ["a3", "a6"]
    assert links[0][0] == f"{address}/sheet/1", "its number is found in the whole log"
    assert ann.get(links[0][0]).location == f"{address}/at/2"
    assert links[-1][0] == f"{address}/at/{len(links) + 1}"
    for wrong in (0, len(links) + 1):
        assert ann.get(f"{address}/sheet/{wrong}").status == 404


def captured(page: Page) -> dict[str, tuple[str, str]]:
    """What stands on each plate of the captured pieces, and of the lead."""
    counts = {}
    for plate in re.findall(r'class="plate[ "].*?class="who">(.*?<small>)', page.text, re.DOTALL):
        [name] = re.findall(r"<bdi>([^<]+)", plate)
        phrases = [*re.findall(r'class="vh">[, ]*((?:has|ahead)[^<]+?) *<', plate), ""]
        counts[name] = (phrases[0], phrases[1])
    return counts


def test_what_was_captured_stands_on_the_plates_in_and_after_the_game(site):
    ann, ben, address = seated(site)
    for nth, move in enumerate(["e4", "d5", "exd5", "Qxd5", "Nc3", "Qxg2", "Bxg2"]):
        (ann, ben)[nth % 2].move(address, f"move {move}")
    ben.submit(ben.get(f"{address}/resign"), "/quit")
    for viewer in ann, ben, Local(site):
        for page in viewer.get(address), viewer.get(f"{address}/at/7"):
            assert captured(page) == {
                "Ann": ("has captured 1 queen, 1 pawn", "ahead by 8"),
                "Ben": ("has captured 2 pawns", ""),
            }


def test_check_captures_and_the_last_move_are_named(site):
    ann, ben, address = seated(site)
    moves = "e4 f5 exf5 Nf6 a3 g6 fxg6 a6 g7 a5 Qh5"
    for nth, move in enumerate(moves.split()):
        assert (ann, ben)[nth % 2].move(address, f"move {move}").status == 303
    page = ben.get(address)
    assert "e8, black king, in check" in labels(page)
    assert "Check. Make your move." in page.words
    assert "Qh5+" in dict(map(reversed, cells(page)))


def test_the_buttons_for_draws_come_and_go(site):
    ann, ben, address = seated(site)
    page = ann.get(address)
    assert [each.value for each in page.form("/turn").moves] == ["offer_draw"]
    ann.move(address, "offer_draw")
    assert ann.get(address).form("/turn").moves == []
    ann.move(address, "move e4")
    assert [each.value for each in ben.get(address).form("/turn").moves] == ["accept_draw", "decline_draw"]
    ben.move(address, "accept_draw")
    assert "A draw by agreement." in ann.get(address).words


def test_who_waits_may_resign_too_from_the_bar_of_the_board(site):
    ann, ben, address = seated(site)
    for who in (ann, ben):
        bar = who.get(address).text.partition('<div class="bar"')[2].partition('<div class="side"')[0]
        assert f'href="{address}/resign"' in bar
    asked = ben.get(f"{address}/resign")
    assert "Resign? You lose the game." in asked.words
    assert 'id="board"' in asked.text
    assert [button.face for button in asked.form("/quit").buttons] == ["Resign"]
    ben.submit(asked, "/quit")
    assert "Ben resigns." in ann.get(address).words
    assert "/resign" not in ann.get(address).text


def test_who_has_not_moved_yet_is_told_the_first_move(site):
    ann, ben, address = seated(site)
    ann.move(address, "move e4")
    [news] = re.findall('<ul class="news".*?</ul>', ben.get(address).text, re.DOTALL)
    assert "played e4." in news
    assert '<ul class="news"' not in Local(site).get(address).text, "spectators read the log"


def test_the_page_offers_the_game_as_pgn(site):
    ann, _, address = seated(site)
    ann.move(address, "move e4")
    [link] = [each for each in Local(site).get(address).seen.links if each.endswith("export.pgn")]
    assert '[White "Ann"]' in Local(site).get(link).text


def test_a_bad_position_is_refused_on_the_options_page(site):
    ann = Local(site)
    page = ann.submit(ann.get("/new/chess"), "/new/chess", start="position", position="8/8/8 w")
    assert page.status == 422
    assert "A game can't start from there" in page.words


def test_a_page_is_light(site):
    ann, _, address = seated(site)
    page = ann.get(f"{address}?pick=g1")
    assert len(page.body) < 40_000
