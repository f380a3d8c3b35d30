"""Pictures of games: a small position of each, drawn by the game, kept for as long as the process runs.

A game that has `example.toml` and `picture.svg` is shown by the position of its example, as a spectator sees
it.  Any other is shown by its emblem.  A picture has no words, so it is the same in every language.
"""

import logging
from typing import Any

from flask import current_app, request
from markupsafe import Markup

from strifebarge.rules import Game, Refused
from strifebarge.tables.library.budget import GameFault, run_template
from strifebarge.tables.library.examples import example_of, played
from strifebarge.tables.library.library import Title

MOST = 200  # pictures that a process keeps: more come only where authors edit their games
NO_TABLE = ""  # the example of a game is played at none
PictureKey = tuple[str, str, str]  # a game, its files as they are now, and where the site is mounted

log = logging.getLogger("strifebarge")


def picture(title: Title) -> Markup:
    """Return the picture of a game as an SVG element; "" where it has none, or where that cannot be drawn."""
    cache: dict[PictureKey, Markup] = current_app.extensions.setdefault("pictures", {})
    key = (title.slug, title.stamp, request.script_root)
    cached = cache.get(key)
    if cached is None:
        if len(cache) >= MOST:
            cache.clear()
        cached = cache[key] = _drawn(title)
    return cached


def _drawn(title: Title) -> Markup:
    if not title.picture:
        return Markup()
    try:
        return Markup(run_template(NO_TABLE, "drawing the picture", _draw, title))  # noqa: S704 - its own output
    except (GameFault, Refused, ValueError) as fault:
        log.error("The picture of %s cannot be drawn: %s", title.slug, fault)
        return Markup()


def _draw(title: Title) -> str:
    """Play the example, and draw it.  Raises whatever the author's code raises."""
    example = example_of(title)
    if example is None:
        return ""
    return draw_position(title, played(title, example))


def draw_position(title: Title, game: Game[Any]) -> str:
    """Draw a position as a spectator sees it, by `picture.svg`.  Raises whatever the author's code raises."""
    template = current_app.jinja_env.get_template(f"games/{title.slug}/{title.picture}")
    prepared = title.pictures(game) if title.pictures else None
    return template.render(title=title, game=game, picture=prepared)
