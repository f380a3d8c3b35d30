"""A person beside the tables: their devices, their account, and how one is told from another.  Pure.

A person is whoever a session says they are.  A guest is a person with neither a password nor a passkey.
"""

import re
import unicodedata
from hashlib import sha256
from typing import Protocol

from msgspec import Struct

from strifebarge.rules import Refusal, Refused

LOGIN = re.compile(r"[^\W_][\w.-]{1,28}[^\W_]")
SHORTEST, LONGEST = 8, 200  # characters of a password
CODE_LASTS = 600  # seconds in which a code for a second device may be used
MOST_PASSKEYS = 20
SECOND_CLICK = 600  # seconds in which a form that made a guest may be sent again without their cookie


class Who(Refusal):
    """Why somebody is not, or does not become, who they say they are."""

    WRONG_SIGN_IN = "Name and password do not belong together. Nothing was done."
    WRONG_PASSWORD = "That is not your present password. Nothing was changed."
    WRONG_LOGIN = "A name to sign in with has 3 to 30 letters and digits, and dots or dashes between them."
    LOGIN_TAKEN = "Somebody signs in with that name already. Choose another."
    WEAK = "A password has at least {least} characters. A sentence that nobody else would think of is best."
    COMMON = "That password is among the first that others would guess. Choose another."
    TOO_LONG = "A password has at most {most} characters."
    NOT_ALIKE = "The two passwords are not alike. Nothing was changed."
    HAS_ACCOUNT = "You have an account already."
    NO_ACCOUNT = "You have no account yet."
    WRONG_CODE = "That code is not known here, was used, or is too old. Ask the other device for a new one."
    TWICE = "Both of you sit at a table together ({tables}), and nobody sits there twice. Nothing was done."
    WRONG_PASSKEY = "That passkey was not accepted. Nothing was done."
    TOO_MANY_KEYS = "You have {most} passkeys, which is as many as can be kept. Remove one first."
    NO_DEVICE = "That device was signed out already."
    DEAD_LINK = "That personal link is not one any more: it was ended, or another was made since."
    NOT_SURE = "Nothing was erased: the box was not ticked."
    NOT_KNOWN = "Nobody is known in this browser yet, so there is nothing to show or change."
    GONE = "This person is no longer here."

    @property
    def token(self) -> str:
        return f"who.{self.name.lower()}"


class Player(Struct):
    """Somebody, and what they are called; without a name they go by the flag of their seat."""

    id: str  # a secret: whoever had it would be them
    name: str = ""
    created: float = 0
    preferences: dict[str, str] = {}  # what they want in every browser, unless one has been told otherwise
    gone: str = ""  # "former": of one who had themselves erased; "moved": nobody is this any more

    @property
    def public(self) -> str:
        """What others know them by."""
        return public_id(self.id)


def public_id(player: str) -> str:
    """The id of a person's page: the first 64 bits of SHA-256, from which nobody gets back to the secret."""
    return sha256(f"person {player}".encode()).hexdigest()[:16]


def alias(player: str, among: str) -> str:
    """A name for somebody that means nothing elsewhere: it leads neither to them nor to their page."""
    return sha256(f"{player} among {among}".encode()).hexdigest()[:16]


class Device(Struct):
    """A browser that is somebody.  Times are seconds since 1970, UTC; `seen` is exact to the day."""

    id: str  # for forms: who knows it has nothing
    player: str
    name: str  # "Firefox, Linux"
    since: float
    seen: float


class Account(Struct):
    """What somebody signs in with."""

    player: str
    login: str  # as `tidy_login` leaves it
    password: str  # its Argon2id hash
    since: float
    changed: float  # the password, seconds since 1970


class Passkey(Struct):
    """A key that a device or a password manager keeps; only its public half is here."""

    id: str  # base64url
    player: str
    key: bytes
    uses: int  # as the key itself counts them; many say 0 always
    name: str
    since: float
    seen: float


class Link(Struct):
    """By which somebody is themselves in any browser, until there is another.  Times: seconds since 1970."""

    player: str
    number: int  # the how-manieth of theirs it is; below 1 there is none, but there were so many
    made: float
    used: float | None = None

    @property
    def stands(self) -> bool:
        return self.number > 0


class Visit(Struct):
    """Whose session it is, at how many tables it is their move, and when this device was last seen."""

    player: Player
    turns: int
    seen: float


class Mark(Struct, frozen=True):
    """A time that is kept of somebody: of a form they sent, say, and of which table."""

    kind: str  # "here", "looked", "form", "nudged" or "code"
    table: str | None
    at: float  # seconds since 1970; of "here" and "code": until when


class Noted(Struct, frozen=True):
    """What somebody has noted for themselves at a table, in the seat of theirs if they have several."""

    table: str
    text: str
    seat: int | None = None


class People(Protocol):
    """Where people, their devices and accounts are kept."""

    def visit(self, player: str, device: str) -> Visit | None:
        """Whose device that is; None once it was signed out."""

    def prefer(self, player: str, what: str, chosen: str) -> None:
        """What somebody wants everywhere; "" takes it back.  Raises Refused(GONE)."""

    def devices(self, player: str) -> list[Device]:
        """The one seen last first."""

    def add_device(self, device: Device, player: Player) -> None:
        """Keep it, and its player if nobody knows them yet.  Raises Refused(GONE)."""

    def seen(self, device: str, at: float) -> None: ...

    def end_devices(self, player: str, only: str | None = None, but: str | None = None) -> int:
        """Sign out one, all, or all but one; how many that were.  With several, their codes end too.

        No form that made them is anybody's second click any more.
        """

    def account(self, login: str) -> Account | None: ...
    def account_of(self, player: str) -> Account | None: ...

    def open_account(self, account: Account, player: Player) -> None:
        """Keep it, and whose it is.  Raises Refused(LOGIN_TAKEN, HAS_ACCOUNT, GONE)."""

    def set_password(self, player: str, before: str, after: str, at: float) -> bool:
        """Another hash instead of the one that was read; False if somebody was faster."""

    def passkeys(self, player: str) -> list[Passkey]: ...
    def passkey(self, id: str) -> Passkey | None: ...

    def add_passkey(self, passkey: Passkey) -> None:
        """Raises Refused(GONE, TOO_MANY_KEYS, WRONG_PASSKEY), the last if it is somebody's already."""

    def used_passkey(self, id: str, before: int, uses: int, at: float) -> bool:
        """False if its count is no longer what it was."""

    def drop_passkey(self, player: str, id: str) -> None: ...

    def give_code(self, hashed: str, player: str, expires: float, now: float) -> None:
        """Instead of all codes the person had."""

    def spend_code(self, hashed: str, by: str, now: float) -> str | None:
        """Whom a code makes, once; to the same form (`by`) it gives the same again."""

    def link_of(self, player: str) -> Link | None: ...

    def keep_link(self, link: Link) -> None:
        """Instead of the one they had.  Raises Refused(GONE)."""

    def first_use(self, hashed: str, expires: float, now: float) -> bool:
        """Whether this was never seen before; it is remembered until it expires."""

    def traces(self, player: str) -> list[str]:
        """The tables at which anything is kept of a person."""

    def rated_games(self, player: str) -> list[str]:
        """The games in which they have a rating."""

    def retire(self, player: str, into: str | None) -> bool:
        """Nobody is this person from now on; what is left of them becomes another's, or is erased.

        False, and nothing done, while anything is kept of them at a table or in a rating.
        Raises Refused(GONE), or HAS_ACCOUNT if one who is to become another is a guest no longer.
        """

    def said_by(self, player: str) -> list[tuple[str, str, float]]:
        """Table, words (or the name of a phrase) and time of all they said, the oldest first."""

    def notes_of(self, player: str) -> list[Noted]: ...

    def marks(self, player: str) -> list[Mark]:
        """Every time that is kept of somebody and says no more."""

    def names_of(self, players: list[str]) -> dict[str, str]: ...


def tidy_login(raw: str) -> str:
    """A name to sign in with, in one form, however it was typed.  Raises Refused(WRONG_LOGIN)."""
    login = unicodedata.normalize("NFKC", raw[:100].strip()).casefold()
    if not LOGIN.fullmatch(login):
        raise Refused(Who.WRONG_LOGIN)
    return login


def tidy_password(raw: str) -> str:
    """In one form, for an é may be typed as one sign or two."""
    return unicodedata.normalize("NFKC", raw[: 4 * LONGEST])


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
    """What to call a browser: "Firefox, Linux"; "" if it does not say.  Nothing else of it is kept."""
    found = [next((name for mark, name in kinds if mark in agent[:400]), "") for kinds in (BROWSERS, SYSTEMS)]
    return ", ".join(name for name in found if name)
