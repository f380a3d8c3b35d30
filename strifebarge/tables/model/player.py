"""A person as tables know them: an id that is a secret, and a name."""

from hashlib import sha256

from msgspec import Struct

PAGE, PRIVATE = "page", "private"  # the preference to keep one's page to oneself, and the value that says so


class Ban(Struct, frozen=True):
    """That somebody is kept out of the site: why, since when and until when, in seconds since 1970."""

    reason: str
    since: float
    until: float | None = None  # None: until it is lifted

    def is_active(self, now: float) -> bool:
        """Return whether it has not run out."""
        return self.until is None or now < self.until


class Player(Struct):
    """Somebody, and what they are called; without a name they go by the flag of their seat."""

    id: str  # a secret: it stands for them
    name: str = ""
    created: float = 0
    preferences: dict[str, str] = {}  # what they want in every browser, unless one has been told otherwise
    gone: str = ""  # "former": of one who had themselves erased; "moved": nobody is this any more
    ban: Ban | None = None  # the last one, which may have run out

    @property
    def is_private(self) -> bool:
        """Return whether this person keeps their page to themselves and is on no leaderboard.

        It is no cookie, so that it holds wherever they sign in.
        """
        return self.preferences.get(PAGE) == PRIVATE

    @property
    def public(self) -> str:
        """The id that others know them by."""
        return public_id(self.id)


def public_id(player: str) -> str:
    """Return the id of a person's page: 64 bits of SHA-256, which do not lead back to the secret."""
    return sha256(f"person {player}".encode()).hexdigest()[:16]


def alias(player: str, among: str) -> str:
    """Return a name for somebody that means nothing elsewhere: it leads neither to them nor to their page."""
    return sha256(f"{player} among {among}".encode()).hexdigest()[:16]
