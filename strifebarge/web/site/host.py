"""The host's page: opened by a link that works once, and closed to every other browser."""

from functools import partial
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.lib.joiners import is_printable
from strifebarge.people.hosts import SESSION_LASTS
from strifebarge.rules import Refused
from strifebarge.tables.model.names import tidy_code
from strifebarge.web.http.guard import RequestRefusal
from strifebarge.web.http.request_store import request_globals
from strifebarge.web.http.services import accounts, hosts, referee, services, settings
from strifebarge.web.http.session import form_token
from strifebarge.web.http.statuses import status_of
from strifebarge.web.site import host_acts
from strifebarge.web.site.host_facts import details_of, facts, failed, seated_at
from strifebarge.web.words.dates import machine
from strifebarge.web.words.texts import notice_of

blueprint = Blueprint("host", __name__, url_prefix="/host")
OPENING = {"host.opening", "host.open_session"}  # which are for browsers with a link
MOST = 50  # games, or people, on a list
LONGEST_COOKIE = 100  # characters of it that are looked at


@blueprint.before_request
def _hosts_alone() -> None:
    """Answer every other browser as if there were no such page."""
    if request.endpoint not in OPENING and _session_of() is None:
        abort(404)


@blueprint.after_request
def _say_nothing(answer: Response) -> Response:
    """Send no Referer from the page of a link: its address holds the link."""
    if request.endpoint in OPENING:
        answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


def _session_of() -> str | None:
    """Return the name of the host whose browser this is; None for all others."""
    g = request_globals()
    if "host" not in g:
        g.host = hosts().host_of_session(request.cookies.get(_cookie(), "")[:LONGEST_COOKIE])
    session: str | None = g.host
    return session


def _cookie() -> str:
    return "__Host-sb-host" if settings().secure else "sb-host"


# -- a host's browser ------------------------------------------------------------------


@blueprint.get("/open")
def opening() -> str:
    """Show the button that uses up the link; to look at it, as chats do for a preview, does not."""
    link = request.args.get("link", "")
    if not hosts().opens(link):
        raise Refused(RequestRefusal.NO_HOST_LINK)
    return render_template("host_link.html", link=link)


@blueprint.post("/open")
def open_session() -> Any:
    """Use up a link, and make this browser a host's for twelve hours."""
    form_token()
    token = hosts().open_session(request.form.get("link", ""))
    if token is None:
        raise Refused(RequestRefusal.NO_HOST_LINK)
    answer = redirect(url_for(".page"), 303)
    answer.set_cookie(
        _cookie(), token, SESSION_LASTS, httponly=True, samesite="Strict", secure=bool(settings().secure)
    )
    return answer


@blueprint.post("/out")
def leave() -> Reply:
    """End the session of this browser."""
    form_token()
    hosts().end_session(request.cookies.get(_cookie(), ""))
    answer = redirect(url_for("lobby.landing"), 303)
    answer.delete_cookie(_cookie(), secure=bool(settings().secure), httponly=True, samesite="Strict")
    return answer


# -- what is going on --------------------------------------------------------------------


@blueprint.get("")
def page() -> str:
    """Show what is going on at the site, and lead to what a host can do."""
    return render_template("host.html", ban_of=accounts().ban_of, machine=machine, **facts())


@blueprint.get("/games")
def games() -> Any:
    """List games, those in which something happened last first; a code leads to its game."""
    if code := request.args.get("of", "").strip():
        return redirect(url_for(".game", of=tidy_code(code)), 303)
    status = request.args.get("status", "")
    chosen_status = status if status in host_acts.STATUSES else None
    tables = referee().store.latest(chosen_status, None, MOST)
    return render_template(
        "host_games.html", tables=tables, status=chosen_status, statuses=host_acts.STATUSES
    )


@blueprint.get("/game")
def game() -> str:
    """Show what stands at a table, as `strifebarge games show` does, with what can be done there."""
    table = referee().store.table(tidy_code(request.args.get("of", "")))
    acts = {what: host_acts.ACTS[what].name for what in host_acts.at_table(table)}
    fault = failed(table) if table.fault else None
    return render_template(
        "host_game.html",
        table=table,
        details=details_of(table),
        failed=fault,
        acts=acts,
        seated=seated_at(table),
        ban_of=accounts().ban_of,
    )


@blueprint.get("/people")
def people() -> str:
    """Find people by a part of their name or username, or by their public id."""
    text = request.args.get("of", "").strip()
    results = services().people.find(text, MOST) if text else services().people.banned()
    return render_template("host_people.html", found=results, text=text, ban_of=accounts().ban_of)


# -- acts: each has a page of its own, whose button does it -------------------------------


@blueprint.get("/do/<what>")
def ask(what: str) -> str:
    """Show what an act does, to whom, and the button for it."""
    return _ask_page(what)


def _ask_page(what: str, refused: Refused | None = None) -> str:
    act = host_acts.find(what)
    of = request.values.get("of", "")
    fields = {name: host_acts.FIELDS[name] for name in act.fields}
    values = {name: "".join(filter(is_printable, request.form.get(name, ""))) for name in fields}
    return render_template(
        "host_act.html",
        what=what,
        act=act,
        of=of,
        about=act.about(of),
        fields=fields,
        given=values,
        **notice_of(refused),
    )


def _do(what: str) -> Any:
    """Carry out an act once for each form, and lead to where it shows; a refusal shows the form again."""
    token = form_token()
    act = host_acts.find(what)
    of = request.form.get("of", "")
    try:
        host_acts.carry_out_once(act, of, f"{_session_of()} (host page)", token.key)
    except Refused as no:
        status = status_of(no)
        if status in (404, 503):
            raise
        return _ask_page(what, no), status
    return redirect(act.leads_to(of), 303)


for _what in host_acts.ACTS:
    blueprint.add_url_rule(f"/do/{_what}", endpoint=_what, view_func=partial(_do, _what), methods=["POST"])
