"""Positions of chess, and what is known of them: ways to play, how games end, rules that forbid a move."""

from typing import NamedTuple

# How many games of one, two and three moves begin there: the positions that everybody counts, as in the Chess
# Programming Wiki, and two of Chess960.
WAYS = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (20, 400, 8902)),
    "kiwipete": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        (48, 2039, 97862),
    ),
    "third": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (14, 191, 2812)),
    "fourth": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", (6, 264, 9467)),
    "fifth": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (44, 1486, 62379)),
    "sixth": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        (46, 2079, 89890),
    ),
    "chess960": ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", (21, 528, 12189)),
    "chess960, rooks inside": (
        "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
        (21, 807, 18002),
    ),
}


class End(NamedTuple):
    """How a game ends: from a position, by moves, with a sentence and a result in PGN."""

    fen: str
    moves: str
    sentence: str
    result: str


START = WAYS["start"][0]
THERE_AND_BACK = "Nf3 Nf6 Ng1 Ng8 "

ENDS = {
    "checkmate by Black": End(START, "f3 e5 g4 Qh4", "Checkmate.", "0-1"),
    "checkmate by White": End(START, "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7", "Checkmate.", "1-0"),
    "mate by castling": End("5k2/8/8/8/8/8/4R1R1/4K2R w K - 0 1", "O-O", "Checkmate.", "1-0"),
    "stalemate": End(
        "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7", "Stalemate: P1 has no move and isn't in check.", "1/2-1/2"
    ),
    "bare kings": End(
        "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1",
        "Kxe2",
        "Dead position: nobody can mate any more.",
        "1/2-1/2",
    ),
    "bishops of one colour": End(
        "4kb2/8/8/8/8/8/4p3/2B1K3 w - - 0 1",
        "Kxe2",
        "Dead position: nobody can mate any more.",
        "1/2-1/2",
    ),
    "fivefold repetition": End(START, THERE_AND_BACK * 4, "The same position five times.", "1/2-1/2"),
    "seventy-five moves": End(
        "4k3/8/8/8/8/8/8/R3K3 w - - 148 100",
        "Ra2 Ke7",
        "Seventy-five moves each without a capture or pawn move.",
        "1/2-1/2",
    ),
    "mate with the hundred and fiftieth": End(
        "k7/8/1K6/8/8/8/8/7R w - - 149 120", "Rh8", "Checkmate.", "1-0"
    ),
}

# What is written in a position, and the rule that forbids it.
FORBIDDEN = [
    # a written x
    (START, "Nxf3", "there is nothing to take on f3"),
    (START, "e2xe4", "there is nothing to take on e4"),
    (START, "g1xf3", "there is nothing to take on f3"),
    # from square to square
    (START, "e3e4", "no piece stands on e3"),
    (START, "e7e5", "the pawn on e7 is not yours"),
    (START, "d1d2", "your own pawn stands on d2"),
    (START, "d1d3", "the way to d3 is blocked"),
    (START, "c1g5", "the way to g5 is blocked"),
    (START, "g1g3", "a knight can't move like that"),
    (START, "e2e5", "a pawn can't move like that"),
    (START, "e2d3", "a pawn moves to another file only to take a piece"),
    (START, "e2e4q", "only a pawn on the last rank becomes another piece"),
    (START, "e1g1", "there are pieces between the king and the rook"),
    # in algebraic notation
    (START, "Nf4", "no knight of yours can go to f4"),
    (START, "Nd2", "your own pawn stands on d2"),
    (START, "Ra3", "the way to a3 is blocked"),
    (START, "Qd4", "the way to d4 is blocked"),
    (START, "e5", "a pawn can't move like that"),
    (START, "exd3", "a pawn moves to another file only to take a piece"),
    (START, "Nhf3", "you have no knight there"),
    (START, "O-O", "there are pieces between the king and the rook"),
    ("4k3/8/8/8/8/8/8/RN2K1N1 w - - 0 1", "Qd3", "you have no queen"),
    (
        "4k3/8/8/8/8/1N3N2/8/4K3 w - - 0 1",
        "Nd4",
        "more than one knight can go to d4; write which one, like Nbd4",
    ),
    # the king
    ("4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1", "Bd3", "the bishop on e2 is pinned: your king would be in check"),
    ("4k3/4r3/8/8/8/8/8/4K2N w - - 0 1", "h1f2", "your king is in check, and would still be"),
    ("4k3/4r3/8/8/8/8/8/3K3N w - - 0 1", "Ke1", "your king would be in check on e1"),
    ("8/8/8/K2Pp2r/8/8/8/7k w - e6 0 1", "dxe6", "your king would be in check"),
    # castling
    (
        "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
        "O-O",
        "you can't castle on that side: the king or rook has moved",
    ),
    ("4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "you can't castle out of check"),
    (
        "4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1",
        "e1g1",
        "a piece is in the way, or the king would pass through check",
    ),
    ("r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 0 1", "0-0-0", "there are pieces between the king and the rook"),
    ("4k3/8/8/8/8/8/8/R3KR2 w Q - 0 1", "e1f1", "your own rook stands on f1"),
    # what a pawn becomes
    ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8", "write what the pawn becomes, like a8=Q+"),
    ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8k", "write what the pawn becomes, like a8=Q+"),
    ("n6k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=Q", "the way to a8 is blocked"),
    ("n6k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8", "the way to a8 is blocked"),
    ("7k/8/8/8/8/8/8/K6N w - - 0 1", "Nf2=Q", "only a pawn on the last rank becomes another piece"),
]

BACK_RANKS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

# What is no FEN, and the word in it that is wrong.
NO_FEN = [
    ("8/8/8 w - - 0 1", "8/8/8"),
    ("9/8/8/8/8/8/8/8 w - - 0 1", "9/8/8/8/8/8/8/8"),
    ("1/2-1/2", "1/2-1/2"),
    (f"{BACK_RANKS} x KQkq - 0 1", "x"),
    (f"{BACK_RANKS} w KQkqKQ - 0 1", "KQkqKQ"),
    (f"{BACK_RANKS} w KQkq e5 0 1", "e5"),
    (f"{BACK_RANKS} w KQkq - x 1", "x"),
    (f"{BACK_RANKS} w KQkq - 0 -1", "-1"),
    (f"{BACK_RANKS} w KQkq - 0 1 moves e2e4", "moves"),
]
UNKNOWN_WORDS = ["XYZ", "--", "0000", "Z0", "@@@@", "Sf3", "Dd4", "dd4", "♘f3", "N@f3", "$", "12345", "½"]

# What no game can start from, and why.
BAD = [
    ("", "this is neither a FEN nor a game in PGN"),
    ("*", "this is neither a FEN nor a game in PGN"),
    ("hello", "“hello” can't be read"),
    # a FEN
    *((fen, f"“{word}” doesn't fit into a FEN, which is like {START}") for fen, word in NO_FEN),
    ('[FEN "8/8 w"]', f"“8/8” doesn't fit into a FEN, which is like {START}"),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
    ("4K3/8/8/8/8/8/8/8 w - - 0 1", "Black has no king"),
    ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "a side has more than one king"),
    ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has more than eight pawns"),
    ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn stands on the first or the last rank"),
    ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the side that has just moved is in check"),
    (
        "4k3/8/8/8/8/8/P7/4K3 w KQ - 0 1",
        "castling is allowed where the king or rook isn't on its square",
    ),
    ("4k3/8/8/8/8/8/P7/4K3 w - e6 0 1", "no pawn has just passed the square given for en passant"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "the game is over there"),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "the game is over there"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 150 100", "the game is over there"),
    # a game
    ("1. e4 e5 2. Ke3", "Ke3 isn't possible in move 2: a king can't move like that"),
    ("1. e4 e5 2. Nxf3", "Nxf3 isn't possible in move 2: there is nothing to take on f3"),
    ("1. e4 e5 (1... Ke7) 2. Nf3", "Ke7 isn't possible in move 1: your own pawn stands on e7"),
    ("1. f3 e5 2. g4 Qh4#", "the game is over there"),
    ('[Variant "Atomic"]\n\n1. e4 e5', "this game isn't chess"),
    ('[variant "Nonsense"]\n\n1. e4 e5', "this game isn't chess"),
    ('[FEN "4k3/8/8/8/8/P7/PPPPPPPP/4K3 b - - 0 1"]\n\n1... Kd7', "White has more than eight pawns"),
    *((f"1. e4 {word} e5", f"“{word}” can't be read") for word in UNKNOWN_WORDS),
    *((f"{word} e5", f"“{word}” can't be read") for word in UNKNOWN_WORDS),
    ("1. Sf3 Sf6", "“Sf3” can't be read"),
    ("1. e4 e5 2. De2", "“De2” can't be read"),
    (f"position fen {START} moves e2e4", "“position” can't be read"),
    ("[White Ann]\n\n1. e4", "“[White” can't be read"),
    ("1. e4 ) e5", "“)” can't be read"),
    ("1. e4 e5 }", "“}” can't be read"),
    ("(1. e4)", "“(” can't be read"),
    ("1. e4 (1. d4 *) e5", "“*” can't be read"),
    ("1. e4 {good", "the bracket “{” is never closed"),
    ("1. e4 (1. d4 e5", "the bracket “(” is never closed"),
    ("10. Nf3 Nf6", "“10.” stands where move 1 comes"),
    ("1. e4 e5 1. d4 d5", "“1.” stands where move 2 comes"),
    ("1. e4 e5 1-0 2. Nf3", "there is more after the first game: “2.”; give one game"),
    ("1. e4 * e5", "there is more after the first game: “e5”; give one game"),
    (
        '[White "Ann"]\n\n1. e4 *\n\n[White "Ben"]\n\n1. d4 *',
        'there is more after the first game: “[White "Ben"]”; give one game',
    ),
    (
        '[White "Ann"] [White "Ben"] 1. d4',
        'there is more after the first game: “[White "Ben"]”; give one game',
    ),
]
