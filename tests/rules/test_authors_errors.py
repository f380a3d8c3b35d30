"""What a game may do that its author did not think of: each is said at once, in a sentence."""

import re
import sys
from typing import Any

import pytest

from strifebarge.fuzz.acts import GameSetup
from strifebarge.fuzz.findings import record_of
from strifebarge.fuzz.hunt import Hunt
from strifebarge.fuzz.law import Law
from strifebarge.rules import (
    Action,
    Chance,
    Game,
    Hidden,
    Next,
    No,
    Options,
    Ranking,
    Refusal,
    Seat,
    Text,
    hidden,
)
from strifebarge.rules.asking import BrokenRules
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.playout import Playout
from strifebarge.rules.testing import Tabletop
from strifebarge.rules.text import tell


class Why(Refusal):
    NEVER = "That is never said."


class Go(Action):
    """Go on."""


class Dice(Game[Seat]):
    """A seat that rolls a six at the deal has won; else all go on for a round."""

    title = "Dice"
    players = range(2, 4)

    rolled: list[int] = []

    def setup(self) -> None:
        for seat in self.seats:
            self.rolled.append(self.chance.die(2))
            self.log("{seat} rolls {die}.", seat=seat, die=self.rolled[-1])
        if 2 in self.rolled:
            best = self.rolled.index(2)
            self.finish(self.ranking(lambda seat: seat.number == best, why=Text("A two at once.")))

    async def play(self) -> Next:
        for seat in self.round():
            await self.ask(seat, "Go on.", [Go()])
        return self.ranking()


def ended_at_once() -> Match:
    matches = (Match.new(Dice, 2, str(seed)) for seed in range(99))
    return next(match for match in matches if match.result and match.view().rolled == [1, 2])


# -- the end before the beginning ---------------------------------------------------------


def test_a_game_that_setup_ends_is_over_at_once():
    match = ended_at_once()
    assert match.result is not None
    assert tell(match.result.why, None) == "A two at once."
    assert match.waiting_for() == []
    assert [tell(line, None) for line in match.take_log()] == ["P0 rolls 1.", "P1 rolls 2."]
    assert match.result.winners == [1]


def test_a_game_that_setup_ended_can_be_taken_up_again():
    match = ended_at_once()
    again = Match(Dice, match.snapshot)
    assert (again.result, again.fingerprint()) == (match.result, match.fingerprint())
    assert save(again.game) == save(match.game)
    assert again.take_log() == []


def test_a_game_that_setup_does_not_end_begins_as_ever():
    match = next(match for seed in range(99) if not (match := Match.new(Dice, 2, str(seed))).result)
    assert (match.snapshot.stage, match.waiting_for()) == ("play", [0])


def test_setup_may_begin_with_another_stage():
    class Late(Dice):
        title = "Late"

        def setup(self) -> None:
            self.log("It is late.")
            self.go_on(self.night)

        async def night(self) -> Next:
            await self.ask(self.seats[1], "Sleep.", [Go()])
            return self.play

    at = Tabletop(Late)
    assert at.log() == ["It is late."]
    assert at.match.snapshot.stage == "night"
    assert at.match.waiting_for() == [1]
    again = Match(Late, at.match.snapshot)
    assert again.fingerprint() == at.match.fingerprint()
    at.plays(1, Go())
    assert at.match.waiting_for() == [0]


# -- what is asked of nobody ----------------------------------------------------------------


def asking(who: Any) -> type[Game[Seat]]:
    class Asking(Dice):
        title = "Asking"

        def setup(self) -> None: ...

        async def play(self) -> Next:
            await self.ask(who, "Go on.", [Go()])
            return self.ranking()

    return Asking


def test_to_ask_a_seat_that_is_not_there_is_an_error_at_once():
    with pytest.raises(BrokenRules, match=r"^Asking asks seat 7, and its seats are 0 to 1$"):
        Match.new(asking(Seat(number=7)), 2)


@pytest.mark.parametrize("number", [1, None])
def test_to_ask_what_is_no_seat_is_an_error_at_once(number):
    with pytest.raises(BrokenRules, match=rf"^a seat is asked, as in self\.seats\[0\], and not {number}$"):
        Match.new(asking(number), 2)


NOTHING = {"list": list, "map": lambda: map(Go, ()), "iterator": lambda: iter(()), "set": set}


@pytest.mark.parametrize("nothing", NOTHING.values(), ids=NOTHING)
@pytest.mark.parametrize("way", ["ask", "ask_all", "ask_any", "compose"])
def test_to_ask_without_anything_to_choose_from_is_an_error_at_once(way, nothing):
    class Hollow(Dice):
        title = "Hollow"

        def setup(self) -> None: ...

        async def play(self) -> Next:
            match way:
                case "ask":
                    await self.ask(self.seats[0], "Go on.", nothing())
                case "compose":
                    await self.compose(self.step)
                case _:
                    await getattr(self, way)("Go on.", lambda seat: nothing())
            return self.ranking()

        async def step(self, seat: Seat) -> None:
            await self.ask(seat, "Go on.", nothing())

    with pytest.raises(BrokenRules, match=r"^Hollow asks seat 0 “Go on\.”, and offers nothing$"):
        Match.new(Hollow, 2)


def test_a_playout_goes_on_to_a_question_with_nothing_to_choose_from():
    class Hollow(Dice):
        title = "Hollow"

        async def play(self) -> Next:
            await self.ask(self.seats[0], "Go on.", [])
            return self.ranking()

    playout = Playout(Hollow, "play", Hollow(seats=[Seat(number=0), Seat(number=1)]))
    assert playout.random(0, Chance("dice")) is None


def test_options_that_come_one_by_one_are_all_offered():
    class Flowing(Dice):
        title = "Flowing"

        def setup(self) -> None: ...

        async def play(self) -> Next:
            await self.ask(self.seats[0], "Swap?", map(Swap, range(3)))
            return self.ranking()

    assert Match.new(Flowing, 2).options(0) == [Swap(0), Swap(1), Swap(2)]


@pytest.mark.parametrize(
    ("ranking", "wrong"),
    [
        (Ranking([[0]]), "each seat needs one place"),
        (Ranking([[0, 1], [1]]), "each seat needs one place"),
        (Ranking([[0], [1], [2]]), "each seat needs one place"),
        (Ranking([[0], [], [1]]), "a place is empty"),
        (Ranking([[]]), "each seat needs one place"),
        (Ranking([[0], [1]], {2: 1}), "a score is a number, and a seat has it"),
        (Ranking([[0], [1]], {0: float("nan")}), "a score is a number, and a seat has it"),
        (Ranking([[0], [1]], teams=[[0, 1]]), "partners share a place"),
        (Ranking([[0, 1]], teams=[[0, 1], [1]]), "a seat has one team at most"),
        (Ranking([[0], ["1"]]), "places and teams are lists of seats' numbers, and scores are numbers"),
        (Ranking([0, 1]), "places and teams are lists of seats' numbers, and scores are numbers"),
        (None, "it is no Ranking"),
    ],
)
def test_a_game_that_ends_without_a_place_for_each_seat_is_an_error_at_once(ranking, wrong):
    class Ending(Dice):
        title = "Ending"

        def setup(self) -> None: ...

        async def play(self) -> Next:
            self.finish(ranking)

    with pytest.raises(BrokenRules, match=rf"^Ending ends with .*, which does not rank its seats: {wrong}$"):
        Match.new(Ending, 2)


def test_to_call_a_procedure_that_is_not_there_is_an_error_at_once():
    class Calling(Dice):
        title = "Calling"

        def setup(self) -> None: ...

        async def play(self) -> Next:
            await self.call("".join(["s", "torm"]), self.seats[0])
            return self.ranking()

    with pytest.raises(BrokenRules, match=r"^Calling calls “storm”, and has no procedure of that name$"):
        Match.new(Calling, 2)


def test_to_end_the_game_where_it_is_only_asked_why_not_is_an_error():
    class Ending(Dice):
        title = "Ending"

        def setup(self) -> None: ...

        def refuse(self, seat: Seat, action: Action) -> No:
            self.finish(self.ranking())

    at = Tabletop(Ending)
    with pytest.raises(
        BrokenRules, match=r"^Ending ends or goes on in `refuse`, which may only say why not$"
    ):
        at.match.offers(0)


def test_the_game_may_end_while_an_empty_chair_answers():
    class Brief(Dice):
        title = "Brief"

        def setup(self) -> None: ...

        def absent(self, seat: Seat, offers: list[Action]) -> Action:
            self.finish(self.ranking(why=Text("Enough.")))

    at = Tabletop(Brief)
    [late] = at.match.miss(0)
    assert late.seat == 0
    assert at.why == "Enough."


# -- the fuzzer says the same -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (asking(Seat(number=7)), "Asking asks seat 7, and its seats are 0 to"),
        (asking(1), "a seat is asked, as in self.seats[0], and not 1"),
    ],
)
def test_the_fuzzer_reports_what_is_an_error(rules, sentence):
    [finding] = Hunt(rules, "errors").run(games=2, first=True)
    assert finding.law is Law.CRASH
    assert finding.how.startswith(sentence)


def test_the_fuzzer_reports_a_game_that_ends_where_it_is_only_looked_at():
    class Standing(Dice):
        title = "Standing"

        def setup(self) -> None: ...

        def standing(self, seat: Seat) -> Text | None:
            self.finish(self.ranking())

    [finding] = Hunt(Standing, "errors").run(games=2, first=True)
    assert (finding.law, finding.how) == (
        Law.CRASH,
        "the game ends, or goes on to a stage, where it is only looked at",
    )


def test_the_fuzzer_names_the_authors_line_where_the_library_raises():
    class Losing(Dice):
        title = "Losing"

        def setup(self) -> None: ...

        def standing(self, seat: Seat) -> Text | None:
            Hidden[int]([1]).remove(9)

    [finding] = Hunt(Losing, "errors").run(games=2, first=True)
    assert finding.law is Law.CRASH
    assert re.match(rf"ValueError at {re.escape(__file__)}:\d+ in standing: ", finding.how), finding.how


def test_a_game_that_ends_the_program_is_a_crash():
    class Leaving(Dice):
        title = "Leaving"

        def setup(self) -> None: ...

        async def play(self) -> Next:
            await self.ask(self.seats[0], "Go on.", [Go()])
            sys.exit(3)

    [finding] = Hunt(Leaving, "errors").run(games=2, first=True)
    assert (finding.law, finding.how.partition(" ")[0]) == (Law.CRASH, "SystemExit")
    assert record_of(finding).moves == []


class Sealed(Dice):
    """A deck of which a move tells more than it may: a number of lines, or the card on top."""

    title = "Sealed"

    deck: Hidden[int] = hidden()
    seen: int = 0
    telling: bool = False

    def setup(self) -> None:
        self.deck = Hidden(self.chance.shuffled(range(1, 30)))

    async def play(self) -> Next:
        for seat in self.round():
            await self.ask(seat, "Go on.", [Go()])
            if self.telling:
                for _ in range(self.deck[-1]):
                    self.log("Tick. {dots}", dots="." * 300)
            else:
                self.seen = self.deck[-1]
        return self.ranking()


class Swap(Action):
    """Put a card under the pile and draw another."""

    card: int


class Swapper(Seat):
    hand: Hidden[int] = hidden()


class Swapping(Game[Swapper]):
    """All draw from one pile at once, which they must not."""

    title = "Swapping"
    players = range(2, 4)

    pile: Hidden[int] = hidden()

    def setup(self) -> None:
        self.pile = Hidden(self.chance.shuffled(range(12)))
        for seat in self.seats:
            seat.hand = Hidden(self.pile.draw(2))

    async def play(self) -> Next:
        await self.compose(self.swap)
        return self.ranking()

    async def swap(self, seat: Swapper) -> None:
        while isinstance(swap := await self.ask(seat, "Swap?", [*map(Swap, range(12)), Go()]), Swap):
            seat.hand.remove(swap.card)
            self.pile.insert(0, swap.card)
            seat.hand.extend(self.pile.draw())

    def refuse(self, seat: Swapper, action: Action) -> No:
        return Why.NEVER if isinstance(action, Swap) and action.card not in seat.hand else None


def test_where_several_compose_the_fuzzer_points_to_that():
    [finding] = Hunt(Swapping, "compose").run(games=20, first=True)
    assert finding.law in (Law.CRASH, Law.REFUSING)
    assert "Several compose here, each without the steps of the others." in finding.how


class Ticking(Sealed):
    title = "Ticking"

    telling: bool = True


def test_a_field_that_shows_what_is_hidden_is_found_though_it_begins_with_a_number():
    [finding] = Hunt(Sealed, "leaks").run(games=40, first=True)
    assert finding.law is Law.LEAK
    assert " sees in seen what is hidden in deck[" in finding.how


def test_of_a_leak_the_first_difference_is_shown():
    [finding] = Hunt(Ticking, "leaks").run(games=40, first=True)
    headline, here, there = finding.how.splitlines()
    assert (finding.law, "nothing" in (here.strip(), there.strip())) == (Law.LEAK, True), headline
    assert here != there


def test_the_fuzzer_finds_nothing_wrong_with_a_game_that_setup_ends():
    assert GameSetup(Dice, 2, Options()).begin("law").game.rolled
    assert [finding.how for finding in Hunt(Dice, "errors").run(games=12)] == []


# -- seats that begin, and seats that follow the options -----------------------------------------


def test_a_round_may_begin_with_any_seat():
    game = Dice(seats=[Seat(number=number) for number in range(4)])
    assert [seat.number for seat in game.round()] == [0, 1, 2, 3]
    assert [seat.number for seat in game.round(start=2)] == [2, 3, 0, 1]
    assert [seat.number for seat in game.round(start=game.seats[3])] == [3, 0, 1, 2]
    game.eliminate(game.seats[2])
    assert [seat.number for seat in game.round(start=2)] == [3, 0, 1]


def test_turns_go_round_from_the_seat_that_begins():
    game = Dice(seats=[Seat(number=number) for number in range(3)])
    went = []
    for seat in game.turns(start=game.seats[1]):
        went.append(seat.number)
        if len(went) == 5:
            game.eliminate(game.seats[0])
        if len(went) == 8:
            game.eliminate(game.seats[1])
    assert went == [1, 2, 0, 1, 2, 1, 2, 1]


def test_what_a_stage_and_refuse_give_has_a_name():
    assert Next == Ranking | Game.play.__annotations__["return"].__args__[1]
    assert Game.refuse.__annotations__["return"] == No == (Refusal | type(Why.NEVER()) | None)
