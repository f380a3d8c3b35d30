"""Plans: played once in the turn in which their seat is asked, or dropped; known to their player alone."""

import msgspec
import pytest

from strifebarge.notifications.models import Kind, Subscriber
from strifebarge.rules import Refused
from strifebarge.rules.notation import read, write
from strifebarge.rules.schema import actions
from strifebarge.table.acts import hosting, planning
from strifebarge.table.plans import LINES, LONGEST, MOVES, Plan, Step, plan_of_move, plan_typed
from strifebarge.table.stored import decode_table
from strifebarge.table.table import No, Status
from strifebarge.table.turn import FormToken
from tests.store.conftest import form_token
from tests.store.people import TIMES, at_once, mentions, somebody
from tests.support import forms


class Game:
    """A game between Ann, who begins, and Ben."""

    def __init__(self, referee, game="chess", **how):
        self.referee = referee
        self.people = [somebody(referee, name) for name in ("Ann", "Ben")]
        self.id = forms.start(referee, self.people[0], game, form_token(), seats=2, **how).id
        forms.join(referee, self.people[1], self.id, "Ben", form_token())
        self.ann, self.ben = (each.id for each in self.people)

    def plays(self, player, words, form=None):
        form = form or FormToken(form_token().key, asked=self.sees(player).asked)
        return forms.move(self.referee, player, self.id, lambda kinds: read(words, kinds), form)

    def plans(self, player, text, seen=None, form=None):
        forms.plan(self.referee, player, self.id, text, form or form_token(), seen)

    def drops(self, player):
        forms.drop_plan(self.referee, player, self.id, form_token())

    def sees(self, player):
        return self.referee.views.show(player, self.id)

    @property
    def table(self):
        return self.referee.store.table(self.id)

    @property
    def sheet(self):
        return self.sees(None).position.game.sheet

    def planned(self, player):
        plan = self.sees(player).plan
        return plan.words

    def dropped(self, player):
        dropped = self.sees(player).plan.dropped
        return dropped and (dropped.said, dropped.why["text"])


@pytest.fixture
def game(referee):
    return Game(referee)


def why(act, *given, **named):
    with pytest.raises(Refused) as no:
        act(*given, **named)
    return no.value.token


# -- played ---------------------------------------------------------------------------------------


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
    said, reason = game.dropped(game.ben)
    assert said == "Qh7"
    assert reason.startswith("{move} isn't possible")
    game.plays(game.ben, "move Qe7")
    assert game.dropped(game.ben) is None


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
        [(row.number, row.seat, row.action, row.told, row.final, row.by, row.step) for row in rows]
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
    game.referee.carry_out(
        game.ben, game.id, form_token(), planning.plan, lambda match, *_: plan_of_move("move e7e5", match)
    )
    assert game.planned(game.ben) == "e7e5"
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4", "e5"]


def test_a_salvo_is_planned_where_nobody_sees_everything(referee):
    game = Game(referee, "strifebarge")
    ann, ben = ([*_waters(game, player)] for player in (game.ann, game.ben))
    one, two = [square for square in ben if square not in ann[:2]][:2]
    game.plans(game.ben, f"{one.lower()}; fire {two}")
    for square in ann[:2]:
        game.plays(game.ann, f"fire {square}")
    assert {*ann[:2], one, two} == set(game.sees(None).position.game.shots)


def _waters(game, player):
    """Squares that are not of a player's own fleet."""
    own = {square for ship in game.sees(player).position.you.fleet for square in ship.squares}
    return (f"{row}{n}" for row in "ABCDE" for n in range(1, 6) if f"{row}{n}" not in own)


class Several(Game):
    """A sea for three, on which everybody knows squares that are nobody's."""

    def __init__(self, referee, **how):
        self.referee = referee
        self.people = [somebody(referee, name) for name in ("Ann", "Ben", "Cleo")]
        self.id = forms.start(referee, self.people[0], "strifebarge", form_token(), seats=3, **how).id
        for each in self.people[1:]:
            forms.join(referee, each, self.id, each.name, form_token())
        self.ann, self.ben, self.cleo = (each.id for each in self.people)
        fleets = forms.take_up(referee, self.table).match.game.seats
        taken = {square for seat in fleets for ship in seat.fleet for square in ship.squares}
        self.sea = [f"{row}{n}" for row in "ABCDEFGH" for n in range(1, 8) if f"{row}{n}" not in taken]

    @property
    def shots(self):
        return {*self.sees(None).position.game.shots}


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
    with referee.store.change(game.id) as change:
        [chair, _] = change.table.chairs
        change.table.plans[0] = Plan(by=game.ann, held=chair.held, lines=[[Step("move e2e4", "e2e4")]])
    forms.undo(referee, game.ann, game.id, form_token())
    assert game.planned(game.ann) == ""
    assert game.dropped(game.ann) == ("e2e4", "You undid your move.")
    game.plays(game.ann, "move d4")
    assert game.dropped(game.ann) is None


@pytest.mark.parametrize("squares", ["one", "all but one", "one too many", "twice the same"])
def test_a_salvo_of_a_wrong_number_of_squares_is_refused_when_it_is_planned(referee, squares):
    game = Game(referee, "strifebarge", options={"salvo": True})
    sea = [*_waters(game, game.ben)]
    most = len(game.sees(game.ben).position.you.fleet)
    count = {"one": 1, "all but one": most - 1, "one too many": most + 1, "twice the same": 0}[squares]
    named = sea[:count] or most * sea[:1]
    wrong = f"salvo {','.join(named)}".strip()
    with pytest.raises(Refused) as no:
        referee.carry_out(game.ben, game.id, form_token(), planning.plan, a_move(wrong))
    assert no.value.token in ("strifebarge.wrong_salvo", "strifebarge.twice")
    assert game.planned(game.ben) == ""
    referee.carry_out(game.ben, game.id, form_token(), planning.plan, a_move(f"salvo {','.join(sea[:most])}"))
    assert game.planned(game.ben) == ",".join(sea[:most])


def a_move(words):
    return lambda match, *_: plan_of_move(words, match)


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


# -- once -------------------------------------------------------------------------------------------


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
        ann = FormToken(form_token().key, asked=game.sees(game.ann).asked)
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
        ann = FormToken(form_token().key, asked=game.sees(game.ann).asked)
        at_once(
            lambda game=game: game.drops(game.ben),
            lambda game=game, ann=ann: game.plays(game.ann, "move e4", ann),
        )
        assert game.sheet in (["e4"], ["e4", "e5"])
        assert game.table.plans == {}


# -- dropped -----------------------------------------------------------------------------------------


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
    assert game.sees(heir.id).plan.words == ""
    game.plays(game.ann, "move e4")
    assert game.sheet == ["e4"]


def test_who_leaves_has_no_plan(referee, game):
    game.plans(game.ben, "e5")
    forms.quit(referee, game.ben, game.id, "free", form_token())
    assert game.table.plans == {}


def test_a_guest_who_signs_in_keeps_their_plan(referee, game, engine):
    game.plans(game.ben, "e5")
    forms.accounts(referee).take_along(game.people[1], known := somebody(referee, "Known"))
    assert game.planned(known.id) == "e5"
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
    made = chess.move

    def fails(self, seat, move):
        if seat.number == 1:
            raise ZeroDivisionError("as a bug would")
        return made(self, seat, move)

    monkeypatch.setattr(chess, "move", fails)
    assert why(game.plays, game.ann, "move e4") == "table.mistake"
    table = game.table
    assert table.status is Status.SUSPENDED
    assert table.position.number == 0
    assert table.plans[1].lines == []
    assert table.plans[1].dropped.why["text"] == No.MISTAKE.sentence


def test_who_was_asked_while_the_game_was_suspended_has_their_plan_played_when_it_goes_on(referee, game):
    game.plans(game.ben, "e5; Nc6")
    with referee.store.change(game.id) as change:  # as if Ann's seat had been taken out meanwhile
        change.table.plans[0] = Plan(
            by=game.ann, held=change.table.chairs[0].held, lines=[[Step("move e4", "e4")]]
        )
    forms.suspend(referee, game.ann, game.id, form_token())
    assert game.sheet == []
    for player in (game.ann, game.ben):
        forms.ready(referee, player, game.id, form_token())
    assert game.sheet == ["e4", "e5"]
    assert game.planned(game.ben) == "Nc6"


# -- refused ------------------------------------------------------------------------------------------


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


# -- kept to oneself ------------------------------------------------------------------------------------


def test_nobody_else_learns_of_a_plan(game):
    stranger = None
    before = {who: msgspec.json.encode(_told(game, who)) for who in (game.ann, stranger)}
    version, changed = game.table.version, game.table.times.changed
    for text in ("e5", "e5; Nc6", "e4 e5 | d4 d5"):
        game.plans(game.ben, text)
        assert {who: msgspec.json.encode(_told(game, who)) for who in before} == before
    game.drops(game.ben)
    assert {who: msgspec.json.encode(_told(game, who)) for who in before} == before
    assert (game.table.version, game.table.times.changed) == (version, changed)


def _told(game, who):
    view = game.sees(who)
    plan = view.plan and msgspec.structs.asdict(view.plan)
    return [view.etag, plan, view.position.number, msgspec.to_builtins(view.log), view.times.changed]


def test_pages_of_the_planner_hear_of_their_plan_and_those_of_others_do_not(game):
    views = game.referee.views
    tags = {who: views.show(who, game.id).etag for who in (game.ann, game.ben, None)}
    game.plans(game.ben, "e5")
    assert views.show(game.ben, game.id).etag != tags[game.ben]
    assert views.show(game.ann, game.id).etag == tags[game.ann]
    assert views.show(None, game.id).etag == tags[None]


def test_a_plan_is_in_no_position_of_the_past(game):
    game.plans(game.ben, "e5")
    assert game.referee.views.show_at(game.ben, game.id, 0).plan is None


def test_who_has_planned_is_not_told_of_a_turn_that_was_answered_and_the_other_is(referee, game, store):
    for player in (game.ann, game.ben):
        store.notifications.keep_subscriber(Subscriber(player=player))
    game.plans(game.ben, "e5")
    game.plays(game.ann, "move e4")
    with referee.store.change(game.id) as change:
        told = [(each.player, each.kind) for each in change.notifications()]
    assert told == [(game.ann, Kind.TURN)]


def test_a_planned_move_takes_no_time(referee):
    game = Game(referee, pace="clock-10-5")
    game.plays(game.ann, "move e4")
    game.plays(game.ben, "move e5")
    left = game.table.clock.seat_clocks[1].left
    game.plans(game.ben, "Nc6")
    game.plays(game.ann, "move Nf3")
    clock = game.table.clock.seat_clocks[1]
    assert clock.since is None
    assert clock.left >= left


def test_a_table_of_an_earlier_version_has_no_plans(game):
    body = msgspec.to_builtins(game.table)
    del body["plans"]
    assert decode_table(msgspec.json.encode(body)).plans == {}


def test_a_plan_is_kept_and_found_as_it_was(game, engine):
    game.plans(game.ben, "e4 e5; Nf3 Nc6")
    [step, then] = game.table.plans[1].lines[0]
    assert (step.answers, step.do, then.said) == ("e4", "move e5", "Nc6")
    assert step.after != then.after
    tables_with_it = mentions(engine, step.after)
    assert tables_with_it == {"tables"}


def test_lines_are_read_as_they_are_written(game):
    match = forms.take_up(game.referee, game.table).match
    lines = plan_typed(" e4  e5 ;Nf3 Nc6;\n\n d4 d5", match, 1)
    assert [[(step.answers, step.said) for step in line] for line in lines] == [
        [("e4", "e5"), ("Nf3", "Nc6")],
        [("d4", "d5")],
    ]
    assert write(read(lines[0][0].do, actions(match.rules))) == "move e5"
