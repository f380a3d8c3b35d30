"""Facts for the host's page: what is going on, what has failed, and how the site is set up."""

import platform
import re
from contextlib import suppress
from importlib.metadata import version
from typing import Any, NamedTuple

from flask import current_app
from markupsafe import Markup

from strifebarge.backup.kept import newest
from strifebarge.ops.recent import IncidentLog
from strifebarge.people.hosts import SiteOverview
from strifebarge.rules import Refused
from strifebarge.settings import rows_of
from strifebarge.tables.model.parts import Fault
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Table
from strifebarge.tables.play.ledger import standing_moves
from strifebarge.web.http.services import hosts, now, referee, services, settings
from strifebarge.web.site.host_acts import STATUSES, names_at
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.dates import ago, instant
from strifebarge.web.words.numbers import number
from strifebarge.web.words.texts import render_text

MOST = 20  # of each list
KIND = re.compile(r"[A-Za-z_][\w.]*(?=:|$)")  # of an exception, before what it says
FRAME = re.compile(r' +File "([^"]+)", line (\d+), in (\S+)')  # of a traceback
SiteFact = tuple[Markup, Markup]  # what it is, and how it stands


class FailedTable(NamedTuple):
    """A table at which a game's code has failed: what kind of error, and where; never what it says.

    What an exception says may hold what a player alone may know.
    """

    table: Table
    fault: Fault
    kind: str
    frames: list[str]


class SeatedPlayer(NamedTuple):
    """Somebody who plays at a table, and what they are called there."""

    name: str
    player: Player


def facts() -> dict[str, Any]:
    """Return what the host's page shows."""
    recent: IncidentLog = current_app.extensions["recent"]
    switches = services().switches
    switches.refresh()  # another worker may have switched something this very second
    return {
        "now": _going_on(hosts().repository.overview(now())),
        "failed": [failed(table) for table in referee().store.faulty()[:MOST]],
        "errors": recent.latest("error", MOST),
        "slow": recent.latest("slow", MOST),
        "found": services().people.banned(),
        "entries": referee().store.audit_log(MOST),
        "switched": switches,
        "settings": list(rows_of(settings())),
    }


def _going_on(overview: SiteOverview) -> list[SiteFact]:
    """Return what is going on, a line for each."""
    tables = [
        (render_text(word), number(overview.tables.get(status, 0))) for status, word in STATUSES.items()
    ]
    return [
        *((say("Tables: {status}", status=word), many) for word, many in tables),
        (say("Players here now"), number(overview.players_now)),
        (say("Spectators here now"), number(overview.spectators_now)),
        (say("People with an account"), number(overview.people)),
        (say("Guests"), number(overview.guests)),
        (say("Notifications that wait to be sent"), number(overview.notifications)),
        (say("The first of them was due"), _since(overview.oldest_due)),
        (say("Last backup"), _last_backup()),
        (say("Versions"), _in_english(_versions(overview.database))),
    ]


def _in_english(text: str) -> Markup:
    """Return words that programs have for something, as HTML."""
    return Markup('<span lang="en">{}</span>').format(text)


def _versions(database: str) -> str:
    return f"StrifeBarge {version('strifebarge')}, Python {platform.python_version()}, {database}"


def _since(moment: float | None) -> Markup:
    return Markup("–") if moment is None else instant(moment)


def _last_backup() -> Markup:
    folder = settings().backups
    if folder is None:
        return say("No folder is set for backups.")
    last = newest(folder)
    if last is None:
        return say("There is none yet.")
    return Markup("{} ({})").format(instant(last.timestamp()), ago(last.timestamp()))


def failed(table: Table) -> FailedTable:
    """Return what a host is told of a game's fault."""
    fault = table.fault or Fault(what="", error="")
    kind = KIND.match(fault.error)
    frames = [
        f"{match[1]}:{match[2]}, {match[3]}" for match in map(FRAME.match, fault.trace.splitlines()) if match
    ]
    return FailedTable(table, fault, kind[0] if kind else fault.error, frames)


def _moves(table: Table) -> Markup:
    """Return how many moves stand, and how far they are numbered where some were undone or taken back."""
    last, standing = table.position.number, standing_moves(referee().store, table)
    if standing == last:
        return number(last)
    return say("{standing} stand, numbered up to {last}", standing=number(standing), last=number(last))


def seated_at(table: Table) -> list[SeatedPlayer]:
    """Return the people who play at a table, for a host who may want to ban one."""
    seateds = []
    for chair in table.chairs:
        for id, name in chair.public_ids:
            with suppress(Refused):  # they have just had themselves erased
                seateds.append(SeatedPlayer(name, services().people.person(id)))
    return seateds


def details_of(table: Table) -> list[SiteFact]:
    """Return what stands at a table; nothing of a position, seed or link."""
    return [
        (say("Game"), _in_english(f"{table.game}, {table.rules_version}")),
        (say("Status"), render_text(STATUSES[table.status])),
        (say("Moves"), _moves(table)),
        (say("Players"), names_at(table)),
        (say("Since"), instant(table.times.created)),
        (say("Last change"), instant(table.times.changed)),
    ]
