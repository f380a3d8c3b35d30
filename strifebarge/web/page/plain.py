"""Anything of a game in words: what the plain board and the text view show where no template does."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from markupsafe import Markup, escape
from msgspec import Meta, Struct

from strifebarge.rules import Hidden, Secret
from strifebarge.rules.game import SEAT
from strifebarge.tables.view import View
from strifebarge.web.words.catalogue import game_words, say
from strifebarge.web.words.names import name
from strifebarge.web.words.texts import render_text

FEW = 8  # pairs of a dict that are shown below each other


def fields_of(struct: Struct, view: View, but: Collection[str] = ()) -> Markup:
    """Return the fields of a game, a seat or a struct within, each with its value, but for those named."""
    hints = _hints(type(struct))
    rows = [
        Markup("\n<dt>{}</dt><dd>{}</dd>").format(
            game_words(field.replace("_", " ").capitalize(), view.title),
            _shown(getattr(struct, field), hints[field], view),
        )
        for field in struct.__struct_fields__
        if field not in but
    ]
    return Markup('<dl class="facts">{}\n</dl>').format(Markup().join(rows))


@cache
def _hints(kind: type[Struct]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _shown(value: Any, hint: Any, view: View, secret: bool = False) -> Markup:
    """Return a value as its reader knows it; None is hidden where it is `secret`, and else nothing."""
    match value:
        case None if secret or _may_be_secret(hint):
            return Markup('<i class="dim">{}</i>').format(say("hidden"))
        case None:
            return _none()
        case Secret():
            return _shown(value.content, _inner(hint), view, secret=True)
        case Hidden():
            return _several(value.content, _inner(hint), view, secret=True)
        case bool():
            return say("yes") if value else say("no")
        case int() if _is_seat(hint) and value in range(len(view.places)):
            return name(view.places[value])
    if hasattr(value, "text"):
        return render_text(value.text, view)
    match value:
        case str() | int() | float():
            return escape(value)
        case Struct():
            return fields_of(value, view)
        case Mapping():
            return _pairs(value, hint, view)
        case Iterable():
            return _several([*value], _inner(hint), view)
    return escape(value)


def _none() -> Markup:
    return Markup('<span class="dim">{}</span>').format(say("none"))


def _several(values: list[Any], hint: Any, view: View, secret: bool = False) -> Markup:
    """Return the things of a list; of those that its reader may not know, how many they are."""
    known_values = [value for value in values if value is not None or not secret]
    unknown = Markup('{} <i class="dim">{}</i>').format(len(values) - len(known_values), say("hidden"))
    if not values:
        return _none()
    if not known_values:
        return unknown
    items = [Markup("<li>{}</li>").format(_shown(value, hint, view, secret)) for value in known_values]
    if len(known_values) < len(values):
        items.append(Markup("<li>{}</li>").format(unknown))
    if isinstance(known_values[0], Struct) and not hasattr(known_values[0], "text"):
        return Markup('<ul class="plain">{}</ul>').format(Markup().join(items))
    return Markup('<span class="dim">{}:</span>\n<ul class="words">{}</ul>').format(
        len(values), Markup().join(items)
    )


def _pairs(values: Mapping[Any, Any], hint: Any, view: View) -> Markup:
    key_hint, value_hint = (*_arguments(hint), Any, Any)[:2]
    pairs = [(_shown(key, key_hint, view), _shown(value, value_hint, view)) for key, value in values.items()]
    if not pairs:
        return _none()
    if len(pairs) > FEW:
        items = [Markup('<li>{} <span class="dim">{}</span></li>').format(*pair) for pair in pairs]
        return Markup('<span class="dim">{}:</span>\n<ul class="words">{}</ul>').format(
            len(pairs), Markup().join(items)
        )
    rows = [Markup("<dt>{}</dt><dd>{}</dd>").format(*pair) for pair in pairs]
    return Markup('<dl class="facts">{}</dl>').format(Markup().join(rows))


# -- what the types of fields say ---------------------------------------------------------


def _parts(hint: Any) -> list[Any]:
    """Return the types that a value may be of: those of a union, or the one."""
    if hasattr(hint, "__metadata__") or get_origin(hint) not in (Union, UnionType):
        return [hint]
    return [part for each in get_args(hint) for part in _parts(each)]


def _may_be_secret(hint: Any) -> bool:
    """Return whether None may stand for a Secret that cannot be read, as in `Secret[int] | None`."""
    return any(get_origin(part) is Secret for part in _parts(hint))


def _is_seat(hint: Any) -> bool:
    """Return whether a number of this type is a seat's: `SeatNumber`."""
    extras = [extra for part in _parts(hint) for extra in getattr(part, "__metadata__", ())]
    return any(isinstance(extra, Meta) and (extra.extra or {}).get(SEAT) for extra in extras)


def _arguments(hint: Any) -> tuple[Any, ...]:
    """Return what a type is subscripted with: of a dict, its keys and its values."""
    return next((get_args(part) for part in _parts(hint) if get_origin(part) and get_args(part)), ())


def _inner(hint: Any) -> Any:
    """Return the type of the things in a list, a set, a Hidden or a Secret."""
    return (*_arguments(hint), Any)[0]
