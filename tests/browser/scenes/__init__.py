"""Every page of the site in every state, one after the other, for what looks at them: axe and the camera.

A chapter is a function that leads people through the site and stops at each scene; here they are in order.
"""

from . import any_game, books, clocks, games, gathering, people, sea
from .scene import SEATS, TITLES, Chapter, Scene, dress, site

__all__ = ["CHAPTERS", "SEATS", "TITLES", "Chapter", "Scene", "dress", "site"]

CHAPTERS: dict[str, Chapter] = {
    "lobby": gathering.lobby,
    "gathering": gathering.gathering,
    "inviting": gathering.inviting,
    "one-device": gathering.one_device,
    "tournament": gathering.tournament,
    "watching": gathering.watching,
    **{slug: any_game.any_game(slug) for slug in TITLES},
    "strifebarge-two": sea.strifebarge,
    "strifebarge-salvo": sea.salvo,
    "strifebarge-great": sea.great_sea,
    "clock": clocks.by_the_clock,
    "too-late": clocks.too_late,
    "eights-three": games.eights,
    "chess-two": games.chess,
    "rps-two": games.rps,
    "startups-four": games.startups,
    "mirrow-two": games.mirrow,
    "german": any_game.german,
    "books": books.the_books,
    "oneself": people.oneself,
    "other-rules": any_game.other_rules,
    "my-games": people.my_games,  # at the very end, since it closes the door
}
