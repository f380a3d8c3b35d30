"""A game that is dropped in is compared like the others, with no file told of it."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Response

import games
from strifebarge.fuzz.acts import replay_acts
from strifebarge.fuzz.worlds import BY_ITS_OWN_WORD
from strifebarge.rules.chance import Chance
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match

from .comparing import ask_everything, compare, scenes
from .knowledge import of, resampled
from .leaks import Truth, tell, write_in
from .pairs import Company, Pair, Scene, improvised
from .programs import Caller
from .test_programs import compare as compare_programs
from .worlds import Leak, Twins

FOLDER = Path(__file__).parent / "dropped"
GAME = "sealed"


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[Twins]:
    """Two sites with one more game, which no other test is to find."""
    path, modules = list(games.__path__), set(sys.modules)
    yield Twins(tmp_path_factory.mktemp("worlds"), migrated, [FOLDER])
    games.__path__[:] = path
    for name in set(sys.modules) - modules:
        if name.startswith(f"games.{GAME}"):
            del sys.modules[name]


def test_nothing_that_is_hidden_makes_a_difference(
    twins: Twins, company: Company, tally: Counter[str]
) -> None:
    title = twins.one.referee.library[GAME]
    assert of(title.rules) is BY_ITS_OWN_WORD
    for scene in scenes(title, 3, 2):
        compare(twins, company, scene, 10)
    assert tally["pairs that differ"] == tally["pairs"]
    assert tally["pairs that differ at the end"]


def test_programs_play_it_at_once_and_are_told_no_more(
    twins: Twins, company: Company, tally: Counter[str]
) -> None:
    schema = Caller(twins, company.spectator).call("game.schema", game=GAME)
    assert schema["actions"]
    assert schema["view"]["$defs"]
    assert compare_programs(twins, company, GAME, 3, 1, 2)


def test_its_cards_secrets_and_choices_all_vary(twins: Twins) -> None:
    rules = twins.one.referee.library[GAME].rules
    deal = Match.new(rules, 3, "a seed").snapshot
    scene = Scene(GAME, 3, {}, 0, 4)
    ops = improvised(Match(rules, deal), scene, Chance("acts"))
    [*_, end] = replay_acts(rules, deal, ops)
    varied = set()
    for nth in range(5):
        state = resampled(rules, deal, ops, 0, Chance(f"{nth}"), "another seed")
        [*_, other] = replay_acts(rules, Snapshot(0, deal.stage, state), ops)
        one, two = end.game, other.game
        assert one.seats[0].hand.items == two.seats[0].hand.items
        varied |= {"deck"} if one.deck.items != two.deck.items else set()
        varied |= {"fate"} if one.fate.value != two.fate.value else set()
        varied |= {"hand"} if one.seats[1].hand.items != two.seats[1].hand.items else set()
        varied |= {"charm"} if one.seats[1].charm.value != two.seats[1].charm.value else set()
    assert varied == {"deck", "fate", "hand", "charm"}


@pytest.mark.parametrize("what", ["deck", "fate", "charm"])
def test_what_it_hides_is_missed_when_it_is_shown(
    twins: Twins, company: Company, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def showing(truth: Truth, response: Response) -> None:
        game: Any = truth.game
        hidden = {"deck": game.deck.items[-2], "fate": game.fate.value, "charm": game.seats[1].charm.value}
        write_in(response, "</main>", f"<!-- {hidden[what]} -->")

    tell(twins, monkeypatch, showing)
    with pytest.raises(Leak):
        ask(twins, company)


def ask(twins: Twins, company: Company) -> None:
    for nth in range(4):
        ask_everything(Pair(twins, company, Scene(GAME, 3, {}, 0, 4, nth)).play(), 20)
