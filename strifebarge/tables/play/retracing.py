"""Retrace a running game: all its moves played again by the rules that are here, which may be other rules."""

from enum import StrEnum
from typing import Any, NamedTuple

from strifebarge.rules import Action, Refused, Text
from strifebarge.rules.action import FRAMEWORK, Late
from strifebarge.rules.ledger import Move
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.replay import Diverged
from strifebarge.rules.schema import actions
from strifebarge.tables.library.library import Title
from strifebarge.tables.library.settings import options_at
from strifebarge.tables.model.table import Table
from strifebarge.tables.play.ledger import Ledger, known_rows, moves_of


class ReplayOutcome(StrEnum):
    """Outcomes of replaying a game's moves by the rules that are here now."""

    SAME = "same"
    DIFFERS = "differs"  # a move leads to another position
    ILLEGAL = "illegal"  # a move cannot be made


class Divergence(NamedTuple):
    """Where a game parts from the rules: at which move (0: the deal), and why."""

    outcome: ReplayOutcome
    number: int | None = None
    why: Text | None = None

    @property
    def same(self) -> bool:
        """True if the game does not part from the rules."""
        return self.outcome is ReplayOutcome.SAME


SAME = Divergence(ReplayOutcome.SAME)


class OtherRules(Diverged):
    """Raised where the rules that are here are not those of a game, and it comes out otherwise by them."""

    def __init__(self, id: str, parting: Divergence):
        super().__init__(id)
        self.parting = parting


def find_divergence(ledger: Ledger, table: Table, title: Title) -> Divergence:
    """Play a table's moves again from the deal, each judged as if it were made now.

    Moves up to where all agreed to go on by other rules are taken as they are.
    """
    rows = known_rows(ledger, table, -1)
    agreed = table.played_by.agreed
    snapshot = ledger.snapshot(table.id, agreed.base if agreed else 0)
    before = [row for row in rows if row.ledger_position <= (agreed.last_position if agreed else (0, 0))]
    number = before[-1].number if before else 0
    try:
        match = Match(title.rules, snapshot, moves_of(before, title, snapshot.number))
        stands = [match] if agreed else [match, _dealt(table, title)]
        if before and {each.fingerprint() for each in stands} - {before[-1].fingerprint}:
            return Divergence(ReplayOutcome.DIFFERS, number)
        for row in rows[len(before) :]:
            if row.seat is None:
                continue
            number = row.number
            repeat(match, row.seat, row.action or {})
            if row.fingerprint and (match.pending or match.fingerprint() != row.fingerprint):
                return Divergence(ReplayOutcome.DIFFERS, number)
    except Refused as no:
        return Divergence(ReplayOutcome.ILLEGAL, number, no.text)
    except Exception as broken:  # these rules may do anything with moves they do not know
        return Divergence(ReplayOutcome.ILLEGAL, number, Text("{error}", {"error": type(broken).__name__}))
    return SAME


def _dealt(table: Table, title: Title) -> Match:
    """Return a table's game as these rules deal it: a record is checked from there."""
    return Match.new(title.rules, len(table.chairs), table.seed, options_at(table, title.rules))


def repeat(match: Match, seat: int, raw: dict[str, Any]) -> list[Move]:
    """Make one move of a ledger.  Raises Refused, or anything that the rules raise."""
    return match.repeat(seat, from_json(raw, (*actions(match.rules), *FRAMEWORK)))


def not_offered(match: Match, pending: dict[int, Any]) -> frozenset[int]:
    """Return the seats whose choices, not shown yet, these rules do not offer; `match` is without them."""
    return frozenset(seat for seat, raw in pending.items() if not _is_offered(match, seat, raw))


def _is_offered(match: Match, seat: int, raw: Any) -> bool:
    kinds: tuple[type[Action], ...] = (*actions(match.rules), Late)
    try:
        action = from_json(raw, kinds)
        if not isinstance(action, Late):
            match.check(seat, action)
    except Exception:  # these rules may do anything with what they do not know
        return False
    return True
