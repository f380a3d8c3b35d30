"""Letters: who is told what of a table, and when.

A letter is written in the transaction of what it tells of, for those alone who want to be told anything.
It is sent later, by `strifebarge.post`, if it is still true then.  No clock and no network here.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from zoneinfo import ZoneInfo

from msgspec import Struct

from strifebarge.rules.pace import DAY

from .clock import NOTICE
from .moments import after_quiet, next_minute
from .policy import in_grace
from .ports import Change
from .table import RUNNING, Status, Table

SOON = 60  # seconds until somebody is told that it is their turn: mostly they are there and move
SOONER = 10  # the same at a live table, where minutes count
HELD = 600  # seconds after which they are told although they have a page of that game before them
HERE = 45  # seconds for which a page that says it is looked at is believed
PATIENCE = DAY  # seconds somebody must have waited before they nudge; and until the next nudge
MOST = 5  # addresses of one person
KEPT_FOR = 30 * DAY  # seconds for which letters told are still listed


class Kind(StrEnum):
    """What a letter tells."""

    TURN = "turn"
    HALF = "half"  # half of the time for it is gone
    LAST = "last"  # and a quarter is left, or two hours
    NUDGE = "nudge"  # somebody has waited for long, and says so
    AGREE = "agree"  # the others wait until this one agrees
    DECIDE = "decide"  # another's time has run out, and this one may decide what comes of it
    RESUMES = "resumes"  # a pause of all clocks ends within a day
    OVER = "over"
    TEST = "test"
    CONFIRM = "confirm"  # does this address belong to whoever entered it?


CHOICES = (Kind.TURN, Kind.HALF, Kind.NUDGE, Kind.AGREE, Kind.OVER)  # between which a reader chooses
AT_ONCE = {Kind.LAST, Kind.RESUMES, Kind.TEST, Kind.CONFIRM}  # no hour is too quiet for them
REMINDERS = (Kind.HALF, Kind.LAST)
OF_TIME = (*REMINDERS, Kind.RESUMES)  # all of them, or none, are wanted
SLOW = 12 * 3600  # seconds: who has less for a move is not reminded of it
LATE = 2 * 3600  # seconds before a deadline at which the last reminder comes at the latest


class Way(StrEnum):
    """How letters go to an address."""

    MAIL = "mail"
    DISCORD = "discord"
    SLACK = "slack"
    NTFY = "ntfy"
    PUSH = "push"  # into one browser, whether or not a page of the site is open there


class State(StrEnum):
    """How things stand with an address."""

    NEW = "new"  # nothing is sent there but the question whose it is
    WORKING = "working"
    FAILING = "failing"  # given up, until its owner says to try again


class Letter(Struct, kw_only=True):
    """One thing for one person to know.  Times are seconds since 1970, UTC."""

    id: str
    player: str
    kind: Kind
    table: str | None = None
    made: float
    due: float  # not before then
    told: float | None = None  # when it was given to the post


class Address(Struct, kw_only=True):
    """Where somebody wants to be told."""

    id: str
    player: str
    way: Way
    place: str  # a mail address, or that of a webhook; of a browser, its keys too
    device: str = ""  # the one whose browser it is: it hears nothing any more when that is signed out
    state: State = State.NEW
    trouble: str = ""  # why it fails: a packed text as JSON
    made: float = 0
    failures: int = 0  # in a row
    retry: float = 0  # nothing is tried before then
    lease: float = 0  # until then somebody is at it


class Reader(Struct, kw_only=True):
    """What somebody wants to be told, and when."""

    player: str
    language: str = "en"
    zone: str = "UTC"
    quiet: tuple[int, int] | None = (22 * 60, 8 * 60)  # from and to, in minutes of their own day
    digest: int | None = None  # all of a day at once, at this minute
    kinds: tuple[Kind, ...] = CHOICES
    silent: tuple[str, ...] = ()  # tables of which they want to hear nothing
    answers: bool = False  # links in mails open their hand for the one move
    feed: int = 0  # the how-manieth secret address of feed and calendar it is; there is none up to 0

    def wants(self, kind: Kind, table: str) -> bool:
        kind = Kind.HALF if kind in OF_TIME else Kind.TURN if kind is Kind.DECIDE else kind
        return kind in self.kinds and table not in self.silent

    def when(self, kind: Kind, now: float) -> float:
        """The moment from which on a letter of this kind may go out."""
        if kind in AT_ONCE:
            return now
        if self.digest is not None:
            return next_minute(now, self.digest, ZoneInfo(self.zone))
        return after_quiet(now, self.quiet, ZoneInfo(self.zone))


# -- writing -----------------------------------------------------------------------


def tell_of_moves(
    change: Change,
    was: Iterable[int],
    moved: set[int],
    by: str | None,
    now: float,
    draw: Callable[[int], bytes],
    taken_back: bool = False,
) -> None:
    """Write to those whose turn it has become, in the transaction of what made it so.

    `was` are the seats that were to move before, `moved` those that have answered since, `by` whose
    form it was.  A turn lasts until its player has moved or is not asked any more.  Where somebody
    else has only `taken_back` a move it will come again, and is the same: of one turn there is one letter.
    """
    table = change.table
    seats = _seats(table)
    readers = change.readers(list(seats))
    if not readers:
        return
    over = table.status is Status.OVER
    kept = {(letter.player, letter.kind): letter for letter in change.letters()}
    to_move = {player for player in seats if seats[player] & set(table.waiting)}

    def is_answered(player: str, kind: Kind) -> bool:
        if over or kind is Kind.RESUMES:
            return over
        asked_no_more = not (taken_back or player in to_move)
        return kind in (Kind.AGREE, Kind.DECIDE) or bool(moved & seats.get(player, set())) or asked_no_more

    answered = [letter.id for (player, kind), letter in kept.items() if is_answered(player, kind)]
    change.drop_letters(answered)
    kept = {key: letter for key, letter in kept.items() if letter.id not in answered}
    kind = Kind.OVER if over else Kind.TURN
    for player, reader in readers.items():
        if player == by or moved & seats[player] or not (over or player in to_move):
            continue
        letter = kept.get((player, kind))
        if letter is None and reader.wants(kind, table.id):
            change.write_letter(_letter(table, player, kind, now, draw))
            _remind(change, reader, now, draw)
        elif letter and letter.told is None and not seats[player] & set(was):
            letter.made, letter.due = now, now + soon(table)
            change.write_letter(letter)


def _remind(change: Change, reader: Reader, now: float, draw: Callable[[int], bytes]) -> None:
    """Write what is to be sent later, if there is a deadline for their turn and they let it come near."""
    deadline = deadline_of(change.table, reader.player)
    for kind in REMINDERS if deadline and deadline - now >= SLOW else ():
        if deadline and reader.wants(kind, change.table.id):
            letter = _letter(change.table, reader.player, kind, now, draw)
            letter.due = remind_at(kind, now, deadline)
            change.write_letter(letter)


def deadline_of(table: Table, player: str) -> float | None:
    """Until when somebody must have moved; None where no clock runs for them."""
    clock, hands = table.clock, table.chairs_of(player)
    due = [clock.hands[chair.seat].due for chair in hands if chair.seat < len(clock.hands)] if clock else []
    return min((each for each in due if each is not None), default=None)


def remind_at(kind: Kind, made: float, deadline: float) -> float:
    """When somebody is reminded who was told at `made` that they have until `deadline`."""
    left = deadline - made
    return made + left / 2 if kind is Kind.HALF else deadline - max(left / 4, LATE)


def tell_who_must_agree(change: Change, by: str | None, now: float, draw: Callable[[int], bytes]) -> None:
    """Write to those for whom a table waits that is not being played."""
    table = change.table
    if table.status not in (Status.OPEN, Status.SUSPENDED):
        return
    seats = _seats(table)
    readers = change.readers(list(seats))
    if not readers:
        return
    kept = {letter.player: letter for letter in change.letters() if letter.kind is Kind.AGREE}
    change.drop_letters([letter.id for player, letter in kept.items() if not must_agree(table, player)])
    for player, reader in readers.items():
        asked = player != by and must_agree(table, player) and player not in kept
        if asked and reader.wants(Kind.AGREE, table.id):
            change.write_letter(_letter(table, player, Kind.AGREE, now, draw))


def tell_of_pause(change: Change, by: str | None, now: float, draw: Callable[[int], bytes]) -> None:
    """Write to those who play when their clocks go on: a day before, or now if somebody ends the pause."""
    table = change.table
    change.drop_letters([letter.id for letter in change.letters() if letter.kind is Kind.RESUMES])
    pause = table.clock.pause if table.clock else None
    if pause is None:
        return
    for player, reader in change.readers(list(_seats(table))).items():
        if reader.wants(Kind.RESUMES, table.id) and not (pause.ended and player == by):
            letter = _letter(table, player, Kind.RESUMES, now, draw)
            letter.due = max(now, pause.until - NOTICE)
            change.write_letter(letter)


def tell_who_may_decide(change: Change, late: int, now: float, draw: Callable[[int], bytes]) -> None:
    """Write to those who play with a seat whose time has run out, that they need not wait for it."""
    table = change.table
    change.drop_letters([letter.id for letter in change.letters() if letter.kind is Kind.DECIDE])
    others = [player for player, seats in _seats(table).items() if seats - {late, *table.out}]
    for player, reader in change.readers(others).items():
        if reader.wants(Kind.DECIDE, table.id):
            change.write_letter(_letter(table, player, Kind.DECIDE, now, draw))


def nudge(change: Change, player: str, now: float, draw: Callable[[int], bytes]) -> None:
    """Write to somebody that others wait for them, if they want to hear that."""
    reader = change.readers([player]).get(player)
    table = change.table
    kept = [letter.kind for letter in change.letters() if letter.player == player]
    if reader and reader.wants(Kind.NUDGE, table.id) and Kind.NUDGE not in kept:
        change.write_letter(_letter(table, player, Kind.NUDGE, now, draw))


def _seats(table: Table) -> dict[str, set[int]]:
    """The seats of each person who still plays."""
    seats: dict[str, set[int]] = {}
    for chair in table.chairs:
        for player, _ in chair.people if not chair.left else ():
            seats.setdefault(player, set()).add(chair.seat)
    return seats


def _letter(table: Table, player: str, kind: Kind, now: float, draw: Callable[[int], bytes]) -> Letter:
    due = now + soon(table)
    return Letter(id=draw(8).hex(), player=player, kind=kind, table=table.id, made=now, due=due)


def soon(table: Table) -> int:
    """Seconds for which somebody may answer by themselves before they are told."""
    return SOONER if table.live else SOON


# -- is it still true? -----------------------------------------------------------------


def wanted(letter: Letter, table: Table | None, now: float) -> bool:
    """Whether a letter still tells the truth."""
    if letter.table is None:
        return True
    if table is None or letter.player not in _seats(table):
        return False
    match letter.kind:
        case Kind.OVER:
            return table.status is Status.OVER
        case Kind.AGREE:
            return must_agree(table, letter.player)
        case Kind.DECIDE:
            return any(in_grace(table, chair) for chair in table.in_play() if not chair.has(letter.player))
        case Kind.RESUMES:
            stands = table.clock is not None and table.clock.stands(now)
            return stands and table.status in RUNNING - {Status.SUSPENDED}
        case _:
            return has_to_move(table, letter.player)


def has_to_move(table: Table, player: str) -> bool:
    """Whether a running game waits for this player's move."""
    going_on = table.status in RUNNING - {Status.SUSPENDED}
    return going_on and bool(_seats(table).get(player, set()) & set(table.waiting))


def must_agree(table: Table, player: str) -> bool:
    """Whether a table that is not being played waits for this player to agree to something."""
    mine = [chair for chair in table.in_play() if chair.has(player) and not chair.is_ready(player)]
    return bool(mine) and table.status in (Status.OPEN, Status.SUSPENDED)


def put_off_until(letter: Letter, table: Table | None, now: float) -> float | None:
    """Until when a reminder is put off, for its deadline has moved since; None: not at all."""
    if letter.kind not in REMINDERS or table is None:
        return None
    deadline = deadline_of(table, letter.player)
    moment = now + SLOW if deadline is None else remind_at(letter.kind, letter.made, deadline)
    return moment if moment > now else None


def held_until(letter: Letter, looked: float | None, now: float) -> float | None:
    """Until when a letter is kept back, for its reader has the game before them; None: not at all."""
    if letter.kind in REMINDERS:
        return None
    if letter.table is None or looked is None or now >= letter.made + HELD:
        return None
    return letter.made + HELD if looked >= letter.made or now - looked < HERE else None
