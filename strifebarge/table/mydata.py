"""All that is kept of a person, as one file for them: what is theirs, and what they may see beside it."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.rules import Refused

from .person import Player
from .record import bare_record_of
from .referee import Referee
from .table import RUNNING, Status, Table
from .view import View

FORMAT = "strifebarge person 1"
Words = Callable[[Any, View], str]


def data_of(referee: Referee, player: Player, words: Words) -> dict[str, Any]:
    """Ready for JSON; times are seconds since 1970, UTC.  `words` tells a line of a log to this person.

    No secrets are in here, not even their own: nobody can sign in with what it says.
    """
    store = referee.store
    account = store.account_of(player.id)
    return {
        "format": FORMAT,
        "me": {
            "name": player.name,
            "page": player.public,
            "since": player.created,
            "preferences": player.preferences,
            "login": account.login if account else None,
            "password_changed": account.changed if account else None,
            "passkeys": [
                {"name": each.name, "since": each.since, "seen": each.seen}
                for each in store.passkeys(player.id)
            ],
            "devices": [
                {"name": each.name, "since": each.since, "seen": each.seen}
                for each in store.devices(player.id)
            ],
        },
        "ratings": [
            {"game": each.game, **msgspec.to_builtins(each.rating)}
            for each in store.tallies(player.id)
            if each.rating
        ],
        "tables": [
            _table(referee, player.id, table, words) for table in map(store.table, store.traces(player.id))
        ],
        "said": [{"table": table, "text": text, "at": at} for table, text, at in store.said_by(player.id)],
        "notes": [{"table": table, "text": text} for table, text in store.notes_of(player.id)],
        "vacations": [{"began": each.began, "until": each.until} for each in store.vacations([player.id])],
        "notices": {
            "wanted": _without_secrets(store.outbox.reader(player.id)),
            "addresses": [_without_secrets(each) for each in store.outbox.addresses(player.id)],
        },
        "not_read": sorted(store.names_of(sorted(store.muted_by(player.id))).values()),
    }


def _without_secrets(kept: Struct | None) -> dict[str, Any] | None:
    """What somebody has chosen, but not their own secret id, nor that of an address."""
    return {k: v for k, v in msgspec.to_builtins(kept).items() if k not in ("player", "id")} if kept else None


def _table(referee: Referee, player: str, table: Table, words: Words) -> dict[str, Any]:
    chair = table.chair_of(player)
    told: dict[str, Any] = {
        "id": table.id,
        "game": table.game,
        "status": table.status,
        "options": table.options,
        "players": [each.called if each.player else None for each in table.chairs],
        "my_seat": chair.seat if chair else None,
        "seats_i_had": [each.seat for each in table.chairs if player in each.sat],
        "started": table.started,
        "ended": table.ended,
    }
    if chair is None and not told["seats_i_had"]:
        return {"id": table.id, "game": table.game}  # only watched, or not yet begun
    if table.game not in referee.library.titles:
        return told
    if table.status is Status.OVER and table.record:
        return {**told, "record": msgspec.to_builtins(bare_record_of(referee, table.id))}
    if chair and table.status in RUNNING:
        told["my_moves"] = [
            {"number": row.number, "action": row.action, "at": row.at}
            for row in referee.store.rows(table.id, 0, max(table.number, table.reached[0]))
            if row.seat == chair.seat
        ]
        told["log"] = _log(referee, player, table.id, words)
    return told


def _log(referee: Referee, player: str, id: str, words: Words) -> list[str]:
    try:
        view = referee.log(player, id)
    except Refused:
        return []
    return [words(line.text, view) for line in view.lines]
