"""Where long words may be broken: a card is narrow on a phone."""

import re
from functools import lru_cache

SOFT_HYPHEN = "\N{SOFT HYPHEN}"
WORD = re.compile(r"[^\W\d_]+")


def hyphenated(words: str, breaks: str) -> str:
    """Return words with soft hyphens in them where a list of words, `head-quar-ters`, has its hyphens."""
    known = _known(breaks)
    return type(words)(WORD.sub(lambda found: _broken(found[0], known), words))


@lru_cache(32)  # of each game and language one
def _known(breaks: str) -> dict[str, list[int]]:
    """Return the lengths of the parts of each word of such a list."""
    return {word.replace("-", "").lower(): [*map(len, word.split("-"))] for word in breaks.split()}


def _broken(word: str, known: dict[str, list[int]]) -> str:
    parts, begins = [], 0
    for length in known.get(word.lower(), [len(word)]):
        parts.append(word[begins : begins + length])
        begins += length
    return SOFT_HYPHEN.join(parts)
