"""A backup that is made while people play, and restored in another place."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Engine, event, select

from strifebarge.cli import main
from strifebarge.store.db.engine import engine_for, reading
from strifebarge.store.schema import metadata
from tests.support.servers import Postgres, Site
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers


def run(*words: str | Path, **settings: str) -> Result:
    """A command with these settings, named without the prefix."""
    environ = {f"STRIFEBARGE_{name}": value for name, value in settings.items()}
    return CliRunner().invoke(main, list(map(str, words)), env=environ)


def seated(site: Site) -> tuple[str, list[Remote]]:
    """A game of Crazy Eights that has begun, and its players."""
    people = [Remote(site.port) for _ in range(2)]
    table = people[0].start("eights").table
    people[1].join(table)
    return table, people


def move(table: str, people: list[Remote]) -> str:
    """Make the first move that is offered; return the page after it."""
    for each in people:
        page = each.get(table)
        if page.my_turn:
            assert each.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
            return each.get(table).text
    raise AssertionError("it is nobody's turn")


def goes_on_elsewhere(site: Site, there: dict[str, str], file: Path) -> None:
    """Back a site up, play on, restore the backup with other settings, and play on from where it was made."""
    settings = dict(site.settings)
    table, people = seated(site)
    move(table, people)
    before = [each.get(table).lasting_words for each in people]
    done = run("backup", file, "--json", **settings)
    assert done.exit_code == 0, done.output
    report = msgspec.json.decode(done.stdout)
    assert (report["file"], report["replayed"], report["differ"]) == (str(file), 1, [])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    move(table, people)
    site.kill()
    site.settings |= there
    for dry in ["--dry-run"], []:
        restored = run("restore", file, *dry, **site.settings)
        assert restored.exit_code == 0, restored.output
    site.start()
    assert [
        each.get(table).lasting_words for each in people
    ] == before  # the cookies hold, and so do the keys
    move(table, people)
    again = run("restore", file, **site.settings)
    assert again.exit_code == 1
    assert "into an empty place only" in again.output


def test_a_site_goes_on_from_a_backup_in_another_folder(tmp_path: Path) -> None:
    with Site(WORKERS="1") as site:
        goes_on_elsewhere(site, {"DATA": str(tmp_path / "elsewhere")}, tmp_path / "backup.zip")
        damaged = bytearray((tmp_path / "backup.zip").read_bytes())
        damaged[len(damaged) // 2] ^= 255
        (tmp_path / "damaged.zip").write_bytes(damaged)
        for file in ("damaged.zip", "elsewhere/secret-keys"):
            refused = run("restore", tmp_path / file, DATA=str(tmp_path / "nowhere"))
            assert refused.exit_code == 1
            assert not (tmp_path / "nowhere" / "strifebarge.db").exists()
        assert not list(tmp_path.glob("*/.restore*"))


def test_a_site_on_postgresql_goes_on_from_a_backup_in_another_database(
    postgres: Postgres, tmp_path: Path
) -> None:
    names = [postgres.create(), postgres.create()]
    try:
        one, other = map(postgres.url, names)
        with Site(WORKERS="1", DATABASE_URL=one) as site:
            there = {"DATA": str(tmp_path / "elsewhere"), "DATABASE_URL": other}
            goes_on_elsewhere(site, there, tmp_path / "backup.zip")
        wrong = run("restore", tmp_path / "backup.zip", DATA=str(tmp_path / "third"))
        assert wrong.exit_code == 1
        assert "is another" in wrong.output
    finally:
        for name in names:
            postgres.drop(name)


def test_a_backup_has_its_name_only_when_it_is_whole(tmp_path: Path) -> None:
    data = tmp_path / "data"
    none = run("backup", tmp_path / "none.zip", DATA=str(data))
    assert none.exit_code == 1
    assert "There is no database yet" in none.output
    assert run("db", "upgrade", DATA=str(data)).exit_code == 0
    rows = run("backup", DATA=str(data))
    assert rows.exit_code == 0, rows.output
    assert "no game is running" in rows.output
    [file] = (data / "backups").iterdir()
    nowhere = run("backup", tmp_path / "nowhere" / "b.zip", DATA=str(data))
    assert (nowhere.exit_code, nowhere.output) == (1, f"Error: There is no folder {tmp_path / 'nowhere'}.\n")
    with ZipFile(file) as parts:
        assert sorted(parts.namelist()) == ["database", "manifest.json", "secret-keys"]
        assert parts.read("secret-keys") == (data / "secret-keys").read_bytes()
    tried = run("restore", file, "--dry-run", DATA=str(tmp_path / "there"))
    assert tried.output.startswith(str(file)), tried.output
    assert not (tmp_path / "there" / "strifebarge.db").exists()
    with closing(sqlite3.connect(data / "strifebarge.db")) as broken:
        broken.executescript(
            "PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql=replace(sql, 'NULL', 'NUL(');"
        )
    bad = run("backup", tmp_path / "bad.zip", DATA=str(data))
    assert bad.exit_code == 1
    assert "damaged" in bad.output
    assert [each.name for each in tmp_path.glob("*.zip")] == []


def rows_of(database_url: str) -> dict[str, list[str]]:
    """All rows of a database, table by table."""
    engine = engine_for(database_url, 1)
    try:
        with reading(engine) as connection:
            return {
                table.name: sorted(map(repr, connection.execute(select(table)).all()))
                for table in metadata.sorted_tables
            }
    finally:
        engine.dispose()


@pytest.mark.postgres
def test_a_site_moves_to_postgresql_and_back_and_its_games_go_on(postgres: Postgres, tmp_path: Path) -> None:
    name = postgres.create()
    try:
        with Site(WORKERS="1") as site:
            table, people = seated(site)
            move(table, people)
            before = [each.get(table).lasting_words for each in people]
            site.stop()
            first, between = f"sqlite:///{site.data}/strifebarge.db", postgres.url(name)
            last = f"sqlite:///{tmp_path}/last.db"
            for words in ("Back at six.", "--off"):
                assert run("announce", words, **site.settings).exit_code == 0
            report = rows_of(first)
            dry = run("copy", first, between, "--dry-run", "--json", **site.settings)
            assert msgspec.json.decode(dry.stdout)["rows"] == {each: len(report[each]) for each in report}
            for source, target in ((first, between), (between, last)):
                copied = run("copy", source, target, "--json", **site.settings)
                assert copied.exit_code == 0, copied.output
                names = msgspec.json.decode(copied.stdout)
                assert (names["replayed"], names["differ"]) == (1, [])
                assert rows_of(target) == report
            for database in (between, last):
                site.settings["DATABASE_URL"] = database
                site.start()
                assert [each.get(table).lasting_words for each in people] == before
                move(table, people)
                announced = run("announce", "We're back.", **site.settings)
                assert announced.exit_code == 0, announced.output
                assert "We're back." in run("audit", **site.settings).output
                site.stop()
            again = run("copy", first, between, **site.settings)
            assert again.exit_code == 1
            assert "into an empty database only" in again.output
    finally:
        postgres.drop(name)


def test_what_cannot_be_copied_is_said_in_a_sentence(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert run("db", "upgrade", DATA=str(data)).exit_code == 0
    here, there = f"sqlite:///{data}/strifebarge.db", f"sqlite:///{tmp_path}/there.db"
    for source, target, why in [
        (here, here, "into an empty database only"),
        (f"sqlite:///{tmp_path}/none.db", there, "There is no database to copy"),
        ("strifebarge.db", there, "is no address of a database"),
        ("postgresql:/somebody:a@secret@host/site", there, "'host/site' is no address of a database"),
        ("postgresql://somebody:secret@host:port/site", there, "'host:port/site' is no address"),
        ("mysql://somebody:secret@host/site", there, "is neither the address"),
        (here, "sqlite://", "is neither the address"),
    ]:
        for words in ([], ["--dry-run"]):
            refused = run("copy", source, target, *words, DATA=str(data))
            assert refused.exit_code == 1, refused.output
            assert why in refused.output
            assert "secret" not in refused.output
            assert "Traceback" not in refused.output


def add_an_x(*changes: Any) -> tuple[str, Any]:
    """Change what SQLAlchemy is about to write to the table `secrets`."""
    _, _, statement, parameters, *_ = changes
    if statement.startswith("INSERT INTO secrets"):
        statement = statement.replace("VALUES (?, ?)", "VALUES (?, ? || 'x')")
    return statement, parameters


def test_a_copy_that_came_out_otherwise_is_not_kept(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert run("db", "upgrade", DATA=str(data)).exit_code == 0
    here, there = f"sqlite:///{data}/strifebarge.db", f"sqlite:///{tmp_path}/there.db"
    with closing(sqlite3.connect(data / "strifebarge.db")) as database:
        database.execute("INSERT INTO secrets VALUES ('one', 'value')")
        database.commit()
    event.listen(Engine, "before_cursor_execute", add_an_x, retval=True)
    try:
        refused = run("copy", here, there, DATA=str(data))
    finally:
        event.remove(Engine, "before_cursor_execute", add_an_x)
    assert refused.exit_code == 1
    assert "The rows of secrets did not come out the same" in refused.output
    assert run("copy", here, there, DATA=str(data)).exit_code == 0
    assert rows_of(there) == rows_of(here)
