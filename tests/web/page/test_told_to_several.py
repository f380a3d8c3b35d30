"""Texts and parts of pages are kept for all who are shown the same, and for nobody else."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from markupsafe import Markup

from strifebarge.rules.text import PlainTeller, tell
from strifebarge.web.page import parts
from strifebarge.web.words import texts
from tests.web.house import House

SEATS = 4
SEAT = [{"seat": number} for number in range(SEATS)]


def secret(content: object, *readers: int) -> dict[str, object]:
    return {"secret": content, "known": [*readers]}


# Texts that ask one thing about their reader, several, or another one by what was answered before.
TEXTS = {
    "nobody": {"text": "Round {n}.", "args": {"n": 3}},
    "one seat": {"text": "{seat:You} fired.", "args": {"seat": SEAT[2]}},
    "named alike to all": {"text": "{seat} fired.", "args": {"seat": SEAT[2]}},
    "two seats": {"text": "{seat:You} hit {other:you}.", "args": {"seat": SEAT[0], "other": SEAT[3]}},
    "a secret": {"text": "{seat} drew {card:a card}.", "args": {"seat": SEAT[1], "card": secret("7", 1)}},
    "a seat within a secret": {
        "text": "Look: {what:nothing}.",
        "args": {"what": secret({"text": "{seat:You|, he,} did", "args": {"seat": SEAT[0]}}, 0, 1, 2)},
    },
    "a secret within a secret": {
        "text": "{what:Hm}",
        "args": {"what": secret({"text": "{more:less}", "args": {"more": secret("all", 1)}}, 1, 3)},
    },
    "several": {
        "text": "{all}",
        "args": {"all": [SEAT[0], secret("x", 2), {"text": "{s:You}", "args": {"s": SEAT[1]}}]},
    },
}


class Viewer:
    """As much of a viewer as telling asks for."""

    def __init__(self, eyes: int | None):
        self.cache_identity = eyes

    def is_one_of(self, seats: object) -> bool:
        return self.cache_identity is not None and self.cache_identity in seats  # type: ignore[operator]


class Reader(texts.HtmlTeller):
    """A reader in plain words, who may be any seat."""

    key = ("some language", "some names")  # type: ignore[assignment]

    def __init__(self, eyes: int | None):
        self.view = type("View", (), {"viewer": Viewer(eyes)})()
        self.asked_about = set()
        self.sentence, self.seat = PlainTeller().sentence, PlainTeller().seat  # type: ignore[method-assign]

    word = staticmethod(str)  # type: ignore[assignment]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    texts.RENDERED_TEXTS.clear()
    yield
    texts.RENDERED_TEXTS.clear()


ORDERS = ((None, 0, 1, 2, 3), (3, 2, 1, 0, None), (1, 3, None, 0, 2), (2, None, 2, 1, 0, 3, 1))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", TEXTS)
def test_each_is_told_what_is_told_without_anything_kept(name: str, order: tuple[int | None, ...]) -> None:
    packed = TEXTS[name]
    for _ in range(2):
        for eyes in order:
            assert Reader(eyes).render(packed) == Markup(tell(packed, eyes))


def test_a_text_is_told_once_for_all_whom_it_does_not_concern() -> None:
    how_often: list[object] = []

    def counting(packed: object, ears: texts.HtmlTeller) -> str:
        how_often.append(ears)
        return tell(packed, ears)  # type: ignore[arg-type]

    with patch.object(texts, "tell", counting):
        for eyes in (0, 1, 2, 3, None):
            Reader(eyes).render(TEXTS["one seat"])
    assert len(how_often) == 2


def test_a_line_of_the_log_is_rendered_once_for_those_whom_it_does_not_concern(house: House) -> None:
    party = house.gathered("startups", 5)
    rendered: list[str] = []
    render = parts.Rendering._rendered

    def counting(self: parts.Rendering, view: object, given: dict[str, object]) -> Markup:
        if self.part.template == "parts/line.html":
            rendered.append(repr(given["line"]))
        return render(self, view, given)  # type: ignore[arg-type]

    for who in party.players:
        page = who.get(party.table)
        assert who.submit(page, "/turn", page.form("/turn").moves[-1]).status == 303
    with patch.object(parts.Rendering, "_rendered", counting):
        for who in (*party.players, house.visitor()):
            who.get(party.table)
    assert rendered
    assert max(map(rendered.count, rendered)) <= 2
