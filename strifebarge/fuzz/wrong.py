"""Everything wrong that can be tried at a match, of which must come a reason and nothing else."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from strifebarge.fuzz.acts import settings_of
from strifebarge.fuzz.law import Law, must
from strifebarge.fuzz.laws import check_refusal
from strifebarge.fuzz.patience import time_limit
from strifebarge.rules import Action, Chance, Game, Refusal, Refused
from strifebarge.rules.action import Leave, Undo
from strifebarge.rules.asking import EndGame, NextStage
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json, tag
from strifebarge.rules.schema import actions, form_fields
from strifebarge.rules.testing import random_choice

A_MOMENT = 1.0  # seconds of the processor for the first moves of another game
NONSENSE: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.0, 2.5, 10**400, float("nan"), b"x", object()),
    *("", "0", "x", "A1", "8S", "x" * 5000, "\ud800", "\0"),
    *([], [1], ["A1", "A1"], ["x"] * 50, {}, {"a": 1}),
)


# -- what may come of it -----------------------------------------------------------


def refused_or_read(raw: Any, rules: type[Game[Any]]) -> Refusal | None:
    """Check that what is sent is read as an action of this game, or that there is a reason."""
    try:
        must(isinstance(from_json(raw, actions(rules)), Action), Law.REFUSING, f"{raw!r:.200} is no action")
    except Refused as refused:
        return check_refusal(refused)
    return None


# -- what is tried -----------------------------------------------------------------


def wrong_actions(
    match: Match, seat: int, earlier: Sequence[Action], dice: Chance, foreign: Sequence[Action] = ()
) -> Iterator[Any]:
    """Yield options that may be refused, what could be done before, what others do, and distorted ones.

    `foreign` are actions of other games.
    """
    options = [option for option in match.options(seat) if isinstance(option, Action)]
    offered = [*dice.sample(options, 8), *dice.sample(earlier, 6), *well_formed_ones(match, seat, dice)]
    yield from offered
    for action in [*offered[:1], *offered[-3:]]:
        yield from distorted(action, dice)
    yield from dice.sample([Undo(), Leave(), *foreign], 4)
    yield from dice.sample(NONSENSE, 2)


def well_formed_ones(match: Match, seat: int, dice: Chance) -> Iterator[Action]:
    """Yield actions of every kind, those too that are not asked for now.

    Only kinds on offer are asked for a sample: of others an author need not think.
    """
    view = match.view(seat)
    offered = match.classes(seat) if seat in match.prompts else []
    for kind in actions(match.rules):
        if kind in offered:
            yield kind.sample(view, view.seats[seat], dice)
        for _ in range(4):
            with suppress(msgspec.ValidationError):
                yield made_up(kind, dice)


def made_up(kind: type[Action], dice: Chance) -> Action:
    """Return an action whose fields are chosen from its form."""
    raw: dict[str, Any] = {"do": tag(kind)}
    for field in form_fields(kind):
        least, most = field.least or 0, field.most or 20
        number = str(least + dice.below(most - least + 1))
        samples = [number] if field.kind == "number" else [number, "A1", "Nf3", "x"]
        value = dice.choice([choice.value for choice in field.choices] or samples)
        raw[field.name] = [value] * dice.below(4) if field.kind == "several" else value
    return msgspec.convert(raw, kind, strict=False)


def distorted(action: Action, dice: Chance) -> Iterator[Action]:
    """Yield copies with a field of another kind, as no decoder would make them."""
    for name in action.__struct_fields__:
        for wrong in dice.sample(NONSENSE, 4):
            with suppress(AttributeError, TypeError):  # it tidies its fields itself, and cannot tidy that
                yield msgspec.structs.replace(action, **{name: wrong})


def foreign_actions(games: Iterable[type[Game[Any]]]) -> list[Action]:
    """Return what is done in some other games, but for those that break down or end at once."""
    actions: list[Action] = []
    for rules in games:
        with (
            suppress(Exception, EndGame, NextStage),
            time_limit(),
        ):  # whatever a neighbour's author may have written
            match = settings_of(rules)[0].begin()
            if seats := match.waiting_for():
                actions += [random_choice(match, seats[0], Chance(str(n))) for n in range(3)]
    return actions


def wrong_json(rules: type[Game[Any]], dice: Chance) -> Iterator[Any]:
    """Yield JSON that is nearly an action of this game."""
    for kind in actions(rules):
        yield {"do": tag(kind), **dict.fromkeys(kind.__struct_fields__, dice.choice(NONSENSE))}
        yield {"do": tag(kind), "more": 1}
    yield from dice.sample(NONSENSE, 3)
