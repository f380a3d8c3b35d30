"""Settings may stand in a file: what it may say, what wins over it, and how it is refused."""

import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from strifebarge.settings import SETTINGS, Settings, WrongSetting
from tests.support.servers import LOOPBACK, ROOT, NotStarted, Site
from tests.support.settings import refusal, settings

PASSWORD = "hunter2hunter2hunter2"
NAME = "strifebarge.toml"
GUNICORN = ("-m", "gunicorn", "wsgi:app")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with nothing in it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, text: str, mode: int = 0o600, name: str = NAME) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def command(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A finished `strifebarge …` in this folder."""
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    environ |= {f"STRIFEBARGE_{name}": value for name, value in variables.items()}
    line = [sys.executable, "-m", "strifebarge.cli", *words]
    return subprocess.run(line, cwd=folder, env=environ, capture_output=True, text=True, timeout=60)


# -- what is read ----------------------------------------------------------------------------------


def test_the_file_of_the_current_folder_is_read(here: Path) -> None:
    (here / "more").mkdir()
    write(
        here,
        """
        port = 8080  # a comment
        public_url = " https://games.example.org/ "
        secure = false
        secret_keys = ["an old key of some length, with a comma", "a new key of some length"]
        games = ["more"]
        redis_url = ""
        """,
    )
    read = settings(here)
    assert (read.port, read.public_url, read.secure) == (8080, "https://games.example.org", False)
    assert read.secret_keys == ("an old key of some length, with a comma", "a new key of some length")
    assert read.games == (here / "more",)
    assert read.redis_url is None
    assert read.settings == here / NAME


def test_another_file_may_be_named(here: Path) -> None:
    write(here, "port = 1")
    elsewhere = write(here, "port = 2", name="other.toml")
    read = settings(here, SETTINGS="other.toml")
    assert (read.port, read.settings) == (2, elsewhere)


def test_there_need_not_be_a_file(here: Path) -> None:
    assert settings(here).settings is None


def test_a_variable_wins_over_the_file_and_an_option_over_both(here: Path) -> None:
    write(here, 'port = 1\nhost = "one.example"\nworkers = 5')
    environ = {"STRIFEBARGE_DATA": str(here), "STRIFEBARGE_PORT": "2", "STRIFEBARGE_HOST": "two.example"}
    read = Settings.from_environment(environ, port="3", host=None)
    assert (read.port, read.host, read.workers) == (3, "two.example", 5)


def test_what_a_variable_wins_over_has_to_be_right_too(here: Path) -> None:
    path = write(here, 'port = "81"')
    assert refusal(here, PORT="82") == f"port (line 1 of '{path}') is '81', {A_PORT}"


def test_an_empty_variable_leaves_it_to_the_file(here: Path) -> None:
    write(here, "port = 1")
    assert settings(here, PORT="").port == 1


@pytest.mark.parametrize(
    "setting", [each for each in SETTINGS if each.name != "settings"], ids=lambda it: it.name
)
def test_the_file_may_have_every_setting(here: Path, setting) -> None:
    """A value of a kind that none of them has is refused as this setting's own."""
    write(here, f"{setting.name} = 2026-01-31")
    with pytest.raises(WrongSetting, match=re.escape(f"{setting.name} (line 1 of '{here / NAME}') is ")):
        Settings.from_environment({"HOME": str(here)})


# -- what is refused -------------------------------------------------------------------------------

A_PORT = "but it must be a port from 1 to 65535, or 0 for any free one (a number, without quotes)."
LIVE = "but it must be on, off, or apart for a hub that `strifebarge hub` runs (a string, in quotes)."
LISTED = "`strifebarge settings` lists those there are."
NO_KEY = "Expected '=' after a key in a key/value pair"
WRONG = {
    "port = 99999": f"port (line 2 of %) is 99999, {A_PORT}",
    'port = "81"': f"port (line 2 of %) is '81', {A_PORT}",
    "port = true": f"port (line 2 of %) is true, {A_PORT}",
    'secure = "yes"': "secure (line 2 of %) is 'yes', but it must be true or false (without quotes).",
    "host = 1": "host (line 2 of %) is 1, but it must be an IP address, a host name, or unix:/<path> "
    "(a string, in quotes).",
    'games = "/srv"': "games (line 2 of %) is '/srv', but it must be the paths of folders "
    "(a list of strings).",
    'data = "a\\u0000b"': "data (line 2 of %) is 'a\\x00b', but it must be the path of a folder "
    "(a string, in quotes).",
    "[live]\nhub = 1": f"live (line 2 of %) is a table, {LIVE}",
    "live.hub = 1": f"live (line 2 of %) is a table, {LIVE}",
    "prot = 81": "prot (line 2 of %) is not a setting for a file: did you mean port?",
    "PORT = 81": "PORT (line 2 of %) is not a setting for a file: did you mean port?",
    '"a b" = 81': f"a b (line 2 of %) is not a setting for a file: {LISTED}",
    'settings = "/etc/x"': f"settings (line 2 of %) is not a setting for a file: {LISTED}",
    'games = ["/not/there"]': "games (line 2 of %) names '/not/there', but no folder is there.",
    'smtp_url = "smtp://host:25"': "smtp_url (line 2 of %) needs STRIFEBARGE_PUBLIC_URL, "
    "for mail has a link to the site in it.",
    'language = "fr"': "language (line 2 of %) is 'fr', but the site speaks de or en only.",
    "port 81": f"The settings file % is not TOML: {NO_KEY} (at line 2, column 6).",
    "port = 1\nport = 2": "The settings file % is not TOML: Cannot overwrite a value (at line 3, column 9).",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_with_file_line_and_what_is_allowed(here: Path, text: str) -> None:
    path = write(here, f"# settings\n{text}\n")
    with pytest.raises(WrongSetting) as error:
        Settings.from_environment({"HOME": str(here)})
    assert str(error.value) == WRONG[text].replace("%", repr(str(path)))


@pytest.mark.parametrize(
    "text",
    [
        f'secret_keys = "{PASSWORD}"',
        f'secret_keys = ["{PASSWORD}", "short"]',
        f'database_url = "mysql://me:{PASSWORD}@host/base"',
        f'redis_url = "redis://:{PASSWORD}@host:port"',
        f'push_key = "{PASSWORD}"',
    ],
)
def test_a_wrong_secret_is_not_shown(here: Path, text: str) -> None:
    write(here, text)
    sentence = refusal(here)
    assert "(line 1 of " in sentence
    assert "is a value not shown here, but it must be" in sentence
    assert PASSWORD not in sentence


def test_a_wrong_folder_for_the_data_is_told_with_its_line(here: Path) -> None:
    path = write(here, 'port = 1\ndata = "/dev/null"')
    with pytest.raises(WrongSetting) as error:
        Settings.from_environment({})
    assert str(error.value) == (
        f"data (line 2 of '{path}') is '/dev/null', but no folder can be there: File exists."
    )


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_is_read_however_an_editor_has_saved_it(here: Path, encoding: str) -> None:
    path = write(here, "")
    path.write_text('mail_from = "Zoë <zoe@example.org>"', encoding=encoding)
    (here / "data").mkdir()
    (here / "data" / "secret-keys").write_text("a-key-that-is-long-enough", encoding=encoding)
    ours = settings(here / "data")
    assert (ours.mail_from, ours.secret_keys) == ("Zoë <zoe@example.org>", ("a-key-that-is-long-enough",))


def test_a_file_that_is_not_there_or_no_text_is_told(here: Path) -> None:
    gone = here / "gone.toml"
    assert refusal(here, SETTINGS=str(gone)) == (
        f"The settings file '{gone}' cannot be read: No such file or directory."
    )
    assert refusal(here, SETTINGS="/") == "The settings file '/' cannot be read: Is a directory."
    (here / NAME).write_bytes(b'host = "\xff"')
    assert refusal(here) == f"The settings file '{here / NAME}' is not UTF-8."


def test_a_link_that_leads_nowhere_is_told_and_not_passed_over(here: Path) -> None:
    (here / NAME).symlink_to("gone.toml")
    assert refusal(here) == f"The settings file '{here / NAME}' cannot be read: No such file or directory."


# -- who may read and write it ---------------------------------------------------------------------

SECRETS = {
    f'secret_keys = ["{PASSWORD}"]': "secret_keys",
    f'port = 1\ndatabase_url = "postgresql://me:{PASSWORD}@host/base"': "database_url",
    f'redis_url = "redis://:{PASSWORD}@host:6379/0"': "redis_url",
}


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_that_all_users_may_read_is_refused(here: Path, text: str) -> None:
    path = write(here, text, 0o644)
    line = len(text.splitlines())
    assert refusal(here) == (
        f"{SECRETS[text]} (line {line} of '{path}') is secret, but all users may read the file: chmod o-r it."
    )
    path.chmod(0o640)
    assert settings(here).settings == path


def test_a_secret_that_all_users_may_read_is_refused_where_a_variable_wins_too(here: Path) -> None:
    path = write(here, f'secret_keys = ["{PASSWORD}"]', 0o644)
    assert refusal(here, SECRET_KEYS=PASSWORD[::-1]).startswith(f"secret_keys (line 1 of '{path}') is secret")


def test_what_is_no_secret_all_may_read(here: Path) -> None:
    write(here, 'database_url = "postgresql://host/base"\nport = 1', 0o644)
    assert settings(here).port == 1


def test_a_secret_in_a_variable_is_no_business_of_the_file(here: Path) -> None:
    write(here, "port = 1", 0o644)
    assert settings(here, SECRET_KEYS=PASSWORD).secret_keys == (PASSWORD,)


def test_a_file_that_all_may_write_is_refused(here: Path) -> None:
    path = write(here, "port = 1", 0o646)
    assert refusal(here) == f"All users may write to the settings file '{path}': chmod o-w it."


def test_a_file_that_another_user_has_put_here_is_refused_unless_it_is_named(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(here, "port = 1")
    other = path.stat().st_uid or 1000
    os.chown(path, other, -1)
    monkeypatch.setattr(os, "geteuid", lambda: other + 1)
    assert refusal(here).startswith(f"The settings file '{path}' belongs to another user")
    assert settings(here, SETTINGS=str(path)).port == 1


# -- who reads it ----------------------------------------------------------------------------------


def test_the_command_line_wins_and_is_named_where_it_is_wrong(here: Path) -> None:
    write(here, f'port = 1\ndata = "{here / "data"}"')
    done = command(here, "serve", "--port", "eighty", PORT="2")
    assert done.returncode == 2
    assert done.stderr == (
        "Error: --port is 'eighty', but it must be a port from 1 to 65535, or 0 for any free one.\n"
    )
    assert not (here / "data").exists()


def test_an_empty_option_is_refused_and_not_passed_over(here: Path) -> None:
    with pytest.raises(
        WrongSetting, match="--host is '', but it must be an IP address, a host name, or unix:"
    ):
        Settings.from_environment({"STRIFEBARGE_DATA": str(here)}, host="", port=None)


@pytest.mark.parametrize(
    "words",
    [["serve"], ["settings"], ["db", "upgrade"], ["backup", "x"], ["library"], ["doctor"], ["games", "list"]],
    ids=" ".join,
)
def test_every_command_reads_it(here: Path, words: list[str]) -> None:
    path = write(here, "workers = 0")
    done = command(here, *words)
    assert done.returncode == 2
    assert done.stderr == (
        f"Error: workers (line 1 of '{path}') is 0, but it must be a whole number from 1 to 64 "
        "(a number, without quotes).\n"
    )


def test_the_settings_are_listed_as_the_file_has_them(here: Path) -> None:
    path = write(here, f'port = 81\nsecret_keys = ["{PASSWORD}"]\ndata = "data"')
    done = command(here, "settings")
    assert {
        f"STRIFEBARGE_SETTINGS={path}",
        "STRIFEBARGE_PORT=81",
        f"STRIFEBARGE_DATA={here / 'data'}",
        "STRIFEBARGE_SECRET_KEYS=(hidden)",
    } <= set(done.stdout.splitlines())
    assert PASSWORD not in done.stdout + done.stderr


@pytest.mark.servers
@pytest.mark.parametrize(
    "arguments", [("-m", "strifebarge.cli", "serve"), GUNICORN], ids=["serve", "gunicorn"]
)
def test_a_site_runs_by_it(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = write(tmp_path, 'language = "de"\nport = 1  # the variable wins')
    site = Site(arguments=arguments, SETTINGS=str(path), LIVE="off")
    with site, urllib.request.urlopen(site.url) as page:
        assert '<html lang="de"' in page.read().decode()


class SiteByOptions(Site):
    """A site that is told where to listen on the command line, and by variables where it cannot."""

    def command(self) -> Sequence[str]:
        return [*super().command(), "--host", LOOPBACK, "--port", str(self.port)]

    def environment(self) -> Mapping[str, str]:
        nowhere = {"STRIFEBARGE_HOST": "192.0.2.1", "STRIFEBARGE_PORT": "1"}
        return {**super().environment(), **nowhere}


@pytest.mark.servers
def test_options_say_where_a_site_listens() -> None:
    with SiteByOptions(LIVE="off") as site:
        assert site.answers()


@pytest.mark.servers
def test_gunicorn_by_itself_is_told_of_a_wrong_file_in_a_line(tmp_path: Path) -> None:
    path = write(tmp_path, "workers = 0")
    site = Site(arguments=GUNICORN, SETTINGS=str(path))
    with (
        pytest.raises(NotStarted, match=re.escape(f"Error: workers (line 1 of '{path}') is 0")) as error,
        site,
    ):
        pass
    assert "Traceback" not in str(error.value)
