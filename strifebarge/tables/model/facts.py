"""The facts of a table: its fields, and what follows from them.  Pure: no clock, no disk."""

from hashlib import sha256

from msgspec import Struct, field, json

from strifebarge.rules import Refused, Standard
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.invitation import Invitation, InvitedPerson
from strifebarge.tables.model.parts import (
    Ending,
    Fault,
    Origin,
    PlayedBy,
    Position,
    Series,
    Suspension,
    TableSettings,
    Times,
)
from strifebarge.tables.model.plans import Plan
from strifebarge.tables.model.reasons import TableRefusal
from strifebarge.tables.model.status import RUNNING, ResultUse, Status

FAULTY = "A bug in this game has stopped it. No move is lost."  # its trouble, for players


class TableFacts(Struct, kw_only=True):
    """The fields of a table, and what follows from them.  Times are seconds since 1970, UTC."""

    id: str
    game: str
    seed: str
    chairs: list[Chair]
    settings: TableSettings
    rules_version: int = 1
    host: str | None = None
    status: Status = Status.OPEN
    revision: int = 0  # counts every change
    version: int = 0  # counts the changes that everybody may know of
    trouble: str = ""  # why it is suspended, where nobody suspended it
    fault: Fault | None = None  # the last one of its game's code, for the host alone
    suspension: Suspension | None = None
    chat_closed: bool = False
    clock: Clock | None = None
    position: Position = field(default_factory=Position)
    played_by: PlayedBy = field(default_factory=PlayedBy)
    ending: Ending = field(default_factory=Ending)
    series: Series = field(default_factory=Series)
    times: Times = field(default_factory=Times)
    invitation: Invitation = field(default_factory=Invitation)
    invited: dict[str, InvitedPerson] = {}  # by player: who was invited by name
    standing_in: bool = False  # bots play until somebody comes, with whom the host then begins a new game
    tournament: str = ""  # the id of the tournament whose game it is
    imported: bool = False  # played elsewhere, and brought here as a file
    origin: Origin | None = None  # where its game began, if not with the deal
    plans: dict[int, Plan] = {}  # by seat: what its players would do when they are asked

    # -- who sits here ---------------------------------------------------------

    def chairs_of(self, player: str | None) -> list[Chair]:
        """Return all of a player's chairs: several only where a device is passed round."""
        if player is None:
            return []
        # Most seats have one player, and a page asks for this two dozen times.
        return [
            chair
            for chair in self.chairs
            if chair.player == player or (chair.coplayers and chair.has(player))
        ]

    def chair_of(self, player: str | None, seat: int | None = None) -> Chair | None:
        """Return the player's chair; of several, the one in that seat, or the first."""
        own_chairs = self.chairs_of(player)
        return next((chair for chair in own_chairs if seat is None or chair.seat == seat), None)

    def seated(self, player: str | None, seat: int | None = None) -> Chair:
        """Return the chair in which a player does something.  Who has several must say in which.

        Raises Refused: NOT_SEATED, NOT_YOUR_SEAT, WHICH_SEAT.
        """
        own_chairs = self.must_sit(player)
        if seat is not None and seat not in [chair.seat for chair in own_chairs]:
            raise Refused(TableRefusal.NOT_YOUR_SEAT)
        if seat is None and len(own_chairs) > 1:
            raise Refused(TableRefusal.WHICH_SEAT)
        return own_chairs[0] if seat is None else self.chairs[seat]

    def chair(self, seat: int) -> Chair:
        """Return the chair of a seat.  Raises Refused(NO_SUCH_SEAT)."""
        if 0 <= seat < len(self.chairs):
            return self.chairs[seat]
        raise Refused(Standard.NO_SUCH_SEAT)

    def plays(self, player: str | None) -> bool:
        """Return whether somebody has a seat here, and has not left the game for good."""
        return any(not chair.left for chair in self.chairs_of(player))

    def in_play(self) -> list[Chair]:
        """Return the chairs that have neither left the game nor are out of it."""
        return [chair for chair in self.chairs if not chair.left and chair.seat not in self.position.out]

    def plan_of(self, seat: int) -> Plan | None:
        """Return a seat's plan; None where its players have none, or it is the plan of earlier ones."""
        plan, chair = self.plans.get(seat), self.chairs[seat]
        return plan if plan and plan.holder == chair.holder and not chair.left else None

    def has_missed(self, player: str | None) -> bool:
        """Return whether the last question to this player was let go by."""
        hands = self.clock.seat_clocks if self.clock else []
        return any(
            hands[chair.seat].missed > 0 for chair in self.chairs_of(player) if chair.seat < len(hands)
        )

    @property
    def is_unjoined(self) -> bool:
        """True for an open table with its host alone; never for a rematch, which its game links to."""
        people = {player for chair in self.chairs for player in chair.players if not is_bot(player)}
        return self.status is Status.OPEN and not self.series.parent and len(people) <= 1

    @property
    def with_bots(self) -> bool:
        """True if a bot plays here, or has played in this game: then it is never rated."""
        return any(is_bot(each) for chair in self.chairs for each in (chair.bot, *chair.sat))

    def why_not_delete(self, player: str | None) -> TableRefusal | None:
        """Return why this player cannot delete the table, as if it had never been, if they cannot."""
        if player is None or self.host != player:
            return TableRefusal.NOT_HOST
        if self.status is Status.OVER:
            return TableRefusal.OVER
        if self.tournament:
            return TableRefusal.IN_TOURNAMENT
        if self.series.parent:
            return TableRefusal.IS_REMATCH
        theirs = [chair for chair in self.chairs if not chair.has(player)]
        moved = any(chair.moved for chair in theirs if not all(map(is_bot, (chair.player, *chair.sat))))
        return TableRefusal.MOVED_IN if moved else None

    # -- what state it is in ---------------------------------------------------

    @property
    def suspended(self) -> bool:
        return self.status is Status.SUSPENDED

    @property
    def suspended_by_host(self) -> bool:
        """True if a host of the site has suspended it: players cannot let it go on, nor end it."""
        return self.suspended and self.suspension is not None and self.suspension.by_host

    @property
    def faulty(self) -> bool:
        """True if its game's code has failed, and must not be run before all have agreed how to go on.

        Of a game that is over it is not run again where it has cost a process.
        """
        deadly = self.fault is not None and self.fault.deadly
        if self.status is Status.SUSPENDED:
            return self.trouble == FAULTY
        return deadly and self.status is Status.OVER

    @property
    def before_last(self) -> int | None:
        """The move to which a game that has failed can go back: the last but one; None before any move."""
        number, reached = self.position.number, self.position.reached[0]
        return number if reached > number else number - 1 if number else None

    @property
    def news(self) -> str:
        """Another one as soon as anything has happened that everybody may know of."""
        return f"{self.version}p" if self.clock and self.clock.pause else str(self.version)

    def own_news(self, player: str | None) -> str:
        """Return another word whenever something has happened of which only a player, or the players, know.

        That is what they have composed or planned, and who was invited by name; "" where there is none.
        """
        seats = [chair.seat for chair in self.chairs_of(player)]
        steps = sum(self.position.steps.get(seat, 0) for seat in seats)
        plans = [plan for seat in seats if self.plans and (plan := self.plan_of(seat))]
        invited = [(each.at, each.declined) for each in self.invited.values()] if seats else []
        private = f"p{sha256(json.encode([plans, invited])).hexdigest()[:8]}" if plans or invited else ""
        return f"{steps or ''}{private}"

    @property
    def live(self) -> bool:
        """True if it is played in one go, by people who are all there."""
        return self.clock is not None and not self.clock.pace.slow

    @property
    def shows_presence(self) -> bool:
        """True if its pages show who is here: before the game, and in a game of several people."""
        if self.status in (Status.OPEN, Status.OVER):
            return self.status is Status.OPEN
        players = {chair.player for chair in self.chairs}
        return sum(player is not None and not is_bot(player) for player in players) > 1

    @property
    def pace_key(self) -> str:
        """How forms write the pace that it is played at; "" for no clock."""
        return self.clock.pace.key if self.clock else ""

    @property
    def ticking(self) -> bool:
        """True if a clock runs, which decides what becomes of players who stay away."""
        return self.clock is not None and self.status in RUNNING - {Status.SUSPENDED}

    @property
    def is_rated(self) -> bool:
        """True if its game is to be rated, and can be."""
        return self.settings.afterwards is ResultUse.RATED and not (self.with_bots or self.origin)

    @property
    def analysis(self) -> bool:
        """True if one person moves for all seats here, and sees everything."""
        return self.origin is not None and self.origin.analysis

    # -- what an act requires --------------------------------------------------

    def must_sit(self, player: str | None) -> list[Chair]:
        """Return all of a player's chairs.  Raises Refused(NOT_SEATED)."""
        if own_chairs := self.chairs_of(player):
            return own_chairs
        raise Refused(TableRefusal.NOT_SEATED)

    def must_be_open(self) -> None:
        if self.status is not Status.OPEN:
            raise Refused(TableRefusal.OVER if self.status is Status.OVER else TableRefusal.BEGUN)

    def must_be_running(self) -> None:
        if self.status is Status.OPEN:
            raise Refused(TableRefusal.NOT_BEGUN)
        if self.status is Status.OVER:
            raise Refused(TableRefusal.OVER)

    def must_be_no_tournament(self) -> None:
        if self.tournament:
            raise Refused(TableRefusal.IN_TOURNAMENT)

    def must_be_suspended(self) -> None:
        if self.status is not Status.SUSPENDED:
            raise Refused(TableRefusal.OVER if self.status is Status.OVER else TableRefusal.NOT_SUSPENDED)

    def must_not_be_held(self) -> None:
        if self.suspended_by_host:
            raise Refused(TableRefusal.HELD)

    def must_be_hosted_by(self, player: str | None) -> None:
        if player is None or self.host != player:
            raise Refused(TableRefusal.NOT_HOST)
