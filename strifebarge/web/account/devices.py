"""Pages about the visitor's devices, the code for one more, and where it is typed."""

from typing import Any

from flask import redirect, render_template, request, session, url_for

from strifebarge.people.models import CODE_LASTS, IdentityRefusal
from strifebarge.rules import Refused
from strifebarge.tables.model.names import grouped_code
from strifebarge.web.account.account import become, blueprint, form_again, is_guest, must_be_known
from strifebarge.web.account.reauthentication import must_prove, proof_wanted
from strifebarge.web.http.services import accounts, limits, now
from strifebarge.web.http.session import device, form_token, renew, sign_out
from strifebarge.web.page.pages import site_url
from strifebarge.web.table.inviting import qr
from strifebarge.web.words.texts import notice_of

__all__ = ["blueprint"]  # that of the pages about oneself: these are some of them


@blueprint.get("/me/devices")
def devices() -> str:
    """List the browsers in which the reader is signed in."""
    player = must_be_known()
    return render_template(
        "account_devices.html",
        devices=accounts().devices.list_for(player.id),
        this=device(),
        guest=is_guest(),
    )


@blueprint.post("/me/devices")
def end_devices() -> Any:
    """Sign out one (`device=`), all others (`device=others`) or all."""
    form_token()
    player, which = must_be_known(), request.form.get("device", "").replace("\0", "")
    if which != device() and (page := proof_wanted()):
        return page
    if which in (device(), "all"):
        if which == "all":
            accounts().sign_out_everywhere(player.id)
        sign_out()
        return redirect(url_for("lobby.landing"), 303)
    if which == "others":
        accounts().sign_out_everywhere(player.id, but=device())
        renew()  # a copy of this session ends too
    elif not accounts().devices.sign_out(player.id, which or "none"):
        raise Refused(IdentityRefusal.NO_DEVICE)
    return redirect(url_for(".devices"), 303)


@blueprint.get("/me/code")
def code() -> str:
    """Show the code that was made last, while it can still be used, in this browser only."""
    current_code, until = session.get("code") or ("", 0)
    if must_prove(must_be_known()):
        current_code = ""
    left = int(until - now())
    link = f"{site_url(url_for('account.moving'))}?c={current_code}"
    return render_template(
        "account_code.html",
        code=grouped_code(current_code) if current_code and left > 0 else "",
        link=site_url(url_for("account.moving")),
        minutes=max(1, round(left / 60)),
        qr=qr(link) if current_code and left > 0 else "",
        guest=is_guest(),
    )


@blueprint.post("/me/code")
def give_code() -> Any:
    """Make a code for another device, and show it."""
    form_token()
    player = must_be_known()
    if page := proof_wanted():
        return page
    limits().count("create")
    session["code"] = [accounts().devices.give_code(player.id), now() + CODE_LASTS]
    return redirect(url_for(".code"), 303)


@blueprint.get("/move")
def moving() -> str:
    """Show the form for a code, perhaps filled in; it is not tried before the button is pressed."""
    return _moving_page()


def _moving_page(refused: Refused | None = None) -> str:
    return render_template(
        "account_move.html",
        code=request.values.get("c", "")[:24],
        # The code is spent for this very form, which may be sent once more with another answer.
        same_key=request.form["key"] if refused is not None and refused.why is IdentityRefusal.TWICE else "",
        guest=is_guest(),
        leave=refused is not None and refused.why is IdentityRefusal.TWICE,
        **notice_of(refused),
    )


@blueprint.post("/move")
def move() -> Any:
    """Sign this browser in as the person who made the code."""
    token = form_token()
    limits().check("device")
    try:
        become(accounts().devices.take_code(request.form.get("c", ""), token.key))
    except Refused as no:
        if no.why is IdentityRefusal.WRONG_CODE:
            limits().note("device")
        return form_again(_moving_page, no)
    return redirect(url_for("lobby.my_games"), 303)
