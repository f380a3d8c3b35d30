"""Times to play by: how long a seat has, what happens when that is over, and what is left."""

from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from strifebarge.rules import Pace, Text, count
from strifebarge.rules.pace import DAY, HOUR, MINUTE
from strifebarge.rules.schema import seat_numbers
from strifebarge.tables.clock.vacation import DAYS
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.table import Chair, Table
from strifebarge.tables.view import SeatView, View
from strifebarge.web.render.lasting import changes_at
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.dates import duration, instant, machine
from strifebarge.web.words.names import names, player_names
from strifebarge.web.words.texts import render_text

FEW = 30  # seconds that are shown in red
LATE = {
    "move": Text("If you run out of time, the rules move for you."),
    "pass": Text("If you run out of time, you lose your turn."),
}


def pace(chosen: Pace | None) -> Markup:
    """Return the pace of a table in words; None is no clock."""
    if chosen is None:
        return say("no clock")
    base, step = duration(chosen.base), duration(chosen.step)
    if chosen.kind in ("turn", "days"):
        return say("{time} per move", time=base)
    bank = say("{base} + {step} per move", base=base, step=step)
    return bank if chosen.cap is None else say("{bank} (max {most})", bank=bank, most=duration(chosen.cap))


def paces_to_choose(title: Title, now: Pace | None = None) -> list[tuple[Markup, dict[str, Markup]]]:
    """Return the paces of a game in two groups, each with a heading and its paces in few words by their keys.

    `now` is the pace that a table has, should it not be among those of the game.
    """
    paces = title.paces | ({now.key: now} if now else {})
    live = {key: _in_few_words(each) for key, each in paces.items() if not each.slow}
    slow = {key: _in_few_words(each) for key, each in paces.items() if each.slow}
    return [(say("All here now"), live), (say("Over days"), slow)]


def _in_few_words(chosen: Pace) -> Markup:
    base, step = duration(chosen.base), duration(chosen.step)
    match chosen.kind:
        case "turn":
            return say("Live, {time} per move", time=base)
        case "clock":
            return say("Live, {base} + {step} per move", base=base, step=step)
        case "pool":
            most = duration(chosen.cap or chosen.base)
            return say("{base} + {step} per move (max {most})", base=base, step=step, most=most)
    return say("{time} per move", time=base)


def at_the_deadline(title: Title, chosen: Pace) -> Markup:
    """Return what happens at a deadline that is missed."""
    return Markup(" ").join([_at_once(title, chosen), *_beside_that(title, chosen)])


def _at_once(title: Title, chosen: Pace) -> Markup:
    if title.rules.late == "loss":
        return say("If you run out of time, you lose.")
    if chosen.misses == 1:
        return say("If you run out of time, you're out.")
    n = chosen.misses
    out = count("After {n} time in a row you're out.", "After {n} times in a row you're out.", n)
    return render_text(LATE[title.rules.late]) + " " + render_text(out)


def _beside_that(title: Title, chosen: Pace) -> Iterator[Markup]:
    """Yield what the others may do then, where two play or more, and that who never came loses nothing."""
    numbers = seat_numbers(title.rules)
    if 2 in numbers:
        if chosen.slow:
            yield say(
                "With two players, you get 12 more hours. Meanwhile the other can win, call a draw or "
                "give you 3 more days."
            )
        else:
            yield say("With two players: after a minute away, the other can take a win or draw.")
        yield say("If you haven't moved at all, you lose nothing: the game ends without a result.")
    if chosen.slow and numbers[-1] > 2 and title.rules.late != "loss":
        yield say(
            "With more players, the others can then invite someone or remove the seat by majority. After "
            "as many times again it is out."
        )


def breaks(chosen: Pace) -> Markup:
    """Return what makes the clock stand still."""
    pause = say("Players can agree to stop the clocks for up to 30 days.")
    if not chosen.slow:
        return pause
    days = say("Each player has {days} vacation days a year, used automatically at a deadline.", days=DAYS)
    return pause + " " + days


class Hourglass(NamedTuple):
    """The time of one seat."""

    name: Markup
    left: float
    still: float
    is_own: bool
    overtime: bool = False  # their own time has run out


def time_left(view: View) -> Markup:
    """Return how long each seat has whose time runs, or why none runs."""
    clock = view.clock
    if clock is None:
        return Markup()
    if view.overdue:
        return say("{names} ran out of time.", names=names(view.overdue))
    timed = [
        Hourglass(names([each]), each.time.remaining, each.time.still, each.mine, each.absence.overtime)
        for each in view.timed
        if each.time
    ]
    return _all_have(clock, timed, view.times.now)


def time_left_at(table: Table, player: str | None, at: float) -> Markup:
    """Return how long each seat has whose time runs, for a page that only waits."""
    clock = table.clock
    if clock is None or not table.ticking:
        return Markup()
    # What may be done about it takes more words than there is room for: the page itself has them.
    graced = [seat for seat, hand in enumerate(clock.seat_clocks) if hand.since is not None and hand.grace]
    late = [table.chairs[seat] for seat in (*clock.late(at), *graced)]
    if late:
        return say("{names} ran out of time.", names=Markup(", ").join(map(_named, late)))
    timed = [
        Hourglass(_named(chair), hand.remaining(at), hand.still, chair.has(player))
        for chair, hand in zip(table.chairs, clock.seat_clocks, strict=False)
        if hand.since is not None
    ]
    return _all_have(clock, timed, at)


def _named(chair: Chair) -> Markup:
    return Markup("<bdi>{}</bdi>").format(player_names(chair))


def _all_have(clock: Clock, timed: list[Hourglass], at: float) -> Markup:
    if clock.pause and clock.stands(at):
        changes_at(clock.pause.until)
        return say("The clocks are stopped until {when}.", when=instant(clock.pause.until))
    return Markup(" ").join(_has(each, at) for each in timed)


def _has(who: Hourglass, at: float) -> Markup:
    if who.still > at:
        changes_at(who.still)
    if who.still > at and who.is_own:
        return say("You're on vacation until {when}.", when=instant(who.still))
    if who.still > at:
        return say("{name} is on vacation until {when}.", name=who.name, when=instant(who.still))
    time = running_out(who.left, at)
    if who.is_own:
        own = say("You have {time} left.", time=time)
        if who.overtime:
            own = say("Your time has run out. Move within {time}, or the other player decides.", time=time)
        return Markup("<span data-mine>{}</span>").format(own)
    if who.overtime:
        return say(
            "{name} ran out of time. You can wait, or decide within {time}.",
            name=who.name,
            time=time,
        )
    return say("{name} has {time} left.", name=who.name, time=time)


def running_out(left: float, at: float) -> Markup:
    """Return what is left of a time that runs, in seconds; the page's script counts down to its deadline."""
    if left <= 0:
        return stopped_time_left(left)
    changes_at(at + left % _finest(left))
    exact = instant(at + left).striptags()
    running = Markup('<time class="left" datetime="{}" title="{}">{}</time>')
    return running.format(machine(at + left), exact, duration(left))


def _finest(left: float) -> int:
    """Return the smaller unit in which what is left is told, in seconds."""
    return HOUR if left >= DAY else MINUTE if left >= HOUR else 1


def stopped_time_left(left: float) -> Markup:
    """Return what is left of a time that does not run, in seconds."""
    return Markup('<time datetime="PT{}S">{}</time>').format(max(0, int(left)), duration(left))


def digits(seat: SeatView, view: View) -> Markup:
    """Return what a seat has left in digits, `4:57`, for its plate; the page's script counts it down."""
    left, now = seat.time.remaining if seat.time else 0, view.times.now
    stands = seat.time is None or seat.time.still > now or (view.clock is not None and view.clock.stands(now))
    if stands or left <= 0 or seat not in view.timed:
        return Markup('<time datetime="PT{}S">{}</time>').format(max(0, int(left)), _digits(left))
    changes_at(now + left % _finest(left))
    running = Markup('<time class="left{}" datetime="{}" title="{}" data-digits>{}</time>')
    return running.format(" few" if left < FEW else "", machine(now + left), duration(left), _digits(left))


def _digits(time: float) -> str:
    """Return seconds as `4:57`, `3:04:57`, or from a day on `2 d 3 h`."""
    left = max(0, int(time))
    if left >= DAY:
        return f"{left // DAY} d {left % DAY // HOUR} h"
    minutes = left % HOUR // MINUTE
    return (
        f"{left // HOUR}:{minutes:02}:{left % MINUTE:02}" if left >= HOUR else f"{minutes}:{left % MINUTE:02}"
    )


def on_the_clock(seat: SeatView, view: View) -> Markup:
    """Return what a seat has left, whether its time runs or not."""
    if seat.time is None:
        return stopped_time_left(0)
    now, left = view.times.now, seat.time.remaining
    stands = seat.time.still > now or (view.clock is not None and view.clock.stands(now))
    return running_out(left, now) if seat in view.timed and not stands else stopped_time_left(left)
