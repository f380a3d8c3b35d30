"""Feed and calendar of one person, under an address that only they know and can change.

They tell what everybody at the table may know: programs of others keep what they fetch.
"""

from datetime import UTC, datetime
from hashlib import sha256
from xml.etree.ElementTree import Element, SubElement, tostring

from flask import Blueprint, Response, abort, request, url_for

from strifebarge.lib.joiners import is_printable
from strifebarge.notifications.models import Notification
from strifebarge.notifications.relevance import deadline_of
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Table
from strifebarge.web.http.seals import Seals
from strifebarge.web.http.services import accounts, notifications, now, referee, settings, views
from strifebarge.web.page.pages import site_url
from strifebarge.web.words.languages import ENGLISH, Language, languages
from strifebarge.web.words.notifications import sentence_of

blueprint = Blueprint("feeds", __name__, url_prefix="/feed")
ATOM = "http://www.w3.org/2005/Atom"
MOST = 30  # entries


def seals() -> Seals:
    return Seals(settings().secret_keys, referee().now)


def _owner_of_secret(secret: str) -> tuple[Player, Language]:
    """Return whose secret it is, and their language; a secret that is unknown or was ended is 404."""
    try:
        public, serial = seals().read("feed", secret)
        player = accounts().person(public)
    except (Refused, ValueError, TypeError):
        abort(404)
    subscriber = notifications().of_feed(player.id, serial)
    if subscriber is None:
        abort(404)
    return player, languages().by_code.get(subscriber.language, ENGLISH)


def sent_notifications(player: str) -> list[tuple[Notification, Table]]:
    """Return what somebody has been told and is still true, at tables of games that are here."""
    titles = referee().library.titles
    return [(each, table) for each, table in notifications().sent_to(player, MOST) if table.game in titles]


@blueprint.get("/<secret>.atom")
def atom(secret: str) -> Response:
    player, language = _owner_of_secret(secret)
    notifications = sent_notifications(player.id)
    feed = Element("feed", {"xmlns": ATOM, "xml:lang": language.code})
    _put(feed, "id", f"tag:{_host()},2026:{_tag(secret)}")
    _put(feed, "title", "StrifeBarge")
    itself, ours = site_url(url_for(".atom", secret=secret)), site_url(url_for("lobby.my_games"))
    SubElement(feed, "link", {"rel": "self", "type": "application/atom+xml", "href": itself})
    SubElement(feed, "link", {"rel": "alternate", "type": "text/html", "href": ours})
    _put(
        feed,
        "updated",
        _instant(max((notification.sent or 0 for notification, _ in notifications), default=player.created)),
    )
    _put(SubElement(feed, "author"), "name", "StrifeBarge")
    for notification, table in notifications:
        entry = SubElement(feed, "entry")
        _put(entry, "id", f"tag:{_host()},2026:{_tag(notification.id)}")
        _put(entry, "title", sentence_of(notification, table, referee(), language))
        _put(entry, "updated", _instant(notification.sent or 0))
        SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": _table_url(table)})
    return _answer(tostring(feed, encoding="utf-8", xml_declaration=True), "application/atom+xml")


@blueprint.get("/<secret>.ics")
def calendar(secret: str) -> Response:
    """Send a task for each table that waits for the subscriber; an event with an alarm for each deadline."""
    # The library takes 5 MB, and calendars are requested rarely.
    from strifebarge.web.account.calendars import CalendarTask, calendar_of

    player, language = _owner_of_secret(secret)
    # Of each table its oldest notification: reminders of the same turn follow it.
    pairs = {table.id: (notification, table) for notification, table in sent_notifications(player.id)}
    shifts = _shifts_of_deadlines(player.id)
    tasks = [
        CalendarTask(
            id=f"{_tag(notification.id)}@{_host()}",
            created=notification.created,
            revised=max(notification.created, table.times.changed, *shifts),
            deadline=deadline_of(table, player.id),
            sentence=sentence_of(notification, table, referee(), language),
            url=_table_url(table),
        )
        for notification, table in pairs.values()
    ]
    return _answer(calendar_of(tasks), "text/calendar")


def _shifts_of_deadlines(player: str) -> list[float]:
    """Return when deadlines of a player at all tables may have moved: by vacations, and by restarts."""
    vacations = [at for each in views().vacations(player) for at in (each.began, each.until)]
    restarts = [each.began for each in views().store.uptime_periods(0)]
    return [at for at in vacations + restarts if at <= now()]


def _put(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = "".join(c for c in text if is_printable(c))


def _instant(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _tag(secret: str) -> str:
    """Return a stable id for something whose own id is a secret."""
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
