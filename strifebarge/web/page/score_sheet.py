"""The log of a game as a score sheet: cells that lead to the positions after their moves.

A game's `board.py` gives the sheet; each cell of the game itself has a line in the log, and so the number of
its move.  A table's page knows the newest lines alone.  Moves before these are counted where nothing but
moves of the sheet can have been made; elsewhere a cell leads to an address that finds its number in the
whole log.
"""

from collections.abc import Callable, Sequence

from flask import current_app
from markupsafe import Markup, escape

from strifebarge.rules import Refused
from strifebarge.rules.board import ScoreSheet
from strifebarge.tables.library.budget import run_template
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tables.view import View
from strifebarge.web.page.offers import Board
from strifebarge.web.page.pages import where
from strifebarge.web.words import catalogue
from strifebarge.web.words.texts import render_text

ANY = 999_999_999  # stands for the number in an address that is made once for all cells


def sheet_of(view: View) -> ScoreSheet | None:
    """Return the score sheet of a game as its viewer may see it; None if the game has none."""
    prepare = view.title.prepares("sheet")
    if prepare is None or view.position.game is None:
        return None
    score_sheet: ScoreSheet = prepare(Board(view).input)
    return score_sheet


def draw_sheet(view: View) -> Markup | None:
    """Draw the score sheet of a game; None if the game has none, or nothing stands on it."""
    if view.title.prepares("sheet") is None or view.position.game is None:
        return None
    return run_template(view.id, "drawing the score sheet", _drawn, view)


def _drawn(view: View) -> Markup | None:
    sheet = sheet_of(view)
    if sheet is None or not sheet.rows:
        return None
    template = current_app.jinja_env.get_template("parts/sheet.html")
    heads = [render_text(each, view) for each in sheet.columns]
    phrases = catalogue.phrases(catalogue.translations(view.title))
    return Markup(template.render(**phrases, heads=heads, rows=_rows(sheet, view), name=sheet.name))  # noqa: S704 - a template's own output


def _rows(sheet: ScoreSheet, view: View) -> Markup:
    """Return the rows as HTML: hundreds of cells, so without a template."""
    numbers = _numbers(sheet, view)
    cells = sum(cell is not None for _, row in sheet.rows for cell in row)
    at, cell_address = _addresses(view, "at"), _addresses(view, "cell")
    written, count = [], 0
    for head, row in sheet.rows:
        written.append(f"\n<tr><th scope=row>{escape(head)}")
        for cell in row:
            if cell is None:
                written.append("<td>")
                continue
            index, count = count - sheet.earlier, count + 1
            number = numbers[index] if index >= 0 else None
            address = "" if index < 0 else cell_address(index + 1) if number is None else at(number)
            newest = " aria-current=true" if count == cells else ""
            face = escape(cell)
            written.append(f'<td><a href="{address}"{newest}>{face}</a>' if address else f"<td>{face}")
        written.append("<td>" * (len(sheet.columns) - len(row)))
    return Markup("".join(written))  # noqa: S704 - every piece was escaped


def _addresses(view: View, page: str) -> Callable[[int], str]:
    """Return what tells the address of a page by its number, escaped."""
    before, _, after = str(escape(where(view, page, number=ANY))).partition(str(ANY))
    return lambda number: f"{before}{number}{after}"


def _numbers(sheet: ScoreSheet, view: View) -> list[int | None]:
    """Return the numbers of the moves in the cells of the game itself; None where one is not known here."""
    cells = sum(cell is not None for _, row in sheet.rows for cell in row) - sheet.earlier
    numbers = _shown_moves(sheet, view)[-cells:] if cells > 0 else []
    missing = cells - len(numbers)
    if not numbers or numbers[0] - 1 != missing:  # something else was done before, too
        return [*[None] * missing, *numbers]
    return [*range(1, missing + 1), *numbers]


def _shown_moves(sheet: ScoreSheet, view: View) -> Sequence[int]:
    """Return the numbers of the moves that the lines of this view tell of, where they stand on the sheet."""
    return [line.number for line in view.lines if line.text.get("text") in sheet.sentences]


def number_of_cell(view: View, cell_number: int) -> int:
    """Return the number of the move in a cell, counted from 1, by the whole log of `view`.

    Raises Refused(NO_POSITION).
    """
    sheet = run_template(view.id, "reading the score sheet", sheet_of, view)
    numbers = [] if sheet is None else _shown_moves(sheet, view)
    if not 1 <= cell_number <= len(numbers):
        raise Refused(TableRefusal.NO_POSITION)
    return numbers[cell_number - 1]
