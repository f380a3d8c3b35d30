"""Leaks: what somebody is told, or sees, that they may not know.

Two ways lead there.  In another world, which differs only in what a viewer may not know, that viewer must be
told the same: log, questions, options, reasons, standings.  And no field that everybody sees may go on being
the same as something hidden, game after game.  A third way is in `canaries`.
"""

import json
from collections.abc import Hashable, Iterable, Iterator
from enum import Enum
from functools import lru_cache
from itertools import zip_longest
from typing import Any

import msgspec

from strifebarge.fuzz.acts import Ops, replay_acts
from strifebarge.fuzz.law import Law, Unlawful
from strifebarge.fuzz.worlds import OwnWord, ViewerSeat, hears, held_in, open_to, resampled, sees
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
    rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: ViewerSeat, dice: Chance
) -> None:
    """Check that in other worlds in which a viewer sees the same, they are told the same.  Raises
    Unlawful.
    """
    log = _log_seen_by(rules, deal, ops, viewer)
    # What chance decides is no leak, even where nobody sees it: all worlds have one seed.
    seed = load(rules, deal.state).chance.seed
    for _ in range(WORLDS):
        state = resampled(rules, deal, ops, viewer, dice, seed, QUICKLY, sees)
        if state == deal.state:
            continue
        others = _log_seen_by(rules, Snapshot(0, deal.stage, state), ops, viewer)
        for number, (one, other) in enumerate(zip(log, others, strict=True)):
            if one != other:
                who = "a spectator" if viewer is None else f"seat {viewer}"
                original, there = _apart(one, other)
                raise Unlawful(
                    Law.LEAK,
                    f"{who} is told what they may not know, after act {number}\n  {original}\n  {there}",
                )


def _log_seen_by(rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: ViewerSeat) -> list[Any]:
    """Return what a viewer is told, act by act; of a game that is over everybody may know all."""
    return [None if match.result else hears(match, viewer) for match in replay_acts(rules, deal, ops)]


def _apart(one: Any, other: Any) -> tuple[str, str]:
    """Return the first parts in which two things differ; where one ends before, “nothing”."""
    if isinstance(one, list) and isinstance(other, list):
        for original, there in zip_longest(one, other, fillvalue=NOTHING):
            if original != there:
                return _apart(original, there)
    return _differing(*(each if each is NOTHING else repr(each) for each in (one, other)))


def _differing(one: str, other: str) -> tuple[str, str]:
    """Return what two texts say; long ones from a little before the first sign in which they differ."""
    signs = enumerate(zip(one, other, strict=False))
    same = next((index for index, (original, there) in signs if original != there), min(len(one), len(other)))
    start = same - 100 if same > 200 else 0
    return f"{one[start:]:.300}", f"{other[start:]:.300}"


# -- fields ----------------------------------------------------------------------------


Path = tuple[str | int, ...]


class Copies:
    """Fields that a viewer sees, watched for being the same as something that this viewer may not."""

    def __init__(self) -> None:
        self.watched: dict[tuple[str, Path], WatchedField] = {}

    def look(self, match: Match, game: str, viewer: ViewerSeat) -> None:
        """Look at one position of a game, of that name.  Raises Unlawful once there is enough to say so."""
        hidden = {} if match.result else _hidden(match, viewer)
        if not hidden:
            return
        sentences = sorted({prompt.text.sentence for prompt in match.prompts.values()})
        when = ["", *sentences, *(["at the deal"] if match.number == 0 else [])]
        usual = _defaults(match.rules)
        for path, value in things_seen(json.loads(save(match.game, viewer)), ()):
            untouched = usual.get(_of_any_seat(path), None) == value
            for moment in when:
                watched = self.watched.setdefault((moment, path), WatchedField())
                for slot in watched.look(value, hidden.get(value, ()), game, untouched):
                    who = "a spectator" if viewer is None else f"seat {viewer}"
                    field, told_when = named_path(path), f" (“{moment}”)" if moment else ""
                    message = f"{who} sees in {field} what is hidden in {named_path(slot)}{told_when}"
                    raise Unlawful(Law.LEAK, message, field)


class WatchedField:
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
        for path in places:
            same = self.same.setdefault(path, [])
            same.append((game, value))
            games, values = (len({*each}) for each in zip(*same, strict=True))
            if games >= GAMES and values >= VALUES and len(same) > OFTEN * self.looks:
                yield path


@lru_cache
def _defaults(rules: type[Game[Any]]) -> dict[Path, Hashable]:
    """Return what the plain fields of a game and of its seats hold before anybody has written there."""
    result: dict[Path, Hashable] = {}
    for kind, path in ((rules, ()), (seat_type(rules), ("seats",))):
        for field in msgspec.structs.fields(kind):
            if isinstance(field.default, int | float | str | Enum):
                result[*path, field.name] = msgspec.to_builtins(field.default)
    return result


def _of_any_seat(path: Path) -> Path:
    """Return a path without the number of the seat in it."""
    return ("seats", *path[2:]) if path[:1] == ("seats",) else path


def named_path(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _hidden(match: Match, viewer: ViewerSeat) -> dict[Hashable, list[Path]]:
    """Return where each thing lies that a viewer may not see, by what it is as JSON; whole lists sorted."""
    result: dict[Hashable, list[Path]] = {}
    for path, unseen, length in things_unseen(match.game, viewer, None, ()):
        values = {index: plain(msgspec.to_builtins(item, enc_hook=repr)) for index, item in unseen.items()}
        for index, value in values.items():
            result.setdefault(value, []).append((*path, index))
            if length > 1:
                result[value].append((*path, index - length))
        if 1 < len(values) <= MOST:
            result.setdefault(_sorted(values.values()), []).append((*path, "all"))
    return result


def things_unseen(
    obj: Any, viewer: ViewerSeat, keeper: ViewerSeat, path: Path
) -> Iterator[tuple[Path, dict[int, Any], int]]:
    """Yield each holder of hidden things: where it is, what the viewer does not see in it, how much it
    holds.
    """
    match obj:
        case Hidden() | Secret():
            entries = [
                (items[index], open_to(readers, viewer, keeper)) for items, index, readers in held_in(obj)
            ]
            yield (
                path,
                {index: item for index, (item, is_open) in enumerate(entries) if not is_open},
                len(entries),
            )
            for index, (item, is_open) in enumerate(entries):
                if is_open:
                    yield from things_unseen(item, viewer, keeper, (*path, index))
        case msgspec.Struct():
            inner_keeper = obj.number if isinstance(obj, Seat) else keeper
            for name in obj.__struct_fields__:
                yield from things_unseen(getattr(obj, name), viewer, inner_keeper, (*path, name))
        case dict():
            for key, each in obj.items():
                yield from things_unseen(each, viewer, keeper, (*path, str(key)))
        case list() | tuple():
            for index, each in enumerate(obj):
                yield from things_unseen(each, viewer, keeper, (*path, index))


def things_seen(value: Any, path: Path) -> Iterator[tuple[Path, Hashable]]:
    """Yield what a viewer sees, piece by piece: numbers, words, structs, and short lists sorted."""
    match value:
        case None | bool() | "":
            return
        case dict():
            if path and value:
                yield path, plain(value)
            for name, each in value.items():
                if path or name not in ("options", "chance"):
                    yield from things_seen(each, (*path, name))
        case list():
            if 1 < len(value) <= MOST and path != ("seats",):
                yield (*path, "all"), _sorted(map(plain, value))
            for index, each in enumerate(value):
                yield from things_seen(each, (*path, index))
            if len(value) > 1:
                yield from things_seen(value[-1], (*path, -1))
        case _:
            yield path, value


def plain(value: Any) -> Hashable:
    return json.dumps(value, sort_keys=True) if isinstance(value, dict | list) else value


def _sorted(values: Iterable[Hashable]) -> Hashable:
    return tuple(sorted(map(str, values)))
