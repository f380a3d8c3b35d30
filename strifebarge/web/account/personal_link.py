"""Pages of personal links: following one and pressing a button signs in, in any browser.

They are for people who want no account and no code.  Following a link alone signs nobody in: programs follow
every link.
"""

from typing import Any

from flask import redirect, render_template, request, url_for

from strifebarge.people.models import IdentityRefusal
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.web.account.account import become, form_again, is_guest, must_be_known
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
    personal_link = accounts().links.get_for(player.id)
    proof_needed = must_prove(player)
    secret = (
        seals().person(player.public, personal_link.number)
        if personal_link and personal_link.stands and not proof_needed
        else ""
    )
    return render_template(
        "account_link.html",
        link=site_url(url_for(".opening", t=secret)) if secret else "",
        kept=personal_link,
        hidden=bool(proof_needed and personal_link and personal_link.stands),
        guest=is_guest(),
        number=abs(personal_link.number) if personal_link else 0,
    )


@blueprint.post("/me/link")
def renew_link() -> Any:
    """Make another personal link, which ends the one before; `link=no` makes none."""
    form_token()
    player, number, ended = must_be_known(), request.form.get("seen", ""), request.form.get("link") == "no"
    if not ended and (page := proof_wanted()):
        return page
    if number.isascii() and number.isdigit():
        accounts().links.renew(player.id, int(number[:9]), ended=ended)
    return redirect(url_for(".link"), 303)


@blueprint.get("/open")
def opening() -> Any:
    """Show whom the link signs in, before the button is pressed."""
    try:
        return _opening_page()
    except Refused as no:
        return _dead(no)


def _opening_page(refused: Refused | None = None) -> str:
    player = _owner()
    return render_template(
        "account_open.html",
        player=player,
        secret=request.values.get("t", ""),
        here=player.id == player_id(),
        guest=is_guest() and player.id != player_id(),
        leave=refused is not None and refused.why is IdentityRefusal.TWICE,
        **notice_of(refused),
    )


def _dead(refused: Refused) -> Any:
    return render_template("account_open.html", player=None, **notice_of(refused)), status_of(refused)


def _owner() -> Player:
    """Return the person of a signed link.  Raises Refused(DEAD_LINK)."""
    try:
        public, number = seals().read("person", request.values.get("t", ""))
        return accounts().links.owner_of(str(public), int(number))
    except (Refused, ValueError, TypeError) as wrong:
        raise Refused(IdentityRefusal.DEAD_LINK) from wrong


@blueprint.post("/open")
def open_() -> Any:
    """Sign this browser in as the person of the link."""
    form_token()
    try:
        player = _owner()
    except Refused as no:
        return _dead(no)
    try:
        become(player)
    except Refused as no:
        return form_again(_opening_page, no)
    accounts().links.note_use(player.id)
    return redirect(url_for("lobby.my_games"), 303)
