"""The log: text or JSON, one line for each event, with the id of the request; nothing secret in it."""

import json
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import InvalidRequestLine
from gunicorn.workers.base import Worker

from strifebarge.ops import logs
from strifebarge.ops.logs import JsonFormatter, LogEvent, PlainFormatter
from strifebarge.ops.requests import FILE, RequestMiddleware
from strifebarge.server.gunicorn_log import CarefulLog, JsonLog
from tests.web.house import OpenHouse

SECRETS = ("a-personal-link", "198.51.100", "SECRETCODE", "hunter2", "mallory")


class Written(logging.Handler):
    """The lines that a formatter makes of what is logged."""

    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self.setFormatter(formatter)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    @property
    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


def written(formatter: logging.Formatter) -> Iterator[Written]:
    handler, log = Written(formatter), logging.getLogger("strifebarge")
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)


@pytest.fixture
def as_json() -> Iterator[Written]:
    yield from written(JsonFormatter())


@pytest.fixture
def as_text() -> Iterator[Written]:
    yield from written(PlainFormatter())


def within_a_request(do: Any) -> str:
    """Do something while a request is answered; return the request's id."""
    ids: list[str] = []

    def site(_environ: Any, start: Any) -> list[bytes]:
        do()
        start("200 OK", [])
        return []

    RequestMiddleware(site, believed=False)(
        {}, lambda _status, headers, _info=None: ids.append(dict(headers)["X-Request-ID"])
    )
    return ids[0]


def test_each_record_is_one_object_with_the_id_of_its_request(as_json: Written) -> None:
    log = logging.getLogger("strifebarge.any")

    def fail() -> None:
        try:
            raise ZeroDivisionError("of\nthings")
        except ZeroDivisionError:
            log.exception("it %s\r\n{forged}\x1b[31m", "fails")

    id = within_a_request(fail)
    log.warning("outside")
    inside, outside = as_json.events
    assert (inside["request"], inside["level"], inside["logger"]) == (id, "error", "strifebarge.any")
    assert inside["message"] == "it fails\r\n{forged}\x1b[31m"
    assert "ZeroDivisionError: of\nthings" in inside["trace"]
    assert "request" not in outside
    assert all(line.isascii() and line.isprintable() for line in as_json.lines)


def test_text_ends_with_the_id_of_its_request(as_text: Written) -> None:
    log = logging.getLogger("strifebarge.any")
    id = within_a_request(lambda: log.warning("one\ntwo"))
    log.warning("outside")
    assert as_text.lines == [f"one [request {id}]\ntwo", "outside"]


def test_an_event_is_its_fields_for_programs_and_its_words_for_people(
    as_json: Written, as_text: Written
) -> None:
    log = logging.getLogger("strifebarge.any")
    log.warning(LogEvent("sunk", "A ship is sunk.", ship="barge", captain=None))
    log.warning(LogEvent("sunk", ship="barge"))
    [event, silent] = as_json.events
    assert (event["event"], event["ship"], event["message"]) == ("sunk", "barge", "A ship is sunk.")
    assert "captain" not in event
    assert "message" not in silent
    assert as_text.lines[0] == "A ship is sunk."
    assert json.loads(as_text.lines[1])["ship"] == "barge"


def test_a_request_has_a_line_only_where_that_is_wanted(open_house: OpenHouse, as_json: Written) -> None:
    open_house().visitor().get("/about")
    assert as_json.lines == []


def test_the_line_of_a_request_tells_its_route_and_never_its_address(
    open_house: OpenHouse, as_json: Written
) -> None:
    house = open_house(log_requests=True)
    stranger = house.visitor("198.51.100.77")
    asset = next(link for link in stranger.get("/").seen.links if link.startswith("/static/"))
    as_json.lines.clear()
    for path in (
        "/open?t=a-personal-link",
        "/g/SECRETCODE/seat?t=a-personal-link",
        "/a-personal-link",
        asset,
    ):
        stranger.get(path)
    stranger.get("/api/v1/tables/SECRETCODE", Authorization="Bearer hunter2")
    stranger.post("/sign-in", [("login", "mallory"), ("password", "hunter2")])
    lines = [each for each in as_json.events if each["event"] == "request"]
    assert [each["route"] for each in lines] == [
        "/open",
        "/g/<id>/seat",
        "(none)",
        FILE,
        "/api/v1/tables/<table>",
        "/sign-in",
    ]
    assert all(each["ms"] >= 0 and each["request"] for each in lines)
    assert [each["status"] for each in lines][2:5] == [404, 200, 401]
    words = " ".join(as_json.lines)
    assert [secret for secret in SECRETS if secret in words] == []


def test_an_event_of_the_security_log_is_one_with_its_request(
    open_house: OpenHouse, as_json: Written
) -> None:
    page = (
        open_house(log_requests=True)
        .visitor()
        .post("/sign-in", [("login", "x")], Sec_Fetch_Site="cross-site")
    )
    refused, request = as_json.events
    assert (refused["event"], refused["why"]) == ("authentication", "web.cross_site")
    assert refused["request"] == request["request"] == page.headers["X-Request-ID"]


@pytest.mark.parametrize("log", [CarefulLog, JsonLog])
def test_gunicorn_tells_neither_what_was_asked_nor_who_did(
    log: type[CarefulLog], capsys: pytest.CaptureFixture[str]
) -> None:
    """By gunicorn's own code: its words may be others in its next version."""
    config = Config()
    config.set("errorlog", "-")
    worker = SimpleNamespace(cfg=config, log=log(config))
    request = SimpleNamespace(method="GET", uri="/open?t=a-personal-link")
    client = SimpleNamespace(sendall=lambda _answer: None)
    for req, error in ((None, InvalidRequestLine("GET /open?t=a-personal-link")), (request, KeyError("why"))):
        try:
            raise error
        except Exception as raised:
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(worker.log, "access", lambda *_: None)
                patched.setattr("gunicorn.workers.base.default_environ", lambda *_: {})
                patched.setattr("gunicorn.workers.base.Response", lambda *_: SimpleNamespace())
                Worker.handle_error(worker, req, client, ("198.51.100.77", 4), raised)
    output = capsys.readouterr().err
    assert "Invalid request." in output
    assert "Error handling request." in output
    assert "KeyError" in output
    assert [secret for secret in SECRETS if secret in output] == []
    assert (
        log is CarefulLog
        or [json.loads(line)["logger"] for line in output.splitlines()] == ["gunicorn.error"] * 2
    )


def test_the_log_goes_to_standard_error_unless_the_host_has_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log, root = logging.getLogger("strifebarge"), logging.getLogger()
    others = [*root.handlers]
    try:
        logs.set_up("json")
        assert [each for each in log.handlers if isinstance(each, logs.StandardError)] == []
        root.handlers[:] = []
        for style in ("plain", "json", "json"):
            logs.set_up(style)
        log.warning("hm")
    finally:
        root.handlers[:] = others
        logs.set_up("plain")
    [line] = capsys.readouterr().err.splitlines()
    assert json.loads(line)["message"] == "hm"
