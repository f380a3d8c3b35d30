"""The cross-table of a tournament: everybody's points by opponent, or by round.  Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from strifebarge.tournaments.models import Format, GameOutcome, Tournament, TournamentGame
from strifebarge.tournaments.standings import StandingsLine


class Cell(NamedTuple):
    """The points that an entrant has made in some games."""

    points: tuple[int, ...] = ()  # halves, of each game that has ended
    against: int | None = None  # the number of the opponent's line, from 1
    outcome: GameOutcome | None = None  # of the last game; None where there is none
    oneself: bool = False


def is_square(tournament: Tournament) -> bool:
    """Return whether the table has a column for each opponent; else it has one for each round."""
    return tournament.format is Format.ROUND_ROBIN


def cross_table(tournament: Tournament, lines: Sequence[StandingsLine]) -> list[list[Cell]]:
    """Return the rows of the cross-table, in the order of the standings."""
    order = [line.entrant.number for line in lines]
    if is_square(tournament):
        return [[_against(tournament, entrant, other) for other in order] for entrant in order]
    return [
        [_in_round(tournament, entrant, each, order) for each in range(1, tournament.round + 1)]
        for entrant in order
    ]


def _against(tournament: Tournament, entrant: int, other: int) -> Cell:
    if entrant == other:
        return Cell(oneself=True)
    return _cell(
        [game for game in tournament.games if entrant in game.entrants and other in game.entrants], entrant
    )


def _in_round(tournament: Tournament, entrant: int, number: int, order: list[int]) -> Cell:
    games = [game for game in tournament.of_round(number) if entrant in game.entrants]
    cell = _cell(games, entrant)
    others = [each for each in games[-1].entrants if each != entrant] if games else []
    return cell._replace(against=order.index(others[0]) + 1) if len(others) == 1 else cell


def _cell(games: Sequence[TournamentGame], entrant: int) -> Cell:
    ended = tuple(game.scores()[entrant] for game in games if not game.running)
    return Cell(ended, outcome=games[-1].outcome if games else None)
