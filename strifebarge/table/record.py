"""A whole game as one file, which anybody can play again."""

from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.rules import Refused
from strifebarge.rules.chance import commitment
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, options_type

from .library import Library
from .referee import Referee
from .table import No, Status


class Recorded(Struct):
    """One move of a record.  `fingerprint` is "" between choices of the same question."""

    number: int
    seat: int
    action: dict[str, Any]
    fingerprint: str
    at: float


class Record(Struct):
    """Seed, options, seats and moves; times are seconds since 1970, UTC."""

    format: str
    game: str
    rules_version: int
    options: dict[str, Any]
    names: list[str]
    seed: str
    commitment: str
    started: float | None
    ended: float | None
    places: list[list[int]]
    moves: list[Recorded]


FORMAT = "strifebarge record 1"


class WrongRecord(Exception):
    """A record that does not play again as it says, and where."""


def record_of(referee: Referee, id: str) -> Record:
    """A finished game's record.  Raises Refused(NO_TABLE, NOT_OVER)."""
    table = referee.store.table(id)
    if table.status is not Status.OVER or table.result is None:
        raise Refused(No.NOT_OVER)
    rows = [row for row in referee.store.rows(id, 0) if row.seat is not None and row.action is not None]
    return Record(
        FORMAT,
        table.game,
        table.rules_version,
        table.options,
        [chair.called for chair in table.chairs],
        table.seed,
        commitment(table.seed),
        table.started,
        table.ended,
        table.result.places,
        [Recorded(row.number, row.seat or 0, row.action or {}, row.fingerprint, row.at) for row in rows],
    )


def replay(record: Record, library: Library) -> Match:
    """Play a record again by the rules: every move legal, every fingerprint the same.

    Raises WrongRecord; Refused(NO_GAME) for a game that is not here.
    """
    rules = library[record.game].rules
    if commitment(record.seed) != record.commitment:
        raise WrongRecord("the seed is not the one that was promised at the start")
    try:
        options = msgspec.convert(record.options, options_type(rules))
        match = Match.new(rules, len(record.names), record.seed, options)
    except Exception as error:  # whatever a stranger's file may hold
        raise WrongRecord(f"no such game can begin: {error}") from error
    for each in record.moves:
        _play(match, each)
    if match.result is None or match.result.places != record.places:
        raise WrongRecord("it ends differently")
    return match


def _play(again: Match, each: Recorded) -> None:
    try:
        match each.action.get("do"):
            case "undo":
                again.undo(each.seat)
            case "leave":
                again.leave(each.seat)
            case _:
                again.move(each.seat, from_json(each.action, actions(again.rules)))
    except Refused as no:
        raise WrongRecord(f"move {each.number} is not legal: {no.text}") from no
    except Exception as error:
        raise WrongRecord(f"move {each.number} cannot be played: {error}") from error
    if each.fingerprint and (again.number, again.fingerprint()) != (each.number, each.fingerprint):
        raise WrongRecord(f"move {each.number} leads to another position")
