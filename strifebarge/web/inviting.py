"""Who is invited to a table, and how: a link, a code to read out, a QR code, a mail, or by name."""

from functools import lru_cache
from html import escape
from typing import NamedTuple

import segno
from flask import redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.names import spoken, tidy_letters
from strifebarge.table.person import alias
from strifebarge.table.table import No, Status, Table
from strifebarge.table.view import View

from .pages import table_url
from .people import must_be, player_id, referee, slip, who
from .tables import at_a_table, back_to

blueprint = at_a_table("inviting")


class Known(NamedTuple):
    """Somebody whom one has played with."""

    name: str
    alias: str


class Guest(NamedTuple):
    """Somebody who was invited by name, as those who sit at the table see them."""

    name: str
    alias: str
    inviter: str
    declined: bool
    mine: bool  # who looks may take it back


class Invitation(NamedTuple):
    """How people come to sit at a table: what whoever looks may send on, or why they cannot sit down."""

    given: str  # the code of the one by which somebody came here; "" for the table's own address
    why: No | None
    url: str
    code: str
    qr: Markup
    by_name: str  # who has invited whoever looks, by name
    guests: list[Guest]
    others: list[Known]  # who might be invited by name


def given() -> str:
    """The invitation that somebody has come by, or sends with a form."""
    return tidy_letters(request.values.get("i", ""))


def invitation(view: View) -> Invitation:
    """Raises Refused(NO_INVITATION) if somebody came by one that there never was."""
    code, mine = given(), view.seat is not None
    if view.status is not Status.OPEN and not any(place.free for place in view.places):
        late = view.running and not (mine or view.several)
        return Invitation(code, No.BEGUN if late else None, "", "", Markup(), "", [], [])
    table, me = referee().status(view.id), player_id()
    why = table.why_not_join(me, code, referee().now())
    if why is No.NO_INVITATION and code and request.method == "GET":
        raise Refused(why)
    asked = table.invited.get(me or "")
    url = table_url(view.id, table.invitation.code) if mine or view.several else ""
    wanted = bool(url) and bool(table.free())
    return Invitation(
        given=code,
        why=why if not url else No.RUN_OUT if table.run_out(referee().now()) and not view.listed else None,
        url=url,
        code=spoken(view.id + table.invitation.code) if url else "",
        qr=qr(url) if wanted and view.status is Status.OPEN else Markup(),
        by_name=asked.inviter if asked and not asked.declined else "",
        guests=_guests(table, me) if wanted else [],
        others=_others(table, me) if wanted and me else [],
    )


def _guests(table: Table, me: str | None) -> list[Guest]:
    return [
        Guest(each.name, alias(player, table.id), each.inviter, each.declined, me in (each.by, table.host))
        for player, each in table.invited.items()
    ]


def _others(table: Table, me: str) -> list[Known]:
    """Those whom somebody has played with, and who neither sit here nor were invited."""
    met = referee().store.companions(me)[:30]
    return [
        Known(each.name, alias(each.id, me))
        for each in met
        if not table.chair_of(each.id) and each.id not in table.invited
    ]


def inviting() -> list[tuple[Table, str]]:
    """The tables to which whoever looks was invited by name, and by whom; not by those they do not read."""
    me = player_id()
    if me is None:
        return []
    muted, here = referee().store.muted_by(me), referee().library.titles
    return [
        (table, table.invited[me].inviter)
        for table in referee().store.tables_inviting(me)
        if table.game in here and table.free() and table.invited[me].by not in muted
    ]


@lru_cache(256)
def qr(url: str) -> Markup:
    """An address as a QR code: an SVG of 132 pixels with the quiet zone the norm asks for."""
    code = segno.make(url, error="m")
    svg = code.svg_inline(border=4, omitsize=True, svgclass="qr", lineclass=None)
    label = f'<svg role="img" aria-label="QR: {escape(url)}" width="132" height="132"'
    return Markup(svg.replace("<svg", label, 1))  # noqa: S704 - drawn by segno, the address escaped


@blueprint.post("/<id>/renew")
def renew(id: str) -> Reply:
    """Another link instead of the one that is out."""
    referee().renew(must_be(), id, slip())
    return back_to(id, "invite")


@blueprint.post("/<id>/publish")
def publish(id: str) -> Reply:
    """On the list of open tables; `listed=no`: off it."""
    referee().publish(must_be(), id, request.form.get("listed") != "no", slip())
    return back_to(id, "invite")


@blueprint.post("/<id>/ask")
def ask(id: str) -> Reply:
    referee().ask(must_be(), id, request.form.get("person", ""), slip())
    return back_to(id, "invite")


@blueprint.post("/<id>/unask")
def unask(id: str) -> Reply:
    referee().take_back(must_be(), id, request.form.get("person", ""), slip())
    return back_to(id, "invite")


@blueprint.post("/<id>/decline")
def decline(id: str) -> Reply:
    player = who()
    if player is None:
        raise Refused(No.NOT_ASKED)
    referee().decline(player, id, slip())
    return redirect(url_for("lobby.mine"), 303)
