"""Canaries: hidden things that are named to everybody.

A thing that lies hidden, and is like no other, is a canary: its name is its mark.  A line of the log, or a
field that all see, may name one by chance, as a guess does.  But where the same sentence or the same field
nearly always names what lies in the same place, that is no chance.  What was to be seen before may be named,
such as a card that is taken from a discard pile.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from math import log2
from typing import Any, NamedTuple

import msgspec

from strifebarge.fuzz.law import Law, Unlawful
from strifebarge.fuzz.leaks import Path, named_path, plain, things_seen, things_unseen
from strifebarge.fuzz.worlds import mask_line
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.text import pack

GAMES, VALUES, OFTEN = 2, 6, 0.9  # games, different things, and the share of all that is named there
SURE = 40.0  # bits: how unlikely it must be that chance has hit that place so often


class Named(NamedTuple):
    """Something that everybody is told or sees."""

    where: str  # a sentence and its argument, or a field
    mark: Hashable
    seats: Mapping[str, int]  # the seats that the sentence names, by argument; or whose the field is


class Canary(NamedTuple):
    """A hidden thing that is like no other, and where it lies."""

    marks: frozenset[Hashable]
    path: Path
    at: int
    length: int  # hidden things there
    total: int  # hidden things anywhere
    number: bool

    def places(self, seats: Mapping[str, int]) -> Iterator[tuple[Path, float]]:
        """Yield where it lies, in each way to say so, and the chance to hit that place."""
        homes = [self.path]
        if self.path[:1] == ("seats",):
            homes += [(name, *self.path[2:]) for name, seat in seats.items() if seat == self.path[1]]
        for home in homes:
            yield (*home, self.at), 1 / self.total
            if self.length > 1:
                yield (*home, self.at - self.length), 1 / self.total
            # Of numbers too many are alike, and where most things lie, most guesses hit.
            if not self.number and 2 * self.length <= self.total:
                yield (*home, "any"), self.length / self.total


class Naming:
    """What one sentence, or one field, has named so far."""

    def __init__(self) -> None:
        self.named: set[tuple[str, Hashable]] = set()  # games, and marks
        self.bits: defaultdict[Path, float] = defaultdict(float)  # by place: how unlikely it is for chance
        self.there: defaultdict[Path, set[tuple[str, Hashable]]] = defaultdict(set)  # by place: of these

    def note(self, game: str, mark: Hashable, places: Iterable[tuple[Path, float]]) -> Iterator[Path]:
        """Note one thing named; yield the places that it is named from too often for chance."""
        if (game, mark) in self.named:
            return
        self.named.add((game, mark))
        for place, chance in places:
            self.bits[place] -= log2(chance)
            there = self.there[place]
            there.add((game, mark))
            if self.bits[place] > SURE and len(there) > OFTEN * len(self.named):
                games, marks = ({*each} for each in zip(*there, strict=True))
                if len(games) >= GAMES and len(marks) >= VALUES:
                    yield place


class Canaries:
    """All that is named to everybody, game after game."""

    def __init__(self) -> None:
        self.namings: dict[str, Naming] = {}
        self.game = ""
        self.shown: set[Hashable] = set()  # in this game: all that everybody has seen so far

    def look(self, match: Match, log: Iterable[Any], game: str) -> None:
        """Look at one position of a game, of that name, and at what was told on the way there.

        Raises Unlawful once there is enough to say so.
        """
        if game != self.game:
            self.game, self.shown = game, set()
        fields = [*_in_fields(match)]
        if not match.result and (canaries := _canaries(match)):
            for each in (*_in_lines(log), *fields):
                canary = canaries.get(each.mark)
                if self.shown.isdisjoint(canary.marks if canary else [each.mark]):
                    self._note(each, canary)
        self.shown.update(each.mark for each in fields)

    def _note(self, named: Named, canary: Canary | None) -> None:
        places = canary.places(named.seats) if canary else ()
        naming = self.namings.setdefault(named.where, Naming())
        for place in naming.note(self.game, named.mark, places):
            message = f"everybody is told in {named.where} what is hidden in {named_path(place)}"
            raise Unlawful(Law.LEAK, message, named.where)


def _in_lines(log: Iterable[Any]) -> Iterator[Named]:
    """Yield what the lines of a log name to everybody."""
    for line in log:
        yield from _in_text(mask_line(line, None))


def _in_text(text: Any) -> Iterator[Named]:
    match text:
        case {"text": sentence, "args": {**args}}:
            dicts = {name: arg for name, arg in args.items() if isinstance(arg, dict)}
            seats = {str(name): arg["seat"] for name, arg in dicts.items() if "seat" in arg}
            for name, arg in args.items():
                for each in arg if isinstance(arg, list) else [arg]:
                    yield Named(f"“{sentence}” ({name})", plain(each), seats)
                    yield from _in_text(each)


def _in_fields(match: Match) -> Iterator[Named]:
    """Yield what everybody sees in the fields of a game."""
    for path, value in things_seen(json.loads(save(match.game, None)), ()):
        if path[:1] == ("seats",) and isinstance(path[1], int):
            yield Named(named_path(("seats", *path[2:])), value, {"the same seat": path[1]})
        else:
            yield Named(named_path(path), value, {})


def _canaries(match: Match) -> dict[Hashable, Canary]:
    """Return the hidden things that are like no other, by their marks."""
    holders = [*things_unseen(match.game, None, None, ())]
    total = sum(len(unseen) for _, unseen, _ in holders)
    canaries = [
        Canary(_marks(item), path, index, len(unseen), total, isinstance(item, int | float))
        for path, unseen, _ in holders
        for index, item in unseen.items()
    ]
    times = Counter(mark for canary in canaries for mark in canary.marks)
    return {mark: canary for canary in canaries for mark in canary.marks if times[mark] == 1}


def _marks(item: Any) -> frozenset[Hashable]:
    """Return what a thing is in a saved game, and in a line of the log."""
    try:
        packed = pack(item)
    except TypeError:
        packed = None
    written = plain(msgspec.to_builtins(item, enc_hook=repr)), plain(packed)
    return frozenset(mark for mark in written if mark not in (None, "") and not isinstance(mark, bool))
