"""Rock-Paper-Scissors, the smallest game with a secret."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from msgspec import Meta

from strifebarge.rules import Action, Game, Options, Ranking, Refusal, Seat, Text, count


class Hand(StrEnum):
    """A hand; read in any letter case."""

    ROCK, PAPER, SCISSORS = "rock", "paper", "scissors"

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return next((hand for hand in cls if hand.value == str(value).lower()), None)


BEATS = {
    Hand.ROCK: (Hand.SCISSORS, "Rock crushes scissors."),
    Hand.SCISSORS: (Hand.PAPER, "Scissors shred paper."),
    Hand.PAPER: (Hand.ROCK, "Paper smothers rock."),
}


class Why(Refusal):
    UNKNOWN_HAND = "A hand is rock, paper or scissors.", 901


class Throw(Action):
    """Throw a hand."""

    hand: Hand

    label = "{hand}"
    misread = {"hand": Why.UNKNOWN_HAND}


class Match(Options, frozen=True):
    """How long a match is."""

    best_of: Annotated[
        Literal[1, 3, 5, 7],
        Meta(title="Best of", description="The first to win more than half of them wins."),
    ] = 1
    ties: Annotated[
        Literal["again", "count"],
        Meta(
            title="Drawn throws",
            description="Whether a drawn throw is thrown again, or counts for both as half a win.",
            extra={"labels": {"again": "are thrown again", "count": "count half for both"}},
        ),
    ] = "again"


class Thrower(Seat):
    wins: float = 0


class RockPaperScissors(Game[Thrower]):
    """Throw together: rock crushes scissors, scissors shred paper, paper smothers rock."""

    title = "Rock-Paper-Scissors"
    players = "White", "Black"
    length = "a minute"
    emblem = "rps-scissors"

    options: Match = Match()
    throws: int = 0
    last: list[Hand] = []

    async def play(self) -> Ranking:
        white, black = self.seats
        while not self.decided:
            throws = await self.ask_all("Throw a hand.", map(Throw, Hand))
            self.last = one, other = [throws[white].hand, throws[black].hand]
            told = {"white": white, "one": one, "black": black, "other": other}
            self.log("{white} throws {one}, {black} throws {other}.", **told)
            self.score(white, black)
        won = {"white": words(white.wins), "black": words(black.wins)}
        return self.ranking(lambda seat: seat.wins, why=Text("Throws won: {white} to {black}.", won))

    def score(self, white: Thrower, black: Thrower) -> None:
        """Who won the throw, and how it was decided."""
        for winner, (hand, other) in (white, self.last), (black, self.last[::-1]):
            loser, how = BEATS[hand]
            if other is loser:
                winner.wins += 1
                self.throws += 1
                self.log(how)
                self.log("{seat} wins the throw.", seat=winner)
                return
        self.draw(white, black)

    def draw(self, white: Thrower, black: Thrower) -> None:
        if self.options.ties == "again":
            self.log("Both the same: throw again.")
            return
        self.throws += 1
        white.wins += 0.5
        black.wins += 0.5
        self.log("Both the same: half a win each.")

    @property
    def decided(self) -> bool:
        """Somebody has more than half, or all throws are thrown."""
        most = max(seat.wins for seat in self.seats)
        return most > self.options.best_of / 2 or self.throws >= self.options.best_of

    def standing(self, seat: Thrower) -> Text:
        if seat.wins % 1:
            return Text("{wins} wins", {"wins": words(seat.wins)})
        return count("{n} win", "{n} wins", int(seat.wins))


def words(wins: float) -> str:
    """1, ½, 2½."""
    return f"{int(wins) or ''}½" if wins % 1 else str(int(wins))
