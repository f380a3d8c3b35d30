"""What protects people: who may post, what a page may load, and how often."""

from math import ceil
from time import time
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, abort, current_app, request
from limits import RateLimitItemPerMinute
from limits.storage import storage_from_string
from limits.strategies import MovingWindowRateLimiter

from strifebarge.rules import Refusal, Refused
from strifebarge.rules.pace import DAY, HOUR, MINUTE

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
}
MAILS = 6  # mails and tests that one address may have sent in a minute
ASKED_A_DAY = 3  # times that one and the same mail address may be asked whose it is
READING = {"GET", "HEAD", "OPTIONS"}


class Guard(Refusal):
    """Why a request is not even looked at."""

    CROSS_SITE = "That form was not sent from this site, so nothing was done."
    READ_ONLY = "The server is saving space: games can be watched, not played. Nothing is lost."
    TOO_FAST = "A little slower, please. Try again in {seconds} seconds."
    ENOUGH_TODAY = "That is enough for one day. Nothing was done: try again in {hours} hours."


def prepare(app: Flask) -> None:
    app.before_request(_same_site_only)
    app.before_request(_read_only)
    app.after_request(_headers)
    app.extensions["limits"] = Limits(app.extensions["settings"])


def _same_site_only() -> None:
    """Posts come from our own pages: Sec-Fetch-Site says so, or else Origin does.

    Neither header at all means no browser that could be led astray (curl, a script).
    """
    if request.method in READING:
        return
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site:
        honest = site in ("same-origin", "none")
    else:
        honest = origin is None or urlsplit(origin).netloc == request.host
    if not honest:
        raise Refused(Guard.CROSS_SITE)


def _read_only() -> None:
    """Where nothing may be written, only what stays in the browser or leads elsewhere is carried out."""
    if not current_app.extensions["settings"].read_only or request.method in READING:
        return
    if request.endpoint not in ("lobby.prefer", "lobby.code", "curtain.uncover", "curtain.put_down"):
        raise Refused(Guard.READ_ONLY)


def _headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    if request.is_secure:
        response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    return response


class Limits:
    """How often one address may do what costs us: start games, guess codes.

    Counted in each worker by itself, each with its share, unless there is a Redis to count in.
    """

    def __init__(self, settings: Any):
        share = 1 if settings.redis_url else settings.workers
        self.limiter = MovingWindowRateLimiter(storage_from_string(settings.redis_url or "memory://"))
        self.spare = MovingWindowRateLimiter(storage_from_string("memory://"))  # while Redis is away
        self.rates = {
            "create": RateLimitItemPerMinute(ceil(settings.limit_create / share)),
            "codes": RateLimitItemPerMinute(ceil(settings.limit_codes / share)),
            "sign_in": RateLimitItemPerMinute(ceil(settings.limit_sign_in / share)),  # by an address
            "login": RateLimitItemPerMinute(ceil(settings.limit_sign_in / share), 10),  # to one name
            "device": RateLimitItemPerMinute(ceil(settings.limit_device / share), 10),
            "mail": RateLimitItemPerMinute(ceil(MAILS / share)),
            "asked": RateLimitItemPerMinute(ceil(ASKED_A_DAY / share), DAY // MINUTE),
            "import": RateLimitItemPerMinute(ceil(settings.limit_import / share), DAY // MINUTE),
        }

    def count(self, what: str, whose: str = "") -> None:
        """One more by this address, or of what is named, if it may.  Raises TOO_FAST, ENOUGH_TODAY."""
        if not self.note(what, whose):
            raise self.too_fast(what, whose)

    def note(self, what: str, whose: str = "") -> bool:
        """One more by this address; whether it was still within the limit."""
        return bool(self._ask("hit", what, whose))

    def _ask(self, question: str, what: str, whose: str = "") -> Any:
        asked = (self.rates[what], what, whose or address())
        try:
            return getattr(self.limiter, question)(*asked)
        except Exception:  # Redis has its own kinds of error, and need not be installed
            return getattr(self.spare, question)(*asked)

    def check(self, what: str) -> None:
        """Has this address had its fill already?  Raises Refused(TOO_FAST)."""
        if self.spent(what):
            raise self.too_fast(what)

    def spent(self, what: str) -> bool:
        return not self._ask("test", what)

    def too_fast(self, what: str, whose: str = "") -> Refused:
        """The refusal, and when to try again."""
        free, _ = self._ask("get_window_stats", what, whose)
        seconds = max(1, ceil(free - time()))
        if seconds > HOUR:
            return Refused(Guard.ENOUGH_TODAY, seconds=seconds, hours=ceil(seconds / HOUR))
        return Refused(Guard.TOO_FAST, seconds=seconds)


def address() -> str:
    """Whose limit it is: an IPv4 address, or the /64 an IPv6 address is in."""
    plain = request.remote_addr or "?"
    return ":".join(plain.split(":")[:4]) if ":" in plain else plain


def own_path(target: str) -> str:
    """A path of this site to go on to; anything else is a 400, never a way to another site."""
    if not target.startswith("/") or target[1:2] in ("/", "\\") or any(c < " " for c in target):
        abort(400)
    return target
