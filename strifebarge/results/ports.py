"""Protocols of what results are kept in; `strifebarge/store/results.py` implements them.

Every method may raise Busy.
"""

from typing import TYPE_CHECKING

__all__ = ["Ladder", "ResultsChange", "ResultsRepository"]

if TYPE_CHECKING:
    from strifebarge.store.change import SqlChange as ResultsChange
    from strifebarge.store.results import SqlLadder as Ladder
    from strifebarge.store.results import SqlResults as ResultsRepository
else:  # annotations only
    Ladder = ResultsRepository = ResultsChange = object
