"""Make the record of a game that is over from its table, its ledger and its entry."""

from msgspec import UNSET

from strifebarge.results.models import Entry
from strifebarge.results.record import FORMAT, BotPlayed, Record, RecordedMove
from strifebarge.rules.chance import commitment
from strifebarge.tables.model.bots import level_of
from strifebarge.tables.model.log import went_back
from strifebarge.tables.model.player import public_id
from strifebarge.tables.model.ports import Row
from strifebarge.tables.model.table import Table


def record_from(table: Table, entry: Entry, rows: list[Row]) -> Record:
    """Return the record of an ended game without its draws; `rows` is its whole ledger."""
    played, agreed = _played(rows), table.played_by.agreed
    return Record(
        format=FORMAT,
        game=table.game,
        rules_version=table.rules_version,
        options=table.settings.options,
        names=[chair.called for chair in table.chairs],
        seed=table.seed,
        commitment=commitment(table.seed),
        places=table.ending.result.places if table.ending.result else [],
        moves=[
            RecordedMove(number, row.seat, row.action, row.fingerprint, row.at)
            for number, row in enumerate(played, 1)
            if row.seat is not None and row.action is not None
        ],
        started=table.times.started,
        ended=table.times.ended,
        finished=table.ending.result is not None,
        rated=entry.rated is not None,
        people=people_of(entry, len(table.chairs)),
        sources=table.played_by.sources or UNSET,
        bots=_bots(table, played) or UNSET,
        agreed=sum(row.ledger_position <= agreed.last_position for row in played if row.seat is not None)
        if agreed
        else UNSET,
    )


def _bots(table: Table, played: list[Row]) -> list[BotPlayed]:
    """Return which seats bots played, by the numbers that moves have in the record."""

    def recorded(number: int) -> int:
        return sum(row.number <= number for row in played)

    return [
        BotPlayed(
            chair.seat,
            level_of(spell.bot),
            recorded(spell.after),
            None if spell.until is None else recorded(spell.until),
        )
        for chair in table.chairs
        for spell in chair.spells
    ]


def _played(rows: list[Row]) -> list[Row]:
    """Return the moves of a ledger, undone ones and undos included.

    Moves after the point to which a suspended game went back are left out: by today's rules they were never
    made, and the moves after them are numbered anew.
    """
    played: list[Row] = []
    for row in rows:
        if (to := went_back(row)) is not None:
            played = [each for each in played if each.number <= to]
        else:
            played.append(row)
    return played


def people_of(entry: Entry, seats: int) -> list[list[str]]:
    """Return by seat the public ids of everybody who sat there; nothing if the game is not public."""
    if not entry.public:
        return []
    return [[public_id(each.player) for each in entry.in_seat(seat)] for seat in range(seats)]
