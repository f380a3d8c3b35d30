"""The lane of forms: in each worker only some threads carry out forms, and pages have the others.

Forms may have to wait for the database.  If all threads did, nobody could be shown a page meanwhile.  A form
that finds the lane full waits without a thread, and is turned away if that takes too long.  Of the forms at
one table one is carried out at a time, so that a table that is locked, or slow, holds up no other.  Forms of
people who sit at a table come before those of strangers there.
"""

import re
from collections.abc import Callable, Iterable
from threading import Lock, local
from time import monotonic
from typing import Any
from urllib.parse import unquote
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from gunicorn.http.body import ChunkedReader
from gunicorn.http.errors import ParseException

from strifebarge.lib.costly import HOLD
from strifebarge.lib.waited import note_oldest, note_turned_away, queue_time_set
from strifebarge.server.senders import sits_at
from strifebarge.server.sending import SendingWorker
from strifebarge.tables.model.names import tidy_characters
from strifebarge.web.http.guard import READING

LONGEST = 500  # forms that wait in one worker: the site takes more than 100 a second
STRANGERS = 50  # forms of strangers to one table that wait in one worker
PATIENCE = 5.0  # seconds that a form waits in the lane
AT_A_TABLE = re.compile(r"/(?:g|tables)/([^/]+)/")  # in the path of a form
PARKED = object()  # what a thread returns for a connection whose form waits


class QueuedForm:
    """A request that may write, with the connection that it came by."""

    def __init__(self, connection: Any, request: Any):
        self.connection = connection
        self.request = request
        self.came = connection.arrived
        self.queued = monotonic()
        match = AT_A_TABLE.search(request.path)
        self.table = tidy_characters(unquote(match[1])) if match else ""
        self.seated = False  # whether its sender is known to sit at the table
        self.has_place = False
        self.in_vain = False  # it has waited for too long, or too many others wait


class Lane:
    """Lets some forms in at once, the others in the order in which they came."""

    def __init__(self, places: int, worker: int = 0):
        self.free = places
        self.worker = worker
        self.waiting: list[QueuedForm] = []
        self.tables: set[str] = set()  # at which a form is being carried out
        self.forms: dict[QueuedForm, None] = {}  # those that are carried out or wait, the oldest first
        self.mutex = Lock()

    def enter(self, form: QueuedForm, is_seated: Callable[[QueuedForm], bool]) -> bool:
        """Let a form in, or turn it away; return False if it has to wait.

        Whether its sender sits at the table is asked only where it cannot be let in at once.
        """
        with self.mutex:
            if self._may_enter(form):
                self._let_in(form)
                return True
        form.seated = is_seated(form)
        with self.mutex:
            if self._may_enter(form):
                self._let_in(form)
            elif self._is_full_for(form):
                form.in_vain = True
            else:
                self._line_up(form)
        return form.has_place or form.in_vain

    def leave(self, form: QueuedForm) -> list[QueuedForm]:
        """Forget a form, and give up its place if it has one; return the forms that are let in for it."""
        with self.mutex:
            self.forms.pop(form, None)
            self._note_oldest()
            if not form.has_place:
                return []
            self.free += 1
            self.tables.discard(form.table)
            admitted = []
            for other in self.waiting:
                if self._may_enter(other):
                    self._let_in(other)
                    admitted.append(other)
            self._forget(admitted)
        return admitted

    def overdue(self, now: float) -> list[QueuedForm]:
        """Return the forms that have waited for too long: they wait no more, and are turned away."""
        if not self.waiting:
            return []
        with self.mutex:
            expired = [form for form in self.waiting if now - form.queued >= PATIENCE]
            self._forget(expired)
            for form in expired:
                form.in_vain = True
        return expired

    def _note_oldest(self) -> None:
        note_oldest(self.worker, next(iter(self.forms)).came if self.forms else 0)

    def _may_enter(self, form: QueuedForm) -> bool:
        return self.free > 0 and form.table not in self.tables

    def _let_in(self, form: QueuedForm) -> None:
        self.free -= 1
        form.has_place = True
        if form.table:
            self.tables.add(form.table)
        self._add(form)

    def _is_full_for(self, form: QueuedForm) -> bool:
        if form.table and not form.seated and len(self._strangers(form.table)) >= STRANGERS:
            return True
        return len(self.waiting) >= LONGEST

    def _line_up(self, form: QueuedForm) -> None:
        """Put a form last, or before those of strangers to the table at which its sender sits."""
        strangers = self._strangers(form.table) if form.seated else []
        self.waiting.insert(self.waiting.index(strangers[0]) if strangers else len(self.waiting), form)
        self._add(form)

    def _strangers(self, table: str) -> list[QueuedForm]:
        return [form for form in self.waiting if form.table == table and not form.seated]

    def _add(self, form: QueuedForm) -> None:
        self.forms[form] = None
        self._note_oldest()

    def _forget(self, forms: list[QueuedForm]) -> None:
        if forms:
            self.waiting = [form for form in self.waiting if form not in forms]


class ReplayedParser:
    """A connection's parser that first gives a request that was read from it before."""

    def __init__(self, form: QueuedForm):
        self.form = form
        self.parser = form.connection.parser

    def __next__(self) -> Any:
        self.form.connection.parser = self.parser
        return self.form.request


class WholeChunks:
    """Reads a body in chunks; what is wrong in it is for readers as if the connection had been lost.

    gunicorn's own errors are none that a WSGI application could know.
    """

    def __init__(self, reader: Any):
        self.reader = reader

    def __getattr__(self, name: str) -> Any:
        return getattr(self.reader, name)

    def read(self, size: int) -> Any:
        """Return the next bytes of the body.  Raises OSError where a chunk cannot be read."""
        try:
            return self.reader.read(size)
        except ParseException as wrong:
            raise OSError(str(wrong)) from wrong


class LaneWorker(SendingWorker):
    """A gthread worker in which forms leave half of the threads to pages."""

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.lane = Lane(max(1, self.cfg.threads // 2), self.age)
        self.here = local()  # `form`: what this thread carries out; `parked`: whether that has to wait

    def load_wsgi(self) -> None:
        """Make the site, and watch whether it is too busy for a form."""
        super().load_wsgi()
        if isinstance(self.wsgi, Flask):
            self.wsgi.wsgi_app = self.noting_busy(self.wsgi.wsgi_app)  # type: ignore[assignment, method-assign]

    def noting_busy(self, site: WSGIApplication) -> WSGIApplication:
        """Return a site that notes that it turned a player's form away, and holds back what is to wait."""

        def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            def start(status: str, *more: Any) -> Any:
                form = self.here.form
                if seconds := environ.get(HOLD):
                    environ["gunicorn.socket"].hold_back(seconds)
                if form and status.startswith("503") and (form.seated or self._is_seated(form)):
                    note_turned_away(form.table)
                return start_response(status, *more)

            return site(environ, start)

        return answer

    def handle(self, connection: Any) -> Any:
        """Answer the next request of a connection, or let its form wait."""
        self.here.parked, self.here.form = False, None
        done = super().handle(connection)
        return PARKED if self.here.parked else done

    def handle_request(self, request: Any, connection: Any) -> Any:
        """Answer a request, or let its form wait."""
        if request.method in READING:
            return super().handle_request(request, connection)
        form = getattr(connection, "form", None) or QueuedForm(connection, request)
        connection.form = None
        if not (form.has_place or form.in_vain or self.lane.enter(form, self._is_seated)):
            self.here.parked = True
            return False
        if form.in_vain:
            request.force_close()
        if isinstance(request.body.reader, ChunkedReader):
            request.body.reader = WholeChunks(request.body.reader)  # gunicorn asks for no reader of ours
        self.here.form = form
        try:
            with queue_time_set(monotonic() - form.came, form.in_vain):
                return super().handle_request(request, connection)
        finally:
            self.here.form = None
            for other in self.lane.leave(form):
                self.go_on(other)

    def _is_seated(self, form: QueuedForm) -> bool:
        is_asked = bool(form.table) and isinstance(self.wsgi, Flask)
        return is_asked and sits_at(self.wsgi, dict(form.request.headers), form.table)

    def go_on(self, form: QueuedForm) -> None:
        """Give a form that has waited to a thread."""
        connection = form.connection
        connection.form, connection.parser = (
            form,
            ReplayedParser(form),
        )  # gunicorn can be given no request twice
        try:
            self.submit(connection)
        except RuntimeError:  # the worker ends; the browser sends the form again, and it counts once
            connection.close()

    def murder_pending(self) -> None:
        """Close connections that have sent nothing, and turn forms away that have waited for too long."""
        super().murder_pending()
        for form in self.lane.overdue(monotonic()):
            self.go_on(form)

    def finish_request(self, connection: Any, done: Any) -> None:
        """Close a connection or wait for its next request, unless its form waits."""
        if not (done.cancelled() or done.exception()) and done.result() is PARKED:
            return
        super().finish_request(connection, done)
