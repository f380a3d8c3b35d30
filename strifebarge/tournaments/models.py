"""A tournament: its settings, its entrants, its games and how these have ended.  Pure."""

from enum import StrEnum
from typing import Any

from msgspec import Struct

from strifebarge.tables.model.bots import is_bot

MOST_ENTRANTS = 64
MOST_ROUNDS = 20
USUAL_ROUNDS = 4  # at tables of several
GAMES_OF_A_PAIR = 3  # in a knock-out, until the earlier draw number goes on


class Format(StrEnum):
    """A way to pair the rounds of a tournament."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    KNOCK_OUT = "knock-out"
    TABLES = "tables"  # for games of more than two, at tables of several


class TournamentStage(StrEnum):
    """How far a tournament has come."""

    OPEN = "open"  # people join
    RUNNING = "running"
    OVER = "over"


class GameOutcome(StrEnum):
    """How a game of a tournament came to its places."""

    RUNNING = ""
    PLAYED = "played"
    VOID = "void"  # it ended without a result
    BYE = "bye"  # there was nobody to play
    WALKOVER = "walkover"  # the opponent had withdrawn; the first entrant has won


class Entrant(Struct):
    """Somebody who plays in a tournament."""

    number: int  # in the order of joining, from 1
    player: str | None  # the secret id; None for a former player
    name: str = ""
    draw: int = 0  # drawn when the tournament starts: by it ties are broken that must be; 0 before
    first_round: int = 1  # the first round that they play
    withdrawn: bool = False

    @property
    def bot(self) -> bool:
        return is_bot(self.player)


class TournamentGame(Struct, kw_only=True):
    """One game of a round, or what stands for one."""

    round: int
    board: int  # in its round, from 1
    attempt: int = 1  # of a pair in a knock-out that has drawn
    entrants: list[int]  # by seat
    table: str | None = None
    outcome: GameOutcome = GameOutcome.RUNNING
    places: list[int] = []  # by seat, where it was played; ties share the better one
    bye: int = 2  # half points that a bye is worth: a win, or at tables of several the middle place

    @property
    def running(self) -> bool:
        return self.outcome is GameOutcome.RUNNING

    @property
    def is_decisive(self) -> bool:
        """True if one entrant alone has won."""
        return self.outcome is GameOutcome.PLAYED and self.places.count(1) == 1

    @property
    def winner(self) -> int:
        """The number of the entrant who alone has won a decisive game."""
        return self.entrants[self.places.index(1)]

    def scores(self) -> dict[int, int]:
        """Return the half points of each entrant: two for each opponent behind, one for each that shares."""
        if self.outcome is GameOutcome.BYE:
            return dict.fromkeys(self.entrants, self.bye)
        if self.outcome is GameOutcome.WALKOVER:
            return {self.entrants[0]: 2, self.entrants[1]: 0}
        if self.outcome is not GameOutcome.PLAYED:
            return dict.fromkeys(self.entrants, 0)
        return {
            entrant: sum((other > place) * 2 + (other == place) for other in self.places) - 1
            for entrant, place in zip(self.entrants, self.places, strict=True)
        }


class TournamentSettings(Struct, kw_only=True):
    """How the games of a tournament are played."""

    options: dict[str, Any] = {}
    pace: str = ""
    seats: int = 2  # at a table, as far as the entrants can be so divided
    sizes: list[int] = []  # for how many the game can be played with these options
    afterwards: str = "quiet"
    language: str = ""


class Tournament(Struct, kw_only=True):
    """A tournament with all that has happened in it.  Times are seconds since 1970, UTC."""

    id: str
    game: str
    name: str
    format: Format
    organiser: str | None
    seed: str
    settings: TournamentSettings
    rounds: int = 0  # how many there are to be, where that is chosen: of Swiss and at tables
    listed: bool = False
    stage: TournamentStage = TournamentStage.OPEN
    round: int = 0  # the one that was paired last
    revision: int = 0
    created: float = 0
    changed: float = 0
    entrants: list[Entrant] = []
    games: list[TournamentGame] = []

    def entrant(self, number: int) -> Entrant:
        return next(each for each in self.entrants if each.number == number)

    def entrant_of(self, player: str | None) -> Entrant | None:
        """Return the entrant who is this player."""
        return next((each for each in self.entrants if player and each.player == player), None)

    def running_game_of(self, number: int) -> TournamentGame | None:
        """Return the game that an entrant plays now, if there is one."""
        return next((game for game in self.games if game.running and number in game.entrants), None)

    @property
    def drawn(self) -> list[Entrant]:
        """All entrants by draw number."""
        return sorted(self.entrants, key=lambda each: (each.draw, each.number))

    @property
    def active(self) -> list[Entrant]:
        """The entrants who are to be paired, by draw number."""
        return [each for each in self.drawn if not each.withdrawn]

    @property
    def all_rounds(self) -> int:
        """How many rounds there are in all, as far as it can be said now."""
        count = max(2, len(self.entrants))
        match self.format:
            case Format.ROUND_ROBIN:
                return max(self.round, count - 1 + count % 2)
            case Format.KNOCK_OUT:
                return (count - 1).bit_length()
            case Format.SWISS:
                rounds = self.rounds or (count - 1).bit_length()
                # Half the players: that many rounds have pairs without second meetings, whatever happens.
                return rounds if self.stage is TournamentStage.OPEN else min(rounds, (count + 1) // 2)
        return self.rounds or USUAL_ROUNDS

    def of_round(self, number: int) -> list[TournamentGame]:
        return [game for game in self.games if game.round == number]

    def byes(self, number: int) -> list[Entrant]:
        """Return who has a bye in a round of a round robin; in other formats a bye is a game of its own."""
        if self.format is not Format.ROUND_ROBIN:
            return []
        playing = {each for game in self.of_round(number) for each in game.entrants}
        return [each for each in self.active if each.first_round <= number and each.number not in playing]

    @property
    def with_bots(self) -> bool:
        return any(each.bot for each in self.entrants)

    @property
    def version(self) -> int:
        """Count what its page shows of changes: what was written, and the games that have ended."""
        return self.revision + sum(not game.running for game in self.games)

    @property
    def is_under_way(self) -> bool:
        """True while a game of the tournament is being played."""
        return any(game.running for game in self.games)
