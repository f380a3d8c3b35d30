"""Make and check parts of a release, for `make release`.

python .ci/release.py licences FILE     write the licence of each library into a bill of materials (CycloneDX)
python .ci/release.py try WHEEL         install the wheel where nothing else is, start it, and ask it
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "requirements.txt"
PATIENCE = 60.0  # seconds for the site to answer
CLASSIFIER = "License :: "
LICENCES = {  # of libraries without metadata to read here, or without a licence in it
    "async-timeout": "Apache-2.0",  # for a Python older than 3.11.3
    "resvg-py": "MIT",
}
PIP = ["-m", "pip", "--quiet", "--disable-pip-version-check"]


def add_licences(file: Path) -> None:
    """Write the licence of each library into a bill of materials that uv has made."""
    bill = json.loads(file.read_text())
    for component in bill["components"]:
        component["licenses"] = licences_of(component["name"])
    file.write_text(json.dumps(bill, indent=2) + "\n")
    print(f"{file}: the licences of {len(bill['components'])} libraries.")


def licences_of(name: str) -> list[dict[str, Any]]:
    """Return the licences of a library for CycloneDX, by the newest field of its metadata that has one."""
    if name in LICENCES:
        return [{"expression": LICENCES[name]}]
    metadata = distribution(name).metadata
    if expression := metadata.get("License-Expression"):
        return [{"expression": expression}]
    classifiers = [each for each in metadata.get_all("Classifier") or [] if each.startswith(CLASSIFIER)]
    plain = (metadata.get("License") or "").strip().partition("\n")[0]
    names = [each.rpartition(" :: ")[2] for each in classifiers] or [plain]
    if not all(names):
        sys.exit(f"The metadata of {name} has no licence: read its files, and add it to LICENCES.")
    return [{"license": {"name": each}} for each in names]


def try_wheel(wheel: Path, packages: Path | None) -> None:
    """Install a wheel into an empty environment, start the site in an empty folder, and see it ready.

    Its libraries are installed as requirements.txt pins them, or are those in the folder `packages`.
    """
    with TemporaryDirectory() as folder:
        environment, workplace = Path(folder, "environment"), Path(folder, "workplace")
        workplace.mkdir()
        install(environment, wheel.resolve(), packages)
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("STRIFEBARGE_", "PYTHON"))
        }
        site = subprocess.Popen(  # noqa: S603 - the site itself
            [environment / "bin" / "strifebarge", "serve", "--port", "0"],
            cwd=workplace,
            env={**kept, "STRIFEBARGE_DATA": str(Path(folder, "data")), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            print(f"{wheel.name} runs: {wait_until_ready(site)}")
        finally:
            site.send_signal(signal.SIGTERM)
            site.wait(PATIENCE)


def install(environment: Path, wheel: Path, packages: Path | None) -> None:
    """Make an environment with the wheel and its libraries, and nothing else."""
    venv.create(environment, with_pip=True)
    wheels = [wheel]
    if packages is None:
        folder = environment / "wheels"
        # What builds them is installed here already, pinned, and not fetched.
        build = [sys.executable, *PIP, "wheel", "--use-pep517", "--no-build-isolation", "--no-deps"]
        subprocess.run([*build, "--require-hashes", "-w", folder, "-r", REQUIREMENTS], check=True)  # noqa: S603
        wheels += folder.iterdir()
    else:
        [home] = environment.glob("lib/python*/site-packages")
        (home / "libraries.pth").write_text(f"{packages.resolve()}\n")
    pip = [environment / "bin" / "python", *PIP, "install", "--no-deps", "--no-index"]
    subprocess.run([*pip, *wheels], check=True)  # noqa: S603


def wait_until_ready(site: "subprocess.Popen[str]") -> str:
    """Return what /readyz says once it says yes; end with exit code 1 if the site ends or never does."""
    for line in site.stdout or ():
        if found := re.search(r"http://[^\s,/]+", line):
            return ask(f"{found[0]}/readyz")
    sys.exit(f"The site has ended with code {site.wait()}.")


def ask(address: str) -> str:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address) as answer:  # noqa: S310 - an address of this machine
                return str(answer.read().decode().strip())
        except urllib.error.HTTPError as error:
            if time.monotonic() > until:
                sys.exit(f"{address} says {error.code}: {error.read().decode()}")
            time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_subparsers(dest="part", required=True)
    parts.add_parser("licences").add_argument("file", type=Path)
    trying = parts.add_parser("try")
    trying.add_argument("wheel", type=Path)
    trying.add_argument("--packages", type=Path, help="a folder with the libraries, not to install them")
    given = parser.parse_args()
    if given.part == "licences":
        add_licences(given.file)
    else:
        try_wheel(given.wheel, given.packages)


if __name__ == "__main__":
    main()
