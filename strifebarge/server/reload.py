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
FileStamps = dict[str, tuple[int, int]]  # of each file, when it was changed and its size


def files_in(folders: Iterable[str | Path]) -> FileStamps:
    """Return the files of some folders as they are now, but for hidden ones and what Python makes of them."""
    return dict(sorted(file for folder in folders for file in _files_in(folder)))


def _files_in(folder: str | Path) -> Iterator[tuple[str, tuple[int, int]]]:
    for home, within, names in os.walk(folder):
        within[:] = [name for name in within if name != "__pycache__" and not name.startswith(".")]
        for name in names:
            path = os.path.join(home, name)
            if not name.startswith(".") and (stamp := _stamp_of(path)):
                yield path, stamp


def _stamp_of(path: str) -> tuple[int, int] | None:
    try:
        stat = os.stat(path)
    except OSError:  # an editor has just replaced it
        return None
    return stat.st_mtime_ns, stat.st_size


def stamp_of(folder: Path) -> str:
    """Return a few letters that are others as soon as a file of a game's folder is another."""
    return sha256(repr(files_in([folder])).encode()).hexdigest()[:8]


class Watcher(Thread):
    """Looks at the games' files now and then; when one has changed, `changed` is told which, once."""

    def __init__(self, folders: Iterable[str | Path], changed: Callable[[list[str]], None]):
        super().__init__(name="reload", daemon=True)
        self.folders = [*folders]
        self.changed = changed
        self.known_files = files_in(self.folders)
        self.stopped = Event()

    def run(self) -> None:
        """Look until something has changed, and nothing changes any more."""
        before = self.known_files
        while not self.stopped.wait(LOOK_EVERY):
            now = files_in(self.folders)
            if now != self.known_files and now == before:
                self.changed(sorted({path for path, _ in {*now.items()} ^ {*self.known_files.items()}}))
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
    message = "".join(traceback.format_exception(error))
    click.echo(message, err=True)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("500 Internal Server Error", [("Content-Type", "text/plain; charset=utf-8")])
        return [message.encode()]

    return answer
