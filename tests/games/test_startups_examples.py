"""7 Startups: the worked examples of the rules, each as a play; purchases and communities have their own."""

from collections import Counter
from itertools import pairwise

import pytest

from games.startups import cards
from games.startups.cards import CARDS, Category, copies
from games.startups.rules import Discard, Startups, Take, Why
from games.startups.scoring import best_research
from strifebarge.rules import Hidden, Refused, Standard
from strifebarge.rules.notation import from_json
from strifebarge.rules.testing import Tabletop
from tests.games.startups_table import (
    KINDS,
    SPARE,
    Has,
    L,
    P,
    R,
    all_choose,
    build,
    discard,
    laid,
    stage,
    why,
)

# -- E1: decks -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "sizes"),
    [(3, (21, 21, 16)), (4, (28, 28, 22)), (5, (35, 35, 28)), (6, (42, 42, 34)), (7, (49, 49, 40))],
)
def test_e1_decks(players, sizes):
    assert tuple(len(copies(age, players)) for age in (1, 2, 3)) == sizes
    game = Tabletop(Startups, players).game
    assert [len(deck) for deck in game.decks] == [7 * players] * 2
    drawn = [copy for copy in game.decks[1] if copy.endswith("#0")]
    assert len(drawn) == len({*drawn}) == players + 2
    assert [len(founder.hand) for founder in game.seats] == [7] * players


def test_e1_copies_by_number_of_players():
    four = Counter(copy.partition("#")[0] for copy in copies(1, 4))
    assert [four[f"{card}-1"] for card in ("marketroid", "business-angel", "devops-team", "ux-expert")] == [
        2,
        1,
        1,
        0,
    ]
    seven = Counter(copy.partition("#")[0] for copy in copies(2, 7))
    assert (seven["nap-rooms-2"], seven["think-tank-2"]) == (3, 3)
    assert sum(len(card.copies) for card in CARDS.values()) == 138
    assert len(cards.communities()) == 10


# -- E2: passing ---------------------------------------------------------------------


@pytest.mark.parametrize(("age", "step"), [(1, 1), (2, -1), (3, 1)])
def test_e2_hands_are_passed_to_the_left_to_the_right_and_to_the_left(age, step):
    founders = [Has(f"{name} A") for name in ("ogle", "chirp", "yodel", "mugshot")]
    names = ("garage-1", "generics-1", "office-2", "webscale-2")
    for founder, name in zip(founders, names, strict=True):
        founder.hand = [SPARE, *[name] * 6]
    at = all_choose(laid(*founders, age=age))
    first_cards = [founder.hand[0].partition("#")[0] for founder in at.game.seats]
    assert first_cards == [names[(seat - step) % 4] for seat in range(4)]
    assert at.game.turn == 2


# -- E10, E11: income ------------------------------------------------------------------


def test_e10_income_counts_this_turn():
    at = laid(
        Has("Ogle A", 0, ["marketroid-1", "sysadmin-1"], hand=["development-gig-2", SPARE, SPARE]),
        Has("Chirp A", 3, ["accountant-1"], hand=["growth-hacker-2", SPARE, SPARE]),
        Has("Yodel A", 3, ["marketroid-1#4", "brogrammer-1", "accountant-1#4"], hand=["sre-2", SPARE, SPARE]),
        age=2,
    )
    all_choose(at, P=build("development-gig-2"), L=build("growth-hacker-2"), R=build("sre-2"))
    assert at.game.seats[P].funds == 8
    all_choose(at)
    assert at.game.seats[P].funds == 8 + 3


def test_e11_a_card_counts_itself():
    at = laid(
        Has(
            "Macrohard A",
            0,
            ["business-angel-1", "corporate-spy-1", "internet-legend-1"],
            hand=["brand-recognition-3", SPARE],
        ),
        Has("Chirp A"),
        Has("Yodel A"),
        age=3,
    )
    all_choose(at, P=build("brand-recognition-3"))
    founder = at.game.seats[P]
    assert founder.funds == 3
    assert at.game.sheet(founder)[Category.COMMERCIAL] == 3


def test_e11_by_a_chain_and_a_stage_built_later():
    operations = ["sre-2", "sysadmin-1", "charismatic-leader-1"]
    at = laid(
        Has(
            "Macrohard B", 0, ["webscale-2", *operations], stages=3, hand=["tech-conference-3", SPARE, SPARE]
        ),
        Has("Chirp A"),
        Has("Yodel A"),
        age=3,
    )
    all_choose(at, P=build("tech-conference-3"))
    founder = at.game.seats[P]
    assert (founder.funds, at.game.sheet(founder)[Category.COMMERCIAL]) == (9, 3)
    all_choose(at, P=stage())
    founder = at.game.seats[P]
    assert (founder.funds, founder.stages, at.game.sheet(founder)[Category.COMMERCIAL]) == (9, 4, 4)


# -- E12: research ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("symbols", "wild", "points"),
    [
        *[((1, 0, 0), 0, 1), ((3, 0, 0), 0, 9), ((1, 1, 1), 0, 10), ((3, 2, 1), 0, 21), ((4, 0, 2), 0, 20)],
        *[((2, 2, 2), 0, 26), ((5, 4, 4), 0, 85)],
        *[((0, 0, 0), 1, 1), ((2, 0, 0), 1, 9), ((1, 1, 0), 1, 10), ((2, 2, 0), 1, 16), ((2, 1, 1), 1, 18)],
        *[((2, 2, 1), 1, 26), ((3, 3, 2), 1, 48)],
        *[((0, 0, 0), 2, 4), ((1, 0, 0), 2, 10), ((0, 1, 1), 2, 13), ((3, 1, 1), 2, 34)],
    ],
)
def test_e12_research(symbols, wild, points):
    assert best_research(symbols, wild) == points


# -- E13: poaching ----------------------------------------------------------------------

STRENGTH = {0: [], 1: ["free-drinks-1"], 2: ["car-fleet-2"], 3: ["segways-3"]}


def test_e13_poaching_round_the_ring():
    names = ("ogle", "chirp", "yodel", "mugshot")
    founders = [Has(f"{name} A", cards=STRENGTH[n]) for name, n in zip(names, (3, 3, 1, 0), strict=True)]
    at = all_choose(laid(*founders, age=2, turn=6))
    tokens = [founder.tokens for founder in at.game.seats]
    assert [sorted(each) for each in tokens] == [[3], [3], [-1, 3], [-1, -1]]
    assert [sum(each) for each in tokens] == [3, 3, 2, -2]


def test_e13_poaching_of_three():
    at = laid(Has("Ogle A", cards=STRENGTH[2]), Has("Chirp A"), Has("Yodel A"), turn=6)
    all_choose(at)
    assert [founder.tokens for founder in at.game.seats] == [[1, 1], [-1], [-1]]


# -- E14: free build ----------------------------------------------------------------------


def yodel(age, turn, funds=0, hand=()):
    hand = [*hand, *[SPARE] * (8 - turn - len(hand))]
    return laid(
        Has("Yodel A", funds, ["marketroid-1"], stages=2, hand=hand),
        Has("Chirp A"),
        Has("Ogle A"),
        age=age,
        turn=turn,
    )


def test_e14_once_in_each_age():
    at = yodel(2, 4, hand=["sre-2", "garage-1", "generics-1"])
    assert why(at, P, build("sre-2")) == "not_enough_funds"
    all_choose(at, P=build("sre-2", free_build=True))
    founder = at.game.seats[P]
    assert (founder.funds, founder.built[-1]) == (0, "sre-2#3")
    founder.hand = Hidden(["generics-1#3", SPARE, SPARE])
    assert why(at, P, build("generics-1", free_build=True)) == "free_build_unavailable"
    later = yodel(3, 1, hand=["lavish-headquarters-3"])
    all_choose(later, P=build("lavish-headquarters-3", free_build=True))
    assert later.game.seats[P].built[-1] == "lavish-headquarters-3#3"


def test_e14_the_right_begins_the_turn_after_its_stage():
    at = laid(
        Has("Yodel A", 0, ["sysadmin-1", "sysadmin-1#5"], stages=1, hand=["sre-2", *[SPARE] * 4]),
        Has("Chirp A"),
        Has("Ogle A"),
        age=2,
        turn=3,
    )
    assert why(at, P, build("sre-2", free_build=True)) == "free_build_unavailable"
    all_choose(at, P=stage())
    assert at.game.seats[P].may_build_free(2)


def test_e14_only_where_something_is_to_be_paid_and_never_for_a_stage():
    at = yodel(2, 4, 1, hand=["brogrammer-1", "free-drinks-1", "sre-2"])
    assert why(at, P, build("brogrammer-1", free_build=True)) == "free_build_not_needed"
    assert why(at, P, build("free-drinks-1", free_build=True)) == "free_build_not_needed"
    assert at.refused(P, build("free-drinks-1", free_build=True)) is Why.FREE_BUILD_NOT_NEEDED
    assert why(at, P, stage(free_build=True)) == "free_build_not_allowed"
    assert why(at, P, build("sre-2")) == why(at, P, build("sre-2", free_build=True)) == ""


# -- E15: the last card ----------------------------------------------------------------


def test_e15_the_last_card():
    ogle = Has(
        "Ogle B", 3, ["marketroid-1", "marketroid-1#4", "internet-legend-1"], 1, [SPARE, "business-angel-1"]
    )
    at = laid(ogle, Has("Chirp A"), Has("Yodel A"), Has("Mugshot A"), turn=6)
    for seat in (1, 2, 3):
        at.plays(seat, Discard(SPARE))
    at.plays(P, stage())
    assert at.match.waiting_for() == [P]
    assert why(at, 1, Discard(SPARE)) == "not_your_turn"
    at.plays(P, build("business-angel-1"))
    assert at.game.seats[P].funds == 3 + 5
    assert at.game.seats[P].built[-1] == "business-angel-1#4"
    assert len(at.game.pile) == 3 + 3
    assert at.game.age == 2


# -- E16: from the discard pile ----------------------------------------------------------


def riverly(*pile):
    """P is to build the stage; the others have something to build, so that the pile stays as it is."""
    return laid(
        Has("Riverly A", 3, ["marketroid-1", "double-irish-expert-2", "accountant-1"], 1),
        Has("Chirp A", hand=["private-cloud-1#5"] * 5),
        Has("Ogle A", hand=["sysadmin-1"] * 5),
        age=2,
        turn=3,
        pile=pile,
    )


def test_e16_from_the_discard_pile():
    at = riverly("business-angel-1", "marketroid-1#4", "containers-2")
    at.plays(L, build("private-cloud-1#5"))
    at.plays(R, build("sysadmin-1"))
    at.plays(P, stage())
    assert [each.card for each in at.match.offers(P)] == ["business-angel-1#4", "containers-2#3"]
    assert why(at, P, Take("marketroid-1#4")) == "card_not_offered"
    at.plays(P, Take("business-angel-1#4"))
    assert (at.game.seats[P].funds, len(at.game.pile)) == (8, 2)
    assert at.game.turn == 4


def test_e16_nothing_is_asked_where_nothing_can_be_taken():
    at = riverly("marketroid-1#4")
    all_choose(at, P=stage(), L=build("private-cloud-1#5"), R=build("sysadmin-1"))
    assert (at.game.turn, len(at.game.pile)) == (4, 1)


# -- E19, E20: the end ----------------------------------------------------------------------


def test_e19_the_score_sheet():
    owned = ["segways-3", "lavish-headquarters-3", "office-2", "global-vision-3", "internet-legend-2"]
    owned += ["charismatic-leader-1", "webscale-2", "custom-cpu-2", "generics-1"]
    at = laid(Has("Mugshot B", 14, owned, 2, tokens=[1, -1, 3, 5]), Has("Chirp A"), Has("Ogle A"))
    founder = at.game.seats[P]
    assert list(at.game.sheet(founder).values()) == [8, 4, 7, 12, 10, 4, 0]
    assert at.game.total(founder) == 45
    assert founder.strength == 5


def test_a_score_follows_whatever_it_counts():
    at = laid(Has("Mugshot B", 14, ["gloating-party-3"], 2), Has("Chirp A"), Has("Ogle A"))
    founder, beside = at.game.seats[P], at.game.beside(at.game.seats[P], "left")
    scores = [at.game.total(founder)]
    for change in (
        lambda: setattr(founder, "funds", founder.funds + 3),
        lambda: setattr(founder, "tokens", [5]),
        lambda: founder.built.append("lavish-headquarters-3"),
        lambda: setattr(beside, "tokens", [-1, -1]),
    ):
        change()
        scores.append(at.game.total(founder))
    assert [after - before for before, after in pairwise(scores)] == [1, 5, 8, 2]


def test_e20_ranking():
    at = laid(
        *(
            Has(f"{name} A", funds)
            for name, funds in [("ogle", 7), ("chirp", 9), ("yodel", 20), ("mugshot", 9)]
        )
    )
    totals = [50, 50, 48, 50]
    ranking = at.game.ranking(lambda founder: totals[founder.number], ties=lambda founder: founder.funds)
    assert [ranking.place(seat) for seat in range(4)] == [3, 1, 4, 1]


# -- E21: bad input --------------------------------------------------------------------------


def bad_input(seller=()):
    return laid(
        Has(
            "Yodel A",
            1,
            ["marketroid-1"],
            hand=["marketroid-1#4", "sre-2#3", "office-2#3", "benevolent-dictator-2#3"],
        ),
        Has("Mugshot A", cards=seller),
        Has("Orchard A"),
    )


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (build("lavish-headquarters-3#3"), "card_not_in_hand"),
        (build("marketroid-1#4"), "already_built"),
        (discard("marketroid-1#4"), ""),
        (build("sre-2#3"), ""),
        (build("sre-2#3", free_build=True), "free_build_unavailable"),
        (discard("office-2#3", free_build=True), "free_build_not_allowed"),
        (discard("office-2#3", left={"finance": 1}), "purchase_not_needed"),
        (build("office-2#3"), "cannot_afford"),
        (build("office-2#3", left={"finance": 2}), "neighbor_cannot_sell"),
        (build("office-2#3", left={"finance": 1}), "cannot_afford"),
        (stage("office-2#3"), ""),
        (stage("office-2#3", right={"vision": 1}), "purchase_not_needed"),
        (build("benevolent-dictator-2#3", right={"vision": 1}), "purchase_not_needed"),
    ],
)
def test_e21_what_is_accepted_and_what_is_refused(action, code):
    assert why(bad_input(), P, action) == code


@pytest.mark.parametrize(
    "wrong",
    [
        *({"buy": {"left": {"finance": amount}}} for amount in (0, -1, "1", True, 1.0, None)),
        {"buy": {"up": {"finance": 1}}},
        {"buy": {"left": {"gold": 1}}},
        {"do": "sell"},
        {"free_build": "yes"},
        {"free_build": 1},
        {"card": 7},
        {"price": 1},
    ],
)
def test_e21_what_is_not_of_the_form_is_bad_input(wrong):
    with pytest.raises(Refused) as refused:
        from_json({"do": "build", "card": "sre-2#3", **wrong}, KINDS)
    assert refused.value.why is Standard.MALFORMED


def test_e21_a_second_choice_replaces_the_first_until_all_are_in():
    at = bad_input()
    at.plays(P, build("sre-2#3"))
    at.plays(P, discard("office-2#3"))
    at.plays(L, Discard(SPARE))
    assert at.refused(P, build("sre-2#3")) is None
    at.plays(R, Discard(SPARE))
    founder = at.game.seats[P]
    assert (founder.funds, founder.built) == (1 + 3, ["marketroid-1#3"])


def test_e21_with_more_to_sell_only_the_funds_are_missing():
    at = bad_input(["accountant-1"])
    assert why(at, P, build("office-2#3", left={"finance": 2})) == "not_enough_funds"
    at.game.seats[P].funds = 4
    assert why(at, P, build("office-2#3", left={"finance": 2})) == ""


def test_e21_whatever_is_refused_changes_nothing():
    at = bad_input()
    before = at.match.fingerprint()
    with pytest.raises(Refused):
        at.plays(P, build("office-2#3"))
    assert at.match.fingerprint() == before
    assert at.refused(P, build("office-2#3")) is Why.CANNOT_AFFORD
    assert at.match.waiting_for() == [P, L, R]
