"""Holes in what is rendered once and shown many times: form keys and the time, filled in for each answer.

A form counts once, by its key; so no two answers may carry the same random key.  While a page with holes
is rendered, `form_key` leaves a hole, and `filled` puts a fresh key into each.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from struct import pack
from zlib import DEFLATED, MAX_WBITS, Z_FULL_FLUSH, compressobj, crc32

from strifebarge.web.http.request_store import APPLICATIONS, RequestStore, request_globals

HOLE = f"[{token_hex(16)} "  # a secret of this process, sent to no browser
KEY, NOW = b"key]", b"now]"  # what a hole is filled with; both of one length
KEY_HOLE, NOW_HOLE = HOLE + KEY.decode(), HOLE + NOW.decode()
KEY_BYTES = 16
GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"  # RFC 1952: deflate, no name, no time, any system
LAST_BLOCK = b"\x01\0\0\xff\xff"  # RFC 1951: it is the last, is not compressed, and holds nothing


@contextmanager
def leaving_holes() -> Iterator[None]:
    """Let everything that is rendered in this block leave holes; it must be filled before it is sent."""
    g = request_globals()
    before, g.leaves_holes = are_left(), True
    try:
        yield
    finally:
        g.leaves_holes = before


def are_left() -> bool:
    """Tell whether what is being rendered is filled afterwards."""
    g: RequestStore = APPLICATIONS.get().g
    return g.leaves_holes


def form_key() -> str:
    """Return a key of 128 random bits for a form, or the hole for one."""
    return KEY_HOLE if are_left() else token_hex(KEY_BYTES)


class Skeleton:
    """A page with holes, cut at them, to be filled for each answer by one join.

    For browsers that take gzip each part is compressed once; what fills the holes stands between them as it
    is, in blocks of its own.
    """

    __slots__ = ("_compressed", "has_keys", "has_time", "holes", "parts")

    def __init__(self, page: str):
        first, *others = page.encode().split(HOLE.encode())
        self.parts = [first, *[each[len(KEY) :] for each in others]]
        self.holes = [each[: len(KEY)] for each in others]
        self.has_keys = KEY in self.holes
        self.has_time = NOW in self.holes
        self._compressed: list[bytes] = []

    def filled(self, now: str) -> bytes:
        """Return the page with a fresh key in each hole for one, and this moment in words of programs."""
        return b"".join(_between(self.parts, self._fillings(now)))

    def pressed(self, now: str) -> bytes:
        """Return the same compressed with gzip."""
        fillings = self._fillings(now)
        if not self._compressed:
            self._compressed = list(map(_deflated, self.parts))
        check = length = 0
        for part in _between(self.parts, fillings):
            check, length = crc32(part, check), length + len(part)
        body = _between(self._compressed, list(map(_stored, fillings)))
        return b"".join((GZIP_HEAD, *body, LAST_BLOCK, pack("<II", check, length & 0xFFFFFFFF)))

    def _fillings(self, now: str) -> list[bytes]:
        moment, keys = now.encode(), _keys(len(self.holes))
        return [key if hole == KEY else moment for hole, key in zip(self.holes, keys, strict=True)]

    @property
    def bytes(self) -> int:
        """The length of what is kept, compressed too."""
        return sum(map(len, self.parts)) * 5 // 4


def _keys(number: int) -> list[bytes]:
    """Return so many keys for forms, of random bits that are asked for once."""
    digits = token_hex(KEY_BYTES * number).encode()
    return [digits[at : at + 2 * KEY_BYTES] for at in range(0, len(digits), 2 * KEY_BYTES)]


def _between(parts: list[bytes], fillings: list[bytes]) -> list[bytes]:
    """Return the parts with a filling after each but the last."""
    whole = [b""] * (len(parts) + len(fillings))
    whole[::2], whole[1::2] = parts, fillings
    return whole


def _deflated(part: bytes) -> bytes:
    """Return bytes compressed, as blocks of RFC 1951 that end where a byte ends; none is the last."""
    press = compressobj(1, DEFLATED, -MAX_WBITS)
    return press.compress(part) + press.flush(Z_FULL_FLUSH)


def _stored(filling: bytes) -> bytes:
    """Return a few bytes as a block that is not compressed."""
    return pack("<BHH", 0, len(filling), len(filling) ^ 0xFFFF) + filling
