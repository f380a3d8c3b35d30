"""The board of Crazy Eights: the table, the viewer's hand, and the backs of the others' cards."""

from games.eights.board import Plate, board, plates, text
from games.eights.rules import Draw, Name, Play
from strifebarge.rules.pieces import Card, Suit
from strifebarge.rules.testing import SeenBoard
from tests.games.test_eights import BY_HAND, cards, table


def test_the_pile_and_the_stock():
    seen = board(SeenBoard(table("2C", "KH", pile="5D 9S", stock="3C 4C 2S").match, 0))
    assert (seen.top, seen.pile, seen.suit) == (Card("9S"), 2, Suit.SPADES)
    assert seen.stock == 2, "one card was drawn, for none could be played"
    assert [held.card for held in seen.hand] == cards("2S 2C")


def test_the_viewers_hand_is_sorted_and_says_what_can_be_played():
    at = table("KH 9D 8C 2S AH", "KC", stock="3C")
    seen = board(SeenBoard(at.match, 0))
    assert [held.card for held in seen.hand] == cards("2S AH KH 9D 8C")
    assert [held.card for held in seen.hand if held.playable] == cards("2S 9D 8C")
    assert seen.playable == 3
    assert seen.hand[0].play == Play(Card("2S"))


def test_who_is_not_asked_can_play_nothing():
    seen = board(SeenBoard(table("2S", "9C 9D", stock="3C").match, 1))
    assert [held.playable for held in seen.hand] == [False, False]
    assert seen.playable is None


def test_of_other_hands_there_is_the_number_of_cards_and_no_card():
    at = table("2S 3S", "9C 9D KH", "AC", stock="3C")
    seen = board(SeenBoard(at.match, 0))
    assert [(other.seat.number, other.size, other.known, other.unknown) for other in seen.others] == [
        (1, 3, [], 3),
        (2, 1, [], 1),
    ]
    watched = board(SeenBoard(at.match, None))
    assert watched.hand is None
    assert [other.unknown for other in watched.others] == [2, 3, 1]
    assert not set(cards("2S 3S 9C 9D KH AC")) & {card for other in watched.others for card in other.known}


def test_when_it_is_over_all_hands_are_open_and_sorted():
    at = table("2S", "KH 9C 9D", stock="3C")
    at.plays(0, Play(Card("2S")))
    [other] = board(SeenBoard(at.match, 0)).others
    assert (other.known, other.unknown) == (cards("KH 9D 9C"), 0)


def test_cards_are_drawn_by_hand_only_where_that_was_agreed():
    assert board(SeenBoard(table("2C", "KH", stock="3C 2S").match, 0)).draw is None
    at = table("2C", "KH", stock="3C 2S", house=BY_HAND)
    assert board(SeenBoard(at.match, 0)).draw == Draw()
    assert board(SeenBoard(at.match, 1)).draw is None


def test_after_an_eight_its_suit_is_named():
    at = table("8C 2S", "KH", stock="3C")
    at.plays(0, Play(Card("8C")))
    mine, other = (board(SeenBoard(at.match, seat)) for seat in (0, 1))
    assert mine.names == [Name(suit) for suit in Suit]
    assert (mine.suit, mine.playable) == (None, None)
    assert (other.suit, other.names) == (None, [])


def test_a_plate_tells_how_many_cards_each_holds_and_nothing_else():
    worlds = [table("2S 3S", "9C 9D KH", stock="3C"), table("2S 3S", "AC 4D 5H", stock="KC")]
    for at in worlds:
        assert plates(SeenBoard(at.match, 0)) == plates(SeenBoard(at.match)) == {0: Plate(2), 1: Plate(3)}


def test_the_more_cards_the_smaller_they_are_drawn():
    sizes = [
        board(SeenBoard(table(" ".join(["2S"] * cards), "9C", stock="3C").match, 0)).size
        for cards in (1, 5, 6, 15, 25)
    ]
    assert sizes == ["few", "few", "usual", "more", "most"]
    assert board(SeenBoard(table("2S", "9C", stock="3C").match)).size == "few"


def test_the_text_shows_the_same():
    at = table("2S 3S", "9C", stock="3C")
    assert text(SeenBoard(at.match, 0)).hand == board(SeenBoard(at.match, 0)).hand
