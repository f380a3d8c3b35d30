"""Copy a whole database into a file while it is used, and back into an empty one."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Literal

from sqlalchemy import inspect, make_url

from strifebarge.backup.archive import WrongBackup
from strifebarge.store.copies import copy_file, file_of, must_be_there
from strifebarge.store.db.address import parameters
from strifebarge.store.db.engine import engine_for
from strifebarge.store.db.private import keep_private
from strifebarge.store.migrations import upgrade

TAKES = 3600  # seconds that a program of PostgreSQL may take
A_DATABASE = "There is a database already"


# By the keyword of an address: the variable by which PostgreSQL's programs are told it.
VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
    "sslmode": "PGSSLMODE",
    "sslrootcert": "PGSSLROOTCERT",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
}


def kind_of(database_url: str) -> Literal["sqlite", "postgresql"]:
    """Return which database an address leads to."""
    return "sqlite" if make_url(database_url).get_backend_name() == "sqlite" else "postgresql"


def dump(database_url: str, file: Path) -> None:
    """Write a database as it is at one moment to a file; nobody who plays waits for it.

    Raises WrongBackup, UnfitDatabase.
    """
    source = file_of(database_url)
    if source is None:
        _run(["pg_dump", "--format=custom", "--no-owner", f"--file={file}"], database_url)
        return
    try:
        copy_file(source, file)
    except sqlite3.OperationalError as error:  # no space left, above all
        raise WrongBackup(f"The copy cannot be written to {file.parent.parent}: {error}.") from error
    must_be_sound(file)
    must_be_there(f"sqlite:///{file}", source)


def load(file: Path, database_url: str) -> None:
    """Put a database from a file that was proved into an empty place.  Raises WrongBackup."""
    url = make_url(database_url)
    if kind_of(database_url) == "postgresql":
        to = ["--dbname", parameters(database_url)["dbname"]]
        options = ["--exit-on-error", "--single-transaction", "--no-owner"]
        _run(["pg_restore", *options, *to, str(file)], database_url)
        return
    target = Path(url.database or "")
    for left in companion_files(target, "-wal", "-shm", "-journal"):
        left.unlink(missing_ok=True)  # of an empty file
    file.replace(target)
    keep_private(database_url)


def prove(file: Path, database_url: str) -> None:
    """Require a file that can be put where an address leads; one of SQLite is brought up to date.

    Raises WrongBackup, NewerDatabase.
    """
    if kind_of(database_url) == "postgresql":
        _run(["pg_restore", "--list", str(file)], database_url)
        return
    must_be_sound(file)
    upgrade(f"sqlite:///{file}")


def found_at(database_url: str) -> str:
    """Return what is at a place that has to be empty, as the beginning of a sentence; "" for nothing."""
    url = make_url(database_url)
    if kind_of(database_url) == "sqlite":
        file = Path(url.database or "")
        size = file.stat().st_size if file.exists() else 0
        for left in companion_files(file, "-wal", "-journal"):
            if left.exists() and left.stat().st_size:  # if it were opened, SQLite would delete that
                return A_DATABASE if size else f"{left} is there already, and may hold games"
        if not size:
            return ""
    engine = engine_for(database_url, 1)
    try:
        return A_DATABASE if inspect(engine).get_table_names() else ""
    finally:
        engine.dispose()


def companion_files(file: Path, *endings: str) -> list[Path]:
    """Return the paths that SQLite uses beside its file."""
    return [file.with_name(file.name + ending) for ending in endings]


def must_be_sound(file: Path) -> None:
    """Require a file of SQLite without damage.  Raises WrongBackup."""
    try:
        with closing(sqlite3.connect(file)) as copy:
            problems = [row[0] for row in copy.execute("PRAGMA integrity_check(5)")]
            broken = copy.execute("PRAGMA foreign_key_check").fetchone()
    except sqlite3.DatabaseError as error:
        problems, broken = [str(error)], None
    if problems != ["ok"] or broken:
        raise WrongBackup(f"The database is damaged: {'; '.join(problems) if problems != ['ok'] else broken}")


def _run(command: list[str], url: str) -> None:
    """Run a program of PostgreSQL on a database; its password is never on a command line."""
    program = shutil.which(command[0])
    if program is None:
        raise WrongBackup(f"{command[0]} is not installed here: it comes with PostgreSQL's client programs.")
    try:
        subprocess.run(  # noqa: S603 - a program of the host's own
            [program, *command[1:]],
            env={**os.environ, **_variables(url)},
            check=True,
            capture_output=True,
            text=True,
            timeout=TAKES,
        )
    except subprocess.CalledProcessError as error:
        raise WrongBackup(f"{command[0]} failed: {' '.join(error.stderr.split())[:500]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WrongBackup(f"{command[0]} failed: {error}") from error


def _variables(url: str) -> Mapping[str, str]:
    """Return the environment by which PostgreSQL's programs find a database (PostgreSQL manual, 34.15)."""
    result = parameters(url)
    return {variable: result[keyword] for keyword, variable in VARIABLES.items() if keyword in result}
