"""Pages whose game's code fails: they say so plainly, and the table is suspended beside the request."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, request

from strifebarge.rules import Refused
from strifebarge.tables.library.budget import GameFault, run
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tables.play.faults import tell
from strifebarge.web.http.guard import READING
from strifebarge.web.http.request_store import this_request

# Replays of records have their own budget, and their turn, which they must not be torn from.  So have cards:
# where a game cannot draw one it is shown by its emblem, and no table is suspended.
ELSEWHERE = {
    *("records.check", "records.record", "play.record"),
    *("previews.game", "previews.record", "table_previews.table"),
}
OF_A_GAME = {"id", "record", "game"}  # in the address of a page


def prepare(app: Flask) -> None:
    """Give each page of a game one budget for all that its code does there."""
    for rule in app.url_map.iter_rules():
        if (
            rule.endpoint not in ELSEWHERE
            and OF_A_GAME & rule.arguments
            and rule.methods
            and "POST" not in rule.methods
        ):
            page = app.view_functions[rule.endpoint]
            if not hasattr(page, "budgeted"):
                app.view_functions[rule.endpoint] = _budgeted(page)


def _budgeted(page: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(page)
    def wrapper(**values: Any) -> Any:
        return run(str(values.get("id", "")), f"showing {this_request().endpoint}", page, **values)

    wrapper.budgeted = True  # type: ignore[attr-defined]
    return wrapper


def refusal_of(fault: GameFault) -> Refused:
    """Return what is said where a game's code has failed, and nothing can be shown in its place."""
    tell(fault)
    return Refused(TableRefusal.CANNOT_SHOW if request.method in READING else TableRefusal.CANNOT_BEGIN)
