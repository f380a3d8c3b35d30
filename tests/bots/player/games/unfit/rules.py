"""A game in which thinking fails: nobody can say what a position is worth."""

import os
import signal
from time import sleep
from typing import Literal

from strifebarge.rules import Action, Game, Options, Ranking, Seat


class Pick(Action):
    """Pick a number."""

    number: int


class How(Options, frozen=True):
    """How it fails."""

    how: Literal["not", "raises", "dies", "sleeps", "loops", "fills"] = "not"


class Unfit(Game[Seat]):
    """Pick a number each."""

    title = "Unfit"
    options: How = How()
    picked: int = 0

    async def play(self) -> Ranking:
        for seat in self.seats:
            answer = await self.ask(seat, "Pick one.", [Pick(1), Pick(2), Pick(3)])
            self.picked += answer.number
        return self.ranking()

    def worth(self, seat: Seat) -> float:
        match self.options.how:
            case "raises":
                raise ValueError("nobody knows what this is worth")
            case "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            case "sleeps":
                sleep(3600)
            case "loops":
                while True:
                    pass
            case "fills":
                return float(len([bytes(2**20) for _ in range(10_000)]))
        return 0.5
