"""The pool of a worker's threads: who became free last works next, and nothing is lost or done twice."""

import sys
from collections.abc import Iterator
from concurrent.futures import wait
from queue import Empty
from threading import Barrier, Event, get_ident
from time import sleep

import pytest

from strifebarge.server.thread_pool import LastFirst, ThreadPool

THREADS = 4


@pytest.fixture
def pool() -> Iterator[ThreadPool]:
    with ThreadPool(THREADS) as made:
        yield made


def all_at_work(pool: ThreadPool) -> list[int]:
    """Let every thread work at once; return them."""
    together = Barrier(THREADS)

    def meet() -> int:
        together.wait(10)
        return get_ident()

    return [each.result(10) for each in [pool.submit(meet) for _ in range(THREADS)]]


def until_all_wait(pool: ThreadPool) -> None:
    for _ in range(10_000):
        if len(pool._work_queue._waiting) == THREADS:
            return
        sleep(0.001)
    raise AssertionError("a thread is still at work")


def test_work_one_after_the_other_is_done_by_one_thread(pool: ThreadPool) -> None:
    assert len(set(all_at_work(pool))) == THREADS
    done = set()
    for _ in range(50):
        until_all_wait(pool)
        done.add(pool.submit(get_ident).result(10))
    assert len(done) == 1


def test_work_that_waits_is_taken_in_its_order() -> None:
    held, taken = Event(), list[int]()
    with ThreadPool(1) as pool:
        pool.submit(held.wait, 10)
        for number in range(12):
            pool.submit(taken.append, number)
        held.set()
    assert taken == list(range(12))


def test_no_work_is_lost_or_done_twice(pool: ThreadPool) -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        done: list[int] = []
        tasks = [pool.submit(done.append, number) for number in range(5000)]
        assert not wait(tasks, 30).not_done
    finally:
        sys.setswitchinterval(before)
    assert sorted(done) == list(range(5000))


def test_what_fails_is_told_and_its_thread_goes_on(pool: ThreadPool) -> None:
    with pytest.raises(ZeroDivisionError):
        pool.submit(lambda: 1 / 0).result(10)
    assert pool.submit(lambda: 1).result(10) == 1


def test_a_pool_that_is_shut_down_ends_its_threads_and_cancels_what_waits() -> None:
    pool, held = ThreadPool(1), Event()
    busy = pool.submit(held.wait, 10)
    waiting = pool.submit(get_ident)
    pool.shutdown(wait=False, cancel_futures=True)
    held.set()
    assert busy.result(10)
    assert waiting.cancelled()
    for thread in pool._threads:
        thread.join(10)
        assert not thread.is_alive()


def test_a_queue_with_nothing_in_it_says_so() -> None:
    queue = LastFirst()
    with pytest.raises(Empty):
        queue.get_nowait()
    queue.put(1)
    assert (queue.qsize(), queue.get(), queue.qsize()) == (1, 1, 0)
