"""The written forms of an action: in words, as a form, as JSON.

Words are short enough for a button's value and for a person to type:
`fire K9`, `play 10D`, `march 3 "Mill Wood"`, `salvo A1,B2,C3`.
"""

import shlex
from collections.abc import Iterable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Protocol, Union, get_args, get_origin, get_type_hints

import msgspec

from .action import Action, Refused, Standard
from .match import misread

Kinds = Iterable[type[Action]]


class Form(Protocol):
    """What a browser posts: names with one or several values (werkzeug's MultiDict)."""

    def get(self, name: str, default: str, /) -> str: ...
    def getlist(self, name: str, /) -> list[str]: ...


def tag(kind: type[Action]) -> str:
    """`fire`, `hold_fire`: how this kind of action is called."""
    return str(kind.__struct_config__.tag)


def write(action: Action) -> str:
    """An action in words."""
    raw: Mapping[str, Any] = msgspec.to_builtins(action)
    return shlex.join([str(raw["do"]), *(_word(raw[name]) for name in action.__struct_fields__)])


def read(words: str, kinds: Kinds) -> Action:
    """An action from its words.  Raises Refused(MALFORMED), or what the action says for a field."""
    try:
        do, *values = shlex.split(words)
    except ValueError as wrong:
        raise Refused(Standard.MALFORMED, problem="it cannot be read") from wrong
    kind = _kind(do.lower(), kinds)
    names = kind.__struct_fields__
    if len(values) != len(names):
        raise Refused(Standard.MALFORMED, problem=f"{do} takes {len(names)} words after it")
    raw = {name: _split(value) if name in listed(kind) else value for name, value in zip(names, values, strict=True)}
    return _convert(raw, kind, strict=False)


def from_form(form: Form, kinds: Kinds) -> Action:
    """An action from a posted form: `move` in words, or `do` and a field for each of its fields."""
    if words := form.get("move", ""):
        return read(words, kinds)
    kind = _kind(form.get("do", ""), kinds)
    raw: dict[str, Any] = {}
    for name in kind.__struct_fields__:
        if name in listed(kind):
            raw[name] = form.getlist(name)
        elif values := form.getlist(name):
            raw[name] = values[-1].strip()
    return _convert(raw, kind, strict=False)


def from_json(raw: Any, kinds: Kinds) -> Action:
    """An action from decoded JSON, `{"do": "fire", "square": "K9"}`; types count exactly."""
    if not isinstance(raw, dict) or not isinstance(raw.get("do"), str):
        raise Refused(Standard.MALFORMED, problem="it does not say what to do")
    kind = _kind(raw["do"], kinds)
    return _convert({name: value for name, value in raw.items() if name != "do"}, kind, strict=True)


@cache
def listed(kind: type[Action]) -> frozenset[str]:
    """The fields of an action that hold several values."""
    hints = get_type_hints(kind)
    return frozenset(name for name in kind.__struct_fields__ if _is_list(hints[name]))


def _is_list(hint: Any) -> bool:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return any(_is_list(part) for part in get_args(hint))
    return (origin or hint) in (list, tuple, set, frozenset)


def _kind(do: str, kinds: Kinds) -> type[Action]:
    for kind in kinds:
        if tag(kind) == do:
            return kind
    raise Refused(Standard.MALFORMED, problem=f"it knows no “{do[:40]}”" if do else "nothing was chosen")


def _convert(raw: dict[str, Any], kind: type[Action], strict: bool) -> Action:
    try:
        return msgspec.convert({"do": tag(kind), **raw}, kind, strict=strict)
    except msgspec.ValidationError as wrong:
        raise misread(kind, wrong) from wrong


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "" if value is None else str(value)


def _split(value: str) -> list[str]:
    return [each for each in value.split(",") if each]
