"""The cookie of a browser in which somebody has signed in before.

There the right password opens the account, however many wrong ones others try.  The cookie is signed,
outlives signing out, and signs nobody in.
"""

from hashlib import sha256
from secrets import token_urlsafe

from flask import Response, after_this_request, request
from itsdangerous import BadData, URLSafeTimedSerializer
from werkzeug.wrappers import Response as Reply

from strifebarge.web.http.services import settings

LASTS = 400 * 86400  # seconds; browsers keep a cookie no longer
MOST = 5  # names that one browser is known for


def browser_known_for(login: str) -> str:
    """Return a word that stands for this browser if somebody has signed in here by that name; else ""."""
    browser, names = _read()
    return browser if _hidden(browser, login) in names else ""


def make_known(login: str) -> None:
    """Let the answer to this request make the browser known for a name."""
    browser, names = _read()
    browser = browser or token_urlsafe(16)
    name = _hidden(browser, login)
    _keep(browser, [name, *(each for each in names if each != name)][:MOST])


def end_known(login: str) -> None:
    """Let the answer to this request end that the browser is known for a name."""
    browser, names = _read()
    if (name := _hidden(browser, login)) in names:
        _keep(browser, [each for each in names if each != name])


def _keep(browser: str, names: list[str]) -> None:
    secure = bool(settings().secure)

    def keep(response: Response | Reply) -> Response | Reply:
        signed = str(_signer().dumps([browser, *names]))
        response.set_cookie(
            _cookie(), signed, max_age=LASTS, path="/", httponly=True, samesite="Lax", secure=secure
        )
        return response

    after_this_request(keep)


def _read() -> tuple[str, list[str]]:
    """Return what the cookie says; nothing for one that is not ours, or too old."""
    try:
        browser, *names = _signer().loads(request.cookies.get(_cookie(), "")[:1000], max_age=LASTS)
    except (BadData, ValueError, TypeError):
        return "", []
    return str(browser), [str(each) for each in names]


def _cookie() -> str:
    return "__Host-known" if settings().secure else "known"


def _signer() -> URLSafeTimedSerializer:
    keys = list(settings().secret_keys)
    return URLSafeTimedSerializer(
        keys, salt="strifebarge:known", signer_kwargs={"key_derivation": "hmac", "digest_method": sha256}
    )


def _hidden(browser: str, login: str) -> str:
    """Return what stands for a name in the cookie of one browser, and in no other."""
    return sha256(f"{browser} signs in as {login}".encode("utf-8", "replace")).hexdigest()[:32]
