"""Notes of the bots' process: which seats cannot be played for a while, and what its choices rested on."""

import logging
from collections import Counter
from threading import Lock
from time import monotonic

from strifebarge.bots.player.mover import BotMove
from strifebarge.bots.player.under_way import BotSeat

log = logging.getLogger("strifebarge.bots.player")

FAILURES = 3  # in a row, after which a seat is absent like that of a person who does not come
RESTS = (1.0, 2.0, 60.0, 300.0, 900.0, 3600.0)  # seconds until the next try, after each failure in a row
BUSY_RESTS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)  # and after each time in a row that nothing could be written
BUSY_TOLD = 30  # times in a row, after which the log says so
REMEMBERED = 1000  # seats of which it is kept that a bot has chosen there by chance


class Failures:
    """Failures of seats, in a row, and when each is tried again.  Not thread-safe."""

    def __init__(self) -> None:
        self.counts: Counter[BotSeat] = Counter()
        self.busy: Counter[BotSeat] = Counter()  # times in a row that nothing could be written
        self.due: dict[BotSeat, float] = {}

    def may_try(self, bot_seat: BotSeat) -> bool:
        return self.due.get(bot_seat, 0.0) <= monotonic()

    def rest(self, bot_seat: BotSeat, seconds: float) -> None:
        """Leave a seat alone for some seconds."""
        self.due[bot_seat] = monotonic() + seconds

    def failed(self, bot_seat: BotSeat, why: object) -> None:
        """Note that no move was found for a seat, and say so."""
        self.counts[bot_seat] += 1
        count = self.counts[bot_seat]
        seconds = RESTS[min(count, len(RESTS)) - 1]
        self.rest(bot_seat, seconds)
        table, seat = bot_seat
        message = "is absent from now on" if count >= FAILURES else "has failed"
        log.warning(
            "The bot in seat %d of table %s %s (%d in a row; tried again in %g s): %s",
            *(seat, table, message, count, seconds, why),
        )

    def was_busy(self, bot_seat: BotSeat, why: object) -> None:
        """Note that a seat's move could not be written, and leave it alone, longer each time."""
        self.busy[bot_seat] += 1
        count = self.busy[bot_seat]
        self.rest(bot_seat, BUSY_RESTS[min(count, len(BUSY_RESTS)) - 1])
        if count == BUSY_TOLD:
            table, seat = bot_seat
            log.warning("The bot in seat %d of table %s could not move %d times: %s", seat, table, count, why)

    def forget(self, bot_seat: BotSeat) -> None:
        """Forget the failures of a seat: its question was answered."""
        self.counts.pop(bot_seat, None)
        self.busy.pop(bot_seat, None)
        self.due.pop(bot_seat, None)

    def forget_all_but(self, waiting: set[BotSeat]) -> None:
        """Forget the failures of seats that are not waited for any more."""
        for bot_seat in {*self.counts, *self.busy, *self.due} - waiting:
            self.forget(bot_seat)


class ChoiceCounts:
    """Counts of what the choices of bots rested on, by game.  Any thread may note one."""

    def __init__(self) -> None:
        self.mutex = Lock()
        self.reported: set[BotSeat] = set()
        self.clear()

    def clear(self) -> None:
        self.choices: Counter[str] = Counter()
        self.grounded: Counter[str] = Counter()  # that rest on imagined games that passed the check
        self.cut: Counter[str] = Counter()  # that were cut off by their time

    def count(self, bot_seat: BotSeat, played: BotMove) -> None:
        """Note a choice; where it was made among the offers by chance, say so, once for each seat."""
        answer, game = played.answer, played.game
        by_chance = not answer.is_grounded
        with self.mutex:
            self.choices[game] += 1
            self.grounded[game] += not by_chance
            self.cut[game] += answer.cut
            new = by_chance and bot_seat not in self.reported
            if new:
                self.reported = {bot_seat} if len(self.reported) >= REMEMBERED else {*self.reported, bot_seat}
        if new:
            why = (
                "what it chose was refused" if played.refused else "no imagined game looks like what it sees"
            )
            log.info(
                "A bot chose by chance among the offers (%s, table %s, seat %d): %s.", game, *bot_seat, why
            )

    def log_counts(self) -> None:
        """Say what the choices since the last time rested on, if there were any."""
        with self.mutex:
            lines = [
                f"{game}: {n} choices, {self.grounded[game]} of them ({self.grounded[game] / n:.0%}) "
                f"on imagined games, {self.cut[game]} cut off by time"
                for game, n in sorted(self.choices.items())
            ]
            self.clear()
        for line in lines:
            log.info("Bots have played %s.", line)
