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
from strifebarge.tables.model.reasons import TableRefusal
from strifebarge.tables.play.turn import FormToken
from strifebarge.tables.view.settings import options_in_words
from strifebarge.tournaments.cross_table import cross_table, is_square
from strifebarge.tournaments.models import MOST_ENTRANTS, MOST_ROUNDS, Format, Tournament, TournamentStage
from strifebarge.tournaments.news import topic_of
from strifebarge.tournaments.reasons import TournamentRefusal
from strifebarge.tournaments.service import (
    LONGEST_NAME,
    NewTournament,
    enough,
    fewest,
    formats_of,
    why_not_join,
)
from strifebarge.tournaments.standings import UNTIED, standings
from strifebarge.web.http.guard import address
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.services import limits, referee, services
from strifebarge.web.http.session import (
    NUMBER,
    as_person,
    form_token,
    player_id,
    required_player_id,
    settings_of_form,
)
from strifebarge.web.http.statuses import status_of
from strifebarge.web.http.tournament_access import look_up_tournament
from strifebarge.web.page.pages import site_url
from strifebarge.web.render.frames import frame
from strifebarge.web.words import tournaments as words
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.languages import language
from strifebarge.web.words.texts import render_text

blueprint = Blueprint("tournaments", __name__)
USUAL_PACE = Pace.days(1)  # of a form for a new tournament
NOT_OPTIONS = {*("key", "asked", "name", "format", "seats", "rounds", "pace", "listed", "t_afterwards")}


@blueprint.get("/tournaments")
def contents() -> str:
    """List the reader's tournaments and those that anybody may join, and lead to starting one."""
    library, player = referee().library, player_id()
    own_tournaments = services().tournaments.of_player(player) if player else []
    listed = [
        each for each in services().tournaments.listed() if each.id not in {one.id for one in own_tournaments}
    ]
    return render_template(
        "tournaments.html",
        mine=[each for each in own_tournaments if each.game in library.titles],
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
        raise Refused(TableRefusal.FOR_ONE)
    return title


def _open(player: Player, title: Title, form: FormToken) -> str:
    try:
        format = Format(request.form.get("format", ""))
    except ValueError as wrong:
        raise Refused(TournamentRefusal.WRONG_FORMAT) from wrong
    settings = settings_of_form(
        NOT_OPTIONS, pace=request.form.get("pace", ""), seats=_number("seats") or None
    )
    settings.language = language().code
    new = NewTournament(
        name=request.form.get("name", ""),
        format=format,
        settings=settings,
        rounds=_number("rounds"),
        listed=request.form.get("listed") == "yes",
    )
    return services().tournaments.open(player, title.slug, form, new)


def _number(field: str) -> int:
    """Return a field's number, 0 if it is empty; -1, which nothing allows, for anything else."""
    value = request.form.get(field, "").strip()
    return int(value) if NUMBER.fullmatch(value) else -1 if value else 0


def _options_page(title: Title, refused: Refused | None = None) -> str:
    return render_template(
        "tournament_new.html",
        title=title,
        formats=formats_of(title),
        seats=[number for number in seat_numbers(title.rules) if number > 2],
        fields=form_fields(options_type(title.rules)),
        chosen={"pace": USUAL_PACE.key, **request.form},
        longest=LONGEST_NAME,
        most_rounds=MOST_ROUNDS,
        notice=render_text(refused.text, title=title) if refused else "",
        words=words,
    )


# -- the page of one ---------------------------------------------------------------------


@blueprint.get("/t/<code>")
def page(code: str) -> str:
    """Show a tournament: who plays, the games of each round, how it stands."""
    return _page(look_up_tournament(code))


@blueprint.get("/t/<code>/version")
def version(code: str) -> Response:
    """Tell the page's script whether anything has happened."""
    return Response(str(look_up_tournament(code).version), mimetype="text/plain")


@blueprint.get("/t/<code>/status")
def status(code: str) -> Response:
    """Show the frame of a tournament's page without JavaScript; only the frame renews itself."""
    current = look_up_tournament(code)
    pace = referee().library[current.game].paces.get(current.settings.pace)
    return frame(
        partial(url_for, ".status", code=current.id),
        url_for(".page", code=current.id),
        str(current.version),
        slow=pace is not None and pace.slow,
        show=say("show the tournament"),
        over=current.stage is TournamentStage.OVER,
        waits=False,
    )


def _page(tournament: Tournament, refused: Refused | None = None) -> str:
    title = referee().library[tournament.game]
    player = player_id()
    own_entrant = tournament.entrant_of(player)
    lines = standings(tournament)
    return render_template(
        "tournament.html",
        made=tournament,
        topic=topic_of(tournament.id),
        title=title,
        words=words,
        mine=own_entrant,
        is_organiser=player is not None and tournament.organiser == player,
        my_game=tournament.running_game_of(own_entrant.number) if own_entrant else None,
        why_not_join=why_not_join(tournament),
        rounds=[(number, tournament.of_round(number)) for number in range(tournament.round, 0, -1)],
        lines=lines,
        untied=UNTIED[tournament.format],
        cross=cross_table(tournament, lines),
        square=is_square(tournament),
        enough=enough(tournament),
        fewest=fewest(tournament),
        most=MOST_ENTRANTS,
        most_rounds=MOST_ROUNDS,
        fields=options_in_words(tournament.settings.options, title),
        pace=title.paces.get(tournament.settings.pace),
        link=site_url(url_for(".page", code=tournament.id)),
        name=request.form.get("name"),
        notice=render_text(refused.text, title=title) if refused else "",
    )


def _done(code: str, act: Callable[[], object]) -> Any:
    """Carry out a form and lead back to the tournament; a refusal is said on its page."""
    look_up_tournament(code)
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
    name, enter = request.form.get("name", ""), services().tournaments.join
    if not services().tournaments.accepted(form_token().key):
        limits().count("join")
        limits().count("enter", f"{address()} {look_up_tournament(code).id}")
    return _done(code, lambda: as_person(lambda player, form: enter(player, code, name, form)))


@blueprint.get("/t/<code>/withdraw")
def withdrawing(code: str) -> Any:
    """Ask once more before somebody withdraws from a tournament that runs: they cannot come back."""
    tournament = look_up_tournament(code)
    own_entrant = tournament.entrant_of(player_id())
    if tournament.stage is not TournamentStage.RUNNING or own_entrant is None or own_entrant.withdrawn:
        return redirect(url_for(".page", code=code), 303)
    return render_template("tournament_withdraw.html", made=tournament)


@blueprint.post("/t/<code>/withdraw")
@leaves_receipt
def withdraw(code: str) -> Any:
    form = form_token()
    return _done(code, lambda: services().tournaments.withdraw(required_player_id(), code, form))


@blueprint.post("/t/<code>/remove")
@leaves_receipt
def remove(code: str) -> Any:
    form, number = form_token(), _number("number")
    return _done(code, lambda: services().tournaments.remove(required_player_id(), code, number, form))


@blueprint.post("/t/<code>/settings")
@leaves_receipt
def configure(code: str) -> Any:
    form, rounds, listed = form_token(), _number("rounds"), request.form.get("listed") == "yes"
    return _done(
        code, lambda: services().tournaments.configure(required_player_id(), code, rounds, listed, form)
    )


@blueprint.post("/t/<code>/bots")
@leaves_receipt
def bring_bots(code: str) -> Any:
    form, level, count = form_token(), request.form.get("level", ""), _number("count")
    if not services().tournaments.accepted(form_token().key):
        limits().count("bots")
    return _done(
        code, lambda: services().tournaments.add_bots(required_player_id(), code, level, count, form)
    )


@blueprint.post("/t/<code>/start")
@leaves_receipt
def start(code: str) -> Any:
    form = form_token()
    return _done(code, lambda: services().tournaments.start(required_player_id(), code, form))
