"""What a worker has run is told apart when it has died: what held it, and what was only slow."""

from strifebarge.server import worker_notes
from strifebarge.server.worker_notes import CASES, CrashCases, RunNotes
from strifebarge.tables.library.budget import Run

WORDS = "Current thread 0x{:x} (most recent call first):\n"


def test_the_run_is_guilty_whose_thread_ran_when_the_process_was_ended() -> None:
    notes = RunNotes()
    mine, other = Run("MINE", "showing it", 2), Run("OTHER", "showing it", 2)
    mine.thread, other.thread = 7, 8
    for each in (mine, other):
        notes.write(each)
    assert [each.table for each in notes.guilty(WORDS.format(7))] == ["MINE"]
    assert notes.guilty("") == []
    notes.erase(mine)
    assert notes.guilty(WORDS.format(7)) == []
    notes.close()


def test_where_too_many_tables_wait_the_newest_takes_the_place_of_the_oldest(monkeypatch) -> None:
    moments = iter(range(1000))
    monkeypatch.setattr(worker_notes, "time", lambda: float(next(moments)))
    cases = CrashCases()
    for number in range(CASES):
        cases.add(f"TABLE{number}", "a move", "It was ended.", "")
    cases.close_case("TABLE0")
    cases.add("LATER", "a move", "It was ended.", "")
    cases.add("LATEST", "a move", "It was ended.", "")
    waiting = {case.table for case in cases.all()}
    assert waiting == {*(f"TABLE{number}" for number in range(2, CASES)), "LATER", "LATEST"}
