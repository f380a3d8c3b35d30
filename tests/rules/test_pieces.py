"""Playing cards."""

import pytest

from strifebarge.rules.pieces import Card, Suit
from strifebarge.rules.text import tell


def test_a_deck_has_fifty_two_cards():
    assert len(set(Card)) == 52
    assert {(card.rank, card.suit) for card in Card} == {
        (rank, suit)
        for rank in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
        for suit in Suit
    }


@pytest.mark.parametrize("spelt", ["10D", "10d"])
def test_a_card_is_spelt_rank_then_suit_in_any_letter_case(spelt):
    assert Card(spelt) is Card("10D")
    assert (Card(spelt).rank, Card(spelt).suit) == ("10", Suit.DIAMONDS)


@pytest.mark.parametrize("spelt", ["", "1D", "11D", "D10", "10", "D", "10 D", "8X", "CA", "8S8S", None, 8])
def test_other_words_are_no_cards(spelt):
    with pytest.raises(ValueError):
        Card(spelt)


@pytest.mark.parametrize("named", ["H", "h", "hearts", "Hearts", "HEARTS"])
def test_a_suit_is_named_by_its_letter_or_its_name(named):
    assert Suit(named) is Suit.HEARTS


@pytest.mark.parametrize("named", ["", "x", "he", "heart", "♥", None])
def test_other_words_are_no_suits(named):
    with pytest.raises(ValueError):
        Suit(named)


def test_cards_are_told_in_words():
    words = [tell(Card(spelt).text, None) for spelt in ("AS", "8H", "10D", "JC", "QS", "KH")]
    assert words == [
        "ace of spades",
        "8 of hearts",
        "10 of diamonds",
        "jack of clubs",
        "queen of spades",
        "king of hearts",
    ]


def test_a_sorted_hand_tells_nothing_of_when_a_card_came():
    hand = [Card(spelt) for spelt in ("2C", "KS", "10H", "AS", "3H", "QD")]
    assert sorted(hand, key=lambda card: card.order) == ["AS", "KS", "3H", "10H", "QD", "2C"]
    assert len({card.order for card in Card}) == 52
