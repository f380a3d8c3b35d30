"""The feed and the calendar: whose turn it is, and until when."""

from itertools import pairwise
from typing import Any, NamedTuple
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


class Component(NamedTuple):
    """A component of a calendar, as its lines have it."""

    kind: str
    properties: list[tuple[str, str]]  # names without parameters
    inner: list["Component"]

    def all_of(self, name: str) -> list[str]:
        return [value for each, value in self.properties if each == name]

    def one(self, name: str) -> str:
        [value] = self.all_of(name)
        return value


REQUIRED = {  # by component, what RFC 5545 wants once each; an event without a METHOD also has a start
    "VCALENDAR": ("PRODID", "VERSION"),
    "VEVENT": ("UID", "DTSTAMP", "DTSTART"),
    "VTODO": ("UID", "DTSTAMP"),
    "VALARM": ("ACTION", "TRIGGER", "DESCRIPTION"),
    "VTIMEZONE": ("TZID",),
    "STANDARD": ("DTSTART", "TZOFFSETFROM", "TZOFFSETTO"),
}


def strictly_read(body: bytes) -> Component:
    """Read a calendar as RFC 5545 has it, and no other way."""
    *lines, rest = body.split(b"\r\n")
    assert rest == b""
    assert all(0 < len(line) <= 75 and b"\n" not in line and b"\r" not in line for line in lines)
    whole = body.decode().replace("\r\n ", "").removesuffix("\r\n").split("\r\n")
    opened = [Component("", [], [])]
    for line in whole:
        name, value = line.split(":", 1)
        if name == "BEGIN":
            opened.append(Component(value, [], []))
        elif name == "END":
            closed = opened.pop()
            assert closed.kind == value
            assert all(len(closed.all_of(needed)) == 1 for needed in REQUIRED[value])
            opened[-1].inner.append(closed)
        else:
            opened[-1].properties.append((name.partition(";")[0], value))
    [[_, nothing, [calendar]]] = opened
    assert not nothing
    assert calendar.inner, "a calendar has one component or more"
    entries = [each for each in calendar.inner if each.kind in ("VEVENT", "VTODO")]
    assert len({each.one("UID") for each in entries}) == len(entries)
    for each in entries:
        assert each.one("DTSTAMP").endswith("Z")
        assert int(each.one("SEQUENCE")) >= 0
        assert all(end > each.one("DTSTART") for end in each.all_of("DTEND"))
    return calendar


def read_calendar(who: Local, path: str) -> Any:
    """The calendar behind a feed's path, as a program reads it."""
    body = who.get(path.removesuffix(".atom") + ".ics").body
    strictly_read(body)
    return icalendar.Calendar.from_ical(body)


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
    [zone] = strictly_read(town.house.visitor().get(path).body).inner
    assert zone.kind == "VTIMEZONE"
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
    strictly_read(answer.body)


def test_a_deadline_is_an_event_with_an_alarm_and_two_reminders_come_before_it(town: Town) -> None:
    party = town.house.gathered("chess", pace="days-3")
    path, stranger = feed_of(party.players[1]), town.house.visitor()
    town.told(party.players[1])
    moves(party, "e4")
    deadline = town.now + 3 * 86400
    assert [message.short.splitlines()[0] for _, message in town.wait()] == [
        "It's your turn in Chess with Guest Foxtrot."
    ]
    [event] = read_calendar(stranger, path).walk("VEVENT")
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
    [after_reminders] = read_calendar(stranger, path).walk("VEVENT")
    assert after_reminders == event


def test_a_deadline_that_moves_is_a_new_version_of_the_same_event(town: Town) -> None:
    party = town.house.gathered("chess", pace="days-3")
    white, black = party.players
    path, stranger = feed_of(black), town.house.visitor()
    moves(party, "e4")
    town.wait()
    versions = read_calendar(stranger, path).walk("VEVENT")
    stopped = town.now + 86400
    for at, who, page, form, fields in (
        (stopped, black, "/games", "/vacation", {"days": "5"}),
        (stopped + 2 * 86400, black, "/games", "/vacation", {}),  # back again
        (stopped + 3 * 86400, white, party.table, "/pause", {}),
        (stopped + 3 * 86400 + 7200, black, party.table, "/pause", {}),
    ):
        town.now = at
        assert who.submit(who.get(page), form, **fields).status == 303
        town.now += 1
        [event] = read_calendar(stranger, path).walk("VEVENT")
        versions.append(event)
        town.now += 3600
        assert read_calendar(stranger, path).walk("VEVENT") == [event]  # nothing has moved since
    first, away, back, asked, paused = versions
    left = first["DTSTART"].dt.timestamp() - stopped
    assert away["DTSTART"].dt.timestamp() == pytest.approx(stopped + 5 * 86400 + left, abs=1)
    assert back["DTSTART"].dt.timestamp() == pytest.approx(stopped + 2 * 86400 + left, abs=1)
    assert asked["DTSTART"] == back["DTSTART"]
    # 30 days of a pause came between, and the vacation ended after two days.
    assert paused["DTSTART"].dt.timestamp() == pytest.approx(stopped + 32 * 86400 + left, abs=1)
    assert len({each["UID"] for each in versions}) == 1
    for former, later in pairwise([first, away, back, paused]):
        assert later["DTSTAMP"].dt > former["DTSTAMP"].dt
        assert later["SEQUENCE"] > former["SEQUENCE"]
    for each in (away, back):  # a quarter of what was left then
        [alarm] = each.walk("VALARM")
        assert alarm["TRIGGER"].dt.total_seconds() == pytest.approx(-left / 4, abs=1)


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
    [task] = read_calendar(guest, path).walk("VTODO")
    assert name in str(task["SUMMARY"])
    assert entry.link.endswith(table)
