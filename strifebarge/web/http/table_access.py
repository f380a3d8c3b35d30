"""Parts that all addresses of a table share: its code, limits on guessing it, and the seat that is shown.

Who is looking, at a device that is passed round, is kept in a cookie of its own, which is another one after
each handing over: a browser that keeps pages for its Back button throws them away then, and asks again.
"""

from typing import Any, NamedTuple

from flask import Blueprint, Flask, Response, g, redirect, url_for
from itsdangerous import BadSignature, Signer
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.tables.acts import local_play
from strifebarge.tables.model.names import tidy_code
from strifebarge.tables.play.turn import KEY
from strifebarge.tables.view import View
from strifebarge.tables.view.perspective import perspective
from strifebarge.web.http.guard import address
from strifebarge.web.http.request_store import request_globals, this_request
from strifebarge.web.http.services import limits, referee, settings, views
from strifebarge.web.http.session import SEAT, player_id

COOKIE = "seat"
AT_A_TABLE = set[str]()  # the blueprints of addresses below a table's own


class ClaimedSeat(NamedTuple):
    """A seat that somebody has said they are looking at, and what they are known by as long as they do."""

    seat: int
    by: str


def at_a_table(name: str, prefix: str = "/g") -> Blueprint:
    """Return a blueprint for addresses below a table's own; each takes its `id`."""
    AT_A_TABLE.add(name)
    blueprint = Blueprint(name, __name__, url_prefix=prefix)
    blueprint.url_value_preprocessor(normalized_code)
    blueprint.before_request(_no_guessing)
    blueprint.after_request(cover)
    return blueprint


def normalized_code(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Return a code in one form: codes are taken in any letter case and with dashes."""
    if values and "id" in values:
        values["id"] = tidy_code(values["id"])


def _no_guessing() -> None:
    """Show no table for a while after too many wrong codes, except those where the reader sits.

    At whatever address: one that still told a right code from a wrong one would be enough.
    """
    if limits().spent("codes"):
        views().status((this_request().view_args or {})["id"]).must_sit(player_id())


def back_to(id: str, anchor: str | None = None) -> Reply:
    """Redirect to the table after a form."""
    return redirect(url_for("play.show", id=id, _anchor=anchor), 303)


# -- who is looking --------------------------------------------------------------


def prepare(app: Flask) -> None:
    app.before_request(_prefetch_table)
    app.before_request(_require_lifted_curtain)
    app.teardown_request(_clear_prefetched)


def _prefetch_table() -> None:
    """Ask the database what this request needs of its table."""
    request = this_request()
    id = (request.view_args or {}).get("id")
    if id and request.blueprint in AT_A_TABLE:
        prefetch_table(tidy_code(id), request.form.get("key", "") if request.method == "POST" else "")


def prefetch_table(id: str, key: str = "") -> None:
    """Ask the database what is needed of a table, and the receipt of a form."""
    # No database is asked for what no key can be: PostgreSQL cannot even be asked for every text.
    known_by = key if KEY.fullmatch(key) else ""
    referee().store.prefetch(id, referee().now(), known_by)


def _clear_prefetched(_error: BaseException | None) -> None:
    referee().store.forget_prefetched()


def _require_lifted_curtain() -> None:
    """Refuse a form of a seat with a PIN unless that seat's page is the one shown."""
    request = this_request()
    id = (request.view_args or {}).get("id")
    made_for = SEAT.search(request.form.get("key", "")) if id and request.method == "POST" else None
    if id and made_for:
        local_play.must_be_lifted(referee(), tidy_code(id), int(made_for[1]), shown_seat(tidy_code(id)))


def _signer() -> Signer:
    return Signer(list(settings().secret_keys), salt="strifebarge:looking")


def claimed_seat(id: str) -> ClaimedSeat | None:
    """Return the seat whose player last said at this device that they are looking, however long ago."""
    # Said just now, or before.
    cookie = request_globals().looking_said or this_request().cookies.get(COOKIE, "")
    if not cookie:
        return None
    try:
        table, seat, by = _signer().unsign(cookie).decode().split(".")
    except (BadSignature, ValueError):
        return None
    return ClaimedSeat(int(seat), by) if table == id and seat in set("01234567") else None


def shown_seat(id: str) -> int | None:
    """Return the seat at this table whose player is looking and, if it has a PIN, has typed it."""
    looking = claimed_seat(id)
    return looking.seat if looking and local_play.is_looking(referee(), id, *looking) else None


def current_view(id: str) -> View:
    """Return the table as the person at this device may see it now.  Raises Busy where its game is long."""
    overview, player = views().overview(id), player_id()
    with views().place(overview.table, address(), player):
        return noted(views().show(player, id, shown_seat(id), overview))


def noted(view: View) -> View:
    """Return the view; if it is covered, forget who was looking."""
    if view.viewer.curtain:
        g.covered = True
    return view


def known_by() -> str:
    """Return a new random key for a player who is looking."""
    return referee().entropy(8).hex()


def looks(answer: Response | Reply, id: str, seat: int | None, by: str = "") -> None:
    """Let an answer say who is looking now, or that nobody is: never in the same words twice.

    Chromium took no notice where the cookie was only deleted, and showed the page it had kept.
    """
    secure = bool(settings().secure)
    who = f"{id}.{'' if seat is None else seat}.{by or known_by()}"
    g.looking_said = _signer().sign(who).decode()
    answer.set_cookie(COOKIE, g.looking_said, httponly=True, samesite="Lax", secure=secure)


def cover(answer: Response) -> Response:
    """Forget who was looking, after a page or form, if the device is to be handed over."""
    request, g = this_request(), request_globals()
    id = (request.view_args or {}).get("id", "")
    if g.looking_said:
        return answer
    if claimed_seat(id) and (g.covered or (request.method == "POST" and _passed_on(id))):
        looks(answer, id, None)
    return answer


def _passed_on(id: str) -> bool:
    """Tell whether a form has made it the turn of another player at this device."""
    try:
        table = views().status(id)
    except Refused:
        return False
    return bool(perspective(table, referee().library[table.game], player_id(), shown_seat(id)).curtain)
