"""A refusal of options is a whole sentence, whatever marks are in it."""

import pytest

from tests.support.visitor import Page
from tests.web.house import House


def refusal(house: House, game: str, **fields: str) -> str:
    visitor = house.visitor()
    page: Page = visitor.submit(visitor.get(f"/new/{game}"), f"/new/{game}", **fields)
    assert page.status == 422
    notice = page.words[page.words.index("You can't choose that: ") :]
    return notice[: notice.index(". ") + 1]


@pytest.mark.parametrize("field", ["begins", "what's_that", "o`clock", "`", "'"])
def test_a_field_that_no_option_has_is_named_whole(house: House, field: str) -> None:
    said = refusal(house, "rps", **{field: "x"})
    assert said == f"You can't choose that: Object contains unknown field `{field}`."


@pytest.mark.parametrize("value", ["wide", "it's", "`wide`", "wide`", "'"])
def test_a_value_that_no_option_has_is_named_whole_with_its_option(house: House, value: str) -> None:
    said = refusal(house, "strifebarge", sea=value)
    assert said == f"You can't choose that: Invalid enum value {value!r}: sea."


def test_a_number_that_is_none_is_named_with_its_option(house: House) -> None:
    assert refusal(house, "rps", best_of="many").endswith(": best_of.")
