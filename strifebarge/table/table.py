"""A table and its chairs: who sits, who is ready, what state it is in.  Pure: no clock, no disk."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from msgspec import Struct, field, json

from strifebarge.rules import Ranking, Refused

from .aside import Suspension
from .chairs import BESIDE, FLAGS, LETTERS, Chair, Person, same_name
from .clock import Clock
from .invitation import Invitation, Invited
from .policy import USUAL_PATIENCE, Remedy
from .presence import FORSAKEN
from .reasons import No
from .status import EVERYBODY, RUNNING, Afterwards, Begins, Devices, Seating, Status

__all__ = [
    "FLAGS",
    "LETTERS",
    "RUNNING",
    "TERM",
    "Afterwards",
    "Begins",
    "Chair",
    "Devices",
    "No",
    "Person",
    "Remedy",
    "Seating",
    "Status",
    "Suspension",
    "Table",
    "same_name",
]


TERM = "t_"  # before the name of a term, wherever the options of games have names too


class Table(Struct, kw_only=True):
    """The people round one playing of a game.  Times are seconds since 1970, UTC."""

    id: str
    game: str
    options: dict[str, Any]
    set_by: dict[str, str] = {}  # option: who chose it, by the name they had; none for what was never changed
    seed: str
    chairs: list[Chair]
    rules_version: int = 1
    host: str | None = None
    status: Status = Status.OPEN
    trouble: str = ""  # why it is suspended, where nobody suspended it
    suspension: Suspension | None = None
    hushed: bool = False  # the chat is closed
    unfinished: bool = False  # it was ended without a result
    stopped: str = ""  # why, where not all had agreed to it
    begins: Begins = Begins.FULL
    seating: Seating = Seating.CHOSEN
    watching: int = EVERYBODY  # so many moves behind are those who watch; NOBODY may
    patience: int = USUAL_PATIENCE  # seconds that one seat may keep the others waiting
    remedy: Remedy = Remedy.END  # what may be done then; this for tables from before it was asked
    chosen_by: dict[int, str] = {}  # who of several in a seat has made its last choice, by name
    revision: int = 0  # counts every change
    version: int = 0  # counts the changes that everybody may know of
    number: int = 0  # of the last move that everybody may know of
    reached: tuple[int, int] = (0, 0)  # number and step of the ledger's last line
    steps: dict[int, int] = {}  # by seat: how many it has taken in what is being composed
    pending: dict[int, Any] = field(default_factory=dict)  # seat: a choice not yet shown
    waiting: list[int] = []  # the seats to move
    out: list[int] = []  # the seats that are out of the game
    result: Ranking | None = None
    parent: str | None = None
    rematch: str | None = None
    series: str = ""  # the first table of a row of rematches; "" is this one
    afterwards: Afterwards = Afterwards.QUIET
    shared: bool = False  # a device is passed round here: one person may have several seats
    listed: bool = False  # anybody may find it and sit down, until it begins
    language: str = ""  # that of whoever opened it, unless somebody has chosen another
    invitation: Invitation = field(default_factory=Invitation)
    invited: dict[str, Invited] = {}  # who was invited by name
    nudged: float | None = None  # when somebody was last reminded that the others wait
    imported: bool = False  # played elsewhere, and brought here as a file
    record: str = ""  # the address in the books, once it is over
    clock: Clock | None = None
    created: float = 0
    changed: float = 0
    started: float | None = None
    ended: float | None = None

    @property
    def due(self) -> float | None:
        """When somebody has to look whether a deadline has passed."""
        if self.live and self.put_aside and self.suspension and not self.suspension.by:
            return max(self.suspension.at + FORSAKEN, self.suspension.ends)
        return self.clock.due if self.clock and self.ticking else None

    # -- knowing ---------------------------------------------------------------

    def chairs_of(self, player: str | None) -> list[Chair]:
        """All of a player's chairs: several only where a device is passed round."""
        return [chair for chair in self.chairs if chair.has(player)]

    def chair_of(self, player: str | None, seat: int | None = None) -> Chair | None:
        """The player's chair; of several, the one in that seat, or the first."""
        mine = self.chairs_of(player)
        return next((chair for chair in mine if seat is None or chair.seat == seat), None)

    def seated(self, player: str | None, seat: int | None = None) -> Chair:
        """The chair in which a player does something.  Who has several must say in which.

        Raises Refused: NOT_SEATED, WHICH_SEAT.
        """
        mine = self.chairs_of(player)
        if not mine or (seat is not None and seat not in [chair.seat for chair in mine]):
            raise Refused(No.NOT_SEATED)
        if seat is None and len(mine) > 1:
            raise Refused(No.WHICH_SEAT)
        return mine[0] if seat is None else self.chairs[seat]

    def plays(self, player: str | None) -> bool:
        """Whether somebody has a seat here, and has not left the game for good."""
        return any(not chair.left for chair in self.chairs_of(player))

    def free(self) -> list[Chair]:
        return [chair for chair in self.chairs if chair.player is None]

    def in_play(self) -> list[Chair]:
        """The chairs that have not left the game nor are out of it."""
        return [chair for chair in self.chairs if not chair.left and chair.seat not in self.out]

    def why_not_delete(self, player: str | None) -> No | None:
        """Why this player cannot delete the table, as if it had never been, if they cannot."""
        if player is None or self.host != player:
            return No.NOT_HOST
        if self.status is Status.OVER:
            return No.OVER
        if self.parent:
            return No.IS_REMATCH
        moved = any(chair.moved for chair in self.chairs if not chair.has(player))
        return No.MOVED_IN if moved else None

    def has_missed(self, player: str | None) -> bool:
        """Whether the last question to this player was let go by."""
        hands = self.clock.hands if self.clock else []
        return any(
            hands[chair.seat].missed > 0 for chair in self.chairs_of(player) if chair.seat < len(hands)
        )

    def chair(self, seat: int) -> Chair:
        if 0 <= seat < len(self.chairs):
            return self.chairs[seat]
        raise Refused(No.NOT_SEATED)

    @property
    def put_aside(self) -> bool:
        return self.status is Status.SUSPENDED

    @property
    def news(self) -> str:
        """Another one as soon as anything has happened that everybody may know of."""
        return f"{self.version}p" if self.clock and self.clock.pause else str(self.version)

    @property
    def live(self) -> bool:
        """Whether it is played in one go, by people who are all there."""
        return self.clock is not None and not self.clock.pace.slow

    @property
    def pace_key(self) -> str:
        """How forms write the pace that it is played at; "" for no clock."""
        return self.clock.pace.key if self.clock else ""

    @property
    def ticking(self) -> bool:
        """Whether a clock runs, which decides what becomes of those who stay away."""
        return self.clock is not None and self.status in RUNNING - {Status.SUSPENDED}

    @property
    def all_ready(self) -> bool:
        """All who are needed are there, and all who are there are ready."""
        there = [chair for chair in self.chairs if chair.player]
        enough = self.begins is Begins.AGREED or len(there) == len(self.chairs)
        return enough and bool(there) and all(chair.agreed for chair in there)

    @property
    def all_ready_again(self) -> bool:
        """All who still play have agreed to go on; or all who are there, to end it."""
        ending = self.suspension is not None and self.suspension.end is not None
        playing = [chair for chair in self.in_play() if chair.player or not ending]
        return bool(playing) and all(chair.agreed for chair in playing)

    def why_not_join(self, player: str | None, code: str, now: float) -> No | None:
        """Why somebody with this invitation cannot sit down here, if they cannot."""
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
        """Whether somebody has not played another seat of this game, whose secrets they would take along."""
        return self.shared or not any(player in each.sat for each in self.chairs if each is not chair)

    def _why_not_invited(self, player: str | None, code: str, now: float) -> No | None:
        if self.listed or (player in self.invited and not self.invited[player].declined):
            return None
        if code != self.invitation.code:
            return No.REVOKED if code in ("", *self.invitation.past) else No.NO_INVITATION
        return No.RUN_OUT if self.run_out(now) else None

    def run_out(self, now: float) -> bool:
        """Whether the game has not begun for so long that its invitation holds no more."""
        return self.status is Status.OPEN and self.invitation.run_out(max(self.changed, self.created), now)

    def may_look(self, chair: Chair | None, player: str | None) -> bool:
        """Whether a seat's secrets may be shown to this player, who has it."""
        if chair is None or self.suspension is None:
            return True
        held = self.suspension.held.get(chair.seat)
        return player in held if isinstance(held, list) else player == held

    @property
    def at_issue(self) -> str:
        """What somebody agrees to: how the game is to be played, and, where it counts, with whom.

        Forms carry it, so that nobody agrees to what they have not seen.
        """
        aside = self.suspension
        how = [
            *(self.options, self.clock and self.clock.pace, self.afterwards, self.begins, self.seating),
            *(self.patience, self.remedy, self.watching, self.listed, self.put_aside),
            self.language if "t_language" in self.set_by else "",  # else as whoever opened it reads the site
            *((aside.end, aside.back) if aside else ()),
        ]
        counts = self.put_aside or self.begins is Begins.AGREED
        whom = [list(dict(chair.people).values()) for chair in self.chairs if counts]
        return ".".join(
            sha256(json.encode(part, order="deterministic")).hexdigest()[:16] for part in (how, whom)
        )

    def must_be_at_issue(self, seen: str, whom: bool = True) -> None:
        """What somebody has seen whose form says `seen` must be what there is; "" says nothing.

        Raises Refused(CHANGED); where it does not matter with whom, only for how the game is played.
        """
        parts = [each if whom else each.partition(".")[0] for each in (seen, self.at_issue)]
        if seen and parts[0] != parts[1]:
            raise Refused(No.CHANGED)

    def waits_for(self, chair: Chair) -> bool:
        """Whether a running game cannot go on without this seat."""
        if self.status is Status.SUSPENDED:
            # Nobody keeps others waiting who have not agreed themselves.
            agreed = any(each.agreed for each in self.in_play() if each.player and each is not chair)
            return agreed and not (chair.left or chair.agreed or chair.seat in self.out)
        return self.status in RUNNING and chair.seat in self.waiting

    def waits_since(self, chair: Chair) -> float | None:
        """Since when; None if it does not."""
        if not self.waits_for(chair):
            return None
        return self.changed if chair.since is None else chair.since

    # -- asserting -------------------------------------------------------------

    def must_sit(self, player: str | None) -> list[Chair]:
        """All of a player's chairs.  Raises Refused(NOT_SEATED)."""
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

    def must_be_suspended(self) -> None:
        if self.status is not Status.SUSPENDED:
            raise Refused(No.OVER if self.status is Status.OVER else No.NOT_SUSPENDED)

    def must_be_hosted_by(self, player: str | None) -> None:
        if player is None or self.host != player:
            raise Refused(No.NOT_HOST)

    # -- changing --------------------------------------------------------------

    def sit(self, player: str, name: str, seat: int | None = None) -> Chair:
        """Sit down, ready to play: in this seat, or the first free one.  Sitting twice is sitting once.

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
        """Sit somebody down who plays at the same device as `player`, and as them.

        Raises Refused: ONE_SEAT, NOT_SEATED, FULL, BEGUN, OVER, NAME_TAKEN.
        """
        self.must_be_open()
        if not self.shared:
            raise Refused(No.ONE_SEAT)
        self.must_sit(player)
        if not (free := self.free()):
            raise Refused(No.FULL)
        self.must_be_unused(name)
        free[0].give(player, name, ready=True)
        self.tell_apart(free[0])
        self.somebody_came(free[0])
        return free[0]

    def sit_beside(self, player: str, name: str, seat: int) -> Chair:
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
        """Those who agreed had not agreed to this; but where to sit down is to agree, they had."""
        if self.status is Status.SUSPENDED or (self.status is Status.OPEN and self.begins is Begins.AGREED):
            self.unready()
        elif self.started is not None:
            chair.note()

    def _names(self, but: Chair | None) -> Iterator[str]:
        """What all are called, but for whoever has this chair."""
        for chair in self.chairs:
            own = but.player if but and but.seat == chair.seat else None
            yield from (name for player, name in chair.people if player != own)

    def must_be_unused(self, name: str, but: Chair | None = None) -> None:
        """Two people at a table are never called alike, nor like another's flag."""
        if name and same_name(name) in map(same_name, self._names(but)):
            raise Refused(No.NAME_TAKEN)

    def tell_apart(self, guest: Chair) -> None:
        """A guest whose flag's name somebody else has taken gets a number to it."""
        others = set(map(same_name, self._names(guest)))
        flag_name, number = guest.called, 1
        while same_name(guest.called) in others:
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
        """The name somebody chose; "" for one that a flag has given."""
        name = chair.name_of(player)
        return "" if name.startswith(f"Guest {FLAGS[chair.letter]}") else name

    def unready(self) -> None:
        """Everybody is asked anew: to be ready is to agree to just this table, as it is."""
        for chair in self.chairs:
            chair.unready()

    def configure(
        self, player: str, options: dict[str, Any], terms: dict[str, Any], seat: int | None = None
    ) -> None:
        """Play by other options, or on other terms (`terms`: fields of this table), if all agree.

        What is set to what it was changes nothing.
        """
        self.must_be_open()
        who = self.seated(player, seat).name_of(player)
        changed = [name for name, value in options.items() if self.options.get(name) != value]
        other = {name: value for name, value in terms.items() if getattr(self, name) != value}
        for name, value in other.items():
            setattr(self, name, value)
        if changed or other:
            self.options = options
            names = [*changed, *(f"{TERM}{name}" for name in other)]
            self.set_by = {**self.set_by, **dict.fromkeys(names, who)}
            self.unready()

    def wait_from(self, now: float) -> None:
        """Note since when the table waits for each seat."""
        for chair in self.chairs:
            if not self.waits_for(chair):
                chair.since = None
            elif chair.since is None:
                chair.since = now

    def stall(self, now: float, trouble: str) -> None:
        """Suspended for its rules' sake: nobody is waited for, or has agreed, who was not asked since."""
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
        """The game ends without a result: by agreement, or why else."""
        self.suspension, self.stopped = None, why
        self.status, self.unfinished, self.ended = Status.OVER, True, now
        self.waiting, self.pending, self.trouble = [], {}, ""
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
        """If the host plays here no longer, whose seat that was, the next from there on is who does."""
        if any(not chair.left for chair in self.chairs_of(self.host)):
            return
        round_it = [*self.chairs[seat:], *self.chairs[:seat]]
        here = (chair.player for chair in round_it if chair.player and not (chair.left or chair.gone))
        self.host = next(here, None)

    def somebody_went(self) -> None:
        """Where all have to agree, they had agreed to play with who is gone."""
        if self.begins is Begins.AGREED or self.status is Status.SUSPENDED:
            self.unready()

    def close_up(self) -> None:
        """Take away the chairs whose people have not all agreed, and number the others anew."""
        self.chairs = [chair for chair in self.chairs if chair.player and chair.agreed]
        for seat, chair in enumerate(self.chairs):
            chair.seat = seat
