"""Findings: told, made as short as is simple, and written as records that can be played again."""

from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.fuzz.acts import GameOperation, GameSetup, act
from strifebarge.fuzz.law import Law, Unlawful
from strifebarge.results.record import FORMAT, MOST_MOVES, FindingNote, Record, RecordedMove, written
from strifebarge.rules import Refused
from strifebarge.rules.chance import commitment
from strifebarge.rules.match import Match
from strifebarge.rules.schema import slug

SHRINK = 3.0  # seconds for making one finding short


class Finding(Struct):
    """A broken law: the game, the acts that stand, and the one at which it broke, if it was one."""

    setting: GameSetup
    seed: str
    ops: list[GameOperation]
    law: Law
    how: str
    kind: str
    trying: GameOperation | None = None
    hash_seed: str = ""  # the one under which it goes otherwise
    games: int = 0  # played until it was found
    seconds: float = 0

    @classmethod
    def of(
        cls,
        wrong: Unlawful,
        setting: GameSetup,
        seed: str,
        ops: Iterable[GameOperation],
        trying: GameOperation | None,
    ) -> "Finding":
        return cls(setting, seed, [*ops], wrong.law, wrong.how, wrong.kind, trying)

    @property
    def name(self) -> str:
        return f"{slug(self.setting.rules)}-{self.law.name.lower()}"


Breaks = Callable[[Finding], Unlawful | None]


def shrunk(finding: Finding, breaks: Breaks, seconds: float = SHRINK) -> Finding:
    """Return the finding with fewer acts, if it still shows; `breaks` plays a finding and looks."""
    until = monotonic() + seconds
    if not _still(finding, breaks):
        return finding
    size = max(1, len(finding.ops) // 2)
    while monotonic() < until:
        at = 0
        while at < len(finding.ops) and monotonic() < until:
            fewer = msgspec.structs.replace(finding, ops=finding.ops[:at] + finding.ops[at + size :])
            if _still(fewer, breaks):
                finding = fewer
            else:
                at += 1 if size < 8 else size  # in small pieces, for a turn may be of several acts
        if size == 1:
            break
        size = size // 2 if size > 4 else size - 1
    wrong = breaks(finding)
    return msgspec.structs.replace(finding, how=wrong.how) if wrong else finding


def _still(finding: Finding, breaks: Breaks) -> bool:
    try:
        wrong = breaks(finding)
    except Refused:  # an act needs those that were left out
        return False
    return wrong is not None and wrong.kind == finding.kind


# -- as a file --------------------------------------------------------------------------


def record_of(finding: Finding, fuzz_seed: str = "") -> Record:
    """Return the game up to where the law breaks, as an unfinished record, to be replayed or imported.

    Where the rules break down on the way the record ends before it.
    """
    setting = finding.setting
    note = FindingNote(finding.law, finding.how, str(finding.trying or ""), fuzz_seed)
    record = Record(
        format=FORMAT,
        game=slug(setting.rules),
        rules_version=setting.rules.version,
        options=msgspec.to_builtins(setting.options),
        names=[""] * setting.seats,
        seed=finding.seed,
        commitment=commitment(finding.seed),
        places=[],
        moves=[],
        finished=False,
        finding=note,
    )
    try:
        match = setting.begin(finding.seed)
        for op in finding.ops[:MOST_MOVES]:
            _note(record, match, act(match, op))
    except (Exception, SystemExit):  # what was found is that it breaks down
        return record
    while record.moves and not record.moves[-1].fingerprint:
        del record.moves[-1]  # others were still to choose where it was cut off
    if match.result:
        record.finished, record.places = True, match.result.places
    return record


def _note(record: Record, match: Match, moves: list[Any]) -> None:
    """Keep moves as a ledger has them: the last one with the position it led to."""
    for move in moves:
        if len(record.moves) < MOST_MOVES:
            last = match.fingerprint() if move is moves[-1] else ""
            raw = msgspec.to_builtins(move.action)
            record.moves.append(RecordedMove(len(record.moves) + 1, move.seat, raw, last))


def keep(finding: Finding, folder: Path, fuzz_seed: str = "") -> Path:
    """Write a finding into a folder, under a name of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    path, number = folder / f"{finding.name}.json", 1
    while path.exists():
        path, number = folder / f"{finding.name}-{number + 1}.json", number + 1
    path.write_bytes(written(record_of(finding, fuzz_seed)))
    return path
