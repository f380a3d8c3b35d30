"""In the middle of everything a game goes on in another process, which knows only what was kept."""

from collections.abc import Sequence

import pytest

from strifebarge.fuzz.acts import GameOperation, act
from strifebarge.rules import Action, Game
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match

from .another_process import elsewhere
from .parlour import Auction, Bid, Descent, Fetch, Say
from .test_composing import Ask, End, Roll, Step, Steps
from .test_composing import Say as Answer


def moves(*steps: tuple[int, Action]) -> list[GameOperation]:
    return [GameOperation("move", seat, action) for seat, action in steps]


DOWN = moves(*((depth % 2, Say(1 + depth % 2)) for depth in range(1, 6)))
UP = moves(*((depth % 2, Say(said)) for depth, said in zip(range(5, 0, -1), (3, 1, 0, 2, 1), strict=True)))
TOGETHER = [
    *moves((0, Step(1)), (1, Step(2)), (0, Step(2)), (1, Roll())),
    GameOperation("undo", 0),
    *moves((1, Step(1)), (0, End()), (1, End())),
]
IN_BETWEEN = [
    *moves((0, Step(1)), (0, Ask()), (1, Answer()), (0, Step(2))),
    GameOperation("undo", 0),
    *moves((0, End())),
]


@pytest.mark.parametrize(
    ("rules", "parts"),
    [
        pytest.param(Descent, [DOWN[:3], DOWN[3:], UP[:2], UP[2:4], UP[4:]], id="five procedures deep"),
        pytest.param(
            Steps, [TOGETHER[:3], TOGETHER[3:5], TOGETHER[5:7], TOGETHER[7:]], id="composing together"
        ),
        pytest.param(
            Steps,
            [TOGETHER, IN_BETWEEN[:2], IN_BETWEEN[2:4], IN_BETWEEN[4:]],
            id="asked in the middle of another's turn",
        ),
        pytest.param(
            Auction, [moves((0, Bid(1))), moves((1, Bid(2))), moves((0, Fetch()))], id="choosing together"
        ),
    ],
)
def test_it_goes_on_in_one_process_after_another(
    rules: type[Game], parts: Sequence[list[GameOperation]]
) -> None:
    here, there = (Match.new(rules, 2, "elsewhere") for _ in range(2))
    here.take_log()
    for hash_seed, part in enumerate(parts, 1):
        for op in part:
            act(here, op)
        there, state = elsewhere(there, part, str(hash_seed))
        assert state.hash_seed == str(hash_seed)
        assert state.fingerprint == here.fingerprint() == there.fingerprint()
        assert state.told == here.take_log()
        assert (there.number, there.ledger_position, there.question_numbers) == (
            here.number,
            here.ledger_position,
            here.question_numbers,
        )
        for viewer in (None, 0, 1):
            assert save(there.known_to(viewer), viewer) == save(here.known_to(viewer), viewer)
