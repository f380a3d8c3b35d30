"""Bots move as people do: once, by what they see, and never where the table has gone on."""

from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest

from strifebarge.bots.player import process as processes
from strifebarge.bots.player.mover import Mover
from strifebarge.bots.player.notes import BUSY_TOLD, FAILURES, Failures
from strifebarge.bots.player.process import BotProcess
from strifebarge.bots.player.task import Answer, BotTask
from strifebarge.bots.player.thinker import ThinkingFailed
from strifebarge.lib.busy import Busy, DiskFull
from strifebarge.people.switches import Switches
from strifebarge.services import Services
from strifebarge.store.db.engine import engine_for
from strifebarge.store.store import Store
from strifebarge.tables.acts.bots import play_against_bots
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.bots import WaitingQuestion
from strifebarge.tables.play.matches import Superseded
from strifebarge.tables.play.turn import FormToken
from tests.support import forms
from tests.support.databases import never_wait_for_the_disk


class Log:
    """A thinker that says what a test says, or else the first or another of the offers."""

    closed = False

    def __init__(
        self, words: str = "", nth: int = 0, meanwhile: Callable[[], object] = bool, fails: str = ""
    ):
        self.words = words
        self.nth = nth
        self.meanwhile = meanwhile
        self.fails = fails
        self.tasks: list[BotTask] = []

    def think(self, task: BotTask) -> Answer:
        self.tasks.append(task)
        self.meanwhile()
        if self.fails:
            raise ThinkingFailed(self.fails)
        return Answer(move=self.words or task.sighting.sighting().offer_texts[self.nth], worlds=1)

    def close(self) -> None:
        self.closed = True

    end = close


@pytest.fixture(scope="module")
def library():
    return Library()


@pytest.fixture
def referee(sqlite_ready, library):
    engine = engine_for(sqlite_ready, 8)
    never_wait_for_the_disk(engine)
    yield forms.a_referee(Store(engine), library)
    engine.dispose()


def begun(referee: Any, game: str = "strifebarge") -> WaitingQuestion:
    """The first question that waits for a bot in a new game, in which the person has moved."""
    ann = forms.newcomer(referee)
    id = play_against_bots(referee, ann, game, "easy", FormToken(token_hex(16)), "en").id
    view = referee.views.show(ann.id, id)
    offered = next(each for each in view.offers if not each.refused)
    form = FormToken(token_hex(16), question=view.question_number)
    forms.move(referee, ann.id, id, lambda kinds: offered.action, form)
    return next(each for each in referee.store.waiting_for_bots(10) if each.table == id)


def moves_of(referee: Any, waiting: WaitingQuestion) -> int:
    number: int = referee.store.table(waiting.table).position.number
    return number


def test_a_bot_moves_once_and_a_stale_question_moves_nobody(referee) -> None:
    waiting, mover = begun(referee), Mover(referee)
    before, log = moves_of(referee, waiting), Log()
    played = mover.move(waiting, log)
    assert played
    assert (played.game, played.answer.worlds, played.refused) == ("strifebarge", 1, 0)
    assert moves_of(referee, waiting) == before + 1
    assert mover.move(waiting, log) is None
    assert len(log.tasks) == 1


def test_two_processes_that_answer_the_same_question_move_once(referee) -> None:
    waiting = begun(referee)
    before, other = moves_of(referee, waiting), Mover(referee)
    first = Log(nth=1, meanwhile=lambda: other.move(waiting, Log()))
    assert Mover(referee).move(waiting, first) is None
    assert moves_of(referee, waiting) == before + 1


def test_what_is_refused_is_not_tried_again_and_another_offer_is_played(referee) -> None:
    waiting = begun(referee)
    before = moves_of(referee, waiting)
    played = Mover(referee).move(waiting, Log("fire Z99"))
    assert played
    assert played.refused == 1
    assert not played.answer.is_grounded
    assert moves_of(referee, waiting) == before + 1


def test_the_task_of_a_bot_is_what_its_seat_sees(referee, library) -> None:
    waiting, log = begun(referee), Log()
    Mover(referee).move(waiting, log)
    seen = log.tasks[0].sighting.sighting()
    [match] = [each.match for each in referee.matches.matches.values()]
    hidden = match.game.seats[1 - waiting.seat].fleet
    assert seen.seat == waiting.seat
    assert seen.game.seats[1 - waiting.seat].fleet != hidden


def services_of(referee: Any) -> Services:
    store = forms.store_of(referee)
    nobody: Any = None
    return Services(
        *(referee.now, referee, nobody, nobody, nobody),
        *(store.tables, store.tables, store.subscriptions, nobody, Switches(store.switches), nobody, nobody),
    )


def test_a_seat_for_which_no_move_is_found_is_absent_and_is_tried_again_later(
    referee, monkeypatch, caplog
) -> None:
    waiting, thinker = begun(referee), Log(fails="it hung, and was ended")
    at = [100.0]
    monkeypatch.setattr("strifebarge.bots.player.notes.monotonic", lambda: at[0])
    playing = BotProcess(services_of(referee), thinkers=[thinker])  # type: ignore[list-item]
    place = waiting.table, waiting.seat
    for _ in range(FAILURES):
        assert playing.failures.may_try(place)
        playing.answer(thinker, waiting)  # type: ignore[arg-type]
        assert not playing.failures.may_try(place)
        at[0] += 2.0
    assert "is absent from now on" in caplog.text
    at[0] += 30.0
    assert not playing.failures.may_try(place)
    at[0] += 30.0
    assert playing.failures.may_try(place)
    playing.answer(Log(), waiting)  # type: ignore[arg-type]
    assert not playing.failures.counts


def test_what_cannot_be_written_is_not_thought_anew_and_is_tried_less_and_less_often(
    referee, monkeypatch, caplog
) -> None:
    waiting, log = begun(referee), Log()
    place, at, carry_out = (waiting.table, waiting.seat), [100.0], referee.carry_out
    monkeypatch.setattr("strifebarge.bots.player.notes.monotonic", lambda: at[0])
    playing = BotProcess(services_of(referee), thinkers=[log])  # type: ignore[list-item]

    def full(*_: Any) -> None:
        raise DiskFull("no space")

    monkeypatch.setattr(referee, "carry_out", full)
    rests = []
    for _ in range(BUSY_TOLD + 1):
        playing.answer(log, waiting)  # type: ignore[arg-type]
        rests.append(playing.failures.due[place] - at[0])
    assert rests[:7] == [1, 2, 5, 10, 30, 60, 60]
    assert caplog.text.count("could not move 30 times") == 1
    monkeypatch.setattr(referee, "carry_out", carry_out)
    playing.answer(log, waiting)  # type: ignore[arg-type]
    assert len(log.tasks) == 1
    assert playing.failures.may_try(place)
    assert not playing.failures.busy
    assert Mover(referee).turn(waiting) is None


@pytest.mark.parametrize("is_newer", [True, False])
def test_a_process_with_older_code_ends_where_another_one_would_have_newer(
    referee, monkeypatch, is_newer
) -> None:
    waiting = begun(referee)
    playing = BotProcess(services_of(referee), thinkers=[Log()])  # type: ignore[list-item]

    def older(*_: Any) -> None:
        raise Superseded("played by newer rules")

    monkeypatch.setattr("strifebarge.bots.player.mover.must_be_newest", older)
    monkeypatch.setattr(referee.library, "loaded", 0.0 if is_newer else 2.0**40)
    playing.answer(Log(), waiting)  # type: ignore[arg-type]
    assert playing.superseded.is_set() == is_newer
    assert not playing.failures.may_try((waiting.table, waiting.seat))


def test_a_database_that_is_away_is_told_of_once_and_once_when_it_is_back(
    referee, monkeypatch, caplog
) -> None:
    services = services_of(referee)
    playing = BotProcess(services, thinkers=[Log()])  # type: ignore[list-item]
    looks, read = [0], services.lists.waiting_for_bots

    def away(limit: int) -> Any:
        looks[0] += 1
        if looks[0] <= 3:
            raise Busy("no answer")
        return read(limit)

    monkeypatch.setattr(services.lists, "waiting_for_bots", away)
    for tenth in range(50):  # most of them look at nothing yet
        playing.tick(tenth / 10)
    assert looks[0] > 3
    assert caplog.messages == [
        "The bots cannot look at the database: no answer",
        "The bots can look at the database again.",
    ]


def test_questions_are_given_to_free_thinkers_after_a_pause_and_none_twice(referee, monkeypatch) -> None:
    tables = {begun(referee).table for _ in range(3)}
    thinkers: Any = [Log(), Log()]
    playing = BotProcess(services_of(referee), thinkers=thinkers)
    monkeypatch.setattr(processes, "PAUSE", 3600.0)
    playing.tick(0.0)
    assert playing.jobs.empty()
    monkeypatch.setattr(processes, "PAUSE", -1.0)
    for now in (10.0, 20.0):
        playing.tick(now)
    jobs = [playing.jobs.get_nowait() for _ in range(2)]
    assert playing.jobs.empty()
    assert {waiting.table for waiting, _ in jobs} < tables
    assert {share for _, share in jobs} == {2 / 3}
    for (waiting, share), thinker in zip(jobs, thinkers, strict=True):
        playing.answer(thinker, waiting, share)
    playing.tick(30.0)
    last, share = playing.jobs.get_nowait()
    assert {last.table} == tables - {waiting.table for waiting, _ in jobs}
    assert share == 1
    assert dict(playing.tally.choices) == dict(playing.tally.grounded) == {"strifebarge": 2}


def test_the_log_says_what_choices_rest_on_and_where_one_was_made_by_chance(referee, caplog) -> None:
    caplog.set_level("INFO")
    playing = BotProcess(services_of(referee), thinkers=[Log(), Log()])  # type: ignore[list-item]
    by_chance, thought = begun(referee), begun(referee)
    playing.answer(Log("fire Z99"), by_chance)  # type: ignore[arg-type]
    playing.answer(Log(), thought)  # type: ignore[arg-type]
    where = f"(strifebarge, table {by_chance.table}, seat {by_chance.seat})"
    assert f"by chance among the offers {where}: what it chose was refused" in caplog.text
    assert thought.table not in caplog.text
    playing.tally.log_counts()
    playing.tally.log_counts()
    assert caplog.text.count("strifebarge: 2 choices, 1 of them (50%) on imagined games, 0 cut off") == 1


def test_failures_of_seats_that_are_not_asked_any_more_are_forgotten() -> None:
    failures = Failures()
    for _ in range(FAILURES):
        failures.failed(("TABLE001", 1), "it hung")
    failures.forget_all_but({("TABLE001", 1)})
    assert not failures.may_try(("TABLE001", 1))
    failures.forget_all_but(set())
    assert failures.may_try(("TABLE001", 1))
    assert not failures.counts
