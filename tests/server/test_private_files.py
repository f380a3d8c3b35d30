"""What the site keeps on the disk is for its owner alone, also in a folder that was there before."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from strifebarge.store.migrations import upgrade
from tests.support.servers import ROOT, Site
from tests.support.visitor import Remote


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that everybody may look into."""
    there = tmp_path / "data"
    there.mkdir()
    there.chmod(0o755)
    return there


@pytest.mark.servers
def test_the_files_of_a_site_are_its_owners_alone_in_a_folder_that_was_there(folder: Path) -> None:
    with Site(DATA=str(folder), WORKERS="1") as site:
        Remote(site.port).start("rps")
        file_modes = modes(folder)
        assert {
            "strifebarge.db",
            "strifebarge.db-wal",
            "strifebarge.db-shm",
            "secret-keys",
        } <= file_modes.keys()
        assert {name: oct(mode) for name, mode in file_modes.items()} == dict.fromkeys(file_modes, "0o600")


def test_a_database_from_before_that_others_could_read_is_closed_to_them(folder: Path) -> None:
    file = folder / "strifebarge.db"
    with sqlite3.connect(file) as before:
        before.execute("PRAGMA journal_mode = WAL")
        before.execute("CREATE TABLE kept (words TEXT)")
        before.commit()
        for each in folder.iterdir():
            each.chmod(0o644)
        subprocess.run(
            [sys.executable, "-m", "strifebarge.cli", "db", "upgrade"],
            cwd=ROOT,
            env={**os.environ, "STRIFEBARGE_DATA": str(folder)},
            check=True,
            timeout=60,
        )
        assert set(modes(folder).values()) == {0o600}
    before.close()


def test_a_database_elsewhere_is_closed_to_others_too(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        upgrade(f"sqlite:///{tmp_path / 'elsewhere.db'}")
    finally:
        os.umask(before)
    assert modes(tmp_path) == {"elsewhere.db": 0o600}
