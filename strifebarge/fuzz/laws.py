"""The laws that every game keeps, at any moment of it: one definition for the tests and for the fuzzer."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import msgspec

from strifebarge.fuzz.acts import Doing, round_trip, viewers
from strifebarge.fuzz.helping import helps_bots
from strifebarge.fuzz.hiding import what_is_hidden_is_not_sent
from strifebarge.fuzz.law import Law, Unlawful, must, no_crash
from strifebarge.rules import Action, Chance, Occasion, Refusal, Refused
from strifebarge.rules.codec import load, save
from strifebarge.rules.ledger import Move
from strifebarge.rules.match import Match
from strifebarge.rules.notation import read, write
from strifebarge.rules.schema import actions
from strifebarge.rules.testing import random_choice
from strifebarge.rules.text import pack, tell
from strifebarge.rules.validity import refusal

MOST_BYTES = 100_000  # of a game put away
MOST_LOOKED_AT = 50  # options of one question
COMPOSING = (
    "\n  Several compose here, each without the steps of the others. "
    "See `compose` in “Turns of many steps”: none may take from what another takes from."
)


# -- all there is to know -----------------------------------------------------------


def public_state(match: Match) -> dict[str, Any]:
    """Return all that can be known of a match between two moves."""
    seats = range(len(match.game.seats))
    return {
        "fingerprint": match.fingerprint(),
        "number": match.number,
        "result": match.result,
        "moves": [*match.moves],
        "ledger": [*match.ledger],
        "place": match.ledger_position,
        "composing": match.question.composed is not None
        and (
            match.replay.since,
            match.replay.began,
            dict(match.steps),
        ),
        "asked": {**match.question_numbers},
        "given": {**match.answers},
        "pending": {**match.pending},
        "waiting": match.waiting_for(),
        "prompts": {seat: pack(prompt.text) for seat, prompt in match.prompts.items()},
        "options": {seat: [*match.options(seat)] for seat in match.prompts},
        "can_undo": [seat for seat in seats if match.can_undo(seat)],
        "settled by": match.question.settled_by,
        "final": match.question.final,
    }


def everything_of(match: Match) -> dict[str, Any]:
    """Return all that can be known of a match, and what each viewer sees of it."""
    views = {viewer: save(match.game, viewer) for viewer in viewers(match)}
    return {**public_state(match), "stage": match.snapshot, "state": save(match.game), "views": views}


def must_be_alike(one: dict[str, Any], other: dict[str, Any], law: Law, when: str) -> None:
    """Check that two matches are alike in everything; name the first thing in which they are not."""
    for name, value in one.items():
        if value != other[name]:
            raise Unlawful(law, f"{when}, its {name} is another\n  {value!r:.400}\n  {other[name]!r:.400}")


# -- saving ----------------------------------------------------------------------------


def comes_back(match: Match) -> Match:
    """Check that a match put away and taken up is the same to all.  Returns the one taken up."""
    state = save(match.game)
    must(save(load(match.rules, state)) == state, Law.SAVING, "loaded and saved again, the state is another")
    must(len(state) < MOST_BYTES, Law.SIZE, f"the state has {len(state)} bytes")
    twin = round_trip(match)
    must_be_alike(everything_of(match), everything_of(twin), Law.SAVING, "put away and taken up")
    must(not twin.take_log(), Law.SAVING, "taken up, it tells again what was told")
    return twin


def goes_on_alike(match: Match, twin: Match, doing: Doing) -> list[Move]:
    """Check that the same done to a match and to the same one taken up comes to the same."""
    moves, others = doing(match), doing(twin)
    must(moves == others, Law.SAVING, f"taken up, it makes other moves: {moves!r:.200}, {others!r:.200}")
    own, theirs = [[*each.replay.lines] for each in (match, twin)]
    must(own == theirs, Law.SAVING, f"taken up, it tells otherwise: {own!r:.200}, {theirs!r:.200}")
    must_be_alike(everything_of(match), everything_of(twin), Law.SAVING, "taken up before the last move")
    return moves


def keeps_to_its_fields(match: Match) -> None:
    """Check that nothing of a game is kept where it is not saved."""
    cached = {
        name
        for kind in type(match.game).__mro__
        for name, attribute in vars(kind).items()
        if _caches(attribute)
    }
    stray = sorted(vars(match.game).keys() - cached - {"told"})
    must(not stray, Law.OUTSIDE, f"{', '.join(stray)}: no field of the game")


def _caches(attribute: Any) -> bool:
    return isinstance(attribute, cached_property)


# -- seeing ----------------------------------------------------------------------------


def looking_changes_nothing(match: Match) -> None:
    """Check that views, options, reasons and words are the same when they are asked for twice."""
    before = everything_of(match)
    looks = [_looks_of(match) for _ in range(2)]
    must(looks[0] == looks[1], Law.LOOKING, "asked twice, a view, an option or its reason is another")
    must_be_alike(before, everything_of(match), Law.LOOKING, "looked at")
    must("told" not in vars(match.game), Law.LOOKING, "looking at it tells something")


def _looks_of(match: Match) -> list[Any]:
    looks: list[Any] = []
    for seat in match.waiting_for():
        for option in match.options(seat)[:MOST_LOOKED_AT]:
            action = option if isinstance(option, Action) else random_choice(match, seat, Chance())
            why = match.reason(seat, action)
            looks.append([repr(action), why and pack(why.text)])
    for viewer in viewers(match):
        view = match.view(viewer)
        looks += [pack(view.standing(seat)) for seat in view.seats]
        looks += [match.can_undo(viewer), view.exports(_names(match), Occasion()), save(view)]
    return looks


def _names(match: Match) -> list[str]:
    return [f"{{P{seat}}}" for seat in range(len(match.game.seats))]  # a name may hold braces


def all_can_be_told(match: Match, lines: Iterable[Any]) -> None:
    """Check that everybody can be shown the match, and told what happened, in words."""
    for viewer in viewers(match):
        view = match.view(viewer)
        must(type(view) is match.rules, Law.TELLING, "a view is no game of its kind")
        for line in lines:
            if line.get("line") == "blank":
                continue
            must(tell(line, viewer), Law.TELLING, f"a line of the log is empty: {line!r:.200}")
        for standing in filter(None, map(view.standing, view.seats)):
            must(tell(pack(standing), viewer), Law.TELLING, "a standing is empty")
        for ending in view.exports(_names(match), Occasion()):
            must(ending.isalnum(), Law.TELLING, f"a file cannot end in “{ending}”")
    for seat, prompt in match.prompts.items():
        must(tell(prompt.text, seat), Law.TELLING, "a question is empty")
        for option in match.options(seat)[:MOST_LOOKED_AT]:
            _can_be_said(match, seat, option)
    if match.result and match.result.why:
        must(tell(match.result.why, None), Law.TELLING, "why it ended is empty")


def _can_be_said(match: Match, seat: int, option: Action | type[Action]) -> None:
    kinds = actions(match.rules)
    if isinstance(option, type):
        must(option in kinds, Law.TELLING, f"{option.__name__} is no action of the game's module")
        return
    must(tell(option.words, seat), Law.TELLING, f"no words for {option!r}")
    try:
        again = read(write(option), kinds)
    except Refused as no:
        raise Unlawful(Law.TELLING, f"{write(option)!r} cannot be read: {no.text}") from no
    must(again == option, Law.TELLING, f"{write(option)!r} is read as {again!r}")


# -- asking and refusing ------------------------------------------------------------------


def somebody_is_asked(match: Match) -> None:
    """Check that the game is over, or waits for somebody who is there and has something to do."""
    if match.result:
        must(not match.waiting_for(), Law.ENDING, "it is over, and somebody is asked")
        return
    must(match.waiting_for(), Law.DEAD_END, "nobody is asked anything, and there is no result")
    for seat in match.waiting_for():
        random_choice(match, seat, Chance("anything"))


def what_is_offered_is_allowed(match: Match) -> None:
    """Check that what a seat is offered and not refused may be done, and that the board says so too.

    A board judges by what its viewer sees.  It may not see why something is refused, but must not refuse
    what is allowed.
    """
    for seat in match.waiting_for():
        view: Any = match.view(seat)
        for action in [each for each in match.options(seat) if isinstance(each, Action)][:MOST_LOOKED_AT]:
            try:
                view_refusal = refusal(view, view.seats[seat], action)
            except (AttributeError, TypeError):  # it asks for what is hidden: the referee will judge
                continue
            if view_refusal and not match.reason(seat, action):
                message = f"seat {seat} may {write(action)!r}, and its board says: {view_refusal.text}"
                raise Unlawful(Law.REFUSING, message)


def accepted(match: Match, seat: int, action: Action, doing: Doing) -> list[Move]:
    """Do what the game has offered, which it must not refuse then."""
    try:
        return doing(match)
    except Refused as no:
        raise Unlawful(Law.REFUSING, f"seat {seat} is offered {write(action)!r} and told: {no.text}") from no


def refused_or_legal(match: Match, seat: Any, action: Any) -> Refusal | None:
    """Check that what is tried may be done, or that there is a reason with its words and nothing has
    changed.
    """
    before = match.fingerprint(), match.number, {**match.question_numbers}, {**match.pending}
    why = None
    try:
        match.check(seat, action)
    except Refused as refused:
        why = check_refusal(refused)
        try:
            match.move(seat, action)
        except Refused as no:
            must(no.why is why, Law.REFUSING, f"{action!r:.200} is refused for one reason, then for another")
        else:
            raise Unlawful(Law.REFUSING, f"{action!r:.200} is refused, and then done") from refused
    after = match.fingerprint(), match.number, {**match.question_numbers}, {**match.pending}
    must(before == after, Law.REFUSING, f"to ask about {action!r:.200} changes something")
    must(not match.take_log(), Law.REFUSING, f"to ask about {action!r:.200} tells something")
    return why


def check_refusal(refused: Refused) -> Refusal:
    """Check that a refusal has a token, and a sentence that can be told."""
    must(re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_]+", refused.token), Law.TELLING, f"token {refused.token!r}")
    text = tell(pack(refused.text), None)
    must(0 < len(text) < 500, Law.TELLING, f"a reason of {len(text)} characters: {refused.token}")
    return refused.why


# -- taking back, leaving, ending -----------------------------------------------------------


def takes_back(match: Match, seat: int, doing: Doing) -> list[Move]:
    """Check that an undo leads to where the game stood, as all see it."""
    before = Match(match.rules, match.snapshot, _but_last(match, seat))
    moves = doing(match)
    for name in ("state", "views", "waiting", "prompts", "options", "result"):
        was, is_ = everything_of(before)[name], everything_of(match)[name]
        must(was == is_, Law.UNDOING, f"after seat {seat} took back, the {name} is not what it was")
    return moves


def _but_last(match: Match, seat: int) -> list[Move]:
    """Return the moves of this stage that stand, but for this seat's last; others may compose at the same
    time.
    """
    last = max(index for index, move in enumerate(match.moves) if move.seat == seat)
    return [*match.moves[:last], *match.moves[last + 1 :]]


def leaves(match: Match, seat: int, doing: Doing) -> list[Move]:
    """Check that a seat that leaves is gone, and that the game ends or goes on without it."""
    try:
        moves = doing(match)
    except Refused as no:
        raise Unlawful(Law.LEAVING, f"seat {seat} may not leave: {no.text}") from no
    must(moves[0].seat == seat and moves[-1].final, Law.LEAVING, f"seat {seat} left by other moves: {moves}")
    must(seat not in match.waiting_for(), Law.LEAVING, f"seat {seat} has left, and is asked")
    return moves


def is_answered_for(match: Match, seat: int, doing: Doing) -> list[Move]:
    """Check that a seat that has let the time for a question run out is asked that no more."""
    question = match.question_numbers[seat]
    moves = doing(match)
    again = seat in match.waiting_for() and match.question_numbers[seat] == question
    must(not again, Law.LATE, f"seat {seat} has let the time run out, and is asked the same again")
    return moves


def ends_well(match: Match) -> None:
    """Check that it is over with places, or says why it has none, and that it asks no more questions."""
    result = match.result
    must(result and (result.places or result.why), Law.ENDING, "nobody has a place, and nothing says why")
    must(not match.waiting_for(), Law.ENDING, "it is over, and somebody is asked")
    must(msgspec.json.encode(match.result), Law.ENDING, "the result cannot be written")


@contextmanager
def pointing_to_compose(match: Match) -> Iterator[None]:
    """Add to what breaks while several compose where its author may look."""
    try:
        yield
    except Unlawful as wrong:
        if wrong.law in (Law.CRASH, Law.REFUSING) and any(map(match.withheld, match.waiting_for())):
            wrong.how += COMPOSING
        raise


def check_all(match: Match, log: Iterable[Any] = ()) -> None:
    """Check all that must hold of a position by itself.  Raises Unlawful."""
    with pointing_to_compose(match), no_crash():
        somebody_is_asked(match)
        if match.result:
            ends_well(match)
        keeps_to_its_fields(match)
        comes_back(match)
        looking_changes_nothing(match)
        what_is_hidden_is_not_sent(match)
        all_can_be_told(match, log)
        what_is_offered_is_allowed(match)
        helps_bots(match, Chance(match.fingerprint()))
