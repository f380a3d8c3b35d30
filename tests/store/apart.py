"""What other processes do in these tests; they import no more than this."""

import sys
import time
from multiprocessing import get_context

from strifebarge.store.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import SqlStore
from strifebarge.table.ports import Row


def at_once(work, *arguments, processes=4):
    """What `work(*arguments)` returned in each of so many processes, all started together."""
    with get_context("spawn").Pool(processes) as pool:
        return pool.starmap(work, [arguments] * processes, chunksize=1)


def count_up(store, id, times):
    """Read a number, add one, write it: what is lost if two do so at the same time."""
    for _ in range(times):
        with store.change(id) as change:
            change.table.number += 1
            change.append([Row(change.table.number, 0, {"do": "count"})])


def count_up_there(url, id, times):
    engine = engine_for(url, 2)
    count_up(SqlStore(engine), id, times)
    engine.dispose()


def migrate(url):
    upgrade(url)
    return True


def stay_inside(url, id):
    """Begin a change, say so, and never end it."""
    with SqlStore(engine_for(url, 2)).change(id) as change:
        change.table.number = 99
        change.append([Row(1, 0, {"do": "vanish"})])
        print("inside", flush=True)
        time.sleep(600)


if __name__ == "__main__":
    stay_inside(*sys.argv[1:])
