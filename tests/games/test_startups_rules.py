"""7 Startups: the rules section by section, where the worked examples leave something to be tested."""

import pytest

from games.startups import cards
from games.startups.cards import CARDS, COMPANIES, DATA, Category, Color
from games.startups.choices import against, to_build
from games.startups.rules import Build, Copy, Discard, Stage, Startups, Take, Venture, Why
from games.startups.trade import Purchases
from strifebarge.rules import Hidden, Refused, Standard
from strifebarge.rules.match import Match
from strifebarge.rules.notation import read, write
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
    copy_of,
    discard,
    laid,
    menu,
    stage,
    why,
)

THREE = Has("Ogle A"), Has("Chirp A"), Has("Yodel A")

# The codes of the rules' section on bad input, and which refusal is each one's.  A duplicate player is none:
# a player who sits down twice sits once, as tests/web/page/test_startups_page.py has it.
CODES = {
    "bad_player_count": Why.BAD_PLAYER_COUNT,
    "bad_option": Why.BAD_OPTION,
    "bad_card_data": Why.BAD_CARD_DATA,
    "game_over": Standard.GAME_OVER,
    "unknown_player": Standard.NO_SUCH_SEAT,
    "not_asked": Standard.NOT_YOUR_TURN,
    "stale_decision": Standard.STALE,
    "wrong_decision": Why.WRONG_DECISION,
    "bad_input": Standard.MALFORMED,
    **{why.name.lower(): why for why in Why},
}


def refused(doing, *args, **named):
    with pytest.raises(Refused) as no:
        doing(*args, **named)
    return no.value.why


# -- 1: words and seats ----------------------------------------------------------------


def test_1_1_left_is_the_next_round_the_ring_and_right_the_one_before():
    at = laid(*THREE, Has("Orchard A"))
    game = at.game
    assert [game.beside(each, "left").number for each in game.seats] == [1, 2, 3, 0]
    assert [game.beside(each, "right").number for each in game.seats] == [3, 0, 1, 2]
    game.ring = [2, 0, 3, 1]
    assert [game.beside(each, "left").number for each in game.seats] == [3, 2, 0, 1]


# -- 2: set-up ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 8])
def test_2_1_three_to_seven_play(players):
    assert refused(Match.new, Startups, players) is CODES["bad_player_count"]


def test_2_2_companies_are_all_different_and_sides_drawn_for_each():
    games = [Tabletop(Startups, 7, str(seed)).game for seed in range(12)]
    for game in games:
        assert {founder.company for founder in game.seats} == {*COMPANIES}
        assert sorted(game.ring) == list(range(7))
    assert len({tuple(game.ring) for game in games}) > 6
    assert {founder.side for game in games for founder in game.seats} == {"A", "B"}


def test_2_2_what_a_host_may_fix():
    options = Venture(sides="B", seating="fixed", companies="Yodel, ogle  chirp")
    game = Tabletop(Startups, 3, options=options).game
    assert [founder.company for founder in game.seats] == ["yodel", "ogle", "chirp"]
    assert {founder.side for founder in game.seats} == {"B"}
    assert game.ring == [0, 1, 2]


@pytest.mark.parametrize("companies", ["ogle, ogle, chirp", "ogle, acme, chirp"])
def test_2_2_companies_that_are_the_same_or_unknown_are_no_option(companies):
    assert Venture(companies=companies).refuse().why is CODES["bad_option"]


@pytest.mark.parametrize("companies", ["ogle", "ogle, chirp", "ogle chirp yodel orchard"])
def test_2_2_one_company_is_named_for_each_seat_or_none(companies):
    options = Venture(companies=companies)
    assert options.refuse() is None
    assert options.refuse_seats(3).why is CODES["bad_option"]
    assert refused(Match.new, Startups, 3, options=options) is CODES["bad_option"]


def test_2_3_what_everybody_begins_with():
    for founder in Tabletop(Startups, 5).game.seats:
        begins = founder.funds, founder.built, founder.stages, founder.tokens, len(founder.hand)
        assert begins == (3, [], 0, [], 7)


def test_2_4_one_seed_makes_one_game():
    one, same, other = (Tabletop(Startups, 4, seed).match.fingerprint() for seed in ("a", "a", "b"))
    assert one == same != other


# -- 3: decks, and the card data ------------------------------------------------------------


def test_3_3_communities_are_drawn_anew_each_game():
    def drawn(seed):
        return {copy for copy in Tabletop(Startups, 3, seed).game.decks[-1] if copy.endswith("#0")}

    assert {len(drawn(str(seed))) for seed in range(5)} == {5}
    assert len({frozenset(drawn(str(seed))) for seed in range(5)}) > 1


def test_the_data_are_whole():
    assert len(CARDS) == 78
    assert sum(len(card.copies) or 1 for card in DATA.card) == 148
    assert len(COMPANIES) == 7
    assert [len(company.stages(side)) for company in DATA.company for side in "AB"].count(3) == 12
    assert CARDS["legal-department-3"].effects[0].per.colors == (Color.INFRASTRUCTURE,)


@pytest.mark.parametrize(
    ("change", "to"),
    [
        ('color = "base"', 'color = "pink"'),
        ('kind = "produce"', 'kind = "steal"'),
        ('id = "sysadmin-1"', 'id = "marketroid-1"'),
        ('unlocks = ["office-2"]', 'unlocks = ["palace-2"]'),
        ('unlocked_by = ["garage-1"]', "unlocked_by = []"),
        ("number = 2", "number = 3"),
        ('side = "B"', 'side = "A"'),
        ("copies = [3, 4]", "copies = [3]"),
        ("amount = 1", "amount = 0"),
        ("communities_drawn = [5", "communities_drawn = [6"),
        ("format = 1", "format = 2"),
        ("format = 1", "format ="),
        ("start_funds = 3", "begin_funds = 3"),
    ],
)
def test_data_that_break_a_rule_are_refused(change, to):
    text = cards.files(cards.__package__).joinpath("cards.toml").read_text(encoding="utf-8")
    assert change in text
    assert refused(cards.read, text.replace(change, to, 1)) is CODES["bad_card_data"]


# -- 4: a turn ---------------------------------------------------------------------------


def test_4_1_a_card_under_a_stage_leaves_the_game():
    at = all_choose(laid(Has("Yodel A", cards=["marketroid-1"]), *THREE[:2]), P=stage())
    founder = at.game.seats[P]
    assert (founder.stages, founder.built, list(founder.under)) == (1, ["marketroid-1#3"], [SPARE])
    assert len(at.game.pile) == 2


def test_4_3_one_of_each_name_also_of_another_age_by_a_chain_or_a_free_build():
    owned = ["internet-legend-1", "garage-1", "office-2"]
    at = laid(Has("Yodel A", 9, owned, 2, ["internet-legend-2", "office-2#7"]), *THREE[:2], age=2)
    assert why(at, P, build("internet-legend-2")) == "already_built"
    assert why(at, P, build("office-2#7")) == "already_built"
    assert why(at, P, build("office-2#7", free_build=True)) == "already_built"
    assert why(at, P, discard("office-2#7")) == ""


def test_4_4_a_chain_makes_a_card_free_but_not_the_neighbours_chain():
    owner = Has("Ogle A", 0, ["garage-1"], hand=["office-2", SPARE])
    at = laid(owner, Has("Chirp A", 0, hand=["office-2#7", SPARE]), Has("Yodel A"), age=2)
    assert menu(at, P, Build, "office-2") == [Purchases()]
    assert why(at, L, build("office-2#7")) == "cannot_afford"
    assert why(at, P, build("office-2", left={"hype": 1})) == "purchase_not_needed"
    assert why(at, P, build("office-2", free_build=True)) == "free_build_unavailable"
    all_choose(at, P=build("office-2"))
    assert at.game.seats[P].funds == 0


def test_4_4_with_the_right_a_chain_needs_no_free_build():
    at = laid(Has("Yodel A", 0, ["garage-1"], 2, ["office-2", SPARE]), *THREE[:2], age=2)
    assert why(at, P, build("office-2", free_build=True)) == "free_build_not_needed"


def test_4_5_no_purchases_with_a_free_build():
    at = laid(Has("Yodel A", 9, (), 2, ["office-2", SPARE]), *THREE[:2], age=2)
    assert why(at, P, build("office-2", free_build=True, left={"development": 1})) == "purchase_not_needed"


def test_4_6_an_empty_chair_discards_the_first_card_of_its_hand():
    at = laid(*THREE)
    first = at.game.seats[R].hand[0]
    at.leaves(R)
    at.plays(P, Discard(SPARE))
    at.plays(L, Discard(SPARE))
    assert (at.game.turn, at.game.seats[R].funds, len(at.game.pile)) == (2, 6, 3)
    assert first in at.game.pile


def test_4_6_whoever_leaves_is_ranked_last_and_the_last_one_in_wins():
    at = laid(*THREE)
    at.leaves(P)
    at.leaves(R)
    assert at.match.result.places == [[L], [R], [P]]


def test_no_stage_after_the_last():
    at = laid(Has("Ogle A", 9, stages=3), *THREE[1:])
    assert why(at, P, stage()) == "no_stage_left"


# -- 4.8: a choice in words ----------------------------------------------------------------


def test_4_8_a_choice_in_words():
    bought = build("serverless-3", left={"finance": 1, "hype": 1}, right={"vision": 1})
    words = """build 'serverless-3#3' false '{"left":{"finance":1,"hype":1},"right":{"vision":1}}'"""
    assert write(bought) == words
    assert read(words, KINDS) == bought
    assert [write(each) for each in (Discard(SPARE), Build(SPARE, free_build=True))] == [
        f"discard '{SPARE}'",
        f"build '{SPARE}' true",
    ]


# -- 6: purchases ---------------------------------------------------------------------------


def test_6_2_prices_do_not_add_up_below_one():
    at = laid(Has("Yodel B", 3, ["left-partnership-1", "right-partnership-1"], 1), *THREE[:2])
    for side in ("left", "right"):
        assert at.game.market(at.game.seats[P], side).prices == (1, 1, 1, 1, 2, 2, 2)


def test_6_3_with_own_production_enough_nothing_is_bought():
    at = laid(
        Has("Yodel A", 9, hand=["free-drinks-1", SPARE]), Has("Ogle A", cards=["marketroid-1"]), THREE[1]
    )
    assert menu(at, P, Build, "free-drinks-1") == [Purchases()]
    assert why(at, P, build("free-drinks-1", left={"marketing": 1})) == "purchase_not_needed"


@pytest.mark.parametrize("seed", range(12))
def test_6_5_the_menu_is_every_legal_set_and_nothing_else_cheapest_first(seed):
    """Held against all sets of up to three units of each side, judged one by one."""
    at = Tabletop(Startups, 3, str(seed))
    for _ in range(8):
        for seat in at.match.waiting_for():
            stages = [each for each in at.match.offers(seat) if isinstance(each, Stage)]
            at.plays(seat, (stages or at.match.offers(seat))[0])
    game, founder = at.game, at.game.seats[0]
    founder.funds = 9
    position = game.position(founder)
    for copy in founder.hand:
        ways = [way for way in to_build(position, copy) if not against(position, way.choice)]
        prices = [way.price for way in ways]
        assert prices == sorted(prices)
        choices = {str(way.choice.buy) for way in ways}
        tried = {str(buy) for buy in small_purchases(position) if not against(position, Build(copy, buy=buy))}
        assert tried <= choices
        assert all(str(way.choice.buy) in tried for way in ways if size(way.choice.buy) <= 2)


def small_purchases(position):
    """All purchases of at most two units."""
    units = [(side, resource) for side in ("left", "right") for resource in position.markets.of(side).supply]
    for bag in [[], *([each] for each in units), *([one, two] for one in units for two in units)]:
        bought = {"left": {}, "right": {}}
        for side, resource in bag:
            bought[side][resource] = bought[side].get(resource, 0) + 1
        yield Purchases(**bought)


def size(buy):
    return sum([*buy.left.values(), *buy.right.values()])


# -- 7: resolution ---------------------------------------------------------------------------


def test_7_1_funds_effects_pay_once_and_after_all_cards_are_placed():
    at = laid(Has("Orchard A", 0, ["marketroid-1", "marketroid-1#4"], 1), *THREE[:2])
    all_choose(at, P=stage())
    assert at.game.seats[P].funds == 9
    all_choose(at)
    assert at.game.seats[P].funds == 9 + 3


def test_7_3_without_the_stage_last_cards_are_discarded_without_income():
    at = all_choose(laid(*THREE, turn=6))
    assert [founder.funds for founder in at.game.seats] == [6, 6, 6]
    assert len(at.game.pile) == 6
    assert (at.game.age, at.game.turn) == (2, 1)
    assert [len(founder.hand) for founder in at.game.seats] == [7, 7, 7]


def test_7_3_the_last_card_may_be_discarded_or_put_under_a_stage():
    hand = [SPARE, "garage-1"]
    for last, funds in ((discard("garage-1"), 3 + 3 + 3), (stage("garage-1"), 3 + 3)):
        owned = ["brogrammer-1", "functional-programmer-2", "charismatic-leader-1"]
        at = laid(Has("Ogle B", 3, owned, 2, hand), *THREE[1:], turn=6)
        all_choose(at, P=discard())
        assert at.game.asking == "last"
        assert why(at, P, Take(SPARE)) == "wrong_decision"
        at.plays(P, last)
        assert at.game.seats[P].funds == funds


def test_7_4_in_turn_6_the_leftover_cards_are_in_the_pile_and_strength_counts_at_once():
    owned = ["accountant-1", "double-irish-expert-2"]
    at = laid(
        Has("Riverly A", 3, owned, 1, ["garage-1", "generics-1"]),
        Has("Chirp A", hand=["private-cloud-1", "free-drinks-1"]),
        Has("Ogle A", hand=["sysadmin-1", "accountant-1#4"]),
        turn=6,
    )
    at.plays(L, build("private-cloud-1"))
    at.plays(R, build("sysadmin-1"))
    at.plays(P, stage("garage-1"))
    assert [each.card for each in at.match.offers(P)] == ["free-drinks-1#3", "generics-1#3"]
    at.plays(P, Take("free-drinks-1#3"))
    assert at.game.seats[P].tokens == [1, 1]


def test_7_4_whoever_left_takes_the_first_that_can_be_taken():
    owned = ["accountant-1", "double-irish-expert-2"]
    at = laid(
        Has("Riverly A", 3, owned, 1, [SPARE] * 6), *THREE[:2], age=2, turn=2, pile=["garage-1", "office-2"]
    )
    all_choose(at, P=stage())
    assert at.match.waiting_for() == [P]
    at.leaves(P)
    assert at.game.seats[P].built[-1] == "garage-1#3"
    assert at.game.turn == 3


# -- 9: the end ------------------------------------------------------------------------------


def test_9_1_a_copied_wild_symbol_counts_in_research_and_a_copy_is_no_card():
    at = laid(
        Has("Yodel B", 0, ["generics-1", "webscale-2"], 3),
        Has("Chirp A", cards=["science-club-3"]),
        Has("Ogle A"),
        age=3,
        turn=6,
    )
    all_choose(at)
    assert why(at, P, Discard(SPARE)) == "wrong_decision"
    at.plays(P, Copy("science-club-3#0"))
    founder = at.game.seats[P]
    assert at.game.sheet(founder)[Category.RESEARCH] == 10
    assert len(founder.built) == 2
    assert why(at, P, Copy("science-club-3#0")) == "game_over"


def test_9_1_without_a_community_beside_nothing_is_asked():
    at = laid(Has("Yodel B", stages=3), *THREE[:2], age=3, turn=6)
    assert all_choose(at).match.result


def test_9_4_more_funds_go_first_and_all_equal_share_a_place():
    at = all_choose(laid(Has("Ogle A", 5), Has("Chirp A", 3), Has("Yodel A", 3), age=3, turn=6))
    assert at.match.result.places == [[0], [1, 2]]


# -- 11: bad input --------------------------------------------------------------------------


def test_11_every_code_has_a_refusal():
    assert {name for name, refusal in CODES.items() if not refusal.sentence} == set()
    assert len(CODES) == 9 + len(Why) - 4


def test_11_3_who_is_not_asked():
    at = laid(*THREE)
    assert at.refused(7, Discard(SPARE)) is CODES["unknown_player"]
    assert at.refused(P, Take(SPARE)) is CODES["wrong_decision"]
    assert at.refused(P, Copy(SPARE)) is CODES["wrong_decision"]
    at.leaves(L)
    assert at.refused(L, Discard(SPARE)) is CODES["not_asked"]


@pytest.mark.parametrize("card", ["", "#", "nonsense", "marketroid-1", "marketroid-1#9", "serverless-3#3"])
def test_11_4_a_card_that_is_not_held_or_not_at_all(card):
    for kind in (Build, Stage, Discard):
        assert why(laid(*THREE), P, kind(card)) == "card_not_in_hand"


# -- 12: who sees what -------------------------------------------------------------------------


def test_12_hands_discards_and_cards_under_stages_are_their_owners_alone():
    at = laid(Has("Yodel A", cards=["marketroid-1"]), *THREE[:2])
    all_choose(at, P=stage())
    mine, theirs, nobodys = at.match.view(P), at.match.view(L), at.match.view(None)
    assert list(mine.seats[P].under) == [SPARE]
    assert list(theirs.seats[P].under) == list(nobodys.seats[P].under) == [None]
    assert [len([*each.seats[P].hand]) for each in (mine, theirs)] == [6, 6]
    assert {*theirs.seats[P].hand} == {*nobodys.seats[P].hand} == {None}
    assert {*mine.pile} == {None}
    assert at.log(P)[-3:] == [
        "You build stage 1 with Private Cloud.",
        "P1 discards a card.",
        "P2 discards a card.",
    ]
    assert at.log(L)[-3] == "P0 builds stage 1 with a card."
    assert at.log(L)[-2] == "You discard Private Cloud."


def test_12_the_pile_is_seen_by_whoever_takes_of_it_and_only_then():
    owned = ["accountant-1", "double-irish-expert-2"]
    pile = ["garage-1", "office-2"]
    at = laid(Has("Riverly A", 3, owned, 1), *THREE[:2], age=2, turn=2, pile=pile)
    all_choose(at, P=stage())
    assert sorted(at.match.view(P).pile)[:2] == ["garage-1#3", "office-2#3"]
    assert {*at.match.view(L).pile} == {*at.match.view(None).pile} == {None}
    at.plays(P, Take("garage-1#3"))
    assert {*at.match.view(P).pile} == {None}
    assert "P0 builds Garage from the discard pile." in at.log(None)


def test_12_a_pile_tells_by_its_order_nothing_of_who_discarded_what():
    hands = ["office-2", SPARE], ["garage-1", SPARE]
    at = laid(Has("Ogle A", hand=hands[0]), Has("Chirp A", hand=hands[1]), Has("Yodel A"), turn=1)
    all_choose(at)
    assert list(at.game.pile) == sorted(at.game.pile)


def test_12_what_is_told_of_a_purchase():
    at = laid(Has("Ogle A", 3, hand=["free-drinks-1", SPARE]), Has("Yodel A"), THREE[1])
    all_choose(at, P=build("free-drinks-1", left={"marketing": 1}))
    log = at.log(None)
    assert "P0 builds Free Drinks." in log
    assert "P0 buys marketing from P1 for 2 funds." in log
    assert "You buy marketing from P1 for 2 funds." in at.log(P)
    assert "P0 buys marketing from you for 2 funds." in at.log(L)
    deed = at.game.seats[P].last[0]
    assert (deed.act, deed.card, deed.paid) == ("build", "free-drinks-1#3", 2)
    assert at.game.seats[L].last[0].card == ""


# -- the page's questions ------------------------------------------------------------------


def test_a_greyed_card_says_what_nobody_has():
    at = laid(Has("Ogle A", 9, hand=["lavish-headquarters-3", SPARE]), Has("Chirp A"), Has("Yodel A"))
    [way] = to_build(at.game.position(at.game.seats[P]), copy_of("lavish-headquarters-3"))
    no = at.match.reason(P, way.choice)
    assert no.why is Why.CANNOT_AFFORD
    assert str(no.text) == "You still need operations, finance, adoption, vision."


def test_a_card_too_dear_says_how_dear():
    at = laid(Has("Ogle A", 1, hand=["free-drinks-1", SPARE]), Has("Yodel A"), THREE[1])
    [way] = to_build(at.game.position(at.game.seats[P]), "free-drinks-1#3")
    assert str(at.match.reason(P, way.choice).text) == "That costs 2 funds, but you have 1."


def test_hands_are_shown_by_colour_and_name_not_by_arrival():
    at = laid(*THREE)
    hand = Hidden(["generics-1#3", "accountant-1#3", "free-drinks-1#3", "sysadmin-1#3", None])
    shown = at.game.shown(hand)
    assert shown == ["accountant-1#3", "sysadmin-1#3", "free-drinks-1#3", "generics-1#3"]
