"""The links of a page that looks back: first, previous, next and last position."""

from typing import NamedTuple

from markupsafe import Markup

from strifebarge.tables.view import View
from strifebarge.web.words.catalogue import say


class HistoryStep(NamedTuple):
    """A link to another position."""

    label: Markup
    number: int | None  # of the position; None where it is the one shown, or is not there
    rel: str
    key: str  # on the keyboard


def steps(view: View) -> list[HistoryStep]:
    """Return the links from the position shown to others."""
    ways = [
        HistoryStep(say("First"), 0, "", "Home"),
        HistoryStep(say("Previous"), view.number - 1, "prev", "ArrowLeft"),
        HistoryStep(say("Next"), view.number + 1, "next", "ArrowRight"),
        HistoryStep(say("Last"), view.newest, "", "End"),
    ]
    there = {*range(view.newest + 1)} - {view.number}
    return [way if way.number in there else way._replace(number=None) for way in ways]
