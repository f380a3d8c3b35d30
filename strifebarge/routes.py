"""Notes the routes of requests, for what is told of requests that were answered."""

from flask import Flask, Response, request

from .answered import ROUTE

NO_ROUTE = "(none)"  # of an address that is not there


def note_routes(app: Flask, root: str = "") -> None:
    """Let an application that is mounted at `root` note the route of each request that it answers."""

    def note(answer: Response) -> Response:
        asked = request._get_current_object()  # type: ignore[attr-defined]
        asked.environ[ROUTE] = f"{root}{asked.url_rule}" if asked.url_rule else NO_ROUTE
        return answer

    app.after_request(note)
