"""A game that does whatever no game should do: each move names what goes wrong, at once or from then on."""

import hashlib
import itertools
import json
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable
from typing import Any

from strifebarge.rules import Action, Game, Next, Ranking, Seat, Text

NOTE = "the author reads this"  # in what is raised, so that a test finds it with the host
BIG = 10**13  # more than any machine has
held = threading.Lock()


class Go(Action):
    """Go on."""


class Do(Action):
    """Do something else."""

    how: str


class Mistake(Exception):
    """What authors raise."""


class Worse(BaseException):
    """What nobody should raise."""


def forever() -> None:
    while True:
        pass


def deep(number: int) -> int:
    return deep(number + 1) + 1


def swallow_once() -> None:
    try:
        forever()
    except BaseException:
        forever()


def swallow_all() -> None:
    while True:
        try:
            forever()
        except BaseException:
            continue


def fill() -> None:
    memory = []
    while True:
        memory.append(bytearray(10**7))


def fill_slowly() -> None:
    memory: list[Any] = [NOTE]
    while True:
        memory.append([*memory[-10:]])


def raise_it(error: BaseException) -> None:
    raise error


def lock_twice() -> None:
    with held:
        held.acquire()


def tidy_forever() -> None:
    try:
        raise Mistake(NOTE)
    finally:
        forever()


class Untellable(Exception):
    def __str__(self) -> str:
        raise Mistake(NOTE)


# Said of a move: what goes wrong while it is judged.
AT_ONCE: dict[str, Any] = {
    "loop": forever,
    "loop_swallowed_once": swallow_once,
    "loop_swallowed": swallow_all,
    "loop_in_finally": tidy_forever,
    "loop_in_c": lambda: sum(itertools.repeat(0)),
    "queue_in_c": lambda: deque(itertools.count(), maxlen=0),
    "regex": lambda: re.match(r"(a+)+$", "a" * 64 + "b"),
    "power": lambda: 7**7**10,
    "hash": lambda: hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1),
    "sleep": lambda: time.sleep(10**6),
    "deadlock": lock_twice,
    "memory_at_once": lambda: bytearray(BIG),
    "memory_list": lambda: [0] * BIG,
    "memory": fill,
    "memory_slowly": fill_slowly,
    "recursion": lambda: deep(0),
    "recursion_in_c": lambda: json.loads("[" * 10**6),
    "mistake": lambda: raise_it(Mistake(NOTE)),
    "base": lambda: raise_it(Worse(NOTE)),
    "exit": lambda: sys.exit(NOTE),
    "interrupt": lambda: raise_it(KeyboardInterrupt(NOTE)),
    "generator_exit": lambda: raise_it(GeneratorExit(NOTE)),
    "untellable": lambda: raise_it(Untellable(NOTE)),
}


class Unruly(Game[Seat]):
    """Goes wrong in whatever way its players name."""

    title = "Unruly"
    players = range(2, 3)
    questions = {"why": "Why?"}

    mood: str = ""  # what goes wrong from now on
    moves: int = 0

    async def play(self) -> Next:
        for player in self.turns():
            match await self.ask(player, "Go on, or do something else.", self.choices()):
                case Do(how=how):
                    self.mood = how
                    if how in AT_ONCE:
                        AT_ONCE[how]()
                    if fault := await self.misplay(how):
                        return fault
            self.moves += 1
            self.log("{seat} goes on.", seat=player)
        return self.ranking()

    async def misplay(self, how: str) -> Any:
        """Do what only a game can do: ask and end wrongly."""
        match how:
            case "ask_a_stranger":
                await self.ask(Seat(number=9), "Go on.", [Go()])
            case "ask_a_number":
                await self.ask(3, "Go on.", [Go()])  # type: ignore[arg-type]
            case "ask_nobody_forever":
                while True:
                    await self.ask_all("Go on.", [Go()], of=[])
            case "prompt_no_text":
                await self.ask(self.seats[1], object(), [Go()])  # type: ignore[arg-type]
            case "prompt_lacks_words":
                await self.ask(self.seats[1], "{who} goes on.", [Go()])
            case "options_raise":
                await self.ask(self.seats[1], "Go on.", (raise_it(Mistake(NOTE)) for _ in "a"))
            case "options_no_actions":
                await self.ask(self.seats[1], "Go on.", [NOTE, 7])  # type: ignore[list-item]
            case "await_nonsense":
                await self.call(lambda: Nonsense())
            case "end_with_nonsense":
                return NOTE
            case "rank_strangers":
                return Ranking([[7], [8]])
            case "log_no_text":
                self.log("{thing} is there.", thing=object())
            case "finish_with_nothing":
                self.finish(None)  # type: ignore[arg-type]
        return None

    def choices(self) -> list[Any]:
        return [Go(), Do]

    def refuse(self, seat: Seat, action: Action) -> Any:
        match self.mood:
            case "refuse_raises":
                raise Mistake(NOTE)
            case "refuse_loops":
                forever()
            case "refuse_nonsense":
                return NOTE
            case "refuse_finishes":
                self.finish(self.ranking())

    def must_hold(self) -> Iterable[tuple[str, bool]]:
        yield NOTE, self.mood != "does_not_hold"

    def standing(self, seat: Seat) -> Text | None:
        if self.mood == "standing_raises":
            raise Mistake(NOTE)
        return None

    def why(self, seat: Seat | None) -> list[Text]:
        if self.mood == "question_raises":
            raise Mistake(NOTE)
        return []

    @property
    def drawn_so_far(self) -> str:
        """What the board shows."""
        match self.mood:
            case "template_raises":
                raise Mistake(NOTE)
            case "template_loops":
                forever()
            case "template_exits":
                sys.exit(NOTE)
            case "template_half_a_letter":
                return "\ud800"
        return f"moves: {self.moves}"


class Nonsense:
    """Something to wait for that is no question."""

    def __await__(self) -> Any:
        yield NOTE
