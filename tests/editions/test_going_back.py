"""Where new rules lead elsewhere, a game may go back to the start of its stage, if all who play agree."""

import json

import pytest

from strifebarge.rules.pace import DAY
from tests.support.visitor import Local
from tests.web.house import Party, hand_on, leave, suspend, token

from . import tally
from .conftest import Versions

SECOND = (1, 1, 1, 1, 1, 1, 3, 2)  # the second stage begins with move 6


def press(who: Local, party: Party, ending: str, **fields: str) -> None:
    answer = who.submit(who.get(party.table), ending, **fields)
    assert answer.status == 303, answer.words


def parted(versions: Versions, *counts: int, people: int = 2) -> Party:
    party = versions.played(*(counts or SECOND), people=people)
    versions.restarted(tally.DOUBLE)
    return versions.come_back(party)


def test_all_are_told_and_may_propose_it_and_it_goes_on_when_all_agree(versions: Versions) -> None:
    party = parted(versions)
    one, other = party.players
    for who in party.players:
        page = who.get(party.table)
        assert "This game's rules have changed" in page.words
        assert "If all agree, you can go back to move 6." in page.words
        assert not page.has_form("/turn")
    press(one, party, "/back")
    assert "wants to go back to move 6. Do you agree?" in other.get(party.table).words
    press(one, party, "/ready")
    waiting = other.get(party.table)  # still suspended, until the other agrees too
    assert "wants to go back to move 6. Do you agree?" in waiting.words
    assert not waiting.has_form("/turn")
    press(other, party, "/ready")
    page = one.get(party.table)
    assert "All agreed to go back to move 6." in page.words
    assert page.my_turn
    assert "Count on from 6." in page.words
    assert one.move(party.table, "count 3").status == 303
    assert "counts to 12." in one.get(party.table).words


def test_it_is_offered_in_the_text_view_too(versions: Versions) -> None:
    party = parted(versions)
    page = party.players[0].get(f"{party.table}?view=text")
    assert "If all agree, you can go back to move 6." in page.words
    assert page.has_form("/back")


def test_the_same_form_twice_proposes_once(versions: Versions) -> None:
    party = parted(versions)
    page = party.players[0].get(party.table)
    assert [party.players[0].submit(page, "/back").status for _ in range(2)] == [303, 303]
    assert "wants to go back" in party.players[1].get(party.table).words


def test_nothing_is_erased_and_what_was_played_before_is_not_played_any_more(versions: Versions) -> None:
    party = parted(versions)
    for ending in ("/back", "/ready"):
        press(party.players[0], party, ending)
    press(party.players[1], party, "/ready")
    rows = versions.house.referee.store.rows(party.code, -1)
    assert [row.number for row in rows] == list(range(10))
    assert rows[9].action == {"do": "back", "to": 6}
    assert "counts to 11." not in party.players[0].get(party.table).words
    assert party.players[0].get(f"{party.table}/at/9").status == 200
    gone = party.players[0].get(f"{party.table}/at/8")  # rather nothing than what was never there
    assert (gone.status, token(gone)) == (409, "table.other_rules")
    party = versions.come_back(party)  # as after a restart: taken up from the database
    versions.house.referee.matches.clear()
    assert party.players[0].get(party.table).my_turn


def test_its_record_holds_by_the_new_rules(versions: Versions) -> None:
    """The first stage agrees from the deal on, only the second one is another."""
    party = versions.played(*SECOND)
    another = "self.rounds += 1\n        self.total += self.rounds > 3"
    versions.restarted(tally.ONE.replace("self.rounds += 1", another))
    versions.come_back(party)
    table = party.table
    for who, ending in zip((0, 0, 1), ("/back", "/ready", "/ready"), strict=True):
        press(party.players[who], party, ending)
    for _ in range(6):
        for player in party.players:
            page = player.get(table)
            if not page.over and page.my_turn:
                assert player.move(table, "count 1").status == 303
    record = versions.house.referee.views.status(party.code).ending.record
    assert "Yes! The seed" in party.players[0].get(f"/r/{record}/check").words
    data = json.loads(party.players[0].get(f"/r/{record}/record.json").text)
    assert [move["number"] for move in data["moves"]] == list(range(1, 13))


def test_whoever_has_left_meanwhile_has_left(versions: Versions) -> None:
    party = versions.played(*[1] * 9, 2, people=3)
    leave(party.players[2], party.table, "resign")
    versions.restarted(tally.DOUBLE)
    versions.come_back(party)
    press(party.players[0], party, "/back")
    press(party.players[0], party, "/ready")
    press(party.players[1], party, "/ready")
    page = party.players[0].get(party.table)
    assert page.my_turn
    assert "left the game" in page.words
    assert versions.house.referee.views.status(party.code).position.out == [2]


def test_one_who_does_not_agree_keeps_it_where_it_is(versions: Versions) -> None:
    party = parted(versions)
    one, other = party.players
    press(one, party, "/back")
    press(one, party, "/ready")
    press(other, party, "/back")  # the button now says: do not go back
    assert "wants to go back" not in one.get(party.table).words
    press(one, party, "/end")
    press(other, party, "/back")
    assert "wants to go back" in one.get(party.table).words
    press(one, party, "/end")
    press(one, party, "/ready")
    press(other, party, "/ready")
    assert "Ended by agreement, no result." in other.get(party.table).words


def test_where_the_old_rules_come_back_it_goes_on_as_it_was(versions: Versions) -> None:
    party = parted(versions)
    press(party.players[0], party, "/back")
    versions.restarted(tally.ONE)
    versions.come_back(party)
    press(party.players[0], party, "/ready")
    press(party.players[1], party, "/ready")
    assert "Count on from 11." in party.players[0].get(party.table).words


@pytest.mark.parametrize("noticed_by", ["a move", "one who agrees"])
def test_nobody_is_waited_for_since_before_they_were_asked_to_go_on(
    versions: Versions, noticed_by: str
) -> None:
    party = versions.played(*SECOND)
    one, other = party.players
    with versions.house.referee.store.change(party.code) as change:
        change.table.chairs[0].since = change.table.times.created - 30 * DAY
    versions.restarted(tally.DOUBLE)
    versions.come_back(party)
    if noticed_by == "a move":
        refused = one.post(f"{party.table}/turn", [("key", "m" * 32), ("asked", "9"), ("move", "count 1")])
        assert (refused.status, token(refused)) == (409, "table.suspended")
    press(other, party, "/ready")
    table = versions.house.referee.views.status(party.code)
    since = table.waits_since(table.chairs[0])
    assert since is not None
    assert since >= table.times.created
    assert table.waits_since(table.chairs[1]) is None


def test_who_took_a_seat_in_the_middle_of_it_has_not_agreed_to_what_the_rules_make_of_it(
    versions: Versions,
) -> None:
    party = versions.played(*SECOND)
    taker = versions.house.visitor()
    assert taker.submit(taker.get(hand_on(party.players[1], party.table)), "/seat").status == 303
    versions.restarted(tally.DOUBLE)
    versions.come_back(party)
    press(party.players[0], party, "/ready")
    assert versions.house.referee.views.status(party.code).chairs[1].ready is False


def test_there_is_nothing_to_go_back_from_where_the_rules_agree(versions: Versions) -> None:
    party = versions.played(1, 2)
    key = ("key", "k" * 32)
    with versions.house.unchanged():
        refused = party.players[0].post(f"{party.table}/back", [key])
        assert (refused.status, token(refused)) == (409, "table.not_suspended")
        stranger = versions.house.visitor().post(f"{party.table}/back", [key])
        assert token(stranger) == "table.not_seated"
    suspend(party.players[0], party)
    with versions.house.unchanged():
        refused = party.players[0].post(f"{party.table}/back", [key])
        assert (refused.status, token(refused)) == (409, "table.nothing_to_mend")


def test_where_no_stage_agrees_it_stays_suspended(versions: Versions) -> None:
    party = versions.played(1, 2)
    versions.restarted(tally.ONE.replace("total: int = 0", "total: str = ''"))
    versions.come_back(party)
    page = party.players[0].get(party.table)
    assert "Suspended." in page.words
    assert "can go back to move" not in page.words
    assert not page.has_form("/back")
    refused = party.players[0].post(f"{party.table}/back", [("key", "k" * 32)])
    assert (refused.status, token(refused)) == (409, "table.no_way_back")


def test_nobody_who_came_meanwhile_sees_a_hidden_card_before_it_goes_on(versions: Versions) -> None:
    party = parted(versions)
    press(party.players[0], party, "/back")
    leave(party.players[1], party.table, "free")
    taker = versions.house.visitor()
    taker.join(party.table)
    assert "(you)" in taker.get(party.table).words
    assert taker.get(party.table).text.count("Counter") == 0
    press(taker, party, "/ready")
    press(party.players[0], party, "/ready")
    assert "All agreed to go back to move 6." in taker.get(party.table).words
