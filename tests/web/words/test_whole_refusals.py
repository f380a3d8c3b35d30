"""A refusal of options is a whole sentence of the site's own, whatever marks are in what was given."""

import pytest

from tests.support.visitor import Page
from tests.web.house import House


def refusal(house: House, game: str, **fields: str) -> str:
    visitor = house.visitor()
    page: Page = visitor.submit(visitor.get(f"/new/{game}"), f"/new/{game}", **fields)
    assert page.status == 422
    notice = page.words[page.words.index("You can't choose that: ") :]
    return notice[: notice.index(". ") + 1]


@pytest.mark.parametrize("field", ["begins", "what's_that", "o'clock", "'"])
def test_a_field_that_no_option_has_is_named_whole(house: House, field: str) -> None:
    assert refusal(house, "rps", **{field: "x"}) == f"You can't choose that: there is no field {field}."


@pytest.mark.parametrize("field", ["o`clock", "`"])
def test_a_field_with_a_backtick_is_named_up_to_it(house: House, field: str) -> None:
    assert refusal(house, "rps", **{field: "x"}).startswith("You can't choose that: there is no field")


@pytest.mark.parametrize("value", ["wide", "it's", "`wide`", "wide`", "'"])
def test_an_option_with_a_wrong_value_is_named_with_the_values_it_takes(house: House, value: str) -> None:
    assert refusal(house, "strifebarge", sea=value) == "You can't choose that: Sea is one of: close, open."


def test_an_option_with_a_wrong_number_is_named_with_the_numbers_it_takes(house: House) -> None:
    refused = refusal(house, "rps", best_of="many")
    assert refused == "You can't choose that: Best of is one of: 1, 3, 5, 7."
