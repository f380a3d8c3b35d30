"""Events: changes as one viewer may see them, from which the state can be folded."""

import random
import zlib
from typing import Any

import pytest
from sqlalchemy import text

from strifebarge.client import fold
from strifebarge.rules import Refused
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library, Title
from strifebarge.tables.model.subscriptions import KEPT_FOR, MOST_FOLLOWED
from strifebarge.tables.model.table import Table, TableRefusal
from tests.api.calls import Program, Result, refusal, table_of
from tests.support.together import together
from tests.web.house import House

from .folder import BEGUN_ANEW, Folder, written

GAMES = sorted(Library().titles)
ACTS = 10  # at one table, by all of its people together


def act_at_random(dice: random.Random, program: Program, table: str) -> None:
    """Do something at a table that somebody may do there; a refusal is as good as anything."""
    state = program.call("table.state", table=table)
    what = dice.random()
    if what < 0.12:
        program.do("chat.say", table=table, text=f"That is {dice.random()}")
    elif what < 0.16:
        program.do("chat.strike", table=table, number=dice.randrange(1, 4))
    elif what < 0.24:
        program.do("table.undo", table=table)
    elif what < 0.28:
        program.do("table.suspend", table=table, agree=dice.random() < 0.7)
    elif state["status"] == "suspended" and what < 0.8:
        program.do("table.ready", table=table, terms=program.call("table.get_info", table=table)["terms"])
    elif question := state["question"]:
        moves = [offer["action"] for offer in question["offers"] if not offer["refused"]]
        moves += [sample for kind in question["kinds"] for sample in kind["samples"]]
        for action in dice.sample(moves, min(6, len(moves))):
            if not refusal(
                program.do(
                    "table.move", table=table, question_number=question["question_number"], action=action
                )
            ):
                return


def play_and_fold(house: House, game: str, seed: int, acts: int, **settings: Any) -> list[Folder]:
    """Play at random while everybody there, and a spectator, fold events; check the law on the way."""
    dice = random.Random(f"{game} {seed}")
    seats = usual_seats(house.referee.library[game].rules)
    people = [Program(house, f"Folder {number}") for number in range(seats)]
    spectator = Program(house, "Onlooker")
    table = str(people[0].do("table.new", game=game, seats=seats, **settings)["table"])
    folders = [Folder(people[0], table), Folder(spectator, table)]
    for each in people[1:]:
        assert not refusal(each.do("table.sit", table=table))
        folders.append(Folder(each, table))
    for number in range(acts):
        act_at_random(dice, dice.choice([*people, *people, spectator]), table)
        if number == acts // 2:
            folders.append(Folder(dice.choice(people).again("read"), table))  # takes it up in the middle
        for folder in folders:
            if dice.random() < 0.5:
                folder.catch_up()
    for folder in folders:
        folder.must_agree()
    return folders


@pytest.mark.parametrize("game", GAMES)
def test_events_lead_to_the_state_for_every_viewer(house: House, game: str) -> None:
    folders = play_and_fold(house, game, 1, ACTS, watching=1)
    assert any(folder.events for folder in folders)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("game", GAMES)
def test_events_lead_to_the_state_through_many_plays(house: House, game: str, seed: int) -> None:
    watching, pace = [(0, ""), (2, "days-3"), (-1, ""), (0, "turn-60")][seed % 4]
    play_and_fold(house, game, seed + 2, 40, watching=watching, **({"pace": pace} if pace else {}))


# -- taken up from any point, for a while ------------------------------------------------


def names(events: list[Result]) -> list[str]:
    return [each["event"] for each in events]


def throw(program: Program, table: str, hand: str = "rock") -> None:
    number = program.call("table.state", table=table)["question"]["question_number"]
    assert "number" in program.do("table.move", table=table, question_number=number, move=f"throw {hand}")


def test_events_are_taken_up_from_any_point_and_stay_what_they_were(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "rps", options={"best_of": 7})
    folder = Folder(ann, table)
    start = folder.followed
    for _ in range(3):
        for program in (ann, ben):
            throw(program, table)
            folder.must_agree()
    assert names(folder.events) == ["table", "your_turn"] * 3
    for nth, event in enumerate(folder.events):
        page = ann.call("events", after=event["id"])
        assert page["events"] == folder.events[nth + 1 :]
    page = ann.call("events", after=start["event"], limit=2)
    assert (page["events"], page["next"], page["more"]) == (folder.events[:2], folder.events[1]["id"], True)
    part = ann.call("events", after=page["next"])["events"]
    folded = start
    for event in [*page["events"], *page["events"], *part]:  # an event that comes twice changes nothing
        folded = fold(folded, event)
    assert written(folded) == written(folder.followed)


def test_all_that_has_changed_since_the_last_call_is_one_event_of_its_table(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    tables = [table_of([ann, ben], "rps", options={"best_of": 7}) for _ in range(2)]
    folders = [Folder(ann, table) for table in tables]
    after = ann.call("events")["next"]
    for table in tables:
        for _ in range(2):
            throw(ben, table)
            throw(ann, table)
    ben.do("chat.say", table=tables[1], text="Ahoy")
    events = ann.call("events", after=after)["events"]
    assert [(each["id"], each["event"], each["table"]) for each in events] == [
        (after + 1, "your_turn", tables[0]),
        (after + 2, "your_turn", tables[1]),
    ]
    for folder in folders:
        folder.must_agree()


def test_a_message_that_was_sent_or_deleted_is_an_event_of_those_who_may_read_it(house: House) -> None:
    ann, ben, eve = (Program(house, name) for name in ("Ann", "Ben", "Eve"))
    table = table_of([ann, ben], "rps", options={"best_of": 7})
    folder = Folder(ann.again("read"), table)
    after = ann.call("events")["next"]

    def fresh() -> list[list[str]]:
        """Return the new events of a token that folds them, and of one that does not."""
        nonlocal after
        page = ann.call("events", after=after)
        after = page["next"]
        folded = names(folder.catch_up())
        folder.must_agree()
        return [folded, names(page["events"])]

    ben.do("chat.say", table=table, text="Ahoy")
    assert fresh() == [["chat"]] * 2
    ben.do("chat.say", table=table, text="Ahem")
    ben.do("chat.strike", table=table, number=1)
    assert fresh() == [["chat"]] * 2
    ben.do("chat.strike", table=table, number=2)
    assert fresh() == [["chat"]] * 2
    eve.do("chat.say", table=table, text="In the gallery")
    assert fresh() == [[]] * 2
    ann.do("chat.mute", table=table, number=2)
    ben.do("chat.say", table=table, text="To nobody")
    throw(ann, table)
    assert fresh() == [["table"]] * 2


BEFORE_THE_GAME: list[tuple[str, dict[str, Any]]] = [
    ("table.sit", {}),
    ("table.change_seat", {"to": 2}),
    ("table.set", {"pace": "days-3"}),
    ("table.set", {"options": {"salvo": True}}),
    ("table.ready", {}),
    ("table.unready", {}),
    ("table.show", {"visible": True}),
    ("chat.hush", {"closed": True}),
]
IN_THE_GAME: list[tuple[str, dict[str, Any]]] = [
    ("table.suspend", {}),
    ("table.suspend", {"agree": False}),
]
ON_THE_CLOCK: list[tuple[str, dict[str, Any]]] = [
    ("table.pause", {}),
    ("table.pause", {"agree": False}),
]


@pytest.mark.parametrize(
    ("acts", "players", "pace"),
    [(BEFORE_THE_GAME, 1, ""), (IN_THE_GAME, 3, ""), (ON_THE_CLOCK, 3, "days-3")],
    ids=["before", "in", "clock"],
)
def test_an_act_that_changes_nothing_is_no_event(
    house: House, acts: list[tuple[str, dict[str, Any]]], players: int, pace: str
) -> None:
    people = [Program(house, name) for name in ("Ann", "Ben", "Cleo", "Eve")]
    table = table_of(people[:players], "strifebarge", seats=3, pace=pace)
    folders = [Folder(each, table) for each in people]
    for verb, more in acts:
        who = people[1] if verb in ("table.sit", "table.change_seat") else people[0]
        for is_new in (True, False):
            assert not refusal(who.do(verb, table=table, **more))
            assert [bool(folder.catch_up()) for folder in folders] == [is_new] * 4, verb
    for folder in folders:
        folder.must_agree()


def test_the_events_of_a_table_keep_their_order_whatever_the_clock_says(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    folders = [Folder(ann, table_of([ann, ben], "rps", options={"best_of": 7})) for _ in range(2)]
    now = house.referee.now()
    for earlier, who in ((50, ann), (20, ben), (90, ann), (10, ben)):
        monkeypatch.setattr(house.referee, "now", lambda at=now - earlier: at)
        for folder in folders:
            throw(who, folder.table)
        for folder in folders:
            folder.must_agree()
    for folder in folders:
        assert names([each for each in folder.events if each["table"] == folder.table]) == [
            *("table", "your_turn", "table", "your_turn")
        ]


def test_an_event_that_is_not_kept_is_too_old_and_one_to_come_is_none(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "rps", options={"best_of": 7})
    folder = Folder(ann, table)
    throw(ann, table)
    folder.catch_up()
    for after in (folder.after - 10**7, 0):
        refused = ann.send("GET", f"/events?after={after}")
        assert (refused.status_code, refused.json["refused"]["token"]) == (410, "stream.too_old")
    for after in (folder.after + 1, folder.after + 10**7):
        refused = ann.send("GET", f"/events?after={after}")
        assert (refused.status_code, refused.json["refused"]["token"]) == (404, "stream.no_event")
    now = house.referee.now()
    with monkeypatch.context() as later:
        later.setattr(house.referee, "now", lambda: now + KEPT_FOR + 10)
        throw(ben, table)
        assert refusal(ann.call("events", after=folder.after - 1)) == "stream.too_old"
        folder.must_agree()


def test_tables_come_and_go_among_the_events_of_a_token(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    first = table_of([ann, ben], "rps", options={"best_of": 1})
    after = ben.call("events")["next"]
    throw(ann, first)
    throw(ben, first, "paper")
    table = ann.do("table.new", game="rps", seats=2)["table"]
    [person] = ann.call("lobby.people")["people"]
    ann.do("table.invite", table=table, person=person["person"])
    page = ben.call("events", after=after)
    assert names(page["events"]) == ["over", "challenge"]
    challenge = page["events"][-1]
    assert (challenge["table"], challenge["by"], challenge["patch"]) == (table, "Ann", None)
    again = ann.do("table.rematch", table=first)["table"]
    ben.do("table.decline", table=table)
    ben.do("table.rematch", table=first)
    page = ben.call("events", after=page["next"])
    events = {(each["event"], each["table"]) for each in page["events"]}
    assert events == {("gone", table), ("your_turn", again), ("table", first)}
    alone = ben.do("table.new", game="rps", seats=2)["table"]
    after = ben.call("events", after=page["next"])["next"]
    ben.do("table.delete", table=alone)
    assert [(each["event"], each["table"]) for each in ben.call("events", after=after)["events"]] == [
        ("gone", alone)
    ]


def test_clocks_that_run_out_and_new_names_are_events(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "strifebarge", pace="days-3")
    folders = [Folder(ann, table), Folder(Program(house, "Eve"), table)]
    now = house.referee.now()
    for days in (1, 3.5, 6):  # a token that asks for nothing for three days is forgotten
        with monkeypatch.context() as later:
            later.setattr(house.referee, "now", lambda days=days: now + days * 86400)
            ann.do("table.call_time", table=table)
            for folder in folders:
                folder.must_agree()
    house.services.accounts.rename(ben.player, "Benjamin")
    for folder in folders:
        folder.must_agree()
        assert folder.events
    assert "Benjamin" in written(folders[0].followed)


def test_a_table_with_a_bot_is_followed_like_any(house: House) -> None:
    ann = Program(house, "Ann")
    folder = Folder(ann, ann.do("table.new", game="rps", seats=2)["table"])
    assert not refusal(ann.do("table.add_bot", table=folder.table, fill=True))
    folder.must_agree()
    throw(ann, folder.table)
    folder.must_agree()
    assert names(folder.events) == ["your_turn", "table"]


def test_somebody_who_is_followed_no_more_or_has_left_is_told_no_more(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "eights")
    folder = Folder(ben, table)
    ben.do("table.leave", table=table, how="free")
    folder.must_agree()  # from now on as a spectator
    assert ben.call("table.follow", table=table, follow=False)["state"] is None
    assert names(ben.call("events", after=folder.after)["events"]) == ["gone"]


def test_one_token_follows_no_more_than_its_share(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strifebarge.api.event_writer.MOST_FOLLOWED", 2)
    assert MOST_FOLLOWED == 100
    ann = Program(house, "Ann")
    tables = [ann.do("table.new", game="rps", seats=2)["table"] for _ in range(3)]
    answers = [refusal(ann.call("table.follow", table=table)) for table in tables]
    assert answers == ["", "", "stream.too_many"]
    assert refusal(ann.call("table.follow", table="00000000")) == "table.no_table"


# -- what it costs, and who may --------------------------------------------------------------


def stored_events(house: House, name: str) -> int:
    with house.services.subscriptions.reading() as connection:
        return int(connection.execute(text(f"SELECT count(*) FROM {name}")).scalar())


def test_what_a_token_was_told_ends_with_it(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "rps")
    before = [stored_events(house, name) for name in ("followers", "followed_tables", "events")]
    folder = Folder(ann, table)
    throw(ben, table)
    folder.must_agree()
    tokens = house.services.accounts.tokens
    tokens.revoke(ann.player.id, tokens.list_for(ann.player.id)[0].id)
    assert ann.send("GET", "/events").status_code == 401
    assert [stored_events(house, name) for name in ("followers", "followed_tables", "events")] == before


def test_without_a_hub_there_is_no_stream_and_events_can_be_asked_for(house: House) -> None:
    ann = Program(house, "Ann")
    answer = ann.send("GET", "/stream")
    assert (answer.status_code, answer.json["refused"]["token"]) == (503, "stream.no_stream")
    assert "RateLimit-Remaining" in answer.headers
    german = ann.send("GET", "/stream", Accept_Language="de").json["refused"]["text"]
    assert german != answer.json["refused"]["text"]
    assert ann.call("events")["events"] == []
    assert ann.send("GET", "/stream?after=x").status_code == 400
    for path in ("/events", "/stream"):
        assert ann.again("play").send("GET", path).status_code == 403


def test_events_of_one_token_asked_for_at_once_are_told_once(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "rps", options={"best_of": 7})
    folder = Folder(ann, table)
    throw(ben, table)
    throw(ann, table)
    pages = together(*[lambda: ann.call("events", after=folder.after)["events"]] * 4)
    assert [names(each) for each in pages] == [["your_turn"]] * 4
    assert len({written(each) for each in pages}) == 1
    folder.must_agree()


def test_who_is_erased_is_named_in_no_event(house: House) -> None:
    ann, zoe = Program(house, "Ann"), Program(house, "Zoe")
    table = table_of([ann, zoe], "rps", options={"best_of": 7})
    folder = Folder(ann, table)
    throw(zoe, table)
    zoe.do("chat.say", table=table, text="Ahoy")
    folder.must_agree()
    throw(ann, table)
    house.services.accounts.erase(zoe.player)
    assert refusal(ann.call("events", after=folder.after)) in BEGUN_ANEW
    Folder(ann, table).must_agree()
    with house.services.subscriptions.reading() as connection:
        bodies = connection.execute(text("SELECT body FROM events")).scalars().all()
        states = connection.execute(text("SELECT state FROM followed_tables")).scalars().all()
    stored = [*bodies, *(zlib.decompress(each).decode() for each in states if each)]
    assert not any("Zoe" in each or zoe.player.id in each for each in stored)


def test_a_table_that_cannot_be_shown_does_not_keep_back_the_others(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    tables = [table_of([ann, ben], game) for game in ("eights", "rps")]
    folders = [Folder(ann, table) for table in tables]
    library = house.referee.library
    original = library.of

    def of(table: Table) -> Title:
        if table.id == tables[0]:
            raise Refused(TableRefusal.LEFT_OUT)
        return original(table)

    with monkeypatch.context() as without:
        without.setattr(library, "of", of)
        ben.do("chat.say", table=tables[1], text="Ahoy")
        house.services.accounts.rename(ben.player, "Benjamin")
        folders[1].must_agree()
    assert refusal(ann.call("events", after=folders[0].after)) == ""
    folders[0].must_agree()
    assert "Benjamin" in written(folders[0].followed)
