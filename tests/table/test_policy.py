"""No policy lets a table hang: whoever vanishes, it ends or is taken over within the time that was agreed."""

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strifebarge.rules import Chance, Refused
from strifebarge.rules.notation import write
from strifebarge.rules.pace import DAY
from strifebarge.rules.schema import seat_numbers
from strifebarge.rules.testing import random_choice
from strifebarge.store.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import SqlStore
from strifebarge.table.library import Library
from strifebarge.table.policy import CLOSED_AFTER, PATIENCE, Remedy, bound, clock_bound
from strifebarge.table.ports import Player
from strifebarge.table.referee import Referee, Slip
from strifebarge.table.table import Status
from strifebarge.table.timekeeper import A_MOMENT

LIBRARY = Library()
PLAYED = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    database=None,
)
numbers = count()


def slip(asked: int | None = None) -> Slip:
    return Slip(f"a-key-for-this-form-{next(numbers):08}", asked=asked)


class World:
    """A table of some game, a clock that only moves when nobody who is left can do anything, and dice."""

    def __init__(
        self,
        store: SqlStore,
        game: str,
        people: int,
        remedy: Remedy = Remedy.END,
        patience: int = DAY,
        seed: int = 0,
        pace: str = "",
    ):
        self.at = 1_000_000.0
        self.dice = Chance(str(seed))
        self.referee = Referee(store, LIBRARY, now=lambda: self.at)
        self.players = [self.referee.newcomer() for _ in range(people)]
        many = people if len(seat_numbers(LIBRARY[game].rules)) > 1 else None
        terms = {"remedy": remedy, "patience": str(patience)}
        self.id = self.referee.start(self.players[0], game, slip(), many, terms=terms, pace=pace).id
        for player in self.players[1:]:
            self.referee.join(player, self.id, "", slip())

    @property
    def over(self) -> bool:
        return self.referee.status(self.id).status is Status.OVER

    def play(self, player: Player) -> bool:
        """One move, if it is theirs."""
        table = self.referee.status(self.id)
        chair = table.chair_of(player.id)
        if table.status is not Status.PLAYING or chair is None or chair.seat not in table.waiting:
            return False
        laid = self.referee._take_up(self.referee.store, table)
        words = random_choice(laid.match, chair.seat, self.dice)
        self.referee.move(player.id, self.id, lambda kinds: words, slip())
        assert write(words)
        return True

    def agree(self, player: Player) -> bool:
        """To go on with a game that is put aside, if they have not."""
        table = self.referee.status(self.id)
        chair = table.chair_of(player.id)
        if table.status is not Status.SUSPENDED or chair is None or chair.agreed or chair.left:
            return False
        self.referee.ready(player.id, self.id, slip())
        return True

    def deal_with(self, player: Player) -> bool:
        """Whatever the policy allows this player about others."""
        for seat, ways in self.referee.show(player.id, self.id).steps.items():
            self.referee.miss(player.id, self.id, seat, ways[0], slip())
            return True
        return False

    def next_step(self) -> float:
        """When there is next something to be done about somebody."""
        table = self.referee.status(self.id)
        waited = [since for chair in table.chairs if (since := table.waits_since(chair)) is not None]
        return min(since + table.patience for since in waited)

    def deadline(self) -> float:
        """When the next hand has run out, whatever stands in between."""
        clock = self.referee.status(self.id).clock
        assert clock is not None
        hands = [hand for hand in clock.hands if hand.since is not None]
        return min(max(hand.since or 0, hand.still) + hand.left for hand in hands) + A_MOMENT + 0.1


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlStore]:
    url = f"sqlite:///{tmp_path_factory.mktemp('policy') / 'policy.db'}"
    upgrade(url)
    engine = engine_for(url, 2)
    yield SqlStore(engine)
    engine.dispose()


@pytest.mark.parametrize("game", [title.slug for title in LIBRARY])
@settings(PLAYED, max_examples=12)
@given(data=st.data())
def test_whoever_vanishes_the_game_ends_or_is_taken_over_in_the_time_that_was_agreed(
    store: SqlStore, game: str, data: st.DataObject
) -> None:
    few = [number for number in seat_numbers(LIBRARY[game].rules) if number < 5]
    people = data.draw(st.sampled_from(few), "people")
    remedy = data.draw(st.sampled_from(Remedy), "remedy")
    patience = data.draw(st.sampled_from(PATIENCE), "patience")
    world = World(store, game, people, remedy, patience, data.draw(st.integers(0, 999), "dice"))
    for _ in range(data.draw(st.integers(0, 12), "moves before")):
        if not any(world.play(player) for player in world.players):
            break
    if world.over:
        return
    aside = data.draw(st.booleans(), "put aside")
    if aside:
        world.referee.suspend(world.players[0].id, world.id, slip())
    gone = data.draw(st.sets(st.sampled_from(range(people)), min_size=1), "gone")
    left = [player for nth, player in enumerate(world.players) if nth not in gone]
    began, end = world.at, bound(remedy, patience, len(gone))
    for _ in range(5000):
        if world.over:
            break
        acted = any(do(player) for player in left for do in (world.agree, world.play, world.deal_with))
        if not acted:
            if not left or all(world.referee.status(world.id).chair_of(each.id) is None for each in left):
                break
            world.at = max(world.at, world.next_step())
    if left:
        assert world.over
        assert world.at - began <= end, f"{(world.at - began) / DAY} days"
        return
    assert not world.over
    world.at += CLOSED_AFTER
    assert world.referee.tend_all()  # other games of this test may be among them
    assert world.over


@pytest.mark.parametrize("game", [title.slug for title in LIBRARY])
@settings(PLAYED, max_examples=6)
@given(data=st.data())
def test_where_a_clock_runs_whoever_vanishes_the_game_ends_within_what_the_clock_gives_them(
    store: SqlStore, game: str, data: st.DataObject
) -> None:
    few = [number for number in seat_numbers(LIBRARY[game].rules) if number < 5]
    people = data.draw(st.sampled_from(few), "people")
    pace = data.draw(st.sampled_from(list(LIBRARY[game].paces.values())), "pace")
    world = World(store, game, people, seed=data.draw(st.integers(0, 999), "dice"), pace=pace.key)
    for _ in range(data.draw(st.integers(0, 8), "moves before")):
        if not any(world.play(player) for player in world.players):
            break
    if world.over:
        return
    gone = data.draw(st.sets(st.sampled_from(range(people)), min_size=1), "gone")
    left = [player for nth, player in enumerate(world.players) if nth not in gone]
    patient = data.draw(st.booleans(), "those who are left only wait")
    clock = world.referee.status(world.id).clock
    assert clock is not None
    has = {seat: hand.left if pace.cap is None else None for seat, hand in enumerate(clock.hands)}
    chairs = [world.referee.status(world.id).chair_of(world.players[nth].id) for nth in gone]
    end = sum(clock_bound(pace, people, has[chair.seat]) for chair in chairs if chair)
    began, looks = world.at, 0
    acts = (world.play,) if patient else (world.deal_with, world.play)
    for _ in range(5000):
        if world.over:
            break
        if not any(do(player) for player in left for do in acts):
            world.at, looks = max(world.at, world.deadline()), looks + 1
            world.referee.look(world.id)
    assert world.over
    assert world.at - began <= end + 2 * looks, f"{(world.at - began) / DAY} days, not {end / DAY}"


@pytest.mark.parametrize("remedy", [Remedy.SKIP, Remedy.REPLACE])
def test_who_takes_over_a_free_seat_has_the_whole_time_again(store: SqlStore, remedy: Remedy) -> None:
    world = World(store, "eights", 3, remedy, DAY, 1)
    mover = next(p for p in world.players if world.referee.show(p.id, world.id).mine)
    others = [player for player in world.players if player is not mover]
    world.referee.quit(mover.id, world.id, "free", slip())
    world.at += DAY - 1
    newcomer = world.referee.newcomer()
    world.referee.join(newcomer, world.id, "", slip())
    world.at += DAY - 1
    seat = world.referee.status(world.id).waiting[0]
    with pytest.raises(Refused, match="not_late"):
        world.referee.miss(others[0].id, world.id, seat, "skip", slip())
    world.at += 1
    assert world.deal_with(others[0])
