"""What people want to be told, where, and the letters that are on their way.

Letters are written by the transaction of what they tell of (`SqlChange`); all else is here.  Whoever sends
first takes an address for itself, for a while: should it die, another takes it after that.
"""

from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, bindparam, delete, func, select, true, update
from sqlalchemy.engine import Row

from strifebarge.table.letters import Address, Kind, Letter, Reader, State, Way

from .part import Alone
from .schema import addresses, devices, letters, looks, nudges, readers, sendings
from .statements import OF, Both, json, keep

WHO = bindparam("who", type_=readers.c.player.type)
NOW = bindparam("now", type_=letters.c.due.type)
THESE: BindParameter[list[str]] = bindparam("these", expanding=True)

READERS = select(readers.c.body).where(readers.c.player.in_(bindparam("people", expanding=True)))
KEEP_READER = keep(readers)

LETTERS = select(letters)
LETTERS_OF_TABLE = LETTERS.where(letters.c.table_id == OF)
TOLD = (
    LETTERS.where(letters.c.player == WHO, letters.c.told.is_not(None), letters.c.table_id.is_not(None))
    .order_by(letters.c.told.desc(), letters.c.id)
    .limit(bindparam("most"))
)
LETTERS_FOR = LETTERS.where(letters.c.player == WHO).order_by(letters.c.made, letters.c.id)
DUE = (
    LETTERS.where(letters.c.told.is_(None), letters.c.due <= NOW)
    .order_by(letters.c.due, letters.c.id)
    .limit(bindparam("most"))
)
KEEP_LETTER = keep(letters)
ADD_LETTER = Both(letters, lambda insert: insert.on_conflict_do_nothing())
DROP_LETTERS = delete(letters).where(letters.c.id.in_(THESE))
PUT_OFF = update(letters).where(letters.c.id == OF, letters.c.told.is_(None)).values(due=bindparam("until"))
TELL = update(letters).where(letters.c.id == OF, letters.c.told.is_(None)).values(told=NOW)
PURGE_LETTERS = delete(letters).where(letters.c.told < bindparam("before"))

ADDRESS = select(addresses).where(addresses.c.id == OF)
ADDRESSES = select(addresses).where(addresses.c.player == WHO).order_by(addresses.c.made, addresses.c.id)
ADD_ADDRESS = Both(
    addresses, lambda insert: insert.on_conflict_do_nothing(index_elements=["player", "way", "place"])
)
SAME_ADDRESS = ADDRESSES.where(addresses.c.way == bindparam("how"), addresses.c.place == bindparam("where"))
CONFIRM = (
    update(addresses)
    .where(addresses.c.id == OF)
    .values(state=State.WORKING, trouble="", failures=0, retry=0.0)
)
REMOVE = delete(addresses).where(addresses.c.id == OF)
ASKED = select(func.count()).where(
    addresses.c.place == bindparam("where"),
    addresses.c.state == State.NEW,
    addresses.c.made > bindparam("since"),
)

# A letter may be answered, and an address removed, while they are put together: then there is no row.
SEND = Both(
    sendings,
    lambda insert: insert.from_select(
        ["letter_id", "address_id", "due"],
        select(letters.c.id, addresses.c.id, bindparam("from", type_=sendings.c.due.type))
        .select_from(letters.join(addresses, true()))
        .where(letters.c.id == OF, addresses.c.id == bindparam("to")),
    ).on_conflict_do_nothing(),
)
FREE = (addresses.c.lease <= NOW, addresses.c.retry <= NOW, addresses.c.state != State.FAILING)
READY = (
    select(sendings.c.address_id)
    .join(addresses, addresses.c.id == sendings.c.address_id)
    .where(sendings.c.due <= NOW, *FREE)
    .group_by(sendings.c.address_id)
    .order_by(func.min(sendings.c.due), sendings.c.address_id)
    .limit(bindparam("most"))
)
CLAIM = update(addresses).where(addresses.c.id == OF, *FREE).values(lease=bindparam("until"))
DUE_THERE = (
    LETTERS.join(sendings, sendings.c.letter_id == letters.c.id)
    .where(sendings.c.address_id == OF, sendings.c.due <= NOW)
    .order_by(letters.c.made, letters.c.id)
)
MINE = (addresses.c.id == OF, addresses.c.lease == bindparam("until"))
SENT = delete(sendings).where(sendings.c.address_id == OF, sendings.c.letter_id.in_(THESE))
ARRIVED = update(addresses).where(*MINE).values(lease=0.0, failures=0, trouble="", retry=0.0)
AGAIN = (
    update(addresses)
    .where(*MINE)
    .values(
        lease=0.0,
        failures=addresses.c.failures + 1,
        trouble=bindparam("why"),
        retry=bindparam("later"),
        state=bindparam("how"),
    )
)
GIVE_UP = delete(sendings).where(sendings.c.address_id == OF)

LOOK = keep(looks)
LOOKED = select(looks.c.at).where(looks.c.table_id == OF, looks.c.player == WHO)
PURGE_LOOKS = delete(looks).where(looks.c.at < bindparam("before"))

NUDGE = Both(
    nudges,
    lambda insert: insert.on_conflict_do_update(
        index_elements=["player"],
        set_={"at": insert.excluded.at},
        where=nudges.c.at <= bindparam("since"),
    ).returning(nudges.c.at),
)
NUDGED = select(nudges.c.at).where(nudges.c.player == WHO)

# Whoever is signed out in a browser hears nothing there any more.
DROP_PUSHES = delete(addresses).where(
    addresses.c.player == WHO,
    addresses.c.device != "",
    addresses.c.device.not_in(select(devices.c.id).where(devices.c.player == WHO)),
)

FORGET = [delete(kind).where(kind.c.player == WHO) for kind in (readers, addresses, letters, looks, nudges)]


# -- as part of a change of a table --------------------------------------------------


def readers_among(connection: Connection, players: list[str]) -> dict[str, Reader]:
    bodies = connection.scalars(READERS, {"people": players})
    found = [msgspec.json.decode(body, type=Reader) for body in bodies]
    return {reader.player: reader for reader in found}


def letters_of(connection: Connection, table: str) -> list[Letter]:
    return [letter_in(row) for row in connection.execute(LETTERS_OF_TABLE, {"of": table})]


def keep_letter(connection: Connection, letter: Letter) -> None:
    connection.execute(KEEP_LETTER(connection), values_of(letter))


def drop_letters(connection: Connection, ids: list[str]) -> None:
    if ids:
        connection.execute(DROP_LETTERS, {"these": ids})


def note_nudge(connection: Connection, player: str, now: float, since: float) -> float | None:
    """None if it is noted now; else when the last one was, after `since`."""
    values = {"player": player, "at": now, "since": since}
    if connection.execute(NUDGE(connection), values).first():
        return None
    return connection.scalar(NUDGED, {"who": player})


def letter_in(row: Row[Any]) -> Letter:
    kept = dict(row._mapping)
    return Letter(table=kept.pop("table_id"), kind=Kind(kept.pop("kind")), **kept)


def values_of(letter: Letter) -> dict[str, Any]:
    values = msgspec.structs.asdict(letter)
    return {**values, "table_id": values.pop("table")}


def address_in(row: Row[Any]) -> Address:
    kept = dict(row._mapping)
    return Address(way=Way(kept.pop("way")), state=State(kept.pop("state")), **kept)


# -- and by itself -------------------------------------------------------------------


class SqlOutbox(Alone):
    """The port's Outbox in an SQL database."""

    def reader(self, player: str) -> Reader | None:
        with self.reading() as connection:
            return readers_among(connection, [player]).get(player)

    def keep_reader(self, reader: Reader) -> None:
        values = {"player": reader.player, "body": json(reader)}
        with self.writing() as connection:
            connection.execute(KEEP_READER(connection), values)

    def addresses(self, player: str) -> list[Address]:
        with self.reading() as connection:
            return [address_in(row) for row in connection.execute(ADDRESSES, {"who": player})]

    def address(self, id: str) -> Address | None:
        with self.reading() as connection:
            found = connection.execute(ADDRESS, {"of": id}).first()
        return address_in(found) if found else None

    def keep_address(self, address: Address) -> Address:
        here = {"who": address.player, "how": address.way, "where": address.place}
        with self.writing() as connection:
            connection.execute(ADD_ADDRESS(connection), msgspec.structs.asdict(address))
            return address_in(connection.execute(SAME_ADDRESS, here).one())

    def confirm(self, id: str) -> None:
        with self.writing() as connection:
            connection.execute(CONFIRM, {"of": id})

    def remove_address(self, id: str) -> None:
        with self.writing() as connection:
            connection.execute(REMOVE, {"of": id})

    def asked(self, place: str, since: float) -> int:
        with self.reading() as connection:
            return connection.scalar(ASKED, {"where": place, "since": since}) or 0

    def forget(self, player: str) -> None:
        with self.writing() as connection:
            for each in FORGET:
                connection.execute(each, {"who": player})

    def look(self, player: str, table: str, now: float) -> None:
        with self.writing() as connection:
            connection.execute(LOOK(connection), {"table_id": table, "player": player, "at": now})

    def looked(self, player: str, table: str) -> float | None:
        with self.reading() as connection:
            return connection.scalar(LOOKED, {"of": table, "who": player})

    def told(self, player: str, most: int) -> list[Letter]:
        with self.reading() as connection:
            return [letter_in(row) for row in connection.execute(TOLD, {"who": player, "most": most})]

    def letters_for(self, player: str) -> list[Letter]:
        with self.reading() as connection:
            return [letter_in(row) for row in connection.execute(LETTERS_FOR, {"who": player})]

    # -- the post ----------------------------------------------------------------

    def due(self, now: float, most: int) -> list[Letter]:
        with self.reading() as connection:
            return [letter_in(row) for row in connection.execute(DUE, {"now": now, "most": most})]

    def put_off(self, letter: str, until: float) -> None:
        with self.writing() as connection:
            connection.execute(PUT_OFF, {"of": letter, "until": until})

    def drop(self, letters: list[str]) -> None:
        with self.writing() as connection:
            drop_letters(connection, letters)

    def tell(self, letter: Letter, now: float, to: dict[str, float]) -> bool:
        with self.writing() as connection:
            if connection.execute(TELL, {"of": letter.id, "now": now}).rowcount != 1:
                return False
            send(connection, letter.id, to)
            return True

    def send_now(self, letter: Letter, address: str) -> None:
        with self.writing() as connection:
            if connection.execute(ADD_LETTER(connection), values_of(letter)).rowcount == 1:
                send(connection, letter.id, {address: letter.due})

    def ready(self, now: float, most: int) -> list[str]:
        with self.reading() as connection:
            return list(connection.scalars(READY, {"now": now, "most": most}))

    def claim(self, address: str, now: float, until: float) -> tuple[Address, list[Letter]] | None:
        here = {"of": address, "now": now}
        with self.writing() as connection:
            if connection.execute(CLAIM, {**here, "until": until}).rowcount != 1:
                return None
            found = address_in(connection.execute(ADDRESS, here).one())
            return found, [letter_in(row) for row in connection.execute(DUE_THERE, here)]

    def delivered(self, address: Address, letters: list[str], now: float) -> None:
        mine = {"of": address.id, "until": address.lease}
        with self.writing() as connection:
            if letters:
                connection.execute(SENT, {"of": address.id, "these": letters})
            connection.execute(ARRIVED, mine)

    def failed(self, address: Address, trouble: str, retry: float | None, now: float) -> None:
        state = State.FAILING if retry is None else address.state
        values = {"why": trouble, "later": retry or 0.0, "how": state, "until": address.lease}
        with self.writing() as connection:
            mine = connection.execute(AGAIN, {"of": address.id, **values}).rowcount == 1
            if mine and retry is None:
                connection.execute(GIVE_UP, {"of": address.id})

    def purge(self, before: float) -> None:
        with self.writing() as connection:
            for each in (PURGE_LETTERS, PURGE_LOOKS):
                connection.execute(each, {"before": before})


def send(connection: Connection, letter: str, to: dict[str, float]) -> None:
    """Let a letter go to these addresses, to each from its moment on."""
    for address, due in to.items():
        connection.execute(SEND(connection), {"of": letter, "to": address, "from": due})
