"""What monitors are told."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from strifebarge.kept_backups import name_of
from tests.web.house import OpenHouse


def test_a_probe_tells_of_a_backup_that_is_missed(open_house: OpenHouse, tmp_path: Path) -> None:
    visitor = open_house(backups=tmp_path / "kept").visitor()
    assert "degraded: no backup yet" in visitor.get("/readyz").text
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / name_of(datetime.now(UTC) - timedelta(hours=40))).write_text("")
    assert "degraded: last backup 2" in visitor.get("/readyz").text
    (tmp_path / "kept" / name_of(datetime.now(UTC))).write_text("")
    assert "backup" not in visitor.get("/readyz").text
