"""Tables for tests, made of as little as a test cares about."""

from typing import Any

from strifebarge.tables.model.parts import Ending, Position, Series, TableSettings, Times
from strifebarge.tables.model.table import Table

PARTS = {"settings": TableSettings, "position": Position, "ending": Ending, "series": Series, "times": Times}


def make_table(**fields: Any) -> Table:
    """Return a table with these fields, its own and those of its parts."""
    given: dict[str, Any] = {"id": "TABLE001", "game": "eights", "seed": "5eed", "chairs": [], "options": {}}
    given |= fields
    for name, part in PARTS.items():
        inner = {each: given.pop(each) for each in part.__struct_fields__ if each in given}
        given.setdefault(name, part(**inner))
    return Table(**given)
