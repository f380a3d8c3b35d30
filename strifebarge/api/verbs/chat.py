"""Verbs of talk: read, say, strike out, report, mute, close the chat."""

from typing import Annotated

from msgspec import Meta, Struct

from strifebarge.api.arguments import AtTable, FromSeat, Number, WriteAtTable, one_of
from strifebarge.api.caller import ActResult, Caller
from strifebarge.api.verbs.verb import verb
from strifebarge.people.models import Scope
from strifebarge.tables.acts import talk
from strifebarge.tables.model.chat import LONGEST, PHRASES, ChatMessage, Room, heard
from strifebarge.tables.model.status import Status


class ChatLine(Struct):
    """A message."""

    number: int
    room: Room
    name: str
    seat: int | None
    text: str
    at: float  # seconds since 1970
    mine: bool
    deleted: bool


class Chat(Struct):
    """The newest messages at a table, the oldest first."""

    lines: list[ChatLine]


class Say(FromSeat, kw_only=True, forbid_unknown_fields=True):
    """A message: a text, or one of the phrases that all read in their own language."""

    text: Annotated[str, Meta(max_length=4 * LONGEST)] = ""
    phrase: Annotated[str, one_of(["", *PHRASES])] = ""


class MessageReference(WriteAtTable, kw_only=True, forbid_unknown_fields=True):
    """A message, by its number."""

    number: Number


class Mute(MessageReference, kw_only=True, forbid_unknown_fields=True):
    """The author of a message, to be muted or not."""

    mute: bool = True


class CloseChat(WriteAtTable, kw_only=True, forbid_unknown_fields=True):
    """The chat, to be closed or not."""

    closed: bool = True


@verb("chat.read", Scope.READ, "GET", "/tables/{table}/chat")
def read(caller: Caller, call: AtTable) -> Chat:
    """Return the newest hundred messages that the caller may read."""
    view = caller.view(call.table).must_show_game()
    chats, player = caller.site.services.conversations, caller.player.id
    plays = any(seat.my_device for seat in view.places)
    over, held_back = view.status is Status.OVER, view.spectators.held_back
    lines = heard(chats.lines(view.id), plays, over, chats.muted_by(player), held_back)
    return Chat([line_told(each, caller) for each in lines])


def line_told(message: ChatMessage, caller: Caller) -> ChatLine:
    """Return a line of the chat as the caller reads it."""
    text = (
        caller.sentences().render_text(PHRASES[message.phrase]) if message.phrase in PHRASES else message.text
    )
    is_own = message.player == caller.player.id
    shown = "" if message.deleted else text
    return ChatLine(
        message.number, message.room, message.name, message.seat, shown, message.at, is_own, message.deleted
    )


@verb("chat.say", Scope.PLAY, "POST", "/tables/{table}/chat")
def say(caller: Caller, call: Say) -> ActResult:
    """Send a message: to the players if the caller has a seat, else to the spectators."""
    caller.must_not_hurry(call, "talk")
    return caller.carry_out(call, call.table, talk.say, caller.player, call.text, call.phrase)


@verb("chat.strike", Scope.PLAY, "POST", "/tables/{table}/chat/{number}/strike")
def strike(caller: Caller, call: MessageReference) -> ActResult:
    """Delete a message: one's own, or as host any."""
    return caller.carry_out(call, call.table, talk.strike, call.number)


@verb("chat.report", Scope.PLAY, "POST", "/tables/{table}/chat/{number}/report")
def report(caller: Caller, call: MessageReference) -> ActResult:
    """Report a message to the host of the site."""
    caller.must_not_hurry(call, "talk")
    return caller.carry_out(call, call.table, talk.report, call.number)


@verb("chat.mute", Scope.PLAY, "POST", "/tables/{table}/chat/{number}/mute")
def mute(caller: Caller, call: Mute) -> ActResult:
    """Mute or unmute the author of a message, at all tables."""
    id = caller.table(call.table)
    talk.mute(caller.referee, id, caller.player.id, call.number, call.mute)
    return caller.done(id, caller.referee.store.table(id).position.number)


@verb("chat.hush", Scope.TABLE, "POST", "/tables/{table}/hush")
def hush(caller: Caller, call: CloseChat) -> ActResult:
    """Close the chat, or open it again, as host."""
    return caller.carry_out(call, call.table, talk.hush, call.closed)
