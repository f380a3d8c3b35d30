"""Strife on the Mirrow, played at random: what must always hold, and that nothing hidden is told."""

from collections.abc import Iterator

import pytest

from games.mirrow.delta import LINKS, Area, Gate
from games.mirrow.fleet import DECK, Craft
from games.mirrow.rules import Mirrow
from games.mirrow.waters import Terms
from strifebarge.rules import Chance
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.testing import random_play
from strifebarge.rules.text import tell

SCENARIOS = pytest.mark.parametrize("scenario", ["toll_war", "siege"])


def games(scenario: str, several: range) -> Iterator[Iterator[Match]]:
    for nth in several:
        match = Match.new(Mirrow, 2, f"{scenario} {nth}", Terms(scenario=scenario))
        yield random_play(match, Chance(f"play {nth}"))


class Watch:
    """What is remembered of a game, to compare with what comes."""

    def __init__(self) -> None:
        self.vp = [0, 0]
        self.sunk = [False, False]

    def look(self, match: Match) -> None:
        game = match.game
        assert [words for words, holds in game.must_hold() if not holds] == []
        if game.year:
            self.cards(game)
        for side in game.seats:
            assert side.vp >= self.vp[side.number]
            self.vp[side.number] = side.vp
            [flagship] = [block for block in side.fleet if block.craft is Craft.FLAGSHIP]
            assert not (self.sunk[side.number] and flagship.strength)
            self.sunk[side.number] = flagship.strength == 0
            for block in side.fleet if game.begun else []:
                assert 0 <= block.strength <= block.full
                assert (block.strength == 0) == (block.area is None)
        for name, count in game.carried.items():
            assert count <= LINKS[name].limit
            assert name not in [*Gate] or Gate(name) in game.open
        if match.snapshot.stage in ("choose_cards", "winter"):
            assert game.contested() == []

    def cards(self, game: Mirrow) -> None:
        hands = [card for side in game.seats for card in side.hand]
        assert sorted([*game.deck, *game.thrown, *game.spent, *hands]) == sorted(DECK)


def watched(scenario: str, several: range) -> None:
    for game in games(scenario, several):
        watch = Watch()
        for match in game:
            watch.look(match)
        assert match.result


@SCENARIOS
def test_what_must_hold_holds_after_every_action(scenario):
    watched(scenario, range(15))


@pytest.mark.slow
@SCENARIOS
def test_what_must_hold_holds_after_every_action_of_a_thousand_games(scenario):
    watched(scenario, range(1000))


@SCENARIOS
def test_exchanging_two_hidden_blocks_of_the_enemy_changes_no_byte_of_a_view(scenario):
    exchanged = 0
    for nth, game in enumerate(games(scenario, range(100, 106))):
        dice = Chance(f"exchange {nth}")
        for moment, match in enumerate(game):
            log = match.take_log()
            if moment % 7 or not match.game.begun or match.result:
                continue
            for viewer in (0, 1, None):
                enemy = match.game.seats[1 - viewer if viewer is not None else dice.below(2)]
                hidden = [block for block in enemy.afloat if not block.face.readers & {viewer, None}]
                if len(hidden) < 2:
                    continue
                one, other = dice.sample(hidden, 2)
                before = save(match.game, viewer), [tell(line, viewer) for line in log]
                one.face.value, other.face.value = other.face.value, one.face.value
                assert (save(match.game, viewer), [tell(line, viewer) for line in log]) == before
                one.face.value, other.face.value = other.face.value, one.face.value
                exchanged += 1
    assert exchanged > 50


def test_areas_are_read_from_names_and_numbers():
    assert Area("6") is Area("mirrow") is Area.MIRROW
