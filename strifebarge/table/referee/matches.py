"""The playing of a table's game: begun, taken up from what is kept, gone on with, written down, closed."""

import msgspec

from strifebarge.rules import Action, Refused, Standard
from strifebarge.rules.action import Leave, Undo
from strifebarge.rules.chance import Chance
from strifebarge.rules.match import Diverged, Match, Move
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, options_type, seat_numbers

from .. import bookkeeper
from ..library import Title
from ..ports import Change, Row, Store
from ..table import No, Seating, Status, Table
from .desk import DIVERGED, Act, Desk
from .shelf import Laid

RECENT = 40  # log lines on a table's page go back this many moves


class Matches(Desk):
    """What stands on the board of a table."""

    def _go_on_if_ready(self, act: "Act") -> None:
        self._begin_if_ready(act)
        table = act.table
        if table.status is Status.SUSPENDED and table.all_ready_again:
            if table.trouble and not (table.suspension and table.suspension.end):
                self._take_up(act.change, table)  # or else the rules still lead elsewhere
                table.trouble = ""
            if not table.resume(self.now()):
                self.close(act.change, self.now())

    def _begin_if_ready(self, act: "Act") -> None:
        table = act.table
        if table.status is not Status.OPEN or not table.all_ready:
            return
        numbers = seat_numbers(self.library[table.game].rules)
        if sum(bool(chair.player) for chair in table.chairs) in numbers:
            table.close_up()
            self._must_suit(table)
            self._begin(act)

    def _must_suit(self, table: Table) -> None:
        """Raise Refused if so many cannot play with a table's options."""
        options = msgspec.convert(table.options, options_type(self.library[table.game].rules))
        if why := options.refuse_seats(len(table.chairs)):
            raise why if isinstance(why, Refused) else why()

    def _begin(self, act: "Act") -> None:
        table = act.table
        rules = self.library[table.game].rules
        if table.seating is Seating.CHANCE:
            _by_chance(table)
        options = msgspec.convert(table.options, options_type(rules))
        match = Match.new(rules, len(table.chairs), table.seed, options)
        table.status, table.started = Status.PLAYING, self.now()
        table.unready()
        for chair in table.chairs:
            chair.note()
        deal = Row(0, None, None, match.told(), match.fingerprint(), final=True, at=self.now())
        act.change.keep(match.snapshot)
        self._keep(act, Laid(match, []), [deal])

    def _playing(self, act: "Act") -> Laid:
        """The match of a running table.  Raises Refused, or Diverged."""
        if act.table.status is Status.OVER:
            raise Refused(Standard.GAME_OVER)
        act.table.must_be_running()
        if act.table.suspension:
            raise Refused(No.SUSPENDED)
        laid = self.shelf.take(act.table.id, act.table.revision) or self._take_up(act.change, act.table)
        mended(act.table)
        if act.table.status is Status.SUSPENDED:
            raise Refused(No.SUSPENDED)
        act.laid = laid
        return laid

    def _take_up(self, kept: "Store | Change", table: Table) -> Laid:
        """Lay a match out from the store.  Raises Diverged if the rules now lead elsewhere."""
        title = self.library[table.game]
        # Up to the table's own number: a move may come in between what is read here.
        snapshot = kept.snapshot(table.id, table.number)
        rows = kept.rows(table.id, min(snapshot.number, table.number - RECENT) - 1, table.number)
        try:
            pending = {seat: from_json(raw, actions(title.rules)) for seat, raw in table.pending.items()}
            match = Match(title.rules, snapshot, moves_of(rows, title, snapshot.number), pending)
        except Exception as broken:
            raise Diverged(table.id) from broken
        if rows[-1].fingerprint != match.fingerprint():
            raise Diverged(table.id)
        return Laid(match, rows)

    def _write(self, act: "Act", laid: Laid, moves: list[Move]) -> None:
        """Keep moves with what was told of them, and a stage that began with them."""
        match = laid.match
        last = moves[-1].number if moves else None
        rows = [
            Row(
                move.number,
                move.seat,
                msgspec.to_builtins(move.action),
                told=match.told() if move.number == last else [],
                fingerprint=match.fingerprint() if move.number == last else "",
                final=move.final,
                at=self.now(),
                by=act.table.chosen_by.pop(move.seat, ""),
            )
            for move in moves
        ]
        if moves and match.snapshot.number >= moves[0].number:
            act.change.keep(match.snapshot)
        self._keep(act, laid, rows)

    def _keep(self, act: "Act", laid: Laid, rows: list[Row]) -> None:
        """Write rows of the ledger, and on the table's own row where the game stands now."""
        act.written = True
        match, table = laid.match, act.table
        if rows:
            act.change.append(rows)
        act.laid = Laid(match, [*laid.rows, *rows][-RECENT:])
        table.number = match.number
        table.pending = {seat: msgspec.to_builtins(action) for seat, action in match.pending.items()}
        table.waiting = match.waiting_for()
        table.out = sorted(match.game.out)
        for chair in table.chairs:
            question = match.asked.get(chair.seat)
            if question != chair.asked:
                chair.asked, chair.since = question, None
        table.wait_from(self.now())
        if match.result:
            table.result = match.result
            self.close(act.change, self.now())

    def close(self, change: Change, ended: float) -> None:
        """The game is over, with its result or without one; the books know of it in the same transaction."""
        table = change.table
        table.status, table.ended, table.suspension = Status.OVER, ended, None
        table.waiting, table.pending = [], {}
        table.record = self.entropy(8).hex()
        bookkeeper.enter(change, table)


def moves_of(rows: list[Row], title: Title, after: int) -> list[Move]:
    """The moves that a ledger's rows tell of, after a number."""
    kinds: tuple[type[Action], ...] = (*actions(title.rules), Undo, Leave)
    return [
        Move(row.number, row.seat, from_json(row.action, kinds), row.final)
        for row in rows
        if row.number > after and row.seat is not None
    ]


def _by_chance(table: Table) -> None:
    """Everybody sits down anew, each with those beside them; whoever knows the seed can check how."""
    drawn = Chance(table.seed, {}, "seating").shuffled(table.chairs)
    for seat, chair in enumerate(drawn):
        chair.seat = seat
        chair.generation += 1
    table.chairs = drawn


def mended(table: Table) -> None:
    """A table whose match could be taken up is not suspended for its rules' sake, or no longer."""
    if table.trouble == DIVERGED:
        table.trouble = ""
        if table.suspension is None and table.status is Status.SUSPENDED:
            table.status = Status.PLAYING
