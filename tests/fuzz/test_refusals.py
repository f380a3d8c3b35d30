"""What the fuzzer says of refusals that nobody ever reads, and of samples that nobody has asked for."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import games
from strifebarge.fuzz.hunt import Hunt
from strifebarge.fuzz.telling import hunt_and_tell
from strifebarge.rules import Action, Game, No, Refusal, Seat
from strifebarge.rules.schema import games_in

pytestmark = pytest.mark.full("runs the fuzzer")

RULES = '''
from strifebarge.rules import Action, Chance, Game, Next, No, Refusal, Seat


class Why(Refusal):
    EMPTY = "There is nothing left."
    FORGED = "That is a forged coin."
    FORGOTTEN = "That is never said."


class Take(Action):
    """Take coins."""

    coins: int


class Guess(Action):
    """Guess how many are left."""

    number: int

    @classmethod
    def sample(cls, game: "Coins", seat: Seat, chance: Chance) -> "Guess":
        return cls(game.guesses[0])


class Coins(Game[Seat]):
    """Coins are taken, then guessed."""

    title = "Coins"

    left: int = 5
    guesses: list[int] = []

    async def play(self) -> Next:
        for seat in self.turns():
            take = await self.ask(seat, "Take some.", map(Take, range(1, 4)))
            self.left -= take.coins
            if not self.left:
                return self.guess

    async def guess(self) -> Next:
        self.guesses = [3, 4]
        await self.ask(self.seats[0], "How many?", [Guess])
        return self.ranking()

    def refuse(self, seat: Seat, action: Action) -> No:
        match action:
            case Take(coins) if coins not in range(1, 4):
                return Why.FORGED
            case Take(coins) if coins > self.left:
                return Why.EMPTY
'''


@pytest.fixture
def coins(tmp_path: Path) -> Iterator[type[Game[Any]]]:
    (tmp_path / "fuzzed_coins").mkdir()
    (tmp_path / "fuzzed_coins" / "rules.py").write_text(RULES, encoding="utf-8")
    before = list(games.__path__)
    games.__path__.append(str(tmp_path))
    [rules] = games_in(import_module("games.fuzzed_coins.rules"))
    yield rules
    games.__path__[:] = before
    for module in ("games.fuzzed_coins.rules", "games.fuzzed_coins"):
        sys.modules.pop(module, None)
    vars(games).pop("fuzzed_coins", None)


def test_a_kind_is_asked_for_a_sample_only_where_it_is_on_offer(coins):
    """Before the second stage this one would break down."""
    hunt = Hunt(coins, "samples")
    assert [finding.how for finding in hunt.run(games=16)] == []
    assert hunt.reached.unplayed == []


def test_refusals_that_nobody_ever_reads_are_told(coins, tmp_path):
    lines: list[str] = []
    hunt_and_tell(coins, [], "refusals", None, 16, tmp_path / "found", lines.append)
    assert "Can never be given, for nothing in the rules names it: fuzzed_coins.forgotten." in lines
    assert "Met by forged moves alone, for what it refuses is never offered: fuzzed_coins.forged." in lines
    assert not [line for line in lines if "fuzzed_coins.empty" in line]


class Why(Refusal):
    TIRED = "You are tired."


class Walk(Action):
    """Walk on."""


class Run(Action):
    """Run on."""


class Race(Game[Seat]):
    """Walk or run fifty times; who has run twice in a row is tired for once."""

    title = "Race"

    steps: int = 0
    run: int = 0

    async def play(self) -> Any:
        for seat in self.turns():
            went = await self.ask(seat, "Walk or run.", [Walk(), Run()])
            self.steps += 1
            self.run = self.run + 1 if isinstance(went, Run) else 0
            if self.steps == 50:
                return self.ranking()

    def refuse(self, seat: Seat, action: Action) -> No:
        return Why.TIRED if isinstance(action, Run) and self.run > 1 else None


def test_a_refusal_that_is_met_in_play_is_not_told_as_never_met():
    hunt = Hunt(Race, "race")
    assert [finding.how for finding in hunt.run(games=2)] == []
    assert hunt.reached.unmet == hunt.reached.unseen == []


def test_a_neighbour_that_breaks_down_does_not_stop_the_fuzzer(coins, tmp_path):
    class Neighbour(coins):
        async def play(self) -> Any:
            return self.finish

    class Hanging(coins):
        def setup(self) -> None:
            while True:
                pass

    lines: list[str] = []
    hunt_and_tell(coins, [Neighbour, Hanging], "neighbours", None, 2, tmp_path / "found", lines.append)
    assert lines[0].startswith("fuzzed_coins: 2 games, ")
