"""Sentences about absent players: for whom the table waits, since when, and what the others may do."""

from markupsafe import Markup

from strifebarge.rules import Text, count
from strifebarge.rules.pace import MINUTE
from strifebarge.tables.clock.absence import Step
from strifebarge.tables.clock.presence import Here
from strifebarge.tables.model.table import RUNNING, Status, Table
from strifebarge.tables.view import Place, View
from strifebarge.web.render.lasting import changes_at
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.dates import instant, referee_now, rough_duration
from strifebarge.web.words.names import called, names
from strifebarge.web.words.texts import told

STEPS = {
    Step.SKIP: Text("Let the game move for {name}"),
    Step.GO_ON: Text("Don't wait for {name}"),
    Step.FREE: Text("Remove {name}"),
    Step.END: Text("End without result"),
    Step.OUT: Text("Remove {name} from the game"),
    Step.WIN: Text("Take the win"),
    Step.DRAW: Text("Call it a draw"),
    Step.MORE: Text("Give {name} 3 more days"),
    Step.VOTE: Text("Remove {name} from the game"),
    Step.BOT: Text("Let a bot play for {name}"),
}


def waits(view: View) -> list[Markup]:
    """Return sentences about who is away and for whom the table waits, the shortest first."""
    if not view.live or view.status not in RUNNING or view.spectators.held_back:
        return []
    said, now = [], referee_now()
    if view.status is Status.ABANDONED:
        said.append(say("Nobody is here. The game will be suspended soon."))
    others = [place for place in view.places if not (place.my_device or place.left or place.out)]
    missed = [place for place in others if not place.presence.here]
    if missed and view.settings.one_sitting:
        said.append(say("Not here now: {names}.", names=names(missed)))
    for place in view.places:
        if place.absence.since is None or place.my_device:
            continue
        if now - place.absence.since >= MINUTE:
            said.append(_waits_for(place, now, view))
        else:
            changes_at(place.absence.since + MINUTE)
    return [*said, *(_absent(place) for place in view.places if place.absence.absent)]


def _absent(place: Place) -> Markup:
    """Return that one of several players stays away, and how many would take them out of the game."""
    who, (some, wanted) = names([place]), place.absence.against
    missed = told(count("{n} time in a row", "{n} times in a row", place.absence.missed))
    away = say("{name} ran out of time {times}. The game moves for them.", name=who, times=missed)
    if not some:
        return away
    return away + " " + say("{some} of {wanted} votes to remove them.", some=some, wanted=wanted)


def _waits_for(place: Place, now: float, view: View) -> Markup:
    since = now if place.absence.since is None else place.absence.since
    changes_at(since + ((now - since) // MINUTE + 1) * MINUTE)
    who = names([place])
    long = rough_duration(now - since)
    if place.seat in view.viewer.steps and not (place.absence.overtime or place.absence.absent):
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


def missed(table: Table, here: Here) -> Markup:
    """Return who is not here, for pages that wait without a script; "" if all are."""
    away = [
        Markup("<bdi>{}</bdi>").format(called(chair))
        for chair in table.chairs
        if table.waits_for(chair) and chair.player and not here.any_of(chair)
    ]
    return say("Not here now: {names}.", names=Markup(", ").join(away)) if away else Markup()


def step_label(step: Step, place: Place) -> Markup:
    """Return what the button of a step about a late player says."""
    return say(STEPS[step].sentence, name=called(place))
