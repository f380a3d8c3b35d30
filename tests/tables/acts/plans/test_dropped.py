"""Plans are dropped with the reason, at will, or with their player; what can never be done is refused."""

import pytest

from strifebarge.rules import Refused
from strifebarge.tables.acts import handing_over, hosting
from strifebarge.tables.model.plans import LINES, LONGEST, MOVES, PlanStep
from strifebarge.tables.model.table import Status, TableRefusal
from strifebarge.tables.play.turn import FormToken
from tests.store.conftest import form_token
from tests.store.people import mentions, somebody
from tests.support import forms
from tests.tables.acts.plans.games import Game, waters, why


def test_what_answers_no_line_drops_the_plan_and_its_player_is_told(game):
    game.plans(game.ben, "e4 e5")
    game.plays(game.ann, "move d4")
    assert game.sheet == ["d4"]
    assert game.dropped(game.ben) == ("e5", "They played another move.")
    assert game.sees(game.ben).mine


def test_what_the_rules_refuse_drops_the_plan_and_its_player_is_told_why_until_they_move(game):
    game.plans(game.ben, "e5; Qh4; Qh7")
    game.plays(game.ann, "move e4")
    game.plays(game.ann, "move g3")
    game.plans(game.ben, "Qh7")
    game.plays(game.ann, "move d3")
    sentence, reason = game.dropped(game.ben)
    assert sentence == "Qh7"
    assert reason.startswith("{move} isn't possible")
    game.plays(game.ben, "move Qe7")
    assert game.dropped(game.ben) is None


def test_lines_that_answer_what_the_other_side_took_back_are_dropped_with_a_word(referee, game):
    for undone, plan, left in (
        ("offer_draw", "e4 e5; Nf3 Nc6 | d4 d5", ""),
        ("offer_draw", "e5; d6", "e5; d6"),
    ):
        game.plays(game.ann, undone)
        game.plans(game.ben, plan)
        forms.undo(referee, game.ann, game.id, form_token())
        assert game.planned(game.ben) == left
        assert game.dropped(game.ben) == (None if left else ("e5", "They undid their move."))
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4", "e5"]


def test_whose_own_undo_ends_their_plan_is_told_so(referee, game):
    game.plays(game.ann, "offer_draw")
    game.has_planned(game.ann, 0, PlanStep("move e2e4", "e2e4"))
    forms.undo(referee, game.ann, game.id, form_token())
    assert game.planned(game.ann) == ""
    assert game.dropped(game.ann) == ("e2e4", "You undid your move.")
    game.plays(game.ann, "move d4")
    assert game.dropped(game.ann) is None


@pytest.mark.parametrize("plan", ["Qh4; Qxf2", "d4 Qh4"])
def test_a_host_who_rewinds_a_game_drops_its_plans_and_the_planner_is_told(referee, game, plan):
    for player, move in ((game.ann, "move e4"), (game.ben, "move e5"), (game.ann, "move f4")):
        game.plays(player, move)
    game.plays(game.ben, "move d6")
    game.plans(game.ben, plan)
    referee.change(game.id, hosting.rewind_by_host, "root", 2)
    assert game.sheet == ["e4", "e5"]
    assert game.planned(game.ben) == ""
    assert game.dropped(game.ben) == ("Qh4", "The game went back.")
    game.plays(game.ann, "move d4")
    assert game.sheet == ["e4", "e5", "d4"]
    game.drops(game.ben)
    assert game.dropped(game.ben) is None


def test_a_plan_is_dropped_at_will(game):
    game.plans(game.ben, "e5")
    game.drops(game.ben)
    game.drops(game.ben)
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4"]


def test_a_plan_replaces_the_one_before(game):
    game.plans(game.ben, "e5")
    game.plans(game.ben, "c5")
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4", "c5"]


def test_who_takes_a_seat_over_has_no_plan_of_the_one_before(referee, game):
    game.plans(game.ben, "e5")
    heir = somebody(referee, "Eve")
    generation = game.table.chairs[1].generation
    forms.claim(referee, heir, game.id, 1, generation, "Eve", form_token())
    assert game.table.plans == {}
    assert game.sees(heir.id).plan.text == ""
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4"]


def test_who_ends_the_links_to_their_seat_keeps_their_plan(referee, game):
    game.plans(game.ben, "e5")
    before = game.table.chairs[1].generation
    referee.change(game.id, handing_over.end_links, game.ben)
    assert game.table.chairs[1].generation == before + 1
    assert game.planned(game.ben) == "e5"


def test_who_leaves_has_no_plan(referee, game):
    game.plans(game.ben, "e5")
    forms.quit(referee, game.ben, game.id, "free", form_token())
    assert game.table.plans == {}


def test_a_guest_who_signs_in_keeps_their_plan(referee, game, engine):
    game.plans(game.ben, "e5")
    forms.accounts(referee).merge_guest(game.people[1], account := somebody(referee, "Known"))
    assert game.planned(account.id) == "e5"
    assert mentions(engine, game.ben) <= {"players"}
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4", "e5"]


def test_of_somebody_who_is_erased_no_plan_stays(referee, game, engine):
    game.plans(game.ben, "h7h5")
    forms.accounts(referee).erase(game.people[1])
    assert not mentions(engine, "h7h5")


def test_what_fails_in_a_planned_move_suspends_the_table_and_drops_its_plans(game, monkeypatch):
    game.plans(game.ben, "e5")
    chess = game.referee.library["chess"].rules
    original = chess.move

    def fails(self, seat, move):
        if seat.number == 1:
            raise ZeroDivisionError("as a bug would")
        return original(self, seat, move)

    monkeypatch.setattr(chess, "move", fails)
    assert why(game.plays, game.ann, "move e4") == "table.mistake"
    table = game.table
    assert table.status is Status.SUSPENDED
    assert table.position.number == 0
    assert table.plans[1].lines == []
    assert table.plans[1].dropped.why["text"] == TableRefusal.MISTAKE.sentence


def test_who_was_asked_while_the_game_was_suspended_has_their_plan_played_when_it_goes_on(referee, game):
    game.plans(game.ben, "e5; Nc6")
    game.has_planned(game.ann, 0, PlanStep("move e4", "e4"))  # as if her seat had been taken out meanwhile
    forms.suspend(referee, game.ann, game.id, form_token())
    assert game.sheet == []
    for player in (game.ann, game.ben):
        forms.ready(referee, player, game.id, form_token())
    assert game.sheet == ["e4", "e5"]
    assert game.planned(game.ben) == "Nc6"


# -- refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("squares", ["one", "all but one", "one too many", "twice the same"])
def test_a_salvo_of_a_wrong_number_of_squares_is_refused_when_it_is_planned(referee, squares):
    game = Game(referee, "strifebarge", options={"salvo": True})
    sea = [*waters(game, game.ben)]
    most = len(game.sees(game.ben).position.you.fleet)
    count = {"one": 1, "all but one": most - 1, "one too many": most + 1, "twice the same": 0}[squares]
    named = sea[:count] or most * sea[:1]
    wrong = f"salvo {','.join(named)}".strip()
    with pytest.raises(Refused) as no:
        game.plans_on_board(game.ben, wrong)
    assert no.value.token in ("strifebarge.wrong_salvo", "strifebarge.twice")
    assert game.planned(game.ben) == ""
    game.plans_on_board(game.ben, f"salvo {','.join(sea[:most])}")
    assert game.planned(game.ben) == ",".join(sea[:most])


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("", "table.empty_plan"),
        (" ; | ", "table.empty_plan"),
        ("e5; Nc6 | c5", "table.one_line"),
        ("e4 e5; Nc6", "table.mixed_lines"),
        ("e4 e5 Nf3", "table.not_a_line"),
        ("e4 e5; Nf3 Nd4", "table.wrong_line"),
        ("e5 e5", "table.wrong_line"),
        ("e4 " + "e" * LONGEST, "table.long_plan"),
        ("; ".join(["e5"] * (MOVES + 1)), "table.long_plan"),
        ("|".join(["e4 e5"] * (LINES + 1)), "table.long_plan"),
        ("resign e5", "table.wrong_line"),
        ("offer_draw e5", "table.wrong_line"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_and_the_one_before_stands(game, text, token):
    game.plans(game.ben, "c5")
    assert why(game.plans, game.ben, text) == token
    assert game.planned(game.ben) == "c5"


def test_where_nothing_can_be_planned_it_is_refused(referee, game):
    other = Game(referee, "rps")
    assert why(other.plans, other.ben, "throw rock") == "table.no_plans"
    assert other.sees(other.ben).plan is None
    stranger = somebody(referee, "Eve")
    assert why(game.plans, stranger.id, "e5") == "table.not_seated"
    forms.suspend(referee, game.ann, game.id, form_token())
    assert why(game.plans, game.ben, "e5") == "table.suspended"
    assert why(game.plans, game.ann, "e5") == "table.suspended"


def test_who_has_several_seats_cannot_plan(referee):
    ann = somebody(referee, "Ann")
    id = forms.start(referee, ann, "chess", form_token(), seats=2, devices="one").id
    assert why(forms.plan, referee, ann.id, id, "e5", FormToken(form_token().key, seat=1)) == (
        "table.no_plans_here"
    )
    assert referee.views.show(ann.id, id).plan is None
