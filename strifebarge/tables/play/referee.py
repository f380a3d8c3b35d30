"""Carries out every change to a table: once, durably and as if alone, or not at all.

What a form wants is judged outside the database's lock.  Only then is the table locked, and what was judged
is written if the table still stands as it was read; else it is judged anew.  So the rules of a game never run
while others wait to write.
"""

import logging
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext
from functools import partial
from secrets import token_bytes
from threading import Lock
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from strifebarge.lib.busy import Interrupted
from strifebarge.lib.waited import seconds_waited
from strifebarge.ops.logs import LogEvent
from strifebarge.ops.metrics import MoveCount, counting_move
from strifebarge.rules import Refused, Standard
from strifebarge.rules.replay import Diverged
from strifebarge.tables.clock.judging import Judging
from strifebarge.tables.library.budget import GameFault, fault_of, run
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.bots import BotRules, is_bot
from strifebarge.tables.model.events import EventListener
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Busy, Draft, Outdated, Receipt, TableRepository
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.play.attendance import Attendance
from strifebarge.tables.play.faults import Suspender, keep_fault, suspend_for_fault, tell
from strifebarge.tables.play.matches import DIVERGED, MatchCache, cache_key
from strifebarge.tables.play.queries import Views
from strifebarge.tables.play.retracing import OtherRules
from strifebarge.tables.play.timeouts import is_on_time
from strifebarge.tables.play.turn import FormToken, Turn

log = logging.getLogger("strifebarge")
P = ParamSpec("P")
T = TypeVar("T")
MOVE = "move"  # the act that is measured
BESIDE_OTHERS = 2  # times a table is judged beside others who may change it, before we take turns
TURNS_IN_A_ROW = 100  # times it is judged then, while other processes change it, before we give up
TIMES = 3  # that a form is carried out, where the database ends its transaction
TURN_AFTER = 5.0  # seconds to wait until it is our turn at a table that many change at once


class Accepted(NamedTuple):
    """That a form was carried out, now or when it came before."""

    number: int  # of the table's last move after it
    repeated: bool = False


class Referee:
    """Runs acts: plain functions of a Turn, which raise Refused."""

    def __init__(
        self,
        store: TableRepository,
        library: Library,
        now: Callable[[], float],
        entropy: Callable[[int], bytes] = token_bytes,
        subscribers: Sequence[EventListener] = (),
        bots: BotRules = BotRules(),  # noqa: B008 - it is a tuple
    ):
        self.store = store
        self.library = library
        self.now = now
        self.entropy = entropy
        self.subscribers = subscribers
        self.bots = bots
        self.matches = MatchCache()
        self.suspender = Suspender(store, lambda: self.now())
        self.views = Views(store, library, self.matches, lambda: self.now(), self.suspender.report, bots.on)
        self.attendance = Attendance(store, self.views, lambda: self.now())
        self.judging = Judging(store, lambda: self.now())
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()
        self._locking = Lock()

    def catch_up(self) -> float:
        """Look what time the other processes have; return by how many seconds this one's goes forward.

        Raises Busy.
        """
        look = getattr(self.now, "look", None)  # only the site's own clock has something to look at
        if look is None:
            return 0.0
        before = self.now()
        look()
        return max(0.0, self.now() - before)

    def carry_out(
        self,
        player: str,
        id: str,
        form: FormToken,
        act: Callable[Concatenate[Turn, P], object],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> Accepted:
        """Carry out what a form wants at a table; a form that was accepted before gets the same answer.

        What happens at a deadline that has passed is kept by itself, whatever then becomes of the form.
        Where the database ends its transaction it is carried out again, three times in all: by its receipt it
        counts once, whether that transaction was kept or not.  Raises Refused, and the form has changed
        nothing; Busy, and it may be sent again.
        """
        receipt = form.receipt(name_of(act), player, id, self.now() - seconds_waited())
        for _ in range(TIMES - 1):
            try:
                return self._carry_out(receipt, player, id, form, act, *arguments, **named)
            except Interrupted:
                continue
        return self._carry_out(receipt, player, id, form, act, *arguments, **named)

    def _carry_out(
        self,
        receipt: Receipt,
        player: str,
        id: str,
        form: FormToken,
        act: Callable[Concatenate[Turn, P], object],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> Accepted:
        receipt_name = name_of(act)
        judging = self.judging.form(id, player, receipt.at)
        counting = counting_move(is_bot(player)) if receipt_name == MOVE else nullcontext(MoveCount())
        with counting as move, judging as judged, closing(self._drafts(id, form.key)) as drafts:
            for draft in drafts:
                move.game = draft.table.game
                if draft.receipt and draft.receipt.digest == receipt.digest:
                    move.repeated = True
                    return Accepted(draft.receipt.number, repeated=True)
                self.judging.look_at(judged, draft.table)
                turn = Turn(self, draft.table, receipt.at, player, form)
                turn.judged = judged
                try:
                    on_time = run(
                        id,
                        f"judging {receipt_name}",
                        partial(_judge, turn, draft, act, *arguments, **named),
                    )
                except GameFault as fault:
                    if self._suspend_for_fault(draft, fault):
                        raise Refused(_of_the_fault(draft.table)) from None
                    continue
                except Diverged as diverged:
                    if self._suspend(draft, diverged):
                        raise Refused(TableRefusal.SUSPENDED) from diverged
                    continue
                except Refused as no:
                    if not draft.still_stands("" if draft.receipt else form.key):
                        continue  # judged on a table that has changed meanwhile
                    self._put_back(turn)
                    if late := _too_late(no, turn):
                        raise late from no
                    raise
                if self._write(draft, turn, receipt if on_time else None) and on_time:
                    return Accepted(turn.table.position.number)
        raise Busy(f"too many change table {id} at once")

    def change(
        self, id: str, act: Callable[Concatenate[Turn, P], T], *arguments: P.args, **named: P.kwargs
    ) -> T:
        """Run an act that no form wants, in a transaction of its own; return what it returns.

        Where the game's code fails the table is suspended, and the act run once more.  Raises Refused, Busy;
        Diverged, after which the table is suspended; GameFault if that was not enough.
        """
        now, failed = self.now(), False
        with closing(self._drafts(id)) as drafts:
            for draft in drafts:
                turn = Turn(self, draft.table, now)
                try:
                    done = run(id, f"doing {name_of(act)}", act, turn, *arguments, **named)
                except GameFault as fault:
                    if self._suspend_for_fault(draft, fault) and failed:
                        raise
                    failed = True  # but it may be done where the game is suspended
                    continue
                except Diverged as diverged:
                    if self._suspend(draft, diverged):
                        raise
                    continue
                except Refused:
                    if not draft.still_stands():
                        continue
                    self._put_back(turn)
                    raise
                if self._write(draft, turn):
                    return done
        raise Busy(f"too many change table {id} at once")

    def rehearse(
        self, id: str, act: Callable[Concatenate[Turn, P], T], *arguments: P.args, **named: P.kwargs
    ) -> T:
        """Run an act as `change` does, and write nothing; return what it returns.

        Raises Refused, Diverged, GameFault.
        """
        turn = Turn(self, self.store.draft(id).table, self.now())
        return run(id, f"doing {name_of(act)}", act, turn, *arguments, **named)

    def open(self, table: Table, receipt: Receipt, player: Player, act: Callable[[Turn], object]) -> Table:
        """Keep a new table and whose it is, after an act; or return the one this form has opened before.

        Raises Refused: what the act raises; CANNOT_BEGIN, KEY_REUSED.
        """
        turn = Turn(self, table, table.times.created)
        try:
            run(table.id, f"beginning {table.game}", act, turn)
        except GameFault as fault:
            tell(fault)
            raise Refused(TableRefusal.CANNOT_BEGIN) from None
        stored = self.store.add(table, receipt, player, turn.commit)
        if stored is table:
            self._publish(turn)
        return stored

    def receipt(self, key: str) -> Receipt | None:
        """Return what was accepted with a form of this key, if anything."""
        return self.store.receipt(key)

    # -- judged, and then written ------------------------------------------------

    def _drafts(self, id: str, key: str = "") -> Generator[Draft]:
        """Read a table again and again: at first beside others, then in turns with the others here.

        Raises Refused(NO_TABLE), Busy.
        """
        for _ in range(BESIDE_OTHERS):
            yield self.store.draft(id, key)
        with self._locking:
            lock = self._locks.setdefault(id, Lock())
        if not lock.acquire(timeout=TURN_AFTER):
            raise Busy(f"too many wait for table {id}")
        try:
            for _ in range(TURNS_IN_A_ROW):
                yield self.store.draft(id, key)
        finally:
            lock.release()

    def _write(self, draft: Draft, turn: Turn, receipt: Receipt | None = None) -> bool:
        """Write what was judged, and only then let it be seen; False if the table has changed meanwhile."""
        try:
            with draft.locked() as change:
                turn.commit(change, receipt)
        except Outdated:
            return False
        self._publish(turn)
        return True

    def _publish(self, turn: Turn) -> None:
        if turn.cached:
            self.matches.put(turn.table.id, cache_key(turn.table), turn.cached)

    def _put_back(self, turn: Turn) -> None:
        """Keep the match of a turn that was refused, if it stands as it stood."""
        if turn.cached and not turn.played:
            self.matches.put(turn.table.id, turn.standing, turn.cached)

    def _suspend(self, draft: Draft, diverged: Diverged) -> bool:
        """Suspend a table because its rules lead elsewhere; False if it has changed meanwhile."""
        with self.store.change(draft.table.id) as change:
            if change.table.revision != draft.revision:
                return False
            news = change.table.trouble != DIVERGED
            change.table.suspend_for_rules(self.now(), DIVERGED)
            if diverged.__cause__ is not None:  # the rules fail on the way
                keep_fault(change.table, fault_of(diverged.__cause__, "playing its moves again"), self.now())
        if news:
            where = diverged.parting.number if isinstance(diverged, OtherRules) else None
            table, game = draft.table.id, draft.table.game
            what = "its position" if where is None else f"move {where}"
            message = (
                f"Table {table} is suspended: {game} has other rules, by which {what} comes out otherwise."
            )
            log.warning(LogEvent("suspended", message, table=table, game=game, move=where))
        return True

    def _suspend_for_fault(self, draft: Draft, fault: GameFault) -> bool:
        """Suspend a table because its game's code has failed; False if it has changed meanwhile."""
        with self.store.change(draft.table.id) as change:
            if change.table.revision != draft.revision:
                return False
            suspend_for_fault(change.table, fault.fault, self.now())
        tell(fault)
        return True


def _judge(
    turn: Turn,
    draft: Draft,
    act: Callable[Concatenate[Turn, P], object],
    *arguments: P.args,
    **named: P.kwargs,
) -> bool:
    """Do what a form wants if no deadline has passed, else what happens then; return whether none has."""
    if not is_on_time(turn):
        return False
    if turn.form:
        _must_be_unused(turn.form, draft.receipt)
    before = turn.state
    act(turn, *arguments, **named)
    turn.quiet |= turn.state == before
    turn.conclude()
    return True


def _of_the_fault(table: Table) -> TableRefusal:
    """Return why a form is refused in which a game's code has failed."""
    return TableRefusal.CANNOT_BEGIN if table.status is Status.OPEN else TableRefusal.MISTAKE


def name_of(act: Any) -> str:
    """Return what an act is called in the digests of forms."""
    return str(getattr(act, "form_name", act.__name__))


def _must_be_unused(form: FormToken, earlier: Receipt | None) -> None:
    """Require a key that no other form was accepted with.  Raises Refused: KEY_REUSED, STALE."""
    if earlier:
        # A move from a page that a browser kept: its question has been answered.
        raise Refused(TableRefusal.KEY_REUSED if form.question is None else Standard.STALE)


def _too_late(refused: Refused, turn: Turn) -> Refused | None:
    """Return a better reason where a move is refused because its deadline has passed."""
    over_by = (Standard.STALE, Standard.NOT_YOUR_TURN, Standard.GAME_OVER)
    answers_question = turn.form is not None and turn.form.question is not None
    if answers_question and refused.why in over_by and turn.table.has_missed(turn.by):
        return Refused(Standard.TOO_LATE)
    return None
