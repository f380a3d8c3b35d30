"""Two worlds alike in all that a viewer may know are alike in every byte that their programs are sent."""

from collections import Counter

import pytest

from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library

from .comparing import scenes
from .pairs import Company, Pair
from .programs import Caller, see_all, write_all
from .worlds import Leak, Twins

TITLES = list(Library())
USUAL = [pytest.param(title.slug, usual_seats(title.rules), id=title.slug) for title in TITLES]


def compare(twins: Twins, company: Company, game: str, seats: int, each: int, most: int) -> int:
    """Ask everything of each viewer's table; return in how many pairs hidden things differ."""
    differ = 0
    spectator = Caller(twins, company.spectator)  # of whose tokens there may not be very many
    for scene in scenes(twins.one.referee.library[game], seats, each):
        pair = Pair(twins, company, scene).play()
        who = company.spectator if scene.viewer is None else pair.people[scene.viewer]
        caller = spectator if scene.viewer is None else Caller(twins, who)
        see_all(pair, caller)
        write_all(pair, who, caller, most)
        differ += bool(pair.differ)
    return differ


@pytest.mark.full("compares many worlds", keep=1)
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_nothing_that_is_hidden_makes_a_difference_to_programs(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    differ = compare(twins, company, game, seats, 1, 3)
    assert tally["requests"] > 100 * tally["pairs"]
    assert differ or not twins.one.referee.library[game].has_secrets


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_nothing_that_is_hidden_makes_a_difference_to_programs_in_many_worlds(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    compare(twins, company, game, seats, 20, 12)


def test_a_planted_leak_is_found(
    twins: Twins, company: Company, tally: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guards against comparing nothing: views with all that is in the game tell the worlds apart."""
    from strifebarge.rules.codec import ALL_SEEING
    from strifebarge.rules.match import Match

    view = Match.view
    monkeypatch.setattr(Match, "view", lambda match, viewer=ALL_SEEING: view(match))
    with pytest.raises(Leak):
        compare(twins, company, "eights", 2, 1, 0)
