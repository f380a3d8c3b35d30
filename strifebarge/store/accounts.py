"""The repository of accounts: people, their devices, accounts, passkeys, codes and links."""

from secrets import token_hex
from typing import Any

import msgspec
from sqlalchemy import Connection

from strifebarge.people.models import (
    MOST_PASSKEYS,
    SECOND_CLICK,
    Account,
    ActivityRecord,
    Device,
    IdentityRefusal,
    Passkey,
    PersonalLink,
    PrivateNote,
    TournamentEntry,
)
from strifebarge.rules import Refused
from strifebarge.store import accounts_statements as say
from strifebarge.store import notifications as outbox
from strifebarge.store.audit import add_entry, forget_reasons
from strifebarge.store.clocks import DROP_SEEN, SEE, SEEN
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.db.statements import json
from strifebarge.store.entrants import ENTERED, forget_tournaments, hand_tournaments_over, lock_tournaments_of
from strifebarge.tables.model.audit import AuditEntry
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.player import Ban, Player, public_id
from strifebarge.tables.model.table import TableRefusal

FORGOTTEN = 400 * 86400  # seconds; browsers keep a cookie no longer

decode_preferences = msgspec.json.Decoder(dict[str, str]).decode
decode_ban = msgspec.json.Decoder(Ban).decode


class SqlAccounts(AutoTransaction):
    """Implements `strifebarge.people.ports.AccountRepository` in an SQL database."""

    def player(self, id: str) -> Player | None:
        """Return a person by their secret id; None also for one who was erased or became another."""
        with self.reading() as connection:
            row = connection.execute(say.PLAYER, {"of": id}).first()
        return player_of(row) if row else None

    def person(self, public: str) -> Player:
        """Return a person by the id of their page.  Raises Refused(NO_PERSON)."""
        with self.reading() as connection:
            row = connection.execute(say.PERSON, {"of": public}).first()
        if row is None:
            raise Refused(TableRefusal.NO_PERSON)
        return player_of(row)

    def save_player(self, player: Player) -> None:
        """Keep a person, new or with a new name.  Raises Refused(GONE)."""
        with self.writing() as connection:
            keep_player(connection, player)

    def unfinished(self, player: str) -> list[str]:
        """Return the tables at which a person sits and whose game is not over."""
        return self.scalars(say.UNFINISHED, who=player)

    def prefer(self, player: str, what: str, chosen: str) -> None:
        """Keep a preference; "" takes it back.  Raises Refused(GONE)."""
        with self.writing() as connection:
            preferences = must_be_here(connection, player).preferences
            preferences = {name: value for name, value in preferences.items() if name != what}
            preferences |= {what: chosen} if chosen else {}
            connection.execute(say.PREFER, {"of": player, "wanted": json(preferences)})

    def names_of(self, players: list[str]) -> dict[str, str]:
        """Return the names of people by their secret ids."""
        with self.reading() as connection:
            return {id: name for id, name in connection.execute(say.NAMES, {"people": players})}

    # -- devices -----------------------------------------------------------------

    def devices(self, player: str) -> list[Device]:
        """Return the devices of a person, the one seen last first."""
        with self.reading() as connection:
            return [Device(*row) for row in connection.execute(say.DEVICES, {"who": player})]

    def add_device(self, device: Device, player: Player) -> None:
        """Keep a device, and its player if they are new.  Raises Refused(GONE)."""
        with self.writing() as connection:
            add_player(connection, player)
            must_be_here(connection, player.id)
            connection.execute(say.END_OLD, {"who": device.player, "now": device.since - FORGOTTEN})
            connection.execute(outbox.DROP_PUSHES, {"who": device.player})
            connection.execute(say.ADD_DEVICE, msgspec.structs.asdict(device))

    def note_device_use(self, device: str, at: float) -> None:
        """Note when a device was last used."""
        with self.writing() as connection:
            connection.execute(say.SEEN, {"of": device, "now": at})

    def end_devices(self, player: str, only: str | None = None, but: str | None = None) -> int:
        """Sign out one device, all, or all but one, and return how many that were.

        With several, the codes end too.  A form that signed one of them in cannot be sent once more.
        """
        statement = say.END_DEVICES if only is but is None else say.END_DEVICE if only else say.END_OTHERS
        with self.writing() as connection:
            ended = connection.execute(statement, {"who": player, "of": only or but}).rowcount
            # Nor does a code that one of them gave out make another, or a form that is sent once more.
            if only is None:
                connection.execute(say.DROP_CODES, {"who": player, "now": 0})
            if ended:
                connection.execute(say.AGE_RECEIPTS, {"who": player, "by": SECOND_CLICK})
            connection.execute(outbox.DROP_PUSHES, {"who": player})
        return ended

    # -- accounts ------------------------------------------------------------------

    def account(self, login: str) -> Account | None:
        """Return the account with this name to sign in with."""
        with self.reading() as connection:
            row = connection.execute(say.ACCOUNT, {"of": login}).first()
        return Account(*row) if row else None

    def account_of(self, player: str) -> Account | None:
        """Return the account of a person."""
        with self.reading() as connection:
            return account_of(connection, player)

    def open_account(self, account: Account, player: Player) -> None:
        """Keep an account, and whose it is.  Raises Refused: LOGIN_TAKEN, HAS_ACCOUNT, GONE."""
        with self.writing() as connection:
            keep_player(connection, player)
            if account_of(connection, account.player):
                raise Refused(IdentityRefusal.HAS_ACCOUNT)
            values = msgspec.structs.asdict(account)
            if connection.execute(say.ADD_ACCOUNT(connection), values).first() is None:
                raise Refused(IdentityRefusal.LOGIN_TAKEN)

    def set_password(self, player: str, before: str, after: str, at: float) -> bool:
        """Keep another hash instead of the one that was read; return False if that has changed meanwhile."""
        with self.writing() as connection:
            values = {"who": player, "before": before, "after": after, "now": at}
            return connection.execute(say.SET_PASSWORD, values).rowcount == 1

    def passkeys(self, player: str) -> list[Passkey]:
        """Return the passkeys of a person, the oldest first."""
        with self.reading() as connection:
            return [Passkey(*row) for row in connection.execute(say.PASSKEYS, {"who": player})]

    def passkey(self, id: str) -> Passkey | None:
        """Return a passkey by its own id."""
        with self.reading() as connection:
            row = connection.execute(say.PASSKEY, {"of": id}).first()
        return Passkey(*row) if row else None

    def add_passkey(self, passkey: Passkey) -> None:
        """Keep a passkey.  Raises Refused: GONE, TOO_MANY_KEYS; WRONG_PASSKEY if it is kept already."""
        with self.writing() as connection:
            must_be_here(connection, passkey.player)
            if len(connection.execute(say.PASSKEYS, {"who": passkey.player}).all()) >= MOST_PASSKEYS:
                raise Refused(IdentityRefusal.TOO_MANY_KEYS, most=MOST_PASSKEYS)
            values = msgspec.structs.asdict(passkey)
            if connection.execute(say.ADD_PASSKEY(connection), values).first() is None:
                raise Refused(IdentityRefusal.WRONG_PASSKEY)

    def used_passkey(self, id: str, before: int, uses: int, at: float) -> bool:
        """Note a use; return False if the passkey's count is no longer what it was."""
        with self.writing() as connection:
            values = {"of": id, "before": before, "after": uses, "now": at}
            return connection.execute(say.USED_PASSKEY, values).rowcount == 1

    def drop_passkey(self, player: str, id: str) -> None:
        """Delete a passkey of a person."""
        with self.writing() as connection:
            connection.execute(say.DROP_PASSKEY, {"who": player, "of": id})

    # -- codes ---------------------------------------------------------------------

    def give_code(self, hashed: str, player: str, expires: float, now: float) -> None:
        """Keep a code instead of all codes the person had."""
        with self.writing() as connection:
            must_be_here(connection, player)
            connection.execute(say.DROP_CODES, {"who": player, "now": now})
            connection.execute(say.ADD_CODE, {"code_hash": hashed, "player": player, "expires": expires})

    def spend_code(self, hashed: str, by: str, now: float) -> str | None:
        """Return whose code it is, once; the same form (`by`) gets the same answer again."""
        with self.writing() as connection:
            player: str | None = connection.scalar(say.SPEND_CODE, {"of": hashed, "form": by, "now": now})
        return player

    def link_of(self, player: str) -> PersonalLink | None:
        """Return the personal link of a person."""
        with self.reading() as connection:
            row = connection.execute(say.LINK_OF, {"who": player}).first()
        return PersonalLink(*row) if row else None

    def keep_link(self, link: PersonalLink) -> None:
        """Keep a personal link instead of the one they had.  Raises Refused(GONE)."""
        with self.writing() as connection:
            must_be_here(connection, link.player)
            connection.execute(say.KEEP_LINK(connection), msgspec.structs.asdict(link))

    def first_use(self, hashed: str, expires: float, now: float) -> bool:
        """Return whether this was never seen before; it is remembered until it expires."""
        with self.writing() as connection:
            connection.execute(say.DROP_CODES, {"who": "", "now": now})
            values = {"code_hash": hashed, "player": "nobody", "expires": expires, "used_by": "once"}
            return connection.execute(say.FIRST_USE(connection), values).first() is not None

    # -- one person becomes another ----------------------------------------------------

    def traces(self, player: str) -> list[str]:
        """Return the tables at which anything is kept of a person."""
        return self.scalars(say.TRACES, who=player)

    def said_by(self, player: str) -> list[tuple[str, str, float]]:
        """Return table, words (or the name of a phrase) and time of all they said, the oldest first."""
        with self.reading() as connection:
            rows = connection.execute(say.SAID_BY, {"who": player}).all()
        return [(table, text or phrase, at) for table, text, phrase, at in rows]

    def notes_of(self, player: str) -> list[PrivateNote]:
        """Return what a person has noted for themselves."""
        with self.reading() as connection:
            rows = connection.execute(say.NOTES_OF, {"who": player}).all()
        return [PrivateNote(table, text, None if seat < 0 else seat) for table, text, seat in rows]

    def tournaments_of(self, player: str) -> list[TournamentEntry]:
        """Return the tournaments that a person plays in or organises, the oldest first."""
        with self.reading() as connection:
            return [TournamentEntry(*row) for row in connection.execute(ENTERED, {"who": player})]

    def marks(self, player: str) -> list[ActivityRecord]:
        """Return every time that is kept of a person and says no more."""
        who = {"who": player}
        with self.reading() as connection:
            return [
                ActivityRecord(kind, *row)
                for kind, statement in say.MARKS.items()
                for row in connection.execute(statement, who)
            ]

    def retire(self, player: str, into: str | None, entry: AuditEntry | None = None) -> bool:
        """End a person; what is left of them becomes another's, or is erased.

        `entry`: what the audit log tells of it, where a host of the site has them erased.

        Returns False, and nothing is done, while anything is kept of them at a table or in a rating.
        Raises Refused(GONE), or HAS_ACCOUNT if one who is to become another is a guest no longer.
        """
        who = {"who": player}
        with self.writing() as connection:
            lock_tournaments_of(connection, player)
            # Always in the same order, so that two such transactions wait for each other and do not block.
            for each in sorted(filter(None, (player, into))):
                must_be_here(connection, each)
            if connection.scalar(say.TRACES, who) or connection.scalar(say.RATED_GAMES, who):
                return False
            if into:
                if account_of(connection, player) or connection.execute(say.PASSKEYS, who).first():
                    raise Refused(IdentityRefusal.HAS_ACCOUNT)
                move_mutes(connection, player, into)
                hand_tournaments_over(connection, player, into)
            else:
                forget_tournaments(connection, player)
            for deletion in (
                say.DROP_MUTES,
                say.END_DEVICES,
                say.DROP_ACCOUNT,
                say.DROP_PASSKEYS,
                say.DROP_LINK,
                say.DROP_TOKENS,
                say.DROP_VACATIONS,
            ):
                connection.execute(deletion, who)
            for statement in outbox.FORGET:
                connection.execute(statement, who)
            connection.execute(say.DROP_CODES, {**who, "now": 0})
            connection.execute(say.RETIRE, {"of": player, "nowhere": token_hex(8)})
            if into is None:
                forget_reasons(connection, public_id(player))
            if entry:
                add_entry(connection, entry)
        return True


# -- inside a transaction --------------------------------------------------------


def player_of(row: Any) -> Player:
    id, name, created, preferences, gone, ban = row
    return Player(id, name, created, decode_preferences(preferences), gone, ban_of(ban))


def ban_of(body: str | None) -> Ban | None:
    return decode_ban(body) if body else None


def player_values(player: Player) -> dict[str, Any]:
    if is_bot(player.id):  # no road leads to a session, a link or a token of a bot
        raise Refused(IdentityRefusal.GONE)
    values = {**msgspec.structs.asdict(player), "public": player.public}
    del values["ban"]  # a host's act alone writes it
    return {**values, "preferences": json(player.preferences)}


def keep_player(connection: Connection, player: Player) -> None:
    """Keep a person, new or with a new name.  Raises Refused(GONE)."""
    # Of two who keep the same new person at once, PostgreSQL may refuse the second at any index.
    values = player_values(player)
    added = connection.execute(say.ADD_PLAYER(connection), values).first()
    if added is None and connection.execute(say.KEEP_PLAYER(connection), values).first() is None:
        raise Refused(IdentityRefusal.GONE)


def add_player(connection: Connection, player: Player) -> None:
    """Add a person, unless they are kept already."""
    connection.execute(say.ADD_PLAYER(connection), player_values(player))


def must_be_here(connection: Connection, player: str) -> Player:
    """Return a person and lock their row until the transaction ends.  Raises Refused(GONE)."""
    row = connection.execute(say.LOCK_PLAYER, {"of": player}).first()
    if row is None:
        raise Refused(IdentityRefusal.GONE)
    return player_of(row)


def account_of(connection: Connection, player: str) -> Account | None:
    row = connection.execute(say.ACCOUNT_OF, {"who": player}).first()
    return Account(*row) if row else None


def add_traces(connection: Connection, table: str, players: set[str]) -> None:
    players = {player for player in players if not is_bot(player)}
    if players:
        rows = [{"table_id": table, "player": player} for player in sorted(players)]
        connection.execute(say.ADD_TRACE(connection), rows)


def hand_over(connection: Connection, table: str, record: str, old: str, new: str) -> None:
    """Give what is kept beside a table of one person to another; two notes become one."""
    table_values = {"of": table, "who": old, "new": new}
    for statement in say.HAND_OVER.values():
        connection.execute(statement, table_values)
    theirs = {seat: note for seat, note in connection.execute(say.NOTES_HERE, {"of": table, "who": new})}
    for seat, note in connection.execute(say.NOTES_HERE, table_values).all():
        text = f"{theirs[seat]}\n\n{note}" if theirs.get(seat) else note
        values = {"table_id": table, "player": new, "text": text, "seat": seat}
        connection.execute(say.KEEP_NOTE(connection), values)
    connection.execute(say.DROP_NOTE, table_values)
    if record:
        record_values = {"of": record, "who": old, "new": new}
        connection.execute(say.DROP_DOUBLE, record_values)
        connection.execute(say.MOVE_SITTER, record_values)
    rows = connection.execute(SEEN, {"of": table})
    until = {player: until for player, until in rows if player in (old, new)}
    connection.execute(DROP_SEEN, table_values)
    if old in until:
        values = {"table_id": table, "player": new, "until": max(until.values())}
        connection.execute(SEE(connection), values)
    connection.execute(say.DROP_TRACE, table_values)
    add_traces(connection, table, {new})


def forget(connection: Connection, table: str, record: str, player: str, flags: list[str]) -> None:
    """Delete what a person said and noted at a table, and their name; `flags` are the seats' own names."""
    values = {"of": table, "who": player}
    connection.execute(say.FORGET_SAID, values)
    connection.execute(DROP_SEEN, values)
    connection.execute(say.DROP_NOTE, values)
    if record:
        seats = [{"of": record, "who": player, "where": at, "flag": flag} for at, flag in enumerate(flags)]
        connection.execute(say.UNNAME_SITTER, seats)


def move_mutes(connection: Connection, old: str, new: str) -> None:
    """Give the pairs of people who do not read each other from one person to another."""
    for pair in connection.execute(say.MUTES, {"who": old}).all():
        player, other = (new if each == old else each for each in pair)
        if player != other:
            connection.execute(say.ADD_MUTE(connection), {"player": player, "other": other})
