"""Invitations: the table's link, which can be taken back, and those given to people by name."""

from msgspec import Struct

LASTS = 30 * 86400  # seconds, from the last that happened at a table that has not begun
MOST_PAST = 20  # invitations taken back of which the table still knows that they were
MOST_INVITED = 20


class Invitation(Struct):
    """The link by which people may sit down.  The first is the table's own address, and has no code."""

    code: str = ""
    generation: int = 0
    at: float = 0  # when it was given out, in seconds since 1970; 0: when the table was opened
    past: list[str] = []

    def run_out(self, since: float, now: float) -> bool:
        """Return whether nothing has happened for so long that it holds no more."""
        return now - max(self.at, since) > LASTS

    def renewed(self, code: str, now: float) -> "Invitation":
        """Return another invitation; this one is dead from now on."""
        return Invitation(code, self.generation + 1, now, [*self.past, self.code][-MOST_PAST:])


class InvitedPerson(Struct):
    """Somebody who was invited by name."""

    name: str  # what they are called
    by: str  # who invited them: their secret id
    inviter: str  # and what they are called at the table
    at: float
    declined: bool = False
    message: str = ""  # from the inviter
