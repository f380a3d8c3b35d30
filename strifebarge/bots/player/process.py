"""The process that plays the bots' seats: finds the questions that wait for bots, and has them answered."""

import logging
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic

from strifebarge.bots.player.freshness import has_newer_code
from strifebarge.bots.player.mover import Mover
from strifebarge.bots.player.notes import ChoiceCounts, Failures
from strifebarge.bots.player.thinker import Thinker, ThinkingFailed
from strifebarge.bots.player.under_way import BotSeat, UnderWay
from strifebarge.lib.busy import Busy
from strifebarge.rules import Refused
from strifebarge.rules.replay import Diverged
from strifebarge.services import Services
from strifebarge.tables.library.budget import GameFault
from strifebarge.tables.model.bots import WaitingQuestion
from strifebarge.tables.play.matches import Superseded

log = logging.getLogger("strifebarge.bots.player")

TICK, IDLE_TICK = 0.1, 0.25  # seconds between two looks at what is to be done: while a bot is asked, and else
AT_ONCE = 0.1  # seconds between two looks at the database while its file goes on changing
OFTEN, SELDOM = 0.2, 0.5  # seconds between them where nothing tells of changes: while bots play, and else
NET = 2.0  # seconds after which it is looked at anyway
PLAYED_LATELY = 60.0  # seconds since a bot was asked last
LIMIT = 100_000  # questions that are read at once: all there are, so that seats that rest hide no others
REFUSED_RESTS = 60.0  # seconds until a table is tried again at which nobody can play, as of a game left out
TELL_EVERY = 600.0  # seconds between two lines about what choices rested on
BEAT = 1.0  # seconds between two signs of life
ENDS_WITHIN = 2.0  # seconds that moves on their way into the database have at the end


def half_of_the_machine() -> int:
    """Return how many processes may think at once: half as many as there are processors, at least two.

    One of them is for games with people alone.
    """
    return max(2, len(os.sched_getaffinity(0)) // 2)


class BotProcess:
    """Plays the bots' seats of a site: one thread looks, and several have a Thinker each.

    `has_changed` tells whether the database may have changed since it was last asked; None: nothing does.
    `reads_anew`: the process that is started after this one reads the games from the disk.
    """

    def __init__(
        self,
        services: Services,
        folders: Sequence[Path] = (),
        has_changed: Callable[[], bool] | None = None,
        beat: Callable[[], object] = bool,
        thinkers: Sequence[Thinker] = (),
        under_way: UnderWay | None = None,
        reads_anew: bool = True,
    ):
        self.services = services
        self.has_changed = has_changed
        self.beat = beat
        self.under_way = under_way or UnderWay()
        self.reads_anew = reads_anew
        self.superseded = Event()  # this process is to be started again, with newer code
        self.mover = Mover(services.referee, self.under_way)
        self.thinkers = thinkers or [Thinker(folders) for _ in range(half_of_the_machine())]
        self.waiting: list[WaitingQuestion] = []
        self.jobs: SimpleQueue[tuple[WaitingQuestion, float] | None] = SimpleQueue()
        self.mutex = Lock()  # held while one of the next three is read or changed
        self.answering: set[BotSeat] = set()
        self.failures = Failures()
        for bot_seat, seconds in self.under_way.left_alone().items():
            log.warning(
                "The process has ended at seat %d of table %s, which rests.", bot_seat[1], bot_seat[0]
            )
            self.failures.rest(bot_seat, seconds)
        self.look_again = True  # something was answered since the last look
        self.tally = ChoiceCounts()
        self.looked = self.last_asked = self.last_reported = self.beaten = float("-inf")
        self.amiss = False

    def run(self, ends: Iterable[signal.Signals]) -> None:
        """Play until one of these signals comes, all of which are blocked in every thread of this process."""
        threads = [Thread(target=self._answer_all, args=(each,), daemon=True) for each in self.thinkers]
        try:
            for thread in threads:
                thread.start()
            while signal.sigtimedwait(ends, TICK if self.waiting else IDLE_TICK) is None:
                if self.superseded.is_set():
                    break
                self.tick(monotonic())
        finally:
            self.end(threads)

    def end(self, threads: Sequence[Thread]) -> None:
        """End all thinking; moves that are being written come to their end."""
        for thinker in self.thinkers:
            thinker.close()
            self.jobs.put(None)
        given_up = monotonic() + ENDS_WITHIN
        for thread in threads:
            thread.join(max(0.0, given_up - monotonic()))
        self.under_way.close()
        self.tally.log_counts()

    def tick(self, now: float) -> None:
        """Give a sign of life, look whether bots are asked, and have them answer."""
        if now - self.beaten >= BEAT:
            self.beaten = now
            self.beat()
        try:
            if not self.services.switches.read_only:
                self._read_waiting(now)
                self._start()
        except Exception as error:  # the database may be away
            if not self.amiss:
                log.warning("The bots cannot look at the database: %s", error)
            self.amiss = True
        if now - self.last_reported >= TELL_EVERY:
            self.last_reported = now
            self.tally.log_counts()

    # -- finding questions ---------------------------------------------------------

    def _read_waiting(self, now: float) -> None:
        """Read which questions wait, if that may have changed."""
        if not self._is_due(now):
            return
        self.looked, self.look_again = now, False
        self.waiting = self.services.lists.waiting_for_bots(LIMIT)
        if self.amiss:
            log.warning("The bots can look at the database again.")
        self.amiss = False
        if self.waiting:
            self.last_asked = now
        places = {_place(each) for each in self.waiting}
        self.mover.forget_all_but(places)
        with self.mutex:
            self.failures.forget_all_but(places)

    def _is_due(self, now: float) -> bool:
        passed = now - self.looked
        if self.look_again or passed >= NET:
            return True
        if self.has_changed is not None:
            return passed >= AT_ONCE and self.has_changed()
        return passed >= (OFTEN if now - self.last_asked < PLAYED_LATELY else SELDOM)

    def _start(self) -> None:
        """Let as many questions be answered as there are thinkers free; the others wait for the next look.

        Games with people come first, and games of bots alone leave a thinker free for them.
        """
        now = self.services.clock()
        with self.mutex:
            ready = [each for each in self.waiting if self._is_ready(each, now)]
            self._hand_out([each for each in ready if each.with_people], len(self.thinkers))
            self._hand_out([each for each in ready if not each.with_people], len(self.thinkers) - 1)

    def _hand_out(self, ready: list[WaitingQuestion], most: int) -> None:
        """Hand out questions until `most` are being answered; the more wait, the less time each has."""
        crowd = len(ready) + len(self.answering)
        for each in ready[: max(0, most - len(self.answering))]:
            self.answering.add(_place(each))
            self.jobs.put((each, min(1.0, most / crowd)))

    def _is_ready(self, waiting: WaitingQuestion, now: float) -> bool:
        bot_seat = _place(waiting)
        choice = self.mover.pending.get(bot_seat)
        return (
            bot_seat not in self.answering
            and self.failures.may_try(bot_seat)
            and (choice is None or now >= choice.due)
        )

    # -- answering them ------------------------------------------------------------

    def _answer_all(self, thinker: Thinker) -> None:
        """Answer questions, in a thread, until there are no more."""
        while (job := self.jobs.get()) is not None:
            self.answer(thinker, *job)
        thinker.end()

    def answer(self, thinker: Thinker, waiting: WaitingQuestion, share: float = 1.0) -> None:
        """Let a bot choose or move, if its question is still asked, and note what came of it."""
        bot_seat, rests = _place(waiting), 0.0
        failure: Exception | None = None
        busy: Busy | None = None
        try:
            if played := self.mover.move(waiting, thinker, share):
                self.tally.count(bot_seat, played)
                self.under_way.moved(bot_seat)
        except Busy as error:  # the table cannot be written
            busy = error
            if isinstance(error, Superseded):
                self._end_if_superseded(error)
        except Refused:  # its game is left out, or it has just been deleted
            rests = REFUSED_RESTS
        except (ThinkingFailed, Diverged, GameFault) as error:
            failure = error
        except Exception as error:
            log.exception("A bot stumbles at table %s.", waiting.table)
            failure = error
        with self.mutex:
            if failure is not None and not thinker.closed:
                self.failures.failed(bot_seat, failure)
            elif busy is not None:
                self.failures.was_busy(bot_seat, busy)
            elif rests:
                self.failures.rest(bot_seat, rests)
            elif bot_seat not in self.mover.pending:
                self.failures.forget(bot_seat)
            self.answering.discard(bot_seat)
            self.look_again = True

    def _end_if_superseded(self, why: Superseded) -> None:
        """End this process, to be started again, if that brings newer code; else wait as pages do."""
        if self.reads_anew and not self.superseded.is_set() and has_newer_code(self.services.referee.library):
            log.warning("The process of the bots ends, to be started with newer code: %s", why)
            self.superseded.set()


def _place(waiting: WaitingQuestion) -> BotSeat:
    return waiting.table, waiting.seat
