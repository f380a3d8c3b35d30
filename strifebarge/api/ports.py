"""Protocols of what the interface needs beside the services: limits, languages, statuses."""

from collections.abc import Callable, Mapping
from gettext import NullTranslations
from typing import TYPE_CHECKING, NamedTuple, Protocol

from strifebarge.ops.health import Health
from strifebarge.rules import Refusal
from strifebarge.services import Services
from strifebarge.tables.library.library import Title

if TYPE_CHECKING:
    from strifebarge.settings import Settings


class CallLimitState(NamedTuple):
    """How a limit stands for one token: what is left of it, and the seconds until there is more."""

    most: int
    left: int
    seconds: int
    shared: bool  # False where other processes count too, which this one does not see


class Limits(Protocol):
    """Counters that hold back who sends too much."""

    def note(self, what: str, whose: str = "") -> bool:
        """Count one more request of this kind; return whether it was within the limit."""

    def spent(self, what: str, whose: str = "") -> bool:
        """Return whether the limit has been used up."""

    def standing(self, what: str, whose: str = "") -> CallLimitState:
        """Return how the limit stands."""


class Language(Protocol):
    """One language, with the words of the site and of its games."""

    code: str

    def of(self, title: Title | None) -> NullTranslations: ...


class Languages(Protocol):
    """The languages of the site, by their codes."""

    def __contains__(self, code: object) -> bool: ...

    def asked_for(self, accepted: str) -> Language:
        """Return the language that an Accept-Language header asks for, or the site's usual one."""


class SecurityLog(Protocol):
    """The security log."""

    def __call__(self, status: int, why: str | None, player: str | None) -> None:
        """Note an answer: its status, the token of a refusal, and whose token of a program it was."""


class ApiServices(NamedTuple):
    """All that the interface is made of."""

    services: Services
    settings: "Settings"
    health: Health
    limits: Limits
    languages: Languages
    statuses: Mapping[Refusal, int]  # the HTTP status of each refusal; the others are 422
    log: SecurityLog
    asset: Callable[[str], str]  # the address of a file of the site, as "site.css"
    address: Callable[[], str]  # the network address of this request's sender, as limits have it

    @property
    def read_only(self) -> bool:
        """True if games can be watched only."""
        return self.services.switches.read_only
