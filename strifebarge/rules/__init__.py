"""The rules framework: the words that game authors write in.

A game is a Game with Seats, whose `play` asks seats for Actions and may refuse
them with Refusals.  Hidden things and Secrets are seen only by the seats that may.
"""

from .action import Action, No, Refusal, Refused, Standard
from .asking import Next, Prompt
from .chance import Chance
from .engine import Engine
from .game import Game, Note, Options, Seat, SeatNumber
from .hidden import Hidden, NothingFits, Secret, hidden
from .pace import Pace
from .ranking import Ranking
from .text import Text, count

__all__ = [
    "Action",
    "Chance",
    "Engine",
    "Game",
    "Hidden",
    "Next",
    "No",
    "Note",
    "NothingFits",
    "Options",
    "Pace",
    "Prompt",
    "Ranking",
    "Refusal",
    "Refused",
    "Seat",
    "SeatNumber",
    "Secret",
    "Standard",
    "Text",
    "count",
    "hidden",
]
