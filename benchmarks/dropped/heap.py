"""A game without any hint for bots, as authors may drop one into the folder."""

from strifebarge.rules import Action, Game, Hidden, Ranking, Seat, hidden

STONES = 15  # that can be seen
BENEATH = (0, 4, 8)  # stones, of which nobody knows how many there are
MOST = 3  # stones of a turn


class Take(Action):
    """Take stones."""

    stones: int


class Heap(Game[Seat]):
    """Take one to three stones in turn.  Some lie beneath, unseen; who takes the very last one wins."""

    title = "Heap"
    players = range(2, 3)

    left: int = STONES
    beneath: Hidden[int] = hidden()

    def setup(self) -> None:
        self.beneath = Hidden([self.chance.choice(BENEATH)])

    async def play(self) -> Ranking:
        while True:
            for seat in self.seats:
                takes = [Take(stones) for stones in range(1, min(MOST, self.left) + 1)]
                taken = await self.ask(seat, "Take stones.", takes)
                self.left -= taken.stones
                if not self.left:
                    self.left = sum(self.beneath.draw())
                if not self.left:
                    return self.ranking(lambda each, last=seat: each is last)
