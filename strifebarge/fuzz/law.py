"""The laws by name, and what is raised where one is broken."""

import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

from strifebarge.rules import Game, Refused
from strifebarge.rules.asking import BrokenRules, EndGame, NextStage, NothingToDo
from strifebarge.rules.replay import Endless


class Law(StrEnum):
    """A law that may be broken, in the words in which it is told."""

    CRASH = "crash"
    DEAD_END = "dead end"
    ENDLESS = "endless game"
    SAVING = "lost in saving"
    OUTSIDE = "kept outside the fields"
    LOOKING = "looking changes something"
    HIDING = "sent what is hidden"
    LEAK = "leak"
    TELLING = "cannot be told"
    REFUSING = "refusals and options disagree"
    UNDOING = "taken back wrongly"
    LEAVING = "left wrongly"
    LATE = "late and waited for"
    ENDING = "ends wrongly"
    PROCESS = "another process plays otherwise"
    SIZE = "too large"
    HELPING = "misleads bots"
    PLAYOUT = "goes otherwise when played quickly"


class Unlawful(AssertionError):
    """A law that a game has broken, and how."""

    def __init__(self, law: Law, how: str, kind: str = ""):
        super().__init__(f"{law}: {how}")
        self.law = law
        self.how = how
        # What is the same for the same fault in other games.
        self.kind = f"{law}: " + (kind or re.sub(r"“[^”]*”|'[^']*'|\d+", "…", how.partition("\n")[0]))


def must(holds: object, law: Law, how: str) -> None:
    if not holds:
        raise Unlawful(law, how)


@contextmanager
def no_crash() -> Iterator[None]:
    """Raise Unlawful for whatever the rules raise, but for a refusal, which is an answer."""
    try:
        yield
    except (Unlawful, Refused):
        raise
    except NothingToDo as nothing:
        raise Unlawful(Law.DEAD_END, str(nothing)) from nothing
    except Endless as endless:
        raise Unlawful(Law.ENDLESS, str(endless)) from endless
    except BrokenRules as broken:
        raise Unlawful(Law.CRASH, str(broken)) from broken
    except (EndGame, NextStage) as ended:
        message = "the game ends, or goes on to a stage, where it is only looked at"
        raise Unlawful(Law.CRASH, message) from ended
    except (Exception, SystemExit) as error:
        where = f"{type(error).__name__}{_where(error)}"
        raise Unlawful(Law.CRASH, f"{where}: {error}", where) from error


def _where(error: BaseException) -> str:
    """Return the last line of the game's own that the error came through."""
    homes = {home for kind in _kinds(Game) if (home := _folder_of(kind))}
    frames = [each for each in traceback.extract_tb(error.__traceback__) if not _is_ours(each.filename)]
    own = [each for each in frames if not homes.isdisjoint(Path(each.filename).parents)] or frames
    return f" at {own[-1].filename}:{own[-1].lineno} in {own[-1].name}" if own else ""


def _is_ours(file: str) -> bool:
    path = file.replace("\\", "/")
    return "/strifebarge/rules/" in path or "/strifebarge/fuzz/" in path


def _kinds(kind: type[Game[Any]]) -> Iterator[type[Game[Any]]]:
    """Yield all classes of games that are made of this one."""
    for each in kind.__subclasses__():
        yield each
        yield from _kinds(each)


def _folder_of(kind: type[Game[Any]]) -> Path | None:
    """Return the folder of the module of a game; None where it has none."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return Path(file).parent if file else None
