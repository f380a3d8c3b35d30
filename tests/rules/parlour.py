"""Small games that nobody would play, each with everything of one kind in it."""

from typing import Any

from msgspec import Struct, field

from strifebarge.rules import Action, Chance, Game, Hidden, Options, Refusal, Refused, Seat, Secret, hidden

from .taking_up import Watched


class Why(Refusal):
    TOO_DEAR = "You have no more than {coins}.", 902
    STUCK = "Nothing can be done."
    NOT_A_COLOUR = "That is no colour."


class Say(Action):
    """Say a number."""

    number: int

    label = "Say {number}"


class Bid(Action):
    """Offer some coins."""

    coins: int

    @classmethod
    def sample(cls, game: "Auction", seat: "Bidder", chance: Chance) -> "Bid":
        return cls(chance.below(seat.coins + 1))


class Fetch(Action):
    """Fetch the lot."""


class Note(Action):
    """Write a number down."""

    number: int


class Roll(Action):
    """Roll a die."""


class Draw(Action):
    """Take a card from the deck."""


class Show(Action):
    """Show a card."""


class Peek(Action):
    """Look at the top card of the deck."""


class Bury(Action):
    """Put a card of your own under the deck."""


class Turn(Action):
    """Begin a new stage."""


class Done(Action):
    """Let the next one work."""


class Mark(Action):
    """Make a mark: a number, or yes or no."""

    what: int | bool


class Finish(Action):
    """End the game."""


class Descent(Game[Seat]):
    """Five procedures deep: each asks, goes deeper, and gives something back."""

    title = "Descent"
    players = range(2, 5)

    heard: list[int] = []

    async def play(self) -> Any:
        total = await self.level(1, "top")
        self.log("The total is {total}.", total=total)
        return self.echo if total else self.ranking()

    async def level(self, depth: int, name: str) -> int:
        seat = self.seats[depth % len(self.seats)]
        down = await self.ask(seat, "Down to {name}.", map(Say, range(4)), name=name)
        if down.number == 0:
            return 0
        if down.number == 3:
            self.finish(self.ranking(lambda each: each is seat))
        below = await self.level(depth + 1, f"{name}.{down.number}") if depth < 5 else 1
        up = await self.ask(seat, "Up to {name}, with {below}.", map(Say, range(4)), name=name, below=below)
        self.heard.append(up.number)
        return 10 * below + up.number

    async def echo(self) -> Any:
        """Another stage, which remembers nothing but fields."""
        for seat in self.still_in:
            answer = await self.ask(seat, "How many were heard?", [Say(len(self.heard)), Say(0)])
            if answer.number == 0:
                return self.ranking()
        return self.play


class Manner(Options, frozen=True):
    final: bool = False
    sealed: bool = True  # whether any well-formed bid may be tried


class Bidder(Seat):
    coins: int = 3
    lots: int = 0


class Auction(Game[Bidder]):
    """All bid at once; then the quickest seat fetches the lot."""

    title = "Auction"
    players = range(1, 5)

    options: Manner = Manner()

    async def play(self) -> Any:
        for lot in range(2):
            bids = await self.ask_all(
                "Bid for lot {lot}.", self.purse, of=self.still_in, final=self.options.final, lot=lot
            )
            highest = max(bid.coins for bid in bids.values())
            for seat, bid in bids.items():
                self.log("{seat} bids {coins}.", seat=seat, coins=bid.coins)
                seat.coins -= bid.coins if bid.coins == highest else 0
            seat, _ = await self.ask_any("Who fetches it?", [Fetch()])
            seat.lots += 1
            self.log("{seat} fetches it.", seat=seat)
        return self.ranking(lambda seat: seat.lots)

    def purse(self, seat: Bidder) -> list[Any]:
        return [Bid] if self.options.sealed else list(map(Bid, range(4)))

    def refuse(self, seat: Bidder, action: Action) -> Refused | None:
        match action:
            case Bid(coins) if not 0 <= coins <= seat.coins:
                return Why.TOO_DEAR(coins=seat.coins)
        return None


class Worker(Seat):
    notes: list[int] = []
    hand: Hidden[str] = hidden()


class Lab(Game[Worker]):
    """Work as long as you like: some of it can be taken back."""

    title = "Lab"
    players = range(1, 4)

    deck: Hidden[str] = hidden()
    stages: int = 0

    def setup(self) -> None:
        self.deck = Hidden(self.chance.shuffled("ABCDEFGHIJKL"))

    async def play(self) -> Any:
        self.stages += 1
        for seat in self.still_in:
            if self.stages and await self.work(seat):
                return self.play
        return self.play

    async def work(self, seat: Worker) -> bool:
        while True:
            match await self.ask(seat, "Work.", self.tools()):
                case Done():
                    return False
                case Turn():
                    return True
                case Finish():
                    self.finish(self.ranking(lambda each: len(each.notes)))
                case action:
                    self.do(seat, action)

    def tools(self) -> list[Action]:
        return [Note(1), Note(2), Roll(), Draw(), Show(), Peek(), Bury(), Turn(), Done(), Finish()]

    def do(self, seat: Worker, action: Action) -> None:
        match action:
            case Note(number):
                seat.notes.append(number)
                self.log("{seat} notes {number}.", seat=seat, number=number)
            case Roll():
                seat.notes.append(self.chance.die())
            case Draw():
                [card] = self.deck.draw()
                seat.hand.append(card)
                self.log("{seat} draws {card:a card}.", seat=seat, card=Secret(card, seat))
            case Show():
                seat.hand.show(seat.hand[0])
            case Peek():
                self.deck.show(self.deck[-1], seat)
            case Bury():
                self.deck.insert(0, seat.hand.pop())

    def refuse(self, seat: Worker, action: Action) -> Why | None:
        match action:
            case Show() | Bury() if not seat.hand:
                return Why.STUCK
            case Draw() | Peek() if not self.deck:
                return Why.STUCK
        return None


class Strict(Lab):
    """Its rules are never asked about the actions of other games."""

    title = "Strict"

    def refuse(self, seat: Worker, action: Action) -> Why | None:
        assert isinstance(action, Note), f"asked about {action}"
        return None


class Block(Struct):
    """A piece whose face only its keeper sees."""

    name: str
    face: Secret[int]
    marks: set[str] = set()


class General(Seat):
    blocks: list[Block] = []
    orders: Secret[str] = field(default_factory=lambda: Secret("none"))
    reserve: Hidden[Block] = hidden()


class Fog(Game[General]):
    """Everything hidden in every way there is."""

    title = "Fog"
    players = range(2, 4)

    piles: dict[str, Hidden[int]] = {}
    treasure: Secret[list[int]] = field(default_factory=lambda: Secret([7, 8]))
    marks: set[str] = set()
    order: dict[str, int] = {}

    def setup(self) -> None:
        self.piles = {"north": Hidden([1, 2, 3]), "east": Hidden([4])}
        self.treasure = Secret([7, 8], self.seats[1])
        self.marks = {"c", "a", "b"}
        self.order = {"z": 1, "a": 2, "m": 3}
        for seat in self.seats:
            number = seat.number
            seat.blocks = [Block(f"b{number}", Secret(50 + number), {"y", "x"})]
            seat.orders = Secret(f"order{number}")
            seat.reserve = Hidden([Block(f"r{number}", Secret(60 + number))])

    async def play(self) -> Any:
        for seat in self.round():
            await self.ask(seat, "Go on.", [Done()])
        return self.ranking()


def auction(seats: int = 3, **manner: Any) -> Watched:
    return Watched(Auction, seats, options=Manner(**manner))
