"""Passkeys of a browser, made as the WebAuthn specification says."""

import json
import os
import re
from base64 import urlsafe_b64encode
from hashlib import sha256
from html import unescape
from typing import Any, NamedTuple

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from tests.support.visitor import Page

HOST = "games.example.org"
URL = f"https://{HOST}"


class Passkey(NamedTuple):
    """A passkey with its private key."""

    id: bytes
    private: ec.EllipticCurvePrivateKey

    @classmethod
    def new(cls) -> "Passkey":
        return cls(os.urandom(16), ec.generate_private_key(ec.SECP256R1()))

    def _data(self, flags: int, uses: int) -> bytes:
        return sha256(HOST.encode()).digest() + bytes([flags]) + uses.to_bytes(4, "big")

    def _said(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": URL}).encode()

    def made(self, options: dict[str, Any]) -> str:
        """Return the answer to a page that asks for a new key."""
        numbers = self.private.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})  # COSE: an ES256 key
        named = b"\0" * 16 + len(self.id).to_bytes(2, "big") + self.id + public
        attested = {"fmt": "none", "attStmt": {}, "authData": self._data(0x45, 0) + named}
        response = {
            "clientDataJSON": b64(self._said("webauthn.create", options["challenge"])),
            "attestationObject": b64(cbor2.dumps(attested)),
        }
        return self._answer(response)

    def signed(self, options: dict[str, Any], uses: int) -> str:
        """Return the answer to a page that asks who somebody is."""
        client_data, data = self._said("webauthn.get", options["challenge"]), self._data(0x05, uses)
        signature = self.private.sign(data + sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": b64(client_data),
            "authenticatorData": b64(data),
            "signature": b64(signature),
        }
        return self._answer(response)

    def _answer(self, response: dict[str, str]) -> str:
        id = b64(self.id)
        return json.dumps({"id": id, "rawId": id, "type": "public-key", "response": response})


def b64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def passkey_options(page: Page) -> dict[str, Any]:
    """Return what a page asks of the browser's keeper of passkeys."""
    match = re.search(r'data-passkey="([^"]*)"', page.text) or re.search(r"data-passkey='([^']*)'", page.text)
    assert match, page.words
    options: dict[str, Any] = json.loads(unescape(match[1]))
    return options
