"""Where long words may be broken: a card is narrow on a phone."""

import re
from functools import lru_cache

SOFT_HYPHEN = "\N{SOFT HYPHEN}"
WORD = re.compile(r"[^\W\d_]+")


def hyphenated(text: str, breaks: str) -> str:
    """Return words with soft hyphens in them where a list of words, `head-quar-ters`, has its hyphens."""
    break_points = _break_points(breaks)
    return type(text)(WORD.sub(lambda match: _broken(match[0], break_points), text))


@lru_cache(32)  # of each game and language one
def _break_points(breaks: str) -> dict[str, list[int]]:
    """Return the lengths of the parts of each word of such a list."""
    return {word.replace("-", "").lower(): [*map(len, word.split("-"))] for word in breaks.split()}


def _broken(word: str, break_points: dict[str, list[int]]) -> str:
    parts, begins = [], 0
    for length in break_points.get(word.lower(), [len(word)]):
        parts.append(word[begins : begins + length])
        begins += length
    return SOFT_HYPHEN.join(parts)
