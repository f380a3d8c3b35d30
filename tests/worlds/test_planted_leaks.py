"""Whoever looks for leaks must be seen to find them: each that is planted is found by the same comparison."""

from pathlib import Path

import pytest

from . import knowledge
from .leaks import CARDS, HANDS, LEAKS, LONG, SEA, WATCHED, Planted
from .pairs import Company, Pair, Scene
from .test_two_worlds import ask_everything
from .worlds import Leak, Twins

TRIES = 4
BY_ITS_OWN_WORD = [each for each in LEAKS if each.scene in (CARDS, WATCHED)]


@pytest.fixture
def twins(tmp_path: Path) -> Twins:
    return Twins(tmp_path)


def ask(twins: Twins, scene: Scene, tries: int = TRIES) -> None:
    """The comparison itself, as it is made of every game, from a few deals."""
    company = Company(twins)
    for nth in range(tries):
        ask_everything(Pair(twins, company, scene._replace(nth=nth)).play(), 30)


@pytest.mark.parametrize("scene", [CARDS, LONG, WATCHED, SEA, HANDS], ids=str)
def test_where_nothing_is_planted_nothing_is_found(twins: Twins, scene: Scene) -> None:
    ask(twins, scene, 1)
    assert twins.tally["requests"] > 50


@pytest.mark.parametrize("planted", LEAKS, ids=lambda planted: planted.name)
def test_a_planted_leak_is_found(twins: Twins, planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    planted.plant(twins, monkeypatch)
    with pytest.raises(Leak) as found:
        ask(twins, planted.scene)
    print(found.value)


@pytest.mark.parametrize("planted", BY_ITS_OWN_WORD, ids=lambda planted: planted.name)
def test_a_leak_in_a_game_nobody_described_is_found(
    twins: Twins, planted: Planted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knowledge, "WRITTEN", {})
    planted.plant(twins, monkeypatch)
    with pytest.raises(Leak) as found:
        ask(twins, planted.scene)
    print(found.value, twins.tally["pairs"])


def test_there_are_leaks_of_every_kind() -> None:
    assert len(LEAKS) >= 14
    assert len({planted.name for planted in LEAKS}) == len(LEAKS)
