"""A table and its chairs: who sits, who is ready, what state it is in.  Pure: no clock, no disk.

A Table is read in four chapters: `facts.py`, `agreement.py`, `seating.py`, and here the course of its game.
"""

from strifebarge.rules import Refused
from strifebarge.tables.model.agreement import TERM
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.chair import FLAGS, LETTERS, Chair, Person
from strifebarge.tables.model.facts import FAULTY
from strifebarge.tables.model.parts import Ending, Position, Series, Suspension, TableSettings, Times
from strifebarge.tables.model.reasons import PlanRefusal, TableRefusal
from strifebarge.tables.model.seating import SeatedTable
from strifebarge.tables.model.status import (
    ABANDONED_ENDS_AFTER,
    RUNNING,
    AbsencePolicy,
    DevicePolicy,
    ResultUse,
    Seating,
    StartRule,
    Status,
)

__all__ = [
    "FAULTY",
    "FLAGS",
    "LETTERS",
    "RUNNING",
    "TERM",
    "AbsencePolicy",
    "Chair",
    "DevicePolicy",
    "Ending",
    "Person",
    "Position",
    "ResultUse",
    "Seating",
    "Series",
    "StartRule",
    "Status",
    "Suspension",
    "Table",
    "TableRefusal",
    "TableSettings",
    "Times",
]


class Table(SeatedTable, kw_only=True):
    """The people round one playing of a game.  Times are seconds since 1970, UTC."""

    # -- what it waits for -----------------------------------------------------

    @property
    def due(self) -> float | None:
        """When somebody has to look whether a deadline has passed."""
        if self.live and self.suspended and self.suspension and self.suspension.by_itself:
            return max(self.suspension.at + ABANDONED_ENDS_AFTER, self.suspension.ends)
        return self.clock.due if self.clock and self.ticking else None

    def waits_for(self, chair: Chair) -> bool:
        """Return whether a running game cannot go on without this seat."""
        if self.status is Status.SUSPENDED:
            # Nobody keeps others waiting who have not agreed themselves.
            others = [each for each in self.in_play() if each.player and each is not chair]
            agreed = any(each.agreed_in_person for each in others if not is_bot(each.player))
            return agreed and not (chair.left or chair.agreed or chair.seat in self.position.out)
        return self.status in RUNNING and chair.seat in self.position.waiting

    def has_to_move(self, player: str | None) -> bool:
        """Return whether a running game waits for this player's move."""
        if self.status not in RUNNING - {Status.SUSPENDED}:
            return False
        seats = {chair.seat for chair in self.chairs_of(player) if not chair.left}
        return bool(seats & set(self.position.waiting))

    def asks(self, player: str | None) -> bool:
        """Return whether others wait for this player: to move, or to agree that a game begins or goes on.

        Nobody waits at an analysis board.
        """
        chairs = [chair for chair in self.chairs_of(player) if not chair.left]
        if self.analysis or not chairs:
            return False
        if is_bot(player):
            return self.has_to_move(player)
        if self.status is not Status.OPEN:
            return any(self.waits_for(chair) for chair in chairs)
        others = [chair for chair in self.chairs if chair.player and not chair.has(player)]
        agreed = any(each.agreed_in_person for each in others if not is_bot(each.player))
        return agreed and not all(chair.is_ready(str(player)) for chair in chairs)

    def waits_since(self, chair: Chair) -> float | None:
        """Return since when the table waits for a seat; None if it does not."""
        if not self.waits_for(chair):
            return None
        return self.times.changed if chair.since is None else chair.since

    def may_look(self, chair: Chair | None, player: str | None) -> bool:
        """Return whether a seat's secrets may be shown to this player, who has it."""
        if chair is None or self.suspension is None:
            return True
        return player in self.suspension.seat_holders.get(chair.seat, [])

    def wait_from(self, now: float) -> None:
        """Note since when the table waits for each seat."""
        for chair in self.chairs:
            if not self.waits_for(chair):
                chair.since = None
            elif chair.since is None:
                chair.since = now

    # -- how it stops ----------------------------------------------------------

    def suspend_for_rules(self, now: float, trouble: str) -> None:
        """Suspend the game for its rules' sake; everybody is asked anew."""
        self.trouble = trouble
        if self.status is Status.SUSPENDED:
            return
        self.status = Status.SUSPENDED
        if self.clock:
            self.clock.hold(now)
        self.unready()
        for chair in self.chairs:
            chair.since = None

    def stop(self, now: float, why: str = "") -> None:
        """End the game without a result: by agreement, or why else."""
        self.suspension, self.ending.stopped = None, why
        self.status, self.ending.unfinished, self.times.ended = Status.OVER, True, now
        self.position.waiting, self.position.pending, self.trouble = [], {}, ""
        self.unready()

    # -- what its seats have planned --------------------------------------------

    def forget_plans(self) -> None:
        """Forget the plans of people who do not play their seats any more, and all when the game is over."""
        running = self.status in RUNNING
        self.plans = {seat: plan for seat, plan in self.plans.items() if running and self.plan_of(seat)}

    def drop_plans(self, why: TableRefusal | PlanRefusal) -> None:
        """Drop all plans, and note why for the people who made them."""
        for plan in self.plans.values():
            if plan.lines:
                plan.drop(Refused(why))
