"""Notices: who is told what, where and when."""

import re
from zoneinfo import ZoneInfo

import pytest

from strifebarge.app import dispatcher
from strifebarge.notifications.models import MOST_CHANNELS
from strifebarge.notifications.quiet_hours import minute_of, next_minute
from strifebarge.notifications.relevance import HELD
from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal
from tests.support.visitor import Local, Page
from tests.web.house import OpenHouse, Party, leave, suspend, token
from tests.web.http.test_cross_site import OTHER_SITE
from tests.web.markup import must_be_sound
from tests.web.town import URL, Town, address_of, choose, link_in, moves, play_on


@pytest.fixture
def party(town: Town) -> Party:
    return town.chess()


# -- who is told, and when ---------------------------------------------------------------


def test_whose_turn_it_is_is_told_after_a_minute_and_once(town: Town, party: Party) -> None:
    moves(party, "e4")
    assert town.wait(59) == []
    [(place, message)] = town.wait(2)
    assert place == "https://hooks.example.org/a"
    assert message.subject == "It's your turn in Chess with Guest Foxtrot – StrifeBarge"
    assert message.short.splitlines() == [
        "It's your turn in Chess with Guest Foxtrot.",
        "Guest Foxtrot played e4.",
        f"{URL}{party.table}",
    ]
    for _ in range(5):
        assert town.wait(86400) == []


def test_at_a_live_table_whose_turn_it_is_is_told_after_ten_seconds(town: Town) -> None:
    party = town.house.gathered("chess", pace="clock-10-5")
    town.told(party.players[1])
    moves(party, "e4")
    assert town.wait(9) == []
    assert len(town.wait(2)) == 1


def test_who_has_moved_by_then_is_told_nothing(town: Town, party: Party) -> None:
    moves(party, "e4", "e5")
    assert town.wait() == []


def test_who_has_the_table_before_them_is_told_after_ten_minutes(town: Town, party: Party) -> None:
    moves(party, "e4")
    black = party.players[1]
    here = re.findall(r'data-here="([^"]+)"', black.get(party.table).text)
    town.now += 30
    assert black.post(here[0]).status == 204
    assert town.wait(31) == []
    assert town.wait(HELD - 120) == []
    assert len(town.wait(61)) == 1


def test_who_wants_no_notices_has_no_script_say_that_they_are_here(town: Town, party: Party) -> None:
    assert "data-here" not in party.players[0].get(party.table).text
    with town.house.unchanged():
        assert party.players[0].post(f"{party.table}/here").status == 204
        assert town.house.visitor().post(f"{party.table}/here").status == 204


def test_a_night_is_slept_through_and_what_is_answered_by_then_is_not_told(town: Town, party: Party) -> None:
    black = party.players[1]
    answer = choose(black, zone="America/Los_Angeles", quiet="yes", **{"from": "22:00", "to": "7:00"})
    assert answer.status == 303  # it is 3 in the morning there
    moves(party, "e4")
    assert town.wait(3600) == []
    assert len(town.wait(3 * 3600)) == 1
    town.now += 86400 - 4 * 3600
    for seat, move in ((1, "e5"), (0, "d4")):
        assert party.players[seat].move(party.table, f"move {move}").status == 303
    assert town.wait(3600) == []
    assert party.players[1].move(party.table, "move d5").status == 303
    assert town.wait(86400) == []


def test_a_digest_is_one_message_for_all_games(town: Town) -> None:
    first = town.house.gathered("chess")
    black = first.players[1]
    town.told(black)
    white = town.house.visitor()
    table = white.start("chess").table
    black.join(table)
    second = Party(town.house, table, [white, black])
    choose(black, digest="yes", at="18:30")
    moves(first, "e4")
    moves(second, "d4")
    assert town.wait(3600) == []
    [(_, message)] = town.wait(8 * 3600)
    assert message.subject == "2 notifications – StrifeBarge"
    assert first.table in message.short
    assert second.table in message.short
    assert message.link == f"{URL}/games"


def test_no_notices_of_one_game(town: Town, party: Party) -> None:
    black = party.players[1]
    assert black.submit(black.get(party.table), "/silent").status == 303
    moves(party, "e4")
    assert town.wait() == []
    assert "Unmute this game" in black.get(party.table).words
    fields = [("key", "s" * 32), ("silent", "no")]
    assert black.post(f"{party.table}/silent", fields).status == 303
    assert party.players[1].move(party.table, "move e5").status == 303
    assert party.players[0].move(party.table, "move d4").status == 303
    assert len(town.wait()) == 1


def test_no_notices_of_one_game_either_for_those_who_share_a_device(town: Town) -> None:
    ann = town.house.visitor()
    table = ann.start("eights", seats="2", devices="one", name="Ann", others="Ben").table
    town.told(ann)
    assert ann.post(f"{table}/silent", [("key", "s" * 32)]).status == 303
    player = town.house.referee.views.status(table.removeprefix("/g/")).host
    reader = town.house.store.notifications.subscriber(player or "")
    assert reader is not None
    assert reader.silent == (table.removeprefix("/g/"),)


def test_the_others_are_told_who_must_agree_and_that_it_is_over(town: Town, party: Party) -> None:
    white, black = party.players
    suspend(black, party)
    [(_, message)] = town.wait()
    assert message.subject.startswith("Guest Foxtrot want your answer in Chess")
    for player in (black, white):
        assert player.submit(player.get(party.table), "/ready").status == 303
    leave(white, party.table, "resign")
    [(_, message)] = town.wait()
    assert message.subject == "Your game of Chess with Guest Foxtrot is over – StrifeBarge"


def test_what_is_told_is_in_the_readers_own_language(town: Town, party: Party) -> None:
    black = party.players[1]
    page = black.get("/notices", Accept_Language="de")
    assert "Benachrichtige mich, wenn" in page.words
    form = page.form("/notices")
    black.post("/notices", form.filled(zone="UTC"), Accept_Language="de")
    moves(party, "e4")
    [(_, message)] = town.wait()
    assert message.short.startswith("Du bist am Zug in Schach mit Gast Foxtrot.")


def test_letters_hold_what_everybody_may_know_and_no_more(town: Town) -> None:
    party = town.house.gathered("eights")
    for number, player in enumerate(party.players):
        town.told(player, f"https://hooks.example.org/{number}")
    for _ in range(6):
        play_on(party, party.to_move())
        [(_, message)] = town.wait()
        seen = set(re.findall(r"[2-9JQKA]0? of \w+|[\w]+ of (?:spades|hearts|diamonds|clubs)", message.short))
        watched = town.house.visitor().get(party.table).words
        assert all(card in watched for card in seen)


# -- on its way --------------------------------------------------------------------------------


def test_an_address_that_fails_is_tried_again_given_up_and_says_so(town: Town, party: Party) -> None:
    black = party.players[1]
    town.box.shut = True
    moves(party, "e4")
    town.wait()
    assert "failed, trying again: The service didn't answer in time." in black.get("/notices").words
    town.wait(60)
    town.wait(600)
    assert "stopped: The service didn't answer in time." in black.get("/notices").words
    town.box.shut = False
    assert town.wait(86400) == []
    assert black.post("/notices/test", [("key", "t" * 32), ("address", address_of(black))]).status == 303
    [(_, message)] = town.wait(0)
    assert message.short.startswith("This is a test: your notifications work.")
    assert "stopped: " not in black.get("/notices").words


def test_nothing_waits_for_a_way_that_the_host_does_not_offer_any_more(town: Town, party: Party) -> None:
    moves(party, "e4")
    carriers, town.post.carriers = town.post.carriers, {}
    assert town.wait() == []
    assert town.house.store.notifications.waiting(town.now + 3600) == (0, None)
    town.post.carriers = carriers
    assert town.wait(3600) == []


def test_a_test_is_sent_at_once_also_where_an_address_waits_to_be_tried_again(
    town: Town, party: Party
) -> None:
    black = party.players[1]
    town.box.shut = True
    moves(party, "e4")
    town.wait()
    town.box.shut = False
    assert town.wait(1) == []
    assert black.post("/notices/test", [("key", "t" * 32), ("address", address_of(black))]).status == 303
    assert len(town.wait(0)) == 1
    assert "trying again" not in black.get("/notices").words
    assert town.wait(3600) == []


@pytest.mark.parametrize(
    ("no", "sentence"),
    [
        (Refused(NotificationRefusal.REFUSED, answer=500), "table.refused 500"),
        (
            Refused(NotificationRefusal.NOT_REACHED, problem="Connection refused"),
            "table.not_reached Connection refused",
        ),
        (
            Refused(NotificationRefusal.NO_MAIL, answer="550 no such user <anna@example.org>"),
            "table.no_mail 550",
        ),
        (Refused(NotificationRefusal.NO_ANSWER), "table.no_answer"),
    ],
    ids=str,
)
def test_the_log_says_what_a_service_answered_and_nobodys_address(
    town: Town,
    party: Party,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    no: Refused,
    sentence: str,
) -> None:
    def send(*_: object) -> None:
        raise no

    monkeypatch.setattr(town.box, "send", send)
    moves(party, "e4")
    town.wait()
    [line] = [each for each in caplog.messages if "table." in each]
    assert line.partition(": ")[2] == sentence


def test_the_same_test_pressed_twice_is_one(town: Town, party: Party) -> None:
    black = party.players[1]
    address = re.findall(r'name="address" value="(\w+)"', black.get("/notices").text)[0]
    for _ in range(2):
        assert black.post("/notices/test", [("key", "t" * 32), ("address", address)]).status == 303
    assert len(town.wait(0)) == 1


def test_what_was_taken_and_never_sent_goes_out_after_the_lease_and_not_before(
    town: Town, party: Party
) -> None:
    moves(party, "e4")
    town.now += 61
    town.post.judge(town.now)
    [address] = town.house.store.notifications.ready(town.now, 9)
    assert town.house.store.notifications.claim(address, town.now, town.now + 120)  # and it was killed here
    assert town.wait(119) == []
    assert len(town.wait(2)) == 1


# -- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "place", "why"),
    [
        ("pigeon", "x", "wrong_way"),
        ("mail", "nobody", "wrong_mail"),
        ("mail", "a@b", "wrong_mail"),
        ("mail", "a@b.c\nBcc: d@e.f", "wrong_mail"),
        ("mail", "a b@c.de", "wrong_mail"),
        ("mail", '"a@b"@c.de', "wrong_mail"),
        ("mail", "a@[127.0.0.1]", "wrong_mail"),
        ("mail", "a@b.de,c@d.ef", "wrong_mail"),
        ("mail", "a" * 300 + "@b.de", "wrong_mail"),
        ("discord", "http://hooks.example.org/", "wrong_hook"),
        ("slack", "https://user:pass@hooks.example.org/", "wrong_hook"),
        ("ntfy", "ntfy.sh/topic", "wrong_hook"),
        ("ntfy", "https://ntfy.sh/a b", "wrong_hook"),
        ("ntfy", "https://ntfy.sh/\r\nHost: x", "wrong_hook"),
        ("ntfy", "https://ntfy.sh:99999/", "wrong_hook"),
        ("ntfy", "file:///etc/passwd", "wrong_hook"),
        ("ntfy", "", "wrong_hook"),
        ("ntfy", "https://" + "a" * 1100, "wrong_hook"),
    ],
)
def test_what_is_no_address_is_not_kept(town: Town, way: str, place: str, why: str) -> None:
    player = town.house.visitor()
    player.start("rps")
    with town.house.unchanged():
        page = player.post("/notices/add", [("key", "k" * 32), ("way", way), ("place", place)])
        assert (page.status, page.token) == (422, f"table.{why}")


def test_an_address_is_kept_in_one_spelling(town: Town) -> None:
    player = town.house.visitor()
    player.start("rps")
    for written in ("https://hooks.müller.example/A", "HTTPS://Hooks.xn--mller-kva.Example:443/A"):
        town.told(player, written)
    [channel] = town.house.kept_of("channels")
    assert "https://hooks.xn--mller-kva.example/A" in channel


def test_five_addresses_are_enough_and_the_same_one_is_one(town: Town) -> None:
    player = town.house.visitor()
    player.start("rps")
    for number in range(MOST_CHANNELS):
        for _ in range(2):
            town.told(player, f"https://hooks.example.org/{number}")
    with town.house.unchanged():
        fields = [("key", "k" * 32), ("way", "ntfy"), ("place", "https://ntfy.sh/one-more")]
        assert player.post("/notices/add", fields).token == "table.too_many"


def test_nobody_sees_tests_or_takes_away_what_is_anothers(town: Town, party: Party) -> None:
    black, other = party.players[1], party.players[0]
    address = re.findall(r'name="address" value="(\w+)"', black.get("/notices").text)[0]
    assert "hooks.example.org" not in other.get("/notices").text
    with town.house.unchanged():
        for form in ("remove", "test"):
            refused = other.post(f"/notices/{form}", [("key", "k" * 32), ("address", address)])
            assert (refused.status, refused.token) == (409, "table.no_address")
    assert black.post("/notices/remove", [("key", "k" * 32), ("address", address)]).status == 303
    moves(party, "e4")
    assert town.wait() == []


def test_a_stranger_is_told_to_sit_down_first(town: Town) -> None:
    stranger = town.house.visitor()
    assert "Join a game first" in stranger.get("/notices").words
    with town.house.unchanged():
        for form in ("", "/add", "/remove", "/test", "/feed"):
            page = stranger.post(f"/notices{form}", [("key", "k" * 32)])
            assert (page.status, token(page)) == (403, "table.nobody")


def test_a_site_that_sends_no_mail_asks_for_none_and_keeps_what_was_chosen(
    town: Town, open_house: OpenHouse
) -> None:
    of_mail = ("An email address, or the webhook address", "Links in emails")
    page = town.chess().players[0].get("/notices")
    assert all(each in page.words for each in of_mail)
    house = open_house(public_url=URL, secure=False)
    ann = house.gathered("chess").players[0]
    for answers in (None, "yes"):  # as it stood while the site sent mail
        ann.submit(ann.get("/notices"), "/notices", answers=answers, zone="UTC")
        page = ann.get("/notices")
        assert not any(each in page.words for each in of_mail)
        assert "The webhook address that the service gives you." in page.words
        assert ("answers" in page.form("/notices")) is bool(answers)


def test_a_site_without_an_address_sends_nothing(open_house: OpenHouse) -> None:
    house = open_house()
    player = house.visitor()
    player.start("rps")
    assert "This site can't send email" in player.get("/notices").words
    fields = [("key", "k" * 32), ("way", "discord"), ("place", "https://hooks.example.org/")]
    assert player.post("/notices/add", fields).token == "table.wrong_way"
    assert dispatcher(house.services, house.app.extensions["settings"]).carriers == {}


@pytest.mark.parametrize(
    ("field", "written", "why"),
    [
        ("zone", "Atlantis", "wrong_zone"),
        ("zone", "", "wrong_zone"),
        ("from", "25:00", "wrong_time"),
        ("to", "noon", "wrong_time"),
        ("at", "", "wrong_time"),
        ("kind", "everything", "wrong_kind"),
    ],
)
def test_wishes_that_cannot_be_are_said_and_not_kept(
    town: Town, party: Party, field: str, written: str, why: str
) -> None:
    given = {"quiet": "yes", "digest": "yes", "from": "22:00", "to": "7:00", "at": "18:00", field: written}
    with town.house.unchanged():
        page = choose(party.players[1], **given)
        assert (page.status, page.token) == (422, f"table.{why}")


# -- the time zone ---------------------------------------------------------------------------------


def hooked(who: Local, zone: str, place: str = "https://hooks.example.org/a") -> Page:
    """A webhook is added by a browser whose script names its time zone; the page after it."""
    page = who.submit(who.get("/notices"), "/notices/add", way="discord", place=place, zone=zone)
    return who.follow(page)


def at_next(town: Town, time: str, zone: str) -> None:
    """It becomes this time of day in that zone."""
    town.now = next_minute(town.now, minute_of(time), ZoneInfo(zone))


@pytest.mark.parametrize(("zone", "day"), [("Asia/Tokyo", "9:30"), ("America/Los_Angeles", "15:30")])
def test_quiet_hours_go_by_the_time_zone_of_the_browser(town: Town, zone: str, day: str) -> None:
    party = town.house.gathered("chess")
    white, black = party.players
    hooked(black, zone)
    at_next(town, day, zone)
    moves(party, "e4")
    assert len(town.wait()) == 1
    assert black.move(party.table, "move e5").status == 303
    at_next(town, "23:00", zone)
    assert white.move(party.table, "move d4").status == 303
    assert town.wait(8 * 3600) == []
    assert len(town.wait(3600)) == 1


def test_without_a_time_zone_there_are_no_quiet_hours(town: Town, party: Party) -> None:
    black = party.players[1]
    assert "Quiet hours start once you choose your time zone." in black.get("/notices").words
    at_next(town, "3:00", "UTC")
    moves(party, "e4")
    assert len(town.wait()) == 1


def test_the_page_says_what_time_it_is_in_the_chosen_time_zone(town: Town, party: Party) -> None:
    black = party.players[1]
    must_be_sound(black.get("/notices"))
    assert choose(black, zone="Asia/Tokyo").status == 303
    at_next(town, "9:41", "Asia/Tokyo")
    page = black.get("/notices")
    assert "It is 09:41 in Asia/Tokyo." in page.words
    assert page.form("/notices")["zone"] == "Asia/Tokyo"
    must_be_sound(page)


def test_the_first_channel_brings_the_time_zone_and_no_other_changes_it(town: Town) -> None:
    player = town.house.visitor()
    player.start("rps")
    player.submit(player.get("/notices"), "/notices/feed")  # they are a subscriber from now on
    assert "in Asia/Tokyo." in hooked(player, "Asia/Tokyo").words
    page = player.get("/notices")
    assert "zone" not in page.form("/notices/add")
    fields = {"key": "k" * 32, "way": "ntfy", "place": "https://ntfy.sh/topic", "zone": "Europe/Paris"}
    assert player.post("/notices/add", fields.items()).status == 303
    assert "in Asia/Tokyo." in player.get("/notices").words


def test_a_channel_with_a_time_zone_that_does_not_exist_is_refused(town: Town) -> None:
    player = town.house.visitor()
    player.start("rps")
    with town.house.unchanged():
        page = hooked(player, "Atlantis")
        assert (page.status, page.token) == (422, "table.wrong_zone")


# -- mail ----------------------------------------------------------------------------------------


def test_a_mail_address_is_told_nothing_before_its_owner_has_said_yes(town: Town) -> None:
    party = town.house.gathered("chess")
    black = party.players[1]
    black.submit(black.get("/notices"), "/notices/add", way="mail", place="ann@example.org")
    moves(party, "e4")
    [(place, message)] = town.wait()
    assert (place, message.off) == ("ann@example.org", "")
    assert "Confirm your address for notifications" in message.text
    link = link_in(message.text, "/notices/confirm")
    robot = town.house.visitor()
    with town.house.unchanged():
        for _ in range(5):
            page = robot.get(link)
            assert page.status == 200
            assert page.headers.get("Set-Cookie") is None
    assert (
        black.post("/notices/test", [("key", "t" * 32), ("address", address_of(black))]).token
        == "table.not_confirmed"
    )
    assert robot.submit(page, "/notices/confirm").status == 303
    party.players[1].move(party.table, "move e5")
    party.players[0].move(party.table, "move d4")
    [(place, message)] = town.wait()
    assert place == "ann@example.org"
    assert "/answer?" not in message.text


def test_a_mail_address_is_not_asked_again_and_again_by_one_who_takes_it_away_each_time(town: Town) -> None:
    place = "victim@example.org"
    for number in range(5):
        somebody = town.house.visitor()
        somebody.start("rps")
        page = somebody.submit(somebody.get("/notices"), "/notices/add", way="mail", place=place)
        assert page.token == ("" if number < 3 else "table.asked_enough")
        assert len(town.wait()) == (number < 3)
        if number < 3:
            assert somebody.submit(somebody.get("/notices"), "/notices/remove").status == 303


def test_a_wrong_or_old_link_confirms_nothing(town: Town) -> None:
    player = town.house.visitor()
    player.start("rps")
    player.submit(player.get("/notices"), "/notices/add", way="mail", place="ann@example.org")
    [(_, message)] = town.wait(0)
    link = link_in(message.text, "/notices/confirm")
    for wrong in (
        link[:-1],
        link + "x",
        "/notices/confirm",
        "/notices/confirm?t=",
        "/notices/off?t=nonsense",
    ):
        with town.house.unchanged():
            path, _, t = wrong.partition("?t=")
            assert (town.house.visitor().get(wrong).status, player.post(path, [("t", t)]).status) == (
                410,
                410,
            )
    off = "/notices/off?t=" + link.partition("?t=")[2]
    assert player.get(off).status == 410  # a link is good for one thing


def test_one_address_is_not_asked_by_many(town: Town) -> None:
    answers = []
    for _ in range(5):
        player = town.house.visitor()
        player.start("rps")
        page = player.submit(player.get("/notices"), "/notices/add", way="mail", place="victim@example.org")
        answers.append(page.status)
    assert answers == [303, 303, 303, 422, 422]
    assert len(town.wait(0)) == 3


def test_mail_programs_end_it_with_one_post_and_people_with_one_button(town: Town) -> None:
    player = town.house.visitor()
    player.start("rps")
    for number, way in enumerate(("program", "person")):
        town.by_mail(player, f"{way}@example.org")
        player.post("/notices/test", [("key", f"{number}" * 32), ("address", address_of(player))])
        [(_, message)] = town.wait(0)
        path = message.off.removeprefix(URL)
        robot = town.house.visitor()
        with town.house.unchanged():
            page = robot.get(path)
        if way == "program":
            for _ in range(2):
                assert robot.post(path, [("List-Unsubscribe", "One-Click")]).status == 200
        else:
            assert robot.submit(page, "/notices/off").status == 303
        assert f"{way}@example.org" not in player.get("/notices").text
        assert robot.get(path).status == 410


@pytest.mark.parametrize("headers", OTHER_SITE.values(), ids=OTHER_SITE)
def test_web_mail_ends_notifications_from_its_own_page(town: Town, headers: dict[str, str]) -> None:
    player, web_mail = town.house.visitor(), town.house.visitor()
    player.start("rps")
    town.by_mail(player)
    player.post("/notices/test", [("key", "t" * 32), ("address", address_of(player))])
    [(_, message)] = town.wait(0)
    path = message.off.removeprefix(URL)
    with town.house.unchanged():
        assert web_mail.post(path[:-1], [("List-Unsubscribe", "One-Click")], **headers).status == 410
    body = b'--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
    ended = web_mail.request("POST", path, body, Content_Type="multipart/form-data; boundary=b", **headers)
    assert (ended.status, ended.text) == (200, "ok\n")
    assert ended.headers.get("Set-Cookie") is None
    assert "ann@example.org" not in player.get("/notices").text
