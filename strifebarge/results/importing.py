"""Bring a game here from a file: the record is played again and kept as a table that is over."""

from hashlib import sha256

import msgspec

from strifebarge.results.record import RecordRefusal, WrongRecord, read_record
from strifebarge.results.replaying import replay
from strifebarge.rules import Refused
from strifebarge.tables.model.names import LONGEST, code_of, tidy_name
from strifebarge.tables.model.parts import Ending, PlayedBy, Position, TableSettings, Times
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Chair, Table
from strifebarge.tables.play.game import close
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.turn import FormToken, Turn


def bring(referee: Referee, player: Player, data: bytes, form: FormToken) -> Table:
    """Keep a game that was played elsewhere as a table that is over, with free seats.

    The player is kept with the receipt, so that the same form again gets the same table.
    Raises WrongRecord and leaves no trace.
    """
    record = read_record(data)
    again = replay(record, referee.library)
    now, title = referee.now(), referee.library[record.game].edition(record.rules_version)
    table = Table(
        id=code_of(referee.entropy(5)),
        game=record.game,
        seed=record.seed,
        chairs=[_chair(seat, name) for seat, name in enumerate(record.names)],
        rules_version=title.version,
        played_by=PlayedBy(sources=title.sources, loaded=referee.library.loaded),
        settings=TableSettings(options=dict(msgspec.to_builtins(again.match.game.options))),
        position=Position(number=again.match.number, reached=again.rows[-1].ledger_position),
        ending=Ending(result=again.match.result, unfinished=not record.finished),
        times=Times(created=now, changed=now, started=record.started),
        imported=True,
    )
    receipt = form.receipt("import", player.id, sha256(data).hexdigest(), now)

    def keep(turn: Turn) -> None:
        turn.snapshots += again.snapshots
        turn.rows += again.rows
        close(turn, record.ended)

    return referee.open(table, receipt, player, keep)


def _chair(seat: int, name: str) -> Chair:
    """Return a chair with a name from the record; a flag's own name is left out."""
    chair = Chair(seat)
    try:
        tidy = tidy_name(name)
    except Refused as no:
        raise WrongRecord(RecordRefusal.WRONG_NAMES, most=LONGEST) from no
    return chair if tidy == chair.called else Chair(seat, name=tidy)
