"""Invitations to a table: a link, a code to read out, a QR code, a mail, or by name."""

from functools import lru_cache
from html import escape
from typing import NamedTuple

import segno
from flask import redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.tables.acts import inviting as acts
from strifebarge.tables.model.names import grouped_code, tidy_characters
from strifebarge.tables.model.player import alias
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.view import View
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.request_store import this_request
from strifebarge.web.http.services import conversations, lists, referee, results, views
from strifebarge.web.http.session import carry_out, player_id, required_player_id
from strifebarge.web.http.table_access import at_a_table, back_to
from strifebarge.web.page.pages import table_url

blueprint = at_a_table("inviting")


class KnownPlayer(NamedTuple):
    """Somebody whom one has played with."""

    name: str
    alias: str


class InvitedGuest(NamedTuple):
    """Somebody who was invited by name, as the players at the table see them."""

    name: str
    alias: str
    inviter: str
    declined: bool
    revocable: bool  # who looks may take it back


class InvitationDetails(NamedTuple):
    """How people come to sit at a table: what the viewer may send on, or why they cannot sit down."""

    used_code: str  # the code of the one by which somebody came here; "" for the table's own address
    why: TableRefusal | None
    url: str
    code: str
    qr: Markup
    by_name: str  # who has invited the viewer, by name
    guests: list[InvitedGuest]
    others: list[KnownPlayer]  # who might be invited by name


def used_code() -> str:
    """Return the invitation code of the address or the form."""
    request = this_request()
    code = request.args.get("i", "")
    return tidy_characters(request.form.get("i", "") if request.method == "POST" and not code else code)


def invitation(view: View) -> InvitationDetails:
    """Return the invitation to show.  Raises Refused(NO_INVITATION) for a code that never was one."""
    code, is_seated = used_code(), view.viewer.seat is not None
    if view.status is not Status.OPEN and not any(seat.free for seat in view.places):
        late = view.running and not (is_seated or view.several)
        return InvitationDetails(code, TableRefusal.BEGUN if late else None, "", "", Markup(), "", [], [])
    table, me = views().status(view.id), player_id()
    why = table.why_not_join(me, code, referee().now())
    if why is TableRefusal.NO_INVITATION and code and request.method == "GET":
        raise Refused(why)
    invited = table.invited.get(me or "")
    url = table_url(view.id, table.invitation.code) if is_seated or view.several else ""
    needs_players = bool(url) and bool(table.free())
    return InvitationDetails(
        used_code=code,
        why=why
        if not url
        else TableRefusal.RUN_OUT
        if table.run_out(referee().now()) and not view.settings.listed
        else None,
        url=url,
        code=grouped_code(view.id + table.invitation.code) if url else "",
        qr=qr(url) if needs_players and view.status is Status.OPEN else Markup(),
        by_name=invited.inviter if invited and not invited.declined else "",
        guests=_guests(table, me) if needs_players else [],
        others=_others(table, me) if needs_players and me else [],
    )


def _guests(table: Table, me: str | None) -> list[InvitedGuest]:
    return [
        InvitedGuest(
            each.name, alias(player, table.id), each.inviter, each.declined, me in (each.by, table.host)
        )
        for player, each in table.invited.items()
    ]


def _others(table: Table, me: str) -> list[KnownPlayer]:
    """Return the people the player has played with who neither sit here nor were invited."""
    met = results().past_players(me)[:30]
    return [
        KnownPlayer(each.name, alias(each.id, me))
        for each in met
        if not table.chair_of(each.id) and each.id not in table.invited
    ]


def inviting() -> list[tuple[Table, str]]:
    """Return the tables to which the reader was invited by name, and by whom; none by people they mute."""
    me = player_id()
    if me is None:
        return []
    muted, titles = conversations().muted_by(me), referee().library.titles
    return [
        (table, table.invited[me].inviter)
        for table in lists().tables_inviting(me)
        if table.game in titles and table.free() and table.invited[me].by not in muted
    ]


@lru_cache(256)
def qr(url: str) -> Markup:
    """Return an address as a QR code: an SVG of 132 pixels with the quiet zone of ISO/IEC 18004."""
    code = segno.make(url, error="m")
    svg = code.svg_inline(border=4, omitsize=True, svgclass="qr", lineclass=None)
    label = f'<svg role="img" aria-label="QR: {escape(url)}" width="132" height="132"'
    return Markup(svg.replace("<svg", label, 1))  # noqa: S704 - drawn by segno, the address escaped


@blueprint.post("/<id>/renew")
@leaves_receipt
def renew(id: str) -> Reply:
    """Replace the invitation link; the old one is dead."""
    carry_out(id, acts.renew_link)
    return back_to(id, "invite")


@blueprint.post("/<id>/publish")
@leaves_receipt
def publish(id: str) -> Reply:
    """Put the table on the list of open tables; `listed=no` takes it off."""
    carry_out(id, acts.publish, request.form.get("listed") != "no")
    return back_to(id, "invite")


@blueprint.post("/<id>/ask")
@leaves_receipt
def ask(id: str) -> Reply:
    whom, message = request.form.get("person", ""), request.form.get("message", "").replace("\0", "")
    carry_out(id, acts.invite, whom, results().past_players(required_player_id()), message)
    return back_to(id, "invite")


@blueprint.post("/<id>/unask")
@leaves_receipt
def unask(id: str) -> Reply:
    carry_out(id, acts.withdraw_invitation, request.form.get("person", ""))
    return back_to(id, "invite")


@blueprint.post("/<id>/decline")
@leaves_receipt
def decline(id: str) -> Reply:
    if player_id() is None:
        raise Refused(TableRefusal.NOT_ASKED)
    carry_out(id, acts.decline)
    return redirect(url_for("lobby.my_games"), 303)
