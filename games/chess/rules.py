"""Chess, with the rules, the notation and the draws left to the library `chess`."""

from functools import cached_property
from typing import Annotated, Any, Literal

import chess
from chess import Termination
from msgspec import Meta, structs

from strifebarge.rules import Action, Chance, Game, Options, Ranking, Refusal, Refused, Seat, Text

from .notation import laid_out, read, tidy, unplayable, written
from .reasons import rule_against

STAGE = 20  # moves, of either side, from one stage to the next
RESULTS = "1-0", "0-1"  # of White's and Black's win


ENDINGS = {
    Termination.CHECKMATE: "Checkmate.",
    Termination.STALEMATE: "Stalemate: {seat} has no move, and is not in check.",
    Termination.INSUFFICIENT_MATERIAL: "A dead position: nobody has enough left to mate.",
    Termination.FIVEFOLD_REPETITION: "The same position for the fifth time.",
    Termination.SEVENTYFIVE_MOVES: "Seventy-five moves by each side, no capture, no pawn’s move.",
    Termination.THREEFOLD_REPETITION: "{seat} claims a draw: the same position for the third time.",
    Termination.FIFTY_MOVES: "{seat} claims a draw: fifty moves by each side, no capture, no pawn’s move.",
}


class Why(Refusal):
    ILLEGAL_MOVE = "{move} cannot be played: {rule}."
    UNREADABLE_MOVE = "That cannot be read as a move: write it as in Nf3, exd5, O-O, e8=Q or g1f3."
    NO_DRAW_TO_CLAIM = (
        "There is no draw to claim: no position comes for the third time, and fifty moves by each side "
        "without a capture or a pawn’s move have not been played."
    )
    NO_DRAW_OFFERED = "No draw is offered to you."
    DRAW_OFFERED = "A draw is offered already."
    BAD_POSITION = "A game cannot start from there: {problem}."


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


class AcceptDraw(Action):
    """Accept the draw."""


class DeclineDraw(Action):
    """Decline the draw."""


class ClaimDraw(Action):
    """Claim a draw."""


class Resign(Action):
    """Resign the game."""


class Start(Options, frozen=True):
    """Where the game starts."""

    start: Annotated[
        Literal["standard", "chess960", "position"],
        Meta(
            title="Start",
            description="Chess960 draws one of 960 first rows, the same for both sides.",
            extra={"labels": {"standard": "as usual", "chess960": "Chess960", "position": "from a position"}},
        ),
    ] = "standard"
    position: Annotated[
        str,
        Meta(
            title="Position",
            description="Where to start from: a FEN, or a game in PGN to go on with.",
            max_length=8000,
        ),
    ] = ""

    def refuse(self) -> Refused | None:
        problem: Text | str | None = None
        if self.start != "position":
            if self.position.strip():  # better to ask than to begin elsewhere than was meant
                problem = Text("a position is given, and another start is chosen")
        else:
            try:
                problem = unplayable(laid_out(self.position))
            except ValueError as wrong:
                problem = str(wrong)
        return Why.BAD_POSITION(problem=problem) if problem else None


class Chess(Game[Seat]):
    """Mate the king.  All the rules of chess, also from any position or as Chess960."""

    title = "Chess"
    players = "White", "Black"
    length = "half an hour"
    emblem = "c-n"
    late = "loss"

    options: Start = Start()
    start: str = chess.STARTING_FEN
    chess960: bool = False
    moves: list[str] = []  # in UCI
    sheet: list[str] = []  # the same in SAN
    taken: str = ""  # the pieces captured, as in a FEN: white ones in capitals
    offer: int | None = None  # the seat that offers a draw
    result: str = "*"  # as in PGN

    def setup(self) -> None:
        match self.options.start:
            case "chess960":
                number = self.chance.below(960)
                self.begin(chess.Board.from_chess960_pos(number))
                self.log("The start is number {number} of the 960.", number=number)
            case "position" if self.options.position:
                self.begin(laid_out(self.options.position))

    def begin(self, board: chess.Board) -> None:
        """Start from where this board started, and make the moves that were made on it."""
        self.start, self.chess960 = board.root().fen(en_passant="fen"), board.chess960
        for move in board.move_stack:
            self.push(move)

    # -- the sequence of play --------------------------------------------------

    async def play(self) -> Any:
        """Some moves, White and Black in turn."""
        for _ in range(STAGE):
            if ending := await self.turn(self.to_move):
                return ending
        return self.play

    async def turn(self, seat: Seat) -> Ranking | None:
        """A move; or before it an offer, or an end without one."""
        while True:
            # fmt: off
            match await self.ask(seat, "{check}{draw}Make your move.", self.choices(), **self.warnings(seat)):
                case Move(notation) if move := read(self.board, notation): return self.move(seat, move)
                case OfferDraw():
                    self.offer = seat.number
                    self.log("{seat} offers a draw.", seat=seat)
                case DeclineDraw():
                    self.offer = None
                    self.log("{seat} declines the draw.", seat=seat)
                case AcceptDraw():
                    self.log("{seat} accepts the draw.", seat=seat)
                    return self.over("A draw by agreement.")
                case ClaimDraw(): return self.ended(self.board.outcome(claim_draw=True))
                case Resign(): return self.over("{seat} resigns.", self.other(seat))
            # fmt: on

    def move(self, seat: Seat, move: chess.Move) -> Ranking | None:
        """A move is made; a draw that was offered before it is offered no longer."""
        if self.offer != seat.number:
            self.offer = None
        self.push(move)
        self.log("{seat} plays {move}.", seat=seat, move=self.sheet[-1])
        return self.ended(self.board.outcome())

    def push(self, move: chess.Move) -> None:
        """A move on the board and on the score sheet."""
        board = self.board
        if board.is_capture(move):
            taken = board.piece_at(move.to_square)
            self.taken += taken.symbol() if taken else "p" if board.turn else "P"  # en passant
        self.moves.append(board.uci(move))
        self.sheet.append(board.san_and_push(move))

    def choices(self) -> list[Action | type[Action]]:
        """Every legal move and any way of writing it; draws; and resigning last."""
        answers = (AcceptDraw(), DeclineDraw()) if self.is_offered(self.to_move) else (OfferDraw(),)
        return [Move, *map(Move, self.legal), *answers, ClaimDraw(), Resign()]

    def warnings(self, seat: Seat) -> dict[str, Any]:
        """What a side should know before it moves."""
        offers = {None: None, seat.number: Text("You offer a draw. ")}
        return {
            "check": Text("Check. ") if self.board.is_check() else None,
            "draw": offers.get(self.offer, Text("A draw is offered. ")),
        }

    # -- the end ---------------------------------------------------------------

    def ended(self, outcome: chess.Outcome | None) -> Ranking | None:
        """The end that the rules of chess bring, if they do."""
        if outcome is None:
            return None
        winner = None if outcome.winner is None else self.seats[not outcome.winner]
        return self.over(ENDINGS[outcome.termination], winner)

    def over(self, sentence: str, winner: Seat | None = None) -> Ranking:
        """The game is won or drawn, by or against the seat that is told of."""
        self.offer = None
        self.result = "1/2-1/2" if winner is None else RESULTS[winner.number]
        why = Text(sentence, {"seat": self.other(winner) if winner else self.to_move})
        self.log(why.sentence, **why.args)
        return self.ranking(lambda seat: 0.5 if winner is None else float(seat is winner), why=why)

    def leave(self, seat: Seat) -> None:
        """You lose the game, as if you had resigned."""
        self.finish(self.over("{seat} leaves the game.", self.other(seat)))

    def out_of_time(self, seat: Seat) -> None:
        """The other side wins, unless it could not mate by any means."""
        other = self.other(seat)
        if self.board.has_insufficient_material(other.number == 0):
            self.finish(self.over("A draw: a side without the means to mate cannot win on time."))
        self.finish(self.over("{seat} has run out of time.", other))

    # -- what may be done ------------------------------------------------------

    def refuse(self, seat: Seat, action: Action) -> Why | Refused | None:
        # fmt: off
        match action:
            case Move(notation) if not read(self.board, notation):
                rule = rule_against(self.board, notation)
                return Why.ILLEGAL_MOVE(move=notation, rule=rule) if rule else Why.UNREADABLE_MOVE
            case OfferDraw() if self.offer is not None: return Why.DRAW_OFFERED
            case AcceptDraw() | DeclineDraw() if not self.is_offered(seat): return Why.NO_DRAW_OFFERED
            case ClaimDraw() if not self.board.can_claim_draw(): return Why.NO_DRAW_TO_CLAIM
        # fmt: on
        return None

    def is_offered(self, seat: Seat) -> bool:
        """Does the other side offer a draw?"""
        return self.offer == self.other(seat).number

    # -- the board -------------------------------------------------------------

    @cached_property
    def board(self) -> chess.Board:
        """The position, and all that led to it."""
        board = chess.Board(self.start, chess960=self.chess960)
        for move in self.moves:
            board.push(chess.Move.from_uci(move))
        return board

    @property
    def legal(self) -> list[str]:
        return [self.board.uci(move) for move in self.board.legal_moves]

    @property
    def men(self) -> dict[str, chess.Piece]:
        """What stands where, by the names of the squares."""
        return {chess.square_name(square): man for square, man in self.board.piece_map().items()}

    @property
    def ways(self) -> dict[str, dict[str, list[str]]]:
        """From where to where: the moves that go there, more than one where a pawn becomes something else."""
        ways: dict[str, dict[str, list[str]]] = {}
        for move in self.legal:
            ways.setdefault(move[:2], {}).setdefault(move[2:4], []).append(move)
        return ways

    @property
    def rows(self) -> list[tuple[int, list[str]]]:
        """The score sheet: the number of each move, and White's and Black's."""
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

    def exports(self, names: list[str]) -> dict[str, str]:
        """The game in PGN; without names it is only asked what there is, on every page."""
        return {"pgn": written(self.board, self.result, *names) if names else ""}
