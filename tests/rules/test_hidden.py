"""What only some may see: lists that everyone may count, and single things."""

import pytest

from strifebarge.rules import Hidden, Seat, Secret

ANN, BOB = Seat(number=0), Seat(number=1)


def seen_by_all(thing, keeper=None):
    """As a spectator, Ann and Bob see it."""
    return [thing.visible_to(viewer, keeper) for viewer in (None, 0, 1)]


def test_a_deck_is_counted_by_everyone_and_read_by_nobody():
    assert seen_by_all(Hidden("ab")) == [[None, None]] * 3


def test_a_hand_is_read_by_the_seat_that_keeps_it():
    assert seen_by_all(Hidden("ab"), keeper=0) == [[None, None], ["a", "b"], [None, None]]


def test_what_is_shown_to_a_seat_only_that_seat_reads():
    deck = Hidden("abc")
    deck.show("b", BOB)
    assert seen_by_all(deck) == [[None] * 3, [None] * 3, [None, "b", None]]


def test_what_is_shown_to_nobody_in_particular_everyone_reads():
    deck = Hidden("abc")
    deck.show("c")
    assert seen_by_all(deck) == [[None, None, "c"]] * 3


def test_what_is_not_there_cannot_be_shown():
    with pytest.raises(ValueError):
        Hidden("abc").show("d")


def test_cards_are_drawn_off_the_end_as_many_as_there_are():
    deck = Hidden("abc")
    assert deck.draw() == ["c"]
    assert deck.draw(5) == ["b", "a"]
    assert deck.draw() == []
    assert not deck


def test_what_moves_is_hidden_again():
    deck, hand = Hidden("abc"), Hidden("x")
    deck.show("c")
    hand.extend(deck.draw())
    assert seen_by_all(hand) == [[None, None]] * 3


def test_what_stays_stays_shown_wherever_others_are_put():
    deck = Hidden("abc")
    deck.show("b")
    deck.insert(0, "x")
    deck.append("y")
    deck.remove("a")
    assert list(deck) == ["x", "b", "c", "y"]
    assert deck.visible_to(None, None) == [None, "b", None, None]


def test_what_is_put_in_anothers_place_is_hidden():
    deck = Hidden("abc")
    deck.show("a")
    deck[0], deck[2] = deck[2], deck[0]
    assert list(deck) == ["c", "b", "a"]
    assert deck.visible_to(None, None) == [None] * 3


def test_slices_are_read_and_taken_out_but_not_put_in():
    deck = Hidden("abcd")
    deck.show("d")
    assert deck[1:3] == ["b", "c"]
    del deck[1:3]
    assert deck.visible_to(None, None) == [None, "d"]
    with pytest.raises(TypeError, match="one at a time"):
        deck[0:1] = ["x"]


def test_it_is_a_list_in_all_else():
    deck = Hidden("abc")
    assert len(deck) == 3
    assert "b" in deck
    assert deck.index("c") == 2
    assert deck[-1] == "c"
    deck.reverse()
    assert list(deck) == ["c", "b", "a"]


def test_it_is_no_list_to_the_encoder():
    assert not isinstance(Hidden(), list)  # it would be sent, secrets and all


def test_a_secret_is_read_by_those_it_was_told_and_by_its_keeper():
    assert seen_by_all(Secret("x", BOB)) == [None, None, "x"]
    assert seen_by_all(Secret("x"), keeper=0) == [None, "x", None]


def test_a_secret_is_shown_to_some_or_to_everyone():
    secret = Secret("x")
    secret.show(ANN)
    assert seen_by_all(secret) == [None, "x", None]
    secret.show()
    assert seen_by_all(secret) == ["x"] * 3


@pytest.mark.parametrize("keeper", [None, 0, 1])
def test_what_is_not_seen_is_unseen(keeper):
    deck, secret = Hidden("abc"), Secret("x", BOB)
    deck.show("a")
    deck.show("b", ANN)
    for viewer in (None, 0, 1):
        hidden = [
            card for card, seen in zip(deck, deck.visible_to(viewer, keeper), strict=True) if seen is None
        ]
        assert list(deck.unseen(viewer, keeper)) == hidden
        assert list(secret.unseen(viewer, keeper)) == ([] if secret.visible_to(viewer, keeper) else ["x"])
