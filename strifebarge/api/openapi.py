"""The OpenAPI document: generated from the verbs and the classes of their arguments and results."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.api.door import RefusedCall
from strifebarge.api.verbs.every import VERBS
from strifebarge.api.verbs.verb import Verb
from strifebarge.people.models import Scope

VERSION = "1"
REFERENCE = "#/components/schemas/{name}"
Schema = dict[str, Any]


class FaultView(Struct):
    """A fault: the number that JSON-RPC has for it, a message for the programmer, and more."""

    code: int
    message: str
    data: dict[str, Any]


class FaultAnswer(Struct):
    """The answer to a call that is wrong; nothing was changed."""

    fault: FaultView


@cache
def document() -> Schema:
    """Return the whole document, without the address of a server."""
    kinds = [each.result for each in VERBS.values()] + [RefusedCall, FaultAnswer]
    arguments = [each.arguments for each in VERBS.values()]
    _, components = msgspec.json.schema_components([*kinds, *arguments], ref_template=REFERENCE)
    paths: Schema = {}
    for verb in VERBS.values():
        paths.setdefault(verb.path, {})[verb.method.lower()] = _operation(verb, components)
    paths["/stream"] = {"get": _stream()}
    taken = {each.arguments.__name__ for each in VERBS.values()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "StrifeBarge",
            "version": VERSION,
            "description": "Play by program. A refusal is an answer with `refused`; a fault has a number.",
            "license": {"name": "AGPL-3.0-or-later"},
        },
        "paths": paths,
        "components": {
            "schemas": {name: each for name, each in components.items() if name not in taken},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": f"Made under “You”; its scopes: {', '.join(Scope)}.",
                }
            },
        },
        "security": [{"token": []}],
    }


def _operation(verb: Verb, components: Schema) -> Schema:
    arguments_schema = components[verb.arguments.__name__]
    properties: Schema = arguments_schema.get("properties", {})
    required: list[str] = arguments_schema.get("required", [])
    in_query = [name for name in properties if name not in verb.in_path and verb.method == "GET"]
    result: Schema = {
        "operationId": verb.name,
        "summary": verb.summary,
        "description": f"{verb.description}\n\nScope: `{verb.scope}`.",
        "tags": [verb.name.partition(".")[0]],
        "parameters": [
            _parameter(name, "path" if name in verb.in_path else "query", properties[name], name in required)
            for name in (*verb.in_path, *in_query)
        ],
        "responses": _responses(verb),
    }
    if verb.method == "POST":
        inside = {name: each for name, each in properties.items() if name not in verb.in_path}
        schema = {
            "type": "object",
            "properties": inside,
            "required": [name for name in required if name in inside],
            "additionalProperties": False,
        }
        result["requestBody"] = {"required": True, "content": _json(schema)}
    return result


def _stream() -> Schema:
    """Return the operation that opens a stream, which is no verb: its answer has no end."""
    number, text = {"type": "integer", "minimum": 0}, {"schema": {"type": "string"}}
    result = {code: each for code, each in _responses(VERBS["events"]).items() if code != "200"}
    return {
        "operationId": "stream",
        "summary": "Open the stream of a token, which says at once when there are events.",
        "description": "It begins with `hello` and the events that were missed; then it says `more` whenever "
        "there are others to ask for by `events`, `again` when it should be opened again, and `closed` when "
        f"the same token has opened another.\n\nScope: `{Scope.READ}`.",
        "tags": ["events"],
        "parameters": [
            _parameter("after", "query", number, False),
            {
                **_parameter("Last-Event-ID", "header", number, False),
                "description": "The same as `after`, and goes before it.",
            },
        ],
        "responses": {
            "200": {
                "description": "A stream, as server-sent events, or by `Accept` as lines of JSON.",
                "content": {"text/event-stream": text, "application/x-ndjson": text},
            },
            **result,
        },
    }


def _parameter(name: str, where: str, schema: Schema, required: bool) -> Schema:
    return {"name": name, "in": where, "required": required or where == "path", "schema": schema}


def _responses(verb: Verb) -> Schema:
    refused, fault = _json(_reference(RefusedCall)), _json(_reference(FaultAnswer))
    either = _json({"anyOf": [_reference(RefusedCall), _reference(FaultAnswer)]})
    return {
        "200": {"description": "Done, or shown.", "content": _json(_reference(verb.result))},
        "400": {"description": "The call is not well formed.", "content": fault},
        "401": {"description": "No token, or one that is unknown or was revoked.", "content": fault},
        "403": {"description": "The token or its person may not do this.", "content": either},
        "404": {"description": "Not found.", "content": either},
        "409": {"description": "Refused in the present state.", "content": refused},
        "410": {"description": "Refused: gone.", "content": refused},
        "413": {"description": "Too large.", "content": fault},
        "415": {"description": "The body isn't JSON, or is compressed.", "content": fault},
        "422": {"description": "Refused by the rules.", "content": refused},
        "429": {"description": "Too many calls; see Retry-After.", "content": either},
        "503": {"description": "Busy; see Retry-After.", "content": either},
    }


def _reference(kind: type[Struct]) -> Schema:
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}
