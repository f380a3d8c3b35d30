"""Commands for the host of a site."""

import os
import sys
import textwrap

import click

from strifebarge.cli.needs import (
    UnusableSetting,
    load_settings,
    load_site_settings,
    migrate,
    migrate_when_up,
    must_serve_alone,
    open_readonly_referee,
    open_referee,
    open_services,
    try_address,
    try_games,
)
from strifebarge.cli.tables import print_nothing_listed
from strifebarge.settings import WrongSetting, rows


@click.command()
@click.option("--host", metavar="HOST", help="Where to listen, whatever STRIFEBARGE_HOST says.")
@click.option("--port", metavar="PORT", help="The port to listen at, whatever STRIFEBARGE_PORT says.")
@click.option("--reload", is_flag=True, help="For authors: reload games when their files change.")
def serve(host: str | None, port: str | None, reload: bool) -> None:
    """Run the site, after bringing its database up to date."""
    from strifebarge.server.application import Server
    from strifebarge.server.helpers import helpers_of
    from strifebarge.server.supervisor import Supervisor

    settings = load_settings(host=host, port=port)
    must_serve_alone(settings)
    try_address(settings)
    if not reload:  # then a game that cannot be read is left out, and none is read before the fork
        try_games(settings)
    migrate_when_up(settings)
    # One that replaces a running gunicorn (USR2) has that one's helpers.
    helpers = [] if "GUNICORN_PID" in os.environ else helpers_of(settings, reload)
    if helpers:
        sys.exit(Supervisor(Server(settings, reload).run, helpers).run())
    Server(settings, reload).run()


@click.command()
def hub() -> None:
    """Run only the hub, which tells open pages of moves (part of serve)."""
    from strifebarge.live.process import run_hub
    from strifebarge.ops.metrics import measure

    settings = load_settings()
    migrate_when_up(settings)
    measure(settings)
    run_hub(settings, alone=True)


@click.command()
def bots() -> None:
    """Run only the bots (part of serve)."""
    from strifebarge.server.helpers import run_bots

    settings = load_settings()
    if settings.bots == "off" or settings.read_only:
        raise click.ClickException("This site has no bots: see STRIFEBARGE_BOTS and STRIFEBARGE_READ_ONLY.")
    migrate_when_up(settings)
    run_bots(settings, alone=True)


@click.command("settings")
def show_settings() -> None:
    """List all settings: value, default and purpose."""
    try:
        for row in rows(os.environ):
            click.echo(f"{row.variable}={row.value}")
            message = f"{row.description}  Default: {row.default}."
            click.echo(textwrap.fill(message, 96, initial_indent="    ", subsequent_indent="    "))
    except WrongSetting as error:
        raise UnusableSetting(str(error)) from None


@click.group()
def db() -> None:
    """Look after the database."""


@db.command("upgrade")
def upgrade_database() -> None:
    """Bring the database's tables up to date (part of serve)."""
    migrate(load_settings())
    click.echo("The database is up to date.")


@click.command("tick")
@click.option(
    "--every",
    default=60,
    show_default=True,
    help="The seconds until the next such call.",
    type=click.IntRange(1, 3600),
)
def tick_once(every: int) -> None:
    """Carry out all that is due, once (serve does so every few seconds)."""
    from strifebarge.app import ticking

    with open_services(load_site_settings()) as services:
        if services.switches.read_only:
            return
        once = ticking(services, 0, 2 * every + 60)
        once.elected()
        once.tick(services.clock())


@click.command()
def notify() -> None:
    """Send the notifications that are due, once."""
    from strifebarge.app import dispatcher

    settings = load_site_settings()
    with open_services(settings) as services:
        if not services.switches.read_only:
            dispatcher(services, settings)(services.referee.now())


@click.group()
def ratings() -> None:
    """Look after the ratings."""


@ratings.command("rebuild")
def rebuild_ratings() -> None:
    """Make all ratings again from the results; they come out the same."""
    with open_services(load_site_settings()) as services:
        for game, people, changed in services.results.rebuild_all_ratings():
            click.echo(f"{game}: {people} people rated, {changed} changed.")


@click.group()
def reports() -> None:
    """Look after messages that players have reported."""


@reports.command("list")
def list_reports() -> None:
    """List reported messages: table and number, public id and name of their author, and text."""
    from strifebarge.tables.model.chat import PHRASES
    from strifebarge.tables.model.player import public_id

    with open_readonly_referee(load_site_settings()) as referee:
        reported = referee.store.reported()
    for table, line in reported:
        text = line.text or PHRASES[line.phrase]
        click.echo(f"{table}/{line.number}  {public_id(line.player)}  {line.name or 'a guest'}: {text}")
    if not reported:
        print_nothing_listed()


@reports.command("strike")
@click.argument("line")
def strike_line(line: str) -> None:
    """Delete a reported message; a note takes its place."""
    answer_report(line, strike=True)


@reports.command("dismiss")
@click.argument("line")
def dismiss_report(line: str) -> None:
    """Keep a reported message, and take it off the list."""
    answer_report(line, strike=False)


def answer_report(line: str, strike: bool) -> None:
    """Delete or keep a reported message.  Raises ClickException."""
    from strifebarge.rules import Refused
    from strifebarge.tables.acts import talk as acts
    from strifebarge.tables.model.names import tidy_code

    table, _, number = line.partition("/")
    with open_referee(load_site_settings()) as referee:
        try:
            acts.answer_report(referee, tidy_code(table), int(number) if number.isdecimal() else 0, strike)
        except Refused:
            raise click.ClickException(
                f"There is no reported message “{line}”: `strifebarge reports list` lists those there are."
            ) from None
