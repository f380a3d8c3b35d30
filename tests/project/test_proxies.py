"""The files in docs/hosting.md for systemd, nginx and Caddy do what the page says."""

import configparser
import contextlib
import datetime
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.conftest import need
from tests.support.servers import LOOPBACK, ROOT, Server, Site, find_program, free_port, wait_for
from tests.support.streams import two_at
from tests.support.visitor import Remote

PAGE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
NAME = "games.example.org"
Behind = TypeVar("Behind", bound="Proxy")
FORM = 64 * 1024  # bytes: the limit of every form but one
FILE = 512 * 1024  # bytes: the largest game's file that is taken
IMPORT = 2 * FILE + 4096  # bytes of that form, in which each character of a pasted file may count twice


def block(language: str) -> str:
    """The one fenced block of the page in this language."""
    [text] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return text


def in_bytes(size: str, thousand: int) -> int:
    number, unit = re.fullmatch(r"(\d+)([KM])B?", size.upper()).groups()
    return int(number) * thousand ** " KM".index(unit)


def test_nginx_lets_through_the_largest_form_and_not_much_more() -> None:
    [size] = re.findall(r"client_max_body_size (\w+);", block("nginx"))
    assert IMPORT <= in_bytes(size, 1024) <= 2 * IMPORT


def test_nginx_collects_forms_before_it_passes_them_on() -> None:
    """As it does unless it is told otherwise."""
    assert "proxy_request_buffering" not in block("nginx")


def test_caddy_lets_through_the_largest_form_and_not_much_more() -> None:
    [size] = re.findall(r"max_size (\w+)", block("caddy"))
    assert IMPORT <= in_bytes(size, 1000) <= 2 * IMPORT


def test_caddy_takes_the_file(tmp_path: Path) -> None:
    """Debian 12 has version 2.6."""
    caddy = need(lambda: find_program("caddy", package="caddy"))
    (tmp_path / "Caddyfile").write_text(block("caddy"))
    command = [caddy, "adapt", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
    environ = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert '"dial":"127.0.0.1:5050"' in done.stdout
    assert '"status_code":503' in done.stdout


# -- systemd -----------------------------------------------------------------------------


def unit() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False)
    parser.optionxform = str
    parser.read_string(block("ini"))
    return parser


def test_systemd_never_gives_the_site_up() -> None:
    assert unit()["Unit"]["StartLimitIntervalSec"] == "0"
    assert unit()["Service"]["Restart"] == "always"
    assert int(unit()["Service"]["RestartSec"]) >= 1


def test_systemd_starts_the_site_after_a_database_on_the_same_machine() -> None:
    assert "postgresql.service" in unit()["Unit"]["After"].split()


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    file = tmp_path / "strifebarge.service"
    program = shutil.which("true")
    file.write_text(block("ini").replace("/opt/strifebarge/bin/strifebarge serve", str(program)))
    analyze = need(lambda: find_program("systemd-analyze", package="systemd"))
    done = subprocess.run(
        [analyze, "verify", str(file)], capture_output=True, text=True, timeout=60, check=False
    )
    about_ours = [line for line in done.stderr.splitlines() if "strifebarge.service" in line]
    assert about_ours == []


# -- a proxy before a site -----------------------------------------------------------------


class Proxy(Server):
    """A proxy with the page's file: only ports, paths and the certificate are the test's own."""

    def __init__(self, program: str, site: Site) -> None:
        self.program = program
        self.site = site
        super().__init__()
        certificate(self.folder)
        shutil.copy(ROOT / "docs" / "away.html", self.folder)
        self.folder.chmod(0o755)  # its workers may be another user

    def launch(self) -> None:
        self.write()
        super().launch()

    def write(self) -> None:
        """Write its file, for the ports of this start."""
        raise NotImplementedError

    def changed(self, language: str, changes: dict[str, str]) -> str:
        """Return the page's block in this language, with what is the test's own."""
        text = block(language)
        for original, ours in changes.items():
            assert original in text
            text = text.replace(original, ours)
        return text

    def answers(self) -> bool:
        with self.client() as client:
            try:
                return client.get("/healthz").status_code in (200, 503)
            except httpx.HTTPError:
                return False

    def connect(self) -> ssl.SSLSocket:
        return ssl._create_unverified_context().wrap_socket(
            socket.create_connection((LOOPBACK, self.port)), server_hostname=NAME
        )

    def client(self) -> httpx.Client:
        """A browser that knows the site by its name."""
        return httpx.Client(
            base_url=f"https://{LOOPBACK}:{self.port}",
            headers={"Host": NAME, "Sec-Fetch-Site": "same-origin"},
            verify=ssl._create_unverified_context(),
            timeout=30,
        )


# -- nginx -------------------------------------------------------------------------------


class Nginx(Proxy):
    """nginx with the page's file."""

    name = "nginx"

    def __init__(self, site: Site) -> None:
        super().__init__(find_program("nginx", package="nginx-light", folders=["/usr/sbin"]), site)

    def write(self) -> None:
        text = self.changed(
            "nginx",
            {
                "listen 80;": f"listen {LOOPBACK}:{free_port()};",
                "listen 443 ssl http2;": f"listen {LOOPBACK}:{self.port} ssl http2;",
                f"/etc/letsencrypt/live/{NAME}/": f"{self.folder}/",
                "/var/log/nginx/": f"{self.folder}/",
                "http://127.0.0.1:5050": self.site.url,
                "/srv/strifebarge": str(self.folder),
            },
        )
        temporary = "".join(
            f"{kind}_temp_path {self.folder}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(
            f"{user} pid {self.folder}/nginx.pid; error_log {self.folder}/error.log;\n"
            f"events {{}}\nhttp {{ {temporary}\n{text}\n}}\n"
        )

    def command(self) -> list[str]:
        return [
            self.program,
            "-p",
            str(self.folder),
            "-c",
            str(self.folder / "nginx.conf"),
            "-g",
            "daemon off;",
        ]


# -- Caddy -------------------------------------------------------------------------------


class Caddy(Proxy):
    """Caddy with the page's file."""

    name = "caddy"

    def __init__(self, site: Site) -> None:
        super().__init__(find_program("caddy", package="caddy"), site)

    def write(self) -> None:
        text = self.changed(
            "caddy",
            {
                f"{NAME} {{\n": f"{NAME}:{self.port} {{\n"
                f"\tbind {LOOPBACK}\n\ttls {self.folder}/fullchain.pem {self.folder}/privkey.pem\n",
                "127.0.0.1:5050": f"{LOOPBACK}:{self.site.port}",
                "/srv/strifebarge": str(self.folder),
            },
        )
        ours = (
            f"admin off\nauto_https disable_redirects\ndefault_sni {NAME}\nstorage file_system {self.folder}"
        )
        (self.folder / "Caddyfile").write_text(f"{{\n{ours}\n}}\n{text}")

    def command(self) -> list[str]:
        return [
            self.program,
            "run",
            "--adapter",
            "caddyfile",
            "--config",
            str(self.folder / "Caddyfile"),
        ]


def certificate(folder: Path) -> None:
    """A key and a certificate that it signed itself, in the files that the page names."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    private = (
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    (folder / "privkey.pem").write_bytes(key.private_bytes(*private))
    (folder / "fullchain.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))


@contextmanager
def behind(proxy: type[Behind]) -> Iterator[tuple[Site, Behind]]:
    with ExitStack() as stack:
        site = stack.enter_context(
            Site(WORKERS="1", PUBLIC_URL=f"https://{NAME}", TRUSTED_PROXIES="1", SECURE="false")
        )
        yield site, stack.enter_context(need(lambda: proxy(site)))


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Site, Nginx]]:
    with behind(Nginx) as running:
        yield running


EACH = pytest.mark.parametrize("proxy", [Nginx, Caddy], ids=["nginx", "caddy"])


@pytest.mark.servers
def test_nginx_takes_the_file(both: tuple[Site, Nginx]) -> None:
    _, nginx = both
    done = subprocess.run(
        [*nginx.command()[:-2], "-t"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "test is successful" in done.stderr


def played(site: Site) -> bytes:
    """The file of a game that was played to its end, as the site hands it out."""
    ann, ben = Remote(site.port), Remote(site.port)
    table = ann.start("rps").table
    ben.join(table)
    ann.move(table, "throw rock")
    ben.move(table, "throw paper")
    record = re.findall(r'"(/r/[0-9a-f]{16})[/"]', ann.get(table).text)[0]
    return ann.get(f"{record}/record.json").body


@pytest.mark.servers
@pytest.mark.parametrize("as_file", [True, False], ids=["as a file", "pasted"])
def test_a_game_of_512_kb_is_brought_here_through_nginx(both: tuple[Site, Nginx], as_file: bool) -> None:
    site, nginx = both
    data = played(site)
    data += b" " * (FILE - len(data))  # white space after JSON says nothing
    with nginx.client() as client:
        key = re.findall(r'name="key" value="([^"]+)"', client.get("/import").text)[0]
        if as_file:
            answer = client.post("/import", data={"key": key}, files={"file": ("game.json", data)})
        else:
            parts = {"key": (None, key), "text": (None, data)}
            answer = client.post("/import", files=parts)
        assert answer.status_code == 303, answer.text[:500]
        assert re.fullmatch(r"/r/[0-9a-f]{16}", answer.headers["Location"])


@pytest.mark.servers
def test_nginx_refuses_what_the_site_would_refuse_anyway(both: tuple[Site, Nginx]) -> None:
    _, nginx = both
    with nginx.client() as client:
        assert client.post("/import", content=b"x" * (2 * IMPORT)).status_code == 413
        assert client.post("/new/rps", content=b"x" * (FORM + 1)).status_code == 413


@pytest.mark.servers
def test_limits_behind_nginx_are_counted_by_the_visitors_address() -> None:
    """What a visitor says of their own address counts for nothing."""
    # At a site of its own, where no other test is kept out.
    with behind(Nginx) as (_, nginx), nginx.client() as client:
        answers = [
            client.post("/code", data={"code": f"AAAA-{number:04}", "key": "k" * 32}, headers=forged(number))
            for number in range(14)
        ]
        assert 429 in {answer.status_code for answer in answers}


def forged(number: int) -> dict[str, str]:
    return {"X-Forwarded-For": f"203.0.113.{number}", "X-Real-IP": f"203.0.113.{number}"}


class SlowNginx(Nginx):
    """nginx with the page's file, which lets through two requests."""

    def changed(self, language: str, changes: dict[str, str]) -> str:
        """Return the page's block with a limit that does not depend on how fast the test is."""
        slower = {"rate=20r/s": "rate=1r/m", "burst=80 nodelay": "burst=1 nodelay"}
        return super().changed(language, {**changes, **slower})

    def answers(self) -> bool:
        """Tell whether it listens, without a request that counts."""
        with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, self.port)):
            return True
        return False


@pytest.mark.servers
def test_nginx_tells_who_is_too_fast_when_to_try_again() -> None:
    with behind(SlowNginx) as (_, nginx), nginx.client() as client:
        answers = [client.post("/new/rps") for _ in range(4)]
        assert [answer.status_code == 429 for answer in answers] == [False, False, True, True]
        assert answers[-1].headers["Retry-After"] == "5"
        assert answers[-1].text.startswith("Too many requests from your address. Nothing was done.")


@pytest.mark.servers
@EACH
def test_while_the_site_is_away_the_proxy_says_so(proxy: type[Proxy]) -> None:
    with behind(proxy) as (site, before), before.client() as client:
        site.stop()
        answer = client.get("/")
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "10"
        assert answer.content == (ROOT / "docs" / "away.html").read_bytes()


@pytest.mark.servers
@EACH
def test_a_stream_comes_through_the_proxy_at_once(proxy: type[Proxy]) -> None:
    with behind(proxy) as (site, before), before.client() as client:
        ann, _, table = two_at(site)
        with client.stream("GET", f"/live?at={table.removeprefix('/g/')}") as answer:
            assert answer.status_code == 200
            versions = (json.loads(line[6:]) for line in answer.iter_lines() if '"version": ' in line)
            moves = (each["version"].partition("@")[0] for each in versions)  # behind the @: who is here
            assert next(moves) == "1"
            assert ann.move(table, "throw rock").status == 303
            assert "2" in moves


HALF = f"POST /new/rps HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 400\r\n\r\nkey=".encode()


def connections(port: int) -> int:
    """How many connections to a port of this machine are open (Linux)."""
    lines = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines())
    return sum(line[1].endswith(f":{port:04X}") and line[3] == "01" for line in lines)


@pytest.mark.servers
@EACH
def test_slow_senders_before_the_proxy_keep_nobody_waiting(proxy: type[Proxy]) -> None:
    with behind(proxy) as (site, before), before.client() as client, ExitStack() as stack:
        ann, _, table = two_at(site)
        for _ in range(20):
            stack.enter_context(before.connect()).sendall(HALF)
        assert client.get("/about").status_code == 200
        assert ann.move(table, "throw rock").status == 303
        if proxy is Nginx:
            wait_for(lambda: connections(site.port) == 0, awaited="the end of all that nginx passes on")
