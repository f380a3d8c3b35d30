"""Play StrifeBarge by the forms of its pages, as a browser without scripts does."""

import re
from urllib.parse import urlencode

from benchmarks.load import Client, first_match, key_of
from tests.support.servers import Site

PIECE = {"X-Piece": "main"}  # the header of a script that asks for no more than a page's `main`


def new_game(site: Site, seats: int = 2, **options: str) -> tuple[str, list[Client]]:
    """Start a game; return its path and its players."""
    people = [Client(site.port) for _ in range(seats)]
    _, _, page = people[0].get("/new/strifebarge")
    form = {"key": key_of(page, ""), "seats": str(seats), "salvo": "false", **options}
    _, table, _ = people[0].post("/new/strifebarge", urlencode(form))
    for person in people[1:]:
        _, _, page = person.get(table)
        person.post(f"{table}/join", urlencode({"key": key_of(page, f"{table}/join")}))
    return table, people


def playing(table: str, people: list[Client], turns: int) -> int:
    """Play up to this many turns by the page's own forms (POST, 303, GET); return how many were made."""
    moves = 0
    pages = [person.get(table)[2] for person in people]
    while moves < turns:
        for mover, person in enumerate(people):
            if not may_fire(pages[mover]):
                pages[mover] = person.get(table)[2]
                if "Game over" in pages[mover]:
                    return moves
                continue
            pages[mover] = fire(table, person, pages[mover], moves * 7)
            moves += 1
            others = people[1 - mover]
            pages[1 - mover] = others.get(table)[2]
    return moves


def may_fire(page: str) -> list[str]:
    """Return the shots that a page offers."""
    return re.findall(r'name=move value="(fire \w+)"', page)


def fire(table: str, person: Client, page: str, choice: int) -> str:
    """Fire one of the shots of a page; return the page after it."""
    status, where, _ = person.post(f"{table}/turn", _shot(table, page, choice))
    if status != 303:
        raise RuntimeError(f"a move answers {status}")
    return person.get(where.partition("#")[0])[2]


def fire_by_script(table: str, person: Client, page: str, choice: int) -> str:
    """Fire as the script of a page does; return the piece of the page after it, which is the answer."""
    status, _, piece = person.post(f"{table}/turn", _shot(table, page, choice), **PIECE)
    if status != 200:
        raise RuntimeError(f"a move answers {status}")
    return piece


def _shot(table: str, page: str, choice: int) -> str:
    """Return the form of one of the shots of a page."""
    shots = may_fire(page)
    form = {
        "move": shots[choice % len(shots)],
        "asked": first_match(r'name="asked" value="(\d+)"', page),
        "key": key_of(page, f"{table}/turn"),
    }
    return urlencode(form)
