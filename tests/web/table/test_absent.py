"""Where a clock runs: what the others may do about who stays away, who never came, and what is kept of it."""

import json

from strifebarge.results.checking import ReplayOutcome, check
from strifebarge.results.replaying import replay
from strifebarge.rules.pace import DAY, HOUR
from strifebarge.tables.model.table import Status
from tests.support.visitor import Local
from tests.web.company import key
from tests.web.house import House, Party, Wall, hand_on, tick, token
from tests.web.signing import code_of, take
from tests.web.table.test_clocks import clock, frame
from tests.web.table.test_put_aside import press

HOME = 14 * DAY  # so long a vacation begins by itself at a deadline


def played(house: House, pace: str = "days-3") -> Party:
    """Chess, of which each has made a move; it is White's turn."""
    party = house.gathered("chess", pace=pace)
    for seat, move in enumerate(("e4", "e5")):
        assert party.players[seat].move(party.table, f"move {move}").status == 303
    return party


def offered(who: Local, party: Party) -> list[str]:
    """What they may do about others."""
    forms = [form for form in who.get(party.table).forms if form.action.endswith("/miss")]
    return [form["step"] for form in forms]


def do(who: Local, party: Party, step: str) -> None:
    page = who.get(party.table)
    form = next(form for form in page.forms if form.action.endswith("/miss") and form["step"] == step)
    assert who.post(form.action, form.filled()).status == 303


def run_out(house: House, wall: Wall, days: float = 3) -> None:
    """A deadline passes, and all the vacation after it."""
    wall.at += days * DAY + 2
    tick(house)
    wall.at += HOME + 2
    tick(house)


# -- two, over days ----------------------------------------------------------------------------


def test_of_two_the_late_one_has_half_a_day_in_which_the_other_may_decide(timed: House, wall: Wall) -> None:
    party = played(timed)
    white, black = party.players
    run_out(timed, wall)
    assert offered(black, party) == ["win", "draw", "more", "bot"]
    assert offered(white, party) == []
    assert clock(party, 0).startswith("Your time has run out. Move within 11 hours 59 minutes")
    assert "decide within 11 hours 59 minutes." in clock(party, 1)
    assert "Guest Foxtrot ran out of time." in frame(party, 1)
    assert timed.referee.views.status(party.code).ending.result is None
    wall.at += 12 * HOUR
    tick(timed)
    result = timed.referee.views.status(party.code).ending.result
    assert result is not None
    assert result.places == [[1], [0]]


def test_who_moves_within_the_grace_has_moved_and_gets_no_time_out_of_it(timed: House, wall: Wall) -> None:
    party = played(timed, pace="pool-24-4")
    run_out(timed, wall, days=1)
    wall.at += HOUR
    assert party.players[0].move(party.table, "move Nf3").status == 303
    hands = timed.referee.views.status(party.code).clock.seat_clocks  # type: ignore[union-attr]
    assert (hands[0].left, hands[0].grace) == (4 * HOUR, False)
    assert offered(party.players[1], party) == []


def test_the_win_may_be_taken(timed: House, wall: Wall) -> None:
    party = played(timed)
    run_out(timed, wall)
    do(party.players[1], party, "win")
    page = party.players[1].get(party.table)
    assert page.over
    result = timed.referee.views.status(party.code).ending.result
    assert result is not None
    assert result.winners == [1]
    assert "ran out of time." in page.words


def test_a_draw_may_be_called_and_the_record_replays(timed: House, wall: Wall) -> None:
    party = played(timed)
    run_out(timed, wall)
    do(party.players[1], party, "draw")
    words = party.players[0].get(party.table).words
    assert "A draw." in words
    assert "Called a draw because a player was absent." in words
    assert "called it a draw." in words
    again = replay(timed.results.record(party.code), timed.referee.library)
    assert again.match.result is not None
    assert again.match.result.places == [[0, 1]]


def test_more_days_may_be_given_again_and_again(timed: House, wall: Wall) -> None:
    party = played(timed)
    run_out(timed, wall)
    for _ in range(2):
        do(party.players[1], party, "more")
        assert clock(party, 0) == "You have 3 days left."
        assert offered(party.players[1], party) == []
        wall.at += 3 * DAY + 2
        tick(timed)
        assert offered(party.players[1], party) == ["win", "draw", "more", "bot"]


def test_nothing_is_offered_too_soon_nor_what_is_not_meant_for_it(timed: House, wall: Wall) -> None:
    party = played(timed)
    black = party.players[1]
    wall.at += 2 * DAY
    with timed.unchanged():
        early = black.post(f"{party.table}/miss", [*key(), ("seat", "0"), ("step", "win")])
        assert (early.status, token(early)) == (409, "table.not_late")
    run_out(timed, wall, days=1)
    with timed.unchanged():
        for step in ("vote", "skip", "end", "nonsense"):
            other = black.post(f"{party.table}/miss", [*key(), ("seat", "0"), ("step", step)])
            assert (other.status, token(other)) == (409, "game.stale")


def test_a_game_that_only_passes_over_the_late_one_does_so_before_it_asks_the_other(
    timed: House, wall: Wall
) -> None:
    party = timed.gathered("strifebarge", pace="days-3")
    for player in party.players:
        player.cookies["sure"] = "no"
    for seat in (0, 1):
        page = party.players[seat].get(party.table)
        party.players[seat].submit(page, "/turn", page.form("/turn").moves[0])
    run_out(timed, wall)
    table = timed.referee.views.status(party.code)
    assert (table.position.waiting, offered(party.players[1], party)) == ([1], [])
    page = party.players[1].get(party.table)
    party.players[1].submit(page, "/turn", page.form("/turn").moves[0])
    wall.at += 3 * DAY + 2
    tick(timed)
    assert offered(party.players[1], party) == ["win", "draw", "more", "bot"]


def test_a_substitute_may_take_over_in_the_grace_and_has_a_whole_turn(timed: House, wall: Wall) -> None:
    party = played(timed)
    helper = timed.visitor()
    page = helper.get(timed.link(party.players[0], party.table, "substitute"))
    assert helper.submit(page, "/seat", name="Dora").status == 303
    assert not helper.get(party.table).has_form("/take-over")
    run_out(timed, wall)
    assert helper.submit(helper.get(party.table), "/take-over").status == 303
    assert clock(Party(timed, party.table, [helper]), 0) == "You have 3 days left."
    assert offered(party.players[1], party) == []


# -- who never came ----------------------------------------------------------------------------


def test_who_never_came_has_not_lost(timed: House, wall: Wall) -> None:
    party = timed.gathered("chess", pace="days-3", afterwards="rated")
    run_out(timed, wall)
    assert offered(party.players[1], party) == ["end", "more"]  # no bot: it is rated
    wall.at += 12 * HOUR
    tick(timed)
    table = timed.referee.views.status(party.code)
    assert (table.status, table.ending.result) == (Status.OVER, None)
    for view in ("", "?view=board", "/log"):
        words = party.players[1].get(f"{party.table}{view}").words
        assert "Nothing happened." in words
        assert "Nothing has happened yet." not in words
        assert ("No result: a player made no move in time." in words) is (view != "/log")
    assert timed.store.results.entry(table.ending.record).kind == "unfinished"


def test_the_one_who_came_need_not_wait_for_that(timed: House, wall: Wall) -> None:
    party = timed.gathered("chess", pace="days-3")
    run_out(timed, wall)
    do(party.players[1], party, "end")
    table = timed.referee.views.status(party.code)
    assert (table.status, table.ending.result) == (Status.OVER, None)


# -- more than two -----------------------------------------------------------------------------


def three(house: House, wall: Wall) -> Party:
    """A fleet of three days a move, in which the first captain has missed two turns."""
    party = house.gathered("strifebarge", 3, pace="days-3")
    for player in party.players:
        player.cookies["sure"] = "no"
    run_out(house, wall)
    for _ in range(2):
        for player in party.players[1:]:
            page = player.get(party.table)
            assert player.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
        if house.referee.views.status(party.code).clock.seat_clocks[0].missed < 2:  # type: ignore[union-attr]
            wall.at += 3 * DAY + 2
            tick(house)
    return party


def test_of_three_one_who_missed_two_turns_is_away_and_the_majority_may_take_them_out(
    timed: House, wall: Wall
) -> None:
    party = three(timed, wall)
    _, ben, cleo = party.players
    words = ben.get(party.table).words
    assert "Guest Foxtrot ran out of time 2 times in a row. The game moves for them." in words
    assert "away" in words
    assert offered(ben, party) == offered(cleo, party) == ["vote", "bot"]
    assert offered(party.players[0], party) == []
    do(ben, party, "vote")
    assert offered(ben, party) == []
    assert "1 of 2 votes to remove them." in cleo.get(party.table).words
    assert not timed.referee.views.status(party.code).chairs[0].left
    do(cleo, party, "vote")
    table = timed.referee.views.status(party.code)
    assert (table.chairs[0].left, table.status) == (True, Status.PLAYING)
    assert table.chairs[1].has(table.host)  # it was theirs who is out


def link_of(who: Local, party: Party) -> str:
    """The path of the link by which the first seat may be had."""
    value = str(who.get(party.table).seen.ids["ask-0"]["value"])
    return value[value.index("/g/") :]


def test_somebody_may_be_asked_into_the_seat_of_who_is_away(timed: House, wall: Wall) -> None:
    party = three(timed, wall)
    link, dora = link_of(party.players[1], party), timed.visitor()
    page = dora.get(link)
    assert "is away from a game of StrifeBarge" in page.words
    assert dora.submit(page, "/seat", name="Dora").status == 303
    table = timed.referee.views.status(party.code)
    assert (table.chairs[0].called, table.clock and table.clock.seat_clocks[0].missed) == ("Dora", 0)
    assert "(you)" not in party.players[0].get(party.table).words
    assert offered(party.players[1], party) == []
    assert token(timed.visitor().get(link)) == "table.dead_link"


def test_who_comes_back_and_moves_keeps_the_seat(timed: House, wall: Wall) -> None:
    party = three(timed, wall)
    link, dora = link_of(party.players[1], party), timed.visitor()
    do(party.players[1], party, "vote")
    page = party.players[0].get(party.table)
    assert party.players[0].submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    late = dora.submit(dora.get(link), "/seat")
    assert (late.status, token(late)) == (410, "table.link_of_present")
    assert "the player is back" in late.words
    assert timed.referee.views.status(party.code).chairs[0].against == []
    assert "ask-0" not in party.players[1].get(party.table).seen.ids


def test_after_as_many_times_again_they_are_out(timed: House, wall: Wall) -> None:
    party = three(timed, wall)
    for _ in range(2):
        wall.at += 3 * DAY + 2
        tick(timed)
        for player in party.players[1:]:
            page = player.get(party.table)
            if page.my_turn:
                player.submit(page, "/turn", page.form("/turn").moves[0])
    table = timed.referee.views.status(party.code)
    assert (table.chairs[0].left, table.status) == (True, Status.PLAYING)
    assert table.chairs[1].has(table.host)  # it was theirs who is out


def test_a_seat_that_its_player_hands_on_needs_nobody_to_be_away(timed: House) -> None:
    party = timed.gathered("strifebarge", 3, pace="days-3")
    heir = timed.visitor()
    assert heir.submit(heir.get(hand_on(party.players[0], party.table)), "/seat").status == 303


# -- live --------------------------------------------------------------------------------------


def test_who_is_away_from_a_live_game_for_a_minute_on_their_own_turn_may_have_lost(
    timed: House, wall: Wall
) -> None:
    party = played(timed, pace="clock-10-5")
    white, black = party.players
    for _ in range(2):
        wall.at += 30
        assert offered(black, party) == []
        assert offered(white, party) == []
    for _ in range(3):
        wall.at += 30
        black.get(party.table)
    assert offered(black, party) == ["win", "draw", "bot"]
    white.get(party.table)  # back again
    assert offered(black, party) == []
    for _ in range(4):
        wall.at += 30
        white.get(party.table)
    assert offered(white, party) == []  # it is their own turn
    for _ in range(4):
        wall.at += 30
        black.get(party.table)
    do(black, party, "draw")
    assert "A draw." in white.get(party.table).words


def test_nobody_takes_a_win_in_a_pause(timed: House, wall: Wall) -> None:
    party = played(timed, pace="clock-10-5")
    for who in party.players:
        press(who, party, "/pause")
    for _ in range(5):
        wall.at += 30
        assert offered(party.players[1], party) == []


# -- what is kept ------------------------------------------------------------------------------


def test_how_many_deadlines_one_has_missed_this_month_is_told_to_nobody_else(
    timed: House, wall: Wall
) -> None:
    party = three(timed, wall)
    ann, ben = party.players[:2]
    wall.at = timed.referee.views.status(party.code).times.changed
    missed = "You missed 1 deadline this month."
    assert missed in ann.get("/me").words or "You missed 2 deadlines this month." in ann.get("/me").words
    assert "this month" not in ben.get("/me").words
    assert "this month" not in ben.get("/p/me").words
    wall.at += 40 * DAY
    assert "this month" not in ann.get("/me").words


def test_a_deadline_was_missed_by_whoever_had_the_seat_then(timed: House, wall: Wall) -> None:
    party = three(timed, wall)
    ann, dora, late = party.players[0], timed.visitor(), "this month"
    wall.at = timed.referee.views.status(party.code).times.changed
    assert dora.submit(dora.get(hand_on(ann, party.table)), "/seat").status == 303
    assert late not in dora.get("/me").words
    assert late in ann.get("/me").words
    [mine] = [each for each in json.loads(ann.get("/me/data.json").text)["tables"]]
    assert len(mine["deadlines_i_missed"]) == 2
    account = timed.visitor()
    account.start("rps")
    assert take(ann, code_of(account)).status == 303  # one person becomes another
    assert late in ann.get("/me").words
    assert ann.submit(ann.get("/me/erase"), "/me/erase", sure="yes").status == 303
    assert not any(chair.missed for chair in timed.referee.views.status(party.code).chairs)


# -- deleting ----------------------------------------------------------------------------------


def test_a_table_in_which_nobody_else_has_moved_can_be_deleted_by_who_opened_it(timed: House) -> None:
    party = timed.gathered("chess")
    ann, ben = party.players
    assert ann.move(party.table, "move e4").status == 303
    assert not ben.get(f"{party.table}/quit").has_form("/delete")
    page = ann.get(f"{party.table}/quit")
    form = page.form("/delete")
    for _ in range(2):  # twice is once
        answer = ann.post(form.action, form.filled())
        assert (answer.status, answer.headers["Location"]) == (303, "/games")
    assert token(ben.get(party.table)) or ben.get(party.table).status == 404
    assert party.table not in ben.get("/games").text
    assert not [row for kind, rows in timed.kept().items() for row in rows if party.code in map(str, row)]


def test_who_may_not_delete_a_table(timed: House) -> None:
    party = played(timed)
    ann, ben = party.players
    over = timed.thrown("rock", "paper")
    again = over.players[0].submit(over.players[0].get(over.table), "/rematch").table
    refusals = [
        (ann, party.table, 409, "table.moved_in"),
        (ben, party.table, 403, "table.not_host"),
        (timed.visitor(), party.table, 403, "table.not_seated"),
        (over.players[0], over.table, 409, "table.over"),
        (over.players[0], again, 409, "table.is_rematch"),
    ]
    for who, table, status, why in refusals:
        with timed.unchanged():
            refused = who.post(f"{table}/delete", key())
            assert (refused.status, token(refused)) == (status, why)


def test_a_running_game_with_misses_agrees_with_its_own_rules(timed: House, wall: Wall) -> None:
    """As a host checks before new rules go live."""
    party = timed.gathered("strifebarge", pace="turn-180")
    wall.at += 182
    tick(timed)
    [finding] = [each for each in check(timed.referee) if each.table.id == party.code]
    assert finding.parting.outcome is ReplayOutcome.SAME
