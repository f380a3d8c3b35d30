"""What other processes do in these tests; they import no more than this."""

import sys
import time
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from secrets import token_hex

from strifebarge.results.bookkeeper import rebuild
from strifebarge.rules import Refused
from strifebarge.rules.notation import read
from strifebarge.store.db.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import Store
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Busy, Row
from strifebarge.tables.play.turn import FormToken
from tests.support import forms


def at_once(work, *arguments, processes=4):
    """What `work(*arguments)` returned in each of `processes` processes, all started together."""
    with get_context("spawn").Pool(processes) as pool:
        return pool.starmap(work, [arguments] * processes, chunksize=1)


def count_up(store, id, times):
    """Read a number, add one, write it: what is lost if two do so at the same time."""
    for _ in range(times):
        with store.tables.change(id) as change:
            change.table.position.number += 1
            change.append([Row(change.table.position.number, 0, {"do": "count"})])


def count_up_by_drafts(store, id, times):
    """Read a number, add one, and write it if nobody was faster, else read it again: as forms do."""
    for _ in range(times):
        while not counted(store.tables.draft(id)):
            pass


def counted(draft):
    draft.table.position.number += 1
    with draft.locked() as change:
        if change.is_current:
            change.append([Row(draft.table.position.number, 0, {"do": "count"})])
        return change.is_current


def count_up_there(url, id, times, count=count_up):
    engine = engine_for(url, 2)
    count(Store(engine), id, times)
    engine.dispose()


def migrate(url):
    upgrade(url)
    return True


def thrown(referee, people, hands=("rock", "paper"), **how):
    """A game of Rock-Paper-Scissors from its start to its end; its table."""
    one, other = people
    table = forms.start(referee, one, "rps", FormToken(token_hex(16)), seats=2, **how)
    forms.join(referee, other, table.id, "", FormToken(token_hex(16)))
    for player, hand in zip(people, hands, strict=True):
        throw(referee, player, table.id, hand)
    return referee.views.status(table.id)


def throw(referee, player, id, hand):
    return forms.move(referee, player.id, id, partial(read, f"throw {hand}"), FormToken(token_hex(16)))


def throw_rated(url, people, times):
    """Rated games between the same two."""
    engine = engine_for(url, 2)
    referee = forms.a_referee(Store(engine), Library())
    played = 0
    while played < times:
        with suppress(Busy):  # on a machine that has much else to do; what it began is not in the books
            thrown(referee, [Player(id) for id in people], afterwards="rated")
            played += 1
    engine.dispose()


def join_there(url, id, times):
    """How many of these people, one after the other, have sat down."""
    engine = engine_for(url, 2)
    referee = forms.a_referee(Store(engine), Library())
    seated = 0
    for _ in range(times):
        with suppress(Refused, Busy):
            forms.join(referee, forms.newcomer(referee), id, "", FormToken(token_hex(16)))
            seated += 1
    engine.dispose()
    return seated


def rebuild_there(url, times):
    """Ratings made anew again and again; how many were otherwise before, each time."""
    engine = engine_for(url, 2)
    store, changed = Store(engine), []
    for _ in range(times):
        with store.results.ladder("rps") as ladder:
            changed.append(rebuild(ladder)[1])
    engine.dispose()
    return changed


def stay_inside(url, id):
    """Begin a change, say so, and never end it."""
    with Store(engine_for(url, 2)).tables.change(id) as change:
        change.table.position.number = 99
        change.append([Row(1, 0, {"do": "vanish"})])
        print("inside", flush=True)
        time.sleep(600)


if __name__ == "__main__":
    stay_inside(*sys.argv[1:])
