"""The sentence at the top of a table's page: what is to be done now, and by whom."""

from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from strifebarge.rules import Text, count
from strifebarge.tables.model.table import Begins, No, Status
from strifebarge.tables.view import Place, SuspensionView, View
from strifebarge.web.render.templating import without_tags
from strifebarge.web.words.catalogue import named, say
from strifebarge.web.words.names import known_as, names
from strifebarge.web.words.texts import told


class Sentence(NamedTuple):
    """The first sentence of a table's page; `mine` where it is the reader's turn."""

    strong: Markup
    rest: Markup
    mine: bool = False


def sentence(view: View) -> Sentence:
    """Return whose turn it is and what to do, or why nothing is to be done."""
    if not view.live:
        return Sentence(
            say("Replay."),
            say("After move {number} of {newest}.", number=view.number, newest=view.newest),
        )
    if view.spectators.excluded:
        return Sentence(say("This game is private until it ends."), say(No.NOT_WATCHED.sentence))
    if view.viewer.curtain:
        due = any(place.my_device for place in view.waiting)
        return Sentence(say("Pass the device."), say("Waiting for {names}.", names=names(view.waiting)), due)
    match view.status:
        case Status.OPEN:
            return _gathering(view)
        case Status.OVER:
            return Sentence(say("Game over."), winners(view))
        case Status.SUSPENDED:
            return _suspended(view)
    if view.mine:
        return Sentence(say("Your turn."), told(view.turn.prompt, view), mine=True)
    if view.choice is not None:
        return Sentence(say("You have chosen."), say("Waiting for {names}.", names=names(view.waiting)))
    if view.viewer.seat is None:
        return Sentence(_watching(view), say("Waiting for {names}.", names=names(view.waiting)))
    return Sentence(say("Waiting for {names}.", names=names(view.waiting)), Markup())


def _watching(view: View) -> Markup:
    if view.spectators.delay:
        return told(
            count(
                "You're watching, {n} move behind.",
                "You're watching, {n} moves behind.",
                view.spectators.delay,
            )
        )
    return say("You're watching.")


def _gathering(view: View) -> Sentence:
    free = sum(place.free for place in view.places)
    unready = [place for place in view.places if not (place.ready or place.free)]
    if view.settings.begins is Begins.AGREED:
        return _agreeing(view, unready)
    if view.viewer.seat is not None and not view.viewer.ready:
        changed = say("The settings have changed.") if view.settings.set_by else say("Play again?")
        return Sentence(changed, say("The others are waiting for you."), mine=True)
    if free:
        return Sentence(
            say("Waiting for players."),
            say("{free} of {seats} seats free.", free=free, seats=len(view.places)),
        )
    return Sentence(say("Waiting for {names}.", names=names(unready)), Markup())


def _agreeing(view: View, unready: list[Place]) -> Sentence:
    """Return what is waited for where a game begins when all its players are ready."""
    there = sum(not place.free for place in view.places)
    if view.viewer.seat is not None and not view.viewer.ready:
        return Sentence(say("Ready?"), say("The game starts when everyone is."), mine=True)
    if unready:
        return Sentence(say("Waiting for {names}.", names=names(unready)), Markup())
    return Sentence(say("Waiting for players."), say("{there} here. You need more to start.", there=there))


def _suspended(view: View) -> Sentence:
    """Return why the game is suspended, and for whom it waits."""
    suspension = view.suspension
    if suspension is None or suspension.by is None or suspension.held:
        return Sentence(say("Suspended."), _trouble(suspension))
    unready = [place for place in view.places if not (place.ready or place.left or place.out or place.free)]
    free = [place for place in view.places if place.free and not (place.ready or place.left)]
    what = _why_suspended(suspension, _reader(view))
    if any(place.mine for place in unready) and not view.viewer.ready:
        proposed = suspension.ending or suspension.going_back
        ask = say("Do you agree?") if proposed else say("Resume?")
        return Sentence(what, ask, mine=True)
    if free and suspension.end is None:
        return Sentence(what, say("A seat is free. Invite someone."))
    if unready:
        return Sentence(what, say("Waiting for {names}.", names=names(unready)))
    return Sentence(what, Markup())


def _reader(view: View) -> str | None:
    """Return what the reader is called; None for a spectator, and where several read one page."""
    place = view.my_place
    return None if place is None or place.beside or view.several else place.name


def _why_suspended(suspension: SuspensionView, reader: str | None) -> Markup:
    """Return who has suspended a game, or what they propose now."""
    if suspension.back is not None:
        return _going_back(suspension, suspension.back, suspension.back == reader)
    if suspension.end is not None:
        if suspension.end == reader:
            return say("You want to end the game without a result.")
        return say("{name} wants to end the game without a result.", name=_bare(suspension.end))
    if suspension.by:
        if suspension.by == reader:
            return say("You suspended the game.")
        return say("{name} suspended the game.", name=_bare(suspension.by))
    if suspension.trouble:
        return _trouble(suspension)
    return say("Everyone left, so the game was suspended.")


def _going_back(suspension: SuspensionView, by: str, mine: bool) -> Markup:
    """Return who proposes to go on by which rules, and from which move."""
    number = "–" if suspension.back_to is None else suspension.back_to
    if suspension.faulty:
        if mine:
            return say("You want to go back to move {number}.", number=number)
        return say("{name} wants to go back to move {number}.", name=_bare(by), number=number)
    changed = say("The rules have changed.")
    if suspension.stands:
        if mine:
            return changed + " " + say("You want to go on from here by the new ones.")
        return changed + " " + say("{name} wants to go on from here by the new ones.", name=_bare(by))
    if mine:
        return changed + " " + say("You want to go back to move {number}.", number=number)
    return changed + " " + say("{name} wants to go back to move {number}.", name=_bare(by), number=number)


def _trouble(suspension: SuspensionView | None) -> Markup:
    """Return what is wrong with the rules, and what can be done."""
    if suspension is None:
        return Markup()
    said = [told(Text(suspension.trouble)), *_parting(suspension)]
    if suspension.stands:
        said.append(say("If all agree, you can go on from here by the new rules."))
    elif suspension.back_to is not None:
        number = suspension.back_to
        said.append(say("If all agree, you can go back to move {number}.", number=number))
    return Markup(" ").join(said)


def _parting(suspension: SuspensionView) -> Iterator[Markup]:
    """Yield which move comes out otherwise by the rules that are here, and what these say against it."""
    if suspension.parts_at is None:
        return
    if suspension.parts_at:
        yield say("Move {number} now comes out differently.", number=suspension.parts_at)
    else:
        yield say("The deal now comes out differently.")
    if suspension.why is not None:
        yield say("The new rules say: {reason}", reason=told(suspension.why))


def _bare(name: str) -> Markup:
    return Markup("<bdi>{}</bdi>").format(known_as(name))


def winners(view: View) -> Markup:
    """Return who won, or that nobody did."""
    if view.ending.unfinished:
        return (
            told(Text(view.ending.stopped)) if view.ending.stopped else say("Ended by agreement, no result.")
        )
    if view.result is None or not view.result.places:
        return say("No result.")
    won = [view.places[seat] for seat in view.result.winners]
    if len(won) == len(view.places) > 1:
        return say("A draw.")
    if len(won) > 1:
        return say("{names} share first place.", names=names(won))
    if won[0].mine and not view.several:
        return say("You won!")
    return say("{name} won.", name=names(won))


def page_title(view: View, said: Sentence | None = None) -> str:
    """Return the title of the browser's tab, with a dot when it is the reader's turn.

    `said` is the first sentence of the page, where it is known already.
    """
    said = said or sentence(view)
    game = named(view.title).unescape()
    if said.mine:
        return f"● {without_tags(said.strong).rstrip('.')} – {game}"
    return (
        f"{game} – {without_tags(said.strong + ' ' + said.rest).rstrip('.')}"
        if view.viewer.seat is not None
        else game
    )


def played(view: View, done: int | None) -> bool:
    """Tell whether the form that led here was a move, and it stands."""
    if done is None or view.viewer.seat is None or not view.live:
        return False
    return 0 < done <= view.newest or (done == view.newest and view.undoable)
