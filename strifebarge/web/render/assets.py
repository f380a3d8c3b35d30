"""Style sheets, drawings and scripts: kept in memory, named by their content, cached for ever.

They never reach Flask, so that a picture costs no look into the session store.
"""

import gzip
import mimetypes
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask

from strifebarge.lib.encoding import utf8
from strifebarge.tables.library.library import Library, Title
from strifebarge.web.http.request_store import asset

STATIC = Path(__file__).parents[2] / "static"
FOREVER = "public, max-age=31536000, immutable"
PRESSED = {".css", ".js", ".svg", ".webmanifest"}
SCRIPTS = {  # by file what it is made of, chapters of `static/live` in this order
    "live.js": [
        *("helpers", "menu", "boards", "history", "dragging", "fields", "gliding"),
        *("swapping", "sending", "links", "sheet", "chat"),
        *("news", "saying", "tabs", "stream", "time", "here", "beginning"),
    ],
    "replay.js": ["replay"],
    "listener.js": ["line", "listener"],
}
STAGE = ("stage.css", "moments.css", "how.css", "print.css")  # the styles that are sent before a game's own
COMMENT = re.compile(r"(?:^|\s)// .*$")  # of a script: no line of ours has such a thing in a string
SPACED = re.compile(r" (=>|===|!==|&&|\|\||=|\+|\?|:) ")  # no string of ours has these operators with spaces


class Asset(NamedTuple):
    kind: str
    body: bytes
    pressed: bytes | None  # with gzip


def prepare(app: Flask) -> WSGIApplication:
    """Make `asset("site.css")` known to the templates; returns the application with assets before it."""
    files = dict(_files(app.extensions["referee"].library))
    app.extensions["sprite"] = files["sprite.svg"].body
    names = {name: f"/static/{_hashed(name, file.body)}" for name, file in files.items()}
    served = {names[name]: file for name, file in files.items()}
    app.extensions["assets"], app.jinja_env.globals["asset"] = names, asset
    return _Assets(app.wsgi_app, served)


def _files(library: Library) -> Iterator[tuple[str, Asset]]:
    for path in sorted(STATIC.glob("*")):
        if path.is_file():
            yield path.name, _asset(path)
    for name in SCRIPTS:
        yield name, _asset_file(name, script(name).encode())
    for title in library:
        yield f"games/{title.slug}.css", _style(title)
    yield "sprite.svg", _sprite(library)


def script(name: str) -> str:
    """Return a script of several chapters as it is sent: in one scope, without what only readers need."""
    chapters = (STATIC / "live" / f"{chapter}.js" for chapter in SCRIPTS[name])
    body = "\n".join(squeezed(path.read_text(encoding="utf-8")) for path in chapters)
    return f'"use strict";\n(() => {{\n{body}\n}})();\n'


def squeezed(script: str) -> str:
    """Return a script without comments, empty lines, indents and the spaces around operators."""
    lines = (SPACED.sub(r"\1", COMMENT.sub("", line).strip()) for line in script.splitlines())
    return "\n".join(line for line in lines if line)


def _sprite(library: Library) -> Asset:
    """Return the site's sprite with the games' own drawings in it, so that any page needs one file."""
    sprite = (STATIC / "sprite.svg").read_text(encoding="utf-8")
    body, end, _ = sprite.rpartition("</svg>")
    return _asset_file("sprite.svg", (body + "".join(map(_own_drawings, library)) + end).encode())


def _own_drawings(title: Title) -> str:
    """Return the symbols that a game brings, with the game's name before theirs; "" if it brings none."""
    if not title.drawings:
        return ""
    text = (title.folder / "drawings.svg").read_text(encoding="utf-8")
    symbols = text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")]
    return re.sub(r'(<symbol\b[^>]*\bid=")', rf"\g<1>{title.slug}-", symbols)


def _style(title: Title) -> Asset:
    """Return the style of a game's tables in one file: of every game's stage and moments, and its board."""
    own = utf8((title.folder / "board.css").read_bytes()) if title.has_style else b""
    everywhere = ((STATIC / name).read_bytes() for name in STAGE)
    return _asset_file(f"{title.slug}.css", b"".join(everywhere) + own)


def _asset(path: Path) -> Asset:
    script = path.suffix == ".js"
    return _asset_file(
        path.name, squeezed(path.read_text(encoding="utf-8")).encode() if script else path.read_bytes()
    )


def _asset_file(name: str, body: bytes) -> Asset:
    pressed = gzip.compress(body, mtime=0) if Path(name).suffix in PRESSED else None
    return Asset(mimetypes.guess_type(name)[0] or "application/octet-stream", body, pressed)


def _hashed(name: str, body: bytes) -> str:
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}.{sha256(body).hexdigest()[:10]}{dot}{suffix}"


class _Assets:
    """WSGI: answers for the files it knows and hands everything else on."""

    def __init__(self, site: WSGIApplication, served: dict[str, Asset]):
        self.site = site
        self.served = served

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
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
