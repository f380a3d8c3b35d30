"""The picture of a throw."""

from .rules import RockPaperScissors


def picture(game: RockPaperScissors) -> list[str]:
    """Return the two hands of the last throw."""
    return [hand.value for hand in game.last]
