"""Notices in this browser: asked for by the page's script, shown by a small service worker."""

from pathlib import Path
from secrets import token_hex
from typing import Any

from flask import Response, current_app, request

from strifebarge.post.push import new_key, public_key, subscription
from strifebarge.rules import Refused
from strifebarge.table.letters import MOST, Address, State, Way
from strifebarge.table.ports import Store
from strifebarge.table.reasons import NotTold

from .notices import answered, blueprint, me, must_be_a_way, outbox, reader_of
from .people import device, referee

__all__ = ["blueprint"]  # that of all notices
WORKER = Path(__file__).parent.parent / "static" / "worker.js"


def push_key(store: Store, settings: Any) -> str:
    """The site's private key for push services: of the settings, or made once for all its processes."""
    return str(settings.push_key or store.secret("push", new_key))


@blueprint.get("/worker.js")
def worker() -> Response:
    """It stands at the top of the site, for it may show notices for what lies below it alone."""
    answer = Response(WORKER.read_text(encoding="utf-8"), mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@blueprint.post("/notices/push/key")
def key() -> Response:
    """For the page's script: what a browser needs to know of the site before it says where it is."""
    request.get_data()  # nothing is asked of it, but that it is no larger than any form
    me()
    must_be_a_way(Way.PUSH)
    settings = current_app.extensions["settings"]
    return Response(public_key(push_key(referee().store, settings)), mimetype="text/plain")


@blueprint.post("/notices/push")
def push() -> Any:
    """This browser wants to be told; one that says so anew has another address, and only that."""

    def keep(player: str) -> None:
        must_be_a_way(Way.PUSH)
        form, inner = request.form, current_app.extensions["settings"].inner_hooks
        found = subscription(form.get("endpoint", ""), form.get("p256dh", ""), form.get("auth", ""), inner)
        known = outbox().addresses(player)
        here = [each for each in known if each.device == device()]
        if str(found) not in [each.place for each in here]:
            if len(known) - len(here) >= MOST:
                raise Refused(NotTold.TOO_MANY, most=MOST)
            if outbox().reader(player) is None:
                outbox().keep_reader(reader_of(player))
            for each in here:
                outbox().remove_address(each.id)
            new = Address(id=token_hex(8), player=player, way=Way.PUSH, place=str(found), device=device())
            new.state, new.made = State.WORKING, referee().now()
            outbox().keep_address(new)

    return answered(keep)
