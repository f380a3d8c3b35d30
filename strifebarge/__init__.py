"""StrifeBarge: turn-based games with friends, by link.  All wiring is on this page."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

    from .post import Post
    from .settings import Settings
    from .table.referee import Referee
    from .ticker import Ticker

__all__ = ["create_app", "posting", "the_post", "ticking"]


def create_app(settings: "Settings | None" = None) -> "Flask":
    """The site as a WSGI application; without settings, those of the environment.

    The database must be up to date: `strifebarge serve` and `strifebarge db upgrade` see to that.
    """
    # All here and not above: whoever plays by the rules alone needs nothing of the site.
    import os
    from datetime import timedelta

    from flask_session import Session

    from .settings import Settings
    from .store import sessions
    from .store.engine import engine_for
    from .store.store import SqlStore
    from .table.library import Library
    from .table.referee import Referee
    from .web import build

    settings = settings or Settings.from_environment(os.environ)
    engine = engine_for(settings.database_url, settings.threads)
    library = Library(settings.games)
    referee = Referee(SqlStore(engine), library)
    app = build(referee, settings)
    app.config.update(
        SECRET_KEY=settings.secret_keys[-1],
        SECRET_KEY_FALLBACKS=list(settings.secret_keys[:-1]),
        SESSION_TYPE="cachelib",
        SESSION_CACHELIB=(
            sessions.RedisSessions(settings.redis_url) if settings.redis_url else sessions.SqlSessions(engine)
        ),
        SESSION_PERMANENT=True,
        SESSION_REFRESH_EACH_REQUEST=False,  # or every page would write
        PERMANENT_SESSION_LIFETIME=timedelta(days=400),
        SESSION_COOKIE_NAME="__Host-sb" if settings.secure else "sb",
        SESSION_COOKIE_SECURE=bool(settings.secure),
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
    )
    every = 0 if settings.read_only else settings.tick
    app.extensions["tickers"] = [ticking(referee, every), posting(the_post(referee, settings), every)]
    Session(app)
    keep, opened = app.session_interface.save_session, app.session_interface.open_session

    def open_if_wanted(app: "Flask", request: Any) -> Any:
        return None if request.path == "/healthz" else opened(app, request)  # which asks for nobody

    def keep_if_any(app: "Flask", session: Any, response: Any) -> None:
        if session is not None:  # None: the store was out of reach, and the page says so
            keep(app, session, response)

    app.session_interface.open_session = open_if_wanted  # type: ignore[method-assign]
    app.session_interface.save_session = keep_if_any  # type: ignore[method-assign]
    return app


def ticking(referee: "Referee", every: float, allowed: float = 60) -> "Ticker":
    """What ticks for a site every so many seconds; with more than those `allowed` between, it was away."""
    from .table.deadlines import deadlines, heart, silence
    from .ticker import Ticker

    return Ticker([deadlines(referee), silence(referee)], heart(referee.store, every, allowed), every)


def posting(post: "Post", every: float) -> "Ticker":
    """Has the post go round, in a thread of its own: whoever is written to may be slow."""
    from .ticker import Ticker

    # In every process: an address is one process's alone while it is written to.
    return Ticker([post], lambda now: True, 2 * every)


def the_post(referee: "Referee", settings: "Settings") -> "Post":
    """The post of a site, which sends notices: to call it with the time is one round."""
    from email.utils import parseaddr

    from .post import Post
    from .post.hooks import Hooks
    from .post.mail import Mail
    from .post.push import Push
    from .table.letters import Way
    from .web.languages import Languages
    from .web.push import push_key
    from .web.wording import Seals, Wording

    carriers: dict[Way, Any] = {}
    if settings.public_url:  # without it no link could be sent
        hooks = Hooks(settings.inner_hooks)
        carriers |= dict.fromkeys((Way.DISCORD, Way.SLACK, Way.NTFY), hooks)
        sender = f"mailto:{parseaddr(str(settings.mail_from))[1]}"
        carriers[Way.PUSH] = Push(hooks, lambda: push_key(referee.store, settings), sender)
    if settings.public_url and settings.smtp_url:
        carriers[Way.MAIL] = Mail(settings.smtp_url, str(settings.mail_from))
    languages = Languages(referee.library, settings.language)
    wording = Wording(referee, languages, Seals(settings.secret_keys), settings.public_url or "")
    return Post(referee.store, carriers, wording)
