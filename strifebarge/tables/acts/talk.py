"""Say something at a table, and what can be done about what others said."""

from typing import TYPE_CHECKING

from strifebarge.rules import Refused
from strifebarge.tables.model.chat import (
    PHRASES,
    ChatMessage,
    ChatRefusal,
    Room,
    heard,
    must_not_be_too_much,
    tidy_line,
)
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.model.watching import SpectatorTable, visible_table
from strifebarge.tables.play.turn import Turn

if TYPE_CHECKING:
    from strifebarge.tables.play.referee import Referee


def say(turn: Turn, person: Player, text: str, phrase: str) -> None:
    """Say something: at the table if one sits there, else in the gallery.

    Raises Refused: EMPTY, TOO_LONG, AGAIN, TOO_MUCH, CLOSED, NOT_WATCHED.
    """
    table, visible = turn.table, visible_table(person.id, turn.table)
    if isinstance(visible, SpectatorTable) and visible.excluded:
        raise Refused(TableRefusal.NOT_WATCHED)
    if table.chat_closed:
        raise Refused(ChatRefusal.CLOSED)
    phrase = phrase if phrase in PHRASES else ""
    text = "" if phrase else tidy_line(text)
    lines = turn.referee.store.lines(table.id)
    must_not_be_too_much(lines, person.id, text, phrase, turn.now)
    chair = None if isinstance(visible, SpectatorTable) else table.chair_of(person.id, turn.seat)
    line = ChatMessage(
        number=lines[-1].number + 1 if lines else 1,
        room=Room.TABLE if chair else Room.GALLERY,
        player=person.id,
        name=chair.name_of(person.id) if chair else person.name,
        seat=chair.seat if chair else None,
        text=text,
        phrase=phrase,
        at=turn.now,
    )
    turn.write(lambda change: change.save_player(person))
    turn.write(lambda change: change.say(line))
    turn.quiet = _hidden_from_players(line, table)


def strike(turn: Turn, number: int) -> None:
    """Take a line away, where it stood it says so: one's own, or any as host.

    Raises Refused: NO_LINE, NOT_YOURS.
    """
    line = _line(turn.referee.store.lines(turn.table.id), number)
    if turn.player not in (line.player, turn.table.host):
        raise Refused(ChatRefusal.NOT_YOURS)
    turn.write(lambda change: change.strike(number))
    turn.quiet = _hidden_from_players(line, turn.table)


def heard_by(player: str, table: Table, lines: list[ChatMessage]) -> list[ChatMessage]:
    """Return the lines said at a table that somebody may read, by authors whom they have muted too."""
    visible = visible_table(player, table)
    if isinstance(visible, SpectatorTable) and visible.excluded:
        return []
    behind = isinstance(visible, SpectatorTable)
    seated = table.chair_of(player) is not None and not behind
    return heard(lines, seated, table.status is Status.OVER, held_back=behind)


def mute(referee: "Referee", id: str, player: str, number: int, muted: bool) -> None:
    """Let a player not read the author of a line that they may read, at any table; or read them again.

    Raises Refused: NO_TABLE, NO_LINE.
    """
    lines = heard_by(player, referee.views.status(id), referee.store.lines(id))
    message = next((line for line in lines if line.number == number), None)
    if message is None:
        raise Refused(ChatRefusal.NO_LINE)
    referee.store.mute(player, message.player, muted)


def report(turn: Turn, number: int) -> None:
    """Show a line that one may read to the host of the site.  Raises Refused(NO_LINE)."""
    _line(heard_by(turn.player, turn.table, turn.referee.store.lines(turn.table.id)), number)
    turn.write(lambda change: change.report(number))
    turn.quiet = True


def hush(turn: Turn, hushed: bool) -> None:
    """Close the chat, or open it again, as host.  Raises Refused(NOT_HOST)."""
    turn.table.must_be_hosted_by(turn.player)
    turn.table.chat_closed = hushed


def answer_report(referee: "Referee", id: str, number: int, strike: bool) -> None:
    """Remove a line that was reported, or let it stand.  Raises Refused: NO_TABLE, NO_LINE."""
    line = _line([line for table, line in referee.store.reported() if table == id], number)
    referee.change(id, _answer_report, line, strike)


def _answer_report(turn: Turn, line: ChatMessage, strike: bool) -> None:
    if strike:
        turn.write(lambda change: change.strike(line.number))
        if not _hidden_from_players(line, turn.table):
            turn.table.version += 1
    else:
        turn.write(lambda change: change.report(line.number, False))


def _hidden_from_players(line: ChatMessage, table: Table) -> bool:
    return line.room is Room.GALLERY and table.status is not Status.OVER


def _line(lines: list[ChatMessage], number: int) -> ChatMessage:
    """Find a line that still stands.  Raises Refused(NO_LINE)."""
    for line in lines:
        if line.number == number and not line.deleted:
            return line
    raise Refused(ChatRefusal.NO_LINE)
