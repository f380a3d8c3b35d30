"""What it costs to show a table nobody has looked at lately, after few moves and after many."""

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import msgspec

from strifebarge.rules import Action, Chance
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions
from strifebarge.rules.testing import random_choice
from strifebarge.store.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import SqlStore
from strifebarge.table.library import Library
from strifebarge.table.referee import Referee, Slip


def cold_shows(after: tuple[int, ...], seats: int, times: int = 60) -> dict[int, float]:
    """Seconds to show a StrifeBarge table on the open sea from an empty shelf, after so many moves."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'cold.db'}"
        upgrade(url)
        store, library = SqlStore(engine_for(url, 2)), Library()
        table, players = _table(Referee(store, library), seats)
        found = {}
        dice = Chance("cold")
        for number in after:
            play_up_to(Referee(store, library), table, players, number, dice)
            found[number] = median(_show(store, library, table, players[0]) for _ in range(times))
        return found


def _show(store: SqlStore, library: Library, table: str, player: str) -> float:
    referee = Referee(store, library)
    began = perf_counter()
    referee.show(player, table)
    return perf_counter() - began


def _table(referee: Referee, seats: int) -> tuple[str, list[str]]:
    people = [referee.newcomer() for _ in range(seats)]
    options = {"sea": "open"}
    table = referee.start(people[0], "strifebarge", Slip("0" * 16), seats, options)
    for number, person in enumerate(people[1:], 1):
        referee.join(person, table.id, "", Slip(f"{number:016}"))
    return table.id, [person.id for person in people]


def play_up_to(referee: Referee, table: str, players: list[str], number: int, dice: Chance) -> None:
    """Shots that hit nothing new while they can, so that the game lasts."""
    rules = referee.library["strifebarge"].rules
    while (now := referee.store.table(table)).number < number and now.result is None:
        seat = now.waiting[0]
        laid = referee.shelf.take(table, now.revision) or referee._take_up(referee.store, now)
        action = _harmless(laid.match, seat, dice)
        referee.shelf.put(table, now.revision, laid)
        raw = msgspec.to_builtins(action)
        key = f"{seat}-{now.number:016}"
        referee.move(players[seat], table, lambda _, raw=raw: from_json(raw, actions(rules)), Slip(key))


def _harmless(match: Match, seat: int, dice: Chance) -> Action:
    """A shot into water, while there is any."""
    taken = {square for captain in match.game.seats for ship in captain.fleet for square in ship.squares}
    water = [offer for offer in match.offers(seat) if offer.square not in taken]
    return dice.choice(water) if water else random_choice(match, seat, dice)
