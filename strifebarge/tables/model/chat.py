"""Talk at a table: plain lines, kept apart for players and spectators."""

import unicodedata
from enum import StrEnum
from math import ceil

from msgspec import Struct

from strifebarge.lib.joiners import JOINERS, without_stray_joiners
from strifebarge.rules import Refusal, Refused, Text

LONGEST = 300  # characters
RATES = ((5, 10), (60, 3600))  # lines and seconds: at most, for one person at one table
AGAIN = 60  # seconds before one may say the same again
KEPT_FOR = 90 * 86400  # seconds after the end of the game

PHRASES = {
    "luck": Text("Good luck."),
    "game": Text("Good game."),
    "later": Text("Back in an hour."),
    "rush": Text("Your move, no rush."),
    "thanks": Text("Thank you."),
}  # said with one click, and read by everybody in their own language


class Room(StrEnum):
    """Where a line was said."""

    TABLE = "table"  # by players, for everybody
    GALLERY = "gallery"  # by spectators; players read it when the game is over


class ChatMessage(Struct, frozen=True):
    """One line.  `text` is empty where it was deleted; `at` is seconds since 1970, UTC."""

    number: int  # at this table, from 1
    room: Room
    player: str
    name: str
    seat: int | None
    text: str
    phrase: str = ""  # instead of a text, one of PHRASES
    at: float = 0
    deleted: bool = False
    reported: bool = False


class ChatRefusal(Refusal):
    """The reasons why something is not said."""

    EMPTY = "Your message is empty. Write something first."
    TOO_LONG = "That message is too long. Use up to {longest} characters."
    AGAIN = "You just sent that message."
    TOO_MUCH = "That's a lot of messages. Try again in {seconds} seconds."
    CLOSED = "The chat at this table is closed."
    NO_LINE = "That message doesn't exist any more."
    NOT_YOURS = "Only its author or the table's host can delete that message."

    @property
    def token(self) -> str:
        return f"table.{self.name.lower()}"


def tidy_line(raw: str) -> str:
    """Return a line as it is kept: in one form (NFC), on one line, without signs that turn or hide the rest.

    Raises Refused: EMPTY, TOO_LONG.
    """
    plain = "".join(c if _visible(c) else " " for c in unicodedata.normalize("NFC", raw[: 4 * LONGEST]))
    line = without_stray_joiners(" ".join(plain.split()))
    if not line:
        raise Refused(ChatRefusal.EMPTY)
    if len(line) > LONGEST or len(raw) > 4 * LONGEST:
        raise Refused(ChatRefusal.TOO_LONG, longest=LONGEST)
    return line


def _visible(c: str) -> bool:
    # Other format characters than joiners turn or hide text.
    return c in JOINERS or unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def must_not_be_too_much(lines: list[ChatMessage], player: str, text: str, phrase: str, now: float) -> None:
    """Refuse what is said too often; `lines` are the newest, oldest first.  Raises Refused."""
    own = [line for line in lines if line.player == player]
    lately = [(line.phrase, line.text.casefold()) for line in own if now - line.at < AGAIN]
    if (phrase, text.casefold()) in lately:
        raise Refused(ChatRefusal.AGAIN)
    for most, seconds in RATES:
        if len(own) >= most and (wait := own[-most].at + seconds - now) > 0:
            raise Refused(ChatRefusal.TOO_MUCH, seconds=max(1, ceil(wait)))


def heard(
    lines: list[ChatMessage],
    seated: bool,
    over: bool,
    muted: frozenset[str] = frozenset(),
    held_back: bool = False,
) -> list[ChatMessage]:
    """Return the lines that somebody may read: players do not read the gallery before the end.

    Nor does the gallery read the players, where it is `held_back`: they speak of what it does not see yet.
    """
    rooms = [Room.TABLE] if seated else [Room.GALLERY] if held_back else [*Room]
    return [line for line in lines if line.player not in muted and (over or line.room in rooms)]
