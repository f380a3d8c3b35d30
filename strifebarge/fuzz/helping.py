"""The law of what helps bots: `worth` is a number and changes nothing, `imagine` fills what is hidden."""

from inspect import isfunction
from math import isfinite

from strifebarge.bots.search.imagining import filled
from strifebarge.bots.search.playing import has_worth
from strifebarge.bots.search.sighting import sighting
from strifebarge.fuzz.law import Law, must
from strifebarge.rules import Chance, Game, NothingFits
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match


def helps_bots(match: Match, dice: Chance) -> None:
    """Check what a game's author has written for bots, at one position.  Raises Unlawful."""
    game = match.game
    if has_worth(game):
        before = save(game)
        for seat in game.seats:
            worth: object = game.worth(seat)
            fine = worth is None or (isinstance(worth, int | float) and isfinite(worth))
            must(fine, Law.HELPING, f"`worth` is {worth!r:.80}, and no number from 0 to 1")
        must(save(game) == before, Law.HELPING, "`worth` changes something")
    if isfunction(type(game).imagine) and type(game).imagine is not Game.imagine:
        for seat in match.waiting_for():
            observed = sighting(match, seat)
            try:
                imagined = filled(observed, dice).game
            except NothingFits:  # a bot tries once more
                continue
            alike = save(imagined, seat) == observed.start
            must(alike, Law.HELPING, f"`imagine` changes what seat {seat} sees")
