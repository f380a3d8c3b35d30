"""Validity: checks whether an action is well formed, and why a game refuses it."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from strifebarge.rules.action import Action, No, Refusal, Refused, Standard
from strifebarge.rules.asking import BrokenRules, EndGame, NextStage
from strifebarge.rules.game import Game
from strifebarge.rules.schema import misfit
from strifebarge.rules.text import Text

_lines = msgspec.json.Encoder(order="deterministic").encode_lines  # each as `written` has it


def written(action: Any) -> bytes:
    """Return an action as it is recorded, sets in one order."""
    return msgspec.json.encode(action, order="deterministic")


def well_formed(action: Action) -> Action:
    """Return the action as it will be read from its record.  Raises Refused unless that is the very same.

    Types count exactly, as a decoder takes them: True is not 1, and 1.0 is not.
    """
    kind = type(action)
    if not isinstance(action, Action):
        raise Refused(Standard.MALFORMED, problem=Text("it isn't an action"))
    try:
        recorded: Action = msgspec.json.decode(written(action), type=kind)
        if written(recorded) == written(action):
            return recorded
    except msgspec.ValidationError as wrong:
        raise misread(kind, wrong) from wrong
    except (TypeError, ValueError, RecursionError) as wrong:
        raise Refused(Standard.MALFORMED, problem=Text("it can't be saved")) from wrong
    raise Refused(Standard.MALFORMED, problem=Text("it can't be saved"))


def misread(kind: type[Action], wrong: msgspec.ValidationError) -> Refused:
    """Return the refusal for a value that does not fit its field: the game's own, or the common one."""
    _, at, path = str(wrong).rpartition(" - at `$")
    field = re.sub(r"^\.?(\w*).*", r"\1", path, flags=re.DOTALL) if at else ""
    if field in kind.misread:
        return kind.misread[field]()
    return Refused(Standard.MALFORMED, problem=misfit(kind, wrong))


def refusal(game: Game[Any], seat: Any, action: Action) -> Refused | None:
    """Return why a game refuses an action to a seat; `game` may be what that seat sees of it."""
    return _reason(game, game.refuse, seat, action)


def plan_refusal(game: Game[Any], seat: Any, action: Action) -> Refused | None:
    """Return why a seat may not plan an action, whatever the others do before."""
    return _reason(game, game.refuse_plan, seat, action)


def _reason(
    game: Game[Any], refuse: Callable[[Any, Action], No], seat: Any, action: Action
) -> Refused | None:
    try:
        why = refuse(seat, action)
    except LookupError:  # it names things that are not there
        return Refused(Standard.NOT_OFFERED)
    except (EndGame, NextStage) as ended:
        raise BrokenRules(f"{game.title} ends or goes on in `refuse`, which may only say why not") from ended
    if why is None or isinstance(why, Refused):
        return why
    if not isinstance(why, Refusal):
        raise BrokenRules(f"{game.title} refuses with {why!r:.80}, which is no Refusal")
    return why()


Option = TypeVar("Option", bound=Action | type[Action])


def distinct(options: Iterable[Option]) -> list[Option]:
    """Return the options in their order, each once: what is offered twice is one button.

    Raises Broken for what is neither an action nor a class of actions.
    """
    several = [*options]
    kinds = kinds_of(several)
    if len(kinds) == 1 and issubclass(kinds[0], Action):  # as on a sea, which has thousands
        return _firsts(_lines(several).split(b"\n")[:-1], several)
    # By its written form too: True is 1, and no button for it.
    keys = [option if isinstance(option, type) else (type(option), written(option)) for option in several]
    return _firsts(keys, several)


def kinds_of(options: list[Option]) -> list[type]:
    """Return the types of options.  Raises Broken for what is neither an action nor a class of actions."""
    kinds = [*dict.fromkeys(map(type, options))]
    if not all(issubclass(kind, Action) for kind in kinds):
        for option in options:
            if not _may_be_offered(option):
                raise BrokenRules(f"{option!r:.80} is offered, and is no action")
    return kinds


def _may_be_offered(value: Any) -> bool:
    """Return whether something is an action or a class of actions."""
    return isinstance(value, Action) or (isinstance(value, type) and issubclass(value, Action))


def _firsts(keys: Sequence[Any], options: list[Option]) -> list[Option]:
    """Return the options in their order, of those with the same key the first."""
    if len({*keys}) == len(keys):
        return options
    result: dict[Any, Option] = {}
    for key, option in zip(keys, options, strict=True):
        result.setdefault(key, option)
    return [*result.values()]
