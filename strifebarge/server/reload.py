"""`serve --reload`, for authors: the site reads the games again whenever one of their files changes."""

import os
import signal
import traceback
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import click

LOOK_EVERY = 0.5  # seconds between two looks at the files
Seen = dict[str, tuple[int, int]]  # of each file, when it was changed and its size


def files_in(folders: Iterable[str | Path]) -> Seen:
    """Return the files of some folders as they are now, but for hidden ones and what Python makes of them."""
    return dict(sorted(file for folder in folders for file in _files_in(folder)))


def _files_in(folder: str | Path) -> Iterator[tuple[str, tuple[int, int]]]:
    for home, within, names in os.walk(folder):
        within[:] = [name for name in within if name != "__pycache__" and not name.startswith(".")]
        for name in names:
            path = os.path.join(home, name)
            if not name.startswith(".") and (known := _known_of(path)):
                yield path, known


def _known_of(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:  # an editor has just replaced it
        return None
    return found.st_mtime_ns, found.st_size


def stamp_of(folder: Path) -> str:
    """Return a few letters that are others as soon as a file of a game's folder is another."""
    return sha256(repr(files_in([folder])).encode()).hexdigest()[:8]


class Watcher(Thread):
    """Looks at the games' files now and then; when one has changed, `changed` is told which, once."""

    def __init__(self, folders: Iterable[str | Path], changed: Callable[[list[str]], None]):
        super().__init__(name="reload", daemon=True)
        self.folders = [*folders]
        self.changed = changed
        self.seen = files_in(self.folders)
        self.stopped = Event()

    def run(self) -> None:
        """Look until something has changed, and nothing changes any more."""
        before = self.seen
        while not self.stopped.wait(LOOK_EVERY):
            now = files_in(self.folders)
            if now != self.seen and now == before:
                self.changed(sorted({path for path, _ in {*now.items()} ^ {*self.seen.items()}}))
                return
            before = now

    def stop(self) -> None:
        """Look no more."""
        self.stopped.set()


def begin_anew(paths: list[str]) -> None:
    """Have gunicorn put a worker in the place of this one, which reads the games as they are now."""
    names = sorted(
        {os.path.join(os.path.basename(os.path.dirname(path)), os.path.basename(path)) for path in paths}
    )
    click.echo(f"Changed: {', '.join(names)}.")
    os.kill(os.getppid(), signal.SIGHUP)


def out_of_order(error: Exception) -> WSGIApplication:
    """Return a site that says why there is none, until a file changes."""
    told = "".join(traceback.format_exception(error))
    click.echo(told, err=True)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("500 Internal Server Error", [("Content-Type", "text/plain; charset=utf-8")])
        return [told.encode()]

    return answer
