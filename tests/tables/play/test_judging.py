"""Forms are judged outside the database's lock: no write waits for rules, and nothing is done twice."""

from contextlib import suppress
from functools import partial
from threading import Barrier, BrokenBarrierError, Event, Thread, current_thread

import pytest

from strifebarge.rules import Refused
from strifebarge.rules.notation import read
from strifebarge.tables.acts import seating, talk
from strifebarge.tables.model.ports import Busy
from strifebarge.tables.model.table import Status
from strifebarge.tables.play import referee as judging
from tests.store.conftest import form_token
from tests.support import forms
from tests.support.together import together


def seated(referee, game="rps", people=2, **how):
    """A table with `people` players; its id, and who they are."""
    players = [forms.newcomer(referee) for _ in range(people)]
    table = forms.start(referee, players[0], game, form_token(), seats=people, **how)
    for player in players[1:]:
        forms.join(referee, player, table.id, "", form_token())
    return table.id, players


def throw(referee, player, id, hand, form=None):
    return forms.move(referee, player.id, id, partial(read, f"throw {hand}"), form or form_token())


def hands(store, id):
    return [row.seat for row in store.tables.rows(id, 0)]


@pytest.fixture
def slow(library, monkeypatch):
    """Calls its `during` whenever the rules of Rock-Paper-Scissors end a throw."""

    class Slow:
        def during(self):
            pass

    slow, rules = Slow(), library["rps"].rules
    whole = rules.log

    def log(game, *args, **named):
        slow.during()
        whole(game, *args, **named)

    monkeypatch.setattr(rules, "log", log)
    return slow


def test_while_the_rules_of_one_table_think_all_others_are_written(store, library, referee, slow):
    """The rules block until moves, talk and a new table have been written elsewhere."""
    id, (ann, bob) = seated(referee)
    throw(referee, ann, id, "rock")
    thinking, enough = Event(), Event()

    def think():
        if current_thread().name == "thinker":
            thinking.set()
            assert enough.wait(30)

    slow.during = think
    thinker = Thread(target=throw, args=(referee, bob, id, "paper"), name="thinker")
    thinker.start()
    assert thinking.wait(30)
    try:
        other, (cleo, dan) = seated(referee)
        throw(referee, cleo, other, "rock")
        throw(referee, dan, other, "paper")
        # Also at the same table, by another process: its form is judged and written meanwhile.
        again = forms.a_referee(store, library)
        forms.say(again, ann, id, "Ahoy.", "", form_token())
        assert store.tables.table(other).status is Status.OVER
        assert [line.text for line in store.tables.lines(id)] == ["Ahoy."]
        assert store.tables.table(id).status is Status.PLAYING
    finally:
        enough.set()
        thinker.join()
    table = store.tables.table(id)
    assert (table.status, table.ending.result.places) == (Status.OVER, [[1], [0]])
    assert hands(store, id) == [0, 1]


def test_two_who_judge_one_table_at_the_same_moment_are_both_accepted_once(store, library, slow):
    """Both have judged the table as it was before either had thrown; the one who comes second judges anew."""
    for _ in range(6):
        one, other = (forms.a_referee(store, library) for _ in range(2))
        id, (ann, bob) = seated(one)
        judged, met = Barrier(2), []

        def meet(kinds, hand, judged=judged, met=met):
            with suppress(BrokenBarrierError):
                judged.wait(2 if not judged.broken and len(met) < 2 else 0)
            met.append(hand)
            return read(f"throw {hand}", kinds)

        together(
            partial(forms.move, one, ann.id, id, partial(meet, hand="rock"), form_token()),
            partial(forms.move, other, bob.id, id, partial(meet, hand="paper"), form_token()),
        )
        table = store.tables.table(id)
        assert len(met) == 3  # one of them twice
        assert (table.status, table.ending.result.places) == (Status.OVER, [[1], [0]])
        assert hands(store, id) == [0, 1]
        assert len(store.results.tallies(ann.id)) == 0
        assert one.store.receipt("never") is None


def test_the_same_form_judged_twice_at_the_same_moment_is_done_once(store, library):
    one, other = (forms.a_referee(store, library) for _ in range(2))
    id, (ann, bob) = seated(one)
    judged, form = Barrier(2), form_token()

    def meet(kinds):
        judged.wait(10)  # only two ever judge: the second is answered from the receipt
        return read("throw rock", kinds)

    numbers = together(*(partial(forms.move, each, ann.id, id, meet, form) for each in (one, other)))
    assert numbers == [store.tables.receipt(form.key).number] * 2
    throw(one, bob, id, "paper")
    assert hands(store, id) == [0, 1]


def test_a_refusal_counts_only_if_the_table_stands_as_it_was_judged(store, library):
    """A form sent twice at once is not told, by itself, that it has just been said."""
    one, other = (forms.a_referee(store, library) for _ in range(2))
    id, (ann, _) = seated(one)
    form = form_token()

    def say_late(turn, *args):
        if turn.referee is one:  # its table is read by now, its lines are not
            other.carry_out(ann.id, id, form, say, ann, "Ahoy.", "")
        talk.say(turn, *args)

    def say(turn, *args):
        talk.say(turn, *args)

    say_late.form_name = say.form_name = "say"
    assert one.carry_out(ann.id, id, form, say_late, ann, "Ahoy.", "").repeated
    assert [line.text for line in store.tables.lines(id)] == ["Ahoy."]


def test_what_many_say_at_once_at_one_table_is_said_once_each(store, library):
    referee = forms.a_referee(store, library)
    id, people = seated(referee, "eights", people=5)
    says = [
        partial(forms.say, referee, each, id, f"{number}", "", form_token())
        for number, each in enumerate(people)
    ]
    together(*says)
    lines = store.tables.lines(id)
    assert [line.number for line in lines] == [1, 2, 3, 4, 5]
    assert sorted(line.text for line in lines) == ["0", "1", "2", "3", "4"]
    assert not referee._locks


def test_a_table_that_always_changes_meanwhile_is_busy_in_the_end_and_nothing_is_done(
    store, library, monkeypatch
):
    """Never for ever, and never with the lock of the database held."""
    monkeypatch.setattr(judging, "TURNS_IN_A_ROW", 3)
    referee, other = (forms.a_referee(store, library) for _ in range(2))
    id, (ann, bob) = seated(referee, "strifebarge")
    judged = []

    def hush(turn, hushed):
        judged.append(turn)
        forms.say(other, bob, id, f"{len(judged)}", "", form_token())
        talk.hush(turn, hushed)

    form = form_token()
    with pytest.raises(Busy):
        referee.carry_out(ann.id, id, form, hush, True)
    assert len(judged) == judging.BESIDE_OTHERS + 3
    assert not store.tables.table(id).chat_closed
    assert store.tables.receipt(form.key) is None
    assert not referee._locks
    referee.carry_out(ann.id, id, form, talk.hush, True)
    assert store.tables.table(id).chat_closed


def test_those_who_take_turns_at_a_table_are_busy_after_a_while(store, library, monkeypatch):
    monkeypatch.setattr(judging, "TURN_AFTER", 0.1)
    referee = forms.a_referee(store, library)
    id, (ann, _) = seated(referee, "strifebarge")
    lock = referee._locks.setdefault(id, judging.Lock())
    lock.acquire()

    def always_outdated(turn):
        turn.write(outdate)

    def outdate(change):
        raise judging.Outdated

    with pytest.raises(Busy):
        referee.carry_out(ann.id, id, form_token(), always_outdated)
    lock.release()
    with pytest.raises(Refused):
        referee.carry_out(ann.id, id, form_token(), seating.unready)


def test_an_event_and_what_it_tells_are_written_together_or_not_at_all(store, library):
    """Of a subscriber that fails there is no move either."""
    referee = forms.a_referee(store, library)
    id, (ann, bob) = seated(referee)
    before = store.tables.table(id)

    def fail(change, event):
        raise RuntimeError("a bug")

    referee.subscribers = [*referee.subscribers, fail]
    form = form_token()
    with pytest.raises(RuntimeError):
        throw(referee, ann, id, "rock", form)
    assert store.tables.table(id) == before
    assert store.tables.receipt(form.key) is None
    referee.subscribers = referee.subscribers[:-1]
    throw(referee, ann, id, "rock", form)
    throw(referee, bob, id, "paper")
    assert hands(store, id) == [0, 1]
