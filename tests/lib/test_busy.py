"""The semaphore for what only few threads do at once: who is let in, in which order, and who gives up."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock, Thread

import pytest

from strifebarge.lib.busy import Busy, FairSemaphore
from tests.support.servers import wait_for

MANY = 20


def semaphore(places: int = 1, patience: float = 30.0) -> FairSemaphore:
    return FairSemaphore(places, patience, "tests")


def enter(gate: FairSemaphore, order: list[int], number: int) -> None:
    with gate:
        order.append(number)


def test_threads_are_let_in_in_the_order_in_which_they_came() -> None:
    gate, order, threads = semaphore(), list[int](), list[Thread]()
    with gate:
        for number in range(MANY):
            threads.append(Thread(target=enter, args=(gate, order, number)))
            threads[-1].start()
            wait_for(lambda: len(gate.queue) == len(threads))
    for thread in threads:
        thread.join()
    assert order == list(range(MANY))
    assert (gate.free, len(gate.queue)) == (1, 0)


def test_a_thread_that_comes_again_at_once_is_behind_those_that_wait() -> None:
    for _ in range(MANY):
        gate, order = semaphore(), list[int]()
        with gate:
            waiting = Thread(target=enter, args=(gate, order, 1))
            waiting.start()
            wait_for(lambda gate=gate: gate.queue)
        enter(gate, order, 2)
        waiting.join()
        assert order == [1, 2]


def test_no_more_are_let_in_than_there_are_places() -> None:
    gate, together, lock = semaphore(2), Barrier(2), Lock()
    inside, most = 0, 0

    def come(_: int) -> None:
        nonlocal inside, most
        with gate:
            with lock:
                inside += 1
                most = max(most, inside)
            together.wait(30)
            with lock:
                inside -= 1

    with ThreadPoolExecutor(MANY) as threads:
        list(threads.map(come, range(MANY)))
    assert most == 2


def test_a_thread_that_has_waited_too_long_is_busy_and_nobody_waits_for_it() -> None:
    gate = semaphore(patience=0.01)
    with gate:
        with pytest.raises(Busy, match="too many tests at once"), gate:
            pytest.fail("two are inside")
        assert not gate.queue
    with gate:
        assert gate.free == 0
    assert gate.free == 1


def test_a_fault_inside_frees_the_place() -> None:
    gate = semaphore()
    with pytest.raises(KeyboardInterrupt), gate:
        raise KeyboardInterrupt
    assert gate.free == 1
