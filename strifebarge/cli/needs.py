"""Get what commands need: settings, a database that answers, a referee, games and an address to listen at."""

import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

import click

from strifebarge.cli.apart import done_apart
from strifebarge.ops import logs
from strifebarge.settings import Settings, WrongSetting, read

if TYPE_CHECKING:
    from strifebarge.services import Services
    from strifebarge.tables.library.library import Library
    from strifebarge.tables.play.referee import Referee


TRY_AGAIN = 1.0  # seconds between two attempts to reach a database


class UnusableSetting(click.ClickException):
    """A setting that stops a command before it starts: one line, and a wrong command line's exit code."""

    exit_code = 2


class DatabaseUnavailable(click.ClickException):
    """A database that does not answer now, and may in a while."""


def load_settings(making: bool = True, **options: str | None) -> Settings:
    """Return the settings, of which options of the command may be some; write the log as they say.

    Makes the data folder and the keys if they are missing and `making` says so.  Raises Unusable.
    """
    try:
        settings = Settings.from_environment(os.environ, **options) if making else read(os.environ)
    except WrongSetting as error:
        raise UnusableSetting(str(error)) from None
    logs.set_up(settings.log)
    return settings


def load_site_settings() -> Settings:
    """Return the settings of a site that is there already; a missing one is not begun.

    Raises Unusable, ClickException.
    """
    from strifebarge.store.copies import file_of

    with usable():
        file_of(load_settings(making=False).database_url)
    return load_settings()


@contextmanager
def open_services(settings: Settings, upgrading: bool = True) -> Iterator["Services"]:
    """Yield the services of a site that is there.  Raises ClickException.

    Its database is brought up to date first; or it must be up to date, as where nothing is to be changed.
    """
    from strifebarge.app import telling
    from strifebarge.store.copies import must_be_current, must_be_there

    with usable():
        (must_be_there if upgrading else must_be_current)(settings.unpooled_url)
    if upgrading:
        migrate(settings)
    with services_on(settings, settings.database_url) as services:
        teller = telling(services, settings)
        try:
            yield services
        finally:
            if teller is not None:
                teller.close()


@contextmanager
def open_referee(settings: Settings, upgrading: bool = True) -> Iterator["Referee"]:
    """Yield the referee of a site that is there, as `open_services` yields all.  Raises ClickException."""
    with open_services(settings, upgrading) as services:
        yield services.referee


@contextmanager
def an_untouched_referee(settings: Settings) -> Iterator["Referee"]:
    """Yield a referee of a copy of the database, brought up to date, where that is an SQLite file.

    PostgreSQL's must be up to date.  The site's own database is not changed.  Raises ClickException.
    """
    from strifebarge.store.copies import scratch_copy

    with _site_of(settings, scratch_copy) as services:
        yield services.referee


@contextmanager
def open_readonly_referee(settings: Settings) -> Iterator["Referee"]:
    """Yield a referee for reading only of a database that is up to date.  Raises ClickException."""
    with open_readonly_services(settings) as services:
        yield services.referee


@contextmanager
def open_readonly_services(settings: Settings) -> Iterator["Services"]:
    """Yield services for reading only of a database that is up to date.  Raises ClickException."""
    from strifebarge.store.copies import current

    with _site_of(settings, current) as services:
        yield services


@contextmanager
def _site_of(
    settings: Settings, database: Callable[[str], AbstractContextManager[str]]
) -> Iterator["Services"]:
    with usable(), database(settings.database_url) as url, services_on(settings, url) as services:
        yield services


@contextmanager
def services_on(settings: Settings, url: str) -> Iterator["Services"]:
    """Yield the services of a site on a database that is up to date."""
    from strifebarge.app import wired
    from strifebarge.store.db.engine import engine_for

    engine = engine_for(url, 1)
    try:
        yield wired(engine, settings)
    finally:
        engine.dispose()


@contextmanager
def output(file: str) -> Iterator[Callable[[bytes], object]]:
    """Yield what prints bytes where the file is "-", or else writes them to a new file for its owner alone.

    Raises ClickException, also for a file that is there already.
    """
    if file == "-":
        yield partial(click.echo, nl=False)
        return
    try:
        with open(file, "xb", opener=partial(os.open, mode=0o600)) as written:
            yield written.write
    except OSError as error:
        raise cannot_write(file, error) from None


def cannot_write(file: str | Path, error: OSError) -> click.ClickException:
    """Return what a command gives up with where it cannot write a file or a folder."""
    return click.ClickException(f"Cannot write {file}: {error.strerror}.")


def migrate_when_up(settings: Settings) -> None:
    """Bring the database up to date.

    Waits for a database that starts later than the site, and says at once what it waits for.  Raises
    ClickException, one line, after `database_wait` seconds.
    """
    import strifebarge.store.db.engine  # noqa: F401 - what this process needs too is read before it forks

    given_up: float | None = None  # set by the first failure, which may itself take seconds
    while True:
        try:
            done_apart(partial(migrate, settings))  # Alembic takes 8 MB, which no worker needs
            return
        except DatabaseUnavailable as away:
            if given_up is None and settings.database_wait:
                given_up = monotonic() + settings.database_wait
                message = f"{away.message}  Trying again for {settings.database_wait} seconds."
                logs.print_line(settings.log, logs.LogEvent("database_away", message), on_stderr=True)
            elif given_up is None or monotonic() > given_up:
                raise
        sleep(TRY_AGAIN)


def migrate(settings: Settings) -> None:
    """Bring the database up to date.  Raises ClickException, one line, where it cannot be used."""
    # Here and not above: SQLAlchemy takes time that `strifebarge settings` can do without.
    from strifebarge.store.migrations import upgrade

    with usable():
        upgrade(settings.unpooled_url)


@contextmanager
def usable() -> Iterator[None]:
    """Turn errors of the database into one line.

    Raises ClickException where it cannot be used or is of another version; NoAnswer where it may be usable
    in a while.
    """
    from sqlalchemy.exc import DBAPIError

    from strifebarge.store.copies import UnfitDatabase
    from strifebarge.store.migrations import NewerDatabase
    from strifebarge.tables.model.ports import Busy

    try:
        yield
    except (NewerDatabase, UnfitDatabase) as error:
        raise click.ClickException(str(error)) from None
    except Busy as error:
        raise DatabaseUnavailable(unusable(error)) from None
    except (DBAPIError, sqlite3.Error) as error:  # SQLite's own come where a connection is prepared
        raise click.ClickException(unusable(error)) from None
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise click.ClickException("PostgreSQL needs a driver: pip install 'psycopg[binary]'.") from None


def unusable(error: Exception) -> str:
    """Return the sentence about a database's error, in one line."""
    why = str(getattr(error, "orig", None) or error)
    return f"The database cannot be used: {' '.join(why.split())}"


def try_games(settings: Settings) -> None:
    """Read the games once, and say which are left out because they cannot be read.

    Raises ClickException, one line, if none can be read.
    """
    from strifebarge.tables.library.library import Library, NotAGame

    def tell(fault: NotAGame) -> None:
        logs.print_line(
            settings.log, logs.LogEvent("game_left_out", f"A game is left out: {fault}"), on_stderr=True
        )

    library = Library(settings.games, tell)
    if not library.titles:
        raise click.ClickException("No game can be read.")


def must_know_game(referee: "Referee", game: str | None) -> None:
    """Require a game, where one is named, that is installed or has tables.  Raises Unusable."""
    if game is None or game in referee.library.titles or referee.store.latest(None, game, 1):
        return
    raise no_such_game(game, referee.library)


def no_such_game(game: str, library: "Library") -> UnusableSetting:
    """Return what a command gives up with where a game is not there."""
    return UnusableSetting(f"There is no game “{game}”; the games are {', '.join(library.titles)}.")


def must_serve_alone(settings: Settings) -> None:
    """Require that no other process serves the site of this data folder.  Raises Unusable."""
    from strifebarge.settings.folder import serve_alone

    if "GUNICORN_PID" in os.environ:  # started by its own elder (USR2), which serves the site still
        return
    if (pid := serve_alone(settings.data)) is not None:
        raise UnusableSetting(
            f"Process {pid} serves the site in {str(settings.data)!r} already.  STRIFEBARGE_DATA names "
            "another folder."
        )


def try_address(settings: Settings) -> None:
    """Try once to listen where the site is to listen.

    Raises Unusable, one line, at once; gunicorn would try for five seconds and tell it in ten lines.
    """
    inherited = "GUNICORN_FD" in os.environ  # started by its own elder (USR2), which listens there still
    if inherited:
        return
    if settings.host.startswith("unix:"):
        folder = Path(settings.host.removeprefix("unix:")).parent
        if not os.access(folder, os.W_OK | os.X_OK):
            raise UnusableSetting(cannot_listen(settings, f"no socket can be made in {str(folder)!r}"))
        return
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as error:
        why = (error.strerror or "?").partition(" (")[0]  # Python adds the address in brackets
        raise UnusableSetting(cannot_listen(settings, why)) from None


def cannot_listen(settings: Settings, why: str) -> str:
    message = f"Cannot listen at {settings.bind}: {why}."
    return f"{message}  STRIFEBARGE_HOST and STRIFEBARGE_PORT name another address."
