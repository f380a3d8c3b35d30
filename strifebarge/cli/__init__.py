"""The strifebarge command."""

import click

from . import games, site

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="strifebarge", message="StrifeBarge %(version)s")
def main() -> None:
    """StrifeBarge: turn-based games by link, and the framework they are written in.

    What it is told from outside are environment variables; `strifebarge settings` lists them.
    """


for command in (
    site.serve,
    site.show_settings,
    site.db,
    site.tick_once,
    site.post,
    site.ratings,
    site.reports,
    games.write_new_game,
    games.fuzz,
    games.replay,
    games.check,
    games.bring_game,
):
    main.add_command(command)
