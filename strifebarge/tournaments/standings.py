"""How the entrants of a tournament stand: points, tie-breaks, places.  Pure.

Points are halves here, so that all are whole numbers; what is shown is divided when it is shown.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from strifebarge.tournaments.models import Entrant, Format, GameOutcome, Tournament, TournamentGame
from strifebarge.tournaments.pairing import boards, goes_on

UNTIED = {  # the tie-breaks of each format, in their order
    Format.ROUND_ROBIN: ("sonneborn", "direct", "wins"),
    Format.SWISS: ("buchholz", "sonneborn", "direct"),
    Format.KNOCK_OUT: (),
    Format.TABLES: ("wins",),
}
PARTS = {"buchholz": 2, "sonneborn": 4, "direct": 2, "wins": 1}  # by which a tie-break is divided to be shown


class StandingsLine(NamedTuple):
    """One entrant's line in the standings."""

    entrant: Entrant
    place: int  # from 1; those in a tie share the better one
    points: int  # halves
    ties: tuple[int, ...]  # by tie-break of the format; Buchholz in halves, Sonneborn-Berger in quarters
    played: int


def counted(tournament: Tournament) -> list[TournamentGame]:
    """Return the games that count for points.

    In a round robin those of somebody who has withdrawn before playing half of their games count for nobody.
    """
    if tournament.format is not Format.ROUND_ROBIN:
        return tournament.games
    enough = len(tournament.entrants) - 1
    without = {
        each.number
        for each in tournament.entrants
        if each.withdrawn and 2 * sum(_has_played(game, each.number) for game in tournament.games) < enough
    }
    return [game for game in tournament.games if not without.intersection(game.entrants)]


def _has_played(game: TournamentGame, number: int) -> bool:
    return number in game.entrants and game.outcome in (GameOutcome.PLAYED, GameOutcome.VOID)


def points(tournament: Tournament) -> dict[int, int]:
    """Return everybody's half points by number."""
    result = dict.fromkeys((each.number for each in tournament.entrants), 0)
    for game in counted(tournament):
        for number, score in game.scores().items():
            result[number] += score
    return result


def standings(tournament: Tournament) -> list[StandingsLine]:
    """Return the lines of all entrants, the best first; who is not told apart is by draw number."""
    if tournament.format is Format.KNOCK_OUT:
        return _knock_out_lines(tournament)
    scores, games = points(tournament), counted(tournament)
    breaks = [TIE_BREAKS[name] for name in UNTIED[tournament.format]]
    groups: list[list[Entrant]] = [tournament.drawn]
    keys: dict[int, list[int]] = {each.number: [scores[each.number]] for each in tournament.entrants}
    groups = _parted(groups, keys)
    for tie_break in breaks:
        values = [tie_break(games, scores, {each.number for each in group}) for group in groups]
        for group, value in zip(groups, values, strict=True):
            for each in group:
                keys[each.number].append(value[each.number])
        groups = _parted(groups, keys)
    return _lines(groups, lambda each: keys[each.number], games)


def _parted(groups: Iterable[list[Entrant]], keys: dict[int, list[int]]) -> list[list[Entrant]]:
    """Return the groups divided by what their keys end with, the highest first."""

    def last(each: Entrant) -> int:
        return keys[each.number][-1]

    return [
        [*part] for group in groups for _, part in groupby(sorted(group, key=last, reverse=True), key=last)
    ]


def _lines(
    groups: list[list[Entrant]], keys: Callable[[Entrant], list[int]], games: Iterable[TournamentGame]
) -> list[StandingsLine]:
    lines: list[StandingsLine] = []
    for group in groups:
        place = len(lines) + 1
        for each in group:
            score, *ties = keys(each)
            played = sum(_has_played(game, each.number) for game in games)
            lines.append(StandingsLine(each, place, score, tuple(ties), played))
    return lines


def _knock_out_lines(tournament: Tournament) -> list[StandingsLine]:
    """Return the lines of a knock-out: the later somebody lost, the better.  Each round won is a point."""
    reached: dict[int, int] = dict.fromkeys((each.number for each in tournament.entrants), 0)
    scores = dict(reached)
    for round_ in range(1, tournament.round + 1):
        for games in boards(tournament.of_round(round_)):
            on = None if games[-1].running else goes_on(tournament, games)
            for number in games[-1].entrants:
                reached[number] = 2 * round_ + (number == on)
                scores[number] += 2 * (number == on)
    keys = {number: [key] for number, key in reached.items()}
    groups = _parted([tournament.drawn], keys)
    return _lines(groups, lambda each: [scores[each.number]], tournament.games)


# -- tie-breaks ----------------------------------------------------------------------


def _buchholz(games: Sequence[TournamentGame], scores: dict[int, int], group: set[int]) -> dict[int, int]:
    """Sum the points of everybody's opponents.

    A round that somebody has not played (a bye, a walkover, a round missed) counts like a game against a
    virtual opponent who ends with as many points as they: FIDE Handbook C.07 (2024), article 16.4.  Not
    applied is article 16.3, by which the rounds after an opponent's withdrawal would count as draws: an
    opponent counts with the points that they have.
    """
    rounds = max((game.round for game in games), default=0)
    result = {number: rounds * scores[number] for number in group}
    for game in _met(games):
        for number in group.intersection(game.entrants):
            result[number] += sum(scores[other] for other in game.entrants) - 2 * scores[number]
    return result


def _sonneborn(games: Sequence[TournamentGame], scores: dict[int, int], group: set[int]) -> dict[int, int]:
    """Sum the points of the opponents whom each has beaten, and half of those with whom they drew.

    A bye, and a walkover, is a win over the virtual opponent of `_buchholz`.
    """
    result = dict.fromkeys(group, 0)
    for game in games:
        won, played = game.scores(), game.outcome is GameOutcome.PLAYED
        for number in group.intersection(game.entrants):
            opponents = [other for other in game.entrants if other != number] if played else [number]
            result[number] += sum(won[number] * scores[other] for other in opponents)
    return result


def _direct(games: Sequence[TournamentGame], scores: dict[int, int], group: set[int]) -> dict[int, int]:
    """Sum the points from the games of a group among themselves; nothing where not all of them have met."""
    among = [game for game in _met(games) if group.issuperset(game.entrants)]
    met = {pair for game in among for pair in combinations(sorted(game.entrants), 2)}
    result = dict.fromkeys(group, 0)
    if met.issuperset(combinations(sorted(group), 2)):
        for game in among:
            for number, score in game.scores().items():
                result[number] += score
    return result


def _wins(games: Sequence[TournamentGame], scores: dict[int, int], group: set[int]) -> dict[int, int]:
    """Count the games that each alone has won."""
    result = dict.fromkeys(group, 0)
    for game in games:
        if game.is_decisive and game.winner in group:
            result[game.winner] += 1
    return result


def _met(games: Iterable[TournamentGame]) -> list[TournamentGame]:
    return [game for game in games if game.outcome is GameOutcome.PLAYED]


TIE_BREAKS: dict[str, Callable[[Sequence[TournamentGame], dict[int, int], set[int]], dict[int, int]]] = {
    "buchholz": _buchholz,
    "sonneborn": _sonneborn,
    "direct": _direct,
    "wins": _wins,
}
