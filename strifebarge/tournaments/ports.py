"""Protocols of what tournaments are kept in; `strifebarge/store/tournaments.py` implements them.

Every method may raise Busy.
"""

from typing import TYPE_CHECKING

__all__ = ["GameChange", "TournamentChange", "TournamentRepository"]

if TYPE_CHECKING:
    from strifebarge.store.change import SqlChange as GameChange
    from strifebarge.store.tournaments import SqlTournamentChange as TournamentChange
    from strifebarge.store.tournaments import SqlTournaments as TournamentRepository
else:  # annotations only
    TournamentChange = TournamentRepository = GameChange = object
