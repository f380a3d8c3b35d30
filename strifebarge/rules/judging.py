"""Whether an action is one, and why a game refuses it."""

import re
from typing import Any

import msgspec

from .action import Action, Refused, Standard
from .game import Game
from .text import Text


def written(action: Any) -> bytes:
    """An action as it is recorded, sets in one order."""
    return msgspec.json.encode(action, order="deterministic")


def well_formed(action: Action) -> Action:
    """The action as it will be read from its record.  Raises Refused unless that is the very same.

    Types count exactly, as a decoder takes them: True is not 1, and 1.0 is not.
    """
    kind = type(action)
    if not isinstance(action, Action):
        raise Refused(Standard.MALFORMED, problem=Text("it is no action"))
    try:
        recorded: Action = msgspec.json.decode(written(action), type=kind)
        if written(recorded) == written(action):
            return recorded
    except msgspec.ValidationError as wrong:
        raise misread(kind, wrong) from wrong
    except (TypeError, ValueError, RecursionError) as wrong:
        raise Refused(Standard.MALFORMED, problem=Text("it cannot be written down")) from wrong
    raise Refused(Standard.MALFORMED, problem=Text("it cannot be written down"))


def misread(kind: type[Action], wrong: msgspec.ValidationError) -> Refused:
    """The refusal for a value that does not fit its field: the game's own, or the common one."""
    problem, at, path = str(wrong).rpartition(" - at `$")
    field = re.sub(r"^\.?(\w*).*", r"\1", path, flags=re.DOTALL) if at else ""
    if field in kind.misread:
        return kind.misread[field]()
    problem = (problem or path)[:200]  # it may quote what was sent
    return Refused(Standard.MALFORMED, problem=f"{field}: {problem}" if field else problem)


def refusal(game: Game[Any], seat: Any, action: Action) -> Refused | None:
    """Why a game refuses an action to a seat; `game` may be what that seat sees of it."""
    try:
        why = game.refuse(seat, action)
    except LookupError:  # it names things that are not there
        return Refused(Standard.NOT_OFFERED)
    return why if why is None or isinstance(why, Refused) else why()
