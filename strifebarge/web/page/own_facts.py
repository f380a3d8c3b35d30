"""Read what a table's page shows that is its reader's alone, once for each request."""

from typing import NamedTuple

from strifebarge.tables.model.table import Table
from strifebarge.tables.view import View
from strifebarge.web.http.request_store import request_globals, this_request
from strifebarge.web.http.services import conversations, notifications
from strifebarge.web.http.session import NUMBER

READ = "read"  # the cookie of a table: the number of the newest line of its chat that was in sight


class OwnFacts(NamedTuple):
    """A person's own at a table: whom they do not read, their note, whether they want no notices."""

    muted: frozenset[str]
    note: str
    silent: bool | None  # None where they have none at all


def own_facts(at: Table | View, player: str, sits: bool, noting: int = -1) -> OwnFacts:
    """Return what is a person's own at a table; `noting` is the seat whose notes these are, if several."""
    key = (at.id, player, sits, noting)
    cached: tuple[object, OwnFacts] | None = request_globals().own_facts
    if cached is not None and cached[0] == key:
        return cached[1]
    chats = conversations()
    facts = OwnFacts(
        chats.muted_by(player),
        chats.note(at.id, player, noting) if sits else "",
        notifications().is_silent(player, at.id) if sits else None,
    )
    request_globals().own_facts = (key, facts)
    return facts


def read_line() -> int:
    """Return the number of the newest line of the chat that this browser has shown; 0 for none."""
    number = this_request().cookies.get(READ, "")
    return int(number) if NUMBER.fullmatch(number) else 0
