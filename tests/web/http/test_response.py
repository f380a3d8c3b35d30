"""Requests and answers say the same as Flask's own, by quicker ways."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Request, Response
from werkzeug.test import create_environ

from strifebarge.web.http.fields import SiteRequest
from strifebarge.web.http.response import SiteResponse

Kind = type[Response]
ANSWERS: dict[str, Callable[[Kind], Response]] = {
    "a page": lambda kind: kind("<p>é"),
    "bytes": lambda kind: kind(b"abc", mimetype="text/plain"),
    "pieces": lambda kind: kind(["a", "é"]),
    "a stream": lambda kind: kind(iter(["a"])),
    "nothing": lambda kind: kind(),
    "no content": lambda kind: kind(status=204),
    "not modified": lambda kind: kind("a", status=304, headers={"Content-Language": "en", "ETag": '"1"'}),
    "elsewhere": lambda kind: kind(status=303, headers={"Location": "/g/a b/é?i=ü#ö", "Set-Cookie": "a=b"}),
    "an error": lambda kind: kind("no", status=404, headers={"X-Piece": "main"}),
    "a length of its own": lambda kind: kind("abc", headers={"Content-Length": "3"}),
}


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("make", ANSWERS.values(), ids=ANSWERS)
def test_answers_go_out_as_flasks_own_do(make: Callable[[Kind], Response], method: str) -> None:
    def sent(kind: Kind) -> Any:
        body, status, headers = make(kind).get_wsgi_response(create_environ(method=method))
        return b"".join(body), status, sorted(headers)

    assert sent(SiteResponse) == sent(Response)


@pytest.mark.parametrize("sent", [None, "", "a=1", "a=1; b=2; a=3", 'a="x y\\073"; odd; =; b=\xc3\xa9'])
def test_cookies_are_those_that_werkzeug_finds(sent: str | None) -> None:
    environ = create_environ(headers={} if sent is None else {"Cookie": sent})
    assert SiteRequest(environ).cookies == Request(environ).cookies
