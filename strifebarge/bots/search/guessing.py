"""Guesses of what others did, by what has changed in a view since."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any

import msgspec

from strifebarge.rules import Action, Chance, Refused
from strifebarge.rules.notation import from_json, listed, tag
from strifebarge.rules.playout import Playout
from strifebarge.rules.validity import well_formed

SCALAR = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+')


def news(before: bytes, after: bytes) -> list[bytes]:
    """Return the words and numbers of a view, as JSON, that were not in it before, in their order."""
    old, new = SCALAR.findall(before), SCALAR.findall(after)
    start = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    changes = SequenceMatcher(None, old[start:], new[start:], autojunk=False).get_opcodes()
    spans = [(first, last) for what, _, _, first, last in changes if what != "equal"]
    return [word for first, last in spans for word in new[start + first : start + last]]


def guesses(playout: Playout, seat: int, new: list[bytes], dice: Chance) -> list[tuple[int, Action]]:
    """Return what a seat may have done, the likeliest first, each with how much of what it names has come
    into view, less what has not.
    """
    offered = [action for action in playout.offers(seat)]
    filled = [action for action in _filled(playout, seat, new) if not playout.reason(seat, action)]
    if not offered and not filled:
        filled = playout.legal(seat, dice)
    visible = {*new}
    candidates = [
        (sum(1 if word in visible else -1 for word in _words(action)), action)
        for action in dice.shuffled([*offered, *filled])
    ]
    candidates.sort(key=lambda guess: -guess[0])
    return [(score, well_formed(action)) for score, action in candidates]


def _words(action: Action) -> list[bytes]:
    return SCALAR.findall(b",".join(msgspec.json.encode(value) for value in _values(action)))


def _values(action: Action) -> list[Any]:
    return [getattr(action, name) for name in action.__struct_fields__]


def _filled(playout: Playout, seat: int, new: list[bytes]) -> Iterator[Action]:
    """Yield actions of the classes on offer whose one field holds what is new."""
    values = [*dict.fromkeys(msgspec.json.decode(scalar) for scalar in new)]
    for kind in playout.classes(seat):
        if len(kind.__struct_fields__) != 1:
            continue
        [name] = kind.__struct_fields__
        several = name in listed(kind)
        for value in [values[:n] for n in range(len(values), 0, -1)] if several else values:
            try:
                yield from_json({"do": tag(kind), name: value}, [kind])
            except Refused:
                continue
