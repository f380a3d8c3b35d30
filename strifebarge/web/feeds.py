"""Feed and calendar of one person, under an address that only they know and can change.

They tell what everybody at the table may know: programs of others keep what they fetch.
"""

from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from flask import Blueprint, Response, abort, current_app, request, url_for
from icalendar import Alarm, Calendar, Event, Todo

from strifebarge.rules import Refused
from strifebarge.table.letters import Letter, Reader, deadline_of, wanted
from strifebarge.table.ports import Player
from strifebarge.table.table import Table

from .languages import ENGLISH, Language
from .pages import site_url
from .people import referee
from .wording import Seals, sentence_of

blueprint = Blueprint("feeds", __name__, url_prefix="/feed")
ATOM = "http://www.w3.org/2005/Atom"
MOST = 30  # entries


def seals() -> Seals:
    return Seals(current_app.extensions["settings"].secret_keys)


def _whose(secret: str) -> tuple[Player, Reader, Language]:
    """The one whose secret it is.  Any other is 404, as is one that was taken back."""
    try:
        public, generation = seals().read("feed", secret)
        player = referee().store.person(public)
    except (Refused, ValueError, TypeError):
        abort(404)
    reader = referee().store.outbox.reader(player.id)
    if reader is None or reader.feed <= 0 or reader.feed != generation:
        abort(404)
    return player, reader, current_app.extensions["languages"].by_code.get(reader.language, ENGLISH)


def letters_for(player: str) -> list[tuple[Letter, Table]]:
    """What somebody has been told that still stands, the newest first."""
    found = []
    for letter in referee().store.outbox.told(player, MOST):
        try:
            table = referee().store.table(str(letter.table))
        except Refused:
            continue
        if wanted(letter, table, referee().now()) and table.game in referee().library.titles:
            found.append((letter, table))
    return found


@blueprint.get("/<secret>.atom")
def atom(secret: str) -> Response:
    player, _, language = _whose(secret)
    told = letters_for(player.id)
    feed = Element("feed", {"xmlns": ATOM, "xml:lang": language.code})
    _put(feed, "id", f"tag:{_host()},2026:{_tag(secret)}")
    _put(feed, "title", "StrifeBarge")
    SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": request.base_url})
    ours = site_url(url_for("lobby.mine"))
    SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": ours})
    _put(feed, "updated", _instant(max((letter.told or 0 for letter, _ in told), default=player.created)))
    _put(SubElement(feed, "author"), "name", "StrifeBarge")
    for letter, table in told:
        entry = SubElement(feed, "entry")
        _put(entry, "id", f"tag:{_host()},2026:{_tag(letter.id)}")
        _put(entry, "title", sentence_of(letter, table, referee(), language))
        _put(entry, "updated", _instant(letter.told or 0))
        SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": _table_url(table)})
    return _answer(tostring(feed, encoding="utf-8", xml_declaration=True), "application/atom+xml")


@blueprint.get("/<secret>.ics")
def calendar(secret: str) -> Response:
    """A task for each table that waits for them; an event for each deadline, with an alarm before it."""
    player, _, language = _whose(secret)
    found = Calendar()
    found.add("prodid", "-//StrifeBarge//StrifeBarge//EN")
    found.add("version", "2.0")
    found.add("x-wr-calname", "StrifeBarge")
    for letter, table in letters_for(player.id):
        found.add_component(_entry(letter, table, deadline_of(table, player.id), language))
    return _answer(found.to_ical(), "text/calendar")


def _entry(letter: Letter, table: Table, deadline: float | None, language: Language) -> Any:
    entry: Any = Todo() if deadline is None else Event()
    begun = datetime.fromtimestamp(letter.made, UTC).replace(microsecond=0)
    entry.add("uid", f"{_tag(letter.id)}@{_host()}")
    entry.add("dtstamp", begun)
    entry.add("summary", sentence_of(letter, table, referee(), language))
    entry.add("url", _table_url(table))
    if deadline is None:
        entry.add("dtstart", begun)
        entry.add("status", "NEEDS-ACTION")
        return entry
    end = datetime.fromtimestamp(deadline, UTC).replace(microsecond=0)
    entry.add("dtstart", end)
    entry.add("dtend", end)
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", sentence_of(letter, table, referee(), language))
    alarm.add("trigger", (begun - end) / 4)  # when a quarter of the time is left
    entry.add_component(alarm)
    return entry


def _put(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = "".join(c for c in text if c.isprintable())


def _instant(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _tag(secret: str) -> str:
    """A name for something that must not be told itself."""
    return sha256(f"feed {secret}".encode()).hexdigest()[:32]


def _host() -> str:
    return site_url(url_for("lobby.landing")).split("/")[2].partition(":")[0]


def _table_url(table: Table) -> str:
    return site_url(url_for("play.show", id=table.id))


def _answer(body: bytes, kind: str) -> Response:
    answer = Response(body, mimetype=kind, headers={"Cache-Control": "private, max-age=60"})
    answer.add_etag()
    answer.make_conditional(request)
    return answer
