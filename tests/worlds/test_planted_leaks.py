"""Whoever looks for leaks must be seen to find them: each that is planted is found by the same comparison."""

from pathlib import Path

import pytest

from . import knowledge
from .comparing import ask_everything
from .leaks import CARDS, HANDS, LEAKS, LONG, SEA, WATCHED, Planted
from .pairs import Company, Pair, Scene
from .worlds import Leak, Twins

DEALS = 4
SOME = {
    "a_choice_in_the_waiting_frame",
    "a_comment",
    "a_data_attribute",
    "an_etag_of_the_whole_state",
    "spectators_see_everything",
    "the_deal_is_history",
    "the_legal_moves_for_everybody",
    "the_order_of_a_fan",
}
BY_ITS_OWN_WORD = [each for each in LEAKS if each.name in SOME]


@pytest.fixture
def twins(tmp_path: Path, migrated: Path) -> Twins:
    return Twins(tmp_path, migrated)


def ask(twins: Twins, scene: Scene, deals: int = DEALS, at: type[Pair] = Pair) -> None:
    """The comparison itself, as it is made of every game, from a few deals."""
    company = Company(twins)
    for nth in range(deals):
        ask_everything(at(twins, company, scene._replace(nth=nth)).play(), 30)


@pytest.mark.full("compares many worlds", keep=2)
@pytest.mark.parametrize("scene", [CARDS, LONG, WATCHED, SEA, HANDS], ids=str)
def test_where_nothing_is_planted_nothing_is_found(twins: Twins, scene: Scene) -> None:
    ask(twins, scene, 1)
    assert twins.tally["requests"] > 50


@pytest.mark.full("compares many worlds", keep=10)
@pytest.mark.parametrize("planted", LEAKS, ids=lambda planted: planted.name)
def test_a_planted_leak_is_found(twins: Twins, planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    planted.plant(twins, monkeypatch)
    with pytest.raises(Leak) as error:
        ask(twins, planted.scene, at=planted.at)
    print(error.value)


@pytest.mark.full("compares many worlds", keep=3)
@pytest.mark.parametrize("planted", BY_ITS_OWN_WORD, ids=lambda planted: planted.name)
def test_a_leak_in_a_game_nobody_described_is_found(
    twins: Twins, planted: Planted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knowledge, "WRITTEN", {})
    planted.plant(twins, monkeypatch)
    with pytest.raises(Leak) as error:
        ask(twins, planted.scene, at=planted.at)
    print(error.value)


def test_there_are_leaks_of_every_kind() -> None:
    assert len({planted.name for planted in LEAKS}) == len(LEAKS) >= 14
    assert len(BY_ITS_OWN_WORD) == len(SOME)
