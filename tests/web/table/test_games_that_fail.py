"""Pages of a game whose code fails: each says so plainly, writes nothing, and offers a way out."""

import pytest

from strifebarge.tables.model.parts import Fault
from strifebarge.tables.model.status import Status
from strifebarge.tables.play import faults
from tests.support.visitor import Local
from tests.web.house import House, Party, leave, token

SENTENCE = "A bug in this game has stopped it. No move is lost."
FAILING = ["board_raises", "template_raises", "template_exits", "question_raises", "prompt_no_text"]
PAGES = ["", "?view=text", "/at/1", "/at/0", "/log", "/log.txt", "/sure?move=go", "/status?v=1", "/version"]
PAGES += ["/export.pgn", "/talk", "/record.json"]


@pytest.fixture
def house(unruly_house: House) -> House:
    return unruly_house


def failed(house: House, how: str) -> Party:
    """A game in which somebody has made the move after which it fails."""
    party = house.gathered("unruly")
    assert party.to_move().move(party.table, f"do {how}").status == 303
    return party


def press(who: Local, party: Party, ending: str, **fields: str) -> None:
    answer = who.submit(who.get(party.table), ending, **fields)
    assert answer.status == 303, answer.words


def words_of(who: Local, party: Party) -> str:
    return who.get(party.table).words


@pytest.mark.parametrize("how", FAILING)
def test_no_page_of_a_game_that_fails_is_a_fault_of_ours_and_none_writes(
    house: House, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = failed(house, how)
    reported = []
    monkeypatch.setattr(house.referee.suspender, "suspend", lambda *which: reported.append(which))
    monkeypatch.setattr(faults, "SOON", 0)  # nobody writes it
    with house.unchanged():
        for who in (*party.players, house.visitor()):
            for page in PAGES:
                answer = who.get(party.table + page)
                assert answer.status in (200, 303, 404, 409), (page, answer.words)
                assert "the author reads this" not in answer.text
        assert any(SENTENCE in each.get(f"{party.table}?view=board").words for each in party.players)
    assert reported  # its suspension is for somebody else to write


def test_it_is_suspended_beside_the_request_and_the_message_is_kept(house: House) -> None:
    party = failed(house, "board_raises")
    suspender = house.referee.suspender
    suspender.start()
    page = party.players[0].get(party.table)
    assert SENTENCE in page.words
    suspender.stop()
    table = house.store.tables.table(page.code)
    assert table.status is Status.SUSPENDED
    assert table.fault is not None
    assert "LookupError: the author reads this" in table.fault.error
    assert "board.py" in table.fault.trace
    assert [each.id for each in house.store.tables.faulty()] == [page.code]
    with house.unchanged():  # its code is not run again, and nothing is written a second time
        assert SENTENCE in party.players[1].get(party.table).words


def test_players_are_told_in_their_language(house: House) -> None:
    party = failed(house, "board_raises")
    page = party.players[0].get(party.table, Accept_Language="de")
    assert "Ein Fehler in diesem Spiel hat die Partie unterbrochen. Kein Zug ist verloren." in page.words


def test_they_go_back_a_move_if_all_agree_and_the_log_says_so(house: House) -> None:
    party = house.gathered("unruly")
    for _ in range(3):
        assert party.to_move().move(party.table, "go").status == 303
    assert party.to_move().move(party.table, "do board_raises").status == 303
    one, other = party.players
    assert "If all agree, you can go back to move 3." in one.get(party.table).words
    press(one, party, "/back", back="yes")
    press(one, party, "/ready")
    assert "Guest Foxtrot wants to go back to move 3." in other.get(party.table).words
    press(other, party, "/ready")
    page = party.to_move().get(party.table)
    assert "moves: 3" in page.words
    assert "All agreed to go back to move 3." in page.words
    assert party.to_move().move(party.table, "go").status == 303
    assert "moves: 4" in one.get(party.table).words
    leave(one, party.table, "resign")
    code = page.code
    record = house.results.record(code)
    assert record.finished
    assert house.results.check(record).wrong is None  # what was taken back is not in it


def test_a_form_in_which_a_game_fails_is_refused_and_changes_nothing_but_that(house: House) -> None:
    party = house.gathered("unruly")
    player = party.to_move()
    page = player.get(party.table)
    answer = player.submit(page, "/turn", move="do mistake")
    assert (answer.status, token(answer)) == (409, "table.mistake")
    assert SENTENCE in answer.words
    again = player.submit(page, "/turn", move="do mistake")  # pressed once more
    assert (again.status, token(again)) == (409, "table.suspended")
    for each in party.players:
        press(each, party, "/ready")
    assert player.move(party.table, "go").status == 303


def test_a_finished_game_that_cannot_be_shown_says_how_it_ended(house: House) -> None:
    party = failed(house, "board_raises")
    with house.store.tables.change(party.table.removeprefix("/g/")) as change:
        change.table.status, change.table.ending.unfinished = Status.OVER, True
    for who in (*party.players, house.visitor()):
        page = who.get(party.table)
        assert (page.status, page.over) == (200, True)
        assert who.get(f"{party.table}/at/1").status == 409


def test_a_finished_game_that_has_cost_a_worker_is_not_shown_again(house: House) -> None:
    party = house.gathered("unruly")
    code = party.table.removeprefix("/g/")
    assert party.to_move().move(party.table, "go").status == 303
    leave(party.players[0], party.table, "resign")
    assert "moves: 1" in party.players[1].get(party.table).words
    with house.store.tables.change(code) as change:
        change.table.fault = Fault(what="drawing the board", error="It held its process.", deadly=True)
    page = party.players[1].get(party.table)
    assert (page.status, page.over) == (200, True)
    assert "moves: 1" not in page.words
    assert token(party.players[1].get(f"{party.table}/at/1")) == "table.cannot_show"
