"""How a seat stands in a game: its points, whether it is to move, its time."""

from markupsafe import Markup

from strifebarge.tables.model.status import Status
from strifebarge.tables.view import SeatView, View
from strifebarge.web.render.templating import in_ascii
from strifebarge.web.words.catalogue import game_words, say
from strifebarge.web.words.clock import on_the_clock
from strifebarge.web.words.texts import render_text

BETWEEN = in_ascii(Markup(" · "))


def how_it_stands(seat: SeatView, view: View) -> Markup:
    """Return a seat's points or the like, what it does now and its time, with points between them."""
    standing, now = render_text(seat.standing, view), state(seat, view)
    if seat.to_move:
        now = Markup(f"<b>{now}</b>")  # noqa: S704 - it is escaped
    in_time = view.live and view.running and seat.time and not (seat.left or seat.out)
    parts = [standing, now, on_the_clock(seat, view) if in_time else Markup()]
    return BETWEEN.join(part for part in parts if part)


def state(seat: SeatView, view: View) -> Markup:
    """Return what a seat does now, or why it does nothing; "" if it waits for others."""
    if seat.left:
        return say("has left")
    if seat.out:
        return say("out")
    if seat.absence.absent:
        return say("away")
    if view.status in (Status.OPEN, Status.SUSPENDED) and seat.ready:
        return say("ready")
    if seat.chosen:
        return say("has chosen")
    return say("to move") if seat.to_move else Markup()


def on_a_plate(seat: SeatView, view: View, drawn: bool) -> Markup:
    """Return what a seat's plate says below its name; what the game has `drawn` there is not said too.

    A point stands between what it has drawn and the state of the seat.
    """
    role = game_words(seat.role, view.title) if seat.role else Markup()
    standing = Markup() if drawn else render_text(seat.standing, view)
    now = Markup() if seat.to_move else state(seat, view)
    parts = [part for part in (role, standing, now) if part]
    return BETWEEN.join([Markup(), *parts] if drawn and not role else parts)
