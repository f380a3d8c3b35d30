"""What a worker has run is told apart when it has died: what held it, and what was only slow."""

from strifebarge.server import worker_notes
from strifebarge.server.worker_notes import CASES, LONG_AGO, Cases, Notes
from strifebarge.table.budget import Run

WORDS = "Fatal Python error\n\nCurrent thread 0x{:x} (most recent call first):\n"


def test_a_run_is_guilty_if_the_watchdog_has_not_looked_since_long_ago(monkeypatch) -> None:
    now = 1000.0
    monkeypatch.setattr(worker_notes, "monotonic", lambda: now)
    notes = Notes()
    notes.looked()
    slow = Run("SLOW", "showing it", 2)
    slow.began = now
    notes.write(slow)
    now += LONG_AGO + 5  # on a machine so busy that a page takes as long
    notes.looked()
    assert notes.guilty("") == []
    now += LONG_AGO + 1  # and now nothing runs any more
    assert [each.table for each in notes.guilty("")] == ["SLOW"]
    notes.erase(slow)
    assert notes.guilty("") == []
    notes.close()


def test_the_guilty_run_is_that_of_the_thread_that_ran_most_often_of_several_times() -> None:
    notes = Notes()
    notes.looked()
    mine, other = Run("MINE", "showing it", 2), Run("OTHER", "showing it", 2)
    mine.thread, other.thread = 7, 8
    for each in (mine, other):
        notes.write(each)
    stacks = "Current thread 0x{:x} (most recent call first):\n  File x\n"
    often = "".join(stacks.format(thread) for thread in (7, 9, 7, 7, 8))
    assert [each.table for each in notes.guilty(often)] == ["MINE"]
    assert [each.table for each in notes.guilty(often + WORDS.format(8))] == ["OTHER"]  # it broke down
    notes.close()


def test_a_run_is_guilty_whose_thread_ran_when_the_process_was_ended() -> None:
    notes = Notes()
    notes.looked()
    mine, other = Run("MINE", "showing it", 2), Run("OTHER", "showing it", 2)
    mine.thread, other.thread = 7, 8
    for each in (mine, other):
        notes.write(each)
    assert [each.table for each in notes.guilty(WORDS.format(7))] == ["MINE"]
    notes.close()


def test_where_too_many_tables_wait_the_newest_takes_the_place_of_the_oldest(monkeypatch) -> None:
    moments = iter(range(1000))
    monkeypatch.setattr(worker_notes, "time", lambda: float(next(moments)))
    cases = Cases()
    for number in range(CASES):
        cases.add(f"TABLE{number}", "a move", "It was ended.", "")
    cases.close_case("TABLE0")
    cases.add("LATER", "a move", "It was ended.", "")
    cases.add("LATEST", "a move", "It was ended.", "")
    waiting = {case.table for case in cases.all()}
    assert waiting == {*(f"TABLE{number}" for number in range(2, CASES)), "LATER", "LATEST"}
    cases.close()
