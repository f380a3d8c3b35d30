"""A person with a text browser: w3m in a terminal of its own, told by keys and read off the screen."""

import contextlib
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

from tests.support.servers import PATIENCE, Unavailable

COLUMNS, LINES = 110, 400  # a terminal so high that a page is on it as a whole
OPTIONS = ["-cookie", "-no-mouse", "-o", "accept_cookie=1", "-o", "use_history=0", "-o", "confirm_qq=0"]
ENTER, TAB, TOP = "\r", "\t", "g"


def find_w3m() -> str:
    """Raises Unavailable."""
    path = shutil.which("w3m")
    if not path:
        raise Unavailable("no w3m (apt-get install w3m)")
    return path


class TextBrowser:
    """w3m, from entering the `with` until leaving it; `home` keeps its cookies and nothing of anybody's."""

    def __init__(self, address: str, home: Path, patience: float = PATIENCE) -> None:
        self.address = address + "/"
        self.home = home
        self.patience = patience
        self.screen = pyte.Screen(COLUMNS, LINES)
        self.stream = pyte.ByteStream(self.screen)

    def __enter__(self) -> Self:
        self.terminal, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        world = {"HOME": str(self.home), "TERM": "linux", "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
        self.w3m = subprocess.Popen(
            [find_w3m(), *OPTIONS, self.address],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            start_new_session=True,
            env=world,
        )
        os.close(inside)
        try:
            self.arrive()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.w3m.kill()
        self.w3m.wait()
        os.close(self.terminal)

    # -- keys --------------------------------------------------------------------------

    def keys(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def go_to(self, words: str) -> None:
        """The cursor to the first place where these words stand."""
        self.keys(TOP + "/" + re.sub(r"([][.*+?^$\\(){}|])", r"\\\1", words) + ENTER)

    def press(self, words: str) -> None:
        """The link or button with these words on it."""
        self.go_to(words)
        self.keys(ENTER)
        self.arrive()

    def open(self, path: str) -> None:
        """Another page of the same site."""
        self.keys("U\x15" + self.address + path.removeprefix("/") + ENTER)
        self.arrive()

    def type(self, before: str, words: str) -> None:
        """Into the field after these words, and press the button after it."""
        self.go_to(before)
        self.keys(TAB + ENTER)
        self.until("^TEXT:")
        self.keys(words + ENTER + TAB + ENTER)
        self.arrive()

    # -- the screen --------------------------------------------------------------------

    def arrive(self) -> None:
        """Wait for the page that was asked for.

        Keys are obeyed in turn: once it is there it is drawn anew, and `c` says its address below.  But those
        that come while a packed page is being unpacked are lost.
        """
        self.screen.reset()
        there = "^" + re.escape(self.address)
        for _ in range(int(self.patience)):
            self.keys("\x0cc")
            with contextlib.suppress(AssertionError):
                return self.until(there, 1)
        self.until(there)

    def until(self, pattern: str, patience: float | None = None) -> None:
        """Read what the terminal is sent, until there is a line like this on the screen."""
        deadline = time.monotonic() + (self.patience if patience is None else patience)
        while not re.search(pattern, self.words, re.MULTILINE):
            assert time.monotonic() < deadline, f"no {pattern} in {self.patience:g} s, but:\n{self.words}"
            if select.select([self.terminal], [], [], 0.05)[0]:
                with contextlib.suppress(OSError):
                    self.stream.feed(os.read(self.terminal, 65536))

    def read_address(self) -> str:
        """Of the page before one: the last line says it."""
        return self.words.splitlines()[-1]

    @property
    def words(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display if line.strip())
