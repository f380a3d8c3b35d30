"""The queue of costly work: one at a time, one place for each address, and nobody waits for long."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from strifebarge.lib import costly
from strifebarge.lib.busy import Busy
from strifebarge.lib.costly import AGAIN, CostlyQueue, TurnedAway
from tests.support.servers import wait_for


def test_an_address_that_has_a_place_gets_no_other() -> None:
    queue = CostlyQueue(patience=60)
    with queue.place("1.1.1.1"), pytest.raises(Busy), queue.place("1.1.1.1"):
        pass
    with queue.place("1.1.1.1"):
        assert queue.addresses == {"1.1.1.1"}


def test_an_address_that_asks_again_too_soon_is_to_wait_for_its_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue = CostlyQueue(most=1)

    def seconds(address: str, at: float) -> float:
        monkeypatch.setattr(costly, "monotonic", lambda: at)
        with pytest.raises(TurnedAway) as turned_away, queue.place(address):
            pass
        return turned_away.value.seconds

    with queue.place("9.9.9.9"):
        assert seconds("1.1.1.1", at=10.0) == 0, "the first one is answered at once"
        assert seconds("1.1.1.1", at=10.1) == AGAIN
        assert seconds("2.2.2.2", at=10.1) == 0
        assert seconds("1.1.1.1", at=12.2) == AGAIN, "as soon as that was answered"
        assert seconds("2.2.2.2", at=12.2) == 0
        assert seconds("1.1.1.1", at=16.3) == 0
    assert {*queue.turned_away} == {"1.1.1.1"}, "the others are forgotten"


def test_who_waits_in_vain_leaves_the_queue() -> None:
    queue = CostlyQueue(patience=0)
    with queue.place("1.1.1.1"), pytest.raises(Busy), queue.place("2.2.2.2"):
        pass
    with queue.place("2.2.2.2"):
        assert queue.addresses == {"2.2.2.2"}


def test_whatever_the_work_raises_its_place_is_free_again() -> None:
    queue = CostlyQueue(patience=0)
    with pytest.raises(ZeroDivisionError), queue.place("1.1.1.1"):
        raise ZeroDivisionError
    with queue.place("2.2.2.2"):
        assert queue.addresses == {"2.2.2.2"}


def test_one_works_some_wait_and_all_others_are_turned_away_at_once() -> None:
    queue, order = CostlyQueue(most=3, patience=60), list[str]()

    def work(address: str) -> None:
        with queue.place(address):
            order.append(address)

    with ThreadPoolExecutor(2) as others, queue.place("1.1.1.1"):
        for number, address in enumerate(("2.2.2.2", "3.3.3.3"), 1):
            others.submit(work, address)
            wait_for(lambda number=number: len(queue.semaphore.queue) == number)
        with pytest.raises(Busy), queue.place("4.4.4.4"):
            pass
        assert order == []
    assert order == ["2.2.2.2", "3.3.3.3"]
    assert queue.addresses == set()


def test_whoever_works_pauses_as_long_as_they_worked_and_nobody_else_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(costly, "sleep", pauses.append)
    monkeypatch.setattr(costly, "monotonic", iter([0.0, 10.0, 20.0, 20.5, 30.0, 30.0, 40.0]).__next__)
    queue = CostlyQueue()
    queue.pause()  # nobody works
    with queue.place("192.0.2.1"):  # from 10 on
        queue.pause()  # at 20, until 20.5
        queue.pause()  # at 30, until 30
    queue.pause()
    assert pauses == [10.0, 9.5]
