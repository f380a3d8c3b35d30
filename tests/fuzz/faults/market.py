"""Faults in a small auction, at which all bid at once."""

from typing import Any

from strifebarge.fuzz.law import Law
from strifebarge.rules import Action, Chance, Game, Hidden, Options, Refusal, Refused, Seat, hidden

from . import fault


class Why(Refusal):
    TOO_DEAR = "You have no more than {coins}."


class Bid(Action):
    """Offer some coins."""

    coins: int

    label = "Bid {coins}"

    @classmethod
    def sample(cls, game: "Market", seat: "Bidder", chance: Chance) -> "Bid":
        return cls(chance.below(seat.coins + 1))


class Fetch(Action):
    """Fetch the lot."""


class Stall(Options, frozen=True):
    lots: int = 2
    sealed: bool = True


class Bidder(Seat):
    coins: int = 5
    lots: Hidden[int] = hidden()


class Market(Game[Bidder]):
    """All bid at once; then the quickest seat fetches the lot."""

    title = "Market"
    players = range(2, 5)

    options: Stall = Stall()
    goods: Hidden[int] = hidden()

    def setup(self) -> None:
        self.goods = Hidden(self.chance.shuffled(range(1, 21)))

    async def play(self) -> Any:
        for _ in range(min(4, max(1, self.options.lots))):
            await self.sell()
        return self.ranking(lambda seat: sum(seat.lots))

    async def sell(self) -> None:
        bids = await self.ask_all("Bid.", self.purse)
        highest = max((bid.coins for bid in bids.values()), default=0)
        for seat, bid in bids.items():
            self.log("{seat} bids {coins}.", seat=seat, coins=bid.coins)
            seat.coins -= bid.coins if bid.coins == highest else 0
        if self.still_in:
            seat, _ = await self.ask_any("Who fetches it?", [Fetch()])
            seat.lots.append(self.goods.pop())
            self.log("{seat} fetches it.", seat=seat)

    def purse(self, seat: Bidder) -> list[Any]:
        return [Bid] if self.options.sealed else list(map(Bid, range(6)))

    def refuse(self, seat: Bidder, action: Action) -> Refused | None:
        match action:
            case Bid(coins) if not 0 <= coins <= seat.coins:
                return Why.TOO_DEAR(coins=seat.coins)
        return None


@fault(Law.REFUSING, quick=True)
class SampleIsRefused(Market):
    """A sample of a bid may be more than there is."""

    def refuse(self, seat: Bidder, action: Action) -> Refused | None:
        match action:
            case Bid(coins) if not 0 <= coins < max(1, seat.coins):
                return Why.TOO_DEAR(coins=seat.coins)
        return None


@fault(Law.CRASH, quick=True)
class OddBidBreaks(Market):
    """A bid that nobody has thought of cannot be judged."""

    def refuse(self, seat: Bidder, action: Action) -> Refused | None:
        if isinstance(action, Bid) and 100 // (action.coins - 7) > 100:
            return Why.TOO_DEAR(coins=seat.coins)
        return super().refuse(seat, action)


@fault(Law.DEAD_END, Law.CRASH, Law.REFUSING)
class BrokeBiddersAreStuck(Market):
    """Who has nothing left may not bid nothing."""

    def purse(self, seat: Bidder) -> list[Any]:
        return list(map(Bid, range(1, 6)))


@fault(Law.LEAK)
class LotIsTold(Market):
    """The log tells what a lot is worth, which only its owner may know."""

    async def sell(self) -> None:
        self.log("A lot of {worth} is for sale.", worth=self.goods[-1])
        await super().sell()


@fault(Law.LEAK, quick=True)
class LotIsShown(Market, kw_only=True):
    """A field that all see holds what the lot is worth."""

    worth: int = 0

    async def sell(self) -> None:
        self.worth = self.goods[-1]
        await super().sell()


@fault(Law.CRASH)
class NoLotsBreak(Market):
    """Where there are no lots, the best of none is looked for."""

    async def play(self) -> Any:
        return self.ranking(lambda seat: max(seat.lots) if self.options.lots < 1 else sum(seat.lots))


@fault(Law.PROCESS, Law.SAVING, Law.LEAK)
class SortsByAddress(Market):
    """Of equal bids that one counts whose seat lies first in memory."""

    async def sell(self) -> None:
        first = min(self.seats, key=id)
        self.log("{seat} opens.", seat=first)
        await super().sell()
