"""The site of a release goes on with the code of today: games, people, links, codes, mails and records.

make_fixture.py made the database with the code of that release.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from tests.support.visitor import Local, Page
from tests.upgrade.site import (
    PASSWORD,
    Site,
    number_of,
    offers,
    play_one,
    play_out,
    uncover,
    upgraded,
)

RUNNING = [
    *("chess", "eights", "strifebarge", "rps", "startups", "mirrow"),
    *("by the clock", "on vacation", "watched late", "one device", "answered by mail"),
]


class Upgraded(NamedTuple):
    """The fixture's site with the code of today, and what the fixture contains."""

    site: Site
    contents: dict[str, Any]

    def table(self, label: str) -> str:
        return str(self.contents["tables"][label]["table"])

    def id(self, label: str) -> str:
        return self.table(label).removeprefix("/g/")

    def link(self, what: str) -> str:
        return str(self.contents["links"][what])

    def person(self, name: str) -> Local:
        return self.site.visitor(self.contents["people"][name])

    def players(self, label: str) -> list[Local]:
        return [self.person(name) for name in self.contents["tables"][label]["players"]]

    def visitor(self) -> Local:
        return self.site.visitor()


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Upgraded]:
    with upgraded(tmp_path) as (site, contents):
        yield Upgraded(site, contents)


def done(page: Page) -> Page:
    assert page.status == 303, (page.path, page.status, page.words)
    return page


def tables_of(who: Local) -> list[str]:
    return who.get("/games").seen.links


# -- games -------------------------------------------------------------------------------


def test_running_games_replay_and_go_on(old: Upgraded) -> None:
    checked = old.site.run("check").output
    for label in RUNNING:
        assert f"{old.id(label)}  " in checked, label
        players, table, chance = old.players(label), old.table(label), Random(label)
        moves = [play_one(players, table, chance) for _ in range(6)]
        assert moves[0], label
    old.site.run("check")


@pytest.mark.parametrize("label", ["rps", "strifebarge", "eights"])
def test_a_running_game_is_played_to_its_end(old: Upgraded, label: str) -> None:
    players, table = old.players(label), old.table(label)
    play_out(players, table, Random(label), longest=400)
    (old.site.folder / "record.json").write_bytes(players[0].get(f"{table}/record.json").body)
    old.site.run("import", str(old.site.folder / "record.json"))


def test_a_composed_turn_can_be_taken_back(old: Upgraded) -> None:
    table = old.table("mirrow")
    pages = [(who, who.get(f"{table}?view=board")) for who in old.players("mirrow")]
    who, page = next((who, page) for who, page in pages if page.has_form("/undo"))
    before = who.get(f"{table}/log.txt").text
    done(who.submit(page, "/undo"))
    assert who.get(f"{table}/log.txt").text != before


def test_suspended_and_paused_games_resume(old: Upgraded) -> None:
    ann, dora = old.players("suspended")
    table = old.table("suspended")
    done(ann.submit(ann.get(table), "/ready"))
    assert play_one([ann, dora], table, Random(1))
    players, table = old.players("paused"), old.table("paused")
    cleo = next(who for who in players if who.get(table).has_form("/go-on"))
    done(cleo.submit(cleo.get(table), "/go-on"))
    old.site.clock.shift(86400)
    old.site.run("tick")
    assert play_one(players, table, Random(1))


def test_a_shared_device_asks_for_its_pins(old: Upgraded) -> None:
    [gil], table = old.players("one device"), old.table("one device")
    page = gil.get(table)
    seat = next(button for button in page.form("/uncover").buttons if button.name == "seat")
    assert gil.submit(page, "/uncover", seat, pin="9999").status == 403
    assert uncover(gil, table).has_form("/turn")


def test_a_rematch_belongs_to_its_series(old: Upgraded) -> None:
    players, table = old.players("rematch"), old.table("rematch")
    for who in players:
        if who.get(table).has_form("/ready"):
            done(who.submit(who.get(table), "/ready"))
    play_out(players, table, Random("rematch"), longest=40)
    [first] = {link for link in players[0].get(old.table("ended rps")).seen.links if link.endswith("/check")}
    assert first.removesuffix("/check") in players[0].get(f"{table}?view=board").seen.links


def test_a_tournament_and_a_game_with_a_bot_go_on(old: Upgraded) -> None:
    play_out(old.players("of a tournament"), old.table("of a tournament"), Random("cup"), longest=40)
    old.site.run("tick")
    assert "Final standings" in old.visitor().get(old.link("tournament")).words
    [lone], table = old.players("with a bot"), old.table("with a bot")
    assert play_one([lone], table, Random("bot")) or not offers(lone.get(f"{table}?view=text"))


def test_the_acts_of_hosts_hold(old: Upgraded) -> None:
    assert old.person("host").get("/host").status == 200
    assert "Insults" in old.person("Bea").get(old.table("banned")).words
    assert "Only they can resume it." in old.person("Dora").get(old.table("held")).words
    old.site.run("games", "resume", old.id("held"))
    assert play_one(old.players("held"), old.table("held"), Random("held"))


# -- records -----------------------------------------------------------------------------


def test_records_are_the_same_verify_and_import(old: Upgraded) -> None:
    records = old.contents["records"]
    assert {record["game"] for record in records.values()} >= {"chess", "mirrow", "startups"}
    file = old.site.folder / "record.json"
    for label, record in records.items():
        [ann, *_], table = old.players(label), old.table(label)
        assert json.loads(ann.get(f"{table}/record.json").text) == record, label
        [check] = {link for link in ann.get(table).seen.links if link.endswith("/check")}
        page = old.visitor().get(check)
        assert page.status == 200
        assert 'class="notice err"' not in page.text, label
        file.write_text(json.dumps(record))
        old.site.run("import", str(file))


def test_ratings_come_out_the_same_when_made_anew(old: Upgraded) -> None:
    ann = old.person("Ann")
    before = ann.follow(ann.get("/p/me")).words
    assert "Chess" in before
    old.site.run("ratings", "rebuild")
    assert ann.follow(ann.get("/p/me")).words == before


# -- people, links and codes ---------------------------------------------------------------


def test_cookies_passwords_links_and_codes_sign_in(old: Upgraded) -> None:
    chess = old.table("chess")
    ann = old.person("Ann")
    assert chess in tables_of(ann)
    assert "Watch the knight" in ann.get(f"{chess}?view=board").text
    assert "Grüß dich, Ben" in old.person("Ben").get(f"{chess}/talk").words
    by_password, by_link, by_code = old.visitor(), old.visitor(), old.visitor()
    fields = {"login": "ann", "password": PASSWORD}
    done(by_password.submit(by_password.get("/sign-in"), "/sign-in", **fields))
    done(by_link.submit(by_link.get(old.link("personal link of Ben")), "/open"))
    done(by_code.submit(by_code.get("/move"), "/move", c=old.link("code for Ann's next device")))
    for who in (by_password, by_link, by_code):
        assert chess in tables_of(who)
    token = {"Authorization": f"Bearer {old.link('token of Ben')}"}
    assert old.id("chess") in old.visitor().get("/api/v1/me/tables", **token).text


def test_invitations_seat_people(old: Upgraded) -> None:
    late, new, typing = old.visitor(), old.visitor(), old.visitor()
    assert not late.get(old.link("invitation taken back")).has_form("/join")
    done(new.submit(new.get(old.link("invitation")), "/join"))
    assert old.table("open") in tables_of(new)
    answer = typing.post("/code", [("code", old.link("invitation code"))])
    assert typing.follow(answer).has_form("/join")
    assert old.table("on the list") in new.get("/tables").seen.links
    done(new.submit(new.get(old.table("on the list")), "/join"))


def test_links_and_codes_of_seats_work(old: Upgraded) -> None:
    table, [cleo, *_] = old.table("seats"), old.players("seats")
    for what, name in (("substitute", "Kim"), ("seat", "Lou")):
        new = old.visitor()
        done(new.submit(new.get(old.link(what)), "/seat", name=name))
        assert name in cleo.get(table).words
    back = old.visitor()
    done(back.submit(back.get(f"{table}/back-to-my-seat"), "/back-to-my-seat", c=old.link("seat code")))
    assert table in tables_of(back)


def test_mails_are_sent_and_the_links_of_old_ones_work(old: Upgraded) -> None:
    ben, new, table = old.person("Ben"), old.visitor(), old.table("answered by mail")
    for kind in ("atom", "ics"):
        assert table in new.get(old.link(kind)).text.replace("\r\n ", "")
    old.site.clock.shift(120)
    old.site.send_mails()
    assert old.table("mail to be sent") in old.site.links_to("ben@example.org")
    before = number_of(ben, table)
    page = new.get(old.link("answer"))
    done(new.submit(page, "/answer", do=None, notation=None, move="move e5"))
    assert number_of(ben, table) == before + 1
    assert "ben@example.org" in ben.get("/notices").words
    assert new.post(old.link("off"), [("List-Unsubscribe", "One-Click")]).status == 200
    assert "ben@example.org" not in ben.get("/notices").words
