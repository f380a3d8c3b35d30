"""Measure a whole turn of seven players who choose at once: seven forms, the resolution, seven pages."""

import re
from html import unescape
from urllib.parse import urlencode

from benchmarks.load import Client, first_match, key_of
from tests.support.servers import Site

SEATS = 7


class Seven:
    """A game of 7 Startups with all seats taken."""

    def __init__(self, site: Site):
        self.table, self.people = _begun(site)
        self.pages = self._look()
        self.made = 0

    def _look(self) -> list[str]:
        return [person.get(self.table)[2] for person in self.people]

    def turn(self) -> None:
        """Choose for every seat, look at every page, and answer what is asked between two turns.

        A game has 18 turns.
        """
        for seat in range(SEATS):
            self._choose(seat)
        self.pages = self._look()
        while to_choose := [seat for seat in range(SEATS) if _must_choose(self.pages[seat])]:
            for seat in to_choose:  # a card from the discard pile, or the last one
                self._choose(seat)
            self.pages = self._look()
        self.made += 1

    def _choose(self, seat: int) -> None:
        _choose(self.table, self.people[seat], self.pages[seat], self.made)


def _begun(site: Site) -> tuple[str, list[Client]]:
    people = [Client(site.port) for _ in range(SEATS)]
    _, _, page = people[0].get("/new/startups")
    form = {"key": key_of(page, ""), "seats": str(SEATS), "running": "true"}
    _, table, _ = people[0].post("/new/startups", urlencode(form))
    for person in people[1:]:
        _, _, page = person.get(table)
        person.post(f"{table}/join", urlencode({"key": key_of(page, f"{table}/join")}))
    return table, people


def _choose(table: str, person: Client, page: str, turn: int) -> None:
    """Press one of the buttons that may be pressed."""
    moves = re.findall(r'name="move" value="([^"]+)"(?![^>]*aria-disabled)', page)
    form = {
        "move": unescape(moves[turn * 5 % len(moves)]),
        "asked": first_match(r'name="asked" value="(\d+)"', page),
        "key": key_of(page, f"{table}/turn"),
    }
    status, _, _ = person.post(f"{table}/turn", urlencode(form))
    if status != 303:
        raise RuntimeError(f"a choice answers {status}")


def _must_choose(page: str) -> bool:
    """Return whether this player is asked something between two turns."""
    return "Your turn." in page and bool(re.search(r"discard pile\.</span>|your last card, too", page))
