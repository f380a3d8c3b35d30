"""Every no has a page: what happened, why, and what to do now."""

from typing import Any
from uuid import uuid4

from flask import Flask, current_app, g, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException, InternalServerError

from strifebarge.rules import Refusal, Refused, Standard, Text
from strifebarge.table.chat import NotSaid
from strifebarge.table.person import Who
from strifebarge.table.ports import Busy
from strifebarge.table.reasons import Locked, NotTold
from strifebarge.table.table import No
from strifebarge.table.vacation import Home

from .guard import READING, Guard
from .people import referee
from .words import say, told

STATUS: dict[Refusal, int] = {
    No.NO_TABLE: 404,
    No.NO_POSITION: 404,
    No.NO_GAME: 404,
    No.NO_RECORD: 404,
    No.NO_PERSON: 404,
    No.NO_INVITATION: 404,
    No.NOT_SEATED: 403,
    No.NOT_HOST: 403,
    No.FULL: 409,
    No.BEGUN: 409,
    No.NOT_BEGUN: 409,
    No.NOT_OVER: 409,
    No.OVER: 409,
    No.SUSPENDED: 409,
    No.NOT_SUSPENDED: 409,
    No.OTHER_RULES: 409,
    No.NOTHING_TO_MEND: 409,
    No.NO_WAY_BACK: 409,
    No.SEAT_TAKEN: 409,
    No.SEATED_ELSEWHERE: 409,
    No.TOO_FEW: 409,
    No.NAME_TAKEN: 409,
    No.KEY_REUSED: 409,
    No.UNTIMED: 409,
    No.ON_THE_CLOCK: 409,
    No.PAUSED: 409,
    No.NOT_PAUSED: 409,
    Home.NONE_LEFT: 409,
    Home.AWAY: 409,
    Home.NOT_AWAY: 409,
    No.NOT_LATE: 409,
    No.CROWDED: 409,
    No.OTHER_SEAT: 409,
    No.CHANGED: 409,
    No.SEAT_CHANGED: 409,
    No.MOVED_IN: 409,
    No.IS_REMATCH: 409,
    No.NO_SUBSTITUTE: 403,
    No.THEY_ARE_HERE: 409,
    No.THEY_SIGN_IN: 409,
    No.WRONG_SEAT_CODE: 403,
    No.NOT_WATCHED: 403,
    No.DEAD_LINK: 410,
    No.REVOKED: 410,
    No.RUN_OUT: 410,
    No.LISTED: 409,
    No.NOT_MET: 403,
    No.NOT_ASKED: 403,
    No.ALREADY_HERE: 409,
    No.ASKED_ENOUGH: 409,
    No.ONE_SEAT: 409,
    Standard.GAME_OVER: 409,
    Standard.NOT_YOUR_TURN: 409,
    Standard.STALE: 409,
    Standard.TOO_LATE: 409,
    Standard.NOTHING_TO_UNDO: 409,
    NotSaid.TOO_MUCH: 429,
    NotSaid.CLOSED: 409,
    NotSaid.NO_LINE: 409,
    NotSaid.NOT_YOURS: 403,
    Who.WRONG_SIGN_IN: 403,
    Who.WRONG_PASSWORD: 403,
    Who.WRONG_CODE: 403,
    Who.WRONG_PASSKEY: 403,
    Who.LOGIN_TAKEN: 409,
    Who.HAS_ACCOUNT: 409,
    Who.NO_ACCOUNT: 409,
    Who.TWICE: 409,
    Who.TOO_MANY_KEYS: 409,
    Who.NO_DEVICE: 409,
    Who.DEAD_LINK: 410,
    Who.NOT_KNOWN: 403,
    Who.GONE: 410,
    NotTold.NOBODY: 403,
    NotTold.NO_ADDRESS: 409,
    NotTold.NOT_CONFIRMED: 409,
    NotTold.TOO_MANY: 409,
    NotTold.NOT_WAITING: 409,
    NotTold.TOO_SOON: 409,
    NotTold.NUDGED: 409,
    NotTold.DEAD_LINK: 410,
    Locked.WRONG: 403,
    Locked.REST: 409,
    Locked.COVERED: 403,
    Locked.NO_PIN: 409,
    Locked.NOT_PASSED: 409,
    Guard.CROSS_SITE: 403,
    Guard.TOO_FAST: 429,
    Guard.ENOUGH_TODAY: 429,
    Guard.READ_ONLY: 503,
}
# Whose forms leave a receipt in the transaction that carries them out: where there is none, they were not.
RECEIPTS = {"company", "curtain", "inviting", "play", "resting", "returning", "seating"}  # blueprints
OTHERS = {"lobby.start"}  # forms of other blueprints
BUT = {"play.rematch", "resting.late", "seating.delete"}  # two steps; the deadline alone; gone with the table
SECRET = {"password", "before", "again", "pin"}  # fields of forms
FORM = 422  # all others: the form asked for what the rules refuse


def prepare(app: Flask) -> None:
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _fault)


def status_of(no: Refused) -> int:
    return STATUS.get(no.why, FORM)


def _refused(no: Refused) -> tuple[str, int] | tuple[str, int, dict[str, str]]:
    """A refusal: on the table's own page where there is one, so that the fresh board is there."""
    limits = current_app.extensions["limits"]
    if no.why in (No.NO_TABLE, No.NO_INVITATION, No.NOT_SEATED) and limits.spent("codes"):
        no = limits.too_fast("codes")
    elif no.why in (No.NO_TABLE, No.NO_INVITATION):
        current_app.extensions["limits"].note("codes")  # it may have been a guess
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
    from .play import table_page  # here, for the table's pages know of refusals in turn
    from .tables import seen

    return table_page(seen(id), refused=no)


def _http(error: HTTPException) -> Any:
    """What Flask itself refuses: unknown paths, wrong methods, bodies too large."""
    if isinstance(error, InternalServerError) and error.original_exception:
        return _fault(error.original_exception)  # before any view was reached: the sessions are not to be had
    code = error.code or 500
    if code < 400:
        return error.get_response()  # a redirect
    if code == 404:
        return render_template("missing.html", notice=told(Text(No.NO_TABLE.sentence))), 404
    return _page(told(SENTENCES.get(code, SENTENCES[400])), code), code


SENTENCES = {
    400: Text("That request could not be read."),
    405: Text("That address cannot be used in this way."),
    413: Text("That was too much for one form. Nothing was done."),
    414: Text("That address is too long."),
    415: Text("That kind of content is not taken here."),
}


def _fault(error: BaseException) -> tuple[str, int] | tuple[str, int, dict[str, str]]:
    """Our fault."""
    g.who, g.my_turns = None, 0  # nobody in particular: this page must not need what has just failed
    if isinstance(error, Busy):
        words = say("The server is busy. Press again: nothing is done twice.")
        return _page(words, 503, again=True), 503, {"Retry-After": "2"}
    reference = uuid4().hex[:8]
    current_app.logger.exception("fault %s at %s %s", reference, request.method, request.path)
    return _page(_fate(), 500, token=reference, reference=reference), 500


def _fate() -> Markup:
    """Whether a form was carried out though its answer failed: looked up, if its receipt tells."""
    if request.method in READING:
        return say("Our fault. Nothing was lost.")
    unknown = say("Our fault. Whether it was done is not known. Send it again: it cannot be done twice.")
    try:
        given = referee().store.receipt(request.form.get("key", ""))
    except Exception:  # whatever kept us from answering may keep us from looking
        return unknown
    if request.endpoint == "play.move" and given:
        return say("Our fault. Your move was played.")
    if request.endpoint == "play.move":
        return say("Our fault. Your move was not played.")
    if given:
        return say("Our fault. What you asked for was done.")
    if (request.blueprint not in RECEIPTS or request.endpoint in BUT) and request.endpoint not in OTHERS:
        return unknown
    return say("Our fault. What you asked for was not done; nothing that was done before is lost.")


def _sent() -> list[tuple[str, str]]:
    """The form, to be sent once more; but a password is in no page, so that it is typed again."""
    return [] if SECRET & set(request.form) else list(request.form.items(multi=True))


def _page(words: str, status: int, token: str = "", reference: str = "", again: bool = False) -> str:
    """A page of one sentence and one button: the way back, or the same once more."""
    id = (request.view_args or {}).get("id")
    leads_back = status not in (403, 404, 429) or token == No.NOT_WATCHED.token  # which has a page
    return render_template(
        "error.html",
        notice=words,
        status=status,
        token=token,
        reference=reference,
        back=url_for("play.show", id=id) if id and leads_back else "",
        again=again,
        sent=_sent() if again and request.method not in READING else [],
    )
