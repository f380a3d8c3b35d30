"""A person beside the tables: their devices, their account, and how one is told from another.  Pure.

A session says which person a visitor is.  A guest is a person with neither a password nor a passkey.
"""

import re
import unicodedata
from collections.abc import Container
from datetime import UTC, datetime
from enum import StrEnum
from itertools import count

from msgspec import Struct

from strifebarge.lib.joiners import is_printable
from strifebarge.lib.lookalikes import INVISIBLE, is_reserved
from strifebarge.rules import Refusal, Refused
from strifebarge.tables.model.player import Ban, Player
from strifebarge.tables.model.table import TableRefusal

LOGIN = re.compile(r"[^\W_][\w.-]{1,28}[^\W_]")
SHORTEST, LONGEST = 8, 200  # characters of a password
CODE_LASTS = 600  # seconds in which a code for a second device may be used
MOST_PASSKEYS = 20
MOST_TOKENS = 20  # of one person, for programs
LONGEST_TOKEN_NAME = 40  # characters
LONGEST_REASON = 200  # characters of why somebody is banned
SECOND_CLICK = 600  # seconds in which a form that made a guest may be sent again without their cookie


class IdentityRefusal(Refusal):
    """Reasons why somebody is not, or does not become, who they say they are."""

    WRONG_SIGN_IN = "Wrong username or password. Please try again."
    PROVE = "Please confirm that it's you. Nothing has changed yet."
    GUARDED = (
        "Too many wrong passwords for this username. For {minutes} minutes it works only in browsers "
        "that were signed in before. A passkey, a code or a personal link still works."
    )
    WRONG_PASSWORD = "That isn't your current password. Please try again."
    WRONG_LOGIN = "A username has 3 to 30 letters and digits, with dots or dashes between them."
    LOGIN_TAKEN = "That username, or one that looks like it, is taken. Choose another one."
    WEAK = (
        "That password is too short. Use at least {least} characters; a sentence only you would think "
        "of is best."
    )
    COMMON = "That password is easy to guess. Choose another one."
    TOO_LONG = "That password is too long. Use at most {most} characters."
    NOT_ALIKE = "The two passwords are different. Please type them again."
    HAS_ACCOUNT = "You already have an account."
    NO_ACCOUNT = "You have no account yet."
    WRONG_CODE = "That code is wrong, used or too old. Make a new one on the other device."
    TWICE = (
        "You both sit at the same table ({tables}), so you can't become one player. Leave one of the "
        "seats first."
    )
    WRONG_PASSKEY = "That passkey didn't work. Please try again."
    TOO_MANY_KEYS = "You have {most} passkeys, and that's the limit. Remove one first."
    TOO_MANY_TOKENS = "You have {most} tokens, and that's the limit. Revoke one first."
    NO_SCOPE = "Choose at least one permission."
    WRONG_TOKEN_NAME = "Give the token a name of 1 to {longest} characters."
    NO_DEVICE = "That device is already signed out."
    DEAD_LINK = "That personal link no longer works: it was deleted or replaced."
    NOT_SURE = "Nothing was deleted. Tick the box to confirm."
    NOT_KNOWN = "You haven't played in this browser yet. Start a game or sign in first."
    GONE = "This person has left the site."
    BANNED = "You're banned from this site: {reason}"
    BANNED_UNTIL = "You're banned from this site until {until}: {reason}"
    NOT_BANNED = "This person isn't banned."
    NO_REASON = "Give a reason of 1 to {longest} characters."
    NOT_LATER = "That time has passed. Give a later one."

    @property
    def token(self) -> str:
        return f"who.{self.name.lower()}"


class Device(Struct):
    """A browser that is somebody.  Times are seconds since 1970, UTC; `last_seen` is exact to the day."""

    id: str  # for forms: who knows it has nothing
    player: str
    name: str  # "Firefox, Linux"
    since: float
    last_seen: float


class Account(Struct):
    """A name and a password to sign in with."""

    player: str
    login: str  # as `tidy_login` leaves it
    password: str  # its Argon2id hash
    since: float
    changed: float  # the password, seconds since 1970
    skeleton: str  # what all logins that look like this one have in common


class Passkey(Struct):
    """A key that a device or a password manager keeps; only its public half is here."""

    id: str  # base64url
    player: str
    key: bytes
    uses: int  # as the key itself counts them; many say 0 always
    name: str
    since: float
    last_used: float = 0  # 0: never


class PersonalLink(Struct):
    """A personal link, which signs its owner in anywhere.  Times are seconds since 1970."""

    player: str
    number: int  # counts the links of this person; below 1 there is none now
    created: float
    last_used: float | None = None

    @property
    def stands(self) -> bool:
        return self.number > 0


class Scope(StrEnum):
    """Something that a token for programs may do."""

    READ = "read"  # see what its person may see
    PLAY = "play"  # sit down, move, talk, leave
    TABLE = "table"  # open tables, change their settings, invite


class Token(Struct):
    """A token by which a program acts for a person; only its hash is kept.  Times: seconds since 1970."""

    id: str  # for forms: who knows it has nothing
    player: str
    hash: str  # SHA-256 of the token, hexadecimal
    name: str
    scopes: list[Scope]
    since: float
    last_used: float = 0  # exact to the day; 0: never


class FoundPerson(Struct):
    """A person whom a host of the site has looked for, and what tells them from others."""

    player: Player
    login: str | None
    tables: int  # at which anything is kept of them
    last_seen: float | None  # when a device of theirs was last used, exact to the day


class Visit(Struct):
    """A session: its person, at how many tables it is their move, and when this device was last seen."""

    player: Player
    turns: int
    last_seen: float


class ActivityRecord(Struct, frozen=True):
    """A time that is kept of somebody: of a form they sent, say, and of which table."""

    kind: str  # "here", "looked", "form", "nudged" or "code"
    table: str | None
    at: float  # seconds since 1970; of "here" and "code": until when


class PrivateNote(Struct, frozen=True):
    """A private note at a table; for one of several seats, if its author has several there."""

    table: str
    text: str
    seat: int | None = None


class TournamentEntry(Struct, frozen=True):
    """A tournament that somebody plays in or organises."""

    tournament: str
    game: str
    organiser: bool
    name: str | None  # that they play under; None: they only organise it
    withdrawn: bool = False


def new_ban(reason: str, now: float, until: float | None = None) -> Ban:
    """Return a ban that begins now.  Raises Refused: NO_REASON, NOT_LATER."""
    tidy = " ".join(reason.split())
    if not 1 <= len(tidy) <= LONGEST_REASON or not is_printable(tidy):
        raise Refused(IdentityRefusal.NO_REASON, longest=LONGEST_REASON)
    if until is not None and until <= now:
        raise Refused(IdentityRefusal.NOT_LATER)
    return Ban(tidy, now, until)


def banned(ban: Ban) -> Refused:
    """Return the refusal that tells a person that they are banned, why and until when."""
    if ban.until is None:
        return Refused(IdentityRefusal.BANNED, reason=ban.reason)
    until = datetime.fromtimestamp(ban.until, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return Refused(IdentityRefusal.BANNED_UNTIL, reason=ban.reason, until=until)


def tidy_login(raw: str) -> str:
    """Return a name to sign in with in its one form.  Raises Refused(WRONG_LOGIN)."""
    login = unicodedata.normalize("NFKC", raw[:100].strip()).casefold()
    if not LOGIN.fullmatch(login):
        raise Refused(IdentityRefusal.WRONG_LOGIN)
    return login


def tidy_password(raw: str) -> str:
    """Return a password in its one form: an é may be typed as one character or two."""
    return unicodedata.normalize("NFKC", raw[: 4 * LONGEST])


def new_login(raw: str) -> str:
    """Return a name that somebody wants to sign in with, in its one form.

    Raises Refused: WRONG_LOGIN, also where a part of it cannot be seen; RESERVED_NAME.
    """
    login = tidy_login(raw)
    if INVISIBLE.search(login):
        raise Refused(IdentityRefusal.WRONG_LOGIN)
    if is_reserved(login):
        raise Refused(TableRefusal.RESERVED_NAME)
    return login


# Whichever comes first of what a browser says of itself: most also say that they are another.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrom", "Chrome"),
    ("Safari", "Safari"),
    ("Lynx", "Lynx"),
    ("w3m", "w3m"),
    ("ELinks", "ELinks"),
    ("curl", "curl"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def device_name(agent: str) -> str:
    """Return what to call a browser, as "Firefox, Linux"; "" if it does not say."""
    parts = [next((name for mark, name in kinds if mark in agent[:400]), "") for kinds in (BROWSERS, SYSTEMS)]
    return ", ".join(name for name in parts if name)


# Who keeps passkeys, by the number (AAGUID) that those give each passkey.
KEEPERS = {
    "08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
    "53414d53-554e-4700-0000-000000000000": "Samsung Pass",
    "531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
    "6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
    "9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
    "bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
    "d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
    "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
    "fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "iCloud Keychain",
    "fdb141b2-5d84-443e-8a35-4698c205a502": "KeePassXC",
}


def passkey_name(keeper: str, agent: str, taken: Container[str]) -> str:
    """Return what to call a passkey, by its keeper and browser; with a number if that is `taken`."""
    name = ", ".join(filter(None, (KEEPERS.get(keeper, ""), device_name(agent))))
    numbered = (f"{name or 'Passkey'} ({number})" for number in count(2))
    return name if name not in taken else next(each for each in numbered if each not in taken)
