"""Who is asking: a session holds a player's id and nothing else."""

import re
from collections.abc import Callable
from contextlib import suppress
from time import time
from typing import TypeVar
from urllib.parse import urlencode

from flask import Flask, Response, current_app, g, request, session

from strifebarge.rules import Refused
from strifebarge.rules.pace import DAY
from strifebarge.table.ports import Busy, Player, public_id
from strifebarge.table.referee import KEY, TERMS, Referee, Slip
from strifebarge.table.table import TERM, No

T = TypeVar("T")
NUMBER = re.compile("[0-9]{1,9}")
SEAT = re.compile(r"\.seat([0-9])$")  # the end of a key, where whoever it was made for has several seats
SOON = 600  # seconds in which a form that made a guest may be sent again without their cookie


def referee() -> Referee:
    found: Referee = current_app.extensions["referee"]
    return found


def who() -> Player | None:
    """The player whose session this is, if any.  Reads only."""
    if "who" not in g:
        visit = referee().store.visit(*_session()) if "p" in session else None
        # In one question: nearly every page has both.
        g.who, g.my_turns, g.seen = (visit.player, visit.turns, visit.seen) if visit else (None, 0, 0)
    player: Player | None = g.who
    return player


def _session() -> tuple[str, str]:
    """Who it says it is, and which of their devices: all sessions from before there were any are one."""
    player = str(session["p"])
    return player, str(session.get("d") or public_id(player))


def device() -> str:
    """This browser, among the devices of whoever is asking."""
    return _session()[1] if "p" in session else ""


def my_turns() -> int:
    """At how many tables it is their move."""
    player = who()
    if "my_turns" not in g:
        g.my_turns = referee().store.waiting_for(player.id) if player else 0
    return int(g.my_turns)


def player_id() -> str | None:
    player = who()
    return player.id if player else None


def must_be() -> str:
    """The player's id.  Raises Refused(NOT_SEATED): nobody unknown sits anywhere."""
    player = who()
    if player is None:
        raise Refused(No.NOT_SEATED)
    return player.id


def slip() -> Slip:
    """What a form carries beside the move.  Raises Refused(NO_KEY) if it is not whole."""
    asked, key = request.form.get("asked"), request.form.get("key", "")
    made_for = SEAT.search(key)
    if not KEY.fullmatch(key) or (asked is not None and not NUMBER.fullmatch(asked)):
        raise Refused(No.NO_KEY)
    content = sorted(
        (name, value) for name, value in request.form.items(multi=True) if name not in ("key", "asked")
    )
    seat = int(made_for[1]) if made_for else None
    return Slip(key, urlencode(content), int(asked) if asked else None, seat)


def sent_before() -> bool:
    """Whether the same form was accepted already, so that now it only gets its answer again.

    Raises Refused(NO_KEY).
    """
    return referee().store.receipt(slip().key) is not None


def as_person(do: Callable[[Player, Slip], T]) -> T:
    """Let whoever is asking do something for which they need to be somebody: a guest at least.

    A stranger's form sent twice comes without a cookie both times; its key, which
    only their page had, tells that both are the same person.
    """
    with_slip = slip()
    player = who()
    if player:
        done = do(player, with_slip)
    else:
        player = _same_stranger(with_slip) or referee().newcomer()
        try:
            done = do(player, with_slip)
        except Refused as no:
            same = _same_stranger(with_slip) if no.why is No.KEY_REUSED else None
            if same is None:
                raise
            player = same
            done = do(player, with_slip)
    sign_in(player)
    return done


def _same_stranger(with_slip: Slip) -> Player | None:
    receipt = referee().store.receipt(with_slip.key)
    if receipt is None or time() - receipt.at > SOON:
        return None
    return referee().store.player(receipt.player)


def sign_in(player: Player) -> None:
    """This session is this player's, under a new id: whoever knew the old one knows nothing.

    A session that is theirs already stays as it is: a second tab, or an answer that got lost, has its old id.
    """
    if player_id() != player.id:
        session["p"], session["d"] = player.id, referee().new_device(player, agent()).id
        renew()
    g.who, g.seen = player, referee().now()
    g.pop("my_turns", None)


def options_and_terms(others: set[str]) -> tuple[dict[str, str], dict[str, str]]:
    """What a form says of the game's options, and of how the table is run, but for `others` of its fields."""
    options, terms = {}, {}
    for field, value in request.form.items():
        term = field.removeprefix(TERM)
        if term in TERMS and (field.startswith(TERM) or term == "afterwards"):
            if value:
                terms[term] = value
        elif field not in others:
            options[field] = value
    return options, terms


def renew() -> None:
    """The same session under a new id."""
    current_app.session_interface.regenerate(session)  # type: ignore[attr-defined]


def sign_out() -> None:
    """This browser is nobody."""
    if player := player_id():
        referee().store.end_devices(player, only=device())
    session.clear()
    g.who, g.my_turns = None, 0


def agent() -> str:
    return request.headers.get("User-Agent", "")


def prepare(app: Flask) -> None:
    app.after_request(_seen_today)


def _seen_today(response: Response) -> Response:
    """Keep on which day somebody last did anything here; to look at a page is not to write."""
    writes = request.method == "POST" and not current_app.extensions["settings"].read_only
    if writes and response.status_code < 400 and g.get("who") and "p" in session:
        now = referee().now()
        if g.get("seen", now) // DAY < now // DAY:
            with suppress(Busy):
                referee().store.seen(device(), now)
    return response
