"""The post: takes what is due out of the outbox and sends it.

It may be run by as many processes as there are: a letter is given to the post once, and an address is one
process's alone for a while.  Should that one die between taking and sending, another sends it after that
while; should it die between sending and noting it, the same goes out a second time, and never earlier.
"""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Protocol

import msgspec

from strifebarge.rules import Refused
from strifebarge.rules.text import pack
from strifebarge.table.letters import KEPT_FOR, Address, Letter, State, Way, held_until, put_off_until, wanted
from strifebarge.table.ports import Busy, Store
from strifebarge.table.reasons import NotTold
from strifebarge.table.table import Table

from .message import Message

__all__ = ["LEASE", "Carrier", "Message", "Post"]

LEASE = 120.0  # seconds for which an address is one process's alone
AT_ONCE = 8  # addresses that are written to at the same time
ROUND = 10.0  # seconds after which no further address is begun with
MANY = 500  # letters and addresses of one round

log = logging.getLogger("strifebarge.post")


class Carrier(Protocol):
    """How messages go in one way."""

    tries: tuple[float, ...]  # seconds until it is tried again, each time it fails; then it is given up

    def send(self, address: Address, message: Message) -> None:
        """Raises Refused, where it did not arrive."""


Wording = Callable[[Address, list[Letter], dict[str, Table]], Message]


class Post:
    """The post of one site.  To call it is one round; it takes a few seconds at most."""

    def __init__(self, store: Store, carriers: Mapping[Way, Carrier], wording: Wording):
        self.store = store
        self.outbox = store.outbox
        self.carriers = carriers
        self.wording = wording
        self.swept = 0.0

    def __call__(self, now: float) -> None:
        """One round: judge the letters that are due, send what is to be sent."""
        self.judge(now)
        self.deliver(now)
        if now - self.swept > 3600:
            self.outbox.purge(now - KEPT_FOR)
            self.swept = now

    # -- is it still to be told? ---------------------------------------------------

    def judge(self, now: float) -> None:
        """Give letters that are due to the post, if they are still true; put them off, or drop them."""
        for letter in self.outbox.due(now, MANY):
            table = self._table(letter)
            if not wanted(letter, table, now):
                self.outbox.drop([letter.id])
                continue
            looked = self.outbox.looked(letter.player, letter.table) if letter.table else None
            until = put_off_until(letter, table, now) or held_until(letter, looked, now)
            if until is not None:
                self.outbox.put_off(letter.id, until)
                continue
            reader = self.outbox.reader(letter.player)
            to = [each for each in self.outbox.addresses(letter.player) if each.state is State.WORKING]
            due = reader.when(letter.kind, now) if reader else now
            self.outbox.tell(letter, now, {address.id: due for address in to})

    def _table(self, letter: Letter) -> Table | None:
        try:
            return self.store.table(letter.table) if letter.table else None
        except Refused:
            return None

    # -- on its way -------------------------------------------------------------------

    def deliver(self, now: float) -> None:
        """Send all that is due, to several at a time: one that hangs does not keep the others waiting."""
        waiting, begun = self.outbox.ready(now, MANY), monotonic()

        def each(address: str) -> None:
            if monotonic() - begun < ROUND:
                self._to(address, now)

        with ThreadPoolExecutor(min(AT_ONCE, len(waiting)) or 1, "post") as several:
            list(several.map(each, waiting))

    def _to(self, address: str, now: float) -> None:
        """Send to one address all that is due there, as one message."""
        claimed = self.outbox.claim(address, now, now + LEASE)
        if claimed is None:
            return
        place, letters = claimed
        tables = {letter.id: self._table(letter) for letter in letters}
        stale = [letter.id for letter in letters if not wanted(letter, tables[letter.id], now)]
        letters = [letter for letter in letters if letter.id not in stale]
        if stale:
            self.outbox.drop(stale)
        if letters:
            known = {str(table.id): table for table in tables.values() if table}
            self._send(place, letters, known, now)
        else:
            self.outbox.delivered(place, [], now)

    def _send(self, place: Address, letters: list[Letter], tables: dict[str, Table], now: float) -> None:
        carrier = self.carriers.get(place.way)
        if carrier is None:  # the host has taken this way away
            return
        try:
            carrier.send(place, self.wording(place, letters, tables))
        except Busy:
            raise
        except Exception as wrong:  # a fault of ours too: one letter must not keep the others
            no = wrong if isinstance(wrong, Refused) else Refused(NotTold.FAULT)
            if no.why is NotTold.NO_BROWSER:
                self.outbox.remove_address(place.id)
                return
            log.warning("%s %s: %s", place.way, place.id, no, exc_info=None if no is wrong else wrong)
            again = place.failures < len(carrier.tries)
            later = now + carrier.tries[place.failures] if again else None
            self.outbox.failed(place, msgspec.json.encode(pack(no.text)).decode(), later, now)
        else:
            self.outbox.delivered(place, [letter.id for letter in letters], now)
