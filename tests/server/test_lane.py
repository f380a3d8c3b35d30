"""The lane of forms: how many are carried out at once, who waits, and who is turned away."""

from collections.abc import Iterable
from threading import local
from time import monotonic
from types import SimpleNamespace
from typing import Any, cast
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from gunicorn.http.errors import InvalidChunkSize
from werkzeug import Request
from werkzeug.exceptions import BadRequest

from strifebarge.lib import waited
from strifebarge.lib.busy import Busy
from strifebarge.lib.waited import (
    HOLDS,
    longest_wait,
    may_send_again,
    must_have_place,
    note_oldest,
    queue_time_set,
    seconds_waited,
)
from strifebarge.server import lane as lanes
from strifebarge.server.lane import Lane, LaneWorker, QueuedForm, WholeChunks
from strifebarge.tables.clock.timekeeper import A_MOMENT, late_seats
from strifebarge.tables.model.clock import Clock


@pytest.fixture(autouse=True)
def notes_of_this_test_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_oldest", "_turned_away"):
        monkeypatch.setattr(waited, name, memoryview(bytearray(8 * waited.TABLES)).cast("d"))


def form(path: str = "/sign-in") -> QueuedForm:
    return QueuedForm(SimpleNamespace(parser=None, arrived=monotonic()), SimpleNamespace(path=path))


def enter(lane: Lane, form: QueuedForm, is_seated: bool = False) -> bool:
    return lane.enter(form, lambda _: is_seated)


def test_some_are_let_in_and_the_others_follow_in_the_order_in_which_they_came() -> None:
    lane, forms = Lane(2), [form() for _ in range(5)]
    assert [enter(lane, each) for each in forms] == [True, True, False, False, False]
    assert lane.leave(forms[1]) == [forms[2]]
    assert lane.leave(forms[0]) == [forms[3]]
    assert [each.has_place for each in forms] == [True, True, True, True, False]
    assert lane.leave(forms[2]) == [forms[4]]
    assert lane.leave(forms[3]) == lane.leave(forms[4]) == []
    assert (lane.free, lane.waiting) == (2, [])


def test_at_one_table_one_form_is_carried_out_at_a_time_and_other_tables_go_on() -> None:
    lane = Lane(3)
    first, second, third = (form(f"/below/g/{code}/turn") for code in ("AAAA0000", "aaaa0000", "AAAA0000"))
    elsewhere, nowhere = form("/g/BBBB0000/turn"), form("/g/")
    entered = [enter(lane, each) for each in (first, second, third, elsewhere, nowhere)]
    assert entered == [True, False, False, True, True]
    assert lane.leave(elsewhere) == []
    for path in ("/api/v1/tables/aaaa0000/moves", "/g/aaaa-0000/turn", "/g/%41AAA0000/turn"):
        assert form(path).table == first.table
    assert lane.leave(first) == [second]
    assert lane.leave(second) == [third]
    assert lane.leave(nowhere) == lane.leave(third) == []
    assert (lane.free, lane.tables) == (3, set())


def test_players_come_before_strangers_to_their_table_and_few_of_these_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lanes, "STRANGERS", 2)
    lane = Lane(2)
    inside, elsewhere, *strangers, player, other = (form("/g/AAAA0000/turn") for _ in range(7))
    elsewhere.table = "BBBB0000"
    assert enter(lane, inside)
    assert enter(lane, elsewhere)
    later = form("/g/BBBB0000/turn")
    assert [enter(lane, each) for each in (strangers[0], later, *strangers[1:])] == [
        False,
        False,
        False,
        True,
    ]
    assert [each.in_vain for each in strangers] == [False, False, True]
    assert not enter(lane, player, is_seated=True)
    assert not enter(lane, other, is_seated=True)
    assert lane.waiting == [player, other, strangers[0], later, strangers[1]]
    assert lane.leave(inside) == [player]
    assert lane.leave(player) == [other]
    assert lane.leave(elsewhere) == [later]


def test_who_sends_a_form_is_not_asked_where_nobody_waits() -> None:
    assert Lane(1).enter(form("/g/AAAA0000/turn"), lambda _: pytest.fail("it was asked"))


@pytest.mark.parametrize("is_seated", [True, False])
@pytest.mark.parametrize("status", ["303 See Other", "503 Service Unavailable"])
def test_that_the_site_was_too_busy_is_noted_for_players_of_the_table_alone(
    status: str, is_seated: bool
) -> None:
    def site(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response(status, [])
        return [b"an answer"]

    worker: Any = LaneWorker.__new__(LaneWorker)
    worker.here = local()
    worker.here.form = form("/g/AAAA0000/turn")
    worker._is_seated = lambda _: is_seated
    assert worker.noting_busy(site)({}, lambda *_: None) == [b"an answer"]
    assert may_send_again(worker.here.form.table) is (is_seated and status.startswith("503"))


def test_who_waits_too_long_or_behind_too_many_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "LONGEST", 1)
    lane, inside, waits, too_many = Lane(1), form(), form(), form()
    assert enter(lane, inside)
    assert not enter(lane, waits)
    assert enter(lane, too_many)
    assert (too_many.has_place, too_many.in_vain) == (False, True)
    assert lane.overdue(waits.queued + lanes.PATIENCE - 0.01) == []
    assert lane.overdue(waits.queued + lanes.PATIENCE) == [waits]
    assert (waits.has_place, waits.in_vain) == (False, True)
    assert lane.leave(inside) == []
    assert lane.free == 1


def test_what_is_carried_out_knows_how_long_its_form_has_waited() -> None:
    must_have_place()
    with queue_time_set(2.5, in_vain=False):
        assert seconds_waited() == 2.5
        must_have_place()
    with queue_time_set(5.0, in_vain=True), pytest.raises(Busy):
        must_have_place()
    assert seconds_waited() == 0


def test_all_workers_know_for_how_long_the_oldest_form_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    lane, forms = Lane(1, worker=7), [form(), form(), form()]
    now = forms[2].came + 3
    monkeypatch.setattr(waited, "monotonic", lambda: now)
    for each in forms:
        enter(lane, each)
    assert longest_wait() == now - forms[0].came
    lane.leave(forms[0])
    assert longest_wait() == now - forms[1].came
    note_oldest(8, now - 4)
    assert longest_wait() == 4
    note_oldest(8, now - HOLDS - 1)  # a worker that has died
    assert longest_wait() == now - forms[1].came
    lane.leave(forms[1])
    lane.leave(forms[2])
    note_oldest(8, 0)
    assert longest_wait() == 0


def test_a_body_in_chunks_that_cannot_be_read_is_like_a_lost_connection() -> None:
    class Reader:
        def read(self, size: int) -> bytes:
            raise InvalidChunkSize(b"zz")

    environ = {"wsgi.input": WholeChunks(Reader()), "wsgi.input_terminated": True, "REQUEST_METHOD": "POST"}
    request = Request(environ)
    request.max_content_length = 100
    with pytest.raises(BadRequest):
        request.get_data()


def test_a_form_that_is_turned_away_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    lane, inside, waits = Lane(1, worker=9), form(), form()
    enter(lane, inside)
    enter(lane, waits)
    lane.overdue(waits.queued + lanes.PATIENCE)
    lane.leave(inside)
    assert [*lane.forms] == [waits]  # until it is answered
    assert lane.leave(waits) == []
    assert lane.forms == {}
    assert longest_wait() == 0


def test_nobody_is_late_while_a_form_waits_that_may_have_come_in_time() -> None:
    class Standing:
        """A clock on which the time of seat 1 has run out at 100."""

        def late(self, at: float) -> list[int]:
            return [1] if at >= 100 else []

    clock = cast(Clock, Standing())
    assert late_seats(clock, 100 + A_MOMENT, []) == [1]
    assert late_seats(clock, 100 + A_MOMENT, [], waiting=4) == []
    assert late_seats(clock, 104, [], waiting=4) == [1]
    assert late_seats(clock, 100, [], own_seat=1, waiting=4) == [1]
