"""Who is at the table, and what the others may do about who is not."""

from strifebarge.rules import Refused, Standard
from strifebarge.rules.pace import DAY

from ..aside import drop_proposals
from ..policy import (
    CLOSED_AFTER,
    FORSAKEN,
    MISSED,
    NOT_COME,
    SILENT,
    Step,
    enough_against,
    steps_about,
)
from ..ports import Busy
from ..presence import COUNTED_EVERY, NOTED_EVERY, asks_again, looks_again, pass_time
from ..table import RUNNING, Chair, No
from .desk import Act, Slip
from .matches import Matches

REMEMBERED = 10_000  # people at tables, in each process


class Attending(Matches):
    """Being there, being missed, and what time alone decides."""

    def attend(self, player: str, id: str, again: float = 0) -> None:
        """Somebody who sits at a table looks at it, with a page that asks again in so many seconds.

        It is kept, but seldom, and nothing of the game changes by it.
        """
        now, until = self.now(), asks_again(self.now(), again)
        noted = self.noted.get((id, player))
        if noted and now - noted[0] < NOTED_EVERY and until - noted[1] < NOTED_EVERY:
            return
        table = self.store.table(id)
        before = table.status
        if pass_time(table, self.here(self.store, table)) or table.status is not before:
            return  # they have come too late: the next form at this table makes that a fact
        self._remember(id, player, until)
        try:
            self.store.see(id, player, until)
        except Busy:
            self.noted.pop((id, player), None)  # then with the next page

    def look_on(self, id: str, mark: str, again: float = 0) -> None:
        """Somebody without a seat watches a running game, with a page that asks again in so many seconds.

        They count when they have asked for the second time: whoever only fetches a page, as programs do that
        show where a link leads, watches nothing.  `mark` tells them from others, and not who they are.
        """
        now, until = self.now(), looks_again(self.now(), again)
        noted = self.noted.get((id, mark))
        if noted and noted[1] > 0 and now - noted[0] < COUNTED_EVERY and until - noted[1] < COUNTED_EVERY:
            return
        self._remember(id, mark, until if noted else 0)
        if noted:
            try:
                self.store.look_on(id, mark, until, now)
            except Busy:
                self._remember(id, mark, 0)

    def _remember(self, id: str, who: str, until: float) -> None:
        """What this process has noted of somebody, so that it need not be written down each time."""
        if len(self.noted) >= REMEMBERED:
            self.noted.clear()
        self.noted[id, who] = self.now(), until

    def miss(self, player: str, id: str, seat: int, step: str, slip: Slip) -> None:
        """Do what the table's policy allows about a seat that is late: the step that was offered.

        Raises Refused: NOT_SEATED, NOT_LATE, or STALE if by now it would be another step.
        """
        with self._acting(player, id, "miss", slip) as act:
            if act.done:
                return
            table, chair = act.table, act.table.chair(seat)
            if all(each.left for each in table.chairs_of(player)):
                raise Refused(No.NOT_SEATED)
            table.must_be_running()
            ways = steps_about(table, player, chair, self.here(act.change, table))
            if not ways:
                raise Refused(No.NOT_LATE)
            if step not in ways:
                raise Refused(Standard.STALE)
            self._do(Step(step), act, chair)

    def _do(self, step: Step, act: Act, chair: Chair) -> None:
        match step:
            case Step.SKIP:
                laid = self._playing(act)
                moves = laid.match.skip(chair.seat)
                chair.skipped += 1
                self._write(act, laid, moves)
            case Step.GO_ON:
                drop_proposals(act.table)  # who is away has agreed to none
                for player, _ in chair.people:
                    chair.agree(player, True)
                chair.ready = True
                chair.skipped += 1
                self._go_on_if_ready(act)
            case Step.FREE:
                chair.empty()
                act.table.somebody_went()
                act.table.pass_host_on(chair.seat)
            case Step.OUT:
                self._out(act, chair)
            case Step.END:
                self._stop(act, NOT_COME if act.table.ticking else MISSED)
            case Step.WIN:
                self._out(act, chair, late=True)
            case Step.DRAW:
                [caller] = [each for each in act.table.in_play() if each is not chair]
                laid = self._playing(act)
                self._write(act, laid, laid.match.call_draw(caller.seat))
            case Step.MORE:
                if act.table.clock:
                    act.table.clock.give(chair.seat, act.at)
            case Step.VOTE:
                self._vote(act, chair)

    def _vote(self, act: Act, chair: Chair) -> None:
        """Somebody would have a seat taken out of the game; with the last of those it takes, it is."""
        mine = [each.seat for each in act.table.in_play() if each.has(act.by)]
        chair.against = sorted({*chair.against, *mine})
        for_it, wanted = enough_against(act.table, chair)
        if for_it >= wanted:
            self._out(act, chair)

    def _out(self, act: Act, chair: Chair, late: bool = False) -> None:
        """A seat counts as having left for good, or as `late`; also at a game that is put aside."""
        laid = act.laid = self.shelf.take(act.table.id, act.table.revision) or self._take_up(
            act.change, act.table
        )
        moves = laid.match.miss(chair.seat, out=True) if late else laid.match.leave(chair.seat)
        chair.left = True
        act.table.pass_host_on(chair.seat)
        self._write(act, laid, moves)
        self._go_on_if_ready(act)

    def tend(self, id: str) -> bool:
        """Do at a table what time alone decides; whether anything was.  To be called now and then for each.

        A live game that everybody has left is put aside, and later ends; any game ends at which
        nothing has happened for half a year.
        """
        with self.store.change(id) as change:
            table, before = change.table, change.table.status
            if table.status not in RUNNING and not table.live:
                return False
            ends = pass_time(table, self.here(change, table))
            silent = table.status in RUNNING and self.now() - table.changed >= CLOSED_AFTER
            if ends or silent:
                table.stop(self.now(), FORSAKEN if ends else SILENT)
                self.close(change, self.now())
            if table.status is before:
                return False
            table.version += 1
            table.changed = self.now()
            return True

    def tend_daily(self) -> None:
        """The same once a day in each process; to be called whenever that is convenient."""
        if self.now() - self.tended > DAY:
            self.tended = self.now()
            self.tend_all()

    def tend_all(self) -> int:
        """The same at all tables at which time may have decided something; at how many it had."""
        return sum(map(self.tend, self.store.silent(self.now() - CLOSED_AFTER)))
