"""Before a table: the list of games, starting one, the code box, my games."""

import json
from functools import partial
from hashlib import sha256
from math import inf
from secrets import randbelow
from typing import Any

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused, Text
from strifebarge.rules.pace import DAY
from strifebarge.rules.schema import form_fields, options_type, seat_numbers, usual_seats
from strifebarge.table import vacation
from strifebarge.table.library import Title
from strifebarge.table.names import tidy_invitation
from strifebarge.table.ports import Player
from strifebarge.table.referee import Slip
from strifebarge.table.table import Afterwards, Devices, No, Status, Table
from strifebarge.table.vacation import Home
from strifebarge.table.watching import told_to

from . import times
from .errors import status_of
from .guard import own_path
from .inviting import inviting
from .languages import language
from .pages import frame, kept_a_minute
from .people import (
    NUMBER,
    as_person,
    must_be,
    options_and_terms,
    player_id,
    referee,
    sent_before,
    slip,
    who,
)
from .preferences import keep, preferences, remember
from .words import say, told

blueprint = Blueprint("lobby", __name__)
NOT_OPTIONS = {*("key", "asked", "seats", "name", "sit", "pace", "devices", "others", "listed")}


@blueprint.get("/")
def landing() -> str:
    """Every game, one click from being played."""
    return render_template("landing.html")


@blueprint.get("/new/<game>")
def options(game: str) -> str:
    """One more page for those who want to choose."""
    return _options_page(referee().library[game])


@blueprint.post("/new/<game>")
def start(game: str) -> Any:
    title = referee().library[game]
    try:
        if not sent_before():
            current_app.extensions["limits"].count("create")
        table = as_person(lambda player, slip: _start(player, title, slip))
    except Refused as no:
        if status_of(no) in (404, 429):
            raise
        return _options_page(title, no), status_of(no)
    return redirect(url_for("play.show", id=table.id), 303)


def _start(player: Player, title: Title, slip: Slip) -> Table:
    seats = _number("seats", Refused(No.WRONG_SEATS, numbers=title.seats))
    options, terms = options_and_terms(NOT_OPTIONS)
    name = request.form.get("name", "")
    return referee().start(
        player,
        title.slug,
        slip,
        seats,
        options,
        _sit(title),
        name,
        terms.pop("afterwards", Afterwards.QUIET),
        request.form.get("pace", ""),
        devices=request.form.get("devices", Devices.OWN),
        others=[each for each in request.form.get("others", "").split(",") if each.strip()],
        listed=request.form.get("listed") == "yes",
        language=language().code,
        terms=terms,
    )


def _sit(title: Title) -> int | None:
    """Where whoever starts wants to sit, in a game whose seats have names; `chance` leaves it to chance."""
    if request.form.get("sit") == "chance":
        return randbelow(len(title.rules.players))
    return _number("sit", Refused(No.SEAT_TAKEN))


def _number(field: str, otherwise: Refused) -> int | None:
    """A field's number; None if it is empty.  Raises `otherwise`."""
    value = request.form.get(field, "")
    if value and not NUMBER.fullmatch(value):
        raise otherwise
    return int(value) if value else None


def _options_page(title: Title, no: Refused | None = None) -> str:
    return render_template(
        "options.html",
        title=title,
        fields=form_fields(options_type(title.rules)),
        seats=seat_numbers(title.rules),
        usual=usual_seats(title.rules),
        roles=title.rules.players if isinstance(title.rules.players, tuple) else (),
        chosen=request.form,
        notice=told(no.text, title=title) if no else "",
    )


@blueprint.post("/code")
def code() -> Any:
    """The box for a code that somebody read out."""
    current_app.extensions["limits"].check("codes")
    id, invitation = tidy_invitation(request.form.get("code", ""))
    return redirect(url_for("play.show", id=referee().status(id).id, i=invitation or None), 303)


@blueprint.get("/games")
def mine() -> str:
    """My games: those that wait for me first."""
    player = player_id()
    tables = _tables_of(player)
    mark = _mark(tables)
    groups = [
        (Text("Your move"), sorted((each for each in tables if _my_move(each, player)), key=_urgency)),
        (
            Text("Waiting for others"),
            [each for each in tables if _running(each) and not _my_move(each, player)],
        ),
        (Text("Open tables"), [each for each in tables if each.status is Status.OPEN]),
        (Text("Finished"), [each for each in tables if each.status is Status.OVER]),
    ]
    vacations = referee().vacations(player) if player else []
    now = referee().now()
    for table in tables:
        if table.clock and (chair := table.chair_of(player)):
            away = {chair.seat: [each.span for each in vacations]} if table.clock.pace.slow else {}
            table.clock.catch_up(now, vacations=away)
    return render_template(
        "games.html",
        groups=[group for group in groups if group[1]],
        mark=mark,
        player=player,
        my_move=_my_move,
        remaining=_remaining,
        away=vacation.current(vacations, now),
        days_left=int(vacation.left(vacations, now) // DAY),
        vacations=vacation.mark(vacations),
        inviting=inviting(),
    )


@blueprint.get("/games/status")
def games_status() -> Response:
    """For my games, where no script runs: has anything happened?"""
    link, mark = partial(url_for, ".games_status"), _mark(_tables_of(player_id()))
    return frame(link, url_for(".mine"), mark, my_turn=False, over=False, left="", missed="", games=True)


@blueprint.get("/games/version")
def games_version() -> Response:
    """The same for the script."""
    return Response(_mark(_tables_of(player_id())), mimetype="text/plain")


def _mark(tables: list[Table]) -> str:
    """Another one when anything has happened at any of these tables."""
    known = sorted((table.id, table.version) for table in tables)
    return sha256(repr(known).encode()).hexdigest()[:16]


def _tables_of(player: str | None) -> list[Table]:
    """A player's tables, but for those of games that are not here now."""
    here = referee().library.titles
    known = referee().store.tables_of(player) if player else []
    return [told_to(player, table) for table in known if table.game in here]


def _urgency(table: Table) -> float:
    """The least time left first, and whatever has no clock after that."""
    return table.due if table.due is not None else inf


def _remaining(table: Table, player: str | None) -> Markup | None:
    """How long a player still has at a table where their clock runs."""
    chair, clock = table.chair_of(player), table.clock
    if chair is None or clock is None or table.due is None or clock.hands[chair.seat].since is None:
        return None
    return times.span(clock.hands[chair.seat].remaining(referee().now()))


def _running(table: Table) -> bool:
    return table.status not in (Status.OPEN, Status.OVER)


def _my_move(table: Table, player: str | None) -> bool:
    return _running(table) and any(chair.seat in table.waiting for chair in table.chairs_of(player))


@blueprint.get("/games/next")
def following() -> Reply:
    """The next game where it is my move; my games if there is none."""
    player = player_id()
    after = request.args.get("after")
    waiting = [table for table in _tables_of(player) if _my_move(table, player)]
    waiting = [table for table in waiting if table.id != after] or waiting
    return redirect(url_for("play.show", id=waiting[-1].id) if waiting else url_for(".mine"), 303)


@blueprint.post("/name")
def rename() -> Any:
    """What I am called at tables I sit down at from now on."""
    player = who()
    if player is None:
        raise Refused(No.NOT_SEATED)
    referee().rename(player, request.form.get("name", ""))
    return redirect(url_for(".mine"), 303)


@blueprint.post("/vacation")
def go_away() -> Any:
    """No deadline of mine passes for some days, at tables with a slow pace; `days=0` ends that."""
    slip()
    player, seen = must_be(), request.form.get("seen", "")
    if request.form.get("days") == "0":
        referee().come_back(player, seen)
    else:
        wrong = Refused(Home.WRONG_DAYS, most=vacation.DAYS)
        referee().go_away(player, _number("days", wrong) or vacation.DAYS, seen)
    return redirect(url_for(".mine"), 303)


@blueprint.post("/prefer/<what>")
def prefer(what: str) -> Reply:
    """Light or dark, in which language, as a board or as text, asked before each move or not."""
    if what not in preferences():
        abort(404)
    response = redirect(own_path(request.form.get("back", "/")), 303)
    remember(response, what, request.form.get(what, ""))
    keep(what, request.form.get(what, ""))
    return response


@blueprint.get("/about")
def about() -> Response:
    return kept_a_minute(render_template("about.html"))


@blueprint.get("/healthz")
def healthy() -> Response:
    """This process answers."""
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/readyz")
def ready() -> Response:
    """And so does the database."""
    referee().store.waiting_for("")
    return Response("ready\n", mimetype="text/plain")


@blueprint.get("/favicon.ico")
def favicon() -> Reply:
    return redirect(current_app.jinja_env.globals["asset"]("favicon.svg"), 302)  # type: ignore[operator]


@blueprint.get("/site.webmanifest")
def manifest() -> Response:
    """What a telephone needs to keep the site among its apps."""
    asset: Any = current_app.jinja_env.globals["asset"]
    drawing = {"src": asset("favicon.svg"), "sizes": "any", "type": "image/svg+xml"}
    pictures = [
        {"src": asset(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (180, 512)
    ]
    about = {
        "name": "StrifeBarge",
        "description": say("Turn-based games with friends, by link. No account."),
        "lang": language().code,
        "start_url": url_for(".mine"),
        "scope": url_for(".landing"),
        "display": "minimal-ui",
        "background_color": "#FBF7EC",
        "theme_color": "#FBF7EC",
        "icons": [drawing, *pictures],
    }
    return Response(json.dumps(about), mimetype="application/manifest+json")


@blueprint.get("/robots.txt")
def robots() -> Response:
    folders = ("feed", "g", "me", "new", "notices", "open", "p", "r")
    closed = "".join(f"Disallow: /{folder}/\n" for folder in folders)
    return Response(f"User-agent: *\n{closed}", mimetype="text/plain")
