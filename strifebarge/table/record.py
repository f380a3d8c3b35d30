"""A whole game as one file, which anybody can play again: written, read, checked, brought to another site."""

from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from strifebarge.rules import Options, Refusal, Refused, Text
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.chance import Draw, commitment, witnessed
from strifebarge.rules.ledger import Move, Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, options_type, seat_numbers

from .entry import Entry, Kind
from .library import Library, Title
from .log import went_back
from .names import LONGEST, code_of, tidy_name
from .ports import Change, Player, Receipt, Row, public_id
from .referee import Referee, Slip
from .table import Chair, No, Status, Table

FORMAT = "strifebarge record 1"
LARGEST = 512 * 1024  # bytes of a file that is brought here
MOST_MOVES = 3000
CHECKED = 32  # records of which it is remembered what came of them

Instant = Annotated[float, Meta(ge=0, le=32503680000)]  # seconds since 1970, UTC; up to the year 3000


class Recorded(Struct):
    """One move of a record.  `fingerprint` is "" between choices of the same question."""

    number: int
    seat: int
    action: dict[str, Any]
    fingerprint: str
    at: Instant = 0


class Record(Struct):
    """Seed, options, seats and moves; times are seconds since 1970, UTC.

    `people` are by seat the public ids of all who sat there, in a game whose result is public.  `draws` are
    all that was drawn from the seed, first for the deal, then for each move; None where the rules that are
    here now do not lead through the game any more.
    """

    format: str
    game: str
    rules_version: int
    options: dict[str, Any]
    names: list[str]
    seed: str
    commitment: str
    places: list[list[int]]
    moves: list[Recorded]
    started: Instant | None = None
    ended: Instant | None = None
    finished: bool = True
    rated: bool = False
    people: list[list[str]] = []
    draws: list[list[Draw]] | None = None


class Wrong(Refusal):
    """Why a file is not the record of a game."""

    NO_FILE = "There was no file: choose one first."
    TOO_LARGE = "That file is too large: a record has at most {most} KiB."
    NOT_JSON = "That is no record: the file is not JSON ({problem})."
    NOT_A_RECORD = "That is JSON, but no record of a game ({problem})."
    OTHER_FORMAT = "That record is in a format which is not known here: “{format}”."
    UNKNOWN_GAME = "That record is of a game which is not here: “{game}”."
    WRONG_SEED = "The seed is not the one that was promised: its SHA-256 is another than the record says."
    WRONG_NAMES = "The names in the record cannot be: each has at most {most} characters that can be seen."
    WRONG_SEATS = "The record is of a game for {seats}, which the rules here do not allow."
    CANNOT_BEGIN = "No game can begin as the record says: {problem}"
    TOO_MANY = "The record has too many moves: {most} are the most that are looked at."
    WRONG_NUMBER = "The moves are not numbered in order: move {found} stands where move {wanted} should."
    ILLEGAL = "Move {number} is not legal: {reason}"
    UNPLAYABLE = "Move {number} cannot be played by the rules that are here."
    ELSEWHERE = "Move {number} leads to another position than the record says."
    OTHER_VERSION = (
        "The record was played by version {then} of the rules, and here they are at version {now}: "
        "with move {number} they part. {reason}"
    )
    WRONG_DRAW = "Move {number} draws something else from the seed than the record says."
    WRONG_DEAL = "The deal draws something else from the seed than the record says."
    UNSEALED = "The record does not say to which position its last move leads."
    ENDS_DIFFERENTLY = "The record does not end as it says."


class WrongRecord(Refused):
    """A file that is no record, or a record that does not play again as it says, and where."""


class Replayed(NamedTuple):
    """A record played again: where it led, and all that a ledger keeps of it."""

    match: Match
    rows: list[Row]
    snapshots: list[Snapshot]
    draws: list[list[Draw]]


# -- writing -------------------------------------------------------------------


def record_of(referee: Referee, id: str) -> Record:
    """The record of a game that is over.  Raises Refused(NO_TABLE, NOT_OVER)."""
    record = bare_record_of(referee, id)
    record.draws = checked(record, referee.library).draws  # none where the rules have changed since
    return record


def bare_record_of(referee: Referee, id: str) -> Record:
    """The same without the draws, for which it would have to be played again."""
    table = referee.store.table(id)
    if table.status is not Status.OVER:
        raise Refused(No.NOT_OVER)
    entry = referee.store.entry(table.record)
    return Record(
        format=FORMAT,
        game=table.game,
        rules_version=table.rules_version,
        options=table.options,
        names=[chair.called for chair in table.chairs],
        seed=table.seed,
        commitment=commitment(table.seed),
        places=table.result.places if table.result else [],
        moves=[
            Recorded(number, row.seat, row.action, row.fingerprint, row.at)
            for number, row in enumerate(_played(referee.store.rows(id, 0)), 1)
            if row.seat is not None and row.action is not None
        ],
        started=table.started,
        ended=table.ended,
        finished=table.result is not None,
        rated=entry.rated is not None,
        people=people_of(entry, len(table.chairs)),
    )


def _played(rows: list[Row]) -> list[Row]:
    """The moves of a ledger, undone ones and undos too, but not those before which the game went back.

    They are numbered anew, for to the rules of today they were never made.
    """
    played: list[Row] = []
    for row in rows:
        if (to := went_back(row)) is not None:
            played = [each for each in played if each.number <= to]
        else:
            played.append(row)
    return played


def people_of(entry: Entry, seats: int) -> list[list[str]]:
    """By seat, the public ids of those who sat there; of a game that is not public, nobody's."""
    if not entry.public:
        return []
    return [[public_id(each.player) for each in entry.in_seat(seat)] for seat in range(seats)]


def written(record: Record) -> bytes:
    """A record as a file, to be read by people too."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1)


# -- reading -------------------------------------------------------------------


def read_record(data: bytes) -> Record:
    """A record from a file; whether it holds, only `replay` can tell.  Raises WrongRecord."""
    if not data.strip():
        raise WrongRecord(Wrong.NO_FILE)
    if len(data) > LARGEST:
        raise WrongRecord(Wrong.TOO_LARGE, most=LARGEST // 1024)
    try:
        plain = msgspec.json.decode(data)
        record = msgspec.convert(plain, Record)
    except msgspec.ValidationError as wrong:
        raise WrongRecord(Wrong.NOT_A_RECORD, problem=str(wrong)[:200]) from wrong
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise WrongRecord(Wrong.NOT_JSON, problem=str(wrong)[:200]) from wrong
    if record.format != FORMAT:
        raise WrongRecord(Wrong.OTHER_FORMAT, format=record.format[:60])
    return record


def replay(record: Record, library: Library) -> Replayed:
    """Play a record again by the rules that are here: the promise kept, every move legal, every draw and
    every fingerprint the same, and the end as it says.  Raises WrongRecord."""
    title = _title(record, library)
    if commitment(record.seed) != record.commitment:
        raise WrongRecord(Wrong.WRONG_SEED)
    if len(record.moves) > MOST_MOVES:
        raise WrongRecord(Wrong.TOO_MANY, most=MOST_MOVES)
    if record.moves and not record.moves[-1].fingerprint:
        raise WrongRecord(Wrong.UNSEALED)
    again = Replay(title, record)
    for each in record.moves:
        again.play(each)
    places = again.match.result.places if again.match.result else []
    if (again.match.result is not None) != record.finished or places != record.places:
        raise WrongRecord(Wrong.ENDS_DIFFERENTLY)
    return Replayed(again.match, again.rows, again.snapshots, again.draws)


class Checked(NamedTuple):
    """What came of playing a record again: where it led and what was drawn, or what is wrong with it."""

    fingerprint: str = ""
    draws: list[list[Draw]] | None = None
    wrong: WrongRecord | None = None


def checked(record: Record, library: Library) -> Checked:
    """The same as `replay`, which costs as much as the whole game: for one record once in each process."""
    return _checked(library, msgspec.json.encode(record))


@lru_cache(CHECKED)
def _checked(library: Library, record: bytes) -> Checked:
    try:
        again = replay(msgspec.json.decode(record, type=Record), library)
    except WrongRecord as no:
        return Checked(wrong=WrongRecord(no.why, **no.args_told))  # without what it was raised from
    return Checked(again.match.fingerprint(), again.draws)


def _title(record: Record, library: Library) -> Title:
    try:
        return library[record.game].edition(record.rules_version)
    except Refused as unknown:
        raise WrongRecord(Wrong.UNKNOWN_GAME, game=record.game[:40]) from unknown


class Replay:
    """A record being played again, move by move, by the rules that are here."""

    def __init__(self, title: Title, record: Record):
        self.title = title
        self.record = record
        self.seen: set[tuple[str, int]] = set()
        self.draws: list[list[Draw]] = []
        with witnessed() as drawn:
            self.match = self._begun()
        self._note(drawn, 0)
        deal = Row(0, None, None, self.match.told(), self.match.fingerprint(), True, record.started or 0)
        self.rows = [deal]
        self.snapshots = [self.match.snapshot]

    def _begun(self) -> Match:
        rules, seats = self.title.rules, len(self.record.names)
        if seats not in seat_numbers(rules):
            raise WrongRecord(Wrong.WRONG_SEATS, seats=seats)
        try:
            options: Options = msgspec.convert(self.record.options, options_type(rules))
            if why := options.refuse():
                raise why if isinstance(why, Refused) else why()
            return Match.new(rules, seats, self.record.seed, options)
        except Refused as no:
            raise WrongRecord(Wrong.CANNOT_BEGIN, problem=no.text) from no
        except Exception as error:  # whatever a stranger's file may hold
            raise WrongRecord(Wrong.CANNOT_BEGIN, problem=str(error)[:200]) from error

    def play(self, each: Recorded) -> None:
        """One more move.  Raises WrongRecord."""
        if each.number != len(self.rows):
            raise WrongRecord(Wrong.WRONG_NUMBER, wanted=len(self.rows), found=each.number)
        try:
            with witnessed() as drawn:
                moves = self._move(each)
        except Refused as no:
            raise self._parted(Wrong.ILLEGAL(number=each.number, reason=no.text)) from no
        except Exception as error:
            raise self._parted(Wrong.UNPLAYABLE(number=each.number)) from error
        if each.fingerprint and (self.match.pending or self.match.fingerprint() != each.fingerprint):
            raise self._parted(Wrong.ELSEWHERE(number=each.number))
        self.rows.append(self._row(each, moves))
        self._note(drawn, each.number)
        if self.match.snapshot.number > self.snapshots[-1].number:
            self.snapshots.append(self.match.snapshot)

    def _move(self, each: Recorded) -> list[Move]:
        kinds = (*actions(self.title.rules), *FRAMEWORK)
        return self.match.repeat(each.seat, from_json(each.action, kinds))

    def _row(self, each: Recorded, moves: list[Move]) -> Row:
        """The line of the ledger; one that is a choice with others has a number, and is no move yet."""
        number, step = moves[-1].place if moves else (self.rows[-1].number + 1, 0)
        told, final = self.match.told(), bool(moves) and moves[-1].final
        return Row(number, each.seat, each.action, told, each.fingerprint, final, each.at, step=step)

    def _note(self, drawn: list[Draw], number: int) -> None:
        """Keep what was drawn for the first time, if it is what the record says."""
        new = list({draw[:2]: draw for draw in drawn if draw[:2] not in self.seen}.values())
        self.seen |= {draw[:2] for draw in new}
        self.draws.append(new)
        said = self.record.draws
        if said is not None and (number >= len(said) or said[number] != new):
            raise WrongRecord(Wrong.WRONG_DRAW, number=number) if number else WrongRecord(Wrong.WRONG_DEAL)

    def _parted(self, why: Refused) -> WrongRecord:
        """What is wrong with a move; by other rules than it was played by, that is no wonder."""
        then, now = self.record.rules_version, self.title.version
        if then != now:
            number = why.args_told["number"]
            return WrongRecord(Wrong.OTHER_VERSION, then=then, now=now, number=number, reason=why.text)
        return WrongRecord(why.why, **why.args_told)


# -- bringing a game here ---------------------------------------------------------


def bring(referee: Referee, player: Player, data: bytes, slip: Slip) -> Table:
    """Keep a game that was played elsewhere, as one that is over and at which nobody sits.

    Whoever brings it is kept with the receipt, so that the same form again gets the same game.
    Raises WrongRecord and leaves no trace.
    """
    record = read_record(data)
    again = replay(record, referee.library)
    now = referee.now()
    table = Table(
        id=code_of(referee.entropy(5)),
        game=record.game,
        options=dict(msgspec.to_builtins(again.match.game.options)),
        seed=record.seed,
        chairs=[_chair(seat, name) for seat, name in enumerate(record.names)],
        rules_version=referee.library[record.game].edition(record.rules_version).version,
        number=again.match.number,
        reached=again.rows[-1].place,
        result=again.match.result,
        imported=True,
        unfinished=not record.finished,
        created=now,
        changed=now,
        started=record.started,
    )
    digest = sha256(data).hexdigest()
    receipt = Receipt(slip.key, player.id, table.id, slip.digest("import", player.id, digest), at=now)

    def keep(change: Change) -> None:
        for snapshot in again.snapshots:
            change.keep(snapshot)
        change.append(again.rows)
        referee.close(change, record.ended or now)

    return referee.store.add(table, receipt, player, keep)


def _chair(seat: int, name: str) -> Chair:
    """A chair in which somebody of that name sat; a flag's own name is told in each reader's language."""
    chair = Chair(seat)
    try:
        tidy = tidy_name(name)
    except Refused as no:
        raise WrongRecord(Wrong.WRONG_NAMES, most=LONGEST) from no
    return chair if tidy == chair.called else Chair(seat, name=tidy)


def said_of(entry: Entry) -> Text | None:
    """What is to be known of a game before its result is believed."""
    match entry.kind:
        case Kind.IMPORTED:
            return Text("Brought here as a file: played by the rules, but nobody here knows by whom.")
        case Kind.UNFINISHED:
            return Text("Ended before it was finished: nobody has won or lost.")
    return None
