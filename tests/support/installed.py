"""The site as a host has it: a wheel in an environment of its own, on a machine of its own."""

import os
import runpy
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tests.support.networks import Machine
from tests.support.servers import ROOT, Site

LIBRARIES = Path(sysconfig.get_path("purelib"))  # of the environment that the tests run in
SETTINGS = {"HOST": "0.0.0.0", "WORKERS": "2", "TICK": "1", "LIMIT_CREATE": "9999", "LIMIT_CODES": "9999"}


class Done(NamedTuple):
    """What a command that has ended has said."""

    code: int
    said: str
    wrong: str

    @property
    def told(self) -> Any:
        """What it says to programs."""
        assert self.code == 0, self.wrong
        return msgspec.json.decode(self.said)

    @property
    def sentence(self) -> str:
        """Why it was not done: one line, and no traceback."""
        assert self.code, self.said
        assert "Traceback" not in self.wrong, self.wrong
        return self.wrong.strip().splitlines()[-1]


def install(folder: Path, source: Path = ROOT) -> Path:
    """Build the wheel as `make wheel` does, install it where nothing else is, and return the command."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=source, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    runpy.run_path(str(ROOT / ".ci" / "release.py"))["install"](folder / "here", wheel, LIBRARIES)
    return folder / "here" / "bin" / "strifebarge"


class Installed(Site):
    """A site that was installed; all networks of its machine reach it."""

    def __init__(self, command: Path, machine: Machine, **settings: str) -> None:
        super().__init__(machine=machine, **{**SETTINGS, **settings})
        self.program = str(command)

    def command(self) -> Sequence[str]:
        return [self.program, "serve"]

    def workplace(self) -> Path:
        return self.folder

    def run(self, *words: str | Path, **settings: str) -> Done:
        """Run a command there as its host, with the site's settings but for these."""
        assert self.machine
        others = {f"STRIFEBARGE_{name}": value for name, value in settings.items()}
        return ran([*self.machine.within(), self.program, *map(str, words)], {**self.environment(), **others})

    def fetch(self, address: str) -> str:
        """What an address answers to a program that runs there; "" where nothing does."""
        assert self.machine
        return ran([*self.machine.within(), "curl", "--silent", address], os.environ).said


def ran(command: Sequence[str], environment: Mapping[str, str]) -> Done:
    done = subprocess.run(
        command, env=dict(environment), cwd="/", capture_output=True, text=True, timeout=300, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)
