"""Leaks: what somebody is told, or sees, that they may not know.

Two ways lead there.  In another world, which differs only in what a viewer may not know, that viewer must be
told the same: log, questions, options, reasons, standings.  And no field that everybody sees may go on being
the same as something hidden, game after game.
"""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from strifebarge.rules import Chance, Game, Hidden, Seat, Secret
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match, Snapshot

from .acts import Ops, relive, viewers
from .laws import Law, Unlawful
from .worlds import BY_ITS_OWN_WORD, Viewer, hears, held_in, open_to, resampled, sees

WORLDS = 3  # others, for each viewer
ENOUGH = 6  # times that a field has changed together with something hidden, in two games or more


def must_tell_no_secrets(
    rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: Viewer, dice: Chance
) -> None:
    """In other worlds in which a viewer sees the same, they are told the same.  Raises Unlawful."""
    told = _told(rules, deal, ops, viewer)
    for nth in range(WORLDS):
        state = resampled(rules, deal, ops, viewer, dice, f"world {nth}", BY_ITS_OWN_WORD, sees)
        if state == deal.state:
            continue
        others = _told(rules, Snapshot(0, deal.stage, state), ops, viewer)
        for number, (one, other) in enumerate(zip(told, others, strict=True)):
            if one != other:
                who = "an onlooker" if viewer is None else f"seat {viewer}"
                here, there = _apart(one, other)
                raise Unlawful(
                    Law.LEAK, f"{who} is told what they may not know, after act {number}\n  {here}\n  {there}"
                )


def _told(rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: Viewer) -> list[Any]:
    """What a viewer is told, act by act; of a game that is over everybody may know all."""
    return [None if match.result else hears(match, viewer) for match in relive(rules, deal, ops)]


def _apart(one: Any, other: Any) -> tuple[str, str]:
    """The smallest parts in which two differ."""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for here, there in zip(one, other, strict=True):
            if here != there:
                return _apart(here, there)
    return f"{one!r:.300}", f"{other!r:.300}"


# -- fields ----------------------------------------------------------------------------


Path = tuple[str | int, ...]


class Copies:
    """Fields that everybody sees, watched for being the same as something that not everybody may."""

    def __init__(self) -> None:
        self.watched: dict[tuple[Any, ...], Watched] = {}

    def look(self, match: Match, game: object) -> None:
        """Look at one position of a game.  Raises Unlawful once there is enough to say so."""
        if match.result:
            return
        when = "at the deal" if match.number == 0 else "later"
        asked = sorted({prompt.text.sentence for prompt in match.prompts.values()})
        for viewer in viewers(match):
            hidden = _hidden(match, viewer)
            if not hidden:
                continue
            for path, value in _seen(json.loads(save(match.game, viewer)), ()):
                for moment in (when, *asked):
                    key = (len(match.game.seats), moment, viewer, path)
                    watched = self.watched.setdefault(key, Watched())
                    if watched.look(value, hidden, game):
                        where = ", ".join(sorted(map(_named, watched.slots)))
                        who = "an onlooker" if viewer is None else f"seat {viewer}"
                        raise Unlawful(
                            Law.LEAK, f"{who} sees in {_named(path)} what is hidden in {where} ({moment})"
                        )


class Watched:
    """One field in one viewer's eyes: the hidden places that it has always been the same as."""

    def __init__(self) -> None:
        self.slots: set[Path] | None = None
        self.last: str | None = None
        self.values: set[str] = set()
        self.games: set[int] = set()
        self.changes = 0

    def look(self, value: str, hidden: dict[str, set[Path]], game: object) -> bool:
        """Whether there is enough to say that it is no chance."""
        if self.slots == set():
            return False
        here = hidden.get(value, set())
        self.slots = set(here) if self.slots is None else self.slots & here
        if value != self.last:
            self.changes += 1
        self.last = value
        self.values.add(value)
        self.games.add(hash(game))
        return bool(self.slots) and self.changes >= ENOUGH and len(self.values) > 3 and len(self.games) > 1


def _named(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _hidden(match: Match, viewer: Viewer) -> dict[str, set[Path]]:
    """Where each thing lies that a viewer may not see, by the thing as JSON; whole lists in order of value."""
    found: dict[str, set[Path]] = {}
    for path, unseen, length in _unseen(match.game, viewer, None, ()):
        values = {nth: _plain(msgspec.json.encode(item, enc_hook=repr)) for nth, item in unseen.items()}
        for nth, value in values.items():
            found.setdefault(value, set()).add((*path, nth))
            if length > 1:
                found[value].add((*path, nth - length))
        if len(values) > 1:
            found.setdefault(_sorted(list(values.values())), set()).add((*path, "all"))
    return found


def _unseen(
    thing: Any, viewer: Viewer, keeper: Viewer, path: Path
) -> Iterator[tuple[Path, dict[int, Any], int]]:
    """Each holder of hidden things: where it is, what the viewer does not see in it, how much it holds."""
    match thing:
        case Hidden() | Secret():
            held = [(items[nth], open_to(known, viewer, keeper)) for items, nth, known in held_in(thing)]
            yield path, {nth: item for nth, (item, is_open) in enumerate(held) if not is_open}, len(held)
            for nth, (item, is_open) in enumerate(held):
                if is_open:
                    yield from _unseen(item, viewer, keeper, (*path, nth))
        case msgspec.Struct():
            mine = thing.number if isinstance(thing, Seat) else keeper
            for name in thing.__struct_fields__:
                yield from _unseen(getattr(thing, name), viewer, mine, (*path, name))
        case dict():
            for key, each in thing.items():
                yield from _unseen(each, viewer, keeper, (*path, str(key)))
        case list() | tuple():
            for nth, each in enumerate(thing):
                yield from _unseen(each, viewer, keeper, (*path, nth))


def _seen(thing: Any, path: Path) -> Iterator[tuple[Path, str]]:
    """What a viewer sees, piece by piece: numbers, words, small structs, and lists in order of value."""
    match thing:
        case None | bool() | "" | [] | {}:
            return
        case dict():
            if path:
                yield path, _plain(json.dumps(thing))
            for name, each in thing.items():
                if path or name not in ("options", "chance"):
                    yield from _seen(each, (*path, name))
        case list():
            values = [_plain(json.dumps(each)) for each in thing]
            if len(values) > 1 and path != ("seats",):
                yield (*path, "all"), _sorted(values)
            for nth, each in enumerate(thing):
                yield from _seen(each, (*path, nth))
            if len(values) > 1:
                yield from _seen(thing[-1], (*path, -1))
        case _:
            yield path, _plain(json.dumps(thing))


def _plain(raw: bytes | str) -> str:
    return json.dumps(json.loads(raw), sort_keys=True)


def _sorted(values: list[str]) -> str:
    return "all: " + " ".join(sorted(values))
