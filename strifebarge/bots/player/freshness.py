"""Comparison of the code that this process has read with what lies on the disk now."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from strifebarge.tables.library.library import Library

FRAMEWORK = Path(__file__).parents[2]


def has_newer_code(library: Library) -> bool:
    """Return whether the code of a game, or the framework's, has changed on the disk since it was read."""
    folders = [FRAMEWORK, *(title.folder for title in library)]
    return any(changed > library.loaded for changed in _changes(folders))


def _changes(folders: Iterable[Path]) -> Iterable[float]:
    """Yield when each file of Python there was written or put in its place, in seconds since 1970."""
    for folder in folders:
        for file in folder.rglob("*.py"):
            with suppress(OSError):  # it is being replaced
                yield file.stat().st_ctime
