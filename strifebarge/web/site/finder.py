"""The list of open tables, and of people who play bots until somebody comes; and playing with any of them.

What is looked for stands in the list's address.
"""

from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.tables.acts.anyone import play_anyone
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.listing import LASTS, PACES, STANDS_IN_FOR, TableSearch, pace_of, who_waits
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Chair, Status, Table
from strifebarge.tables.play.turn import FormToken
from strifebarge.tables.view import chosen_options
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.services import limits, lists, referee
from strifebarge.web.http.session import NUMBER, as_person, player_id, sent_before
from strifebarge.web.page.pages import render
from strifebarge.web.words.languages import language, languages

blueprint = Blueprint("finder", __name__)
MOST_PAGES = 500
SOUGHT = ("game", "pace", "language", "free")


class ListedTable(NamedTuple):
    """A table on the list, as everybody sees it."""

    id: str
    title: Title
    host: Chair | None
    free: int
    bots: int
    seats: int
    since: float
    pace: str
    language: str
    settings: list[Any]
    afterwards: str


class WaitingPlayer(NamedTuple):
    """Somebody who plays bots until somebody comes; their table is in a form, and no link leads there."""

    id: str
    title: Title
    host: Chair
    since: float


@blueprint.get("/tables")
def page() -> str:
    """Open tables by game, pace, language and free seats, and before them who waits for anyone."""
    game, search = _wanted()
    tables, more = lists().open_tables(search)
    waiting = _waiting(game) if search.page == 1 else []
    same = _same()
    return render(
        "tables.html",
        found=[_listed_table(table) for table in tables],
        waiting=waiting,
        chosen=referee().library[game] if game else None,
        wanted=search,
        game=game,
        paces=PACES,
        before=_page(search.page - 1) if search.page > 1 else "",
        after=_page(search.page + 1) if more else "",
        etag=_etag(tables, waiting),
        here=f"{url_for('.page')}?{urlencode(same)}" if same else url_for(".page"),
        version=f"{url_for('.version')}?{urlencode(same)}" if same else url_for(".version"),
    )


@blueprint.get("/tables/version")
def version() -> Response:
    """Tell the page's script whether its list has changed."""
    game, search = _wanted()
    waiting = _waiting(game) if search.page == 1 else []
    return Response(_etag(lists().open_tables(search)[0], waiting), mimetype="text/plain")


@blueprint.post("/anyone/<game>")
@leaves_receipt
def play(game: str) -> Reply:
    """Begin a game with anyone who waits for one, or wait for somebody; bots stand in until they come."""
    title = referee().library[game]
    if not sent_before():
        limits().count("create")
    id = as_person(lambda player, form: _play(player, title, form))
    return redirect(url_for("play.show", id=id, waiting=1 if _stands_in(id) else None), 303)


def _play(player: Player, title: Title, form: FormToken) -> str:
    at = request.form.get("table", "")
    bots = partial(limits().note, "bots")
    return play_anyone(referee(), lists(), player, title.slug, form, language().code, at, bots)


def _stands_in(id: str) -> bool:
    return who_waits(referee().store.table(id)) is not None


def _wanted() -> tuple[str, TableSearch]:
    """Return the game that is looked for, or "", and all else that the address looks for."""
    library = referee().library
    game = request.args.get("game", "")
    search = TableSearch(
        games=[library[game].slug] if game else list(library.titles),
        pace=request.args.get("pace", "").replace("\0", ""),
        language=request.args.get("language", "").replace("\0", ""),
        free=_number("free", 8),
        page=_number("page", MOST_PAGES),
        since=referee().now() - LASTS,
    )
    return game, search


def _waiting(game: str) -> list[WaitingPlayer]:
    """Return who plays bots until somebody comes, but for the reader."""
    library = referee().library
    games = [library[game].slug] if game else list(library.titles)
    since = referee().now() - STANDS_IN_FOR
    tables, _ = lists().open_tables(TableSearch(games, since=since, status=Status.PLAYING))
    hosts = [(table, who_waits(table)) for table in tables]
    return [
        WaitingPlayer(table.id, library[table.game], host, table.times.started or table.times.created)
        for table, host in hosts
        if host and not host.has(player_id())
    ]


def _etag(tables: list[Table], waiting: list[WaitingPlayer]) -> str:
    """Return what changes when the list says something else."""
    state = (
        [(table.id, table.version) for table in tables],
        [(each.id, each.host.called) for each in waiting],
    )
    return sha256(repr(state).encode()).hexdigest()[:16]


def _listed_table(table: Table) -> ListedTable:
    title = referee().library[table.game]
    names = {each.code: each.name for each in languages()}
    seated = [chair for chair in table.chairs if chair.player]
    return ListedTable(
        id=table.id,
        title=title,
        host=next((chair for chair in seated if chair.player == table.host), seated[0] if seated else None),
        free=len(table.free()),
        bots=sum(chair.bot is not None for chair in table.chairs),
        seats=len(table.chairs),
        since=table.times.created,
        pace=pace_of(table),
        language=names.get(table.settings.language, ""),
        settings=chosen_options(table, title),
        afterwards=table.settings.afterwards,
    )


def _number(field: str, most: int) -> int:
    """Return a number of the query string, from 1 to `most`; anything else counts as 1."""
    value = request.args.get(field, "")
    return min(max(int(value), 1), most) if NUMBER.fullmatch(value) else 1


def _page(number: int) -> str:
    """Return the address of another page of the same list."""
    return f"{url_for('.page')}?{urlencode({**_same(), 'page': number})}"


def _same() -> dict[str, str]:
    """Return what the address looks for, on whichever page of the list."""
    return {name: value for name, value in request.args.items() if value and name in SOUGHT}
