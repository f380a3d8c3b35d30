"""My devices: every browser that is me; a code for one more, and the page where it is typed."""

from typing import Any

from flask import current_app, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.names import spoken
from strifebarge.table.person import CODE_LASTS, Who

from .account import again, become, blueprint, is_guest, must_be, notice_of
from .inviting import qr
from .pages import site_url
from .people import device, referee, sign_out, slip

__all__ = ["blueprint"]  # that of the pages about oneself: these are some of them


@blueprint.get("/me/devices")
def devices() -> str:
    """Every browser that is me."""
    player = must_be()
    return render_template(
        "account_devices.html",
        devices=referee().store.devices(player.id),
        this=device(),
        guest=is_guest(),
    )


@blueprint.post("/me/devices")
def end_devices() -> Reply:
    """Sign out one (`device=`), all others (`device=others`) or all."""
    slip()
    player, which = must_be(), request.form.get("device", "").replace("\0", "")
    store = referee().store
    if which in (device(), "all"):
        if which == "all":
            store.end_devices(player.id)
            referee().end_links(player.id)
        sign_out()
        return redirect(url_for("lobby.landing"), 303)
    if which == "others":
        store.end_devices(player.id, but=device())
        referee().end_links(player.id)
    elif not store.end_devices(player.id, only=which or "none"):
        raise Refused(Who.NO_DEVICE)
    return redirect(url_for(".devices"), 303)


@blueprint.get("/me/code")
def code() -> str:
    """The code that was made last, while it can still be used, for this browser's eyes alone."""
    must_be()
    shown, until = session.get("code") or ("", 0)
    left = int(until - referee().now())
    link = f"{site_url(url_for('account.moving'))}?c={shown}"
    return render_template(
        "account_code.html",
        code=spoken(shown) if shown and left > 0 else "",
        link=site_url(url_for("account.moving")),
        minutes=max(1, left // 60),
        qr=qr(link) if shown and left > 0 else "",
    )


@blueprint.post("/me/code")
def give_code() -> Reply:
    slip()
    player = must_be()
    current_app.extensions["limits"].count("create")
    session["code"] = [referee().give_code(player.id), referee().now() + CODE_LASTS]
    return redirect(url_for(".code"), 303)


@blueprint.get("/move")
def moving() -> str:
    """Where a code is typed, or stands already; it is not looked at before the button is pressed."""
    return _moving_page()


def _moving_page(no: Refused | None = None) -> str:
    return render_template(
        "account_move.html",
        code=request.values.get("c", "")[:24],
        # The code is spent for this very form, which may be sent once more with another answer.
        same_key=request.form["key"] if no is not None and no.why is Who.TWICE else "",
        guest=is_guest(),
        leave=no is not None and no.why is Who.TWICE,
        **notice_of(no),
    )


@blueprint.post("/move")
def move() -> Any:
    """This browser is whoever made the code."""
    with_slip = slip()
    limits = current_app.extensions["limits"]
    limits.check("device")
    try:
        become(referee().take_code(request.form.get("c", ""), with_slip.key))
    except Refused as no:
        if no.why is Who.WRONG_CODE:
            limits.note("device")
        return again(_moving_page, no)
    return redirect(url_for("lobby.mine"), 303)
