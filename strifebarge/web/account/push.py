"""Notices in this browser: asked for by the page's script, shown by a small service worker."""

from pathlib import Path
from typing import Any

from flask import Response, request

from strifebarge.notifications.models import ChannelKind
from strifebarge.notifications.push import public_key, subscription
from strifebarge.web.account.notices import answered, blueprint, me, must_be_offered, subscriber_in_zone
from strifebarge.web.http.services import notifications, settings
from strifebarge.web.http.session import device

__all__ = ["blueprint"]  # that of all notices
WORKER = Path(__file__).parents[2] / "static" / "worker.js"


@blueprint.get("/worker.js")
def worker() -> Response:
    """Return the service worker, at the top of the site: it may show notices only for what lies below it."""
    answer = Response(WORKER.read_text(encoding="utf-8"), mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@blueprint.post("/notices/push/key")
def key() -> Response:
    """Return the site's public key, which a browser needs before it can say where it is told."""
    request.get_data()  # read, so that a body that is too large is refused
    me()
    must_be_offered(ChannelKind.PUSH)
    return Response(public_key(notifications().push_key()), mimetype="text/plain")


@blueprint.post("/notices/push")
def push() -> Any:
    """Tell me in this browser; when it says so anew, its new address replaces the old one."""

    def keep(player: str) -> None:
        must_be_offered(ChannelKind.PUSH)
        form, inner = request.form, settings().inner_hooks
        push_subscription = subscription(
            form.get("endpoint", ""), form.get("p256dh", ""), form.get("auth", ""), inner
        )
        notifications().add_browser(subscriber_in_zone(player), device(), push_subscription)

    return answered(keep)
