"""Leaderboards: who is on them, in which order, and who is not."""

import pytest
from sqlalchemy import text
from sqlalchemy.dialects import sqlite

from strifebarge.results.leaderboard import LeaderboardLine, Ranked, month_of, standings
from strifebarge.results.models import ESTABLISHED, Rating
from strifebarge.store.db.engine import engine_for, reading, writing
from strifebarge.store.migrations import upgrade
from strifebarge.store.results import BEST, BEST_LATELY, keep_ratings
from strifebarge.store.store import Store
from strifebarge.tables.model.player import PAGE, PRIVATE, Player
from tests.store.apart import thrown
from tests.support import forms

DAY = 86400
SURE = 25 / 9  # sigma


def rated(engine, *people, game="rps", games=ESTABLISHED):
    """Keep people with ratings, the first the best."""
    store = Store(engine)
    for player in people:
        store.accounts.save_player(player)
    with writing(engine) as connection:
        ratings = {player.id: Rating(40 - number, SURE, games) for number, player in enumerate(people)}
        keep_ratings(connection, game, ratings)


def somebody(name, **more):
    return Player(name * 8, name.title(), **more)


def listed(store, game="rps", since=None):
    return [each.name for each in store.results.best(game, since, 50)]


def test_people_are_listed_by_rating_the_best_first(engine, store):
    rated(engine, somebody("ann"), somebody("bob"), somebody("cleo"))
    rated(engine, somebody("bob"), game="chess")
    assert listed(store) == ["Ann", "Bob", "Cleo"]
    assert listed(store, "chess") == ["Bob"]
    assert listed(store, "eights") == []


def test_a_leaderboard_has_the_id_of_a_page_and_nobodys_secret(engine, store):
    ann = somebody("ann")
    rated(engine, ann)
    [leader] = store.results.best("rps", None, 50)
    assert leader == Ranked(ann.public, "Ann", Rating(40, SURE).displayed, ESTABLISHED)
    assert ann.id not in repr(leader)


def test_a_provisional_rating_is_not_listed(engine, store):
    rated(engine, somebody("ann"), games=ESTABLISHED - 1)
    assert listed(store) == []
    rated(engine, somebody("ann"), games=ESTABLISHED)
    assert listed(store) == ["Ann"]


def test_a_guest_without_a_name_is_not_listed(engine, store):
    rated(engine, Player("guest" * 8), somebody("bob"))
    assert listed(store) == ["Bob"]


def test_who_keeps_their_page_to_themselves_is_not_listed(engine, store):
    rated(engine, somebody("ann"), somebody("bob"))
    store.accounts.prefer("ann" * 8, "theme", "dark")
    store.accounts.prefer("bob" * 8, "sure", PRIVATE)
    assert listed(store) == ["Ann", "Bob"]
    store.accounts.prefer("ann" * 8, PAGE, PRIVATE)
    assert listed(store) == ["Bob"]
    store.accounts.prefer("ann" * 8, PAGE, "")
    assert listed(store) == ["Ann", "Bob"]


@pytest.mark.parametrize("name", ['"page":"private"', '{"page":"private"}'])
def test_a_name_that_reads_like_the_preference_hides_nobody(engine, store, name):
    rated(engine, Player("ann" * 8, name))
    assert listed(store) == [name]


def test_who_is_erased_vanishes(referee, engine, store):
    ann, bob = somebody("ann"), somebody("bob")
    for _ in range(ESTABLISHED):
        thrown(referee, [ann, bob], afterwards="rated")
    assert sorted(listed(store)) == ["Ann", "Bob"]
    forms.accounts(referee).erase(ann)
    assert listed(store) == ["Bob"]
    assert sorted(rating.games for rating in ratings_of(engine)) == [ESTABLISHED] * 2


def ratings_of(engine):
    with reading(engine) as connection:
        rows = connection.execute(text("SELECT mu, sigma, games FROM ratings")).all()
    return [Rating(*each) for each in rows]


def test_this_month_lists_who_has_finished_a_rated_game_and_counts_those(referee, engine, store):
    ann, bob, cleo = somebody("ann"), somebody("bob"), somebody("cleo")
    for pair in [(ann, bob)] * 2 + [(bob, cleo)] * 3:
        thrown(referee, list(pair), afterwards="rated")
    thrown(referee, [ann, bob], afterwards="public")
    with writing(engine) as connection:
        connection.execute(text(f"UPDATE ratings SET games = {ESTABLISHED}"))
        connection.execute(text("UPDATE records SET ended = 1000 * rated WHERE rated IS NOT NULL"))
    assert {each.name: each.games for each in store.results.best("rps", 0, 50)} == {
        "Ann": 2,
        "Bob": 5,
        "Cleo": 3,
    }
    assert {each.name: each.games for each in store.results.best("rps", 3000, 50)} == {"Bob": 3, "Cleo": 3}
    assert {each.name: each.games for each in store.results.best("rps", 2000, 50)} == {
        "Ann": 1,
        "Bob": 4,
        "Cleo": 3,
    }
    assert store.results.best("rps", 6000, 50) == []


def test_a_list_ends_after_as_many_as_were_asked_for(engine, store):
    rated(engine, *(somebody(name) for name in ("ann", "bob", "cleo", "dora")))
    assert [each.name for each in store.results.best("rps", None, 2)] == ["Ann", "Bob"]


def test_people_with_the_same_rating_share_a_place_and_the_next_place_is_left_out():
    people = [Ranked(str(number), "A", rating, 9) for number, rating in enumerate((1300, 1200, 1200, 1100))]
    assert [each.place for each in standings(people)] == [1, 2, 2, 4]
    assert standings(people)[0] == LeaderboardLine(1, people[0])
    assert standings([]) == []


def test_a_month_begins_with_its_first_second_by_utc():
    first = 1_793_491_200  # 1 November 2026
    assert month_of(first) == month_of(first + 30 * DAY - 0.5) == first
    assert month_of(first - 0.5) == first - 31 * DAY
    assert month_of(first + 30 * DAY) == first + 30 * DAY


def test_a_rating_is_kept_with_the_number_that_people_are_shown(referee, engine, store):
    thrown(referee, [somebody("ann"), somebody("bob")], afterwards="rated")
    forms.results(referee).rebuild_all_ratings()
    with reading(engine) as connection:
        rows = connection.execute(text("SELECT mu, sigma, games, displayed FROM ratings")).all()
    assert len(rows) == 2
    for mu, sigma, games, shown in rows:
        assert shown == Rating(mu, sigma, games).displayed


@pytest.mark.parametrize("wanted", [BEST, BEST_LATELY], ids=["all time", "month"])
def test_a_leaderboard_reads_along_an_index(sqlite_url, wanted):
    upgrade(sqlite_url)
    engine = engine_for(sqlite_url, 1)
    statement = wanted.compile(dialect=sqlite.dialect(paramstyle="named"))
    values = {**statement.params, "of": "rps", "since": 0, "most": 50}
    with reading(engine) as connection:
        steps = [row[3] for row in connection.execute(text(f"EXPLAIN QUERY PLAN {statement}"), values)]
    engine.dispose()
    assert any("ix_ratings_game (game=?" in step for step in steps), steps
    assert [step for step in steps if step.startswith("SCAN") and "anon" not in step] == []


def test_what_each_rated_game_made_of_a_rating_is_told_in_order(referee, store):
    ann, bob = somebody("ann"), somebody("bob")
    tables = [thrown(referee, [ann, bob], afterwards=kind) for kind in ("rated", "public", "rated", "quiet")]
    steps = store.results.steps(ann.id, 9)
    assert [each.record for each in steps] == [tables[0].ending.record, tables[2].ending.record]
    ratings = [
        next(each.rating for each in store.results.entry(step.record).seats if each.player == ann.id)
        for step in steps
    ]
    assert [each.rating for each in steps] == [each.displayed for each in ratings]
    assert {each.game for each in steps} == {"rps"}
    assert store.results.steps(ann.id, 1) == steps[1:]
    assert store.results.steps("nobody", 9) == []
