"""The settings of a site: how they are read, checked and documented, in one typed place.

Settings are read from options of the command, else from STRIFEBARGE_… environment variables, else from a
settings file.

A field of `Settings` says it all once: its type and bounds, its default, what it is for and what may be
written.  Checking, the sentences about wrong values and `strifebarge settings` are made from that.
"""

import difflib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args

import msgspec
from msgspec import Meta, Struct

from strifebarge.lib.addresses import ascii_host, web_address
from strifebarge.settings.check import contradictions, impossible
from strifebarge.settings.database import as_sqlalchemy_takes_it
from strifebarge.settings.file import NAME, VARIABLE, SettingsFile, find_file
from strifebarge.settings.folder import Keys, default_folder, kept_keys, make_folder
from strifebarge.settings.wrong import PREFIX, WrongSetting

__all__ = ["SETTINGS", "Setting", "SettingRow", "SettingValue", "Settings", "WrongSetting", "read", "rows"]

FOR_TESTS = PREFIX + "TEST_"  # read by the tests alone, so none of our business here

LEAST_THREADS = 8  # of a worker: with fewer, a few slow readers would keep everybody else waiting


PostgresUrl = Annotated[str, Meta(pattern=r"^postgres(ql)?(\+psycopg)?://.")]
DatabaseUrl = Annotated[str, Meta(pattern=r"^(sqlite:///.|postgres(ql)?(\+psycopg)?://.)")]
RedisUrl = Annotated[str, Meta(pattern=r"^(rediss?|unix)://.")]
Host = Annotated[str, Meta(pattern=r"^(unix:/\S+|[A-Za-z0-9._-]+|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]+)$")]
WebAddress = Annotated[str, Meta(pattern=r"^(?i:https?)://[^\s/?#@]+(/[A-Za-z0-9._~/-]*)?$")]
SmtpUrl = Annotated[str, Meta(pattern=r"^smtps?://([^\s/?#@]+@)?[A-Za-z0-9.:\[\]_-]+/?$")]
MailFrom = Annotated[str, Meta(pattern=r"^([^<>@\r\n\"]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$")]
Helped = Annotated[str, Meta(pattern=r"^(on|off|apart)$")]
PushKey = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{43}=?$")]
# Of this machine alone: what the site measures is no business of strangers.
Loopback = Annotated[str, Meta(pattern=r"^(unix:/\S+|(127(\.\d{1,3}){3}|localhost|\[::1\]):[1-9]\d{0,4})$")]
LogStyle = Annotated[str, Meta(pattern=r"^(plain|json)$")]
LanguageCode = Annotated[str, Meta(pattern=r"^[a-z]{2,3}(-[A-Z]{2})?$")]


def site_address(written: str) -> str:
    """Return the address of the site as browsers write it, without a slash at its end.  Raises ValueError."""
    return web_address(written).rstrip("/")


def mail_sender(written: str) -> str:
    """Return a sender whose mail address is in ASCII.  Raises ValueError."""
    before, _, domain = written.rpartition("@")
    before.rpartition("<")[2].encode("ascii")
    end = ">" if domain.endswith(">") else ""
    return f"{before}@{ascii_host(domain.removesuffix('>'))}{end}"


def about(
    description: str,
    allowed: str,
    *,
    default: str = "",
    split: str = "",
    secret: str = "",
    tidy: Callable[[Any], Any] | None = None,
    **bounds: Any,
) -> Meta:
    """Describe a setting: its purpose, and what may be written, as the end of "…, but it must be …".

    `default` words a default that is worked out; `split` parts a list in a variable; `secret` is "all" for a
    value never to be shown, "password" for an address that may hold one; `tidy` returns the one form of a
    value, or raises ValueError; `bounds` are msgspec's.
    """
    extra = {"allowed": allowed, "default": default, "split": split, "secret": secret, "tidy": tidy}
    return Meta(description=description, extra=extra, **bounds)


def count(description: str, least: int, most: int) -> Meta:
    return about(description, f"a whole number from {least} to {most}", ge=least, le=most)


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of a site.  A test may say `Settings(data=…)`; a site, `from_environment`."""

    settings: Annotated[
        Path | None,
        about(
            "The file with the settings that are not set by variables like this one.",
            "the path of a file",
            default=f"{NAME} in the current folder, if there is one",
        ),
    ] = None
    data: Annotated[
        Path,
        about(
            "The folder for all that the site keeps: the database file and the key file.",
            "the path of a folder",
            default="$XDG_DATA_HOME/strifebarge or ~/.local/share/strifebarge",
        ),
    ]
    backups: Annotated[
        Path | None,
        about(
            "The folder for daily backups: those of 7 days, 4 weeks and 12 months are kept.",
            "the path of a folder",
            default="none",
        ),
    ] = None
    database_url: Annotated[
        DatabaseUrl,
        about(
            "The database: a file of SQLite, or PostgreSQL.",
            "sqlite:///<path of a file> or postgresql://<user>:<password>@<host>[,<host>…]/<database>",
            default="sqlite:///<DATA>/strifebarge.db",
            secret="password",
        ),
    ] = ""
    database_direct: Annotated[
        PostgresUrl | None,
        about(
            "PostgreSQL's own address, where DATABASE_URL leads to a pooler in transaction mode (pgbouncer).",
            "postgresql://<user>:<password>@<host>/<database>",
            default="none: DATABASE_URL leads to the database itself",
            secret="password",
        ),
    ] = None
    database_wait: Annotated[
        int, count("Seconds to wait at the start for a database that does not answer yet.", 0, 3600)
    ] = 60
    redis_url: Annotated[
        RedisUrl | None,
        about(
            "A Redis that counts limits for all workers together; without it each counts alone.",
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
    workers: Annotated[int, count("Worker processes; one or two for each core.", 1, 64)] = 2
    threads: Annotated[
        int,
        count("Threads of each process: how many pages it may be making at once.", LEAST_THREADS, 1000),
    ] = 16  # of which one at a time runs Python: 64 of them took a twentieth more of a processor a turn
    secret_keys: Annotated[
        Keys,
        about(
            "Keys that sign links and cookies, oldest first: all are accepted, the last one signs.",
            "one or more keys of at least 16 characters",
            default="made once and kept in <DATA>/secret-keys",
            split=",",
            secret="all",
        ),
    ] = ()
    games: Annotated[
        tuple[Path, ...],
        about(
            f"Folders of further games, separated by {os.pathsep!r}.",
            "the paths of folders",
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
            tidy=site_address,
        ),
    ] = None
    smtp_url: Annotated[
        SmtpUrl | None,
        about(
            "The mail server for notifications, if people may be told by email; it needs PUBLIC_URL.",
            "smtp://<user>:<password>@<host>:<port>, or smtps://… for TLS from the start",
            default="none",
            secret="password",
        ),
    ] = None
    mail_from: Annotated[
        MailFrom | None,
        about(
            "The sender of the site's emails.",
            "an address such as games@example.org, or StrifeBarge <games@example.org>",
            default="strifebarge@<the host of PUBLIC_URL>",
            tidy=mail_sender,
        ),
    ] = None
    inner_hooks: Annotated[
        bool,
        about(
            "Whether webhooks may lead into the server's own networks, and use plain http.",
            "true or false",
            default="false",
        ),
    ] = False
    push_key: Annotated[
        PushKey | None,
        about(
            "The private key (VAPID) by which push services know the site, for notifications in browsers.",
            "32 bytes as 43 characters of base64url",
            default="made once and kept in the database",
            secret="all",
        ),
    ] = None
    trusted_proxies: Annotated[
        int, count("How many proxies stand before the site; their X-Forwarded-… headers are trusted.", 0, 10)
    ] = 0
    secure: Annotated[
        bool | None,
        about(
            "Whether cookies are sent over https only.",
            "true or false",
            default="true if PUBLIC_URL begins with https",
        ),
    ] = None
    limit_create: Annotated[int, count("Games that one address may start in a minute.", 1, 9999)] = 20
    limit_codes: Annotated[
        int, count("Wrong codes and links that one address may try in a minute.", 1, 9999)
    ] = 10
    tick: Annotated[
        int, count("Seconds between checks of the deadlines; 0 leaves them to `strifebarge tick`.", 0, 30)
    ] = 5
    limit_sign_in: Annotated[
        int,
        count("Times one address may try to sign in in a minute, and by one name in ten.", 1, 9999),
    ] = 10
    limit_device: Annotated[
        int, count("Wrong codes for a second device that one address may try in ten minutes.", 1, 9999)
    ] = 5
    limit_import: Annotated[int, count("Games that one address may import from files in a day.", 1, 9999)] = (
        50
    )
    live: Annotated[
        Helped,
        about(
            "Whether a separate process, the hub, tells open pages of moves at once; if off, they ask.",
            "on, off, or apart for a hub that `strifebarge hub` runs",
        ),
    ] = "on"
    limit_streams: Annotated[
        int, count("Open pages of one address that may be told of moves at once; others ask.", 1, 9999)
    ] = 200
    limit_api: Annotated[int, count("Calls that one token for programs may make in a minute.", 1, 99999)] = (
        600
    )
    bots: Annotated[
        Helped,
        about(
            "Whether people may play with bots, which a separate process plays.",
            "on, off, or apart for a process that `strifebarge bots` runs",
        ),
    ] = "on"
    bots_per_person: Annotated[int, count("Games with bots that one person may play at once.", 1, 9999)] = 10
    limit_bots: Annotated[int, count("Times one address may bring bots to a game in a day.", 1, 9999)] = 60
    bots_per_site: Annotated[int, count("Games with bots that may be played at once.", 1, 99999)] = 200
    log: Annotated[
        LogStyle,
        about("How the log is written: as text, or as one JSON object a line.", "plain or json"),
    ] = "plain"
    log_requests: Annotated[
        bool,
        about(
            "Whether each request has a line in the log: route, status and time, no address and no person.",
            "true or false",
            default="false",
        ),
    ] = False
    metrics: Annotated[
        Loopback | None,
        about(
            "Where metrics for Prometheus are served, on this machine only: a separate port, or a socket.",
            "127.0.0.1:<port>, [::1]:<port> or unix:/<path>",
            default="none",
        ),
    ] = None
    read_only: Annotated[
        bool,
        about(
            "Whether games can be watched but not played, as when the disk is full.",
            "true or false",
            default="false",
        ),
    ] = False
    language: Annotated[
        LanguageCode,
        about("The language for browsers that ask for none the site has.", "a code such as en or de"),
    ] = "en"

    def __post_init__(self) -> None:
        url = self.database_url or f"sqlite:///{self.data / 'strifebarge.db'}"
        secure = (self.public_url or "").startswith("https:") if self.secure is None else self.secure
        # PostgreSQL's address is written in several ways; all of ours sees one.
        direct = self.database_direct and as_sqlalchemy_takes_it(self.database_direct)
        database_url = as_sqlalchemy_takes_it(url, pooled=direct is not None)
        place = (self.public_url or "").partition("://")[2].partition("/")[0]
        host = re.sub(r":\d+$", "", place) or "localhost"
        derived = {
            "database_url": database_url,
            "database_direct": direct,
            "secure": secure,
            "mail_from": self.mail_from or f"strifebarge@{host}",
        }
        for name, value in derived.items():
            msgspec.structs.force_setattr(self, name, value)

    def __repr__(self) -> str:
        """Return a text fit for a log: no secrets."""
        return f"Settings({', '.join(f'{each.name}={each.displayed(self)}' for each in SETTINGS)})"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], **options: str | None) -> "Settings":
        """Return the settings, checked; make the data folder and the key file if they are missing.

        `options` were given on the command line, and win.  Raises WrongSetting for a value that cannot be
        used, and for a variable or a key of the file that is not a setting.
        """
        written = SettingsSource(environ, options)
        settings = written.read()
        with written.called():
            make_folder(settings.data)
            keys = settings.secret_keys or kept_keys(settings.data)
        return msgspec.structs.replace(settings, secret_keys=keys)

    @property
    def unpooled_url(self) -> str:
        """The database's own address, past a pooler: to listen at, for upgrades and for backups."""
        return self.database_direct or self.database_url

    @property
    def bind(self) -> str:
        """Where to listen, as gunicorn writes it."""
        if self.host.startswith("unix:"):
            return self.host
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


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
        return self.metadata("default") or str(self.fallback)

    def metadata(self, key: str) -> str:
        return str((self.meta.extra or {})[key])

    @property
    def kind(self) -> str:
        """The kind of value that a settings file must have for it."""
        if self.metadata("split"):
            return "a list of strings"
        if isinstance(self.fallback, int) and not isinstance(self.fallback, bool):
            return "a number, without quotes"
        return "without quotes" if self.metadata("allowed") == "true or false" else "a string, in quotes"

    def parse(self, value: "SettingValue") -> Any:
        """Return the value that is meant.  Raises WrongSetting."""
        mark = self.metadata("split")
        raw = value.raw
        if mark and not value.in_file:
            raw = [part.strip() for part in raw.split(mark) if part.strip()]
        tidy = (self.meta.extra or {})["tidy"]
        try:
            parsed = msgspec.convert(raw, self.type, strict=value.in_file, dec_hook=from_text)
            return tidy(parsed) if tidy else parsed
        except (msgspec.ValidationError, ValueError):
            raise self.wrong(value) from None

    def wrong(self, value: "SettingValue") -> WrongSetting:
        """Return the refusal of a value, which is not shown if it may be a secret."""
        displayed = "a value not shown here" if self.metadata("secret") else as_written(value.raw)
        mark, allowed = self.metadata("split"), self.metadata("allowed")
        how = f" ({self.kind})" if value.in_file else f", with {mark!r} between" if mark else ""
        return WrongSetting(f"{value.called} is {displayed}, but it must be {allowed}{how}.")

    def hides(self, value: Any) -> bool:
        """Return whether a value has something secret in it."""
        return bool(value) and self.masked(value) != value

    def masked(self, value: Any) -> Any:
        """Return a value without what is secret in it."""
        match self.metadata("secret"):
            case "all":
                return "(hidden)"
            case "password":
                return re.sub(r"\?.*", "?(hidden)", re.sub("//.*@", "//(hidden)@", value))
        return value

    def displayed(self, settings: Settings) -> str:
        """Return the value as anyone may see it."""
        value = getattr(settings, self.name)
        value = value and self.masked(value)
        if isinstance(value, tuple):
            return self.metadata("split").join(map(str, value))
        return str(value).lower() if isinstance(value, bool) else str("" if value is None else value)


SETTINGS = [
    Setting(field.name, field.type, get_args(field.type)[-1], field.default)
    for field in msgspec.structs.fields(Settings)
]


class SettingValue(NamedTuple):
    """A setting as it is written: its value, what it is called there, and whether that is in a file."""

    raw: Any
    called: str
    in_file: bool = False


class SettingsSource:
    """Settings as they are written: on the command line, in the environment and in the settings file.

    Raises WrongSetting for what cannot be read, and for what is no setting: misspelt, it would be ignored
    silently.
    """

    def __init__(self, environ: Mapping[str, str], options: Mapping[str, str | None]):
        self.environ = environ
        refuse_unknown(environ)
        self.file = find_file(environ)
        self.by_file = given_by(self.file) if self.file else {}
        by_variable = {
            each.name: SettingValue(text, each.variable)
            for each in SETTINGS
            if (text := environ.get(each.variable, "").strip())
        }
        by_option = {
            name: SettingValue(text, f"--{name}") for name, text in options.items() if text is not None
        }
        self.values = {**self.by_file, **by_variable, **by_option}

    def read(self) -> Settings:
        """Return the settings, checked.  Raises WrongSetting."""
        with self.called():
            fields = {
                each.name: each.parse(self.values[each.name]) for each in SETTINGS if each.name in self.values
            }
            if self.file:
                fields["settings"] = self.file.path
            settings = Settings(**({"data": default_folder(self.environ)} | fields))
            self._check(settings)
        return settings

    def _check(self, settings: Settings) -> None:
        for folder in settings.games:
            if not folder.is_dir():
                raise WrongSetting(f"{PREFIX}GAMES names {str(folder)!r}, but no folder is there.")
        for name in impossible(settings):
            raise next(each.wrong(self.values[name]) for each in SETTINGS if each.name == name)
        for sentence in contradictions(settings):
            raise WrongSetting(sentence)
        if self.file:  # what something else wins over has to be right there too, and as secret
            there = [(each, self.by_file[each.name]) for each in SETTINGS if each.name in self.by_file]
            self.file.must_be_private({each.name for each, value in there if each.hides(each.parse(value))})

    @contextmanager
    def called(self) -> Iterator[None]:
        """Let the sentence of a WrongSetting call each setting what it is called where it is written."""
        try:
            yield
        except WrongSetting as error:
            raise WrongSetting(re.sub(f"{PREFIX}([A-Z_]+)", self._called, str(error))) from None

    def _called(self, variable: re.Match[str]) -> str:
        value = self.values.get(variable[1].lower())
        return value.called if value else variable[0]


def given_by(file: SettingsFile) -> dict[str, SettingValue]:
    """Return what a settings file gives.  Raises WrongSetting for a key that is not a setting for a file."""
    ours = [each.name for each in SETTINGS if each.variable != VARIABLE]
    for key in file.values:
        if key not in ours:
            raise WrongSetting(
                f"{file.called(key)} is not a setting for a file: {nearest(key.lower(), ours)}"
            )
    bare = {key: _bare(value) for key, value in file.values.items()}
    return {
        key: SettingValue(value, file.called(key), in_file=True) for key, value in bare.items() if value != ""
    }


def _bare(value: Any) -> Any:
    """Return a value of a settings file without spaces around it, as variables are read."""
    if isinstance(value, list):
        return [_bare(each) for each in value]
    return value.strip() if isinstance(value, str) else value


class SettingRow(NamedTuple):
    """One setting as it is shown to the host."""

    variable: str
    value: str
    default: str
    description: str


def rows(environ: Mapping[str, str]) -> Iterator[SettingRow]:
    """Yield every setting, for `strifebarge settings`; write nothing to the disk.  Raises WrongSetting."""
    yield from rows_of(read(environ))


def rows_of(settings: Settings) -> Iterator[SettingRow]:
    """Yield every setting as it is, with secrets hidden."""
    for each in SETTINGS:
        yield SettingRow(each.variable, each.displayed(settings), each.default, each.meta.description or "")


def read(environ: Mapping[str, str]) -> Settings:
    """Return the settings as written, checked; an empty variable counts as none.  Raises WrongSetting."""
    return SettingsSource(environ, {}).read()


def refuse_unknown(environ: Mapping[str, str]) -> None:
    """Raise WrongSetting for a variable that is not a setting."""
    ours = [each.variable for each in SETTINGS]
    for name in sorted(environ):
        if name.startswith(PREFIX) and not name.startswith(FOR_TESTS) and name not in ours:
            raise WrongSetting(f"{name} is not a setting: {nearest(name, ours)}")


def nearest(name: str, ours: list[str]) -> str:
    # Compared without the prefix they share, which would make any two names look alike.
    bare = {each.removeprefix(PREFIX).lower(): each for each in ours}
    near = difflib.get_close_matches(name.removeprefix(PREFIX).lower(), bare, 1)
    return f"did you mean {bare[near[0]]}?" if near else "`strifebarge settings` lists those there are."


def as_written(value: Any) -> str:
    """Return a value of a settings file or a variable as it is told in a sentence."""
    match value:
        case dict():
            return "a table"
        case str() | list():
            return repr(value)
    return str(value).lower()


def from_text(kind: type, text: str) -> Any:
    """Convert text to a kind that msgspec does not know: only paths so far.  ~ is the home folder."""
    if kind is not Path:
        raise NotImplementedError(f"no setting is a {kind}")
    if "\0" in text:
        raise ValueError("no path has a null character")
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:  # no such user
        raise ValueError(str(error)) from None
