"""The second chance of tests that fail in the gate."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.gate import MOST, why_final
from tests.support.servers import ROOT

ONE = "tests/web/test_a.py::test_one"
SECRET = "tests/worlds/test_two.py::test_one"
OTHER = "AssertionError: assert 1 == 2"

# A test that fails as often as its number says, over all processes and runs.
FAILING = """
from pathlib import Path

import pytest

def failed_before(name):
    with Path(__file__).with_name(f"{name}.times").open("a+") as times:
        times.write("x")
        times.seek(0)
        return len(times.read()) - 1
"""


def test_tests_are_left_out_in_one_place_alone() -> None:
    """It is `need`, which fails where everything that tests need is required."""
    leaving_out = re.compile(r"\b(pytest\.skip|skipif|importorskip|mark\.skip|xfail)\b")
    files = [path for path in ROOT.glob("tests/**/*.py") if path != Path(__file__)]
    found = [path.relative_to(ROOT).as_posix() for path in files if leaving_out.search(path.read_text())]
    assert found == ["tests/conftest.py"]


# -- which failures are run again -------------------------------------------------------------------


def test_a_failure_is_run_again() -> None:
    assert why_final([ONE], {ONE: OTHER}) == ""


@pytest.mark.parametrize(("number", "again"), [(MOST, True), (MOST + 1, False)])
def test_at_most_five_are(number: int, again: bool) -> None:
    failures = {f"{ONE}[{each}]": OTHER for each in range(number)}
    assert (why_final(failures, failures) == "") is again


def test_an_error_at_collection_is_final() -> None:
    assert "collected" in why_final(["tests/web/test_a.py"], {"tests/web/test_a.py::": "ImportError"})


def test_what_the_report_does_not_tell_of_is_final() -> None:
    assert "differs" in why_final([ONE, f"{ONE}[2]"], {ONE: OTHER})
    assert why_final([], {})


def test_a_failing_assertion_in_a_test_of_secrecy_is_final() -> None:
    assert "secrecy" in why_final([SECRET], {SECRET: OTHER})
    assert "secrecy" in why_final([ONE, SECRET], {ONE: OTHER, SECRET: "Failed: a leak"})


@pytest.mark.parametrize(
    "message", ["Failed: Timeout (>300.0s) from pytest-timeout.", "worker 'gw0' crashed"]
)
def test_a_test_of_secrecy_that_hung_or_whose_process_died_is_run_again(message: str) -> None:
    assert why_final([SECRET], {SECRET: message}) == ""


# -- whole runs ------------------------------------------------------------------------------------


def run(folder: Path, path: str = "tests/web/test_a.py", **tests: str) -> tuple[int, str]:
    """Run the gate on a project whose tests are these lines; return its exit status and what it printed."""
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\nminversion = '9.0'\n")
    lines = [
        f"\n\ndef test_{name}():\n    times = failed_before({name!r})\n    {body}"
        for name, body in tests.items()
    ]
    file.write_text(FAILING + "".join(lines))
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.gate", "--import-mode=importlib"],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


RUNS = pytest.mark.full("runs pytest in processes of its own")


@RUNS
def test_without_a_failure_there_is_one_run(tmp_path: Path) -> None:
    status, output = run(tmp_path, passes="pass")
    assert status == 0
    assert output.count("1 passed") == 1
    assert "flaky" not in output


@RUNS
def test_what_fails_once_is_listed_and_the_run_is_green(tmp_path: Path) -> None:
    status, output = run(tmp_path, once="assert times", passes="pass")
    assert status == 0, output
    assert "\nflaky:" in output
    assert "tests/web/test_a.py::test_once: " in output.split("\nflaky:")[1]


@RUNS
def test_what_fails_twice_is_red(tmp_path: Path) -> None:
    status, output = run(tmp_path, twice="assert times > 1", passes="pass")
    assert status == 1
    assert "flaky:" not in output


@RUNS
@pytest.mark.parametrize(("times", "status"), [(1, 0), (2, 1)])
def test_a_test_whose_process_dies_is_run_again_too(tmp_path: Path, times: int, status: int) -> None:
    dies = f"times < {times} and __import__('os')._exit(3)"
    done, output = run(tmp_path, dies=dies, passes="pass")
    assert bool(done) is bool(status), output


@RUNS
def test_six_failures_are_red_at_once(tmp_path: Path) -> None:
    status, output = run(tmp_path, **{f"number_{each}": "assert times" for each in range(6)})
    assert status == 1
    assert "no second chance" in output


@RUNS
def test_a_failing_assertion_in_a_test_of_secrecy_is_red_at_once(tmp_path: Path) -> None:
    status, output = run(tmp_path, "tests/worlds/test_a.py", leaks="assert times")
    assert status == 1
    assert "a test of secrecy failed" in output


@RUNS
@pytest.mark.parametrize("always", [True, False])
def test_an_error_at_collection_is_red_also_one_that_happens_once(tmp_path: Path, always: bool) -> None:
    broken = tmp_path / "tests/web/test_b.py"
    broken.parent.mkdir(parents=True)
    condition = "True" if always else "not failed_before('collection')"
    broken.write_text(f"{FAILING}\nif {condition}:\n    raise RuntimeError('broken')\n")
    status, output = run(tmp_path, passes="pass")
    assert status != 0, output
