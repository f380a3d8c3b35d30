"""Protocols of what accounts are kept in, and of what they ask the other services.

Every method may raise Busy.
"""

from typing import Any, Protocol

from strifebarge.table.audit import AuditEntry
from strifebarge.table.player import Ban, Player

from .models import Account, Device, Entered, Found, Link, Mark, Noted, Passkey, Token, Visit


class DeviceRepository(Protocol):
    """Where the devices of people are kept, and the codes by which they get more of them."""

    def player(self, id: str) -> Player | None:
        """Return a person by their secret id; None also for one who was erased or became another."""

    def devices(self, player: str) -> list[Device]:
        """Return the devices of a person, the one seen last first."""

    def add_device(self, device: Device, player: Player) -> None:
        """Keep a device, and its player if they are new.  Raises Refused(GONE)."""

    def seen(self, device: str, at: float) -> None:
        """Note when a device was last used."""

    def end_devices(self, player: str, only: str | None = None, but: str | None = None) -> int:
        """Sign out one device, all, or all but one, and return how many that were.

        With several, the codes end too.  A form that signed one of them in cannot be sent once more.
        """

    def give_code(self, hashed: str, player: str, expires: float, now: float) -> None:
        """Keep a code instead of all codes the person had."""

    def spend_code(self, hashed: str, by: str, now: float) -> str | None:
        """Return whose code it is, once; the same form (`by`) gets the same answer again."""

    def first_use(self, hashed: str, expires: float, now: float) -> bool:
        """Return whether this was never seen before; it is remembered until it expires."""


class PasskeyRepository(Protocol):
    """Where the public halves of passkeys are kept."""

    def player(self, id: str) -> Player | None: ...
    def account_of(self, player: str) -> Account | None: ...
    def first_use(self, hashed: str, expires: float, now: float) -> bool: ...

    def passkeys(self, player: str) -> list[Passkey]:
        """Return the passkeys of a person, the oldest first."""

    def passkey(self, id: str) -> Passkey | None:
        """Return a passkey by its own id."""

    def add_passkey(self, passkey: Passkey) -> None:
        """Keep a passkey.  Raises Refused: GONE, TOO_MANY_KEYS; WRONG_PASSKEY if it is kept already."""

    def used_passkey(self, id: str, before: int, uses: int, at: float) -> bool:
        """Note a use; return False if the passkey's count is no longer what it was."""

    def drop_passkey(self, player: str, id: str) -> None:
        """Delete a passkey of a person."""


class LinkRepository(Protocol):
    """Where personal links are kept."""

    def player(self, id: str) -> Player | None: ...
    def person(self, public: str) -> Player: ...

    def link_of(self, player: str) -> Link | None:
        """Return the personal link of a person."""

    def keep_link(self, link: Link) -> None:
        """Keep a personal link instead of the one they had.  Raises Refused(GONE)."""


class TokenRepository(Protocol):
    """Where the tokens of programs are kept, by their hashes."""

    def tokens(self, player: str) -> list[Token]:
        """Return the tokens of a person, the oldest first."""

    def token(self, hashed: str) -> tuple[Token, Player] | None:
        """Return the token with this hash, and its person; None if there is none."""

    def add_token(self, token: Token, form: str, expires: float) -> None:
        """Keep a token, and until a moment the hash of the form that made it, which makes no other.

        Raises Refused: GONE, TOO_MANY_TOKENS, KEY_REUSED.
        """

    def token_used(self, id: str, at: float) -> None:
        """Note when a token was last used."""

    def end_tokens(self, player: str, only: str | None = None) -> None:
        """Delete one token of a person, or all."""


class AccountRepository(DeviceRepository, PasskeyRepository, LinkRepository, Protocol):
    """Where people are kept, with all that makes them who they are."""

    def visit(self, player: str, device: str) -> Visit | None:
        """Return whose device that is; None once it was signed out."""

    def person(self, public: str) -> Player:
        """Return a person by the id of their page.  Raises Refused(NO_PERSON)."""

    def save_player(self, player: Player) -> None:
        """Keep a person, new or with a new name.  Raises Refused(GONE)."""

    def unfinished(self, player: str) -> list[str]:
        """Return the tables at which a person sits and whose game is not over."""

    def prefer(self, player: str, what: str, chosen: str) -> None:
        """Keep a preference; "" takes it back.  Raises Refused(GONE)."""

    def account(self, login: str) -> Account | None:
        """Return the account with this name to sign in with."""

    def account_of(self, player: str) -> Account | None:
        """Return the account of a person."""

    def open_account(self, account: Account, player: Player) -> None:
        """Keep an account, and whose it is.  Raises Refused: LOGIN_TAKEN, HAS_ACCOUNT, GONE."""

    def set_password(self, player: str, before: str, after: str, at: float) -> bool:
        """Keep another hash instead of the one that was read; return False if that has changed meanwhile."""

    def names_of(self, players: list[str]) -> dict[str, str]:
        """Return the names of people by their secret ids."""

    # -- what is kept of somebody ----------------------------------------------------

    def traces(self, player: str) -> list[str]:
        """Return the tables at which anything is kept of a person."""

    def said_by(self, player: str) -> list[tuple[str, str, float]]:
        """Return table, words (or the name of a phrase) and time of all they said, the oldest first."""

    def tournaments_of(self, player: str) -> list[Entered]:
        """Return the tournaments that a person plays in or organises, the oldest first."""

    def notes_of(self, player: str) -> list[Noted]:
        """Return what a person has noted for themselves."""

    def marks(self, player: str) -> list[Mark]:
        """Return every time that is kept of a person and says no more."""

    def retire(self, player: str, into: str | None, entry: AuditEntry | None = None) -> bool:
        """End a person; what is left of them becomes another's, or is erased.

        `entry`: what the audit log tells of it, where a host of the site has them erased.

        Returns False, and nothing is done, while anything is kept of them at a table or in a rating.
        Raises Refused(GONE), or HAS_ACCOUNT if one who is to become another is a guest no longer.
        """


class PeopleRepository(Protocol):
    """People as hosts of the site look after them; each act is one transaction with its entry."""

    def find(self, text: str, most: int) -> list[Found]:
        """Return the people whose name or username has these words, or whose public id it is."""

    def with_ban(self) -> list[Found]:
        """Return the people of whom a ban is kept, also one that has run out."""

    def set_ban(self, player: str, ban: Ban | None, entry: AuditEntry) -> None:
        """Keep a person's ban, or lift it.  Raises Refused(GONE)."""

    def revoke(self, player: str, now: float, entry: AuditEntry) -> None:
        """End all devices, codes, links and tokens that act for a person.  Raises Refused(GONE)."""

    def log(self, entry: AuditEntry) -> None:
        """Add an entry about something that is read."""


class EndedGames(Protocol):
    """The results of games, as accounts need them."""

    def hand_ratings_on(self, old: str, new: str) -> None:
        """Give one person's ratings to another, to whom their games have gone already."""

    def data_of(self, player: str) -> list[dict[str, Any]]:
        """Return a person's ratings, ready for JSON."""

    def record_data(self, table: str) -> dict[str, Any]:
        """Return the record of an ended game, ready for JSON.  Raises Refused(NO_TABLE, NOT_OVER)."""


class Notices(Protocol):
    """Notifications, as accounts need them."""

    def end_answer_links(self, player: str) -> None:
        """End all links sent until now by which a person's move could be made."""

    def data_of(self, player: str) -> dict[str, Any]:
        """Return what is kept of a subscriber, ready for JSON and without secrets."""
