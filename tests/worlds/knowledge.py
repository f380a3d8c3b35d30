"""What a viewer may know of each game.

All of it is written here by hand from the games' rules; nothing asks the code that draws the pages.  A game
this chapter has not heard of is judged by its own word: what it keeps in Hidden and Secret nobody else knows.
"""

from collections.abc import Sequence
from typing import Any

from strifebarge.fuzz import worlds
from strifebarge.fuzz.acts import GameOperation, Ops
from strifebarge.fuzz.worlds import BY_ITS_OWN_WORD, Fits, Knowledge, ViewerSeat, shuffle_all, swap
from strifebarge.rules import Action, Game
from strifebarge.rules.chance import Chance
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.schema import slug

# -- StrifeBarge --------------------------------------------------------------------


class Fleets:
    """Everyone: shots and their results, wrecks, who is out.  A captain: their own ships."""

    def facts(self, game: Any, viewer: ViewerSeat) -> Any:
        lying = {square for captain in game.seats for ship in captain.fleet for square in ship.squares}
        return [
            game.options,
            [(square, square in lying) for square in game.shots],
            [
                (captain.number, ship.kind, ship.squares)
                for captain in game.seats
                for ship in captain.fleet
                if captain.number == viewer or all(square in game.shots for square in ship.squares)
            ],
            game.out,
        ]

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: ViewerSeat, dice: Chance, fits: Fits) -> None:
        """The others' ships afloat lie elsewhere, but in such a way that every shot did what it did."""
        from games.strifebarge.rules import berths

        loose, taken = [], set()
        for captain in deal.seats:
            for ship in captain.fleet:
                if captain.number == viewer or all(square in end.shots for square in ship.squares):
                    taken.update(ship.squares)
                else:
                    loose.append((captain.number, ship))
        hits = {square for square, hit in end.shots.items() if hit} - taken
        fired = {(op.seat, square) for op in ops for square in squares_of(op)}

        def lies(owner: int, berth: Sequence[str], taken: set[str], struck: str | None) -> bool:
            """Nobody fires at their own ship, a hit stays a hit, and no ship sinks that did not."""
            shot = [square for square in berth if square in end.shots]
            return (
                taken.isdisjoint(berth)
                and not any((owner, square) in fired for square in berth)
                and all(end.shots[square] for square in shot)
                and (0 < len(shot) < len(berth) if struck else not shot)
            )

        def lay(ships: list[Any], taken: set[str], hits: set[str]) -> dict[int, list[str]] | None:
            """Berths by ship: first for the hits, then for the ships that were never hit."""
            if not ships:
                return None if hits else {}
            struck = dice.choice(sorted(hits)) if hits else None
            for owner, ship in dice.shuffled(ships) if struck else ships[:1]:
                every = berths(end.side, len(ship.squares))
                near = [berth for berth in every if struck in berth] if struck else every
                for berth in [dice.choice(near) for _ in range(20)]:
                    if lies(owner, berth, taken, struck):
                        rest = [other for other in ships if other[1] is not ship]
                        if (layout := lay(rest, taken | set(berth), hits - set(berth))) is not None:
                            return {**layout, id(ship): list(berth)}
            return None

        # A few at a time, with the others where they are: all at once is a puzzle that may take for ever.
        for _ in range(len(loose)):
            some = dice.sample(loose, 3)
            lifted = {square for _, ship in some for square in ship.squares}
            others = {square for _, ship in loose for square in ship.squares} - lifted
            berth_of = lay(some, taken | others, hits & lifted) or {}
            for _, ship in some:
                ship.squares = berth_of.get(id(ship), ship.squares)

    def aim(self, game: Any, seat: int, dice: Chance) -> Action | None:
        """At somebody's ship, as often as at the water."""
        from games.strifebarge.rules import Fire, Salvo

        afloat = [
            square
            for captain in game.seats
            if captain.number != seat
            for ship in captain.fleet
            for square in ship.squares
            if square not in game.shots
        ]
        if not afloat or dice.below(2):
            return None
        if not game.options.salvo:
            return Fire(dice.choice(afloat))
        water = [square for square in game.targets(game.seats[seat]) if square not in afloat]
        shots = game.shots_of(game.seats[seat])
        named = [dice.choice(afloat), *dice.sample(water, shots - 1)]
        return Salvo(named) if len(named) == shots else None

    def candidate_words(self, game: Any) -> list[str]:
        from games.strifebarge.rules import squares

        return [*squares(game.side), "A0", "ZZ99", "a 1"]


def squares_of(op: GameOperation) -> list[str]:
    """The squares an order names."""
    return [*getattr(op.action, "squares", ()), *filter(None, [getattr(op.action, "square", None)])]


# -- Crazy Eights -------------------------------------------------------------------


class Cards:
    """Own hand; everyone's number of cards, the stock's number, the pile, the suit to follow."""

    def facts(self, game: Any, viewer: ViewerSeat) -> Any:
        return [
            game.options,
            [list(seat.hand) if seat.number == viewer else len(seat.hand) for seat in game.seats],
            len(game.stock),
            game.pile,
            game.suit,
            game.naming,
            game.passes,
            game.out,
        ]

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: ViewerSeat, dice: Chance, fits: Fits) -> None:
        """The cards that were never seen are dealt anew: the stock's, and those in the others' hands."""
        unseen = [*end.stock, *(card for seat in end.seats if seat.number != viewer for card in seat.hand)]
        places = [
            (cards, nth)
            for cards in (deal.stock.items, *(seat.hand.items for seat in deal.seats))
            for nth, card in enumerate(cards)
            if card in unseen
        ]
        held = [place for place in places if place[0] is not deal.stock.items]
        # Where they drew by themselves, not every card can have been everywhere: one is changed at a time.
        shuffle_all(places, dice, fits)
        for _ in range(2 * len(held)):
            swap(dice.choice(held), dice.choice(places), fits)
        shuffle_all([(deal.stock.items, nth) for nth in range(len(end.stock))], dice, fits)

    def aim(self, game: Any, seat: int, dice: Chance) -> Action | None:
        return None

    def candidate_words(self, game: Any) -> list[str]:
        return ["10C", "11C", "hearts", "queen of spades", ""]


# -- Rock-Paper-Scissors ------------------------------------------------------------


class Hands:
    """The throws that both have thrown; whether somebody has chosen, and never what."""

    def facts(self, game: Any, viewer: ViewerSeat) -> Any:
        return [game.options, game.last, game.throws, [seat.wins for seat in game.seats]]

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: ViewerSeat, dice: Chance, fits: Fits) -> None:
        """Nothing is dealt; the choices that are not shown yet are changed as in every game."""

    def aim(self, game: Any, seat: int, dice: Chance) -> Action | None:
        return None

    def candidate_words(self, game: Any) -> list[str]:
        return ["ROCK", "stone", "", "rock paper"]


# -- 7 Startups ---------------------------------------------------------------------


class Drafts:
    """Own hand, and what is under own stages; elsewhere numbers; the pile for whoever takes of it."""

    def facts(self, game: Any, viewer: ViewerSeat) -> Any:
        return [
            game.options,
            [game.ring, game.age, game.turn, game.asking, [len(deck) for deck in game.decks], game.out],
            [self.company(founder) for founder in game.seats],
            [self.private(founder, viewer) for founder in game.seats],
            list(game.pile) if self.takes(game) == viewer and viewer is not None else len(game.pile),
        ]

    def company(self, founder: Any) -> Any:
        """What everybody sees of a player."""
        owned = founder.company, founder.side, founder.stages, list(founder.built), founder.funds
        return [*owned, list(founder.tokens), founder.freed, founder.copied, list(founder.last)]

    def private(self, founder: Any, viewer: ViewerSeat) -> Any:
        """The cards of a hand and under the stages for their owner, their numbers for others."""
        cards = founder.hand, founder.under
        return [list(each) if founder.number == viewer else len(each) for each in cards]

    def takes(self, game: Any) -> ViewerSeat:
        """Who looks through the discard pile now: whoever built such a stage and has not taken yet."""
        if game.asking != "take":
            return None
        builders = [each for each in game.around if each.company == "riverly" and each.last]
        return next((each.number for each in builders if each.last[-1].act == "stage"), None)

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: ViewerSeat, dice: Chance, fits: Fits) -> None:
        """The decks to come are shuffled anew; unseen cards in other hands change places."""
        for deck in deal.decks[end.age - 1 :]:
            shuffle_all([(deck.items, nth) for nth in range(len(deck))], dice, fits)
        held = {card for seat in end.seats if seat.number != viewer for card in seat.hand}
        dealt = [seat.hand.items for seat in deal.seats] if end.age == 1 else [deal.decks[end.age - 2].items]
        places = [(cards, nth) for cards in dealt for nth, card in enumerate(cards) if card in held]
        if places and not shuffle_all(places, dice, fits):
            for _ in range(min(2 * len(places), 12)):
                swap(dice.choice(places), dice.choice(places), fits)

    def aim(self, game: Any, seat: int, dice: Chance) -> Action | None:
        """The stages that few build by chance, where they can be paid."""
        from games.startups.rules import Stage

        stages = [each for each in game.menu(game.seats[seat]) if isinstance(each, Stage)]
        legal = [each for each in stages if not game.refuse(game.seats[seat], each)]
        return dice.choice(legal) if legal and not dice.below(3) else None

    def candidate_words(self, game: Any) -> list[str]:
        return ["marketroid-1#3", "serverless-3#3", "nonsense", "", '{"left":{"finance":1}}', "true"]


# -- all of them -----------------------------------------------------------------------


WRITTEN: dict[str, Knowledge] = {
    "strifebarge": Fleets(),
    "eights": Cards(),
    "rps": Hands(),
    "startups": Drafts(),
}


def of(rules: type[Game[Any]]) -> Knowledge:
    """What is written here of a game, or else what it says itself."""
    return WRITTEN.get(slug(rules), BY_ITS_OWN_WORD)


def witness(match: Match, viewer: ViewerSeat) -> list[Any]:
    """All that a viewer may know at one moment."""
    return worlds.witness(match, viewer, of(match.rules))


def life(rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: ViewerSeat) -> list[list[Any]]:
    """All that a viewer comes to know, from the deal to the last of these acts."""
    return worlds.life(rules, deal, ops, viewer, of(rules))


def resampled(
    rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: ViewerSeat, dice: Chance, seed: str
) -> bytes:
    """The state of another deal from which the same acts lead to all the viewer knows, by another seed."""
    return worlds.resampled(rules, deal, ops, viewer, dice, seed, of(rules))
