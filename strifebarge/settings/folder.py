"""The data folder and its key file."""

import fcntl
import os
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from strifebarge.lib.encoding import utf8
from strifebarge.settings.wrong import PREFIX, WrongSetting

PID_WIDTH = 20  # characters of a process number with spaces behind it
Keys = Annotated[tuple[Annotated[str, Meta(min_length=16)], ...], Meta(min_length=1)]


def default_folder(environ: Mapping[str, str]) -> Path:
    """Return where a user's programs keep their data.  XDG has a relative folder be ignored."""
    data_home = environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(data_home):
        return Path(data_home) / "strifebarge"
    try:
        return Path(environ.get("HOME") or Path.home()) / ".local" / "share" / "strifebarge"
    except RuntimeError:
        raise WrongSetting(f"{PREFIX}DATA is not set, and there is no home folder for the data.") from None


def make_folder(path: Path) -> None:
    """Make the data folder, readable by its owner only if it is new.  Raises WrongSetting."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror
        raise WrongSetting(f"{PREFIX}DATA is {str(path)!r}, but no folder can be there: {why}.") from None
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        raise WrongSetting(f"{PREFIX}DATA is {str(path)!r}, but this user may not write in that folder.")
    if path.stat().st_mode & stat.S_IWOTH:  # they could put keys of their own there
        raise WrongSetting(
            f"{PREFIX}DATA is {str(path)!r}, but all users may write in that folder: chmod o-w it."
        )


def kept_keys(folder: Path) -> tuple[str, ...]:
    """Return the keys of the folder's key file, oldest first, one on a line.  Raises WrongSetting.

    Processes that start together must not make two: one makes the file, mode 0600, while the others wait.
    """
    path = folder / "secret-keys"
    with locked(folder):
        if not path.exists():
            write_privately(path, secrets.token_urlsafe(32) + "\n")
    try:
        return msgspec.convert(_lines_of(path), Keys)
    except (OSError, UnicodeDecodeError, msgspec.ValidationError):
        raise WrongSetting(f"{str(path)!r} must hold keys of 16 characters or more, one on a line.") from None


def add_keys(folder: Path, keys: Sequence[str]) -> None:
    """Put keys before those that the folder's key file has: what they have signed holds again."""
    path = folder / "secret-keys"
    with locked(folder):
        there = _lines_of(path) if path.exists() else []
        write_privately(path, "".join(f"{key}\n" for key in dict.fromkeys([*keys, *there])))


def _lines_of(path: Path) -> list[str]:
    return utf8(path.read_bytes()).decode().split()


def serve_alone(folder: Path) -> int | None:
    """Lock a data folder for the site that this process serves; return the process that has the lock instead.

    The system releases the lock when this process ends, however it ends; its children do not have it.
    """
    file = os.open(folder / "serving", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        written = os.pread(file, PID_WIDTH, 0)
        os.close(file)
        return int(written or b"0")
    with suppress(OSError):  # the disk is full: the lock holds all the same
        os.pwrite(file, f"{os.getpid():<{PID_WIDTH}}".encode(), 0)
    return None  # the file stays open as long as this process


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a lock that one process at a time has; the system releases it when a process dies."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def write_privately(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    partly = path.with_suffix(".new")
    partly.unlink(missing_ok=True)  # left by one that died here
    with open(os.open(partly, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    partly.rename(path)
