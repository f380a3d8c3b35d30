"""Hints: what a bot would play in one's own seat, in games against bots."""

from collections.abc import Iterator

import pytest

from strifebarge.bots.player.hints import Hints
from strifebarge.bots.player.task import Answer, BotTask
from strifebarge.bots.player.thinker import ThinkingFailed
from tests.support.hints import give_hints
from tests.support.visitor import Local, Page
from tests.web.house import House


@pytest.fixture
def hinting(house: House) -> Iterator[House]:
    give_hints(house.app)
    yield house
    del house.app.extensions["hints"]


def practising(house: House, game: str) -> tuple[Local, str]:
    """Somebody at a table against an easy bot, who has come there by one press."""
    who = house.visitor()
    return who, str(who.submit(who.get(f"/rules/{game}/how"), f"/bots/{game}").location)


def move_of(page: Page) -> str:
    """What the button of a hint plays."""
    return page.text.partition('name="move" value="')[2].partition('"')[0]


@pytest.mark.parametrize("game", ["strifebarge", "chess"])
def test_a_hint_is_a_move_that_can_be_played_by_the_button_below_it(hinting: House, game: str) -> None:
    who, table = practising(hinting, game)
    assert f'href="{table}/hint"' in who.get(table).text
    assert f'href="{table}/hint"' in who.get(f"{table}?view=text").text
    with hinting.unchanged():
        hint = who.get(f"{table}/hint")
        assert hint.status == 200
        assert "A bot would play:" in hint.text
        assert 'id="board"' in hint.text, "the page of the table"
        assert move_of(who.get(f"{table}/hint")) == move_of(hint)
    assert who.submit(hint, "/turn").status == 303
    assert hinting.referee.views.status(table.rpartition("/")[2]).position.number == 1


def test_a_hint_stands_among_the_controls_of_the_bar(hinting: House) -> None:
    who, table = practising(hinting, "chess")
    before, bar = who.get(table).text.partition('<div class="bar"')[::2]
    assert f'href="{table}/hint"' in bar
    assert f'href="{table}/hint"' not in before


def test_hints_are_for_ones_own_turn_against_bots_alone(hinting: House) -> None:
    who, table = practising(hinting, "strifebarge")
    stranger = hinting.visitor().get(f"{table}/hint")
    assert (stranger.status, stranger.token) == (409, "table.no_hint")
    assert who.submit(who.get(f"{table}/hint"), "/turn").status == 303
    late = who.get(f"{table}/hint")
    assert (late.status, late.token) == (409, "table.no_hint")
    assert "/hint" not in who.get(table).text
    party = hinting.gathered("strifebarge")
    person = party.players[0].get(f"{party.table}/hint")
    assert (person.status, person.token) == (409, "table.no_hint")
    assert "/hint" not in party.players[0].get(party.table).text


def test_a_site_that_cannot_think_gives_none(house: House) -> None:
    who, table = practising(house, "strifebarge")
    assert "/hint" not in who.get(table).text
    assert who.get(f"{table}/hint").token == "table.no_hint"


class Failing:
    """A thinker that fails, as one does whose process is ended."""

    ended = 0

    def think(self, task: BotTask) -> Answer:
        raise ThinkingFailed("it hung, and was ended")

    def end(self) -> str:
        self.ended += 1
        return "by itself"


def test_thinking_that_fails_is_no_hint_and_leaves_nothing_behind(hinting: House) -> None:
    who, table = practising(hinting, "strifebarge")
    thinker = Failing()
    hinting.app.extensions["hints"] = Hints(hinting.referee, thinker=thinker)  # type: ignore[arg-type]
    assert who.get(f"{table}/hint").token == "table.no_hint"
    assert thinker.ended == 1
    assert who.get(table).status == 200
