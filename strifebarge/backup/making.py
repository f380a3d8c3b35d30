"""Make a backup, and restore one."""

from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time

from sqlalchemy import make_url

from strifebarge.backup import archive, databases
from strifebarge.backup.archive import Manifest, WrongBackup
from strifebarge.results.checking import SampleResult
from strifebarge.settings.folder import add_keys

SampleCheck = Callable[[str], SampleResult]  # told the address of a database


KEYS_LACK = (
    "STRIFEBARGE_SECRET_KEYS lacks keys of that site, so its cookies and links would not hold: unset it, and "
    "the keys are put into the key file; or add those that are in the backup, in its part `secret-keys`."
)


def make_backup(database_url: str, keys: Sequence[str], to: Path, check: SampleCheck) -> Manifest:
    """Write a backup of a site that may be running; it is checked before it has its name.

    `check` plays games of the copy again; a game that comes out otherwise is told of, and backed up all the
    same.  Raises WrongBackup, OSError, and what `check` raises.
    """
    kind = databases.kind_of(database_url)
    if to.exists():
        raise WrongBackup(f"{to} is there already.")
    with TemporaryDirectory(prefix=".backup-", dir=to.parent) as folder:
        database = Path(folder, "database")
        databases.dump(database_url, database)
        # Of PostgreSQL's file nothing can be played: there it is the database itself that is looked at.
        replayed = check(f"sqlite:///{database}" if kind == "sqlite" else database_url)
        digest = archive.digest_of(database)
        manifest = Manifest(kind, time(), version("strifebarge"), digest, replayed.games, replayed.differ)
        archive.write_archive(to, manifest, database, keys)
    return manifest


def restore_backup(
    backup: Path, database_url: str, folder: Path, keys: Sequence[str], dry_run: bool = False
) -> Manifest:
    """Put the database of a backup into an empty place, and its keys into the key file of a data folder.

    All is checked before anything is put there; with `dry_run` nothing is.  `keys` are those that the site's
    settings name; none where the key file counts.  Raises WrongBackup, NewerDatabase, OSError.
    """
    manifest = archive.read_manifest(backup)
    if manifest.kind != databases.kind_of(database_url):
        raise WrongBackup(f"The backup is one of {manifest.kind}, and this site's database is another.")
    parent = folder
    if manifest.kind == "sqlite":  # on the disk of the database, so that the last step is a renaming
        parent = Path(make_url(database_url).database or "").absolute().parent
    with TemporaryDirectory(prefix=".restore-", dir=parent) as unpacked:
        database = Path(unpacked, "database")
        key_files = archive.unpack(backup, manifest, database)
        if there := databases.found_at(database_url):
            raise WrongBackup(f"{there}: a backup is restored into an empty place only.")
        if keys and not set(key_files) <= set(keys):
            raise WrongBackup(KEYS_LACK)
        databases.prove(database, database_url)
        if not dry_run:
            if not keys:
                add_keys(folder, key_files)
            databases.load(database, database_url)
    return manifest
