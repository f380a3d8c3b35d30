"""Faults: calls that are misused, not refused.  Each has a number of JSON-RPC, of Volity and of HTTP.

A refusal is an ordinary answer, in the reader's language; a fault is for the programmer, in English.
"""

from typing import Any

PARSE, INVALID, NO_METHOD, WRONG_PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
IDENTITY, STATE, TOO_FAST = -32001, -32002, -32003


class CallFault(Exception):
    """Raised where a call cannot be carried out for what it is, by anybody; nothing was changed."""

    def __init__(
        self, code: int, message: str, status: int = 400, volity: int | None = None, **more: Any
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.volity = volity
        self.more = more  # `wait`: seconds after which to try again; `reference`: the id of the request

    def as_error(self) -> dict[str, Any]:
        """Return the error object of JSON-RPC."""
        data = {**({"volity": self.volity} if self.volity else {}), "status": self.status, **self.more}
        return {"code": self.code, "message": self.message, "data": data}


def not_json(problem: str) -> CallFault:
    return CallFault(PARSE, f"The body is not JSON: {problem}.")


def invalid(problem: str, status: int = 400) -> CallFault:
    return CallFault(INVALID, problem, status)


def no_method(name: str) -> CallFault:
    return CallFault(NO_METHOD, f"There is no verb {name[:60]!r}.", 404, 603)


def missing(problem: str) -> CallFault:
    """Return the fault of a call with too few arguments, or too many."""
    return CallFault(WRONG_PARAMS, problem, 400, 604)


def mistyped(problem: str) -> CallFault:
    return CallFault(WRONG_PARAMS, problem, 400, 605)


def illegal(problem: str) -> CallFault:
    """Return the fault of an argument of the right type, with a value that is never allowed."""
    return CallFault(WRONG_PARAMS, problem, 400, 606)


def no_token() -> CallFault:
    return CallFault(IDENTITY, "A token is needed: Authorization: Bearer sbt_...", 401, 607)


def wrong_token() -> CallFault:
    """Return the fault of a token that nobody has now; whether anybody ever had it is not told."""
    problem = "This token is unknown or was revoked."
    return CallFault(IDENTITY, problem, 401, 607, error="invalid_token")


def not_allowed(scope: str) -> CallFault:
    return CallFault(IDENTITY, f"This token does not have the scope `{scope}`.", 403, 607, scope=scope)


def too_fast(wait: int) -> CallFault:
    return CallFault(TOO_FAST, f"Too many calls: try again in {wait} seconds.", 429, None, wait=wait)


def internal() -> CallFault:
    problem = "Something went wrong. Send the same call again with the same key: it is done at most once."
    return CallFault(INTERNAL, problem, 500, 608)


def busy(wait: int) -> CallFault:
    problem = "The server is busy. Send the same call again with the same key: it is done at most once."
    return CallFault(STATE, problem, 503, 609, wait=wait)


def read_only() -> CallFault:
    problem = "The site is read-only for now: games can be watched, not played. Nothing was done."
    return CallFault(STATE, problem, 503, 609, wait=600)
