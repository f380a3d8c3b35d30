"""A table and its chairs: who sits, who is ready, what state it is in.  Pure: no clock, no disk."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from strifebarge.rules import Ranking, Refusal, Refused

from .chairs import BESIDE, FLAGS, LETTERS, Chair, Person, same_name
from .policy import USUAL_PATIENCE, Remedy
from .status import RUNNING, Afterwards, Begins, Seating, Status

__all__ = [
    "FLAGS",
    "LETTERS",
    "RUNNING",
    "TERM",
    "Afterwards",
    "Begins",
    "Chair",
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


class No(Refusal):
    """Why a table says no."""

    NO_TABLE = "No game here. The link may have been cut short."
    NO_POSITION = "There is no such move in this game."
    NO_GAME = "There is no game of that name here."
    NOT_SEATED = "You do not sit at this table."
    FULL = "The table is full."
    BEGUN = "The game has begun."
    NOT_BEGUN = "The game has not begun."
    NOT_OVER = "The game is not over."
    OVER = "The game is over."
    SUSPENDED = "This game is suspended."
    SEAT_TAKEN = "Somebody sits there already."
    SEATED_ELSEWHERE = "You sit at this table already, in another seat."
    NOT_SUSPENDED = "This game is not suspended."
    NOT_HOST = "Only the one who opened the table can do that."
    TOO_FEW = "There are too few at the table: {fewest} are needed."
    WRONG_SEATS = "This game is for {numbers} players."
    WRONG_OPTIONS = "That cannot be chosen: {problem}."
    WRONG_NAME = "A name has 1 to 20 characters that can be seen."
    NAME_TAKEN = "Somebody at this table is called that already."
    DEAD_LINK = "This seat has changed hands: the link no longer works."
    NO_KEY = "The form was not whole. Nothing was done: please press again."
    KEY_REUSED = "That form was already used for something else."
    WRONG_AFTERWARDS = "There is no such choice for what becomes of the result."
    NO_RECORD = "There is no record of a game at this address."
    NO_PERSON = "There is nobody at this address."
    WRONG_TERMS = "There is no such choice for how the table is to be run: {what}."
    NOT_LATE = "There is still time: nobody may do that yet."
    CROWDED = "There is no room for more people in that seat."
    NO_SUBSTITUTE = "You are not the substitute for that seat."


class Suspension(Struct):
    """That people have put a running game aside, until all of them are ready again."""

    by: str  # who did, by the name they had; "" for nobody
    at: float
    held: dict[
        int, list[str] | str | None
    ]  # who had each seat then: others see nothing of it until it goes on
    end: str | None = None  # who proposes to end the game without a result, by name


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
    unfinished: bool = False  # it was ended without a result: by agreement, or else it says why
    stopped: str = ""
    begins: Begins = Begins.FULL
    seating: Seating = Seating.CHOSEN
    patience: int = USUAL_PATIENCE  # seconds that one seat may keep the others waiting
    remedy: Remedy = Remedy.END  # what may be done then; this for tables from before it was asked
    chosen_by: dict[int, str] = {}  # who of several in a seat has made its last choice, by name
    revision: int = 0  # counts every change
    version: int = 0  # counts the changes that everybody may know of
    number: int = 0  # of the last move
    pending: dict[int, Any] = field(default_factory=dict)  # seat: a choice not yet shown
    waiting: list[int] = []  # the seats to move
    out: list[int] = []  # the seats that are out of the game
    result: Ranking | None = None
    parent: str | None = None
    rematch: str | None = None
    series: str = ""  # the first table of a row of rematches; "" is this one
    afterwards: Afterwards = Afterwards.QUIET
    imported: bool = False  # played elsewhere, and brought here as a file
    record: str = ""  # the address in the books, once it is over
    created: float = 0
    changed: float = 0
    started: float | None = None
    ended: float | None = None

    # -- knowing ---------------------------------------------------------------

    def chair_of(self, player: str | None) -> Chair | None:
        return next((chair for chair in self.chairs if chair.has(player)), None)

    def seated(self, player: str | None) -> Chair:
        """The player's chair.  Raises Refused(NOT_SEATED)."""
        if chair := self.chair_of(player):
            return chair
        raise Refused(No.NOT_SEATED)

    def free(self) -> list[Chair]:
        return [chair for chair in self.chairs if chair.player is None]

    def chair(self, seat: int) -> Chair:
        if 0 <= seat < len(self.chairs):
            return self.chairs[seat]
        raise Refused(No.NOT_SEATED)

    @property
    def put_aside(self) -> bool:
        return self.status is Status.SUSPENDED

    @property
    def live(self) -> bool:
        """Whether it is played in one go, by people who are all there."""
        return False  # there is no such pace yet

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
        playing = [
            chair
            for chair in self.chairs
            if not chair.left and chair.seat not in self.out and (chair.player or not ending)
        ]
        return bool(playing) and all(chair.agreed for chair in playing)

    def may_look(self, player: str | None) -> bool:
        """Whether the secrets of this player's seat may be shown to them."""
        chair = self.chair_of(player)
        if chair is None or self.suspension is None:
            return True
        held = self.suspension.held.get(chair.seat)
        return player in held if isinstance(held, list) else player == held

    def waits_for(self, chair: Chair) -> bool:
        """Whether a running game cannot go on without this seat."""
        if self.status is Status.SUSPENDED:
            return not (chair.left or chair.agreed or chair.seat in self.out)
        return self.status in RUNNING and chair.seat in self.waiting

    def waits_since(self, chair: Chair) -> float | None:
        """Since when; None if it does not."""
        if not self.waits_for(chair):
            return None
        return self.changed if chair.since is None else chair.since

    # -- asserting -------------------------------------------------------------

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

        Raises Refused: FULL, SEAT_TAKEN, OVER, NAME_TAKEN.
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
        chair = free[0] if seat is None else self.chairs[seat]
        chair.give(player, name, ready=True)
        self._tell_apart(chair)
        self.somebody_came(chair)
        if self.host is None:
            self.host = player
        return chair

    def sit_beside(self, player: str, name: str, seat: int) -> Chair:
        """Play a seat together with who has it.  Sitting twice is sitting once.

        Raises Refused: SEATED_ELSEWHERE, BEGUN, OVER, DEAD_LINK, NAME_TAKEN, CROWDED.
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
        self.must_be_unused(name)
        guest = Chair(chair.seat, player, name)
        self._tell_apart(guest)
        chair.beside.append(Person(player, guest.called, ready=True))
        self.somebody_came(chair)
        return chair

    def somebody_came(self, chair: Chair) -> None:
        """Those who agreed had not agreed to this; but where to sit down is to agree, they had."""
        if self.status is Status.SUSPENDED or (self.status is Status.OPEN and self.begins is Begins.AGREED):
            self.unready()
        elif self.started is not None:
            chair.note()

    def _names(self, but: str | None) -> Iterator[str]:
        for chair in self.chairs:
            yield from (name for player, name in chair.people if player != but)

    def must_be_unused(self, name: str, but: str | None = None) -> None:
        """Two people at a table are never called alike, nor like another's flag."""
        if name and same_name(name) in map(same_name, self._names(but)):
            raise Refused(No.NAME_TAKEN)

    def _tell_apart(self, guest: Chair) -> None:
        """A guest whose flag's name somebody else has taken gets a number to it."""
        others = set(map(same_name, self._names(guest.player)))
        flag_name, number = guest.called, 1
        while same_name(guest.called) in others:
            number += 1
            guest.name = f"{flag_name} {number}"

    def change_seat(self, player: str, seat: int) -> None:
        """Move to another seat before the game.  Raises Refused: SEAT_TAKEN, BEGUN, NOT_SEATED."""
        self.must_be_open()
        old, new = self.seated(player), self.chair(seat)
        if new is old:
            return
        if new.player is not None:
            raise Refused(No.SEAT_TAKEN)
        name, ready = self._own_name(old, player), old.is_ready(player)
        old.go(player)
        new.give(player, name, ready)
        self._tell_apart(new)
        self.somebody_came(new)

    def _own_name(self, chair: Chair, player: str) -> str:
        """The name somebody chose; "" for one that a flag has given."""
        name = chair.name_of(player)
        return "" if name.startswith(f"Guest {FLAGS[chair.letter]}") else name

    def unready(self) -> None:
        """Everybody is asked anew: to be ready is to agree to just this table, as it is."""
        for chair in self.chairs:
            chair.unready()

    def configure(self, player: str, options: dict[str, Any], terms: dict[str, Any]) -> None:
        """Play by other options, or on other terms (`terms`: fields of this table), if all agree.

        What is set to what it was changes nothing.
        """
        self.must_be_open()
        who = self.seated(player).name_of(player)
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

    def suspend(self, player: str, now: float) -> None:
        """Put the game aside: anybody who plays may.

        Raises Refused: NOT_SEATED, NOT_BEGUN, OVER, SUSPENDED.
        """
        chair = self.seated(player)
        self.must_be_running()
        if self.status is Status.SUSPENDED:
            raise Refused(No.SUSPENDED)
        if chair.left:
            raise Refused(No.NOT_SEATED)
        self.put_away(now, chair.name_of(player))

    def put_away(self, now: float, by: str = "") -> None:
        """Put the game aside, in somebody's name or by itself."""
        self.status = Status.SUSPENDED
        self.suspension = Suspension(by, now, self._held())
        self.unready()
        for chair in self.chairs:
            chair.since = now

    def _held(self) -> dict[int, list[str] | str | None]:
        return {chair.seat: [player for player, _ in chair.people] for chair in self.chairs}

    def propose_end(self, player: str, end: bool) -> None:
        """Propose to end a suspended game without a result, or no longer.  Others must agree anew."""
        chair = self.seated(player)
        self.must_be_suspended()
        if self.suspension is None:  # the rules have suspended it
            self.suspension = Suspension("", self.changed, self._held())
        if (self.suspension.end is not None) != end:
            self.suspension.end = chair.name_of(player) if end else None
            self.unready()

    def resume(self, now: float) -> bool:
        """All are ready: the game goes on, or ends without a result.  Whether it goes on."""
        if self.suspension is not None and self.suspension.end is not None:
            self.stop(now)
            return False
        self.suspension, self.status = None, Status.PLAYING
        self.unready()
        for chair in self.chairs:
            chair.note()
            chair.since = None
        return True

    def stop(self, now: float, why: str = "") -> None:
        """The game ends without a result: by agreement, or why else."""
        self.suspension, self.stopped = None, why
        self.status, self.unfinished, self.ended = Status.OVER, True, now
        self.waiting, self.pending, self.trouble = [], {}, ""
        self.unready()

    def stand(self, player: str) -> None:
        """Leave before the game; the seat is free again, and somebody else is host."""
        self.must_be_open()
        self.seated(player).go(player)
        self.somebody_went()
        if self.host == player:
            self.host = next((chair.player for chair in self.chairs if chair.player), None)

    def somebody_went(self) -> None:
        """Where all have to agree, they had agreed to play with who is gone."""
        if self.begins is Begins.AGREED or self.status is Status.SUSPENDED:
            self.unready()

    def close_up(self) -> None:
        """Take away the chairs that nobody is ready in, and number the others anew."""
        self.chairs = [chair for chair in self.chairs if chair.player and chair.agreed]
        for seat, chair in enumerate(self.chairs):
            chair.seat = seat
