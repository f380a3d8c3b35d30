"""The views of a table: all that one viewer is shown of it.

Pages and programs get this and nothing else, so they cannot leak.

`View` is made of parts, a struct for each subject: `place` has the seats, `viewer` what the viewer is and
may do, `settings` how the table is played, `turn` what is asked now, and `parts` the smaller ones.
"""

from strifebarge.rules.board import Offer
from strifebarge.tables.view.parts import (
    EndingView,
    LogView,
    PositionView,
    Spectators,
    SuspensionView,
    TimesView,
)
from strifebarge.tables.view.place import Absence, Presence, SeatTime, SeatView
from strifebarge.tables.view.settings import SettingsView, chosen_options
from strifebarge.tables.view.turn import ActionForm, AnsweredQuestion, TurnView, label_of
from strifebarge.tables.view.view import View, show_table
from strifebarge.tables.view.viewer import Viewer, substitute_for

__all__ = [
    "Absence",
    "ActionForm",
    "AnsweredQuestion",
    "EndingView",
    "LogView",
    "Offer",
    "PositionView",
    "Presence",
    "SeatTime",
    "SeatView",
    "SettingsView",
    "Spectators",
    "SuspensionView",
    "TimesView",
    "TurnView",
    "View",
    "Viewer",
    "chosen_options",
    "label_of",
    "show_table",
    "substitute_for",
]
