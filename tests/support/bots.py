"""Games with bots on a site that runs: begun past its pages, and played through its forms."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from secrets import token_hex
from time import monotonic, sleep

import games
from strifebarge.app import wired
from strifebarge.services import Services
from strifebarge.settings import Settings
from strifebarge.store.db.engine import engine_for
from strifebarge.tables.acts.bots import fill_with_bots
from strifebarge.tables.play.turn import FormToken
from tests.support.servers import Site
from tests.support.visitor import Remote


class BotsAlone(Site):
    """`strifebarge bots`: the process that plays the bots, for a site that has none of its own."""

    name = "bots"

    def __init__(self, **settings: str):
        super().__init__(arguments=("-m", "strifebarge.cli", "bots"), **settings)

    def answers(self) -> bool:
        return bool(self.bots)


@contextmanager
def services_of(site: Site) -> Iterator[Services]:
    """The services of a site that runs, on its database."""
    url = site.settings.get("DATABASE_URL", f"sqlite:///{site.data / 'strifebarge.db'}")
    own = tuple(Path(each) for each in site.settings.get("GAMES", "").split(":") if each)
    settings = Settings(data=site.data, secret_keys=("a key for tests alone",), database_url=url, games=own)
    engine = engine_for(settings.database_url, 2)
    folders = [*games.__path__]
    try:
        yield wired(engine, settings)
    finally:
        engine.dispose()
        games.__path__[:] = folders  # the games of this site alone are not there for other tests
        for name, module in [*sys.modules.items()]:
            if name.startswith("games.") and str(module.__file__).startswith(tuple(map(str, own))):
                del sys.modules[name]


def against_bots(
    site: Site, services: Services, game: str, level: str = "easy", **options: str
) -> tuple[Remote, str]:
    """Somebody at a table with bots in all other seats, and the path of the table: its game has begun."""
    person = Remote(site.port)
    code = person.start(game, **options).code
    host = services.referee.store.table(code).host
    assert host
    services.referee.carry_out(host, code, FormToken(token_hex(16)), fill_with_bots, level)
    return person, f"/g/{code}"


def play_to_the_end(person: Remote, table: str, dice: Random, seconds: float = 60.0) -> int:
    """Play by the buttons of the page, at random, until the game is over; return how many moves were made.

    Raises AssertionError if the bots keep somebody waiting for longer than `seconds`.
    """
    count, waited = 0, monotonic()
    while True:
        page = person.get(table)
        if page.over:
            return count
        moves = page.form("/turn").moves if page.my_turn and page.has_form("/turn") else []
        if not moves:
            assert monotonic() - waited < seconds, page.words
            sleep(0.05)
            continue
        answer = person.submit(page, "/turn", dice.choice(moves))
        assert answer.status in (303, 409, 422), answer.words
        count, waited = count + (answer.status == 303), monotonic()
