"""What pages weigh: as they are, and as they are sent, with gzip.  In kilobytes of 1024."""

import gzip
from random import Random

import pytest

from tests.support.visitor import Local, Page
from tests.web.house import House, Party, play_out

KILO = 1024

# A table's page: its game, how many play, their options; the most it may weigh raw and with gzip.
TABLES = {
    "sea-18": ("strifebarge", 2, {"sea": "open"}, 60, 8),
    "sea-53": ("strifebarge", 8, {"sea": "open"}, 250, 20),
    "chess": ("chess", 2, {}, 40, 6),
    "eights": ("eights", 2, {}, 40, 6),
    "rps": ("rps", 2, {}, 40, 6),
}


def must_weigh(page: Page, raw: float, sent: float) -> None:
    """At most so many kilobytes, as it is and with gzip."""
    body = page.text.encode()
    assert len(body) <= raw * KILO, f"{page.path}: {len(body)} bytes"
    assert len(gzip.compress(body)) <= sent * KILO, f"{page.path}: {len(gzip.compress(body))} bytes with gzip"


@pytest.fixture
def stranger(house: House) -> Local:
    return house.visitor()


@pytest.mark.parametrize(("game", "people", "options", "raw", "sent"), TABLES.values(), ids=TABLES)
def test_a_table_begun(house, game, people, options, raw, sent):
    party = house.gathered(game, people, **options)
    for viewer in party.viewers.values():
        must_weigh(viewer.get(party.table), raw, sent)


def test_a_game_of_chess_in_full_swing(house):
    party = house.gathered("chess")
    *_, raw, sent = TABLES["chess"]
    for number, move in enumerate(["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"]):
        assert party.players[number % 2].move(party.table, f"move {move}").status == 303
        for viewer in party.viewers.values():
            must_weigh(viewer.get(party.table), raw, sent)


@pytest.mark.parametrize("name", ["eights", "rps"])
def test_a_table_played_to_its_end(house, name):
    game, people, options, raw, sent = TABLES[name]
    party: Party = house.gathered(game, people, **options)
    play_out(party, Random(name), lambda page: must_weigh(page, raw, sent))
    for viewer in party.viewers.values():
        must_weigh(viewer.get(party.table), raw, sent)


def test_the_way_to_a_table(house, stranger):
    must_weigh(stranger.get("/"), 20, 4)
    table = house.visitor().start("strifebarge", seats="8").table
    must_weigh(stranger.get(table), 12, 3.5)
