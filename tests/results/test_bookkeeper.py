"""Who is entered into the books, in which place, and who is rated: the bookkeeper by itself."""

from typing import Any

import msgspec
import pytest

from strifebarge.results.bookkeeper import entry_of, rate, rebuild, scores, teams_of, unrated
from strifebarge.results.models import Entry, EntryKind, Rating
from strifebarge.rules import Ranking
from strifebarge.tables.model.table import Chair, ResultUse, Status, Table
from tests.support.tables import make_table

PEOPLE = ["ann", "bob", "cleo", "dora"]


def over(result: Ranking | None, *seats: list[str], **fields: Any) -> Table:
    """A table whose game is over; for each seat the people who have sat there, the last one still there."""
    chairs = [
        Chair(
            number, sat[-1] if sat else None, sat[-1].title() if sat else "", sat={p: p.title() for p in sat}
        )
        for number, sat in enumerate(seats)
    ]
    given = {"status": Status.OVER, "record": "r", "ended": 9.0, "afterwards": ResultUse.RATED}
    return make_table(id="T", chairs=chairs, result=result, **given | fields)


def of(*places: list[int], **fields: Any) -> Table:
    """The same with one person in each seat."""
    seats = max(seat for place in places for seat in place) + 1
    return over(Ranking(list(places)), *([person] for person in PEOPLE[:seats]), **fields)


def places(entry: Entry) -> dict[str, tuple[int | None, bool]]:
    return {each.player: (each.place, each.shared) for each in entry.seats}


# -- places --------------------------------------------------------------------------


def test_those_in_a_tie_share_the_better_place_and_leave_a_gap():
    assert places(entry_of(of([2], [0, 1], [3]))) == {
        "cleo": (1, False),
        "ann": (2, True),
        "bob": (2, True),
        "dora": (4, False),
    }


def test_a_team_that_wins_shares_its_place_with_nobody():
    result = Ranking([[0, 2], [1, 3]], teams=[[0, 2], [3, 1]])
    entry = entry_of(over(result, ["ann"], ["bob"], ["cleo"], ["dora"]))
    assert places(entry) == {"ann": (1, False), "cleo": (1, False), "bob": (3, False), "dora": (3, False)}
    assert [[each.player for each in team] for team in teams_of(entry)] == [["ann", "cleo"], ["bob", "dora"]]


def test_everybody_who_sat_in_a_seat_while_it_was_played_is_in_the_books():
    entry = entry_of(over(Ranking([[0], [1]]), ["ann", "cleo"], ["bob"]))
    assert places(entry) == {"ann": (1, False), "cleo": (1, False), "bob": (2, False)}
    assert [each.name for each in entry.in_seat(0)] == ["Ann", "Cleo"]


# -- who is rated ----------------------------------------------------------------------

UNRATED = {
    "not finished": (over(None, ["ann"], ["bob"]), "wasn't finished"),
    "without places": (over(Ranking([]), ["ann"], ["bob"]), "wasn't finished"),
    "imported": (over(Ranking([[0], [1]]), [], [], imported=True), "wasn't finished"),
    "a seat was empty": (over(Ranking([[0], [1]]), ["ann"], []), "a seat was empty"),
    "alone": (over(Ranking([[0]]), ["ann"]), "there was no opponent"),
    "all on one side": (
        over(Ranking([[0, 1]], teams=[[0, 1]]), ["ann"], ["bob"]),
        "there was no opponent",
    ),
    "on two sides": (over(Ranking([[0], [1]]), ["ann"], ["bob", "ann"]), "more than one side"),
}


@pytest.mark.parametrize("case", UNRATED)
def test_what_is_not_rated_and_why(case):
    table, why = UNRATED[case]
    assert why in str(unrated(table))


def test_whoever_sat_in_two_seats_of_one_side_is_rated_once():
    table = over(Ranking([[0, 2], [1]], teams=[[0, 2]]), ["ann"], ["bob"], ["cleo", "ann"])
    assert unrated(table) is None
    assert rate(entry_of(table), {})["ann"].games == 1


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (of([0], [1]), EntryKind.FINISHED),
        (over(None, ["ann"], ["bob"]), EntryKind.UNFINISHED),
        (over(Ranking([[0], [1]]), [], [], imported=True), EntryKind.IMPORTED),
    ],
)
def test_a_game_is_in_the_books_as_what_it_was(table, kind):
    assert entry_of(table).kind is kind


# -- ratings -----------------------------------------------------------------------------


def shown(table: Table, before: dict[str, Rating] | None = None) -> dict[str, int]:
    return {player: rating.displayed for player, rating in rate(entry_of(table), before or {}).items()}


def test_a_newcomer_is_shown_as_1000():
    assert Rating().displayed == 1000


def test_the_better_the_place_the_better_the_rating_and_a_tie_is_the_same_for_both():
    ratings = rate(entry_of(of([2], [0, 1], [3])), {})
    assert ratings["cleo"].mu > ratings["ann"].mu > ratings["dora"].mu
    assert ratings["ann"] == ratings["bob"]
    assert {each.games for each in ratings.values()} == {1}
    assert all(each.sigma < Rating().sigma for each in ratings.values())


def test_to_beat_the_better_one_is_worth_more():
    strong = {"bob": Rating(35, 2, 30)}
    weak = {"bob": Rating(15, 2, 30)}
    assert shown(of([0], [1]), strong)["ann"] > shown(of([0], [1]), weak)["ann"]


def test_a_draw_between_equals_changes_no_mean():
    ratings = rate(entry_of(of([0, 1])), {})
    assert ratings["ann"].mu == pytest.approx(25)
    assert ratings["ann"] == ratings["bob"]


def test_a_side_wins_and_loses_as_one():
    result = Ranking([[1, 3], [0, 2]], teams=[[0, 2], [1, 3]])
    ratings = rate(entry_of(over(result, ["ann"], ["bob"], ["cleo"], ["dora"])), {})
    assert ratings["bob"] == ratings["dora"]
    assert ratings["ann"] == ratings["cleo"]
    assert ratings["bob"].mu > 25 > ratings["ann"].mu


def test_what_a_rating_was_after_a_game_is_noted_in_the_books():
    entry = entry_of(of([1], [0]))
    ratings = rate(entry, {})
    assert {each.player: each.rating.displayed for each in entry.seats if each.rating} == {
        player: rating.displayed for player, rating in ratings.items()
    }


# -- made anew -----------------------------------------------------------------------------


class Shelf:
    """A ladder without a database."""

    def __init__(self, entries: list[Entry], ratings: dict[str, Rating]):
        self.entries, self.kept = entries, ratings

    def ratings(self) -> dict[str, Rating]:
        return self.kept

    def rated(self) -> list[Entry]:
        return msgspec.json.decode(msgspec.json.encode(self.entries), type=list[Entry])

    def replace(self, ratings: dict[str, Rating], entries: list[Entry]) -> None:
        self.kept, self.entries = ratings, entries


def played() -> Shelf:
    """Three games one after the other, rated as they ended."""
    shelf = Shelf([], {})
    for places_ in ([[0], [1], [2]], [[1, 2], [0]], [[2], [0, 1]]):
        entry = entry_of(of(*places_))
        shelf.kept = shelf.kept | rate(entry, shelf.kept)
        shelf.entries.append(entry)
    return shelf


def test_ratings_made_anew_are_the_same():
    shelf = played()
    before = dict(shelf.kept), msgspec.json.encode(shelf.entries)
    assert rebuild(shelf) == (3, 0)
    assert (shelf.kept, msgspec.json.encode(shelf.entries)) == before


def test_ratings_that_were_lost_or_spoilt_are_made_good_and_counted():
    shelf = played()
    right = dict(shelf.kept)
    shelf.kept = {"ann": right["ann"], "bob": Rating(99, 1, 1), "stranger": Rating()}
    assert rebuild(shelf) == (3, 3)
    assert shelf.kept == right


# -- a row of rematches ----------------------------------------------------------------------


def test_a_score_counts_wins_and_shared_first_places_of_finished_games_alone():
    row = [of([0], [1]), of([1], [0]), of([0, 1]), of([0], [1]), over(None, ["ann"], ["bob"])]
    assert [each[1:] for each in scores([entry_of(table) for table in row])] == [
        ("Ann", 2, 1, 4),
        ("Bob", 1, 1, 4),
    ]
