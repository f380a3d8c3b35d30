"""Playouts: games played on quickly, for bots that think and nothing that is kept.

A playout comes to the same state, questions and result as a Match does by the same choices.  It keeps no
ledger, tells nothing, undoes nothing and checks nothing: what is chosen must be on offer.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any, Self

from strifebarge.rules.action import Action
from strifebarge.rules.chance import Chance
from strifebarge.rules.codec import load
from strifebarge.rules.game import Game
from strifebarge.rules.ledger import Move, Snapshot
from strifebarge.rules.replay import Replay
from strifebarge.rules.validity import refusal

SAMPLES = 8  # of each class of actions, where nothing else is on offer


class Playout(Replay):
    """A game played on from any stage, as fast as its rules are."""

    def __init__(self, rules: type[Game[Any]], stage: str, game: Game[Any]):
        """Play `game`, which is used up by this, from the beginning of a stage.

        Raises Broken or whatever else faulty rules raise.
        """
        self.rules = rules
        self.number = 0
        self.result = None
        self.lines = []
        self.choices: dict[int, Action] = {}  # answers that wait for those of other seats
        _silence(game)
        self._begin(game, Snapshot(0, stage, b""))
        self._run(None)

    @classmethod
    def of(cls, rules: type[Game[Any]], stage: str, state: bytes) -> Self:
        """Return a playout of a stage from the state that it begins with, as `save` wrote it."""
        return cls(rules, stage, load(rules, state))

    # -- playing ------------------------------------------------------------------

    def choose(self, seat: int, action: Action) -> None:
        """Let a seat choose; the game goes on when the question is answered."""
        self.choices[seat] = action
        if self.is_answered({**self.choices, **self.answers}):
            chosen, self.choices = self.choices, {}
            for number in sorted(chosen):
                self._take(number, chosen[number])

    def leave(self, seat: int, action: Action) -> None:
        """Let a seat go for good, by Leave or by Late(out=True)."""
        self.choices.pop(seat, None)
        self._take(seat, action)
        if self.choices and self.is_answered({**self.choices, **self.answers}):
            for number in sorted(self.choices):
                self._take(number, self.choices[number])
            self.choices = {}

    def _take(self, seat: int, action: Action) -> None:
        before = self.snapshot
        self.take(Move(self.number + 1, seat, action))
        if self.result or self.snapshot is not before:
            self.choices = {}

    def waiting_for(self) -> list[int]:
        """Return the seats that have something to choose and have not."""
        return [seat for seat in self.prompts if seat not in self.choices and seat not in self.answers]

    # -- what may be chosen -------------------------------------------------------

    def legal(self, seat: int, dice: Chance) -> list[Action]:
        """Return the actions that a seat may choose now and bots think of, each once.

        Where whole classes are on offer and nothing else, a few samples of each.
        """
        actions = [action for action in self._single(seat) if not self.reason(seat, action)]
        if not actions:
            actions = [action for action in self._samples(seat, dice) if not self.reason(seat, action)]
        return [*{repr(action): action for action in actions}.values()]

    def random(self, seat: int, dice: Chance) -> Action | None:
        """Return one of the actions that a seat may choose now and bots think of, or None."""
        game, left = self.game, self._single(seat)
        keeper = game.seats[seat]
        while left:
            index = dice.below(len(left))
            action = left[index]
            if refusal(game, keeper, action) is None:
                return action
            left[index] = left[-1]
            left.pop()
        return next((each for each in self._samples(seat, dice) if not self.reason(seat, each)), None)

    def _single(self, seat: int) -> list[Action]:
        options = self.options(seat)
        actions = [each for each in options if isinstance(each, Action) and each.for_bots]
        return actions or [each for each in options if isinstance(each, Action)]

    def _samples(self, seat: int, dice: Chance) -> Iterator[Action]:
        kinds = dice.shuffled(self.classes(seat))
        return chain.from_iterable(
            (kind.sample(self.game, self.game.seats[seat], dice) for kind in kinds) for _ in range(SAMPLES)
        )

    # -- what is left out ---------------------------------------------------------

    def _start_next(self, stage: str) -> None:
        # The game as it stands, and no bytes: that both are the same is a law of every game.
        self._begin(self.game, Snapshot(self.number, stage, b""))

    def _must_offer(self, seat: int) -> None:
        """Let a seat be asked to choose from nothing: `random` returns None then."""

    def collect(self) -> None:
        """Forget what the game has told."""

    def known_to(self, viewer: int | None) -> Game[Any]:
        """Return the game: a playout has nothing to hide, who plays it imagines all of it."""
        return self.game


def _silence(game: Game[Any]) -> None:
    """Let a game tell nothing, whatever it says."""
    game.__dict__.update(log=_tell_nothing, _tell=_tell_nothing, heading=_tell_nothing, blank=_tell_nothing)


def _tell_nothing(*_: Any, **__: Any) -> None:
    """Tell nothing."""
