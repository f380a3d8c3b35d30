"""Crazy Eights, rule by rule."""

from typing import Any

import pytest

from games.eights.rules import CrazyEights, Draw, Holder, House, Name, Pass, Play, Why, fits, points
from strifebarge.bots.search.imagining import filled
from strifebarge.bots.search.sighting import sighting
from strifebarge.rules import Hidden, Refused, Standard
from strifebarge.rules.chance import Chance
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json, read
from strifebarge.rules.pieces import Card, Suit
from strifebarge.rules.schema import actions
from strifebarge.rules.testing import Tabletop, random_play
from strifebarge.rules.text import tell
from tests.rules.taking_up import assert_the_same_when_taken_up, refusal_of

BY_HAND = House("by_hand")


def cards(spelt: str) -> list[Card]:
    return [Card(each) for each in spelt.split()]


def table(
    *hands: str, pile: str = "9S", stock: str = "", suit: str = "", house: House | None = None
) -> Tabletop:
    """Hands, the card on top, the suit to follow if it is another, and the stock, its top last."""

    def arrange(game: Any) -> None:
        for seat, hand in zip(game.seats, hands, strict=True):
            seat.hand = Hidden(cards(hand))
        game.pile = cards(pile)
        game.suit = Suit(suit) if suit else game.pile[-1].suit
        game.stock = Hidden(cards(stock))

    at = Tabletop(CrazyEights, len(hands), arrange=arrange, options=house)
    at.packed = at.packed[1:]  # the starter, as it was dealt
    return at


def dealt(seats: int) -> CrazyEights:
    """A game as it is before anybody draws."""
    game = CrazyEights(seats=[Holder(number=number) for number in range(seats)], chance=Chance("deal"))
    game.setup()
    return game


def play(spelt: str) -> Play:
    return Play(Card(spelt))


def hand(at: Tabletop, seat: int) -> list[Card]:
    return list(at.game.seats[seat].hand)


def places(at: Tabletop) -> list[list[int]]:
    assert at.match.result is not None
    return at.match.result.places


# -- the deal ----------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "each"), [(1, 5), (2, 7), (3, 5), (4, 5), (5, 5)])
def test_two_are_dealt_seven_cards_and_others_five(seats, each):
    game = dealt(seats)
    assert [len(seat.hand) for seat in game.seats] == [each] * seats
    assert len(game.pile) == 1
    assert len(game.stock) == 52 - seats * each - 1
    held = [card for seat in game.seats for card in seat.hand]
    assert sorted([*held, *game.pile, *game.stock]) == sorted(Card)


def test_cards_are_dealt_in_blocks_off_a_shuffled_deck_and_the_next_is_the_starter():
    deck = Chance("deal").shuffled(Card)[::-1]
    game = dealt(3)
    assert [list(seat.hand) for seat in game.seats] == [deck[:5], deck[5:10], deck[10:15]]
    assert game.pile == deck[15:16]
    assert list(game.stock) == deck[16:][::-1]
    assert game.suit == deck[15].suit


def test_the_starter_is_told():
    at = Tabletop(CrazyEights, 2)
    assert at.log()[0] == f"The starter is the {tell(at.game.pile[0].text, None)}."


def test_the_first_seat_begins_and_the_others_follow():
    at = table("9H 9D", "9C 2C", "2D 3D", stock="KH")
    assert at.match.waiting_for() == [0]
    at.plays(0, play("9H"))
    assert at.match.waiting_for() == [1]
    at.plays(1, play("9C"))
    assert hand(at, 2) == cards("2D 3D KH")  # nothing to play, drew, and passed
    assert at.match.waiting_for() == [0]


# -- playing -----------------------------------------------------------------------


def test_a_card_of_the_suit_or_the_rank_or_any_eight_can_be_played():
    """Worked example: on the 9 of spades 9H, 2S, 8D are playable, 10H is not."""
    at = table("9H 2S 8D 10H", "2D")
    assert at.match.offers(0) == [play("9H"), play("2S"), play("8D")]
    assert at.refused(0, play("10H")) is Why.NO_MATCH
    at.plays(0, play("2S"))
    assert at.game.pile == cards("9S 2S")
    assert at.game.suit is Suit.SPADES


def test_the_suit_to_follow_is_that_of_the_card_played_by_rank():
    at = table("9H 2C", "2S 3H 4C")
    at.plays(0, play("9H"))
    assert at.match.offers(1) == [play("3H")]


def test_after_an_eight_the_suit_named_is_to_be_followed():
    """Worked example: on the 8 of diamonds with hearts named, 2H and any eight, not 3D."""
    at = table("2H 8S 8C 3D", "2D", pile="8D", suit="hearts")
    assert at.match.offers(0) == [play("2H"), play("8S"), play("8C")]
    assert at.refused(0, play("3D")) is Why.NO_MATCH


def test_if_the_starter_is_an_eight_its_own_suit_is_to_be_followed():
    at = table("2H 3D", "2C", pile="8D")
    assert at.match.offers(0) == [play("3D")]
    assert tell(at.match.prompts[0].text, 0) == "Play a card of diamonds or an eight."


def test_it_is_said_what_may_follow():
    assert tell(table("9H", "2C").match.prompts[0].text, 0) == "Play a card of spades, a 9, or an eight."
    at = table("QH", "2C", pile="QS")
    assert tell(at.match.prompts[0].text, 0) == "Play a card of spades, a queen, or an eight."


def test_what_is_played_is_told():
    at = table("QS 2C", "2D 3S")
    at.plays(0, play("QS"))
    assert at.log() == ["P0 plays the queen of spades."]


# -- eights ------------------------------------------------------------------------


def test_whoever_plays_an_eight_names_the_suit_and_the_turn_ends():
    at = table("8D KD", "2H 3C")
    at.plays(0, play("8D"))
    assert at.match.waiting_for() == [0]
    assert at.game.naming
    assert tell(at.match.prompts[0].text, 0) == "Name the suit to follow."
    assert at.match.options(0) == [Name(suit) for suit in Suit]
    at.plays(0, Name(Suit.HEARTS))
    assert at.match.waiting_for() == [1]
    assert at.log()[-1] == "P0 names hearts."
    assert at.match.offers(1) == [play("2H")]
    assert not at.game.naming


def test_nothing_else_is_possible_until_the_suit_is_named():
    at = table("8D KD 8C", "2H 3C", stock="KH")
    at.plays(0, play("8D"))
    assert refusal_of(at.match, at.match.move, 0, play("KD")) is Why.NAME_A_SUIT
    assert refusal_of(at.match, at.match.move, 0, play("8C")) is Why.NAME_A_SUIT
    assert refusal_of(at.match, at.match.move, 0, Draw()) is Why.NAME_A_SUIT
    assert refusal_of(at.match, at.match.move, 0, Pass()) is Standard.NOT_OFFERED
    assert refusal_of(at.match, at.match.move, 1, Name(Suit.CLUBS)) is Standard.NOT_YOUR_TURN


def test_any_suit_may_be_named_also_the_eights_own():
    at = table("8D KD", "2H 3D")
    at.plays(0, play("8D"), Name(Suit.DIAMONDS))
    assert at.match.offers(1) == [play("3D")]


def test_there_is_a_suit_to_name_only_after_an_eight_of_ones_own():
    at = table("9H 2C", "2H 9C", pile="8S", suit="hearts")
    assert refusal_of(at.match, at.match.move, 0, Name(Suit.CLUBS)) is Why.NO_SUIT_TO_NAME


def test_going_out_on_an_eight_ends_the_game_at_once_and_no_suit_is_named():
    at = table("8D", "2H KC")
    at.plays(0, play("8D"))
    assert places(at) == [[0], [1]]
    assert at.log() == [
        "P0 plays the 8 of diamonds.",
        "P0 has 0 points in hand.",
        "P1 has 12 points in hand.",
    ]


# -- drawing by itself ---------------------------------------------------------------


def test_cards_are_drawn_until_one_can_be_played_on_the_very_first_turn_too():
    at = table("2H 3D", "2C", stock="KS 5S 4D 3C")
    assert hand(at, 0) == cards("2H 3D 3C 4D 5S")
    assert at.log() == ["P0 draws a card."] * 3
    assert at.match.offers(0) == [play("5S")]


def test_nobody_draws_who_can_play():
    at = table("2S", "2C", stock="KS")
    assert hand(at, 0) == cards("2S")


def test_cards_are_drawn_before_the_next_one_plays_too():
    at = table("9H 2C", "2C 3C", stock="KS 5H 4D")
    at.plays(0, play("9H"))
    assert hand(at, 1) == cards("2C 3C 4D 5H")
    assert at.match.waiting_for() == [1]


def test_which_card_is_drawn_only_its_holder_is_told():
    at = table("2H 3D", "2C", stock="KS 5S 4D")
    assert at.log(0) == ["You draw the 4 of diamonds.", "You draw the 5 of spades."]
    assert at.log(1) == at.log(None) == ["P0 draws a card."] * 2


def test_it_is_noted_what_a_hand_could_not_follow_until_those_cards_are_played():
    at = table("2H 3D", "2C", stock="QD KS 5S 4D 3C")
    assert at.game.seats[0].missed == {Card("9S"): 4}
    at.plays(0, play("5S"))
    assert at.game.seats[0].missed == {Card("9S"): 4}
    at.plays(1, play("KS"))
    assert [seat.missed for seat in at.game.seats] == [
        {Card("9S"): 4, Card("KS"): 5},
        {Card("5S"): 1, Card("KS"): 1},
    ]
    assert at.match.view(None).seats[0].missed == at.game.seats[0].missed


def test_a_bot_imagines_hands_that_could_not_follow_what_they_did_not_follow():
    at = table("2H 3D 4D", "2C AH", stock="KH 7D 6D KS 5S")
    at.plays(0, play("5S"))
    seen, dice = sighting(at.match, 1), Chance("imagined")
    hands = [filled(seen, dice).game.seats[0].hand for _ in range(50)]
    assert all(len(each) == 3 and not any(fits(card, Card("9S")) for card in each) for each in hands)
    assert len({*map(repr, hands)}) > 20
    at.plays(1, play("KS"))
    at.plays(0, play("KH"))
    assert at.game.seats[0].missed == {Card("9S"): 3, Card("KS"): 5}
    hands = [filled(sighting(at.match, 1), dice).game.seats[0].hand for _ in range(50)]
    assert all(not any(fits(card, Card("KS")) for card in each) for each in hands)


def test_a_bot_imagines_a_stock_of_which_only_the_last_card_drawn_could_follow():
    at = table("2H 3D", "2C AH", stock="QD KS 5S 4D 3C")
    at.plays(0, play("5S"))
    seen, dice = sighting(at.match, 1), Chance("imagined")
    stocks = [filled(seen, dice).game.stock for _ in range(50)]
    assert {each[-3] for each in stocks} == {Card("5S")}
    assert not any(fits(card, Card("9S")) for each in stocks for card in (each[-1], each[-2]))
    assert len({*map(repr, stocks)}) > 20
    assert 8 < sum(fits(each[0], Card("9S")) for each in stocks) < 32  # 16 of the 43 others do


def test_a_bot_knows_what_it_drew_itself():
    at = table("2S 3S", "2C AH", stock="QD KS 5S 4D 3C")
    at.plays(0, play("2S"))
    drawn = [card for card in hand(at, 1) if card not in cards("2C AH")]
    stocks = [filled(sighting(at.match, 1), Chance(f"imagined {nth}")).game.stock for nth in range(20)]
    assert all([*each][::-1][: len(drawn)] == drawn for each in stocks)


def test_by_hand_it_says_nothing_that_a_card_was_drawn():
    at = table("2S 3H", "2C", stock="KS", house=BY_HAND)
    at.plays(0, Draw())
    assert at.game.seats[0].missed == {}


def test_with_a_card_to_play_one_must_play():
    at = table("2S 3H", "2C", stock="KS")
    assert refusal_of(at.match, at.match.move, 0, Draw()) is Why.MUST_PLAY


def test_with_an_empty_stock_there_is_no_drawing():
    at = table("2S 3H", "2C")
    assert refusal_of(at.match, at.match.move, 0, Draw()) is Why.STOCK_EMPTY


def test_nobody_passes_by_hand():
    at = table("2S 3H", "2C", stock="KS")
    assert refusal_of(at.match, at.match.move, 0, Pass()) is Standard.NOT_OFFERED


# -- drawing by hand -----------------------------------------------------------------


def test_by_hand_one_draws_as_often_as_one_likes_also_with_a_card_to_play():
    at = table("2S 3H", "2C", stock="KS 5H 4D", house=BY_HAND)
    assert hand(at, 0) == cards("2S 3H")
    assert Draw() in at.match.offers(0)
    at.plays(0, Draw(), Draw())
    assert hand(at, 0) == cards("2S 3H 4D 5H")
    assert at.match.waiting_for() == [0]
    at.plays(0, play("2S"))
    assert at.match.waiting_for() == [1]


def test_by_hand_nothing_is_drawn_by_itself():
    at = table("3H", "2C", stock="KS", house=BY_HAND)
    assert at.match.offers(0) == [Draw()]
    assert at.refused(0, play("3H")) is Why.NO_MATCH


def test_by_hand_the_stock_may_run_out():
    at = table("2S 3H", "2C", stock="KD", house=BY_HAND)
    at.plays(0, Draw())
    assert refusal_of(at.match, at.match.move, 0, Draw()) is Why.STOCK_EMPTY
    assert at.match.waiting_for() == [0]


def test_by_hand_too_one_passes_with_nothing_to_play_and_nothing_to_draw():
    at = table("3H", "2S", stock="KD", house=BY_HAND)
    at.plays(0, Draw())
    assert at.log()[-1] == "P0 passes."
    assert at.match.waiting_for() == [1]


def test_a_card_drawn_by_hand_cannot_be_put_back():
    at = table("2S 3H", "2C", stock="KS 5H", house=BY_HAND)
    at.plays(0, Draw())
    assert at.match.can_undo(0) is False


# -- passing and the end -----------------------------------------------------------------


def test_with_nothing_to_play_and_no_stock_the_referee_passes():
    at = table("2H 9D", "3H", "2D 3C")
    at.plays(0, play("9D"))
    assert at.log() == ["P0 plays the 9 of diamonds.", "P1 passes."]
    assert at.match.waiting_for() == [2]


def test_the_stock_is_never_shuffled_again():
    at = table("2S 4D", "3D 5C", stock="KH")
    at.plays(0, play("2S"))
    assert at.game.pile == cards("9S 2S")
    assert not at.game.stock
    assert at.log()[1:4] == ["P1 draws a card.", "P1 passes.", "P0 passes."]


def test_when_all_have_had_to_pass_in_turn_the_game_ends():
    at = table("2S 10H", "3H", "KD")
    at.plays(0, play("2S"))
    assert at.log() == [
        "P0 plays the 2 of spades.",
        "P1 passes.",
        "P2 passes.",
        "P0 passes.",
        "P0 has 10 points in hand.",
        "P1 has 3 points in hand.",
        "P2 has 10 points in hand.",
    ]
    assert places(at) == [[1], [0, 2]]


def test_a_card_played_begins_the_passing_anew():
    at = table("3S 9H KD", "2D 4D", "3C 5D")
    at.plays(0, play("3S"))
    assert at.log()[1:] == ["P1 passes."]
    at.plays(2, play("3C"))
    assert at.log()[3:6] == ["P0 passes.", "P1 passes.", "P2 passes."]
    assert at.match.result
    at = table("3S 4C KD 2H", "2D 4D", "3C 5D")
    at.plays(0, play("3S"))
    assert at.game.passes == [1]
    at.plays(2, play("3C"))
    assert at.game.passes == []
    at.plays(0, play("4C"))
    at.plays(1, play("4D"))  # who passed before plays now
    assert at.match.waiting_for() == [2]


def test_at_the_end_hands_are_counted_and_fewest_points_are_first():
    """Worked example: three hold 10C 3D, 8S and nothing: 13, 50, 0."""
    at = table("10C 3D 9C", "8S 9S", "9D", pile="9H")
    at.plays(0, play("9C"))
    at.plays(1, play("9S"))
    at.plays(2, play("9D"))
    assert places(at) == [[2], [0], [1]]
    assert at.match.result
    assert at.match.result.scores == {0: 13, 1: 50, 2: 0}
    assert at.why == "Fewest points left in hand."


@pytest.mark.parametrize(
    ("held", "worth"),
    [
        ("AS", 1),
        ("2C 3C 4C 5C 6C 7C", 27),
        ("9H", 9),
        ("10H", 10),
        ("JD QD KD", 30),
        ("8S", 50),
        ("8S 8H", 100),
        ("", 0),
    ],
)
def test_each_card_has_its_points(held, worth):
    at = table(held or "2C", "2D")
    at.game.seats[0].hand = Hidden(cards(held))
    assert points(at.game.seats[0]) == worth


def test_points_are_ranked_as_numbers():
    """Worked example: 0, 5, 10, 100 in that order."""
    game: Any = table("2C", "2C", "2C", "2C").game
    for seat, held in zip(game.seats, ("8S 8H", "10C", "5C", ""), strict=True):
        seat.hand = Hidden(cards(held))
    assert game.ranking(points, best=min).places == [[3], [2], [1], [0]]


def test_equal_points_share_a_place():
    at = table("9D KC", "KD", "10H")
    at.plays(0, play("9D"))
    at.plays(1, play("KD"))
    assert places(at) == [[1], [0, 2]]


def test_alone_it_is_patience():
    at = table("9H 2H", pile="9S", stock="")
    at.plays(0, play("9H"), play("2H"))
    assert places(at) == [[0]]
    assert at.match.result
    assert at.match.result.scores == {0: 0}
    at = table("9H 2D", pile="9S", stock="")
    at.plays(0, play("9H"))
    assert at.match.result is not None
    assert at.match.result.scores == {0: 2}


def test_alone_one_goes_on_until_stock_and_hand_are_stuck():
    *_, end = random_play(Match.new(CrazyEights, 1, "alone"), Chance("x"))
    assert end.result is not None
    game: Any = end.game
    assert not game.seats[0].hand or not game.stock


# -- who sees what -------------------------------------------------------------------


def test_each_sees_their_own_hand_and_the_number_of_the_others_cards():
    at = table("9H 2S", "3D 4D 5D", "2C", stock="KS KD")
    for viewer in (None, 0, 1, 2):
        view: Any = at.match.view(viewer)
        assert [len(seat.hand) for seat in view.seats] == [2, 3, 1]
        assert [any(seat.hand) for seat in view.seats] == [viewer == seat for seat in range(3)]
        assert (len(view.stock), any(view.stock)) == (2, False)
        assert (view.pile, view.suit) == (cards("9S"), Suit.SPADES)
        assert [tell(view.standing(seat), viewer) for seat in view.seats] == ["2 cards", "3 cards", "1 card"]


# -- what is refused -----------------------------------------------------------------


def test_one_plays_only_what_one_holds():
    at = table("9H 2S", "3S 4D")
    assert refusal_of(at.match, at.match.move, 0, play("3S")) is Why.NOT_HELD
    assert refusal_of(at.match, at.match.move, 0, play("8C")) is Why.NOT_HELD


def test_a_card_that_is_refused_is_named_with_what_fits():
    at = table("10H 2S", "2D")
    reasons = [at.match.reason(0, play(card)) for card in ("10H", "3D")]
    assert [str(refused and refused.text) for refused in reasons] == [
        "The 10 of hearts doesn't fit. Play a card of spades, a 9, or an eight.",
        "You don't have the 3 of diamonds. Play a card of your hand.",
    ]


def test_the_turn_comes_first_then_the_form_then_the_holding_then_the_rules():
    at = table("8D 9H KD", "3S 4D", stock="KH")
    nonsense: Any = Play("9X")  # type: ignore[arg-type]
    assert at.refused(1, nonsense) is Standard.NOT_YOUR_TURN
    assert at.refused(0, nonsense) is Why.UNKNOWN_CARD
    assert at.refused(0, play("3S")) is Why.NOT_HELD  # also while it would not follow
    assert at.refused(0, play("4D")) is Why.NOT_HELD
    assert at.refused(0, play("KD")) is Why.NO_MATCH
    at.plays(0, play("8D"))
    assert at.refused(0, play("3S")) is Why.NOT_HELD
    assert at.refused(0, play("KD")) is Why.NAME_A_SUIT
    assert at.refused(0, Name("blue")) is Why.UNKNOWN_SUIT  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("why", "number"),
    [
        (Standard.NOT_YOUR_TURN, 901),
        (Why.NOT_HELD, 902),
        (Why.UNKNOWN_CARD, 903),
        (Why.STOCK_EMPTY, 904),
        (Why.NO_SUIT_TO_NAME, 905),
        (Why.UNKNOWN_SUIT, 906),
        (Why.NO_MATCH, 907),
        (Why.NAME_A_SUIT, None),
        (Why.MUST_PLAY, None),
    ],
)
def test_older_clients_know_refusals_by_their_numbers(why, number):
    assert why.number == number
    assert why.token == ("game." if why in Standard else "eights.") + why.name.lower()


@pytest.mark.parametrize("spelt", ["10C", "10c", "qs", "Qs", "8H", "ah"])
def test_callers_write_a_card_as_rank_then_suit_in_any_letter_case(spelt):
    kinds = actions(CrazyEights)
    assert (
        from_json({"do": "play", "card": spelt}, kinds) == read(f"play {spelt}", kinds) == play(spelt.upper())
    )


@pytest.mark.parametrize("spelt", ["", "11C", "C10", "1C", "10", "queen of spades", "Q♠", "10 C"])
def test_there_is_no_other_card(spelt):
    with pytest.raises(Refused) as refused:
        from_json({"do": "play", "card": spelt}, actions(CrazyEights))
    assert refused.value.why is Why.UNKNOWN_CARD


@pytest.mark.parametrize("named", ["s", "S", "spades", "Spades", "SPADES"])
def test_callers_name_a_suit_by_its_letter_or_its_name(named):
    kinds = actions(CrazyEights)
    assert (
        from_json({"do": "name", "suit": named}, kinds) == read(f"name {named}", kinds) == Name(Suit.SPADES)
    )


@pytest.mark.parametrize("named", ["", "x", "sp", "spade", "♠", "spades "])
def test_there_is_no_other_suit(named):
    with pytest.raises(Refused) as refused:
        from_json({"do": "name", "suit": named}, actions(CrazyEights))
    assert refused.value.why is Why.UNKNOWN_SUIT


# -- leaving -------------------------------------------------------------------------


def test_leaving_in_ones_turn_lets_it_pass_without_a_pass_that_counts():
    at = table("9H 2C", "3S 4D", "2S 5D")
    at.leaves(0)
    assert at.log() == ["P0 left the game."]
    assert at.match.waiting_for() == [1]
    assert at.game.passes == []


def test_leaving_while_a_suit_is_owed_names_the_eights_own():
    at = table("8D 2C", "3S 4D", "2S 5D")
    at.plays(0, play("8D"))
    at.leaves(0)
    assert at.log()[-2:] == ["P0 left the game.", "P0 names diamonds."]
    assert at.game.suit is Suit.DIAMONDS
    assert not at.game.naming
    assert at.match.offers(1) == [play("4D")]
    assert_the_same_when_taken_up(at.match)


def test_who_left_is_passed_over_and_keeps_their_cards():
    at = table("9H 2C KC", "3S 4H", "2S 5H", stock="KH")
    at.leaves(1)
    at.plays(0, play("9H"))
    assert at.match.waiting_for() == [2]
    assert hand(at, 1) == cards("3S 4H")


def test_who_left_is_ranked_after_those_who_stayed():
    at = table("9H", "2C", "KC QC")
    at.leaves(1)
    at.plays(0, play("9H"))
    assert places(at) == [[0], [2], [1]]
    assert "P1 has 2 points in hand." not in at.log()


def test_the_last_one_at_the_table_wins():
    at = table("9H KD", "2C", "KC QC")
    at.leaves(2)
    at.leaves(0)
    assert places(at) == [[1], [0], [2]]


def test_the_pass_of_one_who_left_is_no_pass_of_another():
    """Seat 0 passes and leaves, seat 1 leaves, seat 2 passes: seat 3, who can play, is to play."""
    at = table("2H", "4S 5D", "2D", "3S 6D")
    at.leaves(0)
    at.leaves(1)
    assert at.log() == ["P0 passes.", "P0 left the game.", "P1 left the game.", "P2 passes."]
    assert at.match.waiting_for() == [3]


def test_when_the_only_one_who_could_play_leaves_all_others_have_passed():
    at = table("2H", "3D", "4S 5D", pile="9S", stock="")
    at.leaves(2)
    assert places(at) == [[0], [1], [2]]
