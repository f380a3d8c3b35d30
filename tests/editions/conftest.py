"""A site with a game whose rules change while it is played."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import games
from tests.web.house import House, Party, opened

from . import tally


class Versions:
    """A folder of games and a database; the site may be started again with other rules."""

    def __init__(self, folder: Path, stack: ExitStack, url: str):
        self.folder = folder
        self.stack = stack
        self.games = folder / "games"
        self.url = url
        self.house = self.restarted(tally.ONE)

    def restarted(self, rules: str, **older: str) -> House:
        """The site with these rules, and with older editions beside them: `rules_1=…`."""
        self.forget()
        home = self.games / "tally"
        home.mkdir(parents=True, exist_ok=True)
        for old in home.glob("rules_*.py"):
            old.unlink()
        for name, text in {"rules": rules, **older}.items():
            (home / f"{name}.py").write_text(text, encoding="utf-8")
        self.house = self.stack.enter_context(opened(self.url, self.folder, games=(self.games,)))
        return self.house

    def forget(self) -> None:
        for name in [each for each in sys.modules if each.startswith("games.tally")]:
            del sys.modules[name]

    def come_back(self, party: Party) -> Party:
        """The same people at the same table, on the site as it is now."""
        for player in party.players:
            player.app = self.house.app
            player.client = self.house.app.test_client(use_cookies=False)
        return Party(self.house, party.table, party.players)

    def played(self, *counts: int, people: int = 2) -> Party:
        """A game in which these have been counted."""
        party = self.house.gathered("tally", people)
        for nth, count in enumerate(counts):
            answer = party.players[nth % people].move(party.table, f"count {count}")
            assert answer.status == 303, answer.words
        return party


@pytest.fixture
def versions(tmp_path: Path, ready_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Versions]:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = list(games.__path__)
    with ExitStack() as stack:
        edition = Versions(tmp_path, stack, ready_url)
        yield edition
        edition.forget()
    games.__path__[:] = path


Restart = Callable[..., House]
