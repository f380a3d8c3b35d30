"""Short whole games, found by playing: nothing is known of a game but its rules.

A test of a way of playing plays every game to its end by it, and must not take an hour.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from secrets import token_bytes
from typing import Any, NamedTuple

from strifebarge.rules import Action, Chance, Game, Refused
from strifebarge.rules.match import Match
from strifebarge.rules.notation import read
from strifebarge.rules.schema import actions, slug, usual_seats

SEED = "2012" * 16  # of every game at a site with `dealt` for its chance
MOST = 150  # moves of a game that is worth shortening
# By chance nobody is mated for hours; and a war is long, unless one side makes way for the other.
SHORT_GAMES = {
    "chess": ["0 move f2f3", "1 move e7e5", "0 move g2g4", "1 move d8h4"],
    "mirrow": [
        *("0 auto", "0 ready", "1 auto", "1 ready", "0 play 4", "1 play 9"),
        *("1 activate Ivel", "1 sail 4 'Juniper Reach'", "1 stop"),
        *("1 activate Gannet", "1 sail 5 'Hollow Basin'", "1 sail 6 'Hollow Basin'"),
        *("1 sail 8 'Hollow Basin'", "1 stop", "1 end_turn"),
        *("0 activate 'Alder Reach'", "0 sail 1 Mirrow", "0 stop"),
        *("0 activate Bittern", "0 sail 5 'Eel Fen'", "0 sail 5 Gannet", "0 stop", "0 done"),
        *("0 activate Dunmouth", "0 sail 7 'Fallow Fen'", "0 sail 7 Ivel", "0 done", "0 end_turn"),
    ],
}


class Step(NamedTuple):
    """What a seat does."""

    seat: int
    action: Action


Choose = Callable[[Match, int, Chance], Action]


def dealt(size: int) -> bytes:
    """Chance for a referee: codes and keys are as ever, but every game has the same seed."""
    return bytes.fromhex(SEED) if size == len(SEED) // 2 else token_bytes(size)


@cache
def short_game(rules: type[Game[Any]]) -> tuple[Step, ...]:
    """A game from its first question to a result, as short as was found; given up by nobody, if that can be.

    Raises AssertionError where none was found.
    """
    if moves := SHORT_GAMES.get(slug(rules)):
        steps = [[Step(int(words[0]), read(words[2:], actions(rules))) for words in moves]]
    else:
        ways = (_played(rules, choose, 6) for choose in (anything, narrowest, whatever))
        steps = next(filter(None, map(list, ways)), [])
    assert steps, f"no short game of {rules.title} was found"
    whole = _whole(rules, min(steps, key=len))
    assert whole, f"what is known of {rules.title} is no whole game"
    return tuple(_shortened(rules, whole))


def begun(rules: type[Game[Any]]) -> Match:
    return Match.new(rules, usual_seats(rules), SEED)


# -- finding one --------------------------------------------------------------------


def _played(rules: type[Game[Any]], choose: Choose, times: int) -> Iterator[list[Step]]:
    for nth in range(times):
        match, dice, steps = begun(rules), Chance(f"short {nth}"), list[Step]()
        while not match.result and len(steps) < MOST:
            seat = match.waiting_for()[0]
            step = Step(seat, choose(match, seat, dice))
            match.move(*step)
            steps.append(step)
        if match.result:
            yield steps


def _choices(match: Match, seat: int) -> list[Action]:
    """What this seat may do.  What has no fields is left out where it can be: passing, giving up, a draw."""
    view = match.view(seat)
    samples = [kind.sample(view, view.seats[seat], Chance("sample")) for kind in match.classes(seat)]
    every = match.offers(seat) or samples
    return [action for action in every if action.__struct_fields__] or every


def whatever(match: Match, seat: int, dice: Chance) -> Action:
    return dice.choice(match.offers(seat) or _choices(match, seat))


def anything(match: Match, seat: int, dice: Chance) -> Action:
    return dice.choice(_choices(match, seat))


def narrowest(match: Match, seat: int, dice: Chance) -> Action:
    """What leaves the others the least to choose from; what ends the game, before all."""
    choices = dice.shuffled(_choices(match, seat))[:40]
    return min(choices, key=lambda action: _room(match, Step(seat, action)))


def _room(match: Match, step: Step) -> int:
    after = Match(match.rules, match.snapshot, match.ledger, match.pending)
    after.move(*step)
    others = [seat for seat in after.waiting_for() if seat != step.seat]
    return -1 if after.result else sum(len(_choices(after, seat)) for seat in others)


# -- making it shorter --------------------------------------------------------------


def _shortened(rules: type[Game[Any]], steps: Sequence[Step]) -> list[Step]:
    """The same game without what it can do without, as long as it is a whole game still."""
    size = len(steps) // 2
    while size:
        at = 0
        while at < len(steps):
            rest = _whole(rules, [*steps[:at], *steps[at + size :]])
            if rest:
                steps = rest
            else:
                at += 1
        size //= 2
    return list(steps)


def _whole(rules: type[Game[Any]], steps: Sequence[Step]) -> list[Step] | None:
    """These steps as far as the game needs them; None if they are not allowed, or do not end it."""
    match = begun(rules)
    for number, step in enumerate(steps, 1):
        try:
            match.move(*step)
        except Refused:
            return None
        if match.result:
            return list(steps[:number])
    return None
