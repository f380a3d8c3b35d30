"""What the hub finds in the database by itself, and writes there: changes, and who is here."""

from collections.abc import Callable
from unittest.mock import patch

import pytest

from strifebarge.live.hub import PresentViewer
from strifebarge.live.lookout import Findings, Lookout, WatchedTopics
from strifebarge.live.shut_out import OVERLAP, RevocationWatcher
from strifebarge.tables.model.audit import ActOnPerson
from strifebarge.tables.model.player import Player
from strifebarge.tables.play.queries import Views
from strifebarge.tables.view.news import table_news
from strifebarge.tournaments.news import tournament_news
from tests.support.stub_hub import MARK, wanted_by
from tests.web.house import House, Party, Wall
from tests.web.site.test_tournaments import opened, press

QUICK = "clock-30-20"


@pytest.fixture
def lookout(timed: House) -> Callable[..., Lookout]:
    """A lookout on the database of a site, whose time is set by hand; it is asked for nothing by itself."""

    def made(read_only: Callable[[], bool] = bool) -> Lookout:
        referee = timed.referee
        return Lookout(
            referee.views,
            referee.attendance,
            MARK,
            lambda: WatchedTopics({}, {}, set()),
            lambda findings: None,
            read_only=read_only,
            versions=timed.services.tournaments.repository.versions,
            shut_out=RevocationWatcher(timed.services.people.repository).newly_revoked,
        )

    return made


def mark_of(who, party: Party) -> PresentViewer:  # type: ignore[no-untyped-def]
    """Somebody with a stream at a party's table."""
    _, wanted = wanted_by(who, party.code)
    return PresentViewer(party.code, wanted.person, wanted.spectators[0])


def test_it_finds_what_has_changed_what_is_gone_and_nothing_else(
    timed: House, lookout: Callable[..., Lookout]
) -> None:
    party, other = timed.gathered("rps"), timed.gathered("rps")
    store = timed.referee.store
    watched = WatchedTopics(
        {each.code: store.table(each.code).revision for each in (party, other)} | {"0" * 8: 3}, {}, set()
    )
    assert lookout().scan(watched) == Findings([], ["0" * 8], {})
    party.players[0].move(party.table, "throw rock")
    party.players[1].move(party.table, "throw paper")
    [news] = lookout().scan(watched).news
    assert news == table_news(store.table(party.code), MARK)


def test_it_finds_tournaments_that_have_changed_and_those_that_are_gone(
    timed: House, lookout: Callable[..., Lookout]
) -> None:
    host, path = opened(timed)
    topic, service = path.removeprefix("/"), timed.services.tournaments
    before = service.tournament(topic.removeprefix("t/")).version
    watched = WatchedTopics({topic: before, "t/00000000": 1}, {}, set())
    assert lookout().scan(watched) == Findings([], ["t/00000000"], {})
    press(host, path, "/settings", listed="yes")
    [news] = lookout().scan(watched).news
    assert news == tournament_news(topic.removeprefix("t/"), before + 1)


def test_who_has_a_stream_open_is_here_and_others_at_a_live_table_are_told(
    timed: House, wall: Wall, lookout: Callable[..., Lookout]
) -> None:
    party, looking = timed.gathered("strifebarge", pace=QUICK), lookout()
    ann, ben = party.players
    wall.at += 100  # everybody has gone
    revision = timed.referee.store.table(party.code).revision
    before = looking.scan(WatchedTopics({party.code: revision}, {party.code: ""}, {party.code})).present[
        party.code
    ]
    assert before.startswith("@00")
    looking.set_present([mark_of(ann, party)])
    looking._note_present()
    looking._write()
    changes = looking.scan(WatchedTopics({party.code: revision}, {party.code: before}, {party.code}))
    assert changes.news == []
    assert changes.present[party.code].startswith("@10")
    assert looking.scan(WatchedTopics({party.code: revision}, changes.present, {party.code})).present == {}
    assert ben.get(f"{party.table}/version").text.partition("@")[2].startswith("11")  # who asks is here too


def test_without_a_clock_too_others_are_told_who_comes_and_who_goes_and_no_table_is_read_for_nothing(
    house: House, clock: Wall
) -> None:
    party, attendance = house.gathered("rps"), house.referee.attendance
    ann, ben = (chair.player for chair in house.referee.store.table(party.code).chairs)
    views = house.referee.views
    looking = Lookout(views, attendance, MARK, lambda: WatchedTopics({}, {}, set()), lambda findings: None)
    clock.seconds(100)  # everybody has gone
    revision, read = views.store.table(party.code).revision, []

    def told(before: str) -> dict[str, str]:
        with patch.object(views, "status", lambda id: read.append(id) or Views.status(views, id)):
            return looking.scan(WatchedTopics({party.code: revision}, {party.code: before}, set())).present

    assert told("") == {party.code: "@00"}
    assert (told("@00"), read) == ({}, [party.code])
    attendance.record_presence(ben, party.code)
    attendance.write()
    assert told("@00") == {party.code: "@01"}
    assert (told("@01"), read) == ({}, [party.code] * 2)
    clock.seconds(100)
    assert told("@01") == {party.code: "@00"}
    attendance.record_presence(ann, party.code)
    attendance.write()
    assert told("@00") == {party.code: "@10"}
    assert told("") == {party.code: "@10"}  # whatever the hub has been told otherwise


def test_spectators_with_streams_count_and_those_who_left_their_seat_are_not_here(
    timed: House, lookout: Callable[..., Lookout]
) -> None:
    party, looking, store = timed.gathered("rps"), lookout(), timed.referee.store
    stranger = timed.visitor()
    looking.set_present([mark_of(stranger, party), PresentViewer(party.code, "nobody", "")])
    looking._note_present()
    looking._write()
    assert store.spectators(party.code, timed.referee.now()) == 1
    assert set(store.present(party.code)) <= {chair.player for chair in store.table(party.code).chairs}


def test_a_site_that_is_read_only_notes_nobody(timed: House, lookout: Callable[..., Lookout]) -> None:
    party, looking = timed.gathered("rps"), lookout(read_only=lambda: True)
    looking.set_present([mark_of(timed.visitor(), party)])
    looking._note_present()
    looking._write()
    assert timed.referee.store.spectators(party.code, timed.referee.now()) == 0


def test_it_finds_whose_streams_a_host_has_ended_once_and_nobody_of_before(
    timed: House, lookout: Callable[..., Lookout]
) -> None:
    party, people, nothing = timed.gathered("rps"), timed.services.people, WatchedTopics({}, {}, set())
    ann, ben = (timed.referee.store.table(party.code).chairs[seat].player for seat in (0, 1))

    def person(id: str | None) -> Player:
        player = timed.services.accounts.player(id or "")
        assert player
        return player

    people.ban(person(ben), "root", "of before")
    looking = lookout()
    assert looking.scan(nothing).shut_out == ()
    people.ban(person(ann), "root", "spam")
    assert looking.scan(nothing).shut_out == (MARK("person", person(ann).id),)
    people.unban(person(ben), "root")
    people.ban(person(ann), "root", "tried only", dry_run=True)
    assert looking.scan(nothing).shut_out == ()
    people.revoke(person(ben), "root")
    assert looking.scan(nothing).shut_out == (MARK("person", person(ben).id),)


def test_an_act_that_is_written_after_one_with_a_later_number_is_found_too() -> None:
    class Log:
        numbers = [*range(1, 2 * OVERLAP)]

        def last_act(self) -> int:
            return max(self.numbers, default=0)

        def acts_after(self, number: int) -> list[ActOnPerson]:
            return [ActOnPerson(each, "ban", f"person {each}") for each in self.numbers if each > number]

    watcher = RevocationWatcher(log := Log())
    assert watcher.newly_revoked() == []
    newest = max(log.numbers)
    log.numbers += [newest + 2]
    assert watcher.newly_revoked() == [f"person {newest + 2}"]
    log.numbers += [newest + 1]
    assert watcher.newly_revoked() == [f"person {newest + 1}"]
    log.numbers += [*range(newest + 3, newest + 3 * OVERLAP)]  # many at once
    assert watcher.newly_revoked() == [f"person {each}" for each in range(newest + 3, newest + 3 * OVERLAP)]
    assert watcher.newly_revoked() == []
