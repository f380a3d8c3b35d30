"""Tables with a quick clock: they are live, and who is there matters; else the clock alone decides."""

import pytest

from strifebarge.rules.pace import DAY
from strifebarge.tables.model.table import Status
from tests.support import forms
from tests.web.house import House, Party, Wall, tick, token

QUICK, SLOW = "clock-30-20", "days-3"


def all_look(party: Party) -> None:
    for who in party.players:
        who.get(party.table)


@pytest.mark.parametrize(("pace", "live"), [(QUICK, True), ("turn-300", True), (SLOW, False), ("", False)])
def test_only_a_quick_clock_makes_a_table_live(timed: House, pace: str, live: bool) -> None:
    party = timed.gathered("strifebarge", pace=pace)
    assert timed.referee.views.status(party.code).live is live
    all_look(party)
    timed.referee.now.at += 40  # type: ignore[attr-defined]
    party.players[0].get(party.table)
    status = timed.referee.views.show(None, party.code).status
    assert status is (Status.DISRUPTED if live else Status.PLAYING)


def test_a_quick_game_that_all_have_left_is_put_aside_and_its_clock_stands(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace=QUICK)
    all_look(party)
    wall.at += 240
    page = party.players[0].get(party.table)
    assert "Everyone left, so the game was suspended." in page.words
    for who in party.players:
        assert who.submit(who.get(party.table), "/ready").status == 303
    table = timed.referee.views.status(party.code)
    assert table.status is Status.PLAYING
    hand = table.clock.seat_clocks[table.position.waiting[0]] if table.clock else None
    assert hand is not None
    assert 1800 - hand.remaining(wall.at) == pytest.approx(190, abs=20)  # until it was put aside


def test_a_quick_game_that_nobody_comes_back_to_ends_at_its_deadline_without_anybody(
    timed: House, wall: Wall
) -> None:
    party = timed.gathered("strifebarge", pace=QUICK)
    all_look(party)
    wall.at += 1800
    tick(timed)  # the deadline, which finds that all have gone long ago
    assert timed.referee.views.status(party.code).status in (Status.SUSPENDED, Status.OVER)
    wall.at += 100
    tick(timed)
    table = timed.referee.views.status(party.code)
    assert (table.status, table.ending.result) == (Status.OVER, None)
    assert table.ending.stopped == "No result: everyone left."


def test_a_game_put_aside_at_which_one_waits_is_looked_at_only_when_something_may_be_due(
    timed: House, wall: Wall
) -> None:
    party = timed.gathered("strifebarge", pace=QUICK)
    all_look(party)
    wall.at += 200
    assert forms.tend(timed.referee, party.code)
    code, keeper, looks = party.code, party.players[0], 0
    wall.at += 30
    keeper.get(party.table)
    for _ in range(360):  # half an hour
        wall.at += 5
        keeper.get(f"{party.table}/version")
        looks += code in timed.referee.store.due(wall.at)
        tick(timed)
    table = timed.referee.views.status(code)
    assert (table.status, looks < 10) == (Status.SUSPENDED, True), looks
    gone = wall.at
    while timed.referee.views.status(code).status is not Status.OVER:
        wall.at += 5
        tick(timed)
    assert 265 <= wall.at - gone <= 305


def test_where_one_is_there_the_clock_decides_about_the_other(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace="clock-5-3")
    seat = timed.referee.views.status(party.code).position.waiting[0]
    for number in (seat, 1 - seat):
        page = party.players[number].get(party.table)
        assert party.players[number].submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    for _ in range(11):
        wall.at += 30
        party.players[1 - seat].get(party.table)
    tick(timed)
    wall.at += 2
    tick(timed)
    table = timed.referee.views.status(party.code)
    assert table.status is Status.OVER
    assert table.ending.result is not None
    assert table.ending.result.winners == [1 - seat]


def test_patience_is_for_games_without_a_clock(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace=SLOW, t_patience=str(DAY))
    seat = timed.referee.views.status(party.code).position.waiting[0]
    wall.at += 2 * DAY
    page = party.players[1 - seat].get(party.table)
    assert "If someone is away for" not in page.words
    assert "/miss" not in page.text
    field = [("key", "k" * 32), ("seat", str(seat)), ("step", "out")]
    answer = party.players[1 - seat].post(f"{party.table}/miss", field)
    assert (answer.status, token(answer)) == (409, "table.not_late")


def test_a_while_in_which_the_site_was_away_leaves_nobody_behind(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace=QUICK)
    timed.referee.store.beat(wall.at, 60)
    all_look(party)
    wall.at += 600
    assert timed.referee.store.beat(wall.at, 60) == pytest.approx(600)
    assert timed.referee.views.show(None, party.code).status in (
        Status.DISRUPTED,
        Status.ABANDONED,
        Status.PLAYING,
    )
    all_look(party)
    assert timed.referee.views.show(None, party.code).status is Status.PLAYING


def test_where_a_device_is_shared_the_result_stays_quiet_though_settings_change(
    house: House,
) -> None:
    ann = house.visitor()
    page = ann.start("strifebarge", seats="3", devices="some")
    settings = ann.get(f"{page.table}/settings")
    answer = ann.submit(settings, "/settings", afterwards="public")
    assert answer.status == 422
    assert "private and unrated" in answer.words


def test_those_at_one_device_are_all_there_and_none_of_them_is_late(timed: House, wall: Wall) -> None:
    party = timed.at_one_device()
    ann = party.players[0]
    wall.at += 60 * DAY
    ann.get(party.table)
    view = timed.referee.views.show(timed.referee.views.status(party.code).host, party.code)
    assert (view.viewer.steps, [place.presence.present for place in view.places]) == ({}, [True, True])
    assert ann.get(f"{party.table}/company").status in (200, 403)
