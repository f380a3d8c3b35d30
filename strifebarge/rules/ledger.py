"""The ledger of a match: its moves in order, and the states from which it is taken up."""

from collections.abc import Iterable

from msgspec import Struct

from strifebarge.rules.action import Action, Late, Leave, Undo


class Move(Struct, frozen=True):
    """A move: an action of a seat.  Numbers count from 1 and never go back, even on undo.

    The steps of a composition have one number together, since the others may not know how many they are.
    """

    number: int
    seat: int
    action: Action
    final: bool = False  # there is no taking back this move, nor any before it
    step: int = 0  # of those with the same number, which are in order

    @property
    def ledger_position(self) -> tuple[int, int]:
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


def standing_moves_of(ledger: Iterable[Move]) -> list[Move]:
    """Return the moves that stand: each undo removes that seat's last one."""
    moves: list[Move] = []
    for move in ledger:
        if isinstance(move.action, Undo):
            del moves[max(index for index, each in enumerate(moves) if each.seat == move.seat)]
        else:
            moves.append(move)
    return moves
