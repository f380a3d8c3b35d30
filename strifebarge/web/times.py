"""Times to play by, in words: how long a seat has, what happens when it is over, what is left."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from strifebarge.rules import Pace, Text, count
from strifebarge.rules.pace import DAY, HOUR, MINUTE
from strifebarge.rules.schema import seat_numbers
from strifebarge.table.clock import Clock
from strifebarge.table.library import Title
from strifebarge.table.table import Chair, Table
from strifebarge.table.vacation import DAYS
from strifebarge.table.view import Place, View

from .turn import names
from .words import called, instant, machine, say, told

LATE = {
    "move": Text("Whoever lets the time run out has a move made for them by the rules."),
    "pass": Text("Whoever lets the time run out is passed over."),
}


def span(seconds: float) -> Markup:
    """`2 days 3 hours`, `4 minutes`, `40 seconds`: two units at most, and nobody is told too much."""
    left = max(0, int(seconds))
    units: list[tuple[int, Callable[[int], Text]]] = [
        (DAY, lambda n: count("{n} day", "{n} days", n)),
        (HOUR, lambda n: count("{n} hour", "{n} hours", n)),
        (MINUTE, lambda n: count("{n} minute", "{n} minutes", n)),
        (1, lambda n: count("{n} second", "{n} seconds", n)),
    ]
    for (unit, words), (smaller, more) in pairwise(units):
        if left >= unit:
            rest = left % unit // smaller
            return told(words(left // unit)) + (" " + told(more(rest)) if rest else "")
    return told(units[-1][1](left))


def pace(chosen: Pace | None) -> Markup:
    """What a table is played by."""
    if chosen is None:
        return say("no clock")
    base, step = span(chosen.base), span(chosen.step)
    if chosen.kind in ("turn", "days"):
        return say("{time} a move", time=base)
    bank = say("{base} in all, {step} more with each move", base=base, step=step)
    return bank if chosen.cap is None else say("{bank}, at most {most}", bank=bank, most=span(chosen.cap))


def at_the_deadline(title: Title, chosen: Pace) -> Markup:
    """What becomes of somebody who is late."""
    return Markup(" ").join([_at_once(title, chosen), *_beside_that(title, chosen)])


def _at_once(title: Title, chosen: Pace) -> Markup:
    if title.rules.late == "loss":
        return say("Whoever lets the time run out has lost.")
    if chosen.misses == 1:
        return say("Whoever lets the time run out is out of the game.")
    n = chosen.misses
    out = count("After {n} time in a row they are out.", "After {n} times in a row they are out.", n)
    return told(LATE[title.rules.late]) + " " + told(out)


def _beside_that(title: Title, chosen: Pace) -> Iterator[Markup]:
    """What the others may do then, two of them or more; and that nobody loses who never came."""
    numbers = seat_numbers(title.rules)
    if 2 in numbers:
        if chosen.slow:
            yield say(
                "Of two who play, the one who would be out has 12 hours more; meanwhile the other may take "
                "the win, call it a draw, or give 3 more days."
            )
        else:
            yield say("Of two who play, one who is away for a minute gives the other the win, or a draw.")
        yield say("Who never came to play loses nothing: the game ends without a result.")
    if chosen.slow and numbers[-1] > 2 and title.rules.late != "loss":
        yield say(
            "Of more, the others may then ask somebody into the seat, or take it out by majority; after as "
            "many times again it is out."
        )


def breaks(chosen: Pace) -> Markup:
    """What may make the clock stand still."""
    pause = say("All clocks pause when all agree, for 30 days at most.")
    if not chosen.slow:
        return pause
    days = say(
        "Everybody has {days} days of vacation a year, which begin by themselves at a deadline.", days=DAYS
    )
    return pause + " " + days


class Hourglass(NamedTuple):
    """How somebody's time stands: who they are, what they have left, and until when it stands still."""

    name: Markup
    left: float
    still: float
    mine: bool
    grace: bool = False  # it is but a grace


def left(view: View) -> Markup:
    """Who has how long; or why nobody's time runs."""
    clock = view.clock
    if clock is None:
        return Markup()
    if view.overdue:
        return say("The time of {names} has run out.", names=names(view.overdue))
    timed = [
        Hourglass(names([each]), each.remaining or 0, each.still, each.mine, each.grace)
        for each in view.timed
    ]
    return _all_have(clock, timed, view.at)


def left_at(table: Table, player: str | None, at: float) -> Markup:
    """The same for those who only wait, in the eyes of one of them."""
    clock = table.clock
    if clock is None or not table.ticking:
        return Markup()
    # What may be done about it takes more words than there is room for: the page itself has them.
    graced = [seat for seat, hand in enumerate(clock.hands) if hand.since is not None and hand.grace]
    late = [table.chairs[seat] for seat in (*clock.late(at), *graced)]
    if late:
        return say("The time of {names} has run out.", names=Markup(", ").join(map(_named, late)))
    timed = [
        Hourglass(_named(chair), hand.remaining(at), hand.still, chair.has(player))
        for chair, hand in zip(table.chairs, clock.hands, strict=False)
        if hand.since is not None
    ]
    return _all_have(clock, timed, at)


def _named(chair: Chair) -> Markup:
    return Markup("<bdi>{}</bdi>").format(called(chair))


def _all_have(clock: Clock, timed: list[Hourglass], at: float) -> Markup:
    if clock.pause and clock.stands(at):
        return say("All clocks stand still until {when}.", when=instant(clock.pause.until))
    return Markup(" ").join(_has(each, at) for each in timed)


def _has(who: Hourglass, at: float) -> Markup:
    if who.still > at and who.mine:
        return say("You are on vacation until {when}.", when=instant(who.still))
    if who.still > at:
        return say("{name} is on vacation until {when}.", name=who.name, when=instant(who.still))
    time = running_out(who.left, at)
    if who.mine:
        own = say("You have {time} left.", time=time)
        if who.grace:
            own = say(
                "Your time has run out. For {time} you may still move, or the other decides.", time=time
            )
        return Markup("<span data-mine>{}</span>").format(own)
    if who.grace:
        return say(
            "The time of {name} has run out. Whoever does not want to wait decides within {time}.",
            name=who.name,
            time=time,
        )
    return say("{name} has {time} left.", name=who.name, time=time)


def running_out(left: float, at: float) -> Markup:
    """What is left of a time that runs, with its deadline: from there the page's script counts down."""
    if left <= 0:
        return standing(left)
    exact = instant(at + left).striptags()
    running = Markup('<time class="left" datetime="{}" title="{}">{}</time>')
    return running.format(machine(at + left), exact, span(left))


def standing(left: float) -> Markup:
    """What is left of a time that stands, for people and machines."""
    return Markup('<time datetime="PT{}S">{}</time>').format(max(0, int(left)), span(left))


def on_the_clock(place: Place, view: View) -> Markup:
    """What a seat has left, running or not."""
    seconds = place.remaining or 0
    stands = place.still > view.at or (view.clock is not None and view.clock.stands(view.at))
    runs = place in view.timed and not stands
    return running_out(seconds, view.at) if runs else standing(seconds)
