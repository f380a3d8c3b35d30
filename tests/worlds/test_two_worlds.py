"""Two worlds alike in all that a viewer may know are alike in every byte the viewer is sent."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from strifebarge.rules.schema import seat_numbers, usual_seats
from strifebarge.tables.library.library import Library
from tests.support.targets import first

from .asking import read_again, read_all
from .comparing import ask_everything, compare, scenes, tables
from .pairs import Company, Pair, Scene
from .worlds import Person, Twins

TITLES = list(Library())
CASES = [(title.slug, seats) for title in TITLES for seats in tables(title)]
USUAL = [pytest.param(title.slug, usual_seats(title.rules), id=title.slug) for title in TITLES]
STILL_OPEN = [  # how many sit there, at a game that does not begin as soon as they do
    pytest.param(sitting, title.slug, id=f"{sitting}-{title.slug}")
    for sitting in (1, 2)
    for title in TITLES
    if seat_numbers(title.rules)[-1] > sitting
]
large = partial(pytest.param, marks=pytest.mark.slow)  # a table of so many takes its time


@pytest.mark.full("compares many worlds", keep=3)
@pytest.mark.parametrize(("game", "seats"), [large(*case) if case[1] > 4 else case for case in CASES])
def test_nothing_that_is_hidden_makes_a_difference(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    for scene in scenes(twins.one.referee.library[game], seats, 1):
        compare(twins, company, scene, 10)
    assert tally["requests"] > 50 * tally["pairs"]
    assert tally["bytes"] > 1000 * tally["requests"]
    # Guards against comparing nothing: what was hidden is there to be seen when all is over.
    assert tally["pairs that differ at the end"] or not twins.one.referee.library[game].has_secrets


@pytest.mark.full("compares many worlds", keep=1)
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_pages_kept_of_everybody_make_no_difference(
    tmp_path: Path, migrated: Path, game: str, seats: int
) -> None:
    twins = Twins(tmp_path, migrated)
    company, twins.warm = Company(twins), True
    for scene in list(scenes(twins.one.referee.library[game], seats, 1))[:2]:  # a spectator, and a seat
        pair = Pair(twins, company, scene).play()
        who = pair.viewers[0]
        read_again(pair, who)
        for path in ("?view=text", "?view=board", "/at/0?as=seen"):
            twins.ask(who, "GET", pair.path + path)
        piece = twins.ask(who, "GET", pair.path, X_Piece="main")
        tag = piece.header("ETag")
        assert twins.ask(who, "GET", pair.path, X_Piece="main", If_None_Match=tag).status == 304
    assert len(twins.one.app.extensions["pages"]) > seats


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize(("game", "seats"), CASES)
def test_nothing_that_is_hidden_makes_a_difference_in_thousands_of_worlds(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    for scene in scenes(twins.one.referee.library[game], seats, 80):
        compare(twins, company, scene._replace(nth=scene.nth + 1000), 30)


@pytest.mark.full("compares many worlds", keep=2, each=first)
@pytest.mark.parametrize(("sitting", "game"), STILL_OPEN)
def test_before_the_game_nobody_sees_the_seed(
    twins: Twins, company: Company, tally: Counter[str], sitting: int, game: str
) -> None:
    numbers = seat_numbers(twins.one.referee.library[game].rules)
    for viewer in (None, sitting - 1):
        seats = min(numbers[-1], max(numbers[0], sitting + 1))
        scene = Scene(game, seats, {}, viewer, 0, sitting)
        ask_everything(Pair(twins, company, scene).gather(sitting), 20)


@pytest.mark.full("compares many worlds", keep=3)
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_after_the_game_only_people_and_their_secrets_are_hidden(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    for viewer in (None, 0):
        ask_everything(Pair(twins, company, Scene(game, seats, {}, viewer, 8)).finish(), 16)


@pytest.mark.full("compares many worlds", keep=3)
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_a_free_seat_shows_nothing_to_whoever_might_take_it(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    pair = Pair(twins, company, Scene(game, seats, {}, None, 5)).play()
    pair.does(seats - 1, f"{pair.path}/quit", [("how", "free")])
    ask_everything(pair, 16)


@pytest.mark.full("compares many worlds", keep=3)
@pytest.mark.parametrize(("game", "seats"), USUAL)
def test_whoever_takes_a_free_seat_sees_what_that_seat_sees(
    twins: Twins, company: Company, tally: Counter[str], game: str, seats: int
) -> None:
    heir = Person("Zoë")
    pair = Pair(twins, company, Scene(game, seats, {}, seats - 1, 5, until=seats - 1)).play()
    pair.does(seats - 1, f"{pair.path}/quit", [("how", "free")])
    pair.people[seats - 1], pair.viewers = heir, (heir,)
    pair.does(seats - 1, f"{pair.path}/join", [("name", "Zoë")])
    ask_everything(pair, 16)


@pytest.mark.full("compares many worlds", keep=1, each=first)
@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("length", [4, 9, 17])
def test_nobody_sees_how_many_steps_another_composes(
    twins: Twins, company: Company, tally: Counter[str], viewer: int | None, length: int
) -> None:
    for nth in range(3):
        pair = Pair(twins, company, Scene("mirrow", 2, {}, viewer, length, nth)).play()
        read_all(pair, pair.viewers[0])
    assert tally["other steps"] + tally["steps tried out"]


def test_nobody_sees_when_another_changed_their_mind(
    twins: Twins, company: Company, tally: Counter[str]
) -> None:
    pair = Pair(twins, company, Scene("rps", 2, {"best_of": 7}, 0, 1, until=0)).play(late=7)
    assert tally["changed minds"]
    read_all(pair, pair.people[0])
