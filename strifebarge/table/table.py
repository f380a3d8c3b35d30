"""A table and its chairs: who sits, who is ready, what state it is in.  Pure: no clock, no disk."""

from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from strifebarge.rules import Ranking, Refusal, Refused

from .clock import Clock
from .invitation import Invitation, Invited

FLAGS = {
    "F": "Foxtrot",
    "G": "Golf",
    "J": "Juliett",
    "L": "Lima",
    "M": "Mike",
    "O": "Oscar",
    "S": "Sierra",
    "I": "India",
}  # signal flags that geometry alone tells apart; they name the seats
LETTERS = "".join(FLAGS)


class Status(StrEnum):
    OPEN = "open"  # before the game: people sit down and agree
    PLAYING = "playing"
    DISRUPTED = "disrupted"  # somebody whose seat matters is away
    ABANDONED = "abandoned"  # nobody is there
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


RUNNING = {Status.PLAYING, Status.DISRUPTED, Status.ABANDONED, Status.SUSPENDED}


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
    OTHER_RULES = "The rules have changed since: this position cannot be shown any more."
    NOTHING_TO_MEND = "The rules agree with this game as it is: there is no need to go back."
    NO_WAY_BACK = "The rules agree with no stage of this game: it cannot go back."
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
    NO_PACE = "There is no such time to play by."
    UNTIMED = "No clock runs at this table."
    ON_THE_CLOCK = "A clock runs at this table: propose a pause instead."
    PAUSED = "There is a pause already."
    NOT_PAUSED = "There is no pause."
    WHICH_SEAT = "You have several seats here, and the form did not say which of them it is for."
    ONE_SEAT = "At this table everybody has one seat."
    WRONG_DEVICES = "There is no such choice for who plays at which device."
    SHARED_IS_QUIET = "Where one device is passed round the result can be neither public nor rated."
    NO_INVITATION = "There is no such invitation. The link may have been cut short."
    REVOKED = "This invitation was taken back."
    RUN_OUT = "This invitation has run out: nobody has begun the game for a month."
    LISTED = "Anybody may sit down here: there is no invitation to take back."
    NOT_MET = "By name you can invite those you have played with."
    ALREADY_HERE = "They sit at this table already."
    ASKED_ENOUGH = "Nobody else can be invited to this table by name: those are enough."
    NOT_ASKED = "Nobody has invited you to this table by name, or no longer."


class Chair(Struct):
    """A seat with a person in it, or free; ready or not."""

    seat: int
    player: str | None = None
    name: str = ""
    ready: bool = False
    left: bool = False  # its player left the game for good
    gone: bool = False  # its player has had themselves erased
    generation: int = 0  # raised whenever the seat changes hands, so that older links to it are dead
    sat: dict[str, str] = {}  # who has sat here while it was played, and what they were called

    @property
    def letter(self) -> str:
        return LETTERS[self.seat % len(LETTERS)]

    @property
    def guest(self) -> bool:
        """Who gave no name, or nobody."""
        return not self.name

    @property
    def called(self) -> str:
        """The name shown: its player's, or the guest name of its flag."""
        return self.name or f"Guest {FLAGS[self.letter]}"

    def give(self, player: str | None, name: str = "", ready: bool = False) -> None:
        self.player, self.name, self.ready, self.gone = player, name, ready, False
        self.generation += 1

    def note(self) -> None:
        """Whoever sits here plays: the books will know."""
        if self.player:
            self.sat[self.player] = self.called


class Suspension(Struct):
    """That people have put a running game aside, until all of them are ready again."""

    by: str  # who did, by the name they had
    at: float
    held: dict[int, str | None]  # who had each seat then: others see nothing of it before the game goes on
    end: str | None = None  # who proposes to end the game without a result, by name
    back: str | None = None  # who proposes to go back to where the rules still agree, by name


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
    unfinished: bool = False  # it was ended by agreement, without a result
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
    shared: bool = False  # a device is passed round here: one person may have several seats
    listed: bool = False  # anybody may find it and sit down, until it begins
    language: str = ""  # that of whoever opened it
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
        resting = self.status not in RUNNING or self.status is Status.SUSPENDED
        return None if resting or self.clock is None else self.clock.due

    # -- knowing ---------------------------------------------------------------

    def chairs_of(self, player: str | None) -> list[Chair]:
        """All of a player's chairs: several only where a device is passed round."""
        return [chair for chair in self.chairs if player and chair.player == player]

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

    def free(self) -> list[Chair]:
        return [chair for chair in self.chairs if chair.player is None]

    def in_play(self) -> list[Chair]:
        """The chairs that have not left the game nor are out of it."""
        return [chair for chair in self.chairs if not chair.left and chair.seat not in self.out]

    def has_missed(self, player: str | None) -> bool:
        """Whether the last question to this player was let go by."""
        chair = self.chair_of(player)
        hands = self.clock.hands if self.clock else []
        return chair is not None and chair.seat < len(hands) and hands[chair.seat].missed > 0

    def chair(self, seat: int) -> Chair:
        if 0 <= seat < len(self.chairs):
            return self.chairs[seat]
        raise Refused(No.NOT_SEATED)

    @property
    def all_ready(self) -> bool:
        return all(chair.player and chair.ready for chair in self.chairs)

    @property
    def all_ready_again(self) -> bool:
        """All who still play have agreed to go on; or all who are there, to end it."""
        ending = self.suspension is not None and self.suspension.end is not None
        playing = [chair for chair in self.in_play() if chair.player or not ending]
        return bool(playing) and all(chair.player and chair.ready for chair in playing)

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
        return None

    def _why_not_invited(self, player: str | None, code: str, now: float) -> No | None:
        if self.listed or (player in self.invited and not self.invited[player].declined):
            return None
        if code != self.invitation.code:
            return No.REVOKED if code in ("", *self.invitation.past) else No.NO_INVITATION
        return No.RUN_OUT if self.run_out(now) else None

    def run_out(self, now: float) -> bool:
        """Whether the game has not begun for so long that its invitation holds no more."""
        return self.status is Status.OPEN and self.invitation.run_out(max(self.changed, self.created), now)

    def may_look(self, chair: Chair | None) -> bool:
        """Whether a seat's secrets may be shown to the one who has it."""
        if chair is None or self.suspension is None:
            return True
        return self.suspension.held.get(chair.seat) == chair.player

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
        self.tell_apart(chair)
        if self.status is Status.SUSPENDED:
            self.unready()
        elif self.started is not None:
            chair.note()
        if self.host is None:
            self.host = player
        return chair

    def sit_beside(self, player: str, name: str) -> Chair:
        """Sit somebody down who plays at the same device as `player`, and as them.

        Raises Refused: ONE_SEAT, NOT_SEATED, FULL, BEGUN, OVER, NAME_TAKEN.
        """
        self.must_be_open()
        if not self.shared:
            raise Refused(No.ONE_SEAT)
        if not self.chair_of(player):
            raise Refused(No.NOT_SEATED)
        if not (free := self.free()):
            raise Refused(No.FULL)
        self.must_be_unused(name)
        free[0].give(player, name, ready=True)
        self.tell_apart(free[0])
        return free[0]

    def must_be_unused(self, name: str, but: str | None = None) -> None:
        """Two people at a table are never called alike, nor like another's flag."""
        others = [chair.called for chair in self.chairs if chair.player and chair.player != but]
        if name and same_name(name) in map(same_name, others):
            raise Refused(No.NAME_TAKEN)

    def tell_apart(self, guest: Chair) -> None:
        """A guest whose flag's name somebody else has taken gets a number to it."""
        others = {same_name(chair.called) for chair in self.chairs if chair.player and chair is not guest}
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
        new.give(player, self._own_name(old), old.ready)
        old.give(None)
        self.tell_apart(new)

    def _own_name(self, chair: Chair) -> str:
        """The name somebody chose; "" for one that a flag has given."""
        return "" if chair.name.startswith(f"Guest {FLAGS[chair.letter]}") else chair.name

    def unready(self) -> None:
        """Everybody is asked anew: to be ready is to agree to just this table, as it is."""
        for chair in self.chairs:
            chair.ready = False

    def configure(self, player: str, options: dict[str, Any], seat: int | None = None) -> None:
        """Play by other options, if all agree.  What is set to what it was changes nothing."""
        self.must_be_open()
        who = self.seated(player, seat).called
        changed = [name for name, value in options.items() if self.options.get(name) != value]
        if changed:
            self.options = options
            self.set_by = {**self.set_by, **dict.fromkeys(changed, who)}
            self.unready()

    def suspend(self, player: str, now: float, seat: int | None = None) -> None:
        """Put the game aside: anybody who plays may, where no clock runs.

        Raises Refused: NOT_SEATED, NOT_BEGUN, OVER, SUSPENDED, ON_THE_CLOCK.
        """
        chair = self.seated(player, seat)
        self.must_be_running()
        if self.status is Status.SUSPENDED:
            raise Refused(No.SUSPENDED)
        if chair.left:
            raise Refused(No.NOT_SEATED)
        if self.clock:
            raise Refused(No.ON_THE_CLOCK)
        self.status = Status.SUSPENDED
        self.suspension = Suspension(chair.called, now, {each.seat: each.player for each in self.chairs})
        self.unready()

    def propose_end(self, player: str, end: bool, seat: int | None = None) -> None:
        """Propose to end a suspended game without a result, or no longer.  Others must agree anew."""
        chair = self.seated(player, seat)
        self.must_be_suspended()
        aside = self._aside()
        if (aside.end is not None) != end:
            aside.end, aside.back = (chair.called, None) if end else (None, aside.back)
            self.unready()

    def propose_back(self, player: str, back: bool, seat: int | None = None) -> None:
        """Propose to go back to where the rules still agree, or no longer.  Others must agree anew."""
        chair = self.seated(player, seat)
        self.must_be_suspended()
        aside = self._aside()
        if (aside.back is not None) != back:
            aside.back, aside.end = (chair.called, None) if back else (None, aside.end)
            self.unready()

    def _aside(self) -> Suspension:
        """How it was put aside, if need be by the rules themselves."""
        if self.suspension is None:
            self.suspension = Suspension("", self.changed, {each.seat: each.player for each in self.chairs})
        return self.suspension

    def resume(self, now: float) -> bool:
        """All are ready: the game goes on, or ends without a result.  Whether it goes on."""
        ends = self.suspension is not None and self.suspension.end is not None
        self.suspension = None
        if ends:
            self.status, self.unfinished, self.ended = Status.OVER, True, now
            self.waiting, self.pending, self.trouble = [], {}, ""
            return False
        self.status = Status.PLAYING
        if self.clock:
            self.clock.release(now)
        for chair in self.chairs:
            chair.note()
        return True

    def stand(self, player: str) -> None:
        """Leave before the game, with all who play at the same device; somebody else is host."""
        self.must_be_open()
        if not (mine := self.chairs_of(player)):
            raise Refused(No.NOT_SEATED)
        for chair in mine:
            chair.give(None)
        if self.host == player:
            self.host = next((chair.player for chair in self.chairs if chair.player), None)

    def close_up(self) -> None:
        """Take away the chairs that nobody is ready in, and number the others anew."""
        self.chairs = [chair for chair in self.chairs if chair.player and chair.ready]
        for seat, chair in enumerate(self.chairs):
            chair.seat = seat


# Letters of other scripts that nobody can tell from the Latin ones below them.
LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u043a\u043c\u0442\u0432\u043d"
    "\u03b1\u03bf\u03c1\u03c5\u03bd\u03b9\u03ba\u03c7\u03c4\u0578\u057d\u0585\u0570\u0581\u0566",
    "aeopcyxijshdqwkmtbh" + "aopuvikxtnuohgq",
)


def same_name(name: str) -> str:
    """Names that look alike give the same."""
    return "".join(name.casefold().translate(LOOKALIKES).split())
