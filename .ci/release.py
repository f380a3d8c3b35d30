"""Make and check parts of a release, for `make release`.

python .ci/release.py licences FILE     list the licences of all that the site is made of when it runs
python .ci/release.py try WHEEL         install the wheel where nothing else is, start it, and ask it
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "requirements.txt"
PINNED = re.compile(r"^([\w.-]+)==(\S+)(?: ; (.*?))?(?: \\)?$", re.MULTILINE)
PATIENCE = 60.0  # seconds for the site to answer
CLASSIFIER = "License :: "


def licences() -> Iterator[str]:
    """Yield a line for each library: name, version and licence, or where it is installed if not here."""
    for name, version, marker in PINNED.findall(REQUIREMENTS.read_text()):
        found = installed(name, version)
        if found:
            yield f"{name} {version}: {licence_of(found)}"
        elif marker:  # for another Python or another machine than this one
            yield f"{name} {version}: not installed here, but where {marker}"
        else:
            sys.exit(f"{name} {version} is not installed here: run make install-dev.")


def installed(name: str, version: str) -> Distribution | None:
    """Return a library if it is installed here in this version."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return None
    return found if found.version == version else None


def licence_of(library: Distribution) -> str:
    """Return what a library says of its licence, by the newest of the three ways to say it."""
    told = library.metadata
    classified = [each for each in told.get_all("Classifier") or [] if each.startswith(CLASSIFIER)]
    names = [each.rpartition(" :: ")[2] for each in classified]
    plain = (told.get("License") or "").strip().partition("\n")[0]
    return told.get("License-Expression") or " or ".join(names) or plain or "not said: look at its files"


def list_licences(file: Path) -> None:
    lines = [*licences()]
    file.write_text("".join(f"{line}\n" for line in lines))
    print(f"{file}: the licences of {len(lines)} libraries.")


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
    pip = [environment / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    if packages is None:
        subprocess.run([*pip, "--use-pep517", "--require-hashes", "-r", REQUIREMENTS], check=True)  # noqa: S603
    else:
        [home] = environment.glob("lib/python*/site-packages")
        (home / "libraries.pth").write_text(f"{packages.resolve()}\n")
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True)  # noqa: S603


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
        list_licences(given.file)
    else:
        try_wheel(given.wheel, given.packages)


if __name__ == "__main__":
    main()
