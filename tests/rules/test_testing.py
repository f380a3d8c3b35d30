"""The tabletop, at which tests read as plays, and playing at random."""

import pytest

from strifebarge.rules import Chance, Refused
from strifebarge.rules.match import Match
from strifebarge.rules.testing import Tabletop, random_choice, random_play

from .parlour import Auction, Bid, Done, Draw, Lab, Note, Show, Why


def test_any_position_may_be_laid_out():
    at = Tabletop(Lab, 3, arrange=lambda game: game.seats[1].notes.append(7))
    assert at.game.seats[1].notes == [7]


def test_plays_are_carried_out_and_told():
    at = Tabletop(Lab)
    at.plays(0, Note(1), Draw(), Done())
    assert at.log() == ["P0 notes 1.", "P0 draws a card."]
    assert at.log(0)[1] == f"P0 draws {at.game.seats[0].hand[0]}."


def test_what_is_refused_is_named_and_does_not_happen():
    at = Tabletop(Lab)
    assert at.refused(0, Show()) is Why.STUCK
    assert at.refused(0, Note(1)) is None
    assert at.game.seats[0].notes == []
    with pytest.raises(Refused):
        at.plays(0, Show())


def test_leaving_is_told():
    at = Tabletop(Lab)
    at.leaves(1)
    assert at.log() == ["P1 left the game."]


def test_the_same_seed_is_the_same_play():
    def play(seed):
        *_, end = random_play(Match.new(Auction, 4, "deal"), Chance(seed))
        return end.fingerprint(), end.take_log()

    assert play("a") == play("a") != play("b")


def test_random_play_shows_the_match_before_every_choice_and_at_the_end():
    stations = [match.result is None for match in random_play(Match.new(Auction, 2), Chance("x"))]
    assert stations[-1] is False
    assert all(stations[:-1])


def test_random_play_that_does_not_end_is_noticed():
    with pytest.raises(AssertionError, match="Lab does not end"):
        list(random_play(Match.new(Lab, 2, options=None), Chance("x"), longest=1))


def test_a_class_of_actions_is_sampled():
    choice = random_choice(Match.new(Auction, 2), 0, Chance("x"))
    assert isinstance(choice, Bid)
