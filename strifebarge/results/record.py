"""The format of a record: a whole game as one file, which anybody can play again.

`read_record` reads such a file and `written` writes one.  `proof` plays it again.
"""

import re
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from strifebarge.lib.encoding import utf8
from strifebarge.rules import Refusal, Refused, Text
from strifebarge.rules.chance import Draw

FORMAT = "strifebarge record 1"
LARGEST = 512 * 1024  # bytes of a file that is brought here
MOST_MOVES = 3000  # moves of a record that are played again

Instant = Annotated[float, Meta(ge=0, le=32503680000)]  # seconds since 1970, UTC; up to the year 3000


class RecordedMove(Struct, forbid_unknown_fields=True):
    """One move of a record.  `fingerprint` is "" between choices of the same question."""

    number: int
    seat: int
    action: dict[str, Any]
    fingerprint: str
    at: Instant = 0


class BotPlayed(Struct, forbid_unknown_fields=True):
    """A seat that a bot played, at which level: after move `after`, up to move `until` or to the end."""

    seat: int
    level: str
    after: int = 0
    until: int | None = None


class FindingNote(Struct, forbid_unknown_fields=True):
    """A note in a record: the law, how it is broken, and what was tried when it was."""

    law: str
    how: str
    trying: str = ""  # the act that cannot be played, in words; the record leads up to it
    fuzz_seed: str = ""


class Record(Struct, forbid_unknown_fields=True):
    """Seed, options, seats and moves of a game; times are seconds since 1970, UTC.

    `people` holds by seat the public ids of everybody who sat there, if the result is public.  `draws` holds
    what was drawn from the seed, first for the deal, then for each move; None where the rules that are here
    now cannot play the game to its end.  `sources` identifies the code that played it last, where that is
    known (strifebarge/rules/sources.py); `agreed` is the move after which all agreed to go on by other rules,
    if they did.  `bots` says which seats bots played, where any did.  `finding`: what a fuzzer found in it.
    """

    format: str
    game: str
    rules_version: int
    options: dict[str, Any]
    names: list[str]
    seed: str
    commitment: str
    places: list[list[int]]
    moves: list[RecordedMove]
    started: Instant | None = None
    ended: Instant | None = None
    finished: bool = True
    rated: bool = False
    people: list[list[str]] = []
    draws: list[list[Draw]] | None = None
    sources: str | UnsetType = UNSET
    agreed: int | UnsetType = UNSET
    bots: list[BotPlayed] | UnsetType = UNSET
    finding: FindingNote | UnsetType = UNSET


class RecordRefusal(Refusal):
    """Reasons why a file is not the record of a game."""

    NO_FILE = "No file yet. Choose one first."
    TOO_LARGE = "That file is too large. Records have up to {most} KiB."
    NOT_JSON = "That file isn't a game record: it isn't JSON."
    NOT_A_RECORD = "That file isn't a game record ({problem}). Choose another one."
    OTHER_FORMAT = "That record's format is unknown here: “{format}”."
    UNKNOWN_GAME = "This site doesn't have that record's game: “{game}”."
    WRONG_SEED = "This isn't the promised seed: its SHA-256 differs from the record."
    WRONG_NAMES = "A name in the record can't be used here. {problem}"
    WRONG_SEATS = "The record has {seats} seats, which the rules don't allow."
    CANNOT_BEGIN = "No game can start the way the record says: {problem}"
    TOO_MANY = "The record is too long. We read up to {most} moves."
    WRONG_NUMBER = "The moves aren't in order: move {found} is where move {wanted} should be."
    ILLEGAL = "Move {number} is not legal: {reason}"
    UNPLAYABLE = "Move {number} isn't possible by this site's rules."
    ELSEWHERE = "The position after move {number} differs from the record."
    OTHER_VERSION = (
        "This game was played by version {then} of the rules; this site has version {now}. They differ "
        "at move {number}. {reason}"
    )
    OTHER_RULES = (
        "This game was played by other rules: its files were edited since. We can't verify it by today's "
        "rules. {reason}"
    )
    AGREED = (
        "The rules changed during this game. After move {agreed} all players agreed to the new ones, "
        "which can't verify earlier moves. {reason}"
    )
    WRONG_DRAW = "The draw of move {number} doesn't match the record's seed."
    WRONG_DEAL = "The deal doesn't match the record's seed."
    UNSEALED = "The record doesn't give its final position."
    ENDS_DIFFERENTLY = "The game ends differently from the record."

    @property
    def token(self) -> str:
        return f"table.{self.name.lower()}"


class WrongRecord(Refused):
    """Raised for a file that is no record, and for a record that cannot be played again as it says."""


def read_record(data: bytes) -> Record:
    """Read a record from a file; only `replay` tells whether its moves can be played.  Raises WrongRecord."""
    if not data.strip():
        raise WrongRecord(RecordRefusal.NO_FILE)
    try:
        text = utf8(data)
        if len(text) > LARGEST:
            raise WrongRecord(RecordRefusal.TOO_LARGE, most=LARGEST // 1024)
        plain = msgspec.json.decode(text)
        record = msgspec.convert(plain, Record)
    except msgspec.ValidationError as wrong:
        raise WrongRecord(RecordRefusal.NOT_A_RECORD, problem=_misfit(str(wrong))) from wrong
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise WrongRecord(RecordRefusal.NOT_JSON) from wrong
    if record.format != FORMAT:
        raise WrongRecord(RecordRefusal.OTHER_FORMAT, format=record.format[:60])
    return record


def _misfit(problem: str) -> Text:
    """Return why a file does not fit the format, where msgspec says it for programmers."""
    path = re.search(r" - at `\$\.(\w+)", problem)
    if path:
        return Text("{field} doesn't fit", {"field": path[1]})
    if missing := re.match(r"Object missing required field `(\w+)`", problem):
        return Text("{field} is missing", {"field": missing[1]})
    if unknown := re.match(r"Object contains unknown field `([^`]{0,40})", problem):
        return Text("there is no field {field}", {"field": unknown[1]})
    return Text("its content is something else")


def written(record: Record) -> bytes:
    """Write a record as a file that people can read too."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1)
