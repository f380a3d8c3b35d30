"""The law of playouts: played on quickly, as bots do, a game comes to the same."""

from collections.abc import Iterable
from itertools import takewhile

from strifebarge.fuzz.acts import GameOperation, GameSetup, act
from strifebarge.fuzz.law import Law, must, no_crash
from strifebarge.fuzz.patience import time_limit
from strifebarge.rules.action import Leave
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.playout import Playout


def must_play_alike(setting: GameSetup, seed: str, ops: Iterable[GameOperation]) -> int:
    """Check that a playout has the state, questions and result of a match, act by act, up to the first undo.

    Returns how many acts were compared.  Raises Unlawful.
    """
    with time_limit(), no_crash():
        match = setting.begin(seed)
        playout = Playout.of(setting.rules, match.snapshot.stage, match.snapshot.state)
        _must_be_alike(match, playout, 0)
        done = 0
        for op in takewhile(lambda op: op.do != "undo", ops):
            done += 1
            _act_alike(match, playout, op)
            _must_be_alike(match, playout, done)
        return done


def _act_alike(match: Match, playout: Playout, op: GameOperation) -> None:
    moves = act(match, op)
    if op.do == "leave":
        playout.leave(op.seat, Leave())
        return
    # As it is recorded: a match brings dicts and sets into one order.
    recorded = [move.action for move in moves if move.seat == op.seat]
    playout.choose(op.seat, recorded[0] if recorded else match.pending[op.seat])


def _must_be_alike(match: Match, playout: Playout, acts: int) -> None:
    for name, expected, there in (
        ("state", save(match.game), save(playout.game)),
        ("stage", match.snapshot.stage, playout.snapshot.stage),
        ("result", match.result, playout.result),
        ("waiting", match.waiting_for(), playout.waiting_for()),
        ("options", *([[*each.options(seat)] for seat in each.waiting_for()] for each in (match, playout))),
    ):
        how = f"played on quickly, its {name} differs after act {acts}\n  {expected!r:.400}\n  {there!r:.400}"
        must(expected == there, Law.PLAYOUT, how)
