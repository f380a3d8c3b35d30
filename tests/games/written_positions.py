"""Positions in writing for every game that reads them: its own files and FENs, whole or damaged."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

from hypothesis import strategies as st

from strifebarge.rules import Chance, Occasion, Text
from strifebarge.rules.match import Match
from strifebarge.rules.testing import random_play
from strifebarge.tables.library.library import Title
from tests.rules.every_setting import TITLES

ARRANGING = [title for title in TITLES.values() if title.arranges]
# What no game may pass over.
ODD = [
    "--",
    "0000",
    "Z0",
    "@@@@",
    "(",
    ")",
    "{",
    "}",
    "[",
    ";",
    "*",
    "$1",
    "$",
    "%",
    "!?",
    "x",
    "-",
    "/",
    "\0",
    "½",
    "9",
]


@cache
def sources(title: Title) -> list[str]:
    """Return positions that the game itself has written, after some moves at random."""
    texts = []
    for seed in range(4):
        *_, match = islice(random_play(Match.new(title.rules, seed=str(seed)), Chance(str(seed))), 25)
        texts += match.game.exports(["Ann", "Ben"], Occasion(event="Cup")).values()
    read = [title.arranging(text, "") for text in texts] if title.arranging else []
    return [*texts, *(each.position for each in read)]


@st.composite
def positions(draw: Any, title: Title) -> str:
    """Draw a position in writing, with up to three words that are left out, put in or repeated."""
    texts = sources(title)
    words = draw(st.sampled_from(texts)).split(" ")
    words = words[: draw(st.sampled_from([len(words), draw(st.integers(1, len(words)))]))]
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(words)))
        others = st.sampled_from([*ODD, *words, *draw(st.sampled_from(texts)).split(" ")])
        words[at : at + draw(st.integers(0, 1))] = draw(st.lists(others | st.text(max_size=5), max_size=2))
    return " ".join(words)


def strings_in(text: Text) -> Iterator[str]:
    """Yield the strings among the arguments of a sentence, and of those inside it."""
    for value in text.args.values():
        if isinstance(value, Text):
            yield from strings_in(value)
        elif isinstance(value, str):
            yield value
