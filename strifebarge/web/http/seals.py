"""Signed links: what they carry, and until when they hold."""

from collections.abc import Callable, Sequence
from time import time
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer

from strifebarge.lib.signing import timed_serializer
from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal

CONFIRM_WITHIN = 7 * 86400  # seconds


class Seals:
    """A signer of links, with a salt for each kind: none is good for anything else."""

    def __init__(self, keys: Sequence[str], now: Callable[[], float] = time):
        self.keys = list(keys)
        self._timed = timed_serializer(self.keys, "strifebarge:confirm", now)

    def off(self, address: str) -> str:
        return self._seal("off", address)

    def confirm(self, address: str) -> str:
        return str(self._timed.dumps(address))

    def feed(self, person: str, generation: int) -> str:
        return self._seal("feed", [person, generation])

    def person(self, person: str, number: int) -> str:
        return self._seal("person", [person, number])

    def answer(self, person: str, serial: int, table: str, seat: int, generation: int, question: int) -> str:
        return self._seal("answer", [person, serial, table, seat, generation, question])

    def read(self, kind: str, token: str) -> Any:
        """Return what a token says.  Raises Refused(DEAD_LINK)."""
        try:
            if kind == "confirm":
                return self._timed.loads(token, max_age=CONFIRM_WITHIN)
            return URLSafeSerializer(self.keys, salt=f"strifebarge:{kind}").loads(token)
        except (BadSignature, ValueError) as wrong:
            raise Refused(NotificationRefusal.DEAD_LINK) from wrong

    def _seal(self, kind: str, what: Any) -> str:
        return str(URLSafeSerializer(self.keys, salt=f"strifebarge:{kind}").dumps(what))
