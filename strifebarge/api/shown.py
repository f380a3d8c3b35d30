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
from strifebarge.tables.model.status import AbsencePolicy, ResultUse, Seating, StartRule, Status
from strifebarge.tables.model.table import TERM
from strifebarge.tables.view import Absence, SeatView, View

SAMPLES = 3  # of a kind of action that cannot be listed


class SeatInfo(Struct):
    """A seat at the table."""

    seat: int
    letter: str
    role: str  # its own name in this game, as "White"; or ""
    name: str  # of its player; of a free seat, its flag
    free: bool
    guest: bool  # the site has given the name
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
    last_seen: float | None  # when they last were, if they are not, in seconds since 1970
    returned: float | None  # when its player was last given it back in another browser
    locked: bool  # the caller's own seat has a PIN, so programs cannot play it
    suspends: bool  # its player would have the game suspended
    pauses: bool  # its player would have the clocks stopped
    absence: Absence  # how long the table has waited for it, and who may have it instead
    holder: str  # for `table.remove`: who has it; "" for all but the host, before the game
    remaining: float | None  # seconds left; None without a clock
    ticking: bool  # they run now
    still_until: float | None  # until then they stand still: a vacation or a pause, in seconds since 1970


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
    options_set_by: dict[str, str]  # by option: the name of the player who changed it
    terms_set_by: dict[str, str]  # by another setting, as `table.set` names it
    pace: str  # "" without a clock
    paused_until: float | None  # until then all clocks are stopped, in seconds since 1970
    pause_ended: bool  # somebody has ended the pause: the clocks run again then
    terms: str  # for `table.ready`: names all that players agree to
    begins: StartRule
    seating: Seating
    watching: int  # moves by which spectators are behind; -1: they see nothing before the end
    patience: int  # seconds
    remedy: AbsencePolicy
    afterwards: ResultUse
    language: str  # "" while nobody has chosen one for all
    visible: bool  # on the list of open tables
    shared: bool  # somebody may have several seats at one device
    one_sitting: bool  # all players are present while it is played
    bots: bool  # a bot plays here, or has played: the game is not rated
    tournament: str  # the code of the tournament whose game it is; "" for none
    is_rematch: bool
    chat_closed: bool
    spectators: int  # who watch now
    suspended_by: str | None
    held: bool  # a host of the site suspended it, and players can only wait
    trouble: str  # what is wrong with its rules, in words
    faulty: bool  # its game's code has failed
    end_proposed_by: str | None
    back_proposed_by: str | None
    back_to: int | None
    back_stands: bool  # that is the last move: it can go on from where it stands
    parts_at: int | None  # the move that comes out otherwise by the rules of now; 0: the deal
    why: str  # what these rules say against it, for the game's author
    commitment: str  # SHA-256 of the seed
    seed: str | None  # once the game is over
    record: str  # the id of the record, once the game is over
    rematch: str | None  # the code of the next table
    places: list[list[int]] | None  # the result: seats from first to last
    result: str  # in words
    unfinished: bool
    stopped: str  # why it ended without a result, where not all had agreed to that
    started: float | None  # in seconds since 1970, as the times that follow
    ended: float | None
    moved: float  # when the last move was made
    changed: float  # when anything last happened
    nudged: float | None  # when a player was last reminded
    can_delete: bool  # the caller may delete the table
    substitute_for: int | None  # the seat that the caller may take over now
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
    undo_for: int | None  # at a shared device: the seat whose finished turn may be undone
    anew: bool  # asked again, for other rules do not offer what was chosen


class PlanState(Struct, kw_only=True):
    """The caller's plan; no one else is told of it."""

    allowed: bool  # they may plan now, for they are not asked
    answering: bool  # a plan may answer moves of the other seat
    plan: str  # as it may be sent again; "" for none
    dropped: str  # a move of it that was not made; "" for none
    why: str  # why not, in words


class AnswerView(Struct):
    """Something that may be asked of the game at any time, as `game.schema` lists it, with the answer."""

    name: str
    text: str
    answer: list[str]


class State(TableInfo, kw_only=True):
    """A table with its game, in the eyes of one viewer."""

    position: int  # the number of the position shown
    live: bool  # it is the one now
    your_turn: bool
    question: QuestionView | None
    plan: PlanState | None  # None where nobody plans
    view: Raw | None  # the game as JSON: what this viewer may not see is null
    answers: list[AnswerView]
    log: list[LogLine]
    delay: int  # moves by which this viewer is behind
    excluded: bool  # this viewer may not watch: they are told nothing of the game


def told_language(language: str, set_by: Mapping[str, str], listed: bool) -> str:
    """Return a table's language; "" for that of the player who opened it, which is theirs to tell."""
    return language if listed or f"{TERM}language" in set_by else ""


def info_of(view: View, sentences: Sentences) -> dict[str, Any]:
    """Return the fields of a TableInfo."""
    chosen, ending, suspension = view.settings, view.ending, view.suspension
    by_option = {name: who for name, who in chosen.set_by.items() if not name.startswith(TERM)}
    by_term = {_setting(name): who for name, who in chosen.set_by.items() if name.startswith(TERM)}
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
        "seats": [_seat(seat_view, view, sentences) for seat_view in view.places],
        "max_players": len(view.places),
        "options": chosen.values,
        "options_set_by": by_option,
        "terms_set_by": by_term,
        "pace": view.clock.pace.key if view.clock else "",
        **_pause(view),
        "terms": chosen.digest,
        "begins": chosen.begins,
        "seating": chosen.seating,
        "watching": chosen.watching,
        "patience": chosen.patience,
        "remedy": chosen.remedy,
        "afterwards": chosen.afterwards,
        "language": told_language(chosen.language, chosen.set_by, chosen.listed),
        "visible": chosen.listed,
        "shared": chosen.shared,
        "one_sitting": chosen.one_sitting,
        "bots": chosen.bots,
        "tournament": chosen.tournament,
        "is_rematch": chosen.is_rematch,
        "chat_closed": chosen.chat_closed,
        "spectators": view.spectators.count,
        "suspended_by": suspension.by if suspension else None,
        "held": bool(suspension and suspension.by_host),
        "trouble": sentences.game_words(suspension.trouble) if suspension else "",
        "faulty": bool(suspension and suspension.faulty),
        "end_proposed_by": suspension.end if suspension else None,
        "back_proposed_by": suspension.back if suspension else None,
        "back_to": suspension.back_to if suspension else None,
        "back_stands": bool(suspension and suspension.stands),
        "parts_at": suspension.parts_at if suspension else None,
        "why": sentences.render_text(suspension.why) if suspension else "",
        "commitment": chosen.commitment,
        "seed": chosen.seed,
        "record": ending.record,
        "rematch": ending.rematch,
        "places": ending.result.places if ending.result else None,
        "result": sentences.render_text(ending.result.why) if ending.result else "",
        "unfinished": ending.unfinished,
        "stopped": sentences.game_words(ending.stopped),
        "started": view.times.started,
        "ended": view.times.ended,
        "moved": view.times.moved,
        "changed": view.times.changed,
        "nudged": view.times.nudged,
        "can_delete": view.viewer.can_delete,
        "substitute_for": view.viewer.substitute_for,
        "allowed": [f"{seat} {step}" for seat, steps in view.viewer.steps.items() for step in steps],
    }


def _may_clear(view: View) -> bool:
    """Return whether the viewer may clear seats; nobody else is told whether one has changed hands."""
    return view.viewer.host and view.status is Status.OPEN


def _setting(term: str) -> str:
    """Return what `table.set` calls a term of a table."""
    name = term.removeprefix(TERM)
    return "pace" if name == "clock" else name


def _pause(view: View) -> dict[str, Any]:
    """Return the fields that tell of a pause of all clocks."""
    pause = view.clock.pause if view.clock and view.clock.stands(view.times.now) else None
    return {"paused_until": pause.until if pause else None, "pause_ended": bool(pause and pause.ended)}


def _seat(seat: SeatView, view: View, sentences: Sentences) -> SeatInfo:
    clock, now = view.clock, view.times.now
    still = seat.time.still if seat.time and seat.time.still > now else None
    stands = still is not None or (clock is not None and clock.stands(now))
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
        last_seen=seat.presence.last_seen,
        returned=seat.returned,
        locked=seat.locked and seat.my_device,
        suspends=seat.suspends,
        pauses=clock is not None and seat.seat in clock.agreed,
        absence=seat.absence,
        holder=seat.holder if _may_clear(view) else "",
        remaining=seat.time.remaining if seat.time else None,
        ticking=seat in view.timed and not stands,
        still_until=still,
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
        answers=[
            AnswerView(each.name, sentences.game_words(each.text), [*map(sentences.render_text, each.answer)])
            for each in view.questions
        ],
        log=[line_of(line, sentences) for line in view.lines],
        delay=view.spectators.delay,
        excluded=view.spectators.excluded,
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
        undo_for=view.turn.undo_for,
        anew=view.turn.anew,
    )


def _plan(view: View, sentences: Sentences) -> PlanState | None:
    plan_view = view.plan
    if plan_view is None:
        return None
    dropped = plan_view.dropped
    return PlanState(
        allowed=plan_view.may,
        answering=plan_view.answering,
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
