"""The site's start as an operator sees it: a database that is late, and a site that cannot be made."""

import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from strifebarge.app import _log_left_out
from strifebarge.tables.library.library import NotAGame
from tests.conftest import need
from tests.support.servers import ROOT, NotStarted, Postgres, Site, free_port, wait_for

BOTH_WAYS = pytest.mark.parametrize(
    "arguments",
    [("-m", "strifebarge.cli", "serve"), ("-m", "gunicorn", "wsgi:app")],
    ids=["serve", "gunicorn"],
)


class SlowSite(Site):
    """A site that is not waited for."""

    def wait_until_it_answers(self) -> None: ...


@contextmanager
def stopped_postgres() -> Iterator[Postgres]:
    """A PostgreSQL that has a port and a database, and is down."""
    with need(Postgres) as server:
        server.create()
        server.stop()
        yield server


@pytest.mark.servers
@pytest.mark.postgres
@BOTH_WAYS
def test_a_database_that_starts_later_is_waited_for(arguments: tuple[str, ...]) -> None:
    with stopped_postgres() as database:
        url = database.url("postgres")
        with SlowSite(arguments=arguments, WORKERS="1", DATABASE_URL=url) as site:
            wait_for(lambda: "The database cannot be used" in site.log(), awaited="the sentence")
            assert site.running
            database.start()
            wait_for(lambda: answers(site), 90, awaited="an answer")
            lines = [line for line in site.log().splitlines() if "database" in line]
            assert len(lines) == 1
            assert re.search(r"refused.*Trying again for 60 seconds\.$", lines[0])


def answers(site: Site) -> bool:
    assert site.running, site.log()
    try:
        return site.answers()
    except OSError:
        return False


def test_a_database_that_stays_away_ends_the_start_with_the_reason(tmp_path: Path) -> None:
    begun = monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "strifebarge.cli", "serve"],
        cwd=ROOT,
        env={
            **os.environ,
            "STRIFEBARGE_DATA": str(tmp_path),
            "STRIFEBARGE_DATABASE_URL": "postgresql://me:hunter2@127.0.0.1:1/none",
            "STRIFEBARGE_DATABASE_WAIT": "3",
            "STRIFEBARGE_PORT": "0",
        },
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert monotonic() - begun >= 2
    first, last = done.stderr.splitlines()
    assert first.endswith("Trying again for 3 seconds.")
    assert last.startswith("Error: The database cannot be used: ")
    assert "hunter2" not in done.stderr


@pytest.fixture
def broken_words(tmp_path: Path) -> Path:
    """A folder of games with one whose German words cannot be read."""
    folder = tmp_path / "games" / "spoilt"
    folder.mkdir(parents=True)
    (folder / "rules.py").write_text(
        (ROOT / "games" / "rps" / "rules.py").read_text().replace("Rps", "Spoilt")
    )
    (folder / "de.po").write_bytes(b'msgid "\xff"\n')
    return folder.parent


@pytest.mark.servers
def test_words_of_a_game_that_cannot_be_read_are_left_out_and_it_is_played_in_english(
    broken_words: Path,
) -> None:
    with Site(GAMES=str(broken_words), WORKERS="1") as site:
        page = ask(site, "/new/spoilt", {"Accept-Language": "de"})
        assert 'lang="de"' in page
        assert "left out: spoilt/de.po\n" in ask(site, "/readyz")
        assert re.search(r"spoilt/de\.po cannot be read, and is left out: UnicodeDecodeError", site.log())


def test_a_game_that_is_left_out_is_logged_unless_the_first_process_has_said_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fault = NotAGame("spoilt/rules.py cannot be read: SyntaxError")
    monkeypatch.setattr("strifebarge.tables.library.library.REPORTED", set())
    _log_left_out(fault)
    assert caplog.messages == [f"A game is left out: {fault}"]
    caplog.clear()
    monkeypatch.setattr("strifebarge.tables.library.library.REPORTED", {str(fault)})
    _log_left_out(fault)
    assert caplog.messages == []


def ask(site: Site, path: str, headers: dict[str, str] | None = None) -> str:
    with urllib.request.urlopen(urllib.request.Request(site.url + path, headers=headers or {})) as answer:
        return str(answer.read(), "utf-8")


@pytest.fixture
def spoilt_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a library fail that only a worker asks: no words of any language can be read."""
    (tmp_path / "sitecustomize.py").write_text(
        "import polib\n\n\ndef pofile(*_, **__):\n    raise OSError('spoilt')\n\n\npolib.pofile = pofile\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.mark.servers
@BOTH_WAYS
def test_a_worker_that_cannot_make_the_site_says_why_in_one_line_and_the_site_ends(
    spoilt_workers: None, arguments: tuple[str, ...]
) -> None:
    site = Site(arguments=arguments, WORKERS="1")
    site.port = free_port()  # one attempt
    with pytest.raises(NotStarted, match="ended at once") as error, site:
        pass
    message = str(error.value)
    assert "Traceback" not in message
    assert "AttributeError" not in message
    [why] = [line for line in message.splitlines() if line.startswith("Error: ")]
    assert re.match(r"Error: The site cannot start: OSError: spoilt.*\(\S+\.py:\d+\)$", why)
    assert site.process is None
