"""Chess notation: moves, positions and whole games.  What cannot be read is named and refused."""

import re
from contextlib import suppress
from itertools import zip_longest

import chess
import chess.pgn
from chess import Status

from strifebarge.rules import Occasion, Pace, Text

from .reasons import rule_against

PROBLEMS = {
    Status.EMPTY: "the board is empty",
    Status.NO_WHITE_KING: "White has no king",
    Status.NO_BLACK_KING: "Black has no king",
    Status.TOO_MANY_KINGS: "a side has more than one king",
    Status.TOO_MANY_WHITE_PAWNS: "White has more than eight pawns",
    Status.TOO_MANY_BLACK_PAWNS: "Black has more than eight pawns",
    Status.TOO_MANY_WHITE_PIECES: "White has more than sixteen pieces",
    Status.TOO_MANY_BLACK_PIECES: "Black has more than sixteen pieces",
    Status.PAWNS_ON_BACKRANK: "a pawn stands on the first or the last rank",
    Status.OPPOSITE_CHECK: "the side that has just moved is in check",
    Status.BAD_CASTLING_RIGHTS: "castling is allowed where the king or rook isn't on its square",
    Status.INVALID_EP_SQUARE: "no pawn has just passed the square given for en passant",
    Status.TOO_MANY_CHECKERS: "no move could give this check",
    Status.IMPOSSIBLE_CHECK: "no move could give this check",
}
CASTLING = ("O-O", "O-O-O")


class Unreadable(ValueError):
    """A position or a game that cannot be read; `why` names what is wrong with it."""

    def __init__(self, why: Text):
        super().__init__(why.sentence)
        self.why = why


# -- moves -------------------------------------------------------------------------


def tidy(move: str) -> str:
    """Return a move without its ornaments: `0-0+` is O-O, `nf3` is Nf3, `E2E4` is e2e4.

    A small b is a pawn's file, whatever was meant.  A capital that is no piece is a square's file: `De4` is
    another language's queen, and stays as it is.
    """
    move = re.sub(r"^\s+|[\s+#!?]+$", "", move)
    if not move.isascii() or re.match(r"[A-Z](?![1-8])(?<![NRQKBO])", move):
        return move
    # fmt: off
    match move[:1]:
        case "O" | "o" | "0": return move.upper().replace("0", "O")
        case "N" | "R" | "Q" | "K" | "B" | "n" | "r" | "q" | "k": return move.capitalize()
    # fmt: on
    squares, equals, piece = move.lower().partition("=")
    return squares + equals + piece.upper()


def read(board: chess.Board, move: str) -> chess.Move | None:
    """Return the legal move that is written, in UCI or SAN; None if there is none.

    What is written as a capture must be one.
    """
    if not is_written(move):
        return None
    for parse in (board.parse_uci, board.parse_san):
        with suppress(ValueError):
            legal = parse(move)
            return legal if "x" not in move or board.is_capture(legal) else None
    return castling(board, move)


def castling(board: chess.Board, move: str) -> chess.Move | None:
    """Return the legal castling that is written as a king's move: to where he goes, or onto his rook."""
    for each in board.generate_castling_moves():
        squares = board.uci(each, chess960=True)
        king, rook = squares[:2], squares[2:]
        goal = ("g" if board.is_kingside_castling(each) else "c") + king[1]
        if re.fullmatch(f"K({king})?-?({goal}|{rook})", move):
            return each
    return None


def is_written(move: str) -> bool:
    """Tell whether a tidy move is one in UCI or SAN, whatever the position."""
    if re.match(r"([a-h])[-x]?\1[1-8]", move):  # a pawn that stays on its file is written without it
        return False
    return move in CASTLING or chess.SAN_REGEX.match(move) is not None  # which takes UCI too


# -- positions ---------------------------------------------------------------------


def laid_out(text: str) -> chess.Board:
    """Return the board of a FEN, or at the end of a game in PGN.  Raises Unreadable."""
    text = text.removeprefix("\ufeff")  # an editor's byte order mark
    return from_fen(text) if re.match(r"\s*[^\s\[{(;%]+/", text) else from_pgn(text)


# The fields of a FEN; those after the first may be left out.
FEN = ".+", "[wb]", "-|[KQA-H]{0,2}[kqa-h]{0,2}", "-|[a-h][36]", "[0-9]{1,3}", "[0-9]{1,4}"


def from_fen(fen: str) -> chess.Board:
    """Return the board of a FEN.  Raises Unreadable."""
    fields = fen.split()
    for word, form in zip_longest(fields, FEN, fillvalue=""):
        if word and not re.fullmatch(form, word):
            raise _no_fen(word)
    try:
        board = chess.Board(" ".join(fields), chess960=True)
    except ValueError as wrong:
        raise _no_fen("".join(fields[:1])) from wrong
    board.chess960 = board.has_chess960_castling_rights()
    return board


def _no_fen(word: str) -> Unreadable:
    return Unreadable(
        Text(
            "“{word}” doesn't fit into a FEN, which is like "
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            {"word": _short(word)},
        )
    )


def _short(word: str) -> str:
    return word[:40]


def unplayable(board: chess.Board) -> Text | None:
    """Return why a game cannot be played from this position, or None if it can."""
    wrong = board.root().status() | board.status()
    for problem, words in PROBLEMS.items():
        if problem in wrong:
            return Text(words)
    return Text("the game is over there") if board.outcome() else None


# -- games -------------------------------------------------------------------------

TOKEN = re.compile(
    r"""
    (?P<gap> [\s\ufeff]+ | \{[^}]*\} | ;.* | ^%.* )  # with comments
    | \[ \s* (?P<tag> [A-Za-z0-9_]+ ) \s* "(?P<value> (?: [^"\\\r\n] | \\. )* )" \s* \]
    | (?P<bracket> [()] )
    | (?P<sign> \$[0-9]+ | [!?]+ )
    | (?P<result> (?: 1-0 | 0-1 | 1/2-1/2 | \* ) (?! [^\s(){;\[$] ) )
    | (?P<number> [1-9][0-9]{0,3} (?: \.+ | (?! [^\s(){;\[$] ) ) )
    | (?P<move> [^\s(){}\[\];$!?]+ )
    | (?P<other> \S+ )
    """,
    re.VERBOSE | re.MULTILINE,
)


def from_pgn(pgn: str) -> chess.Board:
    """Return the board at the end of a game, with all its moves.  Raises Unreadable."""
    tags: dict[str, str] = {}
    board: chess.Board | None = None
    outer: list[chess.Board] = []  # the lines to which variations go back
    over = False
    for token in TOKEN.finditer(pgn):
        kind, word = token.lastgroup, token[0]
        if kind in ("gap", "sign"):
            continue
        tag = (token["tag"] or "").lower()
        if over or (tag and (board or tag in tags)):
            raise Unreadable(
                Text("there is more after the first game: “{word}”; give one game", {"word": _short(word)})
            )
        if tag:
            tags[tag] = re.sub(r"\\(.)", r"\1", token["value"])
            continue
        board = board or _start(tags)
        match kind, word:
            case "move", _:
                _push(board, word)
            case "number", _:
                _must_be_next(board, int(word.rstrip(".")), word)
            case "result", _ if not outer:
                over = True
            case _, "(" if board.move_stack:
                outer.append(board)
                board = board.copy()
                board.pop()
            case _, ")" if outer:
                board = outer.pop()
            case _:
                raise _unclosed("{") if word[0] == "{" else _unreadable(word)
    if outer:
        raise _unclosed("(")
    board = board or _start(tags)
    if not board.move_stack and "fen" not in tags:
        raise Unreadable(Text("this is neither a FEN nor a game in PGN"))
    return board


def _start(tags: dict[str, str]) -> chess.Board:
    """Return the position in which a game with these tags starts."""
    headers = chess.pgn.Headers({"Variant": tags.get("variant", "Standard")})
    try:
        variant = headers.variant()
    except ValueError:
        variant = None
    if variant is not chess.Board:
        raise Unreadable(Text("this game isn't chess"))
    board = from_fen(tags["fen"]) if "fen" in tags else chess.Board()
    board.chess960 = board.chess960 or headers.is_chess960()
    return board


def _push(board: chess.Board, word: str) -> None:
    """Make a move that is written on the board."""
    move = tidy(word)
    if legal := read(board, move):
        board.push(legal)
    elif rule := rule_against(board, move) if is_written(move) else None:
        values = {"move": move, "number": board.fullmove_number, "rule": rule}
        raise Unreadable(Text("{move} isn't possible in move {number}: {rule}", values))
    else:
        raise _unreadable(word)


def _must_be_next(board: chess.Board, number: int, word: str) -> None:
    """Check a move's number: moves are counted on from that of the first position, or from 1."""
    first, due = board.root().fullmove_number, board.fullmove_number
    if number not in (due, due - first + 1):
        raise Unreadable(Text("“{word}” stands where move {number} comes", {"word": word, "number": due}))


def _unreadable(word: str) -> Unreadable:
    return Unreadable(Text("“{word}” can't be read", {"word": _short(word)}))


def _unclosed(bracket: str) -> Unreadable:
    return Unreadable(Text("the bracket “{bracket}” is never closed", {"bracket": bracket}))


# -- files ---------------------------------------------------------------------------


def written(board: chess.Board, result: str, termination: str, names: list[str], occasion: Occasion) -> str:
    """Return a game in PGN, its tags in the order of the standard: the seven first, then by the alphabet."""
    game = chess.pgn.Game.from_board(board)
    white, black = names
    tags = dict(game.headers) | {
        "Event": occasion.event or "StrifeBarge",
        "Site": occasion.site or "?",
        "Date": occasion.date.replace("-", ".") or "????.??.??",
        "Round": str(occasion.round or "-"),
        "White": white,
        "Black": black,
        "Result": result,
        "Termination": "abandoned" if occasion.unfinished else termination,
        "TimeControl": time_control(occasion.pace),
    }
    game.headers = chess.pgn.Headers({name: header(tags[name]) for name in sorted(tags)})
    return game.accept(chess.pgn.StringExporter(columns=79)) + "\n"


def time_control(pace: Pace | None) -> str:
    """Return a pace as a PGN tag: `600+5`, `1/86400` for a day each move, `-` without a clock."""
    if pace is None:
        return "-"
    if pace.kind in ("turn", "days"):
        return f"1/{pace.base:.0f}"
    return f"{pace.base:.0f}" + (f"+{pace.step:.0f}" if pace.step else "")


def header(value: str) -> str:
    """Return a value that can stand between quotes in a PGN tag."""
    return value.replace("\\", "/").replace('"', "'")
