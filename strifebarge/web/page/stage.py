"""The stage of a table's page: who sits above and below the board, and what is drawn on their plates."""

from typing import NamedTuple

from markupsafe import Markup

from strifebarge.tables.library.budget import run_template
from strifebarge.tables.view import Offer, SeatView, View
from strifebarge.web.page.offers import Board
from strifebarge.web.render.turning import is_turned

FEW = 4  # offers that find room in the action bar; more of them are listed below


class BoardStage(NamedTuple):
    """The plates, drawings and offers around a board."""

    above: list[SeatView]  # the others, in the order of play after the seat below
    below: SeatView  # the viewer's own seat; for others the first; on a board turned round the one across
    drawn: dict[int, Markup]  # by seat: what the game draws on its plate
    offers: list[Offer]  # for the action bar
    more: list[Offer]  # where they are too many for it


def stage(view: View, board: Board | None) -> BoardStage:
    """Return what stands around the board of a table; `board` is what its game has drawn, if it has.

    On a board turned round the seat across the table is below.
    """
    across = len(view.places) // 2 if is_turned() else 0
    seat = ((view.viewer.seat or 0) + across) % len(view.places)
    offers = board.rest() if board and view.choosing else []
    return BoardStage(
        above=view.places[seat + 1 :] + view.places[:seat],
        below=view.places[seat],
        drawn=_plates(view, board) if board else {},
        offers=offers if len(offers) <= FEW else [],
        more=offers if len(offers) > FEW else [],
    )


def _plates(view: View, board: Board) -> dict[int, Markup]:
    """Return what a game draws on plates: its macro `plate`, with what `plates` in board.py returns."""
    prepare, cells = view.title.prepares("plates"), board.cells
    if prepare is None or cells is None:
        return {}

    def draw() -> dict[int, Markup]:
        contents = prepare(board.input).items()
        return {seat: cells.plate(*(each if type(each) is tuple else (each,))) for seat, each in contents}

    return run_template(view.id, "drawing the plates", draw)
