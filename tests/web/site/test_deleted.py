"""A game that a host of the site has deleted: its pages, and the open ones."""

from strifebarge.tables.acts.hosting import delete_by_host
from tests.web.house import House


def test_open_pages_of_a_deleted_game_are_told_and_its_addresses_lead_nowhere(house: House) -> None:
    party = house.thrown("rock", "paper")
    player = party.players[0]
    page = player.get(party.table)
    assert page.seen.ids["live"]["data-gone"] == "This game was deleted."
    record = house.referee.store.table(party.code).ending.record
    house.referee.change(party.code, delete_by_host, "root")
    assert player.get(f"{party.table}/version").status == 404  # by which the open page knows
    for address in (party.table, f"{party.table}/at/1", f"{party.table}/status", f"/r/{record}"):
        for who in (player, house.visitor()):
            gone = who.get(address)
            assert (gone.status, "Nothing here" in gone.text) == (404, True), address


def test_a_form_of_a_deleted_game_finds_nothing_and_no_list_has_it(house: House) -> None:
    party = house.fleet()
    mover = next(who for who in party.players if who.get(party.table).has_form("/turn"))
    page = mover.get(party.table)
    assert party.table in mover.get("/games").text
    house.referee.change(party.code, delete_by_host, "root")
    assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 404
    assert party.table not in mover.get("/games").text
    remains = {kind: [row for row in rows if party.code in row] for kind, rows in house.kept().items()}
    assert {kind for kind, rows in remains.items() if rows} == {"audit_log"}
