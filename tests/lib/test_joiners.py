"""Joiners: kept where they belong to the spelling, and nowhere else."""

from itertools import pairwise

import pytest

from strifebarge.lib.joiners import JOINERS, is_printable, without_stray_joiners

SPELLINGS = [
    "علی\u200cرضا",
    "می\u200cروم",
    "می\u064e\u200cروم",  # with a mark between
    "ക്\u200d",  # Malayalam: a letter of its own at the end of a word
    "क्\u200cष",
    "👨\u200d👩\u200d👧\u200d👦",
    "👩🏽\u200d🚀",
    "🏳\ufe0f\u200d🌈",
    "🙂\u200d↔\ufe0f",
]
STRAY = [
    "A\u200cn\u200dn",
    "\u200cعلی\u200c",
    "در\u200cا",
    "👨\u200dA",
    "1\u200d👨",
    "क\u200c",
    "👨\u200c👩",
    "عل\u200dی",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_joiners_that_belong_to_the_spelling_stay(text: str) -> None:
    assert without_stray_joiners(text) == text
    assert is_printable(text)


@pytest.mark.parametrize("text", STRAY)
def test_stray_joiners_go(text: str) -> None:
    assert without_stray_joiners(text) == "".join(c for c in text if c not in JOINERS)


@pytest.mark.parametrize("text", [*SPELLINGS, *STRAY])
@pytest.mark.parametrize("joiner", sorted(JOINERS))
def test_a_second_joiner_is_always_stray(text: str, joiner: str) -> None:
    for at in range(len(text) + 1):
        tidy = without_stray_joiners(text[:at] + joiner + text[at:])
        assert without_stray_joiners(tidy) == tidy
        assert not any(a in JOINERS and b in JOINERS for a, b in pairwise(tidy))
