"""The pages before a table: the list of games, starting one, the box for codes, my games."""

import json
from functools import partial
from hashlib import sha256
from math import inf
from secrets import randbelow
from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused, Text
from strifebarge.rules.pace import DAY
from strifebarge.rules.schema import form_fields, options_type, roles, seat_numbers, usual_seats
from strifebarge.tables.acts.forms import named
from strifebarge.tables.acts.opening import open_table
from strifebarge.tables.acts.vacations import come_back, go_on_vacation
from strifebarge.tables.clock import vacation
from strifebarge.tables.clock.vacation import VacationRefusal
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.names import tidy_invitation
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Chair, DevicePolicy, Status, Table, TableRefusal
from strifebarge.tables.play.turn import FormToken
from strifebarge.web.http.guard import came_from, own_path
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.request_store import asset
from strifebarge.web.http.services import accounts, limits, referee, views
from strifebarge.web.http.session import (
    NUMBER,
    as_person,
    form_token,
    player_id,
    required_player,
    required_player_id,
    sent_before,
    settings_of_form,
)
from strifebarge.web.http.statuses import status_of
from strifebarge.web.page.kept_pages import cached_or_rendered, landing_key
from strifebarge.web.page.pages import cached_for_a_minute, render
from strifebarge.web.page.preferences import keep, preferences, remember
from strifebarge.web.render.frames import frame
from strifebarge.web.table.inviting import inviting
from strifebarge.web.words.catalogue import game_words, say
from strifebarge.web.words.dates import duration
from strifebarge.web.words.languages import language
from strifebarge.web.words.texts import render_text

blueprint = Blueprint("lobby", __name__)
FIRST = "strifebarge"  # the game that the site is named after
UNFURLERS = (  # programs that make previews of links; iMessage calls itself by the first two
    *("facebookexternalhit", "Twitterbot", "WhatsApp", "Discordbot", "Slackbot", "Slack-ImgProxy"),
    *("TelegramBot", "LinkedInBot"),
)
MY_TURN, WAITING, OPEN = Text("Your turn"), Text("Waiting for others"), Text("Open tables")
ANALYSIS, FINISHED = Text("Analysis boards"), Text("Finished")
GROUPS = MY_TURN, WAITING, OPEN, ANALYSIS, FINISHED
NOT_OPTIONS = {*("key", "asked", "seats", "name", "sit", "pace", "devices", "others", "listed")}


@blueprint.get("/")
def landing() -> Response:
    """Show every game, one click from being played."""
    return cached_or_rendered(landing_key(), _landing).answer(public=False)


def _landing() -> str:
    """Render the page of all games; the one that the site is named after comes first."""
    titles = sorted(referee().library, key=lambda title: title.slug != FIRST)
    return render("landing.html", titles=titles)


@blueprint.get("/new/<game>")
def options(game: str) -> str:
    """Show the options of a game."""
    return _options_page(referee().library[game])


@blueprint.post("/new/<game>")
@leaves_receipt
def start(game: str) -> Any:
    """Open a table, or only show the options, of which some are too long for an address."""
    title = referee().library[game]
    if request.form.get("do") == "show":
        return _options_page(title)
    try:
        if not sent_before():
            limits().count("create")
        table = as_person(lambda player, form: _start(player, title, form))
    except Refused as no:
        if status_of(no) in (404, 429):
            raise
        return _options_page(title, no), status_of(no)
    return redirect(url_for("play.show", id=table.id), 303)


def _start(player: Player, title: Title, form: FormToken) -> Table:
    seats = _number("seats", Refused(TableRefusal.WRONG_SEATS, numbers=title.seats))
    settings = settings_of_form(
        NOT_OPTIONS,
        seats=seats,
        sit=_sit(title),
        pace=request.form.get("pace", ""),
        devices=request.form.get("devices", DevicePolicy.OWN),
        others=[each for each in request.form.get("others", "").split(",") if each.strip()],
        listed=request.form.get("listed") == "yes",
    )
    settings.language = settings.language or language().code
    return open_table(referee(), named(player, request.form.get("name", "")), title.slug, form, settings)


def _sit(title: Title) -> int | None:
    """Return the seat that the host wants, in a game whose seats have names; `chance` leaves it to chance."""
    if request.form.get("sit") == "chance":
        return randbelow(len(title.rules.players))
    return _number("sit", Refused(TableRefusal.SEAT_TAKEN))


def _number(field: str, otherwise: Refused) -> int | None:
    """Return a field's number; None if it is empty.  Raises `otherwise`."""
    value = request.form.get(field, "")
    if value and not NUMBER.fullmatch(value):
        raise otherwise
    return int(value) if value else None


def _options_page(title: Title, refused: Refused | None = None) -> str:
    return render_template(
        "options.html",
        title=title,
        fields=form_fields(options_type(title.rules)),
        seats=seat_numbers(title.rules),
        usual=usual_seats(title.rules),
        roles=_where_to_sit(title),
        chosen=request.form or request.args,
        notice=render_text(refused.text, title=title) if refused else "",
    )


def _where_to_sit(title: Title) -> dict[int | str, Markup]:
    """Return what somebody who starts a game may choose as their seat; nothing if its seats have no names."""
    named: dict[int | str, Markup] = {
        seat: game_words(role, title) for seat, role in enumerate(roles(title.rules))
    }
    return {**named, "chance": say("random")} if named else {}


@blueprint.post("/code")
def code() -> Any:
    """Redirect to the table of a code that was typed in."""
    limits().check("codes")
    id, invitation = tidy_invitation(request.form.get("code", ""))
    return redirect(url_for("play.show", id=views().status(id).id, i=invitation or None), 303)


@blueprint.get("/games")
def my_games() -> str:
    """Show the reader's games, those that wait for them first."""
    player = player_id()
    tables = _tables_of(player)
    etag = _etag(tables)
    groups = [(each, [table for table in tables if _group_of(table, player) is each]) for each in GROUPS]
    groups[0][1].sort(key=_urgency)
    vacations = views().vacations(player) if player else []
    now = referee().now()
    return render(
        "games.html",
        groups=[(label, [_row(each, player) for each in group]) for label, group in groups if group],
        etag=etag,
        player=player,
        away=vacation.current(vacations, now),
        days_left=int(vacation.left(vacations, now) // DAY),
        vacations=vacation.vacations_etag(vacations),
        inviting=inviting(),
    )


class MyTableRow(NamedTuple):
    """A table on the list of my games."""

    id: str
    title: Title
    letter: str  # of my seat
    others: list[Chair]
    my_move: bool
    time: Markup | None  # what I have left, if my time runs
    changed: float  # when something last happened, in seconds since 1970


def _row(table: Table, player: str | None) -> MyTableRow:
    own_chair = table.chair_of(player)
    return MyTableRow(
        id=table.id,
        title=referee().library[table.game],
        letter=own_chair.letter if own_chair else "",
        others=[chair for chair in table.chairs if chair.player and chair.player != player],
        my_move=table.asks(player),
        time=_remaining(table, player),
        changed=table.times.changed,
    )


@blueprint.get("/games/status")
def games_status() -> Response:
    """Tell the frame of the page of my games whether anything has happened."""
    link, etag = partial(url_for, ".games_status"), _etag(_tables_of(player_id()))
    return frame(link, url_for(".my_games"), etag, show=say("show the games"), over=False, waits=False)


@blueprint.get("/games/version")
def games_version() -> Response:
    """Tell the script of the page of my games whether anything has happened."""
    return Response(_etag(_tables_of(player_id())), mimetype="text/plain")


def _etag(tables: list[Table]) -> str:
    """Return what changes when anything has happened at any of these tables."""
    versions = sorted((table.id, table.version) for table in tables)
    return sha256(repr(versions).encode()).hexdigest()[:16]


def _tables_of(player: str | None) -> list[Table]:
    return views().tables_of(player) if player else []


def _urgency(table: Table) -> float:
    """Return the deadline to sort by; tables without a clock come last."""
    return table.due if table.due is not None else inf


def _remaining(table: Table, player: str | None) -> Markup | None:
    """Return how long a player still has at a table where their clock runs."""
    chair, clock = table.chair_of(player), table.clock
    if chair is None or clock is None or table.due is None or clock.seat_clocks[chair.seat].since is None:
        return None
    return duration(clock.seat_clocks[chair.seat].remaining(referee().now()))


def _group_of(table: Table, player: str | None) -> Text:
    """Return under which heading a table is listed."""
    if table.status is Status.OVER:
        return FINISHED
    if table.analysis:
        return ANALYSIS
    if table.asks(player):
        return MY_TURN
    return OPEN if table.status is Status.OPEN and table.free() else WAITING


@blueprint.get("/games/next")
def following() -> Reply:
    """Redirect to the next game that waits for the reader; to their games if there is none."""
    player = player_id()
    after = request.args.get("after")
    waiting = [table for table in _tables_of(player) if table.asks(player)]
    waiting = [table for table in waiting if table.id != after] or waiting
    return redirect(url_for("play.show", id=waiting[-1].id) if waiting else url_for(".my_games"), 303)


@blueprint.post("/name")
def rename() -> Any:
    """Change the name that the reader has at tables from now on."""
    accounts().rename(required_player(), request.form.get("name", ""))
    return redirect(url_for(".my_games"), 303)


@blueprint.post("/vacation")
def go_away() -> Any:
    """Begin a vacation, in which no deadline passes at tables with a slow pace; `days=0` ends it."""
    form_token()
    player, etag = required_player_id(), request.form.get("seen", "")
    if request.form.get("days") == "0":
        come_back(referee(), player, etag)
    else:
        wrong = Refused(VacationRefusal.WRONG_DAYS, most=vacation.DAYS)
        go_on_vacation(referee(), player, _number("days", wrong) or vacation.DAYS, etag)
    return redirect(url_for(".my_games"), 303)


@blueprint.post("/prefer")
@blueprint.post("/prefer/<what>")
def prefer(what: str = "") -> Reply:
    """Keep preferences: colours, sound, language, board or text, asked before each move or not.

    Without `what` it keeps all that the form names.  It leads to the address in `back`, else to the page
    that the form was sent from.
    """
    if what and what not in preferences():
        abort(404)
    response = redirect(own_path(request.form.get("back") or came_from()), 303)
    for each in [what] if what else [each for each in preferences() if each in request.form]:
        remember(response, each, request.form.get(each, ""))
        keep(each, request.form.get(each, ""))
    return response


@blueprint.get("/about")
def about() -> Response:
    return cached_for_a_minute(render_template("about.html"))


@blueprint.get("/favicon.ico")
def favicon() -> Reply:
    return redirect(asset("favicon.svg"), 302)


@blueprint.get("/site.webmanifest")
def manifest() -> Response:
    """Send what a telephone needs to keep the site among its apps."""
    drawing = {"src": asset("favicon.svg"), "sizes": "any", "type": "image/svg+xml"}
    pictures = [
        {"src": asset(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (180, 512)
    ]
    about = {
        "name": "StrifeBarge",
        "description": say("Turn-based games with friends, by link. No account."),
        "lang": language().code,
        "start_url": url_for(".my_games"),
        "scope": url_for(".landing"),
        "display": "minimal-ui",
        "background_color": "#FBF7EC",
        "theme_color": "#FBF7EC",
        "icons": [drawing, *pictures],
    }
    return Response(json.dumps(about), mimetype="application/manifest+json")


@blueprint.get("/robots.txt")
def robots() -> Response:
    folders = (
        "feed",
        "g",
        "leaderboards",
        "me",
        "new",
        "notices",
        "open",
        "p",
        "position",
        "r",
        "t",
        "tournaments",
    )
    closed = "".join(f"Disallow: /{folder}/\n" for folder in folders)
    # What fetches a link that somebody has sent, to show what it leads to, is no search engine.
    closed += "".join(f"\nUser-agent: {each}\nDisallow:\n" for each in UNFURLERS)
    return Response(f"User-agent: *\n{closed}", mimetype="text/plain")
