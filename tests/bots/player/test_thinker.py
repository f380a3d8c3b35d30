"""Processes that think: one that hangs, dies or fails is replaced, and what it may use is bounded."""

import os
import resource
from pathlib import Path

import pytest

from strifebarge.bots.player import thinker as thinking
from strifebarge.bots.player.thinker import Thinker, ThinkingFailed
from strifebarge.bots.player.worker import MOST_MEMORY, NICENESS
from tests.bots.player.conftest import task_of
from tests.rules.every_setting import TITLES
from tests.support.servers import gone

pytestmark = pytest.mark.full("starts processes that think")


def pid_of(thinker: Thinker) -> int:
    assert thinker.process
    return thinker.process.pid


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("raises", "nobody knows what this is worth"),
        ("dies", r"signal 9"),
        ("sleeps", "hung"),
        ("fills", "MemoryError"),
    ],
)
def test_thinking_that_fails_costs_its_process_at_most(unfit, thinker, how, why):
    assert thinker.think(task_of(unfit)).move in ("pick 1", "pick 2", "pick 3")
    before, patience = pid_of(thinker), thinker.hangs
    thinker.hangs = 0.5 if how == "sleeps" else patience
    with pytest.raises(ThinkingFailed, match=why):
        thinker.think(task_of(unfit, how=how))
    thinker.hangs = patience
    assert gone(before) == (how in ("dies", "sleeps"))
    assert thinker.think(task_of(unfit)).move


def test_a_loop_is_ended_by_the_processor_time_it_takes(unfit, thinker):
    thinker.hangs = 600.0
    with pytest.raises(ThinkingFailed, match="signal 24"):  # SIGXCPU
        thinker.think(task_of(unfit, how="loops"))


def test_a_process_that_thinks_knows_no_setting_and_has_no_file_comes_last_and_is_bounded(
    monkeypatch, thinker
):
    for name in ("STRIFEBARGE_SECRET_KEYS", "PGPASSWORD", "CREDENTIALS_DIRECTORY"):
        monkeypatch.setenv(name, "a key You needn't wait any longer")
    thinker.think(task_of(TITLES["rps"].rules))
    pid = pid_of(thinker)
    assert b"a key" not in Path(f"/proc/{pid}/environ").read_bytes()
    links = {os.readlink(each) for each in Path(f"/proc/{pid}/fd").iterdir()}
    ours = {os.readlink(f"/proc/self/fd/{number}") for number in (1, 2)}
    assert {each.partition(":")[0] for each in links - ours} <= {"pipe", "/dev/null"}
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.nice(0) + NICENESS)
    assert os.sched_getscheduler(pid) == os.SCHED_BATCH
    assert resource.prlimit(pid, resource.RLIMIT_DATA)[0] <= MOST_MEMORY


def test_a_process_is_replaced_after_many_choices_and_none_is_started_after_the_end(monkeypatch, thinker):
    monkeypatch.setattr(thinking, "CHOICES", 2)
    task, pids = task_of(TITLES["rps"].rules), []
    for _ in range(3):
        assert thinker.think(task).move.startswith("throw")
        pids.append(pid_of(thinker))
    assert pids[0] == pids[1] != pids[2]
    assert gone(pids[0])
    thinker.close()
    with pytest.raises(ThinkingFailed):
        thinker.think(task)
    thinker.end()
    assert gone(pids[2])


def test_what_is_chosen_follows_from_what_is_seen_and_the_seed(thinker):
    task = task_of(TITLES["strifebarge"].rules)
    task = type(task)(
        task.sighting, task.level, task.seed, 60.0
    )  # on a busy machine too all is thought that is meant
    assert thinker.think(task).move == thinker.think(task).move
    others = {thinker.think(type(task)(task.sighting, "easy", f"table {nth}", 1.0)).move for nth in range(4)}
    assert len(others) > 1
