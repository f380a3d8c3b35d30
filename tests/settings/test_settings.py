"""What the site may be told from outside, and each sentence for what it may not."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import make_url

from strifebarge.server.application import gunicorn_options
from strifebarge.settings import SETTINGS, Settings, SettingValue, WrongSetting, rows
from strifebarge.store.db.address import parameters, without_pooler
from strifebarge.store.db.engine import engine_for

KEY = "a key You needn't wait any longer"
PASSWORD = "hunter2"
PROGRAM = """
import os
from strifebarge.settings import Settings
print(*Settings.from_environment(os.environ).secret_keys)
"""


def settings(folder: Path, **variables: str) -> Settings:
    """The settings of an environment in which these variables are set, named without the prefix."""
    return Settings.from_environment(environment(**{"DATA": str(folder), **variables}))


def environment(**variables: str) -> dict[str, str]:
    return {f"STRIFEBARGE_{name}": value for name, value in variables.items()}


def test_nothing_need_be_set(tmp_path):
    ours = Settings.from_environment({"HOME": str(tmp_path)})
    assert ours.data == tmp_path / ".local/share/strifebarge"
    assert ours.database_url == f"sqlite:///{ours.data}/strifebarge.db"
    assert (ours.redis_url, ours.public_url, ours.games) == (None, None, ())
    assert (ours.host, ours.port, ours.bind) == ("127.0.0.1", 5050, "127.0.0.1:5050")
    assert (ours.trusted_proxies, ours.secure, ours.language) == (0, False, "en")
    assert (ours.limit_create, ours.limit_codes) == (20, 10)


def test_an_empty_variable_counts_as_none(tmp_path):
    assert settings(tmp_path, PORT="", REDIS_URL=" ").port == 5050


def test_the_data_folder_is_xdgs_where_that_is_set(tmp_path):
    ours = Settings.from_environment({"HOME": "/nowhere", "XDG_DATA_HOME": str(tmp_path)})
    assert ours.data == tmp_path / "strifebarge"


def test_a_relative_xdg_folder_is_passed_over(tmp_path):
    ours = Settings.from_environment({"HOME": str(tmp_path), "XDG_DATA_HOME": "data"})
    assert ours.data == tmp_path / ".local/share/strifebarge"


def test_a_new_data_folder_is_its_owners_alone(tmp_path):
    folder = tmp_path / "deep" / "down"
    settings(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_data_folder_that_is_there_is_left_as_it_is(tmp_path):
    tmp_path.chmod(0o755)
    settings(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_the_key_is_made_once_and_read_by_nobody_else(tmp_path):
    first, second = settings(tmp_path), settings(tmp_path)
    (key,) = first.secret_keys
    assert len(key) >= 43  # 256 bits
    assert second.secret_keys == (key,)
    assert stat.S_IMODE((tmp_path / "secret-keys").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret-keys"]


@pytest.mark.full("a race between processes")
def test_processes_that_start_together_agree_on_the_key(tmp_path):
    environ = {**os.environ, **environment(DATA=str(tmp_path))}
    command = [sys.executable, "-c", PROGRAM]
    running = [subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    keys = {process.communicate()[0] for process in running}
    assert len(keys) == 1
    assert keys != {""}


def test_keys_rotate_by_a_line_added_to_the_file(tmp_path):
    (tmp_path / "secret-keys").write_text(f"{'old' * 10}\n{'new' * 10}\n")
    assert settings(tmp_path).secret_keys == ("old" * 10, "new" * 10)


@pytest.mark.parametrize("content", ["", "short\n", f"{'long' * 10}\nshort\n", b"\xff" * 40])
def test_a_spoilt_key_file_is_not_replaced(tmp_path, content):
    (tmp_path / "secret-keys").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(WrongSetting) as error:
        settings(tmp_path)
    assert (
        str(error.value)
        == f"'{tmp_path}/secret-keys' must hold keys of 16 characters or more, one on a line."
    )


def test_keys_from_the_environment_leave_no_file(tmp_path):
    ours = settings(tmp_path, SECRET_KEYS=f"{KEY}, {KEY} too,")
    assert ours.secret_keys == (KEY, f"{KEY} too")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgres_may_be_written_in_three_ways(tmp_path, scheme):
    ours = settings(tmp_path, DATABASE_URL=f"{scheme}://me:postgres:@host/base")
    assert ours.database_url == "postgresql+psycopg://me:postgres:@host/base"


def test_a_database_may_have_several_hosts(tmp_path):
    ours = settings(tmp_path, DATABASE_URL="postgresql://me:word@one:5432,two:5433/base?sslmode=require")
    hosts = "host=one:5432&host=two:5433&target_session_attrs=read-write"
    assert ours.database_url == f"postgresql+psycopg://me:word@/base?sslmode=require&{hosts}"
    parts = {"host": "one,two", "port": "5432,5433", "user": "me", "password": "word", "dbname": "base"}
    assert parameters(ours.database_url) == {
        **parts,
        "sslmode": "require",
        "target_session_attrs": "read-write",
    }
    [_, driver] = (engine := engine_for(ours.database_url, 1)).dialect.create_connect_args(engine.url)
    assert parts.items() <= {**driver}.items()


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        (
            "postgresql://one,two/base?target_session_attrs=any",
            {"host": "one,two", "target_session_attrs": "any"},
        ),
        ("postgresql://[::1]:5432/base", {"host": "::1", "port": "5432"}),
        ("postgresql:///base?host=/run/postgresql", {"host": "/run/postgresql"}),
        ("postgresql:///base", {}),
    ],
)
def test_addresses_are_told_as_the_library_of_postgres_takes_them(tmp_path, url, parts):
    assert parameters(settings(tmp_path, DATABASE_URL=url).database_url) == {**parts, "dbname": "base"}


def test_a_pooler_is_for_what_is_short_and_the_database_itself_for_the_rest(tmp_path):
    direct = settings(tmp_path, DATABASE_URL="postgresql://host/base")
    assert direct.unpooled_url == direct.database_url
    pooled = settings(
        tmp_path, DATABASE_URL="postgresql://here:6432/base", DATABASE_DIRECT="postgresql://host/base"
    )
    assert pooled.unpooled_url == direct.database_url
    assert without_pooler(make_url(pooled.database_url)) == (
        make_url("postgresql+psycopg://here:6432/base"),
        True,
    )
    assert without_pooler(make_url(direct.database_url)) == (make_url(direct.database_url), False)


def test_a_pooler_is_before_postgres(tmp_path):
    assert "pooler before PostgreSQL" in refusal(tmp_path, DATABASE_DIRECT="postgresql://host/base")


def test_games_are_folders(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    ours = settings(tmp_path, GAMES=f"{tmp_path}/one:{tmp_path}/two:")
    assert ours.games == (tmp_path / "one", tmp_path / "two")


def test_folders_may_be_relative_or_at_home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    assert settings(Path("here")).data == tmp_path / "here"
    assert settings(Path("~/there")).data == tmp_path / "me" / "there"


@pytest.mark.parametrize(
    ("public_url", "secure", "expected"),
    [
        ("", "", False),
        ("http://games.example.org", "", False),
        ("https://games.example.org", "", True),
        ("https://games.example.org", "false", False),
        ("", "true", True),
        ("", "1", True),
    ],
)
def test_cookies_are_secure_where_the_site_is(tmp_path, public_url, secure, expected):
    assert settings(tmp_path, PUBLIC_URL=public_url, SECURE=secure).secure is expected


@pytest.mark.parametrize(
    ("written", "known_by"),
    [
        ("https://example.org/play/", "https://example.org/play"),
        ("HTTPS://Example.ORG:443/", "https://example.org"),
        ("https://spiele-müller.example", "https://xn--spiele-mller-klb.example"),
    ],
)
def test_the_public_address_is_spelt_as_browsers_spell_it(tmp_path, written, known_by):
    assert settings(tmp_path, PUBLIC_URL=written).public_url == known_by


def test_the_sender_of_mail_has_an_address_in_ascii(tmp_path):
    assert settings(tmp_path, MAIL_FROM="Spiele <an@Müller.example>").mail_from == (
        "Spiele <an@xn--mller-kva.example>"
    )
    ours = settings(tmp_path, PUBLIC_URL="https://müller.example:8443")
    assert ours.mail_from == "strifebarge@xn--mller-kva.example"
    assert "MAIL_FROM" in refusal(tmp_path, MAIL_FROM="jürgen@example.org")


@pytest.mark.parametrize(
    ("host", "bind"),
    [
        ("0.0.0.0", "0.0.0.0:80"),
        ("games.local", "games.local:80"),
        ("::1", "[::1]:80"),
        ("unix:/run/strifebarge.sock", "unix:/run/strifebarge.sock"),
    ],
)
def test_where_to_listen(tmp_path, host, bind):
    assert settings(tmp_path, HOST=host, PORT="80").bind == bind


# What each sentence says is allowed, and values that are not.
WRONG = {
    "PORT": ("a port from 1 to 65535, or 0 for any free one", ["http", "65536", "-1", "5050.5", "9" * 99]),
    "HOST": ("an IP address, a host name, or unix:/<path>", ["a b", "unix:", "http://here"]),
    "WORKERS": ("a whole number from 1 to 64", ["0", "65", "two", "2.5"]),
    "THREADS": ("a whole number from 8 to 1000", ["7", "1001"]),
    "TRUSTED_PROXIES": ("a whole number from 0 to 10", ["-1", "all", "11"]),
    "SECURE": ("true or false", ["perhaps", "2"]),
    "LIMIT_CREATE": ("a whole number from 1 to 9999", ["0", "none"]),
    "LIMIT_CODES": ("a whole number from 1 to 9999", ["0", "10000"]),
    "LIMIT_SIGN_IN": ("a whole number from 1 to 9999", ["0", "10000"]),
    "LIMIT_IMPORT": ("a whole number from 1 to 9999", ["0", "10000"]),
    "LIMIT_STREAMS": ("a whole number from 1 to 9999", ["0", "10000"]),
    "BOTS": ("on, off, or apart for a process that `strifebarge bots` runs", ["true", "On", "1"]),
    "BOTS_PER_PERSON": ("a whole number from 1 to 9999", ["0", "-1", "many", "1.5", "10000"]),
    "LIMIT_BOTS": ("a whole number from 1 to 9999", ["0", "10000"]),
    "BOTS_PER_SITE": ("a whole number from 1 to 99999", ["0", "none", "100000"]),
    "LIVE": ("on, off, or apart for a hub that `strifebarge hub` runs", ["true", "127.0.0.1:80"]),
    "LIMIT_DEVICE": ("a whole number from 1 to 9999", ["0", "10000"]),
    "LANGUAGE": ("a code such as en or de", ["English", "e", "en_GB"]),
    "PUBLIC_URL": (
        "an address such as https://games.example.org",
        [
            *("games.example.org", "https://", "ftp://a.org", "https://a.org/?x", "https://a.org/#x"),
            *("https://me@a.org", "https://a..org", "https://a.org/ö", "https://a.org\\x"),
        ],
    ),
    "DATA": ("the path of a folder", ["~no-such-user/data"]),
}
WRONG_AND_NOT_SHOWN = {
    "DATABASE_URL": (
        "sqlite:///<path of a file> or postgresql://<user>:<password>@<host>[,<host>…]/<database>",
        [
            f"mysql://me:{PASSWORD}@host/base",
            "sqlite:///",
            "sqlite://",
            PASSWORD,
            f"postgresql://me:{PASSWORD}@one:5432,two:70000/base",
        ],
    ),
    "DATABASE_DIRECT": (
        "postgresql://<user>:<password>@<host>/<database>",
        ["sqlite:////tmp/base", f"postgresql://me:{PASSWORD}@host:0/base"],
    ),
    "REDIS_URL": (
        "redis://<host>:<port>/<number>, rediss://… or unix://<path>",
        [f"http://:{PASSWORD}@host"],
    ),
    "SECRET_KEYS": (
        "one or more keys of at least 16 characters, with ',' between",
        [PASSWORD, f"{KEY},{PASSWORD}", ","],
    ),
}


def refusal(folder: Path, **variables: str) -> str:
    """The sentence that these settings are refused with."""
    with pytest.raises(WrongSetting) as error:
        settings(folder, **variables)
    return str(error.value)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name][1]])
def test_a_wrong_value_is_told_with_what_is_allowed(tmp_path, name, value):
    sentence = refusal(tmp_path, **{name: value})
    assert sentence == f"STRIFEBARGE_{name} is {value!r}, but it must be {WRONG[name][0]}."


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, (_, values) in WRONG_AND_NOT_SHOWN.items() for value in values],
)
def test_a_wrong_secret_is_told_without_its_value(tmp_path, name, value):
    allowed = WRONG_AND_NOT_SHOWN[name][0]
    sentence = refusal(tmp_path, **{name: value})
    assert sentence == f"STRIFEBARGE_{name} is a value not shown here, but it must be {allowed}."


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("PROT", "did you mean STRIFEBARGE_PORT?"),
        ("port", "did you mean STRIFEBARGE_PORT?"),
        ("DATABASE", "did you mean STRIFEBARGE_DATABASE_URL?"),
        ("SECRET_KEY", "did you mean STRIFEBARGE_SECRET_KEYS?"),
        ("PAINT", "`strifebarge settings` lists those there are."),
    ],
)
def test_an_unknown_variable_is_refused(tmp_path, name, hint):
    assert refusal(tmp_path, **{name: "x"}) == f"STRIFEBARGE_{name} is not a setting: {hint}"


@pytest.mark.parametrize(("path", "why"), [("/dev/null/x", "Not a directory"), ("/dev/null", "File exists")])
def test_a_data_folder_that_cannot_be_is_told(path, why):
    assert refusal(Path(path)) == f"STRIFEBARGE_DATA is '{path}', but no folder can be there: {why}."


def test_a_folder_of_games_must_be_there(tmp_path):
    gone = tmp_path / "gone"
    sentence = refusal(tmp_path, GAMES=f"{tmp_path}:{gone}")
    assert sentence == f"STRIFEBARGE_GAMES names '{gone}', but no folder is there."


def test_a_folder_that_may_not_be_written_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    sentence = refusal(tmp_path)
    assert sentence == f"STRIFEBARGE_DATA is '{tmp_path}', but this user may not write in that folder."


def test_without_a_home_the_folder_must_be_named(monkeypatch):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(WrongSetting) as error:
        Settings.from_environment({})
    assert str(error.value) == "STRIFEBARGE_DATA is not set, and there is no home folder for the data."


def test_variables_of_the_tests_and_of_others_are_no_business_of_ours(tmp_path):
    others = {"STRIFEBARGE_TEST_REQUIRE": "all", "PORT": "80", "STRIFE": "1"}
    assert Settings.from_environment({**environment(DATA=str(tmp_path)), **others}).port == 5050


SECRETS = {
    "SECRET_KEYS": f"{KEY}, {PASSWORD * 3}",
    "DATABASE_URL": f"postgresql://me:{PASSWORD}/@{PASSWORD}@host/base?password={PASSWORD}",
    "REDIS_URL": f"redis://:{PASSWORD}@host:6379/0",
}


def test_no_secret_is_ever_shown(tmp_path):
    environ = environment(DATA=str(tmp_path), **SECRETS)
    shown = {row.variable.removeprefix("STRIFEBARGE_"): row.value for row in rows(environ)}
    assert shown["SECRET_KEYS"] == "(hidden)"
    assert shown["DATABASE_URL"] == "postgresql+psycopg://(hidden)@host/base?(hidden)"
    assert shown["REDIS_URL"] == "redis://(hidden)@host:6379/0"
    text = repr(Settings.from_environment(environ))
    assert PASSWORD not in text
    assert KEY not in text


def test_showing_the_settings_makes_nothing(tmp_path):
    folder = tmp_path / "not-yet"
    shown = {row.variable: row for row in rows(environment(DATA=str(folder), SECURE="true"))}
    assert not folder.exists()
    assert list(shown) == [setting.variable for setting in SETTINGS]
    assert shown["STRIFEBARGE_SECURE"].value == "true"
    assert shown["STRIFEBARGE_PORT"].value == shown["STRIFEBARGE_PORT"].default == "5050"
    assert shown["STRIFEBARGE_DATABASE_URL"].default == "sqlite:///<DATA>/strifebarge.db"
    assert all(row.description.endswith(".") for row in shown.values())


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_default_is_itself_allowed(setting):
    if setting.fallback not in (msgspec.NODEFAULT, None, "", ()):
        assert setting.parse(SettingValue(setting.default, setting.variable)) == setting.fallback


def test_threads_are_for_pages_and_all_of_them_are_gunicorns(tmp_path):
    [threads] = [each for each in SETTINGS if each.name == "threads"]
    assert "stream" not in threads.meta.description  # the hub has those
    assert threads.meta.ge is not None
    assert threads.meta.le is not None
    for number in (threads.meta.ge, threads.meta.le):
        assert gunicorn_options(settings(tmp_path, THREADS=str(number)))["threads"] == number


def test_settings_do_not_change(tmp_path):
    with pytest.raises(AttributeError):
        settings(tmp_path).port = 80


def test_gunicorn_is_told_what_is_set(tmp_path):
    from gunicorn.config import Config
    from gunicorn.workers.gthread import ThreadWorker

    config = Config()
    for name, value in gunicorn_options(settings(tmp_path, WORKERS="3", THREADS="30", PORT="81")).items():
        config.set(name, value)
    assert (config.address, config.workers, config.threads) == ([("127.0.0.1", 81)], 3, 30)
    assert issubclass(config.worker_class, ThreadWorker)
    assert config.control_socket_disable
    assert not config.forwarded_allow_ips
    assert not config.secure_scheme_headers
