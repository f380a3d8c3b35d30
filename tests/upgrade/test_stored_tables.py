"""Tables that an earlier version has stored, each field of its own, are read with their fields in parts."""

import json
import lzma
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from strifebarge.table.parts import Ending, Position, TableSettings, Times
from strifebarge.table.stored import decode_table, in_parts
from strifebarge.table.table import Status, Table
from tests.support.tables import make_table

FIXTURE = Path(__file__).with_name("d3771d2.db.xz")
PARTS = {"settings": TableSettings, "position": Position, "ending": Ending, "times": Times}


@pytest.fixture(scope="module")
def bodies(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The bodies of all tables of a site of that version."""
    place = tmp_path_factory.mktemp("stored") / "site.db"
    place.write_bytes(lzma.decompress(FIXTURE.read_bytes()))
    connection = sqlite3.connect(place)
    try:
        return [body for (body,) in connection.execute("SELECT body FROM tables ORDER BY id")]
    finally:
        connection.close()


def places_of(table: Table, flat: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every field of an older body, with what the table of today has for it."""
    now = json.loads(msgspec.json.encode(table))
    for name in flat:
        part = next((part for part, kind in PARTS.items() if name in kind.__struct_fields__), None)
        if part:
            yield name, now[part][name]
        elif name in ("parent", "rematch"):
            yield name, now["series"][name]
        elif name == "series":
            yield name, now["series"]["first"]
        else:
            yield name, now[{"hushed": "chat_closed"}.get(name, name)]


OTHERWISE = {
    "chairs",
    "clock",
    "invited",
    "suspension",
}  # whose own fields have other names today, or more of them


def test_every_field_of_an_older_body_is_where_it_belongs(bodies: list[str]) -> None:
    assert len(bodies) > 5
    assert {Status(json.loads(body)["status"]) for body in bodies} >= {
        Status.OPEN,
        Status.PLAYING,
        Status.OVER,
    }
    for body in bodies:
        flat = json.loads(body)
        assert "settings" not in flat
        for name, value in places_of(decode_table(body), flat):
            assert name in OTHERWISE or value == flat[name], name


def test_what_is_read_of_an_older_body_is_read_again_as_it_was_written(bodies: list[str]) -> None:
    for body in bodies:
        table = decode_table(body)
        assert decode_table(msgspec.json.encode(table)) == table


def test_a_body_that_says_nothing_but_what_it_must_gets_the_usual_rest() -> None:
    flat = {"id": "TABLE001", "game": "eights", "options": {"cards": 7}, "seed": "5eed", "chairs": []}
    assert decode_table(json.dumps(flat)) == make_table(options={"cards": 7})
    assert in_parts({**flat, "hushed": True, "series": "FIRST001"})["series"] == {"first": "FIRST001"}


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_table('{"id": "TABLE001"}')
