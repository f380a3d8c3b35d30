"""A site of an earlier version goes on after an upgrade: games, people, cookies, links, records and letters.

The fixtures were made by the code of their version (see make_fixture.py).  Here the code of today takes over
each of them, by `strifebarge db upgrade`, pages, forms and commands alone.
"""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from tests.support.visitor import Local, Page
from tests.upgrade.visiting import (
    PASSWORD,
    PINS,
    Passkey,
    Place,
    facts,
    fixtures,
    links_in,
    offers,
    opened,
    over,
    passkey_options,
    play_one,
    play_out,
    read,
    shown,
    uncover,
    unpacked,
    words,
    words_of,
)

TICK = 60  # seconds between two looks at the deadlines
RUNNING = [
    "chess",
    "eights",
    "strifebarge",
    "rps, one has chosen",
    "startups, one has chosen",
    "mirrow, one card chosen",
    "mirrow, half composed",
    "by the clock",
    "on vacation",
    "quick",
    "watched late",
    "not watched",
    "one device",
    "answered by mail",
]
ENDLESS = {  # at random; resigned after some moves
    "chess",
    "by the clock",
    "quick",
    "answered by mail",
    "mirrow, one card chosen",
    "mirrow, half composed",
}


class Site(NamedTuple):
    """A fixture's site with the code of today, and what belongs to it."""

    name: str
    place: Place
    kept: dict[str, Any]

    def table(self, label: str) -> str:
        return str(self.kept["tables"][label]["table"])

    def person(self, name: str) -> Local:
        return self.place.visitor(self.kept["people"][name])

    def players(self, label: str) -> list[Local]:
        return [self.person(name) for name in self.kept["tables"][label]["players"]]

    def link(self, what: str) -> str:
        return str(self.kept["links"][what])


FIRST, *LATER = fixtures()  # by their dates
RELEASES = [
    FIRST,
    *(pytest.param(each, marks=pytest.mark.full("the first one is in the gate")) for each in LATER),
]
NEWER = pytest.mark.parametrize("site", RELEASES[1:], indirect=True)  # the first one had no such thing


@pytest.fixture(scope="module", params=RELEASES)
def looked_at(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that no test may change."""
    with opened(request.param, tmp_path_factory.mktemp("looked-at")) as (place, kept):
        yield Site(request.param, place, kept)


@pytest.fixture(params=RELEASES)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    """A site of the test's own."""
    with opened(request.param, tmp_path) as (place, kept):
        yield Site(request.param, place, kept)


def done(page: Page) -> Page:
    assert page.status == 303, (page.path, page.status, page.words)
    return page


# -- what is shown ------------------------------------------------------------------------------


NEW = {"d3771d2": {"plan"}}  # what versions that are kept could not do


def test_every_table_shows_the_same_to_everybody(site: Site) -> None:
    """Nobody has looked there before: who is here is shown, too."""
    found = shown(site.place, site.kept, facts)
    for label, expected in site.kept["shown"].items():
        for name, those in expected.items():
            here = found[label][name]
            old = [each for each in here["may"] if each not in NEW.get(site.name, ())]
            assert {**here, "may": old} == those, (label, name)


def test_logs_and_positions_say_the_same(looked_at: Site) -> None:
    """Where a sentence was changed on purpose, `make_fixture --words` writes it anew."""
    found = shown(looked_at.place, looked_at.kept, words)
    for label, expected in unpacked(looked_at.name, "words").items():
        for name, those in expected.items():
            assert unspaced(found[label][name]) == unspaced(those), (label, name)


REFERENCE = re.compile("Reference:[0-9a-f]{16}")


def unspaced(said: dict[str, str]) -> dict[str, str]:
    """What is said without the white space of its source, which nobody sees; of a whole page its words.

    An error page of today has the id of its request too.
    """
    return {what: REFERENCE.sub("", "".join(words_of(text).split())) for what, text in said.items()}


def test_every_running_game_comes_out_the_same_when_it_is_played_again_by_the_rules(site: Site) -> None:
    checked = site.place.command("check")
    assert checked.exit_code == 0, checked.output
    for label in RUNNING:
        assert site.table(label).removeprefix("/g/") in checked.output


# -- playing on ---------------------------------------------------------------------------------


@pytest.mark.parametrize("label", RUNNING)
def test_a_running_game_is_played_to_its_end_by_the_old_cookies(site: Site, label: str) -> None:
    players, table, chance = site.players(label), site.table(label), Random(label)
    before = facts(players[0], table)
    assert play_out(players, table, chance, longest=60 if label in ENDLESS else 400) > 0
    after = facts(players[0], table)
    assert after["number"] > before["number"]
    record = players[0].get(f"{table}/record.json")
    path = site.place.folder / "record.json"
    path.write_bytes(record.body)
    brought = site.place.command("import", str(path))
    assert brought.exit_code == 0, brought.output
    assert players[0].get(f"/r/{brought.output.strip().rpartition('/r/')[2]}").status == 200


def test_a_composition_goes_on_where_it_was_and_can_be_taken_back(site: Site) -> None:
    players, table = site.players("mirrow, half composed"), site.table("mirrow, half composed")
    composer, other = sorted(players, key=lambda who: -facts(who, table)["lines"])
    before, theirs = facts(composer, table), facts(other, table)
    assert before["lines"] > theirs["lines"]
    done(composer.submit(composer.get(f"{table}?view=board"), "/undo"))
    after = facts(composer, table)
    assert after["asked"] != before["asked"]
    assert after["offers"] != before["offers"]
    assert (
        facts(other, table) | {"times": theirs["times"]} == theirs
    )  # when somebody was here last may differ


def test_a_suspended_game_resumes_when_the_last_one_is_ready(site: Site) -> None:
    ann, dora = site.players("suspended")
    table = site.table("suspended")
    done(ann.submit(ann.get(table), "/ready"))
    assert offers(read(ann, table)) or offers(read(dora, table))
    assert play_out([ann, dora], table, Random("suspended"), longest=10) > 0


def test_a_pause_ends_when_all_agree(site: Site) -> None:
    players, table = site.players("paused"), site.table("paused")
    for who in players:
        page = who.get(f"{table}?view=board")
        if page.has_form("/go-on"):
            done(who.submit(page, "/go-on"))
    assert play_out(players, table, Random("paused")) > 0


def test_a_shared_device_asks_for_the_pins_it_had(site: Site) -> None:
    [gil], table = site.players("one device"), site.table("one device")
    page = gil.get(table)
    form = page.form("/uncover")
    seat = next(button for button in form.buttons if button.name == "seat")
    refused = gil.submit(page, "/uncover", seat, pin="9999")
    assert refused.status == 403
    assert uncover(gil, table, PINS).has_form("/turn")


def test_a_rematch_that_waited_begins_and_belongs_to_its_series(site: Site) -> None:
    players, table = site.players("rematch"), site.table("rematch")
    for who in players:
        if who.get(table).has_form("/ready"):
            done(who.submit(who.get(table), "/ready"))
    play_out(players, table, Random("rematch"))
    records = {link for link in players[0].get(f"{table}?view=board").seen.links if link.startswith("/r/")}
    for label in ("rated", "second of the series"):
        assert site.kept["tables"][label]["record"] in records


# -- people -------------------------------------------------------------------------------------


def test_old_cookies_are_who_they_were(looked_at: Site) -> None:
    for name, about in looked_at.kept["people"].items():
        who = looked_at.place.visitor(about)
        mine = {link for link in who.get("/games").seen.links if link.startswith("/g/")}
        for label, each in looked_at.kept["tables"].items():
            if name in each["players"] and label in RUNNING:
                assert each["table"] in mine, (name, label)
    phone, tablet = looked_at.person("Ann's phone"), looked_at.person("Ann's tablet")
    assert looked_at.table("chess") in phone.get("/games").seen.links
    assert looked_at.table("chess") in tablet.get("/games").seen.links
    ann = looked_at.person("Ann")
    assert ann.get("/me/devices").text.count('name="device"') >= 3
    assert "Watch the knight" in ann.get(f"{looked_at.table('chess')}?view=board").text


@pytest.mark.parametrize("login", ["ann", "cleo"])
def test_passwords_open(site: Site, login: str) -> None:
    new = site.place.visitor()
    wrong = new.submit(new.get("/sign-in"), "/sign-in", login=login, password="another")
    assert wrong.status != 303
    done(new.submit(new.get("/sign-in"), "/sign-in", login=login, password=PASSWORD))
    assert site.table("eights") in new.get("/games").seen.links


@pytest.mark.parametrize("name", ["Ann", "Ben"])
def test_passkeys_open(site: Site, name: str) -> None:
    new, key = site.place.visitor(), Passkey.load(site.kept["passkeys"][name])
    page = new.get("/sign-in")
    done(new.submit(page, "/sign-in/passkey", credential=key.signed(passkey_options(page), 1)))
    assert site.table("chess") in new.get("/games").seen.links
    again = new.submit(new.get("/sign-in"), "/sign-in/passkey", credential="{}")
    assert again.status != 303


def test_what_was_said_stands_and_a_mute_holds(looked_at: Site) -> None:
    chess, eights = looked_at.table("chess"), looked_at.table("eights")
    for name in ("Ann", "Ben"):
        page = looked_at.person(name).get(f"{chess}/talk").words
        assert "Hello Ben, <well> met!" in page
        assert "Grüß dich, Ann" in page
    assert "Cleo shouts" in looked_at.person("Ann").get(f"{eights}/talk").words
    assert "Cleo shouts" not in looked_at.person("Ben").get(f"{eights}/talk").words


# -- links and codes -------------------------------------------------------------------------------


def test_an_invitation_seats_and_one_taken_back_does_not(site: Site) -> None:
    table = site.table("open")
    late, new, typing = site.place.visitor(), site.place.visitor(), site.place.visitor()
    assert not late.get(site.link("invitation taken back")).has_form("/join")
    done(new.submit(new.get(site.link("invitation")), "/join"))
    assert table in new.get("/games").seen.links
    found = typing.post("/code", [("code", site.link("invitation code"))])
    assert typing.follow(found).has_form("/join")


def test_who_was_invited_by_name_finds_it_and_may_decline_or_join(site: Site) -> None:
    table = site.table("open")
    invited = [
        who
        for who in map(site.person, ("Ben", "Cleo"))
        if table in who.get("/games").seen.links and who.get(table).has_form("/decline")
    ]
    assert len(invited) == 1
    done(invited[0].submit(invited[0].get(table), "/join"))


def test_the_list_of_open_tables_has_the_table_and_anybody_joins(site: Site) -> None:
    new, table = site.place.visitor(), site.table("on the list")
    assert table in new.get("/tables").seen.links
    done(new.submit(new.get(table), "/join"))


@pytest.mark.parametrize(("what", "label"), [("seat", "seats"), ("substitute", "seats"), ("beside", "open")])
def test_a_link_to_a_seat_works(site: Site, what: str, label: str) -> None:
    new = site.place.visitor()
    done(new.submit(new.get(site.link(what)), "/seat", name="Kim"))
    assert site.table(label) in new.get("/games").seen.links or what == "substitute"
    assert "Kim" in site.players(label)[0].get(site.table(label)).words


def test_the_code_of_a_lost_seat_gives_it_back(site: Site) -> None:
    new = site.place.visitor()
    page = new.get(site.link("seat code, where"))
    done(new.submit(page, "/back-to-my-seat", c=site.link("seat code")))
    assert site.table("seats") in new.get("/games").seen.links


@pytest.mark.parametrize("name", ["Ben", "guest"])
def test_a_personal_link_opens(site: Site, name: str) -> None:
    new = site.place.visitor()
    done(new.submit(new.get(site.link(f"personal link of {name}")), "/open"))
    assert site.table("strifebarge") in new.get("/games").seen.links


def test_the_code_for_another_device_opens_once(site: Site) -> None:
    new, other = site.place.visitor(), site.place.visitor()
    code = site.link("device code of Ann")
    done(new.submit(new.get("/move"), "/move", c=code))
    assert site.table("chess") in new.get("/games").seen.links
    assert other.submit(other.get("/move"), "/move", c=code).status != 303


@pytest.mark.parametrize("name", ["Ann", "Ben"])
def test_feed_and_calendar_tell_whose_turn_it_is(looked_at: Site, name: str) -> None:
    for kind in ("atom", "ics"):
        page = looked_at.place.visitor().get(looked_at.link(f"{kind} of {name}"))
        assert page.status == 200
        assert page.text.startswith(("<?xml", "BEGIN:VCALENDAR"))
        # Ann has told nobody when she wants to be told, so her feed has been empty from the start.
        assert (looked_at.table("answered by mail") in page.text.replace("\r\n ", "")) == (name == "Ben")


def test_an_answer_by_mail_plays_one_move(site: Site) -> None:
    new, table = site.place.visitor(), site.table("answered by mail")
    before = facts(site.person("Ben"), table)["number"]
    page = new.get(site.link("answer of Ben"))
    assert page.status == 200
    done(new.submit(page, "/answer", do=None, notation=None, move="move e5" if before else "move e4"))
    assert facts(site.person("Ben"), table)["number"] == before + 1
    assert not new.get(table).has_form("/turn")


def test_an_address_is_confirmed_and_another_one_ended_by_the_links_of_mails(site: Site) -> None:
    new = site.place.visitor()
    link = site.link("confirm the address of Ann")
    done(new.submit(new.get(link), "/notices/confirm"))
    assert site.person("Ann").get("/notices").has_form("/notices/remove")
    ben = site.person("Ben")
    assert "ben@example.org" in ben.get("/notices").words
    ended = new.post(site.link("off of Ben"), [("List-Unsubscribe", "One-Click")])
    assert ended.status == 200
    assert "ben@example.org" not in ben.get("/notices").words


# -- letters ---------------------------------------------------------------------------------------


def test_letters_that_were_not_sent_yet_are_sent(site: Site) -> None:
    site.place.clock.shift(90)
    site.place.post()
    mails = [link for to, text in site.place.mails if to == "ben@example.org" for link in links_in(text)]
    assert site.table("told by mail") in mails
    assert [each for each in mails if each.startswith(f"{site.table('told by mail')}/answer?t=")]
    hooks = {path for path, _ in site.place.hooks}
    assert {"/discord", "/push"} <= hooks
    told = [body.decode() for path, body in site.place.hooks if path == "/discord"]
    assert any(site.table("told by webhook") in each for each in told)
    site.place.mails.clear()
    site.place.hooks.clear()
    site.place.post()
    assert (site.place.mails, site.place.hooks) == ([], [])


def test_a_new_turn_is_told_to_old_addresses(site: Site) -> None:
    site.place.clock.shift(90)
    site.place.post()
    site.place.mails.clear()
    table = site.table("by the clock")
    players = site.players("by the clock")
    if not facts(players[0], table)["offers"]:
        assert play_one(players[1:], table, Random(1))
    assert play_one(players[:1], table, Random(2))
    site.place.clock.shift(3600)
    site.place.post()
    assert any(to == "ben@example.org" and table in "".join(links_in(text)) for to, text in site.place.mails)


# -- time ------------------------------------------------------------------------------------------


def test_a_deadline_passes_when_it_would_have(site: Site) -> None:
    """The deadlines on the pages hold: not before, and then at once."""
    label = "quick"
    table = site.table(label)
    [deadline] = [time for time in site.kept["shown"][label]["a stranger"]["times"] if "." in time]
    left = datetime.fromisoformat(deadline).timestamp() - site.kept["taken"]
    assert left > 3 * TICK
    players = site.players(label)

    def wait() -> None:
        site.place.clock.shift(TICK)
        for who in players:  # a quick game that all have left is suspended
            who.get(table)
        assert site.place.command("tick", "--every", str(TICK)).exit_code == 0

    for _ in range(ceil(left / TICK) - 1):  # longer between two, and the site was away
        wait()
    assert not over(players[0], table)
    wait()
    wait()
    assert over(players[0], table)


# -- what the first versions did not have ------------------------------------------------------------


@NEWER
def test_a_token_is_whose_it_was_and_plays(site: Site) -> None:
    program = {"Authorization": f"Bearer {site.link('token of Ben')}"}
    found = site.place.visitor().get("/api/v1/me/tables", **program)
    assert found.status == 200, found.text
    assert site.table("chess").removeprefix("/g/") in found.text
    assert site.place.visitor().get("/api/v1/me/tables", Authorization="Bearer sbt_none").status == 401


@NEWER
def test_a_tournament_is_played_to_its_end(site: Site) -> None:
    table = site.table("of a tournament")
    assert play_out(site.players("of a tournament"), table, Random("a cup")) > 0
    assert site.place.command("tick").exit_code == 0
    assert "Final standings" in site.place.visitor().get(site.link("tournament")).words


@NEWER
def test_a_game_with_a_bot_waits_for_the_bot_after_a_move(site: Site) -> None:
    table = site.table("with a bot")
    [lone] = site.players("with a bot")
    before = facts(lone, table)["number"]
    assert play_one([lone], table, Random("a bot")) or not offers(read(lone, table))
    assert facts(lone, table)["number"] >= before
    assert site.place.command("check").exit_code == 0


@NEWER
def test_a_hosts_browser_a_ban_and_a_hosts_suspension_hold(site: Site) -> None:
    table = site.table("held")
    assert site.person("host").get("/host").status == 200
    assert "Insults" in site.person("Bea").get(site.table("banned")).words
    dora = site.person("Dora")
    assert "Only they can resume it." in dora.get(table).words
    assert site.place.command("games", "resume", table.removeprefix("/g/")).exit_code == 0
    assert play_one(site.players("held"), table, Random("held"))


# -- the books -------------------------------------------------------------------------------------


def test_records_are_the_same_and_verify(looked_at: Site) -> None:
    records = unpacked(looked_at.name, "records")
    assert len(records) >= 7
    stranger = looked_at.place.visitor()
    for label, record in records.items():
        about = looked_at.kept["tables"][label]
        assert stranger.get(f"{about['record']}/record.json").text
        assert as_json(stranger.get(f"{about['record']}/record.json")) == record, label
        assert as_json(stranger.get(f"{about['table']}/record.json")) == record, label
        check = stranger.get(f"{about['record']}/check")
        assert check.status == 200
        assert 'class="notice err"' not in check.text, label


def as_json(page: Page) -> Any:
    assert page.status == 200
    return json.loads(page.text)


def test_records_import(site: Site) -> None:
    for label, record in unpacked(site.name, "records").items():
        path = site.place.folder / "record.json"
        path.write_text(json.dumps(record))
        brought = site.place.command("import", str(path))
        assert brought.exit_code == 0, (label, brought.output)


def test_ratings_are_there_and_come_out_the_same_when_made_anew(site: Site) -> None:
    ann = site.person("Ann")
    before = ann.follow(ann.get("/p/me")).words
    assert "Chess" in before
    assert site.place.command("ratings", "rebuild").exit_code == 0
    assert ann.follow(ann.get("/p/me")).words == before
