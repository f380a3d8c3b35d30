"""The first turn of 7 Startups: what the page tells of each option is what then happens by the rules."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import chain
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import pytest

from games.startups.cards import CARDS, Category, Resource
from games.startups.choices import Discard, Stage
from games.startups.founders import Founder
from games.startups.production import RESOURCES, Slot, slots_of
from games.startups.rules import Startups
from games.startups.scoring import symbols
from games.startups.trade import SIDES
from tests.support.short import dealt
from tests.web.first_turn import heard, moves_in, options_of, refusal_of, rules_of
from tests.web.house import House, Party
from tests.web.markup import parsed

# The hands hold all cards of the first age.  Ogle B can buy what its first stage costs of Riverly; research
# costs what Orchard makes.
DEALS = {
    "stage": ("ogle, riverly, yodel", "B"),
    "research": ("orchard, mugshot, chirp", "A"),
    "seven": ("chirp, yodel, macrohard, riverly, orchard, ogle, mugshot", "A"),
}

Facts = dict[str, Any]


def dealt_to(house: House, deal: str) -> Party:
    companies, sides = DEALS[deal]
    house.referee.entropy = dealt
    return house.gathered(
        "startups", companies.count(",") + 1, companies=companies, sides=sides, seating="fixed"
    )


@pytest.fixture(scope="module", params=DEALS)
def party(request: pytest.FixtureRequest, house: House) -> Party:
    return dealt_to(house, request.param)


# -- what is told --------------------------------------------------------------------------------


class Offer(NamedTuple):
    """What a page says that an option will do."""

    price: int = 0
    paid: dict[str, int] = {}  # of it, by the names of the neighbours
    gain: int = 0
    gives: str = ""
    frees: frozenset[str] = frozenset()  # the names of cards that are free later
    refused: str = ""


PRICE = re.compile(r"(?:free\b[^;]*|(\d+) funds?)(?:; (.*))?")
BOUGHT = re.compile(r"(?:^|, )[a-z0-9 ]+ from (Guest \w+)(?: for (\d+))?")


def payment(words: str, **more: Any) -> Offer:
    """What is told of a price and of who is paid: `2 funds; vision from Guest Golf`."""
    match = PRICE.fullmatch(words)
    assert match, words
    price = int(match[1] or 0)
    paid = {name: int(part or price) for name, part in BOUGHT.findall(match[2] or "")}
    assert bool(paid) == bool(match[2]), words
    return Offer(price, paid, **more)


class Sheet(NamedTuple):
    """The sheet that opens at a card: its facts by their names, and its ways."""

    facts: dict[str, str]
    frees: frozenset[str]
    ways: list[Element]

    def told(self, way: Element) -> Offer:
        """What it says of the option of one of its ways."""
        [button] = moves_in(way)
        if button.get("aria-disabled"):
            return Offer(refused=button.get("title", ""))
        if str(button.get("value")).startswith("discard"):
            match = re.fullmatch(r"Discard \+(\d+) funds", heard(button))
            assert match, heard(button)
            return Offer(gain=int(match[1]))
        words = re.sub(r" \d+ ways? to pay: .*| Details: .*", "", heard(way[1]))
        if "stage " in str(button.get("value")):
            match = re.fullmatch(r"Gives: (.*)\. This card goes under it\. (.*)", words)
            assert match, words
            return payment(match[2], gives=match[1])
        return payment(words, gives=self.facts["Gives"], frees=self.frees)


def sheets_in(tree: Element) -> Iterator[Sheet]:
    for sheet in tree.iter("details"):
        ways = [each for each in sheet.iter("div") if each.get("class") == "way"]
        if ways:
            facts = {heard(row.find("dt")): heard(row.find("dd")) for row in sheet.iterfind(".//dl/div")}
            later = [heard(each) for each in sheet.iter("p") if each.get("class") == "later"]
            frees = [re.fullmatch(r"Makes (.*) free later\.", each)[1].split(", ") for each in later]
            yield Sheet(facts, frozenset(chain(*frees)), ways)


def offers_of(party: Party, seat: int) -> dict[str, Offer]:
    """What the sheets of a hand say of each option, by its words."""
    tree = parsed(party.players[seat].get(party.table))
    return {
        str(moves_in(way)[0].get("value")): sheet.told(way) for sheet in sheets_in(tree) for way in sheet.ways
    }


# -- what happens --------------------------------------------------------------------------------


def facts(game: Startups, founder: Founder) -> Facts:
    """All that an option of the first turn may change for its player, as the rules have it."""
    sheet = game.sheet(founder)
    return {
        "funds": founder.funds,
        "makes": Counter(game.production(founder)),
        "sells": Counter(slots_of(founder.profile.resource, founder.effects, sold=True)),
        "prices": {
            side: dict(zip(RESOURCES, game.market(founder, side).prices, strict=True)) for side in SIDES
        },
        "points": sum(sheet.values()) - sheet[Category.FUNDING] - sheet[Category.RESEARCH],
        "strength": founder.strength,
        "symbols": Counter(symbols(founder.effects)),
        "free": {CARDS[each].name for each in founder.unlocked},
    }


ONE_OF = rf"one of: ((?:{'|'.join(Resource)})(?:, (?:{'|'.join(Resource)}))*)"
SYMBOLS = {"scaling", "programming", "custom solution"}


def produces(after: Facts, slot: Slot, sold: bool = True) -> None:
    after["makes"][slot] += 1
    after["sells"][slot] += sold


def makes(after: Facts, amount: str, resource: str) -> None:
    produces(after, Slot(int(amount or 1), (Resource(resource),)))


def makes_one_of(after: Facts, resources: str, alone: str) -> None:
    produces(after, Slot(1, tuple(map(Resource, resources.split(", ")))), sold=not alone)


def buys_for_one(after: Facts, resources: str, side: str) -> None:
    for each in SIDES if side == "both neighbours" else (side.removeprefix("the "),):
        after["prices"][each] |= dict.fromkeys(map(Resource, resources.split(", ")), 1)


def adds_to(what: str) -> Callable[[Facts, str], None]:
    def adds(after: Facts, amount: str) -> None:
        after[what] += int(amount)

    return adds


def finds(after: Facts, symbol: str) -> None:
    after["symbols"][symbol.replace(" ", "_")] += 1


GIVES: dict[str, Callable[..., None]] = {
    rf"{ONE_OF} for 1 from (the left|the right|both neighbours)": buys_for_one,
    rf"{ONE_OF}( for yourself alone)?": makes_one_of,
    rf"(?:(\d) )?({'|'.join(Resource)})": makes,
    r"(\d+) funds? at once": adds_to("funds"),
    r"(\d+) points?": adds_to("points"),
    r"(\d+) poaching strength": adds_to("strength"),
    f"({'|'.join(SYMBOLS)})": finds,
}


def give(after: Facts, words: str) -> None:
    """Change facts as a card or a stage says that it does."""
    while words:
        does, match = next(
            (does, match) for pattern, does in GIVES.items() if (match := re.match(pattern, words))
        )
        does(after, *match.groups(default=""))
        words = words[match.end() :].removeprefix(", ")


def expected(before: Facts, offer: Offer) -> Facts:
    after = deepcopy(before)
    after["funds"] += offer.gain - offer.price
    give(after, offer.gives)
    after["free"] |= offer.frees
    return after


def must_happen(party: Party, seat: int, words: str, offer: Offer) -> None:
    """Play an option by the rules, the others discarding: funds, effects and payments are as told."""
    match, names = rules_of(party), names_at(party)
    option = options_of(match, seat)[words]
    before = [facts(match.game, each) for each in match.game.seats]
    for each in range(len(names)):
        match.move(each, option if each == seat else Discard(match.game.seats[each].hand[0]))
    game = match.game
    for each, name in enumerate(names):
        own = offer if each == seat else Offer(gain=3 + offer.paid.get(name, 0))
        assert facts(game, game.seats[each]) == expected(before[each], own), (words, name)
    must_lie_as_described(game, game.seats[seat], words, option.card)


def must_lie_as_described(game: Startups, founder: Founder, words: str, copy: str) -> None:
    where = {"build": founder.built, "stage": founder.under, "discard": game.pile}
    assert [do for do, cards in where.items() if copy in cards] == [words.partition(" ")[0]]


def names_at(party: Party) -> list[str]:
    table = party.house.referee.store.table(party.code)
    return [chair.called for chair in table.chairs]


def test_what_the_page_tells_of_each_option_is_what_happens(party: Party) -> None:
    match = rules_of(party)
    for seat in range(len(party.players)):
        offers = offers_of(party, seat)
        for words, option in options_of(match, seat).items():
            refused = refusal_of(match, seat, option)
            if isinstance(option, Stage) and refused:
                continue  # told once for all cards
            assert offers[words].refused == refused, words
            if not refused:
                must_happen(party, seat, words, offers[words])


def test_why_the_next_stage_cannot_be_built_is_in_sight_before_anything_is_pressed(party: Party) -> None:
    match = rules_of(party)
    for seat, player in enumerate(party.players):
        tree = parsed(player.get(party.table))
        [own] = [heard(each) for each in tree.iter("section") if each.get("class") == "own"]
        stages = [each for each in options_of(match, seat).values() if isinstance(each, Stage)]
        refused = {refusal_of(match, seat, each) for each in stages}
        reason = re.search(r" Next stage needs (.*)\.$", own)
        assert refused == ({f"You still need {reason[1]}."} if reason else {""})


def test_the_deals_have_every_kind_of_option(house: House) -> None:
    offers, stages = list[Offer](), set[str]()
    for party in (dealt_to(house, deal) for deal in DEALS):
        for seat in range(len(party.players)):
            at_once = offers_of(party, seat)
            offers += at_once.values()
            stages |= {words for words in at_once if words.startswith("stage ")}
    assert {each.price for each in offers} == {0, 1, 2}
    assert {each.gain for each in offers} == {0, 3}
    assert stages
    assert any(each.paid for each in offers)
    assert any(each.frees for each in offers)
    assert any(each.refused for each in offers)
    for pattern in GIVES:
        assert any(re.match(pattern, each.gives) for each in offers), pattern
