"""`strifebarge doctor`: each thing that the site needs is tried, and told in one plain sentence."""

import json
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPMessage
from pathlib import Path
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server
from zipfile import ZipFile

import msgspec
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink
from click.testing import CliRunner

from strifebarge.backup.kept import name_of
from strifebarge.cli import checks as doctor
from strifebarge.cli import main
from strifebarge.cli.checks import CHECKS, FORGED, CheckFailed, NotConfigured
from strifebarge.live.address import listening
from strifebarge.settings import Settings
from strifebarge.store.migrations import upgrade
from tests.support.databases import add_migration
from tests.support.servers import LOOPBACK, free_port
from tests.web.house import OpenHouse

SECRET = "hunter2"
PUBLIC = "https://games.example.org"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The settings of a site with a database that is up to date."""
    read = Settings(data=tmp_path, secret_keys=("a key for tests alone",))
    upgrade(read.database_url)
    return read


def changed(settings: Settings, **fields: Any) -> Settings:
    return msgspec.structs.replace(settings, **fields)


def wrong(check: str, settings: Settings) -> str:
    """What a check finds wrong."""
    with pytest.raises(CheckFailed) as error:
        CHECKS[check](settings)
    return str(error.value)


def off(check: str, settings: Settings) -> str:
    with pytest.raises(NotConfigured) as error:
        CHECKS[check](settings)
    return str(error.value)


class Silent(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None: ...


@contextmanager
def served(app: Any) -> Iterator[int]:
    """Serve an application in a thread; its port."""
    with make_server(LOOPBACK, 0, app, handler_class=Silent) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


# -- the command -------------------------------------------------------------------------


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs the command with these checks alone."""
    monkeypatch.setenv("STRIFEBARGE_DATA", str(settings.data))

    def command(*arguments: str, **checks: Any) -> Any:
        monkeypatch.setattr(doctor, "CHECKS", checks)
        return CliRunner().invoke(main, ["doctor", *arguments])

    return command


def raising(error: Exception) -> Callable[[Settings], str]:
    def check(_settings: Settings) -> str:
        raise error

    return check


def test_each_check_is_a_line_and_the_exit_code_tells_whether_anything_is_wrong(run: Any) -> None:
    fine = run(one=lambda _: "It is there.", other=raising(NotConfigured("It is not wanted.")))
    assert fine.output.splitlines() == ["ok     one: It is there.", "-      other: It is not wanted."]
    assert fine.exit_code == 0
    amiss = run(one=raising(CheckFailed("It is away.")), other=lambda _: "It is there.")
    assert amiss.output.splitlines() == ["WRONG  one: It is away.", "ok     other: It is there."]
    assert amiss.exit_code == 1


def test_it_prints_json_too(run: Any) -> None:
    report = run("--json", one=raising(CheckFailed("It is away.")), other=lambda _: "It is there.")
    assert report.exit_code == 1
    assert json.loads(report.output) == [
        {"check": "one", "state": "wrong", "sentence": "It is away."},
        {"check": "other", "state": "ok", "sentence": "It is there."},
    ]


def test_a_check_that_fails_itself_does_not_keep_the_others(run: Any) -> None:
    report = run(one=raising(ZeroDivisionError("of\nthings")), other=lambda _: "It is there.")
    assert report.output.splitlines()[0] == "WRONG  one: This cannot be checked: of things"
    assert report.output.splitlines()[1] == "ok     other: It is there."


def test_all_checks_of_a_site_that_is_not_running_are_sentences_without_secrets(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "PATIENCE", 0.5)
    down = f"{LOOPBACK}:{free_port()}"
    site = changed(
        settings,
        port=free_port(),
        public_url=f"http://{down}",
        smtp_url=f"smtp://ann:{SECRET}@{down}",
        redis_url=f"redis://:{SECRET}@{down}/0",
        backups=settings.data / "backups",
    )
    by_check = {each.check: each for each in doctor.examine(site)}
    assert by_check.keys() == CHECKS.keys()
    states = {name: each.state for name, each in by_check.items() if name != "time"}  # the machine's own
    assert {name for name, state in states.items() if state == "ok"} == {"database", "disk", "push"}
    assert {state for state in states.values()} == {"ok", "wrong"}
    for each in by_check.values():
        assert re.fullmatch(r"\S[^\n]*\S", each.sentence)
        assert SECRET not in each.sentence


# -- what each check finds ------------------------------------------------------------------


def test_a_database_that_is_missing_or_older_is_told(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert CHECKS["database"](settings).startswith("SQLite answers, is up to date and can be written to")
    missing = changed(settings, database_url=f"sqlite:///{tmp_path}/none.db")
    assert wrong("database", missing).endswith("`strifebarge serve` makes it.")
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "empty.db").touch()
    empty = changed(settings, database_url=f"sqlite:///{tmp_path}/empty.db")
    assert wrong("database", empty).endswith("has no tables of a site.  `strifebarge serve` makes it.")
    add_migration(monkeypatch, tmp_path)
    assert wrong("database", settings).endswith("run `strifebarge db upgrade`.")


def test_a_disk_that_is_nearly_full_is_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "has room" in CHECKS["disk"](settings)
    monkeypatch.setattr(doctor, "LEAST_FREE", 2**62)
    assert "is nearly full" in wrong("disk", settings)
    monkeypatch.setattr(doctor, "LEAST_FREE", 0)
    monkeypatch.setattr(doctor, "takes_no_more", lambda _folder: True)
    assert "is nearly full" in wrong("disk", settings)


@pytest.mark.parametrize(("answer", "sound"), [(0, True), (5, False)])
def test_a_clock_that_follows_no_other_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, answer: int, sound: bool
) -> None:
    class Library:
        def adjtimex(self, _buffer: Any) -> int:
            return answer

    monkeypatch.setattr("ctypes.CDLL", lambda _name: Library())
    if sound:
        assert CHECKS["time"](settings) == "The machine's clock is synchronized."
    else:
        assert "is not synchronized" in wrong("time", settings)


def test_the_hub_is_tried(settings: Settings) -> None:
    assert "Is the site running?" in wrong("hub", settings)
    with listening(settings.data):
        assert CHECKS["hub"](settings) == "The hub answers."
    assert "STRIFEBARGE_LIVE" in off("hub", changed(settings, live="off"))


def test_the_site_is_asked_whether_it_is_ready_and_what_is_amiss(
    open_house: OpenHouse, settings: Settings
) -> None:
    house = open_house(live="off")
    with served(house.app) as port:
        site = changed(settings, port=port)
        assert CHECKS["site"](site) == f"The site is ready at {LOOPBACK}:{port}."
        house.referee.library.left_out["spoilt"] = "it cannot be read"
        assert wrong("site", site) == "The site is ready, but: left out: spoilt."
        house.app.extensions["health"].found_disk_full()
        assert wrong("site", site) == "The site is not ready: disk full."
    assert "does not answer" in wrong("site", site)


def test_the_public_address_must_lead_here_by_a_proxy_that_overwrites_headers(
    open_house: OpenHouse, settings: Settings
) -> None:
    def at(app: Any) -> Callable[[], str]:
        with served(app) as port:
            site = changed(settings, public_url=f"http://{LOOPBACK}:{port}")
            try:
                return CHECKS["address"](site)
            except CheckFailed as found:
                return str(found)

    def something_else(_environ: Any, start: Any) -> list[bytes]:
        start("200 OK", [("Content-Length", "0")])
        return []

    assert at(open_house().app).endswith("leads here, and the proxy's headers are right.")
    assert "something else" in at(something_else)
    assert "as it came from outside" in at(open_house(trusted_proxies=1).app)
    assert "PUBLIC_URL is not set" in off("address", settings)
    assert "cannot be reached" in wrong("address", changed(settings, public_url=f"http://{LOOPBACK}:1"))


def test_a_site_that_is_not_told_of_https_is_found_out(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = HTTPMessage()
    headers["X-Request-ID"] = "another-than-was-sent"
    monkeypatch.setattr(doctor, "headers_at", lambda _url: headers)
    site = changed(settings, public_url=PUBLIC)
    assert "STRIFEBARGE_TRUSTED_PROXIES" in wrong("address", site)
    headers["Strict-Transport-Security"] = "max-age=31536000"
    assert CHECKS["address"](site).startswith(PUBLIC)
    headers.replace_header("X-Request-ID", FORGED)
    assert "overwrite" in wrong("address", site)


def test_mail_is_tried_and_nothing_is_sent(settings: Settings) -> None:
    class Refusing(Sink):  # type: ignore[misc]  # it has no types
        async def handle_MAIL(self, *_: Any) -> str:
            raise AssertionError("a mail was sent")

    running = Controller(Refusing(), hostname=LOOPBACK, port=free_port())
    running.start()
    try:
        site = changed(settings, public_url=PUBLIC, smtp_url=f"smtp://{LOOPBACK}:{running.port}")
        assert CHECKS["mail"](site).startswith("The mail server answers; mail comes from strifebarge@")
    finally:
        running.stop()
    assert wrong("mail", site).startswith("The mail server cannot be used: ")
    assert "nobody can be told by email" in off("mail", settings)


def test_the_key_for_push_services_signs(settings: Settings) -> None:
    site = changed(settings, public_url=PUBLIC)
    assert CHECKS["push"](site) == "The key for push services signs."
    assert "cannot be used" in wrong("push", changed(site, push_key="A" * 43))
    assert "PUBLIC_URL" in off("push", settings)


def test_redis_is_tried(settings: Settings) -> None:
    assert off("redis", settings) == "There is no Redis: each worker counts limits by itself."
    with socket.socket() as taken:
        taken.bind((LOOPBACK, 0))  # where nobody listens
        url = f"redis://{LOOPBACK}:{taken.getsockname()[1]}/0"
        assert "Redis" in wrong("redis", changed(settings, redis_url=url))


def test_the_newest_backup_is_read(settings: Settings, tmp_path: Path) -> None:
    assert "STRIFEBARGE_BACKUPS" in off("backups", settings)
    site = changed(settings, backups=tmp_path / "kept")
    assert "no backup" in wrong("backups", site)
    (tmp_path / "kept").mkdir()
    for hours in (2, 40):
        moment = datetime.now(UTC) - timedelta(hours=hours)
        for file in (tmp_path / "kept").iterdir():
            file.unlink()
        file = tmp_path / "kept" / name_of(moment)
        file.write_bytes(b"spoilt")
        assert "cannot be read" in wrong("backups", site)
        result = CliRunner().invoke(
            main, ["backup", str(tmp_path / "made.zip")], env={"STRIFEBARGE_DATA": str(tmp_path)}
        )
        assert result.exit_code == 0, result.output
        (tmp_path / "made.zip").rename(file)
        assert ZipFile(file).namelist()
        if hours == 2:
            assert CHECKS["backups"](site) == "The newest backup is 2 hours old and can be read."
        else:
            assert "is 40 hours old" in wrong("backups", site)
