"""Verbs: everything that a person can do at a table, done by programs."""

from pathlib import Path

import pytest

from strifebarge.api.verbs.every import VERBS
from strifebarge.rules.chance import Chance
from strifebarge.rules.codec import as_seen, save
from strifebarge.rules.match import Match
from strifebarge.rules.schema import seat_numbers, usual_seats
from strifebarge.rules.testing import random_play
from strifebarge.tables.library.library import Library
from tests.api.calls import Fault, Program, Result, new_key, refusal, table_of
from tests.web.house import House

TITLES = list(Library())


def trio(house: House, *names: str) -> list[Program]:
    return [Program(house, name) for name in names or ("Ann", "Ben", "Cleo")]


def info(program: Program, table: str) -> Result:
    return program.call("table.get_info", table=table)


def test_two_programs_play_a_whole_game_and_a_rematch(house: House) -> None:
    ann, ben = trio(house, "Ann", "Ben")
    table = table_of([ann, ben], "rps")
    for _ in range(20):
        for who, hand in ((ann, "throw rock"), (ben, "throw scissors")):
            state = who.call("table.state", table=table)
            if state["your_turn"]:
                done = who.do(
                    "table.move", table=table, question_number=state["question"]["question_number"], move=hand
                )
                assert "number" in done, done
    state = ann.call("table.state", table=table)
    assert (state["status"], state["places"], state["question"]) == ("over", [[0], [1]], None)
    record = ann.call("table.record", table=table)["record"]
    assert (record["game"], record["seed"]) == ("rps", state["seed"])
    assert ann.call("table.log", table=table)["lines"]
    again = ann.do("table.rematch", table=table)["table"]
    assert ben.do("table.rematch", table=table)["table"] == again
    assert info(ben, again)["status"] == "playing"
    people = ann.call("lobby.people")["people"]
    assert [each["name"] for each in people] == ["Ben"]
    other = ann.do("table.new", game="strifebarge", seats=3)["table"]
    assert not refusal(ann.do("table.invite", table=other, person=people[0]["person"], message=" Come  over"))
    assert ann.call("table.roster", table=other)["invited"] == ["Ben"]
    [invited] = ben.call("lobby.invitations")["invitations"]
    assert (invited["table"], invited["inviter"], invited["message"]) == (other, "Ann", "Come over")
    assert not refusal(ben.do("table.decline", table=other))
    invited = ann.call("table.invitation", table=other)["invited"]
    assert not refusal(ann.do("table.withdraw", table=other, person=invited[0]["person"]))
    assert ann.call("table.roster", table=other)["invited"] == []


def test_a_host_sets_seats_and_begins(house: House) -> None:
    ann, ben, cleo = trio(house)
    table = ann.do("table.new", game="strifebarge", seats=4, begins="agreed", visible=True, name="Anna")[
        "table"
    ]
    listed = cleo.call("lobby.tables", game="strifebarge", free=3)["tables"]
    assert [(each["table"], each["host"], each["free"]) for each in listed] == [(table, "Anna", 3)]
    assert not refusal(ben.do("table.sit", table=table, seat=2))
    assert refusal(ben.do("table.set", table=table, pace="nonsense")) == "table.no_pace"
    assert not refusal(ben.do("table.set", table=table, pace="days-3", patience=86400 * 3, options={}))
    shown = info(ann, table)
    assert (shown["pace"], shown["patience"], shown["host"]) == ("days-3", 86400 * 3, True)
    assert shown["terms_set_by"] == {"pace": "Ben", "patience": "Ben"}
    assert not refusal(ben.do("table.set", table=table, options={"salvo": True}))
    assert info(ann, table)["options_set_by"] == {"salvo": "Ben"}
    assert refusal(ann.do("table.set", table=table, options={"nothing": 1})) == "table.wrong_options"
    assert refusal(ben.do("table.seat_other", table=table, about=2, holder="", to=1)) == "table.not_host"
    holder = shown["seats"][2]["holder"]
    assert refusal(ann.do("table.seat_other", table=table, about=2, holder="x", to=1)) == "table.seat_changed"
    assert not refusal(ann.do("table.seat_other", table=table, about=2, holder=holder, to=1))
    assert info(ben, table)["seat"] == 1
    assert not refusal(ben.do("table.change_seat", table=table, to=3))
    assert not refusal(cleo.do("table.sit", table=table))
    assert not refusal(cleo.do("table.stand", table=table))
    assert not refusal(cleo.do("table.sit", table=table))
    seat = next(each for each in info(ann, table)["seats"] if each["name"] == "Cleo")
    assert not refusal(ann.do("table.remove", table=table, about=seat["seat"], holder=seat["holder"]))
    assert refusal(ben.do("table.ready", table=table, terms="other.terms")) == "table.changed"
    assert not refusal(ben.do("table.ready", table=table, terms=info(ben, table)["terms"]))
    assert not refusal(ben.do("table.unready", table=table))
    assert not refusal(ann.do("table.show", table=table, visible=False))
    assert not refusal(ann.do("table.renew_link", table=table))
    code = ann.call("table.invitation", table=table)["invitation"]
    assert refusal(cleo.do("table.sit", table=table)) in ("table.revoked", "table.no_invitation")
    assert not refusal(cleo.do("table.sit", table=table, invitation=code))
    for who in (ann, ben, cleo):
        who.do("table.ready", table=table, terms=info(who, table)["terms"])
    begun = ann.do("table.begin", table=table)
    assert not refusal(begun) or refusal(begun) == "table.begun"
    assert info(ann, table)["status"] == "playing"


def test_a_game_is_suspended_resumed_and_ended(house: House) -> None:
    ann, ben = trio(house, "Ann", "Ben")
    table = table_of([ann, ben], "strifebarge")
    assert not refusal(ann.do("table.suspend", table=table))
    assert info(ann, table)["status"] == "playing"  # one alone holds nobody up
    for who in (ann, ben, Program(house, "Eve")):
        assert [each["suspends"] for each in info(who, table)["seats"]] == [True, False]
    assert not refusal(ann.do("table.suspend", table=table, agree=False))
    assert [each["suspends"] for each in info(ben, table)["seats"]] == [False, False]
    assert not refusal(ben.do("table.suspend", table=table))
    assert info(ben, table)["status"] == "playing"  # who has taken it back does not agree
    assert not refusal(ann.do("table.suspend", table=table))
    assert info(ann, table)["status"] == "suspended"
    for who in (ann, ben):
        assert not refusal(who.do("table.ready", table=table, terms=info(who, table)["terms"]))
    assert info(ann, table)["status"] == "playing"
    for who in (ann, ben):
        who.do("table.suspend", table=table)
    assert not refusal(ann.do("table.kill", table=table))
    assert info(ben, table)["end_proposed_by"] == "Ann"
    for who in (ann, ben):
        who.do("table.ready", table=table, terms=info(who, table)["terms"])
    ended = info(ann, table)
    assert (ended["status"], ended["unfinished"]) == ("over", True)


def test_clocks_are_stopped_by_agreement(house: House) -> None:
    ann, ben = trio(house, "Ann", "Ben")
    table = table_of([ann, ben], "strifebarge", pace="days-3")
    assert any(each["ticking"] for each in info(ann, table)["seats"])
    assert refusal(ann.do("table.end_pause", table=table)) == "table.not_paused"
    assert not refusal(ann.do("table.pause", table=table))
    shown = info(ben, table)
    assert ([each["pauses"] for each in shown["seats"]], shown["paused_until"]) == ([True, False], None)
    assert not refusal(ben.do("table.pause", table=table))
    for more in ({}, {"stable": True}):
        stopped = ben.call("table.state", table=table, **more)
        assert stopped["paused_until"] > stopped["changed"]
        assert not any(each["ticking"] or each["pauses"] for each in stopped["seats"])
    assert refusal(ann.do("table.pause", table=table)) == "table.paused"
    assert not refusal(ann.do("table.end_pause", table=table))
    assert (info(ben, table)["pause_ended"], stopped["pause_ended"]) == (True, False)
    assert not refusal(ann.do("table.call_time", table=table))
    assert refusal(ann.do("table.nudge", table=table, about=0)) == "table.not_waiting"
    assert refusal(ann.do("table.miss", table=table, about=1, step="vote")) == "table.not_late"
    assert refusal(ann.do("table.take_over", table=table, about=1)) == "table.no_substitute"
    assert refusal(ann.do("table.go_back", table=table)) == "table.not_suspended"
    seen = ann.call("lobby.me")["vacations"]
    away = [
        ann.do("lobby.vacation", days=3, vacations_etag=seen) for _ in range(2)
    ]  # as if its answer was lost
    assert away[0] == away[1]
    assert away[0]["away_until"] is not None
    back = ann.do("lobby.vacation", days=0, vacations_etag=away[0]["vacations"])
    assert back["away_until"] is None
    assert ann.do("lobby.vacation", days=3, vacations_etag=seen) == back


def test_people_talk_and_are_muted(house: House) -> None:
    ann, ben, cleo = trio(house)
    table = table_of([ann, ben], "strifebarge")
    assert not refusal(ann.do("chat.say", table=table, text="Ahoy"))
    assert not refusal(ben.do("chat.say", table=table, phrase="luck"))
    assert refusal(ben.do("chat.say", table=table, text=" ")) == "table.empty"
    lines = ben.call("chat.read", table=table)["lines"]
    assert [(each["name"], each["text"], each["mine"]) for each in lines] == [
        ("Ann", "Ahoy", False),
        ("Ben", "Good luck.", True),
    ]
    assert not refusal(cleo.do("chat.say", table=table, text="From the gallery"))
    assert len(ben.call("chat.read", table=table)["lines"]) == 2
    assert len(cleo.call("chat.read", table=table)["lines"]) == 3
    assert refusal(ben.do("chat.strike", table=table, number=1)) == "table.not_yours"
    assert not refusal(ann.do("chat.strike", table=table, number=1))
    assert not refusal(ben.do("chat.report", table=table, number=2))
    assert not refusal(ann.do("chat.mute", table=table, number=2))
    assert [each["deleted"] for each in ann.call("chat.read", table=table)["lines"]] == [True]
    assert not refusal(ann.do("chat.hush", table=table))
    assert refusal(ben.do("chat.say", table=table, text="Hello?")) == "table.closed"


def test_a_spectator_who_sees_moves_later_is_told_nothing_newer_by_what_they_say(house: House) -> None:
    ann, ben, cleo = trio(house)
    table = table_of([ann, ben], "strifebarge", watching=5)
    assert not refusal(ann.do("chat.say", table=table, text="Ahoy"))
    for _ in range(7):
        questions = ((who, who.call("table.state", table=table)["question"]) for who in (ann, ben))
        mover, question = next((who, question) for who, question in questions if question)
        move = next(each["move"] for each in question["offers"] if not each["refused"])
        assert not refusal(
            mover.do("table.move", table=table, question_number=question["question_number"], move=move)
        )
    newest = info(cleo, table)["number"]
    assert newest < info(ann, table)["number"]
    assert cleo.do("chat.say", table=table, text="Hear, hear")["number"] == newest
    assert cleo.call("chat.read", table=table)["lines"][-1]["text"] == "Hear, hear"
    for verb in ("chat.mute", "chat.report"):  # the same for a line that they may not read, and for none
        for number in (1, 99):
            assert refusal(cleo.do(verb, table=table, number=number)) == "table.no_line"


def test_a_table_is_left_and_another_deleted(house: House) -> None:
    ann, ben = trio(house, "Ann", "Ben")
    table = table_of([ann, ben], "strifebarge")
    assert not refusal(ben.do("table.leave", table=table))
    assert info(ann, table)["status"] == "over"
    alone = ann.do("table.new", game="strifebarge", seats=2)["table"]
    assert ann.do("table.delete", table=alone)["table"] == alone
    assert ann.do("table.delete", table=alone)["table"] == alone
    assert refusal(ann.call("table.get_info", table=alone)) == "table.no_table"


def test_a_move_is_taken_back_where_that_can_be(house: House) -> None:
    ann = Program(house, "Ann")
    table = ann.do("table.new", game="eights", seats=1, options={"draw": "by_hand"})["table"]
    state = ann.call("table.state", table=table)
    assert state["your_turn"]
    assert refusal(ann.do("table.undo", table=table)) == "game.nothing_to_undo"
    offers = [each for each in state["question"]["offers"] if not each["refused"]]
    assert not refusal(
        ann.do(
            "table.move",
            table=table,
            question_number=state["question"]["question_number"],
            action=offers[0]["action"],
        )
    )
    assert ann.call("table.history", table=table, number=0)["position"] == 0
    assert refusal(ann.call("table.history", table=table, number=99)) == "table.no_position"


def test_a_game_goes_on_from_a_position_of_another_one_alone_or_with_others(house: House) -> None:
    ann, ben, cleo = trio(house)
    table = table_of([ann, ben], "chess")
    for who, move in ((ann, "move e4"), (ben, "move e5"), (ann, "move Nf3")):
        number = who.call("table.state", table=table)["question"]["question_number"]
        assert not refusal(who.do("table.move", table=table, question_number=number, move=move))
    key = new_key()
    alone = cleo.call("table.from_here", table=table, number=2, key=key)["table"]
    assert cleo.call("table.from_here", table=table, number=2, key=key)["table"] == alone
    state = cleo.call("table.state", table=alone)
    assert (state["number"], state["your_turn"], state["status"]) == (2, True, "playing")
    with_others = ann.do("table.from_here", table=table, number=1, analysis=False, sit=1)["table"]
    assert [seat["name"] for seat in info(ann, with_others)["seats"]][1] == "Ann"
    assert not refusal(ben.do("table.sit", table=with_others))
    assert ann.call("table.state", table=with_others)["your_turn"]
    assert refusal(ann.do("table.from_here", table=table, number=9)) == "table.no_position"
    secret = table_of([ann, ben], "eights")
    assert refusal(ann.do("table.from_here", table=secret, number=0)) == "table.still_secret"
    with pytest.raises(Fault):
        ann.again("read").do("table.from_here", table=table, number=1)


def test_nobody_moves_or_looks_from_the_seat_of_somebody_else(house: House) -> None:
    ann, ben, cleo = trio(house)
    table = table_of([ann, ben], "chess")
    mine = info(ann, table)["seat"]
    assert ann.call("table.state", table=table, seat=mine)["table"] == table
    for who, seat, why in (
        (ann, 1 - mine, "table.not_your_seat"),
        (ann, 9, "table.not_your_seat"),
        (cleo, mine, "table.not_seated"),
    ):
        for verb, more in (
            ("table.state", {}),
            ("table.state", {"stable": True}),
            ("table.get_info", {}),
            ("table.history", {"number": 0}),
            ("table.log", {}),
            ("table.follow", {}),
            ("table.move", {"question_number": 1, "move": "move e4", "key": new_key()}),
        ):
            assert refusal(who.call(verb, table=table, seat=seat, **more)) == why, verb
    refused = ann.call("table.state", table=table, seat=1 - mine)["refused"]
    assert refused["text"] == "That seat isn't yours. Choose your own."
    assert not refusal(ann.call("table.follow", table=table, seat=1 - mine, follow=False))
    alone = cleo.do("table.from_here", table=table, number=0)["table"]
    for seat in (0, 1):  # at an analysis board one has all seats
        assert cleo.call("table.state", table=alone, seat=seat)["table"] == alone


def test_every_verb_is_called_in_these_tests() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    elsewhere = {
        "lobby.me",
        "lobby.mine",
        "events",
        "table.follow",
        "table.plan",
        "table.drop_plan",
    }  # test_doors.py, test_client.py, test_events.py, test_plans.py
    tournaments = {name for name in VERBS if name.startswith("tournament.")}  # test_tournaments.py
    assert not {name for name in VERBS if f'"{name}"' not in text} - elsewhere - tournaments


@pytest.mark.parametrize("game", [title.slug for title in TITLES])
def test_offers_state_and_schema_are_those_of_every_game(house: House, game: str) -> None:
    rules = house.referee.library[game].rules
    programs = [Program(house, f"P{number}") for number in range(usual_seats(rules))]
    table = table_of(programs, game)
    schema = programs[0].call("game.schema", game=game)
    kinds = {each["do"] for each in schema["actions"]}
    assert schema["players"] == [
        each for each in seat_numbers(rules) if house.referee.library[game].allows(each)
    ]
    assert game in [each["game"] for each in programs[0].call("lobby.games")["games"]]
    questions = 0
    for program in programs:
        version = program.call("table.version", table=table)["version"]
        state = program.call("table.state", table=table)
        assert state["version"] == version
        assert state["view"]["seats"]
        question = state["question"]
        if question is None:
            continue
        questions += 1
        assert question["offers"] or question["kinds"]
        assert {each["action"]["do"] for each in question["offers"]} <= kinds
        assert {each["do"] for each in question["kinds"]} <= kinds
        assert all(kind["samples"] for kind in question["kinds"])
    assert questions


@pytest.mark.parametrize("game", [title.slug for title in TITLES])
def test_a_view_is_written_as_it_was_saved_for_its_viewer(game: str) -> None:
    rules = Library()[game].rules
    match = Match.new(rules, usual_seats(rules), "5eed" * 16)
    for nth, each in enumerate(random_play(match, Chance(game))):
        for viewer in (None, *range(len(each.game.seats))):
            assert as_seen(each.view(viewer)) == save(each.known_to(viewer), viewer)
        if nth == 6:
            break


def test_programs_play_against_the_sites_bots_in_two_calls(house: House) -> None:
    ann, ben, _ = trio(house)
    table = ann.do("table.new", game="strifebarge", seats=3)["table"]
    assert refusal(ben.do("table.add_bot", table=table)) == "table.not_host"
    assert not refusal(ann.do("table.add_bot", table=table, level="hard", about=2))
    seat = info(ann, table)["seats"][2]
    assert (seat["name"], seat["bot"], seat["stands_in"]) == ("Bot (hard)", "hard", False)
    assert refusal(ann.do("table.remove_bot", table=table, about=0)) == "table.no_bot_there"
    assert refusal(ann.do("table.remove_bot", table=table, about=2, holder="x")) == "table.seat_changed"
    assert not refusal(ann.do("table.remove_bot", table=table, about=2, holder=seat["holder"]))
    done = ann.do("table.add_bot", table=table, fill=True)
    assert not refusal(done)
    state = ann.call("table.state", table=table)
    assert state["status"] == "playing"
    assert [seat["bot"] for seat in state["seats"]] == [None, "medium", "medium"]
    assert refusal(ann.do("table.add_bot", table=table)) == "table.begun"
    assert refusal(ann.do("table.dismiss_bot", table=table)) == "table.no_bot_there"
