"""Talk at a table: say, strike out, report, not read somebody; and notes for oneself."""

from typing import Any, NamedTuple

from flask import current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.chat import LONGEST, PHRASES, NotSaid, Said, heard
from strifebarge.table.referee import Slip
from strifebarge.table.table import No, Status
from strifebarge.table.view import View

from . import turn
from .people import NUMBER, as_person, must_be, player_id, referee, sent_before, slip
from .tables import at_a_table, back_to, must_be_watched, seen

blueprint = at_a_table("talk")


class Talk(NamedTuple):
    """What a page shows of it."""

    lines: list[Said]
    note: str
    player: str | None
    notes: bool  # whether there is a place for them
    longest: int = LONGEST
    phrases: dict[str, Any] = PHRASES


def talk(view: View) -> Talk:
    """What whoever asks reads of what was said, and their own note."""
    player, store = player_id(), referee().store
    muted = store.muted_by(player) if player else frozenset()
    plays = any(place.my_device for place in view.places)  # behind the curtain too
    lines = heard(store.lines(view.id), plays, view.status is Status.OVER, muted, view.held_back)
    note = store.note(view.id, player, _noting(view)) if player and may_note(view) else ""
    return Talk(lines, note, player, may_note(view))


@blueprint.get("/<id>/talk")
def page(id: str) -> str:
    """All that was said lately, and the form to say something."""
    view = must_be_watched(seen(id))
    return render_template("talk.html", view=view, talk=talk(view), page_title=turn.page_title(view))


@blueprint.post("/<id>/say")
def say(id: str) -> Reply:
    text, phrase = request.form.get("text", ""), request.form.get("phrase", "")
    _no_crowd()
    as_person(lambda player, slip: referee().say(player, id, text, phrase, slip))
    return _back(id)


@blueprint.post("/<id>/strike")
def strike(id: str) -> Reply:
    referee().strike(must_be(), id, _line(), slip())
    return _back(id)


@blueprint.post("/<id>/report")
def report(id: str) -> Reply:
    number = _line()
    _no_crowd()

    def show(player: Any, with_slip: Slip) -> None:
        referee().report(player.id, id, number, with_slip)

    as_person(show)
    return _back(id)


@blueprint.post("/<id>/mute")
def mute(id: str) -> Reply:
    """Read no more of whoever said this line, at any table; `mute=no`: read it again."""
    player, number, store = must_be(), _line(), referee().store
    referee().status(id)
    said = next((line for line in store.lines(id) if line.number == number), None)
    if said is None:
        raise Refused(NotSaid.NO_LINE)
    store.mute(player, said.player, request.form.get("mute") != "no")
    return _back(id)


@blueprint.post("/<id>/hush")
def hush(id: str) -> Reply:
    referee().hush(must_be(), id, request.form.get("hush") != "no", slip())
    return _back(id)


@blueprint.post("/<id>/note")
def note(id: str) -> Reply:
    """What I note for myself: nobody else ever sees it."""
    view = seen(id)
    if not may_note(view):
        raise Refused(No.NOT_SEATED if view.seat is None else No.SUSPENDED)
    text = request.form.get("note", "").replace("\0", "")[: 20 * LONGEST]
    referee().store.keep_note(id, must_be(), text, _noting(view))
    return back_to(id, "notes")


def may_note(view: View) -> bool:
    """Whether it is known whose notes are meant: at a device that is passed round, who is looking."""
    return view.seat is not None and (view.eyes is not None or not view.several)


def _noting(view: View) -> int:
    """For which seat somebody notes: each of several at one device has their own notes."""
    return view.seat if view.several and view.seat is not None else -1


def _no_crowd() -> None:
    """Each stranger who speaks up is somebody new: as often as they could start games, and no more.

    Or else whoever keeps no cookies could say as much as they like.
    """
    if player_id() is None and not sent_before():
        current_app.extensions["limits"].count("create")


def _line() -> int:
    number = request.form.get("number", "")
    if not NUMBER.fullmatch(number):
        raise Refused(NotSaid.NO_LINE)
    return int(number)


def _back(id: str) -> Reply:
    if request.form.get("back") == "talk":
        return redirect(url_for(".page", id=id), 303)
    return back_to(id, "talk")
