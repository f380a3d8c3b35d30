"""Tokens for programs: the page that lists, makes and revokes them."""

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from markupsafe import Markup

from strifebarge.people.models import LONGEST_TOKEN_NAME, Scope
from strifebarge.rules import Refused
from strifebarge.web.account.account import form_again, is_guest, must_be_known
from strifebarge.web.account.reauthentication import proof_wanted
from strifebarge.web.http.services import accounts
from strifebarge.web.http.session import form_token
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.texts import notice_of

blueprint = Blueprint("tokens", __name__)


def scopes() -> dict[str, Markup]:
    """Return what a token may do, in words, by the names of its scopes."""
    return {
        Scope.READ: say("See your tables and games"),
        Scope.PLAY: say("Join tables, move, chat and leave"),
        Scope.TABLE: say("Open tables, change their settings and invite people"),
    }


@blueprint.get("/me/tokens")
def tokens() -> str:
    """List the reader's tokens, with the form for a new one."""
    return _page()


def _page(refused: Refused | None = None, new_token: str = "") -> str:
    player = must_be_known()
    return render_template(
        "account_tokens.html",
        tokens=accounts().tokens.list_for(player.id),
        made=new_token,
        scopes=scopes(),
        longest=LONGEST_TOKEN_NAME,
        address=request.script_root + "/api/v1/",
        guest=is_guest(),
        **notice_of(refused),
    )


@blueprint.post("/me/tokens")
def make() -> Any:
    """Make a token and show it, this once; the same form again shows the same one."""
    form, player = form_token(), must_be_known()
    if page := proof_wanted():
        return page
    name, chosen_scopes = request.form.get("name", ""), request.form.getlist("scope")
    try:
        return _page(new_token=accounts().tokens.make(player.id, name, chosen_scopes, form.key))
    except Refused as no:
        return form_again(_page, no)


@blueprint.post("/me/tokens/revoke")
def revoke() -> Any:
    """End a token; one that has ended already stays so."""
    form_token()
    accounts().tokens.revoke(must_be_known().id, request.form.get("token", "").replace("\0", "") or "none")
    return redirect(url_for(".tokens"), 303)
