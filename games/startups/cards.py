"""The cards, the companies and their effects, read from cards.toml beside this file."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from importlib.resources import files
from itertools import chain
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from strifebarge.rules import Text

from .reasons import Why


class Resource(StrEnum):
    """The resources that cards and stages cost: four base ones, then three advanced."""

    MARKETING, OPERATIONS, DEVELOPMENT, FINANCE = "marketing", "operations", "development", "finance"
    ADOPTION, VISION, HYPE = "adoption", "vision", "hype"


class Color(StrEnum):
    """The seven types of cards, in the order hands are sorted."""

    BASE, ADVANCED, INFRASTRUCTURE, HEADHUNTING = "base", "advanced", "infrastructure", "headhunting"
    RESEARCH, COMMERCIAL, COMMUNITY = "research", "commercial", "community"


COLORS = tuple(Color)


class Symbol(StrEnum):
    SCALING, PROGRAMMING, CUSTOM_SOLUTION = "scaling", "programming", "custom_solution"

    @property
    def text(self) -> Text:
        return Text(self.value.replace("_", " "))


class Category(StrEnum):
    """The lines of the score sheet."""

    POACHING, FUNDING, COMPANY, INFRASTRUCTURE = "poaching", "funding", "company", "infrastructure"
    RESEARCH, COMMERCIAL, COMMUNITY = "research", "commercial", "community"


Side = Literal["left", "right"]
Whose = Literal["self", "left", "right"]
Count = Annotated[int, Meta(ge=1)]


# -- what cards and stages do ------------------------------------------------------


class Cards(Struct, frozen=True, cache_hash=True, tag_field="count", tag="cards", forbid_unknown_fields=True):
    """Counts the built cards of these colours."""

    colors: tuple[Color, ...]
    of: tuple[Whose, ...]


class Stages(
    Struct, frozen=True, cache_hash=True, tag_field="count", tag="stages", forbid_unknown_fields=True
):
    """Counts the stages built."""

    of: tuple[Whose, ...]


class Defeats(
    Struct, frozen=True, cache_hash=True, tag_field="count", tag="defeats", forbid_unknown_fields=True
):
    """Counts the defeats in poaching."""

    of: tuple[Whose, ...]


Per = Cards | Stages | Defeats


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Effect(Struct, frozen=True, cache_hash=True, tag_field="kind", tag=_snake, forbid_unknown_fields=True):
    """An effect of a card or a stage; the classes below are its kinds."""

    @property
    def kind(self) -> str:
        """The kind as cards.toml names it: `produce_one_of`."""
        return str(self.__struct_config__.tag)


class Produce(Effect, frozen=True):
    resource: Resource
    amount: Count
    sold: bool


class ProduceOneOf(Effect, frozen=True):
    resources: tuple[Resource, ...]
    sold: bool


class TradePrice(Effect, frozen=True):
    price: Count
    resources: tuple[Resource, ...]
    sides: tuple[Side, ...] = field(name="from")


class Points(Effect, frozen=True):
    amount: Count
    category: Category
    per: Per | None = None


class Funds(Effect, frozen=True):
    amount: Count
    per: Per | None = None


class Research(Effect, frozen=True):
    symbol: Symbol


class ResearchWild(Effect, frozen=True):
    pass


class Poaching(Effect, frozen=True):
    strength: Count


class FreeBuild(Effect, frozen=True):
    ages: tuple[int, ...]


class BuildDiscarded(Effect, frozen=True):
    pass


class PlayLastCard(Effect, frozen=True):
    pass


class CopyCommunity(Effect, frozen=True):
    pass


Effects = tuple[
    Produce
    | ProduceOneOf
    | TradePrice
    | Points
    | Funds
    | Research
    | ResearchWild
    | Poaching
    | FreeBuild
    | BuildDiscarded
    | PlayLastCard
    | CopyCommunity,
    ...,
]


# -- what they are -----------------------------------------------------------------


class Cost(Struct, frozen=True, forbid_unknown_fields=True):
    funds: Annotated[int, Meta(ge=0)]
    resources: dict[Resource, Count]


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of card; hands hold its physical copies, `marketroid-1#4`."""

    id: str
    name: str
    age: Literal[1, 2, 3]
    color: Color
    copies: tuple[int, ...] = ()
    cost: Cost
    unlocks: tuple[str, ...]
    unlocked_by: tuple[str, ...]
    effects: Effects

    @property
    def text(self) -> Text:
        return Text(self.name)

    @property
    def order(self) -> tuple[int, str]:
        """The key by which hands are sorted: by colour, never by arrival."""
        return COLORS.index(self.color), self.id


class CompanyStage(Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    cost: Cost
    effects: Effects


class Face(Struct, frozen=True, forbid_unknown_fields=True):
    """A side of a company."""

    side: Literal["A", "B"]
    stage: tuple[CompanyStage, ...]


class Company(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str
    name: str
    resource: Resource
    side: tuple[Face, Face]

    @property
    def text(self) -> Text:
        return Text(self.name)

    def stages(self, side: str) -> tuple[CompanyStage, ...]:
        return self.side["AB".index(side)].stage


class Numbers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The numbers of the rules."""

    min_players: int
    max_players: int
    hand_size: int
    turns_per_age: int
    start_funds: int
    discard_income: int
    trade_price: int
    communities_extra: int
    poaching_points: tuple[int, int, int]
    poaching_defeat: int
    research_set_bonus: int
    funds_per_point: int
    pass_direction: tuple[Side, Side, Side]


Sizes = tuple[int, int, int, int, int]  # for 3, 4, 5, 6 and 7 players


class DeckSizes(Struct, frozen=True, forbid_unknown_fields=True):
    """The sizes of the decks, as a check on the numbers of copies."""

    age1: Sizes
    age2: Sizes
    age3_without_communities: Sizes
    communities_drawn: Sizes


class Data(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contents of cards.toml."""

    format: Literal[1]
    rules: Numbers
    deck_size: DeckSizes
    card: tuple[Card, ...]
    company: tuple[Company, ...]


# -- reading -----------------------------------------------------------------------


def read(text: str) -> Data:
    """Read and check card data in TOML.  Raises Refused(BAD_CARD_DATA)."""
    try:
        data = msgspec.convert(tomllib.loads(text), Data)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as wrong:
        raise Why.BAD_CARD_DATA(problem=str(wrong)[:200]) from wrong
    for problem in chain(_twice(data), _chains(data), _numbering(data), _sizes(data)):
        raise Why.BAD_CARD_DATA(problem=problem)
    return data


def _twice(data: Data) -> Iterator[str]:
    ids = Counter(chain((card.id for card in data.card), (company.id for company in data.company)))
    yield from (f"there is more than one {id}" for id, n in ids.items() if n > 1)


def _chains(data: Data) -> Iterator[str]:
    """Yield chains that only one of their two cards names."""
    forward = {(card.id, other) for card in data.card for other in card.unlocks}
    backward = {(other, card.id) for card in data.card for other in card.unlocked_by}
    for one, other in sorted(forward ^ backward):
        yield f"{one} unlocks {other}, or does not"


def _numbering(data: Data) -> Iterator[str]:
    for company in data.company:
        if [face.side for face in company.side] != ["A", "B"]:
            yield f"{company.id} has other sides than A and B"
        for face in company.side:
            if [stage.number for stage in face.stage] != [*range(1, len(face.stage) + 1)]:
                yield f"the stages of {company.id} {face.side} are not numbered from 1"


def _sizes(data: Data) -> Iterator[str]:
    """Yield decks that are not as large as `deck_size` says, or as hands need."""
    rules, sizes = data.rules, data.deck_size
    for nth, players in enumerate(range(rules.min_players, rules.max_players + 1)):
        drawn = players + rules.communities_extra
        if sizes.communities_drawn[nth] != drawn:
            yield f"other communities are drawn for {players}"
        for age, size in enumerate((sizes.age1, sizes.age2, sizes.age3_without_communities), 1):
            total = sum(copy <= players for card in data.card if card.age == age for copy in card.copies)
            if total != size[nth] or total + drawn * (age == 3) != rules.hand_size * players:
                yield f"the deck of age {age} for {players} has {total} cards"


DATA = read(files(__package__).joinpath("cards.toml").read_text(encoding="utf-8"))
RULES = DATA.rules
COMPANIES = {company.id: company for company in DATA.company}
CARDS = {card.id: card for card in DATA.card}
PLAYERS = range(RULES.min_players, RULES.max_players + 1)


def kind(copy: str) -> Card:
    """Return the card that a physical copy is a copy of.  Raises LookupError."""
    return CARDS[copy.partition("#")[0]]


def copies(age: int, players: int) -> list[str]:
    """Return the physical copies in an age's deck for a number of players, without communities."""
    cards = (card for card in DATA.card if card.age == age)
    return [f"{card.id}#{copy}" for card in cards for copy in card.copies if copy <= players]


def communities() -> list[str]:
    return [f"{card.id}#0" for card in DATA.card if card.color is Color.COMMUNITY]
