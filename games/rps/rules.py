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
    UNKNOWN_HAND = "That hand doesn't exist. Choose rock, paper or scissors."


class Throw(Action):
    """Throw a hand."""

    hand: Hand

    label = "{hand}"
    misread = {"hand": Why.UNKNOWN_HAND}


class Match(Options, frozen=True):
    """How long a match is."""

    best_of: Annotated[
        Literal[1, 3, 5, 7],
        Meta(title="Best of", description="Win more than half to win the game."),
    ] = 1
    ties: Annotated[
        Literal["again", "count"],
        Meta(
            title="Ties",
            description="Replay a tied throw, or count it as half a win each.",
            extra={"labels": {"again": "replayed", "count": "half a win each"}},
        ),
    ] = "again"


class Thrower(Seat):
    wins: float = 0


class RockPaperScissors(Game[Thrower]):
    """Throw together: rock crushes scissors, scissors shred paper, paper smothers rock."""

    title = "Rock-Paper-Scissors"
    length = "a minute"
    emblem = "rps-scissors"

    options: Match = Match()
    throws: int = 0
    last: list[Hand] = []

    async def play(self) -> Ranking:
        first, second = self.seats
        while not self.decided:
            throws = await self.ask_all("Throw a hand.", map(Throw, Hand))
            self.last = one, other = [throws[first].hand, throws[second].hand]
            values = {"first": first, "one": one, "second": second, "other": other}
            self.log("{first:You throw| throws} {one}, {second:you throw| throws} {other}.", **values)
            self.score(first, second)
        values = {"first": first, "wins": words(first.wins), "second": second, "others": words(second.wins)}
        why = Text("Throws won: {first:you} {wins}, {second:you} {others}.", values)
        return self.ranking(lambda seat: seat.wins, why=why)

    def score(self, first: Thrower, second: Thrower) -> None:
        """Score a throw, and tell how it was decided."""
        for winner, (hand, other) in (first, self.last), (second, self.last[::-1]):
            loser, how = BEATS[hand]
            if other is loser:
                winner.wins += 1
                self.throws += 1
                self.log(how)
                self.log("{seat:You} won the throw.", seat=winner)
                return
        self.draw(first, second)

    def draw(self, first: Thrower, second: Thrower) -> None:
        if self.options.ties == "again":
            self.log("Both throws are the same: throw again.")
            return
        self.throws += 1
        first.wins += 0.5
        second.wins += 0.5
        self.log("Both throws are the same: half a win each.")

    @property
    def decided(self) -> bool:
        """Return whether a seat has more than half of the throws, or all throws are thrown."""
        most = max(seat.wins for seat in self.seats)
        return most > self.options.best_of / 2 or self.throws >= self.options.best_of

    def standing(self, seat: Thrower) -> Text:
        if seat.wins % 1:
            return Text("{wins} wins", {"wins": words(seat.wins)})
        return count("{n} win", "{n} wins", int(seat.wins))


def words(wins: float) -> str:
    """Return a number of wins as it is written: 1, ½, 2½."""
    return f"{int(wins) or ''}½" if wins % 1 else str(int(wins))
