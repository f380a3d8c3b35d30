"""The board of StrifeBarge: what each captain sees of the sea, and nothing else."""

from types import SimpleNamespace

import pytest

from games.strifebarge.board import Listed, Mark, Plate, Quarter, board, plates, quarters_of, text
from games.strifebarge.rules import Fire, Salvo, Waters
from strifebarge.rules.testing import SeenBoard, Tabletop
from tests.games.test_strifebarge import SALVO, sea

ANN, BEN = 0, 1


@pytest.fixture
def at() -> Tabletop:
    """Ann has hit one of Ben's destroyers, and missed; Ben has sunk hers."""
    at = sea("A1 B1 / D4 D5 D6", "A9 A10 / F1 G1 H1")
    for seat, square in ((ANN, "A9"), (BEN, "A1"), (ANN, "J10"), (BEN, "B1")):
        at.plays(seat, Fire(square))
    return at


def marks(at: Tabletop, seat: int | None, **more) -> dict[str, Mark]:
    seen = board(SeenBoard(at.match, seat, **more))
    assert not seen.marks.keys() & seen.ships.keys()
    return {**seen.marks, **seen.ships}


def lit_squares(at: Tabletop, seat: int | None) -> set[str]:
    return {*marks(at, seat)}


def test_a_captain_sees_every_shot_and_only_the_own_ships_that_were_not_hit(at):
    shots = {"A9", "A1", "J10", "B1"}
    assert lit_squares(at, ANN) == shots | {"D4", "D5", "D6"}
    assert lit_squares(at, BEN) == shots | {"A10", "F1", "G1", "H1"}
    assert lit_squares(at, None) == shots


def test_of_a_ship_out_of_sight_no_more_is_known_than_that_it_was_hit(at):
    assert marks(at, ANN)["A9"] == Mark(struck=True, by=ANN, by_me=True)
    assert marks(at, ANN)["J10"] == Mark(water=True, by=ANN, by_me=True)
    assert marks(at, None)["J10"] == Mark(water=True, by=ANN)
    mine = marks(at, BEN)["A9"]
    assert (mine.ship, mine.captain, mine.mine, mine.struck, mine.sunk) == (
        "destroyer",
        BEN,
        True,
        True,
        False,
    )


def test_a_sunk_ship_is_seen_by_all_and_drawn_from_its_first_square(at):
    for viewer in (ANN, BEN, None):
        ship = {name: marks(at, viewer)[name] for name in ("A1", "B1")}
        assert all(mark.sunk and mark.captain == ANN for mark in ship.values())
        assert ship["A1"].mine is (viewer == ANN)
        hull = ship["A1"].hull
        assert (hull.kind, hull.length, hull.upright, hull.sunk) == ("destroyer", 2, False, True)
        assert ship["B1"].hull is None


def test_a_ship_along_a_column_is_drawn_upright_also_from_the_ninth_row_to_the_tenth(at):
    assert marks(at, BEN)["A9"].hull.upright
    assert marks(at, ANN)["D4"].hull.upright
    assert not marks(at, BEN)["F1"].hull.upright


def test_new_is_what_was_told_since_ones_own_last_shot_or_else_in_the_last_move(at):
    lines = [
        SimpleNamespace(number=n, text={"text": "", "args": {"square": at}})
        for n, at in ((3, "J10"), (4, "B1"))
    ]

    def new(**fields):
        return {name for name, mark in marks(at, ANN, **fields).items() if mark.new}

    assert new(lines=lines) == {"B1"}
    assert new(lines=lines, news=lines) == {"J10", "B1"}
    assert new(lines=[SimpleNamespace(number=4, text={"text": "Round 2"})]) == set()
    assert board(SeenBoard(at.match, ANN, news=lines)).since
    assert not board(SeenBoard(at.match, ANN, lines=lines)).since


def test_the_newest_shots_are_those_of_the_last_move(at):
    lines = [
        SimpleNamespace(number=n, text={"text": "", "args": {"square": at}})
        for n, at in ((3, "J10"), (4, "B1"))
    ]
    seen = marks(at, ANN, lines=lines, news=lines)
    assert {name for name, mark in seen.items() if mark.newest} == {"B1"}


def test_every_shot_says_who_fired_it_also_at_a_ship_in_sight(at):
    for viewer in (ANN, BEN, None):
        by = {name: mark.by for name, mark in marks(at, viewer).items() if mark.by is not None}
        assert by == {"A9": ANN, "A1": BEN, "J10": ANN, "B1": BEN}
        mine = {name for name, mark in marks(at, viewer).items() if mark.by_me}
        assert mine == {name for name in by if by[name] == viewer}


def test_a_scuttled_ship_has_nobody_who_fired_at_it(at):
    at.leaves(ANN)
    seen = marks(at, BEN)
    assert {seen[square].by for square in ("D4", "D5", "D6")} == {None}
    assert [each(SeenBoard(at.match, BEN)).fired for each in (board, text)] == [4, 4]


def test_a_plate_tells_of_a_captains_ships_and_of_what_their_shots_have_done(at):
    ann, ben, watched = (plates(SeenBoard(at.match, viewer)) for viewer in (ANN, BEN, None))
    lost = Listed("destroyer", 2, 2, True)
    assert ann[ANN] == Plate([Listed("cruiser", 3, 0, False), lost], 1, hits=1, sank=0)
    assert [(each[BEN].hits, each[BEN].sank) for each in (ann, ben, watched)] == [(2, 1)] * 3
    assert [ship.struck for ship in watched[BEN].ships] == [0, 0], "which ship was hit is for Ben to know"
    assert [ship.struck for ship in ben[BEN].ships] == [0, 1]
    assert watched[ANN].afloat == 1
    assert lost in watched[ANN].ships


def test_among_three_captains_only_the_owner_sees_which_ship_was_hit():
    at = sea("A1 B1 / D4 D5 D6", "A9 A10", "J9 J10")
    at.plays(ANN, Fire("A9"))
    hits = [plates(SeenBoard(at.match, viewer))[BEN].ships[0].struck for viewer in (ANN, BEN, 2, None)]
    assert hits == [0, 1, 0, 0]


def test_in_worlds_that_look_the_same_plates_tell_the_same():
    """Ann hits Ben's ship in one world and Cal's in the other; to her and to spectators that is the same."""
    worlds = [
        sea("A1 B1", "A9 A10 / F1 G1 H1", "J9 J10 / F3 G3 H3"),
        sea("A1 B1", "J9 J10 / F1 G1 H1", "A9 A10 / F3 G3 H3"),
    ]
    for at in worlds:
        at.plays(ANN, Fire("A9"))
    for viewer in (ANN, None):
        one, other = ([*plates(SeenBoard(at.match, viewer)).values()] for at in worlds)
        assert one == other
        assert worlds[0].log(viewer) == worlds[1].log(viewer)
    assert worlds[0].log(BEN) != worlds[1].log(BEN)


def test_who_is_to_move_fires_and_nobody_else(at):
    assert [board(SeenBoard(at.match, seat)).firing for seat in (ANN, BEN, None)] == [True, False, False]
    assert not board(SeenBoard(at.match, ANN)).aiming


def test_the_boxes_of_a_salvo_that_was_refused_stay_ticked():
    at = sea("A1 B1 / D4 D5 D6", "A9 A10", options=SALVO)
    seen = board(SeenBoard(at.match, ANN, filled={"squares": ["C3", "Z99", "A1", "<b>"]}))
    assert (seen.aiming, seen.firing, seen.shots) == (True, False, 2)
    assert seen.ticked == ["C3", "A1"]
    others = board(SeenBoard(at.match, BEN, filled={"squares": ["C3"]}))
    assert not others.ticked
    at.plays(ANN, Salvo(["A9", "C3"]))
    assert board(SeenBoard(at.match, BEN)).shots == 1


def test_ones_own_fleet_with_what_was_hit(at):
    lost, afloat = board(SeenBoard(at.match, ANN)).fleet
    assert (lost.kind, lost.first, lost.last, lost.struck, lost.sunk) == (
        "destroyer",
        "A1",
        "B1",
        ["A1", "B1"],
        True,
    )
    assert (afloat.kind, afloat.struck, afloat.sunk) == ("cruiser", [], False)
    assert board(SeenBoard(at.match, None)).fleet is None


@pytest.mark.parametrize(
    ("seats", "options", "side", "wide", "spoken"),
    [
        (2, None, 10, False, True),
        (4, None, 15, False, True),
        (5, None, 16, True, True),
        (8, None, 20, True, True),
        (4, Waters(sea="open"), 30, True, False),
    ],
)
def test_a_sea_of_more_than_15_squares_across_has_an_overview(seats, options, side, wide, spoken):
    seen = board(SeenBoard(sea(seats=seats, options=options).match, ANN))
    assert (seen.side, seen.overview is not None, seen.spoken) == (side, wide, spoken)
    assert [head for head, _ in seen.squares.rows] == [*map(str, range(1, side + 1))]
    assert {len(row) for _, row in seen.squares.rows} == {side}


def test_a_wide_sea_has_an_overview_of_what_the_viewer_sees():
    at = sea("A1 B1", "C3 D3", "Z9 Z10", "AB29 AC29", options=Waters(sea="open"))
    at.plays(ANN, Fire("AD30"))
    at.plays(BEN, Fire("A1"))
    seen = board(SeenBoard(at.match, ANN)).overview
    assert quarters_of(30) == [
        Quarter("A1", "O15", 0, 0, 15, 15),
        Quarter("P1", "AD15", 15, 0, 15, 15),
        Quarter("A16", "O30", 0, 15, 15, 15),
        Quarter("P16", "AD30", 15, 15, 15, 15),
    ]
    assert (seen.ships, seen.struck, seen.missed) == (["A1", "B1"], ["A1"], ["AD30"])
    assert seen.path(seen.ships) == "M0 0.5h1M1 0.5h1"
    assert seen.path(seen.missed, short=True) == "M29.25 29.5h.5"
    assert board(SeenBoard(at.match, None)).overview.ships == []
    assert {*board(SeenBoard(at.match, ANN)).firsts} == {"A1", "P1", "A16", "P16"}


def test_in_words_there_are_the_fleets_the_shots_and_a_map(at):
    words = text(SeenBoard(at.match, ANN))
    assert [ship.kind for ship in words.own.ships] == ["destroyer", "cruiser"]
    [other] = words.others
    assert (other.captain.number, other.ships, other.unseen) == (BEN, [], 2)
    assert [(row.number, [shot.at for shot in row.shots]) for row in words.rows] == [
        (1, ["A1", "B1"]),
        (9, ["A9"]),
        (10, ["J10"]),
    ]
    assert words.map[0].split() == list("ABCDEFGHIJ")
    assert [line.split() for line in words.map[1:]] == [
        ["1", *"XX........"],
        ["2", *".........."],
        ["3", *".........."],
        ["4", *"...S......"],
        ["5", *"...S......"],
        ["6", *"...S......"],
        ["7", *".........."],
        ["8", *".........."],
        ["9", *"X........."],
        ["10", *".........o"],
    ]


def test_a_spectator_is_told_of_two_fleets_and_has_none(at):
    words = text(SeenBoard(at.match, None))
    assert words.own is None
    assert [(fleet.captain.number, len(fleet.ships), fleet.unseen) for fleet in words.others] == [
        (0, 1, 1),
        (1, 0, 2),
    ]
    assert "S" not in "".join(words.map[1:])
