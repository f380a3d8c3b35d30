"""Proposals that others make at a table while its game goes on, and how a player agrees to them."""

from typing import NamedTuple

from markupsafe import Markup

from strifebarge.table.status import Status
from strifebarge.table.view import Place, View

from .catalogue import say
from .names import names


class Proposal(NamedTuple):
    """Words for those who have not agreed yet, and the form that agrees: its endpoint and field."""

    words: Markup
    to: str
    field: str


def proposal(view: View) -> Proposal | None:
    """Return what waits for the viewer's agreement; None where nothing does."""
    place = view.my_place
    if place is None or place.left or place.out or not (view.live and view.running):
        return None
    if view.status is Status.SUSPENDED or view.settings.tournament:
        return None  # what is proposed there is said by the turn's own sentence
    if view.clock is None:
        return None if place.suspends else _to_suspend(view.suspending)
    agreed = view.clock.agreed
    return None if place.seat in agreed else _to_stop([each for each in view.places if each.seat in agreed])


def _to_suspend(by: list[Place]) -> Proposal | None:
    if not by:
        return None
    one = say("{name} wants to suspend the game.", name=names(by))
    several = say("{names} want to suspend the game.", names=names(by))
    return Proposal(one if len(by) == 1 else several, "resting.suspend", "suspend")


def _to_stop(by: list[Place]) -> Proposal | None:
    if not by:
        return None
    one = say("{name} wants to stop the clocks.", name=names(by))
    several = say("{names} want to stop the clocks.", names=names(by))
    return Proposal(one if len(by) == 1 else several, "resting.pause", "pause")
