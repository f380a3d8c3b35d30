"""What all tests of two worlds share, and the sum of what they compared."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import current_app

from strifebarge.web.http import piece
from strifebarge.web.page import kept_pages
from strifebarge.web.render.holes import Skeleton

from .pairs import Company
from .worlds import Twins, World

SUMMED = ("pairs", "requests", "bytes")


@pytest.fixture(autouse=True)
def tags_of_what_may_not_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tags are made from what a page says, but for what may differ, as pages are compared."""
    render_text, lasting_words = kept_pages.said_by, piece.lasting_words

    def plain(body: bytes) -> bytes:
        world: World = current_app.extensions["world"]
        return world.plain(body)

    def said_alike(skeleton: Skeleton) -> list[bytes]:
        return [plain(part) for part in render_text(skeleton)]

    monkeypatch.setattr(kept_pages, "said_by", said_alike)
    monkeypatch.setattr(piece, "lasting_words", lambda body: lasting_words(plain(body)))


@pytest.fixture(autouse=True)
def keeps_pages_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page that may be kept is, the first time that it is asked for: there is all the more to leak."""
    monkeypatch.setattr(kept_pages.RecentRequests, "is_repeat", lambda *_: True)


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Twins:
    return Twins(tmp_path_factory.mktemp("worlds"), migrated)


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
        summary = ", ".join(f"{compared[f'worlds: {what}']:,} {what}" for what in SUMMED)
        terminalreporter.write_line(f"two worlds compared: {summary}")
