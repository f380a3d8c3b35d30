"""gunicorn's own log: without addresses of people and requests, and in JSON where the site's log is."""

import logging
from typing import Any

from gunicorn.glogging import Logger

from strifebarge.ops.logs import JsonFormatter

FAILED, MALFORMED = "Error handling request", "Invalid request from"  # as gunicorn's messages begin


def leave_addresses_out(record: logging.LogRecord) -> bool:
    """Take from a record what gunicorn says of who asked, and for what; let every record pass.

    The address of a request may hold a code or a token, and its first line has it too.
    """
    message = str(record.msg)
    if message.startswith(FAILED):
        record.msg, record.args = f"{FAILED}.", None
    elif message.startswith(MALFORMED):
        record.msg, record.args = "Invalid request.", None
    return True


class CarefulLog(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's log without addresses."""

    formatter: logging.Formatter | None = None  # in place of gunicorn's own

    def setup(self, cfg: Any) -> None:
        """Make the log's handlers as gunicorn does, each with our filter."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.addFilter(leave_addresses_out)
            if self.formatter:
                handler.setFormatter(self.formatter)


class JsonLog(CarefulLog):
    """gunicorn's log without addresses, one JSON object a line."""

    formatter = JsonFormatter()
