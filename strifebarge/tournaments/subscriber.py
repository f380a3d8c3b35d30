"""Keep the result of a tournament's game in the transaction that ends it."""

from strifebarge.tables.model.events import Closed, Deleted, Event
from strifebarge.tables.model.table import Table
from strifebarge.tournaments.models import GameOutcome
from strifebarge.tournaments.ports import GameChange


def count_results(change: GameChange, event: Event) -> None:
    """Keep how a game of a tournament has ended; one whose table is deleted has no result."""
    table = change.table
    if table.tournament and isinstance(event, Closed | Deleted):
        places = places_of(table)
        outcome = GameOutcome.PLAYED if places and isinstance(event, Closed) else GameOutcome.VOID
        change.end_tournament_game(outcome, places)


def places_of(table: Table) -> list[int]:
    """Return the place of each seat; nothing without a result."""
    result = table.ending.result
    if result is None or not result.places:
        return []
    return [result.place(chair.seat) for chair in table.chairs]
