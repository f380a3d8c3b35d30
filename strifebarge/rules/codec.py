"""Saving a game and seeing it are one thing: encoding it, with someone's eyes."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from strifebarge.rules.chance import Chance
from strifebarge.rules.game import NOTE, Game, Seat
from strifebarge.rules.hidden import Hidden, Secret

ALL_SEEING: Any = object()
_by_name = msgspec.json.Decoder(dict[str, msgspec.Raw])


def save(game: Game[Any], viewer: int | None = ALL_SEEING) -> bytes:
    """Return the game as JSON: all of it, or what one viewer (a seat, None: a spectator) may see."""
    return msgspec.json.encode(_saved(game, viewer))


def _saved(game: Game[Any], viewer: int | None) -> dict[str, Any]:
    """Return the fields of a game as `save` writes them, each as JSON; of `seats`, those of each seat."""

    def eyes(keeper: int | None) -> Callable[[Any], Any]:
        def encode(obj: Any) -> Any:
            match obj:
                case Chance():
                    return [obj.seed, obj.drawn] if viewer is ALL_SEEING else None
                case Hidden() | Secret() if viewer is ALL_SEEING:
                    return [obj.content, _readers(obj)]
                case Hidden() | Secret():
                    return obj.visible_to(viewer, keeper)
            raise TypeError(f"no way to save {obj!r}")

        return encode

    data = _fields(game, eyes(None), but="seats")
    data["seats"] = [_fields(seat, eyes(seat.number)) for seat in game.seats]
    return data


def as_seen(view: Game[Any]) -> bytes:
    """Return a view that was loaded as one, or a game that is over, as JSON.

    Of what a viewer may not see there is null, and of chance too.
    """

    def encode(obj: Any) -> Any:
        if isinstance(obj, Hidden | Secret):
            return obj.content
        if isinstance(obj, Chance):
            return None
        raise TypeError(f"no way to save {obj!r}")

    data = _fields(view, encode, but="seats")
    data["seats"] = [_fields(seat, encode) for seat in view.seats]
    return msgspec.json.encode(data)


def essence(game: Game[Any]) -> bytes:
    """Return what a fingerprint is taken of: the state, but for notes and what is at its default.

    So a field or an option added to the rules later, with a default, changes no fingerprint.
    """
    whole = _saved(game, ALL_SEEING)
    options, seats = _by_name.decode(whole.pop("options")), whole.pop("seats")
    return msgspec.json.encode(
        [
            _but_defaults(type(game), whole),
            _but_defaults(type(game.options), options),
            [_but_defaults(type(seat), fields) for seat, fields in zip(game.seats, seats, strict=True)],
        ],
        order="sorted",
    )


def _but_defaults(kind: type[msgspec.Struct], fields: dict[str, msgspec.Raw]) -> dict[str, msgspec.Raw]:
    usual, notes = _defaults(kind), notes_of(kind)
    return {name: raw for name, raw in fields.items() if name not in notes and bytes(raw) != usual.get(name)}


@cache
def notes_of(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Return the fields of a class that are notes: shown, and read by no rule."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(name for name, hint in hints.items() if _is_note(hint))


def _is_note(hint: Any) -> bool:
    extras = [
        each.extra or {} for each in getattr(hint, "__metadata__", ()) if isinstance(each, msgspec.Meta)
    ]
    return any(NOTE in extra for extra in extras)


@cache
def _defaults(kind: type[msgspec.Struct]) -> dict[str, bytes]:
    """Return the fields that have a default, each with its default as it is saved."""
    result = {}
    for field in msgspec.structs.fields(kind):
        if field.default is not msgspec.NODEFAULT:
            result[field.name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            result[field.name] = field.default_factory()
    return {name: msgspec.json.encode(value, enc_hook=_whole) for name, value in result.items()}


def _whole(obj: Any) -> Any:
    return [obj.seed, obj.drawn] if isinstance(obj, Chance) else [obj.content, _readers(obj)]


def _readers(holder: Hidden[Any] | Secret[Any]) -> Any:
    """Return the seats that know a thing, in an order that does not depend on the hash seed."""
    if isinstance(holder, Secret):
        return sorted(holder.readers, key=_seat_order)
    return [sorted(seats, key=_seat_order) for seats in holder.readers]


def _seat_order(seat: int | None) -> int:
    return -1 if seat is None else seat


def _fields(obj: msgspec.Struct, encode: Callable[[Any], Any], but: str = "") -> dict[str, Any]:
    """Return the fields of a game or of a seat, each as JSON."""
    sets = keeping(type(obj)).sets
    return {
        name: msgspec.Raw(
            msgspec.json.encode(
                getattr(obj, name), enc_hook=encode, order="deterministic" if name in sets else None
            )
        )
        for name in obj.__struct_fields__
        if name != but
    }


def load(rules: type[Game[Any]], data: bytes, whole: bool = True) -> Game[Any]:
    """Return the game that was saved; if not `whole`, with None where something was hidden."""
    game: Game[Any] = _decoder(rules, whole).decode(data)
    return game


@cache
def _decoder(rules: type[Game[Any]], whole: bool) -> msgspec.json.Decoder[Any]:
    def decode(kind: Any, raw: Any) -> Any:
        if kind is Chance:
            return Chance(*raw or ())
        content, readers = raw if whole else (raw, ())
        return _holder(kind)(msgspec.convert(content, _held(kind), dec_hook=decode), readers=readers)

    return msgspec.json.Decoder(rules, dec_hook=decode)


def _holder(kind: Any) -> Any:
    return get_origin(kind) or kind


@cache
def _held(kind: Any) -> Any:
    """Return the type of what a kind of Hidden or Secret holds, where some of it may not be seen."""
    [item_type] = get_args(kind) or [Any]
    visible_type = item_type | None
    return list[visible_type] if _holder(kind) is Hidden else visible_type  # type: ignore[valid-type]


# -- what is hidden ------------------------------------------------------------


def held_by(obj: Any, keeper: int | None = None) -> Iterator[tuple[Hidden[Any] | Secret[Any], int | None]]:
    """Yield all that is hidden in a game, however deep, and in which seat's keeping it is."""
    match obj:
        case msgspec.Struct():
            inner_keeper = obj.number if isinstance(obj, Seat) else keeper
            for name in keeping(type(obj)).hiding:
                yield from held_by(getattr(obj, name), inner_keeper)
        case list() | tuple():
            for each in obj:
                yield from held_by(each, keeper)
        case dict():
            yield from held_by(list(obj.values()), keeper)
        case Hidden() | Secret():
            yield obj, keeper
            yield from held_by(obj.content, keeper)


def secrets(game: Game[Any], viewers: Iterable[int | None]) -> Counter[tuple[int | None, Any]]:
    """Count what is hidden from each viewer: when the count shrinks, something was shown.

    Of a Secret it is the Secret that counts, and not its value: a viewer who does not know it
    learns nothing when it changes.  Of several things in one holder each counts, for they may be taken out.
    """
    everyone, counted = list(viewers), []
    for holder, keeper in held_by(game):
        single, written = _is_single(holder), {}
        for viewer in everyone:
            for item in holder.unseen(viewer, keeper):
                if not single and id(item) not in written:  # most are hidden from several
                    written[id(item)] = msgspec.json.encode(item, enc_hook=repr, order="deterministic")
                counted.append((viewer, holder if single else written[id(item)]))
    return Counter(counted)


def _is_single(holder: Hidden[Any] | Secret[Any]) -> bool:
    if isinstance(holder, Hidden):
        return False
    return isinstance(holder.value, str) or not isinstance(holder.value, Secret | Collection)


# -- what a class says of its fields -------------------------------------------


class Keeping(NamedTuple):
    """How the fields of a class of structs are kept."""

    sets: frozenset[str]  # those with sets are sorted, the dicts in them too; other dicts keep their order
    hiding: tuple[str, ...]  # those in which something may be hidden


@cache
def keeping(kind: type[msgspec.Struct]) -> Keeping:
    """Return how the fields of a class are kept.  Raises TypeError for a seat outside `seats`, which
    would come back as another,
    and for something hidden as a default, which all that have it would share."""
    types = {name: set(_types_in(hint, set())) for name, hint in get_type_hints(kind).items()}
    for name in kind.__struct_fields__:
        if issubclass(kind, Game) and name == "seats":
            continue
        if any(isinstance(each, type) and issubclass(each, Seat) for each in types[name]):
            raise TypeError(f"{kind.__name__}.{name} may hold a seat: keep its number instead")
    for field in msgspec.structs.fields(kind):
        if isinstance(field.default, Hidden | Secret):
            raise TypeError(f"{kind.__name__}.{field.name}: use hidden(), or field(default_factory=…)")
    return Keeping(
        sets=frozenset(name for name, each in types.items() if each & {set, frozenset}),
        hiding=tuple(name for name in kind.__struct_fields__ if any(map(_may_hide, types[name]))),
    )


def hides(rules: type[Game[Any]]) -> bool:
    """Return whether anything of a game may be hidden from some who play.  Raises TypeError as `keeping`."""
    hiding = {*keeping(rules).hiding} - {"seats"}
    return bool(hiding or keeping(seat_type(rules)).hiding)


def _types_in(hint: Any, seen: set[Any]) -> Iterator[Any]:
    """Yield the types that a value may be of or may hold, however deep."""
    if hint in seen:
        return
    seen.add(hint)
    kind = get_origin(hint) or hint
    yield kind
    inner = get_type_hints(kind).values() if _is_struct(kind) else ()
    for part in (*get_args(hint), *inner):
        yield from _types_in(part, seen)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct) and not issubclass(kind, Seat)


def _may_hide(kind: Any) -> bool:
    return kind in (Hidden, Secret, Any, object) or isinstance(kind, TypeVar)


def seat_type(rules: type[Game[Any]]) -> type[Seat]:
    """Return the class of a game's seats: what the game was subscripted with."""
    [kind] = [get_args(each.type)[0] for each in msgspec.structs.fields(rules) if each.name == "seats"]
    return Seat if isinstance(kind, TypeVar) else kind
