"""The host's page: who sees it, what it tells, and what hosts do there."""

import logging
import re

import pytest
from click.testing import CliRunner

from strifebarge.cli import main
from strifebarge.ops.logs import LogEvent
from strifebarge.ops.requests import AnsweredRequest
from strifebarge.people.hosts import LINK_LASTS, SESSION_LASTS
from strifebarge.tables.acts import hosting
from strifebarge.tables.model.audit import ByForm, DoneBefore
from strifebarge.web.site.host_acts import ACTS
from tests.support.visitor import Local, Page
from tests.web.hosting import a_host, opened_by
from tests.web.house import House, OpenHouse, Wall
from tests.web.markup import must_be_sound

PAGES = ("/host", "/host/games", "/host/people", "/host/game?of=ABCD", *(f"/host/do/{what}" for what in ACTS))


@pytest.fixture
def host(house: House) -> Local:
    return a_host(house)


def without_id(page: Page) -> str:
    """What a page says, but for the id of its request."""
    return re.sub("[0-9a-f]{16}", "", page.words)


def do(host: Local, what: str, of: str = "", **fields: str) -> Page:
    """Open the page of an act, fill it in and press its button."""
    return host.submit(host.get(f"/host/do/{what}?of={of}"), f"/host/do/{what}", **fields)


def acts(house: House, number: int) -> list[tuple[str, str]]:
    return [(each.act, each.subject) for each in house.referee.store.audit_log(number)]


# -- who sees it ---------------------------------------------------------------------------


def test_it_is_there_for_the_browser_that_has_used_the_link_and_for_no_other(house: House) -> None:
    player = house.fleet().players[0]
    link = house.services.hosts.make_link("root")
    for who in (house.visitor(), player):
        for path in PAGES:
            page = who.get(path)
            assert (page.status, without_id(page)) == (404, without_id(who.get("/nowhere")))
            assert who.post(path, [("key", "k" * 32)]).status in (404, 405)
    host = house.visitor()
    opened_by(host, link)
    assert host.get("/host").status == 200
    for who in (house.visitor(), player):
        assert who.get("/host").status == 404
        assert who.get(f"/host/open?link={link}").status == 404


def test_a_link_is_not_used_up_by_looking_and_works_once_within_ten_minutes(timed: House, wall: Wall) -> None:
    link = timed.services.hosts.make_link("root")
    first, second = timed.visitor(), timed.visitor()
    with timed.unchanged():
        pages = [who.get(f"/host/open?link={link}") for who in (first, second)]
    assert [page.headers["Referrer-Policy"] for page in pages] == ["no-referrer"] * 2
    assert first.submit(pages[0], "/host/open").location == "/host"
    late = second.submit(pages[1], "/host/open")
    assert (late.status, "has run out" in late.words) == (404, True)
    assert second.get("/host").status == 404
    old = timed.services.hosts.make_link("root")
    wall.seconds(LINK_LASTS)
    assert second.get(f"/host/open?link={old}").status == 404
    assert acts(timed, 9) == [("open", "host page")]


def test_a_session_ends_after_twelve_hours_or_when_the_host_signs_out(timed: House, wall: Wall) -> None:
    host, other = a_host(timed), a_host(timed)
    copy = other.copy()
    cookie = other.submit(other.get("/host"), "/host/out")
    assert cookie.status == 303
    assert (other.get("/host").status, copy.get("/host").status) == (404, 404)
    wall.seconds(SESSION_LASTS - 1)
    assert host.get("/host").status == 200
    wall.seconds(1)
    assert host.get("/host").status == 404


def test_the_cookie_is_a_hosts_alone_and_only_sent_to_our_own_pages(open_house: OpenHouse) -> None:
    house = open_house(public_url="https://games.example.org")
    host = house.visitor()
    page = host.get(f"/host/open?link={house.services.hosts.make_link('root')}")
    [cookie] = host.submit(page, "/host/open").headers.get_all("Set-Cookie")
    assert cookie.startswith("__Host-sb-host=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Strict", f"Max-Age={SESSION_LASTS}"} <= {
        each.strip() for each in cookie.split(";")
    }
    assert house.services.hosts.host_of_session("") is None


def test_no_secret_of_a_link_or_session_is_kept(house: House, host: Local) -> None:
    link = house.services.hosts.make_link("root")
    stored = repr(house.kept())
    assert link not in stored
    assert host.cookies["sb-host"] not in stored


def test_the_command_makes_a_link(house: House) -> None:
    settings = house.app.extensions["settings"]
    env = {"STRIFEBARGE_DATABASE_URL": settings.database_url, "STRIFEBARGE_DATA": str(settings.data)}
    done = CliRunner().invoke(main, ["host-link"], env=env)
    address, _, link = done.stdout.strip().partition("/host/open?link=")
    assert address == "http://127.0.0.1:5050"
    opened_by(host := house.visitor(), link)
    assert host.get("/host").status == 200
    socket = CliRunner().invoke(main, ["host-link"], env={**env, "STRIFEBARGE_HOST": "unix:/tmp/x"})
    assert (socket.exit_code, "STRIFEBARGE_PUBLIC_URL" in socket.stderr) == (1, True)


# -- what it tells --------------------------------------------------------------------------


def test_it_tells_what_is_going_on_and_how_the_site_is_set_up(open_house: OpenHouse) -> None:
    house = open_house(smtp_url="smtp://ann:hunter2@localhost:1", public_url="http://localhost", secure=False)
    party, host = house.fleet(), a_host(house)
    for player in party.players:
        player.get(f"{party.table}/status")
    house.referee.attendance.write()
    page = host.get("/host")
    must_be_sound(page)
    for fact in ("Tables: Running 1", "Tables: Open 0", "Players here now 2", "Guests 2", "SQLite 3."):
        assert fact in page.words
    assert "STRIFEBARGE_SMTP_URL=smtp://(hidden)@localhost:1" in page.words
    assert "hunter2" not in page.text
    assert house.app.extensions["settings"].secret_keys[0].strip() not in page.text
    german = host.get("/host", Accept_Language="de").words
    assert "Tische: Läuft 1" in german


def test_an_error_of_ours_and_a_slow_answer_are_told_without_what_they_say(open_house: OpenHouse) -> None:
    house = open_house()
    host = a_host(house)
    log = logging.getLogger("strifebarge")
    fields = {"table": "ABCD", "what": "doing move", "error": "ValueError: the queen of spades"}
    try:
        raise KeyError("the ace of hearts")
    except KeyError:
        log.exception("Something failed\nsecond line")
    log.error(LogEvent("game_fault", "The game fails: the queen of spades", **fields))
    house.app.extensions["recent"].answered(AnsweredRequest("GET", "/g/<id>", 200, 3.21))
    words = host.get("/host").words
    assert "Something failed (KeyError)" in words
    assert "event game_fault, table ABCD, what doing move" in words
    assert "GET /g/<id> 200, 3.2 s" in words
    assert not [each for each in ("second line", "queen of spades", "ace of hearts") if each in words]


def test_a_game_that_failed_tells_where_and_of_what_kind_but_not_what_the_error_says(
    unruly_house: House,
) -> None:
    house = unruly_house
    party, host = house.gathered("unruly"), a_host(house)
    assert party.to_move().move(party.table, "go").status == 303
    assert party.to_move().move(party.table, "do mistake").token == "table.mistake"
    table = house.store.tables.table(party.code)
    assert table.fault
    message = table.fault.error.partition(": ")[2]
    for path in ("/host", f"/host/game?of={party.code}"):
        page = host.get(path)
        must_be_sound(page)
        assert table.fault.error.partition(":")[0] in page.words
        assert "unruly/rules.py:" in page.words
        assert not message or message not in page.words
    assert do(host, "rewind", party.code, move="0").status == 303
    assert not house.store.tables.table(party.code).faulty
    assert party.to_move().move(party.table, "go").status == 303


# -- what hosts do there ---------------------------------------------------------------------


def test_a_host_suspends_resumes_rewinds_and_ends_a_game(house: House, host: Local) -> None:
    party = house.gathered("chess")
    for move in ("e2e4", "e7e5"):
        assert party.to_move().move(party.table, f"move {move}").status == 303
    for what, words in (
        ("suspend", "The host of this site suspended the game."),
        ("resume", ""),
        ("rewind", "took the game back to move 1"),
        ("end", "the host of this site ended the game"),
    ):
        if what == "rewind":
            refused = do(host, what, party.code, move="99")
            assert "There's no move 99 to go back to: the game stands at move 2." in refused.words
        page = do(host, what, party.code, **({"move": "1"} if what == "rewind" else {}))
        assert page.location == f"/host/game?of={party.code}", page.words
        assert words in party.players[0].get(party.table).words
        must_be_sound(shown := host.get(page.location))
        assert ("1 stand, numbered up to 4" in shown.words) == (what in ("rewind", "end"))
    assert acts(house, 4) == [(act, party.code) for act in ("end", "rewind", "resume", "suspend")]
    assert {each.by for each in house.referee.store.audit_log(4)} == {"root (host page)"}


def test_a_host_finds_bans_and_lets_in_a_person(house: House, host: Local) -> None:
    player = house.visitor()
    player.start("rps", name="Zed Zephyr")
    [person] = house.services.people.find("Zed Zephyr", 9)
    assert person.player.public in host.get("/host/people?of=zephyr").words
    done = do(host, "ban", person.player.public, reason="spam", until="2999-12-31 18:00")
    assert done.status == 303
    assert "spam" in player.get("/games").words
    for path in ("/host", "/host/people"):
        assert "spam" in host.get(path).words
    assert do(host, "unban", person.player.public).status == 303
    assert "spam" not in player.get("/games").words


def test_a_host_bans_a_nameless_guest_from_the_page_of_their_game(house: House, host: Local) -> None:
    party = house.fleet()
    guest = party.players[1]
    page = host.get(f"/host/game?of={party.code}")
    must_be_sound(page)
    chair = house.store.tables.table(party.code).chairs[1]
    [(public, name)] = chair.public_ids
    assert f"{name} {public}" in page.words
    assert public in host.get(f"/host/people?of={public}").words
    assert f"/host/do/ban?of={public}" in page.text
    assert f"/host/people?of={public}" in page.text
    for path in (party.table, f"{party.table}/status", f"{party.table}/log"):
        for who in (party.players[0], house.visitor()):  # nobody else gets the id
            assert public not in who.get(path).text
    assert do(host, "ban", public, reason="insults").status == 303
    assert "insults" in guest.get("/games").words
    assert f"/host/do/unban?of={public}" in host.get(f"/host/game?of={party.code}").text


def test_a_host_announces_and_makes_the_site_read_only_and_ends_both(house: House, host: Local) -> None:
    player, party = house.visitor(), house.fleet()
    assert do(host, "announce", text=" Back at <b>9</b> ").location == "/host"
    assert "Back at <b>9</b>" in player.get("/").words
    assert do(host, "end-announcement").status == 303
    assert "Back at" not in player.get("/").words
    assert do(host, "read-only").status == 303
    mover = party.to_move()
    page = mover.get(party.table)
    assert mover.submit(page, "/turn", page.form("/turn").moves[0]).token == "web.read_only"
    assert do(host, "writable").status == 303
    assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 303


def test_the_same_form_counts_once(house: House, host: Local) -> None:
    party = house.fleet()
    page = host.get(f"/host/do/suspend?of={party.code}")
    before = len(house.referee.store.audit_log(999))
    assert [host.submit(page, "/host/do/suspend").status for _ in range(3)] == [303] * 3
    assert len(house.referee.store.audit_log(999)) == before + 1
    key = dict(page.form("/host/do/suspend").fields)["key"]
    with pytest.raises(DoneBefore), house.unchanged():  # two at the same moment
        house.referee.change(party.code, hosting.resume_by_host, ByForm("root", key))


@pytest.mark.parametrize(
    ("what", "fields", "status", "sentence"),
    [
        ("resume", {}, 409, "isn't suspended"),
        ("rewind", {"move": "two"}, 422, "Write the number of a move, like 12."),
        ("rewind", {"move": ""}, 422, "Write the number of a move, like 12."),
        ("rewind", {"move": "99"}, 409, "This game has no moves yet, so it can't go back."),
        ("ban", {"reason": ""}, 422, "Give a reason of 1 to 200 characters."),
        ("ban", {"reason": "x", "until": "soon"}, 422, "That isn't a time."),
        ("ban", {"reason": "x", "until": "2001-01-01"}, 422, "That time has passed."),
        ("unban", {}, 422, "This person isn't banned."),
        ("announce", {"text": " "}, 422, "Give a text of 1 to 300 characters."),
        ("announce", {"text": "a\x1bb"}, 422, "Give a text of 1 to 300 characters."),
    ],
)
def test_what_cannot_be_done_is_a_sentence_and_changes_nothing(
    house: House, host: Local, what: str, fields: dict[str, str], status: int, sentence: str
) -> None:
    party = house.fleet()
    player = house.visitor()
    player.start("rps", name="Known")
    person = next(each.player.public for each in house.services.people.find("Known", 9))
    of = party.code if what in ("resume", "rewind") else person if what in ("ban", "unban") else ""
    page = host.get(f"/host/do/{what}?of={of}")
    with house.unchanged():
        answer = host.submit(page, f"/host/do/{what}", **fields)
    assert (answer.status, sentence in answer.words) == (status, True)
    must_be_sound(answer)
    assert answer.form(f"/host/do/{what}")  # to be corrected and sent again


@pytest.mark.parametrize(
    "path",
    ["/host/do/suspend?of=nowhere", "/host/do/ban?of=nobody", "/host/game?of=%00", "/host/do/nothing"],
)
def test_what_is_not_there_is_a_sentence(house: House, host: Local, path: str) -> None:
    assert host.get(path).status == 404


def test_lists_and_pages_of_acts_are_sound(house: House, host: Local) -> None:
    party = house.fleet()
    person = house.services.people.find("", 1)[0].player.public
    of = {"ban": person, "unban": person}
    for path in (
        "/host/games",
        "/host/games?status=playing",
        f"/host/game?of={party.code}",
        "/host/people?of=a",
        *(f"/host/do/{what}?of={of.get(what, party.code)}" for what in ACTS),
    ):
        page = host.get(path)
        assert page.status == 200, path
        must_be_sound(page)
        must_be_sound(host.get(path, Accept_Language="de"))
    assert host.get(f"/host/games?of={party.code}").location == f"/host/game?of={party.code}"
