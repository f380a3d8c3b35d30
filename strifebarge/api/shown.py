"""Tables as one viewer is shown them, as structs for programs.

Everything is made from a View, which holds what its viewer may know and nothing else.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Raw, Struct

from strifebarge.api.words import Reason, Sentences
from strifebarge.rules import Action
from strifebarge.rules.action import label_of
from strifebarge.rules.chance import Chance
from strifebarge.rules.codec import as_seen
from strifebarge.rules.notation import tag, write
from strifebarge.tables.model.log import Line
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.table import TERM
from strifebarge.tables.view import SeatView, View

SAMPLES = 3  # of a kind of action that cannot be listed


class SeatInfo(Struct):
    """A seat at the table."""

    seat: int
    letter: str
    role: str  # its own name in this game, as "White"; or ""
    name: str  # of its player; of a free seat, its flag
    free: bool
    guest: bool  # the name is that of the flag
    mine: bool  # the caller has it, alone or with others
    ready: bool
    to_move: bool
    chosen: bool  # has chosen while others still do
    left: bool
    out: bool
    coplayers: list[str]  # their names
    bot: str | None  # the level of the bot that plays it; None for people
    stands_in: bool  # that bot stands in for the seat's own player, who may take it back
    summary: str  # how it stands in the game, in words
    present: bool  # its player is at the table now
    holder: str  # for `table.remove`: who has it; "" for all but the host, before the game
    remaining: float | None  # seconds left; None without a clock
    ticking: bool  # they run


class TableInfo(Struct, kw_only=True):
    """A table, without its game."""

    table: str
    game: str
    title: str
    status: Status
    version: str  # differs as soon as anything does that the caller may see
    number: int  # moves made
    seat: int | None  # the caller's own
    curtain: list[int]  # at a shared device: seats of which one is to be named to see more
    host: bool
    ready: bool
    seats: list[SeatInfo]
    max_players: int
    options: dict[str, Any]
    pace: str  # "" without a clock
    terms: str  # for `table.ready`: names all that players agree to
    begins: str
    seating: str
    watching: int  # moves by which spectators are behind; -1: they see nothing before the end
    patience: int  # seconds
    remedy: str
    afterwards: str
    language: str  # "" while nobody has chosen one for all
    visible: bool  # on the list of open tables
    chat_closed: bool
    spectators: int  # who watch now
    suspended_by: str | None
    end_proposed_by: str | None
    back_proposed_by: str | None
    back_to: int | None
    commitment: str  # SHA-256 of the seed
    seed: str | None  # once the game is over
    record: str  # the id of the record, once the game is over
    rematch: str | None  # the code of the next table
    places: list[list[int]] | None  # the result: seats from first to last
    result: str  # in words
    unfinished: bool
    allowed: list[str]  # what the caller may do about absent players, as "2 vote"


class LogLine(Struct):
    """A line of the log, in words."""

    number: int  # of the move it tells of
    seat: int | None
    text: str
    heading: bool
    by: str


class OfferView(Struct):
    """An action that can be chosen now, or the reason why it cannot."""

    move: str  # in words, for `table.move`
    action: Any  # the same as JSON, for `table.move`
    text: str  # as its button says it
    refused: Reason | None


class KindView(Struct):
    """A kind of action to be filled in: its schema is in `game.schema`, under `actions`."""

    do: str
    text: str
    samples: list[Any]  # well-formed actions; each may still be refused


class QuestionView(Struct, kw_only=True):
    """The question that the caller is asked now."""

    question_number: int  # the number of the question, for `table.move`
    text: str
    offers: list[OfferView]
    kinds: list[KindView]
    choice: str | None  # the caller's own in words, while others still choose
    can_undo: bool
    anew: bool  # asked again, for other rules do not offer what was chosen


class PlanState(Struct, kw_only=True):
    """The caller's plan; no one else is told of it."""

    allowed: bool  # they may plan now, for they are not asked
    plan: str  # as it may be sent again; "" for none
    dropped: str  # a move of it that was not made; "" for none
    why: str  # why not, in words


class State(TableInfo, kw_only=True):
    """A table with its game, in the eyes of one viewer."""

    position: int  # the number of the position shown
    live: bool  # it is the one now
    your_turn: bool
    question: QuestionView | None
    plan: PlanState | None  # None where nobody plans
    view: Raw | None  # the game as JSON: what this viewer may not see is null
    log: list[LogLine]
    delay: int  # moves by which this viewer is behind


def told_language(language: str, set_by: Mapping[str, str], listed: bool) -> str:
    """Return a table's language; "" for that of the player who opened it, which is theirs to tell."""
    return language if listed or f"{TERM}language" in set_by else ""


def info_of(view: View, sentences: Sentences) -> dict[str, Any]:
    """Return the fields of a TableInfo."""
    chosen, ending, suspension = view.settings, view.ending, view.suspension
    return {
        "table": view.id,
        "game": view.title.slug,
        "title": sentences.game_words(view.title.title),
        "status": view.status,
        "version": view.etag,
        "number": view.newest,
        "seat": view.viewer.seat,
        "curtain": [*view.viewer.curtain],
        "host": view.viewer.host,
        "ready": view.viewer.ready,
        "seats": [_seat(seat_view, sentences, _may_clear(view)) for seat_view in view.places],
        "max_players": len(view.places),
        "options": {field.name: choice.value for field, choice in chosen.options},
        "pace": view.clock.pace.key if view.clock else "",
        "terms": chosen.digest,
        "begins": chosen.begins,
        "seating": chosen.seating,
        "watching": chosen.watching,
        "patience": chosen.patience,
        "remedy": chosen.remedy,
        "afterwards": chosen.afterwards,
        "language": told_language(chosen.language, chosen.set_by, chosen.listed),
        "visible": chosen.listed,
        "chat_closed": chosen.chat_closed,
        "spectators": view.spectators.count,
        "suspended_by": suspension.by if suspension else None,
        "end_proposed_by": suspension.end if suspension else None,
        "back_proposed_by": suspension.back if suspension else None,
        "back_to": suspension.back_to if suspension else None,
        "commitment": chosen.commitment,
        "seed": chosen.seed,
        "record": ending.record,
        "rematch": ending.rematch,
        "places": ending.result.places if ending.result else None,
        "result": sentences.render_text(ending.result.why) if ending.result else "",
        "unfinished": ending.unfinished,
        "allowed": [f"{seat} {step}" for seat, steps in view.viewer.steps.items() for step in steps],
    }


def _may_clear(view: View) -> bool:
    """Return whether the viewer may clear seats; nobody else is told whether one has changed hands."""
    return view.viewer.host and view.status is Status.OPEN


def _seat(seat: SeatView, sentences: Sentences, host: bool) -> SeatInfo:
    return SeatInfo(
        seat=seat.seat,
        letter=seat.letter,
        role=sentences.game_words(seat.role),
        name=seat.name,
        free=seat.free,
        guest=seat.guest,
        mine=seat.my_device,
        ready=seat.ready,
        to_move=seat.to_move,
        chosen=seat.chosen,
        left=seat.left,
        out=seat.out,
        coplayers=[*seat.coplayers],
        bot=seat.bot or None,
        stands_in=seat.stands_in,
        summary=sentences.render_text(seat.standing),
        present=seat.presence.present,
        holder=seat.holder if host else "",
        remaining=seat.time.remaining if seat.time else None,
        ticking=bool(seat.time and seat.time.ticking),
    )


def state_of(view: View, sentences: Sentences) -> State:
    """Return a table with its game; code of the game runs in here."""
    game = view.position.game
    return State(
        **info_of(view, sentences),
        position=view.number,
        live=view.live,
        your_turn=view.mine,
        question=_question(view, sentences),
        plan=_plan(view, sentences),
        view=Raw(as_seen(game)) if game is not None else None,
        log=[line_of(line, sentences) for line in view.lines],
        delay=view.spectators.delay,
    )


def line_of(line: Line, sentences: Sentences) -> LogLine:
    return LogLine(line.number, line.seat, sentences.render_text(line.text), line.heading, line.by)


def _question(view: View, sentences: Sentences) -> QuestionView | None:
    if view.question_number is None:
        return None
    return QuestionView(
        question_number=view.question_number,
        text=sentences.render_text(view.turn.prompt),
        offers=[
            OfferView(
                move=offer.notation,
                action=msgspec.to_builtins(offer.action, order="deterministic"),
                text=sentences.offered(offer.action),
                refused=sentences.reason(offer.refused) if offer.refused else None,
            )
            for offer in view.offers
        ],
        kinds=[
            KindView(blank.do, sentences.game_words(label_of(blank.kind)), [*_samples(view, blank.kind)])
            for blank in view.blanks
        ],
        choice=view.choice,
        can_undo=view.undoable,
        anew=view.turn.anew,
    )


def _plan(view: View, sentences: Sentences) -> PlanState | None:
    plan_view = view.plan
    if plan_view is None:
        return None
    dropped = plan_view.dropped
    return PlanState(
        allowed=plan_view.may,
        plan=plan_view.text,
        dropped=dropped.typed if dropped else "",
        why=sentences.render_text(dropped.why) if dropped else "",
    )


def _samples(view: View, kind: type[Action]) -> Iterator[Any]:
    """Yield well-formed actions of a kind, made from what the viewer sees; the same for the same question."""
    seed = sha256(f"{view.id} {view.viewer.seat} {view.question_number} {tag(kind)}".encode()).hexdigest()
    dice, names = Chance(seed), set()
    for _ in range(SAMPLES):
        sample = kind.sample(view.position.game, view.position.you, dice)
        if (text := write(sample)) not in names:
            names.add(text)
            yield msgspec.to_builtins(sample, order="deterministic")
