"""Diagrams: positions of a game drawn by its own board, kept for as long as the process runs.

A diagram shows what one seat sees of moves that stand in the game's folder.  It reads nothing of a table, and
nothing of its reader but their language, so each process draws it once for everybody.
"""

import logging
import re
from typing import NamedTuple

from flask import current_app, request
from markupsafe import Markup

from strifebarge.rules import Refused
from strifebarge.tables.library.budget import GameFault, run
from strifebarge.tables.library.library import Title
from strifebarge.tables.view.learning import EXAMPLE, Captioned, Diagram, how_to_play, view_of
from strifebarge.web.page.pages import draw_board, prose
from strifebarge.web.render.keeping import BoundedCache
from strifebarge.web.words.languages import COOKIE, language

MOST = 4 * 1024 * 1024  # bytes of diagrams that a process keeps
FOR_EVER = float("inf")
NO_TABLE = ""  # a diagram is drawn at none
TAG = re.compile(r"<[a-z][^>]*>")
# Names by which one thing on a page speaks of another: each diagram has its own.
NAMES = re.compile(
    r' (id|for|aria-labelledby|aria-describedby|aria-controls)=(?:"([^"]+)"|([^\s">]+))| (href)="(#[^"]+)"'
)
# What gives a thing on a board a life: pieces that glide, keys, fields and buttons that are sent, links.
LIVES = re.compile(
    rf' (?:data-piece|data-grid|data-row|data-drop|name|href(?=="[^"]*/{EXAMPLE}\b))'
    r'(?:="[^"]*"|=[^\s">]+)?(?=[\s>])'
)


log = logging.getLogger("strifebarge")


class Figure(NamedTuple):
    """A diagram, drawn, with what is said below it."""

    caption: str
    board: Markup


class HowToPlayPage(NamedTuple):
    """How to play a game: its language, the text, and the diagrams."""

    language: str
    text: Markup
    diagrams: list[Figure]


def prepare() -> BoundedCache[HowToPlayPage]:
    """Return a place for diagrams, empty."""
    return BoundedCache(
        MOST, lambda how: sum(2 * len(each.board) for each in how.diagrams) + 2 * len(how.text)
    )


def how_for_reader(title: Title) -> HowToPlayPage:
    """Return how to play a game, in the reader's language; without a diagram that cannot be drawn."""
    bounded_cache: BoundedCache[HowToPlayPage] = current_app.extensions["diagrams"]
    key = (title.slug, title.stamp, request.script_root, language().code)
    if cached := bounded_cache.get(key, 0):
        return cached[0]
    how = _how(title)
    bounded_cache.put(key, how, FOR_EVER)
    return how


def _how(title: Title) -> HowToPlayPage:
    code = language().code
    try:
        rules_page = how_to_play(title, code)
    except (OSError, ValueError) as wrong:
        log.error("How to play %s cannot be told: %s", title.slug, wrong)
        spoken, opening = title.opening(code)
        return HowToPlayPage(spoken, prose(opening), [])
    drawn = [_drawn(title, number, each) for number, each in enumerate(rules_page.diagrams, 1)]
    return HowToPlayPage(rules_page.language, prose(rules_page.text), [each for each in drawn if each])


def _drawn(title: Title, number: int, captioned: Captioned) -> Figure | None:
    try:
        board = run(NO_TABLE, "drawing a diagram", draw_diagram, title, captioned.diagram)
    except (GameFault, Refused, OSError, ValueError, LookupError) as fault:
        log.error("Diagram %d of %s cannot be drawn: %s", number, title.slug, fault)
        return None
    return Figure(captioned.caption, bare(board, f"d{number}-"))


def draw_diagram(title: Title, diagram: Diagram) -> Markup:
    """Draw a diagram, by the game's own board.  Raises whatever the author's code raises."""
    view = view_of(title, diagram)
    # A page of its own, so that nothing of the reader's request is in it but their language.
    with current_app.test_request_context(
        query_string={"pick": diagram.picked},
        headers={"Cookie": f"{COOKIE}={language().code}"},
        environ_overrides={"SCRIPT_NAME": request.script_root},
    ):
        return draw_board(view)[0]


def bare(board: Markup, prefix: str) -> Markup:
    """Return a board as a picture: its names are its own, nothing on it can be sent, moved or followed."""

    def name(match: re.Match[str]) -> str:
        if match[4]:
            return f' href="#{prefix}{match[5][1:]}"'
        return f' {match[1]}="{" ".join(prefix + each for each in (match[2] or match[3]).split())}"'

    def strip(tag: re.Match[str]) -> str:
        return NAMES.sub(name, LIVES.sub("", tag[0]))

    return Markup(TAG.sub(strip, board))  # noqa: S704 - a template's own output
