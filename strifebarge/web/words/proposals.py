"""Proposals that others make at a table while its game goes on, and how a player agrees to them."""

from typing import NamedTuple

from markupsafe import Markup

from strifebarge.tables.model.status import Status
from strifebarge.tables.view import Place, View
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.names import names


class Proposal(NamedTuple):
    """Words for players who have not agreed yet, and the form that agrees: its endpoint and field."""

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
    by = _who_agrees(view)
    if not by or any(each.seat == place.seat for each in by):
        return None
    who, alone = names(by), len(by) == 1
    if view.clock is None:
        words = (
            say("{name} wants to suspend the game.", name=who)
            if alone
            else say("{names} want to suspend the game.", names=who)
        )
        return Proposal(words, "resting.suspend", "suspend")
    words = (
        say("{name} wants to stop the clocks.", name=who)
        if alone
        else say("{names} want to stop the clocks.", names=who)
    )
    return Proposal(words, "resting.pause", "pause")


def _who_agrees(view: View) -> list[Place]:
    """Return the seats whose players want to suspend the game, or with a clock, to stop it."""
    if view.clock is None:
        return view.suspending
    return [each for each in view.places if each.seat in view.clock.agreed]
