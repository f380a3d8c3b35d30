"""Settings that the site could not run with are refused at the start, in one sentence."""

from pathlib import Path

import pytest

from tests.support.settings import refusal, settings

IMPOSSIBLE = {
    "REDIS_URL": [
        "redis://host:port/0",
        "redis://host:99999/0",
        "rediss://:pass@host:0",
        "redis://[::1:6379",
    ],
    "DATABASE_URL": ["postgresql://me@host:port/base", "postgres://me:pass@host:70000", "sqlite:///:memory:"],
    "PUBLIC_URL": [
        "http://example.org:99999",
        "http://example.org:port/x",
        "http://[example",
        "http://a:b:c",
    ],
    "SMTP_URL": ["smtp://host:port", "smtps://me:pass@host:99999"],
    "METRICS": ["127.0.0.1:65536", "[::1]:99999"],
    "PUSH_KEY": ["A" * 43, "_" * 43],
}
CONTRADICTORY = {
    "LANGUAGE": [{"LANGUAGE": "fr"}, {"LANGUAGE": "zz-ZZ"}],
    "SMTP_URL": [{"SMTP_URL": "smtp://host:25"}],
    "SECURE": [{"SECURE": "true", "PUBLIC_URL": "http://games.example.org"}],
}
FINE = [
    {"LANGUAGE": "de"},
    {"LANGUAGE": "de-AT"},
    {"LANGUAGE": "en-GB"},
    {"SECURE": "true", "PUBLIC_URL": "http://localhost:5050"},
    {"REDIS_URL": "redis://:p:a/ss@host:6379/0"},
    {"REDIS_URL": "unix:///run/redis.sock"},
    {"REDIS_URL": "rediss://[::1]/0"},
    {"DATABASE_URL": "postgresql://me:postgres:@host/base"},
    {"DATABASE_URL": "postgresql:///base?host=/run/postgresql"},
    {"DATABASE_URL": "sqlite:////srv/a@b:c/strifebarge.db"},
    {"SMTP_URL": "smtp://me:p%40ss@host:587", "PUBLIC_URL": "https://[2001:db8::1]:8443"},
]


@pytest.mark.parametrize(
    ("name", "value"), [(name, each) for name in IMPOSSIBLE for each in IMPOSSIBLE[name]]
)
def test_a_value_that_cannot_be_is_refused_with_what_it_must_be(
    tmp_path: Path, name: str, value: str
) -> None:
    sentence = refusal(tmp_path, **{"PUBLIC_URL": "http://example.org", name: value})
    assert sentence.startswith(f"STRIFEBARGE_{name} is ")
    assert ", but it must be " in sentence
    assert "pass" not in sentence.replace("<password>", "")


@pytest.mark.parametrize(
    ("name", "given"), [(name, each) for name in CONTRADICTORY for each in CONTRADICTORY[name]]
)
def test_a_setting_that_does_not_go_with_the_rest_is_refused(
    tmp_path: Path, name: str, given: dict[str, str]
) -> None:
    sentence = refusal(tmp_path, **given)
    assert sentence.startswith(f"STRIFEBARGE_{name} ")
    assert sentence.endswith(".")


def test_a_language_the_site_does_not_have_is_refused_with_those_it_has(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, LANGUAGE="fr")
    assert sentence == "STRIFEBARGE_LANGUAGE is 'fr', but the site speaks de or en only."


@pytest.mark.parametrize("given", FINE, ids=str)
def test_what_can_be_is_let_in(tmp_path: Path, given: dict[str, str]) -> None:
    assert settings(tmp_path, **given).data == tmp_path


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o757])
def test_a_data_folder_that_all_may_write_in_is_refused(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(mode)
    assert refusal(folder) == (
        f"STRIFEBARGE_DATA is '{folder}', but all users may write in that folder: chmod o-w it."
    )
    assert not (folder / "secret-keys").exists()
