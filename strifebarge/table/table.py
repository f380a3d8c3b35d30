"""A table and its chairs: who sits, who is ready, what state it is in.  Pure: no clock, no disk."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from msgspec import Struct, field, json

from strifebarge.rules import Refused

from .bots import EACH, bot_id, bot_name, is_bot
from .chair import BESIDE, FLAGS, LETTERS, Chair, Person
from .clock.clock import Clock
from .invitation import Invitation, Invited
from .lookalikes import alike
from .parts import Ending, Fault, Origin, PlayedBy, Position, Series, Suspension, TableSettings, Times
from .plans import Plan
from .reasons import No, NotPlanned
from .status import ABANDONED_ENDS_AFTER, RUNNING, Afterwards, Begins, Devices, Remedy, Seating, Status

__all__ = [
    "FAULTY",
    "FLAGS",
    "LETTERS",
    "RUNNING",
    "TERM",
    "Afterwards",
    "Begins",
    "Chair",
    "Devices",
    "Ending",
    "No",
    "Person",
    "Position",
    "Remedy",
    "Seating",
    "Series",
    "Status",
    "Suspension",
    "Table",
    "TableSettings",
    "Times",
]


FAULTY = "A bug in this game has stopped it. No move is lost."  # its trouble, for players
TERM = "t_"  # before the name of a term, wherever the options of games have names too


class Table(Struct, kw_only=True):
    """The people round one playing of a game.  Times are seconds since 1970, UTC."""

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
    invited: dict[str, Invited] = {}  # by player: who was invited by name
    standing_in: bool = False  # bots play until somebody comes, with whom the host then begins a new game
    tournament: str = ""  # the id of the tournament whose game it is
    imported: bool = False  # played elsewhere, and brought here as a file
    origin: Origin | None = None  # where its game began, if not with the deal
    plans: dict[int, Plan] = {}  # by seat: what its players would do when they are asked

    @property
    def due(self) -> float | None:
        """When somebody has to look whether a deadline has passed."""
        if self.live and self.suspended and self.suspension and self.suspension.by_itself:
            return max(self.suspension.at + ABANDONED_ENDS_AFTER, self.suspension.ends)
        return self.clock.due if self.clock and self.ticking else None

    # -- knowing ---------------------------------------------------------------

    def chairs_of(self, player: str | None) -> list[Chair]:
        """Return all of a player's chairs: several only where a device is passed round."""
        return [chair for chair in self.chairs if chair.has(player)]

    def chair_of(self, player: str | None, seat: int | None = None) -> Chair | None:
        """Return the player's chair; of several, the one in that seat, or the first."""
        mine = self.chairs_of(player)
        return next((chair for chair in mine if seat is None or chair.seat == seat), None)

    def seated(self, player: str | None, seat: int | None = None) -> Chair:
        """Return the chair in which a player does something.  Who has several must say in which.

        Raises Refused: NOT_SEATED, WHICH_SEAT.
        """
        mine = self.chairs_of(player)
        if not mine or (seat is not None and seat not in [chair.seat for chair in mine]):
            raise Refused(No.NOT_SEATED)
        if seat is None and len(mine) > 1:
            raise Refused(No.WHICH_SEAT)
        return mine[0] if seat is None else self.chairs[seat]

    def plays(self, player: str | None) -> bool:
        """Return whether somebody has a seat here, and has not left the game for good."""
        return any(not chair.left for chair in self.chairs_of(player))

    def free(self) -> list[Chair]:
        return [chair for chair in self.chairs if chair.player is None]

    def plan_of(self, seat: int) -> Plan | None:
        """Return a seat's plan; None where its players have none, or it is the plan of earlier ones."""
        plan, chair = self.plans.get(seat), self.chairs[seat]
        return plan if plan and plan.held == chair.held and not chair.left else None

    def in_play(self) -> list[Chair]:
        """Return the chairs that have neither left the game nor are out of it."""
        return [chair for chair in self.chairs if not chair.left and chair.seat not in self.position.out]

    def why_not_delete(self, player: str | None) -> No | None:
        """Return why this player cannot delete the table, as if it had never been, if they cannot."""
        if player is None or self.host != player:
            return No.NOT_HOST
        if self.status is Status.OVER:
            return No.OVER
        if self.tournament:
            return No.IN_TOURNAMENT
        if self.series.parent:
            return No.IS_REMATCH
        theirs = [chair for chair in self.chairs if not chair.has(player)]
        moved = any(chair.moved for chair in theirs if not all(map(is_bot, (chair.player, *chair.sat))))
        return No.MOVED_IN if moved else None

    @property
    def is_unjoined(self) -> bool:
        """True for an open table with its host alone; never for a rematch, which its game links to."""
        people = {player for chair in self.chairs for player, _ in chair.people if not is_bot(player)}
        return self.status is Status.OPEN and not self.series.parent and len(people) <= 1

    def has_missed(self, player: str | None) -> bool:
        """Return whether the last question to this player was let go by."""
        hands = self.clock.seat_clocks if self.clock else []
        return any(
            hands[chair.seat].missed > 0 for chair in self.chairs_of(player) if chair.seat < len(hands)
        )

    def chair(self, seat: int) -> Chair:
        if 0 <= seat < len(self.chairs):
            return self.chairs[seat]
        raise Refused(No.NOT_SEATED)

    @property
    def with_bots(self) -> bool:
        """True if a bot plays here, or has played in this game: then it is never rated."""
        return any(is_bot(each) for chair in self.chairs for each in (chair.bot, *chair.sat))

    @property
    def suspended(self) -> bool:
        return self.status is Status.SUSPENDED

    @property
    def held(self) -> bool:
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
        """Return another word whenever a player has composed or planned something, of which others know
        nothing; "" where they have not."""
        seats = [chair.seat for chair in self.chairs_of(player)]
        steps = sum(self.position.steps.get(seat, 0) for seat in seats)
        plans = [plan for seat in seats if self.plans and (plan := self.plan_of(seat))]
        planned = f"p{sha256(json.encode(plans)).hexdigest()[:8]}" if plans else ""
        return f"{steps or ''}{planned}"

    @property
    def live(self) -> bool:
        """True if it is played in one go, by people who are all there."""
        return self.clock is not None and not self.clock.pace.slow

    @property
    def pace_key(self) -> str:
        """How forms write the pace that it is played at; "" for no clock."""
        return self.clock.pace.key if self.clock else ""

    @property
    def ticking(self) -> bool:
        """True if a clock runs, which decides what becomes of players who stay away."""
        return self.clock is not None and self.status in RUNNING - {Status.SUSPENDED}

    @property
    def all_ready(self) -> bool:
        """All who are needed are there, and all who are there are ready."""
        there = [chair for chair in self.chairs if chair.player]
        enough = self.settings.begins is Begins.AGREED or len(there) == len(self.chairs)
        # Bots play among themselves in tournaments alone.
        somebody = bool(self.tournament) or any(not is_bot(chair.player) for chair in there)
        return enough and somebody and all(chair.agreed for chair in there)

    @property
    def is_rated(self) -> bool:
        """True if its game is to be rated, and can be."""
        return self.settings.afterwards is Afterwards.RATED and not (self.with_bots or self.origin)

    @property
    def analysis(self) -> bool:
        """True if one person moves for all seats here, and sees everything."""
        return self.origin is not None and self.origin.analysis

    def free_seat(self, chair: Chair, host: str) -> None:
        """Clear a seat before the game.

        All but the host, who does this, are asked anew if a bot went for whom it would not be rated.
        """
        rated = self.is_rated
        chair.empty()
        self.somebody_went()
        mine = [each for each in self.chairs_of(host) if each.is_ready(host)]
        if self.is_rated and not rated:
            self.unready()
            for each in mine:
                each.agree(host, True)

    @property
    def all_ready_again(self) -> bool:
        """All who still play have agreed to go on, if they may; or all who are there, to end it."""
        if self.held:
            return False
        ending = self.suspension is not None and self.suspension.end is not None
        playing = [chair for chair in self.in_play() if chair.player or not ending]
        agreed = [chair.agreed_in_person if ending else chair.agreed for chair in playing]
        return bool(agreed) and all(agreed)

    def why_not_join(self, player: str | None, code: str, now: float) -> No | None:
        """Return why somebody with this invitation cannot sit down here, if they cannot."""
        if self.chair_of(player):
            return None
        if self.status is Status.OVER:
            return No.OVER
        if why := self._why_not_invited(player, code, now):
            return why
        if not self.free():
            return No.FULL if self.status is Status.OPEN else No.BEGUN
        if not any(self.may_have(player, chair) for chair in self.free()):
            return No.OTHER_SEAT
        return None

    def may_have(self, player: str | None, chair: Chair) -> bool:
        """Return whether a player knows no other seat's secrets, which they would take along to this one."""
        return self.settings.shared or not any(
            player in each.sat for each in self.chairs if each is not chair
        )

    def _why_not_invited(self, player: str | None, code: str, now: float) -> No | None:
        if self.settings.listed or (player in self.invited and not self.invited[player].declined):
            return None
        if code != self.invitation.code:
            return No.REVOKED if code in ("", *self.invitation.past) else No.NO_INVITATION
        return No.RUN_OUT if self.run_out(now) else None

    def run_out(self, now: float) -> bool:
        """Return whether the game has not begun for so long that its invitation holds no more."""
        return self.status is Status.OPEN and self.invitation.run_out(
            max(self.times.changed, self.times.created), now
        )

    def may_look(self, chair: Chair | None, player: str | None) -> bool:
        """Return whether a seat's secrets may be shown to this player, who has it."""
        if chair is None or self.suspension is None:
            return True
        held = self.suspension.held.get(chair.seat)
        return player in held if isinstance(held, list) else player == held

    @property
    def at_issue(self) -> str:
        """A word for the terms people agree to: how the game is to be played, and if need be with whom.

        Forms carry it, so that nobody agrees to what they have not seen.
        """
        chosen, suspension = self.settings, self.suspension
        how = [
            *(
                chosen.options,
                self.clock and self.clock.pace,
                chosen.afterwards,
                chosen.begins,
                chosen.seating,
            ),
            *(chosen.patience, chosen.remedy, chosen.watching, chosen.listed, self.suspended),
            # Unless somebody has set it, the language is the one in which the host reads the site.
            chosen.language if "t_language" in chosen.set_by else "",
            *((suspension.end, suspension.back) if suspension else ()),
            *((suspension.way,) if suspension and suspension.way else ()),
            *(["bots"] if self.with_bots else ()),
        ]
        counts = self.suspended or chosen.begins is Begins.AGREED
        whom = [list(dict(chair.people).values()) for chair in self.chairs if counts]
        return ".".join(
            sha256(json.encode(part, order="deterministic")).hexdigest()[:16] for part in (how, whom)
        )

    def require_current_terms(self, seen: str, whom: bool = True) -> None:
        """Raise Refused(CHANGED) if a form was made for other terms than these (`at_issue`); "" says nothing.

        Where it does not matter with `whom`, only for how the game is played.
        """
        parts = [each if whom else each.partition(".")[0] for each in (seen, self.at_issue)]
        if seen and parts[0] != parts[1]:
            raise Refused(No.CHANGED)

    def waits_for(self, chair: Chair) -> bool:
        """Return whether a running game cannot go on without this seat."""
        if self.status is Status.SUSPENDED:
            # Nobody keeps others waiting who have not agreed themselves.
            others = [each for each in self.in_play() if each.player and each is not chair]
            agreed = any(each.agreed_in_person for each in others if not is_bot(each.player))
            return agreed and not (chair.left or chair.agreed or chair.seat in self.position.out)
        return self.status in RUNNING and chair.seat in self.position.waiting

    def has_to_move(self, player: str) -> bool:
        """Return whether a running game waits for this player's move."""
        if self.status not in RUNNING - {Status.SUSPENDED}:
            return False
        seats = {chair.seat for chair in self.chairs_of(player) if not chair.left}
        return bool(seats & set(self.position.waiting))

    def waits_since(self, chair: Chair) -> float | None:
        """Return since when the table waits for a seat; None if it does not."""
        if not self.waits_for(chair):
            return None
        return self.times.changed if chair.since is None else chair.since

    # -- asserting -------------------------------------------------------------

    def must_sit(self, player: str | None) -> list[Chair]:
        """Return all of a player's chairs.  Raises Refused(NOT_SEATED)."""
        if mine := self.chairs_of(player):
            return mine
        raise Refused(No.NOT_SEATED)

    def must_be_open(self) -> None:
        if self.status is not Status.OPEN:
            raise Refused(No.OVER if self.status is Status.OVER else No.BEGUN)

    def must_be_running(self) -> None:
        if self.status is Status.OPEN:
            raise Refused(No.NOT_BEGUN)
        if self.status is Status.OVER:
            raise Refused(No.OVER)

    def must_be_no_tournament(self) -> None:
        if self.tournament:
            raise Refused(No.IN_TOURNAMENT)

    def must_be_suspended(self) -> None:
        if self.status is not Status.SUSPENDED:
            raise Refused(No.OVER if self.status is Status.OVER else No.NOT_SUSPENDED)

    def must_not_be_held(self) -> None:
        if self.held:
            raise Refused(No.HELD)

    def must_be_hosted_by(self, player: str | None) -> None:
        if player is None or self.host != player:
            raise Refused(No.NOT_HOST)

    # -- changing --------------------------------------------------------------

    def sit(self, player: str, name: str, seat: int | None = None) -> Chair:
        """Give a player this seat, or the first free one, ready to play.  Sitting twice is sitting once.

        Raises Refused: FULL, SEAT_TAKEN, OVER, NAME_TAKEN, OTHER_SEAT.
        """
        if chair := self.chair_of(player):
            return chair
        if self.status is Status.OVER:
            raise Refused(No.OVER)
        free = self.free()
        if not free:
            raise Refused(No.FULL)
        if seat is not None and seat not in [chair.seat for chair in free]:
            raise Refused(No.SEAT_TAKEN)
        self.must_be_unused(name)
        mine = [chair for chair in free if seat in (None, chair.seat) and self.may_have(player, chair)]
        if not mine:
            raise Refused(No.OTHER_SEAT)
        chair = mine[0]
        chair.give(player, name, ready=True)
        self.tell_apart(chair)
        self.somebody_came(chair)
        if self.host is None:
            self.host = player
        return chair

    def seat_another(self, player: str, name: str) -> Chair:
        """Add somebody who plays at the same device as `player`, and as them.

        Raises Refused: ONE_SEAT, NOT_SEATED, FULL, BEGUN, OVER, NAME_TAKEN.
        """
        self.must_be_open()
        if not self.settings.shared:
            raise Refused(No.ONE_SEAT)
        self.must_sit(player)
        if not (free := self.free()):
            raise Refused(No.FULL)
        self.must_be_unused(name)
        free[0].give(player, name, ready=True)
        self.tell_apart(free[0])
        self.somebody_came(free[0])
        return free[0]

    def bot_for(self, level: str, chair: Chair) -> tuple[str, str]:
        """Return the id and the name of a bot of that level which may play a seat, and sits in no other.

        Raises LookupError if there is no such level; Refused(FULL) if none is left.
        """
        for number in range(1, EACH + 1):
            id, name = bot_id(level, number), bot_name(level, number)
            taken = any(alike(name, other) for other in self._names())
            if not (taken or self.chair_of(id)) and self.may_have(id, chair):
                return id, name
        raise Refused(No.FULL)

    def join_seat(self, player: str, name: str, seat: int) -> Chair:
        """Play a seat together with who has it.  Sitting twice is sitting once.

        Raises Refused: SEATED_ELSEWHERE, BEGUN, OVER, DEAD_LINK, NAME_TAKEN, CROWDED, OTHER_SEAT.
        """
        chair = self.chair(seat)
        if chair.has(player):
            return chair
        if self.chair_of(player):
            raise Refused(No.SEATED_ELSEWHERE)
        if self.status is not Status.SUSPENDED:
            self.must_be_open()
        if chair.player is None or chair.left:
            raise Refused(No.DEAD_LINK)
        if len(chair.beside) >= BESIDE:
            raise Refused(No.CROWDED)
        if not self.may_have(player, chair):
            raise Refused(No.OTHER_SEAT)
        self.must_be_unused(name)
        guest = Chair(chair.seat, player, name)
        self.tell_apart(guest)
        chair.beside.append(Person(player, guest.called, ready=True))
        self.somebody_came(chair)
        return chair

    def somebody_came(self, chair: Chair) -> None:
        """Ask anew the players who had not agreed to a newcomer; where sitting down is agreeing, they had."""
        if self.status is Status.SUSPENDED or (
            self.status is Status.OPEN and self.settings.begins is Begins.AGREED
        ):
            self.unready()
        elif self.times.started is not None:
            chair.note()

    def _names(self, but: Chair | None = None) -> Iterator[str]:
        """Return what all are called, but for the player of this chair."""
        for chair in self.chairs:
            own = but.player if but and but.seat == chair.seat else None
            yield from (name for player, name in chair.people if player != own)

    def must_be_unused(self, name: str, but: Chair | None = None) -> None:
        """Refuse a name that looks like that of somebody here, or of a flag.  Raises Refused(NAME_TAKEN)."""
        if name and any(alike(name, other) for other in self._names(but)):
            raise Refused(No.NAME_TAKEN)

    def tell_apart(self, guest: Chair) -> None:
        """Give a guest a number where somebody else has taken the name of their flag."""
        others = [*self._names(guest)]
        flag_name, number = guest.called, 1
        while any(alike(guest.called, other) for other in others):
            number += 1
            guest.name = f"{flag_name} {number}"

    def change_seat(self, player: str, seat: int, old_seat: int | None = None) -> None:
        """Move to another seat before the game.  Raises Refused: SEAT_TAKEN, BEGUN, NOT_SEATED."""
        self.must_be_open()
        old, new = self.seated(player, old_seat), self.chair(seat)
        if new is old:
            return
        if new.player is not None:
            raise Refused(No.SEAT_TAKEN)
        name, ready = self._own_name(old, player), old.is_ready(player)
        old.go(player)
        new.give(player, name, ready)
        self.tell_apart(new)
        self.somebody_came(new)

    def _own_name(self, chair: Chair, player: str) -> str:
        """Return the name somebody chose; "" for one that a flag has given."""
        name = chair.name_of(player)
        return "" if name.startswith(f"Guest {FLAGS[chair.letter]}") else name

    def unready(self) -> None:
        """Ask everybody anew: to be ready is to agree to just this table, as it is."""
        for chair in self.chairs:
            chair.unready()

    def configure(
        self, player: str, options: dict[str, Any], terms: dict[str, Any], seat: int | None = None
    ) -> None:
        """Play by other options, or on other terms, if all agree.

        `terms` are the clock, and fields of the settings.  What is set to what it was changes nothing.
        """
        self.must_be_open()
        who = self.seated(player, seat).name_of(player)
        changed = [name for name, value in options.items() if self.settings.options.get(name) != value]
        other = {name: value for name, value in terms.items() if getattr(self._holder(name), name) != value}
        for name, value in other.items():
            setattr(self._holder(name), name, value)
        if changed or other:
            self.settings.options = options
            names = [*changed, *(f"{TERM}{name}" for name in other)]
            self.settings.set_by = {**self.settings.set_by, **dict.fromkeys(names, who)}
            self.unready()

    def _holder(self, term: str) -> "Table | TableSettings":
        """Return what has a term as its field: the clock is the table's own."""
        return self if term == "clock" else self.settings

    def wait_from(self, now: float) -> None:
        """Note since when the table waits for each seat."""
        for chair in self.chairs:
            if not self.waits_for(chair):
                chair.since = None
            elif chair.since is None:
                chair.since = now

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

    def stand(self, player: str) -> None:
        """Leave before the game, with all who play at the same device."""
        self.must_be_open()
        mine = self.must_sit(player)
        for chair in mine:
            chair.go(player)
        self.somebody_went()
        self.pass_host_on(mine[0].seat)

    def pass_host_on(self, seat: int) -> None:
        """Make the next player the host, from `seat` on, if the host plays here no longer."""
        if any(not chair.left for chair in self.chairs_of(self.host)):
            return
        round_it = [*self.chairs[seat:], *self.chairs[:seat]]
        stay = [chair for chair in round_it if not (chair.left or chair.gone or is_bot(chair.player))]
        here = (chair.player for chair in stay if chair.player)
        self.host = next(here, None)

    def somebody_went(self) -> None:
        """Ask all anew, where they had agreed to play with somebody who is gone."""
        if self.settings.begins is Begins.AGREED or self.status is Status.SUSPENDED:
            self.unready()

    def forget_plans(self) -> None:
        """Forget the plans of people who do not play their seats any more, and all when the game is over."""
        running = self.status in RUNNING
        self.plans = {seat: plan for seat, plan in self.plans.items() if running and self.plan_of(seat)}

    def drop_plans(self, why: No | NotPlanned) -> None:
        """Drop all plans, and note why for the people who made them."""
        for plan in self.plans.values():
            if plan.lines:
                plan.drop(Refused(why))

    def close_up(self) -> None:
        """Take away the chairs whose people have not all agreed, and number the others anew."""
        self.chairs = [chair for chair in self.chairs if chair.player and chair.agreed]
        for seat, chair in enumerate(self.chairs):
            chair.seat = seat
