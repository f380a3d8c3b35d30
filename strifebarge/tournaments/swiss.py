"""Pair a Swiss round: people with about as many points, who have not met, with turns at the first seat.

Nobody meets twice or has two byes.  Of all ways to pair everybody the one is taken that costs least, by these
costs, the greatest first: points between two, or above none for a bye; a third first seat in a row, or one
more than the other; two of one half of those with the same points.
"""

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from strifebarge.lib.programs import answer_of
from strifebarge.tournaments.models import Entrant, GameOutcome, Tournament
from strifebarge.tournaments.pairing import first_seat_surplus, firsts, meetings
from strifebarge.tournaments.standings import points

Edge: TypeAlias = tuple[int, int, int]  # one, other, weight
Matching: TypeAlias = Callable[[list[Edge]], list[tuple[int, int]]]
PROGRAM = Path(__file__).with_name("swiss_program.py")
TAKES = 60.0  # seconds at most; one is usual
BYE = 0  # who has it is paired with this number
# So much does each kind of cost outweigh all that come after it.
APART, SEATS, HALVES = 10**9, 10**4, 1


def swiss_pairs(tournament: Tournament, matching: Matching | None = None) -> list[list[int]]:
    """Return the pairs of the next round, those with most points first, and at most one bye.

    Returns none where somebody would have to meet twice or have two byes.  Without another way to find a
    `matching` a process is started for it.  Raises Busy.
    """
    scores = points(tournament)
    needed = costs(tournament)
    most = max(needed.values(), default=0) + 1
    edges = [(one, other, most - cost) for (one, other), cost in sorted(needed.items())]
    matched = (matching or _matched_apart)(edges)
    pairs = [[each for each in pair if each != BYE] for pair in matched]
    if sum(map(len, pairs)) < len(tournament.active):
        return []
    draw = {each.number: each.draw for each in tournament.entrants}

    def rank(pair: list[int]) -> tuple[bool, int, int]:
        return len(pair) == 1, -max(scores[each] for each in pair), min(draw[each] for each in pair)

    return sorted(pairs, key=rank)


def costs(tournament: Tournament) -> dict[tuple[int, int], int]:
    """Return what each pair would cost that may be made; 0 stands for a bye."""
    scores, met, had = points(tournament), meetings(tournament), firsts(tournament)
    active = tournament.active
    halves = _halves(active, scores)
    result: dict[tuple[int, int], int] = {}
    for one, other in combinations(active, 2):
        pair = (min(one.number, other.number), max(one.number, other.number))
        if pair in met:
            continue
        apart = (scores[one.number] - scores[other.number]) ** 2
        seats = _seat_cost(had[one.number], had[other.number])
        same_half = scores[one.number] == scores[other.number] and halves[one.number] == halves[other.number]
        result[pair] = apart * APART + seats * SEATS + same_half * HALVES
    if len(active) % 2:
        byes = {game.entrants[0] for game in tournament.games if game.outcome is GameOutcome.BYE}
        for each in active:
            if each.number not in byes:
                result[BYE, each.number] = scores[each.number] ** 2 * APART + each.first_round
    return result


def _halves(active: list[Entrant], scores: dict[int, int]) -> dict[int, bool]:
    """Return for each whether they are in the upper half, by draw number, of those with the same points."""
    result: dict[int, bool] = {}
    for score in {scores[each.number] for each in active}:
        group = [each.number for each in active if scores[each.number] == score]
        result |= {number: index < len(group) // 2 for index, number in enumerate(group)}
    return result


def _seat_cost(own: list[bool], theirs: list[bool]) -> int:
    """Return what it costs two to play, since one of them has the first seat and the other has not."""
    return min(
        _strain(own, True) + _strain(theirs, False),
        _strain(own, False) + _strain(theirs, True),
    )


def _strain(had: list[bool], first: bool) -> int:
    """Return what it costs to have the first seat, or not to, after these games."""
    third_in_a_row = len(had) >= 2 and had[-1] == had[-2] == first
    return first_seat_surplus([*had, first]) ** 2 + 50 * third_in_a_row


def _matched_apart(edges: list[Edge]) -> list[tuple[int, int]]:
    """Return the pairs of greatest weight, as a process of its own finds them.  Raises Busy."""
    matched = answer_of(PROGRAM, edges, TAKES, "a round could not be paired")
    return [(one, other) for one, other in matched]
