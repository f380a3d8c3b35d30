"""Filling the hidden places of a view with things that may well lie there."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from strifebarge.rules import Chance, Game, Hidden, NothingFits, Options, Seat, Secret
from strifebarge.rules.codec import load, notes_of
from strifebarge.rules.match import Match
from strifebarge.rules.playout import Playout

GAMES = 4  # played at random to see what things there are
CHOICES = 400  # in each
NUMBER = re.compile(rb"-?\d+")


class HiddenSlot(NamedTuple):
    """A place in a holder of hidden things."""

    holder: Hidden[Any] | Secret[Any]
    item_index: int
    kind: str  # of what is held there

    @property
    def item(self) -> Any:
        return self.holder.value if isinstance(self.holder, Secret) else self.holder.items[self.item_index]

    def put(self, item: Any) -> None:
        """Put a thing here; who knows this place goes on knowing it."""
        if isinstance(self.holder, Secret):
            self.holder.value = item
        else:
            self.holder.items[self.item_index] = item


def places(game: Game[Any]) -> Iterator[HiddenSlot]:
    """Yield every place of a game in which something may be hidden."""
    for part in (game, *game.seats):
        yield from _places(part)


def _places(obj: Any) -> Iterator[HiddenSlot]:
    match obj:
        case msgspec.Struct():
            for name, kind in _hiding(type(obj)).items():
                for holder in _holders(getattr(obj, name)):
                    if not isinstance(holder, Hidden | Secret):
                        yield from _places(holder)
                    elif isinstance(holder, Secret):
                        yield HiddenSlot(holder, 0, kind)
                    else:
                        yield from (HiddenSlot(holder, index, kind) for index in range(len(holder)))


def _holders(value: Any) -> Iterator[Any]:
    match value:
        case Hidden() | Secret() | msgspec.Struct():
            yield value
        case dict():
            for each in value.values():
                yield from _holders(each)
        case list() | tuple():
            for each in value:
                yield from _holders(each)


@cache
def _hiding(kind: type[Any]) -> dict[str, str]:
    """Return the fields of a class in which something may be hidden, and what kind of thing that is."""
    hints = get_type_hints(kind)
    result = {name: _held(hints[name]) for name in kind.__struct_fields__ if name != "seats"}
    return {name: item_kind for name, item_kind in result.items() if item_kind is not None}


def _held(hint: Any) -> str | None:
    origin = get_origin(hint) or hint
    if origin in (Hidden, Secret):
        return repr(get_args(hint))
    if (
        isinstance(origin, type)
        and issubclass(origin, msgspec.Struct)
        and not issubclass(origin, Seat | Options)
    ):
        return "" if _hiding(origin) else None
    if origin in (list, tuple, dict, Union, UnionType):
        return next((item_kind for part in get_args(hint) if (item_kind := _held(part)) is not None), None)
    return None


# -- things --------------------------------------------------------------------------


def key(item: Any) -> bytes:
    """Return a thing as JSON, by which it is told from others."""
    return msgspec.json.encode(item, enc_hook=repr, order="deterministic")


Things = dict[str, dict[bytes, tuple[Any, int]]]  # by kind and key: a thing, and how many there may be


@lru_cache(256)
def things_of(rules: type[Game[Any]], seats: int, options: bytes) -> Things:
    """Return what lies hidden in games of these options, and how many of each at once.

    A few games are dealt and played at random to see; no table's secrets are among it.
    """
    result: Things = defaultdict(dict)
    settled = msgspec.json.decode(options, type=get_type_hints(rules)["options"])
    for game in range(GAMES):
        dice = Chance(f"things {game}")
        match = Match.new(rules, seats, f"things {game}", settled)
        _note(match.game, result)
        playout = Playout.of(rules, match.snapshot.stage, match.snapshot.state)
        for _ in range(CHOICES):
            if playout.result:
                break
            seat = dice.choice(playout.waiting_for())
            if (action := playout.random(seat, dice)) is None:
                break
            stage = playout.snapshot
            playout.choose(seat, action)
            if playout.snapshot is not stage:
                _note(playout.game, result)
    return result


def _note(game: Game[Any], result: Things) -> None:
    there = [(slot.kind, key(slot.item), slot.item) for slot in places(game)]
    counted = Counter((kind, name) for kind, name, _ in there)
    for kind, name, item in there:
        before = result[kind].get(name, (item, 0))
        result[kind][name] = before[0], max(before[1], counted[kind, name])


class Filling:
    """A game whose hidden places are filled, and the things that were left over, to change places with."""

    def __init__(self, game: Game[Any], unseen: list[HiddenSlot], dice: Chance):
        """Fill what is still None of the unseen places of a game.  Raises NothingFits."""
        self.game = game
        self.free = unseen
        self.spare: dict[str, list[Any]] = {}
        self.pattern: re.Pattern[bytes] | None = None
        kinds = dict.fromkeys(slot.kind for slot in self.free)
        if kinds:
            things = things_of(type(game), len(game.seats), msgspec.json.encode(game.options))
        for kind in kinds:
            empty_slots = [slot for slot in self.free if slot.kind == kind and slot.item is None]
            left = dice.shuffled(_left(game, things.get(kind, {})))
            if len(left) < len(empty_slots):
                raise NothingFits(f"there are not enough {kind}")
            for slot in empty_slots:
                slot.put(left.pop())
            self.spare[kind] = left

    def repair(self, target: bytes, view: bytes) -> bool:
        """Let things change places: those that came into the view with those that should have, in order.

        Returns whether anything was changed.
        """
        at = {key(slot.item): slot for slot in self.free}
        done: set[bytes] = set()
        for other, right in zip(self._in_order(view), self._in_order(target), strict=False):
            if (
                other != right
                and other in at
                and not {other, right} & done
                and self._exchange(at, other, right)
            ):
                done |= {other, right}
        return bool(done)

    def _in_order(self, view: bytes) -> list[bytes]:
        """Return the things of hidden places that a view shows, in its order."""
        if self.pattern is None:
            spare = (item for things in self.spare.values() for item in things)
            things = (*(slot.item for slot in self.free), *spare)
            # A bare number may be anything else that is counted.
            names = {name for name in map(key, things) if not name.isdigit()}
            by_length = sorted({_shape(name) for name in names}, key=lambda name: (-len(name), name))
            self.pattern = re.compile(b"|".join(by_length) or b"(?!)")
        return self.pattern.findall(view)

    def _exchange(self, at: dict[bytes, HiddenSlot], other: bytes, right: bytes) -> bool:
        """Let two things of a kind change places, or one with what was left over."""
        slot, there = at[other], at.get(right)
        if there and there.kind == slot.kind:
            one, two = slot.item, there.item
            slot.put(two)
            there.put(one)
            return True
        spare = self.spare[slot.kind]
        for index, item in enumerate(spare):
            if key(item) == right:
                spare[index] = slot.item
                slot.put(item)
                return True
        return self._put_like(slot, right)

    def _put_like(self, slot: HiddenSlot, right: bytes) -> bool:
        """Put a thing that nobody has yet into a place, as where it is weaker than it began; what is most
        like it leaves its own place for what lay here.
        """
        if not right.startswith(b"{"):
            return False
        alike = [
            candidate for candidate in self.free if candidate.kind == slot.kind and candidate.item is not None
        ]
        nearest = min(alike, key=lambda candidate: _unlike(key(candidate.item), right))
        lay_here = slot.item
        slot.put(msgspec.json.decode(right, type=type(lay_here)))
        if nearest.holder is not slot.holder or nearest.item_index != slot.item_index:
            nearest.put(lay_here)
        return True


def _shape(name: bytes) -> bytes:
    """Return a pattern of a thing: of one with several fields, whatever its numbers are."""
    pattern = re.escape(name)
    return NUMBER.sub(rb"-?\\d+", pattern) if name.startswith(b"{") else pattern


def _unlike(one: bytes, other: bytes) -> tuple[bool, int]:
    """Return how unlike two things are, by what they are made of: first by what is first."""
    a, b = NUMBER.findall(one), NUMBER.findall(other)
    return a[:1] != b[:1], sum(x != y for x, y in zip(a, b, strict=False))


def _left(game: Game[Any], things: dict[bytes, tuple[Any, int]]) -> list[Any]:
    """Return the things of one kind without those that can be seen somewhere in the game."""
    visible = Counter(key(slot.item) for slot in places(game) if slot.item is not None)
    if any(isinstance(item, str) for item, _ in things.values()):
        open_ones = Counter(_words(game))
        visible = Counter({name: max(visible[name], open_ones[name]) for name in {*visible, *open_ones}})
    return [item for name, (item, most) in things.items() for _ in range(most - visible[name])]


def _words(obj: Any) -> Iterator[bytes]:
    """Yield every word that stands in a game, as JSON."""
    match obj:
        case str():
            yield key(str(obj))
        case msgspec.Struct():
            for name in obj.__struct_fields__:
                if name not in notes_of(type(obj)):  # which may tell of things that lie elsewhere
                    yield from _words(getattr(obj, name))
        case Hidden() | Secret():
            yield from _words(obj.content)
        case dict():
            yield from _words([*obj, *obj.values()])
        case list() | tuple() | set():
            for each in obj:
                yield from _words(each)


def hidden_game(rules: type[Game[Any]], view: bytes, seat: int, seed: str) -> Game[Any]:
    """Return the game of a view, with None where something is hidden, and chance from a seed."""
    game = load(rules, view, whole=False)
    game.chance = Chance(seed)
    for slot in places(game):
        if slot.item is not None and not _is_in_seat(slot, game.seats[seat]):
            _show(slot)
    return game


def _is_in_seat(slot: HiddenSlot, seat: Seat) -> bool:
    return any(slot.holder is each.holder for each in _places(seat))


def _show(slot: HiddenSlot) -> None:
    """Let everybody know a thing: the seat sees it, and it does not lie with the seat."""
    if isinstance(slot.holder, Secret):
        slot.holder.readers = {None}
    else:
        slot.holder.readers[slot.item_index] = {None}
