"""Worlds in which a viewer would know the same, and what they may know by a game's own word.

What a game keeps in Hidden and Secret nobody else knows; all other fields everybody sees.  The worlds differ
in what one viewer does not know, and by the same acts lead to the same for them.  What they are told must be
the same too.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import msgspec

from strifebarge.fuzz.acts import Ops, replay_acts
from strifebarge.rules import Action, Game, Hidden, Refused, Seat, Secret
from strifebarge.rules.action import Undo
from strifebarge.rules.chance import Chance
from strifebarge.rules.codec import load, save
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.text import pack

HELD_BACK: WeakKeyDictionary[Match, list[tuple[tuple[int, int], Any]]] = WeakKeyDictionary()
ViewerSeat = int | None  # a seat; None for everybody who has none
Fits = Callable[[], bool]
Slot = tuple[list[Any], int]  # a list and a place in it


# -- what a viewer knows -------------------------------------------------------------


class Knowledge(Protocol):
    """The knowledge that there is of one game."""

    def facts(self, game: Any, viewer: ViewerSeat) -> Any:
        """Return all that a viewer may know of a position, and nothing else."""

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: ViewerSeat, dice: Chance, fits: Fits) -> None:
        """Change a deal in what the viewer does not know by the end; `fits` says that they do not notice."""

    def aim(self, game: Any, seat: int, dice: Chance) -> Action | None:
        """Return a move that makes something happen, for games in which chance seldom does."""

    def candidate_words(self, game: Any) -> list[str]:
        """Return things that may be named in a move, rightly or not."""


def sees(match: Match, viewer: ViewerSeat, knowledge: Knowledge) -> list[Any]:
    """Return what a viewer may see at one moment: who is asked, who has chosen, and the facts of the game."""
    return [
        sorted(match.waiting_for()),
        sorted(match.pending),
        match.pending.get(-1 if viewer is None else viewer),
        match.question_numbers.get(-1 if viewer is None else viewer),
        match.number,
        sorted(match.game.gone),
        match.result,
        knowledge.facts(match.known_to(viewer), viewer),
    ]


def hears(match: Match, viewer: ViewerSeat) -> list[Any]:
    """Return what a viewer is told at one moment: the log since the last one, what they are asked, all
    standings.
    """
    lines = _new_lines(match, viewer)
    answers: list[Any] = []
    if viewer in match.prompts and viewer not in match.answers and not match.result:
        answers.append(pack(match.prompts[viewer].text))
        for option in match.options(viewer):
            refused = match.reason(viewer, option) if isinstance(option, Action) else None
            answers.append([repr(option), refused and pack(refused.text)])
    game = match.known_to(viewer)
    standing = [game.standing(seat) for seat in game.seats]
    return [[mask_line(line, viewer) for line in lines], answers, pack(standing)]


def _new_lines(match: Match, viewer: ViewerSeat) -> list[Any]:
    """Return the lines since the last time; those of what others compose when it is ended, if they stand
    then.
    """
    pending_lines = [*HELD_BACK.get(match, []), *((match.ledger_position, line) for line in match.take_log())]
    undone = {move.ledger_position for move in match.ledger if not isinstance(move.action, Undo)}
    undone -= {move.ledger_position for move in match.moves}
    withheld = match.withheld(viewer)
    HELD_BACK[match] = [(position, line) for position, line in pending_lines if position in withheld - undone]
    return [line for position, line in pending_lines if position not in withheld | undone]


def witness(match: Match, viewer: ViewerSeat, knowledge: Knowledge) -> list[Any]:
    """Return all that a viewer may know at one moment; without a knowledge of the game, also what they
    are told.
    """
    if knowledge is not BY_ITS_OWN_WORD:
        match.take_log()
        return sees(match, viewer, knowledge)
    return [*sees(match, viewer, knowledge), hears(match, viewer)]


def mask_line(line: Any, viewer: ViewerSeat) -> Any:
    """Return a packed line as one viewer hears it."""
    match line:
        case {"secret": _, "known": readers} if None not in readers and viewer not in readers:
            return "???"
        case dict():
            return {name: mask_line(part, viewer) for name, part in line.items()}
        case list():
            return [mask_line(part, viewer) for part in line]
    return line


Witness = Callable[[Match, ViewerSeat, Knowledge], list[Any]]


def life(
    rules: type[Game[Any]],
    deal: Snapshot,
    ops: Ops,
    viewer: ViewerSeat,
    knowledge: Knowledge,
    known_by: Witness = witness,
) -> list[list[Any]]:
    """Return all that a viewer comes to know, from the deal to the last of these acts."""
    # Copied, for the match goes on, and its lists with it.
    return [deepcopy(known_by(match, viewer, knowledge)) for match in replay_acts(rules, deal, ops)]


def resampled(
    rules: type[Game[Any]],
    deal: Snapshot,
    ops: Ops,
    viewer: ViewerSeat,
    dice: Chance,
    seed: str,
    knowledge: Knowledge,
    known_by: Witness = witness,
) -> bytes:
    """Return the state of another deal from which the same acts lead to all the viewer knows, by another
    seed.

    Where the seed itself decides what all see, as with dice, the deal keeps its own.
    """
    original = life(rules, deal, ops, viewer, knowledge, known_by)
    game = load(rules, deal.state)

    def fits() -> bool:
        try:
            other = replay_acts(rules, Snapshot(0, deal.stage, save(game)), ops)
            return all(
                known_by(match, viewer, knowledge) == expected
                for match, expected in zip(other, original, strict=True)
            )
        except (Refused, LookupError, ValueError, AttributeError, TypeError):
            return False  # not even possible

    *_, end = replay_acts(rules, deal, ops)
    sealed, game.chance.seed = game.chance.seed, seed
    if not fits():
        game.chance.seed = sealed
    plain = save(game)
    knowledge.resample(game, end.game, ops, viewer, dice, fits)
    return save(game) if fits() else plain


# -- by its own word -------------------------------------------------------------------


class OwnWord:
    """Any game: what is Hidden or Secret only those know of whom it says so."""

    def __init__(self, tries: int = 30):
        self.tries = tries  # things of a kind that change places, where they cannot all

    def facts(self, game: Any, viewer: ViewerSeat) -> Any:
        return without_hidden(game, viewer, None)

    def resample(self, deal: Any, end: Any, ops: Ops, viewer: ViewerSeat, dice: Chance, fits: Fits) -> None:
        """Let things the viewer does not see change places with others like them."""
        for kind, (unseen, visible) in sorted(kinds_in(deal, viewer).items()):
            if (len(unseen) < 4 or not visible) and redraw(deal, kind, viewer, dice, fits):
                continue
            if not shuffle_all(unseen, dice, fits):
                for _ in range(min(2 * len(unseen), self.tries)):
                    swap(dice.choice(unseen), dice.choice(unseen), fits)

    def aim(self, game: Any, seat: int, dice: Chance) -> Action | None:
        return None

    def candidate_words(self, game: Any) -> list[str]:
        return ["", "nonsense", "0", "-1", "A1"]


def without_hidden(obj: Any, viewer: ViewerSeat, keeper: ViewerSeat) -> Any:
    """Return a thing with all that is hidden from the viewer left out."""
    match obj:
        case Chance():
            return None
        case Hidden() | Secret():
            return [
                without_hidden(items[index], viewer, keeper) if open_to(readers, viewer, keeper) else "???"
                for items, index, readers in held_in(obj)
            ]
        case msgspec.Struct():
            inner_keeper = obj.number if isinstance(obj, Seat) else keeper
            return [
                without_hidden(getattr(obj, name), viewer, inner_keeper) for name in obj.__struct_fields__
            ]
        case dict():
            return [(name, without_hidden(value, viewer, keeper)) for name, value in obj.items()]
        case list() | tuple():
            return [without_hidden(each, viewer, keeper) for each in obj]
        case set() | frozenset():
            return sorted(map(repr, obj))
    return obj


def open_to(readers: set[ViewerSeat], viewer: ViewerSeat, keeper: ViewerSeat) -> bool:
    """Return whether a viewer knows a thing: it is in their keeping, or they were shown it."""
    return (viewer is not None and viewer == keeper) or bool(readers & {None, viewer})


def held_in(holder: Hidden[Any] | Secret[Any]) -> Iterator[tuple[list[Any], int, set[ViewerSeat]]]:
    """Yield where each thing lies in it, and who was shown it."""
    if isinstance(holder, Secret):
        yield SingleItem(holder), 0, holder.readers
    else:
        for index, readers in enumerate(holder.readers):
            yield holder.items, index, readers


def slots(obj: Any, viewer: ViewerSeat, keeper: ViewerSeat = None) -> Iterator[tuple[Slot, bool]]:
    """Yield where things lie that may be hidden, and whether they are open to the viewer."""
    match obj:
        case Hidden() | Secret():
            for items, index, readers in held_in(obj):
                is_open = open_to(readers, viewer, keeper)
                yield (items, index), is_open
                if is_open:
                    yield from slots(items[index], viewer, keeper)
        case msgspec.Struct():
            inner_keeper = obj.number if isinstance(obj, Seat) else keeper
            for name in obj.__struct_fields__:
                yield from slots(getattr(obj, name), viewer, inner_keeper)
        case dict():
            yield from slots(list(obj.values()), viewer, keeper)
        case list() | tuple():
            for each in obj:
                yield from slots(each, viewer, keeper)


def kinds_in(game: Any, viewer: ViewerSeat) -> dict[str, tuple[list[Slot], list[Any]]]:
    """Group by the name of their type: where things lie that the viewer does not see, and things that
    they do.
    """
    kinds: dict[str, tuple[list[Slot], list[Any]]] = {}
    for (items, index), is_open in slots(game, viewer):
        unseen, open_ones = kinds.setdefault(type(items[index]).__name__, ([], []))
        if is_open:
            open_ones.append(items[index])
        else:
            unseen.append((items, index))
    return kinds


def redraw(deal: Any, kind: str, viewer: ViewerSeat, dice: Chance, fits: Fits) -> bool:
    """Let the few unseen things of a kind be as in another deal in which those that are seen are alike."""
    unseen, open_ones = kinds_in(deal, viewer)[kind]
    before = [items[index] for items, index in unseen]
    for _ in range(20):
        match = Match.new(type(deal), len(deal.seats), f"another deal {dice.below(10**9)}", deal.options)
        others, open_there = kinds_in(load(type(deal), match.snapshot.state), viewer).get(kind, ([], []))
        drawn = [items[index] for items, index in others]
        if open_there == open_ones and len(drawn) == len(before) and drawn != before:
            put(unseen, drawn)
            if fits():
                return True
            put(unseen, before)
    return False


class SingleItem(list[Any]):
    """A Secret as a list of one thing, to change places with others."""

    def __init__(self, secret: Secret[Any]):
        self.secret = secret

    def __getitem__(self, index: Any) -> Any:
        return self.secret.value

    def __setitem__(self, index: Any, item: Any) -> None:
        self.secret.value = item


def swap(slot: Slot, there: Slot, fits: Fits) -> bool:
    """Let two things change places, if nobody would notice."""
    (one, i), (other, j) = slot, there
    if one[i] == other[j]:
        return False
    one[i], other[j] = other[j], one[i]
    if fits():
        return True
    one[i], other[j] = other[j], one[i]
    return False


def shuffle_all(places: Sequence[Slot], dice: Chance, fits: Fits) -> bool:
    """Let all of these change places, if nobody would notice."""
    before = [items[index] for items, index in places]
    put(places, dice.shuffled(before))
    if fits():
        return True
    put(places, before)
    return False


def put(places: Sequence[Slot], things: Sequence[Any]) -> None:
    for (items, index), item in zip(places, things, strict=True):
        items[index] = item


BY_ITS_OWN_WORD = OwnWord()
