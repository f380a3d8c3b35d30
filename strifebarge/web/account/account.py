"""The pages about oneself: name, account, devices, personal data, signing out and erasing."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.people.models import SHORTEST, IdentityRefusal, tidy_login
from strifebarge.rules import Refused
from strifebarge.tables.model.player import PAGE, PRIVATE, Player
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tables.view import View
from strifebarge.web.account import passkeys
from strifebarge.web.account.guesses import attempt, own_login
from strifebarge.web.account.known_browsers import end_known, make_known
from strifebarge.web.account.reauthentication import must_prove, note_proof, proof_page, proof_wanted
from strifebarge.web.http.services import accounts, limits, lists, now
from strifebarge.web.http.session import (
    agent,
    current_player,
    device,
    form_token,
    must_not_be_banned,
    player_id,
    renew,
    sign_in,
    sign_out,
)
from strifebarge.web.http.statuses import status_of
from strifebarge.web.words.texts import notice_of, render_text

blueprint = Blueprint("account", __name__)
SECRET_ADDRESSES = {"account.moving", "account.opening", "account.link"}


def must_be_known() -> Player:
    """Return the person who asks.

    Raises Refused: NOT_KNOWN for a browser that is nobody; BANNED, BANNED_UNTIL.
    """
    player = current_player()
    if player is None:
        must_not_be_banned()
        raise Refused(IdentityRefusal.NOT_KNOWN)
    return player


@blueprint.after_request
def _say_nothing(answer: Response) -> Response:
    """Send no Referer from these pages: their addresses may hold a code."""
    answer.headers["Referrer-Policy"] = (
        "no-referrer" if request.endpoint in SECRET_ADDRESSES else "same-origin"
    )
    return answer


# -- the page about oneself ------------------------------------------------------------


@blueprint.get("/me")
def me() -> str:
    """Show the reader's name, and links to all that they can do about themselves."""
    player = current_player()
    return render_template(
        "account.html",
        account=accounts().account_of(player.id) if player else None,
        passkeys=accounts().passkeys.list_for(player.id) if player else [],
        devices=accounts().devices.list_for(player.id) if player else [],
        missed=_missed_this_month(player.id) if player else 0,
    )


def _missed_this_month(player: str) -> int:
    """Return the number of deadlines the person has missed this month; only they are shown it."""
    today = datetime.fromtimestamp(now(), UTC)
    first = datetime(today.year, today.month, 1, tzinfo=UTC)
    return lists().missed(player, first.timestamp())


@blueprint.post("/me/name")
def rename() -> Reply:
    form_token()
    accounts().rename(must_be_known(), request.form.get("name", ""))
    return redirect(url_for(".me"), 303)


@blueprint.post("/me/page")
def show_page() -> Reply:
    """Keep whether the reader's page is private; if it is, they are on no leaderboard."""
    form_token()
    chosen = PRIVATE if request.form.get("private") == "yes" else ""
    accounts().prefer(must_be_known().id, PAGE, chosen)
    return redirect(url_for(".me"), 303)


@blueprint.get("/me/data.json")
def data() -> Response | Reply:
    """Send all that is kept about the reader, as one JSON file."""
    if must_prove(must_be_known()):
        return redirect(url_for(".confirming", to="data"), 303)

    def plain_text(text: Any, view: View) -> str:
        return render_text(text, view).striptags()

    body = json.dumps(accounts().data_of(must_be_known(), plain_text), indent=1, ensure_ascii=False)
    headers = {"Content-Disposition": 'attachment; filename="strifebarge-me.json"'}
    return Response(body + "\n", mimetype="application/json", headers=headers)


# -- name and password -------------------------------------------------------------------


@blueprint.get("/me/account")
def account() -> str:
    """Show the forms for making an account or changing its password, and the passkeys."""
    return _account_page()


def _account_page(refused: Refused | None = None) -> str:
    player = current_player()
    proof_needed = player is not None and must_prove(player)
    return render_template(
        "account_password.html",
        account=accounts().account_of(player.id) if player else None,
        passkeys=accounts().passkeys.list_for(player.id) if player else [],
        asked=proof_needed and passkeys.site() is not None,
        offer=passkeys.new_key(player) if player and not proof_needed else None,
        least=SHORTEST,
        login=request.form.get("login", ""),
        **notice_of(refused),
    )


def form_again(page: Any, refused: Refused) -> Any:
    """Show the form again with the reason for a refusal; refusals with a page of their own go there."""
    if status_of(refused) == 429 or refused.why in (
        TableRefusal.NO_KEY,
        IdentityRefusal.NOT_KNOWN,
        IdentityRefusal.GONE,
    ):
        raise refused
    return page(refused), status_of(refused)


def or_form_again(page: Callable[[Refused], str]) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Run a form's action; if it is refused, show the page `form_again`."""

    def wrapped(do: Callable[[], Any]) -> Callable[[], Any]:
        @wraps(do)
        def done() -> Any:
            try:
                return do()
            except Refused as no:
                return form_again(page, no)

        return done

    return wrapped


@blueprint.post("/me/account")
@or_form_again(_account_page)
def sign_up() -> Any:
    """Make an account; who signs in with a passkey alone so far is asked for that first."""
    form_token()
    must_not_be_banned()
    login, secret = request.form.get("login", ""), request.form.get("password", "")
    player = current_player()
    # Where there is an account already, its password decides whether this is the same form once more.
    if player and not accounts().account_of(player.id) and (page := proof_wanted()):
        return page
    if secret != request.form.get("again"):
        raise Refused(IdentityRefusal.NOT_ALIKE)
    with attempt(login):
        player = _signed_up(login, secret)
    if current_player() is None:
        sign_in(player)
    else:
        renew()
    note_proof(player)
    make_known(tidy_login(login))
    return redirect(url_for(".me"), 303)


def _signed_up(login: str, secret: str) -> Player:
    player = current_player() or accounts().newcomer()
    try:
        accounts().sign_up(player, login, secret)
    except Refused as no:
        if no.why is not IdentityRefusal.LOGIN_TAKEN or current_player():
            raise
        try:
            return accounts().sign_in(login, secret)  # a stranger's form sent twice comes without a cookie
        except Refused:
            raise no from None
    return player


@blueprint.get("/.well-known/change-password")  # where password managers look for it
@blueprint.get("/me/password")
def to_password() -> Reply:
    return redirect(url_for(".account"), 303)


@blueprint.post("/me/password")
@or_form_again(_account_page)
def password() -> Reply:
    """Change the password; sign out all other devices, and give this session another id."""
    form_token()
    player = must_be_known()
    before, after = request.form.get("before", ""), request.form.get("password", "")
    if after != request.form.get("again"):
        raise Refused(IdentityRefusal.NOT_ALIKE)
    with attempt(own_login(player)):
        accounts().change_password(player.id, before, after, device())
    renew()
    note_proof(player)
    _make_known(player)
    return redirect(url_for(".devices"), 303)


@blueprint.get("/sign-in")
def signing_in() -> str:
    return _sign_in_page()


def _sign_in_page(refused: Refused | None = None) -> str:
    return render_template(
        "account_sign_in.html",
        offer=passkeys.known_key(),
        login=request.form.get("login", ""),
        guest=is_guest(),
        leave=refused is not None and refused.why is IdentityRefusal.TWICE,
        **notice_of(refused),
    )


@blueprint.post("/sign-in")
@or_form_again(_sign_in_page)
def entering() -> Reply:
    """Sign in by name and password; what this browser has played as a guest is taken along."""
    form_token()
    login, secret = request.form.get("login", ""), request.form.get("password", "")
    with attempt(login):
        player = accounts().sign_in(login, secret)
    _become_by_proof(player)
    return redirect(url_for("lobby.my_games"), 303)


def _make_known(player: Player) -> None:
    """Let this browser be known for the name by which somebody signs in, if they have one."""
    if login := own_login(player):
        make_known(login)


def is_guest() -> bool:
    player = player_id()
    return player is not None and accounts().is_guest(player)


def become(player: Player) -> None:
    """Sign this browser in as a person; its guest's games become theirs, unless they are to be left.

    Raises Refused: TWICE, BANNED, BANNED_UNTIL, and nothing has changed.
    """
    accounts().must_not_be_banned(player)
    before = current_player()
    if before and before.id != player.id:
        if accounts().is_guest(before.id) and request.form.get("leave") != "yes":
            accounts().merge_guest(before, player)
        else:
            accounts().devices.sign_out(before.id, device())
    sign_in(player)


def _become_by_proof(player: Player) -> None:
    """Sign this browser in as a person who has proved who they are.  Raises Refused(TWICE)."""
    is_same_player = player_id() == player.id
    become(player)
    if is_same_player:
        renew()  # a copy of this session that somebody else has must not become proved with it
    note_proof(player)
    _make_known(player)


@blueprint.get("/me/out")
def leaving() -> str:
    """Ask once more before signing out: a guest who signs out cannot come back."""
    must_be_known()
    return render_template("account_out.html", guest=is_guest())


@blueprint.post("/me/out")
def leave() -> Reply:
    form_token()
    sign_out()
    return redirect(url_for("lobby.landing"), 303)


# -- passkeys ----------------------------------------------------------------------------


@blueprint.post("/me/passkeys")
@or_form_again(_account_page)
def add_passkey() -> Any:
    form_token()
    player = must_be_known()
    if page := proof_wanted():
        return page
    passkeys.keep_passkey(player, agent())
    renew()
    note_proof(player)
    return redirect(url_for(".account"), 303)


@blueprint.get("/me/passkeys/remove")
def removing_passkey() -> str | Reply:
    """Ask once more before a passkey is removed, and say what is left to sign in with."""
    player, id = must_be_known(), request.args.get("passkey", "")
    keys = accounts().passkeys.list_for(player.id)
    passkey = next((each for each in keys if each.id == id), None)
    if passkey is None:
        return redirect(url_for(".account"), 303)
    return render_template(
        "account_passkey.html",
        passkey=passkey,
        others=len(keys) - 1,
        account=accounts().account_of(player.id),
    )


@blueprint.post("/me/passkeys/remove")
def remove_passkey() -> Any:
    form_token()
    if page := proof_wanted():
        return page
    accounts().passkeys.remove(must_be_known().id, request.form.get("passkey", "").replace("\0", ""))
    return redirect(url_for(".account"), 303)


@blueprint.post("/sign-in/passkey")
@or_form_again(_sign_in_page)
def enter_by_passkey() -> Reply:
    form_token()
    limits().count("sign_in")
    _become_by_proof(passkeys.whose())
    return redirect(url_for("lobby.my_games"), 303)


# -- proving it once more ------------------------------------------------------------------

NEXT = {
    "account": "account.account",
    "data": "account.data",
    "link": "account.link",
    "notices": "notices.page",
}


@blueprint.get("/me/confirm")
def confirming() -> Any:
    """Ask who is signed in to prove that it is them, before they go where the link leads."""
    player, to = must_be_known(), request.args.get("to", "")
    if not must_prove(player):
        return redirect(_next(to), 303)
    return proof_page(player, action=url_for(".confirm"), to=to)


@blueprint.post("/me/confirm")
def confirm() -> Any:
    form_token()
    must_be_known()
    return proof_wanted() or redirect(_next(request.form.get("to", "")), 303)


def _next(to: str) -> str:
    return url_for(NEXT.get(to, ".me"))


# -- nobody any more -----------------------------------------------------------------------


@blueprint.get("/me/erase")
def erasing() -> str:
    """Show what erasing means, before it is done."""
    must_be_known()
    return _erasing_page()


def _erasing_page(refused: Refused | None = None) -> str:
    return render_template(
        "account_erase.html", account=accounts().account_of(must_be_known().id), **notice_of(refused)
    )


@blueprint.post("/me/erase")
@or_form_again(_erasing_page)
def erase() -> Any:
    form_token()
    player = current_player()
    if player is None:  # the same form once more: it is done
        return redirect(url_for(".erased"), 303)
    if request.form.get("sure") != "yes":
        raise Refused(IdentityRefusal.NOT_SURE)
    if login := own_login(player):
        with attempt(login):
            accounts().must_know(player.id, request.form.get("password", ""))
        end_known(login)
    elif page := proof_wanted():
        return page
    accounts().erase(player)
    sign_out()
    return redirect(url_for(".erased"), 303)


@blueprint.get("/erased")
def erased() -> str:
    return render_template("account_erased.html")
