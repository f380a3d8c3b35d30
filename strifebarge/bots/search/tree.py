"""A tree of what may be chosen, grown over many imagined games at once (UCT over information sets).

A branch is what was chosen, and not what came of it: so it holds for all games that look the same.  Seats
that are asked together choose without knowing of each other.
"""

from collections.abc import Callable
from math import log, sqrt

from strifebarge.bots.search.playing import values
from strifebarge.rules import Action, Chance
from strifebarge.rules.playout import Playout

CURIOSITY = 1.2  # how much a choice gains by having been tried less often, in standard deviations


class ChoiceStats:
    """How often one choice could be tried and was, and what came of it."""

    __slots__ = ("action", "possible", "times", "total")

    def __init__(self, action: Action):
        self.action = action
        self.possible = self.times = 0
        self.total = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.times if self.times else 0.0


class Choices:
    """The choices of one seat at a question, and how much what came of it differs."""

    __slots__ = ("of", "squares", "times", "total")

    def __init__(self) -> None:
        self.of: dict[str, ChoiceStats] = {}
        self.times = 0
        self.total = self.squares = 0.0

    def note(self, tried: ChoiceStats, worth: float) -> None:
        """Note what came of a choice."""
        tried.times += 1
        tried.total += worth
        self.times += 1
        self.total += worth
        self.squares += worth * worth

    @property
    def spread(self) -> float:
        """The standard deviation of what came of all choices: it tells how much is still unknown."""
        if not self.times:
            return 0.5
        mean = self.total / self.times
        return sqrt(max(0.0, self.squares / self.times - mean * mean))

    def pick(self, actions: list[Action], dice: Chance) -> ChoiceStats:
        """Return the choice that promises most of these, one that was never tried before any other."""
        of = self.of
        choices = [
            of.get(name) or of.setdefault(name, ChoiceStats(action)) for name, action in _named(actions)
        ]
        for tried in choices:
            tried.possible += 1
        if new := [tried for tried in choices if not tried.times]:
            return dice.choice(new)
        curiosity = CURIOSITY * self.spread
        return max(choices, key=lambda each: each.mean + curiosity * sqrt(log(each.possible) / each.times))


def _named(actions: list[Action]) -> list[tuple[str, Action]]:
    return [(repr(action), action) for action in actions]


class Node:
    """A question in the tree: for each seat what it may choose, and where that leads."""

    __slots__ = ("next", "of")

    def __init__(self) -> None:
        self.next: dict[tuple[str, ...], Node] = {}
        self.of: dict[int, Choices] = {}


def grow(
    root: Node,
    playout: Playout,
    seat: int,
    arms: list[Action],
    dice: Chance,
    enough: Callable[[], bool],
) -> None:
    """Play one imagined game along the tree, one question further than before, and note what came of it.

    `enough` is asked between any two choices; where it says so nothing is noted.
    """
    node, way = root, list[tuple[int, Choices, ChoiceStats]]()
    while not playout.result and not enough():
        seats = playout.waiting_for()
        if playout.question.settled_by == "any" and len(seats) > 1:
            seats = [seat] if node is root else [dice.choice(seats)]
        picked = []
        for number in seats:
            actions = arms if node is root and number == seat else playout.legal(number, dice)
            if not actions:
                break
            choices = node.of.setdefault(number, Choices())
            picked.append((number, choices, choices.pick(actions, dice)))
        if len(picked) < len(seats):
            break
        way += picked
        for number, _, tried in picked:
            playout.choose(number, tried.action)
        if not all(tried.times for _, _, tried in picked):
            break
        node = node.next.setdefault(tuple(repr(tried.action) for _, _, tried in picked), Node())
    worth = values(playout, dice, enough)
    if enough():
        return
    for number, choices, tried in way:
        choices.note(tried, worth[number])
