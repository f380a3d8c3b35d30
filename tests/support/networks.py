"""Machines for tests: network namespaces of this machine, each on a cable of its own, which can be cut."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Self

from tests.support.servers import BETWEEN, Unavailable

RANGE = IPv4Network(BETWEEN)
MOST = 2  # machines of one process of tests: each process has four addresses of the range
OWNED = re.compile(r"\bsb-?(\d+)-\d+\b")  # our names of namespaces and cables, which hold a process's number


class Machine:
    """One namespace; what runs in it is reached at `address`, and reaches the tests' machine at `here`."""

    def __init__(self, number: int, here: IPv4Address):
        self.here, self.address = str(here), str(here + number)
        self.name = f"sb-{os.getpid()}-{number}"
        self.cable = f"sb{os.getpid()}-{number}"  # its end here; the other one is `eth0`

    def within(self) -> Sequence[str]:
        """What comes before a command so that it runs there."""
        return ("nsenter", f"--net=/run/netns/{self.name}", "--")

    def cut(self) -> None:
        """Cut the cable: what is sent from now on gets lost, in both directions, and nobody is told."""
        self._run("link", "set", "eth0", "down")

    def mend(self) -> None:
        """Mend the cable, by which it reaches all else too, as a machine at home does."""
        self._run("link", "set", "eth0", "up")
        self._run("route", "add", "default", "via", self.here)

    def __enter__(self) -> Self:
        """Raises Unavailable where no namespace may be made."""
        try:
            ip("netns", "add", self.name)
            ip("link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name)
            ip("address", "add", self.here, "peer", self.address, "dev", self.cable)
            ip("link", "set", self.cable, "up")
            self._run("address", "add", self.address, "peer", self.here, "dev", "eth0")
            self._run("link", "set", "lo", "up")
            self.mend()
        except Unavailable:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        remove([self.cable], [self.name])

    def _run(self, *words: str) -> None:
        ip("-netns", self.name, *words)


class Network:
    """Some machines, and the address by which all of them reach what runs on the tests' own."""

    def __init__(self, machines: int):
        assert machines <= MOST, "each process of tests has addresses for two machines"
        self.address = RANGE[4 * (os.getpid() % (RANGE.num_addresses // 4)) + 1]
        self.here = str(self.address)
        self.machines = [Machine(number, self.address) for number in range(1, machines + 1)]
        self.left = ExitStack()

    def __enter__(self) -> Self:
        """Raises Unavailable where no namespaces may be made."""
        if os.geteuid() or not (shutil.which("ip") and shutil.which("nsenter")):
            raise Unavailable("machines are made by root, with ip and nsenter (Debian: iproute2, util-linux)")
        remove_abandoned()
        with ExitStack() as stack:
            for machine in self.machines:
                stack.enter_context(machine)
            self.left = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.left.close()


def ip(*words: str) -> str:
    """What `ip` prints.  Raises Unavailable where it says no."""
    done = subprocess.run(["ip", *words], capture_output=True, text=True)
    if done.returncode:
        raise Unavailable(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def remove(cables: Iterable[str], namespaces: Iterable[str]) -> None:
    """Remove what there may be of these: cables first, which would go some time after their namespaces."""
    for cable in cables:
        subprocess.run(["ip", "link", "delete", cable], capture_output=True)
    for namespace in namespaces:
        subprocess.run(["ip", "netns", "delete", namespace], capture_output=True)


def remove_abandoned() -> None:
    """Remove what tests have left that were killed."""

    def abandoned(listed: str) -> list[str]:
        owners = {match[0]: match[1] for match in OWNED.finditer(listed)}
        return [name for name, pid in owners.items() if not Path(f"/proc/{pid}").exists()]

    remove(abandoned(ip("-oneline", "link", "show", "type", "veth")), abandoned(ip("netns", "list")))
