"""Bring a game here from a file: the record is played again and kept as a table that is over."""

from hashlib import sha256
from itertools import combinations

import msgspec

from strifebarge.lib.lookalikes import alike
from strifebarge.results.record import RecordRefusal, WrongRecord, read_record
from strifebarge.results.replaying import replay
from strifebarge.rules import Refused
from strifebarge.tables.model.bots import parts_of_name
from strifebarge.tables.model.names import chosen_name, code_of
from strifebarge.tables.model.parts import Ending, PlayedBy, Position, TableSettings, Times
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Chair, Table, TableRefusal
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
        chairs=_chairs(record.names),
        rules_version=title.version,
        played_by=PlayedBy(sources=title.sources, loaded=referee.library.loaded),
        settings=TableSettings(options=dict(msgspec.to_builtins(again.match.game.options))),
        position=Position(
            number=again.match.number, reached=again.rows[-1].ledger_position, rows=len(again.rows)
        ),
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


def _chairs(names: list[str]) -> list[Chair]:
    """Return chairs with the names of a record, which are judged as everybody's; a flag's own is left out.

    A bot's name is allowed, and the same name in several seats, which one person may have.
    Raises WrongRecord(WRONG_NAMES).
    """
    try:
        tidy = [chosen_name(name, name if parts_of_name(name) else "") for name in names]
        if any(alike(one, other) for one, other in combinations({*tidy} - {""}, 2)):
            raise Refused(TableRefusal.NAME_TAKEN)
    except Refused as no:
        raise WrongRecord(RecordRefusal.WRONG_NAMES, problem=no.text) from no
    return [Chair(seat, name="" if name == Chair(seat).called else name) for seat, name in enumerate(tidy)]
