"""A personal link: whoever follows it and says so is me, in any browser, until I make another.

It is for those who want no account and no code.  Looking at where it leads makes nobody anything: programs
look at every link.
"""

from typing import Any

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.person import Player, Who

from .account import again, become, is_guest, must_be, notice_of
from .devices import blueprint
from .errors import status_of
from .feeds import seals
from .pages import site_url
from .people import player_id, referee, slip

__all__ = ["blueprint"]  # that of the pages about oneself: these are some of them


@blueprint.get("/me/link")
def link() -> str:
    """My link, if I have one, and what can be done about it."""
    player = must_be()
    kept = referee().store.link_of(player.id)
    secret = seals().person(player.public, kept.number) if kept and kept.stands else ""
    return render_template(
        "account_link.html",
        link=site_url(url_for(".opening", t=secret)) if secret else "",
        kept=kept,
        number=abs(kept.number) if kept else 0,
    )


@blueprint.post("/me/link")
def renew_link() -> Reply:
    """Another one, which ends the one before; `link=no`: none."""
    slip()
    seen = request.form.get("seen", "")
    if seen.isascii() and seen.isdigit():
        referee().renew_link(must_be().id, int(seen[:9]), ended=request.form.get("link") == "no")
    return redirect(url_for(".link"), 303)


@blueprint.get("/open")
def opening() -> Any:
    """Who the link makes of whoever presses the button."""
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
    """Raises Refused(DEAD_LINK)."""
    try:
        public, number = seals().read("person", request.values.get("t", ""))
        return referee().by_link(str(public), int(number))
    except (Refused, ValueError, TypeError) as wrong:
        raise Refused(Who.DEAD_LINK) from wrong


@blueprint.post("/open")
def open_() -> Any:
    """This browser is whose link it is."""
    slip()
    try:
        player = _whose()
    except Refused as no:
        return _dead(no)
    try:
        become(player)
    except Refused as no:
        return again(_opening_page, no)
    referee().used_link(player.id)
    return redirect(url_for("lobby.mine"), 303)
