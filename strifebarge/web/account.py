"""Who I am: my name, my account, my devices, what is kept of me; and how to be nobody any more."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.mydata import data_of
from strifebarge.table.person import SHORTEST, Player, Who, tidy_login
from strifebarge.table.table import No
from strifebarge.table.view import View

from . import passkeys
from .errors import status_of
from .people import agent, device, player_id, referee, renew, sign_in, sign_out, slip, who
from .words import told

blueprint = Blueprint("account", __name__)
SECRET_ADDRESSES = {"account.moving", "account.opening", "account.link"}


def must_be() -> Player:
    """Raises Refused(NOT_KNOWN): a page about oneself is nobody else's."""
    player = who()
    if player is None:
        raise Refused(Who.NOT_KNOWN)
    return player


@blueprint.after_request
def _say_nothing(answer: Response) -> Response:
    """Where somebody came from may hold a code."""
    answer.headers["Referrer-Policy"] = (
        "no-referrer" if request.endpoint in SECRET_ADDRESSES else "same-origin"
    )
    return answer


# -- the page about oneself ------------------------------------------------------------


@blueprint.get("/me")
def me() -> str:
    """My name, and the ways to all that can be done about me."""
    player = who()
    store = referee().store
    return render_template(
        "account.html",
        account=store.account_of(player.id) if player else None,
        passkeys=store.passkeys(player.id) if player else [],
        devices=store.devices(player.id) if player else [],
        missed=_missed_this_month(player.id) if player else 0,
    )


def _missed_this_month(player: str) -> int:
    """How many deadlines somebody has let pass, which is shown to nobody else."""
    today = datetime.fromtimestamp(referee().now(), UTC)
    first = datetime(today.year, today.month, 1, tzinfo=UTC)
    return referee().store.missed(player, first.timestamp())


@blueprint.post("/me/name")
def rename() -> Reply:
    slip()
    referee().rename(must_be(), request.form.get("name", ""))
    return redirect(url_for(".me"), 303)


@blueprint.get("/me/data.json")
def data() -> Response:
    """All that is kept of me, as one file."""

    def words(text: Any, view: View) -> str:
        return told(text, view).striptags()

    found = json.dumps(data_of(referee(), must_be(), words), indent=1, ensure_ascii=False)
    headers = {"Content-Disposition": 'attachment; filename="strifebarge-me.json"'}
    return Response(found + "\n", mimetype="application/json", headers=headers)


# -- name and password -------------------------------------------------------------------


@blueprint.get("/me/account")
def account() -> str:
    """To make an account, or to change its password; and passkeys."""
    return _account_page()


def _account_page(no: Refused | None = None) -> str:
    player = who()
    store = referee().store
    return render_template(
        "account_password.html",
        account=store.account_of(player.id) if player else None,
        passkeys=store.passkeys(player.id) if player else [],
        offer=passkeys.new_key(player) if player else None,
        least=SHORTEST,
        login=request.form.get("login", ""),
        **notice_of(no),
    )


def notice_of(no: Refused | None) -> dict[str, Any]:
    return {"notice": told(no.text), "token": no.token} if no else {"notice": "", "token": ""}


def again(page: Any, no: Refused) -> Any:
    """The form once more with what was wrong; refusals that have a page of their own go there."""
    if status_of(no) == 429 or no.why in (No.NO_KEY, Who.NOT_KNOWN, Who.GONE):
        raise no
    return page(no), status_of(no)


def or_again(page: Callable[[Refused], str]) -> Callable[[Callable[[], Reply]], Callable[[], Any]]:
    """What a form does; or that page `again`."""

    def wrapped(do: Callable[[], Reply]) -> Callable[[], Any]:
        @wraps(do)
        def done() -> Any:
            try:
                return do()
            except Refused as no:
                return again(page, no)

        return done

    return wrapped


@blueprint.post("/me/account")
@or_again(_account_page)
def sign_up() -> Reply:
    slip()
    login, secret = request.form.get("login", ""), request.form.get("password", "")
    _not_too_often(login)
    if secret != request.form.get("again"):
        raise Refused(Who.NOT_ALIKE)
    player = _signed_up(login, secret)
    if who() is None:
        sign_in(player)
    else:
        renew()
    return redirect(url_for(".me"), 303)


def _signed_up(login: str, secret: str) -> Player:
    player = who() or referee().newcomer()
    try:
        referee().sign_up(player, login, secret)
    except Refused as no:
        if no.why is not Who.LOGIN_TAKEN or who():
            raise
        try:
            return referee().sign_in(login, secret)  # a stranger's form sent twice comes without a cookie
        except Refused:
            raise no from None
    return player


@blueprint.get("/.well-known/change-password")  # where password managers look for it
@blueprint.get("/me/password")
def to_password() -> Reply:
    return redirect(url_for(".account"), 303)


@blueprint.post("/me/password")
@or_again(_account_page)
def password() -> Reply:
    """Another password; all other devices are signed out, and this one's session gets another id."""
    slip()
    player = must_be()
    current_app.extensions["limits"].count("sign_in")
    before, after = request.form.get("before", ""), request.form.get("password", "")
    if after != request.form.get("again"):
        raise Refused(Who.NOT_ALIKE)
    referee().change_password(player.id, before, after, device())
    renew()
    return redirect(url_for(".devices"), 303)


@blueprint.get("/sign-in")
def signing_in() -> str:
    return _sign_in_page()


def _sign_in_page(no: Refused | None = None) -> str:
    return render_template(
        "account_sign_in.html",
        offer=passkeys.known_key(),
        login=request.form.get("login", ""),
        guest=is_guest(),
        leave=no is not None and no.why is Who.TWICE,
        **notice_of(no),
    )


@blueprint.post("/sign-in")
@or_again(_sign_in_page)
def entering() -> Reply:
    """By name and password.  What this browser has played as a guest goes along."""
    slip()
    login, secret = request.form.get("login", ""), request.form.get("password", "")
    _not_too_often(login)
    become(referee().sign_in(login, secret))
    return redirect(url_for("lobby.mine"), 303)


def _not_too_often(login: str) -> None:
    """Raises Refused(TOO_FAST): for this address, or for this name from wherever."""
    limits = current_app.extensions["limits"]
    limits.count("sign_in")
    limits.count("login", sha256(_plain(login).encode("utf-8", "replace")).hexdigest())


def _plain(login: str) -> str:
    try:
        return tidy_login(login)
    except Refused:
        return login[:100]


def is_guest() -> bool:
    player = player_id()
    return player is not None and referee().is_guest(player)


def become(player: Player) -> None:
    """This browser is somebody from now on; what its guest has played is theirs, unless it shall be left.

    Raises Refused: TWICE, and nothing has changed.
    """
    before = who()
    if before and before.id != player.id:
        if referee().is_guest(before.id) and request.form.get("leave") != "yes":
            referee().take_along(before, player)
        else:
            referee().store.end_devices(before.id, only=device())
    sign_in(player)


@blueprint.get("/me/out")
def leaving() -> str:
    """Once more: a guest who signs out cannot come back."""
    must_be()
    return render_template("account_out.html", guest=is_guest())


@blueprint.post("/me/out")
def leave() -> Reply:
    slip()
    sign_out()
    return redirect(url_for("lobby.landing"), 303)


# -- passkeys ----------------------------------------------------------------------------


@blueprint.post("/me/passkeys")
@or_again(_account_page)
def add_passkey() -> Reply:
    slip()
    player = must_be()
    passkeys.keep(player, request.form.get("challenge", ""), request.form.get("credential", ""), agent())
    renew()
    return redirect(url_for(".account"), 303)


@blueprint.post("/me/passkeys/remove")
def remove_passkey() -> Reply:
    slip()
    referee().store.drop_passkey(must_be().id, request.form.get("passkey", "").replace("\0", ""))
    return redirect(url_for(".account"), 303)


@blueprint.post("/sign-in/passkey")
@or_again(_sign_in_page)
def enter_by_passkey() -> Reply:
    slip()
    current_app.extensions["limits"].count("sign_in")
    become(passkeys.whose(request.form.get("challenge", ""), request.form.get("credential", "")))
    return redirect(url_for("lobby.mine"), 303)


# -- nobody any more -----------------------------------------------------------------------


@blueprint.get("/me/erase")
def erasing() -> str:
    """What it means, before it is done."""
    must_be()
    return _erasing_page()


def _erasing_page(no: Refused | None = None) -> str:
    return render_template(
        "account_erase.html", account=referee().store.account_of(must_be().id), **notice_of(no)
    )


@blueprint.post("/me/erase")
@or_again(_erasing_page)
def erase() -> Reply:
    slip()
    player = who()
    if player is None:  # the same form once more: it is done
        return redirect(url_for(".erased"), 303)
    if request.form.get("sure") != "yes":
        raise Refused(Who.NOT_SURE)
    if referee().store.account_of(player.id):
        current_app.extensions["limits"].count("sign_in")
        referee().must_know(player.id, request.form.get("password", ""))
    referee().erase(player)
    sign_out()
    return redirect(url_for(".erased"), 303)


@blueprint.get("/erased")
def erased() -> str:
    return render_template("account_erased.html")
