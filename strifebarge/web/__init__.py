"""The web site: its pages and forms; what a form does is decided by the services."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.middleware.proxy_fix import ProxyFix

from strifebarge.ops.health import Health
from strifebarge.ops.requests import RequestListener, RequestMiddleware, note_routes
from strifebarge.services import Services
from strifebarge.web.account import answer, feeds, nudging, personal_link, push, tokens
from strifebarge.web.http import faults, guard, piece, security_log, session, table_access
from strifebarge.web.http.fields import SiteRequest
from strifebarge.web.http.request_store import RequestStore
from strifebarge.web.http.response import SiteResponse
from strifebarge.web.page import kept_pages, pages
from strifebarge.web.previews import previews
from strifebarge.web.render import assets
from strifebarge.web.render.templating import Templates
from strifebarge.web.site import (
    diagrams,
    errors,
    finder,
    host,
    leaderboards,
    lobby,
    manual,
    probes,
    tournaments,
)
from strifebarge.web.table import (
    bots,
    coplayers,
    curtain,
    inviting,
    live,
    planning,
    play,
    positions,
    presence,
    records,
    recovery,
    seating,
    suspension,
    talk,
)
from strifebarge.web.words import languages

if TYPE_CHECKING:
    from limits.storage import Storage

    from strifebarge.settings import Settings

BODY = 64 * 1024  # bytes of a posted form
PARTS = 250  # fields of a posted form


class SiteApp(Flask):
    """A Flask application in which nothing is asynchronous: each function is called as it is."""

    jinja_environment = Templates
    request_class = SiteRequest
    response_class = SiteResponse
    app_ctx_globals_class = RequestStore  # type: ignore[assignment]

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function itself; to look at each one of a request again took 1 % of a form."""
        return func


def build(
    services: Services,
    settings: "Settings",
    health: Health,
    counters: "Storage | None" = None,
    listeners: Sequence[RequestListener] = (),
) -> Flask:
    """Make the Flask application of a site; `counters` is where all workers count limits, if anywhere.

    `listeners` are called with each request that was answered, also by what is mounted.
    What else the site serves may be put into its extension `mounted`, by the beginning of its paths.
    """
    app = SiteApp("strifebarge", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=BODY, MAX_FORM_MEMORY_SIZE=BODY, MAX_FORM_PARTS=PARTS)
    app.extensions["services"] = services
    app.extensions["referee"] = services.referee
    app.extensions["settings"] = settings
    app.extensions["limits"] = guard.Limits(settings, services.clock, counters)
    app.extensions["health"] = health
    app.url_map.strict_slashes = False
    languages.prepare(app)
    pages.prepare(app)
    kept_pages.prepare(app)
    app.extensions["diagrams"] = diagrams.prepare()
    piece.prepare(app)
    previews.prepare(app)
    guard.prepare(app)
    session.prepare(app)
    table_access.prepare(app)
    errors.prepare(app)
    security_log.prepare(app)
    lobbies = (lobby, bots, finder, inviting, manual, positions)
    playing = (play, planning, presence, suspension, talk, nudging)
    seated = (*playing, seating, coplayers, curtain, answer, recovery)
    ended = (records, leaderboards, tournaments)
    about_all = (live, push, feeds, previews, personal_link, tokens, probes, host)
    for chapter in (*lobbies, *seated, *ended, *about_all):
        app.register_blueprint(chapter.blueprint)
    app.register_blueprint(bots.at_tables)
    app.register_blueprint(previews.at_tables)
    faults.prepare(app)
    dispatcher = DispatcherMiddleware(app.wsgi_app)
    app.extensions["mounted"] = dispatcher.mounts
    app.wsgi_app = guard.SecurityMiddleware(dispatcher)  # type: ignore[method-assign]
    app.wsgi_app = assets.prepare(app)  # type: ignore[method-assign, assignment]
    if prefix := urlsplit(settings.public_url or "").path.rstrip("/"):
        app.wsgi_app = _below(app.wsgi_app, prefix)  # type: ignore[method-assign, assignment]
    note_routes(app)
    app.wsgi_app = RequestMiddleware(app.wsgi_app, settings.trusted_proxies > 0, listeners)  # type: ignore[method-assign]
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, hops, hops, hops)  # type: ignore[method-assign]
    return app


def _below(site: WSGIApplication, prefix: str) -> WSGIApplication:
    """Serve the site below the path of PUBLIC_URL, whether or not the proxy takes that path off."""

    def moved(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["SCRIPT_NAME"] = prefix
        if environ["PATH_INFO"].startswith(prefix + "/"):
            environ["PATH_INFO"] = environ["PATH_INFO"][len(prefix) :]
        return site(environ, start_response)

    return moved
