"""Play a record again by the rules that are here, and check every move, draw and fingerprint of it."""

from functools import lru_cache
from typing import NamedTuple

import msgspec

from strifebarge.lib.busy import FairSemaphore
from strifebarge.results.record import MOST_MOVES, Record, RecordedMove, RecordRefusal, WrongRecord
from strifebarge.rules import Options, Refused
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.chance import Draw, commitment, witnessed
from strifebarge.rules.ledger import Move, Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, options_type, seat_numbers
from strifebarge.tables.library.budget import WHOLE_GAME, run_for
from strifebarge.tables.library.library import Library, Title
from strifebarge.tables.model.ports import Row

REMEMBERED = 8  # records whose outcome each process remembers; one may be half a megabyte
# One that was made to be large takes seconds, and much memory.
REPLAYS = FairSemaphore(1, patience=20.0, what="replays of records")


class ReplayedRecord(NamedTuple):
    """A record that was played again: where it led, and what a ledger keeps of it."""

    match: Match
    rows: list[Row]
    snapshots: list[Snapshot]
    draws: list[list[Draw]]


def replay(record: Record, library: Library) -> ReplayedRecord:
    """Play a record again by the rules that are here.

    Checks that the seed is the promised one, every move legal, every draw and fingerprint the same, and that
    the game ends as the record says.  Raises WrongRecord; Busy while others are played again; GameFault where
    the game's code fails.
    """
    title = _title(record, library)
    try:
        with REPLAYS:
            return run_for(WHOLE_GAME, "", "playing a record again", _replay, record, title)
    except WrongRecord as wrong:
        raise _by_other_rules(record, title, wrong) or wrong from wrong


def _replay(record: Record, title: Title) -> ReplayedRecord:
    if commitment(record.seed) != record.commitment:
        raise WrongRecord(RecordRefusal.WRONG_SEED)
    if len(record.moves) > MOST_MOVES:
        raise WrongRecord(RecordRefusal.TOO_MANY, most=MOST_MOVES)
    if record.moves and not record.moves[-1].fingerprint:
        raise WrongRecord(RecordRefusal.UNSEALED)
    again = RecordReplay(title, record)
    for each in record.moves:
        again.play(each)
    places = again.match.result.places if again.match.result else []
    if (again.match.result is not None) != record.finished or places != record.places:
        raise WrongRecord(RecordRefusal.ENDS_DIFFERENTLY)
    return ReplayedRecord(again.match, again.rows, again.snapshots, again.draws)


# What edited rules may be to blame for.
BY_RULES = frozenset(
    (
        *(
            RecordRefusal.WRONG_SEATS,
            RecordRefusal.CANNOT_BEGIN,
            RecordRefusal.WRONG_DEAL,
            RecordRefusal.ILLEGAL,
            RecordRefusal.UNPLAYABLE,
        ),
        *(RecordRefusal.ELSEWHERE, RecordRefusal.WRONG_DRAW, RecordRefusal.ENDS_DIFFERENTLY),
    )
)


def _by_other_rules(record: Record, title: Title, wrong: WrongRecord) -> WrongRecord | None:
    """Return what is wrong with a record that was played by other rules than those here; else None.

    Nobody has cheated then.  A record that says nothing of its rules is judged by those that are here.
    """
    if wrong.why not in BY_RULES:
        return None
    reason, number = wrong.text, wrong.args_told.get("number", 0)
    then, now = record.rules_version, title.version
    if then != now and number:
        return WrongRecord(RecordRefusal.OTHER_VERSION, then=then, now=now, number=number, reason=reason)
    if record.sources and record.sources != title.sources:
        return WrongRecord(RecordRefusal.OTHER_RULES, reason=reason)
    if isinstance(record.agreed, int) and number <= record.agreed:
        return WrongRecord(RecordRefusal.AGREED, agreed=record.agreed, reason=reason)
    return None


class CheckedRecord(NamedTuple):
    """A record that was checked: its last fingerprint and all draws, or what is wrong with it."""

    fingerprint: str = ""
    draws: list[list[Draw]] | None = None
    wrong: WrongRecord | None = None


def checked(record: Record, library: Library) -> CheckedRecord:
    """Play a record again, or return what came of it before: each process remembers the latest records."""
    return _checked(library, msgspec.json.encode(record))


@lru_cache(REMEMBERED)
def _checked(library: Library, record: bytes) -> CheckedRecord:
    try:
        again = replay(msgspec.json.decode(record, type=Record), library)
    except WrongRecord as no:
        return CheckedRecord(wrong=WrongRecord(no.why, **no.args_told))  # without what it was raised from
    return CheckedRecord(again.match.fingerprint(), again.draws)


def _title(record: Record, library: Library) -> Title:
    try:
        return library[record.game].edition(record.rules_version)
    except Refused as unknown:
        raise WrongRecord(RecordRefusal.UNKNOWN_GAME, game=record.game[:40]) from unknown


class RecordReplay:
    """Plays a record again, move by move, by the rules that are here."""

    def __init__(self, title: Title, record: Record):
        self.title = title
        self.record = record
        self.seen_draws: set[tuple[str, int]] = set()
        self.draws: list[list[Draw]] = []
        with witnessed() as drawn:
            self.match = self._begun()
        self._note(drawn, 0)
        deal = Row(0, None, None, self.match.take_log(), self.match.fingerprint(), True, record.started or 0)
        self.rows = [deal]
        self.snapshots = [self.match.snapshot]

    def _begun(self) -> Match:
        rules, seats = self.title.rules, len(self.record.names)
        if seats not in seat_numbers(rules):
            raise WrongRecord(RecordRefusal.WRONG_SEATS, seats=seats)
        try:
            options: Options = msgspec.convert(self.record.options, options_type(rules))
            if seats not in seat_numbers(rules, options):
                raise WrongRecord(RecordRefusal.WRONG_SEATS, seats=seats)
            if why := options.refuse():
                raise why if isinstance(why, Refused) else why()
            return Match.new(rules, seats, self.record.seed, options)
        except WrongRecord:
            raise
        except Refused as no:
            raise WrongRecord(RecordRefusal.CANNOT_BEGIN, problem=no.text) from no
        except Exception as error:  # the file is a stranger's
            raise WrongRecord(RecordRefusal.CANNOT_BEGIN, problem=str(error)[:200]) from error

    def play(self, each: RecordedMove) -> None:
        """Play one more move.  Raises WrongRecord."""
        if each.number != len(self.rows):
            raise WrongRecord(RecordRefusal.WRONG_NUMBER, wanted=len(self.rows), found=each.number)
        try:
            with witnessed() as drawn:
                moves = self._move(each)
        except Refused as no:
            raise WrongRecord(RecordRefusal.ILLEGAL, number=each.number, reason=no.text) from no
        except Exception as error:
            raise WrongRecord(RecordRefusal.UNPLAYABLE, number=each.number) from error
        if each.fingerprint and (self.match.pending or self.match.fingerprint() != each.fingerprint):
            raise WrongRecord(RecordRefusal.ELSEWHERE, number=each.number)
        self.rows.append(self._row(each, moves))
        self._note(drawn, each.number)
        if self.match.snapshot.number > self.snapshots[-1].number:
            self.snapshots.append(self.match.snapshot)

    def _move(self, each: RecordedMove) -> list[Move]:
        kinds = (*actions(self.title.rules), *FRAMEWORK)
        return self.match.repeat(each.seat, from_json(each.action, kinds))

    def _row(self, each: RecordedMove, moves: list[Move]) -> Row:
        """Return the row of the ledger; a choice that waits for others' has a number and is no move yet."""
        number, step = moves[-1].ledger_position if moves else (self.rows[-1].number + 1, 0)
        log, final = self.match.take_log(), bool(moves) and moves[-1].final
        return Row(number, each.seat, each.action, log, each.fingerprint, final, each.at, step=step)

    def _note(self, drawn: list[Draw], number: int) -> None:
        """Keep the new draws.  Raises WrongRecord where the record says something else."""
        new = list({draw[:2]: draw for draw in drawn if draw[:2] not in self.seen_draws}.values())
        self.seen_draws |= {draw[:2] for draw in new}
        self.draws.append(new)
        draws = self.record.draws
        if draws is not None and (number >= len(draws) or draws[number] != new):
            raise (
                WrongRecord(RecordRefusal.WRONG_DRAW, number=number)
                if number
                else WrongRecord(RecordRefusal.WRONG_DEAL)
            )
