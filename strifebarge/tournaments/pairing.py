"""Pair the rounds of a tournament: who plays whom, and who has the first seat.  Pure, by its seed alone.

A round robin follows the circle method: each two meet once.  A knock-out has a bracket by draw numbers.  At
tables of several everybody is to meet all others as evenly as can be.  Swiss has a module of its own.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

from strifebarge.rules import Chance
from strifebarge.tournaments.models import (
    GAMES_OF_A_PAIR,
    Entrant,
    Format,
    GameOutcome,
    Tournament,
    TournamentGame,
)

Pair: TypeAlias = tuple[int, int]
Swiss: TypeAlias = Callable[[Tournament], list[list[int]]]  # groups of two, and at most one of one: a bye

ARRANGEMENTS = 12  # ways to divide everybody among tables that are begun with, of which the best is taken


def draw_numbers(tournament: Tournament) -> None:
    """Draw numbers for all entrants, by the seed; latecomers come after all others."""
    start = max((each.draw for each in tournament.entrants), default=0)
    new = [each for each in tournament.entrants if not each.draw]
    drawn = Chance(tournament.seed, {}, f"draw {start}").shuffled(new)
    for number, each in enumerate(drawn, start + 1):
        each.draw = number


def next_games(tournament: Tournament, swiss: Swiss) -> list[TournamentGame]:
    """Return the games that come next; none where the tournament is over.  No game must be running."""
    match tournament.format:
        case Format.ROUND_ROBIN:
            return _round_robin(tournament)
        case Format.KNOCK_OUT:
            return _knock_out(tournament)
    if tournament.round >= tournament.all_rounds or len(tournament.active) < 2:
        return []
    if tournament.format is Format.SWISS:
        return _games(tournament, [_by_first_seats(tournament, each) for each in swiss(tournament)])
    return _tables(tournament)


def _games(tournament: Tournament, groups: Iterable[list[int]]) -> list[TournamentGame]:
    """Return the games of a new round: a group of one has a bye, and nobody plays a withdrawn opponent."""
    games = []
    for board, group in enumerate(groups, 1):
        game = TournamentGame(round=tournament.round + 1, board=board, entrants=group)
        present = [each for each in group if not tournament.entrant(each).withdrawn]
        if len(group) == 1:
            game.outcome = GameOutcome.BYE
            game.bye = max(2, tournament.settings.seats - 1)
        elif len(group) == 2 and len(present) < 2:
            game.outcome = GameOutcome.WALKOVER
            game.entrants = [*present, *(each for each in group if each not in present)]
        games.append(game)
    return games


def meetings(tournament: Tournament) -> Counter[Pair]:
    """Count how often each two have met, or were to meet."""
    return Counter(
        pair
        for game in tournament.games
        if game.attempt == 1
        for pair in combinations(sorted(game.entrants), 2)
    )


def firsts(tournament: Tournament) -> dict[int, list[bool]]:
    """Return for each entrant the games of two that were played, by whether they had the first seat."""
    had: dict[int, list[bool]] = {each.number: [] for each in tournament.entrants}
    for game in tournament.games:
        if game.table and len(game.entrants) == 2:
            for seat, number in enumerate(game.entrants):
                had[number].append(seat == 0)
    return had


def first_seat_surplus(had: Sequence[bool]) -> int:
    """Return by how much somebody had the first seat more often than the second."""
    return sum(1 if first else -1 for first in had)


def _by_first_seats(tournament: Tournament, group: list[int]) -> list[int]:
    """Return a pair so that first who has had the first seat less often, or longer ago; else by chance."""
    if len(group) < 2:
        return group
    had = firsts(tournament)
    one, other = sorted(group)
    balances = first_seat_surplus(had[one]), first_seat_surplus(had[other])
    if balances[0] != balances[1]:
        return [one, other] if balances[0] < balances[1] else [other, one]
    for own, theirs in zip(reversed(had[one]), reversed(had[other]), strict=False):
        if own != theirs:
            return [other, one] if own else [one, other]
    return Chance(tournament.seed, {}, f"seats {tournament.round} {one} {other}").shuffled([one, other])


# -- round robin ---------------------------------------------------------------------


def circle(count: int) -> list[list[Pair]]:
    """Return the rounds in which each two of `count` meet once, by index; the first of a pair moves first.

    Nobody has the first seat more than once more often than the second, nor less.
    """
    ring = [*range(count), *([-1] if count % 2 else [])]
    rounds = []
    for _ in range(len(ring) - 1):
        half = len(ring) // 2
        pairs = zip(ring[:half], reversed(ring[half:]), strict=True)
        rounds.append([_seated(*sorted(pair)) for pair in pairs if -1 not in pair])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return rounds


def _seated(low: int, high: int) -> Pair:
    return (low, high) if (high - low) % 2 else (high, low)


def _round_robin(tournament: Tournament) -> list[TournamentGame]:
    """Return the first round of the circle in which there is anything left to play."""
    everybody, met = tournament.drawn, meetings(tournament)
    active = {each.number for each in tournament.active}
    for pairs in circle(len(everybody)):
        groups = [[everybody[one].number, everybody[other].number] for one, other in pairs]
        left = [group for group in groups if active & {*group} and tuple(sorted(group)) not in met]
        if left:
            return _games(tournament, left)
    return []


# -- knock-out -----------------------------------------------------------------------


def bracket(count: int) -> list[tuple[int, int]]:
    """Return the pairs of the first round by draw number; a number above `count` is a bye.

    The first two can only meet in the last round, the first four only in the last but one, and so on.
    """
    order, size = [1], 1
    while size < count:
        size *= 2
        order = [each for number in order for each in (number, size + 1 - number)]
    return list(zip(order[::2], order[1::2], strict=True))


def goes_on(tournament: Tournament, games: Sequence[TournamentGame]) -> int | None:
    """Return who of a pair goes on to the next round; None while they have to play again.

    The games are all of one board.  Who has withdrawn does not go on, if the other has not; a game without a
    result, the last of several draws, or one of two who have both withdrawn leads on who has the earlier draw
    number.
    """
    last = games[-1]
    if last.outcome in (GameOutcome.BYE, GameOutcome.WALKOVER):
        return last.entrants[0]
    if last.is_decisive:
        return last.winner
    both = sorted((tournament.entrant(each) for each in last.entrants), key=_by_draw)
    remaining = [each for each in both if not each.withdrawn]
    settled = len(remaining) < 2 or last.outcome is GameOutcome.VOID or last.attempt >= GAMES_OF_A_PAIR
    return (remaining or both)[0].number if settled else None


def _by_draw(entrant: Entrant) -> int:
    return entrant.draw


def boards(games: Iterable[TournamentGame]) -> list[list[TournamentGame]]:
    """Return the games of a round by board, those of each in their order."""
    result: dict[int, list[TournamentGame]] = {}
    for game in sorted(games, key=lambda each: (each.board, each.attempt)):
        result.setdefault(game.board, []).append(game)
    return list(result.values())


def _knock_out(tournament: Tournament) -> list[TournamentGame]:
    """Return the games of pairs that have drawn, or else those of the next round."""
    if not tournament.round:
        by_draw = {each.draw: each.number for each in tournament.entrants}
        pairs = [[by_draw[each] for each in pair if each in by_draw] for pair in bracket(len(by_draw))]
        return _games(tournament, [_by_first_seats(tournament, pair) for pair in pairs])
    played = boards(tournament.of_round(tournament.round))
    winners = [goes_on(tournament, games) for games in played]
    again = [games[-1] for games, winner in zip(played, winners, strict=True) if winner is None]
    if again:
        return [
            TournamentGame(
                round=game.round,
                board=game.board,
                attempt=game.attempt + 1,
                entrants=[*reversed(game.entrants)],
            )
            for game in again
        ]
    on = [each for each in winners if each is not None]
    if len(on) == 1:
        return []
    pairs = [[one, other] for one, other in zip(on[::2], on[1::2], strict=True)]
    return _games(tournament, [_by_first_seats(tournament, pair) for pair in pairs])


# -- tables of several ---------------------------------------------------------------


def table_sizes(count: int, allowed: Iterable[int], preferred: int) -> list[int]:
    """Return for how many each table is, so that as many as possible play at tables near the wanted size.

    No table is larger than wanted.
    """
    best: list[tuple[int, list[int]] | None] = [(0, [])] + [None] * count
    for number in range(1, count + 1):
        for size in allowed:
            before = best[number - size] if 2 <= size <= min(preferred, number) else None
            if before is None:
                continue
            cost = before[0] + (preferred - size) ** 2
            best_split = best[number]
            if best_split is None or cost < best_split[0]:
                best[number] = (cost, sorted([*before[1], size], reverse=True))
    return next(best_split[1] for best_split in reversed(best) if best_split is not None)


def _tables(tournament: Tournament) -> list[TournamentGame]:
    """Return the tables of a round; who finds no seat has a bye, each in turn."""
    chance = Chance(tournament.seed, {}, f"tables {tournament.round + 1}")
    sizes = table_sizes(len(tournament.active), tournament.settings.sizes, tournament.settings.seats)
    if not sizes:
        return []
    order = chance.shuffled([each.number for each in tournament.active])
    byes = Counter(number for game in tournament.games if len(game.entrants) == 1 for number in game.entrants)
    order.sort(key=lambda number: -byes[number])
    playing, without = order[: sum(sizes)], order[sum(sizes) :]
    met = meetings(tournament)
    ways = [_improved(_divided(chance.shuffled(playing), sizes), met) for _ in range(ARRANGEMENTS)]
    groups = min(ways, key=lambda way: _cost(way, met))
    return _games(
        tournament, [*(_by_seats(tournament, group) for group in groups), *([each] for each in without)]
    )


def _divided(numbers: list[int], sizes: list[int]) -> list[list[int]]:
    groups, left = [], numbers
    for size in sizes:
        groups.append(left[:size])
        left = left[size:]
    return groups


def _meeting_again(group: Iterable[int], met: Counter[Pair]) -> int:
    """Return what it costs that these meet: more for each time that two of them have met before."""
    return sum((met[pair] + 1) ** 2 for pair in combinations(sorted(group), 2))


def _cost(groups: list[list[int]], met: Counter[Pair]) -> int:
    return sum(_meeting_again(group, met) for group in groups)


def _improved(groups: list[list[int]], met: Counter[Pair]) -> list[list[int]]:
    """Return tables between which no two people can be swapped so that fewer meet again."""
    better = True
    while better:
        better = any(_swap(one, other, met) for one, other in combinations(groups, 2))
    return groups


def _swap(one: list[int], other: list[int], met: Counter[Pair]) -> bool:
    """Swap two people of two tables if fewer meet again then, and return whether any were."""
    before = _meeting_again(one, met) + _meeting_again(other, met)
    for own in range(len(one)):
        for theirs in range(len(other)):
            one[own], other[theirs] = other[theirs], one[own]
            if _meeting_again(one, met) + _meeting_again(other, met) < before:
                return True
            one[own], other[theirs] = other[theirs], one[own]
    return False


def _by_seats(tournament: Tournament, group: list[int]) -> list[int]:
    """Return a table's people by seat: who has had late seats has an early one."""
    had: Counter[int] = Counter()
    for game in tournament.games:
        for seat, number in enumerate(game.entrants):
            had[number] += 2 * seat - (len(game.entrants) - 1)
    return sorted(group, key=lambda number: -had[number])
