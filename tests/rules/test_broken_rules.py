"""When the rules of a game break down, the match stands as before."""

import re
from asyncio import sleep
from typing import Any

import pytest

from strifebarge.rules import Action, Game, Seat
from strifebarge.rules.asking import BrokenRules, EndGame
from strifebarge.rules.chance import Chance
from strifebarge.rules.match import Match
from strifebarge.rules.replay import Endless
from strifebarge.rules.testing import Tabletop, random_play

from .parlour import (
    Auction,
    Bid,
    Done,
    Fog,
    Lab,
    Note,
    Show,
)
from .taking_up import Watched, public_state


class Faulty(Lab):
    """Breaks down on a note of 2, and when anybody leaves."""

    title = "Faulty"

    def do(self, seat: Any, action: Action) -> None:
        self.chance.die()
        super().do(seat, action)
        if action == Note(2):
            raise ZeroDivisionError

    def leave(self, seat: Any) -> None:
        self.eliminate(seat)
        raise ZeroDivisionError


def test_when_the_rules_break_down_the_match_stands_as_before():
    at = Watched(Faulty, 2)
    at.plays(0, Note(1))
    before = public_state(at.match)
    with pytest.raises(ZeroDivisionError):
        at.match.move(0, Note(2))
    assert public_state(at.match) == before
    with pytest.raises(ZeroDivisionError):
        at.match.leave(1)
    assert public_state(at.match) == before
    at.plays(0, Note(1), Done())


def test_when_the_rules_break_down_over_the_last_choice_the_others_are_kept():
    class Brittle(Auction):
        title = "Brittle"

        def purse(self, seat: Any) -> list[Any]:
            return [Bid]

        async def play(self) -> Any:
            bids = await self.ask_all("Bid.", self.purse)
            assert bids[self.seats[0]].coins != 3
            return self.ranking()

    at = Watched(Brittle, 2)
    at.plays(1, Bid(0))
    with pytest.raises(AssertionError):
        at.match.move(0, Bid(3))
    assert at.match.pending == {1: Bid(0)}
    at.plays(0, Bid(1))
    assert at.match.result


def test_a_stage_must_end_with_a_ranking_or_a_stage():
    class Forgetful(Game[Seat]):
        title = "Forgetful"

        async def play(self) -> Any:
            await self.ask(self.seats[0], "Go on.", [Done()])

    at = Tabletop(Forgetful)
    with pytest.raises(BrokenRules, match="Forgetful: the stage “play” ends with None"):
        at.plays(0, Done())


@pytest.mark.filterwarnings("ignore:coroutine")
@pytest.mark.parametrize(
    "end", [lambda game: game.play(), lambda game: Fog.play, lambda game: print, lambda game: "play"]
)
def test_a_stage_is_named_not_begun_and_one_of_this_game(end):
    class Wrong(Game[Seat]):
        title = "Wrong"

        async def play(self) -> Any:
            return end(self)

    with pytest.raises(BrokenRules, match="Wrong: the stage “play” ends with"):
        Match.new(Wrong)


def test_a_stage_is_an_async_def():
    class Plain(Game[Seat]):
        title = "Plain"

        def play(self) -> Any:  # type: ignore[override]
            return self.ranking()

    with pytest.raises(BrokenRules, match="Plain: the stage “play” is no `async def`"):
        Match.new(Plain)


@pytest.mark.parametrize("offer", [7, "done", None, Seat])
def test_only_actions_and_classes_of_them_are_offered(offer):
    class Generous(Game[Seat]):
        title = "Generous"

        async def play(self) -> Any:
            await self.ask(self.seats[0], "Go on.", [Done(), offer])

    with pytest.raises(BrokenRules, match=rf"^{re.escape(repr(offer))} is offered, and is no action$"):
        Match.new(Generous).offered(0)


def test_only_seats_can_be_awaited():
    class Sleepy(Game[Seat]):
        title = "Sleepy"

        async def play(self) -> Any:
            await sleep(0)

    with pytest.raises(BrokenRules, match="Sleepy awaits what is no question"):
        Match.new(Sleepy)


def test_whichever_of_nobody_cannot_answer():
    class Empty(Game[Seat]):
        title = "Empty"

        async def play(self) -> Any:
            await self.ask_any("Who?", [Done()], of=[])

    with pytest.raises(BrokenRules, match="nobody"):
        Match.new(Empty)


def test_a_game_that_asks_nobody_who_is_there_is_endless():
    class Wheel(Lab):
        title = "Wheel"

        def leave(self, seat: Any) -> None:
            pass

        def tools(self) -> list[Action]:
            return [Done()]

    at = Tabletop(Wheel, 1)
    before = public_state(at.match)
    with pytest.raises(Endless, match="Wheel"):
        at.leaves(0)
    assert public_state(at.match) == before

    class Spin(Game[Seat]):
        title = "Spin"

        async def play(self) -> Any:
            return self.play

    with pytest.raises(Endless):
        Match.new(Spin)


def test_a_seat_that_may_do_nothing_is_noticed_in_random_play():
    class Stuck(Lab):
        title = "Stuck"

        def tools(self) -> list[Action]:
            return [Show()]

    with pytest.raises(BrokenRules, match=r"Stuck asks seat 0 “Work.”, and there is nothing it may do"):
        list(random_play(Match.new(Stuck), Chance("x")))


def test_over_is_no_exception_that_a_rule_could_swallow():
    assert not issubclass(EndGame, Exception)

    class Careful(Game[Seat]):
        title = "Careful"

        async def play(self) -> Any:
            try:
                await self.ask(self.seats[0], "Go on.", [Done()])
                self.finish(self.ranking())
            except Exception:
                return self.play

    at = Watched(Careful)
    at.plays(0, Done())
    assert at.places() == [[0, 1]]
