"""Moves for bots: what one is asked, as its seat sees it, and its answer, played as a person's form is."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from hmac import digest
from random import SystemRandom
from secrets import token_hex
from typing import NamedTuple

from strifebarge.bots.player.task import Answer, BotTask, SightingData
from strifebarge.bots.player.thinker import Thinker, ThinkingFailed
from strifebarge.bots.player.under_way import UnderWay
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
LEAST = 0.1  # seconds of thinking, however many wait
MOVES_LEFT = 15  # for which the time on a seat's clock has to last
HARD_STEPS = 4  # of a composition, about which a bot thinks as hard as it can
OTHERS = 8  # other offers that are played by chance where what was chosen is refused
MAX_PENDING = 100  # choices that could not be written, which are not made anew
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


class Mover:
    """Moves for bots, by what a Thinker chooses."""

    def __init__(self, referee: Referee, under_way: UnderWay | None = None):
        self.referee = referee
        self.under_way = under_way or UnderWay()
        self.pending: dict[tuple[str, int], tuple[SightingData, Answer]] = {}  # by table and seat

    @cached_property
    def secret(self) -> bytes:
        """The site's secret for its bots, made once and kept in the database."""
        return self.referee.store.secret("bots", lambda: token_hex(32)).encode()

    def seed(self, table: str, seat: int) -> str:
        """Return the secret by which a seat's choices are made: no other seat or table has the same."""
        return digest(self.secret, f"{table} {seat}".encode(), sha256).hex()

    def move(self, waiting: WaitingQuestion, thinker: Thinker, share: float = 1.0) -> BotMove | None:
        """Let a bot answer the question that waits for it; return None if it is not asked any more.

        It thinks for that share of its time.  Raises NoAnswer where it finds no allowed move; Refused,
        Busy, Diverged, GameFault where the table cannot be played at now.
        """
        turn = self.turn(waiting)
        if turn is None:
            return None
        refused = 0
        for answer in self._answers(waiting, turn, thinker, share):
            try:
                self._play(waiting, turn, answer.move)
                return BotMove(turn.game, answer, refused)
            except Busy:
                self._keep(waiting, turn, answer)
                raise
            except Refused as no:
                now = self.turn(waiting)
                if now is None or now.question != turn.question:
                    return None  # it was answered, or the table has gone on
                refused, why = refused + 1, no.token
        raise ThinkingFailed(f"{refused} choices were refused, the last one as {why}")

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

    def _answers(
        self, waiting: WaitingQuestion, turn: BotTurn, thinker: Thinker, share: float
    ) -> Iterator[Answer]:
        """Yield what the bot chooses, and then, as long as that is refused, other offers by chance."""
        level = level_at(level_of(waiting.player), turn.question)
        seconds = seconds_for(level, turn.left, share)
        sighting, seed = SightingData.of(turn.sighting), self.seed(waiting.table, waiting.seat)
        earlier, answer = self.pending.pop((waiting.table, waiting.seat), (None, Answer()))
        if earlier != sighting:
            answer = thinker.think(BotTask(sighting, level, seed, seconds))
        yield answer
        others = [write(action) for action in turn.sighting.offers if action.for_bots]
        for move in DICE.sample(others, min(len(others), OTHERS)):
            if move != answer.move:
                yield Answer(move=move)
        for again in range(0 if others else OTHERS):
            yield thinker.think(BotTask(sighting, level, f"{seed} {again}", seconds))

    def _keep(self, waiting: WaitingQuestion, turn: BotTurn, answer: Answer) -> None:
        """Keep a choice that could not be written, for as long as its seat sees the same."""
        with suppress(KeyError, StopIteration, RuntimeError):  # other threads take what they need
            while len(self.pending) >= MAX_PENDING:
                del self.pending[next(iter(self.pending))]
        self.pending[waiting.table, waiting.seat] = SightingData.of(turn.sighting), answer

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
