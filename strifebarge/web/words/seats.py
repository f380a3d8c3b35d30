"""How a seat stands in a game: its points, whether it is to move, its time."""

from markupsafe import Markup

from strifebarge.tables.model.status import Status
from strifebarge.tables.view import Place, View
from strifebarge.web.render.templating import in_ascii
from strifebarge.web.words.catalogue import said, say
from strifebarge.web.words.clock import on_the_clock
from strifebarge.web.words.texts import told

BETWEEN = in_ascii(Markup(" · "))


def how_it_stands(place: Place, view: View) -> Markup:
    """Return a seat's points or the like, what it does now and its time, with points between them."""
    standing, now = told(place.standing, view), state(place, view)
    if place.to_move:
        now = Markup(f"<b>{now}</b>")  # noqa: S704 - it is escaped
    in_time = view.live and view.running and place.time and not (place.left or place.out)
    parts = [standing, now, on_the_clock(place, view) if in_time else Markup()]
    return BETWEEN.join(part for part in parts if part)


def state(place: Place, view: View) -> Markup:
    """Return what a seat does now, or why it does nothing; "" if it waits for others."""
    if place.left:
        return say("has left")
    if place.out:
        return say("out")
    if place.absence.absent:
        return say("away")
    if view.status in (Status.OPEN, Status.SUSPENDED) and place.ready:
        return say("ready")
    if place.chosen:
        return say("has chosen")
    return say("to move") if place.to_move else Markup()


def on_a_plate(place: Place, view: View, drawn: bool) -> Markup:
    """Return what a seat's plate says below its name; what the game has `drawn` there is not said too.

    A point stands between what it has drawn and the state of the seat.
    """
    role = said(place.role, view.title) if place.role else Markup()
    standing = Markup() if drawn else told(place.standing, view)
    now = Markup() if place.to_move else state(place, view)
    words = [part for part in (role, standing, now) if part]
    return BETWEEN.join([Markup(), *words] if drawn and not role else words)
