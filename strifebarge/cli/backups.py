"""Commands that keep a site: to make a backup, to restore one, and to move to another database."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from strifebarge.backup.kept import name_of
from strifebarge.cli.needs import cannot_write, load_settings, load_site_settings, services_on, usable

if TYPE_CHECKING:
    from strifebarge.results.checking import SampleResult

MOST = 100  # games that are played again


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print what the backup holds as JSON.")
def backup(file: Path | None, as_json: bool) -> None:
    """Put the database and the keys of the site into one file, while it runs.

    The file is checked before it gets its name.  It holds all secrets of the site: keep it safe.  Without
    FILE it goes into the folder that STRIFEBARGE_BACKUPS names, else into `backups` in the data folder.
    """
    from strifebarge.backup.archive import WrongBackup
    from strifebarge.backup.making import make_backup
    from strifebarge.results.checking import SampleResult

    settings = load_site_settings()
    to = file or (settings.backups or settings.data / "backups") / name_of(datetime.now(UTC))
    try:
        if file is None:
            to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        elif not to.parent.is_dir():
            raise WrongBackup(f"There is no folder {to.parent}.")
        with usable():
            manifest = make_backup(settings.unpooled_url, settings.secret_keys, to, _play_again)
    except WrongBackup as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise cannot_write(to, error) from None
    if as_json:
        click.echo(msgspec.json.encode({"file": str(to), **msgspec.to_builtins(manifest)}))
        return
    click.echo(f"{to}: {_came_out(SampleResult(manifest.replayed, manifest.differ))}")
    _tell_of(manifest.differ)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only try it: nothing is restored.")
def restore(file: Path, dry_run: bool) -> None:
    """Restore a backup into an empty place: its database where the settings say, its keys to the data folder.

    The site must not run there yet.  Clocks go on from where they stood when the backup was made.
    """
    from strifebarge.backup.archive import WrongBackup
    from strifebarge.backup.making import restore_backup
    from strifebarge.cli.needs import migrate
    from strifebarge.settings import read

    settings = load_settings()
    try:
        with usable():
            keys = read(os.environ).secret_keys
            manifest = restore_backup(file, settings.unpooled_url, settings.data, keys, dry_run)
    except WrongBackup as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"Cannot restore here: {error.strerror}.") from None
    made = datetime.fromtimestamp(manifest.created, UTC)
    of = f"{manifest.kind}, version {manifest.version}, {made:%Y-%m-%d %H:%M} UTC"
    if dry_run:
        click.echo(f"{file}: a backup of {of}, which can be restored here.")
        return
    migrate(settings)
    click.echo(f"Restored: {of}.  `strifebarge serve` goes on from there.")


@click.command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("--dry-run", is_flag=True, help="Only say what would be copied.")
@click.option("--json", "as_json", is_flag=True, help="Print what was copied as JSON.")
def copy_site(source: str, target: str, dry_run: bool, as_json: bool) -> None:
    """Copy all tables of one database into another, from SQLite to PostgreSQL or back.

    FROM and TO are addresses as STRIFEBARGE_DATABASE_URL has them; TO must be empty.  FROM is left as it is:
    stop the site first, since moves made after the copy has begun are not in it.  Every row is compared, and
    some running games are played again.
    """
    from strifebarge.backup.copying import WrongCopy, copy_database, count_rows

    try:
        with usable():
            rows = count_rows(source, target) if dry_run else copy_database(source, target)
            replayed = None if dry_run else _play_again(target)
    except WrongCopy as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:  # no room for what is copied first, above all
        raise click.ClickException(f"Cannot copy: {error.strerror}.") from None
    differ = replayed.differ if replayed else ()
    if as_json:
        games = replayed.games if replayed else 0
        payload = {"dry_run": dry_run, "rows": rows, "replayed": games, "differ": differ}
        click.echo(msgspec.json.encode(payload))
        return
    click.echo(f"{sum(rows.values())} rows of {len(rows)} tables {'would be' if dry_run else 'are'} copied.")
    if replayed:
        click.echo(f"{_came_out(replayed).capitalize()}  Now let STRIFEBARGE_DATABASE_URL name the copy.")
    _tell_of(differ)


def _came_out(replayed: "SampleResult") -> str:
    """Return the sentence about the games that were played again."""
    if not replayed.games:
        return "no game is running, so none was played again."
    same = replayed.games - len(replayed.differ)
    return f"of {replayed.games} games that were played again {same} came out the same."


def _tell_of(differ: Sequence[str]) -> None:
    """Tell of tables at which a game came out otherwise."""
    for table in differ:
        click.echo(f"{table}  comes out differently: see `strifebarge check`", err=True)


def _play_again(database_url: str) -> "SampleResult":
    """Play some running games of a database again; nothing in it changes."""
    from strifebarge.results.checking import check_some
    from strifebarge.store.copies import scratch_copy

    with scratch_copy(database_url) as url, services_on(load_settings(), url) as services:
        return check_some(services.referee, MOST)
