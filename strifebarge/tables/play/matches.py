"""Matches: kept ready between requests, and taken up from the snapshots and moves of the store."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple
from weakref import WeakValueDictionary

import msgspec

from strifebarge.lib.sized import SizedDict
from strifebarge.rules import Action, Refused
from strifebarge.rules.action import Late
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.replay import Diverged
from strifebarge.rules.schema import actions
from strifebarge.tables.library.budget import WHOLE_GAME, run_for
from strifebarge.tables.library.library import Library, Title
from strifebarge.tables.model.log import is_undo
from strifebarge.tables.model.ports import Busy, LedgerPosition, Row
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.play.ledger import RECENT, Ledger, known_rows, moves_of, recent
from strifebarge.tables.play.retracing import SAME, Divergence, OtherRules, find_divergence, not_offered

DIVERGED = "This game's rules have changed: its moves now lead to another position."
LEFT_OUT = "This game's files have a bug. You can play again when it is fixed."
TROUBLES = (DIVERGED, LEFT_OUT)  # which are over as soon as the match can be taken up
MOST = 12 * 1024 * 1024  # bytes of matches that a process keeps
# Bytes that a match takes, roughly: its frame, each byte of its stage's first position, each move, each row.
FRAME, OF_A_POSITION, OF_A_MOVE, OF_A_ROW = 10_000, 24, 1_200, 2_000
APART = b"\n"  # of a standing's two parts; not in JSON
PARTINGS_KEPT = 5000  # in each process: what came of playing a game again by other rules
UPGRADE_TAKES = 600  # seconds in which processes with older code give way to those with newer code


class CachedMatch(NamedTuple):
    """A match that is ready to go on, and the newest rows of its ledger."""

    match: Match
    rows: list[Row]
    anew: frozenset[int] = frozenset()  # the seats whose choices these rules do not offer any more


class StandingMatch(NamedTuple):
    """A match of the cache, and the standing in which it was put there."""

    standing: bytes
    match: CachedMatch


def size_of(cached: CachedMatch) -> int:
    """Return roughly how many bytes a match takes."""
    match = cached.match
    moves = OF_A_POSITION * len(match.snapshot.state) + OF_A_MOVE * len(match.ledger)
    return FRAME + moves + OF_A_ROW * len(cached.rows)


def cache_key(table: Table) -> bytes:
    """Return what a table's match follows from: its place in the ledger, what is chosen, by which code.

    The names of its people are among it, for the ledger's rows have them.  What else happens at a table, as
    when somebody says something there, leaves its match as it is.
    """
    position = table.position
    names = [[chair.player, chair.name, chair.coplayers, chair.sat] for chair in table.chairs]
    ledger_state = [position.number, position.reached, position.pending, position.steps]
    return msgspec.json.encode(ledger_state) + APART + msgspec.json.encode([table.played_by, names])


def _lasting(standing: bytes) -> bytes:
    """Return what of a standing is the same after a move: by which code it is played, and by whom."""
    return standing.partition(APART)[2]


class MatchCache:
    """Matches kept ready between requests, one of a table.  A match that is taken is taken alone.

    Correctness never depends on the cache: what is not there is taken up from the store.
    """

    def __init__(self) -> None:
        self.matches = SizedDict[str, StandingMatch](MOST)  # by table
        self.partings: OrderedDict[str, Divergence] = OrderedDict()
        self.lock = Lock()
        self._retracing: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    def take(self, id: str, standing: bytes) -> CachedMatch | None:
        """Return a table's match as it stood then, and keep it no longer; None if it is not there."""
        with self.lock:
            return self._take_if(id, lambda then: then == standing)

    def put(self, id: str, standing: bytes, match: CachedMatch) -> None:
        """Keep a table's match as it stands; those that were not used for longest make room."""
        with self.lock:
            self.matches.put(id, StandingMatch(standing, match), size_of(match))

    def reached(self, id: str) -> LedgerPosition | None:
        """Return the place in the ledger of a table's match; None if none is kept."""
        with self.lock:
            entry = self.matches.get(id)
            return entry.match.rows[-1].ledger_position if entry and entry.match.rows else None

    def take_earlier(self, id: str, standing: bytes) -> CachedMatch | None:
        """Return a table's match as it stood earlier, by the same code and people, and keep it no longer."""
        with self.lock:
            return self._take_if(id, lambda then: _lasting(then) == _lasting(standing))

    def _take_if(self, id: str, fits: Callable[[bytes], bool]) -> CachedMatch | None:
        entry = self.matches.get(id)
        if entry is None or not fits(entry.standing):
            return None
        self.matches.pop(id)
        return entry.match

    def clear(self) -> None:
        with self.lock:
            self.matches.clear()
            self.partings.clear()

    # -- other rules ---------------------------------------------------------------

    def ready(self, ledger: Ledger, title: Title, table: Table, standing: bytes) -> CachedMatch:
        """Take a table's match, or take it up from the store.

        A running game that other code has played is played again from the deal first, once in each process.
        Raises Diverged: OtherRules where it comes out otherwise; Refused(NO_TABLE).
        """
        if cached := self.take(table.id, standing) or self._gone_on(ledger, title, table, standing):
            return cached
        parting = self.find_divergence(ledger, title, table)
        if not parting.same:
            raise OtherRules(table.id, parting)
        return load_match(ledger, title, table)

    def _gone_on(self, ledger: Ledger, title: Title, table: Table, standing: bytes) -> CachedMatch | None:
        """Take a table's match as it stood when it was last here, and make the moves made elsewhere since."""
        if table.played_by.sources != title.sources:
            return None
        earlier = self.take_earlier(table.id, standing)
        return extend_match(ledger, title, table, earlier) if earlier else None

    def find_divergence(self, ledger: Ledger, title: Title, table: Table) -> Divergence:
        """Return where a game parts from the rules that are here, which may be other rules than its own."""
        if table.status is Status.OVER or table.played_by.sources == title.sources:
            return SAME
        with self.lock:
            lock = self._retracing.setdefault(table.id, Lock())
        with lock:  # of many who look at once, one plays it again
            key = repr((table.id, title.sources, table.position.reached, table.played_by.agreed))
            parting = self.partings.get(key) or run_for(
                WHOLE_GAME, table.id, "playing it again", find_divergence, ledger, table, title
            )
            with self.lock:
                self.partings[key] = parting
                while len(self.partings) > PARTINGS_KEPT:
                    self.partings.popitem(last=False)
        return parting


# -- taken up from the store -------------------------------------------------------


def load_match(ledger: Ledger, title: Title, table: Table) -> CachedMatch:
    """Return a table's match as it stands.  Raises Diverged; Refused(NO_TABLE)."""
    snapshot = ledger.snapshot(table.id, table.position.number)
    rows = known_rows(ledger, table, min(snapshot.number, table.position.number - RECENT) - 1)
    if not rows:  # the table was deleted since it was read
        raise Refused(TableRefusal.NO_TABLE)
    try:
        match = Match(title.rules, snapshot, moves_of(rows, title, snapshot.number))
        others = table.played_by.sources != title.sources
        anew = not_offered(match, table.position.pending) if others else frozenset()
        match.pending = _pending(table, title, anew)
    except MemoryError:
        raise
    except Exception as broken:
        raise Diverged(table.id) from broken
    if rows[-1].fingerprint != match.fingerprint():
        raise Diverged(table.id)
    return CachedMatch(match, recent(rows, match.number), anew)


def extend_match(ledger: Ledger, title: Title, table: Table, earlier: CachedMatch) -> CachedMatch | None:
    """Return a match with the moves that were made since; None where it must be taken up from the store.

    It then stands as in the process that has made them: there, too, they were made one after the other.
    """
    match = earlier.match
    if earlier.anew or not earlier.rows:
        return None
    last = max(table.position.reached, (table.position.number, 0))
    rows = [
        row
        for row in ledger.rows_since(table.id, earlier.rows[-1].ledger_position, last[0])
        if row.ledger_position <= last
    ]
    if any(row.seat is None or is_undo(row) for row in rows):
        return None
    try:
        for move in moves_of(rows, title, -1):
            match.replay.take(move)
        match.take_log()
        match.pending = _pending(table, title)
    except MemoryError:
        raise
    except Exception:  # what it was kept with is not what the ledger has
        return None
    whole = [*earlier.rows, *rows]
    if whole[-1].ledger_position != last or whole[-1].fingerprint != match.fingerprint():
        return None
    return CachedMatch(match, recent(whole, match.number))


def _pending(table: Table, title: Title, anew: frozenset[int] = frozenset()) -> dict[int, Action]:
    """Return the choices at a table that are no moves yet, but for those of seats that are asked anew."""
    kinds: tuple[type[Action], ...] = (*actions(title.rules), Late)
    return {seat: from_json(raw, kinds) for seat, raw in table.position.pending.items() if seat not in anew}


def ask_anew(table: Table, seats: frozenset[int]) -> None:
    """Note on a table that seats choose anew, because other rules do not offer what they had chosen."""
    position = table.position
    for seat in seats:
        position.pending.pop(seat, None)
        position.chosen_by.pop(seat, None)
    position.waiting = sorted({*position.waiting, *seats})
    position.anew = sorted({*position.anew, *seats})


class Superseded(Busy):
    """Raised in a process whose code is older than what has just played a table."""


def must_be_newest(table: Table, title: Title, library: Library, now: float) -> None:
    """Raise Superseded if newer code than that of this process has just played a table, as in an upgrade.

    So that nothing is written by older rules after newer ones.  Not for ever: neither a process that was
    started again with older code nor a clock that was wrong may keep all others from a table.
    """
    played = table.played_by
    newer = played.sources not in ("", title.sources) and played.loaded > library.loaded
    if newer and abs(now - played.loaded) < UPGRADE_TAKES:
        raise Superseded(f"table {table.id} is played by newer rules: this process is to be started again")


class ResumePoint(NamedTuple):
    """A position from which a game may go on by other rules, if all agree: that of now, or an earlier one."""

    snapshot: Snapshot  # of the stage that is played then
    number: int  # of the position's last move
    stands: bool  # it is the position of now: no move is lost


def resume_point(ledger: Ledger, title: Title, table: Table) -> ResumePoint | None:
    """Return the newest position from which a game may go on by these rules, if there is one.

    That is the one in which it stands, if they lead there from the start of its stage; else the newest start
    of a stage that is the same by them.
    """
    try:
        match = load_match(ledger, title, table).match
        return ResumePoint(match.snapshot, table.position.number, stands=True)
    except Diverged:
        snapshot = _newest_agreeing(ledger, title, table)
        return ResumePoint(snapshot, snapshot.number, stands=False) if snapshot else None


def _newest_agreeing(ledger: Ledger, title: Title, table: Table) -> Snapshot | None:
    """Return the newest snapshot from which the rules lead to the position that was shown then, if any."""
    at: int = table.position.number
    while at >= 0:
        snapshot = ledger.snapshot(table.id, at)
        rows = ledger.rows(table.id, snapshot.number - 1, snapshot.number)
        if not rows:  # the table was deleted since it was read
            raise Refused(TableRefusal.NO_TABLE)
        try:
            if Match(title.rules, snapshot).fingerprint() == rows[-1].fingerprint:
                return snapshot
        except Exception:  # noqa: S110 - these rules cannot even read it
            pass
        at = snapshot.number - 1
    return None


def clear_mismatch(table: Table, at: float) -> None:
    """Let a table go on that was suspended for its rules' sake, now that its match could be taken up."""
    if table.trouble in TROUBLES:
        table.trouble = ""
        if table.suspension is None and table.status is Status.SUSPENDED:
            table.status = Status.PLAYING
            if table.clock:
                table.clock.release(at)
