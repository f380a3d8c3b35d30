"""A game is known by the code that plays it; other code plays it again first, and is noted with a write."""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from strifebarge.results.checking import ReplayOutcome, check, describe
from strifebarge.tables.model.events import Event, Moved
from strifebarge.tables.model.parts import PlayedBy
from strifebarge.tables.model.table import Table
from strifebarge.tables.play import matches
from strifebarge.tables.play.deadlines import left_out
from tests.web.house import Party, token

from . import tally
from .conftest import Versions
from .test_check import strifebarge, verified

EDITED = "This game's rules were edited."


def table_of(versions: Versions, party: Party) -> Table:
    return versions.house.referee.store.table(party.code)


def sources(versions: Versions) -> str:
    return versions.house.referee.library["tally"].sources


def log(party: Party) -> str:
    return party.players[0].get(f"{party.table}/log.txt").text


def agree(party: Party) -> None:
    for who, ending in zip((0, 0, 1), ("/back", "/ready", "/ready"), strict=True):
        player = party.players[who]
        assert player.submit(player.get(party.table), ending).status == 303


@pytest.fixture
def retraced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that were played again, one for each time."""
    parted: list[str] = []

    def retrace(stored: Any, table: Table, title: Any) -> matches.Divergence:
        parted.append(table.id)
        return original(stored, table, title)

    original = matches.find_divergence
    monkeypatch.setattr(matches, "find_divergence", retrace)
    return parted


# -- noted -----------------------------------------------------------------------------------


def test_other_code_is_noted_with_the_next_move_and_by_no_page(versions: Versions) -> None:
    party = versions.played(1, 2)
    before = sources(versions)
    assert table_of(versions, party).played_by.sources == before
    versions.restarted(tally.FEWEST)
    versions.come_back(party)
    assert sources(versions) != before
    with versions.house.unchanged():
        for player in party.players:
            assert "Count on from 3." in player.get(party.table).words or not player.get(party.table).my_turn
    assert party.players[0].move(party.table, "count 1").status == 303
    played_by = table_of(versions, party).played_by
    assert (played_by.sources, played_by.loaded) == (sources(versions), versions.house.referee.library.loaded)
    assert log(party).count(EDITED) == 1


def test_code_that_is_the_same_is_played_again_by_nobody(versions: Versions, retraced: list[str]) -> None:
    party = versions.played(1, 2)
    versions.restarted(tally.ONE)
    versions.come_back(party)
    assert party.players[0].move(party.table, "count 1").status == 303
    assert retraced == []
    assert EDITED not in log(party)


@pytest.mark.parametrize("rules", [tally.FEWEST, tally.DOUBLE])
def test_other_code_plays_a_game_again_once_in_each_process(
    versions: Versions, retraced: list[str], rules: str
) -> None:
    party = versions.played(1, 2)
    versions.restarted(rules)
    versions.come_back(party)
    for _ in range(3):
        for player in party.players:
            assert player.get(party.table).status == 200
    assert retraced == [party.code]


def test_of_many_who_look_at_once_one_plays_it_again(versions: Versions, retraced: list[str]) -> None:
    party = versions.played(1, 2)
    referee = versions.restarted(tally.DOUBLE).referee
    table = table_of(versions, party)
    title = referee.library.of(table)
    with ThreadPoolExecutor(8) as many:
        answers = list(
            many.map(lambda _: referee.matches.find_divergence(referee.store, title, table), range(8))
        )
    assert {each.outcome for each in answers} == {ReplayOutcome.DIFFERS}
    assert retraced == [party.code]


@pytest.mark.parametrize(("rules", "suspended"), [(tally.WORDS, False), (tally.DOUBLE, True)])
def test_a_game_of_unknown_code_is_played_again_too(versions: Versions, rules: str, suspended: bool) -> None:
    """As those of a version before this one, which did not note it."""
    party = versions.played(1, 1, 1, 1, 1, 1)  # the second stage has just begun
    with versions.house.referee.store.change(party.code) as change:
        change.table.played_by = PlayedBy()
    versions.restarted(rules)
    versions.come_back(party)
    assert ("Suspended." in party.players[0].get(party.table).words) == suspended
    if not suspended:
        assert party.players[0].move(party.table, "count 1").status == 303
        assert table_of(versions, party).played_by.sources == sources(versions)
        assert EDITED not in log(party)  # for all anybody knows


def test_it_stays_on_its_own_edition_where_that_is_still_there(
    versions: Versions, retraced: list[str]
) -> None:
    party = versions.played(1, 2)
    before = sources(versions)
    versions.restarted(tally.version(tally.DOUBLE, 2), rules_1=tally.ONE)
    versions.come_back(party)
    assert party.players[0].move(party.table, "count 3").status == 303
    assert table_of(versions, party).played_by.sources == before
    assert retraced == []


def test_without_its_edition_it_goes_on_by_a_version_by_which_it_comes_out_the_same(
    versions: Versions,
) -> None:
    party = versions.played(1, 2)
    versions.restarted(tally.version(tally.WORDS, 2))
    versions.come_back(party)
    assert party.players[0].move(party.table, "count 3").status == 303
    assert table_of(versions, party).rules_version == 2


# -- two at once -------------------------------------------------------------------------------


def test_older_code_gives_way_to_newer_for_ten_minutes(versions: Versions) -> None:
    party = versions.played(1, 2)
    page = party.players[0].get(party.table)
    referee = versions.house.referee
    with referee.store.change(party.code) as change:
        change.table.played_by.sources = "newer-code"
        change.table.played_by.loaded = referee.library.loaded + 5
    assert party.players[0].get(party.table).my_turn  # what comes out the same is shown
    referee.now = lambda: referee.library.loaded + 600
    with versions.house.unchanged():
        refused = party.players[0].submit(page, "/turn", move="count 1")
        assert refused.status == 503
    referee.now = lambda: referee.library.loaded - 600  # the clock was wrong when the newer code was read
    assert party.players[0].submit(page, "/turn", move="count 4").status == 422
    referee.now = lambda: referee.library.loaded + 606
    assert party.players[0].submit(page, "/turn", move="count 1").status == 303
    assert table_of(versions, party).played_by.sources == sources(versions)


# -- choices ----------------------------------------------------------------------------------


def test_a_choice_that_is_offered_no_more_is_asked_anew_and_only_its_seat_is_told(versions: Versions) -> None:
    versions.restarted(tally.TOGETHER)
    party = versions.house.gathered("tally", 2)
    one, other = party.players
    assert one.move(party.table, "count 3").status == 303
    versions.restarted(tally.TOGETHER_NO_THREE)
    versions.come_back(party)
    [checked] = check(versions.house.referee)
    assert describe(checked) == f"{party.code}  tally, rules 1: same; Guest Foxtrot chooses anew"
    with versions.house.unchanged():
        for view in ("", "?view=text"):
            assert "your choice is no longer possible" in one.get(party.table + view).words
            assert "your choice is no longer possible" not in other.get(party.table + view).words
        assert one.get(party.table).my_turn
    events: list[Event] = []
    versions.house.referee.subscribers = [lambda change, event: events.append(event)]
    assert other.move(party.table, "count 2").status == 303
    [moved] = [event for event in events if isinstance(event, Moved)]
    assert moved.was == [1]  # so the first seat is told that it has to move
    assert table_of(versions, party).position.waiting == [0]
    assert "your choice is no longer possible" in one.get(party.table).words
    assert one.move(party.table, "count 1").status == 303
    assert table_of(versions, party).position.anew == []
    assert "counts to 3." in log(party)


def test_a_choice_that_is_still_offered_stands(versions: Versions) -> None:
    versions.restarted(tally.TOGETHER)
    party = versions.house.gathered("tally", 2)
    assert party.players[0].move(party.table, "count 2").status == 303
    versions.restarted(tally.TOGETHER_NO_THREE)
    versions.come_back(party)
    assert not party.players[0].get(party.table).my_turn
    assert party.players[1].move(party.table, "count 1").status == 303
    assert "counts to 3." in log(party)


# -- agreed ------------------------------------------------------------------------------------


def test_what_all_have_agreed_to_is_not_asked_again_and_what_comes_after_it_is(versions: Versions) -> None:
    party = versions.played(1, 3)
    versions.restarted(tally.STRICT)
    versions.come_back(party)
    assert "Move 2 now comes out differently." in party.players[0].get(party.table).words
    assert "That is too much" not in party.players[0].get(party.table).words  # it may tell of hidden things
    agree(party)
    assert party.players[0].move(party.table, "count 2").status == 303
    assert "All agreed to go on from here by the new ones" in log(party)
    versions.restarted(tally.STRICT.replace("action.by == 3", "action.by > 2"))
    versions.come_back(party)
    assert party.players[1].move(party.table, "count 1").status == 303
    versions.restarted(tally.STRICT.replace("action.by == 3", "action.by > 1"))
    versions.come_back(party)
    assert "Move 3 now comes out differently." in party.players[0].get(party.table).words


def test_nobody_agrees_to_go_on_from_elsewhere_than_they_have_seen(versions: Versions) -> None:
    party = versions.played(1, 3)
    versions.restarted(tally.STRICT)
    one, other = versions.come_back(party).players
    for who, ending in ((one, "/back"), (one, "/ready")):
        assert who.submit(who.get(party.table), ending).status == 303
    seen = other.get(party.table)
    versions.restarted(tally.DOUBLE)  # by which it can only go back to the deal
    versions.come_back(party)
    for page in (seen, other.get(party.table)):
        with versions.house.unchanged():
            refused = other.submit(page, "/ready")
            assert (refused.status, token(refused)) == (409, "table.changed")
    for who, ending in ((one, "/back"), (one, "/back"), (one, "/ready"), (other, "/ready")):
        assert who.submit(who.get(party.table), ending).status == 303
    assert "All agreed to go back to move 0." in log(party)


def test_a_record_says_that_rules_changed_and_nobody_is_called_a_cheat(versions: Versions) -> None:
    party = versions.played(1, 3)
    versions.restarted(tally.STRICT)
    versions.come_back(party)
    agree(party)
    for nth in range(10):
        assert party.players[nth % 2].move(party.table, "count 1").status == 303
    record = table_of(versions, party).ending.record
    data = json.loads(party.players[0].get(f"/r/{record}/record.json").text)
    assert (data["sources"], data["agreed"]) == (sources(versions), 2)
    words = party.players[0].get(f"/r/{record}/check").words
    assert "After move 2 all players agreed to the new ones" in words
    file = versions.folder / "record.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert verified(versions, file).startswith(
        "It cannot be checked here. The rules changed during this game."
    )


def test_a_record_that_was_tampered_with_does_not_hold_whatever_its_rules_were(versions: Versions) -> None:
    party = versions.played(*[1] * 12)
    record = table_of(versions, party).ending.record
    data = json.loads(party.players[0].get(f"/r/{record}/record.json").text)
    file = versions.folder / "record.json"
    file.write_text(json.dumps({**data, "commitment": "0" * 64, "sources": "other-code"}), encoding="utf-8")
    assert verified(versions, file).startswith("It does not hold. This isn't the promised seed")
    data["moves"][3]["action"]["by"] = 2
    file.write_text(json.dumps(data), encoding="utf-8")
    assert verified(versions, file).startswith("It does not hold. The position after move 4 differs")


# -- a game that cannot be read ------------------------------------------------------------------


def test_the_clock_of_a_game_that_cannot_be_read_stands_still(versions: Versions) -> None:
    ann, ben = versions.house.visitor(), versions.house.visitor()
    table = ann.start("tally", seats="2", pace="turn-120").table
    ben.join(table)
    party = Party(versions.house, table, (ann, ben))
    house = versions.restarted(tally.ONE + "\ndef wrong(:\n")
    versions.come_back(party)
    assert ann.get(table).status == 503
    assert "has a bug in its files" in ann.get(table).words
    before = house.referee.now()
    left_out(house.referee)(before)
    assert table_of(versions, party).suspended
    house = versions.restarted(tally.ONE)
    versions.come_back(party)
    house.referee.now = lambda: before + 3600
    assert ann.get(table).my_turn
    assert ann.move(table, "count 1").status == 303


def test_the_command_lists_the_games_and_those_that_are_left_out(versions: Versions) -> None:
    versions.restarted(tally.version(tally.ONE, 2), rules_1=tally.ONE)
    done = strifebarge(versions, "library")
    assert done.returncode == 0
    lines = [re.sub(r"[0-9a-f]{16}-[0-9a-f]{16}", "HASH", line) for line in done.stdout.splitlines()]
    home = versions.games / "tally"
    assert [line for line in lines if line.startswith("tally")] == [
        f"tally  version 2  HASH  {home}",
        f"tally  version 1  HASH  {home}",
    ]
    (home / "rules.py").write_text("wrong(", encoding="utf-8")
    done = strifebarge(versions, "library")
    assert done.returncode == 1
    assert re.search(r"^tally  left out: .*rules\.py cannot be read: SyntaxError", done.stderr, re.MULTILINE)
    assert "chess  version" in done.stdout


def test_without_any_game_that_can_be_read_the_site_says_so(tmp_path: Path) -> None:
    code = (
        "import games; games.__path__[:] = []; from strifebarge.cli.needs import try_games, load_settings;"
        "try_games(load_settings())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert "No game can be read." in done.stderr
