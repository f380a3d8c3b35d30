"""Playing on from a position of another game: alone at an analysis board, or with others."""

from random import Random

import pytest

from strifebarge.rules.codec import save
from strifebarge.rules.schema import seat_numbers
from strifebarge.tables.model.table import Status
from strifebarge.tables.view import View
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, leave, play_out, token

MOVES = ["e2e4", "e7e5", "g1f3", "b8c6"]
GAMES = ["strifebarge", "eights", "startups"]


def chess(house: House) -> Party:
    party = house.gathered("chess")
    for number, move in enumerate(MOVES):
        assert party.players[number % 2].move(party.table, f"move {move}").status == 303
    return party


def ended(house: House, game: str, moves: int = 6) -> Party:
    """A game of some random moves, which all but one have resigned."""
    party, chance = house.gathered(game, max(2, min(seats(house, game)))), Random(game)
    for _ in range(moves):
        for who in party.players:
            page = who.get(party.table)
            if page.my_turn and page.form("/turn").moves:
                who.submit(page, "/turn", chance.choice(page.form("/turn").moves))
    for who in party.players[:-1]:
        leave(who, party.table, "resign")
    return party


def seats(house: House, game: str) -> range:
    return seat_numbers(house.referee.library[game].rules)


def press(who: Local, at: str, how: str, **fields: str) -> Page:
    """The answer to the form of the page that leads on from a position; with the key of another page's."""
    path = at.replace("/at/", "/from/")
    key = dict(who.get("/new/rps").form("/new/rps").filled())["key"]
    return who.post(path, [("key", key), ("how", how), *fields.items()])


def go_on(who: Local, at: str, how: str, **fields: str) -> Page:
    """The page of the table that is begun there."""
    answer = press(who, at, how, **fields)
    assert answer.status == 303, answer.words
    return who.follow(answer)


def position(house: House, table: str, number: int) -> bytes:
    """What everybody sees of a position."""
    return save(house.referee.views.show_at(None, table.removeprefix("/g/"), number).position.game, None)


def hands(view: View) -> list[list[str]]:
    return [[str(card) for card in seat.hand] for seat in view.position.game.seats]


@pytest.mark.parametrize("stranger", [True, False], ids=["a stranger", "a player"])
def test_one_person_moves_for_everybody_and_takes_back_to_the_start(house: House, stranger: bool) -> None:
    party = chess(house)
    me = house.visitor() if stranger else party.players[0]
    page = go_on(me, f"{party.table}/at/3", "analysis")
    assert "from move 3" in page.words
    assert position(house, page.table, 3) == position(house, party.table, 3)
    for move in ("d7d6", "f1c4"):
        assert me.move(page.table, f"move {move}").status == 303
    for _ in range(5):
        assert me.submit(me.get(page.table), "/undo").status == 303
    again = house.referee.views.status(page.table[3:])
    assert position(house, page.table, again.position.number) == position(house, page.table, 0)
    assert me.submit(me.get(page.table), "/undo").status == 409  # there is nothing before it
    assert me.move(page.table, "move d2d4").status == 303
    assert house.referee.views.status(party.code).position.number == len(MOVES)


def test_others_join_at_the_position_and_the_game_is_not_rated(house: House) -> None:
    party, friend = chess(house), house.visitor()
    me = party.players[0]
    table = go_on(me, f"{party.table}/at/3", "table", sit="1").table
    assert position(house, table, 3) == position(house, party.table, 3)
    assert me.move(table, "move d7d6").status == 303
    friend.join(table)
    assert friend.move(table, "move f1c4").status == 303
    leave(friend, table, "resign")
    over = house.referee.views.status(table[3:])
    assert over.status is Status.OVER
    entry = house.results.entry(over.ending.record)
    assert entry.rated is None
    assert not entry.public
    assert house.results.check(house.results.bare_record(over.id)).wrong is None


@pytest.mark.parametrize("game", ["eights", "strifebarge"])
def test_what_is_hidden_is_opened_by_nothing_before_the_end(house: House, game: str) -> None:
    party = house.gathered(game)
    for who in (*party.players, house.visitor()):
        refused = who.get(f"{party.table}/from/0")
        assert (refused.status, token(refused)) == (409, "table.still_secret")
        sent = press(who, f"{party.table}/at/0", "analysis")
        assert (sent.status, token(sent)) == (409, "table.still_secret")
        assert "/from/" not in who.get(f"{party.table}/at/0").text


def test_of_a_game_that_is_over_all_is_seen_alone_and_nothing_with_others(house: House) -> None:
    party = ended(house, "eights")
    me = house.visitor()
    record = house.referee.views.status(party.code).ending.record
    for at in (f"{party.table}/at/2", f"/r/{record}/at/2"):
        refused = press(me, at, "table")
        assert (refused.status, token(refused)) == (409, "table.secrets_known")
        table = go_on(me, at, "analysis").table
        views, code = house.referee.views, table.removeprefix("/g/")
        host, then = views.status(code).host, views.show_at(None, party.code, 2)
        now, newest = views.show(host, code), views.status(code).position.number
        assert not now.viewer.curtain
        assert hands(now)[now.viewer.seat or 0] == hands(then)[now.viewer.seat or 0]
        assert (
            hands(views.show_at(host, code, newest))
            == hands(then)
            != hands(views.show_at(None, code, newest))
        )


def test_nobody_plays_on_where_a_game_has_ended(house: House) -> None:
    party = house.thrown("rock", "paper")
    newest = house.referee.views.status(party.code).position.number
    assert "/from/" not in house.visitor().get(f"{party.table}/at/{newest}").text
    refused = press(house.visitor(), f"{party.table}/at/{newest}", "analysis")
    assert (refused.status, token(refused)) == (409, "table.no_way_on")


def test_a_form_that_is_sent_twice_has_begun_one_table(house: House) -> None:
    party, me = chess(house), house.visitor()
    page = me.get(f"{party.table}/from/2")
    first, second = (me.submit(page, "/from/2", how="analysis") for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    wrong = press(me, f"{party.table}/at/2", "nonsense")
    assert (wrong.status, token(wrong)) == (422, "table.wrong_terms")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_goes_on_from_its_midst(house: House, game: str) -> None:
    party, me = ended(house, game), house.visitor()
    newest = house.referee.views.status(party.code).position.number
    page = go_on(me, f"{party.table}/at/{newest // 2}", "analysis")
    before = house.referee.views.status(page.table[3:]).position.number
    play_out(Party(house, page.table, [me]), Random(3), lambda page: None)
    over = house.referee.views.status(page.table[3:])
    assert over.position.number > before
    assert over.status is Status.OVER
