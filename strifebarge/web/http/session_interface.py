"""The session interface of the site: Flask-Session over the table of sessions in the database."""

from datetime import timedelta
from typing import Any, Protocol

from flask import Flask, Request, Response, g
from flask_session.base import ServerSideSession, ServerSideSessionInterface

from strifebarge.web.http.response import vary_by

HEALTH = "/healthz"  # a probe has no session, and must be answered while the database is away


class SessionStore(Protocol):
    """Where sessions are kept."""

    def open(self, key: str) -> Any: ...
    def set(self, key: str, value: Any, seconds: float) -> None: ...
    def delete(self, key: str) -> bool: ...


class SiteSessions(ServerSideSessionInterface):  # type: ignore[misc]  # Flask-Session has no types
    """Sessions in the database.  A request that does not change its session writes nothing."""

    def __init__(self, app: Flask, store: SessionStore):
        super().__init__(app)
        self.store = store

    def open_session(self, app: Flask, request: Request) -> ServerSideSession | None:
        g.visit = None
        return None if request.path == HEALTH else super().open_session(app, request)

    def save_session(self, app: Flask, session: ServerSideSession | None, response: Response) -> None:
        if session is None:  # the store was out of reach, and the page says so
            return
        if not session:  # new, or signed out
            super().save_session(app, session, response)
        elif session.modified:
            self._upsert_session(app.permanent_session_lifetime, session, self.key_prefix + session.sid)
            self._set_cookie(app, session, response)
        elif session.accessed:
            vary_by(response, "Cookie")

    def _set_cookie(self, app: Flask, session: ServerSideSession, response: Response) -> None:
        """Set the cookie with Max-Age, which a browser whose clock is wrong understands too."""
        response.set_cookie(
            self.get_cookie_name(app),
            session.sid,
            max_age=app.permanent_session_lifetime,
            path=self.get_cookie_path(app),
            domain=self.get_cookie_domain(app),
            secure=self.get_cookie_secure(app),
            httponly=self.get_cookie_httponly(app),
            samesite=self.get_cookie_samesite(app),
        )
        vary_by(response, "Cookie")

    # The interface that Flask-Session asks subclasses to implement.

    def _retrieve_session_data(self, store_id: str) -> Any:
        opened = self.store.open(store_id)
        g.visit = opened.visit if opened else None
        return opened.data if opened else None

    def _delete_session(self, store_id: str) -> None:
        self.store.delete(store_id)

    def _upsert_session(self, session_lifetime: timedelta, session: ServerSideSession, store_id: str) -> None:
        self.store.set(store_id, dict(session), session_lifetime.total_seconds())
