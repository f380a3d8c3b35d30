"""The site: pages, forms and links.  It decides nothing: the referee does."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from strifebarge.table.referee import Referee

from . import (
    answer,
    assets,
    company,
    curtain,
    errors,
    feeds,
    finder,
    guard,
    inviting,
    languages,
    lobby,
    manual,
    mylink,
    nudging,
    pages,
    people,
    play,
    presence,
    push,
    records,
    resting,
    returning,
    seating,
    tables,
    talk,
)

if TYPE_CHECKING:
    from strifebarge.settings import Settings

BODY = 64 * 1024  # bytes of a posted form
PARTS = 250  # fields of a posted form


def build(referee: Referee, settings: "Settings") -> Flask:
    """The Flask application round a referee."""
    app = Flask("strifebarge", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=BODY, MAX_FORM_MEMORY_SIZE=BODY, MAX_FORM_PARTS=PARTS)
    app.extensions["referee"] = referee
    app.extensions["settings"] = settings
    app.url_map.strict_slashes = False
    languages.prepare(app)
    pages.prepare(app)
    guard.prepare(app)
    people.prepare(app)
    tables.prepare(app)
    errors.prepare(app)
    lobbies = (lobby, finder, inviting, manual)
    seated = (play, presence, seating, company, curtain, resting, talk, nudging, answer, returning)
    for chapter in (*lobbies, *seated, push, feeds, records, mylink):
        app.register_blueprint(chapter.blueprint)
    app.wsgi_app = assets.prepare(app)  # type: ignore[method-assign, assignment]
    if prefix := urlsplit(settings.public_url or "").path.rstrip("/"):
        app.wsgi_app = _below(app.wsgi_app, prefix)  # type: ignore[method-assign, assignment]
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, hops, hops, hops)  # type: ignore[method-assign]
    return app


def _below(site: assets.Wsgi, prefix: str) -> assets.Wsgi:
    """The site below a path of PUBLIC_URL, whether or not the proxy takes that path off."""

    def moved(environ: dict[str, Any], start_response: Any) -> Any:
        environ["SCRIPT_NAME"] = prefix
        if environ["PATH_INFO"].startswith(prefix + "/"):
            environ["PATH_INFO"] = environ["PATH_INFO"][len(prefix) :]
        return site(environ, start_response)

    return moved
