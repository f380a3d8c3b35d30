"""A new name reaches the tables where its person sits, as long as their games are not over."""

import pytest

from tests.support.visitor import Local, Page
from tests.web.company import follow, link
from tests.web.house import House, Party, leave, suspend
from tests.web.table.test_put_aside import press


def rename(who: Local, name: str, where: str = "/me") -> Page:
    answer = who.submit(who.get(where), "/name", name=name)
    assert answer.status == 303, answer.words
    return answer


def named(house: House, *names: str, game: str = "strifebarge", **options: str) -> Party:
    players = [house.visitor() for _ in names]
    table = players[0].start(game, name=names[0], **options).table
    for player, name in zip(players[1:], names[1:], strict=True):
        player.join(table, name=name)
    return Party(house, table, players)


def called(party: Party) -> list[str]:
    return [chair.called for chair in party.house.referee.store.table(party.code).chairs]


@pytest.mark.parametrize("where", ["/me", "/games"])
@pytest.mark.parametrize("state", ["open", "playing", "suspended"])
def test_a_new_name_is_shown_at_tables_that_go_on(house: House, state: str, where: str) -> None:
    party = named(house, "Ann", "Ben", seats="3" if state == "open" else "2")
    if state == "suspended":
        suspend(party.players[0], party)
    before = house.referee.store.table(party.code)
    watched = party.players[1].get(f"{party.table}/version").text
    rename(party.players[0], "Anna", where)
    assert called(party)[:2] == ["Anna", "Ben"]
    for who in (*party.players, house.visitor()):
        words = who.get(party.table).words
        assert "Anna" in words
        assert "Ann " not in words
    assert party.players[1].get(f"{party.table}/version").text != watched, "open pages fetch themselves again"
    after = house.referee.store.table(party.code)
    assert after.times == before.times
    assert [chair.ready for chair in after.chairs] == [chair.ready for chair in before.chairs]
    rename(party.players[0], "")
    assert called(party)[0] == "Guest Foxtrot"


def test_a_game_that_is_over_keeps_the_name_it_was_played_under(house: House) -> None:
    party = named(house, "Ann", "Ben", game="rps", afterwards="public")
    for player, hand in zip(party.players, ("rock", "paper"), strict=True):
        player.move(party.table, f"throw {hand}")
    record = house.referee.store.table(party.code).ending.record
    before = party.players[1].get(party.table).words
    rename(party.players[0], "Anna")
    assert called(party) == ["Ann", "Ben"]
    assert party.players[1].get(party.table).words == before
    assert "Anna" not in house.visitor().get(f"/r/{record}").words


def test_the_entry_of_a_game_that_ends_later_has_the_new_name(house: House) -> None:
    party = named(house, "Ann", "Ben", game="rps", afterwards="public")
    rename(party.players[0], "Anna")
    for player, hand in zip(party.players, ("rock", "paper"), strict=True):
        player.move(party.table, f"throw {hand}")
    [entry] = house.store.results.series(party.code)
    assert [seat.name for seat in entry.seats] == ["Anna", "Ben"]


@pytest.mark.parametrize("name", ["Ben", "ben", "B\u0435n", "Guest Juliett"])
def test_where_somebody_goes_by_that_name_already_the_old_one_stays(house: House, name: str) -> None:
    party, other = named(house, "Ann", "Ben", "", seats="3"), house.visitor()
    ann = party.players[0]
    elsewhere = ann.start("strifebarge", seats="2").table
    other.join(elsewhere, name="Cleo")
    rename(ann, name)
    assert called(party) == ["Ann", "Ben", "Guest Juliett"]
    assert called(Party(house, elsewhere, [ann])) == [name, "Cleo"]


def test_one_of_several_in_a_seat_has_the_new_name_in_the_log_too(house: House) -> None:
    party = named(house, "Ann", "Ben", game="eights", seats="2", t_begins="agreed")
    zoe = house.visitor()
    follow(zoe, link(party.players[1], party.table, "beside"), "Zoe")
    for who in (*party.players, zoe):
        press(who, party, "/ready")
    while not zoe.get(party.table).my_turn:
        page = party.players[0].get(party.table)
        party.players[0].submit(page, "/turn", page.form("/turn").moves[0])
    page = zoe.get(party.table)
    assert zoe.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    rename(zoe, "Zenobia")
    words = party.players[0].get(f"{party.table}/log").words
    assert "Zenobia" in words
    assert "Zoe" not in words
    assert "Ben & Zenobia" in party.players[0].get(party.table).words
    [person] = house.referee.store.table(party.code).chairs[1].coplayers
    zenobia = house.services.accounts.player(person.player)
    assert zenobia
    house.services.accounts.erase(zenobia)
    stored = str(house.kept())
    assert not [name for name in ("Zoe", "Zenobia") if name in stored]


def test_at_one_device_only_the_seat_of_who_has_the_device_is_renamed(house: House) -> None:
    ann = house.visitor()
    page = ann.start("eights", seats="3", devices="one", others="Ben,Cleo", name="Ann")
    party = Party(house, page.table, [ann])
    rename(ann, "Anna")
    assert called(party) == ["Anna", "Ben", "Cleo"]
    rename(ann, "Ben")
    assert called(party) == ["Anna", "Ben", "Cleo"], "so they are two"


def test_whoever_has_left_the_game_is_shown_by_the_new_name_too(house: House) -> None:
    party = named(house, "Ann", "Ben", "Cleo", seats="3")
    leave(party.players[1], party.table, "resign")
    rename(party.players[1], "Benno")
    assert called(party) == ["Ann", "Benno", "Cleo"]


def test_the_same_name_once_more_changes_nothing(house: House) -> None:
    party = named(house, "Ann", "Ben", seats="2")
    with house.unchanged():
        answer = party.players[0].post("/name", [("name", "Ann")])
        assert answer.status == 303


def test_what_somebody_has_set_is_said_by_their_new_name(house: House) -> None:
    party = named(house, "Ann", "Ben", seats="3")
    ann = party.players[0]
    assert ann.submit(ann.get(f"{party.table}/settings"), "/settings", t_seating="chance").status == 303
    rename(ann, "Anna")
    assert house.referee.store.table(party.code).settings.set_by == {"t_seating": "Anna"}
