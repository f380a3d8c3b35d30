"""How pages are made: the templates, and what all of them may use."""

import gzip
import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urljoin
from zlib import crc32

from flask import Flask, Response, current_app, render_template, request, url_for
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

from strifebarge.rules.schema import actions
from strifebarge.table.library import Title
from strifebarge.table.names import spoken
from strifebarge.table.status import WATCHING
from strifebarge.table.table import FLAGS, LETTERS, No
from strifebarge.table.view import View

from . import times, turn, waiting, words
from .guard import Guard
from .languages import language
from .offers import Board, actions_by_name, button
from .people import my_turns, who
from .preferences import preferred

SMALL = 1000  # bytes of a page that need no pressing
HOLE = re.compile(r"{(\w+)[^}]*}")


def prepare(app: Flask) -> None:
    library = app.extensions["referee"].library
    app.jinja_options = {"extensions": ["jinja2.ext.i18n"], "undefined": StrictUndefined}
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    boards = {title.slug: FileSystemLoader(title.folder) for title in library}
    app.jinja_loader = ChoiceLoader(
        [PackageLoader("strifebarge"), PrefixLoader({"games": PrefixLoader(boards)})]
    )
    app.jinja_env.bytecode_cache = _compiled()
    app.jinja_env.install_gettext_callables(_gettext, _ngettext, newstyle=True)  # type: ignore[attr-defined]
    app.jinja_env.globals.update(
        key=_key,
        ago=words.ago,
        called=words.called,
        known_as=words.known_as,
        flag=words.flag,
        flags=FLAGS,
        letters=LETTERS,
        instant=words.instant,
        machine=words.machine,
        day=words.day,
        languages=app.extensions["languages"],
        number=words.number,
        library=library,
        button=button,
        patiences=waiting.PATIENCES,
        players=words.players,
        policy=waiting.policy,
        remedies=waiting.REMEDIES,
        step_label=waiting.step_label,
        where=where,
        pace_in_words=times.pace,
        time_left=times.left,
        on_the_clock=times.on_the_clock,
        at_the_deadline=times.at_the_deadline,
        breaks_of=times.breaks,
        veil=No.NOT_WATCHED,
        watchings=WATCHING,
    )
    app.jinja_env.filters.update(
        spoken=spoken, prose=prose, told=_told, said=_said, player=_player, holes=holes
    )
    app.jinja_env.globals["url_for"] = _addresses(app)
    app.context_processor(_everywhere)
    app.after_request(_pressed)


class Compiled(FileSystemBytecodeCache):
    """Templates as they were compiled last: with them a process has its first page in a tenth of the time."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # a full disk costs time, and no page
            super().dump_bytecode(bucket)


def _compiled() -> BytecodeCache | None:
    """In a temporary folder of this user alone; None where there is none that is safe."""
    how = crc32(Path(__file__).read_bytes())  # what is compiled depends on what is asked for here
    try:
        return Compiled(pattern=f"jinja-{version('jinja2')}-{how}-%s")
    except (OSError, RuntimeError):
        return None


def _addresses(app: Flask) -> Callable[..., str]:
    """url_for as templates call it: a page has dozens of addresses, and the next page the same ones."""

    @lru_cache(4096, typed=True)
    def known(below: str, endpoint: str, **values: Any) -> str:
        return app.url_for(endpoint, **values)

    return lambda endpoint, **values: known(request.script_root, endpoint, **values)


def _everywhere() -> dict[str, Any]:
    """What every page's head and foot needs."""
    return {
        "me": who(),
        "my_turns": my_turns(),
        "theme": preferred("theme"),
        "ask_first": preferred("sure"),
        "in_text": preferred("view") == "text",
        "sound": preferred("sound") == "yes",
        "language": language(),
        "read_only": Guard.READ_ONLY.sentence if current_app.extensions["settings"].read_only else "",
    }


@pass_context
def _key(context: Context, seat: int | None = None) -> str:
    """128 random bits, which make a form count once; and for which of several seats it was made."""
    view: View | None = context.get("view")
    seat = view.seat if view and seat is None else seat
    if view and view.several and seat is not None:
        return f"{token_hex(16)}.seat{seat}"
    return token_hex(16)


def _pressed(answer: Response) -> Response:
    """Pages go out with gzip to whoever takes that: they shrink to a fifth, and a sea to a tenth."""
    if answer.mimetype != "text/html" or answer.status_code == 304:
        return answer
    answer.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] > 0 and len(answer.get_data()) > SMALL:
        answer.set_data(gzip.compress(answer.get_data(), compresslevel=1, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def kept_a_minute(page: str) -> Response:
    """A page that is the same for all strangers: caches may keep theirs, and no other.

    Not one with a form that starts something, for its key is for one person alone.
    """
    answer = Response(page)
    if not request.cookies:
        answer.headers["Cache-Control"] = "public, max-age=60, stale-while-revalidate=600"
        answer.headers["Vary"] = "Accept-Language, Cookie"
    return answer


def frame(
    link: Callable[..., str], page: str, mark: str, most: int = 0, slow: bool = False, **facts: Any
) -> Response:
    """What a page that waits without scripts shows in its frame, which renews itself and only itself.

    `link(**query)` is the frame's own address, `page` that of the page about which it tells, `mark` how
    things stand there now, `most` the longest it may wait; `slow` where nobody is in a hurry.
    """
    times, last = min(max(request.args.get("n", 0, type=int), 0), 1000), request.args.get("v", mark)
    period = turn.period(times, slow)
    kept = {"mine": 1} if request.args.get("mine") else {}
    body = render_template(
        "status.html",
        page=page,
        moved=last != mark,
        period=min(period, most) if period and most else period,
        again=link(v=last, n=times + 1, **kept),
        anew=link(v=mark),
        stop=link(v=mark, n=1000),
        **facts,
    )
    return Response(body, headers={"Cache-Control": "no-store"})


def prose(markdown: str) -> Markup:
    """Markdown from the games' own folders as HTML; HTML in it is shown, not obeyed."""
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(markdown)
    # A wide table scrolls by itself, by keyboard too, and the page does not.
    wide = html.replace("<table>", '<div class="scroll" tabindex="0" role="group"><table>')
    return Markup(wide.replace("</table>", "</table></div>"))  # noqa: S704


def holes(sentence: Markup) -> Markup:
    """A sentence as it is before anything is filled in: its `{square}` shown as ‹square›."""
    return Markup(HOLE.sub("‹\\1›", sentence))  # noqa: S704 - it is escaped already


def render(template: str, **context: Any) -> str:
    """A page, or a part of one, with many words about one game."""
    view, title = context.get("view"), context.get("title")
    catalogue = words.translations(view.title if view else title)
    return render_template(template, **words.phrases(catalogue), **context)


def draw_board(view: View, pick: Callable[[str], str] | None = None) -> tuple[Markup, Board]:
    """A game's board for one viewer, and what it left for the page to offer.

    `pick`: where something is picked up, if that is not on the table's own page.
    """
    board = Board(view)
    template = f"games/{view.title.slug}/{view.title.board}" if view.title.board else "board.html"
    return Markup(render(template, **on_a_board(view, board, pick))), board  # noqa: S704 - its own output


def on_a_board(view: View, board: Board, pick: Callable[[str], str] | None = None) -> dict[str, Any]:
    """All that the template of a board is given."""
    link: Callable[..., str] = current_app.jinja_env.globals["url_for"]  # type: ignore[assignment]
    return {
        "view": view,
        "game": view.game,
        "you": view.you,
        "offer": board.offer,
        "offered": board.offered,
        "placed": board.placed,
        "picked": request.args.get("pick", ""),
        "pick": pick or (lambda what: link("play.show", id=view.id, pick=what, _anchor="board")),
        **actions_by_name(actions(view.title.rules)),
    }


def _title(context: Context) -> Title | None:
    """The game a page is about."""
    view: View | None = context.get("view")
    title: Title | None = context.get("title")
    return view.title if view else title


@pass_context
def _gettext(context: Context, sentence: str) -> str:
    return words.translations(_title(context)).gettext(sentence)


@pass_context
def _ngettext(context: Context, one: str, many: str, n: int) -> str:
    return words.translations(_title(context)).ngettext(one, many, n)


@pass_context
def _said(context: Context, sentence: str, title: Title | None = None) -> Markup:
    """Words out of a game's classes, in the reader's language."""
    return words.said(sentence, title or _title(context))


@pass_context
def _told(context: Context, text: Any) -> Markup:
    """A text for the one who looks at this page's `view`."""
    return words.told(text, context.get("view"), _title(context))


@pass_context
def _player(context: Context, seat: Any) -> Markup:
    """Flag and name of a seat, given as a Seat, a Place or a number."""
    number = seat if isinstance(seat, int) else getattr(seat, "number", getattr(seat, "seat", None))
    return words.name(context["view"].places[number])


def where(view: View, page: str = "show", /, **values: Any) -> str:
    """The address of a page about a game: at its table, or in the books for whoever came from there."""
    if view.permanent:
        return url_for(f"records.{page}", record=view.record, **values)
    return url_for(f"play.{page}", id=view.id, **values)


def table_url(id: str, invitation: str = "") -> str:
    """The whole address of a table, as it is sent to friends."""
    return site_url(url_for("play.show", id=id, i=invitation or None))


def site_url(path: str) -> str:
    """The whole address of a page of this site, as people know it."""
    return urljoin(current_app.extensions["settings"].public_url or request.host_url, path)
