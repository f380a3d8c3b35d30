"""Plans are played in the turn in which their seat is asked, and once."""

from strifebarge.tables.model.table import Status
from strifebarge.tables.play.turn import FormToken
from tests.store.conftest import form_token
from tests.store.people import TIMES, at_once, somebody
from tests.support import forms
from tests.tables.acts.plans.games import Game, Several, waters, why


def test_a_planned_move_is_played_in_the_turn_in_which_its_seat_is_asked(game):
    game.plans(game.ben, "e5")
    assert game.planned(game.ben) == "e5"
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4", "e5"]
    assert game.table.position.waiting == [0]
    assert game.planned(game.ben) == ""
    assert game.dropped(game.ben) is None


def test_a_plan_of_several_moves_is_played_one_by_one(game):
    game.plans(game.ben, "e5; Nc6; Nf6")
    for mine, left in (("e4", "Nc6; Nf6"), ("Nf3", "Nf6"), ("Bc4", "")):
        game.plays(game.ann, f"move {mine}")
        assert game.planned(game.ben) == left
    assert game.sheet == ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6"]


def test_two_plans_answer_each_other_in_one_turn(game):
    game.plans(game.ben, "e5; Nc6")
    game.plays(game.ann, "move e4")
    game.plays(game.ann, "move Nf3")
    game.plans(game.ben, "Nf6; d6")
    game.plays(game.ann, "move Bc4")
    assert game.sheet[-2:] == ["Bc4", "Nf6"]
    assert game.planned(game.ben) == "d6"


def test_of_several_lines_the_one_is_played_that_they_have_chosen(game):
    game.plans(game.ben, "e4 c5; Nf3 d6\nd4 Nf6; c4 e6")
    game.plays(game.ann, "move d2d4")
    assert game.sheet == ["d4", "Nf6"]
    assert game.planned(game.ben) == "c4 e6"
    game.plays(game.ann, "move c4")
    assert game.sheet == ["d4", "Nf6", "c4", "e6"]


def test_lines_with_the_same_answer_go_on_together(game):
    game.plans(game.ben, "e4 e5; Nf3 Nc6 | e4 e5; Bc4 Nf6")
    game.plays(game.ann, "move e4")
    assert game.planned(game.ben) == "Nf3 Nc6 | Bc4 Nf6"
    game.plays(game.ann, "move f1c4")
    assert game.sheet[-1] == "Nf6"


def test_a_plan_may_end_the_game(game):
    game.plans(game.ben, "e5; Qh4")
    game.plays(game.ann, "move f3")
    game.plays(game.ann, "move g4")
    table = game.table
    assert table.status is Status.OVER
    assert table.ending.result.winners == [1]
    assert table.plans == {}


def test_a_plan_asked_twice_in_one_turn_plays_both_steps(game):
    game.plans(game.ben, "offer_draw; e5")
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4", "e5"]
    assert game.sees(game.ann).position.game.offer == 1


def test_what_comes_of_a_plan_is_what_comes_of_the_same_moves_by_forms(referee):
    planned, formed = Game(referee), Game(referee)
    planned.plans(planned.ben, "e5; Nc6")
    for mine, answer in (("e4", "e5"), ("Nf3", "Nc6")):
        planned.plays(planned.ann, f"move {mine}")
        formed.plays(formed.ann, f"move {mine}")
        formed.plays(formed.ben, f"move {answer}")
    rows = [
        [(row.number, row.seat, row.action, row.log, row.final, row.by, row.step) for row in rows]
        for rows in (referee.store.rows(each.id, -1) for each in (planned, formed))
    ]
    assert rows[0] == rows[1]
    one, other = (each.table for each in (planned, formed))
    assert one.position == other.position
    assert [chair.moved for chair in one.chairs] == [True, True]
    assert one.version < other.version  # for both came at once


def test_a_plan_is_played_by_a_process_that_takes_the_game_up(referee, store, library, game):
    game.plans(game.ben, "e4 e5; Nf3 Nc6")
    game.referee = forms.a_referee(store, library)
    game.plays(game.ann, "move e4")
    game.referee = forms.a_referee(store, library)
    game.plays(game.ann, "move Nf3")
    assert game.sheet == ["e4", "e5", "Nf3", "Nc6"]


def test_a_plan_goes_over_the_start_of_a_stage(game):
    game.plans(game.ben, "; ".join(["Nf6", "Ng8"] * 10))
    for move in ["Nf3", "Ng1"] * 6:  # a stage has 20 moves; before the fifth time it is no draw yet
        if game.table.status is Status.PLAYING:
            game.plays(game.ann, f"move {move}")
    assert len(game.sheet) > 15
    assert game.table.status is Status.OVER  # the same position five times


def test_a_plan_of_one_move_from_the_board_is_played(game):
    game.plans_on_board(game.ben, "move e7e5")
    assert game.planned(game.ben) == "e7e5"
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4", "e5"]


def test_a_planned_capture_is_played_only_where_there_is_something_to_take(game):
    game.plans(game.ben, "Nf6; Nxe4")
    game.plays(game.ann, "move d4")
    game.plays(game.ann, "move Nc3")
    assert game.sheet == ["d4", "Nf6", "Nc3"]
    assert game.table.plans[1].lines == []


def test_a_salvo_is_planned_where_nobody_sees_everything(referee):
    game = Game(referee, "strifebarge")
    ann, ben = ([*waters(game, player)] for player in (game.ann, game.ben))
    one, two = [square for square in ben if square not in ann[:2]][:2]
    game.plans(game.ben, f"{one.lower()}; fire {two}")
    for square in ann[:2]:
        game.plays(game.ann, f"fire {square}")
    assert {*ann[:2], one, two} == set(game.sees(None).position.game.shots)


def test_several_plans_are_played_one_after_the_other_in_one_turn(referee):
    game = Several(referee)
    one, two, three, four, *_ = game.sea
    game.plans(game.cleo, f"{three}; {four}")
    game.plans(game.ben, two)
    version = game.table.version
    game.plays(game.ann, f"fire {one}")
    assert game.shots == {one, two, three}
    assert game.table.position.waiting == [0]
    assert game.table.version == version + 1
    assert game.planned(game.cleo) == four


def test_who_resigns_lets_the_next_seats_plan_be_played(referee):
    game = Several(referee)
    game.plans(game.ben, game.sea[0])
    forms.quit(referee, game.ann, game.id, "resign", form_token())
    assert game.sea[0] in game.shots
    assert game.table.position.waiting == [2]


def test_a_deadline_lets_the_next_seats_plan_be_played(store, library):
    now = [1_800_000_000.0]
    referee = forms.a_referee(store, library, now=lambda: now[0])
    game = Several(referee, pace="turn-60")
    game.plans(game.ben, game.sea[0])
    game.plans(game.cleo, game.sea[1])
    now[0] += 3600
    forms.look(referee, game.id)
    assert game.shots == {game.sea[0], game.sea[1]}
    assert game.table.position.waiting == [0]
    assert [chair.missed != {} for chair in game.table.chairs] == [True, False, False]


def test_a_plan_answers_a_bot(referee):
    ann = somebody(referee, "Ann")
    id = forms.start(referee, ann, "chess", form_token(), seats=2, sit=1).id
    forms.add_bot(referee, ann.id, id, form_token())
    forms.plan(referee, ann.id, id, "h6; h5", form_token())
    forms.bots_move(referee, id)
    table = referee.store.table(id)
    assert table.position.number == 5
    assert table.plans == {}
    assert table.position.waiting == [1]


def test_what_the_other_side_takes_back_does_not_touch_a_plan(referee, game):
    game.plans(game.ben, "e4 e5")
    game.plays(game.ann, "offer_draw")
    forms.undo(referee, game.ann, game.id, form_token())
    assert game.planned(game.ben) == "e4 e5"
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4", "e5"]


# -- once ------------------------------------------------------------------------------------------


def test_the_same_form_twice_is_one_plan(game):
    form = form_token()
    game.plans(game.ben, "e5", form=form)
    game.plays(game.ann, "move e4")
    game.plans(game.ben, "e5", form=form)  # sent again when its plan was played
    assert game.planned(game.ben) == ""
    assert game.sheet == ["e4", "e5"]
    other = FormToken(form.key, content="d5")
    assert why(game.plans, game.ben, "d5", form=other) == "table.key_reused"


def test_the_same_plan_by_two_forms_is_played_once(game):
    for _ in range(2):
        game.plans(game.ben, "e5", seen=0)
    game.plays(game.ann, "move e4")
    assert why(game.plans, game.ben, "e5", seen=0) == "game.stale"
    assert game.planned(game.ben) == ""
    assert game.sheet == ["e4", "e5"]


def test_a_plan_that_comes_after_the_move_it_answers_is_played_at_once(game):
    game.plays(game.ann, "move e4")
    game.plans(game.ben, "e4 e5; Nf3 Nc6", seen=0)
    assert game.sheet == ["e4", "e5"]
    assert game.planned(game.ben) == "Nf3 Nc6"


def test_a_plan_made_for_the_position_in_which_one_is_asked_is_refused(game):
    game.plays(game.ann, "move e4")
    assert why(game.plans, game.ben, "e5") == "table.your_turn"
    assert why(game.plans, game.ben, "e5", seen=1) == "table.your_turn"
    assert why(game.plans, game.ben, "e5", seen=7) == "game.stale"


def test_a_plan_beside_the_move_it_answers_is_played_once_and_never_lost(referee):
    for _ in range(TIMES):
        game = Game(referee)
        ann = FormToken(form_token().key, question=game.sees(game.ann).question_number)
        at_once(
            lambda game=game: game.plans(game.ben, "e5; Nc6", seen=0),
            lambda game=game, ann=ann: game.plays(game.ann, "move e4", ann),
        )
        assert game.sheet == ["e4", "e5"]
        assert game.planned(game.ben) == "Nc6"


def test_dropping_a_plan_beside_the_move_it_answers_either_drops_or_plays_it(referee):
    for _ in range(TIMES):
        game = Game(referee)
        game.plans(game.ben, "e5")
        ann = FormToken(form_token().key, question=game.sees(game.ann).question_number)
        at_once(
            lambda game=game: game.drops(game.ben),
            lambda game=game, ann=ann: game.plays(game.ann, "move e4", ann),
        )
        assert game.sheet in (["e4"], ["e4", "e5"])
        assert game.table.plans == {}
