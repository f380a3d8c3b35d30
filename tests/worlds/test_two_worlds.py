"""Two worlds alike in all that a viewer may know are alike in every byte the viewer is sent."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from strifebarge.rules.chance import Chance
from strifebarge.rules.schema import every_options, seat_numbers, usual_seats
from strifebarge.table.library import Library, Title

from .asking import move_all, read_all, revealed, send_all
from .knowledge import Viewer
from .pairs import Company, Pair, Scene
from .worlds import Twins

TITLES = list(Library())
LENGTHS = [0, 1, 3, 6, 11, 18, 28]


def tables(title: Title) -> list[int]:
    """How many sit down: the fewest, as many as usual, and more."""
    numbers = seat_numbers(title.rules)
    return sorted({numbers[0], usual_seats(title.rules), min(numbers[-1], 5)})


CASES = [pytest.param(title.slug, seats, id=f"{title.slug}-{seats}") for title in TITLES for seats in tables(title)]


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Twins:
    return Twins(tmp_path_factory.mktemp("worlds"))


@pytest.fixture(scope="module")
def company(twins: Twins) -> Company:
    return Company(twins)


@pytest.fixture
def tally(twins: Twins, record_property: Callable[[str, object], None]) -> Iterator[dict[str, int]]:
    """What is compared in this test; told in its report."""
    twins.tally.clear()
    yield twins.tally
    for what, number in sorted(twins.tally.items()):
        record_property(what, number)
    print(", ".join(f"{number} {what}" for what, number in sorted(twins.tally.items())))


def scenes(title: Title, seats: int, each: int) -> Iterator[Scene]:
    """So many for each viewer, of different lengths and options; in every other one it is the viewer's turn."""
    dice = Chance(f"scenes of {title.slug} for {seats}")
    options = [msgspec.to_builtins(each) for each in every_options(title.rules)]
    viewers: list[Viewer] = [None, *range(seats)]
    if each < 10 and seats > 3:
        viewers = [None, 0, *dice.sample(range(1, seats), 2)]
    lengths: list[int] = []
    settings: list[dict[str, object]] = []
    for viewer in viewers:
        for nth in range(each):
            lengths = lengths or dice.shuffled(LENGTHS)
            settings = settings or dice.shuffled(options)
            until = viewer if nth % 2 == 0 else None
            yield Scene(title.slug, seats, settings.pop(), viewer, lengths.pop(), nth, until)


def ask_everything(pair: Pair, most: int) -> None:
    for who in pair.viewers:
        read_all(pair, who)
        move_all(pair, who, most)
        send_all(pair, who)


def compare(twins: Twins, company: Company, name: str, seats: int, each: int, most: int) -> None:
    title = twins.one.referee.library[name]
    for scene in scenes(title, seats, each):
        pair = Pair(twins, company, scene).play()
        ask_everything(pair, most)
        if pair.differ:
            twins.tally["pairs that differ"] += 1
            twins.tally["pairs that differ at the end"] += revealed(pair)


@pytest.mark.parametrize(("game", "seats"), CASES)
def test_nothing_that_is_hidden_makes_a_difference(
    twins: Twins, company: Company, tally: dict[str, int], game: str, seats: int
) -> None:
    compare(twins, company, game, seats, 3, 30)
    assert tally["requests"] > 100 * tally["pairs"]
    assert tally["bytes"] > 1000 * tally["requests"]
    if tally["pairs that differ"]:
        # Guards against comparing nothing: what was hidden is there to be seen when all is over.
        assert tally["pairs that differ at the end"] * 2 > tally["pairs that differ"]
