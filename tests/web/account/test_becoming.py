"""A guest turns out to be somebody, takes all along that is theirs, or becomes nobody."""

import json

import pytest

from tests.support.visitor import Page
from tests.web.house import House, token
from tests.web.signing import (
    PASSWORD,
    code_of,
    page_of,
    planted,
    session,
    sign_in,
    sign_up,
    tables,
    take,
)

# -- a guest turns out to be somebody ----------------------------------------------------------------


def test_what_a_guest_has_played_is_theirs_when_they_sign_in(house: House) -> None:
    member, friend = house.visitor(), house.visitor()
    mine = member.start("rps").table
    sign_up(member, "coming.back")
    guest = house.visitor()
    played = guest.start("rps", seats="2").table
    friend.join(played)
    guest.move(played, "throw rock")
    cookie = session(guest)
    assert "come with you" in guest.get("/sign-in").words
    assert sign_in(guest, "coming.back").status == 303
    assert tables(guest) == tables(member) == {mine, played}
    assert page_of(planted(house, cookie)) == ""
    friend.move(played, "throw scissors")
    assert member.get(played).over
    assert "(you)" in member.get(played).words


@pytest.mark.parametrize("way", ["password", "code"])
def test_where_both_sit_at_one_table_nothing_is_done_unless_it_shall_be_left(house: House, way: str) -> None:
    member, guest = house.visitor(), house.visitor()
    table = member.start("rps", seats="2").table
    sign_up(member, f"twice.{way}")
    guest.join(table)
    alone = guest.start("eights").table
    code = code_of(member)

    def enter(**more: str) -> Page:
        return sign_in(guest, f"twice.{way}", **more) if way == "password" else take(guest, code, **more)

    before = house.kept()
    refused = enter()
    assert house.kept() == {**before, "device_codes": house.kept()["device_codes"]}
    assert (refused.status, token(refused)) == (409, "who.twice")
    assert tables(guest) == {table, alone}
    ending = "/sign-in" if way == "password" else "/move"
    fields = {"login": f"twice.{way}", "password": PASSWORD} if way == "password" else {"c": code}
    assert guest.submit(refused, ending, leave="yes", **fields).status == 303
    assert page_of(guest) == page_of(member)
    assert tables(guest) == {table}


def test_who_has_an_account_and_signs_in_to_another_changes_and_mixes_nothing(house: House) -> None:
    one, other = house.visitor(), house.visitor()
    first, second = one.start("rps").table, other.start("rps").table
    sign_up(one, "first.account")
    sign_up(other, "second.account")
    assert sign_in(one, "second.account").status == 303
    assert tables(one) == {second}
    assert sign_in(one, "first.account").status == 303
    assert tables(one) == {first}


# -- take it along, or be erased -----------------------------------------------------------------------


def test_my_data_is_all_that_is_mine_and_no_secret_of_anybody(house: House) -> None:
    party = house.fleet()
    mine, theirs = party.players
    sign_up(mine, "my.data")
    for who, words in ((mine, "what I said"), (theirs, "what they said")):
        who.submit(who.get(party.table), "/say", text=words)
        who.submit(who.get(party.table), "/note", note=f"{words} in private")
    shooter = party.to_move()
    page = shooter.get(party.table)
    assert shooter.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    over = house.thrown("rock", "paper")
    mine.submit(mine.get("/me"), "/me/name", name="Änne")
    page = mine.get("/me/data.json")
    assert page.headers["Content-Type"].startswith("application/json")
    assert "attachment" in page.headers["Content-Disposition"]
    data = json.loads(page.body)
    assert (data["me"]["name"], data["me"]["login"]) == ("Änne", "my.data")
    [table] = data["tables"]
    assert (table["id"], table["my_seats"]) == (party.code, [0])
    assert len(table["log"]) >= 1
    assert [line["text"] for line in data["chat"]] == ["what I said"]
    assert [note["text"] for note in data["notes"]] == ["what I said in private"]
    stored_table = house.referee.views.status(party.code)
    secrets = [stored_table.seed, session(mine), "argon2", "they said in private", over.code]
    secrets += [chair.player for chair in stored_table.chairs]
    assert not [each for each in secrets if each in page.text]
    finished = json.loads(over.players[0].get("/me/data.json").body)["tables"]
    assert finished[0]["record"]["moves"][0]["action"] == {"do": "throw", "hand": "rock"}


def test_erasing_asks_once_more_and_for_the_password(house: House) -> None:
    party = house.fleet()
    mine, theirs = party.players
    mine.submit(mine.get("/me"), "/me/name", name="Zebedee")
    sign_up(mine, "zebedee")
    page = mine.get("/me/erase")
    with house.unchanged():
        assert token(mine.submit(page, "/me/erase", password=PASSWORD)) == "who.not_sure"
        assert (
            token(mine.submit(page, "/me/erase", sure="yes", password="wrong whale")) == "who.wrong_password"
        )
    cookie = session(mine)
    done = mine.submit(page, "/me/erase", sure="yes", password=PASSWORD)
    assert (done.status, done.location) == (303, "/erased")
    assert mine.submit(page, "/me/erase", sure="yes", password=PASSWORD).location == "/erased"
    assert page_of(mine) == page_of(planted(house, cookie)) == ""
    assert "Zebedee" not in str(house.kept())
    assert sign_in(house.visitor(), "zebedee").status == 403
    assert theirs.get(party.table).over
    assert theirs.get(f"{party.table}/at/0").status == 200
    assert sign_up(house.visitor(), "zebedee").status == 303


def test_a_guest_is_erased_too_and_their_record_is_a_former_players(house: House) -> None:
    mine, theirs = house.visitor(), house.visitor()
    table = mine.start("rps", name="Zoe", afterwards="public").table
    theirs.join(table)
    for who, hand in ((mine, "rock"), (theirs, "paper")):
        who.move(table, f"throw {hand}")
    old = page_of(mine)
    assert "Zoe" in theirs.get(old).words
    assert mine.submit(mine.get("/me/erase"), "/me/erase", sure="yes").status == 303
    assert theirs.get(old).status == 404
    record = theirs.get(f"/r/{house.referee.views.status(table.removeprefix('/g/')).ending.record}")
    assert "Zoe" not in record.words
    assert "Guest Foxtrot" in record.words
    [former] = {link for link in record.seen.links if link.startswith("/p/")} - {page_of(theirs)}
    assert "Former player" in theirs.get(former).words
