"""The first turn of Strife on the Mirrow: what the page tells of each option is what happens by the rules."""

import re
from collections.abc import Callable
from copy import deepcopy
from itertools import count
from secrets import token_bytes
from typing import Any

import pytest

from games.mirrow.actions import Activate, Auto, EndTurn, Lose, Pass, Play, Ready, Sail, Spy, Turn
from games.mirrow.delta import Area, Gate
from games.mirrow.fleet import DECK, Craft, Order
from games.mirrow.rules import Mirrow
from strifebarge.rules import Action
from strifebarge.rules.match import Match
from strifebarge.rules.notation import write
from strifebarge.rules.text import tell
from tests.web.first_turn import heard, moves_in, options_of, refusal_of, rules_of
from tests.web.house import House, Party
from tests.web.markup import parsed

HERON, OTTER = 0, 1
ORDERS = {order.name: order for order in DECK.values()}
WALKED = "Full Sail", "Spring Tide", "Night Passage"  # after which every way of every block is looked at

Facts = dict[str, Any]


# -- what happens --------------------------------------------------------------------------------


def facts(match: Match, viewer: int) -> Facts:
    """All that an option of the first turn may change, as the rules have it and `viewer` sees it."""
    game, seen = match.game, match.view(viewer)
    blocks = {(side.number, block.token): block for side in game.seats for block in side.fleet}
    return {
        "areas": {name: block.area for name, block in blocks.items()},
        "strength": {name: block.strength for name, block in blocks.items()},
        "seen": {
            (side.number, block.token) for side in seen.seats for block in side.fleet if block.face.value
        },
        "open": {*game.open},
        "points": game.points,
        "vp": [side.vp for side in game.seats],
    }


def prompt(match: Match, seat: int) -> str:
    return tell(match.prompts[seat].text, seat) if seat in match.prompts else ""


def moves(after: Facts, seat: int, token: str, area: str) -> None:
    after["areas"][seat, int(token)] = Area(area)


def spends_a_point(after: Facts, seat: int, area: str) -> None:
    after["points"] -= 1


def turns(after: Facts, seat: int, a: str, b: str) -> None:
    after["open"] ^= {next(gate for gate in Gate if {gate.link.a, gate.link.b} == {a, b})}


def shows(after: Facts, seat: int, area: str) -> None:
    lying = {name for name, where in after["areas"].items() if where == area and name[0] != seat}
    assert lying
    after["seen"] |= lying


def loses_a_step(after: Facts, seat: int, token: str) -> None:
    after["strength"][seat, int(token)] -= 1


def nothing(after: Facts, seat: int) -> None:
    """It ends something, and changes nothing else."""


TOLD: dict[str, Callable[..., None]] = {
    r"Block (\d+) to (.+)": moves,
    r"Activate (.+)": spends_a_point,
    r"Turn the sluice (.+) – (.+)": turns,
    r"Look at (.+)": shows,
    r"Block (\d+) loses a step": loses_a_step,
    r"Done|Done moving here|End this block.s move|Nothing more": nothing,
}


def expected(before: Facts, option: str, question: str, seat: int) -> Facts:
    """The facts as a page says that they will be, by an option's label and the question above it."""
    after = deepcopy(before)
    if "for free" not in question or not option.startswith("Activate"):
        does, match = next(
            (does, match) for pattern, does in TOLD.items() if (match := re.fullmatch(pattern, option))
        )
        does(after, seat, *match.groups())
    return after


def must_happen(party: Party, seat: int, action: Action, option: str, question: str) -> None:
    """Play an option by the rules: positions, strength, sluices, points and what is seen are as told."""
    match = rules_of(party)
    before = facts(match, seat)
    match.move(seat, action)
    after = facts(match, seat)
    match action:
        case Auto():
            must_have_placed_the_rest(before, after, seat)
        case EndTurn():
            assert option == "End your turn"
            assert "Activate an area" not in prompt(match, seat)
            assert after["areas"] == before["areas"]
        case _:
            assert after == expected(before, option, question, seat), option
    if isinstance(action, Activate):
        assert match.game.area == action.area
        assert {each.block for each in match.offers(seat) if isinstance(each, Sail)} <= {
            block.token for block in match.game.seats[seat].at(action.area)
        }


def must_have_placed_the_rest(before: Facts, after: Facts, seat: int) -> None:
    placed = {name: area for name, area in before["areas"].items() if area}
    assert after["areas"].items() >= placed.items()
    assert all(area for name, area in after["areas"].items() if name[0] == seat)


# -- what is told --------------------------------------------------------------------------------


def check_options(party: Party, seat: int) -> list[Action]:
    """Return the options: each is on the page, and does what that says, or is refused as that says."""
    tree, match = parsed(party.players[seat].get(party.table)), rules_of(party)
    [question] = [heard(each) for each in tree.iter("p") if each.get("class") == "turn mine"]
    buttons = {str(each.get("value")): each for each in moves_in(tree)}
    options = options_of(match, seat)
    assert buttons.keys() == options.keys()
    for words, action in options.items():
        button, refused = buttons[words], refusal_of(match, seat, action)
        assert button.get("title", "") == refused, words
        assert bool(button.get("aria-disabled")) == bool(refused), words
        if not refused:
            must_happen(party, seat, action, button.get("aria-label") or heard(button), question)
    return [*options.values()]


def take(party: Party, seat: int, action: Action) -> None:
    assert party.players[seat].move(party.table, write(action)).status == 303


def undo(party: Party, seat: int) -> None:
    player = party.players[seat]
    assert player.submit(player.get(party.table), "/undo").status == 303


# -- blocks are placed ---------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [HERON, OTTER])
def test_where_a_block_is_placed_is_told_at_every_step(house: House, seat: int) -> None:
    party, refused = house.gathered("mirrow"), set()
    while options := check_options(party, seat):
        match = rules_of(party)
        refused |= {refusal_of(match, seat, each) for each in options}
        places = [each for each in options if not isinstance(each, Auto)]
        take(party, seat, next(each for each in places if not refusal_of(match, seat, each)))
        if not prompt(rules_of(party), seat):
            break
    beginnings = {" ".join(each.split()[:4]) for each in refused}
    assert beginnings == {"", "Place all your blocks", "Three of your blocks", "You need your last"}
    assert not party.players[seat].get(party.table).my_turn


# -- cards are played ----------------------------------------------------------------------------


def begun(seed: str) -> Match:
    """A game in which all blocks are placed by chance, and the first cards dealt."""
    match = Match.new(Mirrow, 2, seed)
    for seat in (HERON, OTTER):
        match.move(seat, Auto())
        match.move(seat, Ready())
    return match


def seed_for(order: Order) -> str:
    """The first seed by which Heron has such a card, and Otter a slower one that asks nothing."""
    for number in count():
        match = begun(seed := f"{number:064x}")
        mine, theirs = ([DECK[card] for card in side.hand] for side in match.game.seats)
        if order in mine and any(each.tempo < order.tempo and not each.event for each in theirs):
            return seed
        if order in mine and order.tempo == 1:  # nothing is slower
            return seed
    raise AssertionError


@pytest.fixture(params=ORDERS)
def order(request: pytest.FixtureRequest) -> Order:
    return ORDERS[request.param]


@pytest.fixture
def party(house: House, order: Order) -> Party:
    """Both have placed their blocks; Heron has the card."""
    seed = bytes.fromhex(seed_for(order))
    house.referee.entropy = lambda size: seed if size == len(seed) else token_bytes(size)
    gathered = house.gathered("mirrow")
    for seat in (HERON, OTTER):
        take(gathered, seat, Auto())
        take(gathered, seat, Ready())
    return gathered


CARD = re.compile(
    r"(.+) \d AP · tempo \d(?: ★ event)? (\d) action points?, tempo (\d)\.? (.*?) ?Each action point .*"
)


def orders_of_cards(party: Party, seat: int) -> dict[int, Order]:
    """What the sheets of a hand say of each card, by its number."""
    orders = {}
    for sheet in parsed(party.players[seat].get(party.table)).iter("details"):
        if sheet.get("id", "").startswith("order-"):
            match = CARD.fullmatch(heard(sheet))
            assert match, heard(sheet)
            [button] = moves_in(sheet)
            assert button.get("aria-label") == f"Play {match[1]}"
            orders[int(button.get("value", "").removeprefix("play "))] = Order(
                match[1], int(match[2]), int(match[3]), says=match[4]
            )
    return orders


def goes_first(party: Party, mine: Order, theirs: Order) -> bool:
    """Whether Heron goes first, by what Heron's page says."""
    ties = "You break ties" in party.players[HERON].get(party.table).words
    return mine.tempo > theirs.tempo or (mine.tempo == theirs.tempo and ties)


def test_what_is_told_of_cards_is_what_they_do(party: Party) -> None:
    hands = [orders_of_cards(party, seat) for seat in (HERON, OTTER)]
    assert [hand.keys() for hand in hands] == [{*side.hand} for side in rules_of(party).game.seats]
    for card, mine in hands[HERON].items():
        for other, theirs in hands[OTTER].items():
            match = rules_of(party)
            match.move(HERON, Play(card))
            match.move(OTTER, Play(other))
            first = HERON if goes_first(party, mine, theirs) else OTTER
            assert match.game.first == first
            assert match.game.points == (mine, theirs)[first].points
            assert [side.card for side in match.game.seats] == [card, other]


# -- the turn ------------------------------------------------------------------------------------


def opens_all(match: Match) -> None:
    assert {*match.game.open} == {*Gate}


def asks_for_a_sluice(match: Match) -> None:
    assert {each.gate for each in match.offers(HERON) if isinstance(each, Turn)} == {*Gate}


def asks_for_an_area(match: Match) -> None:
    held = {block.area for block in match.game.seats[OTTER].afloat}
    assert {each.area for each in match.offers(HERON) if isinstance(each, Spy)} == held


def finds_nothing_to_mend(match: Match) -> None:
    blocks = match.game.seats[HERON].fleet
    assert all(block.strength == block.full for block in blocks)
    assert prompt(match, HERON).startswith("Activate an area")


def lets_blocks_sail_further_and_links_carry_more(match: Match) -> None:
    gun = next(block for block in match.game.seats[HERON].fleet if block.craft is Craft.GUNBARGE)
    match.move(HERON, Activate(gun.area))
    for _ in range(gun.craft.facts.speed + 1):
        ways = [each for each in match.offers(HERON) if isinstance(each, Sail) and each.block == gun.token]
        match.move(HERON, next(each for each in ways if match.reason(HERON, each) is None))
    assert match.game.carried == {}
    assert match.game.sailing == 0


def acts_out_of_the_fog(match: Match) -> None:
    assert match.game.fog == [HERON]


def asks_the_enemy(match: Match) -> None:
    assert match.waiting_for() == [OTTER]
    assert all(isinstance(each, Lose) for each in match.offers(OTTER))


def pays_who_controls_more(match: Match) -> None:
    heron, otter = match.game.seats
    assert heron.vp == (len(match.game.controls(heron)) > len(match.game.controls(otter)))


EVENTS: dict[str, Callable[[Match], None]] = {
    "": lambda match: None,
    "All four sluices open.": opens_all,
    "Open or close one sluice.": asks_for_a_sluice,
    "See the enemy’s blocks in one area until the round ends.": asks_for_an_area,
    "Up to three times, add a step to a block in areas you control.": finds_nothing_to_mend,
    "One free activation with no link limits and one extra step.": (
        lets_blocks_sail_further_and_links_carry_more
    ),
    "In this round’s battles you act first where you attack.": acts_out_of_the_fog,
    "The enemy takes a step from one of their blocks.": asks_the_enemy,
    "1 VP if you control more valued areas than the enemy.": pays_who_controls_more,
}


def play_cards(party: Party, order: Order) -> Order:
    """Heron plays the card, Otter the slowest one that asks nothing; what Heron's page says of the card."""
    mine, theirs = (orders_of_cards(party, seat) for seat in (HERON, OTTER))
    card = next(number for number in mine if DECK[number] == order)
    other = min((number for number in theirs if not DECK[number].event), key=lambda each: theirs[each].tempo)
    take(party, HERON, Play(card))
    take(party, OTTER, Play(other))
    return mine[card]


def test_what_is_told_of_each_option_of_the_turn_is_what_happens(party: Party, order: Order) -> None:
    orders = play_cards(party, order)
    if HERON not in rules_of(party).waiting_for() and not order.event:
        take(party, OTTER, EndTurn())
    EVENTS[orders.says](rules_of(party))
    [seat] = rules_of(party).waiting_for()
    options = check_options(party, seat)
    if seat == OTTER:  # who loses a step first
        take(party, OTTER, options[0])
        options = check_options(party, HERON)
    if any(isinstance(each, Pass) for each in options):
        take(party, HERON, next(each for each in options if not isinstance(each, Pass)))
        options = check_options(party, HERON)
    for each in options if order.name in WALKED else []:
        if isinstance(each, Activate):
            must_describe_area(party, each)


def must_describe_area(party: Party, activate: Activate) -> None:
    """Of every way out of an area, and of every way on for the first block that may sail on."""
    take(party, HERON, activate)
    match = rules_of(party)
    options = [each for each in check_options(party, HERON) if not refusal_of(match, HERON, each)]
    for each in options:
        match = rules_of(party)
        match.move(HERON, each)
        if match.game.sailing:
            take(party, HERON, each)
            check_options(party, HERON)
            undo(party, HERON)
            break
    undo(party, HERON)
