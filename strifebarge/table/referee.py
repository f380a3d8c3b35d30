"""Carries out every change to a table; whatever is refused leaves no trace.

Each change is one transaction of the store: lock the table, look whether this
very form was accepted before, judge it, write the move and its receipt, commit.
Only then does anybody see it.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from secrets import token_bytes, token_hex
from threading import Lock
from time import time
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from strifebarge.rules import Action, Options, Refused, Standard
from strifebarge.rules.action import Leave, Undo
from strifebarge.rules.match import Diverged, Match, Move
from strifebarge.rules.notation import Kinds, from_json
from strifebarge.rules.schema import actions, options_type, seat_numbers, usual_seats

from . import bookkeeper
from .chat import PHRASES, NotSaid, Room, Said, must_not_be_too_much, tidy_line
from .library import Library, Title
from .names import code_of, tidy_name
from .ports import Change, Player, Receipt, Row, Store
from .table import Afterwards, Chair, No, Status, Table
from .view import View, look

RECENT = 40  # log lines on a table's page go back this many moves
DIVERGED = "The rules of this game have changed under it: its moves lead to another position now."
KEY = re.compile(r"[0-9A-Za-z._-]{16,64}")
KEPT = 500  # matches kept laid out, in each process


class Slip(Struct, frozen=True):
    """What a form carries beside the move: its one-use key, the question it answers, all it says."""

    key: str
    content: str = ""
    asked: int | None = None

    def digest(self, act: str, player: str, table: str) -> str:
        return sha256("\0".join([act, player, table, str(self.asked), self.content]).encode()).hexdigest()


class Laid(NamedTuple):
    """A match laid out, and the newest rows of its ledger."""

    match: Match
    rows: list[Row]


class Shelf:
    """Matches kept laid out between requests.  Whoever takes one has it alone.

    Correctness never depends on it: what is not there is taken up from the store.
    """

    def __init__(self, size: int = KEPT):
        self.size = size
        self.laid: OrderedDict[tuple[str, int], Laid] = OrderedDict()
        self.lock = Lock()

    def take(self, id: str, revision: int) -> Laid | None:
        with self.lock:
            return self.laid.pop((id, revision), None)

    def put(self, id: str, revision: int, laid: Laid) -> None:
        with self.lock:
            self.laid[id, revision] = laid
            while len(self.laid) > self.size:
                self.laid.popitem(last=False)


class Referee:
    """All that can be done at a table, by whom, and what it says when it may not be done."""

    def __init__(
        self,
        store: Store,
        library: Library,
        now: Callable[[], float] = time,
        entropy: Callable[[int], bytes] = token_bytes,
    ):
        self.store = store
        self.library = library
        self.now = now
        self.entropy = entropy
        self.shelf = Shelf()

    # -- people ----------------------------------------------------------------

    def newcomer(self) -> Player:
        """A new guest, who is kept when they first sit down."""
        return Player(token_hex(16), created=self.now())

    def rename(self, player: Player, name: str) -> None:
        """Raises Refused(WRONG_NAME)."""
        player.name = tidy_name(name)
        self.store.save_player(player)

    # -- before the game -------------------------------------------------------

    def start(
        self,
        player: Player,
        game: str,
        slip: Slip,
        seats: int | None = None,
        options: dict[str, Any] | None = None,
        sit: int | None = None,
        name: str = "",
        afterwards: str = Afterwards.QUIET,
    ) -> Table:
        """Open a table for a game, with `player` in seat `sit`, or else the first.

        Options may be strings, as a form posts them.  Raises Refused: NO_GAME,
        WRONG_SEATS, WRONG_OPTIONS, WRONG_AFTERWARDS.
        """
        title = self.library[game]
        table = Table(
            id=code_of(self.entropy(5)),
            game=title.slug,
            options=_options(title, options or {}),
            seed=self.entropy(32).hex(),
            chairs=[Chair(seat) for seat in range(_seats(title, seats))],
            rules_version=title.version,
            afterwards=_afterwards(afterwards),
            created=self.now(),
            changed=self.now(),
        )
        self._must_suit(table)
        player = _named(player, name)
        table.sit(player.id, player.name, sit)
        receipt = self._receipt(slip, "start", player.id, game)
        # Alone at the table, it begins at once.
        return self.store.add(table, receipt, player, lambda change: self._begin_if_ready(Act(change)))

    def join(self, player: Player, id: str, name: str, slip: Slip, seat: int | None = None) -> None:
        """Sit down; also in a seat that somebody left free in the middle of a game."""
        player = _named(player, name)
        with self._acting(player.id, id, "join", slip) as act:
            if not act.done:
                act.change.save_player(player)
                act.table.sit(player.id, player.name, seat)
                self._begin_if_ready(act)

    def ready(self, player: str, id: str, slip: Slip) -> None:
        """Agree to play this table as it is; when everyone does, it begins."""
        with self._acting(player, id, "ready", slip) as act:
            if not act.done:
                chair = act.table.seated(player)
                if not chair.ready and act.table.status is not Status.SUSPENDED:
                    act.table.must_be_open()
                chair.ready = True
                self._go_on_if_ready(act)

    def unready(self, player: str, id: str, slip: Slip) -> None:
        """Take back one's agreement."""
        with self._acting(player, id, "unready", slip) as act:
            if not act.done:
                chair = act.table.seated(player)
                if act.table.status is not Status.SUSPENDED:
                    act.table.must_be_open()
                chair.ready = False

    def sit_elsewhere(self, player: str, id: str, seat: int, slip: Slip) -> None:
        """Change seats before the game."""
        with self._acting(player, id, "sit", slip) as act:
            if not act.done:
                act.table.change_seat(player, seat)

    def configure(self, player: str, id: str, options: dict[str, Any], slip: Slip) -> None:
        """Play by other options; all are asked anew.  Raises Refused(WRONG_OPTIONS)."""
        with self._acting(player, id, "configure", slip) as act:
            if not act.done:
                act.table.configure(player, _options(self.library[act.table.game], options))

    def begin(self, player: str, id: str, slip: Slip) -> None:
        """The host begins with those who are there and ready."""
        with self._acting(player, id, "begin", slip) as act:
            if not act.done:
                act.table.must_be_open()
                act.table.must_be_hosted_by(player)
                numbers = seat_numbers(self.library[act.table.game].rules)
                act.table.close_up()
                if len(act.table.chairs) not in numbers:
                    raise Refused(No.TOO_FEW, fewest=numbers[0])
                self._must_suit(act.table)
                self._begin(act)

    def _must_suit(self, table: Table) -> None:
        """Raise Refused if so many cannot play with a table's options."""
        options = msgspec.convert(table.options, options_type(self.library[table.game].rules))
        if why := options.refuse_seats(len(table.chairs)):
            raise why if isinstance(why, Refused) else why()

    def remove(self, player: str, id: str, seat: int, slip: Slip) -> None:
        """The host asks somebody to leave before the game; the seat is free again."""
        with self._acting(player, id, "remove", slip) as act:
            if not act.done:
                act.table.must_be_open()
                act.table.must_be_hosted_by(player)
                if act.table.chair(seat).player == player:
                    act.table.stand(player)
                else:
                    act.table.chair(seat).give(None)

    # -- in the game -----------------------------------------------------------

    def move(self, player: str, id: str, read: Callable[[Kinds], Action], slip: Slip) -> int:
        """A seat acts; `read` makes the action of the form, given the game's kinds of action.

        Returns the number of the last move after it.  Raises Refused.
        """
        with self._acting(player, id, "move", slip) as act:
            if act.done:
                return act.done.number
            seat = act.table.seated(player).seat
            laid = self._playing(act)
            match = laid.match
            match.check_turn(seat)
            _check_question(match, seat, slip)
            changed_mind = seat in act.table.pending
            moves = match.move(seat, read(actions(match.rules)))
            self._write(act, laid, moves)
            act.quiet = changed_mind and not moves
        return act.table.number

    def undo(self, player: str, id: str, slip: Slip) -> None:
        """Take back the last move, where the framework allows it."""
        with self._acting(player, id, "undo", slip) as act:
            if not act.done:
                seat = act.table.seated(player).seat
                laid = self._playing(act)
                if laid.match.undoable(seat):
                    _check_question(laid.match, seat, slip)
                self._write(act, laid, [laid.match.undo(seat)])

    def quit(self, player: str, id: str, how: str, slip: Slip) -> None:
        """Leave: `resign` for good, by the rules of the game; or leave the seat `free` for another."""
        with self._acting(player, id, "quit", slip) as act:
            if act.done:
                return
            chair = act.table.seated(player)
            if act.table.status is Status.OPEN:
                act.table.stand(player)
                return
            if how == "free" and act.table.status is Status.SUSPENDED:
                chair.give(None)
                act.table.unready()
                return
            laid = self._playing(act)
            if chair.left:
                raise Refused(No.NOT_SEATED)
            if how == "free":
                chair.give(None)
                return
            moves = laid.match.leave(chair.seat)
            chair.left = True
            self._write(act, laid, moves)

    def claim(self, player: Player, id: str, seat: int, generation: int, name: str, slip: Slip) -> None:
        """Take over a seat that its player hands on.  Raises Refused(DEAD_LINK) if it has changed hands."""
        player = _named(player, name)
        with self._acting(player.id, id, "claim", slip) as act:
            table, chair = act.table, act.table.chair(seat)
            if act.done or chair.player == player.id:
                return
            if table.chair_of(player.id):
                raise Refused(No.SEATED_ELSEWHERE)
            if chair.generation != generation or chair.left:
                raise Refused(No.DEAD_LINK)
            if table.status is Status.OVER:
                raise Refused(No.OVER)
            table.must_be_unused(player.name, but=chair.player)
            if table.host == chair.player:
                table.host = player.id
            act.change.save_player(player)
            chair.give(player.id, player.name, ready=True)
            if table.status is Status.SUSPENDED:
                table.unready()
            else:
                chair.note()

    # -- put aside --------------------------------------------------------------

    def suspend(self, player: str, id: str, slip: Slip) -> None:
        """Put a running game aside, until all who play are ready to go on."""
        with self._acting(player, id, "suspend", slip) as act:
            if not act.done:
                act.table.suspend(player, self.now())

    def propose_end(self, player: str, id: str, end: bool, slip: Slip) -> None:
        """Propose to end a suspended game without a result; it ends when all who are there are ready."""
        with self._acting(player, id, "propose_end", slip) as act:
            if not act.done:
                act.table.propose_end(player, end)

    # -- talking -----------------------------------------------------------------

    def say(self, player: Player, id: str, text: str, phrase: str, slip: Slip) -> None:
        """Say something: at the table who sits there, else in the gallery.

        Raises Refused: EMPTY, TOO_LONG, AGAIN, TOO_MUCH, CLOSED.
        """
        with self._acting(player.id, id, "say", slip) as act:
            if act.done:
                return
            if act.table.hushed:
                raise Refused(NotSaid.CLOSED)
            phrase = phrase if phrase in PHRASES else ""
            text = "" if phrase else tidy_line(text)
            lines = act.change.lines(id)
            must_not_be_too_much(lines, player.id, text, phrase, self.now())
            chair = act.table.chair_of(player.id)
            act.change.save_player(player)
            act.change.say(
                Said(
                    number=lines[-1].number + 1 if lines else 1,
                    room=Room.TABLE if chair else Room.GALLERY,
                    player=player.id,
                    name=chair.called if chair else player.name,
                    seat=chair.seat if chair else None,
                    text=text,
                    phrase=phrase,
                    at=self.now(),
                )
            )
            act.quiet = chair is None and act.table.status is not Status.OVER

    def strike(self, player: str, id: str, number: int, slip: Slip) -> None:
        """Take a line away, where it stood it says so: one's own, or as host any."""
        with self._acting(player, id, "strike", slip) as act:
            if not act.done:
                line = _line(act.change.lines(id), number)
                if player not in (line.player, act.table.host):
                    raise Refused(NotSaid.NOT_YOURS)
                act.change.strike(number)

    def report(self, player: str, id: str, number: int, slip: Slip) -> None:
        """Show a line to whoever looks after the site."""
        with self._acting(player, id, "report", slip) as act:
            if not act.done:
                _line(act.change.lines(id), number)
                act.change.report(number)
                act.quiet = True

    def hush(self, player: str, id: str, hushed: bool, slip: Slip) -> None:
        """The host closes the chat, or opens it again."""
        with self._acting(player, id, "hush", slip) as act:
            if not act.done:
                act.table.must_be_hosted_by(player)
                act.table.hushed = hushed

    # -- after the game --------------------------------------------------------

    def rematch(self, player: str, id: str, slip: Slip) -> str:
        """The same people, options and game once more, the next seat first; one table, whoever asks.

        Whoever asks is ready; it begins when all are.  Returns the new table's id.
        """
        with self.store.change(id) as change:
            table = change.table
            table.seated(player)
            if table.status is not Status.OVER:
                raise Refused(No.NOT_OVER)
            if table.rematch is None:
                again = self._again(table, player)
                table.rematch = again.id
                table.version += 1
                change.add(again)
            new = table.rematch
        self.ready(player, new, slip)
        return new

    def _again(self, table: Table, host: str) -> Table:
        turned = [*table.chairs[1:], *table.chairs[:1]]
        return Table(
            id=code_of(self.entropy(5)),
            game=table.game,
            options=table.options,
            seed=self.entropy(32).hex(),
            chairs=[Chair(seat, chair.player, chair.name) for seat, chair in enumerate(turned)],
            rules_version=self.library[table.game].version,
            host=host,
            parent=table.id,
            series=table.series or table.id,
            afterwards=table.afterwards,
            created=self.now(),
            changed=self.now(),
        )

    # -- seeing ----------------------------------------------------------------

    def show(self, player: str | None, id: str) -> View:
        """A table as this player may see it now.  Raises Refused(NO_TABLE)."""
        return self._show(player, id, lambda laid: laid.rows)

    def log(self, player: str | None, id: str) -> View:
        """The same, with the whole log.  Raises Refused(NO_TABLE)."""
        return self._show(player, id, lambda laid: self.store.rows(id, -1, laid.match.number))

    def _show(self, player: str | None, id: str, rows: Callable[[Laid], list[Row]]) -> View:
        table = self.store.table(id)
        title = self.library[table.game]
        if table.status is Status.OPEN:
            return look(table, title, player)
        try:
            laid = self.shelf.take(id, table.revision) or self._take_up(self.store, table)
        except Diverged:
            return look(table if table.status is Status.OVER else _suspended(table), title, player)
        _mended(table)
        view = look(table, title, player, laid.match, rows(laid))
        self.shelf.put(id, table.revision, laid)
        return view

    def show_at(self, player: str | None, id: str, number: int, as_seen: bool = False) -> View:
        """The position after a move, as this player may see it.  Raises Refused(NO_TABLE, NO_POSITION)."""
        table = self.store.table(id)
        if table.status is Status.OPEN or not 0 <= number <= table.number:
            raise Refused(No.NO_POSITION)
        title = self.library[table.game]
        snapshot = self.store.snapshot(id, number)
        rows = self.store.rows(id, min(snapshot.number, number - RECENT), number)
        try:
            match = Match(title.rules, snapshot, _moves(rows, title, snapshot.number))
        except Exception as broken:  # the rules have changed under it
            raise Refused(No.SUSPENDED) from broken
        return look(table, title, player, match, rows, as_seen, back=True)

    def status(self, id: str) -> Table:
        """The table alone, for those who only wait.  Raises Refused(NO_TABLE)."""
        return self.store.table(id)

    # -- inside ----------------------------------------------------------------

    @contextmanager
    def _acting(self, player: str, id: str, name: str, slip: Slip) -> Iterator["Act"]:
        """One transaction for one form, which may have been accepted before."""
        receipt = self._receipt(slip, name, player, id)
        act: Act | None = None
        try:
            with self.store.change(id) as change:
                act = Act(change, change.receipt(slip.key))
                if act.done and act.done.digest != receipt.digest:
                    # A move from a page that a browser kept: its question has been answered.
                    raise Refused(No.KEY_REUSED if slip.asked is None else Standard.STALE)
                yield act
                if not act.done:
                    if not act.quiet:
                        act.table.version += 1
                        act.table.changed = self.now()
                    change.give_receipt(msgspec.structs.replace(receipt, number=act.table.number))
        except Diverged as diverged:
            with self.store.change(id) as change:
                change.table.status, change.table.trouble = Status.SUSPENDED, DIVERGED
            raise Refused(No.SUSPENDED) from diverged
        except Refused:
            if act and act.laid and not act.written:  # its match stands as it stood
                self.shelf.put(id, act.table.revision, act.laid)
            raise
        if act.laid:
            self.shelf.put(id, act.table.revision, act.laid)

    def _receipt(self, slip: Slip, act: str, player: str, table: str) -> Receipt:
        if not KEY.fullmatch(slip.key):
            raise Refused(No.NO_KEY)
        return Receipt(slip.key, player, table, slip.digest(act, player, table), at=self.now())

    def _go_on_if_ready(self, act: "Act") -> None:
        self._begin_if_ready(act)
        table = act.table
        if table.status is Status.SUSPENDED and table.all_ready_again:
            if table.trouble and not (table.suspension and table.suspension.end):
                self._take_up(act.change, table)  # or else the rules still lead elsewhere
                table.trouble = ""
            if not table.resume(self.now()):
                self.close(act.change, self.now())

    def _begin_if_ready(self, act: "Act") -> None:
        if act.table.status is Status.OPEN and act.table.all_ready:
            self._begin(act)

    def _begin(self, act: "Act") -> None:
        table = act.table
        rules = self.library[table.game].rules
        options = msgspec.convert(table.options, options_type(rules))
        match = Match.new(rules, len(table.chairs), table.seed, options)
        table.status, table.started = Status.PLAYING, self.now()
        for chair in table.chairs:
            chair.note()
        deal = Row(0, None, None, match.told(), match.fingerprint(), final=True, at=self.now())
        act.change.keep(match.snapshot)
        self._keep(act, Laid(match, []), [deal])

    def _playing(self, act: "Act") -> Laid:
        """The match of a running table.  Raises Refused, or Diverged."""
        if act.table.status is Status.OVER:
            raise Refused(Standard.GAME_OVER)
        act.table.must_be_running()
        if act.table.suspension:
            raise Refused(No.SUSPENDED)
        laid = self.shelf.take(act.table.id, act.table.revision) or self._take_up(act.change, act.table)
        _mended(act.table)
        if act.table.status is Status.SUSPENDED:
            raise Refused(No.SUSPENDED)
        act.laid = laid
        return laid

    def _take_up(self, kept: "Store | Change", table: Table) -> Laid:
        """Lay a match out from the store.  Raises Diverged if the rules now lead elsewhere."""
        title = self.library[table.game]
        # Up to the table's own number: a move may come in between what is read here.
        snapshot = kept.snapshot(table.id, table.number)
        rows = kept.rows(table.id, min(snapshot.number, table.number - RECENT) - 1, table.number)
        try:
            pending = {seat: from_json(raw, actions(title.rules)) for seat, raw in table.pending.items()}
            match = Match(title.rules, snapshot, _moves(rows, title, snapshot.number), pending)
        except Exception as broken:
            raise Diverged(table.id) from broken
        if rows[-1].fingerprint != match.fingerprint():
            raise Diverged(table.id)
        return Laid(match, rows)

    def _write(self, act: "Act", laid: Laid, moves: list[Move]) -> None:
        """Keep moves with what was told of them, and a stage that began with them."""
        match = laid.match
        last = moves[-1].number if moves else None
        rows = [
            Row(
                move.number,
                move.seat,
                msgspec.to_builtins(move.action),
                told=match.told() if move.number == last else [],
                fingerprint=match.fingerprint() if move.number == last else "",
                final=move.final,
                at=self.now(),
            )
            for move in moves
        ]
        if moves and match.snapshot.number >= moves[0].number:
            act.change.keep(match.snapshot)
        self._keep(act, laid, rows)

    def _keep(self, act: "Act", laid: Laid, rows: list[Row]) -> None:
        """Write rows of the ledger, and on the table's own row where the game stands now."""
        act.written = True
        match, table = laid.match, act.table
        if rows:
            act.change.append(rows)
        act.laid = Laid(match, [*laid.rows, *rows][-RECENT:])
        table.number = match.number
        table.pending = {seat: msgspec.to_builtins(action) for seat, action in match.pending.items()}
        table.waiting = match.waiting_for()
        table.out = sorted(match.game.out)
        if match.result:
            table.result = match.result
            self.close(act.change, self.now())

    def close(self, change: Change, ended: float) -> None:
        """The game is over, with its result or without one; the books know of it in the same transaction."""
        table = change.table
        table.status, table.ended = Status.OVER, ended
        table.waiting, table.pending = [], {}
        table.record = self.entropy(8).hex()
        bookkeeper.enter(change, table)


class Act:
    """One form being carried out: the transaction, the match laid out, an earlier receipt."""

    def __init__(self, change: Change, done: Receipt | None = None):
        self.change = change
        self.done = done
        self.laid: Laid | None = None
        self.written = False  # whether the match has gone on from where it was taken up
        self.quiet = False  # nobody else may know that anything happened

    @property
    def table(self) -> Table:
        return self.change.table


def _named(player: Player, name: str) -> Player:
    """The same person under the name given, if one is.  Raises Refused(WRONG_NAME)."""
    return msgspec.structs.replace(player, name=tidy_name(name) or player.name)


def _line(lines: list[Said], number: int) -> Said:
    """Raises Refused(NO_LINE)."""
    for line in lines:
        if line.number == number and not line.struck:
            return line
    raise Refused(NotSaid.NO_LINE)


def _check_question(match: Match, seat: int, slip: Slip) -> None:
    if slip.asked is not None and slip.asked != match.asked.get(seat):
        raise Refused(Standard.STALE)


def _moves(rows: list[Row], title: Title, after: int) -> list[Move]:
    """The moves that a ledger's rows tell of, after a number."""
    kinds: tuple[type[Action], ...] = (*actions(title.rules), Undo, Leave)
    return [
        Move(row.number, row.seat, from_json(row.action, kinds), row.final)
        for row in rows
        if row.number > after and row.seat is not None
    ]


def _mended(table: Table) -> None:
    """A table whose match could be taken up is not suspended for its rules' sake, or no longer."""
    if table.trouble == DIVERGED:
        table.trouble = ""
        if table.suspension is None and table.status is Status.SUSPENDED:
            table.status = Status.PLAYING


def _suspended(table: Table) -> Table:
    return msgspec.structs.replace(table, status=Status.SUSPENDED, trouble=DIVERGED)


def _seats(title: Title, wanted: int | None) -> int:
    numbers = seat_numbers(title.rules)
    if wanted is None:
        return usual_seats(title.rules)
    if wanted not in numbers:
        raise Refused(
            No.WRONG_SEATS, numbers=f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else numbers[0]
        )
    return wanted


def _afterwards(chosen: str) -> Afterwards:
    try:
        return Afterwards(chosen)
    except ValueError as wrong:
        raise Refused(No.WRONG_AFTERWARDS) from wrong


def _options(title: Title, given: dict[str, Any]) -> dict[str, Any]:
    kind: type[Options] = options_type(title.rules)
    try:
        options = msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as wrong:
        problem = str(wrong).replace(" - at `$.", ": ").rstrip("`")
        raise Refused(No.WRONG_OPTIONS, problem=problem) from wrong
    if why := options.refuse():
        raise why if isinstance(why, Refused) else why()
    return dict(msgspec.to_builtins(options))
