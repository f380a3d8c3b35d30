"""A thinking process: `python -m strifebarge.bots.player.worker PARENT [FOLDER...]`.

It reads tasks from its standard input and writes answers to its standard output, each after its length.  It
has no table, no database and no address: what a seat has seen is all that it is ever told.
"""

import os
import resource
import signal
import struct
import sys
from contextlib import suppress
from typing import IO

from strifebarge.lib.prctl import end_with_parent, name_process

NICENESS = 10  # so that pages and moves of people come first
MOST_MEMORY = 2**30  # bytes of data and stacks
NAME = "sb-bot-thinking"  # of the process
LENGTH = struct.Struct("!I")  # of a message, in bytes, before it


def main() -> None:
    """Answer tasks until the other side ends."""
    parent, *folders = sys.argv[1:]
    _come_last(int(parent))
    tasks, telling = _take_pipes()
    # Only now: what takes time to be read is read with the lowest priority.
    from strifebarge.bots.player.answering import answer
    from strifebarge.lib.shipped import games

    path = games.__path__
    path.extend(folder for folder in folders if folder not in path)
    while (task := receive(tasks)) is not None:
        send(telling, answer(task))


def _come_last(parent: int) -> None:
    """Let all other processes go first, end with the process that asks, and have bounded memory."""
    end_with_parent(signal.SIGKILL)
    if os.getppid() != parent:  # it has ended meanwhile
        sys.exit()
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (
        signal.SIGINT,
        signal.SIGHUP,
        signal.SIGTERM,
    ):  # for the process that asks, which ends this
        signal.signal(number, signal.SIG_IGN)
    os.nice(NICENESS)
    with suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    name_process(NAME)  # only now: under this name it comes last
    with suppress(OSError, ValueError):
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        limit = MOST_MEMORY if most == resource.RLIM_INFINITY else min(MOST_MEMORY, most)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return the pipes of tasks and answers; what a game prints goes to standard error from now on."""
    tasks, telling = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return tasks, telling


def receive(pipe: IO[bytes]) -> bytes | None:
    """Return the next message; None at the end."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    [length] = LENGTH.unpack(head)
    body = pipe.read(length)
    return body if len(body) == length else None


def send(pipe: IO[bytes], message: bytes) -> None:
    """Send a message after its length."""
    pipe.write(LENGTH.pack(len(message)) + message)
    pipe.flush()


if __name__ == "__main__":
    main()
