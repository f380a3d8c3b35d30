"""Pages of refusals and faults: what happened, why, and what to do now."""

from typing import Any

from flask import Flask, current_app, g, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException, InternalServerError

from strifebarge.busy import Busy, DiskFull
from strifebarge.logs import LogEvent
from strifebarge.request_id import request_id
from strifebarge.rules import Refused, Text
from strifebarge.table.budget import GameFault
from strifebarge.table.table import No
from strifebarge.tournaments.reasons import NotInTournament

from .faults import refusal_of
from .guard import READING, Guard
from .play import table_page
from .receipts import receipt_tells
from .sentences.catalogue import say
from .sentences.texts import told
from .services import limits, referee
from .statuses import status_of
from .table_access import read_at_once, seen

GUESSED = (No.NO_TABLE, No.NO_INVITATION, NotInTournament.NO_TOURNAMENT)  # reasons where a code is wrong
SECRET = {"password", "before", "again", "pin", "proof"}  # fields of forms


def prepare(app: Flask) -> None:
    """Answer whatever is raised with a page, which shows the id of its request."""
    app.jinja_env.globals["request_id"] = request_id
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(GameFault, lambda fault: _refused(refusal_of(fault)))
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _fault)


def _refused(no: Refused) -> tuple[str, int] | tuple[str, int, dict[str, str]]:
    """Answer with a refusal: on the table's own page where there is one, so that the fresh board is there."""
    if no.why in (*GUESSED, No.NOT_SEATED) and limits().spent("codes"):
        no = limits().too_fast("codes")
    elif no.why in GUESSED:
        limits().note("codes")  # it may have been a guess
    status = status_of(no)
    if status == 429:
        wait = str(no.args_told["seconds"])
        return _page(told(no.text), 429, token=no.token), 429, {"Retry-After": wait}
    if status == 503:
        return _page(told(no.text), 503, token=no.token), 503, {"Retry-After": "600"}
    id = (request.view_args or {}).get("id")
    if id and request.method == "POST" and status != 404 and no.why is not Guard.CROSS_SITE:
        try:
            return _on_the_table(id, no), status
        except Refused as missing:
            return _refused(missing)
    if status == 404:
        return render_template("missing.html", notice=told(no.text)), 404
    return _page(told(no.text), status, token=no.token), status


def _on_the_table(id: str, no: Refused) -> str:
    read_at_once(id)
    return table_page(seen(id), refused=no)


def _http(error: HTTPException) -> Any:
    """Answer what Flask itself refuses: unknown paths, wrong methods, bodies too large."""
    if isinstance(error, InternalServerError) and error.original_exception:
        return _fault(error.original_exception)  # before any view was reached: the sessions are not to be had
    code = error.code or 500
    if code < 400:
        return error.get_response()  # a redirect
    if code == 404:
        return render_template("missing.html", notice=told(Text(No.NO_TABLE.sentence))), 404
    return _page(told(SENTENCES.get(code, SENTENCES[400])), code), code


SENTENCES = {
    400: Text("That request couldn't be read. Please try again."),
    405: Text("That address can't be used like this."),
    413: Text("That was too much for one form. Send less at once."),
    414: Text("That address is too long. Please shorten it."),
    415: Text("That kind of content isn't accepted here."),
}


def _fault(error: BaseException) -> tuple[str, int] | tuple[str, int, dict[str, str]]:
    """Answer a fault of the site with a page that says so, and log it."""
    g.who, g.my_turns = None, 0  # nobody in particular: this page must not need what has just failed
    if isinstance(error, Busy):
        full = isinstance(error, DiskFull)
        no = Refused(Guard.DISK_FULL if full else Guard.BUSY)
        page = _page(told(no.text), status_of(no), token=no.token, again=True)
        return page, 503, {"Retry-After": "30" if full else "2"}
    words = f"fault {request_id()} at {request.method} {request.url_rule}"
    current_app.logger.exception(
        LogEvent("fault", words, method=request.method, route=str(request.url_rule), status=500)
    )
    return _page(_fate(), 500, token=request_id()), 500


def _fate() -> Markup:
    """Say whether a form was carried out though its answer failed, by its receipt where that can tell."""
    if request.method in READING:
        return say("Our fault. Nothing is lost.")
    unknown = say("Our fault. We don't know if it worked. Send it again: it counts only once.")
    try:
        given = referee().receipt(request.form.get("key", ""))
    except Exception:  # whatever kept us from answering may keep us from looking
        return unknown
    if request.endpoint == "play.move" and given:
        return say("Our fault. Your move was played.")
    if request.endpoint == "play.move":
        return say("Our fault. Your move wasn't played. Please play it again.")
    if given:
        return say("Our fault. It worked anyway.")
    if not receipt_tells():
        return unknown
    return say("Our fault. It didn't work, but nothing is lost. Please try again.")


def _sent() -> list[tuple[str, str]]:
    """Return the fields of the form, to be sent once more; never a password, which has to be typed again."""
    return [] if SECRET & set(request.form) else list(request.form.items(multi=True))


def _page(words: str, status: int, token: str = "", again: bool = False) -> str:
    """Return a page of one sentence and one button: the way back, or the same form once more."""
    id = (request.view_args or {}).get("id")
    leads_back = status not in (403, 404, 429) or token == No.NOT_WATCHED.token  # which has a page
    return render_template(
        "error.html",
        notice=words,
        status=status,
        token=token,
        back=url_for("play.show", id=id) if id and leads_back else "",
        again=again,
        sent=_sent() if again and request.method not in READING else [],
    )
