"""Plans are known to their player alone, and written down as they were made."""

import msgspec

from strifebarge.notifications.models import NotificationKind, Subscriber
from strifebarge.rules.notation import read, write
from strifebarge.rules.schema import actions
from strifebarge.store.tables import decode_table
from strifebarge.tables.model.plans import plan_typed
from tests.store.people import mentions
from tests.support import forms
from tests.tables.acts.plans.games import Game


def test_nobody_else_learns_of_a_plan(game):
    stranger = None
    before = {who: msgspec.json.encode(_notified(game, who)) for who in (game.ann, stranger)}
    version, changed = game.table.version, game.table.times.changed
    for text in ("e5", "e5; Nc6", "e4 e5 | d4 d5"):
        game.plans(game.ben, text)
        assert {who: msgspec.json.encode(_notified(game, who)) for who in before} == before
    game.drops(game.ben)
    assert {who: msgspec.json.encode(_notified(game, who)) for who in before} == before
    assert (game.table.version, game.table.times.changed) == (version, changed)


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
        notified = [(each.player, each.kind) for each in change.notifications()]
    assert notified == [(game.ann, NotificationKind.TURN)]


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
    assert (step.answers, step.do, then.typed) == ("e4", "move e5", "Nc6")
    assert step.after != then.after
    tables_with_it = mentions(engine, step.after)
    assert tables_with_it == {"tables"}


def test_lines_are_read_as_they_are_written(game):
    match = forms.take_up(game.referee, game.table).match
    lines = plan_typed(" e4  e5 ;Nf3 Nc6;\n\n d4 d5", match, 1)
    assert [[(step.answers, step.typed) for step in line] for line in lines] == [
        [("e4", "e5"), ("Nf3", "Nc6")],
        [("d4", "d5")],
    ]
    assert write(read(lines[0][0].do, actions(match.rules))) == "move e5"


def _notified(game, who):
    view = game.sees(who)
    plan = view.plan and msgspec.structs.asdict(view.plan)
    return [view.etag, plan, view.position.number, msgspec.to_builtins(view.log), view.times.changed]
