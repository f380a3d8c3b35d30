"""What is handed out: the wheel is whole, and the pinned requirements are those of pyproject.toml."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LITTER = {"__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache"}


def run(*words: str) -> str:
    """What a Python module prints when run here, without the network or anybody's configuration."""
    settings_prefixes = ("UV_", "PIP_")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(settings_prefixes)}
    environ |= {
        "UV_OFFLINE": "1",
        "UV_NO_CONFIG": "1",
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_PYTHON": sys.executable,
    }
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as a file."""
    folder = tmp_path_factory.mktemp("wheel")
    run("hatchling", "build", "--target", "wheel", "--directory", str(folder))
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def wheel(built: Path) -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(built) as opened:
        yield opened


def sources(package: str) -> set[str]:
    """The files of a package as they lie here, named as the wheel names them."""
    files = (path.relative_to(ROOT) for path in (ROOT / package).rglob("*") if path.is_file())
    return {
        path.as_posix() for path in files if not LITTER.intersection(path.parts) and path.suffix != ".pyc"
    }


def test_the_wheel_holds_every_file_of_both_packages_in_one(wheel):
    inside = {f"strifebarge/{name}" for name in sources("games")}
    assert inside
    names = {name for name in wheel.namelist() if name.startswith("strifebarge/")}
    assert names == sources("strifebarge") | inside


@pytest.mark.parametrize(
    "needed",
    [
        "strifebarge/cli/__main__.py",
        "strifebarge/templates/*.html",
        "strifebarge/static/*.css",
        "strifebarge/static/*.js",
        "strifebarge/games/*/rules.py",
        "strifebarge/games/*/board.html",
        "strifebarge/games/*/about.md",
        "strifebarge/games/startups/cards.toml",
        "strifebarge-*.dist-info/licenses/LICENSE",
    ],
)
def test_the_wheel_holds_what_is_no_python_too(wheel, needed):
    assert [name for name in wheel.namelist() if Path(name).match(needed)]


def test_the_wheel_holds_nothing_else(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert tops == {"strifebarge", "strifebarge-0.1.0.dist-info"}


def test_the_wheel_brings_the_command(wheel):
    scripts = wheel.read("strifebarge-0.1.0.dist-info/entry_points.txt").decode()
    assert "strifebarge = strifebarge.cli:main" in scripts


# -- another package called games ------------------------------------------------------

OURS = sorted(path.parent.name for path in (ROOT / "games").glob("*/rules.py"))
FOREIGN = "raise SystemExit('a package of others was imported')\n"
METADATA = "Metadata-Version: 2.1\nName: games\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: by-hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a package of others that is called games too."""
    path = tmp_path_factory.mktemp("foreign") / "games-1.0-py3-none-any.whl"
    files = {
        "games/__init__.py": FOREIGN,
        "games/chess/__init__.py": FOREIGN,
        "games/chess/rules.py": FOREIGN,
        "games-1.0.dist-info/METADATA": METADATA,
        "games-1.0.dist-info/WHEEL": WHEEL,
    }
    record = "".join(f"{name},,\n" for name in [*files, "games-1.0.dist-info/RECORD"])
    with zipfile.ZipFile(path, "w") as written:
        for name, text in {**files, "games-1.0.dist-info/RECORD": record}.items():
            written.writestr(name, text)
    return path


def install(wheel: Path, folder: Path) -> None:
    run("pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder), str(wheel))


def installed_python(folder: Path, workplace: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What Python does in a workplace, which it looks at first, then with the packages of a folder."""
    environ = {**os.environ, "PYTHONPATH": str(folder), "STRIFEBARGE_DATA": str(workplace / "data")}
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=workplace, env=environ, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.full("installs wheels")
@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_another_package_called_games_neither_replaces_nor_breaks_ours(tmp_path, built, foreign, first):
    folder = tmp_path / "installed"
    for each in (built, foreign) if first == "ours" else (foreign, built):
        install(each, folder)
    assert (folder / "games" / "__init__.py").read_text() == FOREIGN
    done = installed_python(folder, tmp_path, "-m", "strifebarge.cli", "library")
    assert done.returncode == 0, done.stderr
    listed = [line.split() for line in done.stdout.splitlines()]
    assert sorted(words[0] for words in listed) == OURS
    assert {Path(words[-1]).parent for words in listed} == {folder / "strifebarge" / "games"}


@pytest.mark.full("installs wheels")
def test_a_folder_called_games_where_the_site_is_started_is_not_read(tmp_path, built):
    folder, workplace = tmp_path / "installed", tmp_path / "workplace"
    (workplace / "games" / "chess").mkdir(parents=True)
    (workplace / "games" / "__init__.py").write_text(FOREIGN)
    (workplace / "games" / "chess" / "rules.py").write_text(FOREIGN)
    install(built, folder)
    done = installed_python(folder, workplace, "-m", "strifebarge.cli", "library")
    assert done.returncode == 0, done.stderr
    assert sorted(line.split()[0] for line in done.stdout.splitlines()) == OURS


def test_a_process_that_has_imported_another_games_says_which(tmp_path):
    other = tmp_path / "games" / "__init__.py"
    other.parent.mkdir()
    other.touch()
    done = installed_python(tmp_path, tmp_path, "-c", "import games, strifebarge.tables.library.library")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"strifebarge.lib.shipped.OtherGames: The package games of {other} was imported in place of "
        f"StrifeBarge's, which is {ROOT / 'games' / '__init__.py'}: "
        "only one of them can be used in one process."
    )


# -- a release -------------------------------------------------------------------------

RELEASE = [sys.executable, str(ROOT / ".ci" / "release.py")]
LIBRARIES = sysconfig.get_path("purelib")  # of the environment that the tests run in


def try_wheel(wheel: Path) -> subprocess.CompletedProcess[str]:
    command = [*RELEASE, "try", str(wheel), "--packages", LIBRARIES]
    return subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)


@pytest.mark.full("installs a wheel and starts the site")
def test_the_wheel_runs_where_nothing_else_is(built):
    done = try_wheel(built)
    assert (done.returncode, done.stdout) == (0, f"{built.name} runs: ready\n"), done.stderr


@pytest.mark.full("installs a wheel and starts the site")
def test_a_wheel_that_does_not_run_is_no_release(tmp_path, built):
    spoilt = tmp_path / built.name
    with zipfile.ZipFile(built) as whole, zipfile.ZipFile(spoilt, "w") as less:
        for name in whole.namelist():
            if name != "strifebarge/games/__init__.py":
                less.writestr(name, whole.read(name))
    done = try_wheel(spoilt)
    assert done.returncode == 1
    assert "StrifeBarge is not whole" in done.stderr
    assert "The site has ended with code 1." in done.stderr


def test_a_release_has_both_archives_the_bill_and_sums():
    head, _, recipe = (
        (ROOT / "Makefile").read_text().partition("\nrelease: ")[2].partition("\n\n")[0].partition("\n")
    )
    assert "wheel" in head.partition("##")[0].split()
    for part in ("--target sdist", "release.py try dist/", "sha256sum"):
        assert part in recipe


# -- what is locked --------------------------------------------------------------------


def test_the_lock_file_is_that_of_pyproject():
    run("uv", "lock", "--check", "--no-cache")


@pytest.mark.parametrize(
    ("path", "groups"),
    [
        ("requirements-build.txt", ["--only-group", "build"]),
        ("requirements.txt", ["--no-default-groups", "--all-extras"]),
        ("requirements-dev.txt", ["--all-extras"]),
    ],
)
def test_the_requirements_are_those_of_the_lock_file(path, groups):
    """Remade by `make lock`."""
    options = ["--frozen", "--format", "requirements-txt", "--no-emit-project", *groups]
    assert pins((ROOT / path).read_text()) == pins(run("uv", "export", "--quiet", *options))


def pins(text: str) -> list[str]:
    """The lines that count: the first comment tells the command, which names a file or does not."""
    return [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def test_everything_locked_comes_from_the_one_public_index():
    """Not from a folder, a mirror or a repository that only the machine it was locked on can reach."""
    packages = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    sources = {next(iter(package["source"].items())) for package in packages}
    (registry,) = sources - {("editable", ".")}
    assert registry[0] == "registry"
    files = [
        each["url"]
        for package in packages
        for each in [*package.get("wheels", []), package.get("sdist")]
        if each
    ]
    assert len({url.split("/packages/")[0] for url in files}) == 1


def test_every_requirement_has_a_hash():
    for path in ("requirements-build.txt", "requirements.txt", "requirements-dev.txt"):
        entries = "\n".join(pins((ROOT / path).read_text())).replace("\\\n", " ").splitlines()
        assert entries
        assert all("--hash=sha256:" in entry for entry in entries)


# -- the bill of materials -------------------------------------------------------------


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `make wheel` writes beside the wheel."""
    [options] = re.findall(r"^SBOM := \$\(UV\) export (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    file = tmp_path_factory.mktemp("bill") / "strifebarge.cdx.json"
    run("uv", "export", *options.split(), "--output-file", str(file))
    subprocess.run([*RELEASE, "licences", str(file)], check=True, timeout=60, capture_output=True)
    return json.loads(file.read_text())


def test_a_bill_of_materials_is_made_with_the_wheel():
    recipe = (ROOT / "Makefile").read_text().partition("\nwheel:")[2].partition("\n\n")[0]
    assert "$(SBOM) --output-file dist/strifebarge-$(VERSION).cdx.json" in recipe
    assert "release.py licences dist/strifebarge-$(VERSION).cdx.json" in recipe


def test_the_bill_is_cyclonedx_and_about_this_version(bill):
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    about = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    component = bill["metadata"]["component"]
    assert (component["name"], component["version"]) == (about["name"], about["version"])


def test_the_bill_lists_what_is_installed_to_run_the_site_and_nothing_else(bill):
    """The same as requirements.txt, to the version and the hash."""
    pinned = dict(re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE))
    listed = {each["name"]: each["version"] for each in bill["components"]}
    assert listed == pinned
    hashes = {
        each["content"]
        for component in bill["components"]
        for reference in component["externalReferences"]
        for each in reference["hashes"]
    }
    assert hashes == set(re.findall(r"--hash=sha256:(\w+)", (ROOT / "requirements.txt").read_text()))


def test_each_entry_of_the_bill_has_hashes_a_licence_and_its_address(bill):
    for each in bill["components"]:
        assert each["purl"] == f"pkg:pypi/{each['name']}@{each['version']}"
        files = [reference["hashes"] for reference in each["externalReferences"]]
        names = [licence.get("expression") or licence["license"]["name"] for licence in each["licenses"]]
        for parts in (files, names):
            assert parts
            assert all(parts)
    licences = {each["name"]: each["licenses"] for each in bill["components"]}
    assert licences["alembic"] == [{"expression": "MIT"}]
    assert "GPL" in licences["chess"][0]["license"]["name"]
