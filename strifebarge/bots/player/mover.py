"""Moves for bots: what one is asked, as its seat sees it, and its answer, played as a person's form is."""

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from hmac import digest
from math import ceil, floor
from random import SystemRandom
from secrets import token_hex
from typing import NamedTuple

import msgspec

from strifebarge.bots.player.task import Answer, BotTask, SightingData
from strifebarge.bots.player.thinker import Thinker, ThinkingFailed
from strifebarge.bots.player.under_way import BotSeat, UnderWay
from strifebarge.bots.search.sighting import Sighting, sighting
from strifebarge.lib.busy import Busy
from strifebarge.lib.cached import cached_property
from strifebarge.rules import Refused
from strifebarge.rules.match import Match
from strifebarge.rules.notation import read, write
from strifebarge.rules.replay import STEP
from strifebarge.tables.acts import moves
from strifebarge.tables.library.budget import run
from strifebarge.tables.model.bots import WaitingQuestion, level_of
from strifebarge.tables.model.table import Table
from strifebarge.tables.play.matches import cache_key, must_be_newest
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.turn import FormToken

SECONDS = {"easy": 1.0, "medium": 2.5, "hard": 5.0}  # of thinking, at most
# A bot moves this long after it began to think, so that people see what has happened before.  A longer
# thought is played when all its time has passed.  So the time of a move tells one thing alone of the choices
# that the seat had: whether they took longer than this.
STEPS = {"easy": 0.5, "medium": 1.0, "hard": 2.0}  # seconds
LEAST = 0.1  # seconds of thinking, however many wait
MOVES_LEFT = 15  # for which the time on a seat's clock has to last
HARD_STEPS = 4  # of a composition, about which a bot thinks as hard as it can
OTHERS = 8  # other offers that are played by chance where what was chosen is refused
DICE = SystemRandom()


class BotTurn(NamedTuple):
    """A question to a bot."""

    game: str  # its short name
    question: int  # the number of the question
    sighting: Sighting
    left: float | None  # seconds on the seat's clock; None where none runs


class BotMove(NamedTuple):
    """That a bot has moved: what it chose at which table, and how many of its choices were refused."""

    game: str
    answer: Answer
    refused: int


class Choice(NamedTuple):
    """What a bot has chosen and not played yet."""

    seen: SightingData
    answer: Answer
    due: float  # when it is played, in seconds since 1970


class Mover:
    """Moves for bots, by what a Thinker chooses."""

    def __init__(self, referee: Referee, under_way: UnderWay | None = None):
        self.referee = referee
        self.under_way = under_way or UnderWay()
        self.pending: dict[BotSeat, Choice] = {}

    @cached_property
    def secret(self) -> bytes:
        """The site's secret for its bots, made once and kept in the database."""
        return self.referee.store.secret("bots", lambda: token_hex(32)).encode()

    def seed(self, table: str, seat: int) -> str:
        """Return the secret by which a seat's choices are made: no other seat or table has the same."""
        return digest(self.secret, f"{table} {seat}".encode(), sha256).hex()

    def move(self, waiting: WaitingQuestion, thinker: Thinker, share: float = 1.0) -> BotMove | None:
        """Let a bot choose at the question that waits for it, and when called again, once that is due, move.

        Returns None where it has not moved: it has chosen, or is not asked any more.
        It thinks for that share of its time.  Raises ThinkingFailed where it finds no allowed move; Refused,
        Busy, Diverged, GameFault where the table cannot be played at now.
        """
        turn = self.turn(waiting)
        choice = self.pending.pop((waiting.table, waiting.seat), None)
        if turn is None:
            return None
        task = self._task(waiting, turn, share)
        seen = msgspec.structs.replace(task.sighting, waiting=[])  # others may have answered meanwhile
        if choice is None or choice.seen != seen:
            began, answer = self.referee.now(), thinker.think(task)
            due = move_time(began, self.referee.now(), step_for(task.level, turn.left), task.seconds)
            self.pending[waiting.table, waiting.seat] = Choice(seen, answer, due)
            return None
        refused = 0
        for answer in self._answers(choice.answer, turn, task, thinker):
            try:
                self._play(waiting, turn, answer.move)
                return BotMove(turn.game, answer, refused)
            except Busy:
                self.pending[waiting.table, waiting.seat] = choice._replace(answer=answer)
                raise
            except Refused as no:
                now = self.turn(waiting)
                if now is None or now.question != turn.question:
                    return None  # it was answered, or the table has gone on
                refused, why = refused + 1, no.token
        raise ThinkingFailed(f"{refused} choices were refused, the last one as {why}")

    def forget_all_but(self, waiting: set[BotSeat]) -> None:
        """Forget the choices of seats that are not waited for any more."""
        for bot_seat in {*self.pending} - waiting:
            self.pending.pop(bot_seat, None)

    def turn(self, waiting: WaitingQuestion) -> BotTurn | None:
        """Return the question that waits for a bot, as its seat sees it; None if there is none.

        Raises Refused, Busy, Diverged, GameFault where the table cannot be played at now.
        """
        views, seat = self.referee.views, waiting.seat
        table = views.status(waiting.table)
        if not table.has_to_move(waiting.player) or not table.chair(seat).has(waiting.player):
            return None
        # A fault here suspends no table: where the game itself fails, people's pages find that too.
        with self.under_way.noted((table.id, seat)):
            question = run(table.id, "showing it to a bot", self._seen, table, seat)
        if question is None:
            return None
        clock = table.clock
        left = clock.seat_clocks[seat].remaining(self.referee.now()) if clock else None
        return BotTurn(table.game, *question, left)

    def _seen(self, table: Table, seat: int) -> tuple[int, Sighting] | None:
        referee, title, standing = self.referee, self.referee.library.of(table), cache_key(table)
        must_be_newest(table, title, referee.library, referee.now())
        cached = referee.matches.ready(referee.store, title, table, standing)
        question = _question_of(cached.match, seat)
        referee.matches.put(table.id, standing, cached)
        return question

    def _task(self, waiting: WaitingQuestion, turn: BotTurn, share: float) -> BotTask:
        level = level_at(level_of(waiting.player), turn.question)
        seed = self.seed(waiting.table, waiting.seat)
        return BotTask(SightingData.of(turn.sighting), level, seed, seconds_for(level, turn.left, share))

    def _answers(self, answer: Answer, turn: BotTurn, task: BotTask, thinker: Thinker) -> Iterator[Answer]:
        """Yield what the bot has chosen, and then, as long as that is refused, other offers by chance."""
        yield answer
        others = [write(action) for action in turn.sighting.offers if action.for_bots]
        for move in DICE.sample(others, min(len(others), OTHERS)):
            if move != answer.move:
                yield Answer(move=move)
        for again in range(0 if others else OTHERS):
            yield thinker.think(msgspec.structs.replace(task, seed=f"{task.seed} {again}"))

    def _play(self, waiting: WaitingQuestion, turn: BotTurn, move: str) -> None:
        """Send the form by which a person would make this move.  Raises Refused, Busy."""
        form = FormToken(token_hex(16), move, turn.question, waiting.seat)
        with self.under_way.noted((waiting.table, waiting.seat)):
            self.referee.carry_out(waiting.player, waiting.table, form, moves.move, partial(read, move))


def _question_of(match: Match, seat: int) -> tuple[int, Sighting] | None:
    if match.result or seat not in match.waiting_for():
        return None
    return match.question_numbers[seat], sighting(match, seat)


def level_at(level: str, question: int) -> str:
    """Return how hard to think about a question: less hard late in a composition, which has many of them."""
    return "medium" if level == "hard" and question // STEP >= HARD_STEPS else level


def seconds_for(level: str, left: float | None, share: float = 1.0) -> float:
    """Return how long to think at a level, with `left` seconds on the clock, if one runs."""
    seconds = SECONDS[level] * share
    return max(LEAST, seconds if left is None else min(seconds, left / MOVES_LEFT))


def step_for(level: str, left: float | None) -> float:
    """Return the seconds of a step, with `left` seconds on the clock, if one runs."""
    return min(STEPS[level], seconds_for(level, left))


def move_time(began: float, now: float, step: float, seconds: float) -> float:
    """Return when to play what was chosen by now: after a step, or else after all `seconds` of thinking.

    Both are whole steps; on a busy machine it may be a multiple of all the seconds.
    """
    if now <= began + step:
        return began + step
    whole = step * (floor(seconds / step) + 1)
    return began + whole * ceil((now - began) / whole)
