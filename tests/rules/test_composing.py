"""Turns of many small steps, which the others see when they are ended; several seats, each on its own."""

from typing import Any

import pytest
from msgspec import field

from strifebarge.rules import Action, Game, Refusal, Refused, Seat, Secret, Standard, Text, count
from strifebarge.rules.action import Leave
from strifebarge.rules.asking import BrokenRules
from strifebarge.rules.ledger import Move
from strifebarge.rules.match import Match
from strifebarge.rules.replay import STEP
from strifebarge.rules.testing import Tabletop

from .taking_up import Watched, assert_the_same_when_taken_up, public_state, refusal_of, round_trip


class Why(Refusal):
    ENOUGH = "No more than {most} steps."


class Step(Action):
    """Take a step."""

    number: int

    label = "Step {number}"


class Roll(Action):
    """Roll for it."""


class Ask(Action):
    """Let the other seat say something."""


class Say(Action):
    """Say something."""


class Spoil(Action):
    """Break what must hold."""


class Away(Action):
    """Leave this stage."""


class End(Action):
    """End the turn."""


class Stepper(Seat):
    steps: list[int] = []
    ended: int = 0


class Steps(Game[Stepper]):
    """First all take steps at the same time, then one after the other."""

    title = "Steps"
    players = range(2, 4)
    questions = {"longest": "Who has taken the most?"}

    season: str = ""
    said: int = 0

    async def play(self) -> Any:
        self.heading("All together, {n} seats", n=len(self.seats))
        given = await self.compose(self.steps)
        self.log("All have ended: {given}.", given=[given[seat] for seat in self.seats if seat in given])
        return self.alone

    async def alone(self) -> Any:
        for seat in self.still_in:
            self.blank()
            await self.compose(self.steps, of=[seat])
        return self.ranking(lambda seat: len(seat.steps))

    async def away(self) -> Any:
        await self.call(f"event_{self.season}", self.seats[0])
        await self.call("event_storm", self.seats[1])
        return self.ranking(lambda seat: len(seat.steps), why=Text("Gone away."))

    async def steps(self, seat: Stepper) -> int:
        while True:
            match await self.ask(seat, "{n} so far.", self.tools(), n=len(seat.steps)):
                case Step(number):
                    seat.steps.append(number)
                    self.log("{seat} steps to {number}.", seat=seat, number=number)
                case Roll():
                    await self.ask_all("Nobody is asked this.", [Say()], of=[])
                    seat.steps.append(self.chance.stream(f"of {seat.number}").die())
                case Ask():
                    await self.ask(self.seats[1 - seat.number], "Message.", [Say()])
                    await self.ask_all("Nobody is asked this.", [Say()], of=[])
                    self.said += 1
                case Spoil():
                    self.said = -1
                case Away():
                    self.deeper(3)
                case _:
                    seat.ended += 1
                    return len(seat.steps)

    def tools(self) -> list[Action]:
        return [Step(1), Step(2), Roll(), Ask(), Spoil(), Away(), End()]

    def deeper(self, levels: int) -> None:
        """However deep inside, the next stage is named."""
        if levels:
            self.deeper(levels - 1)
        self.season = "flood"
        self.go_on(self.away)

    async def event_flood(self, seat: Stepper) -> None:
        await self.ask(seat, "The flood: say something.", [Say()])

    def event_storm(self, seat: Stepper) -> None:
        seat.steps.append(99)

    def refuse(self, seat: Stepper, action: Action) -> Refused | None:
        return Why.ENOUGH(most=4) if isinstance(action, Step) and len(seat.steps) > 3 else None

    def absent(self, seat: Stepper, offers: list[Action]) -> Action:
        return Step(2) if not seat.steps else End()

    def must_hold(self) -> Any:
        yield "what was said is counted", self.said >= 0

    def longest(self, you: Stepper | None) -> list[Text]:
        most = max(len(seat.steps) for seat in self.seats)
        return [count("{n} step", "{n} steps", most)]


def seen_by(match: Match, viewer: int | None) -> list[list[int]]:
    return [seat.steps for seat in match.view(viewer).seats]


# -- several at once ----------------------------------------------------------------


def test_several_compose_at_once_and_nobody_sees_anothers_steps_until_all_have_ended():
    at = Watched(Steps, 2)
    assert at.match.waiting_for() == [0, 1]
    at.plays(0, Step(1))
    at.plays(1, Step(2), Step(2))
    at.plays(0, End())
    assert seen_by(at.match, 0) == [[1], []]
    assert seen_by(at.match, 1) == [[], [2, 2]]
    assert seen_by(at.match, None) == [[], []]
    assert at.match.withheld(0) == {(1, 1), (1, 2)}
    assert at.match.withheld(None) == {(1, 0), (1, 1), (1, 2), (1, 3)}
    assert at.match.waiting_for() == [1]
    at.plays(1, End())
    assert seen_by(at.match, None) == [[1], [2, 2]]
    assert at.match.withheld(None) == frozenset()
    assert at.log()[-2:] == ["All have ended: 1, 2.", ""]


def test_whoever_composes_is_not_asked_anew_by_anothers_step():
    at = Watched(Steps, 2)
    number = at.match.question_numbers[1]
    at.plays(0, Step(1), Step(2))
    at.undoes(0)
    assert at.match.question_numbers == {0: 3 * STEP, 1: number}
    assert [at.match.turn_of(seat) for seat in (0, 1)] == [0, 0]


def test_what_is_composed_has_one_number_however_many_steps_it_takes():
    short, long = Watched(Steps, 3), Watched(Steps, 3)
    long.plays(0, Step(1), Step(2))
    long.undoes(0)
    long.undoes(0)
    for at in short, long:
        at.plays(1, Step(1))
        assert (at.match.number, at.match.question_numbers[2]) == (0, 0)
        assert at.match.question_numbers[1] == STEP
        at.plays(0, End())
        at.plays(1, End())
        assert at.match.number == 0
        at.plays(2, End())
        assert (at.match.number, at.match.question_numbers) == (1, {0: 1})
    assert (short.match.ledger_position, long.match.ledger_position) == ((1, 0), (1, 0)), (
        "a stage begins anew"
    )
    long.plays(0, Step(1), Step(2), Ask())
    short.plays(0, Step(1), Ask())
    for at in short, long:
        assert (at.match.number, at.match.question_numbers) == (2, {1: 2}), "the other is asked in the middle"
        at.plays(1, Say())
        at.plays(0, Step(1))
        assert (at.match.number, at.match.question_numbers) == (3, {0: 3 + STEP})
        at.plays(0, End())
        assert (at.match.number, at.match.question_numbers) == (4, {1: 4})


def test_no_two_questions_to_a_seat_have_the_same_number():
    at = Watched(Steps, 2)
    numbers = [at.match.question_numbers[0]]
    for step in (Step(1), Step(2), Step(1)):
        at.plays(0, step)
        numbers.append(at.match.question_numbers[0])
    at.undoes(0)
    numbers.append(at.match.question_numbers[0])
    at.plays(0, End())
    at.plays(1, End())
    numbers.append(at.match.question_numbers[0])
    at.plays(0, Step(1))
    numbers.append(at.match.question_numbers[0])
    assert numbers == sorted({*numbers}, key=numbers.index)


def test_who_leaves_while_others_compose_has_a_number_of_their_own():
    at = Watched(Steps, 3)
    at.plays(0, Step(1))
    at.plays(1, Step(1), Step(1))
    at.leaves(2)
    assert at.match.number == 1
    assert at.match.withheld(0) == {(1, 1), (1, 2)}
    at.plays(1, Step(2))
    assert (at.match.ledger_position, at.match.number) == ((2, 0), 1)
    at.plays(0, End())
    at.plays(1, End())
    assert at.match.number == 2


def test_who_lets_the_time_run_out_is_carried_to_the_end_of_what_they_compose():
    at = Watched(Steps, 2)
    at.plays(1, Step(1))
    moves = at.match.miss(0)
    assert [(move.seat, move.final) for move in moves] == [(0, True)]
    assert at.game.seats[0].ended == 1
    assert at.match.waiting_for() == [1]
    assert_the_same_when_taken_up(at.match)
    at.plays(1, End())
    assert at.game.seats[0].steps == [2]
    at.match.miss(0)
    assert at.match.waiting_for() == [1], "so it is where one composes alone"


def test_whom_the_others_need_not_wait_for_is_carried_to_the_end_too():
    at = Watched(Steps, 2)
    moves = at.match.skip(0)
    assert [move.action for move in moves] == [Step(2), End()]
    assert at.match.waiting_for() == [1]
    assert not at.match.can_undo(0)
    assert_the_same_when_taken_up(at.match)


@pytest.mark.parametrize("first", [Step(2), Spoil()])
def test_skipping_that_breaks_down_on_the_way_leaves_nothing_done(first):
    class Spoiling(Steps):
        """Breaks its own law when nobody is there, in the first step or in the second."""

        title = "Spoiling"

        def absent(self, seat: Stepper, offers: list[Action]) -> Action:
            return Spoil() if seat.steps else first

    at = Watched(Spoiling, 2)
    at.plays(1, Step(1))
    before = public_state(at.match)
    with pytest.raises(BrokenRules):
        at.match.skip(0)
    assert public_state(at.match) == before
    assert at.match.take_log() == []
    at.plays(0, Step(1), End())


def test_skipping_with_nothing_left_to_do_in_the_second_step_leaves_nothing_done():
    class Ending(Steps):
        """Offers one step, and then nothing that may be done."""

        title = "Ending"

        def tools(self) -> list[Action]:
            return [Step(1)]

        def refuse(self, seat: Stepper, action: Action) -> Refused | None:
            return Why.ENOUGH(most=1) if seat.steps else None

        def absent(self, seat: Stepper, offers: list[Action]) -> Action:
            return self.chance.choice(offers)

    match = Match.new(Ending, 2)
    match.take_log()
    before = public_state(match)
    with pytest.raises(ValueError):
        match.skip(0)
    assert public_state(match) == before
    assert match.take_log() == []


def test_each_takes_back_its_own_steps_one_by_one():
    at = Watched(Steps, 2)
    at.plays(0, Step(1))
    at.plays(1, Step(2))
    at.plays(0, Step(2))
    at.undoes(0)
    at.undoes(0)
    assert [seat.steps for seat in at.game.seats] == [[], [2]]
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO
    at.undoes(1)
    assert [seat.steps for seat in at.game.seats] == [[], []]
    assert not [line for line in at.log() if "undid" in line], "nobody has seen it"


def test_what_was_rolled_stays_and_what_came_after_it_does_not():
    at = Watched(Steps, 2)
    at.plays(0, Step(1), Roll(), Step(2))
    assert at.match.waiting_for() == [0, 1]
    assert seen_by(at.match, 1) == [[], []]
    at.plays(1, Step(1))
    at.undoes(0)
    assert not at.match.can_undo(0)
    assert at.match.can_undo(1)
    at.undoes(1)


def test_who_has_ended_is_asked_no_more_and_takes_nothing_back():
    at = Watched(Steps, 2)
    at.plays(0, Step(1), End())
    assert at.refused(0, Step(1)) is Standard.NOT_YOUR_TURN
    assert not at.match.can_undo(0)


def test_when_all_have_ended_no_step_is_taken_back():
    at = Watched(Steps, 2)
    at.plays(0, Step(1), End())
    at.plays(1, Step(1), End())
    assert not at.match.can_undo(0)
    assert not at.match.can_undo(1)


def test_a_seat_whose_player_leaves_is_carried_on_by_the_game():
    at = Watched(Steps, 3)
    at.plays(0, Step(1))
    at.plays(1, Step(1))
    at.leaves(2)
    assert at.match.waiting_for() == [0, 1]
    assert at.game.seats[2].ended == 1
    assert seen_by(at.match, 0) == [[1], [], [2]]
    assert not at.match.can_undo(0), "what was before somebody left stands"
    at.plays(0, Step(2))
    at.undoes(0)
    at.plays(0, End())
    at.plays(1, End())
    assert at.match.snapshot.stage == "alone"


def test_while_several_compose_a_procedure_asks_nobody_else():
    at = Tabletop(Steps, 2)
    with pytest.raises(BrokenRules, match="asks another"):
        at.plays(0, Ask())
    assert at.match.waiting_for() == [0, 1]


# -- one at a time ------------------------------------------------------------------


def alone(seats: int = 2) -> Watched:
    at = Watched(Steps, seats)
    for seat in range(seats):
        at.plays(seat, End())
    return at


def test_a_turn_is_seen_when_it_is_ended():
    at = alone()
    at.plays(0, Step(1), Step(2), Step(1))
    assert seen_by(at.match, 0) == [[1, 2, 1], []]
    assert seen_by(at.match, 1) == seen_by(at.match, None) == [[], []]
    at.undoes(0)
    at.plays(0, End())
    assert seen_by(at.match, 1) == [[1, 2], []]
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO
    at.plays(1, Step(1))
    assert seen_by(at.match, 0) == [[1, 2], []]


def test_who_is_asked_in_the_middle_sees_what_was_done_so_far():
    at = alone()
    at.plays(0, Step(1), Ask())
    assert at.match.waiting_for() == [1]
    assert seen_by(at.match, 1) == [[1], []]
    at.plays(1, Say())
    assert at.game.said == 1
    assert not at.match.can_undo(0), "the other has answered"
    at.plays(0, Step(2))
    assert seen_by(at.match, 1) == [[1], []]
    at.undoes(0)


def test_a_step_that_is_refused_changes_nothing():
    at = alone()
    at.plays(0, *[Step(1)] * 4)
    assert refusal_of(at.match, at.match.move, 0, Step(1)) is Why.ENOUGH


def test_a_match_is_put_away_and_taken_up_in_the_middle_of_a_turn():
    at = alone()
    at.plays(0, Step(1), Step(2))
    twin = round_trip(at.match)
    assert seen_by(twin, 1) == seen_by(at.match, 1) == [[], []]
    twin.move(0, End())
    at.plays(0, End())
    assert_the_same_when_taken_up(twin)
    assert twin.fingerprint() == at.match.fingerprint()


def test_the_end_of_the_game_shows_all():
    at = alone()
    at.plays(0, Step(1), End())
    at.plays(1, Step(2), End())
    assert at.match.result
    assert at.match.withheld(None) == frozenset()


# -- stages, procedures by name, what must hold -------------------------------------


def test_a_stage_is_left_from_deep_inside_and_procedures_are_found_by_name():
    at = alone()
    at.plays(0, Step(1), Away())
    assert at.match.snapshot.stage == "away"
    assert at.asks() == {0: "The flood: say something."}
    at.plays(0, Say())
    assert at.game.seats[1].steps == [99], "a procedure that asks nothing is only gone through"
    assert at.places() == [[0, 1]]


def test_a_procedure_of_no_name_is_an_error():
    at = alone()
    at.match.game.season = "drought"
    with pytest.raises(StopIteration):
        at.match.game.call("event_storm", at.match.game.seats[0]).send(None)
    with pytest.raises(BrokenRules, match="calls “event_drought”, and has no procedure of that name"):
        at.match.game.call("event_drought").send(None)


def test_what_must_hold_holds_after_every_move_or_it_is_not_made():
    at = alone()
    before = at.match.fingerprint()
    with pytest.raises(BrokenRules, match="what was said is counted"):
        at.plays(0, Spoil())
    assert at.match.fingerprint() == before
    assert (at.match.number, at.match.ledger_position) == (1, (1, 0))
    at.plays(0, Step(1))


class Careless(Steps):
    """A seat that is not there spoils it."""

    title = "Careless"

    def absent(self, seat: Stepper, offers: list[Action]) -> Action:
        return End() if self.said else Spoil()


def test_what_must_hold_holds_also_where_the_time_of_a_seat_runs_out():
    match = Match.new(Careless, 2)
    before = match.fingerprint()
    with pytest.raises(BrokenRules, match="what was said is counted"):
        match.miss(0)
    assert match.fingerprint() == before


class Guard(Steps):
    """A seat that leaves sends all away."""

    title = "Guard"

    def leave(self, seat: Stepper) -> None:
        self.season = "storm"
        self.go_on(self.away)


def test_leaving_may_lead_to_another_stage():
    at = Tabletop(Guard, 2)
    moves = at.match.leave(1)
    assert moves == [Move(1, 1, Leave(), final=True)]
    assert at.why == "Gone away."


# -- the log and questions ----------------------------------------------------------


def test_the_log_has_headings_and_blank_lines():
    at = alone()
    kinds = [line.get("line", "") for line in at.packed]
    assert kinds == ["heading", "", "blank"]
    assert at.packed[0]["text"] == "All together, {n} seats"


def test_a_question_changes_nothing():
    at = alone()
    at.plays(0, Step(1))
    before = at.match.fingerprint()
    view = at.match.view(1)
    assert [str(line) for line in view.longest(None)] == ["0 steps"], "it is asked of what one sees"
    assert [str(line) for line in at.match.view(0).longest(None)] == ["1 step"]
    assert at.match.fingerprint() == before


# -- what is hidden -----------------------------------------------------------------


class Spend(Action):
    """Spend a coin."""


class Open(Action):
    """Open your purse."""


class Owner(Seat):
    coins: Secret[int] = field(default_factory=lambda: Secret(3))


class Purses(Game[Owner]):
    """Everybody has a purse."""

    title = "Purses"

    async def play(self) -> Any:
        seat = self.seats[0]
        while True:
            match await self.ask(seat, "Spend.", [Spend(), Open(), End()]):
                case Spend():
                    seat.coins.value -= 1
                case Open():
                    seat.coins.show()
                case _:
                    seat.coins.hide()


def test_a_secret_that_changes_tells_nobody_and_can_be_taken_back():
    at = Watched(Purses, 2)
    at.plays(0, Spend(), Spend())
    at.undoes(0)
    assert at.game.seats[0].coins.value == 2


def test_a_secret_that_was_shown_cannot_be_taken_back_and_may_be_hidden_again():
    at = Watched(Purses, 2)
    at.plays(0, Open())
    assert not at.match.can_undo(0)
    assert at.match.view(1).seats[0].coins.value == 3
    at.plays(0, End())
    assert at.match.view(1).seats[0].coins.value is None
    assert at.match.view(0).seats[0].coins.value == 3
