"""The chess board as one viewer sees it: its squares with what may be done there, and the pieces in words."""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal, NamedTuple

import chess

from strifebarge.rules import Action, Seat, Text
from strifebarge.rules.board import BoardView, ScoreSheet, Squares

from . import board_editor
from .board_openings import opening_of
from .notation import laid_out
from .pieces import DRAWN, FILES, KINDS, Man, Material, counted, counted_in, material, names_of
from .rules import (
    PLAYED,
    TOOK,
    AcceptDraw,
    Chess,
    ClaimDraw,
    DeclineDraw,
    Move,
    OfferDraw,
)

View = BoardView[Chess, Seat]
Ways = dict[str, dict[str, list[str]]]  # from where to where: the moves that go there, in UCI
Can = Literal["", "pick", "put back", "move", "take", "castle", "become", "plan"]

MOVE_TEXTS = frozenset((PLAYED, TOOK))  # the log's sentences that tell of a move
CUES = {TOOK: "capture"}


class Promotion(NamedTuple):
    """A piece that a pawn may become, by a move in UCI."""

    move: str
    letter: str
    name: Text


class Square(NamedTuple):
    """A square: what stands there, and what the viewer may do there."""

    symbol: str  # of the piece, a capital for a white one; or ""
    dark: bool
    last: bool = False  # the last move began or ended here
    check: bool = False  # here is the king that is in check
    held: bool = False  # the piece here was picked up
    can: Can = ""
    moves: str = ""  # in UCI, by which the piece that was picked up may come here
    name: str = ""  # of the piece, the same wherever it goes
    took: bool = False  # the last move took something here
    planned: bool = False  # a planned move begins or ends here

    @property
    def man(self) -> Man | None:
        """The piece on the square."""
        return DRAWN[self.symbol] if self.symbol else None

    @property
    def promotions(self) -> list[Promotion]:
        """The pieces that a pawn may become here."""
        return [Promotion(move, move[4], KINDS[move[4]]) for move in self.moves.split() if len(move) > 4]

    @property
    def marks(self) -> str:
        """The classes of the square in `board.css`."""
        named = {"dk": self.dark, "last": self.last, "chk": self.check, "sel": self.held, "took": self.took}
        named["plan"] = self.planned
        return " ".join(name for name, there in named.items() if there)


_square = lru_cache(1024)(Square)  # most are on every board


class Held(NamedTuple):
    """The piece that was picked up; `becoming` is the square where a pawn is asked what it becomes, or ""."""

    at: str
    name: Text
    becoming: str


class Button(NamedTuple):
    """An action about a draw, and its sign; `decides` if it answers or claims one; `first` the main one."""

    action: Action
    sign: str
    decides: bool = True
    first: bool = False


class Board(NamedTuple):
    """The things that `board.html` shows."""

    black_below: bool
    files: str
    layout: Squares
    squares: dict[str, Square]  # all but those that follow
    origin: dict[str, Square]  # that of the piece that was picked up, where it may be put back
    last_rank: dict[str, Square]  # where that piece, a pawn, would become another
    becoming: dict[str, Square]  # where it is asked what it becomes
    white_becomes: bool  # the pawn there is white
    popover_up: bool  # the answers stand above that square, for it is at the lower edge
    planning: bool  # buttons plan a move, for the other side is to move
    held: Held | None
    draws: list[Button]


def board(view: View) -> Board:
    """Return the board from the viewer's side; the piece of a refused move is still picked up."""
    black_below = bool(view.you and view.you.number) != view.turned
    planning = view.planning and view.you is not None
    ways = view.game.ways if view.mine else _plannable(view) if planning else {}
    held, becoming = _picked_up(view, ways)
    # The answers to what a pawn becomes lie over some squares: nothing but these can be pressed.
    movers = set() if becoming else {*ways}
    squares = _squares(view.game, _goals(ways, held, becoming), held, movers, planning)
    for at in _planned(view):
        squares[at] = squares[at]._replace(planned=True)
    in_hand = _in_hand(held, squares[held], becoming) if held else None
    origin = {held: squares.pop(held)} if held and not becoming else {}
    promotion = {becoming: squares.pop(becoming)} if becoming else {}
    return Board(
        black_below=black_below,
        files=FILES[::-1] if black_below else FILES,
        layout=_layout(black_below),
        squares=squares,
        origin=origin,
        last_rank={at: squares.pop(at) for at in [*squares] if squares[at].can == "become"},
        becoming=promotion,
        white_becomes=view.game.board.turn != planning,
        popover_up=bool(becoming) and becoming in _layout(black_below).rows[-1][1],
        held=in_hand,
        draws=[*_draws(view)] if view.mine else [],
        planning=planning,
    )


def _plannable(view: View) -> Ways:
    """Return the moves that the viewer's pieces could ever make from where they stand."""
    color = chess.WHITE if view.you and view.you.number == 0 else chess.BLACK
    ways: Ways = {}
    for at, man in view.game.men.items():
        if man.color == color:
            ways[at] = {goal: [*moves] for goal, moves in _reach(at, man).items()}
    return ways


@lru_cache(1024)
def _reach(at: str, man: chess.Piece) -> dict[str, tuple[str, ...]]:
    """Return where a piece may go on some board, each square with its moves in UCI."""
    board, square = chess.Board(None), chess.parse_square(at)
    board.set_piece_at(square, man)
    goals = {*board.attacks(square)}
    if man.piece_type == chess.PAWN:
        goals |= {move.to_square for move in _forward(board, square, man.color)}
    elif man.piece_type == chess.KING and square in (chess.E1, chess.E8):
        goals |= {square - 2, square + 2}
    last = {0, 7} if man.piece_type == chess.PAWN else set()
    named = {goal: at + chess.square_name(goal) for goal in sorted(goals)}
    return {
        uci[2:]: tuple(uci + each for each in "qrbn") if chess.square_rank(goal) in last else (uci,)
        for goal, uci in named.items()
    }


def _forward(board: chess.Board, square: chess.Square, color: chess.Color) -> Iterator[chess.Move]:
    """Yield the moves of a pawn that take nothing, on a board where it stands alone."""
    board.turn = color
    return board.generate_pseudo_legal_moves(from_mask=chess.BB_SQUARES[square])


def _planned(view: View) -> set[str]:
    """Return the squares at which the moves of the viewer's plan begin and end, as far as they are given."""
    moves = (words.split()[-1] for words in view.planned)
    squares = {at for move in moves for at in (move[:2], move[2:4])}
    return squares & DARK.keys()


def _picked_up(view: View, ways: Ways) -> tuple[str, str]:
    """Return the square of the piece that is picked up, and the one where it becomes another; or "" each."""
    tried = "".join(view.filled.get("move", ())[:1]).split()[1:]
    picked = view.picked or "".join(tried[:1])
    held, goal = picked[:2], picked[2:4]
    if held not in ways:
        return "", ""
    return held, goal if len(ways[held].get(goal, ())) > 1 else ""


def _goals(ways: Ways, held: str, becoming: str) -> dict[str, list[str]]:
    """Return where the piece that is picked up may go, each square with its moves."""
    goals = ways.get(held, {})
    return {becoming: goals[becoming]} if becoming else goals


def _in_hand(at: str, square: Square, becoming: str) -> Held | None:
    return Held(at, KINDS[square.man.letter], becoming) if square.man else None


# -- squares -----------------------------------------------------------------------


DARK = {f"{file}{n}": (x + n) % 2 == 1 for x, file in enumerate(FILES) for n in range(1, 9)}


@cache
def _layout(black_below: bool) -> Squares:
    """Return the squares as they lie before a player, by ranks from above."""
    numbers, files = (range(1, 9), FILES[::-1]) if black_below else (range(8, 0, -1), FILES)
    return Squares((n, [f"{file}{n}" for file in files]) for n in numbers)


def _squares(
    game: Chess, goals: dict[str, list[str]], held: str, movers: set[str], planning: bool
) -> dict[str, Square]:
    """Return all squares; `movers` are those whose piece may be picked up."""
    men, names = game.men, names_of(game.start, tuple(game.moves))
    last = (game.moves[-1][:2], game.moves[-1][2:4]) if game.moves else ()
    took = last[1] if last and "x" in game.sheet[-1] else ""
    turn = game.board.turn
    checked = chess.Piece(chess.KING, turn) if game.board.is_check() else None
    squares = {}
    for at, dark in DARK.items():
        man, moves, name = men.get(at), goals.get(at), names.get(at, "")
        symbol, check = (man.symbol(), man == checked) if man else ("", False)
        if moves or at == held:
            can, uci = _can(at, man, turn, moves or [], held), " ".join(moves or ())
            can = "plan" if planning and len(moves or ()) == 1 else can
            squares[at] = Square(symbol, dark, at in last, check, at == held, can, uci, name, at == took)
        else:
            can = "pick" if at in movers else ""
            squares[at] = _square(symbol, dark, at in last, check, False, can, "", name, at == took)
    return squares


def _can(at: str, man: chess.Piece | None, turn: chess.Color, moves: list[str], held: str) -> Can:
    """Return what may be done on a square with the piece that is picked up."""
    if len(moves) > 1:
        return "become"
    if moves:
        return "move" if man is None else "castle" if man.color == turn else "take"
    return "put back" if at == held else ""


# -- beside the board --------------------------------------------------------------


def plates(view: View) -> dict[int, Material]:
    """Return for the plate of each player what they have captured, and by how much they lead."""
    return {seat.number: material(view.game, seat.number) for seat in view.game.seats}


def sheet(view: View) -> ScoreSheet:
    """Return the moves of both sides in SAN, numbered."""
    game = view.game
    rows = [
        (f"{number}.", [None if half == "…" else half for half in halves]) for number, halves in game.rows
    ]
    return ScoreSheet((Text("White"), Text("Black")), rows, MOVE_TEXTS, _earlier(game), _opening(game))


def _opening(game: Chess) -> str:
    """Return the name of the opening; "" if it has none, or the game has another start than the usual one."""
    opening = opening_of(game.moves) if game.start == chess.STARTING_FEN else None
    return opening.words if opening else ""


def _earlier(game: Chess) -> int:
    """Return how many moves there were before the game, in the PGN from which it started."""
    return _moves_in(game.options.position) if game.options.start == "position" else 0


@lru_cache(64)
def _moves_in(position: str) -> int:
    return len(laid_out(position).move_stack)


def _draws(view: View) -> Iterator[Button]:
    """Return what may be done about a draw: to answer an offer, else to claim one, else to offer one."""
    if view.offered(AcceptDraw()):
        yield Button(AcceptDraw(), "½ ✓", first=True)
        yield Button(DeclineDraw(), "½ ✗")
    elif _is_open(view, ClaimDraw()):
        yield Button(ClaimDraw(), "½ ✓")
    elif _is_open(view, OfferDraw()):
        yield Button(OfferDraw(), "½", decides=False)


def _is_open(view: View, action: Action) -> bool:
    """Return whether this is on offer, and not refused."""
    offer = view.offered(action)
    return offer is not None and offer.refused is None


arranging = board_editor.arranging
CELLS = {"counted_in": counted_in}  # what cells.html is given


# -- in words ----------------------------------------------------------------------


class Group(NamedTuple):
    """The pieces of a side that are of one kind: `2 rooks`, and where they stand."""

    name: Text
    squares: list[str]


class Army(NamedTuple):
    """A side and its pieces, from the king to the pawns."""

    seat: Seat
    groups: list[Group]


class Step(NamedTuple):
    """A move that may be made, and how it is written in SAN."""

    action: Move
    san: str


class Walker(NamedTuple):
    """A piece that may move, and its moves."""

    name: Text
    at: str
    steps: list[Step]


class Report(NamedTuple):
    """The things that `text.html` tells."""

    own: Army | None  # the viewer's
    armies: list[Army]
    in_check: Seat | None
    ranks: list[str]  # in letters, from the eighth to the first
    sheet: list[tuple[int, list[str]]]
    walkers: list[Walker]


def text(view: View) -> Report:
    """Return the pieces by name, the board in letters, and the moves there are, piece by piece."""
    game = view.game
    men = game.men
    armies = [_army(men, seat) for seat in game.seats]
    return Report(
        own=armies[view.you.number] if view.you else None,
        armies=armies,
        in_check=game.to_move if game.board.is_check() else None,
        ranks=[_rank(men, n) for n in range(8, 0, -1)],
        sheet=game.rows,
        walkers=[*_walkers(game, men)] if view.mine else [],
    )


def _army(men: dict[str, chess.Piece], seat: Seat) -> Army:
    white = seat.number == 0
    own = {at: man.symbol().lower() for at, man in men.items() if man.color == white}
    pieces = {letter: sorted(at for at in own if own[at] == letter) for letter in KINDS}
    groups = (_group(letter, squares) for letter, squares in pieces.items() if squares)
    return Army(seat, [*groups])


def _group(letter: str, squares: list[str]) -> Group:
    return Group(KINDS[letter] if len(squares) == 1 else counted(letter, len(squares)), squares)


def _rank(men: dict[str, chess.Piece], n: int) -> str:
    return " ".join(men[file + str(n)].symbol() if file + str(n) in men else "." for file in FILES)


def _walkers(game: Chess, men: dict[str, chess.Piece]) -> Iterator[Walker]:
    position = game.board
    for at, goals in game.ways.items():
        moves = (move for each in goals.values() for move in each)
        steps = [Step(Move(move), position.san(position.parse_uci(move))) for move in moves]
        yield Walker(KINDS[men[at].symbol().lower()], at, steps)
