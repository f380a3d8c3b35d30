"""The lines of the log that tell when a seat of a running game changes hands.  Pure."""

from typing import Any, TypeAlias

from strifebarge.rules import Text
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.status import RUNNING
from strifebarge.tables.model.table import Chair, Table

TAKEN = Text("{seat}: a new player is in this seat.").sentence
LEFT = Text("{seat}: a player left this seat.").sentence
BOT_CAME = Text("{seat}: a bot takes over this seat.").sentence
BOT_WENT = Text("{seat}: the bot leaves this seat.").sentence

Sitting: TypeAlias = list[set[str]]  # by seat: the people and bots in it


def sitting(table: Table) -> Sitting:
    """Return who sits in the seats of a running game; nothing of another one."""
    return [set(chair.players) for chair in table.chairs] if table.status in RUNNING else []


def seat_changes(before: Sitting, table: Table, now: float) -> list[Any]:
    """Return a packed line for each seat that has changed hands.

    A player who was given their seat back at this moment is the same one.
    """
    if not before or table.status not in RUNNING:
        return []
    pairs = zip(before, table.chairs, strict=True)
    changed = [(_sentence(were, chair), chair) for were, chair in pairs if chair.returned != now]
    return [{"text": text, "args": {"seat": {"seat": chair.seat}}} for text, chair in changed if text]


def _sentence(before: set[str], chair: Chair) -> str:
    """Return what to tell of a seat; "" where it has the same people."""
    now = set(chair.players)
    came, went = now - before, before - now
    if any(not is_bot(each) for each in came):
        return TAKEN
    if came:
        return BOT_CAME
    if any(not is_bot(each) for each in went):
        return LEFT
    return BOT_WENT if went else ""
