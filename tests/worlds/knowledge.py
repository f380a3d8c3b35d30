"""What a viewer may know of each game, and other worlds in which they would know the same.

All of it is written here by hand from the games' rules; nothing asks the code that draws the pages.  A game
this chapter has not heard of is judged by its own word: what it keeps in Hidden and Secret nobody else knows.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from strifebarge.rules import Action, Game, Hidden, Refused, Seat, Secret
from strifebarge.rules.chance import Chance
from strifebarge.rules.codec import load, save
from strifebarge.rules.match import Match, Snapshot
from strifebarge.rules.schema import slug
from strifebarge.rules.text import pack

Viewer = int | None  # a seat; None for everybody who has none
Fits = Callable[[], bool]


class Op(NamedTuple):
    """Something a seat does: a move, taking one back, leaving for good."""

    do: str
    seat: int
    action: Action | None = None


Ops = Sequence[Op]


def act(match: Match, op: Op) -> None:
    """Do it.  Raises Refused."""
    match op.do:
        case "move":
            assert op.action is not None
            match.move(op.seat, op.action)
        case "undo":
            match.undo(op.seat)
        case "leave":
            match.leave(op.seat)


def again(match: Match) -> Match:
    """The same match, to be tried out."""
    return Match(match.rules, match.snapshot, match.ledger, match.pending)


def relive(rules: type[Game[Any]], deal: Snapshot, ops: Ops) -> Iterator[Match]:
    """A match from its deal on: before the first, and after each of its acts."""
    match = Match(rules, deal)
    match.lines = match.opening
    yield match
    for op in ops:
        act(match, op)
        yield match


# -- what a viewer knows ----------------------------------------------------------


class Knowledge(Protocol):
    """What there is to know of one game."""

    def facts(self, game: Any, viewer: Viewer) -> Any:
        """All that a viewer may know of a position, and nothing else."""

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: Viewer, dice: Chance, fits: Fits) -> None:
        """Change a deal in what the viewer does not know by the end; `fits` says that they do not notice."""

    def aim(self, game: Any, seat: int, dice: Chance) -> Action | None:
        """A move that makes something happen, for games in which chance seldom does."""

    def words(self, game: Any) -> list[str]:
        """Things that may be named in a move, rightly or not."""


def witness(match: Match, viewer: Viewer, knowledge: Knowledge) -> Any:
    """All that a viewer may know at one moment: who is asked, who has chosen, and the facts of the game."""
    return [
        sorted(match.waiting_for()),
        sorted(match.pending),
        match.pending.get(-1 if viewer is None else viewer),
        match.asked,
        match.number,
        sorted(match.game.gone),
        match.result,
        knowledge.facts(match.game, viewer),
        heard(match, viewer, knowledge),
    ]


def heard(match: Match, viewer: Viewer, knowledge: Knowledge) -> Any:
    """Of a game nobody wrote down, also what it says aloud and what it answers the viewer."""
    lines = match.told()
    if not isinstance(knowledge, Unwritten):
        return None
    answers: list[Any] = []
    if viewer in match.prompts and viewer not in match.given and not match.result:
        answers.append(pack(match.prompts[viewer].text))
        for option in match.options(viewer):
            refused = match.reason(viewer, option) if isinstance(option, Action) else None
            answers.append([repr(option), refused and pack(refused.text)])
    standing = [match.game.standing(seat) for seat in match.game.seats]
    return [[masked(line, viewer) for line in lines], answers, pack(standing)]


def masked(line: Any, viewer: Viewer) -> Any:
    """A packed line as one viewer hears it."""
    match line:
        case {"secret": _, "known": known} if None not in known and viewer not in known:
            return "???"
        case dict():
            return {name: masked(part, viewer) for name, part in line.items()}
        case list():
            return [masked(part, viewer) for part in line]
    return line


def life(rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: Viewer) -> list[Any]:
    """All that a viewer comes to know, from the deal to the last of these acts."""
    knowledge = of(rules)
    return [witness(match, viewer, knowledge) for match in relive(rules, deal, ops)]


def resampled(
    rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: Viewer, dice: Chance, seed: str
) -> bytes:
    """The state of another deal from which the same acts lead to all the viewer knows, by another seed.

    Where the seed itself decides what all see, as with dice, the deal keeps its own.
    """
    known = life(rules, deal, ops, viewer)
    game = load(rules, deal.state)

    def fits() -> bool:
        try:
            return life(rules, Snapshot(0, deal.stage, save(game)), ops, viewer) == known
        except (Refused, LookupError, ValueError, AttributeError, TypeError):
            return False  # not even possible

    *_, end = relive(rules, deal, ops)
    sealed, game.chance.seed = game.chance.seed, seed
    if not fits():
        game.chance.seed = sealed
    plain = save(game)
    of(rules).resample(game, end.game, ops, viewer, dice, fits)
    return save(game) if fits() else plain


def unseen_choices(rules: type[Game[Any]], deal: Snapshot, ops: Ops, viewer: Viewer) -> set[int]:
    """Which of these acts, by their place, are choices of others that are not shown yet at the end."""
    numbers = [match.number for match in relive(rules, deal, ops)]
    return {nth for nth, op in enumerate(ops) if numbers[nth] == numbers[-1] and op.seat != viewer}


def instead(match: Match, op: Op, dice: Chance) -> Op:
    """What might have been chosen instead; the same, if there is nothing else."""
    others: list[Any] = [*match.offers(op.seat), *match.classes(op.seat)]
    others = [other for other in others if other != op.action]
    if not others:
        return op
    choice: Any = dice.choice(others)
    if isinstance(choice, type):
        choice = choice.sample(match.game, match.game.seats[op.seat], dice)
    return op._replace(action=choice)


# -- StrifeBarge --------------------------------------------------------------------


class Fleets:
    """Everyone: shots and their results, wrecks, who is out.  A captain: their own ships."""

    def facts(self, game: Any, viewer: Viewer) -> Any:
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

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: Viewer, dice: Chance, fits: Fits) -> None:
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
                        if (found := lay(rest, taken | set(berth), hits - set(berth))) is not None:
                            return {**found, id(ship): list(berth)}
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

    def words(self, game: Any) -> list[str]:
        from games.strifebarge.rules import squares

        return [*squares(game.side), "A0", "ZZ99", "a 1"]


def squares_of(op: Op) -> list[str]:
    """The squares an order names."""
    return [*getattr(op.action, "squares", ()), *filter(None, [getattr(op.action, "square", None)])]


# -- Crazy Eights -------------------------------------------------------------------


class Cards:
    """Own hand; everyone's number of cards, the stock's number, the pile, the suit to follow."""

    def facts(self, game: Any, viewer: Viewer) -> Any:
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

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: Viewer, dice: Chance, fits: Fits) -> None:
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

    def words(self, game: Any) -> list[str]:
        return ["10C", "11C", "hearts", "queen of spades", ""]


# -- Rock-Paper-Scissors ------------------------------------------------------------


class Hands:
    """The throws that both have thrown; whether somebody has chosen, and never what."""

    def facts(self, game: Any, viewer: Viewer) -> Any:
        return [game.options, game.last, game.throws, [seat.wins for seat in game.seats]]

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: Viewer, dice: Chance, fits: Fits) -> None:
        """Nothing is dealt; the choices that are not shown yet are changed as in every game."""

    def aim(self, game: Any, seat: int, dice: Chance) -> Action | None:
        return None

    def words(self, game: Any) -> list[str]:
        return ["ROCK", "stone", "", "rock paper"]


# -- 7 Startups ---------------------------------------------------------------------


class Drafts:
    """Own hand, and what is under own stages; elsewhere numbers; the pile for whoever takes of it."""

    def facts(self, game: Any, viewer: Viewer) -> Any:
        return [
            game.options,
            [game.ring, game.age, game.turn, game.asking, [len(deck) for deck in game.decks], game.out],
            [self.company(founder) for founder in game.seats],
            [self.kept(founder, viewer) for founder in game.seats],
            list(game.pile) if self.takes(game) == viewer and viewer is not None else len(game.pile),
        ]

    def company(self, founder: Any) -> Any:
        """What everybody sees of a player."""
        owned = founder.company, founder.side, founder.stages, list(founder.built), founder.funds
        return [*owned, list(founder.tokens), founder.freed, founder.copied, list(founder.last)]

    def kept(self, founder: Any, viewer: Viewer) -> Any:
        kept = founder.hand, founder.under
        return [list(each) if founder.number == viewer else len(each) for each in kept]

    def takes(self, game: Any) -> Viewer:
        """Who looks through the discard pile now: whoever built such a stage and has not taken yet."""
        if game.asking != "take":
            return None
        builders = [each for each in game.around if each.company == "riverly" and each.last]
        return next((each.number for each in builders if each.last[-1].act == "stage"), None)

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: Viewer, dice: Chance, fits: Fits) -> None:
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

    def words(self, game: Any) -> list[str]:
        return ["marketroid-1#3", "serverless-3#3", "nonsense", "", '{"left":{"finance":1}}', "true"]


# -- games that came later -----------------------------------------------------------


class Unwritten:
    """Any game, by its own word: what is Hidden or Secret only those know of whom it says so.

    So it finds what the table and the pages let slip, and not what the game itself says too loud.
    """

    def facts(self, game: Any, viewer: Viewer) -> Any:
        return seen(game, viewer, None)

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: Viewer, dice: Chance, fits: Fits) -> None:
        """Things the viewer does not see change places with others like them."""
        for kind, (unseen, _) in sorted(kinds_in(deal, viewer).items()):
            if len(unseen) < 4 and redraw(deal, kind, viewer, dice, fits):
                continue
            if not shuffle_all(unseen, dice, fits):
                for _ in range(min(2 * len(unseen), 30)):
                    swap(dice.choice(unseen), dice.choice(unseen), fits)

    def aim(self, game: Any, seat: int, dice: Chance) -> Action | None:
        return None

    def words(self, game: Any) -> list[str]:
        return ["", "nonsense", "0", "-1", "A1"]


def seen(thing: Any, viewer: Viewer, keeper: Viewer) -> Any:
    """A thing with all that is hidden from the viewer left out."""
    match thing:
        case Chance():
            return None
        case Hidden() | Secret():
            return [
                seen(items[nth], viewer, keeper) if open_to(known, viewer, keeper) else "???"
                for items, nth, known in held_in(thing)
            ]
        case msgspec.Struct():
            mine = thing.number if isinstance(thing, Seat) else keeper
            return [seen(getattr(thing, name), viewer, mine) for name in thing.__struct_fields__]
        case dict():
            return [(name, seen(value, viewer, keeper)) for name, value in thing.items()]
        case list() | tuple():
            return [seen(each, viewer, keeper) for each in thing]
        case set() | frozenset():
            return sorted(map(repr, thing))
    return thing


def open_to(known: set[Viewer], viewer: Viewer, keeper: Viewer) -> bool:
    """What is in a seat's keeping that seat knows; else those who were shown it."""
    return (viewer is not None and viewer == keeper) or bool(known & {None, viewer})


def held_in(thing: Hidden[Any] | Secret[Any]) -> Iterator[tuple[list[Any], int, set[Viewer]]]:
    """Where each thing lies in it, and who was shown it."""
    if isinstance(thing, Secret):
        yield Held(thing), 0, thing.known
    else:
        for nth, known in enumerate(thing.known):
            yield thing.items, nth, known


def slots(thing: Any, viewer: Viewer, keeper: Viewer = None) -> Iterator[tuple["Slot", bool]]:
    """Where things lie that may be hidden, and whether they are not so to the viewer."""
    match thing:
        case Hidden() | Secret():
            for items, nth, known in held_in(thing):
                is_open = open_to(known, viewer, keeper)
                yield (items, nth), is_open
                if is_open:
                    yield from slots(items[nth], viewer, keeper)
        case msgspec.Struct():
            mine = thing.number if isinstance(thing, Seat) else keeper
            for name in thing.__struct_fields__:
                yield from slots(getattr(thing, name), viewer, mine)
        case dict():
            yield from slots(list(thing.values()), viewer, keeper)
        case list() | tuple():
            for each in thing:
                yield from slots(each, viewer, keeper)


def kinds_in(game: Any, viewer: Viewer) -> dict[str, tuple[list["Slot"], list[Any]]]:
    """By the name of their type: where things lie that the viewer does not see, and things that they do."""
    kinds: dict[str, tuple[list[Slot], list[Any]]] = {}
    for (items, nth), is_open in slots(game, viewer):
        unseen, open_ones = kinds.setdefault(type(items[nth]).__name__, ([], []))
        if is_open:
            open_ones.append(items[nth])
        else:
            unseen.append((items, nth))
    return kinds


def redraw(deal: Any, kind: str, viewer: Viewer, dice: Chance, fits: Fits) -> bool:
    """Let the few unseen things of a kind be as in another deal in which those that are seen are alike."""
    unseen, open_ones = kinds_in(deal, viewer)[kind]
    before = [items[nth] for items, nth in unseen]
    for _ in range(20):
        match = Match.new(type(deal), len(deal.seats), f"another deal {dice.below(10**9)}", deal.options)
        others, open_there = kinds_in(load(type(deal), match.snapshot.state), viewer).get(kind, ([], []))
        drawn = [items[nth] for items, nth in others]
        if open_there == open_ones and len(drawn) == len(before) and drawn != before:
            put(unseen, drawn)
            if fits():
                return True
            put(unseen, before)
    return False


class Held(list[Any]):
    """A Secret as a list of one thing, to change places with others."""

    def __init__(self, secret: Secret[Any]):
        self.secret = secret

    def __getitem__(self, nth: Any) -> Any:
        return self.secret.value

    def __setitem__(self, nth: Any, thing: Any) -> None:
        self.secret.value = thing


Slot = tuple[list[Any], int]  # a list and a place in it


def swap(here: Slot, there: Slot, fits: Fits) -> bool:
    """Let two things change places, if nobody would notice."""
    (one, i), (other, j) = here, there
    if one[i] == other[j]:
        return False
    one[i], other[j] = other[j], one[i]
    if fits():
        return True
    one[i], other[j] = other[j], one[i]
    return False


def shuffle_all(places: Sequence[Slot], dice: Chance, fits: Fits) -> bool:
    """Let all of these change places, if nobody would notice."""
    before = [items[nth] for items, nth in places]
    put(places, dice.shuffled(before))
    if fits():
        return True
    put(places, before)
    return False


def put(places: Sequence[Slot], things: Sequence[Any]) -> None:
    for (items, nth), thing in zip(places, things, strict=True):
        items[nth] = thing


WRITTEN: dict[str, Knowledge] = {
    "strifebarge": Fleets(),
    "eights": Cards(),
    "rps": Hands(),
    "startups": Drafts(),
}
BY_ITS_OWN_WORD = Unwritten()


def of(rules: type[Game[Any]]) -> Knowledge:
    """What is written here of a game, or else what it says itself."""
    return WRITTEN.get(slug(rules), BY_ITS_OWN_WORD)
