"""From here: a page that offers to play on from a position of a game, alone or with others; its form."""

from collections.abc import Callable

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.tables.acts.from_here import Branch, play_from, why_not_from
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.table import Table, TableRefusal
from strifebarge.tables.play.queries import place_for
from strifebarge.tables.view import View
from strifebarge.web.http.guard import address
from strifebarge.web.http.services import limits, referee, views
from strifebarge.web.http.session import NUMBER, as_person, form_token, sent_before
from strifebarge.web.words import turn
from strifebarge.web.words.languages import language

HOW = ("analysis", "table")


def may_go_on(view: View) -> bool:
    """Tell whether a page that looks back leads to playing on from its position."""
    ended_here = view.status is Status.OVER and view.number == view.newest
    return not ended_here and why_not_from(view.title, view.status, analysis=True) is None


def from_here_page(view: View, table: Table, action: str) -> str:
    """Return the page that offers what may be begun at a position.  Raises Refused(STILL_SECRET)."""
    if why := why_not_from(view.title, table.status, analysis=True):
        raise Refused(why)
    with_others = len(view.places) > 1 and why_not_from(view.title, table.status, analysis=False) is None
    return render_template(
        "from_here.html",
        view=view,
        action=action,
        with_others=with_others,
        page_title=turn.page_title(view),
    )


def begun_from(find: Callable[[], str], number: int) -> Reply:
    """Open the table that a form of that page wants, and redirect there; `find` gives its game's id."""
    form_token()  # a form that is not whole says so, whatever else is wrong
    id = find()
    how, sit = request.form.get("how", ""), request.form.get("sit", "")
    if how not in HOW:
        raise Refused(TableRefusal.WRONG_TERMS, what=how)
    if sit and not NUMBER.fullmatch(sit):
        raise Refused(TableRefusal.SEAT_TAKEN)
    branch = Branch(number, how == "analysis", int(sit) if sit else None, language().code)
    if not sent_before():
        limits().count("create")
    with place_for(views().status(id), address()):
        table = as_person(lambda player, form: play_from(referee(), player, id, form, branch))
    return redirect(url_for("play.show", id=table.id), 303)
