"""The board of 7 Startups: what each player sees of cards, payments, markets and points."""

import re
from pathlib import Path
from typing import Any

import polib
import pytest

from games.startups import rules
from games.startups.board import Board, Held, board, plates
from games.startups.board_cards import Gain, face, gains, piece
from games.startups.board_companies import Firm, signed
from games.startups.board_payments import Goods, Lack
from games.startups.cards import CARDS, Color, Points, Resource, kind
from games.startups.choices import Discard, Take
from games.startups.reasons import Why
from games.startups.rules import Venture
from strifebarge.rules.board import Offer
from strifebarge.rules.testing import SeenBoard, Tabletop
from strifebarge.rules.text import tell
from strifebarge.web.render.hyphens import hyphenated
from tests.games.startups_table import SPARE, Has, L, P, R, all_choose, build, copy_of, laid

MARKETING, OPERATIONS, FINANCE = Resource.MARKETING, Resource.OPERATIONS, Resource.FINANCE
DRINKS, GARAGE = copy_of("free-drinks-1"), copy_of("garage-1")


def seen(at: Tabletop, viewer: int | None = P, **more: Any) -> Board:
    return board(SeenBoard(at.match, viewer, **more))


def usual(*hand: str, cards: tuple[str, ...] = (), funds: int = 3, **more: Any) -> Tabletop:
    """P leads Ogle (development), between L with Yodel (marketing) and R with a Marketroid."""
    own = Has("Ogle A", hand=hand or [SPARE], cards=cards, funds=funds)
    return laid(own, Has("Yodel A"), Has("Chirp A", cards=["marketroid-1"]), **more)


def firms(of: Board) -> dict[int, Firm]:
    return {firm.founder.number: firm for firm in [*of.near, *of.far]}


def held(of: Board, copy: str) -> Held:
    assert of.hand
    return next(each for each in of.hand.cards if each.face.copy == copy)


# -- who sees what -----------------------------------------------------------------


def test_nobody_sees_anothers_hand():
    at = usual(DRINKS, GARAGE)
    mine, other, watched = (seen(at, viewer) for viewer in (P, L, None))
    assert {each.face.copy for each in mine.hand.cards} == {DRINKS, GARAGE}
    assert DRINKS not in {each.face.copy for each in other.hand.cards}
    assert watched.hand is None
    for each in (mine, other, watched):
        assert firms(each)[P].cards == 2


def test_the_card_under_a_stage_is_seen_by_its_owner_alone():
    at = usual(DRINKS, GARAGE)
    at.game.seats[P].stages = 1
    at.game.seats[P].under.append(DRINKS)
    under = {viewer: firms(seen(at, viewer))[P].stages[0].under for viewer in (P, L, None)}
    assert under == {P: kind(DRINKS), L: None, None: None}


def test_neighbours_are_beside_the_viewer_and_all_others_far():
    five = laid(*(Has(f"{name} A") for name in ("Ogle", "Yodel", "Chirp", "Orchard", "Macrohard")))
    mine = seen(five, 1)
    assert [(firm.founder.number, firm.beside, firm.mine) for firm in mine.near] == [
        (2, "left", False),
        (1, "", True),
        (0, "right", False),
    ]
    assert [(firm.founder.number, firm.small) for firm in mine.far] == [(3, True), (4, True)]
    watched = seen(five, None)
    assert watched.near == []
    assert [(firm.founder.number, firm.small) for firm in watched.far] == [(n, False) for n in range(5)]


# -- markets -----------------------------------------------------------------------


def test_a_neighbours_market_has_its_prices_for_the_viewer():
    assert [(sale.slot.resources, sale.price) for sale in firms(seen(usual()))[L].sales] == [
        ((MARKETING,), 2)
    ]
    sold = firms(seen(usual()))[R].sales
    assert [sale.slot.resources for sale in sold][1:] == [(MARKETING,)]
    assert firms(seen(usual()))[P].sales == []
    assert all(firm.sales == [] for firm in firms(seen(usual(), None)).values())


# -- paying ------------------------------------------------------------------------


def test_a_card_is_built_in_its_cheapest_way():
    mine = seen(usual(DRINKS))
    [build, *rest] = held(mine, DRINKS).tasks
    assert rest == [], "the stage cannot be built"
    assert (build.do, build.ways, build.more, build.own, build.chain) == ("build", 2, True, False, None)
    assert (build.payment.price, build.payment.refused) == (2, None)
    [bought] = build.payment.bought
    assert (bought.goods, bought.seller.number) == ({MARKETING: 1}, L)
    assert build.pick == f"build {DRINKS}"
    assert held(mine, DRINKS).discard == Discard(DRINKS)


def test_who_cannot_pay_is_told_so_and_where_to_read_more():
    [build] = held(seen(usual(DRINKS, funds=1)), DRINKS).tasks
    assert build.payment.refused.why is Why.NOT_ENOUGH_FUNDS
    assert build.more


def test_what_the_own_company_produces_costs_nothing():
    [build] = held(seen(usual(DRINKS, cards=("marketroid-1",))), DRINKS).tasks
    assert (build.own, build.payment.price, build.payment.bought) == (True, 0, [])


def test_a_chain_makes_a_card_free():
    card = next(card for card in CARDS.values() if card.age == 2 and card.unlocked_by)
    before, copy = card.unlocked_by[0], copy_of(card.id)
    [build, *_] = held(seen(usual(copy, cards=(before,), age=2)), copy).tasks
    assert build.chain == CARDS[before]
    assert (build.payment.price, build.ways, build.own) == (0, 1, False)


def test_why_the_next_stage_cannot_be_built_is_told_once():
    hand = seen(usual(DRINKS, GARAGE)).hand
    assert (hand.stage, hand.refused.why) == (1, Why.CANNOT_AFFORD)
    assert all([task.do for task in each.tasks] == ["build"] for each in hand.cards)


def test_a_compact_card_tells_its_price_and_where_it_is_paid():
    prices = {each.face.copy: each.tasks[0].price for each in seen(usual(DRINKS, GARAGE)).hand.cards}
    assert (prices[DRINKS].state, prices[DRINKS].funds, prices[DRINKS].sides) == ("pay", 2, ("left",))
    [poor] = held(seen(usual(DRINKS, funds=1)), DRINKS).tasks
    assert (poor.price.state, poor.price.funds) == ("poor", 2)
    [built] = held(seen(usual(DRINKS, cards=("free-drinks-1",))), DRINKS).tasks
    assert built.price.state == "built"


def test_a_compact_card_tells_what_it_still_needs():
    fussball = copy_of("fussball-1")
    [build] = held(seen(usual(fussball)), fussball).tasks
    assert build.price.state == "lack"
    assert build.price.lack == Lack((FINANCE,), (1,))
    assert "off" in held(seen(usual(fussball)), fussball).marks


def test_the_next_stage_says_what_it_needs():
    assert tell(seen(usual(DRINKS)).hand.needs, P) == "Next stage needs development"
    poor = laid(Has("Ogle A", hand=[DRINKS], funds=0), Has("Ogle B"), Has("Chirp A"))
    assert tell(seen(poor).hand.needs, P) == "Next stage needs 2 funds"


def test_a_card_that_is_picked_has_every_way_to_pay_for_it():
    paying = seen(usual(DRINKS), picked=f"build {DRINKS}").paying
    assert (paying.do, paying.card, paying.funds) == ("build", kind(DRINKS), 3)
    assert [way.bought[0].seller.number for way in paying.ways] == [L, R]
    left, right = paying.sellers
    assert (left.side, left.founder.number, left.goods) == ("left", L, [Goods(MARKETING, 2, 1)])
    assert (right.side, right.founder.number, right.goods) == ("right", R, [Goods(MARKETING, 2, 1)])


def test_a_payment_that_was_refused_stays_open():
    filled = {"do": ["build"], "card": [DRINKS]}
    assert seen(usual(DRINKS), filled=filled).paying.card == kind(DRINKS)
    assert seen(usual(DRINKS, GARAGE), picked=f"stage {GARAGE}", filled=filled).paying.do == "stage"


def test_what_is_no_card_of_the_hand_is_not_paid_for():
    for picked in (
        "",
        "build",
        f"build {GARAGE}",
        "build nonsense",
        f"discard {DRINKS}",
        f"BUILD {DRINKS}",
        "<b>",
    ):
        assert seen(usual(DRINKS), picked=picked).paying is None, picked
    for viewer in (L, None):
        assert seen(usual(DRINKS), viewer, picked=f"build {DRINKS}").paying is None


# -- choosing ----------------------------------------------------------------------


def test_a_choice_is_marked_for_its_own_player_alone():
    at = usual(DRINKS, GARAGE)
    at.plays(P, Discard(GARAGE))
    mine, other = seen(at), seen(at, L)
    assert mine.chosen == Discard(GARAGE).words
    assert [each.face.copy for each in mine.hand.cards if each.chosen] == [GARAGE]
    assert other.chosen is None
    assert not any(each.chosen for each in other.hand.cards)


def test_hands_go_on_to_the_left_and_in_the_second_age_to_the_right():
    assert seen(usual()).clock.passing == "left"
    assert seen(usual(age=2)).clock.passing == "right"
    assert seen(usual(age=3)).clock.passing == "left"
    assert seen(usual(turn=6)).clock.passing is None


def test_a_card_of_the_pile_is_shown_to_whom_it_is_offered_and_taken_where_none_alike_is_built():
    def asking(game: Any) -> None:
        game.asking = "take"
        for reader in game.pile.readers:
            reader.add(P)

    at = usual(DRINKS, cards=("garage-1",), pile=["garage-1", "fussball-1"])
    asking(at.game)
    fussball = copy_of("fussball-1")
    shown = seen(at, offers=[Offer(Take(fussball), None)]).on_offer
    assert shown.asking == "take"
    assert {each.face.copy: each.action for each in shown.cards} == {
        GARAGE: None,
        fussball: Take(fussball),
    }
    assert seen(at, L).on_offer.cards == []
    assert seen(at, None).on_offer is None


# -- what is told at names, and by names ------------------------------------------


def test_a_plate_tells_the_same_to_all_and_points_only_with_a_running_score():
    at = usual(DRINKS, funds=5)
    for viewer in (P, L, None):
        html = plates(SeenBoard(at.match, viewer))
        assert html == {P: (5, 0, 0, 3, None), L: (3, 0, 0, 3, None), R: (3, 0, 0, 3, None)}
    at.game.options = Venture(running=True)
    assert plates(SeenBoard(at.match, L))[P][-1] == at.game.total(at.game.seats[P])


def test_a_card_keeps_its_name_when_it_is_built_and_nobody_is_told_it_before():
    at = usual(GARAGE, DRINKS)
    name = piece(GARAGE)
    assert name == "garage-1-3"
    assert [each.piece for each in seen(at).hand.cards if each.face.copy == GARAGE] == [name]
    for viewer in (L, None):
        assert name not in str(seen(at, viewer))
        assert GARAGE not in str(seen(at, viewer))
    all_choose(at, P=build(GARAGE))
    for viewer in (P, L, None):
        assert GARAGE in firms(seen(at, viewer))[P].copies


def test_names_of_cards_are_of_letters_digits_and_hyphens():
    copies = [f"{card.id}#{copy}" for card in CARDS.values() for copy in card.copies or (0,)]
    names = {piece(copy) for copy in copies}
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)
    assert len(names) == len({*copies})


# -- what cards say ----------------------------------------------------------------


def test_every_effect_that_counts_says_what_and_whose():
    gains_of_cards = [gain for card in CARDS.values() for gain in gains(card.effects)]
    counting = [gain for gain in gains_of_cards if gain.per]
    assert {gain.per.what for gain in counting} == {"cards", "stages", "defeats"}
    assert {gain.per.whose for gain in counting} == {"own", "neighbours", "all"}
    assert all(gain.per.colors for gain in counting if gain.per.what == "cards")
    assert {gain.side for gain in gains_of_cards if gain.kind == "trade_price"} == {"left", "right", "both"}


def test_a_card_tells_what_it_gives_and_frees():
    shown = face(GARAGE)
    assert shown.card == kind(GARAGE)
    assert [gain.kind for gain in shown.gains] == [effect.kind for effect in kind(GARAGE).effects]
    assert [card.id for card in shown.frees] == list(kind(GARAGE).unlocks)
    assert all(gain == Gain("points", gain.effect) for gain in shown.gains if isinstance(gain.effect, Points))


def test_built_cards_are_sorted_on_the_board_and_told_by_colour_in_words():
    cards = ("free-drinks-1", "marketroid-1", "garage-1", "generics-1")
    firm = firms(seen(usual(cards=cards)))[P]
    order = [built.card.order for built in firm.built]
    assert order == sorted(order)
    assert [alike[0].card.color for alike in firm.colors] == sorted(
        {built.card.color for built in firm.built}, key=[*Color].index
    )
    assert sum(map(len, firm.colors)) == len(cards)


# -- points ------------------------------------------------------------------------


def test_points_are_shown_only_with_a_running_score():
    plain = seen(usual())
    assert plain.sheet is None
    assert [firm.total for firm in plain.near] == [None] * 3
    at = usual()
    at.game.options = Venture(running=True)
    running = seen(at)
    assert [founder.number for founder in running.sheet.founders] == [P, L, R]
    assert running.sheet.totals == [firms(running)[seat].total for seat in (P, L, R)]
    assert running.sheet.totals[P] == sum(line.points[P] for line in running.sheet.lines)
    assert [category for category, _ in running.sheet.of(P)] == [
        line.category for line in running.sheet.lines
    ]


def test_tokens_have_their_signs():
    assert [signed(n) for n in (3, 1, 0, -1)] == ["+3", "+1", "0", "−1"]
    at = usual()
    at.game.seats[L].tokens = [1, -1]
    assert firms(seen(at))[L].tokens == ["+1", "−1"]


# -- words on narrow cards -----------------------------------------------------------


LETTERS = 10  # in a row, for which a card of a small phone has room
BREAKS = re.compile(r"\w+-\w+")


@pytest.mark.parametrize("translated", [False, True], ids=["en", "de"])
def test_every_long_word_of_a_card_may_be_broken(translated: bool):
    entries = polib.pofile(str(Path(rules.__file__).with_name("de.po")))
    german = {entry.msgid: entry.msgstr for entry in entries}
    lists = [words for words in german if len(words.split()) > 9 and all(map(BREAKS.match, words.split()))]
    breaks = " ".join(german[each] if translated else each for each in lists)
    names = {card.name for card in CARDS.values()} | {"scaling", "programming", "custom solution"}
    for name in names:
        words = german.get(name, name) if translated else name
        broken = hyphenated(words, breaks)
        assert broken.replace("\u00ad", "") == words
        assert max(map(len, re.split(r"[\s\u00ad-]", broken))) <= LETTERS, words
