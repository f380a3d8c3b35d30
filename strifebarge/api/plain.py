"""Plain HTTP: each verb at an address of its own."""

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from strifebarge.api import faults
from strifebarge.api.arguments import decoded, must_be_tidy
from strifebarge.api.door import CallOutcome, body, caller, carry_out, fault_of, headers_of
from strifebarge.api.verbs.every import VERBS
from strifebarge.api.verbs.verb import Verb

JSON = "application/json"
KEY = "Idempotency-Key"  # the header in which a key may come


def addresses() -> Blueprint:
    """Return a blueprint with an address for each verb."""
    blueprint = Blueprint("plain", __name__)
    for verb in VERBS.values():
        rule = verb.path.replace("{", "<").replace("}", ">")
        blueprint.add_url_rule(rule, verb.name.replace(".", "_"), _door(verb), methods=[verb.method])
    return blueprint


def _door(verb: Verb) -> Callable[..., Response]:
    def answer(**in_path: str) -> Response:
        who = caller()
        arguments = query(in_path) if verb.method == "GET" else _body(verb, in_path)
        outcome = carry_out(who, verb, arguments, strict=verb.method != "GET")
        answer = answered(outcome)
        if verb.method == "GET" and outcome.status == 200:
            answer.add_etag()
            answer.make_conditional(request)
        return answer

    return answer


def answered(outcome: CallOutcome) -> Response:
    """Return the answer that says what came of a call."""
    answer = Response(msgspec.json.encode(outcome.result), outcome.status, mimetype=JSON)
    if outcome.wait is not None:
        answer.headers["Retry-After"] = str(outcome.wait)
    return answer


def query(in_path: dict[str, str]) -> dict[str, Any]:
    """Return the arguments that stand in an address.  Raises Fault."""
    arguments: dict[str, Any] = {**in_path}
    for name, values in request.args.lists():
        if name in arguments or len(values) > 1:
            raise faults.missing(f"The argument {name[:40]!r} is given twice.")
        arguments[name] = values[0]
    must_be_tidy(arguments)
    return arguments


def _body(verb: Verb, in_path: dict[str, str]) -> dict[str, Any]:
    """Return the arguments of a call that writes: the object of its body, and what its address says."""
    if request.args:
        raise faults.missing("A call that changes something takes its arguments in its body only.")
    raw = body((JSON,))
    arguments = decoded(raw) if raw else {}
    must_be_tidy(arguments)
    if not isinstance(arguments, dict):
        raise faults.mistyped("The body must be a JSON object.")
    if twice := arguments.keys() & in_path.keys():
        raise faults.missing(f"The argument {sorted(twice)[0]!r} is given twice.")
    if KEY in request.headers:
        if "key" in arguments:
            raise faults.missing("The key is given twice.")
        arguments["key"] = request.headers[KEY]
    must_be_tidy(in_path)
    return arguments | _converted(verb, in_path)


def _converted(verb: Verb, in_path: dict[str, str]) -> dict[str, Any]:
    """Return what an address says, with whole numbers where the verb takes such.  Raises Fault."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(verb.arguments)}
    try:
        return {name: msgspec.convert(each, kinds[name], strict=False) for name, each in in_path.items()}
    except msgspec.ValidationError as wrong:
        raise faults.mistyped(f"In the address: {wrong}.") from wrong


def refused(error: Exception) -> Response:
    """Answer a call with its fault."""
    fault = fault_of(error)
    body = msgspec.json.encode({"fault": fault.as_error()})
    return Response(body, fault.status, mimetype=JSON, headers=headers_of(fault))
