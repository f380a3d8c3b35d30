"""Clocks on the pages: chosen, told, run out, paused, and left for a vacation; no script anywhere."""

import re
from random import Random

import pytest

from strifebarge.rules.pace import DAY
from tests.web.house import House, Party, Wall, play_out, token


def clock(party: Party, seat: int) -> str:
    """What the page says of whose time runs."""
    found = re.search(r'<p class="clock" id="clock">(.*?)</p>', party.players[seat].get(party.table).text)
    return re.sub(r"<[^>]+>", "", found[1]) if found else ""


def test_a_game_is_started_by_a_clock_and_everybody_is_told_before_they_sit_down(timed: House) -> None:
    host, guest = timed.visitor(), timed.visitor()
    page = host.get("/new/strifebarge")
    assert page.form("/new/strifebarge").choices["pace"][:2] == ["", "turn-180"]
    table = host.start("strifebarge", pace="turn-180").table
    words = guest.get(table).words
    assert "Played by the clock: 3 minutes a move." in words
    assert "Whoever lets the time run out is passed over. After 3 times in a row they are out." in words
    manual = guest.get("/rules/strifebarge").words
    assert "Whoever lets the time run out is passed over." in manual
    assert "Whoever lets the time run out has lost." in guest.get("/rules/chess").words


def test_a_time_that_is_not_offered_is_refused_with_its_sentence(timed: House) -> None:
    page = timed.visitor()
    answer = page.submit(page.get("/new/chess"), "/new/chess", pace="turn-1")
    assert (answer.status, "There is no such time to play by." in answer.words) == (422, True)


def test_what_is_left_is_told_in_words(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace="turn-180")
    wall.at += 50
    assert clock(party, 0) == "You have 2 minutes 10 seconds left."
    assert clock(party, 1).endswith("has 2 minutes 10 seconds left.")
    assert "2 minutes 10 seconds left" in party.players[0].get("/games").words
    text = party.players[0].get(f"{party.table}?view=text&say=time")
    assert "You have 2 minutes 10 seconds left." in text.words


def test_the_game_goes_on_at_a_press_where_nothing_ticks(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace="turn-180")
    old = party.players[0].get(party.table)
    wall.at += 182
    with timed.unchanged():
        assert clock(party, 1).startswith("The time of ")
    page = party.players[1].get(party.table)
    assert party.players[1].submit(page, "/late").status == 303
    assert party.players[1].get(party.table).my_turn
    refused = party.players[0].submit(old, "/turn", old.form("/turn").moves[0])
    assert (refused.status, token(refused)) == (409, "game.too_late")


def test_a_move_that_comes_too_late_is_told_so(timed: House, wall: Wall) -> None:
    party = timed.gathered("rps", pace="turn-60")
    page = party.players[0].get(party.table)
    wall.at += 60
    refused = party.players[0].submit(page, "/turn", page.form("/turn").moves[0])
    assert (refused.status, token(refused)) == (409, "game.too_late")
    assert party.players[0].get(party.table).status == 200


def test_a_pause_is_proposed_agreed_to_and_ended(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace="days-3")
    ann, ben = party.players
    ann.submit(ann.get(party.table), "/pause")
    assert "For a pause:" in ben.get(party.table).words
    ben.submit(ben.get(party.table), "/pause")
    assert clock(party, 0).startswith("All clocks stand still until ")
    assert not ann.get(party.table).has_form("/suspend")
    ann.submit(ann.get(party.table), "/go-on")
    wall.at += 2 * DAY
    assert clock(party, 0) == "You have 2 days left."


def test_putting_a_timed_game_aside_is_refused(timed: House) -> None:
    party = timed.gathered("strifebarge", pace="days-3")
    page = party.players[0].get(party.table)
    fields = [("key", page.form("/pause")["key"])]
    refused = party.players[0].post(f"{party.table}/suspend", fields)
    assert (refused.status, token(refused)) == (409, "table.on_the_clock")


@pytest.mark.parametrize("what", ["pause", "go-on", "late"])
def test_where_no_clock_runs_nothing_can_be_done_about_it(timed: House, what: str) -> None:
    party = timed.gathered("rps")
    key = party.players[0].get(party.table).form("/suspend")["key"]
    refused = party.players[0].post(f"{party.table}/{what}", [("key", key)])
    assert (refused.status, token(refused)) == (409, "table.untimed")


def test_a_vacation_is_taken_and_ended_on_my_games(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace="days-1")
    ann = party.players[0]
    assert ann.submit(ann.get("/games"), "/vacation", days="3").status == 303
    assert "You are on vacation until" in ann.get("/games").words
    wall.at += 2 * DAY
    assert clock(party, 0).startswith("You are on vacation until ")
    assert " is on vacation until " in clock(party, 1)
    assert ann.submit(ann.get("/games"), "/vacation").status == 303
    assert clock(party, 0) == "You have 1 day left."
    assert "12 days are left this year." in ann.get("/games").words
    for days, why in (("13", "table.wrong_days"), ("x", "table.wrong_days")):
        refused = ann.post("/vacation", [("days", days)])
        assert (refused.status, token(refused)) == (422, why)
    assert token(timed.visitor().post("/vacation", [("days", "1")])) == "table.not_seated"


def test_a_timed_game_can_be_played_to_its_end(timed: House) -> None:
    party = timed.gathered("rps", pace="clock-5-3")
    assert play_out(party, Random(1))
    assert clock(party, 0) == ""


def test_rules_that_fail_where_time_has_run_out_are_no_fault_of_the_page(
    timed: House, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = timed.gathered("rps", pace="turn-60")

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(timed.referee.library["rps"].rules, "absent", fail)
    wall.at += 100
    page = party.players[0].get(party.table)
    assert page.status == 200
    assert party.players[0].submit(page, "/late").status == 303
    after = party.players[0].get(party.table)
    assert after.status == 200
    assert "The rules of this game fail where somebody's time has run out." in after.words.replace("’", "'")


def test_the_urgent_game_comes_first_among_my_games(timed: House) -> None:
    slow = timed.gathered("strifebarge", pace="days-3")
    ann = slow.players[0]
    table = ann.start("chess", pace="clock-10-5", sit="0").table
    timed.visitor().join(table)
    words = ann.get("/games").words
    assert words.index("Chess") < words.index("3 days")


def test_who_is_too_late_to_choose_waits_for_those_who_still_may(timed: House, wall: Wall) -> None:
    party = timed.gathered("rps", pace="turn-60")
    with timed.referee.store.change(party.code) as change:
        clock = change.table.clock
        assert clock
        clock.hands[0].left = 10
    old = party.players[0].get(party.table)
    wall.at += 12
    timed.referee.look(party.code)
    page = party.players[0].get(party.table)
    assert (page.status, page.my_turn, page.has_form("/turn")) == (200, False, False)
    refused = party.players[0].submit(old, "/turn", old.form("/turn").moves[0])
    assert (refused.status, token(refused)) == (409, "game.too_late")
    assert party.players[1].get(party.table).my_turn
