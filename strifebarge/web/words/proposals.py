"""Proposals that others make at a table while its game goes on, and how a player agrees to them."""

from typing import NamedTuple

from markupsafe import Markup

from strifebarge.tables.model.status import Status
from strifebarge.tables.view import SeatView, View
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.names import names


class Proposal(NamedTuple):
    """Words for players who have not agreed yet, and the form that agrees: its endpoint and field."""

    text: Markup
    to: str
    field: str


def proposal(view: View) -> Proposal | None:
    """Return what waits for the viewer's agreement; None where nothing does."""
    own_seat = view.my_place
    if own_seat is None or own_seat.left or own_seat.out or not (view.live and view.running):
        return None
    if view.status is Status.SUSPENDED or view.settings.tournament:
        return None  # what is proposed there is said by the turn's own sentence
    by = _who_agrees(view)
    if not by or any(each.seat == own_seat.seat for each in by):
        return None
    who, alone = names(by), len(by) == 1
    if view.clock is None:
        text = (
            say("{name} wants to suspend the game.", name=who)
            if alone
            else say("{names} want to suspend the game.", names=who)
        )
        return Proposal(text, "resting.suspend", "suspend")
    text = (
        say("{name} wants to stop the clocks.", name=who)
        if alone
        else say("{names} want to stop the clocks.", names=who)
    )
    return Proposal(text, "resting.pause", "pause")


def _who_agrees(view: View) -> list[SeatView]:
    """Return the seats whose players want to suspend the game, or with a clock, to stop it."""
    if view.clock is None:
        return view.suspending
    return [each for each in view.places if each.seat in view.clock.agreed]
