"""Faults that are planted are found, and where nothing is planted nothing is found."""

from typing import Any

import pytest

from strifebarge.fuzz.hunt import Hunt
from strifebarge.rules import Game
from tests.fuzz.faults import Fault, all_faults, sound

pytestmark = pytest.mark.full("runs the fuzzer")

WITH_LAWS = [each for each in all_faults() if each.laws]
QUICK = [each for each in WITH_LAWS if each.quick]
GAMES = 40  # in which a quick one is found
MORE_GAMES = 400


def named(each: Fault) -> str:
    return each.rules.__name__


@pytest.mark.parametrize("fault", QUICK, ids=named)
def test_a_planted_fault_is_found_soon(fault: Fault) -> None:
    [finding] = Hunt(fault.rules, "faults").run(games=GAMES, first=True)
    assert finding.law in fault.laws, finding.how


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize("fault", [each for each in WITH_LAWS if not each.quick], ids=named)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    [finding] = Hunt(fault.rules, "faults").run(games=MORE_GAMES, first=True)
    assert finding.law in fault.laws, finding.how


@pytest.mark.parametrize("rules", sound(), ids=lambda rules: rules.__name__)
def test_where_nothing_is_planted_nothing_is_found(rules: type[Game[Any]]) -> None:
    hunt = Hunt(rules, "sound")
    assert [finding.how for finding in hunt.run(games=10)] == []
    assert hunt.moves > 30


def test_there_are_faults_of_every_kind() -> None:
    assert len({named(each) for each in all_faults()}) == len(all_faults()) >= 40
    assert len(WITH_LAWS) >= 40
    assert all(bool(each.laws) != bool(each.beyond) for each in all_faults())
    assert len({law for each in WITH_LAWS for law in each.laws}) >= 13
