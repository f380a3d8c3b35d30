"""One sentence that says what is to be done now, and by whom; the same on every game's page."""

from typing import NamedTuple

from markupsafe import Markup

from strifebarge.rules import Text, count
from strifebarge.table.table import Begins, No, Status
from strifebarge.table.view import Place, View

from .words import called, known_as, named, say, told


class Sentence(NamedTuple):
    """What is said first on a table's page; `mine` where it is the reader's turn."""

    strong: Markup
    rest: Markup
    mine: bool = False


def sentence(view: View) -> Sentence:
    """Whose turn it is and what to do, or why nothing is to be done."""
    if not view.live:
        return Sentence(
            say("Looking back."),
            say("After move {number} of {newest}.", number=view.number, newest=view.newest),
        )
    if view.veiled:
        return Sentence(say("Not to be watched."), say(No.NOT_WATCHED.sentence))
    if view.curtain:
        due = any(place.my_device for place in view.waiting)
        return Sentence(say("Pass the device on."), say("{names} to move.", names=names(view.waiting)), due)
    match view.status:
        case Status.OPEN:
            return _gathering(view)
        case Status.OVER:
            return Sentence(say("Game over."), winners(view))
        case Status.SUSPENDED:
            return _suspended(view)
    if view.mine:
        return Sentence(say("Your turn."), told(view.prompt, view), mine=True)
    if view.choice is not None:
        return Sentence(say("You have chosen."), say("Waiting for {names}.", names=names(view.waiting)))
    if view.seat is None:
        return Sentence(_watching(view), say("{names} to move.", names=names(view.waiting)))
    return Sentence(say("Waiting for {names}.", names=names(view.waiting)), Markup())


def _watching(view: View) -> Markup:
    if view.behind:
        return told(count("Watching, {n} move behind.", "Watching, {n} moves behind.", view.behind))
    return say("Watching.")


def _gathering(view: View) -> Sentence:
    free = sum(place.free for place in view.places)
    unready = [place for place in view.places if not (place.ready or place.free)]
    if view.begins is Begins.AGREED:
        return _agreeing(view, unready)
    if view.seat is not None and not view.ready:
        changed = say("The settings have changed.") if view.set_by else say("Play again?")
        return Sentence(changed, say("The others wait for you to agree."), mine=True)
    if free:
        return Sentence(
            say("Waiting for players."),
            say("{free} of {seats} seats free.", free=free, seats=len(view.places)),
        )
    return Sentence(say("Waiting for {names}.", names=names(unready)), Markup())


def _agreeing(view: View, unready: list[Place]) -> Sentence:
    """Where a game begins when all who sit there are ready."""
    there = sum(not place.free for place in view.places)
    if view.seat is not None and not view.ready:
        return Sentence(say("Ready?"), say("The game begins when all who sit here are."), mine=True)
    if unready:
        return Sentence(say("Waiting for {names}.", names=names(unready)), Markup())
    return Sentence(say("Waiting for players."), say("{there} sit here: too few to begin.", there=there))


def _suspended(view: View) -> Sentence:
    """Why the game rests, and for whom it waits."""
    aside = view.suspension
    if aside is None:
        return Sentence(say("Suspended."), _trouble(view))
    unready = [place for place in view.places if not (place.ready or place.left or place.out or place.free)]
    free = [place for place in view.places if place.free and not (place.ready or place.left)]
    if aside.back is not None:
        what = say(
            "The rules have changed. {name} proposes to go back to where the game stood at move {number}.",
            name=_bare(aside.back),
            number="–" if view.back is None else view.back,
        )
    elif aside.end is not None:
        what = say("{name} proposes to end the game without a result.", name=_bare(aside.end))
    elif aside.by:
        what = say("{name} has put the game aside.", name=_bare(aside.by))
    elif view.trouble:
        what = _trouble(view)
    else:
        what = say("Everybody had gone, and the game was put aside by itself.")
    if any(place.mine for place in unready) and not view.ready:
        proposed = aside.end is not None or aside.back is not None
        ask = say("Do you agree?") if proposed else say("Ready to go on?")
        return Sentence(say("Suspended."), what + " " + ask, mine=True)
    if free and aside.end is None:
        return Sentence(say("Suspended."), what + " " + say("A seat is free: somebody must take it."))
    if unready:
        return Sentence(say("Suspended."), what + " " + say("Waiting for {names}.", names=names(unready)))
    return Sentence(say("Suspended."), what)


def _trouble(view: View) -> Markup:
    """What is wrong with the rules, and what can be done."""
    told_ = told(Text(view.trouble))
    if view.back is None:
        return told_
    can = say("If all agree, it can go back to where it stood at move {number}.", number=view.back)
    return told_ + " " + can


def _bare(name: str) -> Markup:
    return Markup("<bdi>{}</bdi>").format(known_as(name))


def names(places: list[Place]) -> Markup:
    """Ann, Ben and Cleo; a free seat by its flag."""
    each = [Markup("<bdi>{}</bdi>").format(called(place)) for place in places]
    if not each:
        return say("nobody")
    if len(each) == 1:
        return each[0]
    return say("{several} and {last}", several=Markup(", ").join(each[:-1]), last=each[-1])


def winners(view: View) -> Markup:
    """Who won, or that nobody did."""
    if view.unfinished:
        return told(Text(view.stopped)) if view.stopped else say("Ended by agreement, without a result.")
    if view.result is None or not view.result.places:
        return say("No result.")
    won = [view.places[seat] for seat in view.result.winners]
    if len(won) == len(view.places) > 1:
        return say("A draw.")
    if len(won) > 1:
        return say("{names} share the first place.", names=names(won))
    return say("{name} wins.", name=names(won))


def page_title(view: View) -> str:
    """The browser's title, which shows a dot when it is the reader's turn."""
    said = sentence(view)
    game = named(view.title).unescape()
    if said.mine:
        return f"● {said.strong.striptags().rstrip('.')} – {game}"
    return (
        f"{game} – {(said.strong + ' ' + said.rest).striptags().rstrip('.')}"
        if view.seat is not None
        else game
    )


def played(view: View, done: int | None) -> bool:
    """Was the form that led here a move that stands in the ledger?"""
    if done is None or view.seat is None or not view.live:
        return False
    return 0 < done <= view.newest or (done == view.newest and view.undoable)


QUICK = [5, 5, 10, 10, 20, 20, 30, 30, *[60] * 58]
SLOW = [60] * 10 + [120] * 10 + [300] * 6


def period(times: int, slow: bool = False) -> int | None:
    """Seconds until a waiting frame renews itself; None when it has waited long enough (an hour).

    It is more patient where there are days for a move.
    """
    steps = SLOW if slow else QUICK
    return steps[times] if times < len(steps) else None
