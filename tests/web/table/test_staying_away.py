"""What may be done about who stays away, and who stands in for them: on the pages."""

import pytest

from strifebarge.rules.pace import DAY
from strifebarge.tables.model.table import Status
from strifebarge.tables.play.deadlines import daily_timeouts_job
from tests.support import forms
from tests.web.company import can, follow, key, link, waiting
from tests.web.house import House, Wall, leave, suspend, token
from tests.web.table.test_put_aside import hand_of, press

# -- who stays away ---------------------------------------------------------------------------------


def test_nothing_is_offered_before_the_time_that_was_agreed_and_then_what_was(
    house: House, clock: Wall
) -> None:
    party, mover, other = waiting(house, t_remedy="skip", t_patience=str(3 * DAY))
    clock.days(1)
    words = other.get(party.table).words
    assert "for 1 day. From " in words
    assert "If someone is away for 3 days: the game moves for them" in words
    seat = str(house.referee.views.status(party.code).position.waiting[0])
    with house.unchanged():
        early = other.post(f"{party.table}/miss", [*key(), ("seat", seat), ("step", "skip")])
        assert (early.status, token(early)) == (409, "table.not_late")
    clock.days(2.1)
    assert "You needn't wait any longer" in other.get(party.table).words
    assert can(other, party) == "skip"
    assert can(mover, party) == ""
    assert can(house.visitor(), party) == ""


def test_the_game_plays_for_who_is_away_and_after_two_times_they_may_be_taken_out(
    house: House, clock: Wall
) -> None:
    party, mover, other = waiting(house, 2, t_remedy="skip", t_patience=str(DAY))
    for step in ("skip", "skip", "out"):
        while not mover.get(party.table).my_turn:
            page = other.get(party.table)
            other.submit(page, "/turn", page.form("/turn").moves[0])
        clock.days(1.1)
        assert can(other, party) == step
        press(other, party, "/miss")
    page = other.get(party.table)
    assert page.over
    assert "is away: the game moves for them." in other.get(f"{party.table}/log").words


def test_who_comes_back_and_moves_starts_anew(house: House, clock: Wall) -> None:
    party, mover, other = waiting(house, 2, t_remedy="skip", t_patience=str(DAY))
    clock.days(1.1)
    press(other, party, "/miss")
    assert [chair.skipped for chair in house.referee.views.status(party.code).chairs].count(1) == 1
    while not mover.get(party.table).my_turn:
        page = other.get(party.table)
        other.submit(page, "/turn", page.form("/turn").moves[0])
    page = mover.get(party.table)
    mover.submit(page, "/turn", page.form("/turn").moves[0])
    assert not any(chair.skipped for chair in house.referee.views.status(party.code).chairs)


def test_the_seat_of_who_is_away_may_be_freed_and_somebody_else_plays_on(house: House, clock: Wall) -> None:
    party, mover, other = waiting(house, 2, t_remedy="replace", t_patience=str(DAY))
    clock.days(1.1)
    assert can(other, party) == "free"
    press(other, party, "/miss")
    assert "(you)" not in mover.get(party.table).words
    table = house.referee.views.status(party.code)
    assert [bool(chair.player) for chair in table.chairs if chair.has(table.host)] == [True]
    taker = house.visitor()
    taker.join(party.table)
    assert taker.get(party.table).my_turn
    leave(taker, party.table, "free")
    clock.days(1.1)
    assert can(other, party) == "out"
    press(other, party, "/miss")
    assert other.get(party.table).over


def test_the_game_may_be_ended_without_a_result(house: House, clock: Wall) -> None:
    party, _, other = waiting(house, 3, t_remedy="end", t_patience=str(DAY))
    clock.days(1.1)
    press(other, party, "/miss")
    assert "No result: a player was absent." in other.get(party.table).words
    table = house.referee.views.status(party.code)
    assert house.store.results.entry(table.ending.record).kind == "unfinished"


def test_of_two_the_other_may_take_the_win(house: House, clock: Wall) -> None:
    party, mover, other = waiting(house, 2)
    clock.days(7.1)
    assert can(other, party) == "out"
    press(other, party, "/miss")
    result = house.referee.views.status(party.code).ending.result
    assert result is not None
    assert result.winners == [party.players.index(other)]
    assert mover.get(party.table).over


def test_a_game_put_aside_does_not_wait_for_ever_either(house: House, clock: Wall) -> None:
    for remedy, step in (("skip", "go_on"), ("replace", "free"), ("end", "end"), ("lose", "out")):
        party, _, other = waiting(house, 2, t_remedy=remedy, t_patience=str(DAY))
        suspend(other, party)
        press(other, party, "/ready")
        clock.days(1.1)
        assert can(other, party) == step
        press(other, party, "/miss")
        status = house.referee.views.status(party.code).status
        expected = {"skip": Status.PLAYING, "replace": Status.SUSPENDED}
        assert status is expected.get(remedy, Status.OVER)


@pytest.mark.parametrize("remedy", ["skip", "replace", "end", "lose"])
def test_who_has_put_a_game_aside_and_not_agreed_to_go_on_waits_for_nobody(
    house: House, clock: Wall, remedy: str
) -> None:
    party, mover, other = waiting(house, 2, t_remedy=remedy, t_patience=str(DAY))
    suspend(other, party)
    clock.days(5)
    seat = str(party.players.index(mover))
    assert can(other, party) == can(mover, party) == ""
    for step in ("go_on", "free", "end", "out"):
        with house.unchanged():
            refused = other.post(f"{party.table}/miss", [*key(), ("seat", seat), ("step", step)])
            assert token(refused) == "table.not_late"
    press(other, party, "/ready")
    clock.days(0.9)
    assert can(other, party) == ""
    clock.days(0.2)
    assert can(other, party)
    assert can(mover, party) == ""


def test_whoever_is_away_does_not_agree_to_an_end(house: House, clock: Wall) -> None:
    party, _, other = waiting(house, 2, t_remedy="skip", t_patience=str(DAY))
    suspend(other, party)
    press(other, party, "/end")
    press(other, party, "/ready")
    clock.days(1.1)
    assert can(other, party) == "go_on"
    press(other, party, "/miss")
    assert "Resume?" in other.get(party.table).words
    press(other, party, "/ready")
    assert house.referee.views.status(party.code).status is Status.PLAYING


def test_one_who_is_left_with_a_seat_that_was_freed_may_end_the_game(house: House, clock: Wall) -> None:
    party, _, other = waiting(house, 2, t_remedy="replace", t_patience=str(DAY))
    suspend(other, party)
    for form in ("/end", "/ready"):
        press(other, party, form)
    clock.days(1.1)
    assert can(other, party) == "free"
    press(other, party, "/miss")
    press(other, party, "/ready")
    assert house.referee.views.status(party.code).status is Status.OVER


def test_a_step_that_has_become_another_is_refused(house: House, clock: Wall) -> None:
    party, _, other = waiting(house, 2, t_remedy="end", t_patience=str(DAY))
    clock.days(1.1)
    seat = str(house.referee.views.status(party.code).position.waiting[0])
    with house.unchanged():
        for step in ("skip", "", "nonsense"):
            refused = other.post(f"{party.table}/miss", [*key(), ("seat", seat), ("step", step)])
            assert (refused.status, token(refused)) == (409, "game.stale")


def test_a_game_that_nobody_comes_back_to_ends_after_half_a_year(house: House, clock: Wall) -> None:
    party = house.fleet(3)
    clock.days(179)
    forms.tend_all(house.referee)
    assert house.referee.views.status(party.code).status is Status.PLAYING
    clock.days(1.1)
    daily_timeouts_job(house.referee)(house.referee.now())  # as the ticker does
    assert forms.tend_all(house.referee) == 0
    assert "nobody moved for half a year" in party.players[0].get(party.table).words


def test_an_open_table_that_nobody_joins_is_deleted_after_60_days(house: House, clock: Wall) -> None:
    host, guest = house.visitor(), house.visitor()
    alone, joined = host.start("eights").table, host.start("eights", seats="3").table
    guest.join(joined)
    for days, status in (59, 200), (1.1, 404):
        clock.days(days)
        daily_timeouts_job(house.referee)(house.referee.now())  # as the ticker does
        assert host.get(alone).status == status
        assert host.get(joined).status == 200


def test_a_rematch_that_nobody_agrees_to_is_kept(house: House, clock: Wall) -> None:
    party = house.gathered("rps", 2, best_of="1")
    for player, hand in zip(party.players, ("rock", "paper"), strict=True):
        player.move(party.table, f"throw {hand}")
    host, guest = party.players
    again = host.submit(host.get(party.table), "/rematch").location
    leave(guest, again, "free")
    assert len(house.referee.views.status(again.removeprefix("/g/")).free()) == 1
    clock.days(61)
    daily_timeouts_job(house.referee)(house.referee.now())
    assert host.get(again).status == 200


# -- substitutes ------------------------------------------------------------------------------------


def test_a_substitute_sees_nothing_and_takes_the_seat_when_its_player_stays_away(
    house: House, clock: Wall
) -> None:
    party = house.gathered("eights", 2, t_patience=str(DAY))
    mover = party.to_move()
    helper = house.visitor()
    assert follow(helper, link(mover, party.table, "substitute"), "Dora").status == 303
    assert "substitute: Dora" in house.visitor().get(party.table).words
    hand = hand_of(mover.get(party.table))
    assert not helper.get(party.table).has_form("/take-over")
    seat = str(house.referee.views.status(party.code).position.waiting[0])
    with house.unchanged():
        early = helper.post(f"{party.table}/take-over", [*key(), ("seat", seat)])
        assert token(early) == "table.not_late"
        stranger = next(player for player in party.players if player is not mover)
        assert token(stranger.post(f"{party.table}/take-over", [*key(), ("seat", seat)])) == (
            "table.no_substitute"
        )
    assert helper.submit(helper.get("/me"), "/me/name", name="Eve").status == 303
    clock.days(1.1)
    page = helper.get(party.table)
    assert helper.submit(page, "/take-over").status == 303
    assert "Dora (you)" in helper.get(party.table).words
    assert 'value="Eve"' in helper.get("/me").text  # who is called so elsewhere
    assert hand_of(helper.get(party.table)) == hand
    assert "(you)" not in mover.get(party.table).words
