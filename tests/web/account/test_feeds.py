"""The feed and the calendar: whose turn it is, and until when."""

from xml.etree import ElementTree

import feedparser
import icalendar
import pytest

from tests.support.visitor import Local
from tests.web.town import URL, Town, moves

ATOM = "{http://www.w3.org/2005/Atom}"


def feed_of(who: Local) -> str:
    page = who.submit(who.get("/notices"), "/notices/feed")
    assert page.status == 303
    return str(who.get("/notices").seen.ids["atom"]["value"]).removeprefix(URL)


def test_the_feed_says_whose_turn_it_is(town: Town) -> None:
    party = town.house.gathered("chess")
    path, stranger = feed_of(party.players[1]), town.house.visitor()
    assert feedparser.parse(stranger.get(path).body).entries == []
    moves(party, "e4")
    assert town.wait() == []
    answer = stranger.get(path)
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    assert answer.headers["Cache-Control"] == "private, max-age=60"
    assert stranger.get(path, If_None_Match=str(answer.headers["ETag"])).status == 304
    read = feedparser.parse(answer.body)
    assert not read.bozo
    assert read.version == "atom10"
    [entry] = read.entries
    assert entry.title == "It's your turn in Chess with Guest Foxtrot."
    assert entry.link == f"{URL}{party.table}"
    root = ElementTree.fromstring(answer.body)
    for each in (root, *root.findall(f"{ATOM}entry")):
        for needed in ("id", "title", "updated"):
            assert each.findtext(f"{ATOM}{needed}"), needed
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    party.players[1].move(party.table, "move e5")
    assert feedparser.parse(stranger.get(path).body).entries == []


def test_the_calendar_has_a_task_for_each_table_that_waits(town: Town) -> None:
    party = town.house.gathered("chess")
    path = feed_of(party.players[1]).removesuffix(".atom") + ".ics"
    moves(party, "e4")
    town.wait()
    answer = town.house.visitor().get(path)
    assert answer.headers["Content-Type"].startswith("text/calendar")
    read = icalendar.Calendar.from_ical(answer.body)
    assert read["VERSION"] == "2.0"
    assert read["PRODID"]
    [task] = read.walk("VTODO")
    assert str(task["SUMMARY"]) == "It's your turn in Chess with Guest Foxtrot."
    assert str(task["URL"]) == f"{URL}{party.table}"
    assert task["UID"]
    assert task["DTSTAMP"]
    assert all(len(line) <= 75 for line in answer.body.split(b"\r\n"))


def test_a_deadline_is_an_event_with_an_alarm_and_two_reminders_come_before_it(town: Town) -> None:
    party = town.house.gathered("chess", pace="days-3")
    path = feed_of(party.players[1]).removesuffix(".atom") + ".ics"
    town.told(party.players[1])
    moves(party, "e4")
    deadline = town.now + 3 * 86400
    assert [message.short.splitlines()[0] for _, message in town.wait()] == [
        "It's your turn in Chess with Guest Foxtrot."
    ]
    [event] = icalendar.Calendar.from_ical(town.house.visitor().get(path).body).walk("VEVENT")
    assert event["DTSTART"].dt.timestamp() == pytest.approx(deadline, abs=1)
    [alarm] = event.walk("VALARM")
    assert alarm["TRIGGER"].dt.total_seconds() == pytest.approx(-3 * 86400 / 4, abs=1)
    reminders = []
    while town.now < deadline - 3600:
        reminders += [message.short.splitlines()[0] for _, message in town.wait(1800)]
    assert reminders == [
        "Half of your time for this move in Chess is gone.",
        "You're almost out of time in Chess.",
    ]


def test_a_new_address_ends_the_one_before_and_none_ever_comes_back(town: Town) -> None:
    player, stranger = town.house.visitor(), town.house.visitor()
    player.start("rps")
    page = player.get("/notices")
    first = feed_of(player)
    assert player.submit(page, "/notices/feed").status == 303  # the same form again
    assert str(player.get("/notices").seen.ids["atom"]["value"]).endswith(first)
    second = feed_of(player)
    assert [stranger.get(path).status for path in (first, second)] == [404, 200]
    form = player.get("/notices").form("/notices/feed")
    ended = [(name, value) for name, value in form.filled() if name != "feed"]
    assert player.post("/notices/feed", [*ended, ("feed", "no")]).status == 303
    assert stranger.get(second).status == 404
    third = feed_of(player)
    assert third not in (first, second)
    assert [stranger.get(path).status for path in (first, second, third)] == [404, 404, 200]
    forged = third[:-13] + "xxxxxxxx.atom"
    for wrong in ("/feed/x.atom", "/feed/x.ics", forged, third.replace(".atom", "x.atom")):
        assert stranger.get(wrong).status == 404


@pytest.mark.parametrize("name", ["<b>&\"'", "]]>x", "Zoë 🚢", "BEGIN:VEVENT"])
def test_names_are_words_in_feed_calendar_and_letters(town: Town, name: str) -> None:
    host, guest = town.house.visitor(), town.house.visitor()
    table = host.start("chess", name=name).table
    guest.join(table)
    path = feed_of(guest)
    town.told(guest)
    assert host.move(table, "move e4").status == 303
    [(_, message)] = town.wait()
    assert name in message.short
    [entry] = feedparser.parse(guest.get(path).body, sanitize_html=False).entries
    assert (
        ElementTree.fromstring(guest.get(path).body).findtext(f"{ATOM}entry/{ATOM}title", "").count(name) == 1
    )
    [task] = icalendar.Calendar.from_ical(guest.get(path.replace(".atom", ".ics")).body).walk("VTODO")
    assert name in str(task["SUMMARY"])
    assert entry.link.endswith(table)
