"""A whole turn of seven who choose at once: seven forms, the resolution, and seven pages."""

import re
from html import unescape
from statistics import median
from time import perf_counter
from urllib.parse import urlencode

from benchmarks.load import Client, found, key_of
from tests.support.servers import Site

SEATS = 7
TURNS = 17  # the game has eighteen


def full_turns(site: Site) -> float:
    """Seconds for a turn of 7 Startups with all seats taken, in the middle of turns like it."""
    table, people = _begun(site)
    pages = [person.get(table)[2] for person in people]
    took = []
    for turn in range(TURNS):
        began = perf_counter()
        for number, person in enumerate(people):
            _choose(table, person, pages[number], turn)
        pages = [person.get(table)[2] for person in people]
        while any(_asked_alone(page) for page in pages):  # a card from the discard pile, or the last one
            for number, person in enumerate(people):
                if _asked_alone(pages[number]):
                    _choose(table, person, pages[number], turn)
            pages = [person.get(table)[2] for person in people]
        took.append(perf_counter() - began)
    return median(took)


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
    """One of the buttons that may be pressed."""
    moves = re.findall(r'name="move" value="([^"]+)"(?![^>]*aria-disabled)', page)
    form = {
        "move": unescape(moves[turn * 5 % len(moves)]),
        "asked": found(r'name="asked" value="(\d+)"', page),
        "key": key_of(page, f"{table}/turn"),
    }
    status, _, _ = person.post(f"{table}/turn", urlencode(form))
    if status != 303:
        raise RuntimeError(f"a choice answers {status}")


def _asked_alone(page: str) -> bool:
    """Is this player asked something between two turns?"""
    return "Your turn." in page and bool(re.search(r"discard pile\.</span>|your last card, too", page))
