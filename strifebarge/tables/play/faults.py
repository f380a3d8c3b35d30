"""Faults of a game's code: each suspends its table; the host gets the message, and players a sentence."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Lock
from time import sleep

import msgspec

from strifebarge.ops.logs import LogEvent
from strifebarge.rules import Refused
from strifebarge.tables.library.budget import GameFault
from strifebarge.tables.model.parts import Fault
from strifebarge.tables.model.ports import Busy, TableRepository
from strifebarge.tables.model.status import RUNNING
from strifebarge.tables.model.table import FAULTY, Table, TableRefusal

log = logging.getLogger("strifebarge")

TRIES = 5  # to suspend a table while the database is busy
AGAIN = 0.5  # seconds between two of them
SOON = 2.0  # seconds that a page waits at most, so that what it says is written


def keep_fault(table: Table, fault: Fault, at: float) -> None:
    """Keep with a table what has failed in its game's code, for the host."""
    table.fault = msgspec.structs.replace(fault, at=at, number=table.position.number)


def suspend_for_fault(table: Table, fault: Fault, at: float) -> None:
    """Keep a fault with its table; suspend its game if it runs, all asked anew, and let open pages know."""
    keep_fault(table, fault, at)
    table.drop_plans(TableRefusal.MISTAKE)
    if table.status in RUNNING:
        table.suspend_for_rules(at, FAULTY)
        table.unready()
        table.version += 1
        table.times.changed = at


def tell(fault: GameFault) -> None:
    """Write a fault into the site's log, for the host."""
    details = fault.fault
    message = f"The game at table {fault.table} fails, {details.what}: {details.error}\n{details.trace}"
    log.error(LogEvent("game_fault", message, table=fault.table, what=details.what, error=details.error))


class Suspender:
    """Suspends tables in a thread of its own: a page that fails writes nothing itself.

    It waits a moment for the thread, so that the next press finds the table as the page said.  Before the
    start of the thread, and after its end, it suspends them at once.
    """

    def __init__(self, store: TableRepository, now: Callable[[], float]):
        self.store = store
        self.now = now
        self.is_read_only: Callable[[], bool] = bool
        self.waiting: dict[str, Future[bool]] = {}
        self.lock = Lock()
        self.pool: ThreadPoolExecutor | None = None

    def report(self, fault: GameFault, number: int | None = None) -> None:
        """Let a table be suspended, unless it has moved on from the position of this number.

        None: wherever it stands.
        """
        with self.lock:
            written = self.waiting.get(fault.table)
            if written is None:
                tell(fault)
                if self.pool is not None:
                    written = self.waiting[fault.table] = self.pool.submit(self.suspend, fault, number)
        if written is None:
            self.suspend(fault, number)
        else:
            wait([written], SOON)

    def start(self) -> None:
        """Begin: in the process that answers, never before a fork."""
        self.pool = self.pool or ThreadPoolExecutor(1, "suspender")

    def stop(self) -> None:
        """Wait until all that was reported is done."""
        if self.pool is not None:
            self.pool.shutdown()
            self.pool = None

    def suspend(self, fault: GameFault, number: int | None) -> bool:
        """Suspend a table as `report` does, now; return False if the database did not answer."""
        try:
            for _ in range(TRIES):
                try:
                    self._write(fault, number)
                    return True
                except Busy:
                    sleep(AGAIN)
            return False
        except Refused:  # the table is gone
            return True
        except Exception:
            log.exception("table %s could not be suspended", fault.table)
            return False
        finally:
            with self.lock:
                self.waiting.pop(fault.table, None)

    def _write(self, fault: GameFault, number: int | None) -> None:
        if self.is_read_only():
            return
        with self.store.change(fault.table) as change:
            table = change.table
            already_noted = table.faulty or (table.status not in RUNNING and table.fault is not None)
            if number in (None, table.position.number) and not already_noted:
                suspend_for_fault(table, fault.fault, self.now())
