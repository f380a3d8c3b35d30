"""Thinking about one task, within its time and a bounded part of a processor."""

import resource
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from time import process_time

from strifebarge.bots.player.clock import ThinkingClock
from strifebarge.bots.player.engines import Engines
from strifebarge.bots.player.task import Answer, BotTask, decode_task, encode
from strifebarge.bots.search.thinking import LEVELS, Thought, think
from strifebarge.rules.notation import write

# Seconds of a processor beside those of the task, to take up a game and to imagine what is hidden.  After
# them the system ends this process, whatever it does.
ALLOWANCE = 20.0
MAX_ERROR_LENGTH = 1000  # characters of an error, at most


ENGINES = Engines()


def answer(data: bytes) -> bytes:
    """Return the answer to a task, both as bytes."""
    task = decode_task(data)
    try:
        return encode(choose(task))
    except Exception:  # whatever an author may have written
        return encode(Answer(error=traceback.format_exc(limit=-4)[-MAX_ERROR_LENGTH:]))


def choose(task: BotTask) -> Answer:
    """Return what is chosen at the question of a task.  Raises LookupError, and whatever its game raises."""
    sighting = task.sighting.sighting()
    if chosen := ENGINES.choice(sighting, task.level, task.seconds, task.seed):
        return Answer(move=write(chosen.action), program=chosen.program)
    clock = ThinkingClock(task.seconds)
    with _bounded(task.seconds + ALLOWANCE):
        thought: Thought = think(
            sighting, LEVELS[task.level], task.seed, clock.is_over, has_imagined=clock.is_half_over
        )
    return Answer(
        move=write(thought.action), worlds=thought.worlds, playouts=thought.playouts, cut=clock.has_cut
    )


@contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """Let the system end this process if it takes more seconds of a processor than these."""
    before = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(process_time() + seconds), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, before)
