"""The command `strifebarge`: its subcommands, and what they share."""

from typing import Any

import click

from strifebarge.cli import backups, doctor, games, hosting, people, site, switches, tables
from strifebarge.lib.busy import Busy, DiskFull

__all__ = ["main"]


class Commands(click.Group):
    """The commands, each of which gives up in one sentence where the database takes nothing for now."""

    def invoke(self, ctx: click.Context) -> Any:
        """Carry out a command.  Raises ClickException where the disk is full or the database is busy."""
        try:
            return super().invoke(ctx)
        except DiskFull:
            message = "The database's disk is full. Make room on it, and run the command again."
            raise click.ClickException(message) from None
        except Busy as error:
            message = f"The database does not answer in time ({error}). Run the command again."
            raise click.ClickException(message) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="strifebarge", message="StrifeBarge %(version)s")
def main() -> None:
    """Run StrifeBarge: turn-based games by link, and the framework they are written in.

    Environment variables configure it, or a file, strifebarge.toml; `strifebarge settings` lists them.
    """


for command in (
    site.serve,
    site.hub,
    site.bots,
    site.show_settings,
    doctor.examine_site,
    site.db,
    backups.backup,
    backups.restore,
    backups.copy_site,
    site.tick_once,
    site.notify,
    site.ratings,
    site.reports,
    games.list_library,
    games.write_new_game,
    games.fuzz,
    games.replay,
    games.check,
    games.export_games,
    games.bring_game,
    tables.of_tables,
    people.of_people,
    switches.switch_read_only,
    switches.announce,
    hosting.list_audit_log,
    hosting.make_host_link,
):
    main.add_command(command)
