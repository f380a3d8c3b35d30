"""One person becomes another, or nobody: at every table or not at all, whatever else happens meanwhile."""

import json
from functools import partial
from secrets import token_hex

import pytest
from alembic import command
from sqlalchemy import text

from strifebarge.rules import Refused
from strifebarge.store import migrations
from strifebarge.store.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import SqlStore
from strifebarge.table.bookkeeper import rebuild
from strifebarge.table.handover import people_of
from strifebarge.table.library import Library
from strifebarge.table.ports import Busy, Player
from strifebarge.table.referee import Referee, Slip
from strifebarge.table.table import Status
from tests.store.apart import throw, thrown
from tests.store.conftest import dump, slip
from tests.support.together import together

TIMES = 12  # each race
PASSWORD = "nobody thinks of this"


def somebody(referee, name=""):
    player = referee.newcomer()
    player.name = name
    referee.store.save_player(player)
    return player


def mentions(engine, what):
    """The tables of the database in which anything tells of it."""
    return {kind for kind, rows in dump(engine).items() if any(what in str(tuple(row)) for row in rows)}


def ladders_hold(store):
    for game in store.ladders():
        with store.ladder(game) as ladder:
            assert rebuild(ladder)[1] == 0, game


def fire(referee, player, id):
    view = referee.show(player.id, id)
    free = next(offer.action for offer in view.offers if not offer.refused)
    return referee.move(player.id, id, lambda kinds: free, Slip(token_hex(16), asked=view.asked))


# -- a guest is somebody ------------------------------------------------------------------


def test_all_that_a_guest_has_becomes_the_persons(referee, store, engine):
    guest, person, other, third = (somebody(referee, name) for name in ("Guest", "Ann", "Bob", "Cleo"))
    rated = [thrown(referee, [guest, other], afterwards="rated") for _ in range(2)]
    mine = thrown(referee, [person, other], afterwards="rated")
    running = referee.start(guest, "strifebarge", slip(), seats=2)
    referee.join(other, running.id, "", slip())
    open_table = referee.start(guest, "rps", slip())
    watched = thrown(referee, [other, third])
    referee.say(guest, watched.id, "well played", "", slip())
    store.keep_note(running.id, guest.id, "carrier at c3")
    store.mute(guest.id, third.id, True)
    store.mute(third.id, guest.id, True)
    referee.take_along(guest, person)
    assert mentions(engine, guest.id) == {"players"}  # that nobody is this any more
    assert store.player(guest.id) is None
    ids = {running.id, open_table.id, mine.id, *(table.id for table in rated)}
    assert {table.id for table in store.tables_of(person.id)} == ids
    assert store.table(open_table.id).host == person.id
    assert store.note(running.id, person.id) == "carrier at c3"
    assert store.muted_by(person.id) == {third.id}
    assert store.muted_by(third.id) == {person.id}
    assert [line.player for line in store.lines(watched.id)] == [person.id]
    [tally] = store.tallies(person.id)
    assert (tally.finished, tally.rating.games) == (3, 3)
    ladders_hold(store)
    assert fire(referee, person if referee.show(person.id, running.id).mine else other, running.id) == 1


def test_ratings_of_one_who_had_none_go_along_as_they_are(referee, store):
    guest, person, other = (somebody(referee) for _ in range(3))
    thrown(referee, [guest, other], afterwards="rated")
    [before] = store.tallies(guest.id)
    referee.take_along(guest, person)
    assert store.tallies(person.id) == [before]
    ladders_hold(store)


@pytest.mark.parametrize("over", [False, True])
def test_two_who_sit_at_one_table_do_not_become_one(referee, store, engine, over):
    guest, person = somebody(referee), somebody(referee)
    alone = referee.start(guest, "rps", slip())
    together = referee.start(guest, "rps", slip(), seats=2)
    referee.join(person, together.id, "", slip())
    if over:
        throw(referee, guest, together.id, "rock")
        throw(referee, person, together.id, "paper")
    before = dump(engine)
    with pytest.raises(Refused) as no:
        referee.take_along(guest, person)
    assert no.value.token == "who.twice"
    assert together.id[:4] in no.value.args_told["tables"]
    assert dump(engine) == before
    assert store.table(alone.id).chair_of(guest.id)


def test_who_was_once_in_a_seat_of_a_running_game_counts_as_there(referee):
    guest, person, other = (somebody(referee) for _ in range(3))
    table = referee.start(guest, "strifebarge", slip(), seats=2)
    referee.join(person, table.id, "", slip())
    referee.quit(guest.id, table.id, "free", slip())
    referee.join(other, table.id, "", slip())
    with pytest.raises(Refused) as no:
        referee.take_along(guest, person)
    assert no.value.token == "who.twice"


def test_a_guest_who_has_an_account_by_now_stays_who_they_are(referee, store):
    guest, person = somebody(referee), somebody(referee)
    referee.sign_up(guest, "guest", PASSWORD)
    with pytest.raises(Refused) as no:
        referee.take_along(guest, person)
    assert no.value.token == "who.has_account"
    assert store.player(guest.id) is not None


def test_what_was_interrupted_is_gone_on_with(referee, store, engine, monkeypatch):
    guest, person = somebody(referee), somebody(referee)
    tables = [referee.start(guest, "rps", slip(), seats=2) for _ in range(3)]
    whole, done = store.change, []

    def breaks(id):
        if len(done) == 2:
            raise Busy
        done.append(id)
        return whole(id)

    monkeypatch.setattr(store, "change", breaks)
    with pytest.raises(Busy):
        referee.take_along(guest, person)
    monkeypatch.undo()
    for table in tables:
        assert people_of(store.table(table.id)) in ({guest.id}, {person.id})
    assert store.player(guest.id)  # who still has what was not done
    referee.take_along(guest, person)
    assert {table.id for table in store.tables_of(person.id)} == {table.id for table in tables}
    assert mentions(engine, guest.id) == {"players"}


# -- nobody any more ------------------------------------------------------------------------


def test_nothing_tells_any_more_who_was_erased_and_the_games_of_others_stand(referee, store, engine):
    gone, other, third = somebody(referee, "Zebedee"), somebody(referee, "Bob"), somebody(referee, "Cleo")
    referee.sign_up(gone, "zebedee", PASSWORD)
    referee.new_device(gone, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    rated = thrown(referee, [gone, other], afterwards="rated")
    thrown(referee, [other, third], afterwards="rated")
    running = referee.start(gone, "strifebarge", slip(), seats=3)
    for each in (other, third):
        referee.join(each, running.id, "", slip())
    open_table = referee.start(gone, "rps", slip(), seats=2)
    aside = referee.start(gone, "strifebarge", slip(), seats=2)
    referee.join(other, aside.id, "", slip())
    referee.suspend(gone.id, aside.id, slip())
    referee.say(gone, running.id, "I am Zebedee", "", slip())
    store.keep_note(running.id, gone.id, "Zebedee was here")
    store.mute(third.id, gone.id, True)
    places = store.table(rated.id).result
    referee.erase(gone)
    assert mentions(engine, gone.id) == {"players"}
    assert mentions(engine, "Zebedee") == mentions(engine, "zebedee") == set()
    assert mentions(engine, gone.public) == set()
    assert dump(engine)["devices"] == dump(engine)["accounts"] == dump(engine)["mutes"] == []
    after = store.table(rated.id)
    assert after.result == places
    [entry] = store.series(rated.id)
    [former] = [each for each in entry.seats if each.player != other.id]
    assert former.name.startswith("Guest ")
    assert store.person(Player(former.player).public).gone == "former"
    assert store.player(former.player) is None  # nobody can be this
    with pytest.raises(Refused):
        store.person(gone.public)
    assert [each.id for each in store.companions(other.id)] == [third.id]
    table = store.table(running.id)
    assert (table.chairs[0].left, table.chairs[0].gone, table.chairs[0].guest) == (True, True, True)
    assert table.status is Status.PLAYING
    assert table.host == other.id
    assert store.lines(running.id)[0].struck
    assert store.table(open_table.id).chairs[0].player is None
    assert store.table(aside.id).chairs[0].player is None
    assert store.table(aside.id).suspension.by == "Guest Foxtrot"
    ladders_hold(store)
    mover = other if referee.show(other.id, running.id).mine else third
    assert fire(referee, mover, running.id) > 0
    again = referee.rematch(other.id, rated.id, slip())
    assert [chair.player for chair in store.table(again).chairs].count(None) == 1


def test_who_was_at_a_table_before_the_game_alone_or_while_it_was_put_aside_leaves_no_name(
    referee, store, engine
):
    gone, other = somebody(referee, "Zebedee"), somebody(referee, "Bob")
    gathering = referee.start(other, "strifebarge", slip(), seats=3)
    referee.join(gone, gathering.id, "", slip())
    referee.configure(gone.id, gathering.id, {"salvo": True}, slip())
    referee.configure(other.id, gathering.id, {"salvo": True}, slip(), {"seating": "chance"})
    referee.quit(gone.id, gathering.id, "free", slip())
    aside = referee.start(other, "strifebarge", slip(), seats=2)
    third = somebody(referee, "Cleo")
    referee.join(third, aside.id, "", slip())
    referee.suspend(other.id, aside.id, slip())
    referee.quit(third.id, aside.id, "free", slip())
    referee.join(gone, aside.id, "", slip())
    referee.propose_end(gone.id, aside.id, True, slip())
    referee.quit(gone.id, aside.id, "free", slip())
    gone.name = "Someone else by now"
    store.save_player(gone)
    referee.erase(gone)
    assert mentions(engine, "Zebedee") == set()
    assert store.table(gathering.id).set_by == {"t_seating": "Bob"}
    assert store.table(aside.id).suspension.end is None


def test_a_game_that_ends_by_leaving_ends_so_and_is_in_the_books_without_the_name(referee, store, engine):
    gone, other = somebody(referee, "Zebedee"), somebody(referee, "Bob")
    table = referee.start(gone, "strifebarge", slip(), seats=2, afterwards="rated")
    referee.join(other, table.id, "", slip())
    referee.erase(gone)
    over = store.table(table.id)
    assert over.status is Status.OVER
    assert over.result.winners == [1]
    assert mentions(engine, "Zebedee") == set()
    assert mentions(engine, gone.id) == {"players"}
    ladders_hold(store)


def test_one_of_whom_nothing_is_kept_at_any_table_leaves_nobody_behind(referee, store, engine):
    gone = somebody(referee, "Zebedee")
    referee.erase(gone)
    [row] = dump(engine)["players"]
    assert (row.name, row.created, row.gone) == ("", 0, "moved")


def test_whoever_is_nobody_is_not_brought_back_by_a_form_that_was_on_its_way(referee, store, engine):
    gone, other = somebody(referee, "Zebedee"), somebody(referee)
    table = referee.start(other, "rps", slip(), seats=2)
    referee.erase(gone)
    before = dump(engine)
    for late in (
        partial(referee.join, gone, table.id, "Zebedee", slip()),
        partial(referee.start, gone, "rps", slip()),
        partial(referee.rename, gone, "Zebedee"),
        partial(referee.new_device, gone, ""),
        partial(referee.sign_up, gone, "zebedee", PASSWORD),
        partial(referee.give_code, gone.id),
        lambda: store.prefer(gone.id, "theme", "dark"),
    ):
        with pytest.raises(Refused) as no:
            late()
        assert no.value.token == "who.gone"
    assert dump(engine) == before


# -- at the same instant ----------------------------------------------------------------------


def at_once(*acts):
    """What each gave, or why not."""

    def press(act):
        for _ in range(20):
            try:
                return act()
            except Refused as no:
                return no.token
            except Busy:
                continue
        raise AssertionError("busy for ever")

    return together(*(partial(press, act) for act in acts))


def test_who_sits_down_while_they_become_another_sits_there_as_that_other_or_not_at_all(
    referee, store, engine
):
    for _ in range(TIMES):
        guest, person, host = (somebody(referee) for _ in range(3))
        tables = [referee.start(host, "rps", slip(), seats=2).id for _ in range(3)]
        referee.join(guest, tables[0], "", slip())
        _, late = at_once(
            partial(referee.take_along, guest, person),
            partial(referee.join, guest, tables[1], "", slip()),
        )
        assert late in (None, "who.gone")
        sitting = {table.id for table in store.tables_of(person.id)}
        assert sitting == {tables[0], *([tables[1]] if late is None else [])}
        assert mentions(engine, guest.id) == {"players"}


def test_one_who_joins_where_their_guest_sits_is_never_there_twice(referee, store):
    for _ in range(TIMES):
        guest, person = somebody(referee), somebody(referee)
        table = referee.start(guest, "strifebarge", slip(), seats=3).id
        merged, _ = at_once(
            partial(referee.take_along, guest, person), partial(referee.join, person, table, "", slip())
        )
        sitting = [chair.player for chair in store.table(table).chairs if chair.player]
        assert sorted(sitting) == sorted([person.id] if merged is None else [guest.id, person.id])
        assert (store.player(guest.id) is None) == (merged is None)


def test_one_who_is_erased_while_a_guest_becomes_them_holds_no_seat(referee, store, engine):
    for _ in range(TIMES):
        guest, person = somebody(referee), somebody(referee)
        tables = [referee.start(guest, "rps", slip(), seats=2).id for _ in range(3)]
        merged, erased = at_once(partial(referee.take_along, guest, person), partial(referee.erase, person))
        assert erased is None
        assert merged in (None, "who.gone")
        assert mentions(engine, person.id) <= {"players"}
        for id in tables:
            chair = store.table(id).chairs[0]
            assert chair.player in (None, guest.id)
            if chair.player == guest.id:
                assert store.player(guest.id)


def test_who_is_erased_twice_at_once_is_erased(referee, store, engine):
    for _ in range(TIMES):
        gone, other = somebody(referee, "Zebedee"), somebody(referee)
        table = thrown(referee, [gone, other], afterwards="rated")
        assert None in at_once(partial(referee.erase, gone), partial(referee.erase, gone))
        assert mentions(engine, gone.id) == {"players"}
        assert mentions(engine, "Zebedee") == set()
        assert len(store.entry(table.record).seats) == 2
    ladders_hold(store)


def test_a_rematch_asked_for_meanwhile_does_not_seat_who_is_gone(referee, store, engine):
    for _ in range(TIMES):
        gone, other = somebody(referee, "Zebedee"), somebody(referee)
        table = thrown(referee, [gone, other])
        again, _ = at_once(partial(referee.rematch, other.id, table.id, slip()), partial(referee.erase, gone))
        assert [chair.player for chair in store.table(again).chairs if chair.player] == [other.id]
        assert mentions(engine, "Zebedee") == set()


def test_of_two_who_want_the_same_name_one_has_it(referee, store):
    for number in range(TIMES // 4):
        people = [somebody(referee) for _ in range(3)]
        acts = [partial(referee.sign_up, each, f"name{number}", PASSWORD) for each in people]
        assert sorted(map(str, at_once(*acts))) == ["None", "who.login_taken", "who.login_taken"]
        assert store.account(f"name{number}").player in [each.id for each in people]


def test_a_code_makes_one_other_device_and_the_same_form_again_the_same(referee, store, engine):
    person = somebody(referee)
    for _ in range(TIMES):
        code = referee.give_code(person.id)
        found = at_once(*(partial(referee.take_code, code, token_hex(16)) for _ in range(4)))
        assert sorted(str(each) for each in found if isinstance(each, str)) == ["who.wrong_code"] * 3
    code, key = referee.give_code(person.id), token_hex(16)
    assert referee.take_code(code.lower(), key).id == referee.take_code(code, key).id == person.id
    assert code not in str(dump(engine))


def test_a_newer_code_and_time_end_an_older_one(referee, monkeypatch):
    person = somebody(referee)
    first = referee.give_code(person.id)
    second = referee.give_code(person.id)
    with pytest.raises(Refused):
        referee.take_code(first, token_hex(16))
    now = referee.now()
    monkeypatch.setattr(referee, "now", lambda: now + 601)
    with pytest.raises(Refused):
        referee.take_code(second, token_hex(16))


@pytest.mark.parametrize("how", ["all", "others", "another password"])
def test_a_code_does_not_outlive_that_all_others_were_signed_out(referee, store, how):
    player = somebody(referee)
    referee.sign_up(player, "her.code", PASSWORD)
    device = referee.new_device(player, "")
    code = referee.give_code(player.id)
    if how == "another password":
        referee.change_password(player.id, PASSWORD, "something else again", device.id)
    else:
        store.end_devices(player.id, but=device.id if how == "others" else None)
    with pytest.raises(Refused) as no:
        referee.take_code(code, token_hex(16))
    assert no.value.token == "who.wrong_code"


def test_of_two_changes_of_a_password_at_once_one_holds(referee, store):
    person = somebody(referee)
    referee.sign_up(person, "ann", PASSWORD)
    device = referee.new_device(person, "").id
    ways = [f"another good one {number}" for number in range(3)]
    acts = [partial(referee.change_password, person.id, PASSWORD, each, device) for each in ways]
    assert sorted(map(str, at_once(*acts))) == ["None", "who.wrong_password", "who.wrong_password"]
    assert sum(_opens(referee, each) for each in [PASSWORD, *ways]) == 1


def _opens(referee, password):
    try:
        referee.sign_in("ann", password)
    except Refused:
        return False
    return True


def test_where_anything_is_kept_of_somebody_is_known_of_every_table(referee, store, engine):

    one, other = somebody(referee), somebody(referee)
    table = thrown(referee, [one, other])
    assert store.traces(one.id) == store.traces(other.id) == [table.id]


def test_one_guest_who_becomes_two_at_once_is_split_between_them_at_most(referee, store, engine):
    for _ in range(TIMES):
        guest, one, two, other = (somebody(referee) for _ in range(4))
        for _ in range(3):
            thrown(referee, [guest, other], afterwards="rated")
        at_once(partial(referee.take_along, guest, one), partial(referee.take_along, guest, two))
        assert mentions(engine, guest.id) == {"players"}
        assert len(store.tables_of(one.id)) + len(store.tables_of(two.id)) == 3
    ladders_hold(store)


# -- what was there before --------------------------------------------------------------------------


def test_people_from_before_keep_their_sessions_and_can_be_erased_everywhere(database_url):
    with migrations.alone(database_url) as connection:
        command.upgrade(migrations.config_for(connection), "0003")
        chairs = [
            {"seat": 0, "player": "bob", "name": "Bob", "sat": {"ann": "Ann", "bob": "Bob"}},
            {"seat": 1, "player": "cleo", "name": "Cleo"},
        ]
        body = {
            "id": "OLD", "game": "rps", "options": {}, "seed": "5eed", "status": "suspended", "host": "dora",
            "chairs": chairs, "suspension": {"by": "Ann", "at": 1, "held": {"0": "ann", "1": None}},
        }  # fmt: skip
        values = {"body": json.dumps(body)}
        for statement in (
            "INSERT INTO tables (id, game, status, revision, version, number, created, changed, body) "
            "VALUES ('OLD', 'rps', 'suspended', 0, 0, 0, 0, 0, :body)",
            "INSERT INTO players (id, name, created, public) VALUES ('ann', 'Ann', 7, 'page-of-ann')",
            "INSERT INTO notes (table_id, player, text) VALUES ('OLD', 'eve', 'of Eve')",
        ):
            connection.execute(text(statement), values if ":body" in statement else {})
    upgrade(database_url)
    engine = engine_for(database_url, 2)
    store = SqlStore(engine)
    for player in ("ann", "bob", "cleo", "dora", "eve"):
        assert store.traces(player) == ["OLD"], player
    assert store.visit("ann", "page-of-ann").player == Player("ann", "Ann", 7)
    Referee(store, Library()).erase(store.player("ann"))
    assert mentions(engine, "Ann") == set()
    assert store.table("OLD").suspension.by == "Guest Foxtrot"
    assert store.visit("ann", "page-of-ann") is None
    engine.dispose()


def test_notes_of_several_at_one_device_are_of_a_person_from_now_on(database_url):
    with migrations.alone(database_url) as connection:
        command.upgrade(migrations.config_for(connection), "0008")
        for statement in (
            "INSERT INTO tables (id, game, status, revision, version, number, created, changed, body) "
            "VALUES ('OLD', 'rps', 'over', 0, 0, 0, 0, 0, '{}')",
            "INSERT INTO traces (table_id, player) VALUES ('OLD', 'ann'), ('OLD', 'ann 0'), ('OLD', 'ann 1')",
            "INSERT INTO notes (table_id, player, text) VALUES "
            "('OLD', 'ann 0', 'first'), ('OLD', 'ann 1', 'second'), ('OLD', 'bob', 'alone')",
        ):
            connection.execute(
                text(statement.replace("'{}'", ":body")), {"body": "{}"} if "{}" in statement else {}
            )
    upgrade(database_url)
    engine = engine_for(database_url, 2)
    store = SqlStore(engine)
    assert [store.note("OLD", "ann", seat) for seat in (0, 1)] == ["first", "second"]
    assert store.note("OLD", "bob") == "alone"
    assert {row.player for row in dump(engine)["traces"]} == {"ann"}
    engine.dispose()


@pytest.mark.parametrize("rated", ["rated", "quiet"])
@pytest.mark.parametrize("over", [True, False])
def test_one_seat_handed_on_from_one_browser_to_another_is_one_persons(referee, store, over, rated):
    guest, person, other = (somebody(referee) for _ in range(3))
    table = referee.start(person, "rps", slip(), seats=2, afterwards=rated)
    referee.join(other, table.id, "", slip())
    referee.claim(guest, table.id, 0, store.table(table.id).chairs[0].generation, "", slip())
    if over:
        throw(referee, guest, table.id, "rock")
        throw(referee, other, table.id, "paper")
    referee.take_along(guest, person)
    if not over:
        throw(referee, person, table.id, "rock")
        throw(referee, other, table.id, "paper")
    entry = store.entry(store.table(table.id).record)
    assert [(each.seat, each.player) for each in entry.seats] == [(0, person.id), (1, other.id)]
    ladders_hold(store)


# -- company in a seat ------------------------------------------------------------------------


def in_company(referee, *names):
    """A game between two, where another plays the first seat with them and yet another would stand in."""
    host, beside, other, substitute = (somebody(referee, name) for name in names)
    table = referee.start(host, "strifebarge", slip(), seats=2, terms={"begins": "agreed"})
    generation = referee.status(table.id).chairs[0].generation
    referee.sit_beside(beside, table.id, 0, generation, "", slip())
    referee.join(other, table.id, "", slip())
    for each in (host, beside, other):
        referee.ready(each.id, table.id, slip())
    referee.stand_in(substitute, table.id, 1, referee.status(table.id).chairs[1].generation, "", slip())
    for each in (host, beside, other):
        referee.attend(each.id, table.id)
    mover = referee.show(beside.id, table.id)
    if not mover.mine:
        fire(referee, other, table.id)
    fire(referee, beside, table.id)
    return table.id, host, beside, other, substitute


def test_whoever_plays_a_seat_with_another_or_would_stand_in_takes_that_along(referee, store, engine):
    id, host, beside, _other, substitute = in_company(referee, "Ann", "Zebedee", "Bob", "Dora")
    one, another = somebody(referee, "Eve"), somebody(referee, "Fay")
    referee.take_along(beside, one)
    referee.take_along(substitute, another)
    assert mentions(engine, beside.id) == mentions(engine, substitute.id) == {"players"}
    first, second = store.table(id).chairs
    assert [player for player, _ in first.people] == [host.id, one.id]
    assert second.substitute.player == another.id
    assert one.id in store.present(id)
    assert {table.id for table in store.tables_of(one.id)} == {id}


def test_a_guest_beside_themselves_is_one_person_in_that_seat(referee, store, engine):
    id, host, beside, *_ = in_company(referee, "Ann", "Zebedee", "Bob", "Dora")
    referee.take_along(beside, host)
    assert mentions(engine, beside.id) == {"players"}
    assert [player for player, _ in store.table(id).chairs[0].people] == [host.id]


@pytest.mark.parametrize("aside", [False, True])
def test_whoever_is_erased_leaves_a_seat_to_those_who_play_it_with_them(referee, store, engine, aside):
    id, host, beside, _other, substitute = in_company(referee, "Ann", "Zebedee", "Bob", "Zoroaster")
    if aside:
        referee.suspend(beside.id, id, slip())
    referee.erase(beside)
    referee.erase(substitute)
    assert mentions(engine, beside.id) == mentions(engine, substitute.id) == {"players"}
    assert mentions(engine, "Zebedee") == mentions(engine, "Zoroaster") == set()
    first, second = store.table(id).chairs
    assert [player for player, _ in first.people] == [host.id]
    assert (first.left, second.substitute) == (False, None)
    referee.erase(host)
    assert mentions(engine, "Ann") == set()
    assert store.table(id).status is (Status.SUSPENDED if aside else Status.OVER)


@pytest.mark.parametrize("gone", [0, 1])
def test_a_rematch_does_not_wait_for_one_of_a_seat_who_is_nobody_any_more(referee, store, gone):
    id, host, beside, other, _substitute = in_company(referee, "Ann", "Zebedee", "Bob", "Dora")
    referee.quit(other.id, id, "resign", slip())
    referee.erase([host, beside][gone])
    stays = [beside, host][gone]
    again = referee.rematch(other.id, id, slip())
    assert [list(dict(chair.people)) for chair in store.table(again).chairs] == [[other.id], [stays.id]]
    referee.rematch(stays.id, id, slip())
    assert store.table(again).status is Status.PLAYING
