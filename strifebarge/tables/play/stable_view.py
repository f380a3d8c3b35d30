"""A table as it stood when it last changed: of all that is shown, what does not change by itself.

It shows everyone as absent, at the moment of the last change that everybody may know of.  So the
same table shows the same to the same viewer at any time.
"""

from strifebarge.rules import Refused
from strifebarge.rules.replay import Diverged
from strifebarge.tables.clock.presence import TablePresence
from strifebarge.tables.library.budget import GameFault, run
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.table import FAULTY, Table
from strifebarge.tables.model.watching import SpectatorTable, visible_table
from strifebarge.tables.play.matches import CachedMatch, ask_anew, cache_key, clear_mismatch
from strifebarge.tables.play.queries import Views, as_suspended
from strifebarge.tables.view import View, show_table


def stable_view(views: Views, player: str | None, table: Table, viewer_seat: int | None = None) -> View:
    """Return what a player may see of a table as it stood when it last changed.

    The table is the caller's own: what comes of looking is noted on it.  Raises Refused.
    """
    if table.faulty:
        return show_without_game(views, player, table, viewer_seat)
    try:
        return run(table.id, "showing it", _shown, views, player, table, viewer_seat)
    except GameFault as fault:
        views.report(fault, table.position.number)
        return show_without_game(views, player, table, viewer_seat)


def show_without_game(views: Views, player: str | None, table: Table, viewer_seat: int | None = None) -> View:
    """Return a table without its game, whose code has failed."""
    visible = visible_table(player, table)
    there = visible if visible.status is Status.OVER else as_suspended(visible, FAULTY)
    return _look(views, player, there, None, viewer_seat)


def last_change(table: Table) -> float:
    """Return when a table last changed for everybody to know, in seconds since 1970."""
    return max(table.times.changed, table.times.created)


def _shown(views: Views, player: str | None, table: Table, viewer_seat: int | None) -> View:
    visible = visible_table(player, table)
    if isinstance(visible, SpectatorTable):
        return _watched(views, visible)
    if table.status is Status.OPEN:
        return _look(views, player, table, None, viewer_seat)
    title, standing = views.library.of(table), cache_key(table)
    try:
        cached = views.matches.ready(views.store, title, table, standing)
    except Diverged as diverged:
        if table.status is Status.OVER:
            return _look(views, player, table, None, viewer_seat)
        view = _look(views, player, as_suspended(table), None, viewer_seat)
        views.show_way_on(view, title, table, diverged)
        return view
    ask_anew(table, cached.anew)
    clear_mismatch(table, last_change(table))
    view = _look(views, player, table, cached, viewer_seat)
    views.matches.put(table.id, standing, cached)
    return view


def _watched(views: Views, table: SpectatorTable) -> View:
    """Return a game as spectators see it: as it stood some moves ago, or only its table."""
    if table.excluded:
        return _look(views, None, table, None, None)
    try:
        return _look(views, None, table, views.replayed(table, table.position.number), None)
    except Refused:  # the rules have changed under it
        return _look(views, None, as_suspended(table), None, None)


def _look(
    views: Views, player: str | None, table: Table, cached: CachedMatch | None, viewer_seat: int | None
) -> View:
    match, rows = (cached.match, cached.rows) if cached else (None, [])
    title, at = views.library.of(table), last_change(table)
    return show_table(
        table, title, player, match, rows, at=at, viewer_seat=viewer_seat, presence=TablePresence(at)
    )
