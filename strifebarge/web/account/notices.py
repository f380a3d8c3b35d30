"""Notices: what somebody wants to be told, where and when; and the links that notifications carry."""

import re
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.notifications.guard import hook_at
from strifebarge.notifications.mail import mail_address
from strifebarge.notifications.models import (
    CHOICES,
    Channel,
    ChannelKind,
    ChannelState,
    NotificationKind,
    Subscriber,
)
from strifebarge.notifications.quiet_hours import minute_of, time_in, zone_of, zones
from strifebarge.notifications.service import NotificationPreferences
from strifebarge.rules import Refused, Text
from strifebarge.tables.model.reasons import NotificationRefusal
from strifebarge.web.account.feeds import seals
from strifebarge.web.account.reauthentication import must_prove, proof_wanted
from strifebarge.web.http.services import accounts, limits, notifications, now, settings
from strifebarge.web.http.session import current_player, device, form_token, player_id
from strifebarge.web.http.statuses import FORM, status_of
from strifebarge.web.page.pages import site_url
from strifebarge.web.words.languages import language
from strifebarge.web.words.texts import render_text

blueprint = Blueprint("notices", __name__)
LOCAL = re.compile(r"http://(localhost|127\.0\.0\.1|[^/:]+\.localhost)[:/]?")  # where browsers need no https

KINDS = {
    NotificationKind.TURN: Text("It's my turn"),
    NotificationKind.HALF: Text("My time is running out, or stopped clocks restart"),
    NotificationKind.NUDGE: Text("Someone nudges me"),
    NotificationKind.AGREE: Text("Others wait for my answer"),
    NotificationKind.OVER: Text("My game is over"),
}
CHANNELS = {
    ChannelKind.MAIL: Text("Email"),
    ChannelKind.DISCORD: Text("Discord (webhook)"),
    ChannelKind.SLACK: Text("Slack (webhook)"),
    ChannelKind.NTFY: Text("ntfy (topic)"),
    ChannelKind.PUSH: Text("Browser (push)"),
}


class ChannelView(NamedTuple):
    """A channel as its owner sees it: a webhook's address is a secret and not shown whole."""

    id: str
    kind: ChannelKind
    address: str
    state: ChannelState
    error: Any
    is_current: bool  # it is the browser that shows this


def offered() -> list[ChannelKind]:
    """Return the kinds of channel that this site offers: links need its address, and mail a server."""
    ours = settings()
    if not ours.public_url:
        return []
    safe = ours.public_url.startswith("https:") or LOCAL.match(ours.public_url)
    needed = {ChannelKind.MAIL: ours.smtp_url, ChannelKind.PUSH: safe}
    return [kind for kind in CHANNELS if needed.get(kind, True)]


def must_be_offered(written: str) -> ChannelKind:
    """Return the kind of channel that a form names.  Raises Refused(WRONG_WAY)."""
    if written not in offered():
        raise Refused(NotificationRefusal.WRONG_WAY)
    return ChannelKind(written)


def me() -> str:
    """Return the secret id of the visitor.  Raises Refused(NOBODY)."""
    player = player_id()
    if player is None:
        raise Refused(NotificationRefusal.NOBODY)
    return player


def subscriber_of(player: str) -> Subscriber:
    """Return what somebody wants to be told, or the defaults."""
    return notifications().subscriber_or_new(player, language().code)


def subscriber_in_zone(player: str) -> Subscriber:
    """Return the same; if their time zone is unknown, it is the browser's, where the form names it.

    Raises Refused(WRONG_ZONE).
    """
    subscriber, zone = subscriber_of(player), request.form.get("zone", "")
    if subscriber.zone or not zone:
        return subscriber
    return msgspec.structs.replace(subscriber, zone=zone_of(zone))


# -- the page --------------------------------------------------------------------------


@blueprint.get("/notices")
def page() -> str:
    """Show what I am told, where and when."""
    return _page()


def _page(refused: Refused | None = None) -> str:
    person = current_player()
    subscriber = subscriber_of(person.id) if person else None
    has_feed, feed = subscriber is not None and subscriber.feed_serial > 0, ""
    if person and subscriber and has_feed and not must_prove(person):
        secret = seals().feed(person.public, subscriber.feed_serial)
        feed = site_url(url_for("feeds.atom", secret=secret))
    channels = [_shown(each) for each in notifications().channels(person.id)] if person else []
    return render_template(
        "notices.html",
        subscriber=subscriber,
        channels=channels,
        told_here=any(each.is_current for each in channels),
        kinds=KINDS,
        words=CHANNELS,
        ways=offered(),
        has_feed=has_feed,
        guest=person is not None and accounts().is_guest(person.id),
        feed=feed,
        calendar=feed.removesuffix(".atom") + ".ics" if feed else "",
        clock=_clock,
        zones=zones() if subscriber else (),
        time=time_in(subscriber.zone, now()) if subscriber and subscriber.zone else "",
        given=request.form,
        notice=render_text(refused.text) if refused else "",
        token=refused.token if refused else "",
    )


def _shown(channel: Channel) -> ChannelView:
    address = channel.address
    if channel.kind is ChannelKind.PUSH:
        address = _browser(channel)
    elif channel.kind is not ChannelKind.MAIL:
        host = hook_at(address, inner=True).netloc
        address = f"{host}/…{address[-4:]}"
    error = msgspec.json.decode(channel.error) if channel.error else None
    is_current = bool(channel.device) and channel.device == device()
    return ChannelView(channel.id, channel.kind, address, channel.state, error, is_current)


def _browser(channel: Channel) -> str:
    """Return what a browser is called among its owner's devices."""
    names = {each.id: each.name for each in accounts().devices.list_for(channel.player)}
    return names.get(channel.device) or urlsplit(channel.address).netloc


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def answered(do: Any) -> Any:
    """Carry a form out and go back to the page; a refusal is shown there."""
    try:
        form_token()
        do(me())
    except Refused as no:
        if status_of(no) not in (FORM, 409):
            raise
        return _page(no), status_of(no)
    return redirect(url_for(".page"), 303)


# -- what, and when ----------------------------------------------------------------------


@blueprint.post("/notices")
def choose() -> Any:
    """Keep what I want to be told, and when."""

    def keep(player: str) -> None:
        form = request.form
        kinds, zone = _kinds(form.getlist("kind")), zone_of(form.get("zone", ""))
        quiet = None
        if "quiet" in form:
            quiet = minute_of(form.get("from", "")), minute_of(form.get("to", ""))
        wishes = NotificationPreferences(
            kinds=kinds,
            zone=zone,
            quiet=quiet,
            digest=minute_of(form.get("at", "")) if "digest" in form else None,
            answers="answers" in form,
            language=language().code,
        )
        notifications().choose(player, wishes)

    return answered(keep)


def _kinds(written: list[str]) -> tuple[NotificationKind, ...]:
    """Return the kinds that a form names.  Raises Refused(WRONG_KIND)."""
    if not {*written} <= {*CHOICES}:
        raise Refused(NotificationRefusal.WRONG_KIND)
    return tuple(kind for kind in CHOICES if kind in written)


# -- where ---------------------------------------------------------------------------------


@blueprint.post("/notices/add")
def add() -> Any:
    """Add a channel other than a browser, which only the browser itself can name."""
    if page := proof_wanted():
        return page

    def keep(player: str) -> None:
        kind = must_be_offered(request.form.get("way", ""))
        if kind is ChannelKind.PUSH:
            raise Refused(NotificationRefusal.WRONG_WAY)
        address = _place(kind, request.form.get("place", ""))
        if notifications().is_new(player, kind, address):
            if kind is ChannelKind.MAIL:
                _not_too_often(address)
            notifications().add(subscriber_in_zone(player), kind, address, form_token().key)

    return answered(keep)


def _place(kind: ChannelKind, written: str) -> str:
    """Return the place that a form names.  Raises Refused: WRONG_MAIL, WRONG_HOOK."""
    if kind is ChannelKind.MAIL:
        return mail_address(written)
    return hook_at(written.strip(), settings().inner_hooks).geturl()


def _not_too_often(address: str) -> None:
    """Count one more question to a mail address.  Raises Refused: TOO_FAST, ASKED_ENOUGH."""
    limits().count("mail")
    # Counted although its channel may be gone: removing it must not allow another question.
    if not limits().note("asked", sha256(address.encode()).hexdigest()):
        raise Refused(NotificationRefusal.ASKED_ENOUGH)


def _named() -> str:
    """Return the id of the channel that a form names."""
    return request.form.get("address", "").replace("\0", "")


@blueprint.post("/notices/remove")
def remove() -> Any:
    """Remove a channel of mine."""
    return answered(lambda player: notifications().remove(player, _named()))


@blueprint.post("/notices/test")
def test() -> Any:
    """Send something there now; a channel that was given up is tried again."""

    def try_it(player: str) -> None:
        channel = notifications().own_confirmed_channel(player, _named())
        limits().count("mail")
        notifications().test(channel, form_token().key)

    return answered(try_it)


@blueprint.post("/notices/feed")
def feed() -> Any:
    """Make a new secret address for feed and calendar, which ends the one before; `feed=no`: none."""
    if request.form.get("feed") != "no" and (page := proof_wanted()):
        return page

    def renew(player: str) -> None:
        serial = request.form.get("seen", "0")
        if serial.isascii() and serial.isdigit():
            ended = request.form.get("feed") == "no"
            notifications().renew_feed(player, int(serial[:9]), ended, language().code)

    return answered(renew)


# -- links in notifications ------------------------------------------------------------------


@blueprint.get("/notices/confirm")
def confirming() -> str:
    """Ask whether this channel is mine: programs look at every link, so looking confirms nothing."""
    channel = _linked("confirm")
    return render_template(
        "notice_link.html",
        do="confirm",
        channel=channel,
        token=request.args["t"],
        off=seals().off(channel.id),
    )


@blueprint.post("/notices/confirm")
def confirm() -> Reply:
    """Use a channel from now on."""
    notifications().confirm(_linked("confirm"))
    return redirect(url_for(".done", what="confirmed"), 303)


@blueprint.get("/notices/off")
def ending() -> str:
    """Ask whether a channel is to be removed."""
    return render_template("notice_link.html", do="off", channel=_linked("off"), token=request.args["t"])


@blueprint.post("/notices/off")
def off() -> Any:
    """Remove a channel.  Mail programs post here by themselves (RFC 8058), without a key."""
    id = seals().read("off", request.args.get("t") or request.form.get("t", ""))
    notifications().remove_linked(str(id))
    if request.form.get("List-Unsubscribe") == "One-Click":
        return Response("ok\n", mimetype="text/plain")
    return redirect(url_for(".done", what="ended"), 303)


@blueprint.get("/notices/done")
def done() -> str:
    """Say what a link in a notification has done."""
    return render_template(
        "notice_link.html", do="done", channel=None, token="", what=request.args.get("what")
    )


def _linked(kind: str) -> Channel:
    """Return the channel that a link in a notification names.  Raises Refused(DEAD_LINK)."""
    id = seals().read(kind, request.args.get("t") or request.form.get("t", ""))
    return notifications().linked_channel(str(id))
