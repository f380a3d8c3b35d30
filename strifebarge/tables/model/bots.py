"""Bots as people at tables: who is one, how hard it plays, what it is called.  Pure.

A bot is no person: it has no row among people, and nobody can sign in as one.  There are a few of each level,
shared by all tables; at one table each of them sits once.  A process of the site moves for them.
"""

import re
from typing import NamedTuple

from msgspec import Struct

LEVELS = ("easy", "medium", "hard")
USUAL_LEVEL = "medium"  # of a bot that stands in for somebody
EACH = 8  # bots of each level: as many as a table has seats at most
COUNTS_FOR = 86400  # seconds, from the last that happened in a game with bots, for which it counts

# No id of a person has a colon: theirs are hexadecimal.
IDS = {f"bot:{level}:{number}": level for level in LEVELS for number in range(1, EACH + 1)}

NAME = re.compile(rf"Bot \(({'|'.join(LEVELS)})\)(?: ([2-9]))?")


class WaitingQuestion(NamedTuple):
    """A question that waits for a bot."""

    table: str
    seat: int
    player: str  # the bot's id
    since: float  # when its table last changed, in seconds since 1970
    with_people: bool = True  # a person has a seat at its table


class BotRules(NamedTuple):
    """Limits that a site sets to playing with bots."""

    on: bool = True
    per_person: int = 10  # games at once in which a person plays with bots
    per_site: int = 200  # games at once with bots


class BotPeriod(Struct):
    """A time in which a bot played a seat, by the numbers of the table's moves."""

    bot: str
    after: int  # the last move before it
    until: int | None = None  # the last move of it; None while it goes on


def bot_id(level: str, number: int) -> str:
    """Return the id of a bot of that level; `number` counts from 1 to EACH.  Raises LookupError."""
    id = f"bot:{level}:{number}"
    if id not in IDS:
        raise LookupError(f"there is no bot {number} of level {level!r}")
    return id


def is_bot(player: str | None) -> bool:
    """Return whether a player is a bot."""
    return player in IDS


def level_of(player: str) -> str:
    """Return how hard a bot plays: one of LEVELS.  Raises LookupError for anybody else."""
    return IDS[player]


def bot_name(level: str, number: int = 1) -> str:
    """Return what a bot is called at a table, in English; `number` tells several of a level apart."""
    return f"Bot ({level})" if number == 1 else f"Bot ({level}) {number}"


def parts_of_name(name: str) -> tuple[str, str] | None:
    """Return the level that a bot's name says, and its number, or ""; None for another name."""
    match = NAME.fullmatch(name)
    return (match[1], match[2] or "") if match else None
