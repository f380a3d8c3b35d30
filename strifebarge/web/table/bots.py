"""Bots: a game against them, bringing them to a table, and taking one's seat back from one."""

from collections.abc import Iterable
from typing import Any, Protocol

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.tables.acts import bots as acts
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.table import Table, TableRefusal
from strifebarge.tables.play.turn import FormToken
from strifebarge.tables.view import View
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.request_store import this_app
from strifebarge.web.http.services import limits, referee
from strifebarge.web.http.session import as_person, carry_out, sent_before
from strifebarge.web.http.statuses import status_of
from strifebarge.web.http.table_access import at_a_table, back_to
from strifebarge.web.page.pages import render
from strifebarge.web.words.languages import language
from strifebarge.web.words.names import LEVELS
from strifebarge.web.words.texts import render_text

blueprint = Blueprint("bots", __name__)
at_tables = at_a_table("bots_at_a_table")


# -- a game against bots -----------------------------------------------------------------------


@blueprint.get("/bots")
def page() -> str:
    """Show every game with a button for each level: one click, and it has begun."""
    must_have_bots()
    return _page(referee().library)


@blueprint.get("/bots/<game>")
def levels(game: str) -> str:
    """Show a button for each level of one game."""
    must_have_bots()
    return _page([referee().library[game]])


@blueprint.post("/bots/<game>")
@leaves_receipt
def play(game: str) -> Any:
    """Begin a game with bots in all other seats."""
    title = referee().library[game]
    try:
        must_have_bots()
        if not sent_before():
            limits().count("create")
            limits().count("bots")
        table = as_person(lambda player, form: _play(player, title, form))
    except Refused as no:
        if no.why not in (
            TableRefusal.BOTS_AT_MOST,
            TableRefusal.BOTS_BUSY,
            TableRefusal.NO_LEVEL,
            TableRefusal.FOR_ONE,
        ):
            raise
        return _page([title], no), status_of(no)
    return redirect(url_for("play.show", id=table.id), 303)


def _play(player: Player, title: Title, form: FormToken) -> Table:
    level = request.form.get("level", "")
    return acts.play_against_bots(referee(), player, title.slug, level, form, language().code)


def _page(titles: Iterable[Title], refused: Refused | None = None) -> str:
    return render(
        "bots.html",
        games=[(title, acts.seats_with_bots(title)) for title in titles],
        levels=LEVELS,
        notice=render_text(refused.text) if refused else "",
    )


def must_have_bots() -> None:
    """Raise Refused(NO_BOTS) where the site has none."""
    if not referee().bots.on:
        raise Refused(TableRefusal.NO_BOTS)


# -- at a table --------------------------------------------------------------------------------


@at_tables.post("/<id>/add-bot")
@leaves_receipt
def add(id: str) -> Reply:
    _count_bots()
    seat = request.form.get("seat", type=int)
    carry_out(id, acts.add_bot, request.form.get("level", ""), seat)
    return back_to(id)


@at_tables.post("/<id>/fill-with-bots")
@leaves_receipt
def fill(id: str) -> Reply:
    _count_bots()
    carry_out(id, acts.fill_with_bots, request.form.get("level", ""))
    return back_to(id)


def _count_bots() -> None:
    """Count that this address brings bots to a game.  Raises Refused: ENOUGH_TODAY, TOO_FAST."""
    if not sent_before():
        limits().count("bots")


@at_tables.post("/<id>/remove-bot")
@leaves_receipt
def remove(id: str) -> Reply:
    carry_out(id, acts.remove_bot, request.form.get("seat", -1, type=int), request.form.get("held", ""))
    return back_to(id)


@at_tables.post("/<id>/dismiss-bot")
@leaves_receipt
def dismiss(id: str) -> Reply:
    """Play one's own seat again, which a bot has played."""
    carry_out(id, acts.dismiss_bot, request.form.get("seat", -1, type=int))
    return back_to(id)


# -- hints -------------------------------------------------------------------------------------


class Hinting(Protocol):
    """A thinker about hints, where the wiring has put one."""

    def hint(self, table: str, seat: int, player: str, address: str) -> str:
        """Return what a bot would play for a player in a seat, in words.  Raises Refused, Busy."""


def may_have_hint(view: View) -> bool:
    """Tell whether a viewer may be told what a bot would play: on their turn, against bots alone."""
    others = [seat for seat in view.places if not seat.mine]
    return (
        "hints" in this_app().extensions
        and view.mine
        and view.status is Status.PLAYING
        and bool(others)
        and all(seat.bot and not seat.stands_in for seat in others)
    )


def hinting() -> Hinting:
    """Return the thinker about hints."""
    thinker: Hinting = this_app().extensions["hints"]
    return thinker
