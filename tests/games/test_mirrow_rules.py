"""Strife on the Mirrow: the rules, each as a play."""

import pytest

from games.mirrow.delta import AREAS, Area, Gate
from games.mirrow.fleet import DECK, Craft
from games.mirrow.rules import (
    Activate,
    Auto,
    Done,
    EndTurn,
    Fight,
    Fire,
    Hit,
    Lose,
    Mend,
    Mirrow,
    Pass,
    Place,
    Play,
    Ready,
    Rebuild,
    Retreat,
    Sail,
    Spy,
    Stop,
    Turn,
    Why,
)
from games.mirrow.waters import Terms
from strifebarge.rules import Hidden, Standard
from strifebarge.rules.testing import Tabletop

from .mirrow_table import HERON, OTTER, Dice, Table

FLAG, WAR, GUN, SKIFF, FIRE, DECOY = Craft
AT_HOME = {Area.OTTERHOLM: [(FLAG, 3), (WAR, 4)]}
TIDE, KEEPER, SPY, WRIGHTS, NIGHT, FOG, DESERTION, TOLL = range(13, 21)


def begun(**terms):
    return Tabletop(Mirrow, options=Terms(**terms))


def auto(at):
    for side in (HERON, OTTER):
        at.plays(side, Auto(), Ready())


# -- setting up -------------------------------------------------------------------------


def test_both_place_at_the_same_time_and_neither_sees_the_other():
    at = begun()
    assert at.match.waiting_for() == [HERON, OTTER]
    at.plays(HERON, Place(1, Area.BITTERN))
    assert at.match.view(OTTER).seats[HERON].block(1).area is None
    assert at.match.view(HERON).seats[HERON].block(1).area is Area.BITTERN
    at.match.undo(HERON)
    assert at.match.view(HERON).seats[HERON].block(1).area is None


def test_three_to_an_area_and_one_in_each_port():
    at = begun()
    assert at.refused(HERON, Ready()) is Why.NOT_ALL_PLACED
    at.plays(HERON, *(Place(token, Area.ALDER) for token in (1, 2, 3)))
    assert at.refused(HERON, Place(4, Area.ALDER)) is Why.AREA_FULL
    assert at.refused(HERON, Place(4, Area.MIRROW)) is Standard.NOT_OFFERED
    at.plays(HERON, *(Place(token, Area.COLD) for token in (4, 5, 6)), Place(7, Area.BITTERN))
    at.plays(HERON, Place(8, Area.BITTERN))
    assert at.refused(HERON, Place(9, Area.BITTERN)) is Why.KEEP_SOME
    at.plays(HERON, Place(9, Area.DUNMOUTH), Place(10, Area.HERONHITHE), Ready())
    assert at.match.waiting_for() == [OTTER]


@pytest.mark.parametrize("scenario", ["toll_war", "siege"])
def test_the_rest_is_placed_by_chance_whoever_presses_first(scenario):
    there = []
    for order in ((HERON, OTTER), (OTTER, HERON)):
        at = begun(scenario=scenario)
        for side in order:
            at.plays(side, Auto(), Ready())
        there.append([[block.area for block in side.fleet] for side in at.game.seats])
        for side in at.game.seats:
            wanted = at.game.scenario.wanted[side.number]
            assert all(1 <= len(side.at(area)) <= 3 for area in wanted)
            assert all(len(side.at(area)) <= 3 for area in AREAS)
    assert there[0] == there[1]


def test_the_siege_begins_with_otter_in_mirrow_and_without_his_fireship():
    at = begun(scenario="siege")
    assert at.game.control[Area.MIRROW] == OTTER
    assert len(at.game.seats[OTTER].fleet) == 9
    assert FIRE not in [block.craft for block in at.game.seats[OTTER].fleet]
    assert at.game.scenario.years == 2


def test_a_year_deals_four_cards_each():
    at = begun()
    auto(at)
    assert [len(side.hand) for side in at.game.seats] == [4, 4]
    assert len(at.game.deck) == 12
    assert at.match.view(HERON).seats[OTTER].hand[:] == [None] * 4


# -- choosing ---------------------------------------------------------------------------


def choosing(cards, gauge=HERON):
    def arrange(game):
        game.gauge = gauge
        rest = [card for card in DECK if card not in cards]
        for side, card in zip(game.seats, cards, strict=True):
            side.hand = Hidden([card, rest.pop(), rest.pop()])
        game.deck, game.spent = Hidden(rest), []

    at = Table({Area.HERONHITHE: [(FLAG, 3)]}, AT_HOME, stage="choose_cards", arrange=arrange)
    assert at.match.waiting_for() == [HERON, OTTER]
    at.plays(HERON, Play(cards[HERON]))
    assert at.refused(HERON, Play(at.game.seats[HERON].hand[1])) is Standard.NOT_YOUR_TURN, "it is final"
    at.plays(OTTER, Play(cards[OTTER]))
    return at


def test_the_higher_tempo_goes_first():
    assert choosing((1, 11)).match.waiting_for() == [OTTER]
    assert choosing((11, 1)).match.waiting_for() == [HERON]


@pytest.mark.parametrize("gauge", [HERON, OTTER])
def test_on_a_tie_whoever_holds_the_gauge_goes_first_and_hands_it_on(gauge):
    at = choosing((3, 4), gauge)
    assert at.match.waiting_for() == [gauge]
    assert at.game.gauge == 1 - gauge
    assert [str(line) for line in at.game.played(None)] == ["Full Sail", "Full Sail"]


# -- turns ------------------------------------------------------------------------------


def turn(card=7, heron=None, otter=None, **more):
    return Table(heron or {Area.ALDER: [(WAR, 4), (SKIFF, 2)]}, otter or AT_HOME, (card, 3), **more)


def test_a_point_is_spent_on_an_area_and_the_others_see_it_at_the_end():
    at = turn()
    skiff = at.token(HERON, SKIFF)
    at.plays(HERON, Activate(Area.ALDER), Sail(skiff, Area.MIRROW), Sail(skiff, Area.FALLOW), Stop(), Done())
    assert at.game.points == 1
    assert at.match.view(OTTER).seats[HERON].block(skiff).area is Area.ALDER
    at.match.undo(HERON)
    at.match.undo(HERON)
    assert at.area(HERON, SKIFF) is Area.FALLOW
    at.plays(HERON, Stop(), Done(), Activate(Area.ALDER), Done())
    assert at.refused(HERON, Activate(Area.ALDER)) is Why.NO_POINTS
    at.plays(HERON, EndTurn())
    assert at.match.view(OTTER).seats[HERON].block(skiff).area is Area.FALLOW


def test_who_has_moved_does_not_move_again():
    at = turn(heron={Area.ALDER: [(SKIFF, 2)]})
    skiff = at.token(HERON, SKIFF)
    at.plays(HERON, Activate(Area.ALDER), Sail(skiff, Area.MIRROW), Stop())
    assert at.refused(HERON, Activate(Area.MIRROW)) is Why.NONE_LEFT


def test_a_block_stops_where_the_enemy_is_and_attacks():
    at = turn(heron={Area.JUNIPER: [(SKIFF, 2)]})
    at.plays(HERON, Activate(Area.JUNIPER), Sail(at.token(HERON, SKIFF), Area.OTTERHOLM))
    assert at.game.sailing == 0
    assert at.game.attackers == {Area.OTTERHOLM: HERON}


def test_a_closed_sluice_carries_nobody_and_an_open_one_two():
    three = {Area.BITTERN: [(WAR, 4), (WAR, 4), (WAR, 4)]}
    at = turn(heron=three)
    wars = [at.token(HERON, WAR, nth) for nth in range(3)]
    at.plays(HERON, Activate(Area.BITTERN))
    assert at.refused(HERON, Sail(wars[0], Area.GANNET)) is Why.SLUICE_CLOSED
    at = turn(TIDE, heron=three)
    assert at.game.open == [*Gate]
    at.plays(HERON, Activate(Area.BITTERN))
    for war in wars[:2]:
        at.plays(HERON, Sail(war, Area.GANNET), Stop())
    assert at.refused(HERON, Sail(wars[2], Area.GANNET)) is Why.LINK_FULL


# -- events -----------------------------------------------------------------------------


def test_the_lock_keeper_turns_one_sluice_and_may_take_it_back():
    at = turn(KEEPER)
    at.plays(HERON, Turn(Gate.COLD_MIRROW))
    assert at.game.open == [Gate.COLD_MIRROW]
    at.match.undo(HERON)
    assert at.game.open == []
    at.plays(HERON, Pass(), EndTurn())


def test_the_lock_keeper_closes_what_is_open():
    at = turn(KEEPER, arrange=lambda game: game.open.append(Gate.COLD_MIRROW))
    at.plays(HERON, Turn(Gate.COLD_MIRROW))
    assert at.game.open == []


def test_the_spyglass_shows_one_area_until_the_round_ends():
    at = turn(SPY)
    assert at.refused(HERON, Pass()) is Why.MUST_NAME
    at.plays(HERON, Spy(Area.OTTERHOLM))
    flag = at.token(OTTER, FLAG)
    assert at.match.view(HERON).seats[OTTER].block(flag).craft is FLAG
    assert at.match.view(None).seats[OTTER].block(flag).face.value is None
    assert not at.match.can_undo(HERON)
    at.plays(HERON, EndTurn())
    at.plays(OTTER, EndTurn())
    assert at.match.view(HERON).seats[OTTER].block(flag).face.value is None


def test_the_shipwrights_mend_in_ports_only_and_up_to_three_times():
    at = turn(WRIGHTS, heron={Area.BITTERN: [(WAR, 1), (SKIFF, 2), (DECOY, 1)], Area.ALDER: [(WAR, 1)]})
    assert at.refused(HERON, Mend(at.token(HERON, SKIFF))) is Why.AT_FULL
    assert at.refused(HERON, Mend(at.token(HERON, DECOY))) is Why.AT_FULL
    assert at.refused(HERON, Mend(at.token(HERON, WAR, 1))) is Why.NO_HARBOUR
    war = at.token(HERON, WAR)
    at.plays(HERON, Mend(war), Mend(war))
    at.match.undo(HERON)
    at.plays(HERON, Mend(war), Mend(war))
    assert at.strength(HERON, WAR) == 4
    at.plays(HERON, EndTurn())
    assert f"block {war}" not in " ".join(at.log(OTTER)), "he is not told which"
    assert f"You add a step to block {war}." in at.log(HERON)


def test_night_passage_knows_no_limits_but_closed_sluices():
    at = turn(NIGHT, heron={Area.ALDER: [(WAR, 4), (WAR, 4), (GUN, 3)], Area.COLD: [(SKIFF, 2)]})
    at.plays(HERON, Activate(Area.ALDER))
    for nth in range(2):
        at.plays(HERON, Sail(at.token(HERON, WAR, nth), Area.BITTERN), Stop())
    gun = at.token(HERON, GUN)
    at.plays(HERON, Sail(gun, Area.BITTERN))
    assert at.refused(HERON, Sail(gun, Area.GANNET)) is Why.SLUICE_CLOSED
    at.plays(HERON, Sail(gun, Area.EEL))
    assert at.game.carried == {}
    assert at.game.points == 1


def test_in_the_fog_the_attacker_acts_first(monkeypatch):
    Dice(monkeypatch, [1, 1, 6])
    at = Table(
        {Area.EEL: [(SKIFF, 2)], Area.HERONHITHE: [(FLAG, 3)]},
        {Area.EEL: [(SKIFF, 2)], Area.OTTERHOLM: [(FLAG, 3)]},
        stage="battles",
        arrange=lambda game: (game.attackers.update({Area.EEL: HERON}), game.fog.append(HERON)),
    )
    assert at.strength(OTTER, SKIFF) == 0
    assert at.strength(HERON, SKIFF) == 2


def test_at_a_desertion_the_enemy_chooses_and_nothing_before_is_taken_back():
    at = turn(DESERTION)
    assert at.match.waiting_for() == [OTTER]
    war = at.token(OTTER, WAR)
    at.plays(OTTER, Lose(war))
    assert at.strength(OTTER, WAR) == 3
    assert at.match.waiting_for() == [HERON]
    assert not at.match.can_undo(HERON)
    assert f"You take a step from block {war}." in at.log(OTTER)
    assert "P1 takes a step from a block." in at.log(HERON)


def test_nobody_deserts_where_there_is_nobody():
    at = turn(DESERTION, otter={Area.OTTERHOLM: [(FLAG, 1), (DECOY, 1)]})
    assert at.match.waiting_for() == [HERON]


@pytest.mark.parametrize(("control", "gained"), [({}, 0), ({Area.MIRROW: HERON}, 1)])
def test_tolls_go_to_whoever_controls_more_areas(control, gained):
    at = turn(TOLL, arrange=lambda game: game.control.update(control))
    assert at.game.seats[HERON].vp == gained


# -- battles ----------------------------------------------------------------------------


def battle(monkeypatch, rolls, heron, otter, area=Area.EEL, **more):
    Dice(monkeypatch, rolls)
    homes = {Area.HERONHITHE: [(FLAG, 3)]}, AT_HOME

    def arrange(game):
        game.attackers[area] = HERON

    lying = [{area: blocks, **home} for blocks, home in zip((heron, otter), homes, strict=True)]
    return Table(*lying, stage="battles", arrange=arrange, **more)


def test_decoys_go_when_they_are_revealed_and_both_may_be_gone(monkeypatch):
    at = battle(monkeypatch, [], [(DECOY, 1)], [(DECOY, 1)])
    assert at.strength(HERON, DECOY) == at.strength(OTTER, DECOY) == 0
    assert at.game.battle is None


def test_a_fireship_is_eliminated_when_it_has_fired(monkeypatch):
    at = battle(monkeypatch, [6, 6, 6, 6, 6, 6], [(FIRE, 2)], [(WAR, 4)])
    assert at.strength(HERON, FIRE) == 0
    assert at.match.view(OTTER).seats[HERON].block(at.token(HERON, FIRE)).craft is FIRE


def test_the_owner_picks_the_order_and_retreats_from_the_second_round_on(monkeypatch):
    at = battle(monkeypatch, [6] * 60, [(WAR, 4), (WAR, 4)], [(GUN, 3)])
    wars = [at.token(HERON, WAR, nth) for nth in range(2)]
    assert at.refused(HERON, Retreat(wars[0], Area.FALLOW)) is Standard.NOT_OFFERED
    at.plays(HERON, Fire(wars[1]))
    assert at.game.battle.round == 2
    assert at.refused(HERON, Retreat(wars[0], Area.GANNET)) is Why.HELD_BY_ENEMY
    at.plays(HERON, Retreat(wars[0], Area.BITTERN))
    assert at.area(HERON, WAR, 0) is Area.BITTERN


def test_an_attacker_who_cannot_retreat_is_eliminated(monkeypatch):
    Dice(monkeypatch, [6] * 60)
    at = Table(
        {Area.OTTERHOLM: [(WAR, 4)], Area.HERONHITHE: [(FLAG, 3)]},
        {Area.OTTERHOLM: [(GUN, 3)], Area.HOLLOW: [(FLAG, 3)], Area.JUNIPER: [(SKIFF, 2)]},
        stage="battles",
        arrange=lambda game: game.attackers.update({Area.OTTERHOLM: HERON}),
    )
    while at.match.waiting_for() == [OTTER]:
        at.plays(OTTER, Fire(at.token(OTTER, GUN)))
    assert at.strength(HERON, WAR) == 0
    assert at.strength(OTTER, GUN) == 3


def test_the_flagship_is_worth_two_and_never_rebuilt(monkeypatch):
    at = battle(monkeypatch, [6, 6, 6, 1, 1, 1, 1], [(WAR, 4)], [(WAR, 4)])
    game = at.game
    side = game.seats[HERON]
    game.eliminate_block(side, side.block(at.token(HERON, FLAG)))
    assert game.seats[OTTER].vp == 2
    assert game.refuse_rebuild(side, side.block(at.token(HERON, FLAG))) is Why.NOT_REBUILT


def test_the_first_player_names_the_battle(monkeypatch):
    Dice(monkeypatch, [6] * 100)
    at = Table(
        {Area.EEL: [(SKIFF, 2)], Area.FALLOW: [(SKIFF, 2)]},
        {Area.EEL: [(DECOY, 1)], Area.FALLOW: [(WAR, 4)], **AT_HOME},
        stage="battles",
        arrange=lambda game: game.attackers.update({Area.EEL: HERON, Area.FALLOW: OTTER}),
    )
    at.plays(HERON, Fight(Area.EEL))
    assert at.strength(OTTER, DECOY) == 0


# -- the end of a round, winter and the end -----------------------------------------------


def ended(heron, otter, stage="round_ends", **more):
    return Table(heron, otter, stage=stage, **more)


def test_control_is_set_at_the_end_of_a_round_and_stays():
    at = ended({Area.MIRROW: [(WAR, 4)]}, AT_HOME)
    assert at.game.control[Area.MIRROW] == HERON
    assert at.game.control[Area.HERONHITHE] == HERON


def test_without_ships_on_either_side_there_is_no_result():
    at = ended({Area.EEL: [(DECOY, 1)]}, {Area.OTTERHOLM: [(DECOY, 1)]})
    assert at.match.result.places == []


def test_who_alone_has_ships_wins():
    assert ended({Area.EEL: [(DECOY, 1)]}, AT_HOME).match.result.places == [[OTTER], [HERON]]


def test_nine_of_eleven_win():
    held = {Area.MIRROW: HERON, Area.GANNET: HERON, Area.IVEL: HERON}
    at = ended({Area.EEL: [(WAR, 4)]}, AT_HOME, arrange=lambda game: game.control.update(held))
    assert at.match.result.winners == [HERON]


def wintry(control=None, year=1, heron=None, otter=None, vp=(0, 0), monkeypatch=None, **terms):
    def arrange(game):
        game.year, game.turn = year, 3
        game.control.update(control or {})
        for side, points in zip(game.seats, vp, strict=True):
            side.vp = points

    return Table(
        heron or {Area.HERONHITHE: [(FLAG, 3)]}, otter or AT_HOME, stage="winter", arrange=arrange, **terms
    )


def test_the_storm_gives_the_game_to_whoever_holds_the_enemys_port():
    assert wintry({Area.OTTERHOLM: HERON}).match.result.winners == [HERON]
    both = {Area.OTTERHOLM: HERON, Area.HERONHITHE: OTTER}
    assert wintry({**both, Area.MIRROW: OTTER}).match.result.winners == [OTTER]
    assert wintry(both).match.result.places == [[HERON, OTTER]]


def test_ice_takes_steps_on_open_water_only(monkeypatch):
    Dice(monkeypatch, [2, 3])
    heron = {Area.EEL: [(WAR, 4), (SKIFF, 2)], Area.HERONHITHE: [(FLAG, 3)]}
    at = wintry(heron=heron)
    assert (at.strength(HERON, WAR), at.strength(HERON, SKIFF), at.strength(HERON, FLAG)) == (3, 2, 3)


def test_calm_winters_have_no_ice(monkeypatch):
    Dice(monkeypatch, [])
    at = wintry(heron={Area.EEL: [(WAR, 4)]}, calm_winters=True)
    assert at.strength(HERON, WAR) == 4


def test_tolls_and_repair():
    at = wintry(heron={Area.HERONHITHE: [(FLAG, 2), (WAR, 1)], Area.ALDER: [(WAR, 2)]}, calm_winters=True)
    assert [side.vp for side in at.game.seats] == [4, 4]
    assert at.match.waiting_for() == [HERON, OTTER]
    flag, skiff = at.token(HERON, FLAG), at.token(HERON, SKIFF)
    at.plays(HERON, Mend(flag))
    assert at.refused(HERON, Mend(flag)) is Why.AT_FULL
    at.plays(HERON, Rebuild(skiff))
    assert at.match.view(OTTER).seats[HERON].block(skiff).area is None
    at.match.undo(HERON)
    at.plays(HERON, Rebuild(skiff), Mend(skiff))
    assert at.refused(HERON, Rebuild(at.token(HERON, GUN))) is Why.NO_MEANS
    assert at.refused(HERON, Mend(at.token(HERON, WAR))) is Why.NO_MEANS
    at.plays(HERON, Ready())
    at.plays(OTTER, Ready())
    assert at.game.year == 2
    assert at.match.view(OTTER).seats[HERON].block(skiff).area is Area.HERONHITHE
    assert at.match.view(OTTER).seats[HERON].block(skiff).face.value is None


def test_nobody_rebuilds_in_a_port_that_is_lost():
    at = wintry(heron={Area.DUNMOUTH: [(FLAG, 3)]}, calm_winters=True)
    at.game.control[Area.HERONHITHE] = OTTER
    assert at.refused(HERON, Rebuild(at.token(HERON, WAR))) is Why.HOME_LOST


@pytest.mark.parametrize(
    ("vp", "mirrow", "places"),
    [
        ((4, 0), OTTER, [[HERON], [OTTER]]),  # four against Mirrow's three
        ((1, 0), OTTER, [[OTTER], [HERON]]),
        ((3, 0), OTTER, [[OTTER], [HERON]]),  # a tie, and Mirrow is Otter's
        ((3, 0), None, [[HERON], [OTTER]]),
        ((0, 0), None, [[HERON, OTTER]]),
    ],
)
def test_the_toll_war_is_counted(vp, mirrow, places):
    control = {} if mirrow is None else {Area.MIRROW: mirrow}
    at = wintry(control, year=3, vp=vp, calm_winters=True)
    assert at.match.result.places == places


@pytest.mark.parametrize("mirrow", [HERON, OTTER])
def test_the_siege_is_decided_by_mirrow(mirrow):
    at = wintry({Area.MIRROW: mirrow}, year=2, scenario="siege", calm_winters=True)
    assert at.match.result.winners == [mirrow]


def test_resigning_gives_the_enemy_the_game():
    at = begun()
    at.leaves(HERON)
    assert at.match.result.winners == [OTTER]


def test_hits_are_taken_by_the_strongest_of_whom_the_owner_chooses_one(monkeypatch):
    at = battle(monkeypatch, [1, *[6] * 60], [(SKIFF, 2)], [(WAR, 3), (GUN, 3), (GUN, 2)])
    assert at.match.waiting_for() == [OTTER]
    assert at.refused(OTTER, Hit(at.token(OTTER, GUN, 1))) is Standard.NOT_OFFERED
    at.plays(OTTER, Hit(at.token(OTTER, GUN)))
    assert at.strength(OTTER, GUN) == 2


def test_open_fleets_hide_nothing_on_the_map():
    at = begun(open_fleets=True)
    auto(at)
    assert all(block.face.value for side in at.match.view(None).seats for block in side.fleet)
