"""Acts: settings to play at, things done one by one, and a match as it comes out of a store."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from strifebarge.rules import Action, Chance, Game, Options
from strifebarge.rules.action import FRAMEWORK, Late
from strifebarge.rules.ledger import Move, Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json, write
from strifebarge.rules.schema import actions, every_options, options_type, seat_numbers, slug, usual_seats
from strifebarge.rules.testing import random_choice

MOST_OPTIONS = 8  # more are thinned out to those with one that is not the usual


class GameSetup(NamedTuple):
    """A game, how many play it, and its options."""

    rules: type[Game[Any]]
    seats: int
    options: Options

    def begin(self, seed: str = "law") -> Match:
        return Match.new(self.rules, self.seats, seed, self.options)

    def __str__(self) -> str:
        chosen = (str(value) for value in msgspec.to_builtins(self.options).values())
        return "-".join([slug(self.rules), str(self.seats), *filter(None, chosen)]).lower()


def options_of(rules: type[Game[Any]]) -> list[Options]:
    """Return all options of a game; if they are too many, those in which at most one is not the default."""
    optionses = list(every_options(rules))
    usual = msgspec.to_builtins(options_type(rules)())

    def unusual(options: Options) -> int:
        return sum(value != usual[name] for name, value in msgspec.to_builtins(options).items())

    return optionses if len(optionses) <= MOST_OPTIONS else [each for each in optionses if unusual(each) < 2]


def settings_of(rules: type[Game[Any]]) -> list[GameSetup]:
    """Return a setting for every option, with the fewest seats, the usual number and the most."""
    numbers = seat_numbers(rules)
    seats = sorted({numbers[0], usual_seats(rules), numbers[-1]})
    settings = [GameSetup(rules, number, options) for number in seats for options in options_of(rules)]
    alone = [each for each in options_of(rules) if not {*seats} & {*seat_numbers(rules, each)}]
    settings += [GameSetup(rules, seat_numbers(rules, each)[0], each) for each in alone]
    return [each for each in settings if each.seats in seat_numbers(rules, each.options)]


def viewers(match: Match) -> list[int | None]:
    """Return all viewers: a spectator, and every seat."""
    return [None, *range(len(match.game.seats))]


# -- acts ------------------------------------------------------------------------


class GameOperation(NamedTuple):
    """Something a seat does: a move, taking one back, leaving for good; or lets its time run out."""

    do: str
    seat: int
    action: Action | None = None

    def __str__(self) -> str:
        return f"P{self.seat} {write(self.action) if self.action else self.do}"


Ops = Sequence[GameOperation]
Doing = Callable[[Match], list[Move]]


def act(match: Match, op: GameOperation) -> list[Move]:
    """Do it; the moves this makes.  Raises Refused."""
    match op.do:
        case "undo":
            return [match.undo(op.seat)]
        case "leave":
            return match.leave(op.seat)
        case "late":
            return match.miss(op.seat)
    if op.action is None:
        raise ValueError("a move wants an action")
    return match.move(op.seat, op.action)


def replay_acts(rules: type[Game[Any]], deal: Snapshot, ops: Ops) -> Iterator[Match]:
    """Yield a match from its deal on: before the first act, and after each of them."""
    match = Match(rules, deal)
    match.replay.lines = [*match.opening]
    yield match
    for op in ops:
        act(match, op)
        yield match


def some_op(match: Match, dice: Chance) -> GameOperation:
    """Return what somebody might do now: move, mostly; or change their mind, undo, leave."""
    die = dice.below(100)
    seats = range(len(match.game.seats))
    undoers = [seat for seat in seats if match.can_undo(seat)]
    if undoers and die < 25:
        return GameOperation("undo", undoers[0])
    present = [seat for seat in seats if seat not in match.game.gone]
    if die == 99 and len(present) > 2:
        return GameOperation("leave", dice.choice(present))
    chosen = [seat for seat, action in match.pending.items() if not isinstance(action, Late)]
    changing = chosen and not match.question.final and die > 70
    seat = dice.choice(chosen if changing else match.waiting_for())
    return GameOperation("move", seat, random_choice(match, seat, dice))


# -- put away, and taken up ---------------------------------------------------------


def copy_of(match: Match) -> Match:
    """Return a copy of the match, to be tried out."""
    return Match(match.rules, match.snapshot, match.ledger, match.pending)


def round_trip(match: Match) -> Match:
    """Return the match as it comes back from a store: by way of JSON, and of nothing else."""
    kinds: tuple[type[Action], ...] = (*actions(match.rules), *FRAMEWORK)

    def stored(action: Any) -> Any:
        return from_json(msgspec.json.decode(msgspec.json.encode(action)), kinds)

    moves = [msgspec.structs.replace(move, action=stored(move.action)) for move in match.ledger]
    pending = {seat: stored(action) for seat, action in match.pending.items()}
    return Match(match.rules, match.snapshot, moves, pending)
