"""Play on from a position of another game: at a table with others, or alone at an analysis board.

The moves that led there are made again from the deal.  A seed that is still secret is never used twice, nor
one that others could know: only an analysis board has the seed of an ended game, others their own.  Where
chance has had part in a position, no game with another seed goes on from it.
"""

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from strifebarge.rules import Refused, Standard, Text
from strifebarge.rules.ledger import Move, standing_moves_of
from strifebarge.rules.match import Match
from strifebarge.rules.text import pack
from strifebarge.tables.acts.opening import open_table
from strifebarge.tables.library.budget import WHOLE_GAME, run, run_for
from strifebarge.tables.library.library import Title
from strifebarge.tables.library.settings import SettingsChange, checked_options, options_from
from strifebarge.tables.model.log import went_back
from strifebarge.tables.model.parts import Origin
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Row
from strifebarge.tables.model.status import DevicePolicy, Status
from strifebarge.tables.model.table import Table, TableRefusal
from strifebarge.tables.model.watching import SpectatorTable, visible_table
from strifebarge.tables.play.game import (
    BegunGame,
    begin_if_ready,
    begin_with,
    dealt_row,
    go_back,
    keep_rows,
    note_code,
    rows_of,
)
from strifebarge.tables.play.ledger import moves_of
from strifebarge.tables.play.turn import FormToken, Turn

if TYPE_CHECKING:
    from strifebarge.tables.play.referee import Referee

MOST = 2000  # moves that are made again


class Branch(NamedTuple):
    """A game to begin at a position: to be analyzed alone, or with others and in this seat."""

    number: int
    analysis: bool
    seat: int | None = None
    language: str = ""


def why_not_from(title: Title, status: Status, analysis: bool) -> TableRefusal | None:
    """Return why nobody can play on from positions of a game, alone (`analysis`) or with others.

    A running game's secrets would be told; those of an ended one everybody may know.
    """
    if title.has_secrets and status is not Status.OVER:
        return TableRefusal.STILL_SECRET
    return TableRefusal.SECRETS_KNOWN if title.has_secrets and not analysis else None


def play_from(referee: "Referee", player: Player, id: str, form: FormToken, branch: Branch) -> Table:
    """Open a table whose game begins at a position of another one; unrated, and without a clock.

    Raises Refused: NO_TABLE, NOT_WATCHED, NO_POSITION, STILL_SECRET, SECRETS_KNOWN, NO_WAY_ON, CANNOT_SHOW,
    and what `open_table` raises.
    """
    source = visible_table(player.id, referee.views.status(id))
    title = referee.library[source.game]
    if isinstance(source, SpectatorTable) and source.excluded:
        raise Refused(TableRefusal.NOT_WATCHED)
    if source.status is Status.OPEN or not 0 <= branch.number <= source.position.number:
        raise Refused(TableRefusal.NO_POSITION)
    if why := why_not_from(title, source.status, branch.analysis):
        raise Refused(why)
    if source.faulty:
        raise Refused(TableRefusal.CANNOT_SHOW)
    open_to_all = source.status is Status.OVER and branch.analysis
    seed = source.seed if open_to_all else referee.entropy(32).hex()
    begun = run_for(
        WHOLE_GAME, "", "playing on from a position", _made_again, referee, source, title, branch.number, seed
    )
    settings = SettingsChange(
        options=source.settings.options,
        seats=len(source.chairs),
        sit=None if branch.analysis else branch.seat,
        devices=DevicePolicy.ONE if branch.analysis else DevicePolicy.OWN,
        language=branch.language,
    )
    act = partial(
        _begin, seed=seed, origin=Origin(number=branch.number, analysis=branch.analysis), begun=begun
    )
    return open_table(referee, player, source.game, form, settings, act)


def _begin(turn: Turn, seed: str, origin: Origin, begun: BegunGame) -> None:
    """Begin the game of a new table at a position of another game."""
    turn.table.seed, turn.table.origin = seed, origin
    _call_all_alike(turn.table)
    note_code(turn)
    begin_with(turn, begun)


def analyze_position(
    referee: "Referee", player: Player, game: str, form: FormToken, position: str, language: str
) -> Table:
    """Open an analysis board whose game begins at a position that somebody has put up.

    Raises Refused: NO_GAME, NOT_ARRANGED, what the game says of the position, and what `open_table` raises.
    """
    settings = SettingsChange(
        options=arranged(referee.library[game], position), devices=DevicePolicy.ONE, language=language
    )
    return open_table(referee, player, game, form, settings, _begin_for_analysis)


def arranged(title: Title, position: str) -> dict[str, Any]:
    """Return the options by which a game begins at a position that is written down.

    Raises Refused: NOT_ARRANGED, and what the game says of the position.
    """
    if not title.arranges:
        raise Refused(TableRefusal.NOT_ARRANGED)
    options = run("", f"arranging {title.slug}", title.rules.arrange, position)
    return run("", f"arranging {title.slug}", checked_options, title, msgspec.to_builtins(options))


def _begin_for_analysis(turn: Turn) -> None:
    turn.table.origin = Origin(number=0, analysis=True)
    _call_all_alike(turn.table)
    begin_if_ready(turn)


def _call_all_alike(table: Table) -> None:
    """Call all seats of an analysis board by the name of the one person who plays there."""
    if table.analysis:
        for chair in table.chairs:
            chair.name = table.chairs[0].name


def _made_again(referee: "Referee", source: Table, title: Title, number: int, seed: str) -> BegunGame:
    """Make the moves up to a position again.  Raises Refused(NO_POSITION, NO_WAY_ON)."""
    then = referee.views.replayed(source, number).match
    while then.answers:  # some have chosen and others not yet: the question is asked anew
        number -= len(then.answers)
        then = referee.views.replayed(source, number).match
    drawn = seed != source.seed and then.game.chance.drawn
    if then.result or then.game.gone or drawn:
        raise Refused(TableRefusal.NO_WAY_ON)
    moves = standing_moves_of(moves_of(_without_undone(referee.store.rows(source.id, -1, number)), title, 0))
    if len(moves) > MOST:
        raise Refused(TableRefusal.NO_WAY_ON)
    options = options_from(title.rules, source.settings.options)
    at = referee.now()
    try:
        begun = _replayed(Match.new(title.rules, len(source.chairs), seed, options), moves, at)
    except Exception as parted:  # the rules have changed since
        raise Refused(TableRefusal.NO_WAY_ON) from parted
    chance = begun.match.game.chance
    if seed != source.seed and not chance.drawn:
        then.game.chance = chance  # of which a fingerprint tells too
    if begun.match.pending or begun.match.fingerprint() != then.fingerprint():
        raise Refused(TableRefusal.NO_WAY_ON)
    begun.rows[-1].log.append(
        pack(Text("The game goes on from move {number} of another one.", {"number": number}))
    )
    return begun


def _without_undone(rows: list[Row]) -> list[Row]:
    """Return the rows of a ledger without those after which the game went back."""
    remaining: list[Row] = []
    for row in rows:
        to = went_back(row)
        remaining = [*remaining, row] if to is None else [each for each in remaining if each.number <= to]
    return remaining


def _replayed(match: Match, moves: list[Move], at: float) -> BegunGame:
    begun = BegunGame(match, [dealt_row(match, at)], [match.snapshot])
    for move in moves:
        begun.rows.extend(rows_of(match, match.repeat(move.seat, move.action), at, {}))
        if match.snapshot.number > begun.snapshots[-1].number:
            begun.snapshots.append(match.snapshot)
    return begun


# -- at an analysis board ------------------------------------------------------------


def undo_anything(turn: Turn) -> None:
    """Go back by one move at an analysis board, whatever came of it.  Raises Refused(NOTHING_TO_UNDO)."""
    table, store = turn.table, turn.referee.store
    match = turn.playing().match
    snapshot, again = match.snapshot, match.moves[:-1]
    if not match.moves:
        first = _first_number(turn, snapshot.number)
        if first == 0:
            raise Refused(Standard.NOTHING_TO_UNDO)
        snapshot = store.snapshot(table.id, first - 1)
        again = standing_moves_of(
            moves_of(store.rows(table.id, snapshot.number, first - 1), turn.title, snapshot.number)
        )
    fresh = go_back(turn, snapshot, Text("One move was taken back."))
    rows = [
        row for move in again for row in rows_of(fresh, fresh.repeat(move.seat, move.action), turn.now, {})
    ]
    if rows:
        keep_rows(turn, turn.match(), rows)


def _first_number(turn: Turn, number: int) -> int:
    """Return the number at which a stage began when it was first played, before the game went back to it."""
    while number:
        [row] = [
            each for each in turn.referee.store.rows(turn.table.id, number - 1, number) if each.step == 0
        ][-1:]
        to = went_back(row)
        if to is None:
            return number
        number = to
    return number
