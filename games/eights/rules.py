"""Crazy Eights."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, NamedTuple, Self

from msgspec import Meta

from strifebarge.rules import (
    Action,
    Chance,
    Game,
    Hidden,
    Next,
    No,
    Note,
    NothingFits,
    Options,
    Ranking,
    Refusal,
    Seat,
    Secret,
    Text,
    count,
    hidden,
)
from strifebarge.rules.pieces import Card, Suit, rank_name

WIDE = 6  # turns ahead of all others that are as good as the game
DRAWN = 3  # cards that one who can play none draws more than are played then


class Why(Refusal):
    NOT_HELD = "You don't have the {card}. Play a card of your hand.", 902
    UNKNOWN_CARD = "That card doesn't exist. Write the rank, then the suit, like 10D.", 903
    STOCK_EMPTY = "The stock is empty. Play a card that fits.", 904
    NO_SUIT_TO_NAME = "You can't name a suit now. Play or draw a card.", 905
    UNKNOWN_SUIT = "That suit doesn't exist. Write C, S, H or D.", 906
    NO_MATCH = "The {card} doesn't fit. Play {fitting}.", 907
    NAME_A_SUIT = "Name the suit to follow first."
    MUST_PLAY = "You can't draw: you have a card that fits."


class Play(Action):
    """Play a card of the same suit or rank, or any eight."""

    card: Card

    label = "Play the {card}"
    misread = {"card": Why.UNKNOWN_CARD}


class Draw(Action):
    """Draw a card."""


class Name(Action):
    """Name the suit to follow."""

    suit: Suit

    label = "Follow {suit}"
    misread = {"suit": Why.UNKNOWN_SUIT}


class Pass(Action):
    "Pass (empty seats only)."


class House(Options, frozen=True):
    """The rules of the house."""

    draw: Annotated[
        Literal["automatic", "by_hand"],
        Meta(
            title="Drawing",
            description="Automatic: you draw until a card fits. By hand: you draw as often as you like.",
            extra={"labels": {"automatic": "automatic", "by_hand": "by hand"}},
        ),
    ] = "automatic"


class Holder(Seat):
    hand: Hidden[Card] = hidden()
    missed: Note[dict[Card, int]] = {}  # what it could not follow, and how many of its cards do not


class Turn(NamedTuple):
    """A turn of a seat, as a later view tells of it."""

    before: Holder
    now: Holder
    led: Card | None  # the rank and suit to follow; None if the suit named is not known
    drawn: int
    card: Card | None  # what was played


class CrazyEights(Game[Holder]):
    """Be the first to get rid of your cards.  Eights are wild."""

    title = "Crazy Eights"
    players = range(1, 6)
    length = "10 minutes"
    emblem = "s-s"
    plans = "moves"
    ahead = 6

    options: House = House()
    stock: Hidden[Card] = hidden()
    pile: list[Card] = []
    suit: Suit = Suit.CLUBS
    naming: bool = False
    passes: list[int] = []  # the seats that had to pass, since a card was played

    def setup(self) -> None:
        self.stock = Hidden(self.chance.shuffled(Card))
        for seat in self.seats:
            seat.hand = Hidden(self.stock.draw(7 if len(self.seats) == 2 else 5))
        self.pile = self.stock.draw()
        self.suit = self.pile[-1].suit
        self.log("The starter is the {card}.", card=self.pile[-1])

    # -- the sequence of play --------------------------------------------------

    async def play(self) -> Next:
        """Ask each seat once round the table; end when a hand is empty or everybody passed."""
        for seat in self.seats:
            if seat.number not in self.out:
                await self.turn(seat)
            if not seat.hand or self.all_passed:
                return self.scored()
        return self.play

    async def turn(self, seat: Holder) -> None:
        """Draw, then play a card; pass when there is nothing to play and nothing to draw."""
        has_drawn = self.options.draw == "automatic" and self.draw_until_playable(seat)
        while self.playable(seat) or self.stock:
            match await self.ask(seat, "Play {fitting}.", self.choices(seat), fitting=self.fitting):
                case Draw():
                    self.draw(seat)
                case Play(card):
                    return await self.lay(seat, card, is_new=has_drawn)
                case _:  # an empty chair
                    return
        self.passes.append(seat.number)
        self.log("{seat:You pass| passes}.", seat=seat)

    async def lay(self, seat: Holder, card: Card, is_new: bool) -> None:
        """Play a card, perhaps one just drawn; after an eight, unless it was the last, ask for its suit."""
        seat.hand.remove(card)
        if not is_new:
            missed = {led: count - (not fits(card, led)) for led, count in seat.missed.items()}
            seat.missed = {led: count for led, count in missed.items() if count}
        self.pile.append(card)
        self.suit = card.suit
        self.passes = []
        self.log("{seat:You play| plays} the {card}.", seat=seat, card=card)
        if card.rank == "8" and seat.hand:
            self.naming = True
            named = await self.ask(seat, "Name the suit to follow.", map(Name, Suit))
            self.naming = False
            self.suit = named.suit
            self.log("{seat:You name| names} {suit}.", seat=seat, suit=self.suit)

    # -- procedures ------------------------------------------------------------

    def draw_until_playable(self, seat: Holder) -> bool:
        """Draw until a card fits, of which it is known that it alone does; return whether that was needed."""
        if self.playable(seat):
            return False
        while self.stock and not self.playable(seat):
            self.draw(seat)
        seat.missed[self.led] = len(seat.hand) - self.playable(seat)
        return True

    def draw(self, seat: Holder) -> None:
        [card] = self.stock.draw()
        seat.hand.append(card)
        drawn = Text("the {card}", {"card": card})
        self.log("{seat:You draw| draws} {card:a card}.", seat=seat, card=Secret(drawn, seat))

    @property
    def all_passed(self) -> bool:
        return all(seat.number in self.passes for seat in self.still_in)

    def scored(self) -> Ranking:
        for seat in self.still_in:
            left = count("{n} point", "{n} points", points(seat))
            self.log("{seat:You have| has} {points} in hand.", seat=seat, points=left)
        return self.ranking(points, best=min, why=Text("Fewest points left in hand."))

    def absent(self, seat: Holder, offers: list[Action]) -> Action:
        return Name(self.suit) if self.naming else Pass()

    # -- what helps bots -------------------------------------------------------

    def imagine(self, view: Self, seat: Holder, chance: Chance) -> None:
        """Fill the hands and the top of the stock with cards that agree with the turns from here to a view.

        A card that was played fits where it was played.  Where a player could not follow, the other cards of
        that hand do not fit, as long as such cards are left.
        """
        seen = {*view.pile, *(card for each in view.seats for card in each.hand.visible)}
        unseen = chance.shuffled(card for card in Card if card not in seen)
        drawn: list[Card] = []
        for turn in self.turns_since(view):
            before, now = turn.before.hand, turn.now.hand
            if turn.before is seat:
                new = [card for card in now.visible if card not in before]
                last = [turn.card] if turn.card and turn.card not in before else []
            else:
                is_new = self.options.draw == "automatic" and turn.drawn > 0
                last = [turn.card] if turn.card and is_new else []
                had = [turn.card] if turn.card and not is_new else []
                before.fill([*had, *self.hand_of(turn, unseen, had, is_new)])
                new = [taken(unseen, [turn.led] * is_new) for _ in range(turn.drawn - len(last))]
            drawn += [*new, *last]
        self.stock.fill([*drawn, *chance.shuffled(unseen)][: len(self.stock)])

    def hand_of(self, turn: "Turn", unseen: list[Card], had: list[Card], is_new: bool) -> list[Card]:
        """Take what else a hand may have held before a turn: cards that did not fit then, or before."""
        missed = turn.before.missed
        first = sum(not any(fits(card, led) for led in missed) for card in had)
        wanted = range(first, first + len(turn.before.hand) - len(had))
        return [
            taken(unseen, [*[turn.led] * is_new, *(led for led, count in missed.items() if nth < count)])
            for nth in wanted
        ]

    def turns_since(self, view: Self) -> Iterator["Turn"]:
        """Yield what each seat has done since then, as far as a later view tells."""
        led: Card | None = self.led
        played = view.pile[len(self.pile) :]
        for before, now in zip(self.seats, view.seats, strict=True):
            card = played.pop(0) if played and before.number not in self.out else None
            yield Turn(before, now, led, len(now.hand) + (card is not None) - len(before.hand), card)
            if card is not None:
                suit = card.suit if card.rank != "8" else played[0].suit if played else view.suit
                can_be_named = card.rank != "8" or not played or played[0].rank != "8"
                led = Card(card.rank + suit) if can_be_named else None

    def worth(self, seat: Holder) -> float:
        """Return how much sooner than the best of the others a hand may be empty."""
        others = [turns_to_go(each) for each in self.still_in if each is not seat]
        ahead = (min(others) if others else 0) - turns_to_go(seat)
        return 0.5 + max(-1.0, min(1.0, ahead / WIDE)) / 2

    # -- what may be played ----------------------------------------------------

    def choices(self, seat: Holder) -> list[Action]:
        draw = [Draw()] if self.options.draw == "by_hand" else []
        return [*map(Play, seat.hand), *draw]

    def refuse(self, seat: Holder, action: Action) -> No:
        # fmt: off
        match action:
            case Name() if not self.naming: return Why.NO_SUIT_TO_NAME
            case Play(card) if card not in seat.hand: return Why.NOT_HELD(card=card)
            case Play() | Draw() if self.naming: return Why.NAME_A_SUIT
            case Play(card) if not self.follows(card):
                return Why.NO_MATCH(card=card, fitting=self.fitting)
            case Draw() if not self.stock: return Why.STOCK_EMPTY
            case Draw() if self.options.draw == "automatic": return Why.MUST_PLAY
        # fmt: on
        return None

    def follows(self, card: Card) -> bool:
        return fits(card, self.led)

    @property
    def led(self) -> Card:
        """The rank and the suit to follow; no such card need lie there after an eight."""
        return Card(self.pile[-1].rank + self.suit)

    def playable(self, seat: Holder) -> bool:
        led = self.led
        return any(fits(card, led) for card in seat.hand)

    @property
    def fitting(self) -> Text:
        """The cards that may be played, in words."""
        values = {"suit": self.suit, "rank": rank_name(self.pile[-1].rank)}
        match self.pile[-1].rank:
            case "8":
                return Text("a card of {suit} or an eight", values)
            case "A":
                return Text("a card of {suit}, an {rank}, or an eight", values)
        return Text("a card of {suit}, a {rank}, or an eight", values)

    def standing(self, seat: Holder) -> Text:
        return count("{n} card", "{n} cards", len(seat.hand))


def fits(card: Card, led: Card) -> bool:
    """Return whether a card may be played where this rank and suit are to be followed."""
    return card.rank in ("8", led.rank) or card.suit == led.suit


def taken(unseen: list[Card], missed: Iterable[Card | None]) -> Card:
    """Take a card that fits none of what is known to have been missed, if there is one.

    Raises NothingFits where no card is left.
    """
    if not unseen:
        raise NothingFits("no card is left")
    cards = [led for led in missed if led is not None]
    may_be = (nth for nth, card in enumerate(unseen) if not any(fits(card, led) for led in cards))
    return unseen.pop(next(may_be, 0))


def points(seat: Holder) -> int:
    """Return the points left in a hand: an eight is 50, court cards 10, an ace 1, others their number."""
    worth = {"8": 50, "A": 1, "J": 10, "Q": 10, "K": 10}
    return sum(worth.get(card.rank) or int(card.rank) for card in seat.hand)


def turns_to_go(seat: Holder) -> float:
    """Return in how many turns a hand may be empty: with few suits and no eight it draws more cards."""
    suits = {card.suit for card in seat.hand if card.rank != "8"}
    eights = sum(card.rank == "8" for card in seat.hand)
    missing = 1 - len(suits) / len(Suit)
    drawn = DRAWN * missing * min(2, len(seat.hand)) / (1 + 3 * eights) if suits else 0
    return len(seat.hand) - eights / 2 + drawn
