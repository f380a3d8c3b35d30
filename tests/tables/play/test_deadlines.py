"""What happens at a deadline, no matter what comes first: the move, the ticker, or another form."""

from functools import partial
from itertools import count

import pytest

from games.chess.rules import Chess, Start
from strifebarge.lib import waited
from strifebarge.results.replaying import replay
from strifebarge.rules import Refused
from strifebarge.rules.match import Match
from strifebarge.rules.notation import read
from strifebarge.rules.pace import DAY, HOUR, MINUTE
from strifebarge.store.db.engine import engine_for
from strifebarge.store.store import Store
from strifebarge.tables.clock import vacation
from strifebarge.tables.clock.judging import AT_MOST
from strifebarge.tables.clock.site_time import SiteClock
from strifebarge.tables.clock.timekeeper import BROKEN
from strifebarge.tables.model.table import Status
from strifebarge.tables.play.deadlines import deadlines, heartbeat_job
from strifebarge.tables.play.turn import FormToken
from tests.store.scenes import tried
from tests.support import forms
from tests.support.clock import ByTheWall, WithoutClock
from tests.support.together import together

numbers = count()
NOON = 1_800_000_000.0
TIMES = 8  # each pair of acts, at once


def form_token(question=None):
    return FormToken(f"a-key-for-this-form-{next(numbers):08}", question=question)


class Wall:
    """The clock on the wall."""

    def __init__(self):
        self.at = NOON

    def __call__(self):
        return self.at


@pytest.fixture
def wall():
    return Wall()


@pytest.fixture
def referee(store, library, wall):
    def entropy(length):
        return bytes(length) if length == 32 else next(numbers).to_bytes(length, "big")

    return forms.a_referee(store, library, now=wall, entropy=entropy)


def a_heart(referee, wall):
    """What beats, as the ticker of a machine whose clocks all go by the wall; it tells whether it did."""
    beat = heartbeat_job(SiteClock(WithoutClock(referee.store), ByTheWall(wall)), 5, 60)
    return lambda: beat() is not None


class Timed:
    """A table with a clock, and everybody seated."""

    def __init__(self, referee, game="strifebarge", pace="turn-180", seats=2):
        self.referee = referee
        self.people = [forms.newcomer(referee) for _ in range(seats)]
        self.id = self.begun(game, pace)
        while game == "strifebarge" and {"A1", "A2"} & self.berths():  # where these tests fire
            self.id = self.begun(game, pace)
        self.asked = {
            seat: referee.views.show(each.id, self.id).question_number
            for seat, each in enumerate(self.people)
        }

    def begun(self, game, pace):
        host, *others = self.people
        id = forms.start(self.referee, host, game, form_token(), seats=len(self.people), pace=pace).id
        for person in others:
            forms.join(self.referee, person, id, "", form_token())
        return id

    def berths(self):
        """The squares where anybody's ships lie."""
        games = [self.referee.views.show(each.id, self.id).position.game for each in self.people]
        fleets = [game.seats[seat].fleet for seat, game in enumerate(games)]
        return {square for fleet in fleets for ship in fleet for square in ship.squares}

    @property
    def table(self):
        return self.referee.views.status(self.id)

    @property
    def hands(self):
        return self.table.clock.seat_clocks

    def move(self, seat, words, question=None):
        question = self.asked[seat] if question is None else question
        person = self.people[seat].id
        return forms.move(
            self.referee, person, self.id, lambda kinds: read(words, kinds), form_token(question)
        )

    def now(self, seat, words):
        return self.move(seat, words, self.referee.views.show(self.people[seat].id, self.id).question_number)

    def ledger(self):
        return [(row.seat, row.action) for row in self.referee.store.rows(self.id, 0)]

    def log(self):
        return [line.text["text"] for line in self.referee.views.show(None, self.id).lines]


LATE = {"do": "late", "out": False}


# -- the deadline, and a move ------------------------------------------------------


def test_a_move_counts_until_the_deadline_and_not_at_it(referee, wall):
    at = Timed(referee)
    wall.at = NOON + 179.999
    assert tried(at.move, 0, "fire A1") is None
    at = Timed(referee)
    wall.at += 180
    assert tried(at.move, 0, "fire A1") == "game.too_late"
    assert at.ledger() == [(0, LATE)]
    assert (at.table.position.waiting, at.hands[0].missed) == ([1], 1)


@pytest.mark.parametrize("offset", [-0.001, 0.0, 0.001, 2.0])
def test_a_move_at_the_deadline_and_the_ticker_are_as_if_one_had_been_first(referee, wall, offset):
    """A player who was in time was in time, whether or not the ticker has looked."""
    wall.at = NOON
    outcomes = set()
    for _ in range(TIMES):
        wall.at = NOON
        at = Timed(referee)
        wall.at = NOON + 180 + offset
        looks = partial(forms.look, referee, at.id)
        token, *_ = together(partial(tried, at.move, 0, "fire A1"), looks, looks)
        assert len(at.ledger()) == 1
        outcomes.add((token, at.ledger()[0][1]["do"]))
    assert outcomes == {(None, "fire") if offset < 0 else ("game.too_late", "late")}


@pytest.mark.parametrize("offset", [-0.001, 0.001])
def test_of_two_workers_at_a_deadline_one_accepts_the_move_or_one_finds_it_late_and_never_both(
    referee, engine, library, wall, offset
):
    """Each worker has a referee and connections of its own, as in processes of their own."""
    other_engine = engine_for(engine.url.render_as_string(hide_password=False), 2)
    other = forms.a_referee(Store(other_engine), library, now=wall)
    try:
        for _ in range(TIMES):
            wall.at = NOON
            at = Timed(referee)
            wall.at = NOON + 180 + offset
            calls = partial(tried, forms.call_time, other, at.people[1].id, at.id, form_token())
            moved, called = together(partial(tried, at.move, 0, "fire A1"), calls)
            ledger = [(seat, action["do"]) for seat, action in at.ledger()]
            assert called is None
            expected = (None, [(0, "fire")]) if offset < 0 else ("game.too_late", [(0, "late")])
            assert (moved, ledger) == expected
    finally:
        other_engine.dispose()


def test_two_forms_at_a_deadline_make_one_miss(referee, wall):
    for _ in range(TIMES):
        wall.at = NOON
        at = Timed(referee)
        wall.at = NOON + 200
        calls = [partial(forms.call_time, referee, each.id, at.id, form_token()) for each in at.people]
        assert together(*(partial(tried, call) for call in calls)) == [None, None]
        assert at.ledger() == [(0, LATE)]


def test_what_happens_at_a_deadline_is_kept_though_the_form_is_refused(referee, wall):
    at = Timed(referee)
    wall.at += 500
    assert tried(at.move, 1, "fire A1", 0) == "game.stale"
    assert at.ledger() == [(0, LATE)]
    assert tried(at.now, 1, "fire A1") is None


def test_the_same_form_again_gets_the_same_answer_after_the_deadline(referee, wall):
    at = Timed(referee)
    once = form_token(at.asked[0])

    def fire():
        return forms.move(referee, at.people[0].id, at.id, lambda kinds: read("fire A1", kinds), once)

    number = fire()
    wall.at += 5000
    assert fire() == number


def test_nobody_is_late_while_a_form_that_was_turned_away_can_be_sent_again(referee, wall, monkeypatch):
    seconds = [1000.0]
    monkeypatch.setattr(waited, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(waited, "_turned_away", memoryview(bytearray(8 * waited.TABLES)).cast("d"))
    at = Timed(referee)
    waited.note_turned_away(at.id)
    wall.at += 185
    forms.look(referee, at.id)
    assert at.ledger() == []
    assert tried(at.move, 0, "fire A1") is None
    at = Timed(referee)
    waited.note_turned_away(at.id)
    wall.at += 185
    seconds[0] += waited.SENT_AGAIN
    assert tried(at.move, 0, "fire A1") == "game.too_late"
    at = Timed(referee)
    waited.note_turned_away(at.id)
    wall.at += 180 + AT_MOST
    forms.look(referee, at.id)
    assert at.ledger() == [(0, LATE)]


# -- what the game does --------------------------------------------------------------


def test_three_misses_in_a_row_and_the_captain_is_out(referee, wall):
    at = Timed(referee)
    at.now(0, "fire A2")
    at.now(1, "fire A1")
    for nth in range(5):
        assert at.table.status is Status.PLAYING, nth
        wall.at += 182
        deadlines(referee)(wall.at)
    table = at.table
    assert (table.status, table.ending.result.places, table.due) == (Status.OVER, [[1], [0]], None)
    assert at.ledger()[-1] == (0, {"do": "late", "out": True})
    assert at.log().count("{seat:You} held fire.") == 4
    assert "{seat:You have| has} no time left." in at.log()


def test_a_move_of_ones_own_forgives_the_misses_before_it(referee, wall):
    at = Timed(referee)
    wall.at += 182
    forms.look(referee, at.id)
    assert [hand.missed for hand in at.hands] == [1, 0]
    at.now(1, "fire A1")
    at.now(0, "fire A2")
    assert [hand.missed for hand in at.hands] == [0, 0]


def test_a_flag_that_falls_loses_a_game_of_chess(referee, wall):
    at = Timed(referee, "chess", "clock-10-5")
    for seat, move in enumerate(("e4", "e5")):
        at.now(seat, f"move {move}")
    at.now(0, "move Nf3")
    wall.at += 607
    forms.look(referee, at.id)
    assert at.table.ending.result.places == [[0], [1]]
    assert "{seat:You} ran out of time." in at.log()


def test_a_king_alone_does_not_win_on_time():
    match = Match.new(Chess, options=Start("position", "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1"))
    match.miss(0, out=True)
    assert match.result.places == [[0, 1]]


def test_each_misses_by_themselves_where_all_are_asked_at_once(referee, wall):
    at = Timed(referee, "rps", "turn-60")
    at.move(0, "throw rock")
    wall.at += 62
    forms.look(referee, at.id)
    ledger = at.ledger()
    assert ledger == [(0, {"do": "throw", "hand": "rock"}), (1, LATE)]
    assert "{seat:You} ran out of time." in at.log()


def test_one_who_is_late_does_not_choose_any_more_while_others_still_may(referee, wall):
    at = Timed(referee, "rps", "clock-5-3")
    with referee.store.change(at.id) as change:
        change.table.clock.seat_clocks[0].left = 10
    wall.at += 12
    forms.look(referee, at.id)
    # A clock that has run out is out of the game; here nobody else is left.
    assert at.table.status is Status.OVER
    at = Timed(referee, "rps", "turn-60")
    with referee.store.change(at.id) as change:
        change.table.clock.seat_clocks[0].left = 10
    wall.at += 12
    forms.look(referee, at.id)
    assert (at.table.position.pending, at.table.position.waiting) == ({0: LATE}, [1])
    assert tried(at.move, 0, "throw rock") == "game.too_late"
    at.move(1, "throw paper")
    assert at.ledger() == [(0, LATE), (1, {"do": "throw", "hand": "paper"})]


def test_rules_that_fail_at_a_deadline_suspend_the_game_with_a_sentence(referee, wall, library, monkeypatch):
    at = Timed(referee, "rps", "turn-60")

    def fail(self, seat, offers):
        raise ZeroDivisionError

    monkeypatch.setattr(library["rps"].rules, "absent", fail)
    wall.at += 62
    assert referee.views.show(at.people[0].id, at.id).overdue
    deadlines(referee)(wall.at)
    table = at.table
    assert (table.status, table.trouble, table.due) == (Status.SUSPENDED, BROKEN, None)
    assert at.ledger() == []
    wall.at += DAY
    for person in at.people:
        forms.ready(referee, person.id, at.id, form_token())
    assert at.table.status is Status.PLAYING
    assert at.table.due == wall.at + 60
    for seat, words in enumerate(("throw rock", "throw paper")):
        at.now(seat, words)
    assert at.table.status is Status.OVER


def test_a_game_with_misses_replays_from_its_record(referee, wall, library):
    at = Timed(referee)
    at.now(0, "fire A2")
    at.now(1, "fire A1")
    while at.table.status is not Status.OVER:
        wall.at += 182
        forms.look(referee, at.id)
    assert {row["do"] for _, row in at.ledger()[2:]} == {"late"}
    again = replay(forms.results(referee).record(at.id), library)
    assert again.match.result.places == at.table.ending.result.places


# -- the clock, and who uses it --------------------------------------------------------


def test_moving_takes_time_and_gives_some_back(referee, wall):
    at = Timed(referee, "chess", "clock-10-5")
    wall.at += 30
    at.now(0, "move e4")
    assert (at.hands[0].left, at.hands[1].since) == (575, wall.at)
    wall.at += 8
    at.now(1, "move e5")
    assert at.hands[1].left == 597


def test_an_offer_of_a_draw_does_not_wind_the_clock(referee, wall):
    at = Timed(referee, "chess", "clock-10-5")
    for _ in range(4):
        wall.at += 10
        at.now(0, "offer_draw")
        view = referee.views.show(at.people[0].id, at.id)
        forms.undo(referee, at.people[0].id, at.id, form_token(view.question_number))
    assert at.hands[0].remaining(wall.at) == 560


def test_no_clock_runs_before_the_game_nor_after_it(referee, wall):
    ann = forms.newcomer(referee)
    id = forms.start(referee, ann, "rps", form_token(), pace="turn-60").id
    assert referee.views.status(id).due is None
    wall.at += 1000
    forms.join(referee, forms.newcomer(referee), id, "", form_token())
    assert referee.views.status(id).due == wall.at + 60
    forms.quit(referee, ann.id, id, "resign", form_token())
    assert referee.views.status(id).due is None


def test_a_rematch_is_played_by_the_same_clock(referee, wall):
    at = Timed(referee, "rps", "turn-60")
    forms.quit(referee, at.people[0].id, at.id, "resign", form_token())
    again = forms.rematch(referee, at.people[1].id, at.id, form_token())
    forms.ready(referee, at.people[0].id, again, form_token())
    assert referee.views.status(again).due == wall.at + 60


def test_a_pace_that_is_not_offered_is_refused(referee):
    with pytest.raises(Refused) as no:
        forms.start(referee, forms.newcomer(referee), "rps", form_token(), pace="turn-1")
    assert no.value.token == "table.no_pace"


# -- pauses ------------------------------------------------------------------------------


def test_a_pause_needs_all_and_anybody_ends_it(referee, wall):
    at = Timed(referee)
    ann, ben = (person.id for person in at.people)
    wall.at += 100
    forms.pause(referee, ann, at.id, True, form_token())
    assert not at.table.clock.stands(wall.at)
    forms.pause(referee, ben, at.id, True, form_token())
    wall.at += 5 * DAY
    forms.look(referee, at.id)
    assert at.table.clock.stands(wall.at)
    assert tried(forms.pause, referee, ann, at.id, True, form_token()) == "table.paused"
    forms.go_on(referee, ben, at.id, form_token())
    assert at.table.due == wall.at + 80
    assert tried(forms.go_on, referee, ben, at.id, form_token()) == "table.not_paused"


def test_agreeing_to_a_pause_can_be_taken_back(referee):
    at = Timed(referee)
    ann, ben = (person.id for person in at.people)
    forms.pause(referee, ann, at.id, True, form_token())
    forms.pause(referee, ann, at.id, False, form_token())
    forms.pause(referee, ben, at.id, True, form_token())
    assert at.table.clock.agreed == [1]
    assert at.table.clock.pause is None


def test_where_a_clock_runs_nobody_puts_the_game_aside_alone(referee):
    at = Timed(referee)
    assert tried(forms.suspend, referee, at.people[0].id, at.id, form_token()) == "table.on_the_clock"
    stranger = forms.newcomer(referee).id
    assert tried(forms.pause, referee, stranger, at.id, True, form_token()) == "table.not_seated"
    assert tried(forms.call_time, referee, stranger, at.id, form_token()) == "table.not_seated"


# -- vacations -----------------------------------------------------------------------------


def test_a_vacation_begins_by_itself_at_a_deadline_and_ends_with_a_move(referee, wall):
    at = Timed(referee, pace="days-3")
    wall.at += 3 * DAY + 10
    forms.look(referee, at.id)
    assert at.ledger() == []
    [away] = referee.views.vacations(at.people[0].id)
    assert (away.began, away.until) == (NOON + 3 * DAY, NOON + 17 * DAY)
    wall.at += 5 * DAY
    forms.look(referee, at.id)
    assert at.ledger() == []
    at.now(0, "fire A1")
    [away] = referee.views.vacations(at.people[0].id)
    assert away.until == wall.at
    assert int(vacation.left([away], wall.at) // DAY) == 8


def test_a_player_with_two_seats_at_one_device_goes_on_vacation_once_with_both(referee, wall):
    ann = forms.newcomer(referee)
    table = forms.start(
        referee, ann, "rps", form_token(), seats=2, options={"best_of": 3}, pace="days-1", devices="one"
    )
    wall.at += DAY + 10
    forms.look(referee, table.id)
    [away] = referee.views.vacations(ann.id)
    assert away.began == NOON + DAY
    table = referee.views.status(table.id)
    assert (table.status, table.position.waiting) == (Status.PLAYING, [0, 1])
    assert all(seat.remaining(wall.at) >= 0 for seat in table.clock.seat_clocks)


def test_a_move_after_the_deadline_that_nobody_has_looked_at_ends_the_vacation_it_began(referee, wall):
    at = Timed(referee, pace="days-1")
    number = at.asked[0]
    wall.at += DAY + 10
    at.move(0, "fire A1", number)
    [away] = referee.views.vacations(at.people[0].id)
    assert (away.began, away.until) == (NOON + DAY, wall.at)


def test_when_the_days_are_used_up_the_deadline_passes(referee, wall):
    at = Timed(referee, pace="days-3")
    wall.at += 3 * DAY + 10
    forms.look(referee, at.id)
    wall.at = NOON + 17 * DAY - 1
    forms.look(referee, at.id)
    assert at.ledger() == []
    wall.at += 3
    deadlines(referee)(wall.at)
    assert at.ledger() == [(0, LATE)]


def test_whoever_is_away_is_away_at_all_their_slow_tables_and_at_no_quick_one(referee, wall):
    at, quick = Timed(referee, pace="days-1"), Timed(referee)
    forms.go_away(referee, at.people[0].id, 2)
    wall.at += DAY + HOUR
    for table in (at, quick):
        forms.look(referee, table.id)
    assert (at.ledger(), quick.ledger()) == ([], [(0, LATE)])
    forms.come_back(referee, at.people[0].id)
    assert at.hands[0].remaining(wall.at) == DAY
    with pytest.raises(Refused) as no:
        forms.come_back(referee, at.people[0].id)
    assert no.value.token == "table.not_away"


def test_a_vacation_takes_a_whole_day_at_least_and_no_more_than_there_are(referee, wall):
    ann = Timed(referee).people[0].id
    for _ in range(14):
        forms.go_away(referee, ann, 1)
        wall.at += 60
        forms.come_back(referee, ann)
    with pytest.raises(Refused) as no:
        forms.go_away(referee, ann, 1)
    assert no.value.token == "table.none_left"
    for days in (0, 15):
        with pytest.raises(Refused) as no:
            forms.go_away(referee, Timed(referee).people[0].id, days)
        assert no.value.token == "table.wrong_days"


# -- the site was away -----------------------------------------------------------------------


def test_nobody_is_late_because_the_site_was_away(referee, wall):
    beat = a_heart(referee, wall)
    assert beat()
    slow, quick = Timed(referee, pace="days-1"), Timed(referee)
    wall.at += 50
    assert beat()
    wall.at += 6 * HOUR
    assert beat()
    deadlines(referee)(wall.at)
    assert quick.table.due == wall.at + 130 + 60
    assert slow.table.due == wall.at + DAY - 50 + 900
    assert quick.ledger() == slow.ledger() == []


def test_six_hours_off_are_credited_and_the_log_says_so(referee, wall, caplog):
    beat = a_heart(referee, wall)
    beat()
    slow, quick = Timed(referee, pace="days-1"), Timed(referee)
    before = slow.table.due, quick.table.due
    wall.at += 6 * HOUR
    with caplog.at_level("WARNING"):
        assert beat()
    deadlines(referee)(wall.at)
    credited = slow.table.due - before[0], quick.table.due - before[1]
    assert credited == (6 * HOUR + 15 * MINUTE, 6 * HOUR + MINUTE)
    assert slow.ledger() == quick.ledger() == []
    assert "away for 6 h 0 min: clocks credited 6 h 15 min, quick ones 6 h 1 min." in caplog.text


def test_an_absence_counts_once(referee, wall):
    beat = a_heart(referee, wall)
    beat()
    at = Timed(referee, pace="turn-300")
    for _ in range(10):
        wall.at += 50
        beat()
        if wall.at == NOON + 50:
            wall.at += 1000
            beat()
        forms.look(referee, at.id)
        if at.ledger():
            break
    # 50 s before the absence; then 250 s and a minute on top.
    assert NOON + 1050 + 310 <= wall.at <= NOON + 1050 + 310 + 51


def test_a_form_that_comes_before_the_first_tick_finds_the_time_left_out(referee, wall):
    beat = a_heart(referee, wall)
    beat()
    at = Timed(referee)
    wall.at += 6 * HOUR
    at.move(0, "fire A1")
    assert at.ledger()[0][1]["do"] == "fire"


def test_of_many_who_tick_one_does(referee, wall):
    beat = a_heart(referee, wall)
    for _ in range(5):
        assert sum(together(*[beat] * 6)) == 1
        wall.at += 5


# -- the ticker ------------------------------------------------------------------------------


def test_a_table_that_fails_does_not_keep_the_ticker_from_others(referee, wall, monkeypatch, caplog):
    first, second = Timed(referee), Timed(referee)
    wall.at += 200
    change = referee.change

    def stumble(id, act):
        if id == first.id:
            raise RuntimeError("a bug")
        change(id, act)

    monkeypatch.setattr(referee, "change", stumble)
    deadlines(referee)(wall.at)
    assert (first.ledger(), second.ledger()) == ([], [(0, LATE)])
    assert "a bug" in caplog.text
