"""Commands that switch something for the whole site while it runs: read-only, and an announcement."""

import click
import msgspec

from strifebarge.cli.hosting import dry_run_option
from strifebarge.cli.needs import load_site_settings, open_services
from strifebarge.cli.tables import as_json_option
from strifebarge.people.hosts import operator_name

DONE = {"on": "The site is read-only.", "off": "The site is not read-only."}


@click.command("readonly")
@click.argument("switch", type=click.Choice(["on", "off"]), metavar="on|off")
@dry_run_option
@as_json_option
def switch_read_only(switch: str, dry_run: bool, as_json: bool) -> None:
    """Make the site read-only, so that games can be watched but not played; or end that.

    All workers know within two seconds, without a restart.  While the site is read-only, all clocks stop.
    """
    with open_services(load_site_settings(), upgrading=not dry_run) as services:
        switches = services.switches
        if not dry_run:
            switches.set_read_only(switch == "on", operator_name(), services.accounts.now())
        always = switches.always_read_only
    _tell(as_json, dry_run, DONE[switch], read_only=switch)
    if always and switch == "off":
        click.echo("It stays so while STRIFEBARGE_READ_ONLY is set: restart it without that.", err=True)


@click.command("announce")
@click.argument("text", required=False)
@click.option("--off", is_flag=True, help="Remove the announcement.")
@dry_run_option
@as_json_option
def announce(text: str | None, off: bool, dry_run: bool, as_json: bool) -> None:
    """Show a text on every page, as in "The site restarts at 21:00 UTC."

    All workers know within two seconds.  A new text replaces the one before.
    """
    from strifebarge.people.switches import LONGEST_ANNOUNCEMENT, tidy_announcement

    if off == (text is not None):
        raise click.UsageError("Give a text, or --off.")
    announced = "" if text is None else tidy_announcement(text)
    if not announced and not off:
        raise click.ClickException(f"Give a text of 1 to {LONGEST_ANNOUNCEMENT} characters.")
    with open_services(load_site_settings(), upgrading=not dry_run) as services:
        if not dry_run:
            services.switches.announce(announced, operator_name(), services.accounts.now())
    done = f"Every page shows: {announced}" if announced else "No page shows an announcement."
    _tell(as_json, dry_run, done, announcement=announced)


def _tell(as_json: bool, dry_run: bool, done: str, **switched: str) -> None:
    """Say what was done, or would be."""
    if as_json:
        click.echo(msgspec.json.encode({"dry_run": dry_run, **switched}))
    else:
        click.echo(("Only tried: " if dry_run else "") + done)
