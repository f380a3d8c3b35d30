"""The cross-table of a tournament: everybody's points by opponent, or by round.  Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from strifebarge.tournaments.models import Format, Game, Outcome, Tournament
from strifebarge.tournaments.standings import Line


class Cell(NamedTuple):
    """The points that an entrant has made in some games."""

    points: tuple[int, ...] = ()  # halves, of each game that has ended
    against: int | None = None  # the number of the opponent's line, from 1
    outcome: Outcome | None = None  # of the last game; None where there is none
    oneself: bool = False


def is_square(made: Tournament) -> bool:
    """Return whether the table has a column for each opponent; else it has one for each round."""
    return made.format is Format.ROUND_ROBIN


def cross_table(made: Tournament, lines: Sequence[Line]) -> list[list[Cell]]:
    """Return the rows of the cross-table, in the order of the standings."""
    order = [line.entrant.number for line in lines]
    if is_square(made):
        return [[_against(made, mine, other) for other in order] for mine in order]
    return [[_in_round(made, mine, each, order) for each in range(1, made.round + 1)] for mine in order]


def _against(made: Tournament, mine: int, other: int) -> Cell:
    if mine == other:
        return Cell(oneself=True)
    return _cell([game for game in made.games if mine in game.entrants and other in game.entrants], mine)


def _in_round(made: Tournament, mine: int, number: int, order: list[int]) -> Cell:
    games = [game for game in made.of_round(number) if mine in game.entrants]
    cell = _cell(games, mine)
    others = [each for each in games[-1].entrants if each != mine] if games else []
    return cell._replace(against=order.index(others[0]) + 1) if len(others) == 1 else cell


def _cell(games: Sequence[Game], mine: int) -> Cell:
    ended = tuple(game.scores()[mine] for game in games if not game.running)
    return Cell(ended, outcome=games[-1].outcome if games else None)
