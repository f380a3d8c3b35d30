"""Strife on the Mirrow: the three worked examples of the rules, and the chart."""

import pytest

from games.mirrow.delta import AREAS, FROM, LINKS, Area, Gate, Kind, link_between
from games.mirrow.fleet import CRAFTS, DECK, FLEET, Craft
from games.mirrow.rules import Activate, Done, EndTurn, Fire, Hit, Retreat, Sail, Stop, Why

from .mirrow_table import HERON, OTTER, Dice, Table

FLAG, WAR, GUN, SKIFF, FIRE, DECOY = Craft

# -- the chart and the printed matter -------------------------------------------------

TABLE = """
0: =1 =2 =3
1: =0 =6 -2 -3
2: =0 =5 -1 #8
3: =0 =4 -1 -7 #6
4: =3 -7 #10
5: =2 -6 -8 -9
6: =1 =11 -5 -7 #3 #9
7: =10 -3 -4 -6
8: =9 -5 #2
9: =8 =12 -5 -11 #6
10: =7 =12 -11 #4
11: =6 =12 -9 -10
12: =9 =10 =11
"""
SIGN = {Kind.CHANNEL: "=", Kind.CUT: "-", Kind.SLUICE: "#"}


def test_the_chart_is_that_of_the_rules_both_ways():
    assert len(LINKS) == 26
    for line in TABLE.split("\n")[1:-1]:
        number, links = line.split(":")
        area = AREAS[int(number)]
        drawn = {f"{SIGN[link.kind]}{link.beyond(area).id}" for link in FROM[area]}
        assert drawn == {*links.split()}
        for link in FROM[area]:
            assert link_between(link.beyond(area), area) == link == link_between(area, link.beyond(area))


def test_half_a_turn_of_the_chart_changes_nothing():
    def turned(area: Area) -> Area:
        return AREAS[12 - area.id]

    for link in LINKS.values():
        there = link_between(turned(link.a), turned(link.b))
        assert there
        assert there.kind is link.kind
    assert [area.worth for area in AREAS] == [area.worth for area in reversed(AREAS)]


def test_values_and_limits():
    assert {area.id: area.worth for area in AREAS if area.worth} == {
        0: 2,
        2: 1,
        4: 1,
        6: 3,
        8: 1,
        10: 1,
        12: 2,
    }
    assert {kind: next(link for link in LINKS.values() if link.kind is kind).limit for kind in Kind} == {
        Kind.CHANNEL: 3,
        Kind.CUT: 1,
        Kind.SLUICE: 2,
    }
    assert [gate.link.name for gate in Gate] == ["2#8", "3#6", "4#10", "6#9"]


def test_the_blocks_and_the_cards_are_those_of_the_rules():
    assert [craft.name for craft in FLEET] == (
        [
            "FLAGSHIP",
            "WARBARGE",
            "WARBARGE",
            "WARBARGE",
            "GUNBARGE",
            "GUNBARGE",
            "SKIFF",
            "SKIFF",
            "FIRESHIP",
            "DECOY",
        ]
    )
    assert [(facts.letter, facts.hits_on, facts.full, facts.speed) for facts in CRAFTS.values()] == [
        ("B", 3, 3, 2),
        ("B", 2, 4, 2),
        ("C", 3, 3, 1),
        ("A", 2, 2, 3),
        ("A", 4, 2, 2),
        ("", 0, 1, 2),
    ]
    assert [(order.points, order.tempo) for order in DECK.values()] == (
        [(4, 1)] * 2
        + [(3, 2)] * 4
        + [(2, 3)] * 4
        + [(1, 5)] * 2
        + [(2, 4)] * 3
        + [(1, 4)] * 2
        + [(2, 4)] * 2
        + [(1, 4)]
    )


# -- the worked battles ---------------------------------------------------------------


def test_example_1_eel_fen(monkeypatch):
    Dice(monkeypatch, [2, 5, 1, 2, 3, 6, 1, 1])
    at = Table(
        {Area.EEL: [(WAR, 4), (SKIFF, 2)]},
        {Area.EEL: [(WAR, 3), (DECOY, 1)], Area.OTTERHOLM: [(FLAG, 3)]},
        stage="battles",
        arrange=lambda game: game.attackers.update({Area.EEL: HERON}),
    )
    war = at.token(OTTER, WAR)
    assert at.game.battle.round == 2, "with one way to act a block acts by itself"
    assert at.match.waiting_for() == [HERON]
    assert (at.strength(HERON, WAR), at.strength(OTTER, WAR), at.strength(OTTER, DECOY)) == (2, 2, 0)
    at.plays(HERON, Fire(at.token(HERON, SKIFF)))
    assert at.strength(OTTER, WAR) == 0
    assert (at.strength(HERON, WAR), at.strength(HERON, SKIFF)) == (2, 2)
    assert at.game.battle is None
    assert f"P1’s block {war} is eliminated at Eel Fen." in at.log()


def test_example_2_otterholm(monkeypatch):
    dice = Dice(monkeypatch, [5, 6, 1, 4, 3, 6, 5, 4, 4, 6, 3, 3, 6, 5, 5, 4, 6, 2])
    at = Table(
        {Area.OTTERHOLM: [(FLAG, 3), (WAR, 3)]},
        {Area.OTTERHOLM: [(GUN, 3), (FIRE, 2)]},
        stage="battles",
        arrange=lambda game: game.attackers.update({Area.OTTERHOLM: HERON}),
    )
    flag, war = at.token(HERON, FLAG), at.token(HERON, WAR)
    at.plays(HERON, Hit(war))
    assert at.strength(OTTER, FIRE) == 0
    at.plays(HERON, Fire(flag))  # then only the Warbarge is left, and acts by itself
    assert (at.strength(HERON, FLAG), at.strength(HERON, WAR), at.strength(OTTER, GUN)) == (2, 2, 1)
    at.plays(HERON, Fire(flag), Fire(war))
    at.plays(OTTER, Fire(at.token(OTTER, GUN)))
    at.plays(HERON, Fire(flag), Fire(war))
    at.plays(OTTER, Fire(at.token(OTTER, GUN)))
    at.plays(HERON, Hit(war))
    assert dice.rolls == []
    assert (at.strength(HERON, FLAG), at.strength(HERON, WAR), at.strength(OTTER, GUN)) == (2, 1, 1)
    assert at.match.waiting_for() == [HERON]
    assert at.refused(HERON, Retreat(flag, Area.IVEL)) is Why.HELD_BY_ENEMY
    at.plays(HERON, Retreat(flag, Area.JUNIPER), Retreat(war, Area.HOLLOW))
    assert at.area(HERON, FLAG) is Area.JUNIPER
    assert at.area(HERON, WAR) is Area.HOLLOW
    assert at.match.view(OTTER).seats[HERON].block(flag).face.value is None


def test_example_3_links_and_pins():
    at = Table(
        {Area.ALDER: [(WAR, 4), (WAR, 4), (WAR, 4), (SKIFF, 2), (SKIFF, 2)], Area.HERONHITHE: [(FLAG, 3)]},
        {Area.OTTERHOLM: [(FLAG, 3)]},
    )
    at.plays(HERON, Activate(Area.ALDER))
    for nth in range(3):
        at.plays(HERON, Sail(at.token(HERON, WAR, nth), Area.MIRROW))
        if HERON in at.match.prompts and Stop() in at.match.options(HERON):
            at.plays(HERON, Stop())
    skiff = at.token(HERON, SKIFF)
    assert at.refused(HERON, Sail(skiff, Area.MIRROW)) is Why.LINK_FULL
    at.plays(HERON, Sail(skiff, Area.BITTERN), Stop())
    assert at.refused(HERON, Sail(at.token(HERON, SKIFF, 1), Area.BITTERN)) is Why.LINK_FULL


def test_example_3_who_is_pinned():
    at = Table(
        {Area.FALLOW: [(WAR, 4), (WAR, 4)], Area.JUNIPER: [(SKIFF, 2)]},
        {Area.IVEL: [(WAR, 4), (SKIFF, 2), (FLAG, 3)]},
    )
    at.plays(HERON, Activate(Area.FALLOW))
    at.plays(
        HERON, Sail(at.token(HERON, WAR), Area.IVEL), Sail(at.token(HERON, WAR, 1), Area.IVEL), EndTurn()
    )
    assert at.game.may_leave == {Area.IVEL: 1}
    at.plays(OTTER, Activate(Area.IVEL))
    skiff = at.token(OTTER, SKIFF)
    assert at.refused(OTTER, Sail(skiff, Area.JUNIPER)) is Why.FROM_ENEMY
    at.plays(OTTER, Sail(skiff, Area.OTTERHOLM), Stop())
    assert at.game.area is None, "nobody else may leave"
    assert at.refused(OTTER, Activate(Area.IVEL)) is Why.PINNED


@pytest.mark.parametrize("night", [False, True])
def test_nobody_comes_back_to_where_it_has_been(night):
    at = Table({Area.ALDER: [(SKIFF, 2)]}, {Area.OTTERHOLM: [(FLAG, 3)]}, cards=(17 if night else 3, 4))
    skiff = at.token(HERON, SKIFF)
    at.plays(HERON, Activate(Area.ALDER), Sail(skiff, Area.BITTERN))
    assert at.refused(HERON, Sail(skiff, Area.ALDER)) is Why.BEEN_THERE
    at.plays(HERON, Sail(skiff, Area.EEL), Sail(skiff, Area.MIRROW))
    if night:
        at.plays(HERON, Sail(skiff, Area.JUNIPER))
        assert at.game.carried == {}
    assert at.game.sailing == 0
    assert at.refused(HERON, Done()) is not None
