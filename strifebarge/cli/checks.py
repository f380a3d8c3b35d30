"""Checks an installation: each thing that the site needs is tried, and told in one sentence.

It sends nothing to anyone, and no game and no person is touched.
"""

import ctypes
import http.client
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from typing import Literal, NamedTuple
from urllib.parse import SplitResult, urlsplit

from sqlalchemy.exc import DBAPIError

from strifebarge.backup.archive import WrongBackup, read_manifest
from strifebarge.backup.kept import OLD, backups_in
from strifebarge.lib.busy import Busy
from strifebarge.live.address import connected
from strifebarge.notifications.mail import Mail, sender_of
from strifebarge.notifications.push import Push, new_key
from strifebarge.notifications.webhooks import Webhooks
from strifebarge.ops.requests import HEADER
from strifebarge.rules import Refused
from strifebarge.settings import Settings
from strifebarge.store.copies import NoDatabase, OlderDatabase, current
from strifebarge.store.db.engine import KINDS, engine_for, reading, takes_no_more, writing
from strifebarge.store.db.redis import counters
from strifebarge.store.migrations import NewerDatabase
from strifebarge.store.store import Store

PATIENCE = 10.0  # seconds for an answer of the site
LEAST_FREE = 200 * 1024**2  # bytes of a disk: with less it will soon be full
FORGED = "forged-by-strifebarge-doctor"  # a request id that a proxy must replace
NOT_SYNCHRONIZED = 5  # what Linux answers of a clock that follows no other (TIME_ERROR)
SERVICE = "https://push.example"  # of nobody: a signature for it is made and thrown away

CheckState = Literal["ok", "wrong", "off"]


class CheckResult(NamedTuple):
    """What came of a check: fine, wrong, or not asked for by the settings; and a sentence about it."""

    check: str
    state: CheckState
    sentence: str


class CheckFailed(Exception):
    """Something that a host has to see to; its text is one sentence."""


class NotConfigured(Exception):
    """Something that the settings leave out; its text is one sentence."""


Check = Callable[[Settings], str]  # returns a sentence; raises Wrong, Off


def examine(settings: Settings) -> Iterator[CheckResult]:
    """Yield what comes of each check."""
    for name, check in CHECKS.items():
        try:
            yield CheckResult(name, "ok", check(settings))
        except CheckFailed as wrong:
            yield CheckResult(name, "wrong", str(wrong))
        except NotConfigured as off:
            yield CheckResult(name, "off", str(off))
        except Exception as error:  # a check that fails must not keep the others
            yield CheckResult(name, "wrong", f"This cannot be checked: {in_a_line(error)}")


def in_a_line(error: BaseException) -> str:
    """Return what an error says, in one line."""
    message = str(getattr(error, "orig", None) or error)
    return " ".join(message.split()) or type(error).__name__


# -- the database and its disk -----------------------------------------------------------


def check_database(settings: Settings) -> str:
    """Ask the database something, and begin to write to it."""
    began = time.monotonic()
    try:
        with current(settings.database_url):
            engine = engine_for(settings.database_url, 1)
            try:
                with reading(engine) as connection:
                    connection.exec_driver_sql("SELECT 1")
                with writing(engine):
                    pass
                kind = KINDS[engine.dialect.name]
            finally:
                engine.dispose()
    except NoDatabase as missing:
        raise CheckFailed(f"{missing}.  `strifebarge serve` makes it.") from missing
    except OlderDatabase as older:
        raise CheckFailed("The database is older than this version: run `strifebarge db upgrade`.") from older
    except NewerDatabase as newer:
        raise CheckFailed(str(newer)) from newer
    except (Busy, DBAPIError) as error:
        raise CheckFailed(f"The database cannot be used: {in_a_line(error)}") from error
    return f"{kind} answers, is up to date and can be written to ({time.monotonic() - began:.2f} s)."


def check_disk(settings: Settings) -> str:
    """Write to the disk of the data folder, and look how much room there is."""
    free = shutil.disk_usage(settings.data).free
    if takes_no_more(str(settings.data)) or free < LEAST_FREE:
        raise CheckFailed(f"The disk of {settings.data} is nearly full: {megabytes(free)} are free.")
    return f"The disk of {settings.data} has room: {megabytes(free)} are free."


def megabytes(number: int) -> str:
    return f"{number // 1024**2:,} MB"


def check_backups(settings: Settings) -> str:
    """Read what the newest backup says of itself."""
    if settings.backups is None:
        raise NotConfigured(
            "No backup is made by itself: set STRIFEBARGE_BACKUPS, or run `strifebarge backup` each day."
        )
    there = backups_in(settings.backups)
    if not there:
        raise CheckFailed(f"There is no backup in {settings.backups} yet, or this user may not read there.")
    newest = max(there)
    try:
        read_manifest(there[newest])
    except WrongBackup as wrong:
        raise CheckFailed(f"The newest backup cannot be read: {wrong}") from wrong
    hours = (datetime.now(UTC) - newest).total_seconds() / 3600
    if hours * 3600 > OLD:
        raise CheckFailed(f"The newest backup is {hours:.0f} hours old: {there[newest]}.")
    return f"The newest backup is {hours:.0f} hours old and can be read."


# -- processes beside it --------------------------------------------------------------------


def check_time(_settings: Settings) -> str:
    """Ask the system whether its clock follows another one."""
    with suppress(AttributeError, OSError):  # not Linux
        if ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512)) == NOT_SYNCHRONIZED:
            raise CheckFailed(
                "The machine's clock is not synchronized: switch NTP on (`timedatectl set-ntp true`)."
            )
    return "The machine's clock is synchronized."


def check_redis(settings: Settings) -> str:
    """Ask Redis for a sign of life."""
    if not settings.redis_url:
        raise NotConfigured("There is no Redis: each worker counts limits by itself.")
    try:
        answers = counters(settings.redis_url, time.time).check()
    except Exception as error:  # the library has its own kinds, and need not be installed
        raise CheckFailed(f"Redis cannot be reached: {in_a_line(error)}") from error
    if not answers:
        raise CheckFailed("Redis does not answer: each worker counts limits by itself.")
    return "Redis answers."


def check_hub(settings: Settings) -> str:
    """Connect to the hub."""
    if settings.live == "off":
        raise NotConfigured("There is no hub: open pages ask by themselves (STRIFEBARGE_LIVE).")
    try:
        connected(settings.data).close()
    except OSError as error:
        raise CheckFailed("The hub does not answer: open pages have to ask. Is the site running?") from error
    return "The hub answers."


# -- the site, from inside and outside -----------------------------------------------------


class UnixConnection(http.client.HTTPConnection):
    """A connection to a site that listens at a Unix socket."""

    def __init__(self, path: str):
        super().__init__("localhost", timeout=PATIENCE)
        self.path = path

    def connect(self) -> None:
        """Connect to the socket."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def check_site(settings: Settings) -> str:
    """Ask the site itself, without a proxy, whether it is ready."""
    try:
        status, lines = ready(settings)
    except (OSError, http.client.HTTPException) as error:
        raise CheckFailed(f"The site does not answer at {settings.bind}: {in_a_line(error)}") from error
    if status != 200 or lines[:1] != ["ready"]:
        raise CheckFailed(f"The site is not ready: {'; '.join(lines[:1]) or status}.")
    if amiss := [line for line in lines[1:] if line]:
        raise CheckFailed(f"The site is ready, but: {'; '.join(amiss)}.")
    return f"The site is ready at {settings.bind}."


def ready(settings: Settings) -> tuple[int, list[str]]:
    """Return the status and the lines of `/readyz`.  Raises OSError, HTTPException."""
    connection: http.client.HTTPConnection
    if settings.host.startswith("unix:"):
        connection = UnixConnection(settings.host.removeprefix("unix:"))
    else:
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104
        connection = http.client.HTTPConnection(host, settings.port, timeout=PATIENCE)
    with closing(connection) as open_one:
        open_one.request("GET", "/readyz", headers={"Host": "localhost"})
        answer = open_one.getresponse()
        return answer.status, answer.read().decode(errors="replace").splitlines()


def check_address(settings: Settings) -> str:
    """Ask the site at its public address, and look at what a proxy made of the request."""
    if not settings.public_url:
        raise NotConfigured(
            "STRIFEBARGE_PUBLIC_URL is not set: no mail, webhook or browser can be sent a link."
        )
    url = urlsplit(settings.public_url)
    try:
        headers = headers_at(url)
    except (OSError, http.client.HTTPException) as error:
        raise CheckFailed(f"{settings.public_url} cannot be reached from here: {in_a_line(error)}") from error
    if HEADER not in headers:
        raise CheckFailed(f"{settings.public_url} is answered by something else than this site.")
    if url.scheme == "https" and "Strict-Transport-Security" not in headers:
        raise CheckFailed(
            "The site is not told that people come by https: set STRIFEBARGE_TRUSTED_PROXIES, and let the "
            "proxy send X-Forwarded-Proto."
        )
    if headers[HEADER] == FORGED:
        raise CheckFailed(
            "The proxy hands on X-Request-ID as it came from outside: let it overwrite this header and all "
            "X-Forwarded-… headers."
        )
    return f"{settings.public_url} leads here, and the proxy's headers are right."


def headers_at(url: SplitResult) -> http.client.HTTPMessage:
    """Return the headers that the site answers with at its address.  Raises OSError, HTTPException."""
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    with closing(kind(url.hostname or "", url.port, timeout=PATIENCE)) as connection:
        connection.request("GET", f"{url.path.rstrip('/')}/healthz", headers={HEADER: FORGED})
        return connection.getresponse().headers


# -- notifications ---------------------------------------------------------------------------


def check_mail(settings: Settings) -> str:
    """Connect to the mail server, and sign in where a name is given; nothing is sent."""
    if not settings.smtp_url:
        raise NotConfigured("There is no mail server: nobody can be told by email (STRIFEBARGE_SMTP_URL).")
    try:
        Mail(settings.smtp_url, str(settings.mail_from)).try_server()
    except Refused as no:
        raise CheckFailed(f"The mail server cannot be used: {no.text}") from no
    return f"The mail server answers; mail comes from {settings.mail_from}."


def check_push(settings: Settings) -> str:
    """Sign something with the key by which push services know the site."""
    if not settings.public_url:
        raise NotConfigured("Browsers can be told only where STRIFEBARGE_PUBLIC_URL is set.")
    engine = engine_for(settings.database_url, 1)
    try:
        key = settings.push_key or Store(engine).tables.secret("push", new_key)
    except (Busy, DBAPIError) as error:
        raise CheckFailed(f"The key for push services cannot be read: {in_a_line(error)}") from error
    finally:
        engine.dispose()
    sender = f"mailto:{sender_of(str(settings.mail_from)).addr_spec}"
    try:
        Push(Webhooks(settings.inner_hooks), lambda: key, sender, time.time).signed(SERVICE)
    except (Refused, ValueError) as wrong:
        raise CheckFailed(f"The key for push services cannot be used: {in_a_line(wrong)}") from wrong
    return "The key for push services signs."


CHECKS: dict[str, Check] = {
    "database": check_database,
    "disk": check_disk,
    "time": check_time,
    "site": check_site,
    "hub": check_hub,
    "address": check_address,
    "redis": check_redis,
    "mail": check_mail,
    "push": check_push,
    "backups": check_backups,
}
