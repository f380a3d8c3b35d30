"""Positions that somebody puts up: on the game's own board, or in writing; to be analyzed or played from."""

from collections.abc import Callable
from typing import Any
from unicodedata import category

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from markupsafe import Markup

from strifebarge.rules import Refused
from strifebarge.tables.acts.from_here import analyze_position, arranged
from strifebarge.tables.library.budget import run_template
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.table import TableRefusal
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.services import limits, referee
from strifebarge.web.http.session import as_person, form_token, sent_before
from strifebarge.web.http.statuses import status_of
from strifebarge.web.page.kept import cells_of
from strifebarge.web.words import catalogue
from strifebarge.web.words.languages import language
from strifebarge.web.words.texts import render_text

blueprint = Blueprint("positions", __name__)
LONGEST = 8000  # characters of a position
NO_TEXT = "Cc", "Cn", "Cs"  # categories of characters: controls, unassigned, halves of a pair


@blueprint.get("/position/<game>")
def show(game: str) -> Any:
    """Show the position of the address, and what may be begun there."""
    return _page(_title(game), _tidy(request.args.get("position", "")), request.args.get("held", ""))


@blueprint.post("/position/<game>")
@leaves_receipt
def analyze(game: str) -> Any:
    """Open an analysis board at a position, or only show it, which may be too long for an address."""
    form_token()  # a form that is not whole says so, whatever else is wrong
    title, position = _title(game), _tidy(request.form.get("position", ""))
    if request.form.get("do") == "show":
        return _page(title, position, "")
    try:
        if not sent_before():
            limits().count("create")
        table = as_person(
            lambda player, form: analyze_position(
                referee(), player, title.slug, form, position, language().code
            )
        )
    except Refused as no:
        if status_of(no) != 422:
            raise
        return _page(title, position, "", no), status_of(no)
    return redirect(url_for("play.show", id=table.id), 303)


def _title(game: str) -> Title:
    title = referee().library[game]
    if not title.arranges:
        raise Refused(TableRefusal.NOT_ARRANGED)
    return title


def _tidy(position: str) -> str:
    """Return what was given, a space for what no page may hold, not much longer than a position may be."""
    kept = position[: LONGEST + 1]
    return "".join(each if each in "\t\n\r" or category(each) not in NO_TEXT else " " for each in kept)


def _page(title: Title, position: str, held: str, refused: Refused | None = None) -> str:
    """Render the page of a position; it says why a game cannot begin there."""
    drawn, position = _drawn(title, position, held)
    options: dict[str, Any] = {}
    if position and not refused:
        try:
            options = arranged(title, position)
        except Refused as no:
            refused = no
    return render_template(
        "position.html",
        title=title,
        drawn=drawn,
        position=position,
        options=options,
        refused=refused,
        notice=render_text(refused.text, title=title) if refused else "",
    )


def _drawn(title: Title, position: str, held: str) -> tuple[Markup, str]:
    """Return the game's own page for putting up a position, and the position as that has read it.

    Where it cannot be read, the page shows the usual one, and the position stays as it was given.
    """
    prepare = title.arranging
    if not title.editor or prepare is None:
        return Markup(), position

    def draw() -> tuple[str, str]:
        read = prepare(position, held)
        template = current_app.jinja_env.get_template(f"games/{title.slug}/{title.editor}")
        phrases = catalogue.phrases(catalogue.translations(title))
        board = prepare("", "") if read is None else read
        drawn = template.render(**phrases, title=title, cells=cells_of(title), board=board, lay=_lay(title))
        return drawn, position if read is None else read.position

    drawn, position = run_template("", f"putting up a position of {title.slug}", draw)
    return Markup(drawn), position  # noqa: S704 - its own output


def _lay(title: Title) -> Callable[[str, str], str]:
    """Return what tells the address of another position, or of another piece that is held."""

    def address(position: str, held: str = "") -> str:
        return url_for(".show", game=title.slug, position=position, held=held or None)

    return address
