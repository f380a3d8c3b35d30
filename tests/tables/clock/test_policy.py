"""No policy lets a table hang: if anybody vanishes, it ends or is taken over within the agreed time."""

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
from strifebarge.store.db.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import Store
from strifebarge.tables.clock.absence import CLOSED_AFTER
from strifebarge.tables.clock.timekeeper import A_MOMENT
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.status import PATIENCES, AbsencePolicy
from strifebarge.tables.model.table import Status
from strifebarge.tables.play.turn import FormToken
from tests.support import forms
from tests.support.bounds import bound, clock_bound

LIBRARY = Library()
PLAYED = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    database=None,
)
numbers = count()


def form_token(question: int | None = None) -> FormToken:
    return FormToken(f"a-key-for-this-form-{next(numbers):08}", question=question)


class World:
    """A table of some game, a clock that only moves when nobody who is left can do anything, and dice."""

    def __init__(
        self,
        store: Store,
        game: str,
        people: int,
        remedy: AbsencePolicy = AbsencePolicy.END,
        patience: int = DAY,
        seed: int = 0,
        pace: str = "",
    ):
        self.at = 1_000_000.0
        self.dice = Chance(str(seed))
        self.referee = forms.a_referee(store, LIBRARY, now=lambda: self.at)
        self.players = [forms.newcomer(self.referee) for _ in range(people)]
        many = people if len(seat_numbers(LIBRARY[game].rules)) > 1 else None
        terms = {"remedy": remedy, "patience": str(patience)}
        self.id = forms.start(
            self.referee, self.players[0], game, form_token(), many, terms=terms, pace=pace
        ).id
        for player in self.players[1:]:
            forms.join(self.referee, player, self.id, "", form_token())

    @property
    def over(self) -> bool:
        return self.referee.views.status(self.id).status is Status.OVER

    def play(self, player: Player) -> bool:
        """One move, if it is theirs."""
        table = self.referee.views.status(self.id)
        chair = table.chair_of(player.id)
        if table.status is not Status.PLAYING or chair is None or chair.seat not in table.position.waiting:
            return False
        laid = forms.take_up(self.referee, table)
        words = random_choice(laid.match, chair.seat, self.dice)
        forms.move(self.referee, player.id, self.id, lambda kinds: words, form_token())
        assert write(words)
        return True

    def agree(self, player: Player) -> bool:
        """To go on with a game that is put aside, if they have not."""
        table = self.referee.views.status(self.id)
        chair = table.chair_of(player.id)
        if table.status is not Status.SUSPENDED or chair is None or chair.agreed or chair.left:
            return False
        forms.ready(self.referee, player.id, self.id, form_token())
        return True

    def deal_with(self, player: Player) -> bool:
        """Whatever the policy allows this player about others."""
        for seat, ways in self.referee.views.show(player.id, self.id).viewer.steps.items():
            forms.miss(self.referee, player.id, self.id, seat, ways[0], form_token())
            return True
        return False

    def next_step(self) -> float:
        """When there is next something to be done about somebody."""
        table = self.referee.views.status(self.id)
        waited = [since for chair in table.chairs if (since := table.waits_since(chair)) is not None]
        return min(since + table.settings.patience for since in waited)

    def deadline(self) -> float:
        """When the next hand has run out, whatever stands in between."""
        clock = self.referee.views.status(self.id).clock
        assert clock is not None
        hands = [hand for hand in clock.seat_clocks if hand.since is not None]
        return min(max(hand.since or 0, hand.still) + hand.left for hand in hands) + A_MOMENT + 0.1


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path_factory.mktemp('policy') / 'policy.db'}"
    upgrade(url)
    engine = engine_for(url, 2)
    yield Store(engine)
    engine.dispose()


@pytest.mark.parametrize("game", [title.slug for title in LIBRARY])
@settings(PLAYED, max_examples=12)
@given(data=st.data())
def test_whoever_vanishes_the_game_ends_or_is_taken_over_in_the_time_that_was_agreed(
    store: Store, game: str, data: st.DataObject
) -> None:
    few = [number for number in seat_numbers(LIBRARY[game].rules) if number < 5]
    people = data.draw(st.sampled_from(few), "people")
    remedy = data.draw(st.sampled_from(AbsencePolicy), "remedy")
    patience = data.draw(st.sampled_from(PATIENCES), "patience")
    world = World(store, game, people, remedy, patience, data.draw(st.integers(0, 999), "dice"))
    for _ in range(data.draw(st.integers(0, 12), "moves before")):
        if not any(world.play(player) for player in world.players):
            break
    if world.over:
        return
    aside = data.draw(st.booleans(), "put aside")
    if aside:
        forms.suspend(world.referee, world.players[0].id, world.id, form_token())
    gone = data.draw(st.sets(st.sampled_from(range(people)), min_size=1), "gone")
    left = [player for nth, player in enumerate(world.players) if nth not in gone]
    began, end = world.at, bound(remedy, patience, len(gone))
    for _ in range(5000):
        if world.over:
            break
        acted = any(do(player) for player in left for do in (world.agree, world.play, world.deal_with))
        if not acted:
            if not left or all(
                world.referee.views.status(world.id).chair_of(each.id) is None for each in left
            ):
                break
            world.at = max(world.at, world.next_step())
    if left:
        assert world.over
        assert world.at - began <= end, f"{(world.at - began) / DAY} days"
        return
    assert not world.over
    world.at += CLOSED_AFTER
    assert forms.tend_all(world.referee)  # other games of this test may be among them
    assert world.over


@pytest.mark.parametrize("game", [title.slug for title in LIBRARY])
@settings(PLAYED, max_examples=6)
@given(data=st.data())
def test_where_a_clock_runs_whoever_vanishes_the_game_ends_within_what_the_clock_gives_them(
    store: Store, game: str, data: st.DataObject
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
    clock = world.referee.views.status(world.id).clock
    assert clock is not None
    has = {seat: hand.left if pace.cap is None else None for seat, hand in enumerate(clock.seat_clocks)}
    chairs = [world.referee.views.status(world.id).chair_of(world.players[nth].id) for nth in gone]
    end = sum(clock_bound(pace, people, has[chair.seat]) for chair in chairs if chair)
    began, looks = world.at, 0
    acts = (world.play,) if patient else (world.deal_with, world.play)
    for _ in range(5000):
        if world.over:
            break
        if not any(do(player) for player in left for do in acts):
            world.at, looks = max(world.at, world.deadline()), looks + 1
            forms.look(world.referee, world.id)
    assert world.over
    assert world.at - began <= end + 2 * looks, f"{(world.at - began) / DAY} days, not {end / DAY}"


@pytest.mark.parametrize("remedy", [AbsencePolicy.SKIP, AbsencePolicy.REPLACE])
def test_who_takes_over_a_free_seat_has_the_whole_time_again(store: Store, remedy: AbsencePolicy) -> None:
    world = World(store, "eights", 3, remedy, DAY, 1)
    mover = next(p for p in world.players if world.referee.views.show(p.id, world.id).mine)
    others = [player for player in world.players if player is not mover]
    forms.quit(world.referee, mover.id, world.id, "free", form_token())
    world.at += DAY - 1
    newcomer = forms.newcomer(world.referee)
    forms.join(world.referee, newcomer, world.id, "", form_token())
    world.at += DAY - 1
    seat = world.referee.views.status(world.id).position.waiting[0]
    with pytest.raises(Refused, match="not_late"):
        forms.miss(world.referee, others[0].id, world.id, seat, "skip", form_token())
    world.at += 1
    assert world.deal_with(others[0])
