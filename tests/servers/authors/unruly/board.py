"""The board of a game that goes wrong."""

import itertools
from typing import Any

NOTE = "the author reads this"


def board(view: Any) -> Any:
    match view.game.mood:
        case "board_raises":
            raise LookupError(NOTE)
        case "board_loops_in_c":
            return sum(itertools.repeat(0))
        case "board_undefined":
            return "undefined"
    return None
