"""Faults in a game of cards that are passed on face down."""

from typing import Any

from strifebarge.fuzz.law import Law
from strifebarge.rules import Action, Game, Hidden, Seat, hidden
from strifebarge.rules.pieces import Card

from . import fault


class Give(Action):
    """Pass a card on, face down."""

    card: Card


class Lay(Action):
    """Lay a card."""

    card: Card


class Keeper(Seat):
    hand: Hidden[Card] = hidden()


class Passing(Game[Keeper]):
    """Each in turn passes a card on, takes one from the pile, and lays two."""

    title = "Passing"
    players = range(2, 5)

    stock: Hidden[Card] = hidden()
    pile: list[Card] = []

    def setup(self) -> None:
        self.stock = Hidden(self.chance.shuffled(Card))
        for seat in self.seats:
            seat.hand = Hidden(self.stock.draw(6))
        self.pile = self.stock.draw()
        self.log("The pile begins with the {card}.", card=self.pile[-1])

    async def play(self) -> Any:
        for seat in self.round():
            self.log("{seat} bets on the {card}.", seat=seat, card=self.chance.choice(list(Card)))
            following = [each for each in self.still_in if each.number > seat.number] or self.still_in
            given = await self.ask(seat, "Pass a card on.", map(Give, seat.hand))
            seat.hand.remove(given.card)
            following[0].hand.append(given.card)
            self.given(seat, following[0], given.card)
            taken = self.pile.pop()
            seat.hand.append(taken)
            self.log("{seat} takes the {card}.", seat=seat, card=taken)
            for _ in range(min(2, len(seat.hand))):
                laid = await self.ask(seat, "Lay a card.", map(Lay, seat.hand))
                seat.hand.remove(laid.card)
                self.pile.append(laid.card)
        over = len(self.still_in) < 2 or not all(seat.hand for seat in self.still_in)
        return self.ranking(lambda seat: -len(seat.hand)) if over else self.play

    def given(self, seat: Keeper, other: Keeper, card: Card) -> None:
        self.log("{seat} passes a card to {other}.", seat=seat, other=other)


@fault(Law.LEAK, quick=True)
class PassedCardIsTold(Passing):
    """The log names the card that is passed on face down."""

    def given(self, seat: Keeper, other: Keeper, card: Card) -> None:
        self.log("{seat} passes the {card} to {other}.", seat=seat, card=card, other=other)


@fault(Law.LEAK, quick=True)
class TopOfTheStockIsTold(Passing):
    """The log of the deal names the card on top of the stock."""

    def setup(self) -> None:
        super().setup()
        self.log("Under the {card} lie all others.", card=self.stock[-1])


@fault(Law.LEAK, quick=True)
class FieldHoldsTheHighestCard(Passing, kw_only=True):
    """A field that all see holds the highest card of a hand."""

    highest: dict[int, Card] = {}

    def given(self, seat: Keeper, other: Keeper, card: Card) -> None:
        super().given(seat, other, card)
        self.highest[other.number] = max(other.hand, key=lambda each: each.order[::-1])


@fault(beyond="what is laid open by the rules, all may see")
class FoldedHandLiesOpen(Passing, kw_only=True):
    """A hand that is laid down unseen goes into a field that all see."""

    folded: list[Card] = []

    def given(self, seat: Keeper, other: Keeper, card: Card) -> None:
        super().given(seat, other, card)
        self.folded += self.stock.draw() if self.stock else []
