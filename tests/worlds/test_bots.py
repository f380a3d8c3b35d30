"""A bot at a table is no way to see: two worlds in which it has and does other things unseen are alike."""

from collections import Counter

import pytest

from strifebarge.rules.schema import seat_numbers, usual_seats
from strifebarge.tables.acts.bots import seats_with_bots
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.bots import bot_id
from strifebarge.tables.model.listing import who_waits
from tests.support.hints import give_hints

from .comparing import ask_everything
from .pairs import Company, Scene
from .with_bots import PairStandingIn, PairWithBot
from .worlds import Twins

BOT = bot_id("hard", 1)
USUAL = [
    pytest.param(title.slug, max(2, usual_seats(title.rules)), id=title.slug)
    for title in Library()
    if seat_numbers(title.rules)[-1] > 1
]


@pytest.mark.full("compares many worlds", keep=1)
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_nothing_that_a_bot_has_or_does_unseen_makes_a_difference(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    for world in twins.worlds:
        give_hints(world.app)
    for viewer, until in ((0, 0), (None, seats - 1)):
        pair = PairWithBot(twins, company, Scene(game, seats, {}, viewer, 6, until=until)).play()
        table = twins.one.table(pair.id)
        assert table.chairs[pair.bot].player == BOT
        ask_everything(pair, 10)
    assert tally["requests"] > 50


@pytest.mark.full("compares many worlds", keep=1)
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_the_list_of_people_who_wait_tells_nothing_of_the_games_that_they_play_meanwhile(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    seats = seats_with_bots(twins.one.referee.library[game])
    pair = PairStandingIn(twins, company, Scene(game, seats, {}, None, 4, until=0)).play()
    assert all(who_waits(world.table(pair.id)) for world in twins.worlds)
    for who in pair.viewers:
        page = twins.ask(who, "GET", f"/tables?game={game}")
        assert f'name="table" value="{pair.id}"' in page.text
        for path in ("/tables", "/tables/version", f"/tables/version?game={game}", "/"):
            twins.ask(who, "GET", path)
    ask_everything(pair, 10)
    assert tally["requests"] > 50
