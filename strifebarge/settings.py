"""Every setting of the site, in one typed place: read from STRIFEBARGE_… environment variables.

A field of `Settings` says it all once: its type and bounds, its default, what it is for and what may be
written.  Checking, the sentences about wrong values and `strifebarge settings` are made from that.
"""

import difflib
import fcntl
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args

import msgspec
from msgspec import Meta, Struct

PREFIX = "STRIFEBARGE_"
FOR_TESTS = PREFIX + "TEST_"  # read by the tests alone, so none of our business here

# Threads that streams must leave to pages: a worker whose every thread holds a stream answers nobody.
THREADS_FOR_PAGES = 8


DatabaseUrl = Annotated[str, Meta(pattern=r"^(sqlite:///.|postgres(ql)?(\+psycopg)?://.)")]
RedisUrl = Annotated[str, Meta(pattern=r"^(rediss?|unix)://.")]
Host = Annotated[str, Meta(pattern=r"^(unix:/\S+|[A-Za-z0-9._-]+|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]+)$")]
WebAddress = Annotated[str, Meta(pattern=r"^https?://[^\s/?#@]+(/[^\s?#]*)?$")]
SmtpUrl = Annotated[str, Meta(pattern=r"^smtps?://([^\s/?#@]+@)?[A-Za-z0-9.:\[\]_-]+/?$")]
MailFrom = Annotated[str, Meta(pattern=r"^([^<>@\r\n\"]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$")]
PushKey = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{43}=?$")]
Keys = Annotated[tuple[Annotated[str, Meta(min_length=16)], ...], Meta(min_length=1)]
Language = Annotated[str, Meta(pattern=r"^[a-z]{2,3}(-[A-Z]{2})?$")]


class WrongSetting(Exception):
    """A setting that cannot be used; its text is one sentence for whoever runs the site."""


def about(
    description: str, allowed: str, *, default: str = "", split: str = "", secret: str = "", **bounds: Any
) -> Meta:
    """What a setting is for, and what may be written, as the end of "…, but it must be …".

    `default` words a default that is worked out; `split` is what parts a list; `secret` is "all" for a
    value never to be shown, "password" for an address that may hold one; `bounds` are msgspec's.
    """
    extra = {"allowed": allowed, "default": default, "split": split, "secret": secret}
    return Meta(description=description, extra=extra, **bounds)


def count(description: str, least: int, most: int) -> Meta:
    return about(description, f"a whole number from {least} to {most}", ge=least, le=most)


class Settings(Struct, frozen=True, kw_only=True):
    """What the site is told from outside.  A test may say `Settings(data=…)`; a site, `from_environment`."""

    data: Annotated[
        Path,
        about(
            "The folder for all that the site keeps: the database file and the key file.",
            "the path of a folder",
            default="$XDG_DATA_HOME/strifebarge or ~/.local/share/strifebarge",
        ),
    ]
    database_url: Annotated[
        DatabaseUrl,
        about(
            "The database: a file of SQLite, or PostgreSQL.",
            "sqlite:///<path of a file> or postgresql://<user>:<password>@<host>/<database>",
            default="sqlite:///<DATA>/strifebarge.db",
            secret="password",
        ),
    ] = ""
    redis_url: Annotated[
        RedisUrl | None,
        about(
            "A Redis for sessions, and for limits over all workers; without one they count apart.",
            "redis://<host>:<port>/<number>, rediss://… or unix://<path>",
            default="none",
            secret="password",
        ),
    ] = None
    host: Annotated[
        Host,
        about(
            "Where to listen: this machine alone, 0.0.0.0 for all its networks, or unix:/<path>.",
            "an IP address, a host name, or unix:/<path>",
        ),
    ] = "127.0.0.1"  # on the café's network only when its owner says so
    port: Annotated[
        int,
        about("The port to listen at.", "a port from 1 to 65535, or 0 for any free one", ge=0, le=65535),
    ] = 5050
    workers: Annotated[int, count("Processes; one or two to each core.", 1, 64)] = 2
    threads: Annotated[
        int,
        count(
            f"Threads of each process; all but {THREADS_FOR_PAGES} may hold the live stream of an open page.",
            THREADS_FOR_PAGES,
            1000,
        ),
    ] = 64
    secret_keys: Annotated[
        Keys,
        about(
            "Keys that sign links and cookies, oldest first: all are believed, the last one signs.",
            "one or more keys of at least 16 characters, with commas between",
            default="made once and kept in <DATA>/secret-keys",
            split=",",
            secret="all",
        ),
    ] = ()
    games: Annotated[
        tuple[Path, ...],
        about(
            f"Folders of more games than those that come with the site, with {os.pathsep!r} between.",
            f"the paths of folders, with {os.pathsep!r} between",
            default="none",
            split=os.pathsep,
        ),
    ] = ()
    public_url: Annotated[
        WebAddress | None,
        about(
            "The address players know the site by, which the links it hands out begin with.",
            "an address such as https://games.example.org",
            default="that of the request",
        ),
    ] = None
    smtp_url: Annotated[
        SmtpUrl | None,
        about(
            "The mail server that notices go through, if people may be told by mail; it needs PUBLIC_URL.",
            "smtp://<user>:<password>@<host>:<port>, or smtps://… for TLS from the start",
            default="none",
            secret="password",
        ),
    ] = None
    mail_from: Annotated[
        MailFrom | None,
        about(
            "Whom mail comes from.",
            "an address such as games@example.org, or StrifeBarge <games@example.org>",
            default="strifebarge@<the host of PUBLIC_URL>",
        ),
    ] = None
    inner_hooks: Annotated[
        bool,
        about(
            "Whether webhooks may lead into the server's own networks, and go without https.",
            "true or false",
            default="false",
        ),
    ] = False
    push_key: Annotated[
        PushKey | None,
        about(
            "The private key (VAPID) by which push services know the site, for notices in browsers.",
            "32 bytes as 43 characters of base64url",
            default="made once and kept in the database",
            secret="all",
        ),
    ] = None
    trusted_proxies: Annotated[
        int, count("How many proxies stand before the site; their X-Forwarded-… headers are believed.", 0, 10)
    ] = 0
    secure: Annotated[
        bool | None,
        about(
            "Whether cookies go over https alone.",
            "true or false",
            default="true if PUBLIC_URL begins with https",
        ),
    ] = None
    limit_create: Annotated[int, count("Games that one address may start in a minute.", 1, 9999)] = 20
    limit_codes: Annotated[
        int, count("Wrong codes and links that one address may try in a minute.", 1, 9999)
    ] = 10
    tick: Annotated[
        int, count("Seconds between two looks at the deadlines; 0 leaves them to `strifebarge tick`.", 0, 30)
    ] = 5
    limit_sign_in: Annotated[
        int,
        count("Times that one address may try to sign in in a minute, and one name in ten.", 1, 9999),
    ] = 10
    limit_device: Annotated[
        int, count("Wrong codes for a second device that one address may try in ten minutes.", 1, 9999)
    ] = 5
    limit_import: Annotated[
        int, count("Games from files that one address may bring to the site in a day.", 1, 9999)
    ] = 50
    read_only: Annotated[
        bool,
        about(
            "Whether games can be watched but not played, as when the disk is full.",
            "true or false",
            default="false",
        ),
    ] = False
    language: Annotated[
        Language,
        about("The language for a browser that asks for none the site speaks.", "a code such as en or de"),
    ] = "en"

    def __post_init__(self) -> None:
        given = self.database_url or f"sqlite:///{self.data / 'strifebarge.db'}"
        secure = (self.public_url or "").startswith("https:") if self.secure is None else self.secure
        known_by = self.public_url.rstrip("/") if self.public_url else None
        # PostgreSQL's address is written in three ways; all of ours sees the one that names the driver.
        database_url = re.sub(r"^postgres(ql)?(\+psycopg)?:", "postgresql+psycopg:", given)
        host = re.sub(r":\d+$", "", (known_by or "").partition("://")[2].partition("/")[0]) or "localhost"
        derived = {
            "database_url": database_url,
            "secure": secure,
            "public_url": known_by,
            "mail_from": self.mail_from or f"strifebarge@{host}",
        }
        for name, value in derived.items():
            msgspec.structs.force_setattr(self, name, value)

    def __repr__(self) -> str:
        """Fit for a log: no secrets."""
        return f"Settings({', '.join(f'{each.name}={each.shown(self)}' for each in SETTINGS)})"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> "Settings":
        """The settings, checked; the data folder and the key file are made if they are not there.

        Raises WrongSetting for a value that cannot be used, and for a STRIFEBARGE_… variable not of ours.
        """
        settings = read(environ)
        make_folder(settings.data)
        return msgspec.structs.replace(settings, secret_keys=settings.secret_keys or kept_keys(settings.data))

    @property
    def bind(self) -> str:
        """Where to listen, as gunicorn writes it."""
        if self.host.startswith("unix:"):
            return self.host
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def streams(self) -> int:
        """How many live streams one process may hold at once; past it a page has to ask now and then."""
        return self.threads - THREADS_FOR_PAGES


class Setting(NamedTuple):
    """One field of `Settings` as an environment variable."""

    name: str
    type: Any
    meta: Meta
    fallback: Any

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def default(self) -> str:
        return self.told("default") or str(self.fallback)

    def told(self, key: str) -> str:
        return str((self.meta.extra or {})[key])

    def parse(self, text: str) -> Any:
        """What is meant by the text of the variable.  Raises WrongSetting."""
        mark = self.told("split")
        raw = [part.strip() for part in text.split(mark) if part.strip()] if mark else text
        try:
            return msgspec.convert(raw, self.type, strict=False, dec_hook=from_text)
        except msgspec.ValidationError:
            said = "a value not shown here" if self.told("secret") else repr(text)
            raise WrongSetting(f"{self.variable} is {said}, but it must be {self.told('allowed')}.") from None

    def shown(self, settings: Settings) -> str:
        """The value as anyone may see it."""
        value = getattr(settings, self.name)
        match self.told("secret"):
            case "all" if value:
                return "(hidden)"
            case "password" if value:
                return re.sub(r"\?.*", "?(hidden)", re.sub("//.*@", "//(hidden)@", value))
        if isinstance(value, tuple):
            return self.told("split").join(map(str, value))
        return str(value).lower() if isinstance(value, bool) else str("" if value is None else value)


SETTINGS = [
    Setting(field.name, field.type, get_args(field.type)[-1], field.default)
    for field in msgspec.structs.fields(Settings)
]


class Row(NamedTuple):
    """One setting as it is shown to whoever runs the site."""

    variable: str
    value: str
    default: str
    description: str


def rows(environ: Mapping[str, str]) -> Iterator[Row]:
    """Every setting, for `strifebarge settings`; nothing is made on the disk.  Raises WrongSetting."""
    settings = read(environ)
    for each in SETTINGS:
        yield Row(each.variable, each.shown(settings), each.default, each.meta.description or "")


def read(environ: Mapping[str, str]) -> Settings:
    """The settings as they are written, checked; an empty variable counts as none.  Raises WrongSetting."""
    refuse_unknown(environ)
    written = {each: environ.get(each.variable, "").strip() for each in SETTINGS}
    given = {each.name: each.parse(text) for each, text in written.items() if text}
    settings = Settings(**({"data": default_folder(environ)} | given))
    for folder in settings.games:
        if not folder.is_dir():
            raise WrongSetting(f"{PREFIX}GAMES names {str(folder)!r}, but no folder is there.")
    return settings


def refuse_unknown(environ: Mapping[str, str]) -> None:
    """Raises WrongSetting for a variable not of ours: misspelt, it would be passed over in silence."""
    ours = [each.variable for each in SETTINGS]
    for name in sorted(environ):
        if name.startswith(PREFIX) and not name.startswith(FOR_TESTS) and name not in ours:
            raise WrongSetting(f"{name} is not a setting: {nearest(name, ours)}")


def nearest(name: str, ours: list[str]) -> str:
    # Compared without the prefix they share, which would make any two names look alike.
    bare = [each.removeprefix(PREFIX) for each in ours]
    near = difflib.get_close_matches(name.removeprefix(PREFIX).upper(), bare, 1)
    return f"did you mean {PREFIX}{near[0]}?" if near else "`strifebarge settings` lists those there are."


def from_text(kind: type, text: str) -> Any:
    """A value of a kind that msgspec does not know: only paths so far.  ~ is the home folder."""
    if kind is not Path:
        raise NotImplementedError(f"no setting is a {kind}")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:  # no such user
        raise ValueError(str(error)) from None


def default_folder(environ: Mapping[str, str]) -> Path:
    """Where a user's programs keep their data.  XDG has a relative folder be ignored."""
    kept = environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(kept):
        return Path(kept) / "strifebarge"
    try:
        return Path(environ.get("HOME") or Path.home()) / ".local" / "share" / "strifebarge"
    except RuntimeError:
        raise WrongSetting(f"{PREFIX}DATA is not set, and there is no home folder for the data.") from None


def make_folder(path: Path) -> None:
    """The data folder, for its owner's eyes alone if it is new.  Raises WrongSetting."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = error.strerror
        raise WrongSetting(f"{PREFIX}DATA is {str(path)!r}, but no folder can be there: {why}.") from None
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        raise WrongSetting(f"{PREFIX}DATA is {str(path)!r}, but this user may not write in that folder.")


def kept_keys(folder: Path) -> tuple[str, ...]:
    """The keys of the folder's key file, oldest first, one on a line.  Raises WrongSetting.

    Processes that start together must not make two: one makes the file, mode 0600, while the others wait.
    """
    path = folder / "secret-keys"
    with locked(folder):
        if not path.exists():
            write_privately(path, secrets.token_urlsafe(32) + "\n")
    try:
        return msgspec.convert(path.read_text().split(), Keys)
    except (OSError, UnicodeDecodeError, msgspec.ValidationError):
        raise WrongSetting(f"{str(path)!r} must hold keys of 16 characters or more, one on a line.") from None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Only one process at a time is in here; the system lets go of the lock of one that dies."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def write_privately(path: Path, text: str) -> None:
    """A file that only its owner may read, there in full or not at all."""
    partly = path.with_suffix(".new")
    partly.unlink(missing_ok=True)  # left by one that died here
    with open(os.open(partly, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    partly.rename(path)
