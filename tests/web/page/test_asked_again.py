"""A player's page is kept once it is asked for again, a spectator's at once."""

from strifebarge.web.page import kept_pages
from strifebarge.web.page.kept_pages import RecentRequests
from tests.web.house import House, Party

PIECE = {"X-Piece": "main"}


def sizes_of_pages(house: House, party: Party, asks: int, times: int, **headers: str) -> list[int]:
    """How many more pages are kept after each time that somebody asks for theirs: a player, or a stranger."""
    who = [*party.players, house.visitor()][asks]
    pages, sizes = house.app.extensions["pages"], []
    before = len(pages)
    for _ in range(times):
        assert who.get(party.table, **headers).status == 200
        sizes.append(len(pages) - before)
    return sizes


def test_a_players_page_is_kept_when_it_is_asked_for_again(house: House) -> None:
    party = house.fleet()
    house.app.extensions["asked"].pages.clear()  # the players have seen it already
    assert sizes_of_pages(house, party, 0, 3) == [0, 1, 1]
    assert sizes_of_pages(house, party, 0, 3, **PIECE) == [0, 1, 1]
    assert sizes_of_pages(house, party, 1, 2) == [0, 1]
    assert sizes_of_pages(house, party, 2, 2) == [1, 1]


def test_after_a_move_a_players_page_is_another_one(house: House) -> None:
    party = house.fleet()
    sizes_of_pages(house, party, 0, 2)
    mover = next(who for who in party.players if who.get(party.table).has_form("/turn"))
    page = mover.get(party.table)
    assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    assert sizes_of_pages(house, party, 0, 2) == [0, 1]


def test_what_was_asked_for_is_remembered_of_so_many_pages_at_most(monkeypatch) -> None:
    monkeypatch.setattr(kept_pages, "MOST_ASKED", 3)
    requests = RecentRequests()
    assert [requests.is_repeat(page) for page in "abca"] == [False, False, False, True]
    assert [requests.is_repeat(page) for page in "ddc"] == [False, True, True]
    assert [requests.is_repeat(page) for page in "ab"] == [False, False]  # the oldest were forgotten
    assert list(requests.pages) == ["d", "a", "b"]
