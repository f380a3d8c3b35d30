"""Many at the same instant."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

Done = TypeVar("Done")


def together(*acts: Callable[[], Done]) -> list[Done]:
    """Do all of these at the same instant, each in a thread; what each gave, or the first error."""
    gate = threading.Barrier(len(acts))
    given: dict[int, Any] = {}

    def act(number: int, do: Callable[[], Done]) -> None:
        gate.wait()
        try:
            given[number] = do()
        except BaseException as error:  # told below, in the thread of the test
            given[number] = error

    threads = [threading.Thread(target=act, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in given.values():
        if isinstance(result, BaseException):
            raise result
    return [given[number] for number in range(len(acts))]
