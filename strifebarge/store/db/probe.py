"""Looks at the database: is its file in place, and has the disk room again?"""

from contextlib import suppress
from secrets import token_hex

from sqlalchemy import Engine, delete

from strifebarge.lib.busy import Busy
from strifebarge.store.db.engine import access_of, reading, writing
from strifebarge.store.db.statements import OF, upsert
from strifebarge.store.schema import secrets

NAME = "probe"
SIZE = 64 * 1024  # bytes, more than a move needs: else moves would go on and off by turns

KEEP_PROBE = upsert(secrets)
DROP_PROBE = delete(secrets).where(secrets.c.name == OF)


def probe_disk(engine: Engine) -> None:
    """Try whether something can be written, if the disk was full.  Raises Busy; DiskFull if it still is.

    Called every few seconds by a thread: from the first time on nothing else tells that there is room again.
    """
    health = access_of(engine).health
    health.has_probe = True
    if not health.disk_full:
        return
    if engine.dialect.name == "sqlite":
        with suppress(Busy), reading(engine) as connection:
            # What is in the -wal file goes to its places: that file may be what has filled the disk.
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    with writing(engine) as connection:
        # By chance, for PostgreSQL would compress anything else.
        connection.execute(KEEP_PROBE(connection), {"name": NAME, "value": token_hex(SIZE // 2)})
    with writing(engine) as connection:
        connection.execute(DROP_PROBE, {"of": NAME})
    health.wrote(probe=True)


def look_at_file(engine: Engine) -> None:
    """Note whether the file of the database is where it was opened.  Called every few seconds by a thread."""
    access_of(engine).finds_file()
