"""Check before new rules go live whether each running game goes the same way by them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from random import SystemRandom
from typing import NamedTuple

from strifebarge.tables.model.table import Table
from strifebarge.tables.play.matches import load_match
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.retracing import Divergence, ReplayOutcome, find_divergence

__all__ = [
    "CheckedTable",
    "Divergence",
    "ReplayOutcome",
    "RulesVerdict",
    "SampleResult",
    "adopt",
    "check",
    "check_some",
    "describe",
    "summary",
    "unknown",
]


class RulesVerdict(StrEnum):
    """Fates of a game when these rules go live."""

    GOES_ON = "goes on"
    OLD_RULES = "stays on the old rules"
    GOES_ON_IF_AGREED = "may go on where it stands"
    GOES_BACK = "may go back to the start of a stage"
    STANDS = "is suspended until rules are there that agree"


class CheckedTable(NamedTuple):
    """One running table, played again by the newest rules of its game."""

    table: Table
    now: int  # the version of these rules
    parting: Divergence
    fate: RulesVerdict
    back: int | None = None  # the move to which it may go back
    anew: Sequence[int] = ()  # the seats whose choices, not shown yet, these rules do not offer


class SampleResult(NamedTuple):
    """How many games were played again, and the ids of tables at which they came out otherwise."""

    games: int
    differ: tuple[str, ...]


def check_some(referee: Referee, most: int) -> SampleResult:
    """Play some running games again by their own rules, chosen at random; change nothing."""
    tables = [
        table
        for table in map(referee.store.table, referee.store.running())
        if table.game in referee.library.titles
    ]
    some = SystemRandom().sample(tables, min(most, len(tables)))
    differ = [
        each.id for each in some if not find_divergence(referee.store, each, referee.library.of(each)).same
    ]
    return SampleResult(len(some), tuple(differ))


def check(referee: Referee, game: str | None = None) -> Iterator[CheckedTable]:
    """Check all running tables, or those of one game, and change nothing.  Raises Refused(NO_GAME)."""
    for id in referee.store.running():
        table = referee.store.table(id)
        if game in (None, table.game) and table.game in referee.library.titles:
            yield check_table(referee, table)


def check_table(referee: Referee, table: Table) -> CheckedTable:
    """Check one running table, and change nothing."""
    newest = referee.library[table.game]
    parting = find_divergence(referee.store, table, newest)
    fate, back = RulesVerdict.GOES_ON, None
    if referee.library.of(table) is not newest:
        fate = RulesVerdict.OLD_RULES
    elif not referee.views.rules_agree(table):
        way = referee.views.way_on(table)
        fate = (
            RulesVerdict.STANDS
            if way is None
            else RulesVerdict.GOES_ON_IF_AGREED
            if way.stands
            else RulesVerdict.GOES_BACK
        )
        back = way.number if way else None
    anew = load_match(referee.store, newest, table).anew if fate is RulesVerdict.GOES_ON else frozenset()
    return CheckedTable(table, newest.version, parting, fate, back, sorted(anew))


def unknown(referee: Referee) -> list[Table]:
    """Return the running tables of games that are not installed."""
    tables = map(referee.store.table, referee.store.running())
    return [table for table in tables if table.game not in referee.library.titles]


def adopt(referee: Referee, id: str) -> bool:
    """Let a table that comes out the same go on by the newest rules; whether it does now."""
    with referee.store.change(id) as change:
        table = change.table
        newest = referee.library[table.game]
        if table.rules_version == newest.version:
            return False
        if not find_divergence(change, table, newest).same:
            return False
        table.rules_version = newest.version
        table.played_by.sources, table.played_by.loaded = newest.sources, referee.library.loaded
    return True


# -- told ----------------------------------------------------------------------------------


def describe(checked: CheckedTable) -> str:
    """Tell the host of the site about one table in a line."""
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
    if checked.fate is RulesVerdict.GOES_ON_IF_AGREED:
        return f"{line}; if all agree, it goes on where it stands"
    if checked.back is not None:
        return f"{line}; if all agree, it goes back to move {checked.back}"
    if checked.anew:
        return f"{line}; {', '.join(table.chairs[seat].called for seat in checked.anew)} chooses anew"
    return (
        line
        if parting.outcome is ReplayOutcome.SAME and checked.fate is RulesVerdict.GOES_ON
        else (f"{line}; it {checked.fate}")
    )


def summary(checkeds: list[CheckedTable]) -> str:
    """Count the outcomes."""
    counts = Counter(each.parting.outcome for each in checkeds)
    parts = ", ".join(f"{counts[outcome]} {outcome}" for outcome in ReplayOutcome)
    return f"{len(checkeds)} running games: {parts}."
