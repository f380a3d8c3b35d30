"""Talk at a table: say, strike out, report, not read somebody; and notes for oneself."""

from typing import Any, NamedTuple

from flask import Response, make_response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.tables.acts import talk as acts
from strifebarge.tables.model.chat import LONGEST, PHRASES, ChatMessage, ChatRefusal, heard
from strifebarge.tables.model.table import Status, TableRefusal
from strifebarge.tables.view import View
from strifebarge.web.http.request_store import this_request
from strifebarge.web.http.services import conversations, limits, referee, settings
from strifebarge.web.http.session import (
    NUMBER,
    as_person,
    carry_out,
    player_id,
    required_player_id,
    sent_before,
)
from strifebarge.web.http.table_access import at_a_table, back_to, current_view
from strifebarge.web.page.own_facts import READ, own_facts, read_line
from strifebarge.web.page.preferences import DAYS
from strifebarge.web.words import turn

blueprint = at_a_table("talk")


class Talk(NamedTuple):
    """The lines of the chat and the notes, as a page shows them."""

    lines: list[ChatMessage]
    note: str
    player: str | None
    notes: bool  # whether there is a place for them
    longest: int = LONGEST
    phrases: dict[str, Any] = PHRASES
    unread: int = 0  # lines
    typed: str = ""  # what they have just tried to say in vain


def talk(view: View) -> Talk:
    """Return the lines that the reader may read, and their own note."""
    player, chats = player_id(), conversations()
    own = own_facts(view, player, view.viewer.seat is not None, noting(view)) if player else None
    muted = own.muted if own else frozenset[str]()
    plays = any(seat.my_device for seat in view.places)  # behind the curtain too
    lines = heard(chats.lines(view.id), plays, view.status is Status.OVER, muted, view.spectators.held_back)
    note = own.note if own and may_note(view) else ""
    unread = _unread(lines, player)
    return Talk(lines, note, player, may_note(view), unread=unread, typed=_refused_text())


def _unread(lines: list[ChatMessage], player: str | None) -> int:
    """Count the lines after those that a reader's browser has shown or that they have answered."""
    read = max([read_line(), *(line.number for line in lines if player and line.player == player)])
    return sum(line.number > read and not line.deleted for line in lines)


def _refused_text() -> str:
    """Return what a refused form would have said, for it is put back in its field."""
    request = this_request()
    return request.form.get("text", "") if request.endpoint == f"{blueprint.name}.say" else ""


@blueprint.get("/<id>/talk")
def page(id: str) -> Response:
    """Show the latest lines, and the form to say something."""
    view = current_view(id)
    shown = talk(view.must_show_game())
    answer = make_response(_render(view, shown))
    if shown.lines:
        _note_read(answer, id, shown.lines[-1].number)
    return answer


def talk_page(view: View, notice: Markup) -> str:
    """Render the page of the talk; `notice` says why a form there was refused."""
    return _render(view, talk(view.must_show_game()), notice)


def _render(view: View, shown: Talk, notice: Markup | None = None) -> str:
    title = turn.page_title(view)
    return render_template("talk.html", view=view, talk=shown, notice=notice, page_title=title)


def _note_read(answer: Response, id: str, number: int) -> None:
    """Note which line was read last, in the cookie of this table that the script of its page writes too."""
    path, secure = url_for("play.show", id=id), bool(settings().secure)
    answer.set_cookie(READ, str(number), max_age=DAYS * 86400, path=path, samesite="Lax", secure=secure)


def is_sent_from_talk() -> bool:
    """Tell whether this is a form of the page of the talk."""
    return request.blueprint == blueprint.name and request.form.get("back") == "talk"


@blueprint.post("/<id>/say")
def say(id: str) -> Reply:
    text, phrase = request.form.get("text", ""), request.form.get("phrase", "")
    _count()
    as_person(lambda player, form: referee().carry_out(player.id, id, form, acts.say, player, text, phrase))
    return _back(id)


@blueprint.post("/<id>/strike")
def strike(id: str) -> Reply:
    carry_out(id, acts.strike, _line())
    return _back(id)


@blueprint.post("/<id>/report")
def report(id: str) -> Reply:
    number = _line()
    _count()
    as_person(lambda player, form: referee().carry_out(player.id, id, form, acts.report, number))
    return _back(id)


@blueprint.post("/<id>/mute")
def mute(id: str) -> Reply:
    """Mute the author of a line at all tables; `mute=no` ends that."""
    acts.mute(referee(), id, required_player_id(), _line(), request.form.get("mute") != "no")
    return _back(id)


@blueprint.post("/<id>/hush")
def hush(id: str) -> Reply:
    carry_out(id, acts.hush, request.form.get("hush") != "no")
    return _back(id)


@blueprint.post("/<id>/note")
def note(id: str) -> Reply:
    """Keep the reader's own note, which nobody else ever sees."""
    view = current_view(id)
    if not may_note(view):
        raise Refused(TableRefusal.NOT_SEATED if view.viewer.seat is None else TableRefusal.SUSPENDED)
    text = request.form.get("note", "").replace("\0", "")[: 20 * LONGEST]
    conversations().keep_note(id, required_player_id(), text, noting(view))
    return back_to(id, "notes")


def may_note(view: View) -> bool:
    """Tell whether it is known whose notes are meant, also at a shared device."""
    return view.viewer.seat is not None and (view.viewer.eyes is not None or not view.several)


def noting(view: View) -> int:
    """Return the seat whose notes they are at a shared device; -1 for a player with one seat."""
    return view.viewer.seat if view.several and view.viewer.seat is not None else -1


def _count() -> None:
    """Count a message or a report by this address.  Raises Refused: NO_KEY, TOO_FAST."""
    if not sent_before():
        limits().count("talk")


def _line() -> int:
    number = request.form.get("number", "")
    if not NUMBER.fullmatch(number):
        raise Refused(ChatRefusal.NO_LINE)
    return int(number)


def _back(id: str) -> Reply:
    if is_sent_from_talk():
        return redirect(url_for(".page", id=id), 303)
    return back_to(id, "talk")
