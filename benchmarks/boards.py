"""Measure what it costs to draw the board of each game, in processor time, in this process."""

from collections.abc import Iterator
from time import process_time

from flask import Flask

from benchmarks.rounds import ROUNDS, Figure
from benchmarks.trace_move import site_in_this_process
from strifebarge.rules.schema import seat_numbers
from strifebarge.tables.play.referee import Referee
from strifebarge.web.page.pages import draw_board
from tests.support.visitor import Local

SEA = "strifebarge"
WIDE = {SEA: {"sea": "open"}}  # options of a game: with these the sea of two is 18 x 18
MOVES = 6  # before a board is looked at
TIMES = 20  # in each round


def boards() -> dict[str, Figure]:
    """Return the milliseconds of processor that a player's board takes, by the game's folder."""
    with site_in_this_process() as people:
        app = people[0].app
        referee: Referee = app.extensions["referee"]
        drawings = {title.slug: Drawing(app, title.slug) for title in referee.library}
        rounds = [{game: each.cost() for game, each in drawings.items()} for _ in range(ROUNDS + 1)]
    return {game: Figure.of([each[game] for each in rounds[1:]]) for game in drawings}


class Drawing:
    """Draws the board of one table again and again, as a request for its page does."""

    def __init__(self, app: Flask, game: str):
        self.app = app
        self.referee: Referee = app.extensions["referee"]
        self.table = _played(app, game)
        self.player = self.referee.store.table(self.table).chairs[0].player

    def cost(self) -> float:
        """Return the milliseconds of processor of one drawing, on average of a round."""
        return 1000 * sum(self._once() for _ in range(TIMES)) / TIMES

    def _once(self) -> float:
        """Draw the board of a fresh view; return the seconds that the drawing took."""
        with self.app.test_request_context(f"/g/{self.table}"):
            view = self.referee.views.show(self.player, self.table)
            begun = process_time()
            draw_board(view)
            return process_time() - begun


def _played(app: Flask, game: str) -> str:
    """Begin a game and make some moves by its pages; return the id of its table."""
    people = list(_people(app, game))
    seats = {"seats": str(len(people))} if len(seat_numbers(_rules(app, game))) > 1 else {}
    table = people[0].start(game, **seats, **WIDE.get(game, {})).table
    for person in people[1:]:
        person.join(table)
    for move in range(MOVES):
        for person in people:
            page = person.get(table)
            if page.has_form("/turn") and (moves := page.form("/turn").moves):
                person.submit(page, "/turn", moves[7 * move % len(moves)])
                break
    return table.removeprefix("/g/")


def _rules(app: Flask, game: str) -> type:
    referee: Referee = app.extensions["referee"]
    return referee.library[game].rules


def _people(app: Flask, game: str) -> Iterator[Local]:
    """Yield as many people as the game needs, each at an address of their own."""
    for number in range(max(2, seat_numbers(_rules(app, game))[0])):
        yield Local(app, f"10.{len(game)}.{ord(game[0])}.{number + 1}")
