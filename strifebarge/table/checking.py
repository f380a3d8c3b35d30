"""Before new rules go live: does each running game go the same way by them?"""

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from strifebarge.rules import Refused, Text
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions

from .library import Title
from .log import went_back
from .ports import Row, Store
from .referee import Referee
from .table import Table


class Outcome(StrEnum):
    """What comes of a game's moves by the rules that are here now."""

    SAME = "same"
    DIFFERS = "differs"  # a move leads to another position
    ILLEGAL = "illegal"  # a move cannot be made


class Fate(StrEnum):
    """What becomes of the game when these rules go live."""

    GOES_ON = "goes on"
    OLD_RULES = "stays on the old rules"
    GOES_BACK = "may go back to the start of a stage"
    STANDS = "is suspended until rules are there that agree"


class Parting(NamedTuple):
    """Where a game parts from the rules: at which move (0: the deal), and why."""

    outcome: Outcome
    number: int | None = None
    why: Text | None = None


class Checked(NamedTuple):
    """One running table, played again by the newest rules of its game."""

    table: Table
    now: int  # the version of these rules
    parting: Parting
    fate: Fate
    back: int | None = None  # the move to which it may go back


def check(referee: Referee, game: str | None = None) -> Iterator[Checked]:
    """All running tables, or those of one game; nothing is changed.  Raises Refused(NO_GAME)."""
    for id in referee.store.running():
        table = referee.store.table(id)
        if game in (None, table.game) and table.game in referee.library.titles:
            yield check_table(referee, table)


def check_table(referee: Referee, table: Table) -> Checked:
    """One of them."""
    newest = referee.library[table.game]
    parting = parting_of(referee.store, table, newest)
    fate, back = Fate.GOES_ON, None
    if referee.library.of(table) is not newest:
        fate = Fate.OLD_RULES
    elif not referee.agrees(table):
        agreeing = referee.agreeing(table)
        fate = Fate.GOES_BACK if agreeing else Fate.STANDS
        back = agreeing.number if agreeing else None
    return Checked(table, newest.version, parting, fate, back)


def unknown(referee: Referee) -> list[Table]:
    """The running tables of games that are not here at all."""
    tables = map(referee.store.table, referee.store.running())
    return [table for table in tables if table.game not in referee.library.titles]


def adopt(referee: Referee, id: str) -> bool:
    """Let a table that comes out the same go on by the newest rules; whether it does now."""
    with referee.store.change(id) as change:
        table = change.table
        newest = referee.library[table.game]
        if table.rules_version == newest.version:
            return False
        if parting_of(referee.store, table, newest).outcome is not Outcome.SAME:
            return False
        table.rules_version = newest.version
    return True


# -- playing it again -------------------------------------------------------------------


def parting_of(store: Store, table: Table, title: Title) -> Parting:
    """Play a table's moves again from the deal, each judged as if it were made now."""
    number = 0
    try:
        match = Match(title.rules, store.snapshot(table.id, 0))
        for row in store.rows(table.id, -1):
            number = row.number
            if went_back(row) is not None:
                match = Match(title.rules, store.snapshot(table.id, number))
            elif row.seat is not None:
                _play(match, row)
            if row.fingerprint and (match.number, match.fingerprint()) != (number, row.fingerprint):
                return Parting(Outcome.DIFFERS, number)
        for seat, raw in table.pending.items():
            number = table.number + 1
            match.move(seat, from_json(raw, actions(title.rules)))
    except Refused as no:
        return Parting(Outcome.ILLEGAL, number, no.text)
    except Exception as broken:  # whatever these rules do with moves they do not know
        return Parting(Outcome.ILLEGAL, number, Text("{error}", {"error": type(broken).__name__}))
    return Parting(Outcome.SAME)


def _play(at: Match, row: Row) -> None:
    """One move of a ledger.  Raises Refused, or whatever the rules raise."""
    raw: dict[str, Any] = row.action or {}
    seat = -1 if row.seat is None else row.seat
    match raw.get("do"):
        case "undo":
            at.take_back(seat)
        case "leave":
            at.leave(seat)
        case _:
            at.move(seat, from_json(raw, actions(at.rules)))


# -- told ----------------------------------------------------------------------------------


def told(checked: Checked) -> str:
    """One line on one table, for whoever runs the site."""
    table, parting = checked.table, checked.parting
    versions = (
        f"{table.rules_version}"
        if table.rules_version == checked.now
        else (f"{table.rules_version} to {checked.now}")
    )
    line = f"{table.id}  {table.game}, rules {versions}: {parting.outcome}"
    if parting.number is not None:
        line += f" at move {parting.number}" if parting.number else " at the deal"
    if parting.why is not None:
        line += f" ({parting.why})"
    if checked.back is not None:
        return f"{line}; if all agree, it goes back to move {checked.back}"
    return (
        line
        if parting.outcome is Outcome.SAME and checked.fate is Fate.GOES_ON
        else (f"{line}; it {checked.fate}")
    )


def summary(found: list[Checked]) -> str:
    """How many of each."""
    counts = Counter(each.parting.outcome for each in found)
    parts = ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome)
    return f"{len(found)} running games: {parts}."
