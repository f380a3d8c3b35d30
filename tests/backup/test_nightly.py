"""The backup of each day, and which of them are kept."""

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from errno import EACCES
from pathlib import Path

import pytest

from strifebarge.backup.kept import backups_in, expired_backups, name_of, newest
from strifebarge.backup.nightly import Nightly, cannot_be_used, delete_surplus
from tests.support.servers import Site, wait_for

NOON = datetime(2026, 5, 20, 12, tzinfo=UTC)


def test_of_two_years_of_nights_there_are_kept_seven_days_four_weeks_and_twelve_months() -> None:
    nights = [NOON - timedelta(days=days) for days in range(730)]
    remaining = sorted(set(nights) - set(expired_backups(nights)), reverse=True)
    assert remaining[:7] == nights[:7]
    assert len({f"{night:%Y%m}" for night in remaining}) == 12
    assert len({f"{night:%G%V}" for night in remaining[:9]}) >= 4
    assert 7 + 11 <= len(remaining) <= 7 + 4 + 12
    assert expired_backups(remaining) == []
    assert expired_backups([*remaining, remaining[0] - timedelta(minutes=1)]) == [
        remaining[0] - timedelta(minutes=1)
    ]


def test_nothing_else_in_the_folder_is_touched(tmp_path: Path) -> None:
    there = ["notes.txt", "strifebarge-20269999-000000.zip", "strifebarge-monday.zip", name_of(NOON)]
    for name in [*there, *(name_of(NOON - timedelta(hours=hours)) for hours in range(1, 9))]:
        (tmp_path / name).write_text("")
    assert newest(tmp_path) == NOON
    delete_surplus(tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(there)
    assert list(backups_in(tmp_path)) == [NOON]
    assert newest(tmp_path / "nowhere") is None


def test_one_that_fails_is_told_and_one_that_is_stopped_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in [name for name in os.environ if name.startswith("STRIFEBARGE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("STRIFEBARGE_DATA", str(tmp_path / "data"))  # where no database is
    nightly, lines = Nightly(tmp_path / "kept"), []
    assert nightly.look(NOON) is None
    wait_for(lambda: lines.append(nightly.look(NOON)) or lines[-1] is not None)
    assert lines[-1] is False
    assert "is tried again in an hour" in caplog.text
    nightly.look(NOON)
    nightly.stop()
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_folder_that_cannot_be_used_is_told_with_the_setting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "inside"):
        caplog.clear()
        assert Nightly(folder).look(NOON) is False
        assert f"STRIFEBARGE_BACKUPS is {folder}, but no backup can be made there: " in caplog.text
    assert cannot_be_used(tmp_path / "new" / "folder") == ""


def test_a_folder_that_cannot_be_read_is_told_and_gets_no_backup_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(folder: Path) -> Iterator[Path]:
        raise PermissionError(EACCES, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "iterdir", refuse)
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.R_OK)
    assert newest(tmp_path) is None
    nightly = Nightly(tmp_path)
    assert nightly.look(NOON) is False
    assert nightly.process is None
    assert "no backup can be made there: this user may not read and write there. " in caplog.text


@pytest.mark.servers
def test_a_site_makes_its_backup_by_itself(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    old = [name_of(datetime.now(UTC) - timedelta(days=1, minutes=minutes)) for minutes in (0, 1)]
    for name in old:
        (folder / name).write_text("")
    with Site(WORKERS="1", BACKUPS=str(folder)) as site:
        wait_for(lambda: len(backups_in(folder)) == 2 and not (folder / old[1]).exists())
        time.sleep(1.5)  # seconds: it looks each second, and makes no other
        assert len(backups_in(folder)) == 2
    assert "failed" not in site.log()
    assert not list(folder.glob(".*"))
