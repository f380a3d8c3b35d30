"""Thinking is told what a seat sees: in two worlds that look the same it is told the same bytes."""

from collections.abc import Callable
from typing import Any

import pytest

from strifebarge.bots.player.mover import LEAST, MOVES_LEFT, SECONDS, Mover, level_at, seconds_for
from strifebarge.bots.player.task import BotTask, SightingData, decode_task, encode
from strifebarge.bots.search.sighting import sighting
from strifebarge.fuzz.acts import settings_of
from strifebarge.rules import Chance, Game
from strifebarge.rules.codec import hides
from strifebarge.rules.match import Match
from strifebarge.rules.replay import STEP
from strifebarge.rules.testing import random_choice
from strifebarge.tables.model.bots import LEVELS
from tests.bots.search.test_fair import pair
from tests.rules.every_setting import EVERY_GAME, TITLES

BytesOf = Callable[[Match, int], bytes]


def honest(match: Match, seat: int) -> bytes:
    return encode(BotTask(SightingData.of(sighting(match, seat)), "easy", "a secret of this seat", 1.0))


def cheat(match: Match, seat: int) -> bytes:
    """A task whose view is the match itself."""
    task = decode_task(honest(match, seat))
    return encode(
        BotTask(
            SightingData(**{**_fields(task.sighting), "start": match.snapshot.state}), "easy", task.seed, 1.0
        )
    )


def _fields(seen: SightingData) -> dict[str, Any]:
    return {name: getattr(seen, name) for name in seen.__struct_fields__}


def must_be_alike(rules: type[Game[Any]], bytes_of: BytesOf, pairs: range) -> int:
    """Check that both worlds of each pair are told alike; return how many pairs differed."""
    differed = 0
    for nth in pairs:
        if difference := pair(rules, nth):
            here, there, seat, differs = difference
            assert bytes_of(here, seat) == bytes_of(there, seat), f"pair {nth} is told otherwise"
            differed += differs
    return differed


@EVERY_GAME
def test_thinking_is_told_the_same_in_worlds_that_look_the_same(rules):
    assert must_be_alike(rules, honest, range(6)) or not hides(rules)


def test_a_task_that_holds_the_match_is_caught():
    with pytest.raises(AssertionError, match="told otherwise"):
        must_be_alike(TITLES["strifebarge"].rules, cheat, range(20))


@EVERY_GAME
def test_a_sighting_comes_back_from_its_bytes_as_it_was(rules):
    match, dice = settings_of(rules)[0].begin("told"), Chance("told")
    for _ in range(10):
        if match.result:
            break
        seat = dice.choice(match.waiting_for())
        seen = sighting(match, seat)
        task = BotTask(SightingData.of(seen), "hard", "a secret", 2.0)
        assert decode_task(encode(task)) == task
        assert decode_task(encode(task)).sighting.sighting() == seen
        match.move(seat, random_choice(match, seat, dice))


class OneSecret:
    """A referee of whom nothing is asked but the site's secret."""

    class store:
        @staticmethod
        def secret(name: str, make: Callable[[], str]) -> str:
            return "the site's own"


def test_each_table_and_seat_has_a_seed_of_its_own_that_stays():
    mover: Any = Mover(OneSecret())  # type: ignore[arg-type]
    seeds = {mover.seed(table, seat) for table in ("AAAAAAAA", "BBBBBBBB") for seat in range(12)}
    assert len(seeds) == 24
    assert Mover(OneSecret()).seed("AAAAAAAA", 0) in seeds  # type: ignore[arg-type]


def test_a_bot_thinks_as_hard_as_it_can_about_the_first_steps_of_a_composition_alone():
    number = 17
    assert [level_at(level, number) for level in LEVELS] == [*LEVELS]
    assert [level_at("hard", number + STEP * step) for step in (1, 3, 4, 9)] == [
        *("hard", "hard", "medium", "medium")
    ]
    assert level_at("easy", number + STEP * 9) == "easy"


def test_a_clock_leaves_less_time_to_think_and_never_none():
    for level in LEVELS:
        assert seconds_for(level, None) == seconds_for(level, 3600.0) == SECONDS[level]
        assert seconds_for(level, MOVES_LEFT / 2) == 0.5
        assert seconds_for(level, 0.0) == seconds_for(level, None, share=0.0) == LEAST
    assert seconds_for("hard", None, share=0.5) == SECONDS["hard"] / 2
