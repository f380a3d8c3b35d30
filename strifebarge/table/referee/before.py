"""Before the game: a table is opened, people sit down and agree, and it begins."""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

import msgspec

from strifebarge.rules import Refused
from strifebarge.rules.schema import seat_numbers, usual_seats

from ..clock import Clock
from ..library import Title
from ..names import code_of, tidy_name
from ..policy import PATIENCE, usual_remedy
from ..ports import Player
from ..status import WATCHING
from ..table import Afterwards, Begins, Chair, Devices, No, Remedy, Seating, Status, Table
from .desk import Act, Slip, named
from .matches import Matches, options_from

C = TypeVar("C", bound=StrEnum)
INVITATION = {No.NO_INVITATION, No.REVOKED, No.RUN_OUT}  # what is wrong with it; the rest `sit` will say


class BeforeTheGame(Matches):
    """Opening a table, sitting down and standing up, its settings, and agreeing to play."""

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
        pace: str = "",
        devices: str = Devices.OWN,
        others: list[str] = [],  # noqa: B006 - never changed
        listed: bool = False,
        language: str = "",
        terms: dict[str, str] | None = None,
    ) -> Table:
        """Open a table for a game, with `player` in seat `sit`, or else the first.

        Options may be strings, as a form posts them, and so may `terms`: how the table is run,
        its fields begins, seating, watching, patience, remedy and language.  `pace` is the key of one that
        the game may be played at, or "" for no clock.  `others` are called so who play at the
        same device, if one is passed round.  Raises Refused: NO_GAME, WRONG_SEATS,
        WRONG_OPTIONS, WRONG_AFTERWARDS, WRONG_TERMS, NO_PACE, WRONG_DEVICES, SHARED_IS_QUIET,
        FULL, NAME_TAKEN.
        """
        passed = _chosen(Devices, devices, No.WRONG_DEVICES)
        title = self.library[game]
        number = _seats(title, seats)
        chosen = {"remedy": usual_remedy(number), "language": language}
        table = Table(
            id=code_of(self.entropy(5)),
            game=title.slug,
            options=_options(title, options or {}),
            seed=self.entropy(32).hex(),
            chairs=[Chair(seat) for seat in range(number)],
            rules_version=title.version,
            shared=passed is not Devices.OWN,
            listed=listed,
            clock=_clock(title, pace),
            created=self.now(),
            changed=self.now(),
            **{**chosen, **terms_from({**(terms or {}), "afterwards": afterwards})},
        )
        self._must_suit(table)
        self._may_be_run_so(table)
        player = named(player, name)
        table.sit(player.id, player.name, sit)
        self._seat_others(table, player, passed, others)
        receipt = self._receipt(slip, "start", player.id, game)
        # Alone at the table, it begins at once.
        return self.store.add(
            table, receipt, player, lambda change: self._begin_if_ready(Act(change, table.created))
        )

    def _seat_others(self, table: Table, player: Player, passed: Devices, others: list[str]) -> None:
        """Seat those who play at the same device: who was named, or with one device as many as it takes."""
        if passed is Devices.OWN:
            return
        for other in others:
            table.seat_another(player.id, tidy_name(other))
        while passed is Devices.ONE and table.free():
            table.seat_another(player.id, "")

    def join(
        self,
        player: Player,
        id: str,
        name: str,
        slip: Slip,
        seat: int | None = None,
        invitation: str = "",
        seen: str = "",
    ) -> None:
        """Sit down; also in a seat that somebody left free in the middle of a game.

        `seen` is what was `at_issue` when they looked.  Raises Refused: what `Table.why_not_join` gives,
        and what `Table.sit` raises; CHANGED.
        """
        player = named(player, name)
        with self._acting(player.id, id, "join", slip) as act:
            if not act.done:
                why = act.table.why_not_join(player.id, invitation, self.now())
                if why in INVITATION:
                    raise Refused(why)
                if act.table.status is Status.OPEN:
                    act.table.must_be_at_issue(seen, whom=False)
                act.change.save_player(player)
                act.table.sit(player.id, player.name, seat)
                act.table.invited.pop(player.id, None)
                self._begin_if_ready(act)

    def beside(self, player: str, id: str, name: str, slip: Slip) -> None:
        """Sit somebody down who plays at the same device."""
        with self._acting(player, id, "beside", slip) as act:
            if not act.done:
                act.table.seat_another(player, tidy_name(name))
                self._begin_if_ready(act)

    def ready(self, player: str, id: str, slip: Slip, seen: str = "") -> None:
        """Agree to play this table as it is; when everyone does, it begins.

        `seen` is what was `at_issue` when they looked.  Raises Refused(CHANGED) if it is something else now.
        """
        with self._acting(player, id, "ready", slip) as act:
            if not act.done:
                mine = act.table.must_sit(player)
                self._notice_trouble(act)
                if act.table.status not in (Status.OPEN, Status.SUSPENDED):
                    act.quiet = True  # it has begun: somebody else was the last to agree
                    return
                act.table.must_be_at_issue(seen)
                for chair in mine:
                    chair.agree(player, True)
                self._go_on_if_ready(act)

    def unready(self, player: str, id: str, slip: Slip) -> None:
        """Take back one's agreement."""
        with self._acting(player, id, "unready", slip) as act:
            if not act.done:
                mine = act.table.must_sit(player)
                if act.table.status is not Status.SUSPENDED:
                    act.table.must_be_open()
                for chair in mine:
                    chair.agree(player, False)

    def sit_elsewhere(self, player: str, id: str, seat: int, slip: Slip) -> None:
        """Change seats before the game."""
        with self._acting(player, id, "sit", slip) as act:
            if not act.done:
                act.table.change_seat(player, seat, slip.seat)

    def configure(
        self,
        player: str,
        id: str,
        options: dict[str, Any],
        slip: Slip,
        terms: dict[str, str] | None = None,
        pace: str | None = None,
    ) -> None:
        """Play by other options, on other terms or at another pace; all are asked anew.

        `pace` is the key of one that the game may be played at, "" for no clock, None for the one there is.
        Raises Refused: WRONG_OPTIONS, WRONG_TERMS, WRONG_AFTERWARDS, NO_PACE.
        """
        with self._acting(player, id, "configure", slip) as act:
            if not act.done:
                title, chosen = self.library.of(act.table), terms_from(terms or {})
                if pace is not None and pace != act.table.pace_key:
                    chosen["clock"] = _clock(title, pace)
                act.table.configure(player, _options(title, options), chosen, slip.seat)
                self._may_be_run_so(act.table)

    def begin(self, player: str, id: str, slip: Slip) -> None:
        """The host begins with those who are there and ready."""
        with self._acting(player, id, "begin", slip) as act:
            if not act.done:
                act.table.must_be_open()
                act.table.must_be_hosted_by(player)
                for chair in act.table.chairs_of(player):
                    chair.agree(player, True)
                numbers = seat_numbers(self.library.of(act.table).rules)
                act.table.close_up()
                if len(act.table.chairs) not in numbers:
                    raise Refused(No.TOO_FEW, fewest=numbers[0])
                self._must_suit(act.table)
                self._begin(act)

    def remove(self, player: str, id: str, seat: int, held: str, slip: Slip) -> None:
        """The host asks somebody to leave before the game; the seat is free again.

        `held` is what `Chair.held` was when they looked.  Raises Refused(SEAT_CHANGED) if it is another now.
        """
        with self._acting(player, id, "remove", slip) as act:
            if not act.done:
                act.table.must_be_open()
                act.table.must_be_hosted_by(player)
                if [chair.seat for chair in act.table.chairs_of(player)] == [seat]:
                    act.table.stand(player)
                else:
                    chair = act.table.chair(seat)
                    if chair.held != held:
                        raise Refused(No.SEAT_CHANGED)
                    chair.empty()
                    act.table.somebody_went()

    def delete(self, player: str, id: str) -> None:
        """The host takes a table away at which nobody else has moved, as if it had never been.

        Raises Refused: NO_TABLE, NOT_HOST, OVER, IS_REMATCH, MOVED_IN.
        """
        with self.store.change(id) as change:
            if why := change.table.why_not_delete(player):
                raise Refused(why)
            change.delete()

    def _may_be_run_so(self, table: Table) -> None:
        """A game for one number only begins when all are there; and one device's result is for no books.

        Raises Refused: WRONG_TERMS, SHARED_IS_QUIET.
        """
        numbers = seat_numbers(self.library.of(table).rules)
        if table.begins is Begins.AGREED and len(numbers) < 2:
            raise Refused(No.WRONG_TERMS, what=table.begins)
        if table.shared and table.afterwards is not Afterwards.QUIET:
            raise Refused(No.SHARED_IS_QUIET)


def _seats(title: Title, wanted: int | None) -> int:
    if wanted is None:
        return usual_seats(title.rules)
    if not title.allows(wanted):
        raise Refused(No.WRONG_SEATS, numbers=title.seats)
    return wanted


def _clock(title: Title, pace: str) -> Clock | None:
    """A clock for when the game begins.  Raises Refused(NO_PACE)."""
    if not pace:
        return None
    if found := title.paces.get(pace):
        return Clock.of(found, 0)
    raise Refused(No.NO_PACE)


def _chosen(kind: type[C], chosen: str, otherwise: No) -> C:
    try:
        return kind(chosen)
    except ValueError as wrong:
        raise Refused(otherwise) from wrong


def _language(code: str) -> str:
    if not LANGUAGE.fullmatch(code):
        raise ValueError(code)
    return code


LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")
TERMS: dict[str, Callable[[str], Any]] = {
    "afterwards": Afterwards,
    "begins": Begins,
    "seating": Seating,
    "language": _language,
    "patience": int,
    "remedy": Remedy,
    "watching": int,
}


def terms_from(given: dict[str, str]) -> dict[str, Any]:
    """The fields of a table that say how it is run, from words.  Raises Refused."""
    terms = {}
    for what, word in given.items():
        try:
            terms[what] = TERMS[what](word)
        except ValueError as wrong:
            no = Refused(No.WRONG_AFTERWARDS) if what == "afterwards" else Refused(No.WRONG_TERMS, what=word)
            raise no from wrong
    for what, allowed in (("patience", PATIENCE), ("watching", WATCHING)):
        if terms.get(what, allowed[0]) not in allowed:
            raise Refused(No.WRONG_TERMS, what=given[what])
    return terms


def _options(title: Title, given: dict[str, Any]) -> dict[str, Any]:
    options = options_from(title.rules, given, strict=False)
    if why := options.refuse():
        raise why if isinstance(why, Refused) else why()
    return dict(msgspec.to_builtins(options))
