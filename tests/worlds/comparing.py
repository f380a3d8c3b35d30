"""Which games are compared, from where they are seen, and how much is asked of each."""

from collections.abc import Iterator
from typing import Any

import msgspec

from strifebarge.fuzz.worlds import ViewerSeat
from strifebarge.rules.chance import Chance
from strifebarge.rules.schema import every_options, seat_numbers, usual_seats
from strifebarge.tables.library.library import Title

from .asking import go_on_from_here, move_all, read_again, read_all, revealed, send_all
from .pairs import Company, Pair, Scene
from .worlds import Twins

LENGTHS = [0, 1, 3, 6, 11, 18, 28]
FEW = 10  # pairs for each viewer; with fewer, not everybody at a large table is asked


def tables(title: Title) -> list[int]:
    """How many sit down: the fewest, as many as usual, and more."""
    numbers = seat_numbers(title.rules)
    return sorted({numbers[0], usual_seats(title.rules), min(numbers[-1], 5)})


def scenes(title: Title, seats: int, each: int) -> Iterator[Scene]:
    """So many for each viewer, of different lengths and options; in half of them it is the viewer's turn."""
    dice = Chance(f"scenes of {title.slug} for {seats}")
    options = [msgspec.to_builtins(chosen) for chosen in every_options(title.rules) if not chosen.refuse()]
    viewers: list[ViewerSeat] = [None, *range(seats)]
    if each < FEW and seats > 3:
        viewers = [None, 0, *dice.sample(range(1, seats), 2)]
    lengths: list[int] = []
    settings: list[dict[str, Any]] = []
    for place, viewer in enumerate(viewers):
        for nth in range(each):
            lengths = lengths or dice.shuffled(LENGTHS)
            settings = settings or dice.shuffled(options)
            until = viewer if (place + nth) % 2 else None
            yield Scene(title.slug, seats, settings.pop(), viewer, lengths.pop(), nth, until)


def compare(twins: Twins, company: Company, scene: Scene, most: int) -> None:
    """Everything asked of one table in two worlds; and at its end, whether they were two."""
    pair = Pair(twins, company, scene).play()
    ask_everything(pair, most)
    if pair.differ:
        twins.tally["pairs that differ"] += 1
        twins.tally["pairs that differ at the end"] += revealed(pair)


def ask_everything(pair: Pair, most: int) -> None:
    """One of the viewers asks everything, any others what there is to see first."""
    asker = pair.dice.choice(pair.viewers)
    for who in pair.viewers:
        (read_all if who is asker else read_again)(pair, who)
    if pair.matches:
        move_all(pair, asker, most)
        go_on_from_here(pair, asker)
    send_all(pair, asker, most)
