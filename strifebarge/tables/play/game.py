"""The playing of a table's game: begun, gone on with, written down, ended."""

import logging
from typing import Any, NamedTuple

import msgspec

from strifebarge.rules import Game, Refused, Text
from strifebarge.rules.action import Late
from strifebarge.rules.chance import Chance
from strifebarge.rules.ledger import Move, Snapshot, standing_moves_of
from strifebarge.rules.match import Match
from strifebarge.rules.replay import Diverged
from strifebarge.rules.schema import seat_numbers
from strifebarge.rules.sources import own_part
from strifebarge.rules.text import pack
from strifebarge.tables.library.settings import must_suit_the_seats, options_at
from strifebarge.tables.model.bots import BotPeriod
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.events import Closed, Moved
from strifebarge.tables.model.log import is_undo
from strifebarge.tables.model.parts import RulesAgreement
from strifebarge.tables.model.ports import Row
from strifebarge.tables.model.reasons import PlanRefusal
from strifebarge.tables.model.status import RUNNING
from strifebarge.tables.model.suspension import resume
from strifebarge.tables.model.table import Seating, Status, Table, TableRefusal
from strifebarge.tables.play.ledger import RECENT, moves_of, recent
from strifebarge.tables.play.matches import DIVERGED, CachedMatch, ask_anew, load_match, resume_point
from strifebarge.tables.play.turn import Turn
from strifebarge.tables.view.perspective import lower_curtains

log = logging.getLogger("strifebarge")

EDITED = "This game's rules were edited. All moves come out the same, so it goes on by the new ones."
WENT_ON = "The rules have changed. All agreed to go on from here by the new ones."
WENT_BACK = "The rules have changed. All agreed to go back to move {number}."
WENT_BACK_A_MOVE = "All agreed to go back to move {number}."


# -- begun, and gone on with after a suspension ----------------------------------------


def begin_if_ready(turn: Turn) -> None:
    """Begin the game if it is open and all who are needed have agreed.  Raises Refused."""
    table = turn.table
    if table.status is not Status.OPEN or not table.all_ready:
        return
    rules = turn.title.rules
    numbers = seat_numbers(rules, options_at(table, rules))
    if sum(bool(chair.player) for chair in table.chairs) in numbers:
        table.close_up()
        must_suit_the_seats(table, turn.title)
        begin(turn)


def begin(turn: Turn) -> None:
    """Begin the game: deal, and let the first seats move."""
    table, rules = turn.table, turn.title.rules
    note_code(turn)
    if table.settings.seating is Seating.CHANCE:
        _seat_by_chance(table)
    match = _dealt(table, rules)
    begin_with(turn, BegunGame(match, [dealt_row(match, turn.now)], [match.snapshot]))


class BegunGame(NamedTuple):
    """A game that has begun: where it stands, and what its ledger keeps of the way there."""

    match: Match
    rows: list[Row]
    snapshots: list[Snapshot]


def dealt_row(match: Match, at: float) -> Row:
    """Return the first row of a ledger, which tells of the deal."""
    return Row(0, None, None, match.take_log(), match.fingerprint(), final=True, at=at)


def begin_with(turn: Turn, begun: BegunGame) -> None:
    """Begin the game where it stands: with the deal, or after moves that were made elsewhere."""
    table = turn.table
    table.status, table.times.started = Status.PLAYING, turn.now
    table.unready()
    if table.clock:
        table.clock = Clock.of(table.clock.pace, len(table.chairs))
        turn.wake()
        newest = turn.referee.store.uptime_periods(0)
        table.clock.uptime_period = max((each.number for each in newest), default=0)
    for chair in table.chairs:
        chair.note()
        chair.spells = [BotPeriod(chair.bot, 0)] if chair.bot else []
    turn.snapshots += begun.snapshots
    keep_rows(turn, CachedMatch(begun.match, []), begun.rows)


def _dealt(table: Table, rules: type[Game[Any]]) -> Match:
    """Return a table's game, just dealt.  Raises Refused; CANNOT_BEGIN where the rules break down."""
    options = options_at(table, rules)
    if table.fault and table.fault.deadly:
        raise Refused(TableRefusal.CANNOT_BEGIN)
    try:
        return Match.new(rules, len(table.chairs), table.seed, options)
    except Refused:
        raise
    except Exception as broken:  # whatever an author may have written
        log.exception("%s cannot begin at table %s", rules.title, table.id)
        raise Refused(TableRefusal.CANNOT_BEGIN) from broken


def go_on_if_ready(turn: Turn) -> None:
    """Begin an open game, or go on with a suspended one, if all who must agree have agreed.

    Raises Refused, or Diverged if the rules still lead elsewhere.
    """
    begin_if_ready(turn)
    table = turn.table
    if table.status is not Status.SUSPENDED or not table.all_ready_again:
        return
    suspension = table.suspension
    if table.faulty and suspension and suspension.back is not None:
        _go_back_a_move(turn)
        table.trouble = ""
    elif table.trouble and not (suspension and suspension.end):
        try:
            turn.match()
        except Diverged:
            if suspension is None or suspension.back is None:
                raise
            _go_on_by_other_rules(turn)
        table.trouble = ""
    if table.times.ended is None and not resume(table, turn.now):
        close(turn)
    turn.emit(Moved(at=turn.now, by=turn.by))


def notice_trouble(turn: Turn) -> None:
    """Suspend a running game whose rules lead elsewhere now, before anybody has tried to move."""
    table = turn.table
    if table.status in RUNNING and table.status is not Status.SUSPENDED:
        try:
            turn.match()
        except Diverged:
            table.suspend_for_rules(turn.now, DIVERGED)


def _go_on_by_other_rules(turn: Turn) -> None:
    """Let a game go on by the rules that are here, from where it stands or from where they still agree.

    Seats that were left meanwhile stay left.  Raises Refused: NO_WAY_BACK; CHANGED where the rules have
    changed once more since it was proposed.
    """
    way = resume_point(turn.referee.store, turn.title, turn.table)
    if way is None:
        raise Refused(TableRefusal.NO_WAY_BACK)
    proposed = turn.table.suspension.resume_point if turn.table.suspension else None
    if proposed not in (None, (way.number, way.stands)):
        raise Refused(TableRefusal.CHANGED)
    if way.stands:
        _stay(turn)
    else:
        go_back(turn, way.snapshot, Text(WENT_BACK, {"number": way.snapshot.number}))
    _leave_again(turn)


def _leave_again(turn: Turn) -> None:
    """Let the seats that were left meanwhile stay left."""
    match = turn.match().match
    for chair in turn.table.chairs:
        if chair.left and chair.seat not in match.game.gone and not match.result:
            play_on(turn, match.leave(chair.seat))


def _go_back_a_move(turn: Turn) -> None:
    """Let a game go on from before the last move, where its code has failed: its stage is played once more.

    Raises Refused(NO_WAY_BACK).
    """
    if turn.table.before_last is None:
        raise Refused(TableRefusal.NO_WAY_BACK)
    go_back_to(turn, turn.table.before_last, WENT_BACK_A_MOVE)


def go_back_to(turn: Turn, number: int, message: str) -> None:
    """Go back to where the game stood after a move, 0: the deal; its stage is played once more up to there.

    `told` is the line of the log, with a {number}.
    """
    table, store = turn.table, turn.referee.store
    snapshot = store.snapshot(table.id, number)
    rows = store.rows(table.id, snapshot.number, number)
    again = standing_moves_of(moves_of(rows, turn.title, snapshot.number))
    match = go_back(turn, snapshot, Text(message, {"number": number}))
    for move in again:
        play_on(turn, match.repeat(move.seat, move.action))
    _leave_again(turn)


def _stay(turn: Turn) -> None:
    """Go on by the rules that are here from where the game stands: what was played counts as it is."""
    table = turn.table
    cached = load_match(turn.referee.store, turn.title, table)
    ask_anew(table, cached.anew)
    agreed = RulesAgreement(base=cached.match.snapshot.number, last_position=table.position.reached)
    note_code(turn, agreed, pack(Text(WENT_ON)))
    keep_rows(turn, cached, [])
    turn.quiet = False


def go_back(turn: Turn, snapshot: Snapshot, text: Text) -> Match:
    """Go back to the start of a stage; nothing is erased: that has a number and a line of the log itself."""
    table, store, rules = turn.table, turn.referee.store, turn.title.rules
    renumbered = msgspec.structs.replace(
        snapshot, number=max(table.position.number, table.position.reached[0]) + 1
    )
    match = Match(rules, renumbered)
    raw = {"do": "back", "to": snapshot.number}
    row = Row(renumbered.number, None, raw, [pack(text)], match.fingerprint(), final=True, at=turn.now)
    turn.snapshots.append(renumbered)
    table.drop_plans(PlanRefusal.WENT_BACK)
    rows = store.rows(table.id, table.position.number - RECENT)
    note_code(turn, RulesAgreement(base=renumbered.number, last_position=row.ledger_position))
    keep_rows(turn, CachedMatch(match, rows), [row])
    return match


def note_code(turn: Turn, agreed: RulesAgreement | None = None, *untold: Any) -> None:
    """Note by which code the game is played from now on."""
    table, title, played = turn.table, turn.title, turn.table.played_by
    played.sources, played.loaded = title.sources, turn.referee.library.loaded
    played.agreed = agreed or played.agreed
    played.untold += untold
    table.rules_version = title.version


# -- written down -----------------------------------------------------------------------


def play_on(turn: Turn, moves: list[Move], by: str | None = None) -> None:
    """Keep the moves that the turn's match has made, what was told of them, and a stage they began.

    They are those of the player whose form it is, or of another one, `by`.
    """
    cached, table = turn.match(), turn.table
    match = cached.match
    rows = rows_of(match, moves, turn.now, table.position.chosen_by)
    if moves and match.snapshot.number >= moves[0].number:
        turn.snapshots.append(match.snapshot)
    keep_rows(turn, cached, rows, by)
    if table.clock and not turn.quiet:
        for move in moves:
            table.clock.seat_clocks[move.seat].missed *= isinstance(move.action, Late)
            if isinstance(move.action, Late):
                table.chairs[move.seat].miss(turn.now)


def rows_of(match: Match, moves: list[Move], at: float, chosen_by: dict[int, str]) -> list[Row]:
    """Return the rows of a ledger for moves just made; who made them is taken out of `chosen_by`."""
    last = moves[-1].ledger_position if moves else None
    return [
        Row(
            move.number,
            move.seat,
            msgspec.to_builtins(move.action),
            log=match.take_log() if move.ledger_position == last else [],
            fingerprint=match.fingerprint() if move.ledger_position == last else "",
            final=move.final,
            at=at,
            by=chosen_by.pop(move.seat, ""),
            step=move.step,
        )
        for move in moves
    ]


def keep_rows(turn: Turn, cached: CachedMatch, rows: list[Row], by: str | None = None) -> None:
    """Keep rows of the ledger, and note on the table where the game stands now."""
    turn.played = True
    match, table = cached.match, turn.table
    was = [seat for seat in table.position.waiting if seat not in cached.anew]
    before = table.position.number
    _adopt(turn)
    if rows:
        rows[-1] = _with_untold(table, rows[-1])
        turn.rows += rows
        table.position.rows += len(rows)
        table.position.reached = rows[-1].ledger_position
    turn.cached = CachedMatch(match, recent([*cached.rows, *rows], match.number))
    undone = {row.seat for row in rows if is_undo(row)}
    _note_position(table, match)
    lower_curtains(table)
    # Of a step that somebody composes nobody else may know, nor of a choice that was changed.
    turn.quiet = (table.position.number, table.position.waiting) == (before, was)
    if not turn.quiet:
        table.times.nudged = None
    if table.clock:
        at_it = {seat for seat in table.position.waiting if match.can_undo(seat) or seat in undone}
        table.clock.turn({seat: match.turn_of(seat) for seat in table.position.waiting}, turn.now, at_it)
    table.wait_from(turn.now)
    if match.result:
        table.ending.result = match.result
        close(turn)
    moved = frozenset({row.seat for row in rows if row.seat is not None} | match.pending.keys())
    turn.emit(Moved(at=turn.now, by=by or turn.by, was=was, moved=moved, undone=bool(undone)))


def _adopt(turn: Turn) -> None:
    """Note other code by which the game comes out the same; of edited rules the log is to tell."""
    played, sources = turn.table.played_by, turn.title.sources
    if played.sources != sources:
        edited = played.sources and own_part(played.sources) != own_part(sources)
        note_code(turn, None, *([pack(Text(EDITED))] if edited else []))


def _with_untold(table: Table, row: Row) -> Row:
    """Return a row that tells first what the log was to tell with the next move."""
    untold, table.played_by.untold = table.played_by.untold, []
    return msgspec.structs.replace(row, log=[*untold, *row.log]) if untold else row


def _note_position(table: Table, match: Match) -> None:
    """Note on the table where its game stands; a chair that is asked anew has not kept anybody waiting."""
    if table.position.number != match.number:
        table.position.anew = []
    table.position.number, table.position.steps = match.number, dict(match.steps)
    table.position.pending = {seat: msgspec.to_builtins(action) for seat, action in match.pending.items()}
    table.position.waiting = match.waiting_for()
    table.position.out = sorted(match.game.out)
    table.position.anew = [seat for seat in table.position.anew if seat in table.position.waiting]
    for chair in table.chairs:
        question = match.turn_of(chair.seat) if chair.seat in match.question_numbers else None
        if question != chair.question:
            chair.question, chair.since = question, None


def _seat_by_chance(table: Table) -> None:
    """Shuffle all seats, each with its co-players; by the seed, from which it can be checked."""
    drawn = Chance(table.seed, {}, "seating").shuffled(table.chairs)
    for seat, chair in enumerate(drawn):
        chair.seat = seat
        chair.generation += 1
    table.chairs = drawn


# -- ended --------------------------------------------------------------------------------


def stop(turn: Turn, why: str) -> None:
    """End the game without a result, and have all players told."""
    turn.table.stop(turn.now, why)
    close(turn)
    turn.emit(Moved(at=turn.now, by=turn.by))


def close(turn: Turn, ended: float | None = None) -> None:
    """End the game, with its result or without one; `ended` at that moment, or else now."""
    table = turn.table
    table.status, table.times.ended, table.suspension = Status.OVER, ended or turn.now, None
    table.position.waiting, table.position.pending = [], {}
    table.ending.record = turn.referee.entropy(8).hex()
    turn.emit(Closed(at=turn.now, by=turn.by))
