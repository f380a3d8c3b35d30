"""All that is kept of a person, as one file for them: what is theirs, and what they may see beside it."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec

from strifebarge.people.models import Mark
from strifebarge.people.ports import AccountRepository, EndedGames, Notices
from strifebarge.people.tokens import Tokens
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import RUNNING, Status, Table
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.view import View
from strifebarge.tables.view.perspective import perspective, secret

FORMAT = "strifebarge person 1"
Words = Callable[[Any, View], str]


class Sources(NamedTuple):
    """Where the data of a person are kept."""

    accounts: AccountRepository
    tokens: Tokens
    referee: Referee
    results: EndedGames
    notifications: Notices


def data_of(sources: Sources, player: Player, words: Words) -> dict[str, Any]:
    """Return all that is kept of a person, ready for JSON; times are seconds since 1970, UTC.

    `words` tells a line of a log to this person.  No secrets are in here, not even their own: nobody can
    sign in with what it says.
    """
    kept, tables = sources.accounts, sources.referee.store
    return {
        "format": FORMAT,
        "me": _me(kept, sources.tokens, player),
        "ratings": sources.results.data_of(player.id),
        "tables": [_table(sources, player.id, tables.table(id), words) for id in kept.traces(player.id)],
        "said": [{"table": table, "text": text, "at": at} for table, text, at in kept.said_by(player.id)],
        "notes": [msgspec.to_builtins(each) for each in kept.notes_of(player.id)],
        "tournaments": [msgspec.to_builtins(each) for each in kept.tournaments_of(player.id)],
        "vacations": [{"began": each.began, "until": each.until} for each in tables.vacations([player.id])],
        "notices": sources.notifications.data_of(player.id),
        "not_read": sorted(kept.names_of(sorted(tables.muted_by(player.id))).values()),
        "times": _times(kept.marks(player.id)),
    }


def _me(kept: AccountRepository, tokens: Tokens, player: Player) -> dict[str, Any]:
    account, link = kept.account_of(player.id), kept.link_of(player.id)
    return {
        "name": player.name,
        "page": player.public,
        "since": player.created,
        "preferences": player.preferences,
        "ban": msgspec.to_builtins(player.ban),
        "login": account.login if account else None,
        "account_since": account.since if account else None,
        "password_changed": account.changed if account else None,
        "personal_link": {"made": link.made, "used": link.used, "stands": link.stands} if link else None,
        "passkeys": [
            {"name": each.name, "since": each.since, "seen": each.seen} for each in kept.passkeys(player.id)
        ],
        "tokens": [
            {"name": each.name, "scopes": each.scopes, "since": each.since, "seen": each.seen}
            for each in tokens.of(player.id)
        ],
        "devices": [
            {"name": each.name, "since": each.since, "seen": each.seen} for each in kept.devices(player.id)
        ],
    }


def _times(marks: Iterable[Mark]) -> dict[str, list[dict[str, Any]]]:
    """Return by kind the times that are kept of a person with nothing else."""
    times: dict[str, list[dict[str, Any]]] = {}
    for each in marks:
        times.setdefault(each.kind, []).append({"table": each.table, "at": each.at})
    return times


def _table(sources: Sources, player: str, table: Table, words: Words) -> dict[str, Any]:
    """Return what a table knows of a person; one who never had a seat there learns nothing else of it."""
    mine = [chair.seat for chair in table.chairs_of(player)]
    had = [chair.seat for chair in table.chairs if player in chair.sat]
    told = {"id": table.id, "game": table.game, **_other_parts(table, player)}
    if not mine and not had:
        return told
    told |= {
        "status": table.status,
        "options": table.settings.options,
        "players": [[name for _, name in chair.people] for chair in table.chairs],
        "my_seats": mine,
        "my_names": [table.chairs[seat].name_of(player) for seat in mine],
        "seats_i_had": had,
        "deadlines_i_missed": sorted(at for chair in table.chairs for at in chair.missed.get(player, ())),
        "started": table.times.started,
        "ended": table.times.ended,
    }
    if table.game not in sources.referee.library.titles:
        return told
    if table.status is Status.OVER and table.ending.record:
        return {**told, "record": sources.results.record_data(table.id)}
    if mine and table.status in RUNNING:
        told["my_moves"] = _moves(sources.referee, player, table)
        told["log"] = _log(sources.referee, player, table.id, words)
    return told


def _other_parts(table: Table, player: str) -> dict[str, Any]:
    """Return what somebody is at a table beside having a seat."""
    asked = table.invited.get(player)
    parts = {
        "host": table.host == player,
        "invited_by": asked.inviter if asked else None,
        "invited_with": asked.message if asked else "",
        "declined": asked.declined if asked else False,
        "i_invited": [each.name for each in table.invited.values() if each.by == player],
        "i_invited_with": [
            each.message for each in table.invited.values() if each.by == player and each.message
        ],
        "substitute_for": [
            chair.seat for chair in table.chairs if chair.substitute and chair.substitute.player == player
        ],
    }
    return {what: told for what, told in parts.items() if told}


def _moves(referee: Referee, player: str, table: Table) -> list[dict[str, Any]]:
    """Return the moves of a person's seats in a running game, and which of several in a seat made each.

    Where several play at one device and may not see what each does, it is none before the end.
    """
    title, mine = referee.library.of(table), [chair.seat for chair in table.chairs_of(player)]
    if len(mine) > 1 and secret(table, title, mine):
        return []
    if (
        len(mine) == 1 and perspective(table, title, player).eyes is None
    ):  # not before the others have agreed to it
        return []
    return [
        {"number": row.number, "seat": row.seat, "action": row.action, "at": row.at}
        | ({"by": row.by} if row.by else {})
        for row in referee.store.rows(table.id, 0, max(table.position.number, table.position.reached[0]))
        if row.seat in mine
    ]


def _log(referee: Referee, player: str, id: str, words: Words) -> list[str]:
    try:
        view = referee.views.log(player, id)
    except Refused:
        return []
    return [words(line.text, view) for line in view.lines]
