"""Names that look alike, as Unicode defines it (UTS 39), and names that only the site itself may have."""

import re
import unicodedata
from functools import cache, lru_cache

# What Unicode asks to be shown as nothing though it is a letter or a mark, and a blank that is a symbol.
# Characters of the category Cf are not in this list.
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
DIRECTION = "\u200e"  # which the library's list has around letters that are written from right to left

# In small letters and without what is between words.
RESERVED = {
    *("host", "admin", "administrator", "moderator", "mod", "operator", "owner", "root", "staff", "support"),
    *("system", "sysadmin", "webmaster", "strifebarge"),
    *("administratorin", "betreiber", "betreiberin", "gastgeber", "gastgeberin", "inhaber", "inhaberin"),
    *("moderatorin", "moderation", "verwalter", "verwalterin", "verwaltung"),
    "bot",  # which only a bot is called
}
# Words that make no other name of a reserved one.
FILLING = {
    *("the", "a", "of", "this", "site", "server", "game", "games", "team", "official", "real", "chief"),
    *("easy", "medium", "hard", "leicht", "mittel", "schwer"),  # as bots are
    *("der", "die", "das", "vom", "von", "seite", "spiel", "spiele", "offiziell", "echte", "echter"),
}


@cache
def prototypes() -> dict[int, str]:
    """Return for each character that looks like others the one that stands for all of these."""
    from confusable_homoglyphs.utils import load

    likes: dict[str, list[str]] = {}
    for character, others in load("confusables.json").items():
        plain = [other["c"].replace(DIRECTION, "") for other in others]
        likes.setdefault(character.replace(DIRECTION, ""), []).extend(plain)
    result = {ord(each): _prototype(each, likes) for each in likes if len(each) == 1}
    return {code: stands for code, stands in result.items() if stands != chr(code)}


def _prototype(character: str, likes: dict[str, list[str]]) -> str:
    """Return what stands for a character in a list of pairs, which has each of them in both directions.

    Unicode's own list gives every character one prototype; so one with several partners is a prototype.
    """
    if len(likes[character]) != 1:
        return character
    [other] = likes[character]
    if len(other) > 1 or len(likes.get(other, [])) > 1:
        return other
    return min(character, other)  # two that look like each other alone


@lru_cache(4096)
def skeleton(text: str) -> str:
    """Return a text of which all texts that look like the given one have the same."""
    visible = INVISIBLE.sub("", text)
    plain = "".join(c for c in unicodedata.normalize("NFD", visible) if unicodedata.category(c) != "Cf")
    for _ in range(2):  # a few prototypes of the list have others in turn
        plain = unicodedata.normalize("NFD", plain.translate(prototypes()))
    return "".join(plain.split())


def looks(name: str) -> tuple[str, str, str]:
    """Return how a name looks: as it is written, in small letters and in capital letters."""
    return skeleton(name), skeleton(name.casefold()), skeleton(name.upper())


def alike(one: str, other: str) -> bool:
    """Return whether two names look alike in any way of writing them."""
    return any(a == b for a, b in zip(looks(one), looks(other), strict=True))


def is_reserved(name: str) -> bool:
    """Return whether a name says, in whatever letters, that somebody speaks for the site."""
    reserved, filling = _reserved_names()
    if _rough("".join(name.split())) in reserved:
        return True
    words = [_rough(word) for word in re.split(r"[\W_]+", name) if word]
    return any(word in reserved for word in words) and all(word in reserved | filling for word in words)


def _rough(word: str) -> str:
    """Return the letters of a word without accents and a number at its end, 0 and 1 read as letters."""
    apart = unicodedata.normalize("NFD", word.rstrip("0123456789"))
    plain = "".join(c for c in apart if unicodedata.category(c) != "Mn" and (c.isalnum() or c == "|"))
    return skeleton(skeleton(plain).casefold()).replace("l", "i")


@cache
def _reserved_names() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(map(_rough, RESERVED)), frozenset({"", *map(_rough, FILLING)})
