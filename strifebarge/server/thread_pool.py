"""A pool of threads in which the one that became free last works next.

The standard library's has its threads work in turn.  Then each has been idle for the longest time when it is
given something to do: nothing of it is left in a processor's caches, and Linux moves it to another processor.
"""

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from queue import Empty
from threading import Lock, RLock, get_ident
from typing import Any


class Waiting:
    """A thread that waits for something to do."""

    def __init__(self) -> None:
        self.thread = get_ident()
        self.given: Any = None
        self._called = Lock()
        self._called.acquire()

    def give(self, work: Any) -> None:
        """Let the thread go on with this work."""
        self.given = work
        self._called.release()

    def wait(self) -> Any:
        """Return the work, once there is some."""
        self._called.acquire()
        return self.given


class LastFirst:
    """A queue of work, which the thread takes that began to wait last; the work itself goes in order."""

    def __init__(self) -> None:
        self._work: deque[Any] = deque()
        self._waiting: list[Waiting] = []
        self._at_work: set[int] = set()  # threads that have been given some
        self._mutex = RLock()  # a signal may put something there while its thread does

    def put(self, work: Any) -> None:
        """Give work to a thread that waits, or keep it for the next that asks."""
        with self._mutex:
            try:
                waiting = self._waiting.pop()
            except IndexError:
                self._work.append(work)
            else:
                self._at_work.add(waiting.thread)
                waiting.give(work)

    def get(self, block: bool = True) -> Any:
        """Return the oldest work that nobody has taken, or wait for some.  Raises Empty where it may not."""
        thread = get_ident()
        with self._mutex:
            if self._work:
                self._at_work.add(thread)
                return self._work.popleft()
            self._at_work.discard(thread)
            if not block:
                raise Empty
            waiting = Waiting()
            self._waiting.append(waiting)
        return waiting.wait()

    def get_nowait(self) -> Any:
        """Return the oldest work that nobody has taken.  Raises Empty."""
        return self.get(block=False)

    def qsize(self) -> int:
        """Return how much work nobody has taken yet."""
        return len(self._work)

    def at_work(self) -> int:
        """Return how many threads have taken work and not asked for more."""
        return len(self._at_work)


class ThreadPool(ThreadPoolExecutor):
    """The standard library's pool of threads, with a queue of which the last to wait is the first to work.

    A Python that had another name for the queue would have its threads work in turn, as before.
    """

    def __init__(self, most: int):
        super().__init__(most)
        self._work_queue: Any = LastFirst()

    def has_work(self) -> bool:
        """Return whether there is work that no thread has taken yet."""
        return bool(self._work_queue.qsize())

    def at_work(self) -> int:
        """Return how many threads do something."""
        number: int = self._work_queue.at_work()
        return number
