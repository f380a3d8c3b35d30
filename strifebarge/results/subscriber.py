"""Keep the entry of a game in the transaction that ends it."""

from strifebarge.table.events import Closed, Event

from . import bookkeeper
from .ports import ResultsChange


def record_results(change: ResultsChange, event: Event) -> None:
    """Keep the entry of the game if it has ended, and the ratings that follow from it."""
    if isinstance(event, Closed):
        bookkeeper.enter(change, change.table)
