"""Queries about a table: as it is now, as it was, and its whole log, as one viewer may see it."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from strifebarge.rules import Refused
from strifebarge.rules.match import Match
from strifebarge.rules.replay import Diverged
from strifebarge.rules.text import pack
from strifebarge.tables.clock import timekeeper
from strifebarge.tables.clock.presence import PAGE_TURN_GRACE, Here, pass_time, table_etag
from strifebarge.tables.clock.vacation import Vacation
from strifebarge.tables.library.budget import GameFault, run
from strifebarge.tables.library.library import Library, Title
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.ports import TableRepository
from strifebarge.tables.model.status import NOBODY, RUNNING
from strifebarge.tables.model.table import FAULTY, No, Status, Table
from strifebarge.tables.model.watching import Watched, told_to
from strifebarge.tables.play.faults import tell
from strifebarge.tables.play.ledger import RECENT, known_rows, moves_of
from strifebarge.tables.play.matches import (
    DIVERGED,
    CachedMatch,
    MatchCache,
    WayOn,
    ask_anew,
    clear_mismatch,
    must_be_newest,
    standing_of,
    take_up,
    way_on,
)
from strifebarge.tables.play.retracing import OtherRules
from strifebarge.tables.view import View, look, substitute_for


class Known(NamedTuple):
    """A table, who is there, and how many watch: what is read before its page is made."""

    table: Table  # its clock as it is now
    here: Here
    spectators: int


class Views:
    """Answers questions about tables; nothing that is kept changes by it."""

    def __init__(
        self,
        store: TableRepository,
        library: Library,
        matches: MatchCache,
        now: Callable[[], float],
        report: Callable[[GameFault, int | None], object],
        bots: bool = True,
    ):
        self.store = store
        self.library = library
        self.matches = matches
        self.now = now
        self.bots = bots  # the site has bots
        self.report = report  # a fault of a game, in its position of this number

    # -- the table itself --------------------------------------------------------

    def status(self, id: str) -> Table:
        """Return the table alone, its clock as it is now.  Raises Refused(NO_TABLE)."""
        table = self.store.table(id)
        if table.clock and table.ticking:
            self.catch_up(table, table.clock, self.now())
        return table

    def told(self, player: str | None, id: str) -> Table:
        """Return the table as far as this player may know it.  Raises Refused(NO_TABLE)."""
        return told_to(player, self.status(id))

    def version(self, table: Table, player: str | None) -> str:
        """Return a word that differs as soon as this player's page does.

        It tells also who is there, where the page does.
        """
        told = told_to(player, table)
        here = self.here(told) if told.shows_presence else Here()
        return table_etag(told, here, player) + self.library.stamp(table)

    def here(self, table: Table, at: float | None = None) -> Here:
        """Return who is at a table; at a moment, or else now."""
        until = self.store.present(table.id)
        if table.live:  # while the site was away nobody could be there
            begun = [each.began for each in self.store.uptime_periods(0) if each.number > 1]
            back = max(begun, default=0) + PAGE_TURN_GRACE
            until = {player: max(each, back) for player, each in until.items()}
        return Here(self.now() if at is None else at, until, self.bots)

    def catch_up(self, table: Table, clock: Clock, at: float) -> list[timekeeper.UptimePeriod]:
        """Leave out of a clock what has made time stand still; return the times the site was there."""
        uptime_periods = self.store.uptime_periods(clock.uptime_period)
        players = [chair.player for chair in table.chairs if chair.player]
        vacations = self.store.vacations(players) if clock.pace.slow else []
        timekeeper.catch_up(clock, table, at, uptime_periods, vacations)
        return uptime_periods

    def vacations(self, player: str) -> list[Vacation]:
        return self.store.vacations([player])

    # -- its page ------------------------------------------------------------------

    def known(self, id: str) -> Known:
        """Return what changes a page of a table without being in its game.  Raises Refused(NO_TABLE)."""
        table = self.status(id)
        here = self.here(table)
        if table.status is not Status.OPEN:
            pass_time(table, here)
        watched = table.status in RUNNING and table.settings.watching != NOBODY
        return Known(table, here, self.spectators(id) if watched else 0)

    def spectators(self, id: str) -> int:
        """Return how many people watch a table now."""
        return self.store.spectators(id, self.now())

    def show(self, player: str | None, id: str, shown: int | None = None, known: Known | None = None) -> View:
        """Return a table as this player may see it now.  Raises Refused(NO_TABLE).

        `shown` is the seat that looks, of several at one device; `known` is what was read of it already.
        """
        view = self._show(player, id, shown, known=known)
        if view.running and view.spectators.allowed:
            view.spectators.count = self.spectators(id) if known is None else known.spectators
        return view

    def log(self, player: str | None, id: str, shown: int | None = None) -> View:
        """Return a table with its whole log.  Raises Refused(NO_TABLE, NOT_WATCHED)."""
        return self._show(player, id, shown, whole=True).must_show_game()

    def _show(
        self,
        player: str | None,
        id: str,
        shown: int | None,
        whole: bool = False,
        known: Known | None = None,
    ) -> View:
        there = self.status(id) if known is None else known.table
        table = told_to(player, there)
        if there.faulty:
            return self.failed(player, table, shown)
        here = None if known is None else known.here
        try:
            return run(id, "showing it", self._shown, player, table, shown, whole, here)
        except GameFault as fault:
            self.report(fault, table.position.number)
            return self.failed(player, table, shown)

    def show_failed(self, player: str | None, id: str, shown: int | None = None) -> View:
        """Return a table without its game, whose code has failed.  Raises Refused(NO_TABLE)."""
        return self.failed(player, self.told(player, id), shown)

    def failed(self, player: str | None, table: Table, shown: int | None = None) -> View:
        """Return a table whose game's code has failed: without its game, which is suspended if it runs."""
        title, here = self.library.of(table), self.here(table)
        if table.status is not Status.OVER:
            table = as_suspended(table, FAULTY)
        return look(table, title, player, at=self.now(), shown=shown, here=here)

    def _shown(
        self, player: str | None, table: Table, shown: int | None, whole: bool, here: Here | None = None
    ) -> View:
        if isinstance(table, Watched):
            return self._show_watched(player, table, whole)
        here, title = self.here(table) if here is None else here, self.library.of(table)
        if table.status is Status.OPEN:
            return look(table, title, player, at=self.now(), shown=shown, here=here)
        pass_time(table, here)
        standing = standing_of(table)
        try:
            cached = self.matches.ready(self.store, title, table, standing)
        except Diverged as diverged:
            if table.status is Status.OVER:
                return look(table, title, player, at=self.now(), shown=shown, here=here)
            must_be_newest(table, title, self.library, self.now())
            view = look(as_suspended(table), title, player, at=self.now(), shown=shown, here=here)
            self.show_way_on(view, title, table, diverged)
            return view
        ask_anew(table, cached.anew)
        now = self.now()
        clear_mismatch(table, now)
        rows = known_rows(self.store, table, -1) if whole else cached.rows
        view = look(table, title, player, cached.match, rows, at=now, shown=shown, here=here)
        self.matches.put(table.id, standing, cached)
        return view

    def _show_watched(self, player: str | None, table: Watched, whole: bool) -> View:
        """Return a game as spectators see it: as it stood some moves ago, or only its table."""
        title, now = self.library.of(table), self.now()
        if table.excluded:
            view = look(table, title, None, at=now)
        else:
            try:
                then = self.replayed(table, table.position.number, whole)
            except Refused:  # the rules have changed under it
                return look(as_suspended(table), title, None, at=now)
            view = look(table, title, None, then.match, then.rows, at=now)
        if player:  # a substitute has been asked to take a seat over: that they can is for them to know
            as_it_is = self.store.table(table.id)
            view.viewer.substitute_for = substitute_for(as_it_is, player, self.here(as_it_is))
        return view

    def show_at(
        self, player: str | None, id: str, number: int, as_seen: bool = False, shown: int | None = None
    ) -> View:
        """Return the position after a move, as this player may see it.

        Raises Refused(NO_TABLE, NO_POSITION, NOT_WATCHED, CANNOT_SHOW).
        """
        known = self.store.table(id)
        table = told_to(player, known)
        if isinstance(table, Watched) and table.excluded:
            raise Refused(No.NOT_WATCHED)
        if table.status is Status.OPEN or not 0 <= number <= table.position.number:
            raise Refused(No.NO_POSITION)
        if known.faulty:
            raise Refused(No.CANNOT_SHOW)

        def then() -> View:
            replayed, title = self.replayed(table, number), self.library.of(table)
            return look(table, title, player, replayed.match, replayed.rows, as_seen, back=True, shown=shown)

        try:
            return run(id, f"showing move {number}", then)
        except GameFault as fault:
            tell(fault)
            raise Refused(No.CANNOT_SHOW) from None

    def replayed(self, table: Table, number: int, whole: bool = False) -> CachedMatch:
        """Return the position after a move, with the newest rows that led there, or the `whole` ledger.

        Raises Refused(SUSPENDED, OTHER_RULES).
        """
        title, snapshot = self.library.of(table), self.store.snapshot(table.id, number)
        rows = self.store.rows(table.id, -1 if whole else min(snapshot.number, number - RECENT), number)
        try:
            match = Match(title.rules, snapshot, moves_of(rows, title, snapshot.number))
            if rows[-1].fingerprint not in ("", match.fingerprint()):
                raise Diverged(table.id)  # rather nothing than what was never there
        except Exception as broken:  # the rules have changed under it
            why = No.SUSPENDED if table.status is Status.SUSPENDED else No.OTHER_RULES
            raise Refused(why) from broken
        return CachedMatch(match, rows)

    # -- its rules -------------------------------------------------------------------

    def rules_agree(self, table: Table) -> bool:
        """Return whether the rules that are here lead to where this game stands, by all its moves."""
        title = self.library.of(table)
        if not self.matches.parting(self.store, title, table).same:
            return False
        try:
            take_up(self.store, title, table)
        except Diverged:
            return False
        return True

    def way_on(self, table: Table) -> WayOn | None:
        """Return the newest position from which a game may go on by the rules that are here, if any."""
        return way_on(self.store, self.library.of(table), table)

    def show_way_on(self, view: View, title: Title, table: Table, diverged: Diverged) -> None:
        """Put into a view where a game parts from its rules, and from where it may go on by them."""
        way, suspension = self.way_on(table), view.suspension
        if suspension is None:
            return
        if way:
            suspension.back_to, suspension.stands = way.number, way.stands
        parting = diverged.parting if isinstance(diverged, OtherRules) else None
        # Of what is being composed others do not know, nor how many steps it has.
        if parting and parting.number is not None and parting.number <= table.position.number:
            suspension.parts_at = parting.number
            # Reasons may tell of hidden things: only authors, who try their own game, are told.
            suspension.why = pack(parting.why) if parting.why and title.stamp else None


def as_suspended(table: Table, trouble: str = DIVERGED) -> Table:
    """Return a running table as one that is suspended for its rules' sake."""
    return msgspec.structs.replace(table, status=Status.SUSPENDED, trouble=trouble)
