"""The view of a bot: all that a person in its seat could have seen of the stage, and nothing else."""

from typing import Any, NamedTuple

from strifebarge.rules import Action, Game
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.codec import load, save
from strifebarge.rules.match import Match
from strifebarge.rules.notation import write
from strifebarge.rules.replay import Replay

Acts = tuple[tuple[int, Action | None], ...]


class ObservedStep(NamedTuple):
    """How a question was answered since the stage began, and what the seat saw then."""

    acts: Acts  # the seats that acted; of others than the bot's own seat what they did is not told
    view: bytes
    unseen: bool = False  # others composed it: nobody is told in how many steps


class Sighting(NamedTuple):
    """All that one seat has seen of a stage up to its question."""

    rules: type[Game[Any]]
    seat: int
    stage: str
    start: bytes  # the view with which the stage began
    opened: bytes  # the view at the first question of the stage
    steps: tuple[ObservedStep, ...]
    waiting: tuple[int, ...]  # the seats that are asked now
    offers: tuple[Action, ...]
    classes: tuple[type[Action], ...]

    @property
    def now(self) -> bytes:
        """The view as it is now."""
        return self.steps[-1].view if self.steps else self.opened

    @property
    def game(self) -> Game[Any]:
        """The game as the seat sees it now; None in the place of what is hidden from it."""
        return load(self.rules, self.now, whole=False)

    @property
    def offer_texts(self) -> list[str]:
        """The offers in words."""
        return [write(action) for action in self.offers]


def sighting(match: Match, seat: int) -> Sighting:
    """Return what a seat that is asked has seen of the stage that is played."""
    replay = Replay(match.rules, match.snapshot)
    opened, steps = save(replay.game, seat), []
    acts: list[tuple[int, Action | None]] = []
    unseen, withheld = False, match.withheld(seat)
    for move in match.moves:
        if move.ledger_position in withheld:
            continue
        question, visible = replay.question, move.seat == seat or isinstance(move.action, FRAMEWORK)
        unseen |= question.composed is not None and not visible
        acts.append((move.seat, move.action if visible else None))
        replay.take(move)
        if replay.question is not question:
            seen_acts = _once(acts) if unseen else tuple(acts)
            steps.append(ObservedStep(seen_acts, save(replay.game, seat), unseen))
            acts, unseen = [], False
    if acts:
        steps.append(ObservedStep(tuple(acts), save(replay.game, seat), unseen))
    return Sighting(
        rules=match.rules,
        seat=seat,
        stage=match.snapshot.stage,
        start=save(load(match.rules, match.snapshot.state), seat),
        opened=opened,
        steps=tuple(_joined(steps)),
        waiting=tuple(sorted(match.prompts)),
        offers=tuple(match.offers(seat)),
        classes=tuple(match.classes(seat)),
    )


def _once(acts: list[tuple[int, Action | None]]) -> Acts:
    return tuple(dict(acts).items())


def _joined(steps: list[ObservedStep]) -> list[ObservedStep]:
    """Return the steps with those in one that others have composed, one after the other."""
    joined: list[ObservedStep] = []
    for step in steps:
        if step.unseen and joined and joined[-1].unseen:
            step = ObservedStep(_once([*joined[-1].acts, *step.acts]), step.view, unseen=True)
            joined.pop()
        joined.append(step)
    return joined
