"""Two at the same instant, of whom one wants to sit down: as if one had come first, on either database."""

from functools import partial

import pytest

from strifebarge.rules import Refused
from strifebarge.rules.notation import read
from strifebarge.tables.model.listing import TableSearch
from strifebarge.tables.model.player import Player, alias
from tests.store.apart import at_once, join_there, thrown
from tests.store.conftest import form_token
from tests.store.scenes import Scene, must_be_as_if_one_had_been_first
from tests.support import forms


class Inviting(Scene):
    """A table of two where Ann waits; Ben has played with her, Cleo has the link."""

    def opened(self):
        thrown(self.referee, [self.ann, self.ben])
        return forms.start(self.referee, self.ann, "strifebarge", form_token(), seats=2).id

    def act(self, person, what):
        referee, id, mine = self.referee, self.id, (person.id, self.id)
        match what:
            case "joins":
                forms.join(referee, person, id, "", form_token())
            case "renews":
                forms.renew(referee, *mine, form_token())
            case "publishes":
                forms.publish(referee, *mine, True, form_token())
            case "unpublishes":
                forms.publish(referee, *mine, False, form_token())
            case "asks ben":
                forms.ask(referee, *mine, alias(self.ben.id, self.ann.id), form_token())
            case "takes it back":
                forms.take_back(referee, *mine, alias(self.ben.id, id), form_token())
            case "declines":
                forms.decline(referee, person, id, form_token())
            case "changes a setting":
                forms.configure(referee, *mine, {"salvo": True}, form_token())

    def standing(self):
        table = self.referee.views.status(self.id)
        listed = any(
            each.id == self.id for each in self.referee.store.open_tables(TableSearch(["strifebarge"]))[0]
        )
        invited = any(each.id == self.id for each in self.referee.store.tables_inviting(self.ben.id))
        return (
            table.status,
            [(self.name(chair.player), chair.ready) for chair in table.chairs],
            table.invitation.generation,
            table.settings.listed,
            listed,
            [each.declined for each in table.invited.values()],
            invited,
        )


PAIRS = [
    ((), "cleo joins", "ben joins"),
    ((), "ann renews", "cleo joins"),
    ((), "ann renews", "ann publishes"),
    ((), "ann publishes", "cleo joins"),
    (("ann publishes",), "ann unpublishes", "cleo joins"),
    (("ann asks ben", "ann renews"), "ann takes it back", "ben joins"),
    (("ann asks ben",), "ben declines", "ann takes it back"),
    (("ann asks ben",), "ben joins", "cleo joins"),
    ((), "ann asks ben", "ben joins"),
]


@pytest.mark.parametrize(("before", "one", "other"), PAIRS)
def test_what_two_do_at_once_is_as_if_one_had_been_first(referee, before, one, other):
    must_be_as_if_one_had_been_first(partial(Inviting, referee, *before), one, other)


@pytest.mark.full("a race between processes")
def test_of_many_in_several_processes_one_gets_the_last_seat(referee, ready_url):
    """And the list of open tables knows it in the same transaction."""
    host = forms.newcomer(referee)
    table = forms.start(referee, host, "strifebarge", form_token(), seats=2, listed=True)
    assert [each.id for each in referee.store.open_tables(TableSearch(["strifebarge"]))[0]] == [table.id]
    seated = at_once(join_there, ready_url, table.id, 10)
    assert sum(seated) == 1
    assert referee.store.open_tables(TableSearch(["strifebarge"])) == ([], False)
    assert referee.views.status(table.id).times.started


def test_a_person_at_two_seats_waits_once(referee):
    ann = forms.newcomer(referee)
    table = forms.start(referee, ann, "rps", form_token(), devices="one")
    assert table.position.waiting == [0, 1]
    assert referee.store.waiting_for(ann.id) == 1
    with pytest.raises(Refused) as no:
        forms.move(referee, ann.id, table.id, lambda kinds: read("throw rock", kinds), form_token())
    assert no.value.token == "table.which_seat"
    for seat in (0, 1):
        forms.move(referee, ann.id, table.id, lambda kinds: read("throw rock", kinds), form_token(seat=seat))
    assert referee.views.status(table.id).position.number == 2


def test_companions_are_those_of_games_that_have_ended_by_the_name_they_had_last(referee):
    ann, ben = forms.newcomer(referee), forms.newcomer(referee)
    assert forms.store_of(referee).results.companions(ann.id) == []
    thrown(referee, [ann, ben])
    assert [(each.id, each.name) for each in forms.store_of(referee).results.companions(ann.id)] == [
        (ben.id, "Guest Golf")
    ]
    table = forms.start(referee, ann, "rps", form_token(), seats=2)
    forms.join(referee, ben, table.id, "Ben", form_token())
    for player in (ann, ben):
        forms.move(referee, player.id, table.id, lambda kinds: read("throw rock", kinds), form_token())
        forms.quit(referee, player.id, table.id, "resign", form_token()) if player is ben else None
    assert [each.name for each in forms.store_of(referee).results.companions(ann.id)] == ["Ben"]
    assert isinstance(forms.store_of(referee).results.companions(ben.id)[0], Player)


def test_a_page_of_the_list_is_by_what_was_changed_last(referee):
    now = [1000.0]
    referee.now = lambda: now[0]
    ids = []
    for _ in range(3):
        now[0] += 10
        ids.append(
            forms.start(
                referee, forms.newcomer(referee), "chess", form_token(), listed=True, language="de"
            ).id
        )
    tables, more = referee.store.open_tables(TableSearch(["chess"], language="de"))
    assert [each.id for each in tables] == ids[::-1]
    assert not more
    tables, _ = referee.store.open_tables(TableSearch(["chess"], since=1025))
    assert [each.id for each in tables] == ids[2:]
    assert referee.store.open_tables(TableSearch(["rps"])) == ([], False)
    assert referee.store.open_tables(TableSearch(["chess"], free=2)) == ([], False)
    assert referee.store.open_tables(TableSearch(["chess"], pace="daily")) == ([], False)
