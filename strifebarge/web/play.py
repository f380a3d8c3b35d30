"""A table: show, sit down, move, take back, leave, look back, play again."""

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from itsdangerous import BadSignature, URLSafeSerializer
from markupsafe import Markup
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Action, Refused
from strifebarge.rules.notation import Kinds, from_form, write
from strifebarge.rules.schema import actions, form_fields, options_type, seat_numbers
from strifebarge.table.letters import PATIENCE
from strifebarge.table.names import tidy_code
from strifebarge.table.ports import Player
from strifebarge.table.presence import NOTED_EVERY
from strifebarge.table.record import record_of
from strifebarge.table.referee import TERMS, Slip
from strifebarge.table.table import TERM, Chair, No, Status, Table
from strifebarge.table.view import Place, View

from . import textview, turn, waiting
from .device import cover, curtain, noted, seen, shown
from .errors import FORM, status_of
from .inviting import given, invitation
from .pages import draw_board, render, table_url
from .people import as_person, must_be, options_and_terms, player_id, referee, slip
from .preferences import remember
from .records import as_file, books_of, for_others
from .talk import talk
from .words import told

blueprint = Blueprint("play", __name__, url_prefix="/g")


@blueprint.url_value_preprocessor
def _tidy(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Codes are taken in any letter case and with dashes."""
    if values and "id" in values:
        values["id"] = tidy_code(values["id"])


@blueprint.before_request
def _no_guessing() -> None:
    """Whoever has tried too many wrong codes sees no table for a while, but those where they sit."""
    if current_app.extensions["limits"].spent("codes"):
        table = referee().status((request.view_args or {})["id"])
        table.seated(player_id())


@blueprint.after_request
def _remember_the_view(answer: Response) -> Response:
    """`?view=text` and `?view=board` hold from then on, in this browser."""
    view = request.args.get("view")
    if view in textview.VIEWS:
        remember(answer, "view", view)
        answer.headers["Cache-Control"] = "no-store"
    return answer


blueprint.after_request(cover)


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
        attend(view)
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
    )


def attend(view: View, again: float = 0) -> None:
    """Whoever sits here is here; robots and those who only watch leave no trace."""
    player = player_id()
    sits = any(place.my_device and not place.left for place in view.places)
    if player and sits and view.status is not Status.OVER and not read_only():
        referee().attend(player, view.id, again)


def read_only() -> bool:
    return bool(current_app.extensions["settings"].read_only)


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


@blueprint.get("/<id>/status")
def status(id: str) -> Response:
    """What a page that waits without JavaScript shows in its frame; it renews itself, and only itself."""
    table = referee().status(id)
    mark, last = referee().mark(table), request.args.get("v")
    times = min(request.args.get("n", 0, type=int), 1000)
    period = turn.period(times)
    if period and table.live:
        period = min(period, NOTED_EVERY)
    _attend_while_waiting(table, period or 0)
    mine = table.chairs_of(player_id())
    my_turn = any(chair.seat in table.waiting for chair in mine) and table.status is not Status.OPEN
    page = render_template(
        "status.html",
        table=table,
        mark=mark,
        moved=last is not None and last != mark,
        my_turn=my_turn and not request.args.get("mine"),
        times=times,
        period=period,
        missed=waiting.missed(table, referee().here(referee().store, table)),
    )
    return Response(page, headers={"Cache-Control": "no-store"})


def _attend_while_waiting(table: Table, again: float) -> None:
    player = player_id()
    sits = any(not chair.left for chair in table.chairs_of(player))
    if player and sits and table.status is not Status.OVER and not read_only():
        referee().attend(player, table.id, again)


@blueprint.get("/<id>/version")
def version(id: str) -> Response:
    """For the page's script: has anything happened?"""
    table = referee().status(id)
    if "away" not in request.args:
        _attend_while_waiting(table, 0)
    return Response(referee().mark(table), mimetype="text/plain")


@blueprint.get("/<id>/at/<int:number>")
def at(id: str, number: int) -> str:
    """The position after a move, as whoever asks may see it."""
    as_seen = request.args.get("as") == "seen"
    view = noted(referee().show_at(player_id(), id, number, as_seen, shown(id)))
    return render_template(
        "history.html",
        view=view,
        board=textview.draw(view).board if textview.wanted() else draw_board(view)[0],
        in_text=textview.wanted(),
        as_seen=as_seen,
        turn=turn.sentence(view),
        page_title=turn.page_title(view),
    )


@blueprint.get("/<id>/log")
def log(id: str) -> str:
    """All that was told, from the first move on."""
    view = noted(referee().log(player_id(), id, shown(id)))
    return render_template("log.html", view=view, page_title=turn.page_title(view))


@blueprint.get("/<id>/record.json")
def record(id: str) -> Response:
    """The whole game, once it is over: seed, options, seats and moves, to be played again anywhere."""
    return as_file(record_of(referee(), id), id)


@blueprint.get("/<id>/export.<ending>")
def export(id: str, ending: str) -> Response:
    """The game as a file for other programs, as far as whoever asks may see it."""
    return for_others(seen(id), ending, id)


# -- sitting down, and the way to the game --------------------------------------------


@blueprint.post("/<id>/join")
def join(id: str) -> Reply:
    seat, name, code = request.form.get("seat", type=int), request.form.get("name", ""), given()
    as_person(lambda player, slip: referee().join(player, id, name, slip, seat, code))
    return _back_to(id)


@blueprint.post("/<id>/ready")
def ready(id: str) -> Reply:
    referee().ready(must_be(), id, slip())
    return _back_to(id)


@blueprint.post("/<id>/unready")
def unready(id: str) -> Reply:
    referee().unready(must_be(), id, slip())
    return _back_to(id)


@blueprint.post("/<id>/sit")
def sit(id: str) -> Reply:
    referee().sit_elsewhere(must_be(), id, request.form.get("seat", -1, type=int), slip())
    return _back_to(id)


@blueprint.get("/<id>/settings")
def settings(id: str) -> str:
    """The options a table is to be played by, for those who sit there to change before the game."""
    view = seen(id)
    if view.seat is None:
        raise Refused(No.NOT_SEATED)
    if view.status is not Status.OPEN:
        raise Refused(No.BEGUN)
    return _settings_page(view)


@blueprint.post("/<id>/settings")
def configure(id: str) -> Any:
    options, terms = options_and_terms({"key"})
    try:
        referee().configure(must_be(), id, options, slip(), terms)
    except Refused as no:
        if status_of(no) != FORM:
            raise
        return _settings_page(seen(id), no), status_of(no)
    return _back_to(id)


def _settings_page(view: View, no: Refused | None = None) -> str:
    return render_template(
        "settings.html",
        view=view,
        fields=form_fields(options_type(view.title.rules)),
        chosen=request.form
        or {field.name: choice.value for field, choice in view.settings}
        | {TERM + name: str(getattr(view, name)) for name in TERMS}
        | {"afterwards": view.afterwards},
        several=len(seat_numbers(view.title.rules)) > 1,
        page_title=turn.page_title(view),
        notice=told(no.text, view) if no else "",
    )


@blueprint.post("/<id>/begin")
def begin(id: str) -> Reply:
    referee().begin(must_be(), id, slip())
    return _back_to(id)


@blueprint.post("/<id>/remove")
def remove(id: str) -> Reply:
    referee().remove(must_be(), id, request.form.get("seat", -1, type=int), slip())
    return _back_to(id)


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
    return _back_to(id)


# -- put aside -------------------------------------------------------------------------


@blueprint.post("/<id>/suspend")
def suspend(id: str) -> Reply:
    referee().suspend(must_be(), id, slip())
    return _back_to(id)


@blueprint.post("/<id>/end")
def end(id: str) -> Reply:
    """Propose to end a suspended game without a result; `end=no` takes it back."""
    referee().propose_end(must_be(), id, request.form.get("end") != "no", slip())
    return _back_to(id)


@blueprint.post("/<id>/back")
def back(id: str) -> Reply:
    """Propose to go back to where the rules still agree; `back=no` takes it back."""
    referee().propose_back(must_be(), id, request.form.get("back") != "no", slip())
    return _back_to(id)


# -- time ------------------------------------------------------------------------------


@blueprint.post("/<id>/pause")
def pause(id: str) -> Reply:
    """Agree to a pause of all clocks; `pause=no` takes it back."""
    referee().pause(must_be(), id, request.form.get("pause") != "no", slip())
    return _back_to(id)


@blueprint.post("/<id>/go-on")
def go_on(id: str) -> Reply:
    """End a pause."""
    referee().go_on(must_be(), id, slip())
    return _back_to(id)


@blueprint.post("/<id>/late")
def late(id: str) -> Reply:
    """Somebody's time has run out: the game goes on."""
    referee().call_time(must_be(), id, slip())
    return _back_to(id)


# -- leaving --------------------------------------------------------------------------


@blueprint.get("/<id>/quit")
def leaving(id: str) -> Any:
    """What leaving means in this game, before it is done."""
    view = seen(id)
    if view.curtain:
        return redirect(url_for(".show", id=id), 303)
    if view.seat is None:
        raise Refused(No.NOT_SEATED)
    if view.status is Status.OVER:
        raise Refused(No.OVER)
    chair = referee().status(id).chairs[view.seat]
    return render_template(
        "quit.html",
        view=view,
        page_title=turn.page_title(view),
        effect=view.title.leaving,
        hand_on=seat_link(chair, id, ""),
    )


@blueprint.post("/<id>/quit")
def leave(id: str) -> Reply:
    referee().quit(must_be(), id, "free" if request.form.get("how") == "free" else "resign", slip())
    return _back_to(id)


@blueprint.get("/<id>/seat")
def seat(id: str) -> str:
    """The page behind a link that hands a seat on; looking at it takes nothing."""
    number, generation, how = _seat_of(id, request.args.get("t", ""))
    table = referee().status(id)
    chair = table.chair(number)
    if chair.generation != generation:
        raise Refused(No.DEAD_LINK)
    view = seen(id)
    return render_template(
        "seat.html",
        view=view,
        place=view.places[number],
        how=how,
        token=request.args["t"],
        page_title=turn.page_title(view),
    )


@blueprint.post("/<id>/seat")
def claim(id: str) -> Reply:
    number, generation, how = _seat_of(id, request.form.get("t", ""))
    act = {"beside": referee().sit_beside, "substitute": referee().stand_in}.get(how, referee().claim)

    def take(player: Player, with_slip: Slip) -> None:
        act(player, id, number, generation, request.form.get("name", ""), with_slip)

    as_person(take)
    return _back_to(id)


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(list(current_app.extensions["settings"].secret_keys), salt="strifebarge:seat")


def seat_link(chair: Chair, id: str, how: str) -> str:
    """A link to a seat: to have it, or `beside` its player, or to be its `substitute`."""
    token = _signer().dumps([id, chair.seat, chair.generation, how])
    return table_url(id) + "/seat?t=" + str(token)


def _seat_of(id: str, token: str) -> tuple[int, int, str]:
    """The seat and generation a link was made for, and for what.  Raises Refused(DEAD_LINK)."""
    try:
        table, seat, generation, *how = _signer().loads(token)
    except (BadSignature, ValueError) as wrong:
        raise Refused(No.DEAD_LINK) from wrong
    if table != id:
        raise Refused(No.DEAD_LINK)
    return seat, generation, how[0] if how else ""


# -- afterwards ------------------------------------------------------------------------


@blueprint.post("/<id>/rematch")
def rematch(id: str) -> Reply:
    return _back_to(referee().rematch(must_be(), id, slip()))


def _back_to(id: str) -> Reply:
    return redirect(url_for(".show", id=id), 303)
