"""Bots move as people do: once, by what they see, and never where the table has gone on."""

from collections.abc import Callable
from secrets import token_hex
from typing import Any

import pytest

from strifebarge.bots.player.mover import SECONDS, STEPS, BotMove, Mover, step_for
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
from strifebarge.tables.model.bots import WaitingQuestion, bot_id
from strifebarge.tables.play.matches import Superseded
from strifebarge.tables.play.turn import FormToken
from tests.support import forms
from tests.support.databases import never_wait_for_the_disk
from tests.web.house import Wall


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
def wall() -> Wall:
    return Wall()


@pytest.fixture
def referee(sqlite_ready, library, wall):
    engine = engine_for(sqlite_ready, 8)
    never_wait_for_the_disk(engine)
    yield forms.a_referee(Store(engine), library, now=wall)
    engine.dispose()


def begun(referee: Any, game: str = "strifebarge", level: str = "easy") -> WaitingQuestion:
    """The first question that waits for a bot in a new game, in which the person has moved."""
    ann = forms.newcomer(referee)
    id = play_against_bots(referee, ann, game, level, FormToken(token_hex(16)), "en").id
    view = referee.views.show(ann.id, id)
    offered = next(each for each in view.offers if not each.refused)
    form = FormToken(token_hex(16), question=view.question_number)
    forms.move(referee, ann.id, id, lambda kinds: offered.action, form)
    return next(each for each in referee.store.waiting_for_bots(10) if each.table == id)


def moves_of(referee: Any, waiting: WaitingQuestion) -> int:
    number: int = referee.store.table(waiting.table).position.number
    return number


def chosen_and_moved(mover: Mover, waiting: WaitingQuestion, thinker: Any) -> BotMove | None:
    assert mover.move(waiting, thinker) is None
    return mover.move(waiting, thinker)


def answered(playing: BotProcess, thinker: Any, waiting: WaitingQuestion) -> None:
    """Let a bot choose, and then move."""
    for _ in range(2):
        playing.answer(thinker, waiting)


def test_a_bot_moves_once_and_a_stale_question_moves_nobody(referee) -> None:
    waiting, mover = begun(referee), Mover(referee)
    before, log = moves_of(referee, waiting), Log()
    assert mover.move(waiting, log) is None
    assert moves_of(referee, waiting) == before
    played = mover.move(waiting, log)
    assert played
    assert (played.game, played.answer.worlds, played.refused) == ("strifebarge", 1, 0)
    assert moves_of(referee, waiting) == before + 1
    assert mover.move(waiting, log) is None
    assert len(log.tasks) == 1


def test_two_processes_that_answer_the_same_question_move_once(referee, monkeypatch) -> None:
    waiting, mover, carry_out = begun(referee), Mover(referee), referee.carry_out
    before = moves_of(referee, waiting)
    mover.move(waiting, Log(nth=1))

    def later(*form: Any) -> None:
        monkeypatch.setattr(referee, "carry_out", carry_out)
        assert chosen_and_moved(Mover(referee), waiting, Log())
        carry_out(*form)

    monkeypatch.setattr(referee, "carry_out", later)
    assert mover.move(waiting, Log()) is None
    assert moves_of(referee, waiting) == before + 1


@pytest.mark.parametrize(("part", "steps"), [(0.0, 1), (0.3, 1), (0.6, 3), (0.8, 3), (1.1, 3), (1.9, 6)])
@pytest.mark.parametrize("level", STEPS)
def test_a_bot_moves_after_one_step_or_after_all_its_time(referee, wall, level, part, steps) -> None:
    waiting, began = begun(referee, level=level), wall()
    thinker: Any = Log(meanwhile=lambda: wall.seconds(part * SECONDS[level]))
    playing = BotProcess(services_of(referee), thinkers=[thinker])
    playing.answer(thinker, waiting)
    wall.at = began + steps * STEPS[level] - 0.01
    playing.tick(10.0)
    assert playing.jobs.empty()
    wall.at = began + steps * STEPS[level]
    playing.tick(20.0)
    assert playing.jobs.get_nowait()[0].table == waiting.table


def test_a_step_is_shorter_when_the_clock_runs_out() -> None:
    assert [step_for(level, None) for level in STEPS] == [*STEPS.values()]
    assert [step_for("hard", left) for left in (3600.0, 15.0, 0.0)] == [STEPS["hard"], 1.0, 0.1]


def test_a_choice_is_made_anew_where_its_table_has_gone_on_and_forgotten_where_nobody_waits(referee) -> None:
    waiting, other, mover = begun(referee), begun(referee), Mover(referee)
    log = Log()
    mover.move(waiting, log)
    mover.move(other, log)
    mover.forget_all_but({(waiting.table, waiting.seat)})
    assert [*mover.pending] == [(waiting.table, waiting.seat)]
    [choice] = mover.pending.values()
    mover.pending[waiting.table, waiting.seat] = choice._replace(seen=log.tasks[1].sighting)
    assert mover.move(waiting, log) is None
    assert len(log.tasks) == 3
    assert mover.move(waiting, log)


def test_what_is_refused_is_not_tried_again_and_another_offer_is_played(referee) -> None:
    waiting = begun(referee)
    before = moves_of(referee, waiting)
    played = chosen_and_moved(Mover(referee), waiting, Log("fire Z99"))
    assert played
    assert played.refused == 1
    assert not played.answer.is_grounded
    assert moves_of(referee, waiting) == before + 1


def test_the_task_of_a_bot_is_what_its_seat_sees(referee, library) -> None:
    waiting, log = begun(referee), Log()
    Mover(referee).move(waiting, log)
    seen = log.tasks[0].sighting.sighting()
    match = referee.matches.matches.get(waiting.table).match.match
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
    assert playing.failures.counts[place] == FAILURES
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
    playing.answer(log, waiting)  # type: ignore[arg-type]
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


def jobs_of(playing: BotProcess) -> list[tuple[WaitingQuestion, float]]:
    """What has been handed out since the last look, with the share of time for each."""
    return [job for _ in range(playing.jobs.qsize()) if (job := playing.jobs.get_nowait())]


def test_questions_are_given_to_free_thinkers_and_none_twice(referee, wall) -> None:
    tables = {begun(referee).table for _ in range(3)}
    thinkers: Any = [Log(), Log()]
    playing = BotProcess(services_of(referee), thinkers=thinkers)
    for now in (10.0, 20.0):
        playing.tick(now)
    jobs = jobs_of(playing)
    assert len(jobs) == 2
    assert {waiting.table for waiting, _ in jobs} < tables
    assert {share for _, share in jobs} == {2 / 3}
    for (waiting, share), thinker in zip(jobs, thinkers, strict=True):
        playing.answer(thinker, waiting, share)
    playing.tick(30.0)
    [(last, share)] = jobs_of(playing)
    assert {last.table} == tables - {waiting.table for waiting, _ in jobs}
    assert share == 1
    playing.answer(thinkers[0], last)
    wall.seconds(STEPS["easy"])
    playing.tick(40.0)
    for (waiting, _), thinker in zip(jobs_of(playing), thinkers, strict=True):
        playing.answer(thinker, waiting)
    assert dict(playing.tally.choices) == dict(playing.tally.grounded) == {"strifebarge": 2}


def test_games_of_bots_alone_leave_a_thinker_to_people_who_come_first(referee, monkeypatch) -> None:
    services, thinkers = services_of(referee), [Log() for _ in range(3)]
    playing = BotProcess(services, thinkers=thinkers)  # type: ignore[arg-type]
    alone = [WaitingQuestion(f"A{n}", 0, bot_id("easy", 1), n, with_people=False) for n in range(200)]
    people = [WaitingQuestion(f"P{n}", 0, bot_id("easy", 1), 1000 + n) for n in range(5)]
    wait = [*alone]
    monkeypatch.setattr(services.lists, "waiting_for_bots", lambda limit: wait)
    playing.tick(0.0)
    assert jobs_of(playing) == [(each, 2 / 200) for each in alone[:2]]
    wait += people[:1]
    playing.tick(10.0)
    assert jobs_of(playing) == [(people[0], 1.0)]
    wait += people[1:]
    playing.answering.clear()
    playing.tick(20.0)
    assert jobs_of(playing) == [(each, 3 / 5) for each in people[:3]]


def test_the_log_says_what_choices_rest_on_and_where_one_was_made_by_chance(referee, caplog) -> None:
    caplog.set_level("INFO")
    playing = BotProcess(services_of(referee), thinkers=[Log(), Log()])  # type: ignore[list-item]
    by_chance, thought = begun(referee), begun(referee)
    answered(playing, Log("fire Z99"), by_chance)
    answered(playing, Log(), thought)
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
