"""The interface for programs: verbs that programs call with a token, by JSON-RPC 2.0 or plain HTTP.

It is an application of its own beside the pages: no session, no cookie, no form; a token says who calls.
"""

from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from strifebarge.api import door, faults, page, plain, rpc, stream
from strifebarge.api.ports import ApiServices
from strifebarge.lib.waited import must_have_place

BODY = 64 * 1024  # bytes of a call
HEADERS = {  # beside those of all answers of the site
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}
READING = {"GET", "HEAD", "OPTIONS"}


def build(site: ApiServices) -> Flask:
    """Make the Flask application of the interface; it is to be mounted at `/api`."""
    app = Flask("strifebarge.api", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=BODY)
    app.extensions["site"] = site
    app.url_map.strict_slashes = False
    app.before_request(_must_have_place)
    app.after_request(door.with_limits)
    app.after_request(_headers)
    for chapter in (page.blueprint, rpc.blueprint, stream.blueprint, plain.addresses()):
        app.register_blueprint(chapter, url_prefix="/v1")
    app.register_error_handler(Exception, _faulted)
    return app


def _must_have_place() -> None:
    """Raise Busy for a call that others have kept waiting for too long."""
    if request.method not in READING:
        must_have_place()


def _headers(answer: Response) -> Response:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    return answer


def _faulted(error: Exception) -> Any:
    """Answer whatever was raised, in the words of the door that was knocked at."""
    if isinstance(error, HTTPException):
        if error.code and error.code < 400:
            return error.get_response()  # a redirect
        answer = _fault_response(_fault_of(error))
        if isinstance(error, MethodNotAllowed):
            answer.allow.update(error.valid_methods or ())
        return answer
    return _fault_response(error)


def _fault_response(error: Exception) -> Response:
    is_rpc = request.path.rstrip("/").endswith("/rpc")
    return rpc.refused_call(error) if is_rpc else plain.refused(error)


def _fault_of(error: HTTPException) -> faults.CallFault:
    """Return the fault for what Flask itself refuses: unknown addresses, wrong methods, large bodies."""
    code = error.code or 500
    if code == 404:
        return faults.no_method(request.path)
    payload = {405: "This address does not take that method.", 413: f"The body is larger than {BODY} bytes."}
    return faults.invalid(payload.get(code, "That request couldn't be read."), code if code < 500 else 400)
