"""`board.py` beside the rules: found by itself, given to templates, and shown no more than its viewer."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import games
from strifebarge.rules.board import BoardView
from strifebarge.tables.library.library import Library, NotAGame
from strifebarge.web.page.offers import Board, BoardInput
from tests.web.house import House, copied, opened

NAME = "web_test_hats"
RULES = '''
"""Hats."""

from typing import Any

from strifebarge.rules import Action, Game, Hidden, Seat, hidden


class Lift(Action):
    """Lift a hat."""

    hat: int


class Wearer(Seat):
    under: Hidden[str] = hidden()


class WebTestHats(Game[Wearer]):
    """What is under a hat is its wearer's secret."""

    title = "Web Test Hats"
    version = @VERSION@

    def setup(self) -> None:
        for seat in self.seats:
            seat.under = Hidden([f"rabbit{seat.number}"])

    async def play(self) -> Any:
        for seat in self.round():
            await self.ask(seat, "Lift a hat.", [Lift(1), Lift(2)])
        return self.play
'''
BOARD = '''
"""Hats, prepared."""


def board(view):
    return {
        "lifts": [offer.action for offer in view.offers],
        "seen": [thing for seat in view.game.seats for thing in seat.under if thing],
        "picked": view.picked,
        "filled": dict(view.filled),
    }


def text(view):
    return f"@TELLS@ seat {view.you.number}" if view.you else "@TELLS@ nobody"
'''
SHOWS = """
<p id="seen">{{ board.seen|join(" ") }}; {{ board.picked }}; {{ board.filled.hat|default([])|join(",") }}</p>
{% for lift in board.lifts %}{{ offer(lift) }}{% endfor %}
"""

Open = Callable[..., House]


@pytest.fixture
def hats(tmp_path: Path) -> Iterator[Path]:
    """The game's folder; gone from `games` afterwards."""
    home = tmp_path / "games" / NAME
    home.mkdir(parents=True)
    write(home, "rules.py", RULES)
    before = list(games.__path__)
    yield home
    games.__path__[:] = before
    for name in [each for each in sys.modules if each.startswith(f"games.{NAME}")]:
        del sys.modules[name]
    vars(games).pop(NAME, None)


def write(home: Path, page: str, content: str, version: int = 1, tells: str = "told to") -> None:
    content = content.replace("@VERSION@", str(version)).replace("@TELLS@", tells)
    (home / page).write_text(content, encoding="utf-8")


@pytest.fixture
def house(hats: Path, migrated: Path, tmp_path: Path) -> Iterator[House]:
    write(hats, "board.py", BOARD)
    write(hats, "board.html", SHOWS)
    write(hats, "text.html", "<p>{{ text }}</p>")
    with opened(copied(migrated, tmp_path), tmp_path, games=(hats.parent,)) as site:
        yield site


# -- on the site -------------------------------------------------------------------


def test_board_html_shows_what_board_prepares_for_its_viewer(house: House) -> None:
    party = house.gathered(NAME)
    first, second = (player.get(f"{party.table}?pick=a%20hat") for player in party.players)
    assert "rabbit0; a hat;" in first.words
    assert "rabbit1; a hat;" in second.words
    assert "rabbit" not in house.visitor().get(party.table).words
    assert [button.value for button in first.form("/turn").moves] == ["lift 1", "lift 2"]


def test_text_html_shows_what_text_prepares(house: House) -> None:
    party = house.gathered(NAME)
    assert "told to seat 1" in party.players[1].get(f"{party.table}?view=text").words
    assert "told to nobody" in house.visitor().get(f"{party.table}?view=text").words


def test_what_was_sent_and_refused_is_given_back(house: House) -> None:
    party = house.gathered(NAME)
    page = party.players[0].get(party.table)
    refused = party.players[0].submit(page, "/turn", do="lift", hat="3")
    assert refused.status >= 400
    assert "rabbit0; ; 3" in refused.words
    assert "rabbit0; ; 3" not in party.players[0].get(f"{party.table}?hat=3&do=lift").words


def test_without_board_py_there_is_nothing_prepared(hats: Path, migrated: Path, tmp_path: Path) -> None:
    write(hats, "board.html", "<p>{{ board is none }}</p>")
    with opened(copied(migrated, tmp_path), tmp_path, games=(hats.parent,)) as site:
        party = site.gathered(NAME)
        assert party.players[0].get(party.table).status == 200
        assert "True" in party.players[0].get(party.table).words
        assert party.players[0].get(f"{party.table}?view=text").status == 200


# -- what it is given --------------------------------------------------------------


def test_a_board_is_given_the_parts_of_a_board_view_and_nothing_else(house: House) -> None:
    party = house.gathered(NAME)
    player = house.referee.store.table(party.code).chairs[0].player
    view = house.referee.views.show(player, party.code)
    with house.app.test_request_context("/?pick=7"):
        given = BoardInput(view, Board(view))
        assert (given.picked, given.filled) == ("7", {})
    parts = {name for name in dir(BoardView) if not name.startswith("_")}
    assert {name for name in dir(given) if not name.startswith("_")} == parts
    assert given.game is view.position.game
    assert given.you is view.position.you
    assert [offer.notation for offer in given.offers] == ["lift 1", "lift 2"]


# -- finding it --------------------------------------------------------------------


def test_a_board_py_that_cannot_be_read_is_told_when_the_site_starts(hats: Path) -> None:
    write(hats, "board.py", "from .rules import Rabbit\n")
    with pytest.raises(NotAGame, match=r"web_test_hats/board\.py cannot be read: ImportError.*Rabbit"):
        Library([hats.parent])


def test_an_older_edition_has_a_board_of_its_own_where_there_is_one(hats: Path) -> None:
    write(hats, "rules.py", RULES, version=3)
    write(hats, "board.py", BOARD)
    write(hats, "rules_1.py", RULES, version=1)
    write(hats, "board_1.py", BOARD, tells="long ago")
    write(hats, "rules_2.py", RULES, version=2)
    title = Library([hats.parent])[NAME]
    prepared = {number: title.edition(number).prepares("text") for number in (1, 2, 3)}
    assert [each.__module__.rpartition(".")[2] for each in prepared.values() if each] == [
        "board_1",
        "board",
        "board",
    ]
    assert title.prepares("hand") is None
