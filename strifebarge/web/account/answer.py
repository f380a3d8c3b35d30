"""A move by a link in a letter, also where its reader is not signed in.

The link is signed, for one person, seat and question.  It opens a page that shows what that seat may see,
until the question is answered, the seat is another's, or its reader wants no such links any more or has
signed out everywhere.  Looking plays nothing.  The form there can be used once, for its key follows from the
link; it makes nobody the player of that seat.
"""

from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, redirect, request, url_for
from markupsafe import Markup

from strifebarge.rules import Refused
from strifebarge.rules.notation import from_form
from strifebarge.tables.acts.moves import move
from strifebarge.tables.model.reasons import NotificationRefusal
from strifebarge.tables.play.turn import FormToken
from strifebarge.tables.view import View
from strifebarge.web.account.feeds import seals
from strifebarge.web.http.services import accounts, notifications, referee, views
from strifebarge.web.http.session import player_id
from strifebarge.web.http.statuses import FORM, status_of
from strifebarge.web.http.table_access import normalized_code
from strifebarge.web.page.pages import draw_board, render
from strifebarge.web.words import turn
from strifebarge.web.words.texts import render_text

# Nobody is held back for guesses here: nothing opens but by a link that is signed.
blueprint = Blueprint("answer", __name__, url_prefix="/g")
blueprint.url_value_preprocessor(normalized_code)


@blueprint.get("/<id>/answer")
def look(id: str) -> str:
    """Show the question and its possible answers, as the player who is asked sees them."""
    token = request.args.get("t", "")
    player, question = _opened(id, token)
    return _page(_view(player, id, question), token)


@blueprint.post("/<id>/answer")
def play(id: str) -> Any:
    """Play the one move.  The same form again gets the same answer; another one with this link is stale."""
    token = request.form.get("t", "")
    player, question = _opened(id, token)
    fields = sorted((name, value) for name, value in request.form.items(multi=True) if name != "t")
    form = FormToken(sha256(f"answer {token}".encode()).hexdigest()[:32], urlencode(fields), question)
    try:
        read = partial(from_form, request.form)
        number = referee().carry_out(player, id, form, move, read).number
    except Refused as no:
        if status_of(no) != FORM:
            raise
        view = _view(player, id, question)
        return _page(view, token, render_text(no.text, view)), FORM
    done = number if player == player_id() else None
    return redirect(url_for("play.show", id=id, done=done), 303)


def _opened(id: str, token: str) -> tuple[str, int]:
    """Return the person and the question of a signed link.

    Raises Refused: DEAD_LINK; BANNED, BANNED_UNTIL.
    """
    try:
        person, serial, table, seat, generation, question = seals().read("answer", token)
        owner = accounts().person(person)
    except (Refused, ValueError, TypeError) as wrong:
        raise Refused(NotificationRefusal.DEAD_LINK) from wrong
    accounts().must_not_be_banned(owner)
    player = owner.id
    if table != id or not notifications().accepts_answers(player, serial):
        raise Refused(NotificationRefusal.DEAD_LINK)
    chair = views().status(id).chair(seat)
    if not chair.has(player) or chair.generation != generation:
        raise Refused(NotificationRefusal.DEAD_LINK)
    return player, question


def _view(player: str, id: str, question: int) -> View:
    """Return the table as that seat sees it, while the question stands.  Raises Refused(DEAD_LINK)."""
    view = views().show(player, id)
    if view.question_number != question or not view.mine or view.position.game is None:
        raise Refused(NotificationRefusal.DEAD_LINK)
    return view


def _page(view: View, token: str, notice: Markup | None = None) -> str:
    board, rest = draw_board(
        view, lambda what: url_for(".look", id=view.id, t=token, pick=what, _anchor="board")
    )
    return render(
        "answer.html",
        view=view,
        board=board,
        rest=rest,
        turn=turn.sentence(view),
        page_title=turn.page_title(view),
        notice=notice,
        link=token,
    )
