"""Read tables as they are stored, also those that an earlier version has stored."""

from typing import Any

import msgspec

from .parts import Ending, Position, TableSettings, Times
from .table import Table

decode = msgspec.json.Decoder(Table).decode

# The parts that an earlier version had as fields of the table itself.
PARTS: dict[str, type[msgspec.Struct]] = {
    "settings": TableSettings,
    "position": Position,
    "ending": Ending,
    "times": Times,
}


def decode_table(body: str | bytes) -> Table:
    """Return the table of a stored body.  Raises msgspec.ValidationError if it is none."""
    try:
        return decode(body)
    except msgspec.ValidationError:  # only an older body is without settings
        return decode(msgspec.json.encode(in_parts(msgspec.json.decode(body))))


def in_parts(flat: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a table in parts, from one whose fields were all its own."""
    body = dict(flat)
    for name, part in PARTS.items():
        fields = [field.encode_name for field in msgspec.structs.fields(part)]
        body[name] = {field: body.pop(field) for field in fields if field in body}
    body["series"] = {"first": body.pop("series", "")} | {
        field: body.pop(field) for field in ("parent", "rematch") if field in body
    }
    body["chat_closed"] = body.pop("hushed", False)
    return body
