"""Measure what pages and turns cost in processor time, beside a bare Flask page in the same rounds."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle

from benchmarks.load import Client
from benchmarks.playing import PIECE, fire, fire_by_script, may_fire, new_game
from benchmarks.programs import ProgramGame
from benchmarks.rounds import Cost, Subject, in_rounds, nothing
from benchmarks.seven import Seven
from tests.support.servers import Server, Site

MOVES = 10  # before the pages of a game are looked at
HELLO = "Bare Flask hello-world"
RESTED = "the same after a rest, as first pages and turns are measured"
TURN = "a turn through forms: POST, 303, one's own page and the other's"
AGAIN = "the page again, a player's, 18 x 18"
SPECTATOR = "the same, a spectator's"
LANDING = "landing page"
BY_SCRIPT = "a turn with JavaScript: POST with its piece, and the other's piece"
BY_PROGRAMS = "a turn by JSON-RPC: table.move, and table.state for both players"
FRESH = "the first page after each move, a player's, 18 x 18"
SEVEN = "a turn of 7 Startups, 7 seats: 7 choices and 7 pages"


def costs(hello: Server, site: Site) -> list[Cost]:
    """Measure pages and turns in rounds, the bare page first."""
    return in_rounds([*_bare(hello), *_pages(site), *_turns(site)])


def _bare(hello: Server) -> Iterator[Subject]:
    client = Client(hello.port)
    yield Subject(HELLO, hello, getting(client, "/"))
    yield Subject(RESTED, hello, getting(client, "/"), nothing)


def _pages(site: Site) -> Iterator[Subject]:
    game = Fleets(site)
    for _ in range(MOVES):
        game.turn()
    player, spectator = game.people[0], Client(site.port)
    yield Subject(LANDING, site, getting(spectator, "/"))
    yield Subject("list of games", site, getting(player, "/games"))
    yield Subject(AGAIN, site, getting(player, game.table))
    yield Subject(SPECTATOR, site, getting(spectator, game.table))
    yield Subject("the same as text, a player's", site, getting(player, f"{game.table}?view=text"))
    yield Subject("its history, a spectator's", site, getting(spectator, f"{game.table}/at/{MOVES // 2}"))
    yield Subject("its status frame, a player's", site, getting(player, f"{game.table}/status"))
    yield Subject("a poll for news, a player's", site, getting(player, f"{game.table}/version"))


def _turns(site: Site) -> Iterator[Subject]:
    looked_at, played = Fleets(site), Fleets(site)
    yield Subject(FRESH, site, looked_at.look, looked_at.move)
    yield Subject(TURN, site, played.turn, played.be_ready)
    by_script = FleetsByScript(site)
    yield Subject(BY_SCRIPT, site, by_script.turn, by_script.be_ready)
    programs = ProgramGame(site)
    yield Subject(BY_PROGRAMS, site, programs.turn, programs.be_ready)
    seven = Seven(site)
    yield Subject(SEVEN, site, seven.turn, times=1)


def getting(client: Client, path: str) -> Callable[[], None]:
    """Return what gets a page once.  That raises RuntimeError for any answer but 200."""

    def get() -> None:
        status, _, _ = client.get(path)
        if status != 200:
            raise RuntimeError(f"{path} answers {status}")

    return get


class Fleets:
    """StrifeBarge for two on 18 x 18: a game after the other, as long as somebody wants to move."""

    headers: Mapping[str, str] = {}  # with which pages are looked at
    fire = staticmethod(fire)

    def __init__(self, site: Site):
        self.site = site
        self.choices = cycle(range(0, 10_000, 7))
        self._begin()

    def _begin(self) -> None:
        self.table, self.people = new_game(self.site, sea="open")
        self.pages = [person.get(self.table)[2] for person in self.people]

    def be_ready(self) -> None:
        """Begin another game if this one is over."""
        if not any(map(may_fire, self.pages)):
            self._begin()

    def move(self) -> None:
        """Make a move of the game, or of the next one if it is over."""
        self.be_ready()
        self.mover = next(seat for seat, page in enumerate(self.pages) if may_fire(page))
        page = self.pages[self.mover]
        self.pages[self.mover] = self.fire(self.table, self.people[self.mover], page, next(self.choices))

    def look(self) -> None:
        """Get the page of the player who did not move last."""
        other = 1 - self.mover
        self.pages[other] = self.people[other].get(self.table, **self.headers)[2]
        if not re.search(r'class="turn|Game over', self.pages[other]):
            raise RuntimeError("no board came")

    def turn(self) -> None:
        """Make a move by its form, and get both players' pages."""
        self.move()
        self.look()


class FleetsByScript(Fleets):
    """StrifeBarge as the script of a page plays it: a move is answered with the piece of the next page."""

    headers = PIECE
    fire = staticmethod(fire_by_script)
