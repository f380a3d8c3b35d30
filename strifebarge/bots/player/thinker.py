"""A thinking process, from the side of the one that asks it: started, asked, and ended if it hangs."""

import os
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from time import monotonic

import msgspec

from strifebarge.bots.player.task import Answer, BotTask, decode_answer, encode
from strifebarge.bots.player.worker import LENGTH

HANGS = 60.0  # seconds beside those of a task, after which its process is ended; a busy machine may be slow
CHOICES = 200  # of one process, after which another takes its place: whatever a game keeps goes with it
MOST_BYTES = 2**20  # of an answer
# Variables of the environment that a thinking process has too, beside those that begin with LC_.
PASSED_VARIABLES = {
    *("PATH", "HOME", "LANG", "TZ", "VIRTUAL_ENV", "LD_LIBRARY_PATH"),
    *("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"),
}


class ThinkingFailed(Exception):
    """A task that could not be answered, and why."""


class Thinker:
    """One process that thinks about one task at a time, and is started when there is one.

    One thread asks it; any thread may end it.
    """

    def __init__(self, folders: Sequence[Path], hangs: float = HANGS):
        self.folders = folders
        self.hangs = hangs
        self.process: subprocess.Popen[bytes] | None = None
        self.choices = 0
        self.mutex = Lock()  # held while the process is started or taken away
        self.closed = False

    def think(self, task: BotTask) -> Answer:
        """Return the answer to a task.  Raises NoAnswer: the process has ended, hangs, or has failed."""
        if self.choices >= CHOICES:
            self.end()
        process = self._started()
        self.choices += 1
        try:
            answer = decode_answer(
                self._exchange(process, encode(task), monotonic() + task.seconds + self.hangs)
            )
        except TimeoutError:
            self.end()
            raise ThinkingFailed("it hung, and was ended") from None
        except (OSError, EOFError, ValueError, msgspec.DecodeError) as error:
            raise ThinkingFailed(f"its process has ended ({self.end()}): {error}") from None
        if answer.error:
            raise ThinkingFailed(answer.error)
        return answer

    def end(self) -> str:
        """End the process, and return how it has ended; the next task has another one."""
        with self.mutex:
            process, self.process, self.choices = self.process, None, 0
        if process is None:
            return "by itself"
        process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
        return f"signal {-code}" if code < 0 else f"code {code}"

    def close(self) -> None:
        """End the process for good: no other is started."""
        with self.mutex:
            self.closed = True
            if self.process is not None:
                self.process.kill()  # the thread that waits for its answer does the rest

    def _started(self) -> subprocess.Popen[bytes]:
        with self.mutex:
            if self.closed:
                raise ThinkingFailed("all thinking ends")
            if self.process is None:
                command = [sys.executable, "-P", "-m", "strifebarge.bots.player.worker", str(os.getpid())]
                pipe = subprocess.PIPE
                self.process = subprocess.Popen(  # noqa: S603 - our own program
                    [*command, *map(str, self.folders)],
                    stdin=pipe,
                    stdout=pipe,
                    bufsize=0,
                    env=_environment(),
                )
            return self.process

    def _exchange(self, process: subprocess.Popen[bytes], task: bytes, until: float) -> bytes:
        """Send a task, and return the answer.  Raises TimeoutError; OSError, EOFError if the process ends."""
        stdin, answers = (pipe.fileno() for pipe in (process.stdin, process.stdout) if pipe)
        left = memoryview(LENGTH.pack(len(task)) + task)
        while left:
            _wait(stdin, select.POLLOUT, until)
            left = left[os.write(stdin, left[: select.PIPE_BUF]) :]
        [length] = LENGTH.unpack(_read(answers, LENGTH.size, until))
        if length > MOST_BYTES:
            raise ValueError("its answer is too long")
        return _read(answers, length, until)


def _environment() -> dict[str, str]:
    """Return what a thinking process may know of ours: where things are found, no setting and no secret."""
    result = {
        name: value
        for name, value in os.environ.items()
        if name in PASSED_VARIABLES or name.startswith("LC_")
    }
    return result | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _read(pipe: int, size: int, until: float) -> bytes:
    """Return exactly this number of bytes from a pipe.  Raises TimeoutError, EOFError."""
    data = b""
    while len(data) < size:
        _wait(pipe, select.POLLIN, until)
        more = os.read(pipe, size - len(data))
        if not more:
            raise EOFError("there is no answer")
        data += more
    return data


def _wait(pipe: int, event: int, until: float) -> None:
    """Wait until a pipe can be used.  Raises TimeoutError."""
    poll = select.poll()
    poll.register(pipe, event)
    if not poll.poll(max(0.0, until - monotonic()) * 1000):
        raise TimeoutError
