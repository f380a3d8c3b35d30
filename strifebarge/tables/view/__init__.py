"""The views of a table: all that one viewer is shown of it.

Pages and programs get this and nothing else, so they cannot leak.

`View` is made of parts, a struct for each subject: `place` has the seats, `viewer` what the viewer is and
may do, `settings` how the table is played, `turn` what is asked now, and `parts` the smaller ones.
"""

from strifebarge.rules.board import Offer
from strifebarge.tables.view.parts import Ending, Log, Position, Spectators, SuspensionView, Times
from strifebarge.tables.view.place import Absence, Place, Presence, SeatTime
from strifebarge.tables.view.settings import SettingsView, chosen_options
from strifebarge.tables.view.turn import Blank, Question, TurnView, label_of
from strifebarge.tables.view.view import View, look
from strifebarge.tables.view.viewer import Viewer, substitute_for

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
