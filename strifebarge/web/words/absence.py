"""Sentences about absent players: for whom the table waits, since when, and what the others may do."""

from markupsafe import Markup

from strifebarge.rules import Text, count
from strifebarge.rules.pace import MINUTE
from strifebarge.tables.clock.absence import AbsenceStep
from strifebarge.tables.clock.presence import TablePresence
from strifebarge.tables.model.table import RUNNING, Status, Table
from strifebarge.tables.view import SeatView, View
from strifebarge.web.render.lasting import changes_at
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.dates import instant, referee_now, rough_duration
from strifebarge.web.words.names import names, player_names
from strifebarge.web.words.texts import render_text

STEPS = {
    AbsenceStep.SKIP: Text("Let the game move for {name}"),
    AbsenceStep.GO_ON: Text("Don't wait for {name}"),
    AbsenceStep.FREE: Text("Remove {name}"),
    AbsenceStep.END: Text("End without result"),
    AbsenceStep.OUT: Text("Remove {name} from the game"),
    AbsenceStep.WIN: Text("Take the win"),
    AbsenceStep.DRAW: Text("Call it a draw"),
    AbsenceStep.MORE: Text("Give {name} 3 more days"),
    AbsenceStep.VOTE: Text("Remove {name} from the game"),
    AbsenceStep.BOT: Text("Let a bot play for {name}"),
}


def waits(view: View) -> list[Markup]:
    """Return sentences about who is away and for whom the table waits, the shortest first."""
    if not view.live or view.status not in RUNNING or view.spectators.held_back:
        return []
    parts, now = [], referee_now()
    if view.status is Status.ABANDONED:
        parts.append(say("Nobody is here. The game will be suspended soon."))
    others = [seat for seat in view.places if not (seat.my_device or seat.left or seat.out)]
    missed = [seat for seat in others if not (seat.presence.present or seat.free)]
    if missed and view.settings.one_sitting:
        parts.append(say("Not here now: {names}.", names=names(missed)))
    for seat in view.places:
        if seat.absence.since is None or seat.my_device:
            continue
        if now - seat.absence.since >= MINUTE:
            parts.append(_waits_for(seat, now, view))
        else:
            changes_at(seat.absence.since + MINUTE)
    return [*parts, *(_absent(seat) for seat in view.places if seat.absence.absent)]


def _absent(seat: SeatView) -> Markup:
    """Return that one of several players stays away, and how many would take them out of the game."""
    who, (some, needed) = names([seat]), seat.absence.against
    missed = render_text(count("{n} time in a row", "{n} times in a row", seat.absence.missed))
    away = say("{name} ran out of time {times}. The game moves for them.", name=who, times=missed)
    if not some:
        return away
    return away + " " + say("{some} of {wanted} votes to remove them.", some=some, wanted=needed)


def _waits_for(seat_view: SeatView, now: float, view: View) -> Markup:
    since = now if seat_view.absence.since is None else seat_view.absence.since
    changes_at(since + ((now - since) // MINUTE + 1) * MINUTE)
    who = names([seat_view])
    long = rough_duration(now - since)
    if seat_view.seat in view.viewer.steps and not (seat_view.absence.overtime or seat_view.absence.absent):
        return say("{name} has been away for {time}. You needn't wait any longer.", name=who, time=long)
    waited = say("Waiting for {name} for {time}.", name=who, time=long)
    by_the_clock = view.clock is not None and view.status is not Status.SUSPENDED
    if (
        by_the_clock
        or view.settings.one_sitting
        or now - since >= view.settings.patience
        or view.viewer.seat is None
    ):
        return waited
    until = instant(since + view.settings.patience)
    return waited + " " + say("From {when} the others needn't wait.", when=until)


def missed(table: Table, presence: TablePresence) -> Markup:
    """Return who is not here, for pages that wait without a script; "" if all are."""
    away = [
        Markup("<bdi>{}</bdi>").format(player_names(chair))
        for chair in table.chairs
        if table.waits_for(chair) and chair.player and not presence.any_of(chair)
    ]
    return say("Not here now: {names}.", names=Markup(", ").join(away)) if away else Markup()


def step_label(step: AbsenceStep, seat: SeatView) -> Markup:
    """Return what the button of a step about a late player says."""
    return say(STEPS[step].sentence, name=player_names(seat))
