"""What stands in a site's database, read past the site: the tests' own look, which trusts nobody."""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple, Self

import msgspec
from sqlalchemy import create_engine, text

from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.ledger import Move
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, options_type
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.bots import is_bot

LASTING = (
    "tables",
    "chairs",
    "moves",
    "snapshots",
    "receipts",
    "players",
    "records",
    "record_players",
    "ladders",
    "ratings",
)


class Line(NamedTuple):
    """One line of a game's ledger."""

    number: int
    step: int
    seat: int | None
    action: dict[str, Any] | None
    fingerprint: str
    final: bool


class Books:
    """The database of a site, as it is at this moment."""

    def __init__(self, url: str):
        self.engine = create_engine(url, pool_pre_ping=True)  # the database may have been killed since

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.engine.dispose()

    def ask(self, question: str, **values: object) -> list[tuple[Any, ...]]:
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(question), values)]

    def count(self, kind: str) -> int:
        return int(self.ask(f"SELECT count(*) FROM {kind}")[0][0])

    def effects(self) -> dict[str, int]:
        """How much has been done so far: any change of a table, a person or a ledger raises a number."""
        counted = ", ".join(f"(SELECT count(*) FROM {kind}) AS {kind}" for kind in LASTING)
        [numbers] = self.ask(f"SELECT {counted}, (SELECT sum(revision) FROM tables)")
        return dict(zip((*LASTING, "revisions"), numbers, strict=True))

    def everything(self, kinds: Iterable[str] = LASTING) -> dict[str, list[tuple[Any, ...]]]:
        """Every row there is, but for sessions."""
        return {kind: sorted(self.ask(f"SELECT * FROM {kind}"), key=repr) for kind in kinds}

    def table(self, code: str) -> dict[str, Any]:
        """A table's row, its body and the parts of that laid open."""
        [(body, revision, version, number, status)] = self.ask(
            "SELECT body, revision, version, number, status FROM tables WHERE id = :id", id=code
        )
        columns = {"revision": revision, "version": version, "number": number, "status": status}
        table = json.loads(body)
        parts = (table["settings"], table["position"], table["ending"], table["times"])
        return table | {name: value for part in parts for name, value in part.items()} | columns

    def players(self, code: str) -> list[str | None]:
        """Who sits where."""
        rows = self.ask("SELECT player FROM chairs WHERE table_id = :id ORDER BY seat", id=code)
        return [player for (player,) in rows]

    def bots(self, code: str) -> set[int]:
        """The seats that bots have, or had when the game ended: then the rows of chairs name them no more."""
        chairs = self.table(code)["chairs"]
        return {seat for seat, chair in enumerate(chairs) if is_bot(chair.get("player"))}

    def moves(self, code: str) -> list[Line]:
        """A game's ledger without its first line, the deal."""
        rows = self.ask(
            "SELECT number, step, seat, action, fingerprint, final FROM moves WHERE table_id = :id"
            " ORDER BY number, step",
            id=code,
        )
        lines = [
            Line(number, step, seat, action and json.loads(action), fingerprint, bool(final))
            for number, step, seat, action, fingerprint, final in rows
        ]
        assert not lines or lines[0].action is None
        return lines[1:]

    def receipts(self) -> dict[str, str]:
        """The table that each form which was accepted was for, by the form's key."""
        return dict(self.ask("SELECT key, table_id FROM receipts"))

    def must_replay(self, code: str, library: Library) -> None:
        """The moves have numbers without gaps and lead, one by one, to every fingerprint they have."""
        table, lines = self.table(code), self.moves(code)
        numbers = [line.number for line in lines if line.step == 0]
        assert numbers == list(range(1, len(numbers) + 1)), code
        assert not lines or table["reached"] == [lines[-1].number, lines[-1].step], code
        assert not lines or table["rows"] == 1 + len(lines), code
        if table["status"] == "open":
            return
        rules = library[table["game"]].rules
        kinds = (*actions(rules), *FRAMEWORK)
        options = msgspec.convert(table["options"], options_type(rules))
        match = Match.new(rules, len(table["chairs"]), table["seed"], options)
        since: list[Move] = []
        for line in lines:
            assert line.seat is not None
            action = from_json(line.action, kinds)
            since.append(Move(line.number, line.seat, action, line.final, line.step))
            if line.fingerprint:
                match = Match(rules, match.snapshot, since)
                assert match.fingerprint() == line.fingerprint, f"{code}: move {line.number} leads elsewhere"
                since = list(match.ledger)
        assert not since or lines[-1].fingerprint, f"{code}: the last moves lead nowhere"
        assert (table["status"] == "over") == bool(match.result), code
        entered = self.ask("SELECT id FROM records WHERE table_id = :id", id=code)
        assert entered == ([(table["record"],)] if match.result else []), f"{code} is not once in the books"


@cache
def library() -> Library:
    """The games that come with the site."""
    return Library()
