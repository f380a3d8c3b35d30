"""The rules framework: all that a game author needs to know.

A game is a Game with Seats, whose `play` asks seats for Actions and may refuse
them with Refusals.  Hidden things and Secrets are seen only by those who may.
"""

from .action import Action, Refusal, Refused, Standard
from .asking import Prompt
from .chance import Chance
from .game import Game, Options, Seat
from .hidden import Hidden, Secret, hidden
from .pace import Pace
from .ranking import Ranking
from .text import Text, count

__all__ = [
    "Action",
    "Chance",
    "Game",
    "Hidden",
    "Options",
    "Pace",
    "Prompt",
    "Ranking",
    "Refusal",
    "Refused",
    "Seat",
    "Secret",
    "Standard",
    "Text",
    "count",
    "hidden",
]
