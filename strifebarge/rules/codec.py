"""Saving a game and seeing it are one thing: encoding it, with someone's eyes."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from .chance import Chance
from .game import Game, Seat
from .hidden import Hidden, Secret

ALL_SEEING: Any = object()


def save(game: Game[Any], viewer: int | None = ALL_SEEING) -> bytes:
    """The game as JSON: the whole of it, or what one viewer (a seat, None: an onlooker) may see."""

    def eyes(keeper: int | None) -> Callable[[Any], Any]:
        def encode(thing: Any) -> Any:
            match thing:
                case Chance():
                    return [thing.seed, thing.drawn] if viewer is ALL_SEEING else None
                case Hidden() | Secret() if viewer is ALL_SEEING:
                    return [thing.content, _known(thing)]
                case Hidden() | Secret():
                    return thing.seen(viewer, keeper)
            raise TypeError(f"no way to save {thing!r}")

        return encode

    data = _fields(game, eyes(None))
    data["seats"] = [_fields(seat, eyes(seat.number)) for seat in game.seats]
    return msgspec.json.encode(data)


def _known(thing: Hidden[Any] | Secret[Any]) -> Any:
    """Who knows it, in one order whatever the hash seed."""
    if isinstance(thing, Secret):
        return sorted(thing.known, key=_seat_order)
    return [sorted(seats, key=_seat_order) for seats in thing.known]


def _seat_order(seat: int | None) -> int:
    return -1 if seat is None else seat


def _fields(thing: msgspec.Struct, encode: Callable[[Any], Any]) -> dict[str, Any]:
    orders = field_orders(type(thing))
    return {
        name: msgspec.to_builtins(getattr(thing, name), enc_hook=encode, order=orders[name], str_keys=True)
        for name in thing.__struct_fields__
        if name != "seats"
    }


@cache
def field_orders(kind: type[msgspec.Struct]) -> dict[str, Literal["deterministic"] | None]:
    """Fields that hold sets are sorted when saved; dicts elsewhere keep the order they were filled in."""
    hints = get_type_hints(kind)
    return {name: "deterministic" if _has_sets(hints[name]) else None for name in kind.__struct_fields__}


def _has_sets(hint: Any) -> bool:
    kind = get_origin(hint) or hint
    if kind in (set, frozenset):
        return True
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return any(order for order in field_orders(kind).values())
    return any(_has_sets(part) for part in get_args(hint))


def load(rules: type[Game[Any]], data: bytes, whole: bool = True) -> Game[Any]:
    """The same game again; if not whole, with None where something was hidden."""

    def decode(kind: Any, raw: Any) -> Any:
        if kind is Chance:
            return Chance(*raw or ())
        holder, [held] = get_origin(kind), get_args(kind)
        content, known = raw if whole else (raw, ())
        what = list[held | None] if holder is Hidden else held | None  # type: ignore[valid-type]
        return holder(msgspec.convert(content, what, dec_hook=decode), known=known)

    return msgspec.json.decode(data, type=rules, dec_hook=decode)


def held_by(thing: Any, keeper: int | None = None) -> Iterator[tuple[Hidden[Any] | Secret[Any], int | None]]:
    """All that is hidden in a game, however deep, and in whose keeping."""
    match thing:
        case Hidden() | Secret():
            yield thing, keeper
            yield from held_by(thing.content, keeper)
        case msgspec.Struct():
            mine = thing.number if isinstance(thing, Seat) else keeper
            for name in thing.__struct_fields__:
                yield from held_by(getattr(thing, name), mine)
        case dict():
            yield from held_by(list(thing.values()), keeper)
        case list() | tuple():
            for each in thing:
                yield from held_by(each, keeper)


def secrets(game: Game[Any], viewer: int | None) -> Counter[bytes]:
    """What is hidden from a viewer, counted: when it shrinks, something was shown."""
    return Counter(
        msgspec.json.encode(item, enc_hook=repr)
        for thing, keeper in held_by(game)
        for item in thing.unseen(viewer, keeper)
    )


def seat_type(rules: type[Game[Any]]) -> type[Seat]:
    """The class of a game's seats: what it was subscripted with."""
    [kind] = [get_args(each.type)[0] for each in msgspec.structs.fields(rules) if each.name == "seats"]
    return Seat if isinstance(kind, TypeVar) else kind
