"""What all tests of two worlds share, and the sum of what they compared."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .pairs import Company
from .worlds import Twins

SUMMED = ("pairs", "requests", "bytes")


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Twins:
    return Twins(tmp_path_factory.mktemp("worlds"))


@pytest.fixture(scope="module")
def company(twins: Twins) -> Company:
    return Company(twins)


@pytest.fixture
def tally(twins: Twins, record_property: Callable[[str, object], None]) -> Iterator[Counter[str]]:
    """What is compared in one test; told in its report."""
    twins.tally.clear()
    yield twins.tally
    for what in SUMMED:
        record_property(f"worlds: {what}", twins.tally[what])
    print(", ".join(f"{number} {what}" for what, number in sorted(twins.tally.items())))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    compared: Counter[str] = Counter()
    for report in terminalreporter.stats.get("", []):
        if report.when == "teardown":  # the tally is told when its test is over
            compared.update({name: n for name, n in report.user_properties if name.startswith("worlds: ")})
    if compared:
        told = ", ".join(f"{compared[f'worlds: {what}']:,} {what}" for what in SUMMED)
        terminalreporter.write_line(f"two worlds compared: {told}")
