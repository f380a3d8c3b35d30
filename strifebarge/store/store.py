"""Tables, their ledgers and people, in a database.

A table is locked by the transaction that changes it, from its first statement to its last: whoever comes
second waits, and then sees what the first has left.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, Select

from strifebarge.rules import Refused
from strifebarge.rules.match import Snapshot
from strifebarge.table import chat
from strifebarge.table.chat import Room, Said
from strifebarge.table.entry import Entry, Kind, Rating, Seated, Tally
from strifebarge.table.handover import known_to
from strifebarge.table.letters import Letter, Reader
from strifebarge.table.listing import PAGE, Wanted, listing
from strifebarge.table.ports import Busy, Player, Receipt, Row
from strifebarge.table.table import RUNNING, Chair, No, Status, Table
from strifebarge.table.timekeeper import Stretch
from strifebarge.table.vacation import Vacation

from . import outbox
from . import people_statements as people_say
from . import statements as say
from .engine import reading, writing
from .people import SqlPeople, add_player, add_traces, forget, keep_player, must_be_here, pass_on, player_of
from .schema import tables

__all__ = ["Busy", "SqlChange", "SqlLadder", "SqlStore"]

APART = 20  # moves: old snapshots that follow each other more closely are thinned out
KEPT_FOR = 100 * 86400  # seconds; an older form is nobody's second click, and its question is long answered
PURGE_EVERY = 1000  # receipts given, in this process
given = count(1)
NOT_ALONE = (people_say.HAS_RATING, people_say.WITH_OTHERS, people_say.SPLIT)
COLUMNS = [column.name for column in tables.c if column.name != "body"]

decode_table = msgspec.json.Decoder(Table).decode
decode = msgspec.json.decode


class SqlStore(SqlPeople):
    """The referee's Store in an SQL database.  Everything may raise Busy."""

    def __init__(self, engine: Engine):
        self.engine = engine
        self.outbox = outbox.SqlOutbox(engine)

    # -- changing --------------------------------------------------------------

    @contextmanager
    def change(self, id: str) -> Iterator["SqlChange"]:
        """Lock a table and change it.  Raises Refused(NO_TABLE)."""
        with writing(self.engine) as connection:
            change = SqlChange(connection, find(connection, say.LOCK_TABLE, id))
            yield change
            change.write()

    def add(
        self,
        table: Table,
        receipt: Receipt,
        player: Player | None = None,
        then: Callable[["SqlChange"], None] | None = None,
    ) -> Table:
        """Keep a new table and its receipt; or find the table that this receipt's key was given for."""
        with writing(self.engine) as connection:
            if player:
                keep_player(connection, player)
            insert_table(connection, table)
            # Of two with the same key at the same moment, the second waits here for the first.
            if insert_receipt(connection, msgspec.structs.replace(receipt, table=table.id)):
                change = SqlChange(connection, table)
                change.met.add(receipt.player)
                if then:
                    then(change)
                change.write()
                return table
            connection.rollback()
        earlier = self.receipt(receipt.key)
        if earlier is None or earlier.digest != receipt.digest:
            raise Refused(No.KEY_REUSED)
        return self.table(earlier.table)

    # -- reading ---------------------------------------------------------------

    def table(self, id: str) -> Table:
        with reading(self.engine) as connection:
            return find(connection, say.TABLE, id)

    def receipt(self, key: str) -> Receipt | None:
        with reading(self.engine) as connection:
            return receipt_for(connection, key)

    def snapshot(self, id: str, at: int | None = None) -> Snapshot:
        with reading(self.engine) as connection:
            return newest_snapshot(connection, id, at)

    def rows(self, id: str, after: int, upto: int | None = None) -> list[Row]:
        with reading(self.engine) as connection:
            return ledger(connection, id, after, upto)

    def running(self) -> list[str]:
        with reading(self.engine) as connection:
            return list(connection.scalars(say.RUNNING))

    def tables_of(self, player: str) -> list[Table]:
        with reading(self.engine) as connection:
            bodies = connection.scalars(say.TABLES_OF, {"player": player}).all()
        return [decode_table(body) for body in bodies]

    def tables_inviting(self, player: str) -> list[Table]:
        with reading(self.engine) as connection:
            bodies = connection.scalars(say.TABLES_INVITING, {"player": player}).all()
        return [decode_table(body) for body in bodies]

    def companions(self, player: str) -> list[Player]:
        with reading(self.engine) as connection:
            found = connection.execute(say.WITH, {"who": player}).all()
        latest = {other: Player(other, name) for other, name in reversed(found)}
        return [latest.pop(other) for other, _ in found if other in latest]

    def open_tables(self, wanted: Wanted) -> tuple[list[Table], bool]:
        values = {
            **msgspec.structs.asdict(wanted),
            "skip": (wanted.page - 1) * PAGE,
            "most": PAGE + 1,
        }
        with reading(self.engine) as connection:
            bodies = connection.scalars(say.OPEN_TABLES, values).all()
        return [decode_table(body) for body in bodies[:PAGE]], len(bodies) > PAGE

    def waiting_for(self, player: str) -> int:
        with reading(self.engine) as connection:
            return connection.scalar(say.WAITING_FOR, {"player": player}) or 0

    def lines(self, id: str) -> list[Said]:
        with reading(self.engine) as connection:
            return newest_said(connection, id)

    def note(self, id: str, player: str, seat: int = -1) -> str:
        with reading(self.engine) as connection:
            return connection.scalar(say.NOTE, {"of": id, "whose": player, "where": seat}) or ""

    def keep_note(self, id: str, player: str, text: str, seat: int = -1) -> None:
        with writing(self.engine) as connection:
            find(connection, say.TABLE, id)
            add_traces(connection, id, {player})
            values = {"table_id": id, "player": player, "text": text, "seat": seat}
            connection.execute(say.KEEP_NOTE(connection), values)

    def muted_by(self, player: str) -> frozenset[str]:
        with reading(self.engine) as connection:
            return frozenset(connection.scalars(say.MUTED, {"whose": player}))

    def mute(self, player: str, other: str, muted: bool) -> None:
        with writing(self.engine) as connection:
            if muted:
                connection.execute(say.MUTE(connection), {"player": player, "other": other})
            else:
                connection.execute(say.UNMUTE, {"whose": player, "whom": other})

    def secret(self, name: str, make: Callable[[], str]) -> str:
        with reading(self.engine) as connection:
            found = connection.scalar(say.SECRET, {"of": name})
        if found is None:
            with writing(self.engine) as connection:
                connection.execute(say.ADD_SECRET(connection), {"name": name, "value": make()})
                found = connection.scalar(say.SECRET, {"of": name})
        return str(found)

    # -- time --------------------------------------------------------------------

    def beat(self, at: float, allowed: float, apart: float = 0) -> float | None:
        with reading(self.engine) as connection:
            last = newest_stretch(connection)
        if last and at - last.ended < apart:
            return None
        with writing(self.engine) as connection:
            return beat(connection, last, at, allowed)

    def due(self, at: float) -> list[str]:
        with reading(self.engine) as connection:
            return list(connection.scalars(say.DUE, {"now": at}))

    def stretches(self, number: int) -> list[Stretch]:
        with reading(self.engine) as connection:
            return stretches_from(connection, number)

    def vacations(self, players: list[str]) -> list[Vacation]:
        with reading(self.engine) as connection:
            return vacations_of(connection, players)

    def set_vacation(self, player: str, how: Callable[[list[Vacation]], Vacation]) -> Vacation:
        with writing(self.engine) as connection:
            return set_vacation(connection, player, how)

    # -- who is there ----------------------------------------------------------

    def see(self, id: str, player: str, until: float) -> None:
        with writing(self.engine) as connection:
            connection.execute(say.SEE(connection), {"table_id": id, "player": player, "until": until})

    def present(self, id: str) -> dict[str, float]:
        with reading(self.engine) as connection:
            return who_is_there(connection, id)

    def silent(self, since: float) -> list[str]:
        with reading(self.engine) as connection:
            return list(connection.scalars(say.SILENT, {"since": since}))

    # -- the books -------------------------------------------------------------

    def entry(self, id: str) -> Entry:
        with reading(self.engine) as connection:
            if found := entries(connection, say.ENTRY, {"of": id}):
                return found[0]
        raise Refused(No.NO_RECORD)

    def series(self, id: str) -> list[Entry]:
        with reading(self.engine) as connection:
            return entries(connection, say.SERIES, {"of": id})

    def person(self, public: str) -> Player:
        with reading(self.engine) as connection:
            found = connection.execute(people_say.PERSON, {"of": public}).first()
        if found is None:
            raise Refused(No.NO_PERSON)
        return player_of(found)

    def tallies(self, player: str) -> list[Tally]:
        with reading(self.engine) as connection:
            rows = connection.execute(say.RATINGS_OF, {"who": player})
            rated = {game: Rating(*rest) for game, *rest in rows}
            found = connection.execute(say.TALLIES, {"who": player}).all()
        return [Tally(*each, rating=rated.get(each[0])) for each in found]

    def latest(self, player: str, most: int) -> list[Entry]:
        with reading(self.engine) as connection:
            return entries(connection, say.LATEST, {"who": player, "most": most})

    def ladders(self) -> list[str]:
        with reading(self.engine) as connection:
            return list(connection.scalars(say.LADDERS))

    @contextmanager
    def ladder(self, game: str) -> Iterator["SqlLadder"]:
        """Lock the ratings of a game."""
        with writing(self.engine) as connection:
            connection.execute(say.LOCK_LADDER, {"of": game})
            yield SqlLadder(connection, game)


class SqlLadder:
    """One transaction on all ratings of one game, as the port has it."""

    def __init__(self, connection: Connection, game: str):
        self.connection = connection
        self.here = {"of": game}

    def ratings(self) -> dict[str, Rating]:
        found = self.connection.execute(say.RATINGS, self.here)
        return {player: Rating(*rest) for player, *rest in found}

    def rated(self) -> list[Entry]:
        return entries(self.connection, say.RATED, self.here)

    def hand_on(self, old: str, new: str) -> bool:
        here = {**self.here, "who": old, "new": new}
        if any(self.connection.scalar(each, here) for each in NOT_ALONE):
            return False
        self.connection.execute(people_say.MOVE_RATING, here)
        return True

    def replace(self, ratings: dict[str, Rating], entries: list[Entry]) -> None:
        self.connection.execute(say.DROP_RATINGS, self.here)
        keep_ratings(self.connection, self.here["of"], ratings)
        notes = [
            {"of": entry.id, "where": each.seat, "who": each.player, "to_mu": each.mu, "to_sigma": each.sigma}
            for entry in entries
            for each in entry.seats
        ]
        if notes:
            self.connection.execute(say.NOTE_RATING, notes)


class SqlChange:
    """One transaction on one table, as the port has it.

    What it is given is in the database at once, and there for others when the transaction ends.
    """

    def __init__(self, connection: Connection, table: Table):
        self.connection = connection
        self.table = table
        self.revision = table.revision
        self.before = msgspec.json.encode(table)
        self.chairs = chairs_of(table)
        self.known = known_to(table)
        self.met: set[str] = set()
        self.invited = invited_to(table)
        self.listing = listing(table)
        self.more = False  # something was written beside the table

    def receipt(self, key: str) -> Receipt | None:
        return receipt_for(self.connection, key)

    def give_receipt(self, receipt: Receipt) -> None:
        self.more = True
        if not insert_receipt(self.connection, receipt):  # given at another table since we looked
            raise Refused(No.KEY_REUSED)
        self.met.add(receipt.player)

    def append(self, rows: list[Row]) -> None:
        if rows:
            self.more = True
            self.connection.execute(say.ADD_MOVES, [move_values(self.table.id, row) for row in rows])

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, and thin out those before it: a game is taken up from the newest alone."""
        self.more = True
        here = {"of": self.table.id}
        older = self.connection.scalars(say.OLDER_SNAPSHOTS, {**here, "before": snapshot.number}).all()
        match older:
            case [last, before] if last - before < APART:
                self.connection.execute(say.DROP_SNAPSHOT, {**here, "old": last})
        values = {"table_id": self.table.id, **msgspec.structs.asdict(snapshot)}
        self.connection.execute(say.ADD_SNAPSHOT, values)

    def snapshot(self, id: str, at: int | None = None) -> Snapshot:
        return newest_snapshot(self.connection, id, at)

    def rows(self, id: str, after: int, upto: int | None = None) -> list[Row]:
        return ledger(self.connection, id, after, upto)

    def add(self, table: Table) -> None:
        insert_table(self.connection, table)

    def save_player(self, player: Player) -> None:
        keep_player(self.connection, player)

    def lines(self, id: str) -> list[Said]:
        return newest_said(self.connection, id)

    def say(self, line: Said) -> None:
        """Keep a line; now and then, throw away those of games that ended long ago."""
        self.more = True
        if next(given) % PURGE_EVERY == 0:
            self.connection.execute(say.PURGE_SAID, {"before": line.at - chat.KEPT_FOR})
        values = {"table_id": self.table.id, **msgspec.structs.asdict(line)}
        self.connection.execute(say.ADD_SAID, values)
        self.met.add(line.player)

    def strike(self, number: int) -> None:
        self.more = True
        self.connection.execute(say.STRIKE, {"of": self.table.id, "that": number})

    def report(self, number: int) -> None:
        self.more = True
        self.connection.execute(say.REPORT, {"of": self.table.id, "that": number})

    def enter(self, entry: Entry) -> None:
        self.more = True
        values = msgspec.structs.asdict(entry)
        values["table_id"] = values.pop("table")
        seats = values.pop("seats")
        self.connection.execute(say.ENTER, values)
        if seats:
            sat = [{"record_id": entry.id, **msgspec.structs.asdict(each)} for each in seats]
            self.connection.execute(say.ADD_SITTERS, sat)

    def next_rated(self, game: str) -> int:
        return self.connection.scalar(say.NEXT_RATED(self.connection), {"game": game, "games": 1}) or 1

    def ratings(self, game: str, players: list[str]) -> dict[str, Rating]:
        found = self.connection.execute(say.RATINGS_AMONG, {"of": game, "people": players})
        return {player: Rating(*rest) for player, *rest in found}

    def rate(self, game: str, ratings: dict[str, Rating]) -> None:
        keep_ratings(self.connection, game, ratings)

    def present(self, id: str) -> dict[str, float]:
        return who_is_there(self.connection, id)

    def wake(self, at: float) -> None:
        last = newest_stretch(self.connection)
        if last and last.asleep(at):
            beat(self.connection, last, at, last.allowed)

    def stretches(self, number: int) -> list[Stretch]:
        return stretches_from(self.connection, number)

    def vacations(self, players: list[str]) -> list[Vacation]:
        return vacations_of(self.connection, players)

    def set_vacation(self, player: str, how: Callable[[list[Vacation]], Vacation]) -> Vacation:
        return set_vacation(self.connection, player, how)

    def must_be_here(self, player: str) -> None:
        must_be_here(self.connection, player)

    def pass_on(self, old: str, new: str) -> None:
        self.more = True
        pass_on(self.connection, self.table.id, self.table.record, old, new)

    def forget(self, player: str, former: Player) -> None:
        self.more = True
        flags = [Chair(chair.seat).called for chair in self.table.chairs]
        forget(self.connection, self.table.id, self.table.record, player, flags)
        self._unname_moves(player, flags)
        add_player(self.connection, former)
        self.pass_on(player, former.id)

    def _unname_moves(self, player: str, flags: list[str]) -> None:
        """Where several play a seat it is kept by name who of them has moved."""
        before = msgspec.json.decode(self.before, type=Table)
        called = {
            (chair.seat, name)
            for chair in before.chairs
            for each, name in (*chair.people, *chair.sat.items())
            if each == player
        }
        for seat, name in called:
            values = {"of": self.table.id, "where": seat, "name": name, "flag": flags[seat]}
            self.connection.execute(say.UNNAME_MOVES, values)

    def readers(self, players: list[str]) -> dict[str, Reader]:
        return outbox.readers_among(self.connection, players)

    def letters(self) -> list[Letter]:
        return outbox.letters_of(self.connection, self.table.id)

    def write_letter(self, letter: Letter) -> None:
        outbox.keep_letter(self.connection, letter)

    def drop_letters(self, ids: list[str]) -> None:
        outbox.drop_letters(self.connection, ids)

    def note_nudge(self, player: str, now: float, since: float) -> float | None:
        return outbox.note_nudge(self.connection, player, now, since)

    def write(self) -> None:
        """The table as it is now, if there is anything new."""
        if not self.more and msgspec.json.encode(self.table) == self.before:
            return
        self.table.revision = self.revision + 1
        values = {**table_values(self.table), "of": self.table.id, "before": self.revision}
        if self.connection.execute(say.WRITE_TABLE, values).rowcount != 1:
            # Somebody got past the lock, as on a file system that knows none.
            raise Busy(f"table {self.table.id} was changed by somebody else at the same time")
        self._write_chairs()
        add_traces(self.connection, self.table.id, (known_to(self.table) | self.met) - self.known)
        if (invited := invited_to(self.table)) != self.invited:
            write_invited(self.connection, self.table.id, invited)
        if listing(self.table) != self.listing:
            write_listing(self.connection, self.table)

    def _write_chairs(self) -> None:
        chairs = chairs_of(self.table)
        if changed := [chair for chair in chairs if chair not in self.chairs]:
            self.connection.execute(say.KEEP_CHAIRS(self.connection), changed)
        there = {(chair["seat"], chair["beside"]) for chair in chairs}
        gone = [
            {"of": self.table.id, "that": chair["seat"], "place": chair["beside"]}
            for chair in self.chairs
            if (chair["seat"], chair["beside"]) not in there
        ]
        if gone:
            self.connection.execute(say.TAKE_CHAIR_AWAY, gone)


# -- asking the database ---------------------------------------------------------


def find(connection: Connection, how: Select[str], id: str) -> Table:
    body = connection.scalar(how, {"of": id})
    if body is None:
        raise Refused(No.NO_TABLE)
    return decode_table(body)


def receipt_for(connection: Connection, key: str) -> Receipt | None:
    found = connection.execute(say.RECEIPT, {"used": key}).first()
    return Receipt(*found) if found else None


def newest_snapshot(connection: Connection, id: str, at: int | None) -> Snapshot:
    wanted = say.SNAPSHOT if at is None else say.SNAPSHOT_AT
    found = connection.execute(wanted, {"of": id, "at": at}).first()
    if found is None:
        raise Refused(No.NO_TABLE)
    return Snapshot(*found)


def ledger(connection: Connection, id: str, after: int, upto: int | None) -> list[Row]:
    wanted = say.LEDGER if upto is None else say.LEDGER_UPTO
    found = connection.execute(wanted, {"of": id, "after": after, "upto": upto})
    return [
        Row(number, seat, action and decode(action), decode(told), *rest)
        for number, seat, action, told, *rest in found
    ]


def entries(connection: Connection, wanted: Select[Any], values: dict[str, Any]) -> list[Entry]:
    """What the books say of some games, with everybody who sat there."""
    found = [
        Entry(**{**row, "kind": Kind(row["kind"])}) for row in connection.execute(wanted, values).mappings()
    ]
    for some in batched(found, 500):  # SQLite has room for so many numbers in a question
        by_id = {entry.id: entry for entry in some}
        for id, *seated in connection.execute(say.SITTERS, {"of": list(by_id)}):
            by_id[id].seats = [*by_id[id].seats, Seated(*seated)]
    return found


def batched(things: list[Entry], size: int) -> Iterator[list[Entry]]:
    for start in range(0, len(things), size):
        yield things[start : start + size]


def newest_stretch(connection: Connection) -> Stretch | None:
    found = connection.execute(say.NEWEST_STRETCH).first()
    return Stretch(*found) if found else None


def stretches_from(connection: Connection, number: int) -> list[Stretch]:
    wanted = connection.execute(say.STRETCHES, {"first": number}) if number else ()
    found = [Stretch(*row) for row in wanted]
    newest = None if number else newest_stretch(connection)
    return [newest] if newest else found


def vacations_of(connection: Connection, players: list[str]) -> list[Vacation]:
    return [Vacation(*row) for row in connection.execute(say.VACATIONS, {"people": players})]


def who_is_there(connection: Connection, id: str) -> dict[str, float]:
    return {player: until for player, until in connection.execute(say.SEEN, {"of": id})}


def newest_said(connection: Connection, id: str) -> list[Said]:
    found = connection.execute(say.NEWEST_SAID, {"of": id})
    return [Said(number, Room(room), *rest) for number, room, *rest in found][::-1]


# -- telling the database --------------------------------------------------------


def insert_table(connection: Connection, table: Table) -> None:
    """Raises Busy if its id is another table's: at the next try there is another id."""
    if connection.execute(say.ADD_TABLE(connection), table_values(table)).first() is None:
        raise Busy(f"there is a table {table.id} already")
    connection.execute(say.KEEP_CHAIRS(connection), chairs_of(table))
    add_traces(connection, table.id, known_to(table))
    if listing(table):
        write_listing(connection, table)


def write_invited(connection: Connection, id: str, players: list[str]) -> None:
    connection.execute(say.UNINVITE, {"of": id})
    if players:
        connection.execute(say.INVITE, [{"table_id": id, "player": player} for player in players])


def write_listing(connection: Connection, table: Table) -> None:
    """A table's line in the list of open ones, or none."""
    if line := listing(table):
        values = {"table_id": table.id, **msgspec.structs.asdict(line)}
        connection.execute(say.KEEP_LISTING(connection), values)
    else:
        connection.execute(say.TAKE_OFF_LIST, {"of": table.id})


def beat(connection: Connection, last: Stretch | None, at: float, allowed: float) -> float | None:
    """Note that the site is there, after the last that was noted; for how long it was away.

    None if somebody else was quicker, whose note will do.
    """
    if last is None or last.asleep(at):
        number = last.number + 1 if last else 1
        values = {"number": number, "began": at, "ended": at, "allowed": allowed}
        begun = connection.execute(say.BEGIN_STRETCH(connection), values).first()
        return None if begun is None else at - last.ended if last else 0
    values = {"newest": last.number, "before": last.ended, "now": max(at, last.ended), "may_pass": allowed}
    return 0 if connection.execute(say.BEAT, values).rowcount else None


def set_vacation(connection: Connection, player: str, how: Callable[[list[Vacation]], Vacation]) -> Vacation:
    connection.execute(people_say.LOCK_PLAYER, {"of": player})
    vacation = how(vacations_of(connection, [player]))
    connection.execute(say.KEEP_VACATION(connection), msgspec.structs.asdict(vacation))
    return vacation


def keep_ratings(connection: Connection, game: str, ratings: dict[str, Rating]) -> None:
    rows = [
        {"game": game, "player": player, **msgspec.structs.asdict(rating)}
        for player, rating in ratings.items()
    ]
    if rows:
        connection.execute(say.KEEP_RATING(connection), rows)


def insert_receipt(connection: Connection, receipt: Receipt) -> bool:
    """Whether it is kept; not if its key has been used.  Now and then, away with those of old."""
    if next(given) % PURGE_EVERY == 0:
        connection.execute(say.PURGE_RECEIPTS, {"before": receipt.at - KEPT_FOR})
    values = msgspec.structs.asdict(receipt)
    values["table_id"] = values.pop("table")
    return connection.execute(say.ADD_RECEIPT(connection), values).first() is not None


def table_values(table: Table) -> dict[str, Any]:
    return {**{name: getattr(table, name) for name in COLUMNS}, "body": json(table)}


def chairs_of(table: Table) -> list[dict[str, Any]]:
    """The chairs' rows: one for each who sits there, or for a free seat."""
    waiting = table.waiting if table.status in RUNNING - {Status.SUSPENDED} else []
    return [
        {
            "table_id": table.id,
            "seat": chair.seat,
            "beside": place,
            "player": player,
            "to_move": chair.seat in waiting,
        }
        for chair in table.chairs
        for place, (player, _) in enumerate(list(chair.people) or [(None, "")])
    ]


def invited_to(table: Table) -> list[str]:
    """Who has been invited to a table by name and has not answered."""
    return [player for player, each in table.invited.items() if not each.declined]


def move_values(id: str, row: Row) -> dict[str, Any]:
    action = None if row.action is None else json(row.action)
    return {"table_id": id, **msgspec.structs.asdict(row), "action": action, "told": json(row.told)}


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()
