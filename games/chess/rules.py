"""Chess, with the rules, the notation and the draws left to the library `chess`."""

from functools import cached_property, lru_cache
from typing import Annotated, Literal

import chess
from chess import Termination
from msgspec import Meta, structs

from strifebarge.rules import (
    Action,
    Chance,
    Engine,
    Game,
    Next,
    No,
    Note,
    Occasion,
    Options,
    Ranking,
    Refusal,
    Seat,
    Text,
)

from .notation import (
    Unreadable,
    is_written,
    laid_out,
    read,
    tidy,
    unplayable,
    written,
)
from .reasons import named, rule_against

STAGE = 20  # moves, of either side, from one stage to the next
PAWNS_WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
RESULTS = "1-0", "0-1"  # of White's and Black's win
# The sentences of the log that tell of a move.
PLAYED = "{seat:You|} played {move}."
TOOK = "{seat:You|} took a {man}: {move}."
RESIGNED = Text("{seat:You resign| resigns}.").sentence


ENDINGS = {
    Termination.CHECKMATE: "Checkmate.",
    Termination.STALEMATE: "Stalemate: {seat} has no move and isn't in check.",
    Termination.INSUFFICIENT_MATERIAL: "Dead position: nobody can mate any more.",
    Termination.FIVEFOLD_REPETITION: "The same position five times.",
    Termination.SEVENTYFIVE_MOVES: "Seventy-five moves each without a capture or pawn move.",
    Termination.THREEFOLD_REPETITION: "{seat:You claim| claims} a draw: the same position three times.",
    Termination.FIFTY_MOVES: "{seat:You claim| claims} a draw: fifty moves each, no capture, no pawn move.",
}


class Why(Refusal):
    ILLEGAL_MOVE = "{move} isn't possible: {rule}. Try another move."
    UNREADABLE_MOVE = "That isn't a chess move. Write it like Nf3, exd5, O-O, e8=Q or g1f3."
    NO_DRAW_TO_CLAIM = (
        "You can't claim a draw yet. It takes a position three times, or fifty moves each without "
        "capture or pawn move."
    )
    NO_DRAW_OFFERED = "There is no draw offer for you to answer."
    DRAW_OFFERED = "There is already a draw offer. Wait for the answer."
    BAD_POSITION = "A game can't start from there: {problem}."


class Move(Action):
    """Move a piece: Nf3, exd5, O-O, e8=Q, or the squares from and to, g1f3."""

    notation: str

    label = "Move {notation}"
    misread = {"notation": Why.UNREADABLE_MOVE}

    def __post_init__(self) -> None:
        structs.force_setattr(self, "notation", tidy(self.notation))

    @classmethod
    def sample(cls, game: "Chess", seat: Seat, chance: Chance) -> "Move":
        return cls(chance.choice(game.legal))


class OfferDraw(Action):
    """Offer a draw."""

    for_bots = False


class AcceptDraw(Action):
    """Accept the draw."""


class DeclineDraw(Action):
    """Decline the draw."""


class ClaimDraw(Action):
    """Claim a draw."""


class Start(Options, frozen=True):
    """Where the game starts."""

    start: Annotated[
        Literal["standard", "chess960", "position"],
        Meta(
            title="Start",
            description="Chess960 draws one of 960 first rows, the same for both sides.",
            extra={"labels": {"standard": "standard", "chess960": "Chess960", "position": "from a position"}},
        ),
    ] = "standard"
    position: Annotated[
        str,
        Meta(
            title="Position",
            description="A FEN, or a game in PGN to continue.",
            max_length=8000,
        ),
    ] = ""

    def refuse(self) -> No:
        problem: Text | None = None
        if self.start != "position":
            if self.position.strip():  # better to ask than to begin elsewhere than was meant
                problem = Text("you gave a position, but chose another start")
        else:
            try:
                problem = unplayable(laid_out(self.position))
            except Unreadable as wrong:
                problem = wrong.why
        return Why.BAD_POSITION(problem=problem) if problem else None


class Chess(Game[Seat]):
    """Mate the king.  All the rules of chess, also from any position or as Chess960."""

    title = "Chess"
    players = "White", "Black"
    length = "half an hour"
    emblem = "c-n"
    late = "loss"
    plans = "lines"

    options: Start = Start()
    start: str = chess.STARTING_FEN
    chess960: bool = False
    moves: list[str] = []  # in UCI
    sheet: list[str] = []  # the same in SAN
    taken: str = ""  # the pieces captured, as in a FEN: white ones in capitals
    offer: int | None = None  # the seat that offers a draw
    result: str = "*"  # as in PGN
    termination: Note[str] = "unterminated"  # as in PGN

    def setup(self) -> None:
        match self.options.start:
            case "chess960":
                number = self.chance.below(960)
                self.begin(chess.Board.from_chess960_pos(number))
                self.log("Start position {number} of 960.", number=number)
            case "position" if self.options.position:
                self.begin(laid_out(self.options.position))

    @classmethod
    def arrange(cls, position: str) -> Start:
        return Start(start="position", position=position)

    def begin(self, board: chess.Board) -> None:
        """Start from where this board started, and make the moves that were made on it."""
        self.start, self.chess960 = board.root().fen(en_passant="fen"), board.chess960
        for move in board.move_stack:
            self.push(move)

    # -- the sequence of play --------------------------------------------------

    async def play(self) -> Next:
        """Ask White and Black in turn, for a stage of moves."""
        for _ in range(STAGE):
            if ending := await self.turn(self.to_move):
                return ending
        return self.play

    async def turn(self, seat: Seat) -> Ranking | None:
        """Ask for a move.  A draw may be offered or answered first; the game may end without a move."""
        while True:
            check = Text("Check. ") if self.board.is_check() else None
            # fmt: off
            match await self.ask(seat, "{check}Make your move.", self.choices(), check=check):
                case Move(notation) if move := read(self.board, notation): return self.move(seat, move)
                case OfferDraw():
                    self.offer = seat.number
                    self.log("{seat:You offer| offers} a draw.", seat=seat)
                case DeclineDraw():
                    self.offer = None
                    self.log("{seat:You decline| declines} the draw.", seat=seat)
                case AcceptDraw():
                    self.log("{seat:You accept| accepts} the draw.", seat=seat)
                    return self.over("A draw by agreement.")
                case ClaimDraw(): return self.ended(self.board.outcome(claim_draw=True))
            # fmt: on

    def move(self, seat: Seat, move: chess.Move) -> Ranking | None:
        """Make a move, which ends the other side's offer of a draw."""
        if self.offer != seat.number:
            self.offer = None
        before = len(self.taken)
        self.push(move)
        if taken := self.taken[before:]:
            man = named(chess.PIECE_SYMBOLS.index(taken.lower()))
            self.log(TOOK, seat=seat, man=man, move=self.sheet[-1])
        else:
            self.log(PLAYED, seat=seat, move=self.sheet[-1])
        return self.ended(self.board.outcome())

    def push(self, move: chess.Move) -> None:
        """Make a move on the board and write it on the score sheet."""
        board = self.board
        if board.is_capture(move):
            taken = board.piece_at(move.to_square)
            self.taken += taken.symbol() if taken else "p" if board.turn else "P"  # en passant
        self.moves.append(board.uci(move))
        self.sheet.append(board.san_and_push(move))

    def choices(self) -> list[Action | type[Action]]:
        """Return every legal move and any way of writing it, and draws."""
        answers = (AcceptDraw(), DeclineDraw()) if self.is_offered(self.to_move) else (OfferDraw(),)
        return [Move, *map(Move, self.legal), *answers, ClaimDraw()]

    # -- the end ---------------------------------------------------------------

    def ended(self, outcome: chess.Outcome | None) -> Ranking | None:
        """Return the ranking if the rules of chess end the game here."""
        if outcome is None:
            return None
        winner = None if outcome.winner is None else self.seats[not outcome.winner]
        return self.over(ENDINGS[outcome.termination], winner)

    def over(self, sentence: str, winner: Seat | None = None, termination: str = "normal") -> Ranking:
        """End the game: `sentence` tells of the loser, or in a draw of the side to move."""
        self.offer, self.termination = None, termination
        self.result = "1/2-1/2" if winner is None else RESULTS[winner.number]
        why = Text(sentence, {"seat": self.other(winner) if winner else self.to_move})
        self.log(why.sentence, **why.args)
        return self.ranking(lambda seat: 0.5 if winner is None else float(seat is winner), why=why)

    def leave(self, seat: Seat) -> None:
        """You lose the game."""
        self.finish(self.over(RESIGNED, self.other(seat)))

    def drawn(self) -> Ranking:
        self.result, self.termination = "1/2-1/2", "abandoned"
        return super().drawn()

    def out_of_time(self, seat: Seat) -> None:
        """End the game: the other side wins, unless it could not mate by any means."""
        other = self.other(seat)
        if self.board.has_insufficient_material(other.number == 0):
            draw = "A draw: without enough material to mate, you can't win on time."
            self.finish(self.over(draw, termination="time forfeit"))
        self.finish(self.over("{seat:You} ran out of time.", other, "time forfeit"))

    # -- what helps bots -------------------------------------------------------

    def worth(self, seat: Seat) -> float:
        """Return the material of both sides, pawns that have advanced, and the room of the king to mate."""
        white = self.strength(chess.WHITE) - self.strength(chess.BLACK)
        return 0.5 + (white if seat.number == 0 else -white) / 120

    def strength(self, color: chess.Color) -> float:
        """Return the men of a side in pawns, with a little for what leads to a mate."""
        board = self.board
        men = sum(n * len(board.pieces(kind, color)) for kind, n in PAWNS_WORTH.items())
        home = 0 if color else 7
        advance = sum(abs(chess.square_rank(pawn) - home) for pawn in board.pieces(chess.PAWN, color))
        king = board.king(not color)
        near = chess.SquareSet() if king is None else board.attacks(king)
        room = sum(not board.is_attacked_by(color, square) for square in near)
        return men + advance / 20 - room / 10

    def engine(self) -> Engine:
        """Return the position for Stockfish."""
        return Engine("stockfish", self.start, self.moves, self.chess960)

    # -- what may be done ------------------------------------------------------

    def refuse(self, seat: Seat, action: Action) -> No:
        # fmt: off
        match action:
            case Move(notation) if not read(self.board, notation):
                rule = rule_against(self.board, notation) if is_written(notation) else None
                return Why.ILLEGAL_MOVE(move=notation, rule=rule) if rule else Why.UNREADABLE_MOVE
            case OfferDraw() if self.offer is not None: return Why.DRAW_OFFERED
            case AcceptDraw() | DeclineDraw() if not self.is_offered(seat): return Why.NO_DRAW_OFFERED
            case ClaimDraw() if not self.board.can_claim_draw(): return Why.NO_DRAW_TO_CLAIM
        # fmt: on
        return None

    def refuse_plan(self, seat: Seat, action: Action) -> No:
        return Why.UNREADABLE_MOVE if isinstance(action, Move) and not is_written(action.notation) else None

    def is_offered(self, seat: Seat) -> bool:
        """Tell whether the other side offers a draw."""
        return self.offer == self.other(seat).number

    # -- the board -------------------------------------------------------------

    @cached_property
    def board(self) -> chess.Board:
        """The position, with the moves that led to it."""
        return _after(self.start, self.chess960, tuple(self.moves)).copy()

    @property
    def legal(self) -> list[str]:
        return [self.board.uci(move) for move in self.board.legal_moves]

    @property
    def men(self) -> dict[str, chess.Piece]:
        """The pieces by the names of their squares."""
        return {chess.square_name(square): man for square, man in self.board.piece_map().items()}

    @property
    def ways(self) -> dict[str, dict[str, list[str]]]:
        """The legal moves in UCI, by the squares from and to; four of them where a pawn is promoted."""
        ways: dict[str, dict[str, list[str]]] = {}
        for move in self.legal:
            ways.setdefault(move[:2], {}).setdefault(move[2:4], []).append(move)
        return ways

    @property
    def rows(self) -> list[tuple[int, list[str]]]:
        """The score sheet: the number of each move, White's move and Black's."""
        _, turn, *_, number = self.start.split()
        sheet = ["…", *self.sheet] if turn == "b" and self.sheet else self.sheet
        return [(int(number) + at // 2, sheet[at : at + 2]) for at in range(0, len(sheet), 2)]

    @property
    def to_move(self) -> Seat:
        return self.seats[not self.board.turn]

    def other(self, seat: Seat) -> Seat:
        return self.seats[1 - seat.number]

    def standing(self, seat: Seat) -> Text | None:
        return Text("offers a draw") if self.offer == seat.number else None

    def exports(self, names: list[str], occasion: Occasion = Occasion()) -> dict[str, str]:  # noqa: B008 - it is frozen
        """Return the game in PGN; without names only the key, for pages that list what there is."""
        if not names:
            return {"pgn": ""}
        return {"pgn": written(self.board, self.result, self.termination, names, occasion)}


@lru_cache(64)
def _after(start: str, chess960: bool, moves: tuple[str, ...]) -> chess.Board:
    """Return the position after these moves: both sides' pages and their next move ask for the same one.

    Only copies of it may be changed.
    """
    board = chess.Board(start, chess960=chess960)
    for move in moves:
        board.push(chess.Move.from_uci(move))
    return board
