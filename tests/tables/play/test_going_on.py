"""A process goes on from a match as it last was here, by the moves made elsewhere, as if taken up anew."""

from random import Random

import pytest

from strifebarge.fuzz.laws import everything_of
from strifebarge.rules import Refused
from strifebarge.rules.schema import seat_numbers
from strifebarge.store.store import Store
from strifebarge.tables.library.library import Library
from strifebarge.tables.play.matches import cache_key, extend_match, load_match
from tests.store.conftest import form_token
from tests.support import forms

MOVES = 24


@pytest.fixture
def elsewhere(engine, library):
    return forms.a_referee(Store(engine), library)


def begun(referee, game):
    """A game that has begun; its table and the players by seat."""
    people = [forms.newcomer(referee) for _ in range(seat_numbers(referee.library[game].rules)[0])]
    id = forms.start(referee, people[0], game, form_token(), seats=len(people)).id
    for person in people[1:]:
        forms.join(referee, person, id, "", form_token())
    return id, [chair.player for chair in referee.store.table(id).chairs]


def move_at_random(referee, id, players, chance):
    """Do something that the rules let somebody do, or take a move back; return whether the game goes on."""
    table = referee.store.table(id)
    match = load_match(referee.store, referee.library.of(table), table).match
    if not match.waiting_for():
        return False
    seat = chance.choice(match.waiting_for())
    if match.can_undo(seat) and chance.random() < 0.2:
        forms.undo(referee, players[seat], id, form_token(question=match.question_numbers[seat]))
        return True
    offers = [*match.offers(seat), *match.replay.samples(seat)]
    for action in chance.sample(offers, len(offers)):
        try:
            token = form_token(question=match.question_numbers[seat])
            forms.move(referee, players[seat], id, lambda _, action=action: action, token)
        except Refused:
            continue
        return True
    return False


def must_stand_as_taken_up(referee, id):
    """Take the match as a page does that has read all at once; return whether it was gone on with."""
    store, matches = referee.store, referee.matches
    store.prefetch(id, 0.0)
    table = store.table(id)
    title, standing = referee.library.of(table), cache_key(table)
    earlier = matches.matches.get(id)
    match = matches.ready(store, title, table, standing)
    store.forget_prefetched()
    fresh = load_match(store, title, table)
    assert everything_of(match.match) == everything_of(fresh.match)
    assert match.rows == fresh.rows
    matches.put(id, standing, match)
    return earlier is not None and match.match is earlier.match.match


@pytest.mark.parametrize("game", Library().titles)
def test_a_match_gone_on_with_stands_as_one_taken_up(referee, elsewhere, game):
    chance = Random(game)
    id, players = begun(elsewhere, game)
    went_on = 0
    for _ in range(MOVES):
        if not move_at_random(elsewhere, id, players, chance):
            break
        if chance.random() < 0.7:  # sometimes several moves at once
            went_on += must_stand_as_taken_up(referee, id)
    assert went_on


def test_who_has_another_name_or_other_code_is_not_gone_on_with(referee, elsewhere):
    id, players = begun(elsewhere, "strifebarge")
    chance = Random(1)
    must_stand_as_taken_up(referee, id)
    with elsewhere.store.change(id) as change:
        change.table.chairs[0].name = "Zoe"
    move_at_random(elsewhere, id, players, chance)
    assert not must_stand_as_taken_up(referee, id)
    with elsewhere.store.change(id) as change:
        change.table.played_by.loaded += 1
    move_at_random(elsewhere, id, players, chance)
    assert not must_stand_as_taken_up(referee, id)


def test_moves_that_a_kept_match_does_not_know_are_not_made_up(referee, elsewhere):
    id, players = begun(elsewhere, "strifebarge")
    must_stand_as_taken_up(referee, id)
    match = referee.matches.matches.get(id).match
    match.match.game.shots["A1"] = True  # as if a bug had changed it
    move_at_random(elsewhere, id, players, Random(1))
    table = elsewhere.store.table(id)
    assert extend_match(elsewhere.store, referee.library.of(table), table, match) is None
