"""Keep the entry of a game in the transaction that ends it."""

from strifebarge.results import bookkeeper
from strifebarge.results.ports import ResultsChange
from strifebarge.tables.model.events import Closed, Deleted, Event
from strifebarge.tables.model.table import ResultUse, Status


def record_results(change: ResultsChange, event: Event) -> None:
    """Keep the entry of the game if it has ended, and the ratings that follow from it.

    Where a rated game was deleted, the ratings are made anew from the games that are left.
    """
    table = change.table
    if isinstance(event, Closed):
        bookkeeper.enter(change, table)
    was_over = isinstance(event, Deleted) and table.status is Status.OVER
    if was_over and table.settings.afterwards is ResultUse.RATED:
        bookkeeper.rebuild(change.ladder(table.game))
