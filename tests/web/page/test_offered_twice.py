"""What the rules of a game offer twice is one button, whichever way the page is shown."""

import pytest

from strifebarge.rules.asking import Question
from strifebarge.rules.replay import Replay
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.support.visitor import Page
from tests.web.house import House

TITLES = {title.slug: title for title in Library()}


def buttons(
    page: Page,
) -> list[tuple[str, str, list[tuple[str, bool, str]], list[str], dict[str, list[str]]]]:
    """Everything that can be pressed or filled in for a move."""
    return [
        (
            form.method,
            form.action,
            [(each.value, each.greyed, each.face) for each in form.buttons],
            [each.get("name", "") for each in form.inputs],
            form.choices,
        )
        for form in page.forms
        if form.action.endswith(("/turn", "/sure"))
    ]


def offer_all_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    put = Replay._put

    def twice(self: Replay, question: Question) -> None:
        prompts = {
            seat: prompt._replace(options=[*(options := list(prompt.options)), *options])
            for seat, prompt in question.prompts.items()
        }
        put(self, question._replace(prompts=prompts))

    monkeypatch.setattr(Replay, "_put", twice)


@pytest.mark.parametrize("slug", TITLES)
def test_what_is_offered_twice_is_one_button(
    house: House, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = house.gathered(slug, usual_seats(TITLES[slug].rules))
    ways = [f"{party.table}?view={view}" for view in ("board", "text")]
    once = {(way, seat): buttons(each.get(way)) for way in ways for seat, each in enumerate(party.players)}
    assert any(form[2] for forms in once.values() for form in forms)
    offer_all_twice(monkeypatch)
    house.referee.matches.clear()
    for (way, seat), buttons_of in once.items():
        assert buttons(party.players[seat].get(way)) == buttons_of
