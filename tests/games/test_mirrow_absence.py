"""Strife on the Mirrow: what is done for a side whose time runs out, at each kind of question."""

import pytest

from games.mirrow.delta import Area
from games.mirrow.fleet import Craft
from games.mirrow.rules import Activate, Mend, Mirrow, Place, Play, Ready, Sail
from strifebarge.rules import Hidden
from strifebarge.rules.action import Late
from strifebarge.rules.testing import Tabletop

from .mirrow_table import HERON, OTTER, Dice, Table

FLAG, WAR, GUN, SKIFF, FIRE, DECOY = Craft
AT_HOME = {Area.OTTERHOLM: [(FLAG, 3), (WAR, 4)]}
ALDER = {Area.ALDER: [(WAR, 4), (SKIFF, 2)]}
KEEPER, SPY, WRIGHTS, NIGHT, DESERTION = 14, 15, 16, 17, 19


def lapsed(at, side):
    """This side lets its time run out; what was done for it, as it is recorded."""
    [move] = at.match.miss(side)
    assert (move.seat, move.action) == (side, Late())
    return move


def test_blocks_are_placed_by_chance_and_what_was_placed_stays():
    at = Tabletop(Mirrow)
    at.plays(HERON, Place(3, Area.BITTERN))
    lapsed(at, HERON)
    assert at.match.waiting_for() == [OTTER]
    assert at.game.seats[HERON].at(None) == []
    assert at.game.seats[HERON].block(3).area is Area.BITTERN
    lapsed(at, OTTER)
    assert at.match.snapshot.stage == "choose_cards"


def test_the_card_with_the_fewest_points_is_played():
    hands = [2, 12, 11, 5], [1, 6, 9, 10]

    def arrange(game):
        for side, hand in zip(game.seats, hands, strict=True):
            side.hand = Hidden(hand)
        game.deck, game.spent = Hidden({*range(1, 21)} - {*hands[0], *hands[1]}), []

    at = Table({Area.HERONHITHE: [(FLAG, 3)]}, AT_HOME, stage="choose_cards", arrange=arrange)
    assert at.match.miss(HERON) == [], "the other still chooses"
    at.plays(OTTER, Play(6))
    assert [side.card for side in at.game.seats] == [11, 6]


@pytest.mark.parametrize("card", [7, KEEPER, NIGHT, WRIGHTS])
def test_a_turn_ends_as_it_stands(card):
    at = Table(ALDER, AT_HOME, (card, 3))
    lapsed(at, HERON)
    assert at.match.waiting_for() == [OTTER]
    assert at.game.open == []
    assert {block.area for block in at.game.seats[HERON].afloat} == {Area.ALDER}


def test_what_was_moved_in_it_stays_moved_and_no_more_is():
    at = Table(ALDER, AT_HOME, (7, 3))
    skiff = at.token(HERON, SKIFF)
    at.plays(HERON, Activate(Area.ALDER), Sail(skiff, Area.MIRROW))
    lapsed(at, HERON)
    assert at.match.waiting_for() == [OTTER]
    assert at.area(HERON, SKIFF) is Area.MIRROW
    assert at.area(HERON, WAR) is Area.ALDER


def test_the_spyglass_looks_somewhere_for_it_must():
    at = Table(ALDER, AT_HOME, (SPY, 3))
    lapsed(at, HERON)
    assert at.match.waiting_for() == [OTTER]
    assert at.game.seats[OTTER].block(at.token(OTTER, FLAG)).face.readers


def test_at_a_desertion_the_strongest_loses_a_step_and_no_flagship():
    at = Table(ALDER, {Area.OTTERHOLM: [(FLAG, 3), (SKIFF, 2), (GUN, 3)]}, (DESERTION, 3))
    lapsed(at, OTTER)
    assert [at.strength(OTTER, craft) for craft in (FLAG, SKIFF, GUN)] == [3, 2, 2]
    assert at.match.waiting_for() == [HERON]
    only = Table(ALDER, {Area.OTTERHOLM: [(FLAG, 3)]}, (DESERTION, 3))
    lapsed(only, OTTER)
    assert only.strength(OTTER, FLAG) == 2


def battle(monkeypatch, rolls, heron, otter):
    Dice(monkeypatch, rolls)
    lying = {Area.EEL: heron, Area.HERONHITHE: [(SKIFF, 2)]}, {Area.EEL: otter, Area.OTTERHOLM: [(SKIFF, 2)]}

    def arrange(game):
        game.attackers[Area.EEL] = HERON

    return Table(*lying, stage="battles", arrange=arrange)


def test_in_a_battle_blocks_fire_and_do_not_retreat(monkeypatch):
    at = battle(monkeypatch, [6] * 60, [(WAR, 4), (WAR, 4)], [(GUN, 3)])
    while at.game.battle.letter:
        assert at.area(HERON, WAR, 0) is at.area(HERON, WAR, 1) is at.area(OTTER, GUN) is Area.EEL
        lapsed(at, at.match.waiting_for()[0])
    assert at.game.battle.round == 3
    for _ in range(2):  # block by block
        assert at.match.waiting_for() == [HERON]
        lapsed(at, HERON)
    assert Area.EEL not in (at.area(HERON, WAR, 0), at.area(HERON, WAR, 1)), "who attacks must retreat"


def test_the_flagship_takes_a_hit_only_where_it_must(monkeypatch):
    at = battle(monkeypatch, [6, 6, 6, 6, 1, *[6] * 60], [(GUN, 1)], [(FLAG, 2), (GUN, 2)])
    lapsed(at, OTTER)
    assert (at.strength(OTTER, FLAG), at.strength(OTTER, GUN)) == (2, 1)


def test_nothing_is_repaired():
    def arrange(game):
        game.year, game.turn = 1, 3

    heron = {Area.HERONHITHE: [(FLAG, 1), (WAR, 2)]}
    at = Table(heron, AT_HOME, stage="winter", arrange=arrange, calm_winters=True)
    at.plays(HERON, Mend(at.token(HERON, FLAG)))
    lapsed(at, HERON)
    at.plays(OTTER, Ready())
    assert at.game.year == 2
    assert (at.strength(HERON, FLAG), at.strength(HERON, WAR)) == (2, 2)


def test_whoever_has_no_time_left_ends_the_game_without_a_result():
    at = Table(ALDER, AT_HOME, (7, 3))
    at.match.miss(HERON, out=True)
    assert at.match.result.places == []
    assert at.why == "A side had no time left."


def test_every_kind_of_question_has_an_answer_that_is_on_offer():
    """A whole game in which nobody ever answers comes to its end, and no answer is refused."""
    at = Tabletop(Mirrow, seed="nobody")
    while not at.match.result:
        for side in at.match.waiting_for():
            offers = at.match.offers(side)
            assert at.game.absent(at.game.seats[side], offers) in offers
            at.match.miss(side)
            if at.match.result:
                break
    assert at.match.game.year == 3
