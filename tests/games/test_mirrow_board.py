"""The board of Strife on the Mirrow: the chart and its blocks, and what may be done with each."""

import re
from pathlib import Path

import pytest

from games.mirrow import rules
from games.mirrow.board import SPOTS, Board, Piece, Port, board, plates, text, waters
from games.mirrow.delta import AREAS, Area, Gate
from games.mirrow.fleet import DECK, FLEET, Craft
from games.mirrow.picture import picture
from games.mirrow.rules import Activate, Auto, EndTurn, Mend, Mirrow, Pass, Place, Play, Ready, Sail, Turn
from games.mirrow.waters import Terms
from strifebarge.rules.testing import SeenBoard, Tabletop
from tests.games.mirrow_table import HERON, OTTER, Table

FLAG, WAR, GUN, SKIFF, FIRE, DECOY = Craft
NORTH = {Area.HERONHITHE: [(FLAG, 3), (WAR, 2)], Area.BITTERN: [(SKIFF, 2)]}
SOUTH = {Area.OTTERHOLM: [(FLAG, 3), (GUN, 3)], Area.GANNET: [(DECOY, 1)]}
LOCKS = {  # where the sluices are drawn
    Gate.BITTERN_GANNET: (5, 26),
    Gate.COLD_MIRROW: (62, 37),
    Gate.DUNMOUTH_IVEL: (95, 74),
    Gate.MIRROW_HOLLOW: (38, 63),
}


@pytest.fixture
def at() -> Table:
    """Heron has the turn; four blocks each but three are eliminated."""
    return Table(NORTH, SOUTH)


def seen(at: Tabletop, viewer: int | None, **more) -> Board:
    return board(SeenBoard(at.match, viewer, **more))


def port(of: Board, area: Area) -> Port:
    return next(each for each in of.ports if each.area is area)


def pieces(of: Board, seat: int) -> list[Piece]:
    return [piece for each in of.ports for piece in each.pieces if piece.seat == seat]


# -- what is seen ------------------------------------------------------------------


def test_neither_side_sees_more_of_the_others_blocks_than_their_tokens(at):
    for viewer, other in ((HERON, OTTER), (OTTER, HERON)):
        theirs, own = pieces(seen(at, viewer), other), pieces(seen(at, viewer), viewer)
        assert [piece.face for piece in theirs] == [None] * 3
        assert [piece.drawing for piece in theirs] == [""] * 3
        assert all(piece.face and piece.mine for piece in own)
        assert len(own) == 3
    assert all(piece.face is None for seat in (HERON, OTTER) for piece in pieces(seen(at, None), seat))


def test_ones_own_blocks_have_their_strength_on_them(at):
    token = at.token(HERON, WAR)
    [war] = [piece for piece in pieces(seen(at, HERON), HERON) if piece.token == token]
    assert war.face is not None
    assert (war.face.strength, war.drawing, war.area) == (2, "m-warbarge", Area.HERONHITHE)


def test_with_open_fleets_all_is_known():
    at = Tabletop(Mirrow, options=Terms(open_fleets=True))
    for side in (HERON, OTTER):
        at.plays(side, Auto(), Ready())
    for side in (HERON, OTTER):
        faces = [piece.face for piece in pieces(seen(at, None), side)]
        assert len(faces) == len(FLEET)
        assert None not in faces


def test_nothing_that_is_being_placed_is_on_the_others_chart():
    at = Tabletop(Mirrow, options=Terms())
    at.plays(HERON, Place(1, Area.BITTERN))
    assert [piece.token for piece in port(seen(at, HERON), Area.BITTERN).pieces] == [1]
    assert sum(unit.piece.area is None for unit in seen(at, HERON).fleet) == len(FLEET) - 1
    for viewer in (OTTER, None):
        assert all(each.pieces == [] for each in seen(at, viewer).ports)
    assert seen(at, None).fleet == []
    assert {unit.piece.seat for unit in seen(at, OTTER).fleet} == {OTTER}


def test_lost_blocks_are_beside_the_chart(at):
    heron, otter = seen(at, HERON).sides
    assert len(heron.off) == len(FLEET) - 3
    assert all(piece.lost for piece in heron.off)
    assert len(otter.off) == len(FLEET) - 3


# -- the chart ---------------------------------------------------------------------


def test_the_chart_has_every_area_link_and_sluice(at):
    chart = seen(at, None)
    assert [each.area for each in chart.ports] == [*AREAS]
    assert len(waters()) == 26
    assert {water.path.count("L") for water in waters()} == {1, 3}
    assert [sluice.open for sluice in chart.sluices] == [False] * 4


def test_half_a_turn_of_the_chart_leads_each_area_to_its_opposite():
    for area, (x, y) in SPOTS.items():
        across, down = SPOTS[AREAS[12 - area.id]]
        assert (across, down) == (100 - x, 100 - y)


def test_areas_lie_on_the_ends_of_their_links():
    """The style sheet has the places that the links are drawn by, for both forms of the chart."""
    css = (Path(rules.__file__).parent / "board.css").read_text()
    placed = {
        name: (int(x), int(y)) for name, x, y in re.findall(r"\.([\w-]+) \{ --x: (\d+); --y: (\d+); \}", css)
    }
    areas = {f"at-{area.id}": spot for area, spot in SPOTS.items()}
    gates = {f"gate-{gate.link.a.id}": spot for gate, spot in LOCKS.items()}
    assert placed == areas | gates


def test_an_open_sluice_is_open_on_the_chart():
    at = Table(NORTH, SOUTH, arrange=lambda game: game.open.append(Gate.COLD_MIRROW))
    sluices = seen(at, None).sluices
    assert [sluice.gate for sluice in sluices if sluice.open] == [Gate.COLD_MIRROW]
    assert [sluice.marks for sluice in sluices] == [
        "gate gate-2",
        "gate gate-3 open",
        "gate gate-4",
        "gate gate-6",
    ]


def test_areas_say_who_controls_them(at):
    chart = seen(at, None)
    assert (port(chart, Area.HERONHITHE).holder, port(chart, Area.HERONHITHE).marks) == (
        HERON,
        "area at-0 valued",
    )
    assert (port(chart, Area.MIRROW).holder, port(chart, Area.MIRROW).worth) == (None, 3)
    assert port(chart, Area.ALDER).marks == "area at-1"


# -- what may be done --------------------------------------------------------------


def test_who_has_the_turn_activates_areas_by_their_names(at):
    mine = seen(at, HERON)
    assert [each.area for each in mine.ports if each.action] == [Area.HERONHITHE, Area.BITTERN]
    assert port(mine, Area.BITTERN).action == Activate(Area.BITTERN)
    assert EndTurn() in mine.ends
    for viewer in (OTTER, None):
        assert not any(each.action for each in seen(at, viewer).ports)
        assert (seen(at, viewer).ends, seen(at, viewer).deeds) == ([], [])


def test_the_only_block_that_can_move_has_its_goals_on_the_chart(at):
    at.plays(HERON, Activate(Area.BITTERN))
    token = at.token(HERON, SKIFF)
    mine = seen(at, HERON)
    assert (mine.held, mine.movable) == (token, 1)
    assert port(mine, Area.HERONHITHE).action == Sail(token, Area.HERONHITHE)
    assert port(mine, Area.HERONHITHE).goal
    assert "goal" in port(mine, Area.HERONHITHE).marks
    assert port(mine, Area.BITTERN).active
    [deeds] = mine.deeds
    assert deeds.deeds == [], "and not in the list too"


def test_of_several_blocks_one_is_picked_up_first(at):
    at.plays(HERON, Activate(Area.HERONHITHE))
    flag, war = at.token(HERON, FLAG), at.token(HERON, WAR)
    mine = seen(at, HERON)
    assert (mine.held, mine.movable) == (0, 2)
    assert not any(each.goal for each in mine.ports)
    assert {piece.token for piece in pieces(mine, HERON) if piece.pickable} == {flag, war}
    picked = seen(at, HERON, picked=str(war))
    assert picked.held == war
    assert {piece.token for piece in pieces(picked, HERON) if piece.held} == {war}
    assert {piece.token for piece in pieces(picked, HERON) if piece.pickable} == {flag}
    assert port(picked, Area.ALDER).action == Sail(war, Area.ALDER)


@pytest.mark.parametrize("picked", ["", "0", "99", "-1", "9" * 5000, "²", "<b>"])
def test_what_is_no_block_that_can_move_is_not_picked_up(at, picked):
    at.plays(HERON, Activate(Area.HERONHITHE))
    assert seen(at, HERON, picked=picked).held == 0


def test_many_deeds_are_folded_but_for_those_of_the_held_block():
    at = Tabletop(Mirrow, options=Terms())
    placing = seen(at, HERON, picked="4")
    assert [each.piece.token for each in placing.deeds if not each.folded] == [4]
    assert len(placing.deeds) == len(FLEET)
    assert placing.ends == [Ready(), Auto()]


def test_the_first_block_is_in_hand_while_blocks_are_placed():
    at = Tabletop(Mirrow, options=Terms())
    for token in (1, 2):
        mine = seen(at, HERON)
        assert mine.held == token
        assert port(mine, Area.BITTERN).action == Place(token, Area.BITTERN)
        at.plays(HERON, Place(token, Area.BITTERN))


def test_what_a_block_does_on_the_spot_is_done_by_pressing_it_among_ones_own():
    at = Table(NORTH, SOUTH, cards=(16, 3), arrange=weaken)
    war = at.token(HERON, WAR)
    actions = {unit.piece.token: unit.action for unit in seen(at, HERON).fleet}
    assert actions[war] == Mend(war)
    assert all(action is None for token, action in actions.items() if token != war and not lies(at, token))
    assert seen(at, HERON).deeds == []
    assert seen(at, OTTER).fleet[0].action is None


def weaken(game: Mirrow) -> None:
    """Leave room for a step on the blocks of the north."""
    game.control[Area.HERONHITHE] = HERON


def lies(at: Table, token: int) -> bool:
    """Tell whether one of Heron's blocks is on the map."""
    return at.game.seats[HERON].block(token).area is not None


def test_a_card_is_played_from_the_board_and_else_only_told():
    at = Tabletop(Mirrow, options=Terms())
    for side in (HERON, OTTER):
        at.plays(side, Auto(), Ready())
    cards = [*at.game.seats[HERON].hand]
    mine = seen(at, HERON)
    assert [(held.order, held.play) for held in mine.hand] == [(DECK[card], Play(card)) for card in cards]
    later = seen(Table(NORTH, SOUTH), HERON)
    assert [held.play for held in later.hand] == [None] * 3
    assert seen(at, None).hand == []


def test_a_sluice_may_be_turned_where_that_is_on_offer():
    keeper = Table(NORTH, SOUTH, cards=(14, 3))
    mine = seen(keeper, HERON)
    assert [sluice.turn for sluice in mine.sluices] == [Turn(gate) for gate in Gate]
    assert [sluice.turn for sluice in seen(keeper, OTTER).sluices] == [None] * 4
    assert mine.ends == [Pass()]


# -- what is told at names, and by names ------------------------------------------


def test_a_plate_tells_points_value_and_blocks_and_the_same_to_all(at):
    for viewer in (HERON, OTTER, None):
        assert plates(SeenBoard(at.match, viewer)) == {HERON: (0, 4, 3), OTTER: (0, 4, 3)}


def test_while_blocks_are_placed_a_plate_does_not_tell_how_many_lie():
    at = Tabletop(Mirrow, options=Terms())
    before = plates(SeenBoard(at.match, OTTER))
    at.plays(HERON, Place(1, Area.BITTERN))
    assert plates(SeenBoard(at.match, OTTER)) == before
    assert before[HERON][2] == len(FLEET)


def test_neither_names_nor_marks_nor_plates_tell_what_a_hidden_block_is():
    """Two worlds: in the other one Otter's blocks have changed their faces."""

    def swapped(game: Mirrow) -> None:
        one, other, *_ = game.seats[OTTER].afloat
        one.face.value, other.face.value = other.face.value, one.face.value

    worlds = Table(NORTH, SOUTH), Table(NORTH, SOUTH, arrange=swapped)
    for viewer in (HERON, None):
        shown = [pieces(seen(at, viewer), OTTER) for at in worlds]
        assert shown[0] == shown[1]
        assert [piece.name for piece in shown[0]] == [f"block-1-{piece.token}" for piece in shown[0]]
        one, other = (plates(SeenBoard(at.match, viewer)) for at in worlds)
        assert one == other
    assert pieces(seen(worlds[0], OTTER), OTTER) != pieces(seen(worlds[1], OTTER), OTTER)


def test_a_block_keeps_its_name_from_the_sea_into_battle_and_back(at):
    names = {piece.token: piece.name for piece in pieces(seen(at, HERON), HERON)}
    at.plays(HERON, Activate(Area.BITTERN), Sail(at.token(HERON, SKIFF), Area.ALDER))
    assert {piece.token: piece.name for piece in pieces(seen(at, HERON), HERON)} == names
    assert len({piece.name for seat in (HERON, OTTER) for piece in pieces(seen(at, None), seat)}) == 6


# -- in words ----------------------------------------------------------------------


def test_areas_in_words_have_their_blocks_and_links(at):
    words = text(SeenBoard(at.match, HERON))
    bittern = next(each for each in words.areas if each.area is Area.BITTERN)
    [force] = bittern.forces
    assert (force.seat.number, [piece.face.craft for piece in force.pieces]) == (HERON, [SKIFF])
    assert {(way.to, way.kind.value, way.open) for way in bittern.ways} == {
        (Area.HERONHITHE, "channel", True),
        (Area.ALDER, "cut", True),
        (Area.EEL, "channel", True),
        (Area.GANNET, "sluice", False),
    }
    gannet = next(each for each in words.areas if each.area is Area.GANNET)
    assert [piece.face for piece in gannet.forces[0].pieces] == [None]


def test_ones_own_hand_and_fleet_are_told_to_nobody_else(at):
    mine, watched = (text(SeenBoard(at.match, viewer)) for viewer in (HERON, None))
    assert len(mine.hand) == 3
    assert [piece.token for piece in mine.fleet] == [block.token for block in at.game.seats[HERON].fleet]
    assert (watched.hand, watched.fleet) == ([], [])
    assert len(mine.losses) == len(FLEET) - 3, "the other side's are still covered in this position"


def test_the_picture_shows_the_chart_of_the_board(at):
    drawn = picture(at.match.view(None))
    assert [(spot.x, spot.y) for spot in drawn.places] == [*SPOTS.values()]
    assert [stroke.d for stroke in drawn.ways] == [water.path for water in waters()]
    assert len(drawn.blocks) == 6
