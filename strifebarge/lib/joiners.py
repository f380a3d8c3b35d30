"""Joiners: invisible characters between letters or emoji that change how these are drawn together."""

import unicodedata
from functools import cache

NON_JOINER, JOINER = "\u200c", "\u200d"
JOINERS = frozenset((NON_JOINER, JOINER))
VIRAMA = 9  # the combining class of the signs that take the vowel from an Indic letter
PRESENTATION_FORMS = (*range(0xFB50, 0xFE00), *range(0xFE70, 0xFF00))  # of Arabic letters
MODIFIERS = "\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"  # of the emoji before them


def without_stray_joiners(text: str) -> str:
    """Return a text with joiners only where they belong to the spelling.

    That is after a virama (both), between Arabic letters that would be joined (the non-joiner: RFC 5892,
    appendix A), and between emoji (the joiner: UTS 51).
    """
    return "".join(c for at, c in enumerate(text) if c not in JOINERS or _belongs(text, at))


def is_printable(text: str) -> bool:
    """Return whether a text has no other characters than printable ones and joiners."""
    return text.translate(dict.fromkeys(map(ord, JOINERS))).isprintable()


def _belongs(text: str, at: int) -> bool:
    before, after = text[:at], text[at + 1 :]
    if before and unicodedata.combining(before[-1]) == VIRAMA:
        return True
    if text[at] == JOINER:
        return _is_emoji(before.rstrip(MODIFIERS)[-1:]) and _is_emoji(after[:1])
    starting, ending = _arabic_characters("<initial>"), _arabic_characters("<final>")
    return _letter(before[::-1]) in starting and _letter(after) in ending


def _letter(text: str) -> str:
    """Return the first character that is no mark."""
    return next((c for c in text if unicodedata.category(c) != "Mn"), "")


def _is_emoji(c: str) -> bool:
    return c >= "\u2190" and unicodedata.category(c) in ("So", "Sm")


@cache
def _arabic_characters(form: str) -> frozenset[str]:
    """Return the letters that have this form of their own, where they stand in a word."""
    written = (unicodedata.decomposition(chr(code)).split() for code in PRESENTATION_FORMS)
    return frozenset(chr(int(each[1], 16)) for each in written if each[:1] == [form] and len(each) == 2)
