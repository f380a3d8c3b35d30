"""A sea too wide to be seen at once has a small picture of all of it, and ways to its quarters."""

import re
from itertools import pairwise

import pytest

from games.strifebarge.rules import squares
from tests.support.visitor import Page
from tests.web.house import House
from tests.web.markup import must_be_sound


def drawn(page: Page, kind: str) -> int:
    """How many squares of a kind are drawn in the small picture."""
    [path] = re.findall(rf'<path class="{kind}" d="([^"]*)"', page.text)
    return len(re.findall("M", path))


@pytest.mark.parametrize(
    ("captains", "sea", "wide"), [(4, "close", False), (8, "close", True), (4, "open", True)]
)
def test_a_sea_of_more_than_15_squares_across_has_an_overview(
    house: House, captains: int, sea: str, wide: bool
) -> None:
    party = house.gathered("strifebarge", captains, sea=sea)
    for viewer in party.viewers.values():
        assert ('class="overview"' in viewer.get(party.table).text) is wide


def test_the_overview_has_every_shot_and_ones_own_ships_and_leads_to_each_quarter(house: House) -> None:
    party = house.gathered("strifebarge", 4, sea="open")
    for _ in range(5):
        mover = party.to_move()
        mover.submit(page := mover.get(party.table), "/turn", page.form("/turn").moves[-1])
    game = house.referee.views.show(None, party.code).position.game
    assert len(game.shots) == 5
    wrecks = [sum(len(ship.squares) for ship in captain.fleet.visible) for captain in game.seats]
    seen = [10 + sum(wrecks) - own for own in wrecks] + 2 * [sum(wrecks)]  # own ships, and every wreck
    for viewer, ships in zip(party.viewers.values(), seen, strict=True):
        page = viewer.get(party.table)
        must_be_sound(page)
        assert drawn(page, "struck") == sum(game.shots.values())
        assert drawn(page, "missed") == 5 - sum(game.shots.values())
        assert drawn(page, "lies") == ships
        targets = [link.removeprefix("#to-") for link in page.seen.links if link.startswith("#to-")]
        corners = [squares(30)[target] for target in targets]
        assert corners == [(x, y) for y in (0, 15) for x in (0, 15)]
        assert all(f"to-{target}" in page.seen.ids for target in targets)
        assert all(one != other for one, other in pairwise(targets))
