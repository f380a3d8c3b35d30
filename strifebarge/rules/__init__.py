"""The rules framework: the words that game authors write in, and the code that plays what they write.

A game is a Game with Seats, whose `play` asks seats for Actions and may refuse
them with Refusals.  Hidden things and Secrets are seen only by the seats that may.
"""

from strifebarge.rules.action import Action, No, Refusal, Refused, Standard
from strifebarge.rules.asking import Next, Prompt
from strifebarge.rules.chance import Chance
from strifebarge.rules.engine import Engine
from strifebarge.rules.game import Game, Note, Occasion, Options, Seat, SeatNumber
from strifebarge.rules.hidden import Hidden, NothingFits, Secret, hidden
from strifebarge.rules.pace import Pace
from strifebarge.rules.ranking import Ranking
from strifebarge.rules.text import Text, count

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
    "Occasion",
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
