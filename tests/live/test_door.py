"""What comes with a packet to the hub is a connection, or is closed."""

import os
import socket
from array import array
from contextlib import closing

from strifebarge.live.door import connections


def test_a_descriptor_that_is_no_connection_is_closed() -> None:
    one, other = socket.socketpair()
    reading, writing = os.pipe()
    with closing(other), os.fdopen(writing, "wb"):
        came = array("i", [reading, one.detach()]).tobytes()
        [taken] = connections([(socket.SOL_SOCKET, socket.SCM_RIGHTS, came)])
        with closing(taken):
            taken.send(b"hello")
            assert other.recv(9) == b"hello"
        try:
            os.fstat(reading)
        except OSError:
            return
    raise AssertionError("the pipe is still open")
