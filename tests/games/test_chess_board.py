"""The chess board: its squares, what may be done there, and the pieces in words."""

from games.chess.board import Board, Square, board, plates, sheet, text
from games.chess.pieces import counted_in, names_of
from games.chess.rules import AcceptDraw, ClaimDraw, DeclineDraw, Move, OfferDraw
from strifebarge.rules.testing import SeenBoard, Tabletop
from strifebarge.rules.text import tell
from tests.games.chess_table import BLACK, WHITE, games, table

PROMOTING = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def seen(at: Tabletop, seat: int | None = WHITE, **more) -> Board:
    return board(SeenBoard(at.match, seat, **more))


def squares(at: Tabletop, seat: int | None = WHITE, **more) -> dict[str, Square]:
    board = seen(at, seat, **more)
    return {**board.squares, **board.origin, **board.last_rank, **board.becoming}


def can(at: Tabletop, what: str, **more) -> set[str]:
    return {name for name, square in squares(at, **more).items() if square.can == what}


def test_white_is_below_but_for_black():
    at = table()
    for viewer in (WHITE, None):
        assert not seen(at, viewer).black_below
        assert seen(at, viewer).files == "abcdefgh"
        assert "".join(head for head, _ in seen(at, viewer).layout.rows) == "87654321"
    black = seen(at, BLACK)
    first, squares = black.layout.rows[0]
    assert (black.black_below, black.files, first) == (True, "hgfedcba", "1")
    assert squares[:2] == ("h1", "g1")


def test_a_board_is_turned_round_for_whoever_wants_that():
    at = table()
    assert [seen(at, viewer, turned=True).black_below for viewer in (WHITE, BLACK, None)] == [
        True,
        False,
        True,
    ]


def test_squares_are_light_and_dark_and_hold_their_pieces_by_name():
    all = squares(table())
    assert (all["a1"].dark, all["h1"].dark, all["e4"].dark, all["d4"].dark) == (True, False, False, True)
    assert sum(square.dark for square in all.values()) == 32
    man = all["f1"].man
    assert (man.letter, man.white, tell(man.name, None)) == ("b", True, "white bishop")
    assert tell(all["d8"].man.name, None) == "black queen"
    assert all["e4"].man is None


def test_who_is_to_move_may_pick_up_what_can_move():
    at = table()
    assert can(at, "pick") == {*(f"{file}2" for file in "abcdefgh"), "b1", "g1"}
    for viewer in (BLACK, None):
        assert {square.can for square in squares(at, viewer).values()} == {""}


def test_a_piece_that_is_picked_up_has_its_goals_and_may_be_put_back():
    at = table(moves="e2e4 d7d5")
    all = squares(at, picked="e4")
    assert (all["e4"].can, all["e4"].held, all["e4"].marks) == ("put back", True, "sel")
    assert (all["d5"].can, all["d5"].moves) == ("take", "e4d5")
    assert (all["e5"].can, all["e5"].moves) == ("move", "e4e5")
    held = seen(at, picked="e4").held
    assert [*seen(at, picked="e4").origin] == ["e4"]
    assert (held.at, tell(held.name, None), held.becoming) == ("e4", "pawn", "")


def test_what_cannot_move_is_not_picked_up():
    for picked in ("e1", "e7", "e5", "z9", "<script>"):
        assert seen(table(), picked=picked).held is None
        assert not any(square.held for square in squares(table(), picked=picked).values())


def test_the_piece_of_a_move_that_was_refused_is_still_in_hand():
    at = table()
    assert seen(at, filled={"move": ["move g1g5"]}).held.at == "g1"
    for wrong in ([], [""], ["move"], ["move e7e5"], ["offer_draw now"]):
        assert seen(at, filled={"move": wrong}).held is None
    assert seen(at, picked="b1", filled={"move": ["move g1g5"]}).held.at == "b1"


def test_a_pawn_goes_to_the_last_rank_first_and_then_becomes_one_of_four():
    at = table(PROMOTING)
    assert can(at, "become", picked="e7") == {"d8", "e8"}
    assert [*seen(at, picked="e7").last_rank] == ["d8", "e8"]
    view = seen(at, picked="e7e8")
    assert (view.held.at, view.held.becoming, view.popover_up) == ("e7", "e8", False)
    assert [*view.becoming] == ["e8"]
    assert view.last_rank == {}, "no other square is in the way"
    promotions = view.becoming["e8"].promotions
    assert [each.move for each in promotions] == ["e7e8q", "e7e8r", "e7e8b", "e7e8n"]
    assert [tell(each.name, None) for each in promotions] == ["queen", "rook", "bishop", "knight"]
    assert seen(at, picked="e7e8", turned=True).popover_up, "it is at the lower edge then"


def test_only_a_promotion_is_asked_about():
    for picked in ("e7e6", "e7d7", "e7", "e7e8q8", "e7zz"):
        assert bool(seen(table(PROMOTING), picked=picked).becoming) == (picked == "e7e8q8")
    assert seen(table(), picked="e2e4").becoming == {}
    assert seen(table(PROMOTING), filled={"move": ["move e7e8"]}).held.becoming == "e8"


def test_castling_is_no_capture():
    assert can(table(CASTLING), "castle", picked="e1") == set(), "the king goes to an empty square"
    assert squares(table(CASTLING), picked="e1")["g1"].can == "move"
    assert can(table(CASTLING.replace("KQkq", "HAha")), "take", picked="h1") == {"h8"}


def test_in_chess960_the_king_castles_by_going_to_his_rook():
    at = table("1r2k3/8/8/8/8/8/8/1R2K1R1 w GBb - 0 1")
    assert can(at, "castle", picked="e1") == {"b1", "g1"}


def test_the_last_move_and_the_king_in_check_are_marked():
    at = table(moves="e2e4 f7f6 d1h5")
    all = squares(at, BLACK)
    assert {name for name, square in all.items() if square.last} == {"d1", "h5"}
    assert {name for name, square in all.items() if square.check} == {"e8"}
    assert all["e8"].marks == "chk"
    assert squares(table())["a1"].marks == "dk"


# -- pieces and their names --------------------------------------------------------


def names(at: Tabletop, seat: int | None = WHITE) -> dict[str, str]:
    return {name: square.name for name, square in squares(at, seat).items() if square.name}


def test_a_piece_is_named_by_the_square_on_which_it_began_for_every_viewer():
    at = table(moves="e2e4 d7d5 e4d5 d8d5")
    for viewer in (WHITE, BLACK, None):
        assert names(at, viewer)["d5"] == "man-d8"
        assert "man-d7" not in names(at, viewer).values()
    assert len({*names(at).values()}) == len(names(at)) == 30


def test_a_name_is_kept_in_castling_en_passant_and_promotion():
    at = table(moves="e4 e5 Nf3 Nc6 Bc4 Bc5 O-O")
    assert (names(at)["g1"], names(at)["f1"]) == ("man-e1", "man-h1")
    at = table(moves="e4 a6 e5 d5 exd6")
    assert names(at)["d6"] == "man-e2"
    assert "man-d7" not in names(at).values()
    at = table(PROMOTING, "e7d8q")
    assert names(at)["d8"] == "man-e7"
    at = table("4k3/8/8/8/8/8/8/1R3K1R w HBhb - 0 1", "O-O-O")
    assert (names(at)["c1"], names(at)["d1"], names(at)["h1"]) == ("man-f1", "man-b1", "man-h1")


def test_names_stand_where_the_pieces_stand_through_whole_games():
    for pgn in games()[:12]:
        at = table(pgn)
        men = at.game.men
        names = names_of(at.game.start, tuple(at.game.moves))
        assert names.keys() == men.keys()
        assert len({*names.values()}) == len(names)
        before = names_of(at.game.start, tuple(at.game.moves[:-1]))
        assert {*names.values()} <= {*before.values()}


# -- around the board --------------------------------------------------------------


def material(at: Tabletop) -> list[tuple[str, bool, int]]:
    return [tuple(plates(SeenBoard(at.match, None))[seat])[:3] for seat in (WHITE, BLACK)]


def test_what_was_captured_stands_with_the_side_that_took_it_and_the_lead_with_the_one_ahead():
    assert material(table()) == [("", False, 0), ("", True, 0)]
    at = table(moves="e2e4 d7d5 e4d5 d8d5 b1c3 d5a2 c3a2")
    assert material(at) == [("qp", False, 8), ("pp", True, 0)]
    assert [tell(each, None) for each in counted_in("qpp")] == ["1 queen", "2 pawns"]


def test_an_offered_draw_stands_on_the_plate_of_the_side_that_offers_it():
    at = table()
    at.plays(WHITE, OfferDraw())
    assert [plates(SeenBoard(at.match, None))[seat].offers for seat in (WHITE, BLACK)] == [True, False]


def test_the_lead_counts_what_stands_on_the_board():
    assert material(table(PROMOTING))[BLACK] == ("", True, 4), "as it was arranged"
    assert material(table(PROMOTING, "e7d8q")) == [("r", False, 9), ("", True, 0)]
    taken_again = table("2r2r1k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7f8q c8f8")
    assert material(taken_again) == [("r", False, 0), ("q", True, 5)]
    assert material(table("1r2k3/8/8/8/8/8/8/1R2K1R1 w GBb - 0 1", "Rxb8"))[WHITE] == ("r", False, 10)


def test_a_draw_may_be_offered_and_answered():
    at = table()
    assert [(each.action, each.first) for each in seen(at).draws] == [(OfferDraw(), False)]
    assert seen(at, BLACK).draws == []
    at.plays(WHITE, OfferDraw())
    assert seen(at).draws == [], "one offer is enough"
    at.plays(WHITE, Move("e4"))
    assert [(each.action, each.first) for each in seen(at, BLACK).draws] == [
        (AcceptDraw(), True),
        (DeclineDraw(), False),
    ]


def test_a_draw_is_claimed_where_it_can_be():
    at = table(moves="g1f3 g8f6 f3g1 f6g8 " * 2)
    assert ClaimDraw() in [each.action for each in seen(at).draws]


def test_the_score_sheet_has_the_moves_of_both_sides():
    def rows(at: Tabletop) -> list[tuple[str, list[str | None]]]:
        return sheet(SeenBoard(at.match, None)).rows

    assert rows(table()) == []
    assert rows(table(moves="e4 e5 Nf3")) == [("1.", ["e4", "e5"]), ("2.", ["Nf3"])]
    assert rows(table("4k3/8/8/8/8/8/8/4K2R b K - 0 7", "Kd7")) == [("7.", [None, "Kd7"])]


def test_the_moves_of_a_pgn_were_there_before_the_game():
    at = table("1. e4 e5 2. Nf3 *", "Nc6")
    cells_of_sheet = sheet(SeenBoard(at.match, None))
    assert (cells_of_sheet.rows, cells_of_sheet.earlier) == (
        [("1.", ["e4", "e5"]), ("2.", ["Nf3", "Nc6"])],
        3,
    )
    assert sheet(SeenBoard(table(PROMOTING).match, None)).earlier == 0


def test_every_move_has_a_line_of_its_own_in_the_log():
    at = table(moves="e4 d5 exd5 Qxd5")
    sentences = sheet(SeenBoard(at.match, None)).sentences
    assert [line["text"] in sentences for line in at.packed] == [True] * 4
    assert at.log() == [
        "P0 played e4.",
        "P1 played d5.",
        "P0 took a pawn: exd5.",
        "P1 took a pawn: Qxd5.",
    ]


# -- in words ----------------------------------------------------------------------


def test_the_pieces_are_told_by_kind_from_the_king_on():
    words = text(SeenBoard(table().match, BLACK))
    assert words.own is words.armies[BLACK]
    assert [(tell(group.name, None), group.squares) for group in words.own.groups[:3]] == [
        ("king", ["e8"]),
        ("queen", ["d8"]),
        ("2 rooks", ["a8", "h8"]),
    ]
    assert tell(words.own.groups[-1].name, None) == "8 pawns"
    assert text(SeenBoard(table().match, None)).own is None


def test_the_board_in_letters():
    ranks = text(SeenBoard(table(moves="e2e4").match, None)).ranks
    assert ranks[0] == "r n b q k b n r"
    assert ranks[4] == ". . . . P . . ."
    assert ranks[7] == "R N B Q K B N R"


def test_the_moves_there_are_piece_by_piece():
    walkers = {walker.at: walker for walker in text(SeenBoard(table().match, WHITE)).walkers}
    assert walkers.keys() == {*(f"{file}2" for file in "abcdefgh"), "b1", "g1"}
    assert tell(walkers["g1"].name, None) == "knight"
    assert {(step.action, step.san) for step in walkers["g1"].steps} == {
        (Move("g1f3"), "Nf3"),
        (Move("g1h3"), "Nh3"),
    }
    assert text(SeenBoard(table().match, BLACK)).walkers == []


def test_a_check_is_told():
    assert text(SeenBoard(table().match, WHITE)).in_check is None
    assert text(SeenBoard(table(moves="e2e4 f7f6 d1h5").match, WHITE)).in_check.number == BLACK
