"""What players see where a host of the site has acted at their table, and how they go on."""

import pytest

from strifebarge.rules import Refused
from strifebarge.tables.acts import hosting
from strifebarge.tables.model.status import Status
from tests.web.house import House, Party, Wall, tick

BY = "root"


def words(party: Party, seat: int = 0) -> str:
    return party.players[seat].get(party.table).words


def test_a_suspended_game_says_who_suspended_it_and_takes_no_move(house: House) -> None:
    party = house.fleet()
    mover = party.to_move()
    page = mover.get(party.table)
    house.referee.change(party.code, hosting.suspend_by_host, BY)
    for seat in (0, 1):
        assert "The host of this site suspended the game." in words(party, seat)
    assert mover.submit(page, "/turn", page.form("/turn").moves[0]).token == "table.suspended"
    german = party.players[0].get(party.table, Accept_Language="de").words
    assert "Die Betreiber der Seite haben die Partie unterbrochen. Nur sie können sie fortsetzen." in german


def test_only_a_host_lets_a_game_go_on_that_a_host_has_suspended(house: House) -> None:
    party = house.fleet()
    house.referee.change(party.code, hosting.suspend_by_host, BY)
    with house.unchanged():
        for number, player in enumerate(party.players):
            for act in ("ready", "end", "back"):
                refused = player.post(f"{party.table}/{act}", [("key", f"{number}{act}".ljust(32, "x"))])
                assert (refused.status, refused.token) == (409, "table.held")
    for path in (party.table, f"{party.table}?view=text"):
        page = party.players[0].copy().get(path)
        assert not any(page.has_form(each) for each in ("/ready", "/end", "/back", "/turn")), path
    house.referee.change(party.code, hosting.resume_by_host, BY)
    assert "suspended" not in words(party)
    assert house.store.tables.table(party.code).status is Status.PLAYING


def test_a_live_game_that_a_host_has_suspended_does_not_end_by_itself(timed: House, wall: Wall) -> None:
    party = timed.gathered("chess", pace="clock-10-5")
    timed.referee.change(party.code, hosting.suspend_by_host, BY)
    assert timed.store.tables.table(party.code).due is None
    wall.seconds(3600)
    tick(timed)
    timed.referee.change(party.code, hosting.resume_by_host, BY)
    assert timed.store.tables.table(party.code).status is Status.PLAYING


def test_a_game_ended_by_the_host_says_so_and_counts_for_nothing(house: House) -> None:
    party = house.gathered("chess", afterwards="rated")
    house.referee.change(party.code, hosting.end_by_host, BY)
    assert "No result: the host of this site ended the game." in words(party)
    table = house.store.tables.table(party.code)
    assert (table.status, table.ending.unfinished) == (Status.OVER, True)
    assert house.visitor().get(f"/r/{table.ending.record}").status == 200


@pytest.mark.parametrize("pace", ["", "clock-10-5"])
def test_a_game_taken_back_goes_on_from_there_and_its_log_tells(house: House, pace: str) -> None:
    party = house.gathered("chess", **({"pace": pace} if pace else {}))
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        assert party.to_move().move(party.table, f"move {move}").status == 303, move
    house.referee.change(party.code, hosting.rewind_by_host, BY, 1)
    page = party.to_move().get(party.table)
    assert "The host of this site took the game back to move 1." in page.words
    assert (
        party.to_move()
        is party.players[1 if page.my_turn and party.players[1].get(party.table).my_turn else 0]
    )
    assert party.to_move().move(party.table, "move c7c5").status == 303
    table = house.store.tables.table(party.code)
    assert table.status is Status.PLAYING
    assert table.clock is None or table.clock.due is not None


def test_a_game_whose_code_has_failed_is_resumed_from_before_that_move(unruly_house: House) -> None:
    house = unruly_house
    party = house.gathered("unruly")
    assert party.to_move().move(party.table, "go").status == 303
    assert party.to_move().move(party.table, "do mistake").token == "table.mistake"
    assert house.store.tables.table(party.code).faulty
    house.referee.change(party.code, hosting.resume_by_host, BY)
    table = house.store.tables.table(party.code)
    assert (table.status, table.faulty) == (Status.PLAYING, False)
    assert party.to_move().move(party.table, "go").status == 303


def test_what_is_refused_or_only_tried_changes_nothing(house: House) -> None:
    party = house.fleet()
    with house.unchanged():
        house.referee.rehearse(party.code, hosting.end_by_host, BY)
        house.referee.rehearse(party.code, hosting.suspend_by_host, BY)
        with pytest.raises(Refused):
            house.referee.change(party.code, hosting.resume_by_host, BY)
        for number in (-1, 99):
            with pytest.raises(Refused):
                house.referee.change(party.code, hosting.rewind_by_host, BY, number)
    assert party.code not in [entry.subject for entry in house.store.tables.audit_log(99)]


def test_each_act_is_in_the_audit_log_once(house: House) -> None:
    party = house.fleet()
    house.referee.change(party.code, hosting.suspend_by_host, BY)
    house.referee.change(party.code, hosting.resume_by_host, BY)
    house.referee.change(party.code, hosting.end_by_host, "ann")
    entries = house.store.tables.audit_log(3)
    assert [(each.by, each.act, each.subject) for each in entries] == [
        ("ann", "end", party.code),
        (BY, "resume", party.code),
        (BY, "suspend", party.code),
    ]
