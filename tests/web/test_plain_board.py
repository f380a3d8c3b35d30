"""A game of a few lines without a board of its own is whole: listed, explained, played, taken back."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import games
from strifebarge.starter import new_game
from strifebarge.web import textview
from tests.support.visitor import Page
from tests.web.house import House, Party, copied, leave, opened, play_out
from tests.web.markup import must_be_sound

HEAP, STAIRS = "web_test_heap", "web_test_stairs"

CLIMBING = '''
"""Stairs."""

from typing import Any

from strifebarge.rules import Action, Game, Seat


class Up(Action):
    """Climb a step."""


class Rest(Action):
    """End the turn."""


class Climber(Seat):
    height: int = 0


class WebTestStairs(Game[Climber]):
    """Climb as far as you like, then rest; whoever is on the seventh step first wins."""

    title = "Web Test Stairs"
    players = range(2, 4)

    async def play(self) -> Any:
        for climber in self.round():
            while await self.ask(climber, "Climb or rest.", [Up(), Rest()]) == Up():
                climber.height += 1
                self.log("{seat} stands on step {step}.", seat=climber, step=climber.height)
                if climber.height == 7:
                    return self.ranking(lambda seat: seat.height)
        return self.play
'''


@pytest.fixture(scope="module")
def house(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A site with two games more than it comes with."""
    folder, data = tmp_path_factory.mktemp("games"), tmp_path_factory.mktemp("data")
    new_game("Web Test Heap", folder)
    (folder / STAIRS).mkdir()
    (folder / STAIRS / "rules.py").write_text(CLIMBING)
    before = list(games.__path__)
    with opened(copied(migrated, data), data, games=(folder,)) as site:
        yield site
    games.__path__[:] = before
    for name in (HEAP, STAIRS):
        sys.modules.pop(f"games.{name}.rules", None)
        sys.modules.pop(f"games.{name}", None)
        vars(games).pop(name, None)


def slug_of(house: House, title: str) -> str:
    return next(each.slug for each in house.referee.library if each.title == title)


@pytest.fixture
def heap(house: House) -> str:
    return slug_of(house, "Web Test Heap")


@pytest.fixture
def stairs(house: House) -> str:
    return slug_of(house, "Web Test Stairs")


# -- a game from the starter ------------------------------------------------------------------


def test_a_new_game_is_on_the_landing_page_and_can_be_started_there(house: House, heap: str) -> None:
    who = house.visitor()
    page = who.get("/")
    must_be_sound(page)
    assert "Web Test Heap" in page.words
    assert who.submit(page, f"/new/{heap}").status == 303


def test_its_rules_actions_options_and_refusals_are_documented_without_a_line_of_html(
    house: House, heap: str
) -> None:
    page = house.visitor().get(f"/rules/{heap}")
    must_be_sound(page)
    for words in (
        "Whoever takes the last stone wins.",
        "Take one, two or three stones.",
        "How many lie on the heap at first.",
        "There are only ‹left› stones left.",
        f"{heap}.too_many",
    ):
        assert words in page.words
    assert f"/rules/{heap}" in house.visitor().get("/rules").seen.links


def test_its_options_are_a_form_and_a_wrong_choice_is_refused_with_what_was_filled_in(
    house: House, heap: str
) -> None:
    who = house.visitor()
    who.start("rps")
    page = who.get(f"/new/{heap}")
    must_be_sound(page)
    assert page.form(f"/new/{heap}").choices["seats"] == ["2", "3", "4"]
    for wrong in ("3", "41", "x", "-1", "4.5"):
        with house.unchanged():
            refused = who.submit(page, f"/new/{heap}", stones=wrong, seats="3")
        assert refused.status == 422
        assert refused.form(f"/new/{heap}")["stones"] == wrong
        assert refused.form(f"/new/{heap}")["seats"] == "3"
        must_be_sound(refused)
    assert who.start(heap, stones="5", seats="2").status == 200


def soundly(page: Page) -> None:
    must_be_sound(page)


@pytest.mark.parametrize("people", [2, 4])
def test_it_is_played_to_its_end_through_its_pages_alone(house: House, heap: str, people: int) -> None:
    party = house.gathered(heap, people, stones="9")
    assert "<dt>Left</dt><dd>9</dd>" in house.visitor().get(party.table).text
    assert play_out(party, Random(people), soundly) >= 3
    for who in party.viewers.values():
        page = who.get(party.table)
        must_be_sound(page)
        assert "Took the last stone." in page.words


def test_what_its_rules_refuse_is_greyed_with_the_reason_and_refused_if_sent(house: House, heap: str) -> None:
    party = house.gathered(heap, stones="4")
    party.players[0].move(party.table, "take 3")
    mover = party.to_move()
    page = mover.get(party.table)
    assert [button.value for button in page.form("/turn").moves] == ["take 1"]
    assert [button.value for button in page.form("/turn").buttons if button.greyed] == ["take 2", "take 3"]
    with house.unchanged():
        refused = mover.move(party.table, "take 2")
    assert (refused.status, refused.token) == (422, f"{heap}.too_many")
    assert "There are only 1 stones left." in refused.words


# -- taking back ---------------------------------------------------------------------------------


def climbing(house: House, stairs: str) -> Party:
    party = house.gathered(stairs)
    for _ in range(2):
        assert party.players[0].move(party.table, "up").status == 303
    return party


def test_a_step_within_the_turn_may_be_taken_back_and_the_log_says_so(house: House, stairs: str) -> None:
    party = climbing(house, stairs)
    climber, other = party.players
    page = climber.get(party.table)
    assert "Take back my last move" in page.words
    assert not other.get(party.table).has_form("/undo")
    assert not house.visitor().get(party.table).has_form("/undo")
    assert climber.submit(page, "/undo").status == 303
    after = climber.get(party.table)
    assert "Guest Foxtrot takes back the last move." in after.words
    assert "Guest Foxtrot takes back the last move." in other.get(f"{party.table}/log").words
    assert "stands on step 2" not in after.words
    assert "<dt>Height</dt><dd>1</dd>" in after.text
    assert after.my_turn
    must_be_sound(after)


def test_numbers_go_on_over_what_was_taken_back_and_every_one_can_be_looked_at(
    house: House, stairs: str
) -> None:
    party = climbing(house, stairs)
    climber = party.players[0]
    numbers = [house.referee.status(party.code).number]
    for act in ("undo", "up", "undo", "undo", "up"):
        page = climber.get(party.table)
        answer = climber.submit(page, "/undo") if act == "undo" else climber.move(party.table, act)
        assert answer.status == 303, answer.words
        numbers.append(house.referee.status(party.code).number)
    assert numbers == [2, 3, 4, 5, 6, 7]
    for number in range(8):
        assert house.visitor().get(f"{party.table}/at/{number}").status == 200
    heights = [house.referee.show_at(None, party.code, number).game.seats[0].height for number in range(8)]
    assert heights == [0, 1, 2, 1, 2, 1, 0, 1]


def test_all_steps_may_be_taken_back_but_no_more(house: House, stairs: str) -> None:
    party = climbing(house, stairs)
    climber = party.players[0]
    for _ in range(2):
        assert climber.submit(climber.get(party.table), "/undo").status == 303
    page = climber.get(party.table)
    assert not page.has_form("/undo")
    with house.unchanged():
        fields = [("key", "u" * 32), ("asked", page.form("/turn")["asked"])]
        refused = climber.post(f"{party.table}/undo", fields)
        assert (refused.status, refused.token) == (409, "game.nothing_to_undo")


def test_nothing_is_taken_back_after_the_turn_has_passed_nor_by_another(house: House, stairs: str) -> None:
    party = climbing(house, stairs)
    climber, other = party.players
    page = climber.get(party.table)
    with house.unchanged():
        assert other.post(f"{party.table}/undo", page.form("/undo").filled()).token == "game.nothing_to_undo"
        assert house.visitor().post(f"{party.table}/undo", page.form("/undo").filled()).status == 403
    climber.move(party.table, "rest")
    assert not climber.get(party.table).has_form("/undo")
    with house.unchanged():
        refused = climber.submit(page, "/undo")
        assert (refused.status, refused.token) == (409, "game.nothing_to_undo")
    other.move(party.table, "up")
    with house.unchanged():
        assert climber.submit(page, "/undo").status == 409


def test_taking_back_pressed_twice_takes_back_once(house: House, stairs: str) -> None:
    party = climbing(house, stairs)
    climber = party.players[0]
    page = climber.get(party.table)
    first = climber.submit(page, "/undo")
    with house.unchanged():
        again = climber.submit(page, "/undo")
    assert (again.status, again.location) == (303, first.location)


def test_a_stale_page_takes_nothing_back(house: House, stairs: str) -> None:
    party = climbing(house, stairs)
    climber = party.players[0]
    page = climber.get(party.table)
    climber.move(party.table, "up")
    with house.unchanged():
        refused = climber.submit(page, "/undo")
        assert (refused.status, refused.token) == (409, "game.stale")


def test_a_game_with_moves_taken_back_is_played_to_its_end_and_recorded(house: House, stairs: str) -> None:
    party = climbing(house, stairs)
    climber = party.players[0]
    climber.submit(climber.get(party.table), "/undo")
    play_out(party, Random(1))
    record = house.visitor().get(f"{party.table}/record.json")
    assert record.status == 200
    assert '"do": "undo"' in record.text


# -- in the text view -------------------------------------------------------------------------


def test_in_the_text_view_it_is_told_as_plainly_and_answers_every_question(house: House, heap: str) -> None:
    party = house.gathered(heap)
    player = party.to_move()
    page = player.get(f"{party.table}?view=text")
    must_be_sound(page)
    for asked in textview.QUESTIONS:
        assert "cannot be answered" not in player.get(f"{party.table}?say={asked}").words


def test_taking_back_and_leaving_lead_back_to_the_text_view(house: House, stairs: str) -> None:
    party = house.gathered(stairs)
    player = party.to_move()
    page = player.get(f"{party.table}?view=text")
    assert player.submit(page, "/turn", say="up").status == 303
    undone = player.submit(player.get(party.table), "/undo")
    assert "Board version" in player.follow(undone).words
    leave(player, party.table, "resign")
    assert "Board version" in player.get(party.table).words
