"""A banned person: out at the next request, told why, and let in again when the ban ends."""

from typing import Any

import pytest

from strifebarge.people.people import People
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from tests.api.calls import Program
from tests.support.visitor import Local, Page
from tests.web.house import House, Wall
from tests.web.signing import PASSWORD, code_of, page_of, planted, session, sign_in, sign_up, take
from tests.web.town import Town, moves

REASON = "spam in <b>chats</b>"
SENTENCE = "You&#39;re banned from this site: spam in &lt;b&gt;chats&lt;/b&gt;"


def people(house: House) -> People:
    return house.services.people


def player_of(house: House, who: Local) -> Player:
    return people(house).person(page_of(who).removeprefix("/p/"))


def ban(house: House, who: Local, until: float | None = None) -> Player:
    player = player_of(house, who)
    people(house).ban(player, "root", REASON, until)
    return player


def token_of(page: Page) -> tuple[int, str]:
    return page.status, page.token


def test_a_banned_person_is_out_at_their_next_request_and_told_why(house: House) -> None:
    party = house.fleet()
    mover = next(who for who in party.players if who.get(party.table).has_form("/turn"))
    page = mover.get(party.table)
    ban(house, mover)
    with house.unchanged():
        move = mover.submit(page, "/turn", page.form("/turn").moves[0])
        assert token_of(move) == (403, "who.banned")
        assert SENTENCE in move.text
        for address in ("/", party.table, "/games", "/about", "/sign-in", f"{party.table}/log"):
            shown = mover.get(address)
            assert (shown.status, SENTENCE in shown.text) == (200, True), address
        assert not mover.get(party.table).has_form("/turn")
        assert mover.get("/me/data.json").status == 403
    other = next(who for who in party.players if who is not mover)
    assert "banned" not in other.get(party.table).text


@pytest.mark.parametrize("already_dispatched", [False, True])
def test_a_banned_person_is_sent_nothing_not_even_what_was_due(town: Town, already_dispatched: bool) -> None:
    party = town.chess()
    moves(party, "e4")
    town.box.shut = already_dispatched  # then it waits to be sent again
    assert (town.wait(61) if already_dispatched else []) == []
    town.box.shut = False
    player = ban(town.house, party.players[1])
    assert town.wait(3600) == []
    assert town.house.services.notifications.repository.waiting(town.now) == (0, None)
    people(town.house).unban(people(town.house).person(player.public), "root")
    for seat, move in ((1, "e5"), (0, "d4")):
        assert party.players[seat].move(party.table, f"move {move}").status == 303
    assert len(town.wait(3600)) == 1


def test_the_reason_of_a_ban_is_forgotten_with_the_person(house: House) -> None:
    who = house.visitor()
    who.start("rps", name="Rita")
    player, reason = player_of(house, who), "a reason like no other"
    people(house).ban(player, "root", reason)
    assert reason in repr(house.kept_of("audit_log"))
    people(house).erase(player, "root")
    assert reason not in repr(house.kept_of("audit_log"))
    acts = [each.act for each in house.referee.store.audit_log(99) if each.subject == player.public]
    assert acts == ["erase", "ban"]


def test_a_banned_person_starts_joins_says_and_makes_nothing(house: House) -> None:
    party, host = house.gathered("rps"), house.visitor()
    other = host.start("rps").table
    who = party.players[0]
    here, there, first = who.get(party.table), who.get(other), who.get("/new/rps")
    mine, account = who.get("/me"), who.get("/me/account")
    ban(house, who)
    with house.unchanged():
        for page, form, fields in (
            (here, "/say", {"text": "hello"}),
            (there, "/join", {"name": "Ann"}),
            (first, "/new/rps", {}),
            (mine, "/me/name", {"name": "Other"}),
            (account, "/me/account", {"login": "otherwise", "password": PASSWORD, "again": PASSWORD}),
        ):
            refused = who.submit(page, form, **fields)
            assert (refused.status, SENTENCE in refused.text) == (403, True), form


def test_a_ban_ends_every_way_to_sign_in_and_takes_no_guests_games_along(house: House) -> None:
    ann = house.visitor()
    ann.start("rps", name="Ann")
    sign_up(ann, "ann-the-banned")
    code = code_of(ann)
    ban(house, ann)
    guest = house.visitor()
    guest.start("rps")
    with house.unchanged():
        assert token_of(sign_in(guest, "ann-the-banned")) == (403, "who.banned")
        assert token_of(sign_in(house.visitor(), "ann-the-banned")) == (403, "who.banned")
        assert token_of(sign_in(guest, "ann-the-banned", "something else")) == (403, "who.wrong_sign_in")
    assert token_of(take(house.visitor(), code)) == (403, "who.banned")
    assert token_of(planted(house, session(ann)).get("/me/devices")) == (403, "who.banned")


def test_programs_of_a_banned_person_are_refused_with_the_reason(house: House) -> None:
    program = Program(house, "Zed")
    people(house).ban(program.player, "root", "flooding")
    answer = program.send("GET", "/tables")
    assert answer.status_code == 403
    refused: Any = answer.get_json()["refused"]
    assert (refused["token"], refused["args"]) == ("who.banned", {"reason": "flooding"})
    people(house).unban(people(house).person(program.player.public), "root")
    assert program.send("GET", "/tables").status_code == 200


def test_a_ban_ends_when_it_runs_out_or_is_lifted_and_the_browser_is_signed_in_still(
    timed: House, wall: Wall
) -> None:
    party = timed.gathered("rps")
    who = party.players[0]
    player = ban(timed, who, until=timed.referee.now() + 3600)
    page = who.get(party.table)
    assert "You&#39;re banned from this site until 20" in page.text
    assert " UTC: spam" in page.text
    assert token_of(who.post(f"{party.table}/say", [("key", "k" * 20), ("text", "x")])) == (
        403,
        "who.banned_until",
    )
    wall.seconds(3601)
    assert who.get(party.table).has_form("/turn")
    assert "banned" not in who.get(party.table).text
    with pytest.raises(Refused, match=r"who\.not_banned"):
        people(timed).unban(player_of(timed, who), "root")
    ban(timed, who)
    assert not who.get(party.table).has_form("/turn")
    people(timed).unban(people(timed).person(player.public), "root")
    assert who.get(party.table).has_form("/turn")


def test_who_signs_out_of_a_banned_browser_is_a_stranger_there(house: House) -> None:
    who = house.visitor()
    who.start("rps", name="Ann")
    page = who.get("/me/out")
    ban(house, who)
    assert who.submit(page, "/me/out").status == 303
    assert "banned" not in who.get("/").text


def test_a_ban_is_in_ones_data_and_goes_when_one_is_erased(house: House) -> None:
    who = house.visitor()
    who.start("rps", name="Ann")
    player = ban(house, who)
    data = people(house).data_of(people(house).person(player.public), "root", lambda text, view: "")
    assert data["me"]["ban"]["reason"] == REASON
    people(house).erase(people(house).person(player.public), "root")
    assert player.public not in repr(house.kept_of("players"))
    with pytest.raises(Refused, match=r"table\.no_person"):
        people(house).person(player.public)
    done = [row[2:5] for row in sorted(house.kept_of("audit_log"))][-3:]
    assert done == [("root", act, player.public) for act in ("ban", "export", "erase")]
