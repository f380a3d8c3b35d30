"""Events, as programs are told them."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from strifebarge.api.shown import State
from strifebarge.api.verbs.chat import ChatLine
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.subscriptions import EventFacts

Kind = Literal["challenge", "table", "your_turn", "moved", "chat", "over", "gone"]


class Operation(Struct, omit_defaults=True):
    """One operation of a JSON Patch (RFC 6902)."""

    op: Literal["add", "remove", "replace"]
    path: str
    value: Any = msgspec.UNSET


class StreamEvent(Struct, kw_only=True):
    """A change that the caller may see."""

    id: int
    event: Kind
    table: str
    game: str = ""
    status: str = ""  # of the table now; "" once it is gone
    number: int = 0  # moves made
    your_turn: bool = False
    by: str = ""  # of a challenge: who invites
    patch: list[Operation] | None = None  # from what `table.follow` returned; None where it was not called


class FollowedParts(Struct):
    """The parts of a table that are followed: the state and the chat."""

    state: State
    chat: list[ChatLine]


def kind_of(before: EventFacts, after: EventFacts, chatted: bool) -> Kind:
    """Return what an event is called by, by the most telling of what has changed."""
    if after.status == Status.OVER and before.status != Status.OVER:
        return "over"
    if after.your_turn and (not before.your_turn or before.questions != after.questions):
        return "your_turn"
    if after.number != before.number:
        return "moved"
    return "chat" if chatted else "table"
