"""The sentence at the top of a table's page: what is to be done now, and by whom."""

from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from strifebarge.rules import Text, count
from strifebarge.tables.model.table import StartRule, Status, TableRefusal
from strifebarge.tables.view import SeatView, SuspensionView, View
from strifebarge.web.render.templating import without_tags
from strifebarge.web.words.catalogue import named, say
from strifebarge.web.words.names import known_as, names
from strifebarge.web.words.texts import render_text


class Sentence(NamedTuple):
    """The first sentence of a table's page; `mine` where it is the reader's turn."""

    strong: Markup
    rest: Markup
    my_turn: bool = False


def sentence(view: View) -> Sentence:
    """Return whose turn it is and what to do, or why nothing is to be done."""
    if not view.live:
        return Sentence(
            say("Replay."),
            say("After move {number} of {newest}.", number=view.number, newest=view.newest),
        )
    if view.spectators.excluded:
        return Sentence(say("This game is private until it ends."), say(TableRefusal.NOT_WATCHED.sentence))
    if view.viewer.curtain:
        due = any(seat.my_device for seat in view.waiting)
        return Sentence(say("Pass the device."), say("Waiting for {names}.", names=names(view.waiting)), due)
    match view.status:
        case Status.OPEN:
            return _gathering(view)
        case Status.OVER:
            return Sentence(say("Game over."), winners(view))
        case Status.SUSPENDED:
            return _suspended(view)
    if view.mine:
        return Sentence(say("Your turn."), render_text(view.turn.prompt, view), my_turn=True)
    if view.choice is not None:
        return Sentence(say("You have chosen."), say("Waiting for {names}.", names=names(view.waiting)))
    waits = say("Waiting for {names}.", names=names(view.waiting))
    if view.viewer.seat is None:
        return Sentence(_watching(view), waits)
    free = any(seat.free for seat in view.waiting)
    return Sentence(waits, say("A seat is free. Invite someone.") if free else Markup())


def _watching(view: View) -> Markup:
    if view.spectators.delay:
        return render_text(
            count(
                "You're watching, {n} move behind.",
                "You're watching, {n} moves behind.",
                view.spectators.delay,
            )
        )
    return say("You're watching.")


def _gathering(view: View) -> Sentence:
    free = sum(seat.free for seat in view.places)
    unready = [seat for seat in view.places if not (seat.ready or seat.free)]
    if view.settings.begins is StartRule.AGREED:
        return _agreeing(view, unready)
    if view.viewer.seat is not None and not view.viewer.ready:
        changed = say("The settings have changed.") if view.settings.set_by else say("Play again?")
        return Sentence(changed, say("The others are waiting for you."), my_turn=True)
    if free:
        return Sentence(
            say("Waiting for players."),
            say("{free} of {seats} seats free.", free=free, seats=len(view.places)),
        )
    return Sentence(say("Waiting for {names}.", names=names(unready)), Markup())


def _agreeing(view: View, unready: list[SeatView]) -> Sentence:
    """Return what is waited for where a game begins when all its players are ready."""
    there = sum(not seat.free for seat in view.places)
    if view.viewer.seat is not None and not view.viewer.ready:
        return Sentence(say("Ready?"), say("The game starts when everyone is."), my_turn=True)
    if unready:
        return Sentence(say("Waiting for {names}.", names=names(unready)), Markup())
    return Sentence(say("Waiting for players."), say("{there} here. You need more to start.", there=there))


def _suspended(view: View) -> Sentence:
    """Return why the game is suspended, and for whom it waits."""
    suspension = view.suspension
    if suspension is None or suspension.by is None or suspension.by_host:
        return Sentence(say("Suspended."), _trouble(suspension))
    unready = [seat for seat in view.places if not (seat.ready or seat.left or seat.out or seat.free)]
    free = [seat for seat in view.places if seat.free and not (seat.ready or seat.left)]
    what = _why_suspended(suspension, _reader(view))
    if any(seat.mine for seat in unready) and not view.viewer.ready:
        proposed = suspension.ending or suspension.going_back
        ask = say("Do you agree?") if proposed else say("Resume?")
        return Sentence(what, ask, my_turn=True)
    if free and suspension.end is None:
        return Sentence(what, say("A seat is free. Invite someone."))
    if unready:
        return Sentence(what, say("Waiting for {names}.", names=names(unready)))
    return Sentence(what, Markup())


def _reader(view: View) -> str | None:
    """Return what the reader is called; None for a spectator, and where several read one page."""
    own_seat = view.my_place
    return None if own_seat is None or own_seat.coplayers or view.several else own_seat.name


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


def _going_back(suspension: SuspensionView, by: str, is_own: bool) -> Markup:
    """Return who proposes to go on by which rules, and from which move."""
    number = "–" if suspension.back_to is None else suspension.back_to
    if suspension.faulty:
        if is_own:
            return say("You want to go back to move {number}.", number=number)
        return say("{name} wants to go back to move {number}.", name=_bare(by), number=number)
    changed = say("The rules have changed.")
    if suspension.stands:
        if is_own:
            return changed + " " + say("You want to go on from here by the new ones.")
        return changed + " " + say("{name} wants to go on from here by the new ones.", name=_bare(by))
    if is_own:
        return changed + " " + say("You want to go back to move {number}.", number=number)
    return changed + " " + say("{name} wants to go back to move {number}.", name=_bare(by), number=number)


def _trouble(suspension: SuspensionView | None) -> Markup:
    """Return what is wrong with the rules, and what can be done."""
    if suspension is None:
        return Markup()
    parts = [render_text(Text(suspension.trouble)), *_parting(suspension)]
    if suspension.stands:
        parts.append(say("If all agree, you can go on from here by the new rules."))
    elif suspension.back_to is not None:
        number = suspension.back_to
        parts.append(say("If all agree, you can go back to move {number}.", number=number))
    return Markup(" ").join(parts)


def _parting(suspension: SuspensionView) -> Iterator[Markup]:
    """Yield which move comes out otherwise by the rules that are here, and what these say against it."""
    if suspension.parts_at is None:
        return
    if suspension.parts_at:
        yield say("Move {number} now comes out differently.", number=suspension.parts_at)
    else:
        yield say("The deal now comes out differently.")
    if suspension.why is not None:
        yield say("The new rules say: {reason}", reason=render_text(suspension.why))


def _bare(name: str) -> Markup:
    return Markup("<bdi>{}</bdi>").format(known_as(name))


def winners(view: View) -> Markup:
    """Return who won, or that nobody did."""
    if view.ending.unfinished:
        return (
            render_text(Text(view.ending.stopped))
            if view.ending.stopped
            else say("Ended by agreement, no result.")
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


def page_title(view: View, first_sentence: Sentence | None = None) -> str:
    """Return the title of the browser's tab, with a dot when it is the reader's turn.

    `said` is the first sentence of the page, where it is known already.
    """
    first_sentence = first_sentence or sentence(view)
    game = named(view.title).unescape()
    if first_sentence.my_turn:
        return f"● {without_tags(first_sentence.strong).rstrip('.')} – {game}"
    return (
        f"{game} – {without_tags(first_sentence.strong + ' ' + first_sentence.rest).rstrip('.')}"
        if view.viewer.seat is not None
        else game
    )


def played(view: View, done: int | None) -> bool:
    """Tell whether the form that led here was a move, and it stands."""
    if done is None or view.viewer.seat is None or not view.live:
        return False
    return 0 < done <= view.newest or (done == view.newest and view.undoable)
