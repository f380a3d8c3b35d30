"""Web Push: what a push service is sent, whom it is from, and that the browser alone can read it."""

import json
import os
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from hashlib import sha256
from time import time
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from strifebarge.notifications.dispatch import NotificationMessage
from strifebarge.notifications.models import Channel, ChannelKind
from strifebarge.notifications.push import Push, PushSubscription, new_key, public_key, subscription, text_of
from strifebarge.notifications.webhooks import Webhooks
from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal
from tests.support.listening import Door, answering

MESSAGE = NotificationMessage(
    id="0123456789abcdef0123456789abcdef",
    subject="It's your turn in Chess",
    text="long",
    short="It's your turn in Chess with Zoë.\nhttp://a.co plays e4.\nhttps://games.example.org/g/1",
    link="https://games.example.org/g/1",
)


def raw(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """One that wants to be told: it alone has the private half of its key."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.public = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.secret = os.urandom(16)

    def at(self, endpoint: str) -> str:
        return str(PushSubscription(endpoint, self.public, self.secret))

    def reads(self, body: bytes) -> Any:
        """What a message says, undone step by step as RFC 8291 and 8188 have it."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert length == 65
        assert len(sealed) <= size <= 4096
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.private.exchange(ec.ECDH(), theirs)
        first = derived(shared, self.secret, b"WebPush: info\0" + self.public + sender, 32)
        key = derived(first, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(first, salt, b"Content-Encoding: nonce\0", 12)
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain.endswith(b"\x02")  # the last record, and the only one
        return json.loads(plain[:-1])


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


@pytest.fixture
def service() -> Iterator[Door]:
    with answering(Door()) as running:
        yield running


KEY = new_key()
PUSH = Push(Webhooks(inner=True), lambda: KEY, "mailto:games@example.org")


def sent(
    service: Door, browser: Browser, message: NotificationMessage = MESSAGE
) -> tuple[dict[str, str], bytes]:
    place = browser.at(f"{service.url}/push/some-browser")
    PUSH.send(Channel(id="a", player="ann", kind=ChannelKind.PUSH, address=place), message)
    path, headers, body = service.brought[-1]
    assert path == "/push/some-browser"
    return headers, body


def test_the_browser_alone_can_read_what_is_sent(service: Door) -> None:
    browser = Browser()
    headers, body = sent(service, browser)
    assert browser.reads(body) == {
        "title": "It's your turn in Chess with Zoë.",
        "body": "http://a.co plays e4.",
        "link": "https://games.example.org/g/1",
        "tag": MESSAGE.id,
    }
    assert headers["Content-Encoding"] == "aes128gcm"
    assert headers["TTL"] == "86400"
    assert headers["Topic"] == MESSAGE.id
    assert b"Chess" not in body
    with pytest.raises(InvalidTag):
        Browser().reads(body)


def test_no_two_messages_are_sealed_alike(service: Door) -> None:
    browser = Browser()
    bodies = {sent(service, browser)[1] for _ in range(5)}
    assert len(bodies) == len({body[:16] for body in bodies}) == len({body[21:86] for body in bodies}) == 5


def test_the_longest_message_fits(service: Door) -> None:
    browser = Browser()
    long = NotificationMessage(
        id="1" * 32, subject="", text="", short="🂡" * 900 + "\n" + "🂡" * 9000, link=MESSAGE.link
    )
    headers, body = sent(service, browser, long)
    assert len(body) <= 4096
    assert int(headers["Content-Length"]) == len(body)
    assert set(browser.reads(body)["title"]) == {"🂡"}
    assert browser.reads(body)["link"] == MESSAGE.link
    assert browser.reads(
        sent(service, browser, NotificationMessage(id="", subject="", text="", short="", link=""))[1]
    )


def test_the_push_service_knows_whom_it_is_from(service: Door) -> None:
    headers, _ = sent(service, Browser())
    scheme, _, rest = headers["Authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", public_key(KEY))
    signed, _, signature = parts["t"].rpartition(".")
    head, claims = (json.loads(raw(part)) for part in signed.split("."))
    assert head["alg"] == "ES256"
    assert claims["aud"] == service.url
    assert claims["sub"] == "mailto:games@example.org"
    assert time() < claims["exp"] <= time() + 86400
    both = raw(signature)
    numbers = encode_dss_signature(int.from_bytes(both[:32], "big"), int.from_bytes(both[32:], "big"))
    sender_key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(parts["k"]))
    sender_key.verify(numbers, signed.encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (404, NotificationRefusal.NO_BROWSER),
        (410, NotificationRefusal.NO_BROWSER),
        (400, NotificationRefusal.REFUSED),
        (403, NotificationRefusal.REFUSED),
        (413, NotificationRefusal.REFUSED),
        (429, NotificationRefusal.REFUSED),
        (302, NotificationRefusal.REFUSED),
        (500, NotificationRefusal.REFUSED),
    ],
)
def test_a_browser_that_is_gone_is_told_from_a_service_in_trouble(
    service: Door, answer: int, why: NotificationRefusal
) -> None:
    service.answer = answer
    with pytest.raises(Refused) as no:
        sent(service, Browser())
    assert no.value.why is why


def test_no_push_leads_into_the_servers_own_networks() -> None:
    guarded = Push(Webhooks(), lambda: KEY, "mailto:games@example.org")
    for endpoint in ("https://127.0.0.1/x", "https://[::1]/x", "https://10.0.0.1/x", "http://example.org/x"):
        with pytest.raises(Refused) as no:
            guarded.send(
                Channel(id="a", player="a", kind=ChannelKind.PUSH, address=Browser().at(endpoint)), MESSAGE
            )
        assert no.value.why in (NotificationRefusal.INNER, NotificationRefusal.WRONG_HOOK)


OTHER = text_of(Browser().public), text_of(os.urandom(16))


@pytest.mark.parametrize(
    ("endpoint", "key", "secret", "why"),
    [
        ("http://push.example.org/x", *OTHER, NotificationRefusal.WRONG_HOOK),
        ("https://push.example.org/a b", *OTHER, NotificationRefusal.WRONG_HOOK),
        ("", *OTHER, NotificationRefusal.WRONG_HOOK),
        ("https://push.example.org/x", "", OTHER[1], NotificationRefusal.WRONG_BROWSER),
        ("https://push.example.org/x", "é", OTHER[1], NotificationRefusal.WRONG_BROWSER),
        (
            "https://push.example.org/x",
            text_of(b"\x04" + bytes(64)),
            OTHER[1],
            NotificationRefusal.WRONG_BROWSER,
        ),
        (
            "https://push.example.org/x",
            text_of(sha256(b"").digest()),
            OTHER[1],
            NotificationRefusal.WRONG_BROWSER,
        ),
        ("https://push.example.org/x", OTHER[0], "", NotificationRefusal.WRONG_BROWSER),
        ("https://push.example.org/x", OTHER[0], text_of(b"x" * 17), NotificationRefusal.WRONG_BROWSER),
    ],
    ids=range(9),  # for keys are others in each process
)
def test_what_no_browser_says_is_not_taken(
    endpoint: str, key: str, secret: str, why: NotificationRefusal
) -> None:
    with pytest.raises(Refused) as no:
        subscription(endpoint, key, secret, inner=False)
    assert no.value.why is why


def test_what_a_browser_says_is_kept_and_read_again() -> None:
    read = subscription("https://push.example.org/x", *OTHER, inner=False)
    endpoint, key, secret = str(read).split()
    assert (endpoint, key, secret) == ("https://push.example.org/x", *OTHER)


def test_a_new_key_is_of_the_kind_that_settings_take() -> None:
    for _ in range(20):
        key = new_key()
        assert len(key) == 43
        assert len(raw(public_key(key))) == 65
