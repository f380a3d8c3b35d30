"""The other worlds are possible, and other; and a comparison passes over no more than it says."""

from typing import Any

import pytest

from strifebarge.fuzz.acts import replay_acts
from strifebarge.rules.chance import Chance
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match
from strifebarge.tables.library.library import Library

from .knowledge import life, resampled
from .pairs import Scene, improvised
from .worlds import Reply, Twins, difference

LIBRARY = Library()


def lived(game: str, seats: int, acts: int, viewer: int | None, nth: int) -> tuple[Any, Any]:
    """One game as it was, and as it might have been for all that the viewer knows: both at their ends."""
    rules = LIBRARY[game].rules
    deal = Match.new(rules, seats, f"deal {nth}").snapshot
    ops = improvised(Match(rules, deal), Scene(game, seats, {}, viewer, acts), Chance(f"acts {nth}"))
    state = resampled(rules, deal, ops, viewer, Chance(f"other {nth}"), "another seed")
    ends = [list(replay_acts(rules, Snapshot(0, "play", each), ops))[-1].game for each in (deal.state, state)]
    return ends[0], ends[1]


def test_fleets_lie_elsewhere_also_those_that_were_hit() -> None:
    moved, moved_though_hit = 0, 0
    for nth in range(8):
        one, other = lived("strifebarge", 3, 18, 0, nth)
        assert one.shots == other.shots
        assert [ship.squares for ship in one.seats[0].fleet] == [
            ship.squares for ship in other.seats[0].fleet
        ]
        for mine, theirs in zip(fleets(one)[3:], fleets(other)[3:], strict=True):
            hit = any(square in one.shots for square in mine)
            moved += mine != theirs
            moved_though_hit += hit and mine != theirs
            assert mine == theirs or not all(square in one.shots for square in mine)
        squares = [square for berth in fleets(other) for square in berth]
        assert len(squares) == len(set(squares))
    assert moved > 20
    assert moved_though_hit > 5


def fleets(game: Any) -> list[list[str]]:
    return [ship.squares for captain in game.seats for ship in captain.fleet]


@pytest.mark.parametrize("viewer", [None, 0])
def test_unseen_cards_are_dealt_anew(viewer: int | None) -> None:
    hands, stocks = 0, 0
    for nth in range(8):
        one, other = lived("eights", 3, 8, viewer, nth)
        assert one.pile == other.pile
        assert sorted(cards(one)) == sorted(cards(other))
        for seat in range(3):
            mine, theirs = one.seats[seat].hand.items, other.seats[seat].hand.items
            assert len(mine) == len(theirs)
            assert mine == theirs or seat != viewer
            hands += mine != theirs
        stocks += one.stock.items != other.stock.items
    assert hands >= 12
    assert stocks >= 7


def cards(game: Any) -> list[str]:
    return [*game.pile, *game.stock, *(card for seat in game.seats for card in seat.hand)]


@pytest.mark.parametrize("game", ["strifebarge", "eights"])
def test_a_world_that_may_be_told_apart_is_known_to_be(game: str) -> None:
    rules = LIBRARY[game].rules
    deals = [Match.new(rules, 2, seed).snapshot for seed in ("one", "other")]
    lives = [life(rules, deal, [], 0) for deal in deals]
    assert lives[0] != lives[1]
    for viewer in (0, 1):
        lives = [life(rules, deals[0], [], each) for each in (viewer, None)]
        assert lives[0] != lives[1]


# -- what is passed over ------------------------------------------------------------


FORM = b'<form><input type="hidden" name="key" value="%032x"></form>'
SESSION = "sb=%043x; Expires=Sat, 01 Jan 2028 00:00:%02d GMT; HttpOnly; Path=/; SameSite=Lax"


def test_the_keys_of_forms_and_sessions_are_passed_over(twins: Twins) -> None:
    answers = [Reply(200, [("Set-Cookie", SESSION % (nth, nth))], FORM % nth) for nth in (1, 2)]
    assert not same_answer(twins, *answers)


@pytest.mark.parametrize(
    "more",
    [
        Reply(303, [], b""),
        Reply(200, [("Set-Cookie", "sb=short; Path=/")], b""),
        Reply(200, [("Set-Cookie", f"{SESSION % (1, 1)}; Domain=example.org")], b""),
        Reply(200, [("Set-Cookie", "seen=1; Path=/")], b""),
        Reply(200, [("X-More", "1")], b""),
        Reply(200, [("Content-Length", "100")], b""),
        Reply(200, [], b" "),
        Reply(200, [], (FORM % 1)[:-9]),
        Reply(200, [], b"0" * 32),
        Reply(200, [], b"0" * 64),
    ],
    ids=lambda reply: str(reply)[6:70],
)
def test_nothing_else_is_passed_over(twins: Twins, more: Reply) -> None:
    one = Reply(200, [("Set-Cookie", SESSION % (1, 1))], FORM % 1)
    other = Reply(more.status, [*(more.headers or one.headers)], one.body + more.body)
    assert same_answer(twins, one, other)


def same_answer(twins: Twins, one: Reply, other: Reply) -> str:
    return difference(twins.plain(twins.one, one), twins.plain(twins.other, other))
