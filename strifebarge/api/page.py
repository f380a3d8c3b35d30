"""A page for people who write programs: all verbs, with the schemas of their arguments and results.

It asks for the style sheet of the site and nothing else: no script, no request that leaves the site.
"""

from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from markupsafe import Markup, escape

from strifebarge.api.door import site
from strifebarge.api.openapi import document
from strifebarge.api.schemas import refusal_schemas
from strifebarge.api.verbs.every import VERBS
from strifebarge.api.verbs.verb import Verb
from strifebarge.api.words import Sentences
from strifebarge.rules import Refusal, Standard
from strifebarge.rules.schema import refusals

blueprint = Blueprint("page", __name__)
GameRefusals = tuple[str, str, tuple[Refusal, ...]]  # the first part of their tokens, a game's title
POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
AN_HOUR = "public, max-age=3600"
PAGE = Markup("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Programs – StrifeBarge</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{style}">
</head><body><main class="prose"><h1>Programs</h1>
<p>Programs play with the token of a person. Make one under “You”, and send it as
<code>Authorization: Bearer sbt_…</code>. Call each verb by JSON-RPC 2.0 at <code>POST rpc</code>, or at its
own address. <a href="{root}/openapi.json">OpenAPI 3.1</a></p>
<p><code>GET stream</code> tells you at once when there are new <code>events</code>.</p>
<p>A refusal is an answer: <code>{refusal}</code>. A fault has a number.
Verbs that change something take a <code>key</code>: the same call with the same key is done once.</p>
<table><thead><tr><th>Verb</th><th>Scope</th><th>What it does</th></tr></thead><tbody>
{rows}
</tbody></table>
{verbs}
<h2 id="refusals">Refusals of games</h2>
<p>Beside those of the site, games have these. Some have a number too, their <code>code</code>.</p>
{games}
<h2>Schemas</h2>
{parts}
</main></body></html>
""")
REFUSAL = '{"refused": {"token": …, "text": …, "args": …}}'


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """Send the OpenAPI document, with the refusals of games by the first part of their tokens."""
    english = Sentences(site().languages.asked_for("en"))
    whole = {
        **document(),
        "servers": [{"url": f"{request.script_root}/v1"}],
        "x-refusals": {name: refusal_schemas(reasons, english) for name, _, reasons in _game_refusals()},
    }
    answer = Response(msgspec.json.encode(whole), mimetype="application/json")
    answer.headers["Cache-Control"] = AN_HOUR
    return answer


@blueprint.get("/")
def page() -> Response:
    """Show what the interface can do."""
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": AN_HOUR}
    whole = _page(f"{request.script_root}/v1", _style(), _game_refusals())
    return Response(whole, mimetype="text/html", headers=headers)


def _game_refusals() -> tuple[GameRefusals, ...]:
    """Return the refusals that all games share, then those of each."""
    library = site().services.referee.library
    own = ((title.slug, title.title, refusals(title.rules)) for title in library)
    return ("game", "Every game", tuple(Standard)), *own


def _style() -> str:
    """Return the address of the site's style sheet, which is not below that of the interface."""
    own = request.script_root
    return own.removesuffix("/api") + site().asset("site.css").removeprefix(own)


@cache
def _page(root: str, style: str, games: tuple[GameRefusals, ...]) -> str:
    schemas = document()["components"]["schemas"]
    rows = Markup("\n").join(
        Markup('<tr><td><a href="#{0}"><code>{0}</code></a></td><td>{1}</td><td>{2}</td></tr>').format(
            verb.name, verb.scope, verb.summary
        )
        for verb in VERBS.values()
    )
    verbs = Markup("\n").join(_section(verb) for verb in VERBS.values())
    parts = Markup("\n").join(
        Markup('<details id="{0}"><summary><code>{0}</code></summary>{1}</details>').format(name, _code(each))
        for name, each in sorted(schemas.items())
    )
    refused = Markup("\n").join(_refusals(*each[1:]) for each in games if each[2])
    filled = PAGE.format(
        root=root, style=style, refusal=REFUSAL, rows=rows, verbs=verbs, games=refused, parts=parts
    )
    return str(filled)


def _refusals(game: str, reasons: tuple[Refusal, ...]) -> Markup:
    """Return what a game refuses: each with its token, its number if it has one, and its sentence."""
    rows = Markup("\n").join(
        Markup("<dt><code>{}</code> {}</dt><dd>{}</dd>").format(
            reason.token, reason.number or "", reason.sentence
        )
        for reason in reasons
    )
    return Markup("<details><summary>{}</summary><dl>{}</dl></details>").format(game, rows)


def _section(verb: Verb) -> Markup:
    operation = document()["paths"][verb.path][verb.method.lower()]
    payload = {key: operation[key] for key in ("parameters", "requestBody") if operation.get(key)}
    result = escape(verb.result.__name__)
    return Markup(
        '<section id="{0}"><h2><code>{0}</code></h2><p>{1}</p><p><code>{2} {3}</code> → '
        '<a href="#{4}"><code>{4}</code></a></p><details><summary>Arguments</summary>{5}</details></section>'
    ).format(verb.name, verb.description, verb.method, verb.path, result, _code(payload))


def _code(what: Any) -> Markup:
    text = msgspec.json.format(msgspec.json.encode(what), indent=1).decode()
    return Markup("<pre><code>{}</code></pre>").format(text)
