"""The file of a backup: a ZIP of a manifest, the database and the keys."""

import os
import shutil
from collections.abc import Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Literal
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile
from zlib import error as BadDeflate

import msgspec

FORMAT = 1
MANIFEST, DATABASE, KEYS = "manifest.json", "database", "secret-keys"  # the names of its parts
# What is raised where a file is no ZIP, a part is not there, or it is packed or encrypted as ours are not.
UNREADABLE = (BadZipFile, BadDeflate, KeyError, EOFError, RuntimeError)


class WrongBackup(Exception):
    """A backup cannot be made or read; its text is one sentence for the host."""


class Manifest(msgspec.Struct, frozen=True):
    """A backup's words about itself."""

    kind: Literal["sqlite", "postgresql"]
    created: float  # seconds since 1970
    version: str  # of StrifeBarge
    digest: str  # SHA-256 of the database's part
    replayed: int  # running games that were played again to check it
    differ: tuple[str, ...] = ()  # those of them that came out otherwise, by the ids of their tables
    format: int = FORMAT


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()


def write_archive(to: Path, manifest: Manifest, database: Path, keys: Sequence[str]) -> None:
    """Write a backup, readable by its owner alone: whole and on the disk, or not at all."""
    partly = to.with_name(f".{to.name}.{os.getpid()}.part")
    pressed = ZIP_DEFLATED if manifest.kind == "sqlite" else ZIP_STORED  # pg_dump has compressed its own
    try:
        with open(os.open(partly, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            with ZipFile(file, "w", ZIP_DEFLATED) as parts:
                parts.writestr(MANIFEST, msgspec.json.encode(manifest))
                parts.writestr(KEYS, "".join(f"{key}\n" for key in keys))
                parts.write(database, DATABASE, pressed)
            file.flush()
            os.fsync(file.fileno())
        partly.replace(to)
        _sync_folder(to.parent)
    finally:
        partly.unlink(missing_ok=True)


def read_manifest(backup: Path) -> Manifest:
    """Return what a backup says of itself.  Raises WrongBackup."""
    try:
        with ZipFile(backup) as parts:
            manifest = msgspec.json.decode(parts.read(MANIFEST), type=Manifest)
    except (OSError, *UNREADABLE, msgspec.DecodeError) as error:
        raise WrongBackup(f"{backup} is no backup of StrifeBarge: {error}") from error
    if manifest.format > FORMAT:
        raise WrongBackup(f"{backup} was made by a newer version, {manifest.version}: install that one.")
    return manifest


def unpack(backup: Path, manifest: Manifest, database: Path) -> list[str]:
    """Write the database of a backup to a file, and return the keys, oldest first.  Raises WrongBackup."""
    try:
        with ZipFile(backup) as parts:
            with parts.open(DATABASE) as packed, database.open("xb") as file:
                shutil.copyfileobj(packed, file)
                file.flush()
                os.fsync(file.fileno())
            keys = parts.read(KEYS).decode().split()
    except (*UNREADABLE, UnicodeDecodeError) as error:
        raise WrongBackup(f"{backup} is damaged: {error}") from error
    if digest_of(database) != manifest.digest:
        raise WrongBackup(f"{backup} is damaged: the database in it is not the one that was put there.")
    return keys


def _sync_folder(folder: Path) -> None:
    """Let the system write down which files a folder has."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
