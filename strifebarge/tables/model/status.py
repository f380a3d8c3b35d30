"""The words for what a table is in: its status, and the choices that are made for it before the game."""

from enum import StrEnum

from strifebarge.rules.pace import DAY


class Status(StrEnum):
    """How far a table has come."""

    OPEN = "open"  # before the game: people sit down and agree
    PLAYING = "playing"
    DISRUPTED = "disrupted"  # live, and somebody whose seat matters is away; never kept, but seen
    ABANDONED = "abandoned"  # live, and nobody is there; never kept, but seen
    SUSPENDED = "suspended"
    OVER = "over"


class DevicePolicy(StrEnum):
    """At which devices people play."""

    OWN = "own"  # each at their own
    SOME = "some"  # some at one, which they pass round
    ONE = "one"  # all at the one that opened the table


class ResultUse(StrEnum):
    """The use of a game's result."""

    QUIET = "quiet"  # anybody with its address may see it
    PUBLIC = "public"  # it stands on its players' pages
    RATED = "rated"  # and counts for their ratings


class StartRule(StrEnum):
    """When a table's game begins."""

    FULL = "full"  # by itself, when the last seat is taken: to sit down is to agree
    AGREED = "agreed"  # when all who sit there are ready, and there are enough


class Seating(StrEnum):
    """The order in which people sit when the game begins."""

    CHOSEN = "chosen"
    CHANCE = "chance"


PATIENCES = [DAY, 3 * DAY, 7 * DAY, 30 * DAY]  # seconds, as a table may choose
USUAL_PATIENCE = 7 * DAY


class AbsencePolicy(StrEnum):
    """A table's policy about absent players."""

    SKIP = "skip"  # the game plays for them; after two times in a row they may be taken out of the game
    REPLACE = "replace"  # their seat is free for somebody else; if nobody comes, it may be taken out
    END = "end"  # the game ends without a result
    LOSE = "lose"  # they have left for good, which the game's rules judge


# Who may watch while a game runs: everybody at once, or some moves later, or nobody.
EVERYBODY, NOBODY = 0, -1
WATCHING = [EVERYBODY, 1, 2, 3, 5, 10, 20, NOBODY]

RUNNING = {Status.PLAYING, Status.DISRUPTED, Status.ABANDONED, Status.SUSPENDED}

ABANDONED_ENDS_AFTER = 90  # seconds from when an abandoned live game was suspended until it ends
