"""Style sheets, drawings and scripts: kept in memory, named by their content, cached for ever.

They never reach Flask, so that a picture costs no look into the session store.
"""

import gzip
import mimetypes
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, request

from strifebarge.table.library import Library

STATIC = Path(__file__).parent.parent / "static"
FOREVER = "public, max-age=31536000, immutable"
PRESSED = {".css", ".js", ".svg", ".webmanifest"}
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Asset(NamedTuple):
    kind: str
    body: bytes
    pressed: bytes | None  # with gzip


def prepare(app: Flask) -> Wsgi:
    """Make `asset("site.css")` known to the templates; returns the application with assets before it."""
    files = dict(_files(app.extensions["referee"].library))
    names = {name: f"/static/{_hashed(name, asset.body)}" for name, asset in files.items()}
    served = {names[name]: asset for name, asset in files.items()}
    app.jinja_env.globals["asset"] = lambda name: request.script_root + names[name]
    return _Assets(app.wsgi_app, served)


def _files(library: Library) -> Iterator[tuple[str, Asset]]:
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            yield path.relative_to(STATIC).as_posix(), _asset(path)
    for title in library:
        if title.has_style:
            yield f"games/{title.slug}.css", _asset(title.folder / "board.css")


def _asset(path: Path) -> Asset:
    body = path.read_bytes()
    pressed = gzip.compress(body, mtime=0) if path.suffix in PRESSED else None
    return Asset(mimetypes.guess_type(path.name)[0] or "application/octet-stream", body, pressed)


def _hashed(name: str, body: bytes) -> str:
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}.{sha256(body).hexdigest()[:10]}{dot}{suffix}"


class _Assets:
    """WSGI: answers for the files it knows and hands everything else on."""

    def __init__(self, site: Wsgi, served: dict[str, Asset]):
        self.site = site
        self.served = served

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        asset = self.served.get(environ.get("PATH_INFO", ""))
        if asset is None or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return self.site(environ, start_response)
        body, headers = (
            asset.body,
            [
                ("Content-Type", asset.kind),
                ("Cache-Control", FOREVER),
                ("X-Content-Type-Options", "nosniff"),
            ],
        )
        if asset.pressed:
            headers.append(("Vary", "Accept-Encoding"))
            if "gzip" in environ.get("HTTP_ACCEPT_ENCODING", ""):
                body = asset.pressed
                headers.append(("Content-Encoding", "gzip"))
        headers.append(("Content-Length", str(len(body))))
        start_response("200 OK", headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]
