"""Protection of requests: who may post, what a page may load, and how often."""

import logging
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache, partial
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import Any, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, abort, current_app, request
from limits import RateLimitItemPerMinute
from limits.storage import Storage
from limits.strategies import MovingWindowRateLimiter
from werkzeug.exceptions import HTTPException

from strifebarge.lib.circuit import CircuitBreaker
from strifebarge.lib.waited import must_have_place
from strifebarge.notifications.service import QUESTIONS_A_DAY
from strifebarge.ops.metrics import count
from strifebarge.rules import Refusal, Refused
from strifebarge.rules.pace import DAY, HOUR, MINUTE
from strifebarge.tournaments.models import MOST_ENTRANTS
from strifebarge.web.http.counting import MemoryCounters
from strifebarge.web.http.request_store import this_app, this_request

POLICY = "; ".join(
    [
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self' data:",
        "script-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-src 'self'",
        "frame-ancestors 'self'",
        "base-uri 'none'",
        "manifest-src 'self'",
    ]
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
BY_TLS = {"Strict-Transport-Security": "max-age=31536000"}
REDIS_RESTS = 5.0  # seconds in which a Redis that failed is not asked again
# How many times what one address may try in a minute, all together may try wrongly for one name in an hour.
GUARDED = 10
LONGEST_ADDRESS = 60  # characters of an address that is remembered: a proxy may hand on anything
JOINS, LINES = 3, 6  # how many times as many tables joined, and messages sent, as games started
ENTRANTS = MOST_ENTRANTS * 3 // 4  # of one tournament that one address may enter in a day
TOKENS = 10  # how many times as many calls as one token all tokens of one address may make
PICTURES = 60  # pictures that one address may have drawn in a minute
MAILS = 6  # mails and tests that one address may have sent in a minute
WITH_PORT = re.compile(r"\[(?P<v6>[^\]]*)\](:\d+)?|(?P<v4>[\d.]+):\d+")  # as in X-Forwarded-For
HARMLESS = {"lobby.prefer", "lobby.code", "curtain.uncover", "curtain.put_down"}  # while it is read-only
READING = {"GET", "HEAD", "OPTIONS"}
# Web mail posts here from its own pages (RFC 8058).  The signed link alone says what may be done.
FROM_OTHER_SITES = {"notices.off"}


log = logging.getLogger("strifebarge")


class RequestRefusal(Refusal):
    """Reasons to refuse a request before anything else is looked at."""

    CROSS_SITE = "That form came from another site, so we ignored it. Go back and try again."
    READ_ONLY = "The server is read-only right now. You can watch games, but not play. Nothing is lost."
    BUSY = "The server is busy. Press again: it counts only once."
    NO_STREAM = "Live updates are off right now; the page checks by itself."
    DISK_FULL = "The server's disk is full. Try again in a minute: it counts only once."
    TOO_FAST = "That was too fast. Try again in {seconds} seconds."
    NO_HOST_LINK = "This link is unknown, was used, or has run out. `strifebarge host-link` makes another."
    NO_HOST_ACT = "That doesn't work here. Go back and choose again."
    NO_TEXT = "Give a text of 1 to {longest} characters."
    WRONG_END = "That isn't a time. Write it like 2030-12-31 18:00."
    WRONG_MOVE = "Write the number of a move, like 12. 0 is the deal."
    NEWER_RULES = "Its rules have changed. Install the old ones, or rewind or end the game."
    ENOUGH_TODAY = "You've reached today's limit. Try again in {hours} hours."

    @property
    def token(self) -> str:
        return f"web.{self.name.lower()}"


def prepare(app: Flask) -> None:
    app.before_request(must_have_place)
    app.before_request(_same_site_only)
    app.before_request(_read_only)


class SecurityMiddleware:
    """A WSGI application round another, whose answers have all headers of security."""

    def __init__(self, site: WSGIApplication):
        self.site = site

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        security_headers = HEADERS | BY_TLS if environ["wsgi.url_scheme"] == "https" else HEADERS

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            there = {name.lower() for name, _ in headers}
            more = [each for each in security_headers.items() if each[0].lower() not in there]
            return start_response(status, [*headers, *more], exc_info)

        return self.site(environ, start)


def _same_site_only() -> None:
    """Refuse posts that do not come from our own pages, by Sec-Fetch-Site or else Origin.

    Neither header at all means no browser that could be led astray (curl, a script).
    """
    request = this_request()
    if request.method in READING or request.endpoint in FROM_OTHER_SITES:
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site:
        honest = site in ("same-origin", "none")
    else:
        honest = origin is None or _parts(origin).netloc == request.host
    if not honest:
        raise Refused(RequestRefusal.CROSS_SITE)


def _read_only() -> None:
    """Refuse forms that would write while the site is read-only, but for those of its hosts."""
    request, site = this_request(), this_app().extensions
    read_only = site["settings"].read_only or site["services"].switches.read_only
    if not read_only or request.method in READING:
        return
    if request.blueprint != "host" and request.endpoint not in HARMLESS:
        raise Refused(RequestRefusal.READ_ONLY)


class LimitState(NamedTuple):
    """How a limit stands here: how many there are, what is left, and the seconds until there is more."""

    most: int
    left: int
    seconds: int
    shared: bool  # False where other workers count too, which this one does not see


_rate = lru_cache(64)(RateLimitItemPerMinute)


class Limits:
    """How often one address may do what costs us: start games, guess codes.

    Counted in each worker by itself, each with its share, unless there is a Redis to count in that answers.
    """

    def __init__(self, settings: Any, now: Callable[[], float], counters: Storage | None = None):
        self.now = now
        self.workers = settings.workers
        self.shared = MovingWindowRateLimiter(counters) if counters else None
        self.own = MovingWindowRateLimiter(MemoryCounters(now))  # also while Redis is away
        self.circuit = CircuitBreaker(REDIS_RESTS, _redis_changed)
        # How often, and in how many minutes.
        self.rates = {
            "create": (settings.limit_create, 1),
            "join": (JOINS * settings.limit_create, 1),
            "enter": (ENTRANTS, DAY // MINUTE),  # one tournament
            "talk": (LINES * settings.limit_create, 1),
            "codes": (settings.limit_codes, 1),
            "sign_in": (settings.limit_sign_in, 1),  # by an address
            "login": (settings.limit_sign_in, 10),  # by an address, to one name
            "known": (settings.limit_sign_in, 10),  # in a browser that is known for a name, to that
            "guarded": (GUARDED * settings.limit_sign_in, 60),  # wrong ones, to one name, from all others
            "device": (settings.limit_device, 10),
            "mail": (MAILS, 1),
            "asked": (QUESTIONS_A_DAY, DAY // MINUTE),
            "pictures": (PICTURES, 1),
            "import": (settings.limit_import, DAY // MINUTE),
            "bots": (settings.limit_bots, DAY // MINUTE),
            "api": (settings.limit_api, 1),  # calls by a token
            "calls": (TOKENS * settings.limit_api, 1),  # calls by an address
            "tokens": (settings.limit_sign_in, 1),  # wrong ones, by an address
        }

    def count(self, what: str, whose: str = "") -> None:
        """Count one more request by this address or key.  Raises Refused: TOO_FAST, ENOUGH_TODAY."""
        if not self.note(what, whose):
            raise self.too_fast(what, whose)

    def note(self, what: str, whose: str = "") -> bool:
        """Count one more request by this address; tell whether it was within the limit."""
        return self._within("hit", what, whose)

    def _within(self, question: str, what: str, whose: str) -> bool:
        """Return whether one more request is within a limit; take note where it is not."""
        allowed = bool(self._ask(question, what, whose))
        if not allowed:
            count.limits.labels(what).inc()
        return allowed

    def _ask(self, question: str, what: str, whose: str = "") -> Any:
        most, minutes = self.rates[what]
        whose = whose or address()
        if self.shared:
            call = partial(getattr(self.shared, question), _rate(most, minutes), what, whose)
            with suppress(Exception):  # Redis has its own kinds of error, and need not be installed
                return self.circuit.ask(call)
        return getattr(self.own, question)(_rate(self._share(what), minutes), what, whose)

    def _share(self, what: str) -> int:
        """Return how much of a limit this worker allows where each counts by itself."""
        most, _ = self.rates[what]
        share: int = ceil(most / self.workers)
        return share

    def away(self) -> list[str]:
        """Return the names of what the site does without for now."""
        try:
            self.circuit.ask(self._must_answer)
        except Exception:
            return ["redis"]
        return []

    def _must_answer(self) -> None:
        if self.shared and not self.shared.storage.check():
            raise ConnectionError("no answer to PING")

    def check(self, what: str) -> None:
        """Refuse an address that has used up its limit already.  Raises Refused(TOO_FAST)."""
        if self.spent(what):
            raise self.too_fast(what)

    def spent(self, what: str, whose: str = "") -> bool:
        """Return whether this address or key has used up its limit."""
        return not self._within("test", what, whose)

    def standing(self, what: str, whose: str = "") -> LimitState:
        """Return how a limit stands for an address or key."""
        free, left = self._ask("get_window_stats", what, whose)
        in_redis = self.shared is not None and not self.circuit.failed
        most = self.rates[what][0] if in_redis else self._share(what)
        seconds = max(1, ceil(free - self.now()))
        return LimitState(most, max(0, left), seconds, in_redis or self.workers == 1)

    def too_fast(self, what: str, whose: str = "") -> Refused:
        """Return the refusal, with the seconds until the next try."""
        free, _ = self._ask("get_window_stats", what, whose)
        seconds = max(1, ceil(free - self.now()))
        if seconds > HOUR:
            return Refused(RequestRefusal.ENOUGH_TODAY, seconds=seconds, hours=ceil(seconds / HOUR))
        return Refused(RequestRefusal.TOO_FAST, seconds=seconds)


def _redis_changed(why: Exception | None) -> None:
    if why is None:
        log.warning("Redis answers again: limits are counted for all workers together")
    else:
        log.warning("Redis does not answer, so each worker counts limits by itself: %s", why)


def address() -> str:
    """Return whose limit it is: an IPv4 address, the /64 of an IPv6 address, or "?" for no address."""
    host = this_request().remote_addr or ""
    return _cached_address(host) if len(host) <= LONGEST_ADDRESS else _whose(host)


def _whose(host: str) -> str:
    if match := WITH_PORT.fullmatch(host):  # some proxies name the port too
        host = match["v6"] or match["v4"]
    try:
        ip = ip_address(host)
    except ValueError:
        return "?"
    if isinstance(ip, IPv6Address):
        # A household or a server has a /64 of addresses at its free disposal.
        return str(ip.ipv4_mapped or IPv6Address(int(ip) >> 64 << 64))
    return str(ip)


_cached_address = lru_cache(1024)(_whose)  # to read an address took 2 % of a page


def own_path(target: str) -> str:
    """Return a path of this site to go on to; abort with 400 for anything else, never leave the site."""
    if not target.startswith("/") or target[1:2] in ("/", "\\") or any(c < " " for c in target):
        abort(400)
    return target


def came_from() -> str:
    """Return the page that a form was sent from, by its Referer; the site's first page if there is none.

    A page that answered a form cannot be fetched again: then it is the page above it, the table.
    """
    sent = _parts(request.referrer or "")
    path = sent.path.removeprefix(request.script_root) if sent.netloc == request.host else ""
    query = f"?{sent.query}" if sent.query else ""
    while path and not _can_be_fetched(path):
        path, query = path.rpartition("/")[0], ""
    return f"{request.script_root}{path or '/'}{query}"


def _parts(address: str) -> SplitResult:
    """Return the parts of an address that came with a request; none of what is no address."""
    try:
        return urlsplit(address)
    except ValueError:  # a bracket alone
        return urlsplit("")


def _can_be_fetched(path: str) -> bool:
    try:
        current_app.create_url_adapter(request).match(unquote(path), method="GET")  # type: ignore[union-attr]
    except HTTPException:
        return False
    return True
