"""Measure what it costs to show a table that is not in memory, after few moves and after many."""

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
from strifebarge.store.db.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import Store
from strifebarge.tables.library.library import Library
from strifebarge.tables.play.matches import cache_key
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.turn import FormToken
from tests.support import forms


def cold_shows(after: tuple[int, ...], seats: int, times: int = 60) -> dict[int, float]:
    """Return the seconds to show a StrifeBarge table that is not in memory, by the number of moves before."""
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'cold.db'}"
        upgrade(url)
        store, library = Store(engine_for(url, 2)), Library()
        table, players = _table(forms.a_referee(store, library), seats)
        costs = {}
        dice = Chance("cold")
        for number in after:
            play_up_to(forms.a_referee(store, library), table, players, number, dice)
            costs[number] = median(_show(store, library, table, players[0]) for _ in range(times))
        return costs


def _show(store: Store, library: Library, table: str, player: str) -> float:
    referee = forms.a_referee(store, library)
    began = perf_counter()
    referee.views.show(player, table)
    return perf_counter() - began


def _table(referee: Referee, seats: int) -> tuple[str, list[str]]:
    people = [forms.newcomer(referee) for _ in range(seats)]
    options = {"sea": "open"}
    table = forms.start(referee, people[0], "strifebarge", FormToken("0" * 16), seats, options)
    for number, person in enumerate(people[1:], 1):
        forms.join(referee, person, table.id, "", FormToken(f"{number:016}"))
    return table.id, [person.id for person in people]


def play_up_to(referee: Referee, table: str, players: list[str], number: int, dice: Chance) -> None:
    """Play up to a move by shots that hit nothing as long as there are any, so that the game lasts."""
    rules = referee.library["strifebarge"].rules
    while (now := referee.store.table(table)).position.number < number and now.ending.result is None:
        seat = now.position.waiting[0]
        cached = referee.matches.take(table, cache_key(now)) or forms.take_up(referee, now)
        action = _harmless(cached.match, seat, dice)
        referee.matches.put(table, cache_key(now), cached)
        raw = msgspec.to_builtins(action)
        key = f"{seat}-{now.position.number:016}"
        forms.move(
            referee, players[seat], table, lambda _, raw=raw: from_json(raw, actions(rules)), FormToken(key)
        )


def _harmless(match: Match, seat: int, dice: Chance) -> Action:
    """Return a shot into water if there is one, else any action."""
    taken = {square for captain in match.game.seats for ship in captain.fleet for square in ship.squares}
    water = [offer for offer in match.offers(seat) if offer.square not in taken]
    return dice.choice(water) if water else random_choice(match, seat, dice)
