"""All that is kept of a person, as one file for them: what is theirs, and what they may see beside it."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec

from strifebarge.people.models import ActivityRecord
from strifebarge.people.ports import AccountRepository, EndedGames, Notices
from strifebarge.people.tokens import Tokens
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import RUNNING, Status, Table
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.view import View
from strifebarge.tables.view.perspective import perspective, secret

FORMAT = "strifebarge person 1"
PlainTextRenderer = Callable[[Any, View], str]


class DataSources(NamedTuple):
    """Where the data of a person are kept."""

    accounts: AccountRepository
    tokens: Tokens
    referee: Referee
    results: EndedGames
    notifications: Notices


def data_of(sources: DataSources, player: Player, plain_text: PlainTextRenderer) -> dict[str, Any]:
    """Return all that is kept of a person, ready for JSON; times are seconds since 1970, UTC.

    `plain_text` tells a line of a log to this person.  No secrets are in here, not even their own: nobody can
    sign in with what it says.
    """
    repository, tables = sources.accounts, sources.referee.store
    return {
        "format": FORMAT,
        "me": _profile(repository, sources.tokens, player),
        "ratings": sources.results.data_of(player.id),
        "tables": [
            _table(sources, player.id, tables.table(id), plain_text) for id in repository.traces(player.id)
        ],
        "chat": [
            {"table": table, "text": text, "at": at} for table, text, at in repository.said_by(player.id)
        ],
        "notes": [msgspec.to_builtins(each) for each in repository.notes_of(player.id)],
        "tournaments": [msgspec.to_builtins(each) for each in repository.tournaments_of(player.id)],
        "vacations": [{"began": each.began, "until": each.until} for each in tables.vacations([player.id])],
        "notices": sources.notifications.data_of(player.id),
        "not_read": sorted(repository.names_of(sorted(tables.muted_by(player.id))).values()),
        "times": _times(repository.marks(player.id)),
    }


def _profile(repository: AccountRepository, tokens: Tokens, player: Player) -> dict[str, Any]:
    account, link = repository.account_of(player.id), repository.link_of(player.id)
    return {
        "name": player.name,
        "page": player.public,
        "since": player.created,
        "preferences": player.preferences,
        "ban": msgspec.to_builtins(player.ban),
        "login": account.login if account else None,
        "account_since": account.since if account else None,
        "password_changed": account.changed if account else None,
        "personal_link": {"created": link.created, "last_used": link.last_used, "stands": link.stands}
        if link
        else None,
        "passkeys": [
            {"name": each.name, "since": each.since, "last_used": each.last_used or None}
            for each in repository.passkeys(player.id)
        ],
        "tokens": [
            {
                "name": each.name,
                "scopes": each.scopes,
                "since": each.since,
                "last_used": each.last_used or None,
            }
            for each in tokens.list_for(player.id)
        ],
        "devices": [
            {"name": each.name, "since": each.since, "last_seen": each.last_seen}
            for each in repository.devices(player.id)
        ],
    }


def _times(marks: Iterable[ActivityRecord]) -> dict[str, list[dict[str, Any]]]:
    """Return by kind the times that are kept of a person with nothing else."""
    times: dict[str, list[dict[str, Any]]] = {}
    for each in marks:
        times.setdefault(each.kind, []).append({"table": each.table, "at": each.at})
    return times


def _table(sources: DataSources, player: str, table: Table, plain_text: PlainTextRenderer) -> dict[str, Any]:
    """Return what a table knows of a person; one who never had a seat there learns nothing else of it."""
    own_seats = [chair.seat for chair in table.chairs_of(player)]
    had = [chair.seat for chair in table.chairs if player in chair.sat]
    payload = {"id": table.id, "game": table.game, **_other_parts(table, player)}
    if not own_seats and not had:
        return payload
    payload |= {
        "status": table.status,
        "options": table.settings.options,
        "players": [[name for _, name in chair.people] for chair in table.chairs],
        "my_seats": own_seats,
        "my_names": [table.chairs[seat].name_of(player) for seat in own_seats],
        "seats_i_had": had,
        "deadlines_i_missed": sorted(at for chair in table.chairs for at in chair.missed.get(player, ())),
        "started": table.times.started,
        "ended": table.times.ended,
    }
    if table.game not in sources.referee.library.titles:
        return payload
    if table.status is Status.OVER and table.ending.record:
        return {**payload, "record": sources.results.record_data(table.id)}
    if own_seats and table.status in RUNNING:
        payload["my_moves"] = _moves(sources.referee, player, table)
        payload["log"] = _log(sources.referee, player, table.id, plain_text)
    return payload


def _other_parts(table: Table, player: str) -> dict[str, Any]:
    """Return what somebody is at a table beside having a seat."""
    invited = table.invited.get(player)
    parts = {
        "host": table.host == player,
        "invited_by": invited.inviter if invited else None,
        "invited_with": invited.message if invited else "",
        "declined": invited.declined if invited else False,
        "i_invited": [each.name for each in table.invited.values() if each.by == player],
        "i_invited_with": [
            each.message for each in table.invited.values() if each.by == player and each.message
        ],
        "substitute_for": [
            chair.seat for chair in table.chairs if chair.substitute and chair.substitute.player == player
        ],
    }
    return {what: value for what, value in parts.items() if value}


def _moves(referee: Referee, player: str, table: Table) -> list[dict[str, Any]]:
    """Return the moves of a person's seats in a running game, and which of several in a seat made each.

    Where several play at one device and may not see what each does, it is none before the end.
    """
    title, own_seats = referee.library.of(table), [chair.seat for chair in table.chairs_of(player)]
    if len(own_seats) > 1 and secret(table, title, own_seats):
        return []
    if (
        len(own_seats) == 1 and perspective(table, title, player).eyes is None
    ):  # not before the others have agreed to it
        return []
    return [
        {"number": row.number, "seat": row.seat, "action": row.action, "at": row.at}
        | ({"by": row.by} if row.by else {})
        for row in referee.store.rows(table.id, 0, max(table.position.number, table.position.reached[0]))
        if row.seat in own_seats
    ]


def _log(referee: Referee, player: str, id: str, plain_text: PlainTextRenderer) -> list[str]:
    try:
        view = referee.views.log(player, id)
    except Refused:
        return []
    return [plain_text(line.text, view) for line in view.lines]
