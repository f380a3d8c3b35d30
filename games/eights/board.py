"""The table of Crazy Eights as one viewer sees it: the pile, the viewer's hand, and the others' hands."""

from collections.abc import Iterable
from typing import NamedTuple

from strifebarge.rules.board import BoardView
from strifebarge.rules.notation import write
from strifebarge.rules.pieces import Card, Suit

from .rules import CrazyEights, Draw, Holder, Name, Play

View = BoardView[CrazyEights, Holder]


class OtherHand(NamedTuple):
    """The hand of somebody else: the cards of it that the viewer sees, and the number of the others."""

    seat: Holder
    size: int
    known: list[Card]
    unknown: int


class Held(NamedTuple):
    """A card of the viewer's own hand."""

    card: Card
    play: Play
    playable: bool  # now
    planned: bool  # its viewer plans to play it


CUES = {"{seat:You name| names} {suit}.": "trick"}
SIZES = {5: "few", 8: "usual", 15: "more", 24: "many"}  # by the most cards of a hand


class Table(NamedTuple):
    """The things that `board.html` and `text.html` show."""

    top: Card  # of the pile
    pile: int  # the number of its cards
    stock: int
    suit: Suit | None  # to follow; None after an eight whose suit is yet to be named
    draw: Draw | None  # where the viewer may draw by hand
    names: list[Name]  # the suits that the viewer may name, where they must name one
    hand: list[Held] | None  # the viewer's own, sorted
    playable: int | None  # how many of its cards can be played now, where the viewer is to play one
    others: list[OtherHand]
    size: str  # of the viewer's hand: how large cards are drawn


def board(view: View) -> Table:
    """Return the table, all hands sorted."""
    game = view.game
    names = [offer.action for offer in view.offers if isinstance(offer.action, Name)]
    hand = _own_hand(view) if view.you else None
    playing = hand is not None and view.offers and not names
    return Table(
        top=game.pile[-1],
        pile=len(game.pile),
        stock=len(game.stock),
        suit=None if game.naming else game.suit,
        draw=Draw() if view.offered(Draw()) else None,
        names=names,
        hand=hand,
        playable=sum(held.playable for held in hand) if hand is not None and playing else None,
        others=[_other_hand(seat) for seat in game.seats if seat is not view.you],
        size=next((size for most, size in SIZES.items() if len(hand or ()) <= most), "most"),
    )


text = board


class Plate(NamedTuple):
    """The things that a player's plate tells: what `plate` in `cells.html` is given."""

    cards: int


def plates(view: View) -> dict[int, Plate]:
    """Return how many cards each player holds, by seat."""
    return {seat.number: Plate(len(seat.hand)) for seat in view.game.seats}


def _own_hand(view: View) -> list[Held]:
    hand = _sorted(view.you.hand) if view.you else []
    open_to = {offer.action for offer in view.offers if offer.refused is None}
    return [Held(card, play := Play(card), play in open_to, write(play) in view.planned) for card in hand]


def _other_hand(seat: Holder) -> OtherHand:
    cards = _sorted(seat.hand)
    return OtherHand(seat, len(seat.hand), cards, len(seat.hand) - len(cards))


def _sorted(cards: Iterable[Card | None]) -> list[Card]:
    """Return those cards that can be seen, by suit and rank: the order in which they came tells too much."""
    return sorted((card for card in cards if card), key=lambda card: card.order)
