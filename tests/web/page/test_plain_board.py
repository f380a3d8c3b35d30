"""A game of a few lines without a board of its own is whole: listed, explained, played, taken back."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import games
from strifebarge.starter import new_game
from strifebarge.web.page import textview
from tests.support.visitor import Page
from tests.web.house import House, Party, copied, leave, opened, play_out
from tests.web.markup import must_be_sound

HEAP, STAIRS, EVERYTHING = "web_test_heap", "web_test_stairs", "web_test_table"

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


TABLE = '''
"""A table with a thing of every kind on it."""

from msgspec import Struct

from strifebarge.rules import Action, Game, Hidden, Next, Seat, SeatNumber, Secret, hidden
from strifebarge.rules.pieces import Card


class Go(Action):
    """Go on."""


class Trick(Struct):
    lead: SeatNumber
    cards: list[Card | None] = []


class Holder(Seat):
    hand: Hidden[Card] = hidden()
    bid: Secret[int | None] | None = None
    partner: SeatNumber | None = None


class WebTestTable(Game[Holder]):
    """Everything lies on the table."""

    title = "Web Test Table"

    trump: str | None = None
    dealer: SeatNumber | None = None
    lap: int = 1
    open: bool = True
    beds: list[int | None] = []
    order: list[SeatNumber] = []
    points: dict[SeatNumber, int] = {}
    tricks: list[Trick] = []
    nothing: list[int] = []

    def setup(self) -> None:
        self.dealer, self.beds, self.order, self.points = 1, [None, 3], [1, 0], {1: 7, 0: 5}
        self.tricks = [Trick(1, [Card("8S"), None])]
        for seat in self.seats:
            seat.hand = Hidden(Card(card) for card in ("AH", "2D"))
            seat.bid = Secret(4, seat)

    async def play(self) -> Next:
        await self.ask(self.seats[0], "Go on.", [Go()])
        return self.ranking()
'''


@pytest.fixture(scope="module")
def house(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A site with three games more than it comes with."""
    folder, data = tmp_path_factory.mktemp("games"), tmp_path_factory.mktemp("data")
    new_game("Web Test Heap", folder)
    (folder / STAIRS).mkdir()
    (folder / STAIRS / "rules.py").write_text(CLIMBING)
    (folder / EVERYTHING).mkdir()
    (folder / EVERYTHING / "rules.py").write_text(TABLE)
    before = list(games.__path__)
    with opened(copied(migrated, data), data, games=(folder,)) as site:
        yield site
    games.__path__[:] = before
    for name in (HEAP, STAIRS, EVERYTHING):
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
        "The player who takes the last stone wins.",
        "Take one, two or three stones.",
        "How many lie on the heap at first.",
        "Only ‹left› left on the heap. Take fewer.",
    ):
        assert words in page.words
    assert f"{heap}.too_many" in house.visitor().get("/api/v1/").words  # for programs
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
    assert "Only 1 left on the heap. Take fewer." in refused.words


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
    assert "Undo my last move" in page.words
    assert not other.get(party.table).has_form("/undo")
    assert not house.visitor().get(party.table).has_form("/undo")
    assert climber.submit(page, "/undo").status == 303
    after = climber.get(party.table)
    assert "You undid the last move." in after.words
    assert "Guest Foxtrot undid the last move." in other.get(f"{party.table}/log").words
    assert "stands on step 2" not in after.words
    assert "<dt>Height</dt><dd>1</dd>" in after.text
    assert after.my_turn
    must_be_sound(after)


def test_numbers_go_on_over_what_was_taken_back_and_every_one_can_be_looked_at(
    house: House, stairs: str
) -> None:
    party = climbing(house, stairs)
    climber = party.players[0]
    numbers = [house.referee.views.status(party.code).position.number]
    for act in ("undo", "up", "undo", "undo", "up"):
        page = climber.get(party.table)
        answer = climber.submit(page, "/undo") if act == "undo" else climber.move(party.table, act)
        assert answer.status == 303, answer.words
        numbers.append(house.referee.views.status(party.code).position.number)
    assert numbers == [2, 3, 4, 5, 6, 7]
    for number in range(8):
        assert house.visitor().get(f"{party.table}/at/{number}").status == 200
    views = house.referee.views
    heights = [views.show_at(None, party.code, number).position.game.seats[0].height for number in range(8)]
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
    for question in textview.QUESTIONS:
        assert "don't know that question" not in player.get(f"{party.table}?say={question}").words


def test_taking_back_and_leaving_lead_back_to_the_text_view(house: House, stairs: str) -> None:
    party = house.gathered(stairs)
    player = party.to_move()
    page = player.get(f"{party.table}?view=text")
    assert player.submit(page, "/turn", say="up").status == 303
    undone = player.submit(player.get(party.table), "/undo")
    assert "Board version" in player.follow(undone).words
    leave(player, party.table, "resign")
    assert "Board version" in player.get(party.table).words


# -- what the board shows --------------------------------------------------------------------------


def test_what_is_public_and_nothing_is_said_to_be_none_and_what_is_secret_hidden(house: House) -> None:
    party = house.gathered(EVERYTHING)
    page = party.players[0].get(party.table)
    must_be_sound(page)
    none, secret = '<span class="dim">none</span>', '<i class="dim">hidden</i>'
    assert f"<dt>Trump</dt><dd>{none}</dd>" in page.text
    assert f"<dt>Nothing</dt><dd>{none}</dd>" in page.text
    assert f"<dt>Partner</dt><dd>{none}</dd>" in page.text
    assert f"<li>{none}</li><li>3</li>" in page.text
    assert "<dt>Open</dt><dd>yes</dd>" in page.text
    assert "<dt>Lap</dt><dd>1</dd>" in page.text
    assert "<dt>Bid</dt><dd>4</dd>" in page.text, "their own"
    assert f"<dt>Bid</dt><dd>{secret}</dd>" in page.text, "the other's"
    assert f"<dt>Hand</dt><dd>2 {secret}</dd>" in page.text
    assert "ace of hearts" in page.words
    assert f"<li>8 of spades</li><li>{none}</li>" in page.text


def test_a_seat_is_called_by_its_name(house: House) -> None:
    party = house.gathered(EVERYTHING)
    page = party.players[0].get(party.table)
    golf = re.search(r"<dt>Dealer</dt><dd>(.*?)</dd>", page.text)[1]
    assert "Guest Golf" in golf
    assert f"<dt>Lead</dt><dd>{golf}</dd>" in page.text
    assert f"<dt>{golf}</dt><dd>7</dd>" in page.text
    assert f'<ul class="words"><li>{golf}</li><li>' in page.text
    in_words = party.players[0].get(f"{party.table}?view=text")
    assert "Guest Golf" in re.search(r"<dt>Dealer</dt><dd>(.*?)</dd>", in_words.text)[1]
