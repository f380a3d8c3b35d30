"""What monitors are told."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from errno import EACCES
from pathlib import Path

import pytest

from strifebarge.backup.kept import BEGINNING, name_of
from strifebarge.lib.busy import Busy
from strifebarge.store.listings import SqlLists
from tests.web.house import House, OpenHouse


def has_begun(house: House) -> House:
    """Let a house have been open for so long that a first backup would be there."""
    house.app.extensions["health"]._begun -= BEGINNING + 1
    return house


def test_a_probe_tells_of_no_backup_that_is_still_being_made(open_house: OpenHouse, tmp_path: Path) -> None:
    visitor = open_house(backups=tmp_path / "kept").visitor()
    assert visitor.get("/readyz").text == "ready\n"
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / name_of(datetime.now(UTC) - timedelta(days=9))).write_text("")
    assert visitor.get("/readyz").text == "ready\n"


def test_a_probe_tells_of_a_backup_that_is_missed(open_house: OpenHouse, tmp_path: Path) -> None:
    visitor = has_begun(open_house(backups=tmp_path / "kept")).visitor()
    assert "degraded: no backup yet" in visitor.get("/readyz").text
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / name_of(datetime.now(UTC) - timedelta(hours=40))).write_text("")
    assert "degraded: last backup 2" in visitor.get("/readyz").text
    (tmp_path / "kept" / name_of(datetime.now(UTC))).write_text("")
    assert "backup" not in visitor.get("/readyz").text


def test_a_probe_tells_of_a_folder_of_backups_that_cannot_be_read(
    open_house: OpenHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = has_begun(open_house(backups=tmp_path)).visitor()

    def refuse(folder: Path) -> Iterator[Path]:
        raise PermissionError(EACCES, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "iterdir", refuse)
    page = visitor.get("/readyz")
    assert (page.status, page.text) == (200, "ready\ndegraded: no backup yet\n")


def test_a_probe_tells_in_plain_text_that_the_database_does_not_answer_or_is_gone(
    open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = open_house()
    visitor = house.visitor()
    house.app.extensions["health"].found_file("strifebarge.db", gone=True)
    sentence = "database: its file was moved, deleted or replaced\n"
    assert [(page.status, page.text) for page in [visitor.get("/readyz")]] == [(503, sentence)]

    def fail(*_: object) -> int:
        raise Busy("no answer")

    monkeypatch.setattr(SqlLists, "waiting_for", fail)
    page = visitor.get("/readyz")
    assert (page.status, page.text) == (503, "database: no answer\n")
    assert page.headers["Content-Type"].startswith("text/plain")
    assert page.headers["Retry-After"] == "30"
