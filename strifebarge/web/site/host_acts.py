"""Acts of hosts by forms: those of the commands, each carried out once for each form."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from flask import request, url_for
from markupsafe import Markup

from strifebarge.people.switches import LONGEST_ANNOUNCEMENT, tidy_announcement
from strifebarge.rules import Refused, Text
from strifebarge.rules.replay import Diverged
from strifebarge.tables.acts import hosting
from strifebarge.tables.model.audit import ByForm, DoneBefore
from strifebarge.tables.model.names import tidy_code
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.status import RUNNING, Status
from strifebarge.tables.model.table import Table
from strifebarge.web.http.guard import RequestRefusal
from strifebarge.web.http.services import hosts, now, referee, services

STATUSES = {
    Status.OPEN: Text("Open"),
    Status.PLAYING: Text("Running"),
    Status.SUSPENDED: Text("Suspended"),
    Status.OVER: Text("Over"),
}
FIELDS = {
    "move": Text("After which move (0 is the deal)"),
    "reason": Text("Reason, which the person is told"),
    "until": Text("Until (like 2030-12-31 18:00, UTC), or nothing for no end"),
    "text": Text("Text on every page"),
}
NAME = Markup("<bdi>{}</bdi>")
TIMES = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M")  # of the end of a ban, UTC


class HostAct(NamedTuple):
    """An act: the words of its page, its fields, and what does it, to what the form names, as whom."""

    name: Text
    means: Text
    about: Callable[[str], str]  # says what the form names; raises Refused where that is not there
    do: Callable[[str, ByForm], object]
    leads_to: Callable[[str], str]
    fields: tuple[str, ...] = ()
    danger: bool = False


def find(what: str) -> HostAct:
    """Return an act by its name.  Raises Refused(NO_HOST_ACT)."""
    if what not in ACTS:
        raise Refused(RequestRefusal.NO_HOST_ACT)
    return ACTS[what]


def carry_out_once(act: HostAct, of: str, name: str, key: str) -> None:
    """Carry out an act by a form with a key, or do nothing where it was carried out before.

    Raises Refused: what the act raises; NEWER_RULES.
    """
    if hosts().repository.carried_out(key):
        return
    try:
        act.do(of, ByForm(name, key))
    except DoneBefore:  # the same form at the same moment
        return
    except Diverged:
        raise Refused(RequestRefusal.NEWER_RULES) from None


def at_table(table: Table) -> list[str]:
    """Return the acts that a table allows now."""
    if table.status not in RUNNING:
        return []
    return ["resume" if table.suspended else "suspend", "rewind", "end"]


# -- games --------------------------------------------------------------------------------


def _table(of: str) -> Table:
    return referee().store.table(tidy_code(of))


def names_at(table: Table) -> Markup:
    """Return the names of the people at a table, as HTML."""
    return Markup(", ").join(NAME.format(chair.called) for chair in table.chairs if chair.players)


def _about_table(of: str) -> str:
    table = _table(of)
    return Markup("{} · {}").format(table.id, names_at(table))


def _change(act: Callable[..., None], of: str, by: ByForm) -> None:
    referee().change(_table(of).id, act, by)


def _rewind(of: str, by: ByForm) -> None:
    number = request.form.get("move", "").strip()
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Refused(RequestRefusal.WRONG_MOVE)
    referee().change(_table(of).id, hosting.rewind_by_host, by, int(number))


def _to_game(of: str) -> str:
    return url_for("host.game", of=tidy_code(of))


# -- people -------------------------------------------------------------------------------


def _person(of: str) -> Player:
    return services().people.person(of)


def _about_person(of: str) -> str:
    person = _person(of)
    return Markup("{} · {}").format(NAME.format(person.name), person.public)


def _ban(of: str, by: ByForm) -> None:
    services().people.ban(_person(of), by, request.form.get("reason", ""), _end_of_ban())


def _end_of_ban() -> float | None:
    """Return when the ban is to end; None for one without an end.  Raises Refused(WRONG_END)."""
    written = request.form.get("until", "").strip()
    for form in TIMES:
        try:
            return datetime.strptime(written, form).replace(tzinfo=UTC).timestamp()
        except (ValueError, OverflowError):
            continue
    if written:
        raise Refused(RequestRefusal.WRONG_END)
    return None


def _unban(of: str, by: ByForm) -> None:
    services().people.unban(_person(of), by)


def _to_person(of: str) -> str:
    return url_for("host.people", of=of)


# -- the whole site -----------------------------------------------------------------------


def _about_site(_of: str) -> str:
    return services().switches.announcement


def _switch(on: bool, _of: str, by: ByForm) -> None:
    services().switches.set_read_only(on, by, now())


def _announce(_of: str, by: ByForm) -> None:
    text = tidy_announcement(request.form.get("text", ""))
    if not text:
        raise Refused(RequestRefusal.NO_TEXT, longest=LONGEST_ANNOUNCEMENT)
    services().switches.announce(text, by, now())


def _end_announcement(_of: str, by: ByForm) -> None:
    services().switches.announce("", by, now())


def _to_page(_of: str) -> str:
    return url_for("host.page")


ACTS = {
    "suspend": HostAct(
        Text("Suspend the game"),
        Text("The clocks stop and nobody can move. It goes on only when a host resumes it."),
        *(_about_table, partial(_change, hosting.suspend_by_host), _to_game),
    ),
    "resume": HostAct(
        Text("Resume the game"),
        Text("It goes on at once. If the game's code has failed, it goes on from before the last move."),
        *(_about_table, partial(_change, hosting.resume_by_host), _to_game),
    ),
    "rewind": HostAct(
        Text("Rewind the game"),
        Text("The game goes on from where it stood after that move. Later moves stay in the log."),
        *(_about_table, _rewind, _to_game, ("move",)),
    ),
    "end": HostAct(
        Text("End the game without a result"),
        Text("Nobody can undo this. The game isn't rated."),
        *(_about_table, partial(_change, hosting.end_by_host), _to_game),
        danger=True,
    ),
    "ban": HostAct(
        Text("Ban this person"),
        Text("From their next request they can't sign in, join, move or write. They are told the reason."),
        *(_about_person, _ban, _to_person, ("reason", "until")),
        danger=True,
    ),
    "unban": HostAct(
        Text("Lift the ban"),
        Text("They can come back at once. Browsers that were signed in still are."),
        *(_about_person, _unban, _to_person),
    ),
    "announce": HostAct(
        Text("Announce something"),
        Text("Every page shows the text within two seconds, in place of an earlier one."),
        *(_about_site, _announce, _to_page, ("text",)),
    ),
    "end-announcement": HostAct(
        Text("End the announcement"),
        Text("No page shows it any more."),
        *(_about_site, _end_announcement, _to_page),
    ),
    "read-only": HostAct(
        Text("Make the site read-only"),
        Text("Games can be watched, but not played. All clocks stop meanwhile."),
        *(_about_site, partial(_switch, True), _to_page),
        danger=True,
    ),
    "writable": HostAct(
        Text("End read-only"),
        Text("Games can be played again, and the clocks go on."),
        *(_about_site, partial(_switch, False), _to_page),
    ),
}
