"""The strifebarge command."""

import os
import socket
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from strifebarge.settings import Settings, WrongSetting, rows

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


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="strifebarge", message="StrifeBarge %(version)s")
def main() -> None:
    """StrifeBarge: turn-based games by link, and the framework they are written in.

    What it is told from outside are environment variables; `strifebarge settings` lists them.
    """


@main.command()
def serve() -> None:
    """Serve the site, the database brought up to date first."""
    from strifebarge.server import Server

    settings = the_settings()
    try_address(settings)
    try_games(settings)
    migrate(settings)
    Server(settings).run()


@main.command("settings")
def show_settings() -> None:
    """List every setting: its value, its default and what it is for."""
    try:
        for row in rows(os.environ):
            click.echo(f"{row.variable}={row.value}")
            told = f"{row.description}  Default: {row.default}."
            click.echo(textwrap.fill(told, 96, initial_indent="    ", subsequent_indent="    "))
    except WrongSetting as error:
        raise Unusable(str(error)) from None


@main.group()
def db() -> None:
    """Look after the database."""


@db.command("upgrade")
def upgrade_database() -> None:
    """Bring the database's tables up to date (serve does so by itself)."""
    migrate(the_settings())
    click.echo("The database is up to date.")


@main.command("new-game")
@click.argument("name")
@click.option(
    "--in",
    "folder",
    default="games",
    show_default=True,
    help="The folder to write it into.",
    type=click.Path(file_okay=False, path_type=Path),
)
def write_new_game(name: str, folder: Path) -> None:
    """Write a small game that works, to make your own of."""
    from strifebarge.starter import WrongName, new_game

    try:
        home = new_game(name, folder)
    except WrongName as error:
        raise Unusable(str(error)) from None
    click.echo(f"{home} is a game. `make run` has it on the site; other folders of games: STRIFEBARGE_GAMES.")


@main.command()
@click.argument("game")
@click.option("--seconds", type=click.FloatRange(min=0), help="How long to play.  [default: 60]")
@click.option("--games", type=click.IntRange(min=1), help="How many games to play at most.")
@click.option("--seed", default="fuzz", show_default=True, help="The same seed plays the same games.")
@click.option(
    "--out",
    default="findings",
    show_default=True,
    help="The folder for the records of what is found.",
    type=click.Path(file_okay=False, path_type=Path),
)
@click.pass_context
def fuzz(
    context: click.Context, game: str, seconds: float | None, games: int | None, seed: str, out: Path
) -> None:
    """Play a game so that its rules might break, and write down what does.

    Exit code 1 where something was found.
    """
    from strifebarge.fuzz.telling import hunt_and_tell
    from strifebarge.rules import Refused
    from strifebarge.table.library import Library

    library = Library(the_settings().games)
    try:
        title = library[game]
    except Refused:
        raise Unusable(f"There is no game “{game}” here; there are {', '.join(library.titles)}.") from None
    others = [other.rules for other in library if other is not title]
    seconds = 60 if seconds is None and games is None else seconds
    if hunt_and_tell(title.rules, others, seed, seconds, games, out, click.echo):
        context.exit(1)


@main.command()
@click.argument("file", type=click.File("rb"))
def replay(file: BinaryIO) -> None:
    """Play a recorded game again, move by move, and see that it comes out as it says."""
    from strifebarge.table.library import Library
    from strifebarge.table.record import WrongRecord, read_record
    from strifebarge.table.record import replay as play_again

    try:
        record = read_record(file.read())
        match = play_again(record, Library(the_settings().games)).match
    except WrongRecord as wrong:
        raise click.ClickException(str(wrong.text)) from None
    click.echo(f"{record.game}: {match.number} moves, the same to the last: {match.fingerprint()}")


@main.command()
@click.argument("game", required=False)
@click.option("--adopt", is_flag=True, help="Let games that come out the same go on by the newest rules.")
@click.pass_context
def check(context: click.Context, game: str | None, adopt: bool) -> None:
    """Play all running games again by the rules that are here, before these go live.

    Nothing is changed, unless with --adopt.  Exit code 1 where a game comes out otherwise.
    """
    from strifebarge.table import checking

    settings = the_settings()
    try_games(settings)
    found: list[checking.Checked] = []
    with the_referee(settings) if adopt else an_untouched_referee(settings) as referee:
        missing = checking.unknown(referee)
        for table in missing:
            click.echo(f"{table.id}  {table.game}: this game is not here")
        for checked in checking.check(referee, game):
            found.append(checked)
            click.echo(checking.told(checked))
            if adopt and checking.adopt(referee, checked.table.id):
                click.echo(f"{checked.table.id}  goes on by rules {checked.now}")
    click.echo(checking.summary(found))
    if missing or any(each.parting.outcome is not checking.Outcome.SAME for each in found):
        context.exit(1)


@main.command("import")
@click.argument("file", type=click.File("rb"))
def bring_game(file: BinaryIO) -> None:
    """Keep a game that was played elsewhere, from its record, to be looked at here."""
    from secrets import token_hex

    from strifebarge.table.record import WrongRecord, bring
    from strifebarge.table.referee import Slip

    with the_referee(the_settings()) as referee:
        try:
            table = bring(referee, referee.newcomer(), file.read(), Slip(token_hex(16)))
        except WrongRecord as wrong:
            raise click.ClickException(str(wrong.text)) from None
    click.echo(f"The game is at /r/{table.record}")


@main.command("tick")
@click.option(
    "--every",
    default=60,
    show_default=True,
    help="The seconds after which this is going to be called again.",
    type=click.IntRange(1, 3600),
)
def tick_once(every: int) -> None:
    """Look once at all that is due, as serve does by itself every few seconds."""
    from time import time

    from strifebarge import ticking

    with the_referee(the_settings()) as referee:
        once = ticking(referee, 0, 2 * every + 60)
        once.elected(time())
        once.tick(time())


@main.group()
def ratings() -> None:
    """Look after the ratings."""


@ratings.command("rebuild")
def rebuild_ratings() -> None:
    """Make all ratings anew from the games in the books; they come out the same."""
    from strifebarge.table.bookkeeper import rebuild

    with the_referee(the_settings()) as referee:
        for game in referee.store.ladders():
            with referee.store.ladder(game) as ladder:
                people, changed = rebuild(ladder)
            click.echo(f"{game}: {people} people rated, {changed} of them changed.")


@main.command()
def post() -> None:
    """Send the notices that are due, once."""
    from strifebarge import the_post

    settings = the_settings()
    with the_referee(settings) as referee:
        the_post(referee, settings)(referee.now())


# -- what commands need ----------------------------------------------------------


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


if __name__ == "__main__":
    main()
