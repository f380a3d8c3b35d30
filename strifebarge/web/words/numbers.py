"""Numbers in the reader's language."""

from markupsafe import Markup, escape

from strifebarge.rules.schema import seat_numbers
from strifebarge.tables.library.library import Title
from strifebarge.web.words.catalogue import say


def number(value: float) -> Markup:
    """Return a number with the decimal separator of the reader's language."""
    whole, point, part = f"{value:g}".partition(".")
    return say("{whole}.{part}", whole=whole, part=part) if point else escape(whole)


def players(title: Title) -> Markup:
    """Return for how many players a game is: `2 players`, `2–8 players`."""
    numbers = seat_numbers(title.rules)
    few, many = numbers[0], numbers[-1]
    number = str(few) if few == many else f"{few}–{many}"
    return say("{number} players", number=number)
