"""Who is told what of a table, and when: one letter for one turn, and none in somebody's night."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from strifebarge.notifications import quiet_hours as moments
from strifebarge.notifications.models import Notification, NotificationKind, Subscriber
from strifebarge.notifications.relevance import HELD, held_until, is_still_true
from strifebarge.notifications.rules import SOON, notify
from strifebarge.rules import Refused
from strifebarge.tables.model.events import AgreementAsked, Moved
from strifebarge.tables.model.reasons import NotificationRefusal
from strifebarge.tables.model.table import Chair, Status, Suspension
from tests.support.tables import make_table

BERLIN = ZoneInfo("Europe/Berlin")


class Paper:
    """A change of a table, and the letters that are written in it."""

    def __init__(self, *readers: str, waiting: tuple[int, ...] = (0,), status: Status = Status.PLAYING):
        chairs = [
            Chair(seat, name, name.title(), ready=True) for seat, name in enumerate(("ann", "ben", "cleo"))
        ]
        self.table = make_table(game="rps", chairs=chairs, waiting=[*waiting], status=status)
        self.wishes = {name: Subscriber(player=name) for name in readers}
        self.kept: dict[str, Notification] = {}
        self.now = 1000.0

    def subscribers(self, players: list[str]) -> dict[str, Subscriber]:
        return {name: each for name, each in self.wishes.items() if name in players}

    def notifications(self) -> list[Notification]:
        return [*self.kept.values()]

    def write_notification(self, notification: Notification) -> None:
        same = [(each.player, each.kind) for each in self.kept.values() if each.id != notification.id]
        assert (notification.player, notification.kind) not in same, "the database would refuse it"
        self.kept[notification.id] = notification

    def note_nudge(self, player: str, now: float, since: float) -> float | None:
        raise AssertionError("nobody is nudged here")

    def drop_notifications(self, ids: list[str]) -> None:
        for id in ids:
            del self.kept[id]

    # -- what happens ------------------------------------------------------------

    def play(self, moved: set[int], waiting: list[int], undo: bool = False, by: str | None = None) -> None:
        was, self.table.position.waiting = self.table.position.waiting, waiting
        name = by or (self.table.chairs[min(moved)].player if moved else None)
        notify(self, Moved(at=self.now, by=name, was=was, moved=frozenset(moved), undone=undo))

    def agree(self, by: str) -> None:
        notify(self, AgreementAsked(at=self.now, by=by))

    def told(self) -> None:
        """The post has taken all that there is."""
        for letter in self.kept.values():
            letter.sent = self.now

    @property
    def written(self) -> list[tuple[str, str, float]]:
        return sorted((each.player, each.kind.value, each.due) for each in self.kept.values())


# -- one turn, one letter --------------------------------------------------------------


def test_whose_turn_it_has_become_is_written_to_after_a_minute() -> None:
    paper = Paper("ann", "ben")
    paper.play({0}, [1])
    assert paper.written == [("ben", "turn", 1000 + SOON)]


def test_who_wants_nothing_is_not_written_to() -> None:
    paper = Paper("ann", "ben", "cleo")
    paper.wishes["ben"].kinds = (NotificationKind.OVER,)
    paper.wishes["cleo"].silent = ("TABLE001",)
    del paper.wishes["ann"]
    paper.play(set(), [0, 1, 2])
    assert paper.written == []


def test_who_has_moved_is_not_told_whose_turn_it_is_not_even_their_own() -> None:
    paper = Paper("ann", "ben")
    paper.play({0}, [0])
    paper.play({0}, [0, 1])
    assert paper.written == [("ben", "turn", 1060)]


def test_a_move_answers_the_letter() -> None:
    paper = Paper("ann", "ben")
    paper.play({0}, [1])
    paper.play({1}, [0])
    assert paper.written == [("ann", "turn", 1060)]


def test_a_turn_that_is_taken_back_and_comes_again_is_told_once() -> None:
    paper = Paper("ben")
    paper.play({0}, [1])
    paper.told()
    for _ in range(5):
        paper.now += 100
        paper.play({0}, [0], undo=True)
        paper.play({0}, [1])
    assert paper.written == [("ben", "turn", 1060)]
    assert [letter.sent for letter in paper.kept.values()] == [1000]


def test_while_a_move_is_taken_back_and_changed_nobody_is_told() -> None:
    paper = Paper("ben")
    for _ in range(5):
        paper.now += 50
        paper.play({0}, [1])
        paper.play({0}, [0], undo=True)
    paper.now = 1300
    paper.play({0}, [1])
    assert paper.written == [("ben", "turn", 1360)]


def test_a_changed_mind_tells_nobody_anything_new() -> None:
    paper = Paper("ann", "ben", waiting=(0, 1, 2))
    paper.play({0}, [1, 2])
    paper.told()
    before = paper.written
    for _ in range(3):
        paper.now += 100
        paper.play({0}, [1, 2])
    assert paper.written == before == [("ben", "turn", 1060)]


def test_a_turn_that_somebody_else_has_ended_is_over_and_the_next_one_is_told() -> None:
    paper = Paper("ben", waiting=(0, 1))
    paper.play(set(), [0, 1])
    paper.told()
    paper.play({0}, [2])
    assert paper.written == []
    paper.now = 2000
    paper.play({2}, [1])
    assert paper.written == [("ben", "turn", 2060)]


def test_two_hundred_turns_of_three_are_each_told_once() -> None:
    paper = Paper("ann", "ben", "cleo")
    sent = 0
    for turn in range(200):
        paper.now += 500
        paper.play({turn % 3}, [(turn + 1) % 3])
        sent += len([letter for letter in paper.kept.values() if letter.sent is None])
        paper.told()
        assert len(paper.kept) == 1
    assert sent == 200


# -- the rest ----------------------------------------------------------------------------


def test_all_but_the_one_who_ended_it_are_told_that_it_is_over() -> None:
    paper = Paper("ann", "ben", "cleo")
    paper.play({0}, [1])
    paper.table.status = Status.OVER
    paper.play({1}, [])
    assert paper.written == [("ann", "over", 1060), ("cleo", "over", 1060)]


def test_who_must_agree_is_told_once_until_they_do() -> None:
    paper = Paper("ann", "ben", status=Status.SUSPENDED)
    paper.table.suspension = Suspension("Cleo", 0, {})
    for chair in paper.table.chairs:
        chair.ready = False
    paper.agree("cleo")
    paper.agree("cleo")
    assert paper.written == [("ann", "agree", 1060), ("ben", "agree", 1060)]
    paper.table.chairs[0].ready = True
    paper.agree("ann")
    assert paper.written == [("ben", "agree", 1060)]
    paper.table.status = Status.PLAYING
    paper.play(set(), [0], by="ben")
    assert paper.written == [("ann", "turn", 1060)]


def test_who_left_the_game_hears_no_more_of_it() -> None:
    paper = Paper("ann", "ben")
    paper.play({0}, [1])
    paper.table.chairs[1].left = True
    paper.play({1}, [0])
    assert paper.written == [("ann", "turn", 1060)]
    paper.play({0}, [1], by="cleo")
    assert paper.written == []


def test_a_letter_is_wanted_as_long_as_it_is_true() -> None:
    table = Paper(waiting=(1,)).table
    turn, agree, over = (
        Notification(id=kind, player="ben", kind=kind, table="TABLE001", created=0, due=0)
        for kind in (NotificationKind.TURN, NotificationKind.AGREE, NotificationKind.OVER)
    )
    assert [is_still_true(each, table, 1000) for each in (turn, agree, over)] == [True, False, False]
    table.position.waiting = [0]
    assert not is_still_true(turn, table, 1000)
    table.position.waiting, table.status = [1], Status.SUSPENDED
    table.chairs[1].ready = False
    assert [is_still_true(each, table, 1000) for each in (turn, agree, over)] == [False, True, False]
    table.status = Status.OVER
    assert [is_still_true(each, table, 1000) for each in (turn, agree, over)] == [False, False, True]
    table.chairs[1].give("somebody else")
    assert not is_still_true(over, table, 1000)
    assert not is_still_true(turn, None, 1000)


def test_who_has_the_game_before_them_is_told_after_ten_minutes_all_the_same() -> None:
    letter = Notification(
        id="1", player="ben", kind=NotificationKind.TURN, table="TABLE001", created=1000, due=1060
    )
    assert held_until(letter, None, 1060) is None
    assert held_until(letter, 900, 1060) is None
    assert held_until(letter, 990, 1030) == 1000 + HELD
    assert held_until(letter, 1001, 1060) == 1000 + HELD
    assert held_until(letter, 1599, 1600) is None


# -- the hours --------------------------------------------------------------------------------


def berlin(text: str, fold: int = 0) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN, fold=fold).timestamp()


NIGHT = (22 * 60, 8 * 60)


@pytest.mark.parametrize(
    ("quiet", "now", "then"),
    [
        (NIGHT, berlin("2026-06-01T21:59:59"), None),
        (NIGHT, berlin("2026-06-01T22:00:00"), berlin("2026-06-02T08:00")),
        (NIGHT, berlin("2026-06-02T07:59:59"), berlin("2026-06-02T08:00")),
        (NIGHT, berlin("2026-06-02T08:00:00"), None),
        ((12 * 60, 14 * 60), berlin("2026-06-02T13:00"), berlin("2026-06-02T14:00")),
        ((12 * 60, 14 * 60), berlin("2026-06-02T14:00"), None),
        (None, berlin("2026-06-02T03:00"), None),
        # The night in which clocks are put forward has an hour less, the other one an hour more.
        (NIGHT, berlin("2026-03-28T23:00"), berlin("2026-03-28T23:00") + 8 * 3600),
        (NIGHT, berlin("2026-10-24T23:00"), berlin("2026-10-24T23:00") + 10 * 3600),
        # 2:30 is left out, and comes twice.
        ((0, 150), berlin("2026-03-29T01:00"), berlin("2026-03-29T01:00") + 5400),
        ((0, 150), berlin("2026-10-25T02:00"), berlin("2026-10-25T02:30")),
        ((0, 150), berlin("2026-10-25T02:10", fold=1), berlin("2026-10-25T02:30", fold=1)),
    ],
)
def test_quiet_hours_are_those_of_ones_own_clock(
    quiet: tuple[int, int] | None, now: float, then: float | None
) -> None:
    assert moments.after_quiet(now, quiet, BERLIN) == (then or now)


def test_quiet_hours_that_begin_when_they_end_are_none() -> None:
    assert moments.after_quiet(berlin("2026-06-02T03:00"), (180, 180), BERLIN) == berlin("2026-06-02T03:00")


@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC", "America/New_York"]
)
def test_no_moment_of_a_year_is_put_off_for_longer_than_the_quiet_hours_and_none_lands_in_them(
    zone: str,
) -> None:
    reader = Subscriber(player="ann", zone=zone)
    now = 1767225600.0
    while now < 1767225600 + 366 * 86400:
        then = reader.next_allowed(NotificationKind.TURN, now)
        assert now <= then <= now + 11 * 3600
        local = datetime.fromtimestamp(then, ZoneInfo(zone))
        assert 8 <= local.hour < 22
        assert reader.next_allowed(NotificationKind.TURN, then) == then
        now += 1234.5


def test_times_of_day_have_no_effect_while_the_time_zone_is_unknown() -> None:
    reader = Subscriber(player="ann", digest=18 * 60)
    for hour in range(24):
        now = 1767225600.0 + hour * 3600
        assert reader.next_allowed(NotificationKind.TURN, now) == now


def test_a_digest_comes_once_a_day_at_its_minute() -> None:
    reader = Subscriber(player="ann", zone="Europe/Berlin", digest=18 * 60 + 15)
    for now, then in (
        ("2026-03-28T18:14", "2026-03-28T18:15"),
        ("2026-03-28T18:15", "2026-03-29T18:15"),
        ("2026-10-24T23:00", "2026-10-25T18:15"),
    ):
        assert reader.next_allowed(NotificationKind.TURN, berlin(now)) == berlin(then)
    assert reader.next_allowed(NotificationKind.TEST, 5.0) == 5.0


def test_every_listed_time_zone_can_be_chosen_and_has_a_clock() -> None:
    assert {"Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles", "UTC"} <= {*moments.zones()}
    for name in moments.zones():
        assert moments.zone_of(name) == name
        assert len(moments.time_in(name, 0)) == 5
    assert moments.time_in("Asia/Tokyo", 41 * 60) == "09:41"


@pytest.mark.parametrize(
    "written", ["", "Nowhere", "berlin", "../etc/passwd", "Europe/", "/", "\0", "posix/Asia/Tokyo"]
)
def test_no_other_zone_is_known(written: str) -> None:
    with pytest.raises(Refused) as no:
        moments.zone_of(written)
    assert no.value.why is NotificationRefusal.WRONG_ZONE


def test_a_time_of_day_is_hours_and_minutes() -> None:
    assert [moments.minute_of(each) for each in ("0:00", "08:05", " 23:59 ")] == [0, 485, 1439]
    for wrong in ("", "24:00", "7:60", "7", "7:5", "-1:00", "١:٠٠", "7:00:00", "007:00"):
        with pytest.raises(Refused) as no:
            moments.minute_of(wrong)
        assert no.value.why is NotificationRefusal.WRONG_TIME
