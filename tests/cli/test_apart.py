"""What a command does in a process of its own."""

import os
import sys
from pathlib import Path

import click
import pytest

from strifebarge.cli.apart import done_apart
from strifebarge.cli.needs import DatabaseUnavailable


def fail(error: BaseException) -> None:
    raise error


def test_it_is_done_elsewhere(tmp_path: Path) -> None:
    done_apart(lambda: (tmp_path / "who").write_text(str(os.getpid())))
    assert (tmp_path / "who").read_text() not in ("", str(os.getpid()))


def test_what_it_reads_stays_there() -> None:
    name = "tests.store.test_migrations"  # which needs Alembic
    loaded = name in sys.modules
    done_apart(lambda: __import__(name))
    assert (name in sys.modules) == loaded


@pytest.mark.parametrize("error", [click.ClickException("No."), DatabaseUnavailable("It does not answer.")])
def test_its_one_line_is_ours(error: click.ClickException) -> None:
    with pytest.raises(type(error)) as raised:
        done_apart(lambda: fail(error))
    assert raised.value.message == error.message


def test_whatever_else_ends_it_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(click.ClickException, match="code 1"):
        done_apart(lambda: fail(ValueError("a fault of ours")))
    assert "a fault of ours" in capfd.readouterr().err
    with pytest.raises(click.ClickException, match="code 7"):
        done_apart(lambda: os._exit(7))


def test_an_interruption_is_one_here_too() -> None:
    with pytest.raises(KeyboardInterrupt):
        done_apart(lambda: fail(KeyboardInterrupt()))
