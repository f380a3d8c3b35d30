"""One playing of a game: moves, choices made together, leaving, taking back, putting away."""

from asyncio import sleep
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.eights.rules import Play
from games.rps.rules import Hand, Throw
from strifebarge.rules import Action, Game, Ranking, Refused, Seat, Standard
from strifebarge.rules.action import Leave, Undo
from strifebarge.rules.chance import Chance
from strifebarge.rules.game import Over
from strifebarge.rules.match import Broken, Diverged, Endless, Match, Move, Snapshot, well_formed
from strifebarge.rules.pieces import Card
from strifebarge.rules.testing import Tabletop, random_play

from .parlour import (
    Auction,
    Bid,
    Bury,
    Descent,
    Done,
    Draw,
    Fetch,
    Finish,
    Fog,
    Lab,
    Manner,
    Mark,
    Note,
    Peek,
    Roll,
    Say,
    Show,
    Strict,
    Turn,
    Why,
)
from .taking_up import Watched, assert_the_same_when_taken_up, refusal_of, standing_of, taken_up

# -- stages and procedures ---------------------------------------------------------


def test_procedures_may_be_nested_and_rest_in_the_middle():
    at = Watched(Descent)
    at.plays(1, Say(1))
    at.plays(0, Say(2))
    assert at.asks() == {1: "Down to top.1.2."}
    at.plays(1, Say(1))
    at.plays(0, Say(1))
    at.plays(1, Say(2))
    assert at.asks() == {1: "Up to top.1.2.1.1, with 1."}


def test_procedures_take_arguments_and_give_something_back():
    at = Watched(Descent)
    for depth in range(1, 6):
        at.plays(depth % 2, Say(1))
    for depth, said in zip(range(5, 0, -1), (3, 1, 0, 2, 1), strict=True):
        at.plays(depth % 2, Say(said))
    assert at.game.heard == [3, 1, 0, 2, 1]
    assert at.log() == ["The total is 131021."]


def test_a_procedure_may_return_early():
    at = Watched(Descent)
    at.plays(1, Say(1))
    at.plays(0, Say(0))
    assert at.asks() == {1: "Up to top, with 0."}


def test_a_game_may_end_from_deep_inside():
    at = Watched(Descent)
    for depth in range(1, 5):
        at.plays(depth % 2, Say(1))
    at.plays(1, Say(3))
    assert at.places() == [[1], [0]]
    assert at.asks() == {}


def test_a_stage_names_the_next_one():
    at = Watched(Descent)
    for depth in range(1, 6):
        at.plays(depth % 2, Say(1))
    for depth in range(5, 0, -1):
        at.plays(depth % 2, Say(1))
    assert (at.match.snapshot.stage, at.match.snapshot.number) == ("echo", 10)
    assert at.match.moves == at.match.ledger == []
    at.plays(0, Say(5))
    at.plays(1, Say(5))
    assert (at.match.snapshot.stage, at.match.snapshot.number) == ("play", 12)
    assert at.asks() == {1: "Down to top."}


def test_a_game_that_was_never_put_away_is_as_one_taken_up_from_any_stage():
    at = Tabletop(Lab, 2)
    for action in (Note(1), Draw(), Turn(), Note(2), Turn(), Peek()):
        at.plays(0, action)
        again = taken_up(at.match)
        assert standing_of(again) == standing_of(at.match)
        at.match = again
    assert at.game.seats[0].notes == [1, 2]
    assert at.game.stages == 3


def test_what_is_told_before_anybody_is_asked_is_told_once():
    class Opening(Game[Seat]):
        title = "Opening"

        def setup(self) -> None:
            self.log("Laid out.")

        async def play(self) -> Any:
            self.log("Begun.")
            await self.ask(self.seats[0], "Go on.", [Done()])
            return self.ranking()

    match = Match.new(Opening, 2)
    assert [line["text"] for line in match.told()] == ["Laid out.", "Begun."]
    assert match.told() == taken_up(match).told() == []


def test_a_game_may_be_over_before_it_begins():
    class Moot(Game[Seat]):
        title = "Moot"

        async def play(self) -> Any:
            self.log("That was that.")
            return self.ranking()

    at = Watched(Moot, 3)
    assert at.places() == [[0, 1, 2]]
    assert at.log() == ["That was that."]
    assert refusal_of(at.match, at.match.move, 0, Done()) is Standard.GAME_OVER


def test_locals_may_be_anything_for_they_are_never_saved():
    class Counting(Game[Seat]):
        title = "Counting"

        async def play(self) -> Any:
            numbers = count(1)
            for seat in self.turns():
                await self.ask(seat, "Say {n}.", [Say(next(numbers))], n=len(self.told_so_far))

        @property
        def told_so_far(self) -> list[Any]:
            return []

    at = Watched(Counting, 2)
    for number in range(1, 8):
        at.plays((number - 1) % 2, Say(number))


# -- choosing together ---------------------------------------------------------------


def auction(seats: int = 3, **manner: Any) -> Watched:
    return Watched(Auction, seats, options=Manner(**manner))


def test_nobody_sees_a_choice_before_all_are_in():
    at = auction()
    before = at.match.fingerprint()
    assert at.match.move(1, Bid(2)) == []
    assert at.match.fingerprint() == before
    assert at.match.waiting_for() == [0, 2]
    assert at.match.number == 0
    assert at.match.told() == []


def test_all_choices_become_moves_at_once_in_seat_order():
    at = auction()
    at.plays(2, Bid(1))
    at.plays(0, Bid(0))
    moves = at.match.move(1, Bid(2))
    assert moves == [Move(1, 0, Bid(0)), Move(2, 1, Bid(2)), Move(3, 2, Bid(1), final=True)]
    assert at.match.pending == {}


def test_a_choice_may_be_changed_until_all_are_in():
    at = auction()
    at.plays(0, Bid(1), Bid(3), Bid(2))
    at.plays(1, Bid(0))
    at.plays(2, Bid(0))
    assert at.log()[0] == "P0 bids 2."
    assert refusal_of(at.match, at.match.move, 0, Bid(1)) is Standard.NOT_OFFERED  # another question


def test_a_choice_that_is_final_may_not_be_changed():
    at = auction(final=True)
    at.plays(0, Bid(1))
    assert refusal_of(at.match, at.match.move, 0, Bid(1)) is Standard.NOT_YOUR_TURN
    at.plays(1, Bid(0))
    at.plays(2, Bid(0))
    assert at.log()[0] == "P0 bids 1."


def test_a_changed_choice_must_be_legal_and_else_the_old_one_stands():
    at = auction()
    at.plays(0, Bid(1))
    assert refusal_of(at.match, at.match.move, 0, Bid(4)) is Why.TOO_DEAR
    assert at.match.pending == {0: Bid(1)}


def test_whoever_answers_first_answers_for_all():
    at = auction()
    for seat in range(3):
        at.plays(seat, Bid(0))
    assert at.asks() == dict.fromkeys(range(3), "Who fetches it?")
    at.plays(2, Fetch())
    assert at.log()[-1] == "P2 fetches it."
    assert at.asks() == dict.fromkeys(range(3), "Bid for lot 1.")


def test_those_asked_together_may_be_asked_different_things():
    at = auction(sealed=False)
    at.plays(0, Bid(3))
    at.plays(1, Bid(0))
    at.plays(2, Bid(0))
    at.plays(1, Fetch())
    assert at.match.offers(0) == [Bid(0)]
    assert at.match.offers(1) == [Bid(0), Bid(1), Bid(2), Bid(3)]
    assert refusal_of(at.match, at.match.move, 0, Bid(1)) is Why.TOO_DEAR


def test_asking_nobody_is_answered_at_once():
    class Nobody(Game[Seat]):
        title = "Nobody"

        async def play(self) -> Any:
            assert await self.ask_all("Anybody?", [Done()], of=[]) == {}
            await self.ask(self.seats[0], "You?", [Done()])
            assert await self.ask_all("Anybody?", [Done()], of=[]) == {}
            return self.ranking()

    at = Watched(Nobody)
    assert at.asks() == {0: "You?"}
    at.plays(0, Done())
    assert at.match.result


def test_choices_of_all_cannot_be_taken_back():
    at = auction(1)
    at.plays(0, Bid(1))
    assert at.asks() == {0: "Who fetches it?"}
    assert at.match.undoable(0)  # alone, nothing was together
    at = auction(2)
    at.plays(0, Bid(1))
    at.plays(1, Bid(1))
    assert not at.match.undoable(0)
    assert not at.match.undoable(1)


# -- leaving ---------------------------------------------------------------------------


def test_leaving_in_ones_own_turn_lets_it_pass():
    at = Watched(Lab, 3)
    at.plays(0, Note(1))
    at.leaves(0)
    assert "P0 leaves the game." in at.log()
    assert at.asks() == {1: "Work."}
    assert at.game.out == {0: 1}
    assert at.game.gone == [0]


def test_leaving_in_anothers_turn_leaves_that_turn_alone():
    at = Watched(Lab, 3)
    at.leaves(2)
    assert at.asks() == {0: "Work."}
    asked = at.match.asked[0]
    at.plays(0, Note(1))
    assert asked == 0
    at.plays(0, Done())
    at.plays(1, Done())
    assert at.asks() == {0: "Work."}


def test_the_last_one_in_wins():
    at = Watched(Lab, 3)
    at.leaves(1)
    at.leaves(0)
    assert at.places() == [[2], [0], [1]]
    assert at.asks() == {}


def test_the_last_choice_that_was_waited_for_is_the_empty_chairs():
    at = auction()
    at.plays(0, Bid(1))
    at.plays(2, Bid(2))
    moves = at.match.leave(1)
    assert [(move.seat, move.action) for move in moves] == [(1, Leave()), (0, Bid(1)), (2, Bid(2))]
    assert moves[-1].final
    assert_the_same_when_taken_up(at.match)
    at.packed += at.match.told()
    assert "P0 bids 1." in at.log()


def test_a_choice_made_before_leaving_does_not_count():
    at = auction()
    at.plays(1, Bid(3))
    at.leaves(1)
    assert at.match.pending == {}
    assert 1 in at.match.given
    at.plays(0, Bid(0))
    at.plays(2, Bid(0))
    assert at.asks().keys() == {0, 2}


def test_the_choices_of_others_stay_changeable_when_one_leaves():
    at = auction()
    at.plays(0, Bid(1))
    at.leaves(1)
    at.plays(0, Bid(2))
    at.plays(2, Bid(0))
    assert "P0 bids 2." in at.log()


def test_nobody_waits_for_an_empty_chair_when_any_may_answer():
    at = auction()
    for seat in range(3):
        at.plays(seat, Bid(0))
    at.leaves(0)
    assert at.asks().keys() == at.match.asked.keys() == {1, 2}
    at.leaves(1)
    assert at.places() == [[2], [1], [0]]


def test_empty_chairs_play_on_where_the_game_says_so():
    class Haunted(Auction):
        title = "Haunted"

        def leave(self, seat: Any) -> None:
            self.log("{seat} is a ghost now.", seat=seat)

    at = Watched(Haunted, 3)
    at.plays(0, Bid(0))
    at.leaves(1)
    at.leaves(2)
    assert at.asks().keys() == {0}
    at.plays(0, Fetch())
    at.plays(0, Bid(0))
    at.plays(0, Fetch())
    assert at.match.result
    again = Watched(Haunted, 3)
    for seat in range(3):
        again.leaves(seat)
    assert again.match.result  # they played to the end by themselves
    assert again.match.number == 3


@pytest.mark.parametrize("looked", [True, False])
def test_what_was_asked_stays_asked_when_another_leaves_whether_it_was_looked_at_or_not(looked):
    class Heirs(Lab):
        """Who leaves bequeaths a card to the next."""

        title = "Heirs"

        def tools(self) -> Any:
            return (Note(number) for number in self.seats[0].notes)

        def leave(self, seat: Any) -> None:
            self.seats[0].notes.append(7)
            super().leave(seat)

    at = Watched(Heirs, 3, arrange=lambda game: game.seats[0].notes.extend([1, 2]))
    if looked:
        assert len(at.match.options(0)) == 2
    at.leaves(2)
    assert at.match.options(0) == [Note(1), Note(2)]


def test_what_an_empty_chair_does_by_chance_is_the_same_when_taken_up():
    class Guess(Lab):
        title = "Guess"

        def leave(self, seat: Any) -> None:
            self.log("{seat} is away.", seat=seat)

        def tools(self) -> list[Action]:
            return [Note(1), Note(2), Note(3), Roll(), Done()]

    at = Watched(Guess, 2, seed="any")
    at.leaves(1)
    for _ in range(10):
        at.plays(0, Done())
    assert len(at.game.seats[1].notes) > 2


def test_an_empty_chair_makes_samples_where_only_a_class_is_offered():
    class Ghosts(Auction):
        title = "Ghosts"

        def leave(self, seat: Any) -> None:
            self.log("{seat} is a ghost now.", seat=seat)

    at = Watched(Ghosts, 2)
    at.leaves(1)
    assert isinstance(at.match.given[1], Bid)
    at.plays(0, Bid(3))
    assert at.asks().keys() == {0}


def test_eliminated_players_may_leave_and_the_game_goes_on():
    at = Watched(Lab, 3, arrange=lambda game: game.eliminate(game.seats[1], game.seats[2]))
    at.leaves(1)
    assert at.match.result is None
    assert at.asks() == {0: "Work."}
    assert at.log()[-1] == "P1 leaves the game."
    at.plays(0, Finish())
    assert at.places() == [[0], [1, 2]]


def test_nobody_leaves_twice_nor_plays_on_nor_after_the_end():
    at = Watched(Lab, 3)
    at.leaves(1)
    assert refusal_of(at.match, at.match.leave, 1) is Standard.NOT_YOUR_TURN
    assert refusal_of(at.match, at.match.move, 1, Done()) is Standard.NOT_YOUR_TURN
    at.leaves(0)
    assert refusal_of(at.match, at.match.leave, 2) is Standard.GAME_OVER
    assert refusal_of(at.match, at.match.move, 2, Done()) is Standard.GAME_OVER
    assert refusal_of(at.match, at.match.undo, 2) is Standard.NOTHING_TO_UNDO


def test_choices_that_wait_when_the_game_ends_are_gone():
    at = auction(2)
    at.plays(0, Bid(1))
    at.leaves(1)
    assert at.places() == [[0], [1]]
    assert at.match.pending == at.match.prompts == at.match.asked == at.match.given == {}


def test_what_everyone_chose_before_one_left_cannot_be_taken_back():
    class Dice(Game[Seat]):
        title = "Dice"

        rolled: int = 0

        async def play(self) -> Any:
            await self.ask_all("Ready?", [Done()])
            self.rolled = self.chance.die(1000)
            await self.ask(self.seats[0], "It is rolled.", [Done()])
            return self.ranking()

        def leave(self, seat: Any) -> None:
            self.log("{seat} is away.", seat=seat)

    at = Watched(Dice)
    at.plays(0, Done())
    at.leaves(1)
    assert at.game.rolled
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO


def test_an_empty_chair_may_end_the_game():
    class Forfeit(Lab):
        title = "Forfeit"

        def leave(self, seat: Any) -> None:
            pass

        def absent(self, seat: Any, offers: list[Action]) -> Action:
            self.finish(Ranking([[1 - seat.number], [seat.number]]))

    at = Watched(Forfeit, 2)
    at.leaves(1)
    at.plays(0, Note(1), Done())
    assert at.places() == [[0], [1]]
    at = Watched(Forfeit, 2)
    at.leaves(0)
    assert at.places() == [[1], [0]]
    assert at.asks() == {}


# -- taking back -----------------------------------------------------------------------


def test_the_last_move_of_ones_own_can_be_taken_back():
    at = Watched(Lab, 2)
    at.plays(0, Note(1))
    before = at.match.fingerprint()
    at.plays(0, Note(2))
    at.undoes(0)
    assert at.match.fingerprint() == before
    at.undoes(0)
    assert at.game.seats[0].notes == []
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO


def test_taking_back_is_told_and_numbers_never_go_back():
    at = Watched(Lab, 2)
    at.plays(0, Note(1))
    assert at.match.undo(0) == Move(2, 0, Undo())
    assert at.match.told() == [{"text": "{seat} takes back the last move.", "args": {"seat": {"seat": 0}}}]
    assert at.match.number == 2
    assert at.match.asked == {0: 2}
    assert at.match.move(0, Note(2)) == [Move(3, 0, Note(2))]
    assert [move.number for move in at.match.moves] == [3]
    assert [move.number for move in at.match.ledger] == [1, 2, 3]
    assert_the_same_when_taken_up(at.match)


def test_what_was_told_and_not_yet_asked_for_is_not_lost_by_taking_back():
    at = Watched(Lab, 2)
    at.match.move(0, Note(1))
    at.match.move(0, Note(2))
    at.match.undo(0)
    assert len(at.match.told()) == 3


def test_an_older_page_cannot_answer_the_question_asked_anew():
    at = Watched(Lab, 2)
    first = at.match.asked[0]
    at.plays(0, Note(1))
    at.undoes(0)
    assert at.match.asked[0] > first


def test_numbers_stay_when_another_leaves_after_a_move_was_taken_back():
    at = Watched(Lab, 3)
    at.plays(0, Note(1))
    at.undoes(0)
    at.leaves(2)
    assert at.match.number == 3
    assert at.match.asked == {0: 2}
    at.plays(0, Note(1))
    assert at.match.number == 4


def test_nobody_takes_back_anothers_move_nor_a_seat_that_is_none():
    at = Watched(Lab, 2)
    at.plays(0, Note(1))
    for seat in (1, 2, -1, None):
        assert refusal_of(at.match, at.match.undo, seat) is Standard.NOTHING_TO_UNDO


@pytest.mark.parametrize("action", [Roll(), Draw(), Peek(), Done(), Turn()])
def test_there_is_no_taking_back_after(action):
    """Chance, a card drawn, a card looked at, the turn passed on, a stage begun."""
    at = Watched(Lab, 2)
    at.plays(0, Note(1), action)
    for seat in (0, 1):
        assert refusal_of(at.match, at.match.undo, seat) is Standard.NOTHING_TO_UNDO
    assert at.match.moves == [] or at.match.moves[-1].final


def test_the_record_says_which_moves_stand_for_good():
    at = Watched(Lab, 2)
    done = [
        at.match.move(0, action)[-1].final for action in (Note(1), Roll(), Note(2), Turn(), Note(1), Done())
    ]
    assert done == [False, True, False, True, False, True]


def test_there_is_no_taking_back_after_a_card_was_shown():
    at = Watched(Lab, 2)
    at.plays(0, Draw(), Note(1), Show())
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO


def test_what_showed_nothing_can_be_taken_back_although_it_was_hidden():
    at = Watched(Lab, 2)
    at.plays(0, Draw())
    hand = list(at.game.seats[0].hand)
    at.plays(0, Bury())
    at.undoes(0)
    assert list(at.game.seats[0].hand) == hand


def test_what_came_after_can_be_taken_back_but_not_what_lies_before():
    at = Watched(Lab, 2)
    at.plays(0, Note(1), Roll(), Note(2), Note(1))
    at.undoes(0)
    at.undoes(0)
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO
    assert len(at.game.seats[0].notes) == 2


def test_a_match_taken_up_knows_how_far_one_may_go_back():
    at = Watched(Lab, 2)
    at.plays(0, Note(1), Roll(), Note(2))
    at.match = taken_up(at.match)
    at.undoes(0)
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO


def test_when_somebody_leaves_what_was_before_stands():
    at = Watched(Lab, 3)
    at.plays(0, Note(1))
    at.leaves(2)
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO
    at.plays(0, Note(2))
    at.undoes(0)
    assert at.game.seats[0].notes == [1]


def test_a_finished_game_cannot_be_taken_back():
    at = Watched(Lab, 2)
    at.plays(0, Note(1), Finish())
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO


# -- what is refused -------------------------------------------------------------------


@pytest.mark.parametrize("seat", [-1, -2, 2, 99, None, "0"])
def test_there_are_no_other_seats(seat):
    at = Watched(Lab, 2)
    assert refusal_of(at.match, at.match.move, seat, Note(1)) is Standard.NO_SUCH_SEAT
    assert refusal_of(at.match, at.match.leave, seat) is Standard.NO_SUCH_SEAT
    assert refusal_of(at.match, at.match.check_turn, seat) is Standard.NO_SUCH_SEAT


def test_whoever_is_not_asked_waits():
    at = Watched(Lab, 2)
    assert refusal_of(at.match, at.match.move, 1, Note(1)) is Standard.NOT_YOUR_TURN


def test_what_is_not_offered_cannot_be_done():
    at = Watched(Lab, 2)
    assert refusal_of(at.match, at.match.move, 0, Note(3)) is Standard.NOT_OFFERED
    assert refusal_of(at.match, at.match.move, 0, Fetch()) is Standard.NOT_OFFERED


@pytest.mark.parametrize("foreign", [Throw(Hand.ROCK), Leave(), Undo()])
def test_what_other_games_do_is_not_offered_and_their_rules_need_not_know_it(foreign):
    at = Tabletop(Strict, 2)
    assert refusal_of(at.match, at.match.move, 0, foreign) is Standard.NOT_OFFERED


@pytest.mark.parametrize("wrong", [True, 1.0, "1", None, [1], {"number": 1}, 1j, object(), 10**400, "\ud800"])
def test_only_one_is_one(wrong):
    at = Watched(Lab, 2)
    expected = Standard.NOT_OFFERED if isinstance(wrong, int) and wrong is not True else Standard.MALFORMED
    assert refusal_of(at.match, at.match.move, 0, Note(wrong)) is expected


@pytest.mark.parametrize("wrong", [True, 1.0, "1"])
def test_only_one_is_one_where_any_well_formed_action_may_be_tried_too(wrong):
    at = auction()
    assert refusal_of(at.match, at.match.move, 0, Bid(wrong)) is Standard.MALFORMED


@pytest.mark.parametrize(("offered", "wrong"), [(1, True), (True, 1), (0, False), (False, 0)])
def test_yes_is_not_one_where_either_may_be_asked_for(offered, wrong):
    class Marks(Game[Seat]):
        title = "Marks"

        async def play(self) -> Any:
            await self.ask(self.seats[0], "Mark.", [Mark(offered)])
            return self.ranking()

    at = Watched(Marks)
    assert refusal_of(at.match, at.match.move, 0, Mark(wrong)) is Standard.NOT_OFFERED
    at.plays(0, Mark(offered))


def test_an_action_is_what_its_record_says_and_nothing_like_it():
    with pytest.raises(Refused, match=r"game\.malformed"):
        well_formed(Play("8s"))  # type: ignore[arg-type]
    assert well_formed(Play(Card("8s"))) == Play(Card("8S"))


@pytest.mark.parametrize("thing", [None, "note 1", {"do": "note", "number": 1}, Note, 7, Seat(number=0)])
def test_what_is_no_action_is_malformed(thing):
    at = Watched(Lab, 2)
    assert refusal_of(at.match, at.match.move, 0, thing) is Standard.MALFORMED


def test_the_turn_is_looked_at_before_the_form_and_the_form_before_the_rules():
    at = auction(2)
    at.plays(0, Bid(1))
    at.plays(1, Bid(0))
    at.plays(0, Fetch())
    at.match.move(1, Bid(0))
    assert refusal_of(at.match, at.match.move, 5, Bid("x")) is Standard.NO_SUCH_SEAT
    assert refusal_of(at.match, at.match.move, 0, Bid("x")) is Standard.MALFORMED
    assert refusal_of(at.match, at.match.move, 0, Bid(3)) is Why.TOO_DEAR
    assert refusal_of(at.match, at.match.move, 0, Fetch()) is Standard.NOT_OFFERED


def test_rules_that_name_what_is_not_there_refuse_by_it():
    class Clumsy(Auction):
        title = "Clumsy"

        def refuse(self, seat: Any, action: Any) -> Any:
            return [None][action.coins]

    at = Tabletop(Clumsy, 2)
    assert refusal_of(at.match, at.match.move, 0, Bid(99)) is Standard.NOT_OFFERED


def test_a_reason_may_be_given_with_its_arguments_or_bare():
    at = auction()
    why = at.match.reason(0, Bid(4))
    assert why is not None
    assert str(why.text) == "You have no more than 3."
    lab = Tabletop(Lab, 2)
    bare = lab.match.reason(0, Show())
    assert bare is not None
    assert (bare.why, str(bare.text)) == (Why.STUCK, "Nothing can be done.")


def test_what_is_recorded_is_what_will_be_read():
    action = well_formed(Bid(2))
    assert type(action) is Bid
    assert action == Bid(2)


def test_options_that_are_refused_are_shown_and_not_offered():
    at = Watched(Lab, 2)
    assert Show() in at.match.options(0)
    assert Show() not in at.match.offers(0)


def test_looking_changes_nothing():
    at = auction(sealed=False)
    at.plays(0, Bid(1))
    before = standing_of(at.match)
    for seat in range(3):
        at.match.options(seat), at.match.offers(seat), at.match.classes(seat), at.match.reason(seat, Bid(9))
        at.match.view(seat), at.match.undoable(seat)
    at.match.view(), at.match.view(None), at.match.waiting_for(), at.match.fingerprint()
    assert standing_of(at.match) == before


# -- rules that break down -------------------------------------------------------------


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
    before = standing_of(at.match)
    with pytest.raises(ZeroDivisionError):
        at.match.move(0, Note(2))
    assert standing_of(at.match) == before
    with pytest.raises(ZeroDivisionError):
        at.match.leave(1)
    assert standing_of(at.match) == before
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
    with pytest.raises(Broken, match="Forgetful: the stage “play” ends with None"):
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

    with pytest.raises(Broken, match="Wrong: the stage “play” ends with"):
        Match.new(Wrong)


def test_a_stage_is_an_async_def():
    class Plain(Game[Seat]):
        title = "Plain"

        def play(self) -> Any:  # type: ignore[override]
            return self.ranking()

    with pytest.raises(Broken, match="Plain: the stage “play” is no `async def`"):
        Match.new(Plain)


def test_only_seats_can_be_awaited():
    class Sleepy(Game[Seat]):
        title = "Sleepy"

        async def play(self) -> Any:
            await sleep(0)

    with pytest.raises(Broken, match="Sleepy awaits what is no question"):
        Match.new(Sleepy)


def test_whichever_of_nobody_cannot_answer():
    class Empty(Game[Seat]):
        title = "Empty"

        async def play(self) -> Any:
            await self.ask_any("Who?", [Done()], of=[])

    with pytest.raises(Broken, match="nobody"):
        Match.new(Empty)


def test_a_game_that_asks_nobody_who_is_there_is_endless():
    class Wheel(Lab):
        title = "Wheel"

        def leave(self, seat: Any) -> None:
            pass

        def tools(self) -> list[Action]:
            return [Done()]

    at = Tabletop(Wheel, 1)
    before = standing_of(at.match)
    with pytest.raises(Endless, match="Wheel"):
        at.leaves(0)
    assert standing_of(at.match) == before

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

    with pytest.raises(Broken, match=r"Stuck asks seat 0 “Work.”, and there is nothing it may do"):
        list(random_play(Match.new(Stuck), Chance("x")))


def test_over_is_no_exception_that_a_rule_could_swallow():
    assert not issubclass(Over, Exception)

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


# -- moves that lead elsewhere -----------------------------------------------------------


def test_moves_of_seats_that_are_not_asked_are_another_games():
    start = Match.new(Lab, 2).snapshot
    with pytest.raises(Diverged):
        Match(Lab, start, [Move(1, 1, Note(1))])
    with pytest.raises(Diverged):
        Match(Lab, start, [Move(1, 0, Finish()), Move(2, 0, Note(1))])


def test_a_snapshot_of_a_stage_that_is_no_more_cannot_be_taken_up():
    snapshot = Match.new(Lab, 2).snapshot
    with pytest.raises(AttributeError):
        Match(Lab, Snapshot(0, "work_of_old", snapshot.state))


# -- random doings -------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_whatever_happens_a_match_comes_back_as_it_was(data):
    rules = data.draw(st.sampled_from([Lab, Auction, Descent]))
    options = Manner(final=data.draw(st.booleans())) if rules is Auction else None
    at = Watched(rules, data.draw(st.integers(2, 3)), seed=data.draw(st.sampled_from("abc")), options=options)
    for _ in range(25):
        if at.match.result:
            break
        seat = data.draw(st.integers(0, len(at.game.seats) - 1))
        doing = data.draw(st.sampled_from(["move", "move", "move", "move", "undo", "leave"]))
        if doing == "leave" and seat not in at.game.gone and data.draw(st.integers(0, 3)) == 0:
            at.leaves(seat)
        elif doing == "undo" and at.match.undoable(seat):
            at.undoes(seat)
        elif seat in at.match.waiting_for():
            offers: list[Any] = at.match.offers(seat) or [Bid(0)]
            at.plays(seat, data.draw(st.sampled_from(offers)))
