"""Times to play by, in words: how long a seat has, what happens when it is over, what is left."""

from collections.abc import Callable
from itertools import pairwise

from markupsafe import Markup

from strifebarge.rules import Pace, Text, count
from strifebarge.rules.pace import DAY, HOUR, MINUTE
from strifebarge.table.library import Title
from strifebarge.table.vacation import DAYS
from strifebarge.table.view import Place, View

from .turn import names
from .words import instant, say, told

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
    if title.rules.late == "loss":
        return say("Whoever lets the time run out has lost.")
    if chosen.misses == 1:
        return say("Whoever lets the time run out is out of the game.")
    n = chosen.misses
    out = count("After {n} time in a row they are out.", "After {n} times in a row they are out.", n)
    return told(LATE[title.rules.late]) + " " + told(out)


def breaks(chosen: Pace) -> Markup:
    """What may make the clock stand still."""
    pause = say("All clocks pause when all agree, for 30 days at most.")
    if not chosen.slow:
        return pause
    days = say(
        "Everybody has {days} days of vacation a year, which begin by themselves at a deadline.", days=DAYS
    )
    return pause + " " + days


def left(view: View) -> Markup:
    """Who has how long; or why nobody's time runs."""
    clock = view.clock
    if clock is None:
        return Markup()
    if view.overdue:
        return say("The time of {names} has run out.", names=names(view.overdue))
    if clock.pause and clock.stands(view.at):
        return say("All clocks stand still until {when}.", when=instant(clock.pause.until))
    return Markup(" ").join(Markup("<span>{}</span>").format(_has(place, view)) for place in view.timed)


def running(place: Place, view: View) -> Markup:
    """How long somebody still has; where that runs on, in a way that scripts can count down."""
    seconds = max(0, int(place.remaining or 0))
    rests = view.clock is None or view.clock.stands(view.at) or place.still > view.at
    if rests or place not in view.timed:
        return span(seconds)
    mine = Markup(" data-mine") if place.mine else ""
    return Markup('<time datetime="PT{0}S" data-left="{0}"{1}>{2}</time>').format(
        seconds, mine, span(seconds)
    )


def _has(place: Place, view: View) -> Markup:
    name, time, at = names([place]), running(place, view), view.at
    if place.still > at and place.mine:
        return say("You are on vacation until {when}.", when=instant(place.still))
    if place.still > at:
        return say("{name} is on vacation until {when}.", name=name, when=instant(place.still))
    if place.mine:
        return say("You have {time} left.", time=time)
    return say("{name} has {time} left.", name=name, time=time)
