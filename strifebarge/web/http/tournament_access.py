"""Find the tournament that an address means, where its reader may see it."""

from strifebarge.tournaments.models import Tournament
from strifebarge.web.http.services import limits, services
from strifebarge.web.http.session import player_id


def look_up_tournament(code: str) -> Tournament:
    """Return a tournament; to strangers who have tried too many wrong codes none.

    Raises Refused: NO_TOURNAMENT, TOO_FAST.
    """
    tournament, player = services().tournaments.tournament(code), player_id()
    if player is None or not (tournament.organiser == player or tournament.entrant_of(player)):
        limits().check("codes")
    return tournament
