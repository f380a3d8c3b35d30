"""The door by which workers and commands tell the hub something, and hand connections over to it."""

import asyncio
import logging
import os
import socket
from array import array
from collections.abc import Callable

import msgspec

from strifebarge.live.messages import MOST_BYTES, Message, decode

log = logging.getLogger("strifebarge")

AT_ONCE = 64  # packets that one client has read before others have their turn
REST = 1.0  # seconds in which no client is taken after one could not be
RIGHTS = socket.CMSG_LEN(4 * array("i").itemsize)  # bytes in which descriptors come

MessageHandler = Callable[[Message, socket.socket | None], None]


class Door:
    """Takes packets from all clients, and gives them to `on_message`, with the connection that came along."""

    def __init__(self, listener: socket.socket, on_message: MessageHandler):
        self.listener = listener
        self.on_message = on_message
        self.clients: set[socket.socket] = set()

    def open(self) -> None:
        """Begin to take packets, in the running event loop."""
        asyncio.get_running_loop().add_reader(self.listener, self._accept)

    def close(self) -> None:
        """Take no more packets; clients see at once that the hub has gone."""
        loop = asyncio.get_running_loop()
        for each in (self.listener, *self.clients):
            loop.remove_reader(each)
            each.close()
        self.clients.clear()

    def move_to(self, listener: socket.socket) -> None:
        """Listen at another socket: somebody has removed the one there was."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(self.listener)
        self.listener.close()
        self.listener = listener
        loop.add_reader(listener, self._accept)

    def _accept(self) -> None:
        try:
            client, _ = self.listener.accept()
        except BlockingIOError:
            return
        except OSError as error:  # such as too many open files, which the listener would tell again at once
            log.error("the hub takes no client: %s", error)
            self._rest()
            return
        client.setblocking(False)
        self.clients.add(client)
        asyncio.get_running_loop().add_reader(client, self._read, client)

    def _rest(self) -> None:
        """Take no new client for a moment."""
        loop, listener = asyncio.get_running_loop(), self.listener
        loop.remove_reader(listener)

        def go_on() -> None:
            if listener is self.listener and listener.fileno() >= 0:
                loop.add_reader(listener, self._accept)

        loop.call_later(REST, go_on)

    def _read(self, client: socket.socket) -> None:
        for _ in range(AT_ONCE):
            try:
                packet, brought, _, _ = client.recvmsg(MOST_BYTES, RIGHTS)
            except BlockingIOError:
                return
            except OSError:
                packet, brought = b"", []
            if not packet:
                self._drop_client(client)
                return
            self._take(packet, connections(brought))

    def _drop_client(self, client: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(client)
        self.clients.discard(client)
        client.close()

    def _take(self, packet: bytes, came: list[socket.socket]) -> None:
        """Give a packet on; what came with it and is not wanted is closed."""
        first = came.pop(0) if came else None
        for each in came:
            each.close()
        try:
            self.on_message(decode(packet), first)
        except msgspec.DecodeError as error:
            log.error("the hub was told what it cannot read: %s", error)
            if first is not None:
                first.close()
        except Exception:  # one packet must not end the streams of all
            log.exception("the hub stumbles over a packet")


def connections(brought: list[tuple[int, int, bytes]]) -> list[socket.socket]:
    """Return the connections whose descriptors came with a packet; what is no socket is closed."""
    descriptors = array("i")
    for level, kind, data in brought:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
    taken: list[socket.socket] = []
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
        try:
            taken.append(socket.socket(fileno=descriptor))
        except OSError:
            os.close(descriptor)
    return taken
