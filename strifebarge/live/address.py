"""The hub's own address on this machine: a socket in the data folder, for the site's user alone."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "hub-1.sock"  # the number is another one when packets have another form


def packet_socket() -> socket.socket:
    """Return a new socket of the kind that the hub and its clients use.

    Packets over a connection: none is torn, one may bring a descriptor, and the end of either side is seen
    at once.  A plain datagram socket holds ten packets on many systems, and then loses the next.
    """
    return socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)


@contextmanager
def within_reach(folder: Path) -> Iterator[str]:
    """Yield a path of the socket that is short enough for one, however long the folder's own is (Linux)."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}/{NAME}"
    finally:
        os.close(descriptor)


def connected(folder: Path) -> socket.socket:
    """Return a connection to the hub of this data folder.  Raises OSError where there is none."""
    connection = packet_socket()
    try:
        with within_reach(folder) as path:
            connection.connect(path)
    except BaseException:
        connection.close()
        raise
    return connection


def listening(folder: Path) -> socket.socket:
    """Return a socket at the hub's address, in place of any that was there before.  Raises OSError."""
    listener = packet_socket()
    try:
        with within_reach(folder) as path:
            temporary = f"{path}.{os.getpid()}"
            before = os.umask(0o177)  # for the site's user alone, from the first moment
            try:
                listener.bind(temporary)
            finally:
                os.umask(before)
            listener.listen(128)
            os.replace(temporary, path)
    except BaseException:
        listener.close()
        raise
    return listener


def identity(folder: Path) -> tuple[int, int] | None:
    """Return which socket lies at the address now; None if there is none."""
    try:
        stat = (folder / NAME).stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def remove(folder: Path, socket_identity: tuple[int, int] | None) -> None:
    """Remove the socket from the address, unless another hub has put its own there."""
    if socket_identity is not None and identity(folder) == socket_identity:
        (folder / NAME).unlink(missing_ok=True)
