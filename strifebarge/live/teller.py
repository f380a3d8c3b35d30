"""Tells the hub of this machine what has happened, without ever waiting for it."""

import logging
import socket
from array import array
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from time import monotonic

from strifebarge.live.address import connected
from strifebarge.live.messages import MOST_BYTES, Message, SignedOut, TableChanged, TableFollowed, encode
from strifebarge.tables.model.table import Status, Table
from strifebarge.tables.view.news import Mark, table_news
from strifebarge.tournaments.news import tournament_news

log = logging.getLogger("strifebarge")

REST = 0.2  # seconds after which a hub that was away is tried again


class HubClient:
    """Sends packets to the hub; any thread may.  What cannot be sent at once is lost.

    The hub finds out by itself what it was not told, a moment later.
    """

    def __init__(self, folder: Path, mark: Mark, now: Callable[[], float] = monotonic):
        self.folder = folder
        self.mark = mark
        self.now = now
        self.versions: Callable[[list[str]], dict[str, int]] | None = None  # of tournaments
        self.connection: socket.socket | None = None
        self.tried = float("-inf")  # when it was found to be away
        self.mutex = Lock()

    def changed(self, table: Table) -> None:
        """Tell that a table was changed, as it is now in the database."""
        try:
            if self.is_there():
                self.send(TableChanged(table_news(table, self.mark), monotonic()))
                if table.tournament and table.status is Status.OVER:
                    self.tournament_changed(table.tournament)
        except Exception:  # the change is in the database, and its form was carried out
            log.exception("the hub could not be told of table %s", table.id)

    def tournament_changed(self, id: str) -> None:
        """Tell that a tournament was changed, or that a game of it has ended."""
        try:
            if self.versions and self.is_there():
                for tournament, version in self.versions([id]).items():
                    self.send(TableChanged(tournament_news(tournament, version), monotonic()))
        except Exception:  # as above
            log.exception("the hub could not be told of tournament %s", id)

    def signed_out(self, player: str, device: str | None = None) -> None:
        """Tell that a device of a person was signed out, or all of theirs."""
        self.send(SignedOut(self.mark("person", player), self.mark("device", device) if device else ""))

    def token_revoked(self, player: str, token: str) -> None:
        """Tell that a token of a person was revoked."""
        self.send(SignedOut(self.mark("person", player), self.mark("token", token)))

    def table_followed(self, player: str, token: str, table: Table) -> None:
        """Tell that a program follows a table from now on."""
        news = table_news(table, self.mark)
        self.send(TableFollowed(self.mark("person", player), self.mark("token", token), news))

    def is_there(self) -> bool:
        """Return whether there is a hub, as far as a connection tells."""
        with self.mutex:
            if self.connection is not None and _has_ended(self.connection):
                self._drop_connection()
            return self._reach() is not None

    def send(self, message: Message, descriptor: int | None = None) -> bool:
        """Send a packet, with a descriptor for the hub to have; return whether the hub will get it."""
        packet = encode(message)
        if len(packet) > MOST_BYTES:
            return False
        with self.mutex:
            # A connection may have ended since it was used last: so there is a second try on a new one.
            return self._sent(packet, descriptor) or (
                self.connection is None and self._sent(packet, descriptor)
            )

    def close(self) -> None:
        """Give up the connection."""
        with self.mutex:
            self._drop_connection()

    def _sent(self, packet: bytes, descriptor: int | None) -> bool:
        connection = self._reach()
        if connection is None:
            return False
        rights = [] if descriptor is None else [array("i", [descriptor])]
        brought = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, each) for each in rights]
        try:
            connection.sendmsg([packet], brought)
        except BlockingIOError:  # the hub is far behind
            return False
        except OSError:
            self._drop_connection()
            self.tried = float("-inf")
            return False
        return True

    def _reach(self) -> socket.socket | None:
        """Return the connection, made anew if it is not there; None while the hub is away."""
        if self.connection is None and self.now() - self.tried >= REST:
            try:
                self.connection = connected(self.folder)
            except OSError:
                self.tried = self.now()
        return self.connection

    def _drop_connection(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def _has_ended(connection: socket.socket) -> bool:
    """Return whether the other side has closed a connection; it never sends anything."""
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
