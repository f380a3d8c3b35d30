"""Before the game: a table is opened, people sit down and agree, and it begins."""

from typing import Any

import msgspec

from strifebarge.rules import Options, Refused
from strifebarge.rules.schema import options_type, seat_numbers, usual_seats

from ..library import Title
from ..names import code_of
from ..ports import Player
from ..table import Afterwards, Chair, No, Status, Table
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

    def _must_suit(self, table: Table) -> None:
        """Raise Refused if so many cannot play with a table's options."""
        options = msgspec.convert(table.options, options_type(self.library[table.game].rules))
        if why := options.refuse_seats(len(table.chairs)):
            raise why if isinstance(why, Refused) else why()


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
