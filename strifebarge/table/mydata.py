"""All that is kept of a person, as one file for them: what is theirs, and what they may see beside it."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.rules import Refused

from .person import Mark, Player
from .record import bare_record_of
from .referee import Referee
from .sight import secret, sight
from .table import RUNNING, Status, Table
from .view import View

FORMAT = "strifebarge person 1"
Words = Callable[[Any, View], str]


def data_of(referee: Referee, player: Player, words: Words) -> dict[str, Any]:
    """Ready for JSON; times are seconds since 1970, UTC.  `words` tells a line of a log to this person.

    No secrets are in here, not even their own: nobody can sign in with what it says.
    """
    store = referee.store
    return {
        "format": FORMAT,
        "me": _me(referee, player),
        "ratings": [
            {"game": each.game, **msgspec.to_builtins(each.rating)}
            for each in store.tallies(player.id)
            if each.rating
        ],
        "tables": [
            _table(referee, player.id, table, words) for table in map(store.table, store.traces(player.id))
        ],
        "said": [{"table": table, "text": text, "at": at} for table, text, at in store.said_by(player.id)],
        "notes": [msgspec.to_builtins(each) for each in store.notes_of(player.id)],
        "vacations": [{"began": each.began, "until": each.until} for each in store.vacations([player.id])],
        "notices": {
            "wanted": _without_secrets(store.outbox.reader(player.id)),
            "addresses": [_without_secrets(each) for each in store.outbox.addresses(player.id)],
            "letters": [_without_secrets(each) for each in store.outbox.letters_for(player.id)],
        },
        "not_read": sorted(store.names_of(sorted(store.muted_by(player.id))).values()),
        "times": _times(store.marks(player.id)),
    }


def _me(referee: Referee, player: Player) -> dict[str, Any]:
    store = referee.store
    account, link = store.account_of(player.id), store.link_of(player.id)
    return {
        "name": player.name,
        "page": player.public,
        "since": player.created,
        "preferences": player.preferences,
        "login": account.login if account else None,
        "account_since": account.since if account else None,
        "password_changed": account.changed if account else None,
        "personal_link": {"made": link.made, "used": link.used, "stands": link.stands} if link else None,
        "passkeys": [
            {"name": each.name, "since": each.since, "seen": each.seen} for each in store.passkeys(player.id)
        ],
        "devices": [
            {"name": each.name, "since": each.since, "seen": each.seen} for each in store.devices(player.id)
        ],
    }


def _without_secrets(kept: Struct | None) -> dict[str, Any] | None:
    """What somebody has chosen or is told, but not their own secret id, nor that of an address."""
    return {k: v for k, v in msgspec.to_builtins(kept).items() if k not in ("player", "id")} if kept else None


def _times(marks: Iterable[Mark]) -> dict[str, list[dict[str, Any]]]:
    """When they did what is kept with nothing but its time, by what it was."""
    times: dict[str, list[dict[str, Any]]] = {}
    for each in marks:
        times.setdefault(each.kind, []).append({"table": each.table, "at": each.at})
    return times


def _table(referee: Referee, player: str, table: Table, words: Words) -> dict[str, Any]:
    """What a table knows of somebody; who never had a seat there is told no more than that it does."""
    mine = [chair.seat for chair in table.chairs_of(player)]
    had = [chair.seat for chair in table.chairs if player in chair.sat]
    told = {"id": table.id, "game": table.game, **_other_parts(table, player)}
    if not mine and not had:
        return told
    told |= {
        "status": table.status,
        "options": table.options,
        "players": [[name for _, name in chair.people] for chair in table.chairs],
        "my_seats": mine,
        "my_names": [table.chairs[seat].name_of(player) for seat in mine],
        "seats_i_had": had,
        "deadlines_i_missed": sorted(at for chair in table.chairs for at in chair.missed.get(player, ())),
        "started": table.started,
        "ended": table.ended,
    }
    if table.game not in referee.library.titles:
        return told
    if table.status is Status.OVER and table.record:
        return {**told, "record": msgspec.to_builtins(bare_record_of(referee, table.id))}
    if mine and table.status in RUNNING:
        told["my_moves"] = _moves(referee, player, table)
        told["log"] = _log(referee, player, table.id, words)
    return told


def _other_parts(table: Table, player: str) -> dict[str, Any]:
    """What somebody is at a table beside having a seat."""
    asked = table.invited.get(player)
    parts = {
        "host": table.host == player,
        "invited_by": asked.inviter if asked else None,
        "declined": asked.declined if asked else False,
        "i_invited": [each.name for each in table.invited.values() if each.by == player],
        "substitute_for": [
            chair.seat for chair in table.chairs if chair.substitute and chair.substitute.player == player
        ],
    }
    return {what: told for what, told in parts.items() if told}


def _moves(referee: Referee, player: str, table: Table) -> list[dict[str, Any]]:
    """The moves of their seats in a running game: who of several in a seat made each is said there.

    Where several play at one device and may not see what each does, it is none before the end.
    """
    title, mine = referee.library.of(table), [chair.seat for chair in table.chairs_of(player)]
    if len(mine) > 1 and secret(table, title, mine):
        return []
    if len(mine) == 1 and sight(table, title, player).eyes is None:  # not before the others have agreed to it
        return []
    return [
        {"number": row.number, "seat": row.seat, "action": row.action, "at": row.at}
        | ({"by": row.by} if row.by else {})
        for row in referee.store.rows(table.id, 0, max(table.number, table.reached[0]))
        if row.seat in mine
    ]


def _log(referee: Referee, player: str, id: str, words: Words) -> list[str]:
    try:
        view = referee.log(player, id)
    except Refused:
        return []
    return [words(line.text, view) for line in view.lines]
