"""JSON-RPC 2.0: `POST rpc`, single calls and batches."""

from typing import Any

import msgspec
from flask import Blueprint, Response

from strifebarge.api import faults
from strifebarge.api.arguments import decoded, must_be_tidy
from strifebarge.api.caller import Caller
from strifebarge.api.door import CallOutcome, body, caller, carry_out, fault_of, headers_of
from strifebarge.api.verbs.every import VERBS

blueprint = Blueprint("rpc", __name__)
MOST_CALLS = 50  # in a batch
JSON = "application/json"
KINDS = (JSON, "application/json-rpc")


@blueprint.post("/rpc")
def rpc() -> Response:
    """Carry out one call, or a batch in its order; faults of the whole request have no id."""
    who = caller()
    payload = decoded(body(KINDS))
    if not isinstance(payload, list):
        answer, fault, wait = _answered(who, payload)
        status = fault.status if fault and _of_the_request(fault) else 200
        return _response(answer, status, fault, wait)
    if not payload:
        raise faults.invalid("An empty batch.")
    if len(payload) > MOST_CALLS:
        raise faults.invalid(f"A batch may have at most {MOST_CALLS} calls.", 413)
    return _response([_answered(who, each)[0] for each in payload])


def _answered(who: Caller, call: Any) -> tuple[dict[str, Any], faults.CallFault | None, int | None]:
    """Return the answer of one call, with the fault it had, and the seconds to wait where it was too fast."""
    id = _id_of(call)
    try:
        outcome = _call(who, call)
    except Exception as error:
        fault = fault_of(error)
        return {"jsonrpc": "2.0", "error": fault.as_error(), "id": id}, fault, None
    return {"jsonrpc": "2.0", "result": outcome.result, "id": id}, None, outcome.wait


def _call(who: Caller, request_object: Any) -> CallOutcome:
    """Do what a request object says.  Raises Fault."""
    if not isinstance(request_object, dict) or request_object.get("jsonrpc") != "2.0":
        raise faults.invalid('A call is an object with "jsonrpc": "2.0", a method and an id.')
    must_be_tidy(request_object)
    method, params = request_object.get("method"), request_object.get("params", {})
    if not isinstance(method, str) or not isinstance(params, dict | list):
        raise faults.invalid("The method must be a string, and params an object or a list.")
    if unknown := request_object.keys() - {"jsonrpc", "method", "params", "id"}:
        raise faults.invalid(f"The call has an unknown field: {sorted(unknown)[0][:40]!r}.")
    if (
        "id" not in request_object
        or _id_of(request_object) != request_object["id"]
        or request_object["id"] is None
    ):
        # A call without an id is a notification, which gets no answer (JSON-RPC 2.0, section 4.1).
        raise faults.invalid("Every call needs an id, a string or a whole number. Nothing was done.")
    if method not in VERBS:
        raise faults.no_method(method)
    return carry_out(who, VERBS[method], params)


def _id_of(call: Any) -> str | int | None:
    id = call.get("id") if isinstance(call, dict) else None
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None


def _of_the_request(fault: faults.CallFault) -> bool:
    """Return whether a fault is told by the HTTP status too: it is not about what the call says."""
    return fault.status in (429, 500, 503) or fault.code == faults.INVALID


def _response(
    answer: Any, status: int = 200, fault: faults.CallFault | None = None, wait: int | None = None
) -> Response:
    body = msgspec.json.encode(answer)
    response = Response(body, status, mimetype=JSON, headers=headers_of(fault) if fault else None)
    if wait is not None:
        response.headers["Retry-After"] = str(wait)
    return response


def refused_call(error: Exception) -> Response:
    """Answer a request that was no call at all."""
    fault = fault_of(error)
    return _response({"jsonrpc": "2.0", "error": fault.as_error(), "id": None}, fault.status, fault)
