"""What is greyed says why: in its name, and to somebody who presses it; nowhere in a program's words."""

import re
from html import unescape
from random import Random

import pytest

from strifebarge.rules.action import Refusal
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.support.visitor import Page
from tests.web.house import House
from tests.web.markup import parsed, text

LIBRARY = Library()
HAVE_GREYED = {"eights", "mirrow", "startups"}  # games of ours that show something that may not be done
TURNS, EACH = 24, 2  # that are played; how often one reason is asked for
GREYED = re.compile(r'name="move" value="([^"]*)"[^>]*aria-disabled="true" title="([^"]*)"')


def kinds(of: type[Refusal] = Refusal) -> list[type[Refusal]]:
    """All enumerations of refusals that are loaded."""
    return [each for kind in of.__subclasses__() for each in (kind, *kinds(kind))]


def test_no_sentence_of_a_refusal_has_its_token_in_it() -> None:
    refusals = [why for kind in kinds() if not kind.__module__.startswith("tests.") for why in kind]
    assert len(refusals) > 100
    internal = [
        why.token
        for why in refusals
        if why.token in why.sentence
        or re.search(rf"\b{why.name}\b", why.sentence)
        or re.search(r"\b\w+_\w+\b", re.sub(r"\{\w+\}", "", why.sentence))
    ]
    assert internal == []


def notice_of(page: Page) -> str:
    """What a page says of the form that was refused."""
    [notice] = [each for each in parsed(page).iter("div") if each.get("id") == "notice"]
    return " ".join(text(notice).split())


@pytest.mark.parametrize("slug", [title.slug for title in LIBRARY])
def test_who_presses_what_is_greyed_is_told_why_in_plain_words(house: House, slug: str) -> None:
    party = house.gathered(slug, usual_seats(LIBRARY[slug].rules))
    chance, questions = Random(3), list[str]()
    for _ in range(TURNS):
        pages = ((each, each.get(party.table)) for each in party.players)
        who, page = next(((each, page) for each, page in pages if page.my_turn), (None, None))
        if who is None or page is None:
            break
        for move, reason in GREYED.findall(page.text):
            if questions.count(reason) < EACH:
                questions.append(reason)
                with house.unchanged():
                    answer = who.submit(page, "/turn", move=unescape(move))
                assert answer.status == 422, answer.words
                notice = notice_of(answer)
                assert unescape(reason) in notice
                assert answer.token not in notice
                assert f"({unescape(move)})" not in notice
        moves = page.form("/turn").moves
        if not moves:
            break
        assert who.submit(page, "/turn", chance.choice(moves)).status == 303
    assert questions or slug not in HAVE_GREYED
