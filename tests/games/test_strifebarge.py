"""StrifeBarge, rule by rule."""

import re
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from games.strifebarge import rules
from games.strifebarge.rules import (
    FLEET,
    Captain,
    Fire,
    HoldFire,
    Salvo,
    Ship,
    StrifeBarge,
    Waters,
    Why,
    berths,
    squares,
)
from strifebarge.rules import Hidden, Standard
from strifebarge.rules.chance import Chance
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_form, read
from strifebarge.rules.testing import Tabletop
from strifebarge.rules.text import tell
from tests.rules.taking_up import refusal_of

SALVO = Waters(salvo=True)


def ship(kind: str, squares: str) -> Ship:
    return Ship(kind, squares.split())


def sea(*fleets: str, options: Waters | None = None, seats: int = 0) -> Tabletop:
    """Captains with these ships, each `A1 B1 / K9`; the length says the kind."""
    kinds = {length: kind for kind, length in FLEET.items()} | {1: "raft"}

    def arrange(game: Any) -> None:
        for captain, fleet in zip(game.seats, fleets, strict=False):
            captain.fleet = Hidden(
                Ship(kinds[len(each.split())], each.split()) for each in fleet.split(" / ")
            )

    return Tabletop(StrifeBarge, seats or len(fleets), options=options, arrange=arrange)


def everyone_sees(at: Tabletop, captain: int) -> list[Any]:
    """A captain's ships as a spectator sees them."""
    return list(at.match.view(None).seats[captain].fleet)


# -- the sea and the fleets --------------------------------------------------------


@pytest.mark.parametrize(
    ("waters", "sides"),
    [("close", [10, 13, 15, 16, 18, 19, 20]), ("open", [18, 24, 30, 36, 42, 48, 54])],
)
def test_the_sea_is_so_wide_for_so_many_captains(waters, sides):
    for captains, side in enumerate(sides, 2):
        game: Any = Match.new(StrifeBarge, captains, options=Waters(waters)).game
        assert game.side == side


def test_a_close_sea_is_the_smallest_with_five_squares_to_each_of_ship():
    for captains in range(2, 9):
        game: Any = Match.new(StrifeBarge, captains).game
        assert game.side**2 >= 5 * 10 * captains > (game.side - 1) ** 2


def test_columns_are_lettered_and_rows_are_numbered():
    named = list(squares(54))
    assert named[0] == "A1"
    assert named[53] == "BB1"
    assert named[-1] == "BB54"
    assert squares(54)["K9"] == (10, 8)
    assert squares(54)["AB12"] == (27, 11)
    assert squares(54)["Z1"] == (25, 0)
    assert len(set(named)) == 54 * 54


@pytest.mark.parametrize("captains", range(2, 9))
@pytest.mark.parametrize("waters", ["close", "open"])
def test_each_captain_has_a_carrier_a_cruiser_and_a_destroyer_and_none_lie_on_another(captains, waters):
    for seed in "abcde":
        game: Any = Match.new(StrifeBarge, captains, seed, Waters(waters)).game
        taken: list[str] = []
        for captain in game.seats:
            assert [(each.kind, len(each.squares)) for each in captain.fleet] == [
                ("carrier", 5),
                ("cruiser", 3),
                ("destroyer", 2),
            ]
            for each in captain.fleet:
                assert tuple(each.squares) in berths(game.side, len(each.squares))
                taken += each.squares
        assert len(taken) == len(set(taken)) == 10 * captains


def test_a_berth_is_a_straight_line_on_the_sea_and_each_is_counted_once():
    for length in FLEET.values():
        places = berths(10, length)
        assert len(places) == len({frozenset(berth) for berth in places}) == 2 * 10 * (10 - length + 1)
        for berth in places:
            across, down = zip(*(squares(10)[square] for square in berth), strict=True)
            steps = {len(set(across)), len(set(down))}
            assert steps == {1, length}
            assert max(across) - min(across) + max(down) - min(down) == length - 1


def laid(seed: int) -> list[Ship]:
    """The ships of two captains, in the order they are laid."""
    game = StrifeBarge(seats=[Captain(number=0), Captain(number=1)], chance=Chance(f"sea {seed}"))
    game.setup()
    return [each for captain in game.seats for each in captain.fleet]


def is_even(counted: Counter[Any], kinds: int) -> bool:
    """Chi-square: no further from even than chance goes once in a million times."""
    expected = counted.total() / kinds
    chi = sum((counted[kind] - expected) ** 2 / expected for kind in range(kinds))
    return chi < kinds - 1 + 5 * (2 * (kinds - 1)) ** 0.5 + 10


def test_every_free_berth_is_as_likely_as_another():
    """The first carrier has 120 berths; each later ship those that are still free."""
    first, tenths = Counter[int](), [Counter[int]() for _ in range(6)]
    for seed in range(1500):
        taken: set[str] = set()
        for nth, each in enumerate(laid(seed)):
            free = [berth for berth in berths(10, len(each.squares)) if taken.isdisjoint(berth)]
            place = free.index(tuple(each.squares))
            tenths[nth][place * 10 // len(free)] += 1
            first[place] += nth == 0
            taken.update(each.squares)
    assert is_even(first, 120)
    assert all(is_even(counted, 10) for counted in tenths)


def test_ships_may_touch():
    def touch(one: Ship, other: Ship) -> bool:
        places = [[squares(10)[square] for square in each.squares] for each in (one, other)]
        return any(abs(x - u) + abs(y - v) == 1 for (x, y), (u, v) in product(*places))

    assert any(touch(one, other) for seed in range(5) for one, other in combinations(laid(seed), 2))


# -- a turn ------------------------------------------------------------------------


def test_captains_fire_in_seat_order_round_and_round():
    at = sea("A1 / B1", "A2 / B2", "A3 / B3")
    for captain, square in [(0, "J1"), (1, "J2"), (2, "J3"), (0, "J4"), (1, "J5")]:
        assert at.match.waiting_for() == [captain]
        at.plays(captain, Fire(square))


def test_captains_who_are_out_are_passed_over():
    """Worked example 2: seat 1 is eliminated by seat 0; next fires seat 2, then seat 0."""
    at = sea("A1 / B1", "A2", "A3 / B3")
    at.plays(0, Fire("A2"))
    assert at.game.out == {1: 1}
    at.plays(2, Fire("J9"))
    assert at.match.waiting_for() == [0]


def test_water_and_hits_are_told_to_all_but_not_whose_ship():
    at = sea("A1 B1", "C1 D1")
    at.plays(0, Fire("J10"))
    at.plays(1, Fire("A1"))
    assert at.log() == ["P0 missed at J10.", "P1 hit P0’s ship at A1!"]
    assert at.match.view(None).shots == {"J10": False, "A1": True}
    assert everyone_sees(at, 0) == [None]


def test_a_captain_reads_of_hits_what_they_know_and_of_themselves_as_you():
    at = sea("A1 B1 / D4 D5 D6", "A9 A10", "C1 D1")
    at.plays(0, Fire("C1"))
    at.plays(1, Fire("D4"))
    assert at.log(0) == ["You hit a ship at C1!", "P1 hit your cruiser at D4!"]
    assert at.log(2) == ["P0 hit your destroyer at C1!", "P1 hit a ship at D4!"]
    assert at.log(None) == ["P0 hit a ship at C1!", "P1 hit a ship at D4!"]
    at.plays(2, Fire("A9"))
    at.plays(0, Fire("A10"))
    assert at.log(0)[-2:] == ["You sank P1’s destroyer at A10!", "P1 is out."]
    assert at.log(1)[-2:] == ["P0 sank your destroyer at A10!", "You are out."]
    at.plays(2, Fire("A1"))
    assert at.log(2)[-1] == "You hit P0’s ship at A1!", "it can be nobody else’s"
    assert at.log(0)[-1] == "P2 hit your destroyer at A1!"


def test_it_is_noted_who_fired_at_a_square_and_of_scuttled_ships_nobody():
    at = sea("A1 B1 / A5", "C1 D1", "J9")
    at.plays(0, Fire("J10"))
    at.leaves(1)
    at.plays(2, Fire("A1"))
    assert at.game.fired_by == {"J10": 0, "A1": 2}
    assert at.match.view(None).fired_by == at.game.fired_by
    assert at.game.shots.keys() - at.game.fired_by.keys() == {"C1", "D1"}


def test_a_ship_is_sunk_when_its_every_square_is_hit_and_only_then_shown():
    at = sea("A1 B1 / A5", "C1 D1 / J9")
    at.plays(0, Fire("C1"))
    at.plays(1, Fire("J1"))
    assert everyone_sees(at, 1) == [None, None]
    at.plays(0, Fire("D1"))
    assert at.log()[-2:] == ["P1 missed at J1.", "P0 sank P1’s destroyer at D1!"]
    assert everyone_sees(at, 1) == [ship("destroyer", "C1 D1"), None]
    assert everyone_sees(at, 0) == [None, None]


def test_captains_see_their_own_ships_and_nobody_elses():
    at = sea("A1 B1", "C1 D1", "E1 F1")
    for captain in range(3):
        fleets = [list(each.fleet) for each in at.match.view(captain).seats]
        assert [fleet != [None] for fleet in fleets] == [each == captain for each in range(3)]


def test_who_is_out_sees_what_a_spectator_sees_beside_their_own_wrecks():
    at = sea("A1 / B1", "A2", "A3 / B3")
    at.plays(0, Fire("A2"))
    watching, spectator = at.match.view(1), at.match.view(None)
    assert [list(each.fleet) for each in watching.seats] == [list(each.fleet) for each in spectator.seats]


def test_all_know_how_many_ships_a_captain_has_and_what_their_shots_have_done():
    at = sea("A1 B1 / A5", "C1 D1 / J9")
    at.plays(0, Fire("C1"))
    at.plays(1, Fire("J1"))
    at.plays(0, Fire("D1"))
    for viewer in (None, 0, 1):
        view = at.match.view(viewer)
        standings = [tell(view.standing(captain), viewer) for captain in view.seats]
        assert standings == ["2 ships afloat, scored 2 hits, sank 1", "1 ship afloat"]


def test_scuttled_ships_are_nobodys_hits():
    at = sea("A1 B1", "C1 D1", "J9")
    at.leaves(1)
    assert [(captain.hits, captain.sank) for captain in at.game.seats] == [(0, 0)] * 3


def test_squares_that_the_rules_name_are_on_the_smallest_sea():
    folder = Path(rules.__file__).parent
    prose = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.md"))
    assert {*re.findall(r"`([A-Z]+\d+)`", prose)} <= squares(10).keys()


def test_the_last_one_afloat_wins():
    at = sea("A1", "A2")
    at.plays(0, Fire("A2"))
    assert at.match.result
    assert at.match.result.places == [[0], [1]]
    assert at.why == "The last one afloat."
    assert at.log() == ["P0 sank P1’s raft at A2!", "P1 is out."]


def test_later_elimination_is_the_better_place():
    at = sea("A1 / B1", "A2", "A3", "A4")
    at.plays(0, Fire("A3"))
    at.plays(1, Fire("A4"))
    at.plays(0, Fire("A2"))
    assert at.match.result is not None
    assert at.match.result.places == [[0], [1], [3], [2]]


# -- what is refused ---------------------------------------------------------------


def test_a_square_must_lie_on_the_sea():
    at = sea("A1", "A2")
    for square in ("K1", "A11", "A0", "AA1", "1A", "", "A01", "A-1", "Å1", "A1 B1", "A" * 5000):
        assert at.refused(0, Fire(square)) is Why.NO_SUCH_SQUARE
    reason = at.match.reason(0, Fire("K1"))
    assert str(reason and reason.text) == "This sea has no square K1. It goes from A1 to J10."


def test_what_was_shot_at_or_is_ones_own_is_refused():
    """Worked example 1: one's own carrier on A1 to E1."""
    at = sea("A1 B1 C1 D1 E1", "A3 B3")
    assert at.game.side == 10
    assert at.refused(0, Fire("C1")) is Why.OWN_SHIP
    at.plays(0, Fire("J10"))
    at.plays(1, Fire("C1"))
    assert at.refused(0, Fire("C1")) is Why.ALREADY_SHOT
    assert at.refused(0, Fire("D1")) is Why.OWN_SHIP
    assert at.refused(0, Fire("J10")) is Why.ALREADY_SHOT


def test_another_captain_may_fire_where_ones_own_ship_lies():
    at = sea("A1 B1", "A2 B2")
    assert at.refused(0, Fire("A2")) is None


def test_only_the_captain_to_fire_fires():
    at = sea("A1", "A2")
    assert at.refused(1, Fire("J1")) is Standard.NOT_YOUR_TURN


def test_squares_are_read_in_any_letter_case():
    at = sea("A1", "A2")
    at.plays(0, Fire(" j10 "))
    assert at.game.shots == {"J10": False}


def test_holding_fire_is_only_for_empty_chairs():
    at = sea("A1", "A2")
    assert at.refused(0, HoldFire()) is Standard.NOT_OFFERED


def test_single_shots_are_no_salvo_and_a_salvo_no_single_shot():
    assert sea("A1", "A2").refused(0, Salvo(["J1"])) is Standard.NOT_OFFERED
    assert sea("A1", "A2", options=SALVO).refused(0, Fire("J1")) is Standard.NOT_OFFERED


def test_refusals_change_nothing_and_have_their_words():
    at = sea("A1 / B1", "A2", options=SALVO)
    for named, why, sentence in [
        (["J1"], Why.WRONG_SALVO, "You chose 1 square. You have 2 shots, one for each ship afloat."),
        (["J1", "J1"], Why.TWICE, "J1 is in this salvo twice. Choose another square."),
        (["J1", "Q1"], Why.NO_SUCH_SQUARE, "This sea has no square Q1. It goes from A1 to J10."),
        (["J1", "A1"], Why.OWN_SHIP, "Your own ship is at A1. Fire elsewhere."),
    ]:
        assert refusal_of(at.match, at.match.move, 0, Salvo(named)) is why
        reason = at.match.reason(0, Salvo(named))
        assert str(reason and reason.text) == sentence


# -- salvos ------------------------------------------------------------------------


@pytest.mark.parametrize("named", [[], ["J1"], ["J1", "J2", "J3"]])
def test_a_salvo_has_a_shot_for_each_ship_afloat(named):
    """Worked example 3: with two ships afloat, one or three squares are wrong."""
    at = sea("A1 / B1", "A2 / B2", options=SALVO)
    assert at.refused(0, Salvo(named)) is Why.WRONG_SALVO
    assert at.refused(0, Salvo(["J1", "J2"])) is None


def test_a_ship_sunk_is_a_shot_less():
    at = sea("A1 / B1", "A2 / B2", options=SALVO)
    at.plays(0, Salvo(["J1", "J2"]))
    at.plays(1, Salvo(["A1", "J3"]))
    assert at.refused(0, Salvo(["J4", "J5"])) is Why.WRONG_SALVO
    assert tell(at.match.prompts[0].text, 0) == "Fire 1 shot."
    at.plays(0, Salvo(["J4"]))
    assert tell(at.match.prompts[1].text, 1) == "Fire 2 shots."


def test_a_salvo_has_no_more_shots_than_there_are_squares_to_fire_at():
    at = sea("A1 / B1", "A2 / B2", options=SALVO)
    for square in squares(10):
        if square not in ("A1", "B1", "A2"):
            at.game.shots[square] = False
    assert at.game.shots_of(at.game.seats[0]) == 1


def test_squares_of_a_salvo_are_each_judged():
    at = sea("A1 / B1 / C1", "A2 / B2", options=SALVO)
    at.plays(0, Salvo(["J1", "J2", "J3"]))
    at.plays(1, Salvo(["H1", "H2"]))
    assert at.refused(0, Salvo(["J4", "J5", "J1"])) is Why.ALREADY_SHOT
    assert at.refused(0, Salvo(["J4", "A1", "J5"])) is Why.OWN_SHIP
    assert at.refused(0, Salvo(["X9", "J4", "J5"])) is Why.NO_SUCH_SQUARE
    assert at.refused(0, Salvo(["J4", "J5", "J4"])) is Why.TWICE
    assert at.refused(0, Salvo(["J4", "J5", "j4"])) is Why.TWICE


def test_a_salvo_is_resolved_in_the_order_named():
    at = sea("A1 / B1 / C1", "A2 / B2", options=SALVO)
    at.plays(0, Salvo(["B2", "J1", "A2"]))
    assert at.log() == [
        "P0 sank P1’s raft at B2!",
        "P0 missed at J1.",
        "P0 sank P1’s raft at A2!",
        "P1 is out.",
    ]


def test_those_out_by_one_salvo_share_a_place():
    """Worked example 4: seat 2 out first, then 0 and 3 by one salvo of seat 1."""
    at = sea("A1", "A2 / B2", "A3", "A4", options=SALVO)
    at.plays(0, Salvo(["A3"]))
    at.plays(1, Salvo(["A1", "A4"]))
    assert at.match.result is not None
    assert at.match.result.places == [[1], [0, 3], [2]]
    assert at.log()[-2:] == ["P0 is out.", "P3 is out."]


def test_a_salvo_may_be_written_typed_or_ticked():
    kinds = [Salvo]
    assert read("salvo a1,B2", kinds) == Salvo(["A1", "B2"])

    class Ticked(dict[str, list[str]]):
        def getlist(self, name: str) -> list[str]:
            return super().get(name, [])

        def get(self, name: str, default: str) -> str:  # type: ignore[override]
            return super().get(name, [default])[0]

    assert from_form(Ticked(do=["salvo"], squares=["A1", "B2"]), kinds) == Salvo(["A1", "B2"])


def test_a_sample_of_a_salvo_is_legal():
    at = sea("A1 / B1 / C1", "A2 / B2", options=SALVO)
    view = at.match.view(0)
    for seed in "abcdef":
        salvo = Salvo.sample(view, view.seats[0], Chance(seed))
        assert at.refused(0, salvo) is None


# -- leaving -----------------------------------------------------------------------


def test_who_leaves_scuttles_every_ship_and_all_are_shown():
    at = sea("A1 / B1", "A2 B2 / C2 D2 E2", "A3 / B3")
    at.leaves(1)
    assert at.log() == ["P1 lost a destroyer.", "P1 lost a cruiser.", "P1 left the game."]
    assert everyone_sees(at, 1) == [ship("destroyer", "A2 B2"), ship("cruiser", "C2 D2 E2")]
    assert at.game.shots == dict.fromkeys(["A2", "B2", "C2", "D2", "E2"], True)
    assert at.match.waiting_for() == [0]
    assert at.refused(0, Fire("C2")) is Why.ALREADY_SHOT


def test_who_leaves_is_ranked_as_eliminated_now():
    at = sea("A1 / B1", "A2", "A3")
    at.leaves(1)
    at.plays(0, Fire("A3"))
    assert at.match.result is not None
    assert at.match.result.places == [[0], [2], [1]]


def test_leaving_in_ones_turn_holds_fire_and_the_next_one_fires():
    at = sea("A1 / B1", "A2", "A3")
    at.leaves(0)
    assert at.log()[-2:] == ["P0 left the game.", "P0 held fire."]
    assert at.match.waiting_for() == [1]


def test_when_all_others_leave_the_last_one_wins_at_once():
    at = sea("A1", "A2", "A3")
    at.leaves(2)
    at.leaves(0)
    assert at.match.result is not None
    assert at.match.result.places == [[1], [0], [2]]


def test_a_captain_who_is_out_may_leave_and_nothing_else_happens():
    at = sea("A1 / B1", "A2", "A3")
    at.plays(0, Fire("A2"))
    at.leaves(1)
    assert at.match.waiting_for() == [2]
    assert at.log()[-1] == "P1 left the game."


def test_a_game_to_the_end_is_one_ranking_of_all():
    at = sea("A1", "A2", "A3", "A4", options=SALVO)
    for captain, square in [(0, "A4"), (1, "A3"), (0, "A2")]:
        at.plays(captain, Salvo([square]))
    assert at.match.result is not None
    assert at.match.result.places == [[0], [1], [2], [3]]
    assert at.refused(0, Salvo(["J1"])) is Standard.GAME_OVER
