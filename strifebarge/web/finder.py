"""The list of open tables: what is looked for stands in its address."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, render_template, request, url_for

from strifebarge.table.library import Title
from strifebarge.table.listing import LASTS, PACES, Wanted, pace_of
from strifebarge.table.table import Chair, Table
from strifebarge.table.view import chosen_options

from .languages import languages
from .services import lists, referee
from .session import NUMBER

blueprint = Blueprint("finder", __name__)
MOST_PAGES = 500


class Found(NamedTuple):
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


@blueprint.get("/tables")
def page() -> str:
    """Open tables by game, pace, language and free seats."""
    library = referee().library
    game = request.args.get("game", "")
    wanted = Wanted(
        games=[library[game].slug] if game else list(library.titles),
        pace=request.args.get("pace", "").replace("\0", ""),
        language=request.args.get("language", "").replace("\0", ""),
        free=_number("free", 8),
        page=_number("page", MOST_PAGES),
        since=referee().now() - LASTS,
    )
    tables, more = lists().open_tables(wanted)
    return render_template(
        "tables.html",
        found=[_found(table) for table in tables],
        wanted=wanted,
        game=game,
        paces=PACES,
        before=_page(wanted.page - 1) if wanted.page > 1 else "",
        after=_page(wanted.page + 1) if more else "",
    )


def _found(table: Table) -> Found:
    title = referee().library[table.game]
    names = {each.code: each.name for each in languages()}
    seated = [chair for chair in table.chairs if chair.player]
    return Found(
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
    same = {name: value for name, value in request.args.items() if value and name != "page"}
    return f"{url_for('.page')}?{urlencode({**same, 'page': number})}"
