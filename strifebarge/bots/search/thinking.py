"""Thinking: what a bot chooses, by playing imagined games on."""

from collections.abc import Callable
from hashlib import sha256
from math import ceil
from typing import Any, NamedTuple

from strifebarge.bots.search.imagining import World, imagine, never
from strifebarge.bots.search.playing import FastChance, has_worth, values
from strifebarge.bots.search.sighting import Sighting
from strifebarge.bots.search.tree import ChoiceStats, Node, grow
from strifebarge.rules import Action, Chance, Game, Refused
from strifebarge.rules.codec import save
from strifebarge.rules.playout import Playout
from strifebarge.rules.validity import refusal

ALIKE = 24  # choices in which a stage begun anew must go as it would have gone
SAMPLES = 24  # of each class of actions on offer
TRIES = 4  # to imagine each game that is wanted
WIDEST = 24  # choices from which a tree is grown, or that share the playouts of a level
PER_MILLE = 1000
GLANCES = 6  # playouts for each of more choices than these


class Level(NamedTuple):
    """How hard a bot thinks: in numbers and not in time, so that it can be measured."""

    worlds: int  # games imagined at most
    playouts: int  # games played on at most
    deep: bool = False  # whether it looks for what the others would best do
    overlooks: float = 0.0  # the share of its choices that it does not see, as beginners do not


LEVELS = {
    "easy": Level(2, 40, overlooks=0.75),
    "medium": Level(8, 250),
    "hard": Level(32, 2000, deep=True),
}


class Thought(NamedTuple):
    """The choice of a bot, and what that rests on."""

    action: Action
    worlds: int  # imagined games that look just like what was seen; 0: it chose among the offers by chance
    tried: int  # games it tried to imagine
    playouts: int
    worth: float  # what it expects, from 0 to 1

    @property
    def is_grounded(self) -> bool:
        """Return whether it rests on imagined games that passed the check, or there was nothing to choose."""
        return self.worlds > 0


class SearchTask(NamedTuple):
    """A choice to be made by playing games on."""

    seat: int
    worlds: list[World]  # imagined games
    arms: list[Action]  # to choose from
    playouts: int  # games played on at most
    dice: Chance
    enough: Callable[[], bool]  # asked between playouts


def think(
    sighting: Sighting,
    level: Level,
    seed: str,
    enough: Callable[[], bool] = never,
    has_imagined: Callable[[], bool] = never,
) -> Thought:
    """Return what to choose at the question that was seen.

    `seed` is a secret of this table and seat: by it alone, and by what was seen, the choice is made.
    `enough` is asked between any two choices of imagined games, and may end them; `has_imagined` is asked
    once a game has been imagined, and says whether those at hand must do.  Raises LookupError if there is
    nothing to choose.
    """
    moment = sha256(
        repr([sighting.stage, sighting.start, sighting.steps, sighting.offer_texts]).encode()
    ).hexdigest()
    dice = FastChance(f"{seed} {moment}")
    arms = _arms(sighting, dice)
    if not arms:
        raise LookupError("there is nothing to choose")
    if level.overlooks:
        arms = _seen_choices(arms, level.overlooks, dice)
    imagined = imagine(sighting, level.worlds, level.worlds * TRIES, dice, enough, has_imagined)
    if not imagined.worlds or len(arms) == 1:
        return Thought(dice.choice(arms), len(imagined.worlds), imagined.tried, 0, 0.5)
    worlds = [_shorter(each, dice) if imagined.certain else each for each in imagined.worlds]
    thinking = _deeply if level.deep and _looks_ahead(sighting) else _broadly
    best, playouts = thinking(SearchTask(sighting.seat, worlds, arms, level.playouts, dice, enough))
    return Thought(best.action, len(imagined.worlds), imagined.tried, playouts, best.mean)


def _seen_choices(arms: list[Action], overlooked: float, dice: Chance) -> list[Action]:
    """Return the choices that are seen: one, and each of the others unless chance lets it be overlooked."""
    first, *others = dice.shuffled(arms)
    return [first, *[action for action in others if dice.below(PER_MILLE) >= overlooked * PER_MILLE]]


def _looks_ahead(sighting: Sighting) -> bool:
    """Return whether what others would best do counts: not where a choice is judged as soon as it is made."""
    return sighting.rules.ahead > 0 or not has_worth(sighting.game)


def _shorter(world: World, dice: Chance) -> World:
    """Return the same game with its stage begun anew from here, if it goes on in the same way as far as can
    be seen: so the moves of the stage need not be played each time.
    """
    state = save(world.playout().game)
    short = World(world.rules, world.stage, state)
    for _ in range(2):
        playout, there = world.playout(), short.playout()
        for _ in range(ALIKE):
            if playout.result or there.result:
                break
            alike = save(playout.game) == save(there.game) and playout.waiting_for() == there.waiting_for()
            if not alike or not playout.waiting_for():
                return world
            seat = playout.waiting_for()[0]
            if repr(playout.options(seat)) != repr(there.options(seat)):
                return world
            action = playout.random(seat, dice)
            if action is None:
                return world
            playout.choose(seat, action)
            there.choose(seat, action)
        if playout.result != there.result:
            return world
    return short


def _arms(sighting: Sighting, dice: Chance) -> list[Action]:
    """Return what to choose from: the offers, and where there are none samples of the classes."""
    single = [action for action in sighting.offers if action.for_bots] or [*sighting.offers]
    if single or not sighting.classes:
        return single
    game = sighting.game
    you = game.seats[sighting.seat]
    samples = [kind.sample(game, you, dice) for kind in sighting.classes for _ in range(SAMPLES)]
    return [*{repr(each): each for each in samples if _may_be(game, you, each)}.values()]


def _may_be(game: Game[Any], you: Any, action: Action) -> bool:
    try:
        return refusal(game, you, action) is None
    except (AttributeError, TypeError, Refused):  # it asks for what is hidden: the referee will judge
        return True


def _broadly(task: SearchTask) -> tuple[ChoiceStats, int]:
    """Compare the choices by playing on after each of them alike, more often where there are many."""
    playouts = ceil(task.playouts * max(1.0, len(task.arms) / WIDEST))
    left, played = _best(task._replace(playouts=playouts), 1)
    return left[0], played


def _deeply(task: SearchTask) -> tuple[ChoiceStats, int]:
    """Grow a tree over all worlds, in which every seat looks for what is best for it.

    Of very many choices the best are looked for first, with a few playouts of each.
    """
    played = 0
    if len(task.arms) > WIDEST:
        few = min(task.playouts // 2, GLANCES * len(task.arms))
        left, played = _best(task._replace(playouts=few), WIDEST)
        task = task._replace(arms=[tried.action for tried in left])
    seat, worlds, dice = task.seat, task.worlds, task.dice
    root, least = Node(), played + len(task.arms)
    while played < max(task.playouts, least) and not task.enough():
        grow(root, _on(worlds[played % len(worlds)], dice), seat, task.arms, dice, task.enough)
        played += 1
    tried = [*root.of[seat].of.values()] if seat in root.of else [ChoiceStats(task.arms[0])]
    return max(tried, key=lambda each: (each.times, each.mean)), played


def _best(task: SearchTask, count: int) -> tuple[list[ChoiceStats], int]:
    """Return the best few choices, the best first: after each it is played on alike, and the worse half of
    them dropped, again and again.
    """
    seat, worlds, dice = task.seat, task.worlds, task.dice
    left = [ChoiceStats(action) for action in dice.shuffled(task.arms)]
    rounds = max(1, ((len(left) - 1) // count).bit_length())
    played = 0
    while len(left) > count:
        for index in range(max(1, task.playouts // (rounds * len(left)))):
            world = worlds[(index + played) % len(worlds)]
            others = _others(world, seat, dice)
            for tried in left:
                playout = _on(world, dice)
                playout.choose(seat, tried.action)
                for number, action in others:
                    playout.choose(number, action)
                worth = values(playout, dice, task.enough)[seat]
                if task.enough():  # it may not have been played on as far as the others
                    return sorted(left, key=lambda each: -each.mean)[:count], played
                tried.times += 1
                tried.total += worth
                played += 1
        left.sort(key=lambda each: -each.mean)
        del left[max(count, (len(left) + 1) // 2) :]
    return left, played


def _others(world: World, seat: int, dice: Chance) -> list[tuple[int, Action]]:
    """Return what the others choose, by chance, where all are asked at once.

    They do not know what the seat chooses, so one answer serves for each choice of the seat.
    """
    playout = world.playout()
    if playout.question.settled_by == "any":
        return []
    seats = [number for number in playout.waiting_for() if number != seat]
    chosen = [(number, playout.random(number, dice)) for number in seats]
    return [(number, action) for number, action in chosen if action is not None]


def _on(world: World, dice: Chance) -> Playout:
    """Return an imagined game to be played on, with chance of its own."""
    playout = world.playout()
    playout.game.chance = dice
    return playout
