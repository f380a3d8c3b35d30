"""Nudges: whoever keeps the others waiting for a day is told so, once a day."""

from secrets import token_hex

import pytest

from strifebarge.tables.acts.nudging import NUDGE_AFTER
from tests.support.visitor import Local, Page
from tests.web.house import Party
from tests.web.town import Town, moves


@pytest.fixture
def party(town: Town) -> Party:
    return town.chess()


def nudges(who: Local, party: Party, seat: int) -> Page:
    return who.post(f"{party.table}/nudge", [("key", token_hex(16)), ("seat", str(seat))])


def test_who_keeps_others_waiting_for_a_day_is_nudged_once_a_day(town: Town, party: Party) -> None:
    white = party.players[0]
    moves(party, "e4")
    assert len(town.wait()) == 1
    assert "/nudge" not in white.get(party.table).text
    early = nudges(white, party, 1)
    assert (early.status, early.token) == (409, "table.too_soon")
    town.now += NUDGE_AFTER
    page = white.get(party.table)
    assert "Nudge Guest Golf" in page.words
    assert white.submit(page, "/nudge", page.form("/nudge").buttons[0]).status == 303
    [(_, message)] = town.wait()
    assert message.subject == "Still your turn in Chess. Waiting: Guest Foxtrot – StrifeBarge"
    assert "A reminder was sent to the players" in party.players[1].get(party.table).words
    again = nudges(white, party, 1)
    assert (again.status, again.token) == (409, "table.nudged")
    town.now += NUDGE_AFTER
    assert nudges(white, party, 1).status == 303
    assert town.wait() == []  # what they were told still stands: of one turn there is one nudge


def test_the_day_between_nudges_counts_over_all_games(town: Town, party: Party) -> None:
    white, black = town.house.visitor(), party.players[1]
    table = white.start("chess").table
    black.join(table)
    other = Party(town.house, table, [white, black])
    moves(party, "e4")
    moves(other, "d4")
    town.wait()
    town.now += NUDGE_AFTER
    answers = [nudges(who, at, 1) for who, at in ((party.players[0], party), (white, other))]
    [(_, message)] = town.wait()
    assert party.table in message.short
    # Whoever is the second to nudge them cannot tell: the same is answered, and the same is shown.
    assert [answer.status for answer in answers] == [303, 303]
    for who, at in ((party.players[0], party), (white, other)):
        assert "A reminder was sent to the players" in who.get(at.table).words
    town.now += NUDGE_AFTER - 3600
    refused = nudges(white, other, 1)
    assert refused.token == "table.nudged"
    assert "Try again in 1 hours." in refused.words


def test_who_may_not_be_nudged(town: Town, party: Party) -> None:
    white, black = party.players
    moves(party, "e4")
    town.now += NUDGE_AFTER + 1
    with town.house.unchanged():
        assert nudges(white, party, 0).token == "table.not_waiting"
        assert nudges(black, party, 1).token == "table.not_waiting"
        assert nudges(white, party, 7).token == "game.no_such_seat"
        assert nudges(town.house.visitor(), party, 1).status == 403


def test_a_nudge_tells_nobody_whether_the_other_is_told_anything(town: Town) -> None:
    answers = []
    for listens in (True, False):
        party = town.house.gathered("chess")
        if listens:
            town.told(party.players[1])
        moves(party, "e4")
        town.now += NUDGE_AFTER + 1
        status = nudges(party.players[0], party, 1).status
        words = party.players[0].get(party.table).words
        answers.append((status, words[words.index("A reminder was sent") :][:80]))
    assert answers[0] == answers[1]
    assert answers[0][0] == 303
