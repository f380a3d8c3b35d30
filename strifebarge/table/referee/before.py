"""Before the game: a table is opened, people sit down and agree, and it begins."""

from collections.abc import Callable
from typing import Any

import msgspec

from strifebarge.rules import Options, Refused
from strifebarge.rules.schema import options_type, seat_numbers, usual_seats

from ..library import Title
from ..names import code_of
from ..policy import PATIENCE, usual_remedy
from ..ports import Player
from ..table import Afterwards, Begins, Chair, No, Remedy, Seating, Status, Table
from .desk import Act, Slip, named
from .matches import Matches


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
        terms: dict[str, str] | None = None,
    ) -> Table:
        """Open a table for a game, with `player` in seat `sit`, or else the first.

        Options may be strings, as a form posts them, and so may `terms`: how the table is run,
        its fields begins, seating, patience and remedy.  Raises Refused: NO_GAME, WRONG_SEATS,
        WRONG_OPTIONS, WRONG_AFTERWARDS, WRONG_TERMS.
        """
        title = self.library[game]
        number = _seats(title, seats)
        chosen = {"remedy": usual_remedy(number), "afterwards": Afterwards.QUIET}
        table = Table(
            id=code_of(self.entropy(5)),
            game=title.slug,
            options=_options(title, options or {}),
            seed=self.entropy(32).hex(),
            chairs=[Chair(seat) for seat in range(number)],
            rules_version=title.version,
            created=self.now(),
            changed=self.now(),
            **{**chosen, **terms_from({**(terms or {}), "afterwards": afterwards})},
        )
        self._must_suit(table)
        self._may_begin_so(table)
        player = named(player, name)
        table.sit(player.id, player.name, sit)
        receipt = self._receipt(slip, "start", player.id, game)
        # Alone at the table, it begins at once.
        return self.store.add(table, receipt, player, lambda change: self._begin_if_ready(Act(change)))

    def join(self, player: Player, id: str, name: str, slip: Slip, seat: int | None = None) -> None:
        """Sit down; also in a seat that somebody left free in the middle of a game."""
        player = named(player, name)
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
                if act.table.status not in (Status.OPEN, Status.SUSPENDED):
                    act.quiet = True  # it has begun: somebody else was the last to agree
                    return
                chair.agree(player, True)
                self._go_on_if_ready(act)

    def unready(self, player: str, id: str, slip: Slip) -> None:
        """Take back one's agreement."""
        with self._acting(player, id, "unready", slip) as act:
            if not act.done:
                chair = act.table.seated(player)
                if act.table.status is not Status.SUSPENDED:
                    act.table.must_be_open()
                chair.agree(player, False)

    def sit_elsewhere(self, player: str, id: str, seat: int, slip: Slip) -> None:
        """Change seats before the game."""
        with self._acting(player, id, "sit", slip) as act:
            if not act.done:
                act.table.change_seat(player, seat)

    def configure(
        self,
        player: str,
        id: str,
        options: dict[str, Any],
        slip: Slip,
        terms: dict[str, str] | None = None,
    ) -> None:
        """Play by other options or on other terms; all are asked anew.

        Raises Refused: WRONG_OPTIONS, WRONG_TERMS, WRONG_AFTERWARDS.
        """
        with self._acting(player, id, "configure", slip) as act:
            if not act.done:
                title = self.library[act.table.game]
                act.table.configure(player, _options(title, options), terms_from(terms or {}))
                self._may_begin_so(act.table)

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

    def remove(self, player: str, id: str, seat: int, slip: Slip) -> None:
        """The host asks somebody to leave before the game; the seat is free again."""
        with self._acting(player, id, "remove", slip) as act:
            if not act.done:
                act.table.must_be_open()
                act.table.must_be_hosted_by(player)
                if act.table.chair(seat).player == player:
                    act.table.stand(player)
                else:
                    act.table.chair(seat).empty()
                    act.table.somebody_went()

    def _may_begin_so(self, table: Table) -> None:
        """All seats of a game whose seats have names are needed.  Raises Refused(WRONG_TERMS)."""
        numbers = seat_numbers(self.library[table.game].rules)
        if table.begins is Begins.AGREED and len(numbers) < 2:
            raise Refused(No.WRONG_TERMS, what=table.begins)


def _seats(title: Title, wanted: int | None) -> int:
    numbers = seat_numbers(title.rules)
    if wanted is None:
        return usual_seats(title.rules)
    if wanted not in numbers:
        raise Refused(
            No.WRONG_SEATS, numbers=f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else numbers[0]
        )
    return wanted


TERMS: dict[str, Callable[[str], Any]] = {
    "afterwards": Afterwards,
    "begins": Begins,
    "seating": Seating,
    "patience": int,
    "remedy": Remedy,
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
    if terms.get("patience", PATIENCE[0]) not in PATIENCE:
        raise Refused(No.WRONG_TERMS, what=given["patience"])
    return terms


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
