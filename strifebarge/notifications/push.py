"""Web Push: a message for one browser, which nobody on the way can read (RFC 8030, 8291, 8292)."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from time import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02, VapidException

from strifebarge.notifications.guard import hook_at
from strifebarge.notifications.message import LINK, NotificationMessage
from strifebarge.notifications.models import Channel
from strifebarge.notifications.webhooks import Webhooks, must_be_taken
from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal

TTL = 86400  # seconds for which a push service keeps a message for a browser that is not there
SIGNED_FOR = 12 * 3600  # seconds; a day is the most that push services take
ROOM = 3500  # bytes of a message: with all that is round it, it must fit into 4 KB
GONE = (404, 410)  # how a push service says that a browser wants nothing any more


class PushSubscription(NamedTuple):
    """An address at a push service, and the keys by which only the browser can read what is sent."""

    endpoint: str
    key: bytes  # its public key, a point on P-256
    secret: bytes  # 16 bytes

    def __str__(self) -> str:
        """Return it as a channel keeps it."""
        return " ".join([self.endpoint, text_of(self.key), text_of(self.secret)])


def subscription(endpoint: str, key: str, secret: str, inner: bool) -> PushSubscription:
    """Return what a browser says of itself.  Raises Refused(WRONG_HOOK, WRONG_BROWSER)."""
    hook_at(endpoint, inner)
    try:
        parsed = PushSubscription(endpoint, bytes_of(key), bytes_of(secret))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), parsed.key)
    except (ValueError, TypeError) as wrong:
        raise Refused(NotificationRefusal.WRONG_BROWSER) from wrong
    if len(parsed.key) != 65 or len(parsed.secret) != 16:
        raise Refused(NotificationRefusal.WRONG_BROWSER)
    return parsed


class Push:
    """Sends to browsers.  `key` tells the site's private key, by which push services know it again."""

    tries = (60.0, 600.0, 3600.0)  # seconds until it is tried again

    def __init__(self, hooks: Webhooks, key: Callable[[], str], sender: str, now: Callable[[], float] = time):
        self.hooks = hooks
        self.key = key
        self.sender = sender  # mailto:… or https://…: whom a push service may ask about us
        self.now = now

    def send(self, channel: Channel, message: NotificationMessage) -> None:
        """Send a message to a browser.

        Raises Refused where it did not arrive; NO_BROWSER where nothing ever will again.
        """
        endpoint, key, secret = channel.address.split()
        body = http_ece.encrypt(
            words_of(message),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=bytes_of(key),
            auth_secret=bytes_of(secret),
            version="aes128gcm",
        )
        headers = {
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(TTL),
            "Topic": message.id,  # should it go out twice, the second takes the place of the first
            **self.signed(endpoint),
        }
        status = self.hooks.post(endpoint, headers, body)
        if status in GONE:
            raise Refused(NotificationRefusal.NO_BROWSER)
        must_be_taken(status)

    def signed(self, endpoint: str) -> dict[str, str]:
        """Return the headers that prove to this push service, for some hours, that this site sends it."""
        where = urlsplit(endpoint)
        vapid = Vapid02(Vapid02.from_raw(self.key().encode()).private_key, {"no-strict": True})
        claims: dict[str, Any] = {
            "aud": f"{where.scheme}://{where.netloc}",
            "exp": int(self.now()) + SIGNED_FOR,
            "sub": self.sender,
        }
        try:
            return dict(vapid.sign(claims))
        except VapidException as wrong:  # such as a bare address, which is none of a push service
            raise Refused(NotificationRefusal.WRONG_HOOK) from wrong


def words_of(message: NotificationMessage) -> bytes:
    """Return what the browser's service worker shows, as JSON: sentence, other lines, and link."""
    lines = [line for line in message.short.splitlines() if not LINK.fullmatch(line)]
    payload = {
        "title": lines[0] if lines else "StrifeBarge",
        "body": "\n".join(lines[1:]),
        "link": message.link,
        "tag": message.id,
    }
    while len(encoded := json.dumps(payload, ensure_ascii=False).encode()) > ROOM:
        longest = max(("title", "body"), key=lambda part: len(payload[part]))
        payload[longest] = payload[longest][: len(payload[longest]) // 2]
    return encoded


def new_key() -> str:
    """Make a private key for a site, as settings and the database keep it: 32 bytes as base64url."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return text_of(number.to_bytes(32, "big"))


def public_key(private: str) -> str:
    """Return the public half of a private key, as browsers need it."""
    key = Vapid02.from_raw(private.encode()).public_key
    return text_of(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def text_of(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def bytes_of(text: str) -> bytes:
    """Decode base64url without padding.  Raises ValueError."""
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
