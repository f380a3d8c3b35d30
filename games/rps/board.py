"""Rock-Paper-Scissors as one viewer sees it: the hands there are to throw, and the last throw."""

from typing import NamedTuple

from strifebarge.rules.board import BoardView

from .rules import BEATS, Hand, RockPaperScissors, Throw, Thrower

View = BoardView[RockPaperScissors, Thrower]
THROWN = "{first:You throw| throws} {one}, {second:you throw| throws} {other}."
CUES = {"{seat:You} won the throw.": "trick"}
ORDER = Hand.ROCK, Hand.PAPER, Hand.SCISSORS


class Choice(NamedTuple):
    """A hand that the viewer may throw; `chosen` while the other has not chosen yet."""

    hand: Hand
    action: Throw
    chosen: bool


class Thrown(NamedTuple):
    """A seat and its last throw, if there was one, and whether that won."""

    seat: Thrower
    hand: Hand | None
    won: bool


class Board(NamedTuple):
    """The things that `board.html` and `text.html` show."""

    choices: list[Choice]  # none where the viewer is not asked
    chosen: Hand | None
    duel: list[Thrown]  # the other seat first, as it is across the table
    thrown: bool  # there was a throw
    draw: bool  # both threw the same
    at: int  # the number of the move by which the last throw was seen; 0 before the first


def board(view: View) -> Board:
    """Return the hands to choose from, and both seats with their last throw."""
    last = view.game.last
    chosen = Hand(view.choice.split()[-1]) if view.choice else None
    duel = [_thrown(view, seat) for seat in view.game.seats]
    mine = view.you.number if view.you else 1
    return Board(
        choices=[Choice(hand, Throw(hand), hand is chosen) for hand in ORDER] if view.offers else [],
        chosen=chosen,
        duel=[duel[1 - mine], duel[mine]],
        thrown=bool(last),
        draw=len({*last}) == 1,
        at=max((line.number for line in view.lines if line.text.get("text") == THROWN), default=0),
    )


text = board


def _thrown(view: View, seat: Thrower) -> Thrown:
    """Return what a seat threw, and whether it beats what the other threw."""
    last = view.game.last
    if not last:
        return Thrown(seat, None, won=False)
    loser, _ = BEATS[last[seat.number]]
    return Thrown(seat, last[seat.number], won=last[1 - seat.number] is loser)
