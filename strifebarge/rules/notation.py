"""The written forms of an action: in words, as a form, as JSON.

Words are short enough for a button's value and for a person to type:
`fire K9`, `play 10D`, `march 3 "Mill Wood"`, `salvo A1,B2,C3`.  What is neither a
word nor a list of words is written as JSON; nothing at all is an empty word.  The last
fields may be left out where they are at their defaults.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, Protocol, Union, get_args, get_origin, get_type_hints

import msgspec

from strifebarge.rules.action import Action, Refused, Standard
from strifebarge.rules.schema import form_field
from strifebarge.rules.text import Text, count
from strifebarge.rules.validity import misread

Kinds = Iterable[type[Action]]
LONGEST = 10_000  # characters of an action in words
DEEPEST = 8  # dots in a name of a form
PLAIN = re.compile(r"[\w.,:+#/-]+(?: [\w.,:+#/-]+)*", re.ASCII)  # words with nothing that is quoted


class PostedForm(Protocol):
    """A posted form: names with one or several values (werkzeug's MultiDict)."""

    def get(self, name: str, default: str, /) -> str: ...
    def getlist(self, name: str, /) -> list[str]: ...
    def __iter__(self) -> Iterator[str]: ...


def tag(kind: type[Action]) -> str:
    """Return the tag of a kind of action: `fire`, `hold_fire`."""
    return str(kind.__struct_config__.tag)


def write(action: Action) -> str:
    """Return an action in words."""
    names = action.__struct_fields__
    usual = _defaults(type(action))
    while names and names[-1] in usual and getattr(action, names[-1]) == usual[names[-1]]:
        names = names[:-1]
    try:
        return _written(names, msgspec.json.encode(action, order="deterministic"))
    except (
        UnicodeEncodeError,
        OverflowError,
    ):  # half a letter, or a very long number, that somebody has typed
        return _in_words(names, msgspec.to_builtins(action, order="deterministic"))


@lru_cache(4096)
def _written(names: tuple[str, ...], data: bytes) -> str:
    """Return an action in words, given as JSON: the same ones are offered again and again."""
    return _in_words(names, msgspec.json.decode(data))


def _in_words(names: tuple[str, ...], raw: Mapping[str, Any]) -> str:
    return shlex.join([str(raw["do"]), *(_word(raw[name]) for name in names)])


def read(text: str, kinds: Kinds) -> Action:
    """Read an action from its words.  Raises Refused(MALFORMED), or what the action says for a field."""
    if len(text) > LONGEST:
        raise _malformed("it's too long")
    try:
        do, *values = _split(text)
    except ValueError as wrong:
        raise _malformed("it can't be read") from wrong
    kind = _kind(do.lower(), kinds)
    names = kind.__struct_fields__
    if not len(names) - len(_defaults(kind)) <= len(values) <= len(names):
        problem = count("{do} takes {n} word", "{do} takes {n} words", len(names), do=tag(kind))
        raise Refused(Standard.MALFORMED, problem=problem)
    raw = {name: _value(kind, name, word) for name, word in zip(names, values, strict=False)}
    return _convert(raw, kind, strict=False)


def from_form(form: PostedForm, kinds: Kinds) -> Action:
    """Read an action from a posted form: `move` in words, or `do` and a field for each of its fields.

    What is inside a field is named with dots, `buy.left.finance`; left empty, it is not there.
    """
    if text := form.get("move", ""):
        return read(text, kinds)
    kind = _kind(form.get("do", ""), kinds)
    raw: dict[str, Any] = {}
    for name in kind.__struct_fields__:
        values = [value.strip() for value in form.getlist(name)]
        if name in listed(kind) and len(values) != 1:
            raw[name] = list(filter(None, values))
        elif values:
            raw[name] = _value(kind, name, values[-1])
        elif name in _structured(kind) and (inside := _inside(form, name)):
            raw[name] = inside
    return _convert(raw, kind, strict=False)


def meanings(text: str, kinds: Kinds) -> list[Action | Refused]:
    """Return what typed words may mean, the likeliest first: `Fire k9`, `hold fire`, or only `K9`.

    The name of the action may be left out where it has fields.  Where a field cannot be read, the refusal
    stands in the action's place.  Raises Refused(MALFORMED) where there are too many words for anything.
    """
    parts, kinds = _parts(text), list(kinds)
    typed = [part.lower() for part in parts]
    filled = []
    for kind in kinds:
        names = [[tag(kind)], tag(kind).split("_")]
        if name := next((name for name in names if typed[: len(name)] == name), None):
            filled.append(_filled(kind, parts[len(name) :]))
    filled += [_filled(kind, parts) for kind in kinds if kind.__struct_fields__]
    return [meaning for meaning in filled if meaning]


def _split(text: str) -> list[str]:
    """Return words as a shell splits them, which takes a while.  Raises ValueError where a quote is open."""
    return text.split(" ") if PLAIN.fullmatch(text) else shlex.split(text)


def _parts(text: str) -> list[str]:
    if len(text) > LONGEST:
        raise _malformed("it's too long")
    try:
        return _split(text)
    except ValueError:  # somebody's apostrophe
        return text.split()


def _filled(kind: type[Action], values: list[str]) -> Action | Refused | None:
    """Return the action of this kind with these values, if they are enough; the last field takes all that
    are left.
    """
    names = kind.__struct_fields__
    if len(values) < len(names) - len(_defaults(kind)) or (values and not names):
        return None
    if names := names[: len(values)]:
        several = "," if names[-1] in listed(kind) else " "
        values = [*values[: len(names) - 1], several.join(values[len(names) - 1 :])]
    try:
        raw = {name: _value(kind, name, word) for name, word in zip(names, values, strict=True)}
        return _convert(raw, kind, strict=False)
    except Refused as no:
        return no


def _inside(form: PostedForm, name: str) -> dict[str, Any]:
    """Return what a form's dotted names say of one field."""
    result: dict[str, Any] = {}
    for dotted in form:
        first, *path = dotted.split(".")
        if first == name and path and len(path) <= DEEPEST and (value := form.get(dotted, "").strip()):
            at = result
            for step in path[:-1]:
                at = at.setdefault(step, {})
                if not isinstance(at, dict):
                    raise _malformed("it can't be read")
            at[path[-1]] = value
    return result


def from_json(raw: Any, kinds: Kinds) -> Action:
    """Read an action from decoded JSON, `{"do": "fire", "square": "K9"}`; types count exactly."""
    if not isinstance(raw, dict) or not isinstance(raw.get("do"), str):
        raise _malformed("it doesn't say what to do")
    kind = _kind(raw["do"], kinds)
    return _convert({name: value for name, value in raw.items() if name != "do"}, kind, strict=True)


@cache
def listed(kind: type[Action]) -> frozenset[str]:
    """Return the fields of an action that hold several values."""
    return _fields_of(kind, list, tuple, set, frozenset)


@cache
def _defaults(kind: type[Action]) -> dict[str, Any]:
    """Return the defaults of the last fields of an action, by their names."""
    return {
        each.name: each.default if each.default is not msgspec.NODEFAULT else each.default_factory()
        for each in msgspec.structs.fields(kind)
        if not each.required
    }


@cache
def _structured(kind: type[Action]) -> frozenset[str]:
    """Return the fields that are written as JSON."""
    return _fields_of(kind, dict, msgspec.Struct)


@cache
def _optional(kind: type[Action]) -> frozenset[str]:
    """Return the fields that may hold nothing."""
    return _fields_of(kind, NoneType)


def _fields_of(kind: type[Action], *types: type) -> frozenset[str]:
    hints = get_type_hints(kind)
    return frozenset(name for name in kind.__struct_fields__ if _is_any_of(hints[name], types))


def _is_any_of(hint: Any, types: tuple[type, ...]) -> bool:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return any(_is_any_of(part, types) for part in get_args(hint))
    kind = origin or hint
    return isinstance(kind, type) and issubclass(kind, types)


def _kind(do: str, kinds: Kinds) -> type[Action]:
    for kind in kinds:
        if tag(kind) == do:
            return kind
    raise _malformed("“{do}” doesn't exist here", do=do[:40]) if do else _malformed("choose something first")


def _convert(raw: dict[str, Any], kind: type[Action], strict: bool) -> Action:
    try:
        return msgspec.convert({"do": tag(kind), **raw}, kind, strict=strict)
    except msgspec.ValidationError as wrong:
        raise misread(kind, wrong) from wrong
    except (TypeError, ValueError, RecursionError) as wrong:  # JSON may hold half a surrogate pair, say
        raise _malformed("it can't be read") from wrong


def _malformed(problem: str, **args: Any) -> Refused:
    return Refused(Standard.MALFORMED, problem=Text(problem, args))


# -- single values -------------------------------------------------------------


def _word(value: Any) -> str:
    """Return a value in one word."""
    match value:
        case None: return ""  # fmt: skip
        case str(): return value  # fmt: skip
        case [*several] if all(map(_is_plain, several)): return ",".join(map(str, several))  # fmt: skip
    return msgspec.json.encode(value).decode()


def _is_plain(value: Any) -> bool:
    """Return whether a value can stand in a list with commas."""
    if isinstance(value, str):
        return value != "" and "," not in value and value[0] != "[" and value == value.strip()
    return isinstance(value, int | float) and not isinstance(value, bool)


def _value(kind: type[Action], name: str, word: str) -> Any:
    """Read a field's value from its word."""
    if not word and name in _optional(kind):
        return None
    if name in _structured(kind):
        return _exactly(kind, name, _from_json_word(word))
    if name in listed(kind) and word.startswith("["):
        return _from_json_word(word)
    return list(filter(None, map(str.strip, word.split(",")))) if name in listed(kind) else word


def _from_json_word(word: str) -> Any:
    try:
        return msgspec.json.decode(word)
    except (ValueError, RecursionError) as wrong:
        raise _malformed("it can't be read") from wrong


def _exactly(kind: type[Action], name: str, value: Any) -> Any:
    """Return a value that was written as JSON, if its types are the field's: there, "1" is no number."""
    try:
        msgspec.convert(value, get_type_hints(kind, include_extras=True)[name])
    except msgspec.ValidationError as wrong:
        own = kind.misread.get(name)
        raise own() if own else Refused(Standard.MALFORMED, problem=form_field(kind, name).misfit) from wrong
    return value
