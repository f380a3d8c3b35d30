"""`strifebarge check`: what comes of running games by new rules, told before these go live."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from strifebarge.cli import main
from strifebarge.results.checking import CheckedTable, ReplayOutcome, RulesVerdict, adopt, check
from tests.support import forms
from tests.support.databases import add_migration
from tests.support.servers import ROOT

from . import tally
from .conftest import Versions


def checked(versions: Versions) -> CheckedTable:
    [finding] = check(versions.house.referee)
    return finding


@pytest.mark.parametrize("rules", [tally.ONE, tally.WORDS])
def test_what_leads_to_the_same_positions_is_the_same(versions: Versions, rules: str) -> None:
    versions.played(1, 2, 3, 1)
    versions.restarted(rules)
    finding = checked(versions)
    assert finding.parting == (ReplayOutcome.SAME, None, None)
    assert finding.fate is RulesVerdict.GOES_ON


@pytest.mark.parametrize(
    ("rules", "outcome", "number", "fate", "back"),
    [
        (tally.DOUBLE, ReplayOutcome.DIFFERS, 1, RulesVerdict.GOES_BACK, 0),
        # The position is the same all the same:
        (tally.STRICT, ReplayOutcome.ILLEGAL, 3, RulesVerdict.GOES_ON_IF_AGREED, 4),
        (tally.ONLY_ONES, ReplayOutcome.ILLEGAL, 2, RulesVerdict.GOES_ON_IF_AGREED, 4),
        (tally.ANOTHER_START, ReplayOutcome.DIFFERS, 0, RulesVerdict.STANDS, None),
    ],
)
def test_where_it_parts_is_told(
    versions: Versions, rules: str, outcome: ReplayOutcome, number: int, fate: RulesVerdict, back: int | None
) -> None:
    versions.played(1, 2, 3, 1)
    versions.restarted(rules)
    finding = checked(versions)
    assert (finding.parting.outcome, finding.parting.number) == (outcome, number)
    assert (finding.fate, finding.back) == (fate, back)


def test_a_stage_that_is_not_reached_may_change(versions: Versions) -> None:
    versions.played(1, 2, 3, 1, 1)
    versions.restarted(tally.SECOND_STAGE)
    assert checked(versions).parting.outcome is ReplayOutcome.SAME


def test_where_a_stage_that_is_over_has_changed_a_game_goes_on_if_all_agree(versions: Versions) -> None:
    party = versions.played(1, 1, 1, 1, 1, 1, 2)
    versions.restarted(
        tally.ONE.replace("The first three rounds", "At first").replace("range(3):", "range(4):", 1)
    )
    finding = checked(versions)
    fate = RulesVerdict.GOES_ON_IF_AGREED
    assert (finding.parting.outcome, finding.parting.number, finding.fate) == (ReplayOutcome.DIFFERS, 6, fate)
    one, other = versions.come_back(party).players
    assert "Move 6 now comes out differently. If all agree, you can go on" in one.get(party.table).words
    for who, ending in ((one, "/back"), (one, "/ready"), (other, "/ready")):
        assert who.submit(who.get(party.table), ending).status == 303
    assert other.move(party.table, "count 1").status == 303
    assert checked(versions).parting.outcome is ReplayOutcome.SAME


def test_choices_undone_moves_and_leaving_are_played_again(versions: Versions) -> None:
    party = versions.played(1, 2, 3, 1, people=3)
    player = party.players[0]
    player.submit(player.get(f"{party.table}/quit"), "/quit")
    versions.restarted(tally.WORDS)
    assert checked(versions).parting.outcome is ReplayOutcome.SAME


def test_with_its_old_edition_shipped_a_game_stays_on_it(versions: Versions) -> None:
    party = versions.played(1, 2)
    versions.restarted(tally.version(tally.DOUBLE, 2), rules_1=tally.ONE)
    finding = checked(versions)
    assert (finding.parting.outcome, finding.parting.number, finding.fate) == (
        ReplayOutcome.DIFFERS,
        1,
        RulesVerdict.OLD_RULES,
    )
    versions.come_back(party)
    assert party.players[0].move(party.table, "count 3").status == 303
    assert "counts to 6." in party.players[0].get(party.table).words
    fresh = versions.played(3)
    assert "counts to 6." in fresh.players[0].get(fresh.table).words
    assert fresh.players[0].get(fresh.table).words.count("counts to 3.") == 0
    assert not adopt(versions.house.referee, party.code)


def test_what_comes_out_the_same_may_be_moved_to_the_newest_rules(versions: Versions) -> None:
    party = versions.played(1, 2)
    versions.restarted(tally.version(tally.WORDS, 2), rules_1=tally.ONE)
    versions.come_back(party)
    assert "Count on from 3." in party.players[0].get(party.table).words
    assert checked(versions).fate is RulesVerdict.OLD_RULES
    assert adopt(versions.house.referee, party.code)
    assert not adopt(versions.house.referee, party.code)
    assert "Count further than 3." in party.players[0].get(party.table).words
    assert checked(versions).fate is RulesVerdict.GOES_ON


def test_an_old_edition_must_be_called_by_its_version_and_be_older(versions: Versions) -> None:
    for rules, old in ((tally.version(tally.ONE, 3), tally.version(tally.ONE, 2)), (tally.ONE, tally.ONE)):
        library = versions.restarted(rules, rules_1=old).referee.library
        assert "must be called rules_" in library.left_out["tally"]
        assert "tally" not in library.titles
        assert "rps" in library.titles


def test_a_record_is_replayed_by_the_edition_it_was_played_by(versions: Versions) -> None:
    party = versions.played(*[1] * 12)
    versions.restarted(tally.version(tally.DOUBLE, 2), rules_1=tally.ONE)
    versions.come_back(party)
    page = party.players[0].get(party.table)
    assert page.over
    record = versions.house.referee.views.status(party.code).ending.record
    assert "Yes! The seed" in party.players[0].get(f"/r/{record}/check").words
    file = versions.folder / "record.json"
    file.write_text(party.players[0].get(f"/r/{record}/record.json").text, encoding="utf-8")
    assert verified(versions, file).startswith("It holds")
    versions.restarted(tally.version(tally.DOUBLE, 2))
    assert verified(versions, file).startswith(
        "It cannot be checked here. This game was played by version 1 of the rules"
    )
    versions.come_back(party)
    assert "version 1 of the rules" in party.players[0].get(f"/r/{record}/check").words


def verified(versions: Versions, file: Path) -> str:
    """What the script says that checks a record without a site."""
    path_code = f"import games; games.__path__.append({str(versions.games)!r})"
    run = f"{path_code}; import sys, runpy; sys.argv = ['verify.py', {str(file)!r}]; "
    command = [sys.executable, "-c", run + "runpy.run_path('strifebarge/verify.py', run_name='__main__')"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    return done.stdout or done.stderr


# -- the command ----------------------------------------------------------------------------


def copies_of(versions: Versions) -> Path:
    """The folder in which a command makes its copies of the database."""
    folder = versions.folder / "copies"
    folder.mkdir(exist_ok=True)
    return folder


def strifebarge(versions: Versions, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {
        **os.environ,
        "STRIFEBARGE_DATA": str(versions.folder),
        "STRIFEBARGE_DATABASE_URL": versions.url,
        "STRIFEBARGE_GAMES": str(versions.games),
        "TMPDIR": str(copies_of(versions)),
    }
    command = [sys.executable, "-m", "strifebarge.cli", *words]
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60)


def test_the_command_tells_of_each_game_and_changes_nothing(versions: Versions) -> None:
    one, other = versions.played(3, 2), versions.played(1)
    over = versions.played(*[1] * 12)
    versions.restarted(tally.STRICT)
    with versions.house.unchanged():
        done = strifebarge(versions, "check")
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    sentence = "illegal at move 1 (That is too much.); if all agree, it goes on where it stands"
    assert f"{one.code}  tally, rules 1: {sentence}" in lines
    assert f"{other.code}  tally, rules 1: same" in lines
    assert over.code not in done.stdout
    assert lines[-1] == "2 running games: 1 same, 0 differs, 1 illegal."
    same = strifebarge(versions, "check", "eights")
    assert (same.returncode, same.stdout) == (0, "0 running games: 0 same, 0 differs, 0 illegal.\n")
    assert list(copies_of(versions).iterdir()) == []
    unknown = strifebarge(versions, "check", "whist")
    assert (unknown.returncode, unknown.stdout.count("\n")) == (2, 0)
    assert unknown.stderr.startswith("Error: There is no game “whist”; the games are ")


def test_the_command_offers_the_way_back_and_moves_what_is_the_same(versions: Versions) -> None:
    party = versions.played(1, 1, 1, 1, 1, 1, 2)
    versions.restarted(tally.version(tally.WORDS, 2), rules_1=tally.ONE)
    done = strifebarge(versions, "check", "--adopt")
    assert done.returncode == 0, done.stderr
    assert f"{party.code}  tally, rules 1 to 2: same; it stays on the old rules" in done.stdout
    assert f"{party.code}  goes on by rules 2" in done.stdout
    versions.restarted(tally.version(tally.DOUBLE, 2))
    done = strifebarge(versions, "check")
    assert done.returncode == 1
    sentence = f"{party.code}  tally, rules 2: differs at move 1; if all agree, it goes back to move 6"
    assert sentence in done.stdout


def test_what_time_has_decided_is_played_again_too(versions: Versions) -> None:
    referee = versions.house.referee
    ann, ben = versions.house.visitor(), versions.house.visitor()
    table = ann.start("tally", seats="2", pace="turn-120").table
    ben.join(table)
    now = referee.now()
    referee.now = lambda: now + 140
    forms.look(referee, table.removeprefix("/g/"))
    actions = [row.action for row in referee.store.rows(table.removeprefix("/g/"), 0)]
    assert [action["do"] for action in actions if action] == ["late"]
    assert checked(versions).parting.outcome is ReplayOutcome.SAME


def test_an_older_postgresql_is_to_be_upgraded_first(
    postgres_ready: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_migration(monkeypatch, tmp_path)
    environ = {"STRIFEBARGE_DATA": str(tmp_path), "STRIFEBARGE_DATABASE_URL": postgres_ready}
    done = CliRunner().invoke(main, ["check"], env=environ)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "The database is of an older version: make a backup" in done.stderr


def test_without_a_database_there_is_nothing_to_check(tmp_path: Path) -> None:
    environ = {**os.environ, "STRIFEBARGE_DATA": str(tmp_path)}
    command = [sys.executable, "-m", "strifebarge.cli", "check"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "There is no database yet" in done.stderr
    assert list(tmp_path.glob("*.db")) == []
