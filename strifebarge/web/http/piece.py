"""Pieces: the content of a page's `main` alone, which a script asks for and puts in the old one's place.

A request with the header `X-Piece: main` is answered so by every template that extends `layout`. A form that
leads back to a table's page is answered with that page at once, one that leads elsewhere with 204 and
`X-Location`. Headers tell what stands outside of `main`, and at which address a browser without the script
would be now.
"""

import re
from functools import lru_cache
from hashlib import sha256
from html import unescape
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from flask import Flask, Response, current_app, request
from flask.ctx import RequestContext
from jinja2 import pass_context
from jinja2.runtime import Context
from werkzeug.exceptions import HTTPException

from strifebarge.web.http.fields import SiteRequest
from strifebarge.web.http.request_store import (
    REQUESTS,
    RequestStore,
    asset,
    link,
    request_globals,
    this_app,
    this_request,
)
from strifebarge.web.http.services import settings
from strifebarge.web.http.table_access import cover, normalized_code, prefetch_table

HEADER, MAIN = "X-Piece", "main"
NEEDED = re.compile(r'<(?:link rel="stylesheet" href|script src)="([^"]+)"')
STREAM = "live.stream"
FOLLOWED = "play.show"  # the page that a form may be answered with
# What is another one each time the same page is made: keys of forms, and the time.
CHANGING = re.compile(rb'name="key" value="[^"]*"|data-at="[^"]*"')


class LiveAddresses(NamedTuple):
    """Addresses that the script of an open page asks for news, and its words for them."""

    etag: str | int  # what `version` answers while the page is as it was made
    version: str  # address
    page: str  # address of the page as it is by then
    show: str  # words that lead there
    presence: str = ""  # address that is told that its reader is here; "" where nobody waits for them
    at: str = ""  # when it was made, where it has clocks
    stream: str = ""  # address that tells when there is news
    gone: str = ""  # words for a page that was deleted; "" for those of a game
    sat: bool = False  # its reader has a seat that others may take away


def prepare(app: Flask) -> None:
    """Let templates extend `layout`, and answer scripts that ask for a piece."""
    app.context_processor(_layout)
    app.jinja_env.globals["beside_piece"] = _beside
    app.jinja_env.globals.update(stream_of=_stream_of, live_page=LiveAddresses)
    app.after_request(_answer)


def _stream_of(id: str) -> str:
    """Return the address of the stream that tells when a table has changed; "" where there is none."""
    there = STREAM in this_app().view_functions and settings().live != "off"
    return f"{link()(STREAM)}?at={id}" if there else ""


def wants_main_only() -> bool:
    """Tell whether the script of a page asks, which needs no more than a page's `main`."""
    g: RequestStore = request_globals()
    if g.asks_for_piece is None:
        g.asks_for_piece = this_request().headers.get(HEADER) == MAIN
    return g.asks_for_piece


def _layout() -> dict[str, str]:
    return {"layout": "piece.html" if wants_main_only() else "base.html"}


@pass_context
def _beside(context: Context, title: str, my_turn: bool, shared: bool, head: str) -> str:
    """Keep for the headers what a page says outside of `main`; return "" for the template.

    `mine`: it is the reader's turn; `shared`: their device is passed round, and its pages are never tagged;
    `head`: what this page has in its head beside what all pages have.
    """
    needs = [asset("site.css"), asset("live.js"), *NEEDED.findall(head)]
    g = request_globals()
    g.tagged = not shared
    g.piece_headers = {
        "X-Title": _in_a_header(title),
        "X-Icon": asset("favicon-turn.svg" if my_turn else "favicon.svg"),
        "X-Turns": str(context["my_turns"]),
        "X-Needs": " ".join(sorted(needs)),
    }
    return ""


@lru_cache(512)
def _in_a_header(title: str) -> str:
    return quote(unescape(title).strip())


def _answer(answer: Response) -> Response:
    """Finish the answer to a script: follow where a form leads, add the headers, and the tag."""
    if not wants_main_only():
        return answer
    if answer.status_code in (301, 302, 303) and answer.location:
        _lead_on(answer)
    answer.headers["Cache-Control"] = "no-store"
    g = request_globals()
    if headers := g.piece_headers:
        for name, value in headers.items():
            answer.headers.add(name, value)
        if answer.status_code == 200 and g.tagged:
            _tag(answer)
    return answer


def _tag(answer: Response) -> None:
    """Add a tag, made of what a piece says; answer 304 to a script that has it.

    A page that is kept has done both by itself.
    """
    if "ETag" in answer.headers:
        return
    content = lasting_words(answer.get_data()) + repr(request_globals().piece_headers).encode()
    answer.set_etag(sha256(content).hexdigest()[:24])
    if request.method == "GET":
        answer.make_conditional(request)


def lasting_words(piece: bytes) -> bytes:
    """Return a piece without what is another one each time the same piece is made."""
    return CHANGING.sub(b"", piece)


def _lead_on(answer: Response) -> None:
    """Make a redirect the piece of the page it leads to, or say where that is.

    What was asked for is done. So where that page cannot be made here, the script is told to go there itself.
    """
    goal, g = str(answer.location), request_globals()
    del answer.headers["Location"]
    answer.headers["X-Location"] = goal
    page = None
    if this_request().method == "POST":
        try:
            page = _page_at(goal)
        except Exception:  # it was carried out, so this must not be a failure
            current_app.logger.exception("the page that a form leads to")
    if page is not None and page.status_code == 200 and "piece_headers" in g:
        answer.status_code = 200
        answer.set_data(page.get_data())
        if tag := page.headers.get("ETag"):
            answer.headers["ETag"] = tag
        cover(answer)
    else:
        g.pop("piece_headers", None)
        answer.status_code = 204
        answer.set_data(b"")


def _page_at(goal: str) -> Response | None:
    """Return the page at an address of the table that this form is about; None for any other address."""
    context, address = REQUESTS.get(), urlsplit(goal)
    form: SiteRequest = context.request
    path = address.path.removeprefix(form.script_root)
    try:
        endpoint, route_values = context.url_adapter.match(path, "GET")
    except HTTPException:
        return None
    values = dict(route_values)
    normalized_code(endpoint, values)
    if endpoint != FOLLOWED or values != form.view_args:
        return None
    request_globals().pop("my_turns", None)  # which the form has changed
    environ = {
        **form.environ,
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": address.query or (form.environ["QUERY_STRING"] if "pick" in form.args else ""),
        "CONTENT_LENGTH": "0",
        "CONTENT_TYPE": "",
        "wsgi.input": BytesIO(),
    }
    environ.pop("werkzeug.request", None)
    environ.pop("HTTP_ACCEPT_ENCODING", None)  # the answer to the form is compressed as a whole
    app = this_app()
    with RequestContext(app, environ, session=context.session):
        prefetch_table(values["id"])
        page: Any = app.view_functions[endpoint](**values)
        return app.make_response(page)
