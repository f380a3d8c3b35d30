"""The forms that are being judged: a deadline has not passed for somebody whose form came before it.

The rules of a game may take long.  Each process knows its own forms; of those that take longer than a moment,
and of those that come just before a deadline, it tells the other processes through the database.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import Protocol

from msgspec import Struct

from strifebarge.lib.busy import Busy
from strifebarge.tables.model.table import Table

MADE_KNOWN_AFTER = 0.5  # seconds of judging until the other processes are told
CLOSE_TO_DEADLINE = 2.0  # seconds: a form that comes so shortly before it is made known at once
HOLDS = 15.0  # seconds for which what was told holds: should its process be killed, no longer
TOLD_AGAIN = 5.0  # seconds after which it is told again
AT_MOST = 300.0  # seconds for which a form holds up a deadline

log = logging.getLogger("strifebarge")


class JudgedForm(Struct, frozen=True):
    """A form that is being judged."""

    id: str
    table: str = ""
    player: str = ""
    arrived: float = 0.0


class FormRepository(Protocol):
    """A repository of the forms that take long.  Every method may raise Busy."""

    def keep_form(self, form: JudgedForm, until: float) -> None:
        """Make known that a form is being judged; it counts until then, in seconds since 1970."""

    def drop_form(self, id: str) -> None:
        """Note that a form is not judged any more."""

    def forms_judged(self, table: str, now: float) -> list[JudgedForm]:
        """Return the forms at a table that all processes have made known."""


class Judging:
    """The forms that are being judged: those of this process, and those that others have made known."""

    def __init__(self, store: FormRepository, now: Callable[[], float]):
        self.store = store
        self.now = now
        self.local_forms: dict[str, JudgedForm] = {}  # in this process, by id
        self.timed: set[str] = set()  # the ids of those at a table with a deadline
        self.known_until: dict[str, float] = {}  # by id: until when what the others were told holds

    @contextmanager
    def form(self, table: str, player: str, arrived: float) -> Iterator[JudgedForm]:
        """Count a form as being judged until the end of the block."""
        form = JudgedForm(token_hex(8), table, player, arrived)
        self.local_forms[form.id] = form
        try:
            yield form
        finally:
            del self.local_forms[form.id]
            self.timed.discard(form.id)
            if form.id in self.known_until:
                self._forget(form)

    def look_at(self, form: JudgedForm, table: Table) -> None:
        """Look whether a deadline may pass while a form is judged; if one is close, tell the others now."""
        if table.due is None:
            return
        self.timed.add(form.id)
        if 0 < table.due - form.arrived < CLOSE_TO_DEADLINE and form.id not in self.known_until:
            self._make_known(form)

    def others(self, table: str, but: JudgedForm | None = None) -> list[JudgedForm]:
        """Return the forms that are being judged at a table, but for one.  Raises Busy."""
        result = {form.id: form for form in self.store.forms_judged(table, self.now())}
        result |= {form.id: form for form in list(self.local_forms.values()) if form.table == table}
        return [form for form in result.values() if but is None or form.id != but.id]

    def make_known(self, now: float) -> None:
        """Tell the other processes which forms take longer than a moment; a job that is done all the time."""
        for form in list(self.local_forms.values()):
            expires = self.known_until.get(form.id, 0)
            lasts = MADE_KNOWN_AFTER <= now - form.arrived <= AT_MOST
            if form.id in self.timed and lasts and expires - now <= HOLDS - TOLD_AGAIN:
                self._make_known(form)

    def _make_known(self, form: JudgedForm) -> None:
        until = self.now() + HOLDS
        self.known_until[form.id] = until
        try:
            self.store.keep_form(form, until)
        except Busy as busy:
            log.warning("A form that is being judged could not be made known: %s", busy)
            self.known_until[form.id] = 0
        if form.id not in self.local_forms:  # it was judged meanwhile
            self._forget(form)

    def _forget(self, form: JudgedForm) -> None:
        self.known_until.pop(form.id, None)
        with suppress(Busy):  # then it holds for some seconds more
            self.store.drop_form(form.id)
