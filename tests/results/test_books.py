"""Games that end are in the books once, whole, with their ratings; no matter who ends them, and how often."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

from strifebarge.results.bookkeeper import rebuild, scores
from strifebarge.results.importing import bring
from strifebarge.results.models import EntryKind, Rating
from strifebarge.results.record import written
from strifebarge.rules import Refused
from strifebarge.rules.notation import read
from strifebarge.store.change import SqlChange
from strifebarge.tables.model.player import Player, public_id
from strifebarge.tables.model.table import Status, TableRefusal
from tests.store.apart import rebuild_there, throw, throw_rated, thrown
from tests.store.conftest import dump, form_token
from tests.support import forms

ANN, BOB, CLEO = (Player(name * 8, name.title()) for name in ("ann", "bob", "cleo"))


def shown(store, player):
    return {each.game: each.rating and each.rating.games for each in store.results.tallies(player.id)}


# -- what is entered ---------------------------------------------------------------------


def test_a_game_is_in_the_books_from_its_last_move_on_and_not_before(referee, store):
    table = forms.start(referee, ANN, "rps", form_token(), seats=2, afterwards="rated")
    forms.join(referee, BOB, table.id, "", form_token())
    throw(referee, ANN, table.id, "rock")
    assert store.results.series(table.id) == []
    assert store.tables.table(table.id).ending.record == ""
    throw(referee, BOB, table.id, "paper")
    [entry] = store.results.series(table.id)
    assert entry == store.results.entry(store.tables.table(table.id).ending.record)
    assert (entry.table, entry.game, entry.kind, entry.public) == (table.id, "rps", EntryKind.FINISHED, True)
    assert {each.player: each.place for each in entry.seats} == {ANN.id: 2, BOB.id: 1}
    assert entry.ended == store.tables.table(table.id).times.ended


@pytest.mark.parametrize(
    ("afterwards", "public", "rated"), [("quiet", 0, 0), ("public", 1, 0), ("rated", 1, 1)]
)
def test_how_a_game_was_started_decides_what_becomes_of_its_result(referee, store, afterwards, public, rated):
    table = thrown(referee, [ANN, BOB], afterwards=afterwards)
    entry = store.results.entry(table.ending.record)
    assert (entry.public, entry.rated) == (bool(public), rated or None)
    assert len(store.results.latest(ANN.id, 9)) == len(store.results.tallies(ANN.id)) == public
    assert store.results.ladders() == ["rps"] * rated


def test_there_is_no_other_choice_for_what_becomes_of_it(referee, engine):
    before = dump(engine)
    with pytest.raises(Refused) as refused:
        forms.start(referee, ANN, "rps", form_token(), afterwards="secret")
    assert refused.value.why is TableRefusal.WRONG_AFTERWARDS
    assert dump(engine) == before


def test_a_game_ended_before_it_is_finished_is_in_the_books_and_never_rated(referee, store):
    table = forms.start(referee, ANN, "rps", form_token(), seats=2, afterwards="rated")
    forms.join(referee, BOB, table.id, "", form_token())
    throw(referee, ANN, table.id, "rock")
    forms.close(referee, table.id)
    over = store.tables.table(table.id)
    assert (over.status, over.ending.result) == (Status.OVER, None)
    assert (over.position.waiting, over.position.pending) == ([], {})
    entry = store.results.entry(over.ending.record)
    assert (entry.kind, entry.rated, entry.public) == (EntryKind.UNFINISHED, None, True)
    assert {each.place for each in entry.seats} == {None}
    assert store.results.ladders() == []
    [tally] = store.results.tallies(ANN.id)
    assert (tally.finished, tally.unfinished, tally.won, tally.rating) == (0, 1, 0, None)
    record = forms.results(referee).record(table.id)
    assert (record.finished, record.places, record.moves) == (False, [], [])


def test_a_rated_game_that_all_agree_to_end_is_in_the_books_once_and_never_rated(referee, store, engine):
    table = forms.start(referee, ANN, "rps", form_token(), seats=2, afterwards="rated")
    forms.join(referee, BOB, table.id, "", form_token())
    forms.suspend(referee, ANN.id, table.id, form_token())
    forms.propose_end(referee, ANN.id, table.id, True, form_token())
    forms.ready(referee, ANN.id, table.id, form_token())
    last = form_token()
    forms.ready(referee, BOB.id, table.id, last)
    before = dump(engine)
    forms.ready(referee, BOB.id, table.id, last)
    assert dump(engine) == before
    [entry] = store.results.series(table.id)
    assert (entry.kind, entry.rated) == (EntryKind.UNFINISHED, None)
    assert store.results.ladders() == []
    assert store.tables.table(table.id).ending.record == entry.id


def test_whoever_sits_down_while_it_is_put_aside_is_in_the_books_if_it_goes_on(referee, store):
    table = forms.start(referee, ANN, "rps", form_token(), seats=2)
    forms.join(referee, BOB, table.id, "", form_token())
    forms.suspend(referee, ANN.id, table.id, form_token())
    forms.quit(referee, BOB.id, table.id, "free", form_token())
    forms.join(referee, CLEO, table.id, "", form_token())
    forms.quit(referee, CLEO.id, table.id, "free", form_token())
    dora = Player("dora" * 8, "Dora")
    forms.join(referee, dora, table.id, "", form_token())
    forms.ready(referee, ANN.id, table.id, form_token())
    if store.tables.table(table.id).status is Status.SUSPENDED:
        forms.ready(referee, dora.id, table.id, form_token())
    for player, hand in ((ANN, "rock"), (dora, "paper")):
        throw(referee, player, table.id, hand)
    entry = store.results.entry(store.tables.table(table.id).ending.record)
    assert {each.name for each in entry.in_seat(1)} == {"Bob", "Dora"}


def test_whoever_has_sat_there_while_it_was_played_is_in_the_books(referee, store):
    table = forms.start(referee, ANN, "rps", form_token(), seats=2, afterwards="rated")
    forms.join(referee, BOB, table.id, "", form_token())
    forms.quit(referee, BOB.id, table.id, "free", form_token())
    forms.join(referee, CLEO, table.id, "", form_token())
    for player, hand in ((ANN, "rock"), (CLEO, "paper")):
        throw(referee, player, table.id, hand)
    entry = store.results.entry(store.tables.table(table.id).ending.record)
    assert [(each.seat, each.name) for each in entry.seats if each.player != ANN.id] == [
        (1, "Bob"),
        (1, "Cleo"),
    ]
    assert entry.rated == 1
    assert shown(store, BOB) == shown(store, CLEO) == {"rps": 1}


def test_whoever_stood_up_before_the_game_is_not(referee, store):
    table = forms.start(referee, ANN, "rps", form_token(), seats=2)
    forms.join(
        referee, BOB, table.id, "", form_token()
    )  # rps begins at once, so another game for the one who leaves
    three = forms.start(referee, ANN, "eights", form_token(), seats=3)
    forms.join(referee, BOB, three.id, "", form_token())
    forms.quit(referee, BOB.id, three.id, "free", form_token())
    forms.join(referee, CLEO, three.id, "", form_token())
    forms.begin(referee, ANN.id, three.id, form_token())
    forms.close(referee, three.id)
    entry = store.results.entry(store.tables.table(three.id).ending.record)
    assert {each.player for each in entry.seats} == {ANN.id, CLEO.id}


# -- once ------------------------------------------------------------------------------------


def test_the_last_move_sent_again_enters_nothing_again(referee, engine, store):
    table = forms.start(referee, ANN, "rps", form_token(), seats=2, afterwards="rated")
    forms.join(referee, BOB, table.id, "", form_token())
    throw(referee, ANN, table.id, "rock")
    last = form_token(content="paper")
    for _ in range(2):
        forms.move(referee, BOB.id, table.id, partial(read, "throw paper"), last)
        before = dump(engine)
    forms.move(referee, BOB.id, table.id, partial(read, "throw paper"), last)
    assert dump(engine) == before
    assert store.results.series(table.id)[0].rated == 1


def test_a_game_cannot_end_twice(referee, engine):
    table = thrown(referee, [ANN, BOB], afterwards="rated")
    before = dump(engine)
    with pytest.raises(Exception, match=r"records|UNIQUE|unique"):
        forms.close(referee, table.id)
    assert dump(engine) == before


@pytest.mark.parametrize("method", ["enter", "rate", "next_rated", "ratings"])
def test_where_the_books_fail_the_move_was_not_played(referee, engine, monkeypatch, method):
    table = forms.start(referee, ANN, "rps", form_token(), seats=2, afterwards="rated")
    forms.join(referee, BOB, table.id, "", form_token())
    throw(referee, ANN, table.id, "rock")
    before = dump(engine)

    def broken(*_):
        raise RuntimeError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(SqlChange, method, broken)
        with pytest.raises(RuntimeError, match="a bug"):
            throw(referee, BOB, table.id, "paper")
    assert dump(engine) == before
    throw(referee, BOB, table.id, "paper")
    assert referee.views.status(table.id).ending.record


# -- at the same instant -------------------------------------------------------------------------


def must_add_up(store, games):
    """The rated games are numbered without gaps, and all ratings follow from them."""
    with store.results.ladder("rps") as ladder:
        entries, ratings = ladder.rated(), ladder.ratings()
        assert [entry.rated for entry in entries] == list(range(1, games + 1))
        played = Counter(each.player for entry in entries for each in entry.seats)
        assert {player: rating.games for player, rating in ratings.items()} == played
        assert rebuild(ladder) == (len(played), 0)


def test_of_games_that_end_at_once_in_many_threads_none_is_lost_from_a_rating(referee, store):
    people = [ANN, BOB, CLEO, Player("dora" * 8)]
    pairs = [(one, other) for one in people for other in people if one is not other]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda pair: thrown(referee, list(pair), afterwards="rated"), pairs))
    must_add_up(store, len(pairs))


@pytest.mark.full("a race between processes")
def test_of_games_that_end_at_once_in_many_processes_none_is_lost_from_a_rating(ready_url, store):
    crowd = [(ready_url, [ANN.id, BOB.id], 4), (ready_url, [BOB.id, CLEO.id], 4)] * 2
    with get_context("spawn").Pool(len(crowd)) as pool:
        pool.starmap(throw_rated, crowd, chunksize=1)
    must_add_up(store, 16)


def test_ratings_made_anew_while_games_end_are_the_same(ready_url, store, referee):
    thrown(referee, [ANN, BOB], afterwards="rated")
    with get_context("spawn").Pool(3) as pool:
        playing = [
            pool.apply_async(throw_rated, (ready_url, [ANN.id, BOB.id], 5)),
            pool.apply_async(throw_rated, (ready_url, [CLEO.id, BOB.id], 5)),
        ]
        changed = pool.apply_async(rebuild_there, (ready_url, 12)).get(120)
        for each in playing:
            each.get(120)
    assert changed == [0] * 12
    must_add_up(store, 11)


def test_a_move_that_ends_a_game_sent_by_many_at_once_ends_it_once(referee, store):
    table = forms.start(referee, ANN, "rps", form_token(), seats=2, afterwards="rated")
    forms.join(referee, BOB, table.id, "", form_token())
    throw(referee, ANN, table.id, "rock")
    last = form_token()
    with ThreadPoolExecutor(8) as pool:
        numbers = list(
            pool.map(
                lambda _: forms.move(referee, BOB.id, table.id, partial(read, "throw paper"), last), range(8)
            )
        )
    assert len(set(numbers)) == 1
    must_add_up(store, 1)


def test_a_game_brought_here_by_the_same_form_many_times_at_once_is_one_game(referee, store):
    data = written(forms.results(referee).record(thrown(referee, [ANN, BOB]).id))
    form = form_token()
    with ThreadPoolExecutor(8) as pool:
        tables = list(pool.map(lambda _: bring(referee, CLEO, data, form), range(8)))
    assert len({table.id for table in tables}) == len({table.ending.record for table in tables}) == 1


# -- rematches --------------------------------------------------------------------------------------


def test_a_row_of_rematches_has_its_score(referee, store):
    table = thrown(referee, [ANN, BOB], ("rock", "paper"), afterwards="rated")
    first, sitting = table.id, [ANN, BOB]
    for hands in (("paper", "rock"), ("rock", "paper"), ("paper", "rock")):
        again = forms.rematch(referee, sitting[0].id, table.id, form_token())
        forms.ready(referee, sitting[1].id, again, form_token())
        sitting = sitting[::-1]  # the next seat first
        for player, hand in zip(sitting, hands, strict=True):
            throw(referee, player, again, hand)
        table = store.tables.table(again)
    row = store.results.series(first)
    assert [entry.rated for entry in row] == [1, 2, 3, 4]
    assert {entry.series for entry in row} == {first}
    # Bob won the first; then he sat first and won, Ann sat first and lost, Bob sat first and won.
    assert [(each.name, each.won, each.games) for each in scores(row)] == [("Bob", 4, 4), ("Ann", 0, 4)]
    must_add_up(store, 4)


# -- people ------------------------------------------------------------------------------------------


def test_a_person_is_found_by_what_others_know_them_by_and_not_by_their_secret(referee, store):
    thrown(referee, [ANN, BOB])
    assert store.accounts.person(ANN.public).id == ANN.id
    assert public_id(ANN.id) == ANN.public != ANN.id
    for wrong in (ANN.id, ANN.id[:16], "0" * 16, ""):
        with pytest.raises(Refused) as refused:
            store.accounts.person(wrong)
        assert refused.value.why is TableRefusal.NO_PERSON


def test_a_person_is_summed_up_by_game_and_only_from_what_is_public(referee, store):
    thrown(referee, [ANN, BOB], ("rock", "paper"), afterwards="public")
    thrown(referee, [ANN, BOB], ("paper", "rock"), afterwards="rated")
    thrown(referee, [ANN, BOB], ("paper", "rock"))
    [tally] = store.results.tallies(ANN.id)
    assert (tally.finished, tally.won, tally.shared, tally.unfinished) == (2, 1, 0, 0)
    assert tally.rating.games == 1
    assert tally.rating.mu > Rating().mu
    assert [entry.public for entry in store.results.latest(ANN.id, 9)] == [True, True]
    assert len(store.results.latest(ANN.id, 1)) == 1
