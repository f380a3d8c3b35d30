"""The tabletop, at which tests read as plays, and playing at random."""

from typing import ClassVar

import pytest

from strifebarge.rules import Chance, Game, Next, Refused, Seat, Text
from strifebarge.rules.match import Match
from strifebarge.rules.testing import Tabletop, random_choice, random_play

from .parlour import Auction, Bid, Done, Draw, Lab, Note, Show, Why


def test_any_position_may_be_laid_out():
    at = Tabletop(Lab, 3, arrange=lambda game: game.seats[1].notes.append(7))
    assert at.game.seats[1].notes == [7]


class Nights(Game[Seat]):
    """A day and a night."""

    title = "Nights"
    setup_ends: ClassVar[str] = ""
    slept: int = 0

    def setup(self) -> None:
        if self.setup_ends == "over":
            self.finish(self.ranking())
        if self.setup_ends == "dusk":
            self.go_on(self.dusk)

    async def play(self) -> Next:
        await self.ask(self.seats[0], "Day.", [Done()])
        return self.night

    async def dusk(self) -> Next:
        await self.ask(self.seats[0], "Dusk.", [Done()])
        return self.night

    async def night(self) -> Next:
        await self.ask(self.seats[1], "Night.", [Done()])
        return self.ranking(why=Text("{n} slept.", {"n": self.slept}))


class Over(Nights):
    setup_ends = "over"


class Dusky(Nights):
    setup_ends = "dusk"


def asleep(game):
    game.slept = 2


def at_night(game):
    game.slept = 2
    game.go_on(game.night)


@pytest.mark.parametrize("rules", [Nights, Over, Dusky])
def test_a_position_of_any_stage_may_be_laid_out(rules):
    at = Tabletop(rules, arrange=at_night)
    assert (at.match.snapshot.stage, at.match.waiting_for(), at.game.slept, at.why) == ("night", [1], 2, "")
    at.plays(1, Done())
    assert at.why == "2 slept."


@pytest.mark.parametrize(("rules", "stage"), [(Nights, "play"), (Over, "play"), (Dusky, "dusk")])
def test_a_position_is_laid_out_whatever_setup_goes_on_to(rules, stage):
    at = Tabletop(rules, arrange=asleep)
    assert (at.match.snapshot.stage, at.game.slept) == (stage, 2)


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
