"""7 Startups: the worked examples of production and of what is bought, each as a play."""

from games.startups.cards import Resource, kind
from games.startups.production import enough, slots_of, units
from games.startups.rules import Build, Stage
from games.startups.trade import Purchases
from tests.games.startups_table import (
    SPARE,
    Has,
    L,
    P,
    R,
    all_choose,
    build,
    laid,
    menu,
    stage,
    why,
)

FINANCE, MARKETING, OPERATIONS, VISION = (
    Resource.FINANCE,
    Resource.MARKETING,
    Resource.OPERATIONS,
    Resource.VISION,
)


# -- E3: choice production -------------------------------------------------------------


def test_e3_choice_slots_fit_as_they_must():
    effects = [e for card in ("commercial-engineer-1", "devops-team-1") for e in kind(card).effects]
    slots = slots_of(OPERATIONS, effects)
    at = laid(
        Has(
            "Macrohard A",
            cards=["commercial-engineer-1", "devops-team-1"],
            hand=["operations-center-2", SPARE],
        ),
        Has("Yodel A"),
        Has("Orchard A"),
    )
    assert menu(at, P, Build, "operations-center-2") == [Purchases()]
    assert enough(slots, units({MARKETING: 1, OPERATIONS: 1, Resource.DEVELOPMENT: 1}))
    assert not enough(slots, units({MARKETING: 2}))


# -- E4, E5, E6: purchases -------------------------------------------------------------


def over_both_sides(funds, *spies):
    return laid(
        Has("Ogle A", funds, ["brogrammer-1", *spies], hand=["serverless-3", SPARE]),
        Has("Chirp A", 3, ["accountant-1"]),
        Has("Orchard A", 3, ["benevolent-dictator-1"]),
    )


SERVERLESS = build("serverless-3", left={"finance": 1, "hype": 1}, right={"vision": 1, "adoption": 1})


def test_e4_a_purchase_over_both_sides():
    at = over_both_sides(6, "corporate-spy-1")
    assert menu(at, P, Build, "serverless-3") == [SERVERLESS.buy]
    all_choose(at, P=SERVERLESS)
    assert [founder.funds for founder in at.game.seats] == [1, 3 + 3 + 3, 3 + 2 + 3]  # both discard, too


def test_e4_without_the_spy_it_costs_more():
    assert why(over_both_sides(7), P, SERVERLESS) == "not_enough_funds"
    at = all_choose(over_both_sides(8), P=SERVERLESS)
    assert [founder.funds for founder in at.game.seats] == [0, 3 + 4 + 3, 3 + 4 + 3]


def test_e5_prices_by_side_and_both_ways_legal():
    at = laid(
        Has("Orchard A", 3, ["left-partnership-1"], stages=1, hand=["free-drinks-1", SPARE]),
        Has("Yodel A"),
        Has("Chirp A", cards=["marketroid-1"]),
    )
    left, right = Purchases({MARKETING: 1}), Purchases({}, {MARKETING: 1})
    assert menu(at, P, Build, "free-drinks-1") == [left, right]
    markets = at.game.position(at.game.seats[P]).markets
    assert [markets.price(each) for each in (left, right)] == [1, 2]
    assert menu(at, P, Stage, SPARE) == [Purchases({MARKETING: 1}, {MARKETING: 1})]
    assert markets.price(Purchases({MARKETING: 1}, {MARKETING: 1})) == 3
    assert why(at, P, stage(left={"marketing": 2})) == "neighbor_cannot_sell"


def test_e5_more_to_buy_of_more_ways():
    at = laid(
        Has("Orchard A", 3, ["left-partnership-1"], stages=1),
        Has("Yodel A", cards=["growth-hacker-2"]),
        Has("Chirp A", cards=["marketroid-1"]),
    )
    two, each = Purchases({MARKETING: 2}), Purchases({MARKETING: 1}, {MARKETING: 1})
    assert [*dict.fromkeys(map(str, menu(at, P, Stage)))] == [str(two), str(each)]
    markets = at.game.position(at.game.seats[P]).markets
    assert (markets.price(two), markets.price(each)) == (2, 3)


def test_e6_a_choice_slot_sells_one_unit_to_each():
    hand = ["technology-guru-2", "free-drinks-1", SPARE]
    at = laid(
        Has("Mugshot A", 9, hand=hand),
        Has("Orchard A", cards=["ux-expert-1"]),
        Has("Chirp A", 9, hand=["artisan-chef-1", SPARE]),
    )
    both = build("technology-guru-2", left={"marketing": 1, "development": 1})
    assert why(at, P, both) == "neighbor_cannot_sell"
    # R's right neighbour is L: one unit each in the same turn, and not the same.
    all_choose(
        at,
        P=build("free-drinks-1", left={"marketing": 1}),
        R=build("artisan-chef-1", right={"development": 1}),
    )
    assert at.game.seats[L].funds == 3 + 2 + 2 + 3
    assert [len(at.game.seats[seat].built) for seat in (P, R)] == [1, 1]


def test_e6_commercial_production_is_not_for_sale():
    at = laid(Has("Ogle A"), Has("Orchard A", cards=["think-tank-2", "offshore-labor-2"]), Has("Chirp A"))
    assert [slot.resources for slot in at.game.market(at.game.seats[P], "left").slots] == [(VISION,)]


# -- E7, E8, E9: what may not be bought ---------------------------------------------


def test_e7_superfluous():
    at = laid(
        Has("Mugshot A", 9, ["commercial-engineer-1", "marketroid-1"], hand=["custom-servers-3", SPARE]),
        Has("Yodel A"),
        Has("Macrohard A"),
    )
    left, right = {"marketing": 1}, {"operations": 1}
    assert why(at, P, build("custom-servers-3", left=left)) == ""
    assert why(at, P, build("custom-servers-3", right=right)) == ""
    assert why(at, P, build("custom-servers-3", left=left, right=right)) == "purchase_not_needed"
    assert why(at, P, build("custom-servers-3")) == "cannot_afford"
    assert len(menu(at, P, Build, "custom-servers-3")) == 2


def test_e8_funds_of_the_same_turn_come_too_late():
    def at(funds):
        return laid(
            Has("Ogle A", funds, ["brogrammer-1"], hand=["free-drinks-1", SPARE]),
            Has("Yodel A"),
            Has("Riverly A", 9, hand=["custom-routers-2", SPARE]),
        )

    buying, selling = (
        build("free-drinks-1", left={"marketing": 1}),
        build("custom-routers-2", left={"development": 2}),
    )
    poor = at(1)
    poor.plays(R, selling)
    assert why(poor, P, buying) == "not_enough_funds"
    assert all_choose(at(2), P=buying, R=selling).game.seats[P].funds == 2 - 2 + 4


def test_e9_production_and_prices_of_the_same_turn_come_too_late():
    at = laid(
        Has("Mugshot A", 9, hand=["left-partnership-1", "free-drinks-1", SPARE, SPARE, SPARE]),
        Has("Ogle A", hand=["marketroid-1", *[SPARE] * 4]),
        Has("Chirp A"),
    )
    assert why(at, P, build("free-drinks-1", left={"marketing": 1})) == "neighbor_cannot_sell"
    all_choose(at, P=build("left-partnership-1"), L=build("marketroid-1"))
    position = at.game.position(at.game.seats[P])
    assert enough(position.markets.left.slots, units({MARKETING: 1}))
    assert position.markets.price(Purchases({MARKETING: 1})) == 1
    assert at.game.seats[P].funds == 9 - 1
