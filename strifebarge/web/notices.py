"""Notices: what somebody wants to be told, where and when; and the links that letters carry."""

import re
from hashlib import sha256
from secrets import token_hex
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.post.guard import hook_at
from strifebarge.post.mail import mail_address
from strifebarge.rules import Refused, Text
from strifebarge.rules.pace import DAY
from strifebarge.table.letters import CHOICES, MOST, Address, Kind, Letter, Reader, State, Way
from strifebarge.table.moments import minute_of, zone_of
from strifebarge.table.ports import Outbox
from strifebarge.table.reasons import NotTold

from .errors import FORM, status_of
from .feeds import seals
from .guard import ASKED_A_DAY
from .languages import language
from .pages import site_url
from .people import device, player_id, referee, slip, who
from .words import told

blueprint = Blueprint("notices", __name__)
LOCAL = re.compile(r"http://(localhost|127\.0\.0\.1|[^/:]+\.localhost)[:/]?")  # where browsers need no https

KINDS = {
    Kind.TURN: Text("It is my turn"),
    Kind.HALF: Text("The time for my move runs out, or a pause ends"),
    Kind.NUDGE: Text("Somebody nudges me"),
    Kind.AGREE: Text("The others wait until I agree to something"),
    Kind.OVER: Text("A game of mine is over"),
}
WAYS = {
    Way.MAIL: Text("Mail"),
    Way.DISCORD: Text("Discord (webhook)"),
    Way.SLACK: Text("Slack (webhook)"),
    Way.NTFY: Text("ntfy (topic)"),
    Way.PUSH: Text("Browser (push)"),
}


class Shown(NamedTuple):
    """An address as its owner sees it: not all of it, for a webhook's is a secret."""

    id: str
    way: Way
    place: str
    state: State
    trouble: Any
    here: bool  # it is the browser that shows this


def outbox() -> Outbox:
    return referee().store.outbox


def ways() -> list[Way]:
    """How notices can be sent at this site: links need its address, and mail a server."""
    settings = current_app.extensions["settings"]
    if not settings.public_url:
        return []
    safe = settings.public_url.startswith("https:") or LOCAL.match(settings.public_url)
    needed = {Way.MAIL: settings.smtp_url, Way.PUSH: safe}
    return [way for way in WAYS if needed.get(way, True)]


def must_be_a_way(written: str) -> Way:
    """Raises Refused(WRONG_WAY)."""
    if written not in ways():
        raise Refused(NotTold.WRONG_WAY)
    return Way(written)


def me() -> str:
    """Raises Refused(NOBODY)."""
    player = player_id()
    if player is None:
        raise Refused(NotTold.NOBODY)
    return player


def reader_of(player: str) -> Reader:
    """What they want; what anybody would, who never said."""
    known = outbox().reader(player)
    return known or Reader(player=player, language=language().code)


# -- the page --------------------------------------------------------------------------


@blueprint.get("/notices")
def page() -> str:
    """What I am told, where and when."""
    return _page()


def _page(no: Refused | None = None) -> str:
    person = who()
    reader = reader_of(person.id) if person else None
    feed = ""
    if person and reader and reader.feed > 0:
        feed = site_url(url_for("feeds.atom", secret=seals().feed(person.public, reader.feed)))
    return render_template(
        "notices.html",
        reader=reader,
        addresses=[_shown(each) for each in outbox().addresses(person.id)] if person else [],
        kinds=KINDS,
        words=WAYS,
        ways=ways(),
        feed=feed,
        calendar=feed.removesuffix(".atom") + ".ics" if feed else "",
        clock=_clock,
        given=request.form,
        notice=told(no.text) if no else "",
        token=no.token if no else "",
    )


def _shown(address: Address) -> Shown:
    place = address.place
    if address.way is Way.PUSH:
        place = _browser(address)
    elif address.way is not Way.MAIL:
        host = hook_at(place, inner=True).netloc
        place = f"{host}/…{place[-4:]}"
    trouble = msgspec.json.decode(address.trouble) if address.trouble else None
    here = bool(address.device) and address.device == device()
    return Shown(address.id, address.way, place, address.state, trouble, here)


def _browser(address: Address) -> str:
    """What the browser is called among one's devices."""
    names = {each.id: each.name for each in referee().store.devices(address.player)}
    return names.get(address.device) or urlsplit(address.place).netloc


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def answered(do: Any) -> Any:
    """Carry a form out, and back to the page; what is refused is said there."""
    try:
        slip()
        do(me())
    except Refused as no:
        if status_of(no) not in (FORM, 409):
            raise
        return _page(no), status_of(no)
    return redirect(url_for(".page"), 303)


# -- what, and when ----------------------------------------------------------------------


@blueprint.post("/notices")
def choose() -> Any:
    def keep(player: str) -> None:
        form, reader = request.form, reader_of(player)
        reader.kinds = _kinds(form.getlist("kind"))
        reader.zone = zone_of(form.get("zone", "UTC"))
        reader.quiet = None
        if "quiet" in form:
            reader.quiet = minute_of(form.get("from", "")), minute_of(form.get("to", ""))
        reader.digest = minute_of(form.get("at", "")) if "digest" in form else None
        if reader.answers and "answers" not in form:
            reader.end_answers()
        reader.answers = "answers" in form
        reader.language = language().code
        outbox().keep_reader(reader)

    return answered(keep)


def _kinds(written: list[str]) -> tuple[Kind, ...]:
    """Raises Refused(WRONG_KIND)."""
    if not {*written} <= {*CHOICES}:
        raise Refused(NotTold.WRONG_KIND)
    return tuple(kind for kind in CHOICES if kind in written)


# -- where ---------------------------------------------------------------------------------


@blueprint.post("/notices/add")
def add() -> Any:
    def keep(player: str) -> None:
        way = must_be_a_way(request.form.get("way", ""))
        if way is Way.PUSH:  # which only a browser can say of itself
            raise Refused(NotTold.WRONG_WAY)
        place = _place(way, request.form.get("place", ""))
        known = outbox().addresses(player)
        if (way, place) in [(each.way, each.place) for each in known]:
            return
        if len(known) >= MOST:
            raise Refused(NotTold.TOO_MANY, most=MOST)
        now = referee().now()
        if way is Way.MAIL:
            if outbox().asked(place, now - DAY) >= ASKED_A_DAY:
                raise Refused(NotTold.ASKED_ENOUGH)
            current_app.extensions["limits"].count("mail")
            # Also where those who had it asked have taken it away again.
            if not current_app.extensions["limits"].note("asked", sha256(place.encode()).hexdigest()):
                raise Refused(NotTold.ASKED_ENOUGH)
        state = State.NEW if way is Way.MAIL else State.WORKING
        if outbox().reader(player) is None:
            outbox().keep_reader(reader_of(player))
        new = Address(id=token_hex(8), player=player, way=way, place=place, state=state, made=now)
        kept = outbox().keep_address(new)
        if kept.state is State.NEW:
            _send(kept, Kind.CONFIRM)

    return answered(keep)


def _place(way: Way, written: str) -> str:
    """Raises Refused: WRONG_MAIL, WRONG_HOOK."""
    if way is Way.MAIL:
        return mail_address(written)
    hook_at(written.strip(), current_app.extensions["settings"].inner_hooks)
    return written.strip()


def _mine(player: str) -> Address:
    """The address that a form speaks of.  Raises Refused(NO_ADDRESS)."""
    address = outbox().address(request.form.get("address", "").replace("\0", ""))
    if address is None or address.player != player:
        raise Refused(NotTold.NO_ADDRESS)
    return address


@blueprint.post("/notices/remove")
def remove() -> Any:
    return answered(lambda player: outbox().remove_address(_mine(player).id))


@blueprint.post("/notices/test")
def test() -> Any:
    """Send something there now; one that was given up is tried again."""

    def try_it(player: str) -> None:
        address = _mine(player)
        if address.state is State.NEW:
            raise Refused(NotTold.NOT_CONFIRMED)
        current_app.extensions["limits"].count("mail")
        if address.state is State.FAILING:
            outbox().confirm(address.id)
        _send(address, Kind.TEST)

    return answered(try_it)


def _send(address: Address, kind: Kind) -> None:
    """A letter to this address alone.  The same form again sends no other."""
    now = referee().now()
    id = sha256(f"{kind} {address.id} {slip().key}".encode()).hexdigest()[:16]
    outbox().send_now(
        Letter(id=id, player=address.player, kind=kind, made=now, due=now, told=now), address.id
    )


@blueprint.post("/notices/feed")
def feed() -> Any:
    """A new secret address for feed and calendar, which ends the one before; `feed=no`: none."""

    def renew(player: str) -> None:
        reader = reader_of(player)
        seen = request.form.get("seen", "0")
        if not seen.isascii() or not seen.isdigit() or int(seen[:9]) != abs(reader.feed):
            return  # the same form again: it has been done
        # Below zero there is none; the number goes on, so that no older address ever comes to life again.
        reader.feed = -abs(reader.feed) if request.form.get("feed") == "no" else abs(reader.feed) + 1
        outbox().keep_reader(reader)

    return answered(renew)


# -- links in letters ------------------------------------------------------------------------


@blueprint.get("/notices/confirm")
def confirming() -> str:
    """Looking confirms nothing: programs look at every link."""
    address = _addressed("confirm")
    return render_template(
        "notice_link.html",
        do="confirm",
        address=address,
        token=request.args["t"],
        off=seals().off(address.id),
    )


@blueprint.post("/notices/confirm")
def confirm() -> Reply:
    address = _addressed("confirm")
    if address.state is State.NEW:
        outbox().confirm(address.id)
    return redirect(url_for(".done", what="confirmed"), 303)


@blueprint.get("/notices/off")
def ending() -> str:
    return render_template("notice_link.html", do="off", address=_addressed("off"), token=request.args["t"])


@blueprint.post("/notices/off")
def off() -> Any:
    """No more to that address.  Mail programs post here by themselves (RFC 8058), without a key."""
    id = seals().read("off", request.args.get("t") or request.form.get("t", ""))
    outbox().remove_address(str(id))
    if request.form.get("List-Unsubscribe") == "One-Click":
        return Response("ok\n", mimetype="text/plain")
    return redirect(url_for(".done", what="ended"), 303)


@blueprint.get("/notices/done")
def done() -> str:
    return render_template(
        "notice_link.html", do="done", address=None, token="", what=request.args.get("what")
    )


def _addressed(kind: str) -> Address:
    """The address that a link in a letter speaks of.  Raises Refused(DEAD_LINK)."""
    id = seals().read(kind, request.args.get("t") or request.form.get("t", ""))
    address = outbox().address(str(id))
    if address is None:
        raise Refused(NotTold.DEAD_LINK)
    return address
