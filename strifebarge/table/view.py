"""All that one viewer is shown.  Pages and bots get this and nothing else, so they cannot leak."""

from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from strifebarge.rules import Action, Game, Ranking, Refused, Text
from strifebarge.rules.action import Late
from strifebarge.rules.chance import commitment
from strifebarge.rules.codec import ALL_SEEING
from strifebarge.rules.judging import refusal
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json, tag, write
from strifebarge.rules.schema import Choice, Field, actions, form_fields, options_type
from strifebarge.rules.text import pack

from .clock import Clock
from .library import Title
from .log import Line, lines_of, news_of
from .policy import USUAL_PATIENCE, Remedy, Step, enough_against, in_grace, is_absent, late, steps
from .ports import Row
from .presence import Here, mark, standing
from .sight import Sight, secret, sight, takes_back
from .status import EVERYBODY, NOBODY
from .table import RUNNING, Afterwards, Begins, Chair, Seating, Status, Suspension, Table
from .watching import Watched


class Offer(NamedTuple):
    """One action a seat may choose, or why it may not."""

    action: Action
    refused: Refused | None

    @property
    def words(self) -> str:
        """How it is written: `fire K9`."""
        return write(self.action)

    @property
    def label(self) -> Text:
        """What its button says."""
        return self.action.words


class Blank(Struct, frozen=True):
    """A kind of action to be filled in: a form with these fields."""

    do: str
    kind: type[Action]
    label: str
    fields: tuple[Field, ...]


class Place(Struct, frozen=True):
    """A seat at the table, as everyone sees it."""

    seat: int
    letter: str
    held: str  # who has it, as forms say it that are about them
    name: str
    guest: bool  # the name is that of the seat's flag
    role: str  # the seat's own name in this game, "White"; or ""
    free: bool
    mine: bool
    my_device: bool  # the viewer has it, alone or with others
    ready: bool
    to_move: bool
    chosen: bool
    out: bool
    left: bool
    beside: tuple[str, ...] = ()  # what those are called who play the seat together with its player
    here: bool = False  # somebody of this seat is at the table now
    seen: float | None = None  # when they last were
    since: float | None = None  # since when the table waits for this seat
    substitute: str | None = None  # who may take it over when its player stays away
    returned: float | None = None  # when its player was last given it back, in another browser
    locked: bool = False  # its PIN is asked for before its page is shown
    unlocks: float | None = None  # until when, for somebody has said that it is forgotten
    standing: Any = None  # packed text
    remaining: float | None = None  # seconds on the clock
    ticking: bool = False  # and they run, unless everything stands still
    still: float = 0  # on vacation, or paused, until then
    grace: bool = False  # what remains is but a grace
    missed: int = 0  # deadlines in a row
    absent: bool = False  # which are so many that others may have the seat
    against: tuple[int, int] = (0, 0)  # how many would take it out of the game, of how many that it takes


class Question(NamedTuple):
    """Something a viewer may ask of the game at any time, with what it answers."""

    name: str
    words: str
    answer: list[Any]  # packed texts


class View(Struct, kw_only=True, dict=True):
    """A table in one viewer's eyes, at one moment of its game."""

    id: str
    title: Title
    status: Status
    trouble: str
    suspension: Suspension | None
    back: int | None = None  # where the rules have changed: the move to which the game can go back
    unfinished: bool
    stopped: str
    hushed: bool
    set_by: dict[str, str]
    version: int
    mark: str  # differs as soon as this page does
    number: int  # of the position shown
    newest: int  # of the table's last move
    places: list[Place]
    seat: int | None  # the viewer's own
    eyes: int | None  # whose secrets the viewer may be told: nobody's, for a newcomer at a suspended table
    secret: bool  # some who sit here may not see what others do
    curtain: tuple[int, ...]  # the device is being passed round: who may say that they are looking
    host: bool
    shared: bool
    listed: bool
    settings: list[tuple[Field, Choice]]
    commitment: str
    at_issue: str = ""  # what somebody agrees to who says that they are ready
    live: bool = True  # and not a page that looks back
    in_one_go: bool = False  # all are to be there while it is played
    begins: Begins = Begins.FULL
    seating: Seating = Seating.CHOSEN
    watching: int = EVERYBODY
    patience: int = USUAL_PATIENCE
    remedy: Remedy = Remedy.END
    language: str = ""
    veiled: bool = False  # whoever looks may not watch: there is nothing of the game in here
    behind: int = 0  # so many moves behind is what is shown to whoever only watches
    watchers: int = 0  # how many watch just now
    steps: dict[int, list[Step]] = {}  # what the viewer may do about those who are late, by seat
    ready: bool = False  # the viewer has agreed
    deletable: bool = False  # the viewer may delete the table
    first: bool = False  # the viewer is the one who may give their seat away
    stands_in: int | None = None  # the seat that the viewer may take over now
    seed: str | None = None  # when it is over
    parent: str | None = None
    rematch: str | None = None
    afterwards: Afterwards = Afterwards.QUIET
    imported: bool = False
    record: str = ""  # its address in the books, when it is over
    permanent: bool = False  # looked at under that address
    clock: Clock | None = None
    at: float = 0  # when this was seen
    moved: float = 0  # when the last move was made
    nudged: float | None = None
    changed: float = 0
    started: float | None = None
    ended: float | None = None
    result: Ranking | None = None
    # with a game laid out:
    game: Game[Any] | None = None
    you: Any = None
    prompt: Any = None  # packed text
    asked: int | None = None
    options: list[Action | type[Action]] = []  # what the viewer is asked to choose from
    choice: str | None = None  # my own, while others still choose
    undoable: bool = False
    takes_back: int | None = (
        None  # the seat at the viewer's device whose move may be taken back, though it is over
    )
    lines: list[Line] = []
    news: list[Line] = []  # what was told since the viewer's own last move

    @cached_property
    def offers(self) -> list[Offer]:
        """What I may choose from, in the order the game offers it, with the reasons against."""
        return [Offer(each, self.reason(each)) for each in self.options if isinstance(each, Action)]

    @cached_property
    def questions(self) -> list[Question]:
        """What I may ask of the game, answered from what I see of it."""
        if self.game is None:
            return []
        asked = self.title.rules.questions.items()
        return [
            Question(name, words, [pack(line) for line in getattr(self.game, name)(self.you)])
            for name, words in asked
        ]

    @property
    def blanks(self) -> list[Blank]:
        """The kinds of action I may fill in."""
        return [_blank(each) for each in self.options if isinstance(each, type)]

    def reason(self, action: Action) -> Refused | None:
        """Why I may not do this now, judged on what I see: so it cannot tell what I may not know."""
        game: Any = self.game
        try:
            return refusal(game, self.you, action)
        except (AttributeError, TypeError):  # a rule that asks for what is hidden: the referee will judge
            return None

    @property
    def mine(self) -> bool:
        """Is it my move?"""
        return self.asked is not None and self.choice is None

    @property
    def my_place(self) -> Place | None:
        return None if self.seat is None else self.places[self.seat]

    @property
    def several(self) -> list[Place]:
        """The viewer's own places, where their device is passed round; or none."""
        mine = [place for place in self.places if place.my_device]
        return mine if len(mine) > 1 else []

    @property
    def waiting(self) -> list[Place]:
        return [place for place in self.places if place.to_move]

    @property
    def running(self) -> bool:
        return self.status in RUNNING

    @property
    def held_back(self) -> bool:
        """Whether the viewer is told less than all at the table may know."""
        return self.veiled or self.behind > 0

    @property
    def watchable(self) -> bool:
        """Whether somebody without a seat sees anything of the game before it is over."""
        return self.watching != NOBODY

    @property
    def timed(self) -> list[Place]:
        """Those whose clock runs; nobody's where the game rests."""
        resting = not self.live or not self.running or self.status is Status.SUSPENDED
        return [] if resting else [place for place in self.places if place.ticking]

    @property
    def overdue(self) -> list[Place]:
        """Those whose time has run out, and the game has not gone on yet."""
        late = self.clock.late(self.at) if self.clock else []
        return [place for place in self.timed if place.seat in late]


def look(
    table: Table,
    title: Title,
    player: str | None,
    match: Match | None = None,
    rows: list[Row] = [],  # noqa: B006 - never changed
    as_seen: bool = False,
    back: bool = False,
    at: float = 0,
    shown: int | None = None,
    here: Here = Here(),  # noqa: B008 - it is frozen
) -> View:
    """What `player` (None: a stranger) may see of a table and its game.

    When the game is over that is everything, unless it is to be shown `as_seen` in play.
    A page that looks `back` offers nothing, even at the newest position.
    """
    if isinstance(table, Watched):  # whoever it is: nothing in there is theirs
        player, shown = None, None
    given = sight(table, title, player, shown)
    view = _at_the_table(table, title, player, given, here, at)
    view.live = not back
    if match:
        view.number = match.number
        unseal = table.status is Status.OVER and not as_seen
        _lay_out(view, table, match, player, given.eyes, ALL_SEEING if unseal else given.eyes)
        withheld = frozenset() if unseal else match.withheld(given.eyes)
        known = [row for row in rows if row.place not in withheld]
        view.moved = known[-1].at if known else view.moved
        view.changed = view.moved if view.behind else view.changed
        view.lines = lines_of(known, unseal)
        view.news = [] if given.eyes is None else news_of(view.lines, known, given.eyes)
    return view


def _at_the_table(
    table: Table, title: Title, player: str | None, given: Sight, here: Here, at: float
) -> View:
    """All but the game itself, as it is now."""
    mine = table.chairs_of(player)
    seats = [each.seat for each in mine]
    return View(
        id=table.id,
        title=title,
        status=standing(table, here),
        trouble=table.trouble,
        suspension=table.suspension and msgspec.structs.replace(table.suspension, held={}),
        unfinished=table.unfinished,
        stopped=table.stopped,
        hushed=table.hushed,
        set_by=table.set_by,
        version=table.version,
        mark=mark(table, here, player),
        number=table.number,
        newest=table.number,
        places=[_place(table, title, each, given.seat, player, here, at) for each in table.chairs],
        seat=given.seat,
        eyes=given.eyes,
        curtain=given.curtain,
        secret=secret(table, title, seats),
        host=player is not None and table.host == player,
        shared=table.shared,
        listed=table.listed,
        settings=settings(table, title),
        commitment=commitment(table.seed),
        at_issue=table.at_issue,
        in_one_go=table.live,
        begins=table.begins,
        seating=table.seating,
        watching=table.watching,
        veiled=isinstance(table, Watched) and table.veiled,
        behind=table.behind if isinstance(table, Watched) else 0,
        patience=table.patience,
        remedy=table.remedy,
        language=table.language,
        steps=steps(table, player, here),
        deletable=table.why_not_delete(player) is None,
        ready=bool(player and mine) and all(each.is_ready(str(player)) for each in mine),
        first=given.seat is not None and table.chairs[given.seat].player == player,
        stands_in=stands_in(table, player, here),
        seed=table.seed if table.status is Status.OVER else None,
        parent=table.parent,
        rematch=table.rematch,
        afterwards=table.afterwards,
        imported=table.imported,
        record=table.record,
        clock=table.clock,
        at=at,
        moved=table.changed,
        nudged=table.nudged,
        changed=table.changed,
        started=table.started,
        ended=table.ended,
        result=table.result,
    )


def _lay_out(
    view: View, table: Table, match: Match, player: str | None, seat: int | None, eyes: int | None
) -> None:
    view.game = match.view(eyes)
    view.places = [
        msgspec.structs.replace(
            place, out=place.seat in view.game.out, standing=_standing(view.game, place.seat)
        )
        for place in view.places
    ]
    if not view.live or view.behind:
        view.places = [_as_of(place, match) for place in view.places]
    if seat is None:
        return
    view.you = view.game.seats[seat]
    in_play = view.live and view.running and view.status is not Status.SUSPENDED
    if not in_play or seat in match.given or seat not in match.prompts:
        return
    if isinstance(match.pending.get(seat), Late):  # too late to choose, though others still may
        return
    view.asked = match.asked[seat]
    view.prompt = pack(match.prompts[seat].text)
    view.options = match.options(seat)
    view.undoable = match.undoable(seat)
    if not view.secret and not view.undoable:
        view.takes_back = takes_back(table, player, match)
    if seat in table.pending:
        view.choice = write(from_json(table.pending[seat], actions(view.title.rules)))


def _as_of(place: Place, match: Match) -> Place:
    """A place as it was when the game stood so, whoever has moved or left since."""
    return msgspec.structs.replace(
        place,
        left=place.seat in match.game.gone,
        chosen=place.seat in match.given,
        to_move=place.seat in match.prompts and place.seat not in match.given,
    )


def _blank(kind: type[Action]) -> Blank:
    return Blank(tag(kind), kind, label_of(kind), form_fields(kind))


def label_of(kind: type[Action]) -> str:
    """What a kind of action is called: the first line of its docstring."""
    return (kind.__doc__ or kind.__name__).strip().splitlines()[0]


def stands_in(table: Table, player: str | None, here: Here) -> int | None:
    """The seat that a substitute may take over, since its player stays away."""
    if player is None or table.chair_of(player) or table.status not in RUNNING:
        return None
    for chair in late(table, here):
        if chair.substitute and chair.substitute.player == player:
            return chair.seat
    return None


def _place(
    table: Table, title: Title, chair: Chair, mine: int | None, player: str | None, here: Here, at: float
) -> Place:
    players = title.rules.players
    hands = table.clock.hands if table.clock else []
    timed = chair.seat < len(hands) and not isinstance(table, Watched)
    hand = hands[chair.seat] if timed else None
    return Place(
        seat=chair.seat,
        letter=chair.letter,
        held=chair.held,
        name=chair.called,
        guest=chair.guest,
        role=players[chair.seat] if isinstance(players, tuple) else "",
        free=chair.player is None and table.status is not Status.OVER,
        mine=chair.seat == mine,
        my_device=chair.has(player),
        ready=chair.agreed,
        to_move=chair.seat in table.waiting,
        chosen=chair.seat in table.pending,
        out=False,
        left=chair.left,
        beside=tuple(each.name for each in chair.beside),
        here=here.any_of(chair),
        seen=max((here.seen(player) for player, _ in chair.people), default=0) or None,
        since=table.waits_since(chair),
        substitute=chair.substitute.name or "" if chair.substitute else None,
        returned=chair.returned,
        locked=chair.locked(at),
        unlocks=chair.pin.ends if chair.pin and chair.locked(at) else None,
        remaining=hand.remaining(at) if hand else None,
        ticking=hand is not None and hand.since is not None,
        still=hand.still if hand else 0,
        grace=in_grace(table, chair),
        missed=hand.missed if hand else 0,
        absent=is_absent(table, chair),
        against=enough_against(table, chair) if chair.against else (0, 0),
    )


def _standing(game: Game[Any], seat: int) -> Any:
    return pack(game.standing(game.seats[seat]))


def settings(table: Table, title: Title) -> list[tuple[Field, Choice]]:
    """The options a table is played with, and the words for what was chosen."""
    chosen = []
    for field in form_fields(options_type(title.rules)):
        value = table.options.get(field.name, field.default)
        plain = str(value).lower() if isinstance(value, bool) else str(value)
        if not plain:
            continue  # a text left empty
        label = next((choice.label for choice in field.choices if choice.value == plain), plain)
        chosen.append((field, Choice(plain, label)))
    return chosen
