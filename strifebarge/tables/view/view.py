"""A table as one viewer sees it, made from its parts."""

from typing import Any, Self

from msgspec import Struct

from strifebarge.lib.cached import cached_property
from strifebarge.rules import Action, Ranking, Refused
from strifebarge.rules.board import Offer
from strifebarge.rules.codec import ALL_SEEING
from strifebarge.rules.match import Match
from strifebarge.rules.text import pack
from strifebarge.rules.validity import refusal
from strifebarge.tables.clock.presence import TablePresence, status_with_presence, table_etag
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.log import Line, lines_of, news_of, own_of
from strifebarge.tables.model.ports import Row
from strifebarge.tables.model.reasons import TableRefusal
from strifebarge.tables.model.status import RUNNING, Status
from strifebarge.tables.model.table import Table
from strifebarge.tables.model.watching import SpectatorTable
from strifebarge.tables.view.parts import (
    EndingView,
    LogView,
    PlanView,
    PositionView,
    Spectators,
    SuspensionView,
    TimesView,
)
from strifebarge.tables.view.perspective import perspective, seat_that_can_undo
from strifebarge.tables.view.place import SeatView, as_of, place_of, with_standing
from strifebarge.tables.view.settings import SettingsView, settings_of
from strifebarge.tables.view.turn import ActionForm, AnsweredQuestion, TurnView, turn_of
from strifebarge.tables.view.viewer import Viewer, viewer_of


class View(Struct, kw_only=True, dict=True):
    """A table in one viewer's eyes, at one moment of its game."""

    id: str
    title: Title
    status: Status
    etag: str  # changes as soon as this page does
    viewer: Viewer
    places: list[SeatView]  # by seat
    settings: SettingsView
    spectators: Spectators
    position: PositionView
    turn: TurnView
    plan: PlanView | None = None
    log: LogView
    clock: Clock | None
    times: TimesView
    suspension: SuspensionView | None
    ending: EndingView

    # -- what boards use, as docs/authors.md names it ------------------------------

    @property
    def mine(self) -> bool:
        """Tell whether it is the viewer's move."""
        return self.turn.question_number is not None and self.turn.choice is None

    @cached_property
    def offers(self) -> list[Offer]:
        """Return what the viewer may choose from, in the game's order, with the reasons against."""
        return [Offer(each, self.reason(each)) for each in self.turn.options if isinstance(each, Action)]

    @property
    def question_number(self) -> int | None:
        """Return the number of the question that the viewer is asked."""
        return self.turn.question_number

    @property
    def choice(self) -> str | None:
        """Return the viewer's choice in words, while others still choose."""
        return self.turn.choice

    @property
    def undoable(self) -> bool:
        """Tell whether the viewer may take their last move back."""
        return self.turn.can_undo

    @property
    def lines(self) -> list[Line]:
        """Return the latest lines of the log."""
        return self.log.lines

    @property
    def news(self) -> list[Line]:
        """Return the lines that were told since the viewer's own last move, or since the deal."""
        return self.log.news

    @property
    def number(self) -> int:
        """Return the number of the position shown."""
        return self.position.number

    @property
    def newest(self) -> int:
        """Return the number of the table's last move."""
        return self.position.newest

    @property
    def live(self) -> bool:
        """Tell whether the position is the one now, and not a page of history."""
        return self.position.live

    @property
    def result(self) -> Ranking | None:
        """Return the ranking, once the game is over."""
        return self.ending.result

    # -- what may be done and asked ------------------------------------------------

    @cached_property
    def questions(self) -> list[AnsweredQuestion]:
        """Return what the viewer may ask of the game, answered from what they see of it."""
        if self.position.game is None:
            return []
        items = self.title.rules.questions.items()
        return [
            AnsweredQuestion(
                name, text, [pack(line) for line in getattr(self.position.game, name)(self.position.you)]
            )
            for name, text in items
        ]

    @cached_property
    def kinds(self) -> set[type[Action]]:
        """Return the kinds of the actions that the viewer may choose from or fill in."""
        # The types are asked first, and each only once: a sea has thousands of options.
        types: set[type] = set(map(type, self.turn.offered))
        to_fill_in = {each for each in types if issubclass(each, type)}
        if not to_fill_in:
            return types
        return types - to_fill_in | {each for each in self.turn.offered if isinstance(each, type)}

    @property
    def blanks(self) -> list[ActionForm]:
        """Return the kinds of action that the viewer may fill in."""
        if not any(issubclass(each, type) for each in set(map(type, self.turn.offered))):
            return []
        return [ActionForm.of(each) for each in self.turn.options if isinstance(each, type)]

    def reason(self, action: Action) -> Refused | None:
        """Return why the viewer may not do this now, judged on what they see: it tells nothing hidden."""
        game: Any = self.position.game
        try:
            return refusal(game, self.position.you, action)
        except (AttributeError, TypeError):  # a rule that asks for what is hidden: the referee will judge
            return None

    @property
    def choosing(self) -> bool:
        """Tell whether the viewer may choose now, or choose again while others still do."""
        return self.mine or self.choice is not None

    # -- who is at the table -------------------------------------------------------

    @property
    def my_place(self) -> SeatView | None:
        """Return the viewer's own place; None for a spectator."""
        return None if self.viewer.seat is None else self.places[self.viewer.seat]

    def must_show_game(self) -> Self:
        """Return the view.  Raises Refused(NOT_WATCHED) where only players see the game."""
        if self.spectators.excluded:
            raise Refused(TableRefusal.NOT_WATCHED)
        return self

    @property
    def may_resume(self) -> bool:
        """Tell whether the game is suspended, and the viewer has a say in resuming or ending it."""
        seat = self.my_place
        return self.status == "suspended" and seat is not None and not seat.left

    @property
    def several(self) -> list[SeatView]:
        """Return the places at the viewer's shared device; none where they have one seat."""
        own_seats = [seat for seat in self.places if seat.my_device]
        return own_seats if len(own_seats) > 1 else []

    @property
    def free(self) -> list[SeatView]:
        """Return the free places."""
        return [seat for seat in self.places if seat.free]

    @property
    def seated(self) -> list[SeatView]:
        """Return the places that are not free."""
        return [seat for seat in self.places if not seat.free]

    @property
    def inviter(self) -> SeatView | None:
        """Return the first place of a person, in whose name others are invited; None where only bots sit."""
        return next((seat for seat in self.seated if not seat.bot), None)

    @property
    def others(self) -> list[SeatView]:
        """Return the places of people at other devices."""
        return [seat for seat in self.seated if not seat.my_device]

    @property
    def suspending(self) -> list[SeatView]:
        """Return the places of players who would have the game suspended."""
        return [seat for seat in self.places if seat.suspends]

    @property
    def returned(self) -> list[SeatView]:
        """Return the places that were given back to players who had lost them."""
        return [seat for seat in self.places if seat.returned is not None]

    @property
    def covered(self) -> list[SeatView]:
        """Return the places whose players may uncover the page of a shared device."""
        return [self.places[seat] for seat in self.viewer.curtain]

    @property
    def waiting(self) -> list[SeatView]:
        """Return the places that are to move."""
        return [seat for seat in self.places if seat.to_move]

    @property
    def running(self) -> bool:
        """Tell whether the game has begun and is not over."""
        return self.status in RUNNING

    @property
    def timed(self) -> list[SeatView]:
        """Return the places whose time runs; none while the game is suspended."""
        if not self.live or not self.running or self.status is Status.SUSPENDED:
            return []
        return [seat for seat in self.places if seat.time and seat.time.ticking]

    @property
    def overdue(self) -> list[SeatView]:
        """Return the places whose time has run out, where the game has not gone on yet."""
        late = self.clock.late(self.times.now) if self.clock else []
        return [seat for seat in self.timed if seat.seat in late]


def show_table(
    table: Table,
    title: Title,
    player: str | None,
    match: Match | None = None,
    rows: list[Row] = [],  # noqa: B006 - never changed
    as_seen: bool = False,
    back: bool = False,
    at: float = 0,
    viewer_seat: int | None = None,
    presence: TablePresence = TablePresence(),  # noqa: B008 - it is frozen
) -> View:
    """Return what `player` (None: a stranger) may see of a table and its game.

    When the game is over that is everything, unless it is to be shown `as_seen` in play.
    A page that looks `back` offers nothing, even at the newest position.
    """
    if isinstance(table, SpectatorTable):  # nothing in there is anybody's own
        player, viewer_seat = None, None
    view = _without_game(table, title, player, viewer_seat, presence, at)
    view.position.live = not back
    if match:
        analyses = table.analysis and view.viewer.seat is not None
        unseal = analyses or (table.status is Status.OVER and not as_seen)
        # At an analysis board games are played with the eyes of who is to move, as their boards are made for.
        eyes = ALL_SEEING if unseal and (back or not view.running) else view.viewer.eyes
        _show_position(view, match, eyes)
        _show_turn(view, table, match, player)
        withheld = frozenset() if unseal else match.withheld(view.viewer.eyes)
        visible_rows = [row for row in rows if row.ledger_position not in withheld] if withheld else rows
        _show_log(view, visible_rows, unseal, [] if back else table.played_by.untold)
    return view


def _without_game(
    table: Table,
    title: Title,
    player: str | None,
    viewer_seat: int | None,
    presence: TablePresence,
    at: float,
) -> View:
    """Return all but the game itself, as it is now."""
    viewpoint = perspective(table, title, player, viewer_seat)
    return View(
        id=table.id,
        title=title,
        status=status_with_presence(table, presence),
        etag=table_etag(table, presence, player) + (f"~{title.stamp}" if title.stamp else ""),
        viewer=viewer_of(table, title, player, viewpoint, presence),
        places=[place_of(table, title, each, viewpoint.seat, player, presence, at) for each in table.chairs],
        settings=settings_of(table, title),
        spectators=Spectators.of(table),
        position=PositionView(number=table.position.number, newest=table.position.number),
        turn=TurnView(),
        log=LogView(),
        clock=table.clock,
        times=TimesView.of(table, at),
        suspension=SuspensionView.of(table),
        ending=EndingView.of(table),
    )


def _show_position(view: View, match: Match, eyes: int | None) -> None:
    """Put a match into a view, as these eyes see it."""
    game, seat = match.view(eyes), view.viewer.eyes
    view.position.number, view.position.game = match.number, game
    view.position.you = None if seat is None else game.seats[seat]
    view.places = [with_standing(seat_view, game) for seat_view in view.places]
    if not view.live or view.spectators.delay:
        view.places = [as_of(seat_view, match) for seat_view in view.places]


def _show_turn(view: View, table: Table, match: Match, player: str | None) -> None:
    """Put into a view what the viewer is asked, while the game goes on."""
    seat, in_play = view.viewer.eyes, view.live and view.running and view.status is not Status.SUSPENDED
    if in_play and seat is not None:
        view.plan = PlanView.of(table, view.title.rules, player, seat)
    turn = turn_of(table, match, seat, view.title.rules) if in_play and seat is not None else None
    if turn is None:
        return
    if not view.viewer.secret and not turn.can_undo:
        turn.undo_for = seat_that_can_undo(table, player, match)
    view.turn = turn
    if table.analysis and match.number:
        turn.can_undo = turn.undo_any = True


def _show_log(view: View, rows: list[Row], unseal: bool, untold: list[Any]) -> None:
    """Put into a view what these rows tell, and the packed lines that the next row is to have."""
    times, seat = view.times, view.viewer.eyes
    times.moved = rows[-1].at if rows else times.moved
    times.changed = times.moved if view.spectators.delay else times.changed
    view.log.lines = lines_of(rows, unseal) + [Line(view.position.number, each) for each in untold]
    if seat is not None:
        view.log.own, view.log.news = own_of(view.log.lines, rows, seat), news_of(view.log.lines, rows, seat)
