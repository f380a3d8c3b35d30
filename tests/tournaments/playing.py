"""Tournaments in memory, whose games end at once: by chance, or as a test says."""

from collections.abc import Callable
from functools import partial
from random import Random

from strifebarge.tournaments.models import (
    Entrant,
    Format,
    GameOutcome,
    Tournament,
    TournamentGame,
    TournamentSettings,
    TournamentStage,
)
from strifebarge.tournaments.pairing import draw_numbers, next_games
from strifebarge.tournaments.swiss import swiss_pairs
from strifebarge.tournaments.swiss_program import matching

Result = Callable[[TournamentGame], list[int]]  # the places of a game, by seat


def tournament(format: Format, count: int, seed: str = "5eed", **fields) -> Tournament:
    """One that has started, with so many entrants."""
    result = Tournament(
        **{
            "id": "T0000001",
            "game": "chess",
            "name": "A cup",
            "format": format,
            "organiser": None,
            "seed": seed,
            "settings": TournamentSettings(),
            "stage": TournamentStage.RUNNING,
            "entrants": [Entrant(number, f"player {number}", f"P{number}") for number in range(1, count + 1)],
        }
        | fields
    )
    draw_numbers(result)
    return result


def by_strength(game: TournamentGame) -> list[int]:
    """The entrant with the lower number wins."""
    order = sorted(game.entrants)
    return [order.index(each) + 1 for each in game.entrants]


def by_chance(dice: Random) -> Result:
    """Somebody wins, or nobody does."""

    def result(game: TournamentGame) -> list[int]:
        if dice.random() < 0.2:
            return [1] * len(game.entrants)
        return [place + 1 for place in dice.sample(range(len(game.entrants)), len(game.entrants))]

    return result


def pair(tournament: Tournament) -> list[TournamentGame]:
    """Pair the next games, and note them; those that are played have tables."""
    games = next_games(tournament, partial(swiss_pairs, matching=matching))
    for game in games:
        if game.running:
            game.table = f"{game.round}.{game.board}.{game.attempt}"
        tournament.round = game.round
    tournament.games += games
    return games


def play_round(tournament: Tournament, result: Result = by_strength) -> list[TournamentGame]:
    games = pair(tournament)
    for game in games:
        if game.running:
            game.outcome, game.places = GameOutcome.PLAYED, result(game)
    return games


def play(tournament: Tournament, result: Result = by_strength) -> Tournament:
    """Play it to its end."""
    while play_round(tournament, result):
        assert len(tournament.games) < 5000
    return tournament
