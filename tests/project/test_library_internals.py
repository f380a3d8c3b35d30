"""What the site uses of libraries beside their documented interfaces: each is there, and does what it did."""

import inspect
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import get_ident, local
from types import SimpleNamespace
from typing import Any, cast

import chess.engine
import pytest
from flask import Flask, current_app, g, request, session
from flask.globals import app_ctx
from gunicorn.config import Config
from gunicorn.http.body import ChunkedReader
from gunicorn.workers.gthread import TConn, ThreadWorker
from jinja2 import pass_context
from jinja2.compiler import CodeGenerator
from jinja2.runtime import Context
from sqlalchemy import create_engine, text

from strifebarge.server.lane import PARKED, Lane, LaneWorker, QueuedForm, WholeChunks
from strifebarge.web.http.request_store import APPLICATIONS, this_app, this_request, this_session
from strifebarge.web.http.session_interface import SiteSessions
from strifebarge.web.render.templating import MARK, WITH_CONTEXT, PageContext, Templates

CHUNKED = b"POST /name HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"


# -- gunicorn ------------------------------------------------------------------------


class Connected:
    """A worker with one connection, as gunicorn makes it, and the other end of it."""

    def __init__(self) -> None:
        here, self.other = socket.socketpair()
        self.worker: Any = LaneWorker.__new__(LaneWorker)
        self.worker.cfg, self.worker.alive = Config(), True
        self.worker.lane, self.worker.here = Lane(1), local()
        self.connection: Any = TConn(self.worker.cfg, here, ("127.0.0.1", 1), ("127.0.0.1", 2))

    def close(self) -> None:
        self.connection.close()
        self.other.close()


@pytest.fixture
def at() -> Iterator[Connected]:
    connected = Connected()
    yield connected
    connected.close()


def test_gunicorn_gives_the_request_of_a_form_that_has_waited_once_more(
    at: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered: list[Any] = []
    monkeypatch.setattr(ThreadWorker, "handle_request", lambda _, request, __: answered.append(request))
    monkeypatch.setattr(at.worker, "submit", at.worker.handle, raising=False)
    at.connection.is_partial, at.connection.arrived = False, 0.0
    at.other.sendall(CHUNKED)
    inside = QueuedForm(at.connection, SimpleNamespace(path="/name"))
    at.worker.lane.enter(inside, lambda _: False)
    assert at.worker.handle(at.connection) is PARKED
    [form] = at.worker.lane.waiting
    assert isinstance(form.request.body.reader, ChunkedReader)
    parser = at.connection.parser
    assert at.worker.lane.leave(inside) == [form]
    at.worker.go_on(form)
    assert answered == [form.request]
    assert at.connection.parser is parser
    assert isinstance(form.request.body.reader, WholeChunks)
    assert form.request.body.read() == b""


# -- Flask and Flask-Session ---------------------------------------------------------------


def test_flask_has_its_application_request_and_session_where_they_are_looked_for() -> None:
    app = Flask(__name__)
    app.secret_key = "a key"
    with app.test_request_context("/"):
        assert APPLICATIONS.get() is cast(Any, app_ctx)._get_current_object()
        assert APPLICATIONS.get().g is cast(Any, g)._get_current_object()
        assert this_app() is cast(Any, current_app)._get_current_object()
        assert this_request() is cast(Any, request)._get_current_object()
        assert this_session() is cast(Any, session)._get_current_object()


def test_flask_session_keeps_a_session_under_its_prefix_and_id() -> None:
    interface = SiteSessions(Flask(__name__), cast(Any, None))
    assert interface._get_store_id("id") == interface.key_prefix + "id"


# -- Jinja -----------------------------------------------------------------------------


def test_a_context_of_pages_has_all_that_one_of_jinja_has() -> None:
    templates = Templates(Flask(__name__))
    one = Context(templates, {"a": 1}, "name", {}, templates.globals)
    other = PageContext(templates, {"a": 1}, "name", {}, templates.globals)
    unlike = {"eval_ctx": None, "globals_keys": None}
    assert {**vars(one), **unlike} == {**vars(other), **unlike}


def test_jinja_generates_code_by_the_methods_that_are_overridden() -> None:
    for name in ("_output_child_pre", "_output_child_to_const"):
        assert [*inspect.signature(getattr(CodeGenerator, name)).parameters] == [
            *("self", "node", "frame", "finalize")
        ]
    code = Templates(Flask(__name__), autoescape=True).compile(
        "{{ a }}–{% for b in c %}{{ d() }}{% endfor %}", raw=True
    )
    assert "environment.printed(" in code
    assert "&#8211;" in code
    assert "_loop_vars=_loop_vars" in code


def test_jinja_marks_functions_that_want_a_context() -> None:
    assert getattr(pass_context(lambda context: None), MARK) is WITH_CONTEXT


# -- others ------------------------------------------------------------------------------


def test_rows_become_dictionaries() -> None:
    with create_engine("sqlite://").connect() as connection:
        assert connection.execute(text("SELECT 1 AS a, 'x' AS b")).one()._asdict() == {"a": 1, "b": "x"}


def test_a_chess_program_has_as_long_for_a_move_as_is_set_after_its_start() -> None:
    program = chess.engine.SimpleEngine(cast(Any, None), cast(Any, None), timeout=30)
    program.timeout = 5
    assert program._timeout_for(chess.engine.Limit(time=1)) == 6


def test_python_tells_which_code_each_thread_runs() -> None:
    frame = sys._current_frames()[get_ident()]
    assert Path(frame.f_code.co_filename) == Path(__file__)
