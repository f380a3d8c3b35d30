"""The words for what a table is in: its status, and the choices that are made for it before the game."""

from enum import StrEnum


class Status(StrEnum):
    """How far a table has come."""

    OPEN = "open"  # before the game: people sit down and agree
    PLAYING = "playing"
    DISRUPTED = "disrupted"  # live, and somebody whose seat matters is away; never kept, but seen
    ABANDONED = "abandoned"  # live, and nobody is there; never kept, but seen
    SUSPENDED = "suspended"
    OVER = "over"


class Devices(StrEnum):
    """At which devices people play."""

    OWN = "own"  # each at their own
    SOME = "some"  # some at one, which they pass round
    ONE = "one"  # all at the one that opened the table


class Afterwards(StrEnum):
    """What becomes of a game's result."""

    QUIET = "quiet"  # those who have its address may see it
    PUBLIC = "public"  # it stands on its players' pages
    RATED = "rated"  # and counts for their ratings


class Begins(StrEnum):
    """When a table's game begins."""

    FULL = "full"  # by itself, when the last seat is taken: to sit down is to agree
    AGREED = "agreed"  # when all who sit there are ready, and there are enough


class Seating(StrEnum):
    """Who sits where when the game begins."""

    CHOSEN = "chosen"
    CHANCE = "chance"


# Who may watch while a game runs: everybody at once, or so many moves later, or nobody.
EVERYBODY, NOBODY = 0, -1
WATCHING = [EVERYBODY, 1, 2, 3, 5, 10, 20, NOBODY]

RUNNING = {Status.PLAYING, Status.DISRUPTED, Status.ABANDONED, Status.SUSPENDED}
