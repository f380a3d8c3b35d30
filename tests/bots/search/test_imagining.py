"""Imagining: what a bot takes a game for looks to its seat just as the game does."""

from itertools import count, cycle

import pytest

from games.chess.rules import Move
from strifebarge.bots.player.task import SightingData
from strifebarge.bots.search.filling import key
from strifebarge.bots.search.imagining import filled, imagine
from strifebarge.bots.search.sighting import sighting
from strifebarge.bots.search.thinking import LEVELS, Level, think
from strifebarge.fuzz.acts import settings_of
from strifebarge.fuzz.helping import helps_bots
from strifebarge.fuzz.law import Law, Unlawful
from strifebarge.rules import Action, Chance, Game, Hidden, NothingFits, Ranking, Seat, hidden
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.testing import random_choice
from tests.rules.every_setting import EVERY_GAME, TITLES

LONGEST = 90  # choices of a game that is looked at


def sizes(rules):
    """Return a setting with the fewest seats, and one with the most."""
    settings = settings_of(rules)
    most = max(each.seats for each in settings)
    return [settings[0], next(each for each in settings if each.seats == most)]


def questions(rules, games):
    """Yield matches, and a seat that is asked, at some moments of games played at random."""
    for game, setting in zip(range(games), cycle(sizes(rules)), strict=False):
        match, dice = setting.begin(f"deal {game}"), Chance(f"play {game}")
        for nth in range(LONGEST):
            if match.result:
                break
            seat = dice.choice(match.waiting_for())
            if nth % 8 == 1:
                yield match, seat
            match.move(seat, random_choice(match, seat, dice))


@EVERY_GAME
def test_imagined_games_look_like_the_real_one_and_are_mostly_found(rules):
    attempts = imagined = 0
    for match, seat in questions(rules, 2):
        seen = SightingData.of(sighting(match, seat)).sighting()  # as it comes to a process that thinks
        worlds = imagine(seen, 1, 12, Chance(f"imagine {attempts}")).worlds
        attempts, imagined = attempts + 1, imagined + bool(worlds)
        for world in worlds:
            playout = world.playout()
            assert save(playout.game, seat) == seen.now == save(match.known_to(seat), seat)
            assert [*map(key, playout.offers(seat))] == [*map(key, match.offers(seat))]
    assert imagined >= 0.9 * attempts


def test_a_ship_is_imagined_where_it_was_hit_and_not_where_a_shot_missed():
    rules = TITLES["strifebarge"].rules
    for match, seat in questions(rules, 1):
        for world in imagine(sighting(match, seat), 2, 8, Chance("fleets")).worlds:
            fleets = [ship for captain in world.playout().game.seats for ship in captain.fleet]
            taken = {square for ship in fleets for square in ship.squares}
            assert all((square in taken) == hit for square, hit in match.game.shots.items())


def test_where_no_room_is_found_for_the_ships_nothing_is_imagined(monkeypatch):
    rules = TITLES["strifebarge"].rules
    monkeypatch.setattr(rules, "lay", lambda *_: False)
    match, seat = next(questions(rules, 1))
    with pytest.raises(NothingFits):
        filled(sighting(match, seat), Chance("no room"))
    assert not imagine(sighting(match, seat), 1, 2, Chance("no room")).worlds


def test_many_dice_come_out_as_they_were_seen():
    match, dice = Match.new(Dicey), Chance("throws")
    for nth in range(6):
        seen = sighting(match, 0)
        assert len(imagine(seen, 1, 2, Chance(f"dice {nth}")).worlds) == 1, f"after {nth} throws"
        match.move(0, random_choice(match, 0, dice))


def test_what_ends_thinking_is_asked_between_any_two_choices_of_a_game_that_never_ends():
    for level in (Level(1, 10), Level(1, 10, deep=True)):
        calls = count()
        enough = (nth > 500 for nth in calls)
        assert think(sighting(Match.new(Forever), 0), level, "secret", enough.__next__).playouts <= 1
        assert next(calls) < 520


def test_without_time_nothing_is_imagined_and_one_of_the_offers_is_chosen():
    match = Match.new(TITLES["strifebarge"].rules)
    thought = think(sighting(match, 0), Level(2, 40), "secret", enough=lambda: True)
    assert (thought.worlds, thought.tried, thought.playouts) == (0, 0, 0)
    assert thought.action in match.offers(0)


def test_a_bot_takes_what_wins_at_once():
    """Scholar's mate, with one move to make."""
    match = Match.new(TITLES["chess"].rules)
    for nth, move in enumerate(["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6"]):
        match.move(nth % 2, Move(move))
    thought = think(sighting(match, 0), Level(1, 120), "secret")
    match.move(0, thought.action)
    assert match.result
    assert match.result.winners == [0]


def test_where_nothing_can_be_imagined_it_chooses_among_its_offers():
    match = Match.new(Unimaginable)
    thought = think(sighting(match, 0), Level(2, 10), "secret")
    assert thought.action == Nod()
    assert not thought.is_grounded


class Nod(Action):
    """Nod."""


class Throw(Action):
    """Throw this many dice."""

    dice: int


class Dicey(Game[Seat]):
    """Dice of which only some sums are shown: they are never the same by luck."""

    title = "Dicey"
    players = range(1, 2)
    sums: list[int] = []
    last: str = ""

    async def play(self) -> Ranking:
        while len(self.sums) < 30:
            thrown = await self.ask(self.seats[0], "How many?", [Throw(dice) for dice in (2, 3, 4)])
            for _ in range(2):
                dice = [self.chance.die() for _ in range(thrown.dice)]
                self.sums = [*self.sums, sum(dice)]
            self.last = ", ".join(map(str, dice))
        return self.ranking()


class Forever(Game[Seat]):
    """A game that goes on and on."""

    title = "Forever"
    players = range(2, 3)
    hidden: Hidden[int] = hidden()

    def setup(self) -> None:
        self.hidden = Hidden([self.chance.below(3)])

    async def play(self) -> Ranking:
        for seat in self.turns():
            await self.ask(seat, "And?", [Throw(dice) for dice in range(2)])
        return self.ranking()


class Unimaginable(Game[Seat]):
    """A game whose author raises an error where bots ask for help."""

    title = "Unimaginable"
    card: Hidden[int] = hidden()

    def setup(self) -> None:
        self.card = Hidden([self.chance.below(9)])

    async def play(self) -> Ranking:
        await self.ask(self.seats[0], "Well?", [Nod()])
        return self.ranking()

    def imagine(self, view, seat, chance):
        raise LookupError("nothing fits")


class Misled(Unimaginable):
    """A fault: what the seat has seen is imagined away."""

    dealt: int = 1

    def imagine(self, view, seat, chance):
        self.dealt = 3
        self.card.fill([1])


class Priceless(Unimaginable):
    """A fault: a position is worth what no number says."""

    def imagine(self, view, seat, chance):
        self.card.fill([1])

    def worth(self, seat):
        return float("nan")


@pytest.mark.parametrize("rules", [Misled, Priceless])
def test_what_misleads_bots_is_found(rules):
    with pytest.raises(Unlawful) as error:
        helps_bots(Match.new(rules), Chance())
    assert error.value.law is Law.HELPING


class Reach(Action):
    """Reach for a jar."""

    jar: int


class Jars(Game[Seat]):
    """Reach for the one full jar."""

    title = "Jars"
    players = range(2, 3)
    jars = range(20)

    async def play(self) -> Ranking:
        reached = await self.ask(self.seats[0], "Reach for a jar.", [Reach(jar) for jar in self.jars])
        return Ranking([[0], [1]] if reached.jar == 7 else [[1], [0]])


class ThreeJars(Jars):
    """Reach for the one full jar of three."""

    title = "Three jars"
    jars = range(6, 9)


@pytest.mark.parametrize(("rules", "least", "most"), [(Jars, 5, 30), (ThreeJars, 20, 40)])
def test_an_easy_bot_overlooks_three_quarters_of_its_choices_but_one(rules, least, most):
    seen = sighting(Match.new(rules, 2, "jars"), 0)
    easy = [think(seen, LEVELS["easy"], f"secret {nth}").action for nth in range(60)]
    assert least < easy.count(Reach(7)) < most
    assert all(
        think(seen, level, f"secret {nth}").action == Reach(7)
        for level in (LEVELS["medium"], LEVELS["hard"])
        for nth in range(5)
    )
