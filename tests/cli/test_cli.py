"""The strifebarge command, from outside."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from io import BytesIO
from zipfile import ZipFile

import click
import pytest
from click.testing import CliRunner, Result

from strifebarge.backup.archive import Manifest, digest_of, write_archive
from strifebarge.cli import main
from strifebarge.lib.busy import Busy, DiskFull
from strifebarge.results.record import written
from strifebarge.settings import SETTINGS, Settings
from strifebarge.store.db.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import Store
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.player import Player, public_id
from strifebarge.tables.play.turn import FormToken
from tests.store.apart import thrown
from tests.support import forms
from tests.support.databases import add_migration
from tests.support.servers import ROOT, NotStarted, Site, gone, wait_for
from tests.support.visitor import Remote


def strifebarge(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A finished `strifebarge …` with these settings, named without the prefix."""
    environ = {**os.environ, **{f"STRIFEBARGE_{name}": value for name, value in variables.items()}}
    command = [sys.executable, "-m", "strifebarge.cli", *words]
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60)


def run_here(*words: str, **variables: str) -> Result:
    """The same for commands that only work on a database: a process of its own takes a second to start."""
    environ = {f"STRIFEBARGE_{name}": value for name, value in variables.items()}
    return CliRunner().invoke(main, words, env=environ)


@pytest.mark.parametrize("command", [["serve"], ["settings"], ["db", "upgrade"]])
def test_a_wrong_setting_is_one_line_and_exit_code_2(tmp_path, command):
    done = strifebarge(*command, DATA=str(tmp_path / "data"), PORT="eighty")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("Error: STRIFEBARGE_PORT is 'eighty', but it must be ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("setting", [{"BOTS": "off"}, {"READ_ONLY": "true"}], ids=["off", "read-only"])
def test_no_bots_are_played_on_a_site_that_has_none(tmp_path, setting):
    done = run_here("bots", DATA=str(tmp_path / "data"), **setting)
    assert done.exit_code == 1
    assert "This site has no bots" in done.output


def test_the_settings_are_listed_with_their_values_and_what_they_are_for(tmp_path):
    done = strifebarge("settings", DATA=str(tmp_path), SECRET_KEYS="a very long secret", PORT="81")
    lines = done.stdout.splitlines()
    assert "STRIFEBARGE_PORT=81" in lines
    assert "STRIFEBARGE_SECRET_KEYS=(hidden)" in lines
    assert [line.partition("=")[0] for line in lines if line[0] != " "] == [
        each.variable for each in SETTINGS
    ]
    words = " ".join(done.stdout.split())
    assert all(f"{each.meta.description} Default: {each.default}." in words for each in SETTINGS)


def test_an_address_already_taken_is_one_line(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = strifebarge("serve", DATA=str(tmp_path), PORT=port)
    assert done.returncode == 2
    assert done.stderr == (
        f"Error: Cannot listen at 127.0.0.1:{port}: Address already in use."
        "  STRIFEBARGE_HOST and STRIFEBARGE_PORT name another address.\n"
    )


def test_a_second_server_of_a_data_folder_is_refused_by_the_process_that_serves(tmp_path):
    holds = "import sys, time, pathlib; from strifebarge.settings.folder import serve_alone; "
    holds += "print(serve_alone(pathlib.Path(sys.argv[1])), flush=True); time.sleep(600)"
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout.readline() == "None\n"
        done = strifebarge("serve", DATA=str(tmp_path), PORT="0")
        assert (done.returncode, done.stderr) == (
            2,
            f"Error: Process {first.pid} serves the site in '{tmp_path}' already."
            "  STRIFEBARGE_DATA names another folder.\n",
        )
        first.kill()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = strifebarge("serve", DATA=str(tmp_path), PORT=str(taken.getsockname()[1]))
    assert "Cannot listen" in done.stderr


@pytest.mark.parametrize("command", [["serve"], ["db", "upgrade"]])
def test_a_database_out_of_reach_is_one_sentence(tmp_path, command):
    url = "postgresql://me:hunter2@127.0.0.1:1/none"
    done = strifebarge(*command, DATA=str(tmp_path), DATABASE_URL=url, PORT="0", DATABASE_WAIT="0")
    assert done.returncode == 1
    assert done.stderr.startswith("Error: The database cannot be used: ")
    assert "hunter2" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.servers
@pytest.mark.parametrize("arguments", [("-m", "strifebarge.cli", "serve"), ("-m", "gunicorn", "wsgi:app")])
def test_the_site_starts_stops_and_starts_again(arguments):
    with Site(arguments=arguments, WORKERS="3") as site:
        wait_for(lambda: len(site.workers()) == 3, awaited="three workers")
        before, where = site.workers(), site.url
        site.restart()
        assert site.url == where
        assert all(map(gone, before))
        assert site.data.stat().st_mode & 0o777 == 0o700


@pytest.mark.servers
def test_the_address_is_told_once_even_when_a_worker_is_replaced():
    with Site(WORKERS="2") as site:
        wait_for(lambda: len(site.workers()) == 2, awaited="two workers")
        wait_for(lambda: "StrifeBarge is at" in site.log(), awaited="the address")
        first = site.workers()[0]
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: len(site.workers()) == 2 and first not in site.workers(), awaited="a new worker")
        wait_for(site.answers, awaited="an answer")
        assert site.log().count(f"StrifeBarge is at {site.url}/ ") == 1


@pytest.mark.servers
@pytest.mark.parametrize("style", ["plain", "json"])
def test_a_link_to_the_hosts_page_is_told_once_and_opens_it_in_one_browser(style):
    with Site(WORKERS="2", LOG=style) as site:
        wait_for(lambda: "/host/open?link=" in site.log(), awaited="the link")
        [link] = set(re.findall(r"/host/open\?link=[\w-]+", site.log()))
        if style == "json":
            events = [json.loads(line)["event"] for line in site.log().splitlines() if line.startswith("{")]
            assert events[:2] == ["started", "host_link"]
        host, other = Remote(site.port), Remote(site.port)
        form = host.get(link)
        assert host.submit(form, "/host/open").status == 303
        assert (host.get("/host").status, other.get("/host").status) == (200, 404)
        assert other.submit(form, "/host/open").status == 404
        assert link not in host.get("/host").text


@pytest.mark.servers
def test_killing_the_site_leaves_no_worker_behind():
    with Site() as site:
        workers = site.workers()
        site.kill()
        wait_for(lambda: all(map(gone, workers)), awaited="the end of the workers")
        assert site.start().answers()


@pytest.mark.servers
def test_gunicorn_by_itself_is_told_of_a_wrong_setting_in_a_line():
    site = Site(arguments=("-m", "gunicorn", "wsgi:app"), WORKERS="none")
    with pytest.raises(NotStarted, match="Error: STRIFEBARGE_WORKERS is 'none'") as error, site:
        pass
    assert "Traceback" not in str(error.value)


# -- a database that is not there, or of another version ----------------------------------------

TRIED = [
    ["readonly", "on"],
    ["announce", "hello"],
    ["games", "suspend", "7KQ4FDM2"],
    ["games", "rewind", "7KQ4FDM2", "0"],
    ["games", "purge"],
    ["people", "ban", "ann", "--reason", "spam"],
    ["people", "erase", "ann"],
]
READING = [
    ["games", "list"],
    ["games", "faults"],
    ["people", "find", ""],
    ["people", "export", "ann"],
    ["reports", "list"],
    ["audit"],
    ["export"],
    *([*words, "--dry-run"] for words in TRIED),
]
WRITING = [
    *TRIED,
    ["tick"],
    ["notify"],
    ["ratings", "rebuild"],
    ["reports", "strike", "7KQ4FDM2/1"],
    ["host-link"],
    ["check", "--adopt"],
    ["import", __file__],
]


def version_of(file):
    with closing(sqlite3.connect(file)) as plain:
        return plain.execute("SELECT version_num FROM alembic_version").fetchone()[0]


@pytest.mark.parametrize("words", [*READING, *WRITING, ["check"], ["backup"]], ids=" ".join)
def test_a_command_for_a_site_makes_none_where_there_is_none(tmp_path, words):
    done = run_here(*words, DATA=str(tmp_path / "data"))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"Error: There is no database yet: {tmp_path}/data/strifebarge.db\n"
    assert list(tmp_path.iterdir()) == []


def test_a_file_without_tables_is_no_site(tmp_path):
    file = tmp_path / "strifebarge.db"
    file.touch()
    for words in ("games", "list"), ("announce", "hi"), ("check",), ("backup",):
        done = run_here(*words, DATA=str(tmp_path))
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr == f"Error: There is no database yet: {file} has no tables of a site\n"


def test_a_database_of_postgresql_without_tables_is_no_site(tmp_path, postgres_url):
    for words in ("games", "list"), ("announce", "hi"):
        done = run_here(*words, DATA=str(tmp_path), DATABASE_URL=postgres_url)
        assert (done.exit_code, done.stdout) == (1, "")
        assert re.fullmatch(r"Error: There is no database yet: \w+ has no tables of a site\n", done.stderr)


def test_what_reads_or_only_tries_leaves_an_older_database_as_it_is(tmp_path, migrated, monkeypatch):
    file = tmp_path / "strifebarge.db"
    shutil.copy(migrated, file)
    before = version_of(file)
    newest = add_migration(monkeypatch, tmp_path)
    for words in READING:
        done = run_here(*words, DATA=str(tmp_path))
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1), words
        assert done.stderr.startswith("Error: The database is of an older version: make a backup"), words
        assert version_of(file) == before, words
    assert run_here("announce", "hi", DATA=str(tmp_path)).exit_code == 0
    assert version_of(file) == newest
    assert run_here("announce", "hi", "--dry-run", DATA=str(tmp_path)).exit_code == 0


def test_a_file_that_is_no_database_is_one_sentence(tmp_path):
    file, new = tmp_path / "strifebarge.db", tmp_path / "new.db"
    file.write_text("no database, but words enough to be taken for the first page of one" * 9)
    copy = ["copy", f"sqlite:///{file}", f"sqlite:///{new}"]
    for words in ["backup"], ["check"], copy, [*copy, "--dry-run"]:
        done = run_here(*words, DATA=str(tmp_path))
        sentence = f"Error: The database {file} cannot be read: file is not a database.\n"
        assert (done.exit_code, done.stdout, done.stderr) == (1, "", sentence), words
    for words in ["games", "list"], ["announce", "hi"], ["copy", f"sqlite:///{new}", f"sqlite:///{file}"]:
        done = run_here(*words, DATA=str(tmp_path))
        sentence = "Error: The database cannot be used: file is not a database\n"
        assert (done.exit_code, done.stdout, done.stderr) == (1, "", sentence), words


def test_what_cannot_be_written_is_one_sentence(tmp_path, migrated):
    shutil.copy(migrated, tmp_path)
    for words, what in (
        (["backup", "/proc/b.zip"], "/proc/b.zip"),
        (["new-game", "heap", "--in", "/proc/x"], "/proc/x"),
    ):
        done = run_here(*words, DATA=str(tmp_path))
        sentence = f"Error: Cannot write {what}: No such file or directory.\n"
        assert (done.exit_code, done.stdout, done.stderr) == (1, "", sentence)


# -- backups ---------------------------------------------------------------------------------


@pytest.fixture
def backed_up(tmp_path, migrated):
    """A backup of an empty site, and the settings of a place where it can be restored."""
    (tmp_path / "here").mkdir()
    shutil.copy(migrated, tmp_path / "here")
    done = run_here("backup", str(tmp_path / "one.zip"), DATA=str(tmp_path / "here"))
    assert done.exit_code == 0, done.output
    (tmp_path / "there").mkdir()
    return tmp_path / "one.zip", tmp_path / "there"


def tried_and_done(file, there, **settings):
    """What a restore says, which is the same where it is only tried."""
    tried, done = (
        run_here("restore", str(file), *dry, DATA=str(there), **settings) for dry in (["--dry-run"], [])
    )
    assert (tried.exit_code, tried.stdout, tried.stderr) == (done.exit_code, done.stdout, done.stderr)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    return done.stderr


def test_a_restore_is_tried_and_puts_nothing_there(backed_up):
    file, there = backed_up
    tried = run_here("restore", str(file), "--dry-run", DATA=str(there))
    assert (tried.exit_code, tried.stdout.count("which can be restored here.")) == (0, 1)
    assert not list(there.glob("*.db"))
    assert run_here("restore", str(file), DATA=str(there)).exit_code == 0
    assert "There is a database already" in tried_and_done(file, there)


def database_in(content):
    """Where the packed database begins in a backup."""
    part = ZipFile(BytesIO(content)).getinfo("database")
    return part.header_offset + 30 + len(part.filename)


@pytest.mark.parametrize(
    ("where", "byte"),
    [
        (lambda content: len(content) // 2, 0),
        (database_in, 7),  # a kind of block that there is not
        (lambda content: content.rindex(b"PK\1\2") + 8, 1),  # said to be encrypted
        (lambda content: content.rindex(b"PK\1\2") + 10, 99),  # and packed by a method that nobody knows
    ],
)
def test_a_damaged_backup_is_refused_also_where_a_restore_is_only_tried(backed_up, where, byte):
    file, there = backed_up
    damaged = bytearray(file.read_bytes())
    at = where(bytes(damaged))
    damaged[at] = byte if damaged[at] != byte else 255
    file.write_bytes(damaged)
    assert "one.zip is damaged: " in tried_and_done(file, there)
    assert not list(there.glob("*.db"))


def test_a_backup_of_a_newer_version_is_refused_before_it_is_put_there(tmp_path, migrated):
    (tmp_path / "there").mkdir()
    shutil.copy(migrated, tmp_path / "database")
    with closing(sqlite3.connect(tmp_path / "database")) as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
        newer.commit()
    manifest = Manifest("sqlite", 1.0, "99", digest_of(tmp_path / "database"), 0)
    write_archive(tmp_path / "newer.zip", manifest, tmp_path / "database", ["k" * 16])
    assert "The database is of a newer StrifeBarge" in tried_and_done(
        tmp_path / "newer.zip", tmp_path / "there"
    )
    assert not list((tmp_path / "there").glob("*.db"))


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
@pytest.mark.parametrize("empty", [True, False], ids=["an empty file", "no file"])
def test_a_place_where_games_may_be_left_is_not_empty(backed_up, ending, empty):
    file, there = backed_up
    left, database = there / f"strifebarge.db{ending}", there / "strifebarge.db"
    left.write_text("games")
    if empty:
        database.touch()
    assert f"{left} is there already, and may hold games: " in tried_and_done(file, there)
    source = f"sqlite:///{there.parent}/here/strifebarge.db"
    copied = run_here("copy", source, f"sqlite:///{database}", DATA=str(there))
    assert (copied.exit_code, f"{left} is there already" in copied.stderr) == (1, True)
    assert left.read_text() == "games"
    assert database.exists() == empty
    left.write_text("")
    assert run_here("restore", str(file), DATA=str(there)).exit_code == 0


def test_keys_that_the_settings_name_must_be_among_those_of_a_backup(backed_up):
    file, there = backed_up
    output = tried_and_done(file, there, SECRET_KEYS="quite another key")
    assert output.startswith("Error: STRIFEBARGE_SECRET_KEYS lacks keys of that site")
    assert list(there.iterdir()) == []
    [key] = (there.parent / "here" / "secret-keys").read_text().split()
    restored = run_here("restore", str(file), DATA=str(there), SECRET_KEYS=f"{key},quite another key")
    assert restored.exit_code == 0, restored.output
    assert [each.name for each in there.iterdir()] == ["strifebarge.db"]


# -- the books -------------------------------------------------------------------------


def test_notifications_are_sent_by_a_command(tmp_path, migrated):
    shutil.copy(migrated, tmp_path)
    sent = run_here("notify", DATA=str(tmp_path))
    assert (sent.exit_code, sent.output) == (0, "")
    assert "notify" in run_here("--help").output


@pytest.fixture
def recorded(tmp_path):
    """A game's file, and the settings of an empty site."""
    settings = Settings(data=tmp_path, secret_keys=("a key for tests alone",))
    upgrade(settings.database_url)
    engine = engine_for(settings.database_url, 1)
    referee = forms.a_referee(Store(engine), Library())
    table = thrown(referee, [Player("ann"), Player("bob")], afterwards="rated")
    file = tmp_path / "game.json"
    file.write_bytes(written(forms.results(referee).record(table.id)))
    engine.dispose()
    return file, {"DATA": str(tmp_path)}


def test_a_game_is_replayed_and_brought_here_from_its_file(recorded):
    file, where = recorded
    done = strifebarge("replay", str(file), **where)
    held, *not_proved = done.stdout.splitlines()
    assert re.fullmatch(r"rps: 2 moves, the same to the last: [0-9a-f]{32}", held), done.stderr
    assert not_proved[0].startswith("The site alone says who played")
    done = strifebarge("import", str(file), **where)
    assert re.fullmatch(r"The game is at /r/[0-9a-f]{16}\n", done.stdout), done.stderr


@pytest.mark.parametrize("command", ["replay", "import"])
def test_a_file_that_does_not_hold_is_one_sentence_and_exit_code_1(recorded, command):
    file, where = recorded
    file.write_text(file.read_text().replace('"rock"', '"paper"'))
    done = strifebarge(command, str(file), **where)
    assert done.returncode == 1
    assert done.stderr == "Error: The position after move 2 differs from the record.\n"


@pytest.mark.parametrize("content", ["", "\n \n\n\n"])
def test_an_import_of_nothing_is_one_sentence_and_exit_code_1(recorded, content):
    file, where = recorded
    file.write_text(content)
    done = run_here("import", str(file), **where)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "Error: The file is empty: there is no game in it.\n"


def test_ratings_made_anew_are_the_same_and_those_that_were_spoilt_are_mended(recorded):
    _, where = recorded
    assert strifebarge("ratings", "rebuild", **where).stdout == "rps: 2 people rated, 0 changed.\n"
    with sqlite3.connect(f"{where['DATA']}/strifebarge.db") as plain:
        plain.execute("UPDATE ratings SET mu = 99 WHERE player = 'ann'")
    plain.close()
    assert run_here("ratings", "rebuild", **where).stdout == "rps: 2 people rated, 1 changed.\n"
    assert run_here("ratings", "rebuild", **where).stdout == "rps: 2 people rated, 0 changed.\n"


# -- what was reported -------------------------------------------------------------------


def test_what_was_reported_is_listed_struck_out_or_let_stand(tmp_path):
    settings = Settings(data=tmp_path, secret_keys=("a key for tests alone",))
    upgrade(settings.database_url)
    engine = engine_for(settings.database_url, 1)
    store = Store(engine)
    referee, where = forms.a_referee(store, Library()), {"DATA": str(tmp_path)}
    table = thrown(referee, [Player("ann", "Ann"), Player("bob", "Bob")])
    reports = (("ann", "go away", ""), ("bob", "", "luck"), ("ann", "hm", ""))
    for number, (who, words, phrase) in enumerate(reports):
        slip = [FormToken(f"{number}{kind}-a-key-for-this-form") for kind in ("said", "told")]
        forms.say(referee, Player(who, who.title()), table.id, words, phrase, slip[0])
        forms.report(referee, "bob", table.id, number + 1, slip[1])
    listed = strifebarge("reports", "list", **where).stdout.splitlines()
    id = table.id
    ann, bob = public_id("ann"), public_id("bob")
    assert listed == [
        f"{id}/1  {ann}  Ann: go away",
        f"{id}/2  {bob}  Bob: Good luck.",
        f"{id}/3  {ann}  Ann: hm",
    ]
    typed = f"{id[:4]}-{id[4:]}".lower()
    assert run_here("reports", "strike", f"{typed}/1", **where).exit_code == 0
    assert run_here("reports", "dismiss", f"{typed}/2", **where).exit_code == 0
    assert run_here("reports", "list", **where).stdout == f"{id}/3  {ann}  Ann: hm\n"
    lines = store.tables.lines(table.id)
    assert [(line.text, line.deleted) for line in lines] == [("", True), ("", False), ("hm", False)]
    for how, line in (
        ("strike", f"{id}/1"),
        ("dismiss", f"{id}/x"),
        ("strike", "00000000/1"),
        ("strike", ""),
    ):
        done = run_here("reports", how, line, **where)
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert done.stderr.startswith(f"Error: There is no reported message “{line}”: ")
    engine.dispose()


@pytest.mark.parametrize(
    ("raised", "sentence"),
    [
        (DiskFull("full"), "The database's disk is full. Make room on it, and run the command again."),
        (Busy("locked"), "The database does not answer in time (locked). Run the command again."),
    ],
)
def test_a_database_that_takes_nothing_for_now_is_one_sentence(monkeypatch, raised, sentence):
    @click.command()
    def write() -> None:
        raise raised

    monkeypatch.setitem(main.commands, "write", write)
    done = run_here("write")
    assert (done.exit_code, done.output) == (1, f"Error: {sentence}\n")


def test_a_list_without_anything_says_so(tmp_path, migrated):
    shutil.copy(migrated, tmp_path)
    for words in (
        ("reports", "list"),
        ("games", "list"),
        ("games", "faults"),
        ("audit",),
        ("people", "find", ""),
    ):
        done = run_here(*words, DATA=str(tmp_path))
        assert (done.exit_code, done.stdout, done.stderr) == (0, "", "There are none.\n"), words


def test_a_new_game_needs_a_name_that_no_game_has(tmp_path):
    done = run_here("new-game", "chess", "--in", str(tmp_path / "games"), DATA=str(tmp_path))
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "Error: There is a game “chess” already: choose another name.\n"
    assert not (tmp_path / "games").exists()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("7up", "“7up” cannot be a folder of Python: letters, digits and _ only, a letter first."),
        ("class", "“class” is a word of Python itself: choose another name."),
    ],
)
def test_a_new_game_needs_a_name_that_can_be_imported(tmp_path, name, why):
    done = run_here("new-game", name, "--in", str(tmp_path / "games"), DATA=str(tmp_path))
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"Error: {why}\n")


def test_a_new_game_says_what_has_it_on_the_site(tmp_path):
    done = strifebarge("new-game", "Merry Stones", "--in", str(tmp_path / "my games"))
    assert done.returncode == 0, done.stderr
    home = tmp_path / "my games" / "merry_stones"
    command = f"STRIFEBARGE_GAMES='{tmp_path / 'my games'}' strifebarge serve"
    assert done.stdout == f"{home} is a working game.  To serve it: {command}\n"
    listed = strifebarge(
        "new-game", "more", "--in", str(tmp_path / "my games"), GAMES=str(tmp_path / "my games")
    )
    assert listed.stdout.endswith(" is a working game.  `make run` or `strifebarge serve` serves it.\n")
