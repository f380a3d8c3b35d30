"""Clocks on the pages: chosen, told, run out, paused, and left for a vacation; no script anywhere."""

import json
import re
from contextlib import nullcontext
from html import unescape
from random import Random

import pytest

from strifebarge.rules.pace import DAY
from tests.support import forms
from tests.support.programs import token_of
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, Wall, play_out, token


def clock(party: Party, seat: int) -> str:
    """What the page says of whose time runs."""
    match = re.search(r'<p class="clock" id="clock">(.*?)</p>', party.players[seat].get(party.table).text)
    return re.sub(r"<[^>]+>", "", match[1]) if match else ""


def test_a_game_is_started_by_a_clock_and_everybody_is_told_before_they_sit_down(timed: House) -> None:
    host, guest = timed.visitor(), timed.visitor()
    page = host.get("/new/strifebarge")
    assert "turn-180" in page.form("/new/strifebarge").choices["pace"]
    table = host.start("strifebarge", pace="turn-180").table
    words = guest.get(table).words
    assert "3 minutes per move." in words
    assert "If you run out of time, you lose your turn. After 3 times in a row you're out." in words
    manual = guest.get("/rules/strifebarge").words
    assert "If you run out of time, you lose your turn." in manual
    assert "If you run out of time, you lose." in guest.get("/rules/chess").words


def resettled(who: Local, table: str, **fields: str) -> Page:
    """The form of settings, sent with these."""
    return who.submit(who.get(f"{table}/settings"), "/settings", **fields)


def test_before_the_game_the_pace_may_be_changed_and_all_are_asked_anew(timed: House, wall: Wall) -> None:
    ann, ben, cleo = timed.visitor(), timed.visitor(), timed.visitor()
    table = ann.start("strifebarge", seats="3", name="Ann").table
    ben.join(table, name="Ben")
    assert resettled(ben, table, pace="days-3").status == 303
    words = ann.get(table).words
    assert "3 days per move." in words
    assert "set by Ben" in words
    assert "The settings have changed. The others are waiting for you." in words
    ann.submit(ann.get(table), "/ready")
    assert resettled(ben, table).status == 303  # the same again
    assert "The settings have changed." not in ann.get(table).words
    ben.submit(ben.get(table), "/ready")
    cleo.join(table)
    running = timed.referee.views.status(table.removeprefix("/g/"))
    assert running.due == wall.at + 3 * DAY
    refused = ann.post(f"{table}/settings", [("key", "k" * 32), ("pace", "")])
    assert (refused.status, token(refused)) == (409, "table.begun")


def test_the_paces_of_every_game_are_listed_by_length(timed: House) -> None:
    guest = timed.visitor()
    for title in timed.referee.library:
        listed = guest.get(f"/new/{title.slug}").form(f"/new/{title.slug}").choices["pace"][1:]
        assert {*listed} == {*title.paces}
        for slow in (False, True):
            bases = [title.paces[each].base for each in listed if title.paces[each].slow is slow]
            assert bases == sorted(bases)


def test_a_clock_may_be_taken_away_again_and_none_but_those_offered_can_be_had(timed: House) -> None:
    ann = timed.visitor()
    table = ann.start("strifebarge", name="Ann", pace="turn-180").table
    with timed.unchanged():
        refused = resettled(ann, table, pace="turn-1")
        assert (refused.status, "That pace doesn't exist." in refused.words) == (
            422,
            True,
        )
    assert resettled(ann, table, pace="").status == 303
    assert "no clock set by Ann" in ann.get(table).words
    assert timed.referee.views.status(table.removeprefix("/g/")).clock is None


def test_a_pace_that_is_offered_no_more_stays_until_somebody_chooses_another(timed: House) -> None:
    ann = timed.visitor()
    table = ann.start("strifebarge", pace="turn-180").table
    title = timed.referee.library["strifebarge"]
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(title.paces, "turn-180")
        assert resettled(ann, table).status == 303
    clock = timed.referee.views.status(table.removeprefix("/g/")).clock
    assert clock is not None
    assert clock.pace.key == "turn-180"


def test_a_time_that_is_not_offered_is_refused_with_its_sentence(timed: House) -> None:
    page = timed.visitor()
    answer = page.submit(page.get("/new/chess"), "/new/chess", pace="turn-1")
    assert (answer.status, "That pace doesn't exist." in answer.words) == (
        422,
        True,
    )


def test_what_is_left_is_told_in_words(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace="turn-180")
    wall.at += 50
    assert clock(party, 0) == "You have 2 minutes 10 seconds left."
    assert clock(party, 1).endswith("has 2 minutes 10 seconds left.")
    assert "2 minutes 10 seconds left" in party.players[0].get("/games").words
    text = party.players[0].get(f"{party.table}?view=text&say=time")
    assert "You have 2 minutes 10 seconds left." in text.words


def frame(party: Party, seat: int) -> str:
    """What the frame says in which those wait who have no script."""
    return party.players[seat].get(f"{party.table}/status").words


def test_the_frame_that_renews_itself_tells_it_too(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace="turn-180")
    wall.at += 50
    assert "Guest Foxtrot has 2 minutes 10 seconds left." in frame(party, 1)
    assert "You have 2 minutes 10 seconds left." in frame(party, 0)
    wall.at += 30
    assert "Guest Foxtrot has 1 minute 40 seconds left." in frame(party, 1)
    wall.at += 120
    assert "Guest Foxtrot ran out of time." in frame(party, 1)


def test_a_script_is_given_the_deadline_and_what_time_it_is_at_the_table(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace="days-3")
    wall.at += 50.25
    for who in party.players:
        page = who.get(party.table).text
        assert set(re.findall(r'<time class="left" datetime="([^"]+)"', page)) == {
            "2027-01-18T08:00:00.000+00:00"
        }
        assert 'data-at="2027-01-15T08:00:50.250+00:00"' in page
    for who in party.players:
        who.submit(who.get(party.table), "/pause")
    paused = party.players[0].get(party.table).text
    assert 'class="left"' not in paused
    assert '<time datetime="PT259149S">2 days 23 hours</time>' in paused


def test_the_game_goes_on_at_a_press_where_nothing_ticks(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace="turn-180")
    old = party.players[0].get(party.table)
    wall.at += 182
    with timed.unchanged():
        assert clock(party, 1).endswith("ran out of time.")
    page = party.players[1].get(party.table)
    assert party.players[1].submit(page, "/late").status == 303
    assert party.players[1].get(party.table).my_turn
    refused = party.players[0].submit(old, "/turn", old.form("/turn").moves[0])
    assert (refused.status, token(refused)) == (409, "game.too_late")


@pytest.mark.parametrize("seconds", [0, 182])
@pytest.mark.parametrize("ticked", [False, True])
def test_a_page_that_a_browser_kept_is_too_late_only_after_the_deadline(
    timed: House, wall: Wall, seconds: int, ticked: bool
) -> None:
    party = timed.gathered("strifebarge", pace="turn-180")
    player, other = party.players
    old_page = player.get(party.table)
    assert player.submit(old_page, "/turn", old_page.form("/turn").moves[0]).status == 303
    while not player.get(party.table).my_turn:
        page = other.get(party.table)
        assert other.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    wall.at += seconds
    if ticked:
        forms.look(timed.referee, party.code)
    with nullcontext() if seconds and not ticked else timed.unchanged():
        refused = player.submit(old_page, "/turn", old_page.form("/turn").moves[1])
        assert (refused.status, token(refused)) == (409, "game.too_late" if seconds else "game.stale")
    assert player.get(party.table).my_turn != bool(seconds)


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
    assert "Want to stop the clocks:" in ben.get(party.table).words
    ben.submit(ben.get(party.table), "/pause")
    assert clock(party, 0).startswith("The clocks are stopped until ")
    assert re.search(r'</p>\s+<div id="live".*?</div>\s*<p class="clock"', ann.get(party.table).text), (
        "two sentences"
    )
    assert not ann.get(party.table).has_form("/suspend")
    ann.submit(ann.get(party.table), "/go-on")
    wall.at += 2 * DAY
    assert clock(party, 0) == "You have 2 days left."


@pytest.mark.parametrize("view", ["board", "text"])
def test_the_others_are_told_at_once_of_a_proposal_to_stop_the_clocks(timed: House, view: str) -> None:
    party = timed.gathered("strifebarge", 3, pace="days-3")
    ann, ben, cleo = party.players
    path, version = f"{party.table}?view={view}", ben.get(party.table).version
    ann.submit(ann.get(path), "/pause")
    page = ben.get(path)
    assert page.version != version
    assert bar(page).endswith("Guest Foxtrot wants to stop the clocks.")
    assert "wants to stop" not in ann.get(path).words + timed.visitor().get(path).words
    assert ">Agree<" in page.text
    ben.submit(page, "/pause")
    assert bar(cleo.get(path)).endswith("want to stop the clocks.")
    assert ">Agree<" not in ben.get(path).text
    cleo.submit(cleo.get(path), "/pause")
    assert "to stop the clocks." not in bar(cleo.get(path))


def bar(page: Page) -> str:
    """What the first sentence of a table's page says."""
    return re.sub(r"<[^>]+>", "", page.text.split('id="turn">')[1].split("</p>")[0])


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
    assert "You're on vacation until" in ann.get("/games").words
    wall.at += 2 * DAY
    assert clock(party, 0).startswith("You're on vacation until ")
    assert " is on vacation until " in clock(party, 1)
    assert ann.submit(ann.get("/games"), "/vacation").status == 303
    assert clock(party, 0) == "You have 1 day left."
    assert "12 days are left this year." in ann.get("/games").words
    form = ann.get("/games").form("/vacation")
    for days, why in (("13", "table.wrong_days"), ("x", "table.wrong_days")):
        refused = ann.post("/vacation", form.filled(days=days))
        assert (refused.status, token(refused)) == (422, why)
    assert token(timed.visitor().post("/vacation", form.filled(days="1"))) == "table.not_seated"


def test_lists_of_games_count_a_vacation_of_any_player_as_their_table_does(timed: House, wall: Wall) -> None:
    party = timed.gathered("strifebarge", pace="days-1")
    mover = party.to_move()
    assert mover.submit(mover.get("/games"), "/vacation", days="3").status == 303
    wall.at += 2 * DAY
    deadline = timed.referee.views.status(party.code).due
    assert deadline is not None
    assert deadline > wall.at
    for player in party.players:
        call = {"Authorization": f"Bearer {token_of(player)}"}
        answer = json.loads(timed.visitor().get("/api/v1/me/tables", **call).body)
        assert [line["due"] for line in answer["tables"]] == [deadline]
    assert "1 day" in mover.get("/games").words


def test_a_vacation_is_taken_and_ended_once_by_one_form(timed: House, wall: Wall) -> None:
    ann = timed.gathered("strifebarge", pace="days-1").players[0]
    going = ann.get("/games").form("/vacation").filled(days="3")
    assert ann.post("/vacation", going).status == 303
    coming = ann.get("/games").form("/vacation").filled()
    with timed.unchanged():
        assert ann.post("/vacation", going).status == 303
    wall.at += DAY
    assert ann.post("/vacation", coming).status == 303
    assert "13 days are left this year." in ann.get("/games").words
    with timed.unchanged():
        for form in (coming, going):  # who has come back does not go away by an old page
            assert ann.post("/vacation", form).status == 303
    assert ann.post("/vacation", [("days", "1")]).status == 422
    assert ann.submit(ann.get("/games"), "/vacation", days="1").status == 303
    assert "You're on vacation until" in ann.get("/games").words


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
    assert "This game's rules fail when a player's time runs out." in after.words.replace("’", "'")


def test_where_there_are_days_for_a_move_it_is_asked_once_more_if_that_is_not_unwanted(
    timed: House,
) -> None:
    slow, quick = (timed.gathered("strifebarge", pace=pace).to_move for pace in ("days-3", "turn-180"))
    for preferred, questions in (("", [True, False]), ("yes", [True, True]), ("no", [False, False])):
        for mover, expected in zip((slow(), quick()), questions, strict=True):
            mover.cookies["sure"] = preferred
            [table] = [each for each in mover.get("/games").seen.links if each.startswith("/g/")]
            page = mover.get(table)
            assert (page.has_form("/sure"), page.has_form("/turn")) == (expected, not expected)
    slow().cookies["sure"] = ""
    table = slow().get("/games/next").location
    [move, *_] = (move for form in slow().get(table).forms for move in form.moves)
    page = slow().move(table, move.value)  # where none of their own ships lies
    assert page.status in (303, 422), table


def test_the_frame_that_waits_is_in_no_hurry_where_there_are_days(timed: House) -> None:
    def periods(pace: str) -> list[int]:
        table = timed.gathered("chess", pace=pace).table
        frames = (timed.visitor().get(f"{table}/status?n={n}").text for n in range(100))
        delays = [re.search(r'content="(\d+); url=', frame) for frame in frames]
        return [int(each[1]) for each in delays if each]

    slow, quick = periods("days-3"), periods("clock-10-5")
    assert (slow[0], slow[-1], quick[0]) == (60, 300, 5)
    assert sum(slow) == 3600  # then it rests
    for odd in ("-1", "-100", "-9999999"):
        assert timed.visitor().get(f"{timed.gathered('rps').table}/status?n={odd}").status == 200
    assert "Updates stopped." in timed.visitor().get(f"{timed.gathered('rps').table}/status?n=100").words


def test_an_invitation_says_in_its_preview_how_quick_the_game_is(timed: House) -> None:
    table = timed.visitor().start("strifebarge", seats="4", pace="days-3").table
    page = unescape(timed.visitor().get(table).text)
    assert '<meta property="og:description" content="3 of 4 seats free · 3 days per move">' in page


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
        clock.seat_clocks[0].left = 10
    old = party.players[0].get(party.table)
    wall.at += 12
    forms.look(timed.referee, party.code)
    page = party.players[0].get(party.table)
    assert (page.status, page.my_turn, page.has_form("/turn")) == (200, False, False)
    refused = party.players[0].submit(old, "/turn", old.form("/turn").moves[0])
    assert (refused.status, token(refused)) == (409, "game.too_late")
    assert party.players[1].get(party.table).my_turn
