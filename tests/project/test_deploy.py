"""The files in deploy/ use what there is, let the site do little, and are explained to hosts."""

import configparser
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from strifebarge.cli import main
from strifebarge.settings import SETTINGS, read
from tests.conftest import need
from tests.support.installed import install
from tests.support.servers import ROOT, Site, find_program
from tests.support.visitor import Remote

DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
UNITS = ["strifebarge.service", "strifebarge-backup.service"]
COMPOSED = ["compose.yaml", "compose.two.yaml"]
EXPOSURE = 2.0  # as systemd-analyze counts it, of 10
WITHIN = {
    "NAME": "games.example.org",
    "FIRST": "10.0.0.1",
    "SECOND": "10.0.0.2",
    "DATABASE_PASSWORD": "adatabasepassword",
    "REDIS_PASSWORD": "aredispassword",
    "SECRET_KEYS": "a key of some length",
}


def text(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def files() -> list[str]:
    return sorted(path.name for path in DEPLOY.iterdir())


@pytest.mark.parametrize("name", files())
def test_each_file_is_explained_to_hosts(name: str) -> None:
    assert f"(../deploy/{name})" in PAGE


@pytest.mark.parametrize("name", files())
def test_each_setting_that_a_file_names_is_one(name: str) -> None:
    named = set(re.findall(r"STRIFEBARGE_[A-Z_]+", text(name)))
    assert named <= {each.variable for each in SETTINGS}


# -- systemd -----------------------------------------------------------------------------------------


class Unit(configparser.RawConfigParser):
    """A file of systemd: a key may stand there several times."""

    def __init__(self, name: str):
        super().__init__(strict=False, delimiters=("=",), comment_prefixes=("#",))
        self.optionxform = str  # type: ignore[assignment,method-assign]
        self.read_string(text(name))
        self.text = text(name)

    def all(self, key: str) -> list[str]:
        return re.findall(rf"^{key}=(.*)$", self.text, re.MULTILINE)

    @property
    def variables(self) -> dict[str, str]:
        return dict(each.split("=", 1) for each in self.all("Environment"))


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_runs_a_command_that_there_is_with_settings_that_can_be(tmp_path: Path, name: str) -> None:
    unit = Unit(name)
    [line] = unit.all("ExecStart")
    program, command, *others = shlex.split(line)
    assert program == "/opt/strifebarge/bin/strifebarge"
    assert command in main.commands
    assert not others
    (tmp_path / "strifebarge.toml").write_text("")
    read({**unit.variables, "STRIFEBARGE_SETTINGS": str(tmp_path / "strifebarge.toml")})


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_may_write_in_its_own_folders_alone(name: str) -> None:
    unit = Unit(name)
    folders = {f"/var/lib/{each}" for each in unit["Service"]["StateDirectory"].split()}
    assert unit["Service"]["ProtectSystem"] == "strict"
    assert not unit.all("ReadWritePaths")
    named = {unit.variables.get(f"STRIFEBARGE_{each}") for each in ("DATA", "BACKUPS")} - {None}
    assert named == folders
    assert unit["Service"]["User"] not in ("", "root")


def test_both_units_are_held_alike() -> None:
    site, backup = (Unit(name).text.partition("UMask=")[2].partition("\n\n[Install]")[0] for name in UNITS)
    assert site.strip() == backup.strip() != ""


def test_the_page_shows_the_unit_as_it_is() -> None:
    assert f"```ini\n{text('strifebarge.service')}```" in PAGE


def test_commands_beside_the_unit_are_shown_with_its_user_settings_and_program() -> None:
    unit = Unit("strifebarge.service")
    shown = re.findall(r"^# (sudo -u .*strifebarge (?:settings|doctor))$", PAGE, re.MULTILINE)
    assert len(shown) == 2
    program = shlex.split(unit.all("ExecStart")[0])[0]
    variables = [f"{name}={value}" for name, value in unit.variables.items()]
    for line in shown:
        assert shlex.split(line)[:-1] == ["sudo", "-u", unit["Service"]["User"], "env", *variables, program]


@pytest.mark.parametrize("command", ["hub", "bots"])
def test_the_units_of_helpers_have_the_settings_of_the_site(command: str) -> None:
    [block] = [
        each for each in re.findall(r"```systemd\n(.*?)```", PAGE, re.DOTALL) if f"{command}.service" in each
    ]
    lines = {f"Environment={name}={value}" for name, value in Unit("strifebarge.service").variables.items()}
    assert lines <= set(block.splitlines())


def test_a_backup_is_made_each_night() -> None:
    timer = Unit("strifebarge-backup.timer")
    assert re.fullmatch(r"\*-\*-\* \d\d:\d\d:00", timer["Timer"]["OnCalendar"])
    assert (DEPLOY / "strifebarge-backup.service").is_file()  # which it starts by its name


@pytest.mark.full("asks systemd")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_a_unit_little_exposed(name: str) -> None:
    analyze = need(lambda: find_program("systemd-analyze", package="systemd"))
    command = [analyze, "security", "--offline=yes", "--no-pager", str(DEPLOY / name)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    [level] = re.findall(r"Overall exposure level for .*?: (\d+\.\d+)", done.stdout)
    assert float(level) < EXPOSURE, done.stdout


# -- containers --------------------------------------------------------------------------------------


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, with lines that go on put together."""
    whole = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", text("Containerfile"), flags=re.MULTILINE))
    lines = [line.partition(" ") for line in whole.splitlines() if line.strip()]
    return [(name, rest.strip()) for name, _, rest in lines]


def those(name: str) -> list[str]:
    return [rest for each, rest in instructions() if each == name]


def copied() -> list[str]:
    """The files and folders of a clone that are copied into the container."""
    return [name for each in those("COPY") if not each.startswith("--from") for name in each.split()[:-1]]


def test_the_container_has_a_slim_base_and_no_root() -> None:
    assert those("ARG") == ["PYTHON_IMAGE=docker.io/library/python:3.13-slim"]
    assert {each.split()[0] for each in those("FROM")} == {"${PYTHON_IMAGE}"}
    [user] = those("USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    order = [name for name, _ in instructions()]
    assert order.index("USER") > max(nth for nth, name in enumerate(order) if name in ("RUN", "COPY"))


def test_the_container_is_built_of_what_there_is_with_pinned_libraries() -> None:
    names = copied()
    assert all((ROOT / name).exists() for name in names)
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert set(names) == let_in
    tools, libraries, package, _, installed = those("RUN")[0].split(" && ")
    assert "--only-binary :all: --require-hashes -r requirements-build.txt" in tools
    assert "--require-hashes" in libraries
    for wheels in (libraries, package):
        assert "--no-build-isolation --no-deps" in wheels
    assert "--no-deps --no-index" in installed


def test_the_container_runs_the_site_and_asks_it_whether_it_is_ready(tmp_path: Path) -> None:
    [health], [entry], [command] = those("HEALTHCHECK"), those("ENTRYPOINT"), those("CMD")
    assert "/readyz" in health
    [program], [word] = yaml.safe_load(entry), yaml.safe_load(command)
    assert program.startswith("/opt/strifebarge/bin/")
    assert word in main.commands
    [variables] = those("ENV")
    settings = read(dict(each.split("=", 1) for each in shlex.split(variables)))
    assert str(settings.data) in yaml.safe_load(those("VOLUME")[0])
    assert f"127.0.0.1:{settings.port}/readyz" in health
    assert those("EXPOSE") == [str(settings.port)]


class Contained(Site):
    """The site of the container, outside of one: from what is copied into it, by its own command."""

    def __init__(self, program: Path):
        super().__init__()
        self.program = program

    def command(self) -> Sequence[str]:
        return [str(self.program), *yaml.safe_load(those("CMD")[0])]


@pytest.mark.full("installs a wheel and starts the site")
def test_what_is_copied_into_the_container_is_a_site_and_its_health_is_told(tmp_path: Path) -> None:
    """An image needs a base from a registry; all that ours adds to it is tried here."""
    source = tmp_path / "source"
    source.mkdir()
    for name in copied():
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    program = install(tmp_path / "built", source)
    assert program.name == Path(yaml.safe_load(those("ENTRYPOINT")[0])[0]).name
    with Contained(program) as site:
        [_, option, asking] = yaml.safe_load(those("HEALTHCHECK")[0].partition(" CMD ")[2])
        ask = [sys.executable, option, asking.replace(":5050/", f":{site.port}/")]
        assert str(site.port) in ask[2]
        assert subprocess.run(ask, capture_output=True, timeout=60, check=False).returncode == 0
        assert "/new/rps" in Remote(site.port).get("/").text
    assert subprocess.run(ask, capture_output=True, timeout=60, check=False).returncode == 1


def test_the_page_builds_and_runs_the_container_as_it_is() -> None:
    assert "podman build -f deploy/Containerfile -t strifebarge ." in text("Containerfile")
    assert "$ podman build -f deploy/Containerfile -t strifebarge .\n" in PAGE
    [run] = re.findall(r"^\$ podman run (.*)$", PAGE, re.MULTILINE)
    [volumes], [port] = map(yaml.safe_load, those("VOLUME")), those("EXPOSE")
    assert {"--read-only", "--cap-drop all"} <= set(re.findall(r"--read-only|--cap-drop all", run))
    assert re.findall(r"-v \w+:(\S+)", run)[0] in volumes
    assert re.findall(r"-p 127\.0\.0\.1:\d+:(\d+)", run) == [port]
    assert " and ".join(f"`{each}`" for each in volumes) in PAGE
    [entry] = yaml.safe_load(those("ENTRYPOINT")[0])
    assert f"podman exec CONTAINER {entry}\n" in PAGE


def composed(name: str) -> dict[str, Any]:
    """What a file for compose says with the variables of its .env, and tags where it names no image."""
    filled = re.sub(r"\$\{[A-Z]+_IMAGE:-([^}]*)\}", r"\1", text(name))
    filled = re.sub(r"\$\{([A-Z_]+)(?::\?[^}]*)?\}", lambda match: WITHIN[match[1]], filled)
    return yaml.safe_load(filled)


def sites(name: str) -> list[dict[str, Any]]:
    return [each for each in composed(name)["services"].values() if each["image"] == "strifebarge"]


@pytest.mark.parametrize("name", COMPOSED)
def test_a_host_can_pin_each_image_of_others(name: str) -> None:
    images = set(re.findall(r"(?:image|PYTHON_IMAGE): (.*)", text(name))) - {"strifebarge"}
    assert images
    for image in images:
        variable = re.sub(r"\$\{([A-Z]+_IMAGE):-.+\}", r"`\1`", image)
        assert variable in PAGE
    for site in sites(name):
        assert [f"PYTHON_IMAGE={site['build']['args']['PYTHON_IMAGE']}"] == those("ARG")


@pytest.mark.parametrize("name", COMPOSED)
def test_a_composed_site_has_settings_that_can_be_and_may_write_in_volumes_alone(name: str) -> None:
    assert sites(name)
    for site in sites(name):
        settings = read({**site["environment"], "STRIFEBARGE_DATA": "/data"})
        assert settings.secure
        assert settings.trusted_proxies == 1
        assert site["read_only"] is True
        assert site["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in site["security_opt"]
        volumes = {each.split(":")[1] for each in site["volumes"]}
        assert {str(each) for each in (settings.data, settings.backups) if each} == volumes
        assert (DEPLOY / site["build"]["context"] / site["build"]["dockerfile"]).is_file()


@pytest.mark.parametrize("name", COMPOSED)
def test_only_the_proxy_is_open_to_all_and_leads_to_every_site(name: str) -> None:
    services = composed(name)["services"]
    for called, each in services.items():
        for port in each.get("ports", []):
            assert called == "proxy" or port.startswith((WITHIN["FIRST"], WITHIN["SECOND"])), port
    led = services["proxy"]["environment"]["SITES"].split()
    assert len(led) == len(sites(name))
    assert all(each.endswith(":5050") for each in led)
    for volume in services["proxy"]["volumes"]:
        path = volume.split(":")[0]
        assert not path.startswith(".") or (DEPLOY / path).is_file()


def test_two_machines_share_database_redis_and_keys() -> None:
    first, second = sites("compose.two.yaml")
    assert first["environment"] == second["environment"]
    assert first["profiles"] != second["profiles"]
    settings = read({**first["environment"], "STRIFEBARGE_DATA": "/data"})
    assert settings.database_url.startswith("postgresql")
    assert settings.redis_url
    assert settings.secret_keys


def test_no_secret_has_a_value_in_a_file() -> None:
    assert not re.findall(r"(PASSWORD|SECRET_KEYS): (?!\$\{)", "".join(map(text, COMPOSED)))


def test_the_proxy_does_what_the_page_says() -> None:
    """With nothing more than where the site is, and that one which is away is passed over."""
    [shown] = re.findall(r"^```caddy\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    ours = re.sub(r"^#.*\n", "", text("Caddyfile"), flags=re.MULTILINE)
    ours = re.sub(r"\t\t(health_|lb_).*\n", "", ours)
    assert ours.replace("{$NAME}", "games.example.org").replace("{$SITES}", "127.0.0.1:5050") == shown


@pytest.mark.full("asks Caddy")
def test_caddy_takes_the_file(tmp_path: Path) -> None:
    caddy = need(lambda: find_program("caddy", package="caddy"))
    shutil.copy(DEPLOY / "Caddyfile", tmp_path)
    done = subprocess.run(
        [caddy, "adapt", "--config", str(tmp_path / "Caddyfile"), "--adapter", "caddyfile"],
        env={"NAME": "games.example.org", "SITES": "first-site:5050 10.0.0.2:5050", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "10.0.0.2:5050" in done.stdout
