"""7 Startups: three ages of drafting, in which all choose together."""

from collections.abc import Iterable, Mapping
from math import exp
from typing import Annotated, Literal, Self

from msgspec import Meta

from strifebarge.rules import (
    Action,
    Chance,
    Game,
    Hidden,
    Next,
    No,
    Options,
    Ranking,
    Refused,
    Secret,
    Text,
    count,
    hidden,
)

from . import choices
from .cards import (
    COMPANIES,
    PLAYERS,
    RULES,
    BuildDiscarded,
    Card,
    Category,
    Color,
    CopyCommunity,
    Effects,
    PlayLastCard,
    Produce,
    ProduceOneOf,
    Research,
    ResearchWild,
    Side,
    communities,
    copies,
    kind,
)
from .choices import Build, Copy, Discard, Stage, Take, goods
from .founders import Deed, Founder, market_between
from .production import Slots
from .reasons import Why
from .scoring import Neighbourhood, income, score_sheet, score_sheets
from .trade import SIDES, Market, Markets

BOTH: tuple[Literal["A", "B"], ...] = ("A", "B")
BUILT = {
    "": "{seat:You build| builds} {card}.",
    "chain": "{seat:You build| builds} {card} for free, by a chain.",
    "free_build": "{seat:You build| builds} {card} with the free build.",
}
POACHED = "{seat:You out-recruit| out-recruits} {other:you} {strength}-{less} (+{won} / {lost})."


class Venture(Options, frozen=True):
    """The options of a game of 7 Startups."""

    sides: Annotated[
        Literal["random", "A", "B"],
        Meta(
            title="Sides",
            description="Each company has two sides with other stages: A is plainer, B has more twists.",
            extra={"labels": {"random": "random for each player"}},
        ),
    ] = "random"
    seating: Annotated[
        Literal["shuffled", "fixed"],
        Meta(
            title="Neighbours",
            description="Who sits beside whom, from whom you buy and with whom you compete.",
            extra={"labels": {"shuffled": "random", "fixed": "in the order of the seats"}},
        ),
    ] = "shuffled"
    companies: Annotated[
        str,
        Meta(
            title="Companies",
            description="Empty: random. Or one per seat in order, like: ogle, chirp, yodel.",
            max_length=100,
        ),
    ] = ""
    running: Annotated[
        bool, Meta(title="Running score", description="Show the score during the game.")
    ] = False

    @property
    def named(self) -> list[str]:
        """The companies chosen in the options, by seat."""
        return [name for name in self.companies.lower().replace(",", " ").split() if name]

    def refuse(self) -> Refused | None:
        for name in self.named:
            if name not in COMPANIES:
                values = {"name": name[:20], "known": [*COMPANIES.values()]}
                return Why.BAD_OPTION(problem=Text("there is no company {name}, only {known}", values))
        if len({*self.named}) < len(self.named):
            return Why.BAD_OPTION(problem=Text("each company can be named but once"))
        return None

    def refuse_seats(self, seats: int) -> Refused | None:
        if self.named and len(self.named) != seats:
            named = {"n": len(self.named), "seats": seats}
            return Why.BAD_OPTION(problem=Text("{n} companies are named, and there are {seats} seats", named))
        return None


class Startups(Game[Founder]):
    """Young companies hire, build and trade over three ages. All choose together and pass their hands on."""

    title = "7 Startups"
    players = PLAYERS
    usual = 3
    length = "40 minutes"
    emblem = "r-F"

    options: Venture = Venture()
    ring: list[int] = []  # the seats round the table: each one's left neighbour is the next
    age: int = 1
    turn: int = 1
    decks: list[Hidden[str]] = []  # of the ages to come
    pile: Hidden[str] = hidden()  # the discard pile, in an order that tells nothing
    asking: Literal["turn", "last", "take", "copy"] = "turn"

    # -- set-up ----------------------------------------------------------------

    def setup(self) -> None:
        n = len(self.seats)
        if n not in PLAYERS:
            raise Why.BAD_PLAYER_COUNT(fewest=PLAYERS[0], most=PLAYERS[-1], n=n)
        if why := self.options.refuse() or self.options.refuse_seats(n):
            raise why
        self.ring = list(range(n)) if self.options.seating == "fixed" else self.chance.shuffled(range(n))
        companies = self.options.named or self.chance.sample(COMPANIES, n)
        for founder, company in zip(self.seats, companies, strict=True):
            founder.company = company
            sides = self.options.sides
            founder.side = self.chance.choice(BOTH) if sides == "random" else sides
            founder.funds = RULES.start_funds
            values = {"company": founder.profile, "side": founder.side}
            self.log("{seat:You lead| leads} {company}, side {side}.", seat=founder, **values)
        drawn = self.chance.sample(communities(), n + RULES.communities_extra)
        stacks = [copies(1, n), copies(2, n), [*copies(3, n), *drawn]]
        self.decks = [Hidden(self.chance.shuffled(deck)) for deck in stacks]
        self.deal()

    def deal(self) -> None:
        """Begin the next age: deal out its deck, seven cards to each."""
        deck = self.decks.pop(0)
        for founder in self.around:
            founder.hand = Hidden(deck.draw(RULES.hand_size))
        self.log("Age {age} begins.", age=self.age)

    # -- the sequence of play --------------------------------------------------

    async def play(self) -> Next:
        """Play one turn: all choose, all is resolved together, and the hands are passed."""
        await self.together(self.seats, "Choose a card, and what to do with it.")
        if self.turn < RULES.turns_per_age:
            await self.builds_from_discards()
            self.pass_hands()
            self.turn += 1
            return self.play
        await self.last_cards()
        await self.builds_from_discards()
        self.poach()
        if self.age == 3:
            return self.end
        self.age, self.turn = self.age + 1, 1
        self.deal()
        return self.play

    async def together(self, founders: list[Founder], text: str) -> None:
        """Let these choose, none seeing the others' choices; then carry out each step for all of them."""
        chosen: dict[Founder, choices.Choice] = await self.ask_all(text, self.menu, of=founders)
        if self.asking == "turn":
            for founder in self.seats:
                founder.last = []
        bills = [(founder, choices.bill(self.position(founder), each)) for founder, each in chosen.items()]
        for step in (self.pay, self.place, self.receive, self.collect):
            for founder, bill in bills:
                step(founder, bill)

    # -- the steps of a turn ---------------------------------------------------

    def pay(self, founder: Founder, bill: choices.Bill) -> None:
        founder.funds -= bill.price

    def place(self, founder: Founder, bill: choices.Bill) -> None:
        """Build the card, put it under the stage, or discard it."""
        copy, secret = bill.choice.card, Secret(kind(bill.choice.card), founder)
        founder.hand.remove(copy)
        match bill.choice:
            case Build():
                founder.built.append(copy)
                founder.freed = self.age if bill.free == "free_build" else founder.freed
                self.log(BUILT[bill.free], seat=founder, card=kind(copy))
            case Stage():
                founder.under.append(copy)
                founder.stages += 1
                values = {"n": founder.stages, "card": secret}
                self.log("{seat:You build| builds} stage {n} with {card:a card}.", seat=founder, **values)
            case Discard():
                self.discard([copy])
                self.log("{seat:You discard| discards} {card:a card}.", seat=founder, card=secret)

    def receive(self, founder: Founder, bill: choices.Bill) -> None:
        """Pay the sellers, and the players who discard."""
        for side in SIDES:
            if bought := bill.choice.buy.of(side):
                seller, price = self.beside(founder, side), bill.trade[side]
                seller.funds += price
                deal = {"seller": seller, "goods": goods(bought), "price": funds(price)}
                self.log("{seat:You buy| buys} {goods} from {seller:you} for {price}.", seat=founder, **deal)
        if isinstance(bill.choice, Discard):
            founder.funds += RULES.discard_income

    def collect(self, founder: Founder, bill: choices.Bill) -> None:
        """Pay out what was built, counted with all that was built in this turn."""
        gained = 0
        match bill.choice:
            case Build(copy):
                gained = self.earn(founder, kind(copy).effects, kind(copy))
            case Stage():
                stage = founder.all_stages[founder.stages - 1]
                gained = self.earn(founder, stage.effects, Text("stage {n}", {"n": founder.stages}))
        founder.last = [*founder.last, self.deed(founder, bill, gained)]

    def earn(self, founder: Founder, effects: Effects, built: Card | Text) -> int:
        """Pay a founder what the effects of something built bring now; return how much."""
        gained = income(effects, self.near(founder))
        founder.funds += gained
        if gained:
            values = {"funds": funds(gained), "built": built}
            self.log("{seat:You get| gets} {funds} for {built}.", seat=founder, **values)
        return gained

    def deed(self, founder: Founder, bill: choices.Bill, gained: int) -> Deed:
        """Return what everybody may know of a choice."""
        match bill.choice:
            case Build(copy):
                return Deed("build", copy, 0, bill.free, bill.choice.buy, bill.price, gained)
            case Stage():
                return Deed("stage", "", founder.stages, "", bill.choice.buy, bill.price, gained)
        return Deed("discard", gained=RULES.discard_income)

    # -- the ends of turns and ages --------------------------------------------

    async def last_cards(self) -> None:
        """Let players with the effect play the seventh card too; discard the others'."""
        if players := [founder for founder in self.around if any(founder.owns(PlayLastCard))]:
            self.asking = "last"
            await self.together(players, "You can also play your last card. Choose how.")
            self.asking = "turn"
        for founder in self.seats:
            self.discard(founder.hand.draw())

    async def builds_from_discards(self) -> None:
        """Let players who have just built such a stage take a card from the pile, in ring order."""
        for founder in self.around:
            if self.builds_discarded(founder) and self.eligible(founder):
                await self.build_from_discards(founder)

    async def build_from_discards(self, founder: Founder) -> None:
        self.asking = "take"
        self.pile = Hidden(self.pile, readers=[[founder.number]] * len(self.pile))
        offered = map(Take, self.eligible(founder))
        take = await self.ask(founder, "Take a card from the discard pile.", offered)
        self.asking = "turn"
        self.pile.remove(take.card)
        self.pile = Hidden(self.pile)  # as unknown as before
        card = kind(take.card)
        founder.built.append(take.card)
        self.log("{seat:You build| builds} {card} from the discard pile.", seat=founder, card=card)
        gained = self.earn(founder, card.effects, card)
        founder.last = [*founder.last, Deed("take", take.card, gained=gained)]

    def pass_hands(self) -> None:
        """Pass the hands to the left neighbour in ages 1 and 3, to the right one in age 2."""
        side = RULES.pass_direction[self.age - 1]
        passed = {self.beside(founder, side).number: [*founder.hand] for founder in self.seats}
        for founder in self.seats:
            founder.hand = Hidden(passed[founder.number])

    def poach(self) -> None:
        """Compare the strength of each player with that of both neighbours."""
        won, lost = RULES.poaching_points[self.age - 1], RULES.poaching_defeat
        for one in self.around:
            other = self.beside(one, "left")
            for strong, weak in (one, other), (other, one):
                if strong.strength > weak.strength:
                    strong.tokens = [*strong.tokens, won]
                    weak.tokens = [*weak.tokens, lost]
                    values = {"strength": strong.strength, "less": weak.strength, "won": won, "lost": lost}
                    self.log(POACHED, seat=strong, other=weak, **values)

    async def end(self) -> Ranking:
        """Copy communities after the last poaching, and count the points."""
        self.asking = "copy"
        for founder in self.around:
            if any(founder.owns(CopyCommunity)) and (offered := self.beside_communities(founder)):
                copy = await self.ask(founder, "Copy a community of a neighbour’s.", map(Copy, offered))
                founder.copied = copy.card
                self.log("{seat:You copy| copies} {card}.", seat=founder, card=kind(copy.card))
        self.asking = "turn"
        for founder in self.around:
            self.log("{seat:You have| has} {points}.", seat=founder, points=points(self.total(founder)))
        why = Text("Most points; funds break ties.")
        return self.ranking(self.total, ties=lambda founder: founder.funds, why=why)

    # -- leaving ---------------------------------------------------------------

    def leave(self, founder: Founder) -> None:
        "Your company stays, but ranks last. It discards a card each turn and sells to its neighbours."
        super().leave(founder)

    def absent(self, founder: Founder, offers: list[Action]) -> Action:
        """Discard the first card of the hand; or take what is first."""
        return offers[0] if self.asking in ("take", "copy") else Discard(founder.hand[0])

    # -- what may be chosen ----------------------------------------------------

    def refuse(self, founder: Founder, action: Action) -> No:
        match action:
            case Take(card) if self.asking == "take":
                return None if card in self.eligible(founder) else not_offered(card)
            case Copy(card) if self.asking == "copy":
                return None if card in self.beside_communities(founder) else not_offered(card)
            case Build() | Stage() | Discard() if self.asking in ("turn", "last"):
                return choices.against(self.position(founder), action)
        return Why.WRONG_DECISION

    def position(self, founder: Founder) -> choices.Position:
        """Return the facts a player's choice is judged by, as they were when the turn began."""
        stage, works = founder.next_stage, founder.works
        left, right = self.beside(founder, "left"), self.beside(founder, "right")
        return choices.Position(
            hand=[copy for copy in founder.hand if copy],
            funds=founder.funds,
            own=works.slots,
            markets=Markets(
                market_between(left.works, works, "left"), market_between(right.works, works, "right")
            ),
            neighbours={"left": left, "right": right},
            names=founder.names,
            unlocked=founder.unlocked,
            stage=stage.cost if stage else None,
            may_build_free=founder.may_build_free(self.age),
        )

    def market(self, founder: Founder, side: Side) -> Market:
        """Return what a neighbour sells to this player, and at which prices."""
        return market_between(self.beside(founder, side).works, founder.works, side)

    def menu(self, founder: Founder) -> Iterable[choices.Choice]:
        return choices.menu(self.position(founder))

    def builds_discarded(self, founder: Founder) -> bool:
        """Tell whether the player has just built a stage that lets them take a card from the pile."""
        built = any(deed.act == "stage" for deed in founder.last)
        newest = founder.all_stages[founder.stages - 1].effects if built else ()
        return any(isinstance(effect, BuildDiscarded) for effect in newest)

    def eligible(self, founder: Founder) -> list[str]:
        """Return what may be taken from the pile, as far as it can be seen."""
        return [copy for copy in self.pile if copy and kind(copy).name not in founder.names]

    def beside_communities(self, founder: Founder) -> list[str]:
        """Return the communities that both neighbours have built."""
        built = [copy for side in SIDES for copy in self.beside(founder, side).built]
        return [copy for copy in built if kind(copy).color is Color.COMMUNITY]

    # -- what helps bots -------------------------------------------------------

    def worth(self, founder: Founder) -> float:
        """Return the points so far and what may come of what is built, against the best of the others."""
        others = [self.promise(each) for each in self.seats if each is not founder]
        return 0.5 + (self.promise(founder) - max(others)) / 120

    def promise(self, founder: Founder) -> float:
        """Return the points so far; and what may come of strength, of goods and chains, and of funds."""
        left = max(0, RULES.turns_per_age * (4 - self.age) - self.turn + 1) / (3 * RULES.turns_per_age)
        goods = [*founder.owns(Produce)]
        kinds = {founder.profile.resource, *(each.resource for each in goods)}
        units = sum(each.amount for each in goods)
        either = len([*founder.owns(ProduceOneOf)])
        symbols = len([*founder.owns(Research), *founder.owns(ResearchWild)])
        chains = sum(len(card.unlocks) for card in founder.cards)
        # Weights near those of a regression over games of bots: points at the end that were not there yet.
        growth = 3 * len(kinds) + 4 * units + 6 * either + 2 * symbols + 1.5 * chains
        growth += 4 * founder.stages + founder.funds / 2
        funds = founder.funds % RULES.funds_per_point / RULES.funds_per_point
        return self.total(founder) + self.poaching_to_come(founder) + left * growth + funds

    def poaching_to_come(self, founder: Founder) -> float:
        """Return what the strength of a player and of both neighbours promises for this and later ages."""
        promised = 0.0
        for other in (self.beside(founder, side) for side in SIDES):
            ahead = founder.strength - other.strength
            for age in range(self.age, 4):
                likely = 1 / (1 + exp(-ahead / (1 + 2 * (age - self.age))))
                won = RULES.poaching_points[age - 1]
                promised += likely * won + (1 - likely) * RULES.poaching_defeat
        return promised

    def imagine(self, view: Self, founder: Founder, chance: Chance) -> None:
        """Fill the others' hands, and the ages to come, with what may be left of each age's deck."""
        seen = {copy for each in view.seats for copy in (*each.built, *each.hand.visible)}
        for age, deck in enumerate(self.decks, self.age + 1):
            deck.fill(chance.sample(self.deck_of(age), len(deck)))
        left = chance.shuffled(copy for copy in self.deck_of(self.age) if copy not in seen)
        for each in self.seats:
            each.hand.fill(left)

    def deck_of(self, age: int) -> list[str]:
        """Return every copy that may be in an age's deck."""
        return copies(age, len(self.seats)) + (communities() if age == 3 else [])

    # -- small things ----------------------------------------------------------

    @property
    def around(self) -> list[Founder]:
        """The seats in the order of the ring."""
        return [self.seats[number] for number in self.ring]

    def beside(self, founder: Founder, side: Side) -> Founder:
        step = 1 if side == "left" else -1
        return self.seats[self.ring[(self.ring.index(founder.number) + step) % len(self.ring)]]

    def near(self, founder: Founder) -> Neighbourhood:
        return {"self": founder, **{side: self.beside(founder, side) for side in SIDES}}

    def discard(self, cards: Iterable[str]) -> None:
        self.pile = Hidden(sorted([*self.pile, *cards]))

    def sheet(self, founder: Founder) -> Mapping[Category, int]:
        return score_sheet(self.near(founder))

    @property
    def sheets(self) -> Mapping[int, Mapping[Category, int]]:
        """The score sheets of all, by seat."""
        return dict(zip(self.ring, score_sheets(self.around), strict=True))

    def total(self, founder: Founder) -> int:
        return sum(self.sheet(founder).values())

    # -- what a board asks -----------------------------------------------------

    def shown(self, copies: Iterable[str | None]) -> list[str]:
        """Return the copies that can be seen, by colour and name: the order they came in tells something."""
        return sorted((copy for copy in copies if copy), key=lambda copy: (kind(copy).order, copy))

    def chain_to(self, founder: Founder, card: Card) -> Card | None:
        """Return the built card that makes this one free, or None."""
        return next((built for built in founder.cards if card.id in built.unlocks), None)

    def production(self, founder: Founder) -> Slots:
        return founder.works.slots

    def seated_from(self, founder: Founder | None) -> list[Founder]:
        """Return the seats from this one on to the left; for a spectator, in the order of the ring."""
        first = self.ring.index(founder.number) if founder else 0
        return [*self.around[first:], *self.around[:first]]

    def standing(self, founder: Founder) -> Text:
        values = {"company": founder.profile, "side": founder.side, "funds": funds(founder.funds)}
        if self.options.running:
            values["points"] = points(self.total(founder))
            return Text("{company} {side}, {funds}, {points}", values)
        return Text("{company} {side}, {funds}", values)


def not_offered(copy: str) -> Refused:
    return Why.CARD_NOT_OFFERED(card=choices.named(copy))


def funds(n: int) -> Text:
    return count("{n} fund", "{n} funds", n)


def points(n: int) -> Text:
    return count("{n} point", "{n} points", n)
