"""Games for tests that need one of a kind: chosen by what they are, and not by name."""

from collections.abc import Iterable

from strifebarge.fuzz.acts import viewers
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.schema import seat_numbers
from strifebarge.tables.library.library import Title


def begins_alike(title: Title, seats: int = 2) -> bool:
    """Tell whether a game looks the same to everybody at its beginning, whatever its seed is."""
    if seats not in seat_numbers(title.rules):
        return False
    looks = set()
    for nth in range(6):
        match = Match.new(title.rules, seats, f"seed {nth}")
        looks.add((*match.waiting_for(), *(save(match.game, viewer) for viewer in viewers(match))))
    return len(looks) == 1


def plain_game(titles: Iterable[Title]) -> str:
    """Return a game for two that begins alike, for tables at which it does not matter what is played."""
    return next(title.slug for title in titles if begins_alike(title))
