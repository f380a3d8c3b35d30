"""Queries about a table: as it is now, as it was, and its whole log, as one viewer may see it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import msgspec

from strifebarge.lib.costly import COSTLY
from strifebarge.rules import Refused
from strifebarge.rules.match import Match
from strifebarge.rules.replay import Diverged
from strifebarge.rules.text import pack
from strifebarge.tables.clock import timekeeper
from strifebarge.tables.clock.presence import PAGE_TURN_GRACE, TablePresence, game_ends_by_absence, table_etag
from strifebarge.tables.clock.vacation import Vacation
from strifebarge.tables.library.budget import GameFault, run
from strifebarge.tables.library.library import Library, Title
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.ports import TableRepository
from strifebarge.tables.model.status import NOBODY, RUNNING
from strifebarge.tables.model.table import FAULTY, Status, Table, TableRefusal
from strifebarge.tables.model.watching import SpectatorTable, visible_table
from strifebarge.tables.play.faults import tell
from strifebarge.tables.play.ledger import RECENT, known_rows, moves_of
from strifebarge.tables.play.matches import (
    DIVERGED,
    CachedMatch,
    MatchCache,
    ResumePoint,
    ask_anew,
    cache_key,
    clear_mismatch,
    load_match,
    must_be_newest,
    resume_point,
)
from strifebarge.tables.play.retracing import OtherRules
from strifebarge.tables.view import View, show_table, substitute_for

LONG = 500  # rows of a ledger: to read and show more takes a processor for longer than 50 milliseconds


class TableOverview(NamedTuple):
    """A table, who is there, and how many watch: what is read before its page is made."""

    table: Table  # its clock as it is now
    presence: TablePresence
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

    def visible_table(self, player: str | None, id: str) -> Table:
        """Return the table as far as this player may know it.  Raises Refused(NO_TABLE)."""
        return visible_table(player, self.status(id))

    def version(self, table: Table, player: str | None) -> str:
        """Return a word that differs as soon as this player's page does.

        It tells also who is there, where the page does.
        """
        visible = visible_table(player, table)
        presence = self.presence(visible) if visible.shows_presence else TablePresence()
        return table_etag(visible, presence, player) + self.library.stamp(table)

    def presence(self, table: Table, at: float | None = None) -> TablePresence:
        """Return who is at a table; at a moment, or else now."""
        until = self.store.present(table.id)
        if table.live:  # while the site was away nobody could be there
            begun = [each.began for each in self.store.uptime_periods(0) if each.number > 1]
            back = max(begun, default=0) + PAGE_TURN_GRACE
            until = {player: max(each, back) for player, each in until.items()}
        return TablePresence(self.now() if at is None else at, until, self.bots)

    def catch_up(self, table: Table, clock: Clock, at: float) -> list[timekeeper.UptimePeriod]:
        """Leave out of a clock what has made time stand still; return the times the site was there."""
        uptime_periods = self.store.uptime_periods(clock.uptime_period)
        players = [chair.player for chair in table.chairs if chair.player]
        vacations = self.store.vacations(players) if clock.pace.slow else []
        timekeeper.catch_up(clock, table, at, uptime_periods, vacations)
        return uptime_periods

    def vacations(self, player: str) -> list[Vacation]:
        return self.store.vacations([player])

    def tables_of(self, player: str) -> list[Table]:
        """Return a player's tables as far as they may know them, each clock as it is now.

        Without those of games that are not installed.
        """
        tables = [table for table in self.store.tables_of(player) if table.game in self.library.titles]
        clocks = [(table, table.clock) for table in tables if table.clock and table.ticking]
        if clocks:
            people = {chair.player for table, _ in clocks for chair in table.chairs if chair.player}
            vacations = self.store.vacations(sorted(people))
            uptime_periods = self.store.uptime_periods(min(clock.uptime_period for _, clock in clocks))
            for table, clock in clocks:
                since = [each for each in uptime_periods if each.number >= clock.uptime_period]
                timekeeper.catch_up(clock, table, self.now(), since, vacations)
        return [visible_table(player, table) for table in tables]

    # -- its page ------------------------------------------------------------------

    def overview(self, id: str) -> TableOverview:
        """Return what changes a page of a table without being in its game.  Raises Refused(NO_TABLE)."""
        table = self.status(id)
        presence = self.presence(table)
        if table.status is not Status.OPEN:
            game_ends_by_absence(table, presence)
        watched = table.status in RUNNING and table.settings.watching != NOBODY
        return TableOverview(table, presence, self.spectators(id) if watched else 0)

    def spectators(self, id: str) -> int:
        """Return how many people watch a table now."""
        return self.store.spectators(id, self.now())

    def place(self, table: Table, address: str, player: str | None) -> AbstractContextManager[None]:
        """Return a place in the queue of costly work to show the position now of a long game.

        None is taken while its match is laid out, nor by who plays there.  Raises Busy when it is entered.
        """
        plays = table.status is not Status.OVER and bool(table.chairs_of(player))
        ready = plays or self.matches.reached(table.id) is not None
        return nullcontext() if ready else place_for(table, address)

    def show(
        self,
        player: str | None,
        id: str,
        viewer_seat: int | None = None,
        overview: TableOverview | None = None,
    ) -> View:
        """Return a table as this player may see it now.  Raises Refused(NO_TABLE).

        `viewer_seat` is the seat that looks, of several at one device; `known` is what has been read already.
        """
        view = self._show(player, id, viewer_seat, overview=overview)
        if view.running and view.spectators.allowed:
            view.spectators.count = self.spectators(id) if overview is None else overview.spectators
        return view

    def log(self, player: str | None, id: str, viewer_seat: int | None = None) -> View:
        """Return a table with its whole log.  Raises Refused(NO_TABLE, NOT_WATCHED)."""
        return self._show(player, id, viewer_seat, whole=True).must_show_game()

    def _show(
        self,
        player: str | None,
        id: str,
        viewer_seat: int | None,
        whole: bool = False,
        overview: TableOverview | None = None,
    ) -> View:
        there = self.status(id) if overview is None else overview.table
        table = visible_table(player, there)
        if there.faulty:
            return self.failed(player, table, viewer_seat)
        presence = None if overview is None else overview.presence
        try:
            return run(id, "showing it", self._shown, player, table, viewer_seat, whole, presence)
        except GameFault as fault:
            self.report(fault, table.position.number)
            return self.failed(player, table, viewer_seat)

    def show_failed(self, player: str | None, id: str, viewer_seat: int | None = None) -> View:
        """Return a table without its game, whose code has failed.  Raises Refused(NO_TABLE)."""
        return self.failed(player, self.visible_table(player, id), viewer_seat)

    def failed(self, player: str | None, table: Table, viewer_seat: int | None = None) -> View:
        """Return a table whose game's code has failed: without its game, which is suspended if it runs."""
        title, presence = self.library.of(table), self.presence(table)
        if table.status is not Status.OVER:
            table = as_suspended(table, FAULTY)
        return show_table(table, title, player, at=self.now(), viewer_seat=viewer_seat, presence=presence)

    def _shown(
        self,
        player: str | None,
        table: Table,
        viewer_seat: int | None,
        whole: bool,
        presence: TablePresence | None = None,
    ) -> View:
        if isinstance(table, SpectatorTable):
            return self._show_watched(player, table, whole)
        presence, title = self.presence(table) if presence is None else presence, self.library.of(table)
        if table.status is Status.OPEN:
            return show_table(table, title, player, at=self.now(), viewer_seat=viewer_seat, presence=presence)
        game_ends_by_absence(table, presence)
        standing = cache_key(table)
        try:
            cached = self.matches.ready(self.store, title, table, standing)
        except Diverged as diverged:
            if table.status is Status.OVER:
                return show_table(
                    table, title, player, at=self.now(), viewer_seat=viewer_seat, presence=presence
                )
            must_be_newest(table, title, self.library, self.now())
            view = show_table(
                as_suspended(table), title, player, at=self.now(), viewer_seat=viewer_seat, presence=presence
            )
            self.show_way_on(view, title, table, diverged)
            return view
        ask_anew(table, cached.anew)
        now = self.now()
        clear_mismatch(table, now)
        rows = known_rows(self.store, table, -1) if whole else cached.rows
        view = show_table(
            table, title, player, cached.match, rows, at=now, viewer_seat=viewer_seat, presence=presence
        )
        self.matches.put(table.id, standing, cached)
        return view

    def _show_watched(self, player: str | None, table: SpectatorTable, whole: bool) -> View:
        """Return a game as spectators see it: as it stood some moves ago, or only its table."""
        title, now = self.library.of(table), self.now()
        if table.excluded:
            view = show_table(table, title, None, at=now)
        else:
            try:
                then = self.replayed(table, table.position.number, whole)
            except Refused:  # the rules have changed under it
                return show_table(as_suspended(table), title, None, at=now)
            view = show_table(table, title, None, then.match, then.rows, at=now)
        if player:  # a substitute has been asked to take a seat over: that they can is for them to know
            as_it_is = self.store.table(table.id)
            view.viewer.substitute_for = substitute_for(as_it_is, player, self.presence(as_it_is))
        return view

    def show_at(
        self, player: str | None, id: str, number: int, as_seen: bool = False, viewer_seat: int | None = None
    ) -> View:
        """Return the position after a move, as this player may see it.

        Raises Refused(NO_TABLE, NO_POSITION, NOT_WATCHED, CANNOT_SHOW).
        """
        source = self.store.table(id)
        table = visible_table(player, source)
        if isinstance(table, SpectatorTable) and table.excluded:
            raise Refused(TableRefusal.NOT_WATCHED)
        if table.status is Status.OPEN or not 0 <= number <= table.position.number:
            raise Refused(TableRefusal.NO_POSITION)
        if source.faulty:
            raise Refused(TableRefusal.CANNOT_SHOW)

        def then() -> View:
            replayed, title = self.replayed(table, number), self.library.of(table)
            return show_table(
                table,
                title,
                player,
                replayed.match,
                replayed.rows,
                as_seen,
                back=True,
                viewer_seat=viewer_seat,
            )

        try:
            return run(id, f"showing move {number}", then)
        except GameFault as fault:
            tell(fault)
            raise Refused(TableRefusal.CANNOT_SHOW) from None

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
            why = TableRefusal.SUSPENDED if table.status is Status.SUSPENDED else TableRefusal.OTHER_RULES
            raise Refused(why) from broken
        return CachedMatch(match, rows)

    # -- its rules -------------------------------------------------------------------

    def rules_agree(self, table: Table) -> bool:
        """Return whether the rules that are here lead to where this game stands, by all its moves."""
        title = self.library.of(table)
        if not self.matches.find_divergence(self.store, title, table).same:
            return False
        try:
            load_match(self.store, title, table)
        except Diverged:
            return False
        return True

    def way_on(self, table: Table) -> ResumePoint | None:
        """Return the newest position from which a game may go on by the rules that are here, if any."""
        return resume_point(self.store, self.library.of(table), table)

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


def place_for(table: Table, address: str) -> AbstractContextManager[None]:
    """Return a place in the queue of costly work to play a long game again; a short one takes none.

    Raises Busy when it is entered.
    """
    return nullcontext() if table.position.rows <= LONG else COSTLY.place(address)


def as_suspended(table: Table, trouble: str = DIVERGED) -> Table:
    """Return a running table as one that is suspended for its rules' sake."""
    return msgspec.structs.replace(table, status=Status.SUSPENDED, trouble=trouble)
