"""Tournaments: the list of them, starting one, and the page of each, with its forms."""

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for

from strifebarge.rules import Refused
from strifebarge.rules.pace import Pace
from strifebarge.rules.schema import form_fields, options_type, seat_numbers
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.reasons import No
from strifebarge.tables.play.turn import FormToken
from strifebarge.tables.view.settings import options_in_words
from strifebarge.tournaments.cross_table import cross_table, is_square
from strifebarge.tournaments.models import MOST_ENTRANTS, MOST_ROUNDS, Format, Stage, Tournament
from strifebarge.tournaments.news import topic_of
from strifebarge.tournaments.reasons import NotInTournament
from strifebarge.tournaments.service import (
    LONGEST_NAME,
    NewTournament,
    enough,
    fewest,
    formats_of,
    why_not_join,
)
from strifebarge.tournaments.standings import UNTIED, standings
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.services import limits, referee, services
from strifebarge.web.http.session import NUMBER, as_person, form_token, must_be, player_id, settings_of_form
from strifebarge.web.http.statuses import status_of
from strifebarge.web.http.tournament_access import found
from strifebarge.web.page.pages import site_url
from strifebarge.web.render.frames import frame
from strifebarge.web.words import tournaments as words
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.languages import language
from strifebarge.web.words.texts import told

blueprint = Blueprint("tournaments", __name__)
USUAL_PACE = Pace.days(1)  # of a form for a new tournament
NOT_OPTIONS = {*("key", "asked", "name", "format", "seats", "rounds", "pace", "listed", "t_afterwards")}


@blueprint.get("/tournaments")
def contents() -> str:
    """List the reader's tournaments and those that anybody may join, and lead to starting one."""
    library, player = referee().library, player_id()
    mine = services().tournaments.of_player(player) if player else []
    listed = [each for each in services().tournaments.listed() if each.id not in {one.id for one in mine}]
    return render_template(
        "tournaments.html",
        mine=[each for each in mine if each.game in library.titles],
        listed=listed,
        titles=[title for title in library if formats_of(title)],
        words=words,
    )


@blueprint.get("/tournaments/new/<game>")
def options(game: str) -> str:
    """Show the form that opens a tournament of a game."""
    return _options_page(_title(game))


@blueprint.post("/tournaments/new/<game>")
@leaves_receipt
def open_one(game: str) -> Any:
    title = _title(game)
    try:
        if not services().tournaments.accepted(form_token().key):
            limits().count("create")
        id = as_person(lambda player, form: _open(player, title, form))
    except Refused as no:
        if status_of(no) in (404, 429):
            raise
        return _options_page(title, no), status_of(no)
    return redirect(url_for(".page", code=id), 303)


def _title(game: str) -> Title:
    """Return a game that tournaments can be played in.  Raises Refused: NO_GAME, FOR_ONE."""
    title = referee().library[game]
    if not formats_of(title):
        raise Refused(No.FOR_ONE)
    return title


def _open(player: Player, title: Title, form: FormToken) -> str:
    try:
        format = Format(request.form.get("format", ""))
    except ValueError as wrong:
        raise Refused(NotInTournament.WRONG_FORMAT) from wrong
    wanted = settings_of_form(NOT_OPTIONS, pace=request.form.get("pace", ""), seats=_number("seats") or None)
    wanted.language = language().code
    new = NewTournament(
        name=request.form.get("name", ""),
        format=format,
        wanted=wanted,
        rounds=_number("rounds"),
        listed=request.form.get("listed") == "yes",
    )
    return services().tournaments.open(player, title.slug, form, new)


def _number(field: str) -> int:
    """Return a field's number, 0 if it is empty; -1, which nothing allows, for anything else."""
    value = request.form.get(field, "").strip()
    return int(value) if NUMBER.fullmatch(value) else -1 if value else 0


def _options_page(title: Title, no: Refused | None = None) -> str:
    return render_template(
        "tournament_new.html",
        title=title,
        formats=formats_of(title),
        seats=[number for number in seat_numbers(title.rules) if number > 2],
        fields=form_fields(options_type(title.rules)),
        chosen={"pace": USUAL_PACE.key, **request.form},
        longest=LONGEST_NAME,
        most_rounds=MOST_ROUNDS,
        notice=told(no.text, title=title) if no else "",
        words=words,
    )


# -- the page of one ---------------------------------------------------------------------


@blueprint.get("/t/<code>")
def page(code: str) -> str:
    """Show a tournament: who plays, the games of each round, how it stands."""
    return _page(found(code))


@blueprint.get("/t/<code>/version")
def version(code: str) -> Response:
    """Tell the page's script whether anything has happened."""
    return Response(str(found(code).version), mimetype="text/plain")


@blueprint.get("/t/<code>/status")
def status(code: str) -> Response:
    """Show the frame of a tournament's page without JavaScript; only the frame renews itself."""
    made = found(code)
    pace = referee().library[made.game].paces.get(made.settings.pace)
    return frame(
        partial(url_for, ".status", code=made.id),
        url_for(".page", code=made.id),
        str(made.version),
        slow=pace is not None and pace.slow,
        show=say("show the tournament"),
        over=made.stage is Stage.OVER,
        waits=False,
    )


def _page(made: Tournament, no: Refused | None = None) -> str:
    title = referee().library[made.game]
    player = player_id()
    mine = made.entrant_of(player)
    lines = standings(made)
    return render_template(
        "tournament.html",
        made=made,
        topic=topic_of(made.id),
        title=title,
        words=words,
        mine=mine,
        is_organiser=player is not None and made.organiser == player,
        my_game=made.running_game_of(mine.number) if mine else None,
        why_not_join=why_not_join(made),
        rounds=[(number, made.of_round(number)) for number in range(made.round, 0, -1)],
        lines=lines,
        untied=UNTIED[made.format],
        cross=cross_table(made, lines),
        square=is_square(made),
        enough=enough(made),
        fewest=fewest(made),
        most=MOST_ENTRANTS,
        most_rounds=MOST_ROUNDS,
        fields=options_in_words(made.settings.options, title),
        pace=title.paces.get(made.settings.pace),
        link=site_url(url_for(".page", code=made.id)),
        name=request.form.get("name"),
        notice=told(no.text, title=title) if no else "",
    )


def _done(code: str, act: Callable[[], object]) -> Any:
    """Carry out a form and lead back to the tournament; a refusal is said on its page."""
    found(code)
    try:
        act()
    except Refused as no:
        status = status_of(no)
        if status in (404, 429, 503):
            raise
        return _page(services().tournaments.tournament(code), no), status
    return redirect(url_for(".page", code=code), 303)


@blueprint.post("/t/<code>/join")
@leaves_receipt
def join(code: str) -> Any:
    form_token()
    name = request.form.get("name", "")
    enter = services().tournaments.join
    return _done(code, lambda: as_person(lambda player, form: enter(player, code, name, form)))


@blueprint.get("/t/<code>/withdraw")
def withdrawing(code: str) -> Any:
    """Ask once more before somebody withdraws from a tournament that runs: they cannot come back."""
    made = found(code)
    mine = made.entrant_of(player_id())
    if made.stage is not Stage.RUNNING or mine is None or mine.left:
        return redirect(url_for(".page", code=code), 303)
    return render_template("tournament_withdraw.html", made=made)


@blueprint.post("/t/<code>/withdraw")
@leaves_receipt
def withdraw(code: str) -> Any:
    form = form_token()
    return _done(code, lambda: services().tournaments.withdraw(must_be(), code, form))


@blueprint.post("/t/<code>/remove")
@leaves_receipt
def remove(code: str) -> Any:
    form, number = form_token(), _number("number")
    return _done(code, lambda: services().tournaments.remove(must_be(), code, number, form))


@blueprint.post("/t/<code>/settings")
@leaves_receipt
def configure(code: str) -> Any:
    form, rounds, listed = form_token(), _number("rounds"), request.form.get("listed") == "yes"
    return _done(code, lambda: services().tournaments.configure(must_be(), code, rounds, listed, form))


@blueprint.post("/t/<code>/bots")
@leaves_receipt
def bring_bots(code: str) -> Any:
    form, level, count = form_token(), request.form.get("level", ""), _number("count")
    if not services().tournaments.accepted(form_token().key):
        limits().count("bots")
    return _done(code, lambda: services().tournaments.add_bots(must_be(), code, level, count, form))


@blueprint.post("/t/<code>/start")
@leaves_receipt
def start(code: str) -> Any:
    form = form_token()
    return _done(code, lambda: services().tournaments.start(must_be(), code, form))
