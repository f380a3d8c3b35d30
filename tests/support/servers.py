"""Real servers for tests, thrown away afterwards: PostgreSQL, Redis, and the site under gunicorn.

Each is a context manager with start, stop and kill, so that a test may take one away and bring it back.  All
listen on 127.0.0.1 alone, or at an address between network namespaces (`networks.py`), at a free port, and
keep what they write in a temporary folder.
"""

import contextlib
import glob
import http.client
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from tests.support.networks import Machine

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0  # seconds to come up in: ample, since a busy machine is no failure
LOOPBACK = "127.0.0.1"
BETWEEN = "198.18.0.0/15"  # addresses that lead nowhere (RFC 2544): for namespaces of tests (`networks.py`)
ROOM = 4 * 2**30  # bytes
# What comes before a command so that it is killed when the thread that starts it ends, however that ends.
ENDS_WITH_US = ("setpriv", "--pdeathsig", "KILL", "--") if shutil.which("setpriv") else ()


class Unavailable(Exception):
    """A program that a server needs is not on this machine; the text names it and its package."""


class Unmarked(Exception):
    """A test that starts a server bears no mark that says so, so the gate would run it."""


class NotStarted(Exception):
    """A server ended, or stayed silent, before it answered; the text ends with what it wrote."""


def find_program(*names: str, package: str, folders: Sequence[str] = ()) -> str:
    """The path of the first of these programs found in PATH or in the folders; else raises Unavailable."""
    for name in names:
        if path := shutil.which(name) or shutil.which(name, path=os.pathsep.join(folders)):
            return path
    raise Unavailable(f"{names[0]} is not on this machine (Debian: apt-get install {package})")


def find_postgres(name: str) -> str:
    """One of PostgreSQL's programs, which Debian keeps out of PATH; the newest version's."""
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    folders.sort(key=lambda folder: float(Path(folder).parent.name), reverse=True)
    return find_program(name, package="postgresql", folders=folders)


def find_redis() -> str:
    return find_program("redis-server", "valkey-server", package="redis-server")


def find_faketime() -> str:
    """The library that gives a process a wall clock of its own (libfaketime, for many threads)."""
    for path in glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1"):
        return path
    raise Unavailable("libfaketime is not on this machine (Debian: apt-get install faketime)")


def find_java() -> str:
    return find_program("java", package="default-jre-headless")


def find_chromium(whole: bool = False) -> str:
    """The shell without a screen, which is much quicker; or the whole browser, which keeps pages for Back."""
    shell = () if whole else ("chromium-headless-shell",)
    return find_program(*shell, "chromium", "chromium-browser", "google-chrome", package="chromium")


def memory() -> str | None:
    """Return a folder in memory with room for what servers write, where no disk is waited for; else None.

    What is killed loses nothing by that: only a power cut would.
    """
    folder = "/dev/shm"
    with contextlib.suppress(OSError):
        if os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > ROOM:
            return folder
    return None


def free_port() -> int:
    """A port nobody listens at now.  Another may take it before it is used, so starting is tried again.

    It is none that a system gives to connections by itself (Linux: from 32768 on): one of these might have it
    while a server is started anew.
    """
    while True:
        port = 11_000 + secrets.randbelow(21_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind((LOOPBACK, port))
            return port


def children(pid: int) -> list[int]:
    """The processes that a process has started, oldest first (Linux)."""
    return sorted(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def name_of(pid: int) -> str:
    """The name that a process has given itself; "" where it is gone (Linux)."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def is_hub(pid: int) -> bool:
    return name_of(pid) == "strifebarge-hub"


def plays_bots(pid: int) -> bool:
    return name_of(pid) == "strifebarge-bot"


def thinks(pid: int) -> bool:
    return name_of(pid) == "sb-bot-thinking"


def group(leader: int) -> list[int]:
    """The processes of a group, living or dying (Linux)."""
    members = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            # After the name, which may hold anything: state, parent, group.
            if int((folder / "stat").read_text().rpartition(")")[2].split()[2]) == leader:
                members.append(int(folder.name))
    return members


def gone(pid: int) -> bool:
    """Whether a process is dead to its last thread, if perhaps not yet buried by its parent (Linux).

    Its first thread may be dead long before one that waits for a disk, and until then a port stays taken.
    """
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state == "Z" and len(list(Path(f"/proc/{pid}/task").iterdir())) <= 1
    except (FileNotFoundError, ProcessLookupError):
        return True


class Server:
    """A process of its own group, with a temporary folder, from `start` until `stop` or `kill`.

    The folder outlives stopping, so that `start` again finds what was kept; leaving the `with` removes it.
    """

    name = "server"
    user: str | None = None  # whom it runs as, if not us
    ending: signal.Signals = signal.SIGTERM
    forbidden = ""  # the test that runs now, where it may start none
    durable = False  # whether what it keeps lies on a disk
    machine: "Machine | None" = None  # where it runs, if not here

    def __init__(self, address: str = LOOPBACK) -> None:
        self.address = address
        place = None if self.durable else memory()
        self.folder = Path(tempfile.mkdtemp(prefix=f"strifebarge-{self.name}-", dir=place))
        self.output = self.folder / "output.log"
        self.port = 0
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> Sequence[str]:
        """The command line, for `self.port`."""
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        return os.environ

    def answers(self) -> bool:
        """Whether it serves; may raise OSError for no."""
        raise NotImplementedError

    def start(self) -> Self:
        """Start it and wait until it answers: at its last port, else at a free one.

        Raises NotStarted; Unmarked in a test that may start none.
        """
        if Server.forbidden:
            raise Unmarked(f"mark {Server.forbidden} as servers, postgres, redis or full")
        for attempts_left in (2, 1, 0) if not self.port else (0,):
            self.port = self.port or free_port()
            try:
                self.launch()
                return self
            except NotStarted:
                self.kill()
                if not attempts_left:
                    raise
                self.port = 0
        raise AssertionError("unreachable")

    def launch(self) -> None:
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                [*ENDS_WITH_US, *(self.machine.within() if self.machine else ()), *self.command()],
                cwd=self.workplace(),
                env=dict(self.environment()),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=self.user,
                group=self.user,
                extra_groups=[] if self.user else None,
            )
        self.wait_until_it_answers()

    def workplace(self) -> Path:
        return self.folder

    def wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if not self.running:
                raise NotStarted(f"{self.name} ended at once.\n{self.log()[-4000:]}")
            with contextlib.suppress(OSError):
                if self.answers():
                    return
            time.sleep(0.02)
        raise NotStarted(f"{self.name} did not answer in {PATIENCE:.0f} s.\n{self.log()[-4000:]}")

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        assert self.process, f"{self.name} is not running"
        return self.process.pid

    def log(self) -> str:
        """All that it has written so far."""
        return self.output.read_text(errors="replace") if self.output.exists() else ""

    def stop(self, patience: float = 15.0) -> None:
        """Ask it to end, as an operator would; after `patience` seconds, kill it."""
        if self.running:
            self.process.send_signal(self.ending)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
        self.kill()

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """The whole group gets the signal at once, as if the machine had gone down (SIGKILL).

        Then it comes back when all are dead: a process that is still dying holds a port, or memory, that
        a new start needs.  Children may have groups of their own, as PostgreSQL's have.
        """
        if not self.process:
            return
        left = children(self.pid) if self.running else []
        with contextlib.suppress(ProcessLookupError):  # nobody of the group may be left
            os.killpg(self.process.pid, number)
        if number == signal.SIGKILL:
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
            left += group(self.pid)  # and who was born while the others were counted
            self.process.wait()
            self.process = None
            wait_for(lambda: all(map(gone, left)), awaited=f"the end of {self.name}")

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self.close()
            raise

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()


class Postgres(Server):
    """A throwaway PostgreSQL cluster.  `durable` keeps fsync on, for tests that pull the plug."""

    name = "postgres"
    ending = signal.SIGINT  # "fast shutdown": does not wait for clients

    def __init__(self, durable: bool = False, address: str = LOOPBACK) -> None:
        self.durable = durable
        self.postgres, self.initdb = find_postgres("postgres"), find_postgres("initdb")
        self.user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
        super().__init__(address)
        try:
            self.make_cluster()
        except BaseException:
            self.close()
            raise

    def make_cluster(self) -> None:
        options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
        self.make_folder([self.initdb, "-D", str(self.data), *options, "--no-instructions"])
        with (self.data / "pg_hba.conf").open("a") as trusted:
            trusted.write(f"host all,replication all {BETWEEN} trust\n")

    def make_folder(self, command: Sequence[str]) -> None:
        """Fill the folder of the cluster by a program of PostgreSQL.  Raises NotStarted."""
        if self.user:
            shutil.chown(self.folder, self.user, self.user)
        created = subprocess.run(
            command,
            cwd=self.folder,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            user=self.user,
            group=self.user,
            extra_groups=[] if self.user else None,
        )
        if created.returncode:
            raise NotStarted(f"{Path(command[0]).name} failed: {created.stderr}")

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def command(self) -> Sequence[str]:
        durable = "on" if self.durable else "off"
        options = {
            "listen_addresses": self.address,
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": "300",
            "shared_buffers": "32MB",
            "fsync": durable,
            "full_page_writes": durable,
            "synchronous_commit": durable,
        }
        return [
            self.postgres,
            "-D",
            str(self.data),
            *(f"--{name}={value}" for name, value in options.items()),
        ]

    def answers(self) -> bool:
        import psycopg

        try:
            self.run("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def run(self, statement: str) -> None:
        """One statement by itself, outside a transaction, as CREATE DATABASE must be."""
        import psycopg

        with psycopg.connect(self.url("postgres").replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(statement)

    def url(self, database: str) -> str:
        return f"postgresql+psycopg://postgres@{self.address}:{self.port}/{database}"

    def create(self, template: str = "template0") -> str:
        """A new database, empty or a copy of `template`; its name."""
        name = f"test_{secrets.token_hex(8)}"
        self.run(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return name

    def drop(self, name: str) -> None:
        """Drop a database, even if something is still connected to it."""
        self.run(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


class Standby(Postgres):
    """A copy of a cluster, which follows it and can take its place.

    Once it follows, the primary answers that something is committed only when it is here, too.
    """

    name = "standby"

    def __init__(self, primary: Postgres) -> None:
        self.primary = primary
        super().__init__(primary.durable, primary.address)

    def make_cluster(self) -> None:
        source = ["-h", self.address, "-p", str(self.primary.port), "-U", "postgres"]
        options = ["-D", str(self.data), "-R", "-c", "fast", "--no-sync"]
        self.make_folder([find_postgres("pg_basebackup"), *source, *options])

    def start(self) -> Self:
        super().start()
        self.primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.run("SELECT pg_reload_conf()")
        return self

    def promote(self) -> None:
        """Take the primary's place."""
        self.run("SELECT pg_promote(true)")


class Bouncer(Server):
    """A pooler before a cluster: pgbouncer in transaction mode, with few connections."""

    name = "pgbouncer"
    connections = 4

    def __init__(self, postgres: Postgres) -> None:
        folders = ["/usr/sbin"]
        self.bouncer = find_program("pgbouncer", package="pgbouncer", folders=folders)
        self.postgres = postgres
        self.user = postgres.user
        super().__init__(postgres.address)
        if self.user:
            shutil.chown(self.folder, self.user, self.user)

    def command(self) -> Sequence[str]:
        settings = {
            "listen_addr": self.address,
            "listen_port": self.port,
            "unix_socket_dir": "",
            "auth_type": "any",
            "pool_mode": "transaction",
            "default_pool_size": self.connections,
            "max_client_conn": 1000,
        }
        lines = [
            "[databases]",
            f"* = host={self.address} port={self.postgres.port} user=postgres",
            "[pgbouncer]",
        ]
        lines += [f"{name} = {value}" for name, value in settings.items()]
        config = self.folder / "pgbouncer.ini"
        config.write_text("\n".join(lines) + "\n")
        return [self.bouncer, str(config)]

    def answers(self) -> bool:
        with socket.create_connection((self.address, self.port), timeout=5):
            return True

    def url(self, database: str) -> str:
        return f"postgresql://postgres@{self.address}:{self.port}/{database}"


class Redis(Server):
    """A throwaway Redis that keeps nothing on disk."""

    name = "redis"

    def __init__(self, address: str = LOOPBACK) -> None:
        self.redis = find_redis()
        super().__init__(address)

    def command(self) -> Sequence[str]:
        quiet = ["--save", "", "--appendonly", "no", "--daemonize", "no", "--protected-mode", "no"]
        place = ["--bind", self.address, "--port", str(self.port), "--dir", str(self.folder)]
        return [self.redis, *place, *quiet]

    def answers(self) -> bool:
        return self.ask(b"PING").startswith(b"+PONG")

    def empty(self) -> None:
        self.ask(b"FLUSHALL")

    def ask(self, command: bytes) -> bytes:
        with socket.create_connection((self.address, self.port), timeout=5) as connection:
            connection.sendall(command + b"\r\n")
            return connection.recv(100)

    @property
    def url(self) -> str:
        return f"redis://{self.address}:{self.port}/0"


class Site(Server):
    """The whole site as it is run: gunicorn's master and its workers, on a data folder of its own.

    `settings` are named as in the environment, without the prefix: Site(WORKERS="2", DATABASE_URL=url).
    `arguments` are Python's, for another way to run it: ("-m", "gunicorn", "wsgi:app").  Bots are played only
    where a test says BOTS="on", for most have none and need no process for them.  It may run on a `machine`.
    """

    name = "site"

    def __init__(
        self,
        *,
        arguments: Sequence[str] = ("-m", "strifebarge.cli", "serve"),
        machine: "Machine | None" = None,
        **settings: str,
    ) -> None:
        super().__init__(machine.address if machine else LOOPBACK)
        self.machine = machine
        self.arguments = arguments
        self.settings = {"DATA": str(self.folder / "data"), "HOST": self.address, "BOTS": "off", **settings}

    def command(self) -> Sequence[str]:
        return [sys.executable, *self.arguments]

    def workplace(self) -> Path:
        return ROOT

    def environment(self) -> Mapping[str, str]:
        """Ours, but for the settings, which are those of this site alone."""
        others = {name: value for name, value in os.environ.items() if not name.startswith("STRIFEBARGE_")}
        ours = {
            f"STRIFEBARGE_{name}": value for name, value in {**self.settings, "PORT": str(self.port)}.items()
        }
        return {**others, **ours, "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1"}

    def answers(self) -> bool:
        connection = http.client.HTTPConnection(self.address, self.port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except http.client.HTTPException:
            return False
        finally:
            connection.close()

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://{self.address}:{self.port}"

    @property
    def data(self) -> Path:
        return Path(self.settings["DATA"])

    def workers(self) -> list[int]:
        """The processes that answer requests, oldest first (Linux)."""
        return children(self.gunicorn) if self.gunicorn else []

    @property
    def hub(self) -> int:
        """The process that holds the streams; 0 while there is none (Linux)."""
        return next(filter(is_hub, group(self.pid)), 0)

    @property
    def bots(self) -> int:
        """The process that plays the bots; 0 while there is none (Linux)."""
        return next(filter(plays_bots, group(self.pid)), 0)

    @property
    def thinking(self) -> list[int]:
        """The processes in which bots think (Linux)."""
        return [*filter(thinks, group(self.pid))]

    @property
    def gunicorn(self) -> int:
        """The first process of gunicorn: the site's own, or a child of that beside its helpers (Linux)."""
        reload = "--reload" in self.arguments
        helped = self.settings["BOTS"] == "on" or (self.settings.get("LIVE", "on") == "on" and not reload)
        if "serve" not in self.arguments or not helped:
            return self.pid
        return next((pid for pid in children(self.pid) if not (is_hub(pid) or plays_bots(pid))), 0)

    def restart(self) -> Self:
        """Stop it and start it again, at the same address and on the same data."""
        self.stop()
        return self.start()


def wait_for(condition: Callable[[], object], seconds: float = PATIENCE, awaited: str = "it") -> None:
    """Come back as soon as the condition holds; AssertionError if it does not within the time.

    Where no bound is tested the time is ample, since a busy machine is no failure.
    """
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{awaited} did not happen within {seconds:g} s"
        time.sleep(0.02)
