"""Two worlds, in one of which somebody plans, are alike in every byte for everybody else."""

from collections import Counter
from collections.abc import Callable

import pytest

from strifebarge.tables.model.table import Table
from strifebarge.tables.play import turn
from strifebarge.tables.view import parts

from .asking import hear_news, read_again, read_all
from .pairs import Company, Pair, Scene
from .worlds import Broken, Leak, Twins

Plant = Callable[[pytest.MonkeyPatch], None]
PLANS = {"chess": ("e7e5; Nc6", "a6; b6; c6"), "strifebarge": ("A1; B2", "C3")}


def waited_for(twins: Twins, company: Company, game: str, viewer: int | None, nth: int = 0) -> Pair:
    """A game in which seat 0 is to move, and seat 1 plans in the second world alone."""
    pair = Pair(twins, company, Scene(game, 2, {}, viewer, 3, nth, until=0)).play(late=0)
    if pair.match.waiting_for() != [0]:
        raise Broken(f"{pair.scene}: seat 0 is not to move")
    number = str(pair.match.number)
    for text in (*PLANS[game], ""):
        twins.other.clock += 7
        path = f"{pair.path}/plan" if text else f"{pair.path}/plan/drop"
        fields = [("seen", number), ("plan", text)] if text else []
        for sent in range(2 if text else 1):
            reply = pair.alone(twins.other, 1, path, fields)
            if not reply.accepted:
                raise Broken(f"{pair.scene}: {fields} was {reply.status} {reply.refusal}, {sent}")
    pair.alone(twins.other, 1, f"{pair.path}/plan", [("seen", number), ("plan", PLANS[game][0])])
    twins.tick()
    return pair


@pytest.mark.full("compares many worlds", keep=2)
@pytest.mark.parametrize("viewer", [0, None])
@pytest.mark.parametrize("game", PLANS)
def test_nobody_sees_that_another_plans(
    twins: Twins, company: Company, tally: Counter[str], game: str, viewer: int | None
) -> None:
    for nth in range(2):
        pair = waited_for(twins, company, game, viewer, nth)
        assert [bool(world.table(pair.id).plans) for world in twins.worlds] == [False, True]
        for who in pair.viewers:
            read_all(pair, who)
            read_again(pair, who)
    assert tally["requests"] > 100


def the_text_of_a_plan_is_sent_to_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "own_news", lambda table, _: "p" * len(table.plans))


def the_plan_of_the_other_seat_is_shown(patch: pytest.MonkeyPatch) -> None:
    original = parts.PlanView.of.__func__  # type: ignore[attr-defined]
    patch.setattr(
        parts.PlanView,
        "of",
        classmethod(
            lambda cls, table, rules, player, _: original(cls, table, rules, table.chairs[1].player, 1)
        ),
    )


def a_plan_is_counted_as_a_change(patch: pytest.MonkeyPatch) -> None:
    conclude = turn.Turn.conclude

    def loudly(self: turn.Turn) -> None:
        self.quiet = False
        conclude(self)

    patch.setattr(turn.Turn, "conclude", loudly)


@pytest.mark.full("compares many worlds", keep=1)
@pytest.mark.parametrize(
    "plant",
    [
        the_text_of_a_plan_is_sent_to_all,
        the_plan_of_the_other_seat_is_shown,
        a_plan_is_counted_as_a_change,
    ],
)
def test_a_leak_of_plans_is_found(
    twins: Twins, company: Company, monkeypatch: pytest.MonkeyPatch, plant: Plant
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):  # noqa: PT012 - it may be found on the way
        pair = waited_for(twins, company, "chess", 0)
        read_all(pair, pair.viewers[0])
        hear_news(pair, pair.viewers[0])
