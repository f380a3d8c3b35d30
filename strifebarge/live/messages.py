"""Messages to the hub from other processes of the site, each in one packet."""

from typing import TypeAlias

import msgspec
from msgspec import Struct

from strifebarge.tables.view.news import News

MOST_BYTES = 128 * 1024  # of a packet: a socket takes 208 KB by itself


class StreamOpened(Struct, frozen=True, tag=True):
    """A stream to take over; its connection comes with the packet.

    Person, device and address are marks.  A stranger has no person and no device.
    """

    head: bytes  # of the answer, to be sent before anything else, with what a program is told first
    person: str
    device: str
    address: str
    news: list[News]  # of the tables that the stream tells of
    spectators: list[str]  # for each table the mark of somebody who only watches it, or ""
    gone: list[str] = []  # tables that were asked for and are not there
    program: str = ""  # "sse" or "ndjson" for the stream of a program, whose token the device is


class TableChanged(Struct, frozen=True, tag=True):
    """A table that has changed."""

    news: News
    at: float = 0  # when that was written, by this machine's monotonic clock; 0 where that is not known


class SignedOut(Struct, frozen=True, tag=True):
    """A person, or one of their devices, whose streams end."""

    person: str
    device: str = ""


class TableFollowed(Struct, frozen=True, tag=True):
    """A table of which the stream of a program is to tell from now on; its token is the device."""

    person: str
    device: str
    news: News


Message: TypeAlias = StreamOpened | TableChanged | SignedOut | TableFollowed

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Message).decode  # raises msgspec.DecodeError
