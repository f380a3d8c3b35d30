"""What the events of a token may cost, how long they are kept, and what is never in them."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text
from werkzeug.test import create_environ

from strifebarge.api.stream import MOST_BYTES, MOST_NEWS
from strifebarge.live import messages
from strifebarge.live.streams import HUB, STREAM, StreamRequest
from strifebarge.rules import Refused
from strifebarge.rules.replay import Diverged
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.subscriptions import KEPT_FOR
from strifebarge.tables.model.table import Table, TableRefusal
from tests.api.calls import Program, refusal, table_of
from tests.web.house import House, OpenHouse

from .folder import BEGUN_ANEW, Folder, written
from .test_events import names, stored_events, throw


class FakeHub:
    """A hub that is there."""

    def mark(self, kind: str, name: str) -> str:
        return f"{kind} {name}"

    def is_there(self) -> bool:
        return True


def opened(program: Program, after: int) -> StreamRequest:
    """Return the stream that a program gets."""
    headers = {"Authorization": f"Bearer {program.token}"}
    environ = create_environ(f"/api/v1/stream?after={after}", headers=headers) | {HUB: FakeHub()}
    assert b"".join(program.house.app(environ, lambda *_: lambda _: None)) == b""
    request: StreamRequest = environ[STREAM]
    return request


def words_of_events(house: House) -> str:
    with house.services.subscriptions.reading() as connection:
        return "".join(connection.execute(text("SELECT body FROM events")).scalars())


def test_a_program_may_follow_one_game_after_the_other_for_ever(
    open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = open_house(limit_api=9999)
    for name, most in (("MOST_FOLLOWED", 1), ("MOST_OVER", 2)):
        monkeypatch.setattr(f"strifebarge.api.event_writer.{name}", most)
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    before = stored_events(house, "followed_tables")
    for _ in range(4):
        folder = Folder(ann, table_of([ann, ben], "rps", options={"best_of": 1}))
        throw(ann, folder.table)
        throw(ben, folder.table, "paper")
        folder.must_agree()
    assert names(folder.events)[-2:] == ["over", "gone"]  # the third game before it, which is let go
    assert stored_events(house, "followed_tables") == before + 2
    now = house.referee.now()
    monkeypatch.setattr(house.referee, "now", lambda: now + KEPT_FOR + 10)
    assert names(folder.catch_up()) == ["gone", "gone"]
    assert stored_events(house, "followed_tables") == before
    assert folder.catch_up() == []


def test_who_is_erased_is_in_no_event_of_a_table_that_is_followed_no_more(house: House) -> None:
    eve, ann, zoe = (Program(house, name) for name in ("Eve", "Ann", "Zoe"))
    folder = Folder(eve, table_of([ann, zoe], "rps", options={"best_of": 7}))
    house.services.accounts.rename(zoe.player, "Zoelle")
    assert "Zoelle" in written(folder.catch_up())
    eve.call("table.follow", table=folder.table, follow=False)
    house.services.accounts.erase(zoe.player)
    assert refusal(eve.call("events", after=folder.after)) in BEGUN_ANEW
    assert "Zoelle" not in words_of_events(house)


def before_saving(house: House, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Let somebody do something once the next events are made, and before they are kept."""
    keep, acts = house.services.subscriptions.write_events, [act]

    def act_and_keep(*what: Any) -> Any:
        if acts:
            acts.pop()()
        return keep(*what)

    monkeypatch.setattr(house.services.subscriptions, "write_events", act_and_keep)


def test_who_is_erased_while_a_program_begins_to_follow_is_in_nothing_that_is_kept(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve, ann, zoe = (Program(house, name) for name in ("Eve", "Ann", "Zoelle"))
    table = table_of([ann, zoe], "rps", options={"best_of": 7})
    eve.call("events")
    before_saving(house, monkeypatch, lambda: house.services.accounts.erase(zoe.player))
    folder = Folder(eve, table)
    assert "Zoelle" not in written(folder.followed)
    folder.must_agree()


def test_the_events_of_a_table_that_is_deleted_as_they_are_made_say_only_that(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve, zoe = Program(house, "Eve"), Program(house, "Zoe")
    folder = Folder(eve, zoe.do("table.new", game="rps", seats=2)["table"])
    house.services.accounts.rename(zoe.player, "Zoelle")
    before_saving(house, monkeypatch, lambda: zoe.do("table.delete", table=folder.table))
    assert names(folder.catch_up()) == ["gone"]
    assert "Zoelle" not in words_of_events(house)


def test_the_events_of_a_table_that_was_deleted_say_only_that(house: House) -> None:
    eve, zoe = Program(house, "Eve"), Program(house, "Zoe")
    folder = Folder(eve, zoe.do("table.new", game="rps", seats=2)["table"])
    house.services.accounts.rename(zoe.player, "Zoelle")
    start = folder.after
    assert "Zoelle" in written(folder.catch_up())
    assert not refusal(zoe.do("table.delete", table=folder.table))
    assert "Zoelle" not in words_of_events(house)
    assert set(names(eve.call("events", after=start)["events"])) == {"gone"}


def test_events_that_were_deleted_meanwhile_leave_no_gap(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    folder = Folder(ann, table_of([ann, ben], "rps", options={"best_of": 7}))
    start = folder.after
    throw(ann, folder.table)
    throw(ben, folder.table)
    folder.catch_up()
    for upto in (start + 1, start + 2):
        with house.services.subscriptions.writing() as connection:
            gone = {"upto": upto, "after": start}
            connection.execute(text("DELETE FROM events WHERE number > :after AND number <= :upto"), gone)
        assert refusal(ann.call("events", after=start)) == "stream.too_old"
    assert ann.call("events", after=folder.after)["events"] == []


def test_a_game_that_other_rules_cannot_show_suspends_nothing_that_is_stored(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    folder = Folder(ann, table_of([ann, ben], "rps", options={"best_of": 7}))
    throw(ann, folder.table)
    throw(ben, folder.table)

    def diverge(*_: object) -> None:
        raise Diverged(folder.table)

    with monkeypatch.context() as other_rules:
        other_rules.setattr(house.referee.views.matches, "ready", diverge)
        folder.must_agree()
    assert folder.followed["state"]["status"] == "suspended"
    assert house.referee.store.table(folder.table).status == "playing"
    throw(ann, folder.table)
    folder.must_agree()
    assert folder.followed["state"]["status"] == "playing"


@pytest.mark.parametrize("bound", ["MOST_SHOWN", "MOST_SPENT"])
def test_a_request_that_has_cost_enough_leaves_the_rest_to_the_next(
    house: House, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    folders = [Folder(ann, table_of([ann, ben], "rps", options={"best_of": 7})) for _ in range(2)]
    start = max(folder.after for folder in folders)
    for folder in folders:
        throw(ben, folder.table)
        throw(ann, folder.table)
    with monkeypatch.context() as costly:
        costly.setattr(f"strifebarge.api.event_writer.{bound}", 1 if bound == "MOST_SHOWN" else 0)
        page = ann.call("events", after=start)
    assert (len(page["events"]), page["more"]) == (1, True)
    page = ann.call("events", after=start)
    assert (len(page["events"]), page["more"]) == (2, False)
    for folder in folders:
        folder.must_agree()


@pytest.mark.parametrize("hidden", [False, True])
def test_that_a_request_has_cost_enough_says_nothing_of_what_is_hidden(
    house: House, monkeypatch: pytest.MonkeyPatch, hidden: bool
) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    folder = Folder(ben, table_of([ann, ben], "rps", options={"best_of": 7}))
    throw(ann, folder.table)
    if hidden:
        throw(ann, folder.table, "paper")
    monkeypatch.setattr("strifebarge.api.event_writer.MOST_SHOWN", 1)
    pages = [ben.call("events", after=folder.after)]
    pages.append(ben.call("events", after=pages[0]["next"]))
    assert [(len(page["events"]), page["more"]) for page in pages] == [(1, True), (0, False)]


def test_a_table_that_can_be_shown_in_part_is_told_whole_or_not_at_all(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    folders = [Folder(ann, table_of([ann, ben], "rps", options={"best_of": 7})) for _ in range(2)]
    for folder in folders:
        throw(ben, folder.table)
        throw(ann, folder.table)
    ready = house.referee.views.matches.ready

    def ready_but_one(store: object, title: Title, table: Table, *more: Any) -> Any:
        if table.id == folders[0].table:
            raise Refused(TableRefusal.OTHER_RULES)
        return ready(store, title, table, *more)

    with monkeypatch.context() as newer:
        newer.setattr(house.referee.views.matches, "ready", ready_but_one)
        assert {each["table"] for each in folders[1].catch_up()} == {folders[1].table}
    for folder in folders:
        folder.must_agree()


def test_a_stream_begins_with_what_fits(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    over = table_of([ann, ben], "rps", options={"best_of": 1})
    folder = Folder(ann, over)
    throw(ann, over)
    throw(ben, over, "paper")
    mine, watched = table_of([ann, ben], "rps"), table_of([ben, Program(house, "Eve")], "rps")
    ann.call("table.follow", table=watched)
    for _ in range(20):
        ben.do("chat.say", table=mine, text="Ahoy! " * 20)
        folder.catch_up()
    ann.call("table.follow", table=mine)
    for _ in range(20):
        ben.do("chat.say", table=mine, text="Ahoy! " * 20)
    wanted = opened(ann, folder.after)
    assert len(wanted.greeting) <= MOST_BYTES
    assert [each.table for each in wanted.news] == [watched, mine, over]
    monkeypatch.setattr("strifebarge.api.stream.MOST_NEWS", 300)
    assert [each.table for each in opened(ann, folder.after).news] == [watched]


def test_news_and_greeting_always_fit_into_one_packet() -> None:
    assert MOST_BYTES + MOST_NEWS + 4096 <= messages.MOST_BYTES
    assert (
        len(messages.encode(messages.StreamOpened(b"x" * MOST_BYTES, "", "", "", [], []))) < MOST_BYTES + 512
    )


def test_what_nobody_asks_for_is_deleted_in_time(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    table = table_of([ann, ben], "rps", options={"best_of": 7})
    Folder(ann, table)
    throw(ben, table)
    subscriptions, now = house.services.subscriptions, house.referee.now()
    subscriptions.purge(now - KEPT_FOR)
    assert stored_events(house, "followers")
    for _ in range(stored_events(house, "followers") + 1):
        subscriptions.purge(now + 2 * KEPT_FOR)
    assert [stored_events(house, name) for name in ("followers", "followed_tables", "events")] == [0, 0, 0]
