"""Names of people, and codes of tables."""

import unicodedata

from strifebarge.lib.joiners import JOINERS, without_stray_joiners
from strifebarge.lib.lookalikes import INVISIBLE, is_reserved
from strifebarge.rules import Refused
from strifebarge.tables.model.table import TableRefusal

LONGEST = 20
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no I, L, O, U
IN_CODES = frozenset(ALPHABET)
CODE_LENGTH = 8  # 40 bits
LOOKALIKES = str.maketrans("OIL", "011")


def chosen_name(raw: str, before: str = "") -> str:
    """Return a name in one form, without anything that cannot be seen; "" if nothing was given.

    Every name of a person goes through here.  `before` is what they are called already.  Raises Refused:
    WRONG_NAME if it is longer than 20 characters, or nothing of it can be seen; RESERVED_NAME for one that
    only the site itself may have.
    """
    name = tidy_words(raw)
    if len(name) > LONGEST or (raw.strip() and not any(c.isalnum() for c in name)):
        raise Refused(TableRefusal.WRONG_NAME)
    if name != before and is_reserved(name):
        raise Refused(TableRefusal.RESERVED_NAME)
    return name


def tidy_words(raw: str) -> str:
    """Return words in one form (NFKC) and on one line, without stray invisible characters."""
    whole = INVISIBLE.sub("", unicodedata.normalize("NFKC", raw[:400]))
    visible = "".join(c if _visible(c) else " " if c.isspace() else "" for c in whole)
    return without_stray_joiners(" ".join(visible.split()))


def _visible(c: str) -> bool:
    if c in JOINERS:
        return True
    # Controls, bidi overrides, zero-width and private characters, and marks stacked on nothing.
    return unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"} and not c.isspace()


def tidy_code(raw: str) -> str:
    """Return a table's code as it is kept, however it was typed.  Raises Refused(NO_TABLE)."""
    if len(raw) == CODE_LENGTH and IN_CODES.issuperset(raw):  # as in links
        return raw
    code = tidy_characters(raw)
    if len(code) != CODE_LENGTH or not IN_CODES.issuperset(code):
        raise Refused(TableRefusal.NO_TABLE)
    return code


def tidy_invitation(raw: str) -> tuple[str, str]:
    """Return the code of a table, and that of an invitation that was read out with it, or "".

    Raises Refused(NO_TABLE).
    """
    plain = tidy_characters(raw)
    if len(plain) == 2 * CODE_LENGTH:
        return tidy_code(plain[:CODE_LENGTH]), plain[CODE_LENGTH:]
    return tidy_code(plain), ""


def tidy_characters(raw: str) -> str:
    """Return a code as it is kept, however it was typed."""
    return "".join(c for c in raw.upper() if c not in " -").translate(LOOKALIKES)


def grouped_code(code: str) -> str:
    """Return a code in groups, easy to read out: `7KQ4-FDM2`."""
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def code_of(random: bytes) -> str:
    """Return a table's code from 5 random bytes."""
    number = int.from_bytes(random, "big")
    return "".join(ALPHABET[number >> shift & 31] for shift in range(0, 5 * CODE_LENGTH, 5))
