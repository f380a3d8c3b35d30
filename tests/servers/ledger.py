"""Players who write down what they are about to ask before they ask it, and what came of it.

The ledger is a file that is synced before each request leaves: whatever then happens to the site, it is known
what may have been played and what must have been.  An answer that never came is "unknown", and asked for
again with the same key until the site says yes or no.
"""

import json
import os
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from time import sleep
from typing import Any, Literal

from tests.support.visitor import Page, Remote, Unanswered

PLANS = 0.4  # how often somebody plans who has moved
PATIENCE = 1000  # attempts, of 50 ms each
Outcome = Literal["ok", "refused", "unknown"]


@dataclass
class Entry:
    """One form that was sent, and what came of it."""

    table: str
    seat: int
    asked: int
    key: str
    words: str
    planned: bool = False  # it is to be played when the seat is asked, or never
    outcome: Outcome = "unknown"
    answers: list[int] = field(default_factory=list)  # the statuses of all attempts; 0 where none came


class Ledger:
    """The file all players write in, one line before each request and one after."""

    def __init__(self, path: Path):
        self.file = path.open("a")
        self.lock = threading.Lock()
        self.entries: dict[str, Entry] = {}
        self.enough = threading.Event()
        self.faults: list[Page] = []  # answers of 500 and more, but for 503: come again
        self.seen: dict[str, int] = {}  # the highest version of each table that anybody was shown

    def intend(self, entry: Entry) -> None:
        with self.lock:
            self.entries[entry.key] = entry
            self._write({"will": vars(entry)})

    def came(self, entry: Entry, status: int) -> None:
        with self.lock:
            entry.answers.append(status)
            entry.outcome = "ok" if status == 303 else "refused" if 400 <= status < 500 else "unknown"
            self._write({"key": entry.key, "status": status})

    def _write(self, line: dict[str, Any]) -> None:
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def tables(self) -> list[str]:
        """The codes of all tables played at."""
        return [table.removeprefix("/g/") for table in self.seen]

    def saw(self, table: str, version: int) -> None:
        with self.lock:
            self.seen[table] = max(self.seen.get(table, 0), version)

    def of(self, outcome: Outcome) -> list[Entry]:
        with self.lock:
            return [entry for entry in self.entries.values() if entry.outcome == outcome]

    def close(self) -> None:
        self.file.close()


class Player:
    """Plays by itself, through pages and forms alone, and never gives up on a form it has sent."""

    def __init__(self, ledger: Ledger, browser: Remote, chance: Random):
        self.ledger = ledger
        self.browser = browser
        self.chance = chance
        self.newest: dict[str, int] = {}  # the version of each table that I was shown last

    # -- the way to the site ------------------------------------------------------------

    def keep_trying(self, ask: Callable[[], Page]) -> Page:
        """Until there is an answer that says yes or no."""
        for _ in range(PATIENCE):
            with suppress(Unanswered):
                page = ask()
                if page.status < 500:
                    return page
                if page.status != 503:
                    self.ledger.faults.append(page)
            sleep(self.chance.uniform(0.02, 0.08))
        raise AssertionError("the site does not come back")

    def show(self, table: str) -> Page:
        """The table's page, which never goes back behind what I was shown before."""
        page = self.keep_trying(lambda: self.browser.get(table))
        assert page.status == 200, page.words
        before = self.newest.get(table, 0)
        assert page.version >= before, f"{table} went back from version {before} to {page.version}"
        self.newest[table] = page.version
        self.ledger.saw(table, page.version)
        return page

    def press(self, page: Page, ending: str, **changed: str) -> Page:
        answer = self.keep_trying(lambda: self.browser.submit(page, ending, **changed))
        assert answer.status == 303, answer.words
        return answer

    # -- playing ------------------------------------------------------------------------

    def start(self, game: str, options: dict[str, str]) -> str:
        page = self.keep_trying(lambda: self.browser.get(f"/new/{game}"))
        return self.press(page, f"/new/{game}", **options).table

    def join(self, table: str) -> None:
        self.press(self.show(table), "/join")

    def rematch(self, table: str) -> str:
        """The first at the old table presses Rematch there; the others find the new one, and agree."""
        page = self.show(table)
        if page.has_form("/rematch"):
            return self.press(page, "/rematch").table
        again = next(link for link in page.seen.links if re.fullmatch(r"/g/\w{8}", link) and link != table)
        self.press(self.show(again), "/ready")
        return again

    def move(self, table: str, seat: int, page: Page) -> None:
        """Something that is on offer, by chance."""
        form = page.form("/turn")
        button = self.chance.choice(form.moves)
        entry = Entry(table, seat, int(form["asked"]), form["key"], button.value)
        self.send(entry, lambda: self.browser.submit(page, "/turn", button))

    def plan(self, table: str, seat: int) -> None:
        """Now and then something that may be allowed when one is asked again; most of it is."""
        if self.chance.random() > PLANS or not (page := self.show(table)).has_form("/plan"):
            return
        form = page.form("/plan")
        square = f"{self.chance.choice('ABCDEFGHIJ')}{self.chance.randint(1, 10)}"
        words = "draw" if "Crazy Eights" in page.words else f"fire {square}"
        entry = Entry(table, seat, int(form["seen"]), form["key"], words, planned=True)
        self.send(entry, lambda: self.browser.submit(page, "/plan", plan=words))

    def send(self, entry: Entry, submit: Callable[[], Page]) -> None:
        """Send a form until the site says yes or no."""
        self.ledger.intend(entry)

        def attempt() -> Page:
            status = 0
            try:
                answer = submit()
                status = answer.status
                return answer
            finally:
                self.ledger.came(entry, status)

        self.keep_trying(attempt)


class Match(threading.Thread):
    """The same people at one table after another of the same game, until enough has been played."""

    def __init__(self, game: str, options: dict[str, str], players: list[Player]):
        super().__init__()
        self.game = game
        self.options = options
        self.players = players
        self.enough = players[0].ledger.enough
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            table = self.sit_down()
            while not self.enough.is_set():
                self.play(table)
                table = self.play_again(table)
        except BaseException as error:  # told in the thread of the test
            self.error = error

    def sit_down(self) -> str:
        table = self.players[0].start(self.game, self.options)
        for player in self.players[1:]:
            player.join(table)
        return table

    def play(self, table: str) -> None:
        """The player to move moves, until the game is over or enough has been played."""
        for seat, player in cycle(enumerate(self.players)):
            page = player.show(table)
            if page.my_turn:
                player.move(table, seat, page)
                player.plan(table, seat)
            if page.over or self.enough.is_set():
                return

    def play_again(self, table: str) -> str:
        if self.enough.is_set():
            return table
        again = [player.rematch(table) for player in self.players]
        self.players = [*self.players[1:], self.players[0]]
        return again[0]


class AgainstBots(Match):
    """One person at one table after another with bots, who need time to think."""

    def sit_down(self) -> str:
        [person] = self.players
        page = person.keep_trying(lambda: person.browser.get("/bots"))
        return person.press(page, f"/bots/{self.game}", level="easy").table

    def play_again(self, table: str) -> str:
        return table if self.enough.is_set() else self.sit_down()
