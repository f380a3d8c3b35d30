"""The parts that acts share which come as forms."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.names import chosen_name
from strifebarge.tables.model.player import Player

F = TypeVar("F", bound=Callable[..., Any])


def form_name(name: str) -> Callable[[F], F]:
    """Say what an act is called in the receipts of its forms, where its function has another name.

    These names never change: a form that is sent before an upgrade and again after it is the same form.
    """

    def mark(act: F) -> F:
        act.form_name = name  # type: ignore[attr-defined]
        return act

    return mark


def named(player: Player, name: str) -> Player:
    """Return a person under the name given, if one is.  Raises Refused: WRONG_NAME, RESERVED_NAME."""
    return msgspec.structs.replace(player, name=chosen_name(name, player.name) or player.name)


def seated_as(person: Player, chair: Chair) -> Player:
    """Return a person who sits in a chair now: who had no name keeps the one they are given there."""
    return msgspec.structs.replace(person, name=person.name or chair.name_of(person.id))
