"""The playing of a table's game: begun, taken up from what is kept, gone on with, written down, closed."""

from typing import Any

import msgspec

from strifebarge.rules import Action, Game, Options, Refused, Standard, Text
from strifebarge.rules.action import FRAMEWORK, Late
from strifebarge.rules.chance import Chance
from strifebarge.rules.course import Diverged
from strifebarge.rules.ledger import Move, Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, options_type, seat_numbers
from strifebarge.rules.text import pack

from .. import bookkeeper, letters
from ..aside import resume
from ..clock import Clock
from ..library import Title
from ..log import takes_back
from ..ports import Change, Row, Store
from ..sight import pass_on
from ..table import RUNNING, No, Seating, Status, Table
from .desk import DIVERGED, Act, Desk
from .shelf import Laid

WENT_BACK = "The rules have changed: all agreed that the game goes back to where it stood at move {number}."
RECENT = 40  # log lines on a table's page go back this many moves


class Matches(Desk):
    """What stands on the board of a table."""

    def _go_on_if_ready(self, act: "Act") -> None:
        self._begin_if_ready(act)
        table = act.table
        if table.status is Status.SUSPENDED and table.all_ready_again:
            aside = table.suspension
            if table.trouble and not (aside and aside.end):
                try:
                    self._take_up(act.change, table)  # or else the rules still lead elsewhere
                except Diverged:
                    if aside is None or aside.back is None:
                        raise
                    self._go_back(act)
                table.trouble = ""
            if table.ended is None and not resume(table, self.now()):
                self.close(act.change, self.now())
            letters.tell_of_moves(act.change, [], set(), act.by, self.now(), self.entropy)

    def _begin_if_ready(self, act: "Act") -> None:
        table = act.table
        if table.status is not Status.OPEN or not table.all_ready:
            return
        numbers = seat_numbers(self.library.of(table).rules)
        if sum(bool(chair.player) for chair in table.chairs) in numbers:
            table.close_up()
            self._must_suit(table)
            self._begin(act)

    def _must_suit(self, table: Table) -> None:
        """Raise Refused if so many cannot play with a table's options."""
        options = options_at(table, self.library.of(table).rules)
        if why := options.refuse_seats(len(table.chairs)):
            raise why if isinstance(why, Refused) else why()

    def _begin(self, act: "Act") -> None:
        table = act.table
        rules = self.library.of(table).rules
        table.rules_version = rules.version
        if table.seating is Seating.CHANCE:
            _by_chance(table)
        match = Match.new(rules, len(table.chairs), table.seed, options_at(table, rules))
        table.status, table.started = Status.PLAYING, self.now()
        table.unready()
        if table.clock:
            table.clock = Clock.of(table.clock.pace, len(table.chairs))
            table.clock.stretch = max((each.number for each in act.change.stretches(0)), default=0)
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
        mended(act.table, act.at)
        if act.table.status is Status.SUSPENDED:
            raise Refused(No.SUSPENDED)
        act.laid = laid
        return laid

    def _take_up(self, kept: "Store | Change", table: Table) -> Laid:
        """Lay a match out from the store.  Raises Diverged if the rules now lead elsewhere."""
        title = self.library.of(table)
        snapshot = kept.snapshot(table.id, table.number)
        rows = self._ledger(kept, table, min(snapshot.number, table.number - RECENT) - 1)
        try:
            kinds: tuple[type[Action], ...] = (*actions(title.rules), Late)
            pending = {seat: from_json(raw, kinds) for seat, raw in table.pending.items()}
            match = Match(title.rules, snapshot, moves_of(rows, title, snapshot.number), pending)
        except Exception as broken:
            raise Diverged(table.id) from broken
        if rows[-1].fingerprint != match.fingerprint():
            raise Diverged(table.id)
        return Laid(match, recent(rows, match.number))

    def _ledger(self, kept: "Store | Change", table: Table, after: int) -> list[Row]:
        """The ledger of a table after a number, as far as the table knows."""
        # A move may come in between the reading of the one and of the other.
        upto = max(table.reached, (table.number, 0))
        return [row for row in kept.rows(table.id, after, upto[0]) if row.place <= upto]

    def _notice_trouble(self, act: "Act") -> None:
        """Suspend a running game whose rules lead elsewhere now, before anybody has tried to move."""
        table = act.table
        if table.status in RUNNING and table.status is not Status.SUSPENDED:
            try:
                act.laid = self.shelf.take(table.id, table.revision) or self._take_up(act.change, table)
            except Diverged:
                table.stall(self.now(), DIVERGED)

    def _agrees(self, kept: "Store | Change", table: Table) -> bool:
        """Do the rules lead where the game stands?"""
        try:
            self._take_up(kept, table)
        except Diverged:
            return False
        return True

    def _agreeing(self, kept: "Store | Change", table: Table) -> Snapshot | None:
        """The newest snapshot from which the rules lead to the position that was shown then."""
        rules = self.library.of(table).rules
        at: int = table.number
        while at >= 0:
            snapshot = kept.snapshot(table.id, at)
            *_, row = kept.rows(table.id, snapshot.number - 1, snapshot.number)
            try:
                if Match(rules, snapshot).fingerprint() == row.fingerprint:
                    return snapshot
            except Exception:  # noqa: S110 - these rules cannot even read it
                pass
            at = snapshot.number - 1
        return None

    def _go_back(self, act: "Act") -> None:
        """Let a game go on from where the rules still agree; whoever has left meanwhile has left.

        Nothing is erased: going back has a number and a line of the log like a move.  Raises
        Refused(NO_WAY_BACK).
        """
        table = act.table
        snapshot = self._agreeing(act.change, table)
        if snapshot is None:
            raise Refused(No.NO_WAY_BACK)
        rules = self.library.of(table).rules
        here = msgspec.structs.replace(snapshot, number=max(table.number, table.reached[0]) + 1)
        match = Match(rules, here)
        table.rules_version = rules.version
        told = [pack(Text(WENT_BACK, {"number": snapshot.number}))]
        raw = {"do": "back", "to": snapshot.number}
        row = Row(here.number, None, raw, told, match.fingerprint(), final=True, at=self.now())
        act.change.keep(here)
        self._keep(act, Laid(match, act.change.rows(table.id, table.number - RECENT)), [row])
        for chair in table.chairs:
            if chair.left and chair.seat not in match.game.gone and not match.result:
                self._write(act, Laid(match, act.laid.rows if act.laid else []), match.leave(chair.seat))

    def _write(self, act: "Act", laid: Laid, moves: list[Move]) -> None:
        """Keep moves with what was told of them, and a stage that began with them."""
        match = laid.match
        last = moves[-1].place if moves else None
        rows = [
            Row(
                move.number,
                move.seat,
                msgspec.to_builtins(move.action),
                told=match.told() if move.place == last else [],
                fingerprint=match.fingerprint() if move.place == last else "",
                final=move.final,
                at=self.now(),
                by=act.table.chosen_by.pop(move.seat, ""),
                step=move.step,
            )
            for move in moves
        ]
        if moves and match.snapshot.number >= moves[0].number:
            act.change.keep(match.snapshot)
        self._keep(act, laid, rows)
        if act.table.clock and not act.quiet:
            for move in moves:
                act.table.clock.hands[move.seat].missed *= isinstance(move.action, Late)
                if isinstance(move.action, Late):
                    act.table.chairs[move.seat].miss(self.now())

    def _keep(self, act: "Act", laid: Laid, rows: list[Row]) -> None:
        """Write rows of the ledger, and on the table's own row where the game stands now."""
        act.written = True
        match, table = laid.match, act.table
        was, before = table.waiting, table.number
        if rows:
            act.change.append(rows)
            table.reached = rows[-1].place
        act.laid = Laid(match, recent([*laid.rows, *rows], match.number))
        undone = {row.seat for row in rows if takes_back(row)}
        _stands_now(table, match)
        pass_on(table)
        # Of a step that somebody composes nobody else may know, nor of a choice that was changed.
        act.quiet = (table.number, table.waiting) == (before, was)
        if not act.quiet:
            table.nudged = None
        if table.clock:
            at_it = {seat for seat in table.waiting if match.undoable(seat) or seat in undone}
            table.clock.turn({seat: match.turn_of(seat) for seat in table.waiting}, act.at, at_it)
        table.wait_from(self.now())
        if match.result:
            table.result = match.result
            self.close(act.change, self.now())
        moved = {row.seat for row in rows if row.seat is not None} | match.pending.keys()
        letters.tell_of_moves(act.change, was, moved, act.by, self.now(), self.entropy, bool(undone))

    def _stop(self, act: "Act", why: str) -> None:
        """The game ends without a result, and all are told."""
        act.table.stop(act.at, why)
        self.close(act.change, act.at)
        letters.tell_of_moves(act.change, [], set(), act.by, act.at, self.entropy)

    def close(self, change: Change, ended: float) -> None:
        """The game is over, with its result or without one; the books know of it in the same transaction."""
        table = change.table
        table.status, table.ended, table.suspension = Status.OVER, ended, None
        table.waiting, table.pending = [], {}
        table.record = self.entropy(8).hex()
        bookkeeper.enter(change, table)


def options_at(table: Table, rules: type[Game[Any]]) -> Options:
    """What a table is to be played with.  Raises Refused(WRONG_OPTIONS) where the rules know it no more."""
    return options_from(rules, table.options)


def options_from(rules: type[Game[Any]], given: dict[str, Any], strict: bool = True) -> Options:
    """Options by name; where not `strict`, as strings too.  Raises Refused(WRONG_OPTIONS)."""
    try:
        return msgspec.convert(given, options_type(rules), strict=strict)
    except msgspec.ValidationError as wrong:
        problem = str(wrong).replace(" - at `$.", ": ").rstrip("`")
        raise Refused(No.WRONG_OPTIONS, problem=problem) from wrong


def moves_of(rows: list[Row], title: Title, after: int) -> list[Move]:
    """The moves that a ledger's rows tell of, after a number."""
    kinds: tuple[type[Action], ...] = (*actions(title.rules), *FRAMEWORK)
    return [
        Move(row.number, row.seat, from_json(row.action, kinds), row.final, row.step)
        for row in rows
        if row.number > after and row.seat is not None
    ]


def recent(rows: list[Row], number: int) -> list[Row]:
    """The rows of the last moves up to a number, and of what is composed since."""
    return [row for row in rows if row.number > number - RECENT]


def _stands_now(table: Table, match: Match) -> None:
    """What a table's own row says of its game; a chair that is asked anew has not kept anybody waiting."""
    table.number, table.steps = match.number, dict(match.steps)
    table.pending = {seat: msgspec.to_builtins(action) for seat, action in match.pending.items()}
    table.waiting = match.waiting_for()
    table.out = sorted(match.game.out)
    for chair in table.chairs:
        question = match.turn_of(chair.seat) if chair.seat in match.asked else None
        if question != chair.asked:
            chair.asked, chair.since = question, None


def _by_chance(table: Table) -> None:
    """Everybody sits down anew, each with those beside them; whoever knows the seed can check how."""
    drawn = Chance(table.seed, {}, "seating").shuffled(table.chairs)
    for seat, chair in enumerate(drawn):
        chair.seat = seat
        chair.generation += 1
    table.chairs = drawn


def mended(table: Table, at: float) -> None:
    """A table whose match could be taken up is not suspended for its rules' sake, or no longer."""
    if table.trouble == DIVERGED:
        table.trouble = ""
        if table.suspension is None and table.status is Status.SUSPENDED:
            table.status = Status.PLAYING
            if table.clock:
                table.clock.release(at)
