"""Sessions: who is asking.  A session holds a player's id and a device's, and nothing else."""

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlencode

from flask import Flask, Response, current_app, g, request, session

from strifebarge.people.models import Visit, banned
from strifebarge.rules import Refused
from strifebarge.rules.pace import DAY
from strifebarge.tables.library.settings import TERMS, SettingsChange, settings_from
from strifebarge.tables.model.player import Ban, Player
from strifebarge.tables.model.ports import Busy
from strifebarge.tables.model.table import TERM, TableRefusal
from strifebarge.tables.play.referee import Accepted
from strifebarge.tables.play.turn import KEY, FormToken, Turn
from strifebarge.web.http.request_store import request_globals, this_request, this_session
from strifebarge.web.http.services import accounts, lists, read_only, referee

P = ParamSpec("P")
T = TypeVar("T")
NUMBER = re.compile("[0-9]{1,9}")
QUESTION = re.compile("[0-9]{1,15}")  # its number is large where steps are composed
SEAT = re.compile(r"\.seat([0-9])$")  # the end of a key, where the person it was made for has several seats


def current_player() -> Player | None:
    """Return the player of this session, or None.  Reads only."""
    g = request_globals()  # a page asks for this a dozen times
    try:
        player: Player | None = g.who
    except AttributeError:
        opened: Visit | None = g.visit
        visit = opened if opened and opened.player.id == session_ids()[0] else None
        # Whom a host has banned is a stranger from this request on, on every worker.
        g.ban = accounts().ban_of(visit.player) if visit else None
        visit = None if g.ban else visit
        g.who, g.my_turns, g.seen = (visit.player, visit.turns, visit.last_seen) if visit else (None, 0, 0)
        player = g.who
    return player


def ban() -> Ban | None:
    """Return the ban that keeps out the person of this session, if there is one."""
    current_player()
    current: Ban | None = request_globals().ban
    return current


def must_not_be_banned() -> None:
    """Require a browser that is not a banned person's.  Raises Refused: BANNED, BANNED_UNTIL."""
    if current := ban():
        raise banned(current)


def session_ids() -> tuple[str, str]:
    """Return the secret ids of the session's player and device; two "" for a browser without a session."""
    stored = this_session()
    if not stored or "p" not in stored:
        return "", ""
    return str(stored["p"]), str(stored["d"])


def device() -> str:
    """Return the id of this browser among the devices of the person who asks."""
    return session_ids()[1]


def my_turns() -> int:
    """Return the number of tables at which it is the reader's move."""
    player, g = current_player(), request_globals()
    if "my_turns" not in g:
        g.my_turns = lists().waiting_for(player.id) if player else 0
    return int(g.my_turns)


def player_id() -> str | None:
    player = current_player()
    return player.id if player else None


def required_player() -> Player:
    """Return the player of this session.

    Raises Refused: NOT_SEATED, for a browser without a session sits nowhere; BANNED, BANNED_UNTIL.
    """
    player = current_player()
    if player is None:
        must_not_be_banned()
        raise Refused(TableRefusal.NOT_SEATED)
    return player


def required_player_id() -> str:
    """Return the player's id.  Raises what `required_player` raises."""
    return required_player().id


def form_token() -> FormToken:
    """Return what a form carries beside its content.  Raises Refused(NO_KEY) if it is not whole."""
    form = this_request().form
    question, key = form.get("asked"), form.get("key", "")
    made_for = SEAT.search(key)
    if not KEY.fullmatch(key) or (question is not None and not QUESTION.fullmatch(question)):
        raise Refused(TableRefusal.NO_KEY)
    content = sorted((name, value) for name, value in form.items(multi=True) if name not in ("key", "asked"))
    seat = int(made_for[1]) if made_for else None
    return FormToken(key, urlencode(content), int(question) if question else None, seat)


def carry_out(
    id: str, act: Callable[Concatenate[Turn, P], object], *arguments: P.args, **named: P.kwargs
) -> Accepted:
    """Carry out what this request's form wants at a table.

    Raises Refused: NOT_SEATED if the browser is not known, NO_KEY, and what the act raises.
    """
    return referee().carry_out(required_player_id(), id, form_token(), act, *arguments, **named)


def sent_before() -> bool:
    """Tell whether the same form was accepted already, so that it only gets its answer again.

    Raises Refused(NO_KEY).
    """
    return referee().receipt(form_token().key) is not None


def as_person(do: Callable[[Player, FormToken], T]) -> T:
    """Let the visitor do something for which they must be somebody: a stranger becomes a guest.

    A stranger's form sent twice comes without a cookie both times; its key, which only their page had, makes
    them the same guest again.  Raises Refused: KEY_REUSED for a form of somebody else; BANNED, BANNED_UNTIL;
    what `do` raises.
    """
    token = form_token()
    must_not_be_banned()
    player = current_player() or accounts().newcomer(token.key)
    done = do(player, token)
    sign_in(player)
    return done


def sign_in(player: Player) -> None:
    """Make this session the player's, under a new id: the old id is worth nothing any more.

    A session that is theirs already stays as it is: a second tab, or an answer that got lost, has its old id.
    Raises Refused: BANNED, BANNED_UNTIL.
    """
    accounts().must_not_be_banned(player)
    if player_id() != player.id:
        session["p"], session["d"] = player.id, accounts().devices.add(player, agent()).id
        renew()
    g.who, g.ban, g.seen = player, None, referee().now()
    g.pop("my_turns", None)


def settings_of_form(other_fields: set[str], **arguments: Any) -> SettingsChange:
    """Return what a form says of how a table is to be played and run; `other_fields` are not of that.

    Raises Refused: WRONG_TERMS, WRONG_AFTERWARDS, WRONG_DEVICES.
    """
    options, terms = {}, {}
    for field, value in request.form.items():
        term = field.removeprefix(TERM)
        if term in TERMS and (field.startswith(TERM) or term == "afterwards"):
            if value:
                terms[term] = value
        elif field not in other_fields:
            options[field] = value
    return settings_from(options, terms, current_app.extensions["languages"], **arguments)


def renew() -> None:
    """Give the session a new id."""
    current_app.session_interface.regenerate(session)  # type: ignore[attr-defined]


def sign_out() -> None:
    """Sign this browser out."""
    if player := player_id():
        accounts().devices.sign_out(player, device())
    session.clear()
    g.who, g.ban, g.my_turns = None, None, 0


def agent() -> str:
    return request.headers.get("User-Agent", "")


def prepare(app: Flask) -> None:
    app.after_request(_seen_today)


def _seen_today(response: Response) -> Response:
    """Keep on which day somebody last did anything here; to look at a page is not to write."""
    writes, g = this_request().method == "POST" and not read_only(), request_globals()
    if writes and response.status_code < 400 and g.get("who") and "p" in session:
        now = referee().now()
        if g.get("seen", now) // DAY < now // DAY:
            with suppress(Busy):
                accounts().devices.note_use(device(), now)
    return response
