"""Leaks: what somebody is told, or sees, that they may not know.

Two ways lead there.  In another world, which differs only in what a viewer may not know, that viewer must be
told the same: log, questions, options, reasons, standings.  And no field that everybody sees may go on being
the same as something hidden, game after game.
"""

import json
from collections.abc import Hashable, Iterable, Iterator
from enum import Enum
from functools import lru_cache
from itertools import zip_longest
from typing import Any

import msgspec

from strifebarge.fuzz.acts import Ops, relive
from strifebarge.fuzz.law import Law, Unlawful
from strifebarge.fuzz.worlds import OwnWord, Viewer, hears, held_in, open_to, resampled, sees
from strifebarge.rules import Chance, Game, Hidden, Seat, Secret
from strifebarge.rules.codec import load, save, seat_type
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match

QUICKLY = OwnWord(tries=8)
WORLDS = 2  # others, for each viewer
NOTHING = "nothing"
MOST = 16  # things in a list that is compared as a whole
GAMES, VALUES, OFTEN = (
    2,
    6,
    0.6,
)  # games, different values, and the share of all its changes, from which on it is no chance


def must_tell_no_secrets(
    rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: Viewer, dice: Chance
) -> None:
    """Check that in other worlds in which a viewer sees the same, they are told the same.  Raises
    Unlawful.
    """
    told = _told(rules, deal, ops, viewer)
    # What chance decides is no leak, even where nobody sees it: all worlds have one seed.
    seed = load(rules, deal.state).chance.seed
    for _ in range(WORLDS):
        state = resampled(rules, deal, ops, viewer, dice, seed, QUICKLY, sees)
        if state == deal.state:
            continue
        others = _told(rules, Snapshot(0, deal.stage, state), ops, viewer)
        for number, (one, other) in enumerate(zip(told, others, strict=True)):
            if one != other:
                who = "a spectator" if viewer is None else f"seat {viewer}"
                here, there = _apart(one, other)
                raise Unlawful(
                    Law.LEAK, f"{who} is told what they may not know, after act {number}\n  {here}\n  {there}"
                )


def _told(rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: Viewer) -> list[Any]:
    """Return what a viewer is told, act by act; of a game that is over everybody may know all."""
    return [None if match.result else hears(match, viewer) for match in relive(rules, deal, ops)]


def _apart(one: Any, other: Any) -> tuple[str, str]:
    """Return the first parts in which two things differ; where one ends before, “nothing”."""
    if isinstance(one, list) and isinstance(other, list):
        for here, there in zip_longest(one, other, fillvalue=NOTHING):
            if here != there:
                return _apart(here, there)
    return _differing(*(each if each is NOTHING else repr(each) for each in (one, other)))


def _differing(one: str, other: str) -> tuple[str, str]:
    """Return what two texts say; long ones from a little before the first sign in which they differ."""
    signs = enumerate(zip(one, other, strict=False))
    same = next((nth for nth, (here, there) in signs if here != there), min(len(one), len(other)))
    start = same - 100 if same > 200 else 0
    return f"{one[start:]:.300}", f"{other[start:]:.300}"


# -- fields ----------------------------------------------------------------------------


Path = tuple[str | int, ...]


class Copies:
    """Fields that a viewer sees, watched for being the same as something that this viewer may not."""

    def __init__(self) -> None:
        self.watched: dict[tuple[str, Path], Watched] = {}

    def look(self, match: Match, game: str, viewer: Viewer) -> None:
        """Look at one position of a game, of that name.  Raises Unlawful once there is enough to say so."""
        hidden = {} if match.result else _hidden(match, viewer)
        if not hidden:
            return
        asked = sorted({prompt.text.sentence for prompt in match.prompts.values()})
        when = ["", *asked, *(["at the deal"] if match.number == 0 else [])]
        usual = _defaults(match.rules)
        for path, value in _seen(json.loads(save(match.game, viewer)), ()):
            untouched = usual.get(_of_any_seat(path), None) == value
            for moment in when:
                watched = self.watched.setdefault((moment, path), Watched())
                for slot in watched.look(value, hidden.get(value, ()), game, untouched):
                    who = "a spectator" if viewer is None else f"seat {viewer}"
                    told = f"{who} sees in {_named(path)} what is hidden in {_named(slot)}"
                    raise Unlawful(Law.LEAK, f"{told} (“{moment}”)" if moment else told, _named(path))


class Watched:
    """One thing that is seen, and the hidden places that were the same when it had changed."""

    def __init__(self) -> None:
        self.last: dict[str, Hashable] = {}  # by game
        self.looks = 0
        self.same: dict[Path, list[tuple[str, Hashable]]] = {}  # by hidden place: the games, and the values

    def look(
        self, value: Hashable, places: Iterable[Path], game: str, untouched: bool = False
    ) -> Iterator[Path]:
        """Yield the places that it is the same as too often for chance.

        A game's first value does not count where it is `untouched`, as the class has it.
        """
        if self.last.get(game) == value:
            return
        first = game not in self.last
        self.last[game] = value
        if first and untouched:
            return
        self.looks += 1
        for place in places:
            same = self.same.setdefault(place, [])
            same.append((game, value))
            games, values = (len({*each}) for each in zip(*same, strict=True))
            if games >= GAMES and values >= VALUES and len(same) > OFTEN * self.looks:
                yield place


@lru_cache
def _defaults(rules: type[Game[Any]]) -> dict[Path, Hashable]:
    """Return what the plain fields of a game and of its seats hold before anybody has written there."""
    found: dict[Path, Hashable] = {}
    for kind, path in ((rules, ()), (seat_type(rules), ("seats",))):
        for field in msgspec.structs.fields(kind):
            if isinstance(field.default, int | float | str | Enum):
                found[*path, field.name] = msgspec.to_builtins(field.default)
    return found


def _of_any_seat(path: Path) -> Path:
    """Return a path without the number of the seat in it."""
    return ("seats", *path[2:]) if path[:1] == ("seats",) else path


def _named(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _hidden(match: Match, viewer: Viewer) -> dict[Hashable, list[Path]]:
    """Return where each thing lies that a viewer may not see, by what it is as JSON; whole lists sorted."""
    found: dict[Hashable, list[Path]] = {}
    for path, unseen, length in _unseen(match.game, viewer, None, ()):
        values = {nth: _plain(msgspec.to_builtins(item, enc_hook=repr)) for nth, item in unseen.items()}
        for nth, value in values.items():
            found.setdefault(value, []).append((*path, nth))
            if length > 1:
                found[value].append((*path, nth - length))
        if 1 < len(values) <= MOST:
            found.setdefault(_sorted(values.values()), []).append((*path, "all"))
    return found


def _unseen(
    thing: Any, viewer: Viewer, keeper: Viewer, path: Path
) -> Iterator[tuple[Path, dict[int, Any], int]]:
    """Yield each holder of hidden things: where it is, what the viewer does not see in it, how much it
    holds.
    """
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


def _seen(thing: Any, path: Path) -> Iterator[tuple[Path, Hashable]]:
    """Yield what a viewer sees, piece by piece: numbers, words, structs, and short lists sorted."""
    match thing:
        case None | bool() | "":
            return
        case dict():
            if path and thing:
                yield path, _plain(thing)
            for name, each in thing.items():
                if path or name not in ("options", "chance"):
                    yield from _seen(each, (*path, name))
        case list():
            if 1 < len(thing) <= MOST and path != ("seats",):
                yield (*path, "all"), _sorted(map(_plain, thing))
            for nth, each in enumerate(thing):
                yield from _seen(each, (*path, nth))
            if len(thing) > 1:
                yield from _seen(thing[-1], (*path, -1))
        case _:
            yield path, thing


def _plain(thing: Any) -> Hashable:
    return json.dumps(thing, sort_keys=True) if isinstance(thing, dict | list) else thing


def _sorted(values: Iterable[Hashable]) -> Hashable:
    return tuple(sorted(map(str, values)))
