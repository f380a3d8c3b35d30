"""7 Startups played at random: whatever is chosen, nothing is lost, made up or owed."""

from collections import Counter

import pytest

from games.startups.cards import COMPANIES, PLAYERS, RULES, Color, kind
from games.startups.rules import Startups, Venture
from strifebarge.rules import Chance
from strifebarge.rules.match import Match
from strifebarge.rules.testing import random_play

EVERY_NUMBER = pytest.mark.parametrize("players", PLAYERS)


def seen_in(game):
    """Every physical card there is: hands, decks, built ones, those under stages, the discard pile."""
    held = [copy for founder in game.seats for copy in (*founder.hand, *founder.built, *founder.under)]
    return Counter([*held, *game.pile, *(copy for deck in game.decks for copy in deck)])


def play(players, nth):
    """One game, with every invariant looked at before every choice.  Returns it at its end."""
    options = Venture(sides=("random", "A", "B")[nth % 3])
    begun = Match.new(Startups, players, f"invariants {nth}", options)
    dealt, position = seen_in(begun.game), None
    assert max(dealt.values()) == 1
    assert sum(dealt.values()) == 3 * RULES.hand_size * players
    for match in random_play(begun, Chance(f"dice {players} {nth}")):
        if match.number != position:
            position = match.number
            look_at(match.game, dealt, players)
    return match


def look_at(game, dealt, players):
    assert seen_in(game) == dealt
    assert {len(deck) for deck in game.decks} <= {RULES.hand_size * players}
    left = {"turn": 8 - game.turn, "last": 1, "copy": 0}.get(game.asking)
    for founder in game.seats:
        names = [card.name for card in founder.cards]
        assert founder.funds >= 0
        assert len({*names}) == len(names)
        assert len(founder.under) == founder.stages <= len(founder.all_stages)
        assert left is None or game.asking == "last" or len(founder.hand) in (left, 0)


def must_be_whole(match):
    game = match.game
    assert sum(len(founder.hand) for founder in game.seats) == 0
    assert {len(founder.last) for founder in game.seats} <= {1, 2}
    tokens = Counter(token for founder in game.seats for token in founder.tokens)
    assert tokens[-1] == tokens[1] + tokens[3] + tokens[5]
    for founder in game.seats:
        near = [copy for side in ("left", "right") for copy in game.beside(founder, side).built]
        assert not founder.copied or founder.copied in near
        assert not founder.copied or kind(founder.copied).color is Color.COMMUNITY
    assert len({founder.company for founder in game.seats}) == len(game.seats) <= len(COMPANIES)
    totals = [(game.total(founder), founder.funds) for founder in game.seats]
    order = [totals[seat] for place in match.result.places for seat in place]
    assert order == sorted(totals, reverse=True)


@EVERY_NUMBER
def test_every_invariant_holds_whatever_is_chosen(players):
    for nth in range(3):
        must_be_whole(play(players, nth))


@pytest.mark.slow
@pytest.mark.timeout(0)
@EVERY_NUMBER
def test_every_invariant_holds_in_a_thousand_games(players):
    for nth in range(1000):
        must_be_whole(play(players, nth))
