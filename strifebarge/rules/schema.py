"""Schemas: a game's actions, refusals and options as its classes define them, and their forms."""

import re
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import product
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from strifebarge.rules.action import Action, Refusal
from strifebarge.rules.game import Game, Options
from strifebarge.rules.text import Text

FRAMEWORK = "strifebarge.rules."


class Choice(Struct, frozen=True):
    """One value of a field, as a form carries it and as a person reads it."""

    value: str
    label: str


class Field(Struct, frozen=True):
    """One field of an action or of the options, as a form draws it."""

    name: str
    label: str
    hint: str
    kind: Literal["choice", "yes", "number", "text", "several"]
    default: str | None = None
    choices: tuple[Choice, ...] = ()
    least: int | None = None
    most: int | None = None
    longest: int | None = None  # characters of a text

    @property
    def misfit(self) -> Text:
        """Return which values fit this field, for somebody who gave another one."""
        told = {"field": Text(self.label), "least": self.least, "most": self.most, "longest": self.longest}
        if self.choices:
            choices = ", ".join(choice.value for choice in self.choices)
            return Text("{field} is one of: {choices}", told | {"choices": choices})
        if self.least is not None and self.most is not None:
            return Text("{field} is a whole number from {least} to {most}", told)
        if self.least is not None:
            return Text("{field} is a whole number, {least} or more", told)
        if self.most is not None:
            return Text("{field} is a whole number, {most} at most", told)
        if self.kind == "number":
            return Text("{field} is a whole number", told)
        if self.longest is not None:
            return Text("{field} has {longest} characters at most", told)
        return Text("{field} doesn't fit", told)


def games_in(module: ModuleType) -> list[type[Game[Any]]]:
    """Return the games that a module defines: one, if it is the rules of a game."""
    classes = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Game)]
    return [each for each in classes if each.__module__ == module.__name__]


def slug(rules: type[Game[Any]]) -> str:
    """Return a game's short name: its folder."""
    return rules.__module__.split(".")[-2]


@cache
def actions(rules: type[Game[Any]]) -> tuple[type[Action], ...]:
    """Return the kinds of action in a game's module, in the order they are written there."""
    return tuple(_defined(rules, Action))


@cache
def refusals(rules: type[Game[Any]]) -> tuple[Refusal, ...]:
    """Return the reasons that a game's module gives."""
    return tuple(reason for kind in _defined(rules, Refusal) for reason in kind)


def _defined(rules: type[Game[Any]], base: type[Any]) -> Iterator[Any]:
    for value in vars(sys.modules[rules.__module__]).values():
        # A game may import from its other modules; what it imports from the framework is not its own.
        if isinstance(value, type) and issubclass(value, base) and not value.__module__.startswith(FRAMEWORK):
            yield value


@cache
def options_type(rules: type[Game[Any]]) -> type[Options]:
    """Return the class of a game's options."""
    kind: type[Options] = get_type_hints(rules)["options"]
    return kind


def every_options(rules: type[Game[Any]]) -> Iterator[Options]:
    """Yield every setting of a game's options with which it can be played.

    What cannot be counted up is left at its default.
    """
    kind = options_type(rules)
    fields = [field for field in form_fields(kind) if field.choices]
    for chosen in product(*(field.choices for field in fields)):
        values = {field.name: choice.value for field, choice in zip(fields, chosen, strict=True)}
        options: Options = msgspec.convert(values, kind, strict=False)
        if not options.refuse():
            yield options


def players(rules: type[Game[Any]], options: Options | None = None) -> range | tuple[str, ...]:
    """Return how many play a game, or the names of its seats: in general, or with these options."""
    return (options and options.seats()) or rules.players


def seat_numbers(rules: type[Game[Any]], options: Options | None = None) -> range:
    """Return how many seats a game may have: in general, or with these options."""
    choices = players(rules, options)
    return choices if isinstance(choices, range) else range(len(choices), len(choices) + 1)


def in_short(numbers: range) -> str:
    """Return how many may play as people write it: `2`, `3-7`."""
    return f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def roles(rules: type[Game[Any]], options: Options | None = None) -> tuple[str, ...]:
    """Return the names of a game's seats, in general or with these options; none if they have no names."""
    choices = players(rules, options)
    return () if isinstance(choices, range) else choices


def usual_seats(rules: type[Game[Any]], options: Options | None = None) -> int:
    """Return how many seats a table has when nobody chose: two, or as near as the game allows."""
    numbers = seat_numbers(rules, options)
    return rules.usual if rules.usual in numbers else (2 if 2 in numbers else numbers[0])


@cache
def form_fields(kind: type[Struct]) -> tuple[Field, ...]:
    """Return the fields of an action or of options, ready to be drawn as a form."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_field(each, hints[each.name]) for each in msgspec.structs.fields(kind))


def _field(each: msgspec.structs.FieldInfo, hint: Any) -> Field:
    meta = next((extra for extra in get_args(hint)[1:] if isinstance(extra, msgspec.Meta)), msgspec.Meta())
    bare = get_args(hint)[0] if hasattr(hint, "__metadata__") else hint
    default = None if each.default is msgspec.NODEFAULT else _plain(each.default)
    return Field(
        name=each.name,
        label=meta.title or each.name.replace("_", " ").capitalize(),
        hint=meta.description or "",
        kind=_form_kind(bare),
        default=default,
        choices=tuple(_choices(bare, meta)),
        least=int(meta.ge) if meta.ge is not None else None,
        most=int(meta.le) if meta.le is not None else None,
        longest=meta.max_length if _form_kind(bare) == "text" else None,
    )


def form_field(kind: type[Struct], name: str) -> Field:
    """Return a field of an action or of options by its name."""
    return next(each for each in form_fields(kind) if each.name == name)


def misfit(kind: type[Struct], wrong: msgspec.ValidationError) -> Text:
    """Return why values do not fit the fields of an action or of options, for the person who gave them."""
    problem = str(wrong)
    if unknown := re.match(r"Object contains unknown field `([^`]{0,40})", problem):
        return Text("there is no field {field}", {"field": unknown[1]})
    missing = re.fullmatch(r"Object missing required field `(\w+)`", problem)
    path = missing or re.search(r" - at `\$\.(\w+)[^ ]*`$", problem)
    if not path or path[1] not in kind.__struct_fields__:
        return Text("it can't be read")
    field = form_field(kind, path[1])
    return Text("{field} is missing", {"field": Text(field.label)}) if missing else field.misfit


def _form_kind(hint: Any) -> Literal["choice", "yes", "number", "text", "several"]:
    if hint is bool:
        return "yes"
    if hint is int:
        return "number"
    if get_origin(hint) is Literal or (isinstance(hint, type) and issubclass(hint, Enum)):
        return "choice"
    return "several" if get_origin(hint) in (list, tuple) else "text"


def _choices(hint: Any, meta: msgspec.Meta) -> Iterator[Choice]:
    labels = {True: "yes", False: "no"} if hint is bool else {}
    labels |= (meta.extra or {}).get("labels", {})
    for value in _values(hint):
        yield Choice(_plain(value), labels.get(value, str(value)))


def _values(hint: Any) -> tuple[Any, ...]:
    """Return all values of a type, if they can be counted up."""
    if hint is bool:
        return False, True
    if isinstance(hint, type) and issubclass(hint, Enum):
        return tuple(each.value for each in hint)
    return get_args(hint) if get_origin(hint) is Literal else ()


def _plain(value: Any) -> str:
    plain = str(msgspec.to_builtins(value))
    return plain.lower() if isinstance(value, bool) else plain
