"""Measure how long people wait while bots play beside them: `nice python -m benchmarks.bots_beside`.

The same site is measured in turns without and with the process that plays its bots, so that what else the
machine does falls on both alike.
"""

from secrets import token_hex

from benchmarks.rounds import processor_seconds
from benchmarks.waiting import Wait, moves, wait_of
from strifebarge.services import Services
from strifebarge.table.turn import FormToken
from tests.support import forms
from tests.support.bots import BotsAlone, against_bots, services_of
from tests.support.servers import Site, wait_for

GAMES = 20  # with bots
ROUNDS = 3
TIMES = 160  # moves of people in each round
WARM = 10  # moves of bots in each round until people are measured
SITE = {"WORKERS": "2", "LIMIT_CREATE": "9999", "LIMIT_CODES": "9999", "BOTS": "apart"}


def main() -> None:
    with Site(**SITE) as site, services_of(site) as services:
        for _ in range(GAMES):
            begin_among_bots(site, services)
        without, beside = list[float](), list[float]()
        made = used = 0.0
        for _ in range(ROUNDS):
            without += moves(site, TIMES)
            with BotsAlone(**{**SITE, "DATA": str(site.data)}) as bots:
                began = moves_of_bots(services)
                wait_for(lambda: moves_of_bots(services) > began + WARM, 120, "moves of bots")  # noqa: B023
                before, used_before = moves_of_bots(services), processor_seconds(bots)
                beside += moves(site, TIMES)
                used += processor_seconds(bots) - used_before
                made += moves_of_bots(services) - before
        tell(wait_of("A move of people, without bots", without))
        tell(wait_of(f"The same beside {GAMES} games of bots", beside))
        print(
            f"Bots made {made:.0f} moves meanwhile, in {1000 * used / max(1, made):.0f} ms of processor each."
        )


def begin_among_bots(site: Site, services: Services) -> None:
    """Begin a game in which bots play on by themselves: the person resigns."""
    _, table = against_bots(site, services, "strifebarge", "medium", seats="6")
    code = table.removeprefix("/g/")
    host = services.referee.store.table(code).host
    forms.quit(services.referee, str(host), code, "resign", FormToken(token_hex(16)))


def moves_of_bots(services: Services) -> int:
    """Return how many moves have been made in the games of bots so far."""
    tables = [services.referee.store.table(code) for code in services.referee.store.running()]
    return sum(table.position.number for table in tables if table.with_bots)


def tell(wait: Wait) -> None:
    parts = (wait.half, wait.most, wait.nearly_all)
    print(wait.what, *(f"{1000 * part:.1f} ms" for part in parts), "(median, 95 %, 99 %)")


if __name__ == "__main__":
    main()
