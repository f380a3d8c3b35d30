"""Play a record again by the rules that are here, and check every move, draw and fingerprint of it."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from strifebarge.lib.costly import COSTLY
from strifebarge.results.proof import ReplayStep, explained, not_proved, replay_steps
from strifebarge.results.record import Record, RecordRefusal, WrongRecord
from strifebarge.rules import Refused, Text
from strifebarge.rules.chance import Draw
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match
from strifebarge.tables.library.budget import WHOLE_GAME, run_for
from strifebarge.tables.library.library import Library, Title
from strifebarge.tables.model.ports import Row


class ReplayedRecord(NamedTuple):
    """A record that was played again: where it led, and what a ledger keeps of it."""

    match: Match
    rows: list[Row]
    snapshots: list[Snapshot]
    draws: list[list[Draw]]


def replay(record: Record, library: Library) -> ReplayedRecord:
    """Play a record again by the rules that are here.

    Checks that the seed is the promised one, every move legal, every draw and fingerprint the same, and that
    the game ends as the record says.  Raises WrongRecord; GameFault where the game's code fails.  It may take
    seconds, and much memory.
    """
    title = _title(record, library)
    try:
        return run_for(WHOLE_GAME, "", "playing a record again", _replay, record, title)
    except WrongRecord as wrong:
        raise explained(record, title.rules, title.sources, wrong) from wrong


def _replay(record: Record, title: Title) -> ReplayedRecord:
    rows: list[Row] = []
    snapshots: list[Snapshot] = []
    draws: list[list[Draw]] = []
    for step in replay_steps(record, title.rules):
        rows.append(_row(step, rows[-1].number if rows else 0, record.started or 0))
        draws.append(step.draws)
        if not snapshots or step.match.snapshot.number > snapshots[-1].number:
            snapshots.append(step.match.snapshot)
        COSTLY.pause()
    return ReplayedRecord(step.match, rows, snapshots, draws)


def _row(step: ReplayStep, last: int, started: float) -> Row:
    """Return the row of the ledger; a choice that waits for others' has a number and is no move yet."""
    log, each = step.match.take_log(), step.recorded
    if each is None:
        return Row(0, None, None, log, step.match.fingerprint(), True, started)
    number, place = step.moves[-1].ledger_position if step.moves else (last + 1, 0)
    final = bool(step.moves) and step.moves[-1].final
    return Row(number, each.seat, each.action, log, each.fingerprint, final, each.at, step=place)


class CheckedRecord(NamedTuple):
    """A record that was checked: its last fingerprint, all draws and caveats, or what is wrong with it."""

    fingerprint: str = ""
    draws: list[list[Draw]] | None = None
    not_proved: Sequence[Text] = ()
    wrong: WrongRecord | None = None


def checked(record: Record, library: Library) -> CheckedRecord:
    """Play a record again, and return what came of it."""
    try:
        again = replay(record, library)
    except WrongRecord as no:
        return CheckedRecord(wrong=no)
    whole = msgspec.structs.replace(record, draws=again.draws)
    return CheckedRecord(again.match.fingerprint(), again.draws, not_proved(whole, again.match.rules))


def _title(record: Record, library: Library) -> Title:
    try:
        return library[record.game].edition(record.rules_version)
    except Refused as unknown:
        raise WrongRecord(RecordRefusal.UNKNOWN_GAME, game=record.game[:40]) from unknown
