"""Commands for whoever runs the site."""

import os
import textwrap

import click

from strifebarge.settings import WrongSetting, rows

from .needs import Unusable, migrate, the_referee, the_settings, try_address, try_games


@click.command()
def serve() -> None:
    """Serve the site, the database brought up to date first."""
    from strifebarge.server import Server

    settings = the_settings()
    try_address(settings)
    try_games(settings)
    migrate(settings)
    Server(settings).run()


@click.command("settings")
def show_settings() -> None:
    """List every setting: its value, its default and what it is for."""
    try:
        for row in rows(os.environ):
            click.echo(f"{row.variable}={row.value}")
            told = f"{row.description}  Default: {row.default}."
            click.echo(textwrap.fill(told, 96, initial_indent="    ", subsequent_indent="    "))
    except WrongSetting as error:
        raise Unusable(str(error)) from None


@click.group()
def db() -> None:
    """Look after the database."""


@db.command("upgrade")
def upgrade_database() -> None:
    """Bring the database's tables up to date (serve does so by itself)."""
    migrate(the_settings())
    click.echo("The database is up to date.")


@click.command("tick")
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


@click.command()
def post() -> None:
    """Send the notices that are due, once."""
    from strifebarge import the_post

    settings = the_settings()
    with the_referee(settings) as referee:
        the_post(referee, settings)(referee.now())


@click.group()
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


@click.group()
def reports() -> None:
    """Look after what players have reported."""


@reports.command("list")
def list_reports() -> None:
    """What was said and reported: the line (table and number), who said what."""
    from strifebarge.table.chat import PHRASES

    with the_referee(the_settings()) as referee:
        for table, line in referee.store.reported():
            words = line.text or PHRASES[line.phrase]
            click.echo(f"{table}/{line.number}  {line.name or 'a guest'}: {words}")


@reports.command("strike")
@click.argument("line")
def strike_line(line: str) -> None:
    """Strike a reported line out: where it stood it says so, and what was said is kept nowhere."""
    answer_report(line, strike=True)


@reports.command("dismiss")
@click.argument("line")
def dismiss_report(line: str) -> None:
    """Let a reported line stand, and list it no more."""
    answer_report(line, strike=False)


def answer_report(line: str, strike: bool) -> None:
    from strifebarge.rules import Refused
    from strifebarge.table.names import tidy_code

    table, _, number = line.partition("/")
    with the_referee(the_settings()) as referee:
        try:
            referee.answer_report(tidy_code(table), int(number) if number.isdecimal() else 0, strike)
        except Refused as no:
            raise click.ClickException(str(no.text)) from None
