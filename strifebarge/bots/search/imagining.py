"""Imagining: whole games that look just like the one that a seat sees.

The hidden places of the view with which the stage began are filled with what may lie there, by the author's
`imagine` where a game has one.  Then the stage is played again: the seat's own acts, and guesses of what the
others did.  Chance is steered to what it led to.  What does not come to the very bytes that the seat saw is
mended a little, and then dropped.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import islice, product
from typing import Any, NamedTuple

from strifebarge.bots.search.filling import Filling, hidden_game, key, places
from strifebarge.bots.search.guessing import guesses, news
from strifebarge.bots.search.sighting import ObservedStep, Sighting
from strifebarge.bots.search.steering import Roll, SteeredChance, Trial, steer
from strifebarge.rules import Action, Chance, Game
from strifebarge.rules.action import Late, Leave
from strifebarge.rules.codec import load, save
from strifebarge.rules.playout import Playout

REFILLED = 60  # times that a filling is changed before it is dropped
GUESSED = 40  # answers that are tried for one question
FEW = 8  # of them, none of which is likely, where the filling may be what is wrong
PATIENCE = 4  # times that chance is begun anew, where it has to come out alike
TRIALS = 600  # of other answers and of other chance, after which a filling is dropped
EASILY = 16  # steps of games, for each that is wanted, up to which more of them are worth their time

Acts = tuple[tuple[int, Action], ...]  # the seats that act at one question, and what they do
Taken = tuple[Acts, Roll]  # and the chance that follows


class World(NamedTuple):
    """A whole game that looks to the seat just like the real one."""

    rules: type[Game[Any]]
    stage: str
    state: bytes
    opening: Roll = Roll("")  # the chance before the first question
    taken: tuple[Taken, ...] = ()

    def playout(self) -> Playout:
        """Return this game as it stands now."""
        game = load(self.rules, self.state)
        if self.opening.seed:
            game.chance = SteeredChance(self.opening, game.chance.drawn)
        playout = Playout(self.rules, self.stage, game)
        for acts, roll in self.taken:
            take(playout, acts, roll)
        return playout


def take(playout: Playout, acts: Acts, roll: Roll) -> None:
    """Let seats act as they did at one question, with this chance."""
    chance = playout.game.chance
    if isinstance(chance, SteeredChance):
        chance.roll(roll)
    for seat, action in acts:
        if isinstance(action, Leave) or (isinstance(action, Late) and action.out):
            playout.leave(seat, action)
        else:
            playout.choose(seat, action)


class ImaginedGames(NamedTuple):
    """Games that were imagined: those that passed the check, and how many were tried."""

    worlds: list[World]
    tried: int
    certain: bool = False  # there is but one such game


def never() -> bool:
    """Return False: there is time for all."""
    return False


def imagine(
    sighting: Sighting,
    count: int,
    tries: int,
    dice: Chance,
    enough: Callable[[], bool] = never,
    has_imagined: Callable[[], bool] = never,
) -> ImaginedGames:
    """Return up to `wanted` games that look just like what was seen, or one for each of the `tries` where
    they come easily; none if no try passes.

    `enough` is asked again and again, and may end it; `has_imagined` may end it too, once there is a game.
    """
    worlds: list[World] = []
    tried = steps = 0

    def suffices() -> bool:
        return len(worlds) >= count and steps >= count * EASILY

    while not suffices() and tried < tries and not (worlds and has_imagined()) and not enough():
        tried += 1
        seed = f"{dice.below(2**128):x}"
        # What is imagined wrongly may fail anywhere in an author's code.
        with suppress(Exception):
            imagining = _Imagining(sighting, Chance(seed, name="imagining"), seed, enough)
            world = imagining.world()
            steps += 1 + len(sighting.steps) + imagining.trials
            if world:
                worlds.append(world)
                if imagining.is_certain:
                    return ImaginedGames([world], tried, certain=True)
    return ImaginedGames(worlds, tried)


def filled(sighting: Sighting, dice: Chance) -> Filling:
    """Return the game with which the stage began, its hidden places filled with what may lie there.

    Raises NothingFits, and whatever the author's `imagine` raises.
    """
    game = hidden_game(sighting.rules, sighting.start, sighting.seat, dice.seed)
    unseen = [slot for slot in places(game) if slot.item is None]
    game.imagine(sighting.game, game.seats[sighting.seat], dice)
    return Filling(game, unseen, dice)


class _Imagining:
    """One try to imagine a game."""

    def __init__(self, sighting: Sighting, dice: Chance, seed: str, enough: Callable[[], bool]):
        self.sighting, self.dice, self.seed, self.enough = sighting, dice, seed, enough
        self.filling = filled(sighting, dice)
        self.game = self.filling.game
        self.trials = 0
        self.is_patient = False
        # There is but one such game: nothing is hidden, drawn, or left open by what was seen.
        self.is_certain = not self.filling.free

    def world(self) -> World | None:
        """Return a game that looks just like what was seen, or None if this does not come to one."""
        for _ in range(REFILLED):
            if self._is_over() or save(self.game, self.sighting.seat) != self.sighting.start:
                return None
            steps, target, other = self._followed()
            if steps:
                return steps
            if not self.filling.repair(target, other):
                break
        self.is_patient = True  # nothing can be mended: only chance may come out otherwise
        return self._followed()[0]

    def _followed(self) -> tuple[World | None, bytes, bytes]:
        """Return the game played up to now, if it looks as it did at every step; else what was seen at the
        first step at which it does not, and what is seen there in this game.
        """
        sighting = self.sighting
        world = World(sighting.rules, sighting.stage, save(self.game))
        trial = self._opened(world)
        if trial.view != sighting.opened:
            return None, sighting.opened, trial.view
        world = world._replace(opening=trial.roll)
        for index, step in enumerate(sighting.steps):
            step_result = self._step(world, trial, step, f"{self.seed} {index}")
            if step_result is None:
                return None, step.view, trial.view
            acts, trial = step_result
            if trial.view != step.view:
                return None, step.view, trial.view
            world = world._replace(taken=(*world.taken, (acts, trial.roll)))
        if trial.playout.game.chance.drawn:
            self.is_certain = False
        return (world if _asks_alike(trial.playout, sighting) else None), b"", b""

    def _opened(self, world: World) -> Trial:
        """Return the game at its first question, as alike to what was seen as it comes out."""

        def attempt(roll: Roll) -> Trial:
            return self._trial(world._replace(opening=roll).playout(), roll)

        trial = self._steered(attempt(Roll(self.seed)), self.sighting.opened, attempt)
        for index in range(1, PATIENCE if self.is_patient else 1):
            if trial.view == self.sighting.opened or not trial.drawn or self._is_over():
                break
            trial = self._steered(attempt(Roll(f"{self.seed} {index}")), self.sighting.opened, attempt)
        return trial

    def _step(self, world: World, before: Trial, step: ObservedStep, seed: str) -> tuple[Acts, Trial] | None:
        """Return how a question was answered, perhaps, and what came of it: as the seat saw it if that can
        be, else by the likeliest answer; None if it could not be answered.
        """
        if step.unseen or before.playout.result:
            return None
        ways, likely = _ways(before.playout, step, before.view, self.dice)
        if not likely and len(ways) > 1:
            self.is_certain = False
        enough = min(max(likely, FEW) if self.filling.free else len(ways), len(ways))
        fresh: list[Playout] = [before.playout]
        first: tuple[Acts, Trial] | None = None
        drawn = False
        for index in range(enough * PATIENCE if self.is_patient else enough):
            acts = ways[index % enough]
            self.trials += index > 0

            def attempt(roll: Roll, acts: Acts = acts) -> Trial:
                playout = fresh.pop() if fresh else world.playout()
                take(playout, acts, roll)
                return self._trial(playout, roll)

            trial = self._steered(attempt(Roll(f"{seed} {index}")), step.view, attempt)
            if trial.view == step.view:
                return acts, trial
            first, drawn = first or (acts, trial), drawn or bool(trial.drawn)
            if self._is_over() or (index + 1 == enough and not drawn):
                break
        return first

    def _trial(self, playout: Playout, roll: Roll) -> Trial:
        """Return how a game looks after a roll."""
        chance = playout.game.chance
        drawn = [*chance.noted] if isinstance(chance, SteeredChance) else []
        return Trial(roll, playout, save(playout.game, self.sighting.seat), drawn)

    def _steered(self, first: Trial, target: bytes, attempt: Callable[[Roll], Trial]) -> Trial:
        """Return what looks most like what is wanted: a trial, or one in which chance differs a little."""
        if first.view == target or not first.drawn:
            return first

        def bounded(roll: Roll) -> Trial | None:
            self.trials += 1
            return None if self._is_over() else attempt(roll)

        return steer(first, target, bounded)

    def _is_over(self) -> bool:
        """Return whether this has been tried for long enough."""
        return self.trials >= TRIALS or self.enough()


def _ways(playout: Playout, step: ObservedStep, before: bytes, dice: Chance) -> tuple[list[Acts], int]:
    """Return how a question may have been answered, the likeliest first, and how many of these are likely:
    what they name has come into view.
    """
    new = news(before, step.view)
    seats = [seat for seat, _ in step.acts]
    each = [
        [(1, action)] if action is not None else guesses(playout, seat, new, dice)[:GUESSED]
        for seat, action in step.acts
    ]
    together = islice(product(*each), GUESSED**2)
    answers = sorted(together, key=lambda answer: -sum(score for score, _ in answer))[:GUESSED]
    ways = [tuple(zip(seats, (action for _, action in answer), strict=True)) for answer in answers]
    return ways, sum(all(score > 0 for score, _ in answer) for answer in answers)


def _asks_alike(playout: Playout, sighting: Sighting) -> bool:
    """Return whether this seat is asked the same, beside the same others.

    Where all compose side by side, finished seats may compose later here: no other seat has seen it.
    """
    prompted = {*playout.prompts}
    same = prompted >= {*sighting.waiting} if playout.question.composed else prompted == {*sighting.waiting}
    if playout.result or not same:
        return False
    return {*map(key, playout.offers(sighting.seat))} == {*map(key, sighting.offers)}
