"""The commands about the games at a site's tables: `strifebarge games …`."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from strifebarge.cli import main
from strifebarge.store.db.engine import engine_for, writing
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import Store
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.player import Player, public_id
from strifebarge.tables.model.table import Table
from strifebarge.tables.play.turn import FormToken
from tests.store.apart import throw, thrown
from tests.support import forms
from tests.support.databases import add_migration


class Hosted(NamedTuple):
    """A site with a game that is over, one that is played, and a table that waits."""

    url: str
    over: Table
    playing: str
    open: str

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(main, ["games", *words], env={"STRIFEBARGE_DATABASE_URL": self.url})

    def audited(self, *words: str) -> str:
        done = CliRunner().invoke(main, ["audit", *words], env={"STRIFEBARGE_DATABASE_URL": self.url})
        assert done.exit_code == 0, done.output
        return done.stdout

    def told(self, *words: str) -> Any:
        done = self.run(*words, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    def change(self, statement: str, **values: Any) -> None:
        engine = engine_for(self.url, 1)
        with writing(engine) as connection:
            connection.execute(text(statement), values)
        engine.dispose()


@pytest.fixture
def hosted(ready_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hosted:
    monkeypatch.setenv("STRIFEBARGE_DATA", str(tmp_path / "data"))
    engine = engine_for(ready_url, 1)
    referee = forms.a_referee(Store(engine), Library())
    ann, bob = Player("ann", "Ann"), Player("bob", "Bob")
    over = thrown(referee, [ann, bob], afterwards="rated")
    playing = forms.start(referee, ann, "rps", FormToken("b" * 32), seats=2, options={"best_of": 7}).id
    forms.join(referee, bob, playing, "", FormToken("c" * 32))
    throw(referee, ann, playing, "scissors")
    waiting = forms.start(referee, bob, "chess", FormToken("d" * 32)).id
    engine.dispose()
    return Hosted(ready_url, over, playing, waiting)


def test_games_are_listed_by_status_and_game_the_latest_first(hosted: Hosted) -> None:
    everything = hosted.told("list")
    assert [each["id"] for each in everything] == [hosted.open, hosted.playing, hosted.over.id]
    assert everything[1]["players"] == ["Ann", "Bob"]
    assert everything[0]["players"][1] is None
    assert [each["id"] for each in hosted.told("list", "--status", "over")] == [hosted.over.id]
    assert [each["id"] for each in hosted.told("list", "--game", "chess")] == [hosted.open]
    assert [each["id"] for each in hosted.told("list", "--most", "1")] == [hosted.open]
    lines = hosted.run("list").stdout.splitlines()
    assert [line.partition("  ")[0] for line in lines] == [each["id"] for each in everything]
    assert lines[1].endswith("rps, playing, 0 moves: Ann, Bob")
    nothing = hosted.run("list", "--game", "eights")
    assert (nothing.exit_code, nothing.stdout, nothing.stderr) == (0, "", "There are none.\n")


def test_a_game_that_is_not_there_is_refused_unless_it_has_tables(hosted: Hosted) -> None:
    unknown = hosted.run("list", "--game", "whist")
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    assert unknown.stderr.startswith("Error: There is no game “whist”; the games are ")
    hosted.change("UPDATE tables SET game = 'whist' WHERE id = :id", id=hosted.open)
    assert hosted.run("list", "--game", "whist").exit_code == 0


def test_a_table_is_shown_without_what_is_hidden(hosted: Hosted) -> None:
    shown = hosted.told("show", hosted.playing.lower())
    assert (shown["game"], shown["status"], shown["options"]["best_of"]) == ("rps", "playing", 7)
    assert [(each["name"], each["to_move"]) for each in shown["seats"]] == [("Ann", False), ("Bob", True)]
    text = hosted.run("show", hosted.playing).stdout
    assert "seat 1:        Bob, to move" in text
    for secret in ("scissors", hosted.over.seed):
        assert secret not in text + json.dumps(shown)


def test_a_table_shows_the_ids_by_which_its_people_are_banned(hosted: Hosted) -> None:
    engine = engine_for(hosted.url, 1)
    referee = forms.a_referee(Store(engine), Library())
    table = forms.start(referee, Player("nobody", ""), "rps", FormToken("e" * 32), seats=2)
    engine.dispose()
    guest, free = hosted.told("show", table.id)["seats"]
    [person] = guest["people"]
    assert person == {"id": public_id("nobody"), "name": guest["name"]}
    assert free["people"] == []
    assert Chair(0, "bot:easy:1").public_ids == Chair(0, "nobody", gone=True).public_ids == []
    assert f"seat 0:        {guest['name']}, id {person['id']}" in hosted.run("show", table.id).stdout
    env = {"STRIFEBARGE_DATABASE_URL": hosted.url}
    banned = CliRunner().invoke(main, ["people", "ban", person["id"], "--reason", "insults"], env=env)
    assert banned.stdout == f"{person['id']}  banned\n"


def test_the_moves_of_a_game_are_listed(hosted: Hosted) -> None:
    moves = hosted.told("log", hosted.over.id)
    assert [(each["name"], each["move"]) for each in moves] == [("Ann", "throw rock"), ("Bob", "throw paper")]
    lines = hosted.run("log", hosted.over.id).stdout.splitlines()
    assert lines[1].endswith("  Bob: throw paper")


def test_games_are_verified_and_one_that_comes_out_otherwise_is_told(hosted: Hosted) -> None:
    whole = hosted.run("verify")
    assert (whole.exit_code, whole.stdout) == (0, f"{hosted.playing}  rps: same\n")
    assert hosted.told("verify", hosted.over.id)[0]["outcome"] == "same"
    hosted.change(
        "UPDATE moves SET action = REPLACE(action, 'paper', 'rock') WHERE table_id = :id", id=hosted.over.id
    )
    changed = hosted.run("verify", hosted.over.id)
    assert changed.exit_code == 1
    assert changed.stdout.startswith(f"{hosted.over.id}  rps: differs at move ")


@pytest.mark.parametrize("command", ["show", "log", "verify"])
def test_an_unknown_game_is_one_sentence(hosted: Hosted, command: str) -> None:
    done = hosted.run(command, "NOSUCHID")
    assert (done.exit_code, done.stderr) == (1, "Error: There is no game “NOSUCHID”.\n")


def test_a_game_that_is_not_installed_is_one_sentence(hosted: Hosted) -> None:
    hosted.change(
        "UPDATE tables SET body = REPLACE(body, '\"rps\"', '\"whist\"') WHERE id = :id", id=hosted.over.id
    )
    done = hosted.run("log", hosted.over.id)
    assert (done.exit_code, done.stderr) == (
        1,
        f"Error: {hosted.over.id}: the game “whist” is not installed.\n",
    )
    assert hosted.run("show", hosted.over.id).exit_code == 0
    verified = hosted.run("verify", hosted.over.id)
    assert (verified.exit_code, verified.stdout) == (1, f"{hosted.over.id}  whist: not installed\n")


def test_without_a_database_or_with_an_older_one_it_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'none.db'}"
    hosted = Hosted(url, None, "", "")  # type: ignore[arg-type]
    done = hosted.run("list")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "There is no database yet" in done.stderr
    assert not (tmp_path / "none.db").exists()
    upgrade(url)
    add_migration(monkeypatch, tmp_path)
    assert "The database is of an older version" in hosted.run("list").stderr


# -- acts of the host ----------------------------------------------------------------------


def test_a_game_is_suspended_and_resumed_and_the_audit_log_tells_who_did_it(hosted: Hosted) -> None:
    assert hosted.run("suspend", hosted.playing).stdout == f"{hosted.playing}  suspended\n"
    assert hosted.told("show", hosted.playing)["status"] == "suspended"
    assert hosted.run("suspend", hosted.playing).exit_code == 1
    assert hosted.told("resume", hosted.playing)["status"] == "playing"
    done = hosted.audited("--json")
    assert [(each["act"], each["subject"]) for each in json.loads(done)] == [
        ("resume", hosted.playing),
        ("suspend", hosted.playing),
    ]
    assert all(each["by"] and each["at"] for each in json.loads(done))
    assert hosted.audited().splitlines()[0].endswith(f": resume {hosted.playing}")
    assert len(hosted.audited("--most", "1").splitlines()) == 1


def test_a_game_is_taken_back_and_ended(hosted: Hosted) -> None:
    engine = engine_for(hosted.url, 1)
    referee = forms.a_referee(Store(engine), Library())
    throw(referee, Player("bob"), hosted.playing, "rock")  # against scissors
    throw(referee, Player("bob"), hosted.playing, "rock")
    throw(referee, Player("ann"), hosted.playing, "paper")
    engine.dispose()
    assert hosted.told("show", hosted.playing)["moves"] == 4
    back = hosted.run("rewind", hosted.playing, "2")
    assert back.stdout == f"{hosted.playing}  taken back to move 2\n"
    shown = hosted.told("show", hosted.playing)
    assert (shown["status"], [each["to_move"] for each in shown["seats"]]) == ("playing", [True, True])
    assert hosted.told("verify", hosted.playing)[0]["outcome"] == "same"
    log = hosted.told("log", hosted.playing)
    first, second = ["throw scissors", "throw rock"], ["throw paper", "throw rock"]
    assert [each["move"] for each in log if each["seat"] is not None] == [*first, *second, *first]
    assert [each["number"] for each in log if each["stands"]] == [5, 6, 7]  # the first round was played again
    assert (log[4]["seat"], log[4]["note"]) == (None, "The host of this site took the game back to move 2.")
    lines = hosted.run("log", hosted.playing).stdout.splitlines()
    assert lines[3].endswith(" Bob: throw rock  (taken back)")
    assert lines[4].endswith("  The host of this site took the game back to move 2.")
    assert (shown["moves"], shown["standing"]) == (7, 2)
    assert "moves:         2 stand, numbered up to 7\n" in hosted.run("show", hosted.playing).stdout
    assert (
        "stands at move 7. Choose one from 0 (the deal) to 6."
        in hosted.run("rewind", hosted.playing, "8").stderr
    )
    ended = hosted.told("end", hosted.playing)
    assert (ended["status"], ended["dry_run"]) == ("over", False)
    assert json.loads(hosted.audited("--json"))[1]["details"] == {"move": 2}


@pytest.mark.parametrize("command", ["suspend", "end"])
def test_an_act_that_is_only_tried_changes_nothing(hosted: Hosted, command: str) -> None:
    before = hosted.told("show", hosted.playing)
    tried = hosted.run(command, hosted.playing, "--dry-run")
    assert (tried.exit_code, tried.stdout.partition("  ")[2][:9]) == (0, "would be ")
    assert hosted.told("show", hosted.playing) == before
    assert hosted.audited() == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["suspend", "over"], "The game is over."),
        (["resume", "playing"], "This game isn't suspended."),
        (["rewind", "playing", "7"], "This game has no moves yet, so it can't go back."),
        (["rewind", "open", "0"], "hasn't"),
        (["rewind", "over", "1"], "The game is over."),
        (["end", "over"], "The game is over."),
        (["end", "open"], "hasn't"),
    ],
    ids=lambda words: "-".join(words) if isinstance(words, list) else "",
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    hosted: Hosted, words: list[str], sentence: str
) -> None:
    ids = {"over": hosted.over.id, "playing": hosted.playing, "open": hosted.open}
    for dry in ([], ["--dry-run"]):
        done = hosted.run(words[0], ids[words[1]], *words[2:], *dry)
        assert done.exit_code == 1
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1
    assert hosted.audited() == ""


# -- what is deleted -----------------------------------------------------------------------


def test_a_game_is_deleted_and_the_audit_log_tells_of_it(hosted: Hosted) -> None:
    for id in (hosted.playing, hosted.open, hosted.over.id):
        assert hosted.run("delete", id, "--dry-run").stdout == f"{id}  would be deleted\n"
        assert hosted.run("show", id).exit_code == 0
        assert hosted.audited("--json").count(id) == 0
        assert hosted.run("delete", id).stdout == f"{id}  deleted\n"
        again = hosted.run("delete", id)
        assert (again.exit_code, again.stderr) == (1, f"Error: There is no game “{id}”.\n")
    done = json.loads(hosted.audited("--json"))
    assert [(each["act"], each["subject"]) for each in done] == [
        ("delete", hosted.over.id),
        ("delete", hosted.open),
        ("delete", hosted.playing),
    ]
    assert done[0]["details"] == {"game": "rps", "status": "over", "moves": 2}
    assert hosted.told("list") == []


def test_the_ratings_of_a_game_follow_from_the_games_that_are_left(hosted: Hosted) -> None:
    engine = engine_for(hosted.url, 1)
    store = Store(engine)
    referee = forms.a_referee(store, Library())
    ann, bob = Player("ann", "Ann"), Player("bob", "Bob")
    before = store.results.tallies("ann")[0].rating
    second = thrown(referee, [ann, bob], afterwards="rated")
    assert store.results.tallies("ann")[0].rating != before
    assert hosted.told("delete", second.id)["id"] == second.id
    assert store.results.tallies("ann")[0].rating == before
    assert hosted.told("delete", hosted.over.id)["status"] == "over"
    with store.results.ladder("rps") as ladder:
        assert ladder.ratings() == {}
    engine.dispose()


def test_old_games_that_nobody_joined_are_purged_and_others_only_where_the_host_wants_it(
    hosted: Hosted,
) -> None:
    engine = engine_for(hosted.url, 1)
    referee = forms.a_referee(Store(engine), Library())
    quiet = thrown(referee, [Player("ann", "Ann"), Player("bob", "Bob")])
    engine.dispose()
    long_ago = quiet.times.changed - 100 * 86400
    aged = f"UPDATE tables SET changed = {long_ago}, body = REPLACE(body, :now, :then)"
    for id in (hosted.playing, hosted.open, hosted.over.id, quiet.id):
        changed = _changed(hosted, id)
        values = {"now": f'"changed":{changed}', "then": f'"changed":{long_ago}'}
        hosted.change(f"{aged} WHERE id = :id", id=id, **values)
    tried = hosted.told("purge", "--dry-run", "--over", "99")
    assert [each["id"] for each in tried["deleted"]] == [hosted.open, quiet.id]
    assert (len(hosted.told("list")), hosted.audited()) == (4, "")
    assert hosted.told("purge", "--open", "101") == {"dry_run": False, "deleted": []}
    assert hosted.run("purge").stdout == f"{hosted.open}  chess, open: deleted\n"
    assert hosted.run("purge").stderr == "There are none.\n"
    assert hosted.run("purge", "--over", "101").stderr == "There are none.\n"
    assert hosted.told("purge", "--over", "99")["deleted"][0]["id"] == quiet.id
    assert {each["id"] for each in hosted.told("list")} == {hosted.playing, hosted.over.id}
    logged = json.loads(hosted.audited("--json"))
    assert [(each["act"], each["subject"]) for each in logged] == [
        ("purge", quiet.id),
        ("purge", hosted.open),
    ]


def _changed(hosted: Hosted, id: str) -> str:
    """When something last happened at a table, as its body has it."""
    engine = engine_for(hosted.url, 1)
    with writing(engine) as connection:
        body = connection.scalar(text("SELECT body FROM tables WHERE id = :id"), {"id": id})
    engine.dispose()
    return str(json.loads(body)["times"]["changed"])
