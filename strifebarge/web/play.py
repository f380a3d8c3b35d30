"""A table's page: shown, looked back at, and played at."""

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Action, Refused
from strifebarge.rules.notation import Kinds, from_form, write
from strifebarge.rules.schema import actions, seat_numbers
from strifebarge.table.letters import PATIENCE
from strifebarge.table.record import record_of
from strifebarge.table.table import No, Status
from strifebarge.table.view import Place, View

from . import textview, turn, waiting
from .curtain import curtain
from .errors import status_of
from .inviting import given, invitation
from .pages import draw_board, render, table_url
from .people import must_be, player_id, referee, slip
from .preferences import remember
from .presence import attend
from .records import as_file, as_text, books_of, for_others, looking_back
from .seating import AWAY, seat_link
from .tables import at_a_table, back_to, must_be_watched, noted, seen, shown
from .talk import talk
from .words import told

blueprint = at_a_table("play")


@blueprint.after_request
def _remember_the_view(answer: Response) -> Response:
    """`?view=text` and `?view=board` hold from then on, in this browser."""
    view = request.args.get("view")
    if view in textview.VIEWS:
        remember(answer, "view", view)
        answer.headers["Cache-Control"] = "no-store"
    return answer


# -- showing ---------------------------------------------------------------------


@blueprint.get("/<id>")
def show(id: str) -> Any:
    """The table, as whoever asks may see it: to play, to join, or to watch."""
    view = seen(id)
    if request.path != url_for(".show", id=id):
        return redirect(url_for(".show", id=id, i=given() or None), 301)
    typed = request.args.get("say", "").strip()
    if typed and "key" in request.args:  # the box of a form that moves, sent to be asked with
        return _answer(id, typed)
    if typed and view.mine and not textview.question(typed, view.title):
        return redirect(url_for(".sure", id=id, say=typed, asked=view.asked), 303)
    if "away" not in request.args:  # a page that nobody looks at asks for its news
        attend(view, sits=any(place.my_device and not place.left for place in view.places))
    page = Response(table_page(view, done=request.args.get("done", type=int)))
    if (
        player_id() is None
        and view.status is not Status.OPEN
        and not any(place.free for place in view.places)
    ):
        page.headers["Cache-Control"] = "public, max-age=1"
        page.headers["Vary"] = "Accept-Language, Cookie"
    return page


def table_page(view: View, done: int | None = None, refused: Refused | None = None) -> str:
    """The page of a table in any state; `refused` is said above the fresh board."""
    in_text = textview.wanted()
    if view.curtain:
        return curtain(view, _notice(view, refused))
    board = hand = rest = None
    if view.game is not None and in_text:
        board, hand, rest = textview.draw(view)
    elif view.game is not None:
        board, rest = draw_board(view)
    return render(
        "table_text.html" if in_text else "table.html",
        view=view,
        board=board,
        hand=hand,
        rest=rest,
        in_text=in_text,
        text=textview,
        answering=textview.question(request.args.get("say", ""), view.title),
        turn=turn.sentence(view),
        page_title=turn.page_title(view),
        played=turn.played(view, done),
        notice=_notice(view, refused),
        url=table_url(view.id),
        talk=talk(view),
        invitation=invitation(view),
        fewest=seat_numbers(view.title.rules)[0],
        books=books_of(view),
        waited_for=_waited_for(view),
        silent=_is_silent(view),
        waits=waiting.waits(view),
        asking=_asking(view),
    )


def _asking(view: View) -> list[tuple[Place, str]]:
    """The seats whose players stay away, each with the link by which somebody else may have it."""
    absent = [place for place in view.places if place.absent and not place.my_device]
    if not absent or view.seat is None or not view.live:
        return []
    chairs = referee().status(view.id).chairs
    return [(place, seat_link(chairs[place.seat], view.id, AWAY)) for place in absent]


def _waited_for(view: View) -> list[Place]:
    """Whom somebody who sits here may nudge."""
    if view.seat is None or view.nudged is not None or view.status is not Status.PLAYING or not view.live:
        return []
    if referee().now() - view.moved < PATIENCE:
        return []
    return [place for place in view.waiting if not (place.mine or place.free)]


def _is_silent(view: View) -> bool | None:
    """Whether somebody who sits here wants no notices of this table; None if they have none at all."""
    player = player_id()
    reader = referee().store.outbox.reader(player) if player and view.seat is not None else None
    return view.id in reader.silent if reader else None


def _notice(view: View, refused: Refused | None) -> Markup | None:
    """Why the form was not carried out, and that nothing is lost."""
    if refused is None:
        return None
    words = told(refused.text, view)
    page = render_template(
        "notice.html",
        reason=words,
        token=refused.token,
        attempt=_attempt(),
        view=view,
    )
    return Markup(page)  # noqa: S704 - a template's own output


def _attempt() -> str:
    """What the form wanted to play, in its own words; "" if it was no move."""
    if request.endpoint not in (f"{blueprint.name}.move", f"{blueprint.name}.sure"):
        return ""
    if move := request.values.get("move"):
        return move  # all that counts, whatever else was filled in
    fields = sorted(request.values.items(multi=True), key=lambda field: field[0] != "do")
    return " ".join(str(value) for name, value in fields if name not in ("key", "asked"))


@blueprint.get("/<id>/at/<int:number>")
def at(id: str, number: int) -> str:
    """The position after a move, as whoever asks may see it."""
    as_seen = request.args.get("as") == "seen"
    view = noted(referee().show_at(player_id(), id, number, as_seen, shown(id)))
    return looking_back(view, as_seen)


@blueprint.get("/<id>/log")
def log(id: str) -> str:
    """All that was told, from the first move on."""
    view = noted(referee().log(player_id(), id, shown(id)))
    return render_template("log.html", view=view, page_title=turn.page_title(view))


@blueprint.get("/<id>/log.txt")
def log_as_text(id: str) -> Response:
    """The same as a file."""
    return as_text(noted(referee().log(player_id(), id, shown(id))), id)


@blueprint.get("/<id>/record.json")
def record(id: str) -> Response:
    """The whole game, once it is over: seed, options, seats and moves, to be played again anywhere."""
    return as_file(record_of(referee(), id), id)


@blueprint.get("/<id>/export.<ending>")
def export(id: str, ending: str) -> Response:
    """The game as a file for other programs, as far as whoever asks may see it."""
    return for_others(must_be_watched(seen(id)), ending, id)


# -- playing --------------------------------------------------------------------------


@blueprint.post("/<id>/turn")
def move(id: str) -> Reply:
    """One move; the same form again is the same move, and gets the same answer."""
    with_slip = slip()
    if with_slip.asked is None:
        raise Refused(No.NO_KEY)
    player = must_be()
    read: Callable[[Kinds], Action] = partial(from_form, request.form)
    if typed := request.form.get("say", "").strip():
        view = referee().show(player, id, with_slip.seat)
        if textview.question(typed, view.title):
            return _answer(id, typed)
        read = partial(textview.understood, typed, view)
    number = referee().move(player, id, read, with_slip)
    return redirect(url_for(".show", id=id, done=number, _anchor="turn"), 303)


@blueprint.get("/<id>/sure")
def sure(id: str) -> Any:
    """For those who want to be asked once more: the move in words, and the button that plays it."""
    view = seen(id)
    typed = request.args.get("say", "").strip()
    if typed and textview.question(typed, view.title):
        return _answer(id, typed)
    if not view.mine:
        return redirect(url_for(".show", id=id), 303)
    try:
        kinds = actions(view.title.rules)
        action = textview.understood(typed, view, kinds) if typed else from_form(request.args, kinds)
        if refused := view.reason(action):
            raise refused
    except Refused as no:
        return table_page(view, refused=no), status_of(no)
    return render_template(
        "sure.html",
        view=view,
        asked=request.args.get("asked", view.asked, type=int),
        action=action,
        words=write(action),
        page_title=turn.page_title(view),
    )


def _answer(id: str, question: str) -> Reply:
    """Where a question is answered that was typed where a move might have been."""
    return redirect(url_for(".show", id=id, say=question, _anchor="answer"), 303)


@blueprint.post("/<id>/undo")
def undo(id: str) -> Reply:
    referee().undo(must_be(), id, slip())
    return back_to(id)


# -- afterwards ------------------------------------------------------------------------


@blueprint.post("/<id>/rematch")
def rematch(id: str) -> Reply:
    return back_to(referee().rematch(must_be(), id, slip()))
