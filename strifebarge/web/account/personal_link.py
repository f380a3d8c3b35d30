"""Pages of personal links: following one and pressing a button signs in, in any browser.

They are for people who want no account and no code.  Following a link alone signs nobody in: programs follow
every link.
"""

from typing import Any

from flask import redirect, render_template, request, url_for

from strifebarge.people.models import Who
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.web.account.account import again, become, is_guest, must_be_known
from strifebarge.web.account.devices import blueprint
from strifebarge.web.account.feeds import seals
from strifebarge.web.account.reauthentication import must_prove, proof_wanted
from strifebarge.web.http.services import accounts
from strifebarge.web.http.session import form_token, player_id
from strifebarge.web.http.statuses import status_of
from strifebarge.web.page.pages import site_url
from strifebarge.web.words.texts import notice_of

__all__ = ["blueprint"]  # that of the pages about oneself: these are some of them


@blueprint.get("/me/link")
def link() -> str:
    """Show the reader's personal link, if there is one, and what can be done about it."""
    player = must_be_known()
    kept = accounts().links.of(player.id)
    asked = must_prove(player)
    secret = seals().person(player.public, kept.number) if kept and kept.stands and not asked else ""
    return render_template(
        "account_link.html",
        link=site_url(url_for(".opening", t=secret)) if secret else "",
        kept=kept,
        hidden=bool(asked and kept and kept.stands),
        guest=is_guest(),
        number=abs(kept.number) if kept else 0,
    )


@blueprint.post("/me/link")
def renew_link() -> Any:
    """Make another personal link, which ends the one before; `link=no` makes none."""
    form_token()
    player, seen, ended = must_be_known(), request.form.get("seen", ""), request.form.get("link") == "no"
    if not ended and (page := proof_wanted()):
        return page
    if seen.isascii() and seen.isdigit():
        accounts().links.renew(player.id, int(seen[:9]), ended=ended)
    return redirect(url_for(".link"), 303)


@blueprint.get("/open")
def opening() -> Any:
    """Show whom the link signs in, before the button is pressed."""
    try:
        return _opening_page()
    except Refused as no:
        return _dead(no)


def _opening_page(no: Refused | None = None) -> str:
    player = _whose()
    return render_template(
        "account_open.html",
        player=player,
        secret=request.values.get("t", ""),
        here=player.id == player_id(),
        guest=is_guest() and player.id != player_id(),
        leave=no is not None and no.why is Who.TWICE,
        **notice_of(no),
    )


def _dead(no: Refused) -> Any:
    return render_template("account_open.html", player=None, **notice_of(no)), status_of(no)


def _whose() -> Player:
    """Return the person of a signed link.  Raises Refused(DEAD_LINK)."""
    try:
        public, number = seals().read("person", request.values.get("t", ""))
        return accounts().links.whose(str(public), int(number))
    except (Refused, ValueError, TypeError) as wrong:
        raise Refused(Who.DEAD_LINK) from wrong


@blueprint.post("/open")
def open_() -> Any:
    """Sign this browser in as the person of the link."""
    form_token()
    try:
        player = _whose()
    except Refused as no:
        return _dead(no)
    try:
        become(player)
    except Refused as no:
        return again(_opening_page, no)
    accounts().links.note_use(player.id)
    return redirect(url_for("lobby.mine"), 303)
