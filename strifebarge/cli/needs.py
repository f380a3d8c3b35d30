"""What commands need: settings that can be used, a database that answers, a referee, games, an address."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from strifebarge.settings import Settings, WrongSetting

if TYPE_CHECKING:
    from strifebarge.table.referee import Referee


class Unusable(click.ClickException):
    """A setting that stops a command before it starts: one line, and a wrong command line's exit code."""

    exit_code = 2


def the_settings() -> Settings:
    try:
        return Settings.from_environment(os.environ)
    except WrongSetting as error:
        raise Unusable(str(error)) from None


@contextmanager
def the_referee(settings: Settings) -> Iterator["Referee"]:
    """The referee of the site these settings are of, the database brought up to date first."""
    migrate(settings)
    with a_referee(settings, settings.database_url) as referee:
        yield referee


@contextmanager
def an_untouched_referee(settings: Settings) -> Iterator["Referee"]:
    """A referee who looks, and whose database is not brought up to date for it."""
    from strifebarge.store.copies import OlderDatabase, untouched

    try:
        with usable(), untouched(settings.database_url) as url, a_referee(settings, url) as referee:
            yield referee
    except FileNotFoundError as missing:
        raise click.ClickException(f"There is no database yet: {missing}") from None
    except OlderDatabase as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def a_referee(settings: Settings, url: str) -> Iterator["Referee"]:
    from strifebarge.store.engine import engine_for
    from strifebarge.store.store import SqlStore
    from strifebarge.table.library import Library
    from strifebarge.table.referee import Referee

    engine = engine_for(url, 1)
    try:
        yield Referee(SqlStore(engine), Library(settings.games))
    finally:
        engine.dispose()


def migrate(settings: Settings) -> None:
    """Bring the database up to date.  Raises ClickException, one line, where there is none to be had."""
    # Here and not above: SQLAlchemy takes time that `strifebarge settings` can do without.
    from strifebarge.store.migrations import upgrade

    try:
        with usable():
            upgrade(settings.database_url)
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise click.ClickException(
            "PostgreSQL needs a driver: pip install 'strifebarge[postgres]'."
        ) from None


@contextmanager
def usable() -> Iterator[None]:
    """Raises ClickException, one line, where a database is newer than this program, or does not answer."""
    from sqlalchemy.exc import DBAPIError

    from strifebarge.store.migrations import NewerDatabase
    from strifebarge.table.ports import Busy

    try:
        yield
    except NewerDatabase as error:
        raise click.ClickException(str(error)) from None
    except (DBAPIError, Busy) as error:
        why = str(getattr(error, "orig", None) or error).strip()
        raise click.ClickException(f"The database cannot be used: {why}") from None


def try_games(settings: Settings) -> None:
    """Raises ClickException, one line, where a worker would fall over a game that cannot be read."""
    from strifebarge.table.library import Library, NotAGame

    try:
        Library(settings.games)
    except NotAGame as error:
        raise click.ClickException(str(error)) from None


def try_address(settings: Settings) -> None:
    """Raises Unusable at once where gunicorn would try for five seconds, and tell it in ten lines."""
    inherited = "GUNICORN_FD" in os.environ  # started by its own elder (USR2), which listens there still
    if settings.host.startswith("unix:") or inherited:
        return
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as error:
        why = (error.strerror or "?").partition(" (")[0]  # Python adds the address in brackets
        told = f"Cannot listen at {settings.bind}: {why}."
        raise Unusable(f"{told}  STRIFEBARGE_HOST and STRIFEBARGE_PORT name another address.") from None
