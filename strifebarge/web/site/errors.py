"""Pages of refusals and faults: what happened, why, and what to do now."""

import re
from typing import Any

from flask import Flask, current_app, g, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException, InternalServerError

from strifebarge.lib.busy import Busy, DiskFull
from strifebarge.lib.costly import AGAIN, HOLD, TurnedAway
from strifebarge.ops.logs import LogEvent, request_id
from strifebarge.rules import Refused, Text
from strifebarge.tables.library.budget import GameFault
from strifebarge.tables.model.names import tidy_code
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tournaments.reasons import TournamentRefusal
from strifebarge.web.http.faults import refusal_of
from strifebarge.web.http.guard import READING, RequestRefusal
from strifebarge.web.http.receipts import receipt_tells
from strifebarge.web.http.services import limits, referee, views
from strifebarge.web.http.session import player_id
from strifebarge.web.http.statuses import status_of
from strifebarge.web.http.table_access import noted, prefetch_table, shown_seat
from strifebarge.web.table.play import said_above, table_page
from strifebarge.web.table.talk import is_sent_from_talk, talk_page
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.texts import render_text

GUESSED = (
    TableRefusal.NO_TABLE,
    TableRefusal.NO_INVITATION,
    TournamentRefusal.NO_TOURNAMENT,
)  # reasons where a code is wrong
RETRY_AFTER = {429: 60, 503: 600}  # seconds, where a refusal says no others
BELOW_A_TABLE = re.compile("/g/([^/]+)/")
SECRET = {"password", "before", "again", "pin", "proof"}  # fields of forms


def prepare(app: Flask) -> None:
    """Answer whatever is raised with a page, which shows the id of its request."""
    app.jinja_env.globals["request_id"] = request_id
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(GameFault, lambda fault: _refused(refusal_of(fault)))
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _fault)


def _refused(refused: Refused) -> tuple[str, int, dict[str, str]]:
    """Answer with a refusal: on the table's own page where there is one, so that the fresh board is there."""
    refused = _as_a_guess(refused)
    if _keeps_the_page(refused):
        try:
            return _answer(_on_the_table(request.view_args["id"], refused), refused)  # type: ignore[index]
        except Refused as missing:
            refused = _as_a_guess(missing)
        except HTTPException:  # the form itself cannot be read
            pass
    status, back = status_of(refused), _way_back(refused)
    page = (
        _missing(render_text(refused.text), back)
        if status == 404
        else _page(render_text(refused.text), status, refused.token, back)
    )
    return _answer(page, refused)


def _as_a_guess(refused: Refused) -> Refused:
    """Count what may have been a guess of a code; return the refusal of one guess too many in its place."""
    if refused.why in (*GUESSED, TableRefusal.NOT_SEATED) and limits().spent("codes"):
        return limits().too_fast("codes")
    if refused.why in GUESSED:
        limits().note("codes")
    return refused


def _keeps_the_page(refused: Refused) -> bool:
    """Tell whether a refused form is answered with the page of its table: never to who is guessing codes."""
    status, id = status_of(refused), (request.view_args or {}).get("id")
    if not id or request.method != "POST" or status == 404 or refused.why is RequestRefusal.CROSS_SITE:
        return False
    return status not in RETRY_AFTER or not limits().spent("codes")  # which may not have been asked yet


def _on_the_table(id: str, refusal: Refused) -> str:
    prefetch_table(id)
    view = noted(views().show(player_id(), id, shown_seat(id)))
    if is_sent_from_talk():
        return talk_page(view, said_above(view, refusal))
    return table_page(view, refusal)


def _answer(page: str, refused: Refused) -> tuple[str, int, dict[str, str]]:
    """Return a page with the status of a refusal, and with when to try again, if that may help."""
    status = status_of(refused)
    wait = refused.args_told.get("seconds", RETRY_AFTER.get(status))
    return page, status, {"Retry-After": str(wait)} if status in RETRY_AFTER else {}


def _way_back(refused: Refused | None = None) -> str:
    """Return the address of the table's page, for readers who would see more there than a refusal; or ""."""
    if id := (request.view_args or {}).get("id"):
        opens = (
            refused is None
            or status_of(refused) not in (403, 404, 429)
            or refused.why is TableRefusal.NOT_WATCHED
        )
    elif below := BELOW_A_TABLE.match(request.path):  # where nothing is
        id, opens = below[1], False
    else:
        return ""
    return url_for("play.show", id=id) if opens or _sits_at(id) else ""


def _sits_at(id: str) -> bool:
    try:
        return views().status(tidy_code(id)).plays(player_id())
    except Refused:
        return False


def _missing(notice: str, back: str = "") -> str:
    return render_template("missing.html", notice=notice, back=back)


def _http(error: HTTPException) -> Any:
    """Answer what Flask itself refuses: unknown paths, wrong methods, bodies too large."""
    if isinstance(error, InternalServerError) and error.original_exception:
        return _fault(error.original_exception)  # before any view was reached: the sessions are not to be had
    code = error.code or 500
    if code < 400:
        return error.get_response()  # a redirect
    if code == 404:
        return _missing(render_text(Text(TableRefusal.NO_TABLE.sentence)), _way_back()), 404
    return _page(render_text(SENTENCES.get(code, SENTENCES[400])), code, back=_way_back()), code


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
        refused = Refused(RequestRefusal.DISK_FULL if full else RequestRefusal.BUSY)
        if isinstance(error, TurnedAway):
            request.environ[HOLD] = error.seconds
        page = _page(render_text(refused.text), status_of(refused), token=refused.token, again=True)
        return page, 503, {"Retry-After": "30" if full else f"{AGAIN:.0f}"}
    message = f"fault {request_id()} at {request.method} {request.url_rule}"
    current_app.logger.exception(
        LogEvent("fault", message, method=request.method, route=str(request.url_rule), status=500)
    )
    id = (request.view_args or {}).get("id")  # whether they sit there is not asked now
    return _page(_fate(), 500, token=request_id(), back=url_for("play.show", id=id) if id else ""), 500


def _fate() -> Markup:
    """Say whether a form was carried out though its answer failed, by its receipt where that can tell."""
    if request.method in READING:
        return say("Our fault. Nothing is lost.")
    unknown = say("Our fault. We don't know if it worked. Send it again: it counts only once.")
    try:
        receipt = referee().receipt(request.form.get("key", ""))
    except Exception:  # whatever kept us from answering may keep us from looking
        return unknown
    if request.endpoint == "play.move" and receipt:
        return say("Our fault. Your move was played.")
    if request.endpoint == "play.move":
        return say("Our fault. Your move wasn't played. Please play it again.")
    if receipt:
        return say("Our fault. It worked anyway.")
    if not receipt_tells():
        return unknown
    return say("Our fault. It didn't work, but nothing is lost. Please try again.")


def _sent() -> list[tuple[str, str]]:
    """Return the fields of the form, to be sent once more; never a password, which has to be typed again.

    None of a form that is too large to be read here.
    """
    try:
        return [] if SECRET & set(request.form) else list(request.form.items(multi=True))
    except HTTPException:
        return []


def _page(notice: str, status: int, token: str = "", back: str = "", again: bool = False) -> str:
    """Return a page of one sentence and one button: the way back, or the same form once more."""
    return render_template(
        "error.html",
        notice=notice,
        status=status,
        token=token,
        back=back,
        again=again,
        sent=_sent() if again and request.method not in READING else [],
    )
