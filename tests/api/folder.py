"""Programs that fold the events of a table, and what they must come to."""

import json
from typing import Any

from strifebarge.client import fold

from .calls import Program, Result

# How an event is refused whose subscription has ended: its number may be below where the new one begins, or,
# within the same second, above.
BEGUN_ANEW = {"stream.too_old", "stream.no_event"}


class Folder:
    """A program that has followed a table once, and knows it from its events alone since."""

    def __init__(self, program: Program, table: str, **seat: int):
        self.program = program
        self.table = table
        self.seat = seat
        self.followed = program.call("table.follow", table=table, **seat)
        self.after: int = self.followed["event"]
        self.events: list[Result] = []

    def catch_up(self) -> list[Result]:
        """Fold what has happened since; return these events."""
        fresh: list[Result] = []
        more = True
        while more:
            page = self.program.call("events", after=self.after)
            assert "refused" not in page, page
            self.after, more = page["next"], page["more"]
            fresh += page["events"]
        for event in fresh:
            self.followed = fold(self.followed, event)
        self.events += fresh
        return fresh

    def must_agree(self) -> None:
        """Assert that the events lead to the state, and the chat, to the byte."""
        self.catch_up()
        state = self.program.call("table.state", table=self.table, stable=True, **self.seat)
        assert written(self.followed["state"]) == written(state)
        lines = self.program.call("chat.read", table=self.table)
        if "refused" not in lines:
            assert written(self.followed["chat"]) == written(lines["lines"])


def written(value: Any) -> str:
    """Return JSON, in which 1, 1.0 and true differ, and so does another order of names."""
    return json.dumps(value)
