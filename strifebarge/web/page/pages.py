"""The templates of pages, and what all of them may use."""

import gzip
import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from secrets import randbelow
from typing import Any
from urllib.parse import quote_plus, urljoin
from zlib import crc32

from flask import Flask, Response, render_template, request
from jinja2 import (
    BytecodeCache,
    ChoiceLoader,
    FileSystemBytecodeCache,
    FileSystemLoader,
    PackageLoader,
    PrefixLoader,
    StrictUndefined,
    pass_context,
)
from jinja2.bccache import Bucket
from jinja2.runtime import Context
from markdown_it import MarkdownIt
from markupsafe import Markup

from strifebarge.people.models import banned
from strifebarge.rules.schema import actions
from strifebarge.tables.library.budget import run_template
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.log import Line
from strifebarge.tables.model.names import grouped_code
from strifebarge.tables.model.status import WATCHING
from strifebarge.tables.model.table import FLAGS, LETTERS, TableRefusal
from strifebarge.tables.view import View
from strifebarge.web.http.guard import RequestRefusal
from strifebarge.web.http.request_store import asset, link, this_app, this_request
from strifebarge.web.http.response import vary_by
from strifebarge.web.http.services import health, read_only, referee, services
from strifebarge.web.http.session import ban, current_player, my_turns
from strifebarge.web.http.site_address import site_address
from strifebarge.web.page import parts, pictures
from strifebarge.web.page.kept import grid
from strifebarge.web.page.offers import Board, actions_by_name, button, picked_offer
from strifebarge.web.page.plain import fields_of
from strifebarge.web.page.preferences import all_preferred
from strifebarge.web.render import templating
from strifebarge.web.render.holes import NOW_HOLE, are_left, form_key
from strifebarge.web.render.hyphens import hyphenated
from strifebarge.web.render.turning import TURNED, is_turned
from strifebarge.web.words import (
    absence,
    catalogue,
    clock,
    dates,
    names,
    numbers,
    seats,
    settings,
    terms,
    texts,
)
from strifebarge.web.words.languages import language

SMALL = 1000  # bytes of a page that need no pressing
MOST_KNOWN = 100  # characters of a value with which an address is remembered: visitors may send longer ones
ANY_NUMBER = 10**17 + randbelow(10**17)  # in an address, where a number comes; nobody can guess it
PICKED = "--picked--"  # in an address, where the name of what is picked comes
IN_QUERIES = "!$'()*,/:;?@"  # characters that werkzeug leaves as they are in the query of an address
BEGINNING = re.compile(r"(?:.*?[.!?](?=\s|$)){1,2}", re.DOTALL)  # two sentences of a text
HOLE = re.compile(r"{(\w+)[^}]*}")


def prepare(app: Flask) -> None:
    library = app.extensions["referee"].library
    app.jinja_options = {
        "extensions": ["jinja2.ext.i18n"],
        "undefined": StrictUndefined,
        "cache_size": -1,  # no bound: there are no more templates than files
    }
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    boards = {title.slug: FileSystemLoader(title.folder) for title in library}
    app.jinja_loader = ChoiceLoader(
        [PackageLoader("strifebarge"), PrefixLoader({"games": PrefixLoader(boards)})]
    )
    app.jinja_env.bytecode_cache = _compiled()
    app.jinja_env.newstyle_gettext = True  # type: ignore[attr-defined]
    app.jinja_env.globals.update({"_": _gettext, "gettext": _gettext, "ngettext": _ngettext})
    app.jinja_env.globals.update(
        key=_key,
        ago=dates.ago,
        all_called=names.all_called,
        called=names.player_names,
        known_as=names.known_as,
        own_name=names.own_name,
        flag=names.flag,
        flags=FLAGS,
        letters=LETTERS,
        instant=dates.instant,
        page_time=_page_time,
        day=dates.day,
        languages=app.extensions["languages"],
        number=numbers.number,
        library=library,
        button=button,
        patiences=settings.PATIENCES,
        picture=pictures.picture,
        players=numbers.players,
        policy=settings.policy,
        remedies=settings.REMEDIES,
        step_label=absence.step_label,
        bot_levels=names.LEVELS,
        where=where,
        opening=opening,
        pace_in_words=clock.pace,
        paces_to_choose=clock.paces_to_choose,
        time_left=clock.time_left,
        on_the_clock=clock.on_the_clock,
        digits=clock.digits,
        on_a_plate=seats.on_a_plate,
        how_it_stands=seats.how_it_stands,
        linked=terms.linked,
        terms_of=terms.terms_of,
        words_of=terms.words_of,
        setting_facts=settings.facts,
        results_are=settings.results_are,
        game_begins=settings.game_begins,
        seats_are=settings.seats_are,
        devices=settings.DEVICES,
        who_watches=settings.who_watches,
        at_the_deadline=clock.at_the_deadline,
        breaks_of=clock.breaks,
        veil=TableRefusal.NOT_WATCHED,
        watchings=WATCHING,
    )
    app.jinja_env.filters.update(
        spoken=grouped_code,
        striptags=templating.without_tags,
        prose=prose,
        told=_render_text,
        sentence=_sentence,
        said=_game_words,
        player=_player,
        holes=holes,
        hyphenated=hyphenated,
    )
    app.jinja_env.globals["drawing"] = _drawing
    app.jinja_env.globals["fields_of"] = fields_of
    app.extensions["links"] = _addresses(app)
    app.jinja_env.globals["url_for"] = lambda endpoint, /, **values: link()(endpoint, **values)
    app.jinja_env.globals.update(
        part=parts.part, parts=parts.parts, listed_players=parts.listed_players, plates=parts.plates
    )
    app.extensions["parts"] = parts.prepare()
    app.context_processor(_base_context)
    app.after_request(_pressed)


class Compiled(FileSystemBytecodeCache):
    """A cache of compiled templates: with it a process has its first page in a tenth of the time."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # a full disk costs time, and no page
            super().dump_bytecode(bucket)


def _compiled() -> BytecodeCache | None:
    """Return a cache in a temporary folder of this user alone; None where there is none that is safe."""
    # What is compiled depends on what is asked for here and there, and on what templates include.
    included = sorted(Path(__file__).parents[2].glob("templates/parts/*.html"))
    files = (Path(__file__), Path(templating.__file__), *included)
    how = crc32(b"".join(file.read_bytes() for file in files))
    try:
        return Compiled(pattern=f"jinja-{version('jinja2')}-{how}-%s")
    except (OSError, RuntimeError):
        return None


def _addresses(app: Flask) -> Callable[[str], Callable[..., str]]:
    """Return what makes url_for as templates call it, below a path where the site is served.

    It has a cache: pages have dozens of addresses in common.
    """

    @lru_cache(4096, typed=True)
    def cached_address(below: str, endpoint: str, **values: Any) -> str:
        return app.url_for(endpoint, **values)

    @lru_cache(64)
    def addresses(below: str) -> Callable[..., str]:
        def address(endpoint: str, /, **values: Any) -> str:
            for value in values.values():
                if isinstance(value, str) and len(value) > MOST_KNOWN:
                    return app.url_for(endpoint, **values)
            number = values.get("number")
            if type(number) is int:  # of a move: each has an address of its own, which differs in this alone
                like_it = cached_address(below, endpoint, **{**values, "number": ANY_NUMBER})
                return like_it.replace(str(ANY_NUMBER), str(number))
            return cached_address(below, endpoint, **values)

        return address

    return addresses


def _base_context() -> dict[str, Any]:
    """Return what every page's head and foot needs."""
    chosen = all_preferred()
    in_words = (
        this_request().args.get("view") or chosen["view"]
    ) == "text"  # the menu says what is before the reader
    return {
        "url_for": link(),  # found once for all addresses of a page
        "me": current_player(),
        "my_turns": my_turns(),
        "preferred": {**chosen, "view": "text" if in_words else ""},
        "theme": chosen["theme"],
        "ask_first": chosen["sure"],
        "in_text": chosen["view"] == "text",
        "sound": chosen["sound"] == "yes",
        "language": language(),
        "read_only": RequestRefusal.READ_ONLY.sentence if read_only() else "",
        "disk_full": health().disk_full,
        "announcement": services().switches.announcement,
        "banned": texts.render_text(banned(kept_out).text) if (kept_out := ban()) else "",
        "has_bots": referee().bots.on,
    }


@pass_context
def _key(context: Context, seat: int | None = None) -> str:
    """Return a key of 128 random bits, by which a form counts once; at a shared device, with its seat."""
    view: View | None = context.get("view")
    seat = view.viewer.seat if view and seat is None else seat
    if view and view.several and seat is not None:
        return f"{form_key()}.seat{seat}"
    return form_key()


def _page_time(view: View) -> str:
    """Return the moment of a page, as its script reads it."""
    return NOW_HOLE if are_left() else dates.machine(view.times.now)


def _pressed(answer: Response) -> Response:
    """Compress a page with gzip for browsers that accept it: it shrinks to a fifth, and a sea to a tenth."""
    if answer.status_code == 304 or answer.mimetype != "text/html":
        return answer
    vary_by(answer, "Accept-Encoding")
    if not this_request().takes_gzip or "Content-Encoding" in answer.headers:
        return answer
    if len(answer.get_data()) > SMALL:
        answer.set_data(gzip.compress(answer.get_data(), compresslevel=1, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def cached_for_a_minute(page: str) -> Response:
    """Return a page that caches may keep for strangers, and for nobody else.

    It must have no form that starts something, for its key is for one person alone.
    """
    answer = Response(page)
    if not request.cookies and not health().disk_full:
        answer.headers["Cache-Control"] = "public, max-age=60, stale-while-revalidate=600"
        answer.headers["Vary"] = "Accept-Language, Cookie"
    return answer


@lru_cache(64)
def prose(markdown: str) -> Markup:
    """Return Markdown from the games' own folders as HTML; HTML in it is escaped."""
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    # A wide table scrolls by itself, by keyboard too, and the page does not.
    wide = html.replace("<table>", '<div class="scroll" tabindex="0" role="group"><table>')
    return Markup(wide.replace("</table>", "</table></div>"))  # noqa: S704


def opening(title: Title) -> Markup:
    """Return the first two sentences of a game's rules as HTML, in the reader's language if there is one."""
    spoken, paragraph = title.opening(language().code)
    match = BEGINNING.match(paragraph)
    if not match:
        return Markup()
    html = prose(match[0])
    if spoken == language().code:
        return html
    return Markup('<div lang="{}" dir="ltr">{}</div>').format(spoken, html)


def holes(sentence: Markup) -> Markup:
    """Return a sentence as it is before anything is filled in: its `{square}` shown as ‹square›."""
    return Markup(HOLE.sub("‹\\1›", sentence))  # noqa: S704 - it is escaped already


def render(template: str, **context: Any) -> str:
    """Render a page, or a part of one, with many words about one game."""
    view, title = context.get("view"), context.get("title")
    translations = catalogue.translations(view.title if view else title)
    return render_template(template, **catalogue.phrases(translations), **context)


def draw_board(view: View, pick: Callable[[str], str] | None = None) -> tuple[Markup, Board]:
    """Draw a game's board for one viewer; return it with what it left for the page to offer.

    `pick`: where something is picked up, if that is not on the table's own page.
    """
    board = Board(view)
    template = f"games/{view.title.slug}/{view.title.board}" if view.title.board else "board.html"

    def draw() -> str:
        module = (
            this_app().jinja_env.get_template(template).make_module(on_a_board(view, board, "board", pick))
        )
        drawn, bar = str(module), getattr(module, "bar", None)
        board.bar = Markup(bar()) if bar else Markup()  # noqa: S704 - its own output
        for each in (drawn, board.bar):  # now, where it is the game's fault if that fails
            each.encode()
        return drawn

    return Markup(run_template(view.id, "drawing the board", draw)), board  # noqa: S704 - its own output


def on_a_board(
    view: View, board: Board, page: str, pick: Callable[[str], str] | None = None
) -> dict[str, Any]:
    """Return all that a template is given, `board.html` or `text.html`; as `page` what is prepared for it."""
    return {
        **catalogue.phrases(catalogue.translations(view.title)),
        "language": language(),
        page: prepared(view, board, page),
        "cells": board.cells,
        "grid": grid,
        "view": view,
        "game": view.position.game,
        "you": view.position.you,
        "offer": board.offer,
        "plan": board.plan,
        "offered": board.offered,
        "placed": board.placed,
        "picked": picked_offer(view),
        "pick": pick or _picking(view),
        "explained": terms.explaining(view),
        "turned": is_turned(),
        "turn_round": turning_address(view) if pick is None else "",
        **actions_by_name(actions(view.title.rules)),
    }


def _picking(view: View) -> Callable[[Any], str]:
    """Return what tells the address at which something on a board is picked: made out of one address."""
    before, _, after = link()("play.show", id=view.id, pick=PICKED, _anchor="board").rpartition(PICKED)
    return lambda what: f"{before}{quote_plus(str(what), safe=IN_QUERIES)}{after}"


def turning_address(view: View) -> str:
    """Return the address at which the board of this page is turned round, or back."""
    to = {TURNED: "no" if is_turned() else "yes"}
    return where(view, **to) if view.live else where(view, "at", number=view.number, **to)


def prepared(view: View, board: Board, page: str) -> Any:
    """Return what the game's `board.py` prepares for a page; None if it prepares nothing."""
    prepare = view.title.prepares(page)
    if prepare is None:
        return None
    return prepare(board.input)


def _title(context: Context) -> Title | None:
    """Return the game that a page is about."""
    view: View | None = context.get("view")
    if view:
        return view.title
    title: Title | None = context.get("title")
    return title


@pass_context
def _drawing(context: Context, name: str, title: Title | None = None) -> str:
    """Return the address of a drawing: one that the game of this page brings itself, or one of the site's."""
    title = title or _title(context)
    own = f"{title.slug}-" if title is not None and name in title.drawings else ""
    return f"{asset('sprite.svg')}#{own}{name}"


@pass_context
def _gettext(context: Context, sentence: str, /, **args: Any) -> Markup:
    return catalogue.phrases(catalogue.translations(_title(context)))["_"](sentence, **args)


@pass_context
def _ngettext(context: Context, one: str, many: str, num: int, /, **args: Any) -> Markup:
    return catalogue.phrases(catalogue.translations(_title(context)))["ngettext"](one, many, num, **args)


@pass_context
def _game_words(context: Context, sentence: str, title: Title | None = None) -> Markup:
    """Return words of a game's classes, in the reader's language."""
    return catalogue.game_words(sentence, title or _title(context))


@pass_context
def _render_text(context: Context, text: Any) -> Markup:
    """Return a text for the viewer of this page's `view`."""
    view: View | None = context.get("view")
    return texts.render_text(text, view, None if view else _title(context))


@pass_context
def _sentence(context: Context, line: Line) -> Markup:
    """Return a line of the log for the viewer of this page's `view`; a heading ends with a full stop."""
    text: Markup = _render_text(context, line.text)
    return text + "." if line.heading else text


@pass_context
def _player(context: Context, seat: Any) -> Markup:
    """Return flag and name of a seat, given as a Seat, a Place or a number."""
    number = seat if isinstance(seat, int) else getattr(seat, "number", getattr(seat, "seat", None))
    return names.name(context["view"].places[number])


def where(view: View, page: str = "show", /, **values: Any) -> str:
    """Return the address of a page about a game: at its table, or below its permanent address."""
    address = link()
    if view.position.permanent:
        return address(f"records.{page}", record=view.ending.record, **values)
    return address(f"play.{page}", id=view.id, **values)


def table_url(id: str, invitation: str = "") -> str:
    """Return the whole address of a table, as it is sent to friends."""
    return site_url(link()("play.show", id=id, i=invitation or None))


def site_url(path: str) -> str:
    """Return the whole address of a page of this site, as people know it."""
    return _joined(site_address(), path)


@lru_cache(256)
def _joined(site: str, path: str) -> str:
    return urljoin(site, path)
