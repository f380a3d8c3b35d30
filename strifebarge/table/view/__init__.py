"""Build all that one viewer is shown of a table.

Pages and programs get this and nothing else, so they cannot leak.

`View` is made of parts, a struct for each subject: `place` has the seats, `viewer` what the viewer is and
may do, `settings` how the table is played, `turn` what is asked now, and `parts` the smaller ones.
"""

from strifebarge.rules.board import Offer

from .parts import Ending, Log, Position, Spectators, SuspensionView, Times
from .place import Absence, Place, Presence, SeatTime
from .settings import SettingsView, chosen_options
from .turn import Blank, Question, TurnView, label_of
from .view import View, look
from .viewer import Viewer, substitute_for

__all__ = [
    "Absence",
    "Blank",
    "Ending",
    "Log",
    "Offer",
    "Place",
    "Position",
    "Presence",
    "Question",
    "SeatTime",
    "SettingsView",
    "Spectators",
    "SuspensionView",
    "Times",
    "TurnView",
    "View",
    "Viewer",
    "chosen_options",
    "label_of",
    "look",
    "substitute_for",
]
