"""Probes for monitors: whether the site answers, and what it does without."""

from collections.abc import Iterator

from flask import Blueprint, Response

from strifebarge.backup.kept import is_missed, newest
from strifebarge.lib.busy import Busy
from strifebarge.tables.clock.site_time import told_off
from strifebarge.web.http.services import health, limits, lists, now, referee, services, settings
from strifebarge.web.table.live import hub_is_away
from strifebarge.web.words.languages import languages

blueprint = Blueprint("probes", __name__)


@blueprint.get("/healthz")
def healthy() -> Response:
    """Tell that this process answers."""
    return Response("ok\n", mimetype="text/plain")


@blueprint.get("/readyz")
def ready() -> Response:
    """Tell that this process and the database answer, that the disk has room, and what is done without."""
    try:
        lists().waiting_for("")
    except Busy:
        return _not_ready("database: no answer")
    if health().file_gone:
        return _not_ready("database: its file was moved, deleted or replaced")
    if health().disk_full:
        return _not_ready("disk full")
    return Response("\n".join(["ready", *_amiss(), ""]), mimetype="text/plain")


def _not_ready(why: str) -> Response:
    return Response(f"{why}\n", 503, {"Retry-After": "30"}, mimetype="text/plain")


def _amiss() -> Iterator[str]:
    yield from (f"degraded: {each}" for each in limits().away())
    if hub_is_away():
        yield "degraded: hub"
    yield from (f"left out: {name}" for name in referee().library.left_out)
    yield from (f"left out: {path.parent.name}/{path.name}" for path in languages().unreadable)
    if folder := settings().backups:
        last = newest(folder)
        if is_missed(last, now(), health().uptime):
            yield (
                "degraded: no backup yet"
                if last is None
                else f"degraded: last backup {last:%Y-%m-%d %H:%M} UTC"
            )
    if off := services().clock.wall_is_off:
        yield f"clock: {told_off(off)} the site's time, which counts"
