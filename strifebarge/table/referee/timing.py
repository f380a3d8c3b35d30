"""Time: whether a form came in time, what happens at a deadline, pauses and vacations."""

from copy import deepcopy

from strifebarge.rules import Refused
from strifebarge.rules.course import Diverged

from .. import letters, timekeeper, vacation
from ..clock import Clock
from ..policy import FORSAKEN, NOT_COME
from ..ports import Change, Store
from ..presence import ends, pass_time
from ..table import Chair, No, Status, Table
from ..vacation import Vacation
from .desk import Act, Slip
from .matches import Matches


class Timing(Matches):
    """The clock of a table.  Whether a form was in time is judged in the form's own transaction."""

    # -- deadlines ---------------------------------------------------------------

    def _is_on_time(self, act: Act, player: str | None = None) -> bool:
        """Whether no deadline has passed.  If one has, all that happens at it is done now instead."""
        table, clock = act.table, act.table.clock
        if table.live:
            pass_time(table, self.here(act.change, table))
        if clock is None or not timekeeper.ticks(table):
            return True
        act.change.wake(act.at)
        stretches = caught_up(act.change, table, clock, act.at)
        chair = table.chair_of(player)
        late = timekeeper.late(clock, act.at, stretches, chair.seat if chair else None)
        late = [seat for seat in late if not (clock.pace.slow and self._goes_on_vacation(act, clock, seat))]
        late = [seat for seat in late if not self._has_grace(act, clock, seat)]
        if not late:
            return True
        self._lapse(act, clock, late)
        return False

    def _has_grace(self, act: Act, clock: Clock, seat: int) -> bool:
        """Whoever would be out, of two at a slow pace, has a grace first; it is so from their deadline on."""
        loses = self.library.of(act.table).rules.late == "loss"
        if not timekeeper.has_grace(clock, act.table, seat, loses):
            return False
        clock.reprieve(seat, act.at)
        letters.tell_who_may_decide(act.change, seat, act.at, self.entropy)
        act.table.version += 1
        return not clock.hands[seat].is_late(act.at)

    def _lapse(self, act: Act, clock: Clock, late: list[int]) -> None:
        """What happens at the deadline.  Raises Diverged."""
        loses = self.library.of(act.table).rules.late == "loss"
        if any(timekeeper.has_not_come(clock, act.table, seat, loses) for seat in late):
            self._stop(act, NOT_COME)
            act.table.version += 1
            act.table.changed = act.at
            return
        laid, before = self._playing(act), deepcopy(clock)
        try:
            moves = timekeeper.lapse(clock, laid.match, late, act.at)
        except Exception:  # whatever an author's rules may raise
            act.laid = None
            act.table.status, act.table.trouble = Status.SUSPENDED, timekeeper.BROKEN
            act.table.unready()
            act.table.clock = before
            before.hold(act.at)
        else:
            act.table.chairs = [_out(chair, laid.match.game.gone) for chair in act.table.chairs]
            self._write(act, laid, moves)
        act.table.version += 1
        act.table.changed = act.at

    def look(self, id: str) -> None:
        """Do what is due at a table, if anything is.  Raises Refused, Busy."""
        try:
            with self.store.change(id) as change:
                act, before = Act(change, self.now()), change.table.status
                self._pass_time(change, act.at)
                if self._is_on_time(act) and change.table.status is not before:
                    change.table.version += 1
                    change.table.changed = act.at
        except Diverged:
            self._suspend_diverged(id)
            return
        if act.laid:
            self.shelf.put(id, act.table.revision, act.laid)

    def _pass_time(self, change: Change, at: float) -> None:
        """What time alone does to a live table; where it does nothing yet, when to look again."""
        table = change.table
        if not table.live:
            return
        here = self.here(change, table)
        if pass_time(table, here):
            table.stop(at, FORSAKEN)
            self.close(change, at)
        elif table.suspension:
            table.suspension.ends = ends(table, here)

    def call_time(self, player: str, id: str, slip: Slip) -> None:
        """Do what is due for somebody who does not wait for the ticker: any form at the table does it.

        Raises Refused: NOT_SEATED, UNTIMED.
        """
        with self._acting(player, id, "call_time", slip) as act:
            act.table.must_sit(player)
            if act.table.clock is None:
                raise Refused(No.UNTIMED)
            act.quiet = True

    # -- pauses ------------------------------------------------------------------

    def pause(self, player: str, id: str, wanted: bool, slip: Slip) -> None:
        """Agree to a pause of all clocks, or no longer; it begins when all who play agree.

        Raises Refused: NOT_SEATED, NOT_BEGUN, OVER, SUSPENDED, UNTIMED, PAUSED.
        """
        with self._acting(player, id, "pause", slip) as act:
            if act.done:
                return
            seats, clock = _playing_on_the_clock(act.table, player)
            if clock.stands(act.at):
                raise Refused(No.PAUSED)
            clock.agreed = [each for each in clock.agreed if each not in seats] + seats * wanted
            if all(chair.seat in clock.agreed for chair in act.table.in_play() if chair.player):
                clock.stop_for_all(act.at)
                letters.tell_of_pause(act.change, player, act.at, self.entropy)

    def go_on(self, player: str, id: str, slip: Slip) -> None:
        """End a pause: at once where people are at it together, else a day later.

        Raises Refused: NOT_SEATED, NOT_BEGUN, OVER, SUSPENDED, UNTIMED, NOT_PAUSED.
        """
        with self._acting(player, id, "go_on", slip) as act:
            if not act.done:
                _, clock = _playing_on_the_clock(act.table, player)
                if clock.pause is None or clock.pause.ended:
                    raise Refused(No.NOT_PAUSED)
                clock.go_on(act.at)
                letters.tell_of_pause(act.change, player, act.at, self.entropy)

    # -- vacations -----------------------------------------------------------------

    def vacations(self, player: str) -> list[Vacation]:
        return self.store.vacations([player])

    def go_away(self, player: str, days: int) -> None:
        """Go on vacation for so many days.  Raises Refused: AWAY, NONE_LEFT, WRONG_DAYS."""
        at = self.now()
        self.store.set_vacation(player, lambda known: vacation.begun(player, known, at, days))

    def come_back(self, player: str) -> None:
        """Raises Refused(NOT_AWAY)."""
        at = self.now()
        self.store.set_vacation(player, lambda known: vacation.ended(known, at))

    def _goes_on_vacation(self, act: Act, clock: Clock, seat: int) -> bool:
        """Whoever would miss a deadline is on vacation from then on, as long as they have days left."""
        player, due = act.table.chair(seat).player, clock.hands[seat].due
        if player is None or due is None:
            return False
        try:
            gone = act.change.set_vacation(player, lambda known: vacation.begun(player, known, due))
        except Refused:
            return False
        clock.hands[seat].leave_out(gone.span, act.at)
        return not clock.hands[seat].is_late(act.at)

    def _is_back(self, act: Act, player: str) -> None:
        """Whoever moves is not on vacation any more."""
        if act.table.clock and act.table.clock.pace.slow:
            known = act.change.vacations([player])
            if vacation.current(known, act.at):
                act.change.set_vacation(player, lambda known: vacation.ended(known, act.at))


def _playing_on_the_clock(table: Table, player: str) -> tuple[list[int], Clock]:
    """The seats for which somebody agrees: all of those at their device."""
    mine = table.must_sit(player)
    if table.clock is None:
        raise Refused(No.UNTIMED)
    table.must_be_running()
    if table.status is Status.SUSPENDED:
        raise Refused(No.SUSPENDED)
    seats = [chair.seat for chair in table.in_play() if chair in mine]
    if not seats:
        raise Refused(No.NOT_SEATED)
    return seats, table.clock


def caught_up(kept: Store | Change, table: Table, clock: Clock, at: float) -> list[timekeeper.Stretch]:
    """Leave out what has made time stand still; the stretches of time in which the site was there."""
    stretches = kept.stretches(clock.stretch)
    players = [chair.player for chair in table.chairs if chair.player]
    vacations = kept.vacations(players) if clock.pace.slow else []
    timekeeper.catch_up(clock, table, at, stretches, vacations)
    return stretches


def _out(chair: Chair, gone: list[int]) -> Chair:
    chair.left = chair.left or chair.seat in gone
    return chair
