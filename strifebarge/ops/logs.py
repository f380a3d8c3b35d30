"""The site's log: to standard error, as text for people, or as one JSON object a line for programs.

Nothing secret is logged: requests are told by their route, for their address may hold a code or a token.
"""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

LOGGER = "strifebarge"  # all loggers of the site are below this one

_request_id: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """Return the id of the request that this thread answers; "" outside of one."""
    return _request_id.get()


@contextmanager
def request_id_set(id: str) -> Iterator[None]:
    """Let what is logged inside have the id of a request."""
    before = _request_id.set(id)
    try:
        yield
    finally:
        _request_id.reset(before)


class LogEvent:
    """What is logged of an event: fields for programs, and words for people; without words, the fields."""

    def __init__(self, event: str, message: str = "", **fields: Any):
        self.message = message
        self.fields = {"event": event, **{name: each for name, each in fields.items() if each is not None}}

    def __str__(self) -> str:
        return self.message or as_json({"at": now(), **self.with_request()})

    def with_request(self) -> dict[str, Any]:
        """Return the fields, with the id of the request that is being answered, if one is."""
        id = request_id()
        return {"event": self.fields["event"], **({"request": id} if id else {}), **self.fields}


def now() -> str:
    """Return the machine's time in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def as_json(fields: dict[str, Any]) -> str:
    """Return fields as one line of ASCII: what has control characters in it forges no other line."""
    return json.dumps(fields, default=str)


def print_line(style: str, event: LogEvent, on_stderr: bool = False) -> None:
    """Print a line that says what a command does: its words, or JSON where the log is that."""
    message = {"message": event.message} if event.message else {}
    line = as_json({"at": now(), **event.with_request(), **message}) if style == "json" else str(event)
    print(line, file=sys.stderr if on_stderr else sys.stdout, flush=True)


class PlainFormatter(logging.Formatter):
    """Writes a record as text, with the id of the request in whose answer it was logged."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record; the fields of an event without words as JSON."""
        text, id = super().format(record), request_id()
        if not id or (isinstance(record.msg, LogEvent) and not record.msg.message):
            return text
        first, line, rest = text.partition("\n")
        return f"{first} [request {id}]{line}{rest}"


class JsonFormatter(logging.Formatter):
    """Writes a record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a line with when it was logged, how grave it is and by whom, then what the record says."""
        id, event = request_id(), record.msg if isinstance(record.msg, LogEvent) else None
        fields: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            **({"request": id} if id else {}),
            **(event.fields if event else {}),
        }
        if event is None or event.message:
            fields["message"] = record.getMessage()
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return as_json(fields)


FORMATTERS: dict[str, type[logging.Formatter]] = {"plain": PlainFormatter, "json": JsonFormatter}


class ExtraHandler(logging.Handler):
    """A handler that keeps something of the log, and leaves its writing to others."""


class StandardError(logging.StreamHandler[TextIO]):
    """Writes to what is standard error at the time."""

    def __init__(self, style: str) -> None:
        super().__init__()
        self.setFormatter(FORMATTERS[style]())

    @property
    def stream(self) -> TextIO:
        return sys.stderr

    @stream.setter
    def stream(self, _stream: TextIO) -> None: ...


def set_up(style: str) -> None:
    """Let this process, and those that it forks, write the log in a style: "plain" or "json".

    Where the host's own logging is set up already, records go there alone.
    """
    log = logging.getLogger(LOGGER)
    extra_handlers = [each for each in log.handlers if isinstance(each, ExtraHandler)]
    for handler in [each for each in log.handlers if isinstance(each, StandardError | ExtraHandler)]:
        log.removeHandler(handler)
    if not log.hasHandlers():
        log.addHandler(StandardError(style))
    for handler in extra_handlers:
        log.addHandler(handler)
