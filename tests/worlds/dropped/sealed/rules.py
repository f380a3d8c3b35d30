"""Sealed Bids: a game that no other file knows of, with a bit of everything that can be hidden."""

from typing import Any

from msgspec import field

from strifebarge.rules import Action, Game, Hidden, Seat, Secret, hidden


class Bid(Action):
    """Bid a card."""

    card: int

    label = "Bid {card}"


class Bidder(Seat):
    hand: Hidden[int] = hidden()
    charm: Secret[str] = field(default_factory=lambda: Secret(""))
    won: int = 0


class SealedBids(Game[Bidder]):
    """The highest card takes what the die shows; the others may look at the next card."""

    title = "Sealed Bids"
    players = range(2, 4)

    deck: Hidden[int] = hidden()
    fate: Secret[int] = field(default_factory=lambda: Secret(0))
    prize: int = 0

    def setup(self) -> None:
        self.deck = Hidden(self.chance.shuffled(range(1, 31)))
        self.fate = Secret(self.chance.below(1000))
        for seat in self.seats:
            seat.hand = Hidden(self.deck.draw(5))
            seat.charm = Secret(self.chance.choice(["a fox", "a wren", "a toad", "an owl"]))
            self.log("{seat} is dealt {cards:cards}.", seat=seat, cards=Secret(list(seat.hand), seat))

    async def play(self) -> Any:
        """A round: a die, sealed bids, a look at the next card, and everybody draws."""
        self.prize = self.chance.die()
        bids = await self.ask_all(
            "Bid for {prize}.", lambda seat: map(Bid, seat.hand), final=True, prize=self.prize
        )
        best = max(bids, key=lambda seat: bids[seat].card)
        best.won += self.prize
        for seat, bid in bids.items():
            seat.hand.remove(bid.card)
            self.log("{seat} bids {card}.", seat=seat, card=bid.card)
        self.deck.show(self.deck[-1], *[seat for seat in self.still_in if seat is not best] or [best])
        for seat in self.still_in:
            [card] = self.deck.draw()
            seat.hand.append(card)
            self.log("{seat} draws {card:a card}.", seat=seat, card=Secret(card, seat))
        return self.play if len(self.deck) > 6 else self.ranking(lambda seat: seat.won)
