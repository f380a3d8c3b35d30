"""Who is not here, for whom the table waits and since when, and what the others may do: in words."""

from markupsafe import Markup

from strifebarge.rules import Text, count
from strifebarge.rules.pace import DAY
from strifebarge.table.policy import CLOSED_AFTER, Remedy, Step
from strifebarge.table.presence import Here
from strifebarge.table.table import RUNNING, Status, Table
from strifebarge.table.view import Place, View

from .turn import names
from .words import called, instant, referee_now, say, told

# What may be done about those who stay away, as a table's settings say it.
REMEDIES = {
    Remedy.SKIP: Text("the game plays for them, and after two times in a row they may be taken out of it"),
    Remedy.REPLACE: Text("their seat is free; if nobody takes it, it may be taken out of the game"),
    Remedy.END: Text("the game may be ended without a result"),
    Remedy.LOSE: Text("they may be counted as having left for good"),
}
PATIENCES = {DAY: Text("1 day"), 3 * DAY: Text("3 days"), 7 * DAY: Text("a week"), 30 * DAY: Text("30 days")}
STEPS = {
    Step.SKIP: Text("Let the game play for {name}"),
    Step.GO_ON: Text("Do not wait for {name}"),
    Step.FREE: Text("Free the seat of {name}"),
    Step.END: Text("End the game without a result"),
    Step.OUT: Text("Take {name} out of the game"),
    Step.WIN: Text("Take the win"),
    Step.DRAW: Text("Call it a draw"),
    Step.MORE: Text("Give {name} 3 more days"),
    Step.VOTE: Text("Take {name} out of the game"),
}


def span(seconds: float) -> Markup:
    """How long, after `for` or `after`: 3 days."""
    if seconds < 3600:
        return told(count("{n} minute", "{n} minutes", max(1, int(seconds / 60))))
    if seconds < DAY:
        return told(count("{n} hour", "{n} hours", int(seconds / 3600)))
    return told(count("{n} day", "{n} days", int(seconds / DAY)))


def waits(view: View) -> list[Markup]:
    """Sentences about who is away and for whom the table waits, the shortest first."""
    if not view.live or view.status not in RUNNING or view.held_back:
        return []
    said, now = [], referee_now()
    if view.status is Status.ABANDONED:
        said.append(say("Nobody is here: soon the game will be put aside by itself."))
    others = [place for place in view.places if not (place.my_device or place.left or place.out)]
    missed = [place for place in others if not place.here]
    if missed and view.in_one_go:
        said.append(say("Not here now: {names}.", names=names(missed)))
    for place in view.places:
        if place.since is not None and not place.my_device and now - place.since >= 60:
            said.append(_waits_for(place, now, view))
    return [*said, *(_absent(place) for place in view.places if place.absent)]


def _absent(place: Place) -> Markup:
    """That somebody of several stays away, and who would take them out."""
    who, (some, wanted) = names([place]), place.against
    missed = told(count("{n} time in a row", "{n} times in a row", place.missed))
    away = say("{name} has let the time run out {times}: the game plays for them.", name=who, times=missed)
    if not some:
        return away
    return away + " " + say("{some} of the {wanted} it takes would take them out.", some=some, wanted=wanted)


def _waits_for(place: Place, now: float, view: View) -> Markup:
    since = now if place.since is None else place.since
    who = names([place])
    long = span(now - since)
    if place.seat in view.steps and not (place.grace or place.absent):
        return say("{name} has kept the table waiting for {time}: that is long enough.", name=who, time=long)
    waited = say("The table has waited for {name} for {time}.", name=who, time=long)
    by_the_clock = view.clock is not None and view.status is not Status.SUSPENDED
    if by_the_clock or view.in_one_go or now - since >= view.patience or view.seat is None:
        return waited
    until = instant(since + view.patience)
    return waited + " " + say("From {when} on the others need wait no longer.", when=until)


def missed(table: Table, here: Here) -> Markup:
    """For those who wait without a script: who is not here; nothing where all are."""
    away = [
        Markup("<bdi>{}</bdi>").format(called(chair))
        for chair in table.chairs
        if table.waits_for(chair) and chair.player and not here.any_of(chair)
    ]
    return say("Not here now: {names}.", names=Markup(", ").join(away)) if away else Markup()


def policy(patience: int, remedy: Remedy) -> Markup:
    """What becomes of those who stay away, whole."""
    return say(
        "Whoever keeps the others waiting for longer than {time}: {what}. "
        "Where nobody is left to do that, the game ends without a result after {long}.",
        time=told(PATIENCES.get(patience, Text(str(patience)))),
        what=told(REMEDIES[remedy]),
        long=span(CLOSED_AFTER),
    )


def step_label(step: Step, place: Place) -> Markup:
    """What a button says that deals with somebody who is late."""
    return say(STEPS[step].sentence, name=called(place))
