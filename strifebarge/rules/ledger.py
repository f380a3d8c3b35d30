"""What was done in a match, in order: its moves, and the states from which it is taken up."""

from collections.abc import Iterable

from msgspec import Struct

from .action import Action, Late, Leave, Undo


class Move(Struct, frozen=True):
    """What a seat did.  Numbers count from 1 and never go back, even on undo.

    What is composed has one number, however many steps it takes, for nobody else may know how many.
    """

    number: int
    seat: int
    action: Action
    final: bool = False  # there is no taking back this move, nor any before it
    step: int = 0  # of those with the same number, which are in order

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands in the ledger."""
        return self.number, self.step

    @property
    def leaves(self) -> bool:
        """Is the seat's player gone for good by it?"""
        return isinstance(self.action, Leave) or (isinstance(self.action, Late) and self.action.out)


class Snapshot(Struct, frozen=True):
    """Where to take the game up again: a stage, the state it starts from, and the moves before it."""

    number: int
    stage: str
    state: bytes


def standing(ledger: Iterable[Move]) -> list[Move]:
    """The moves that stand: each undo takes that seat's last one back."""
    moves: list[Move] = []
    for move in ledger:
        if isinstance(move.action, Undo):
            del moves[max(nth for nth, each in enumerate(moves) if each.seat == move.seat)]
        else:
            moves.append(move)
    return moves
