"""A table's page: shown, looked back at, and played at."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, NamedTuple

from flask import Response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Reply

from strifebarge.lib.costly import COSTLY
from strifebarge.rules import Action, Refused
from strifebarge.rules.notation import Kinds, from_form, read, write
from strifebarge.rules.schema import actions, seat_numbers
from strifebarge.tables.acts import moves
from strifebarge.tables.acts.nudging import NUDGE_AFTER
from strifebarge.tables.acts.rematch import rematch as play_again
from strifebarge.tables.library.budget import GameFault, run
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.play.queries import place_for
from strifebarge.tables.view import Offer, SeatView, View
from strifebarge.web.http.guard import address
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.request_store import link, this_request
from strifebarge.web.http.services import now, referee, results, views
from strifebarge.web.http.session import carry_out, form_token, player_id, required_player_id
from strifebarge.web.http.statuses import status_of
from strifebarge.web.http.table_access import at_a_table, back_to, current_view, noted, shown_seat
from strifebarge.web.page import textview
from strifebarge.web.page.kept_pages import (
    CachedPage,
    cached_or_rendered,
    is_cacheable,
    is_repeat_request,
    page_cache,
    page_key,
    past_position_key,
)
from strifebarge.web.page.offers import (
    is_pick_outdated,
    is_planning,
    may_plan,
    offer_label,
    pick_to_keep,
    picked_offer,
)
from strifebarge.web.page.own_facts import own_facts
from strifebarge.web.page.pages import draw_board, render, table_url
from strifebarge.web.page.preferences import remember
from strifebarge.web.page.score_sheet import draw_sheet, number_of_cell
from strifebarge.web.page.stage import stage
from strifebarge.web.render.holes import Skeleton, leaving_holes
from strifebarge.web.render.lasting import changes_at, noting_changes
from strifebarge.web.render.templating import contexts_released
from strifebarge.web.render.turning import turn_round
from strifebarge.web.table.bots import hinting, may_have_hint
from strifebarge.web.table.curtain import curtain
from strifebarge.web.table.from_here import begun_from, from_here_page
from strifebarge.web.table.inviting import invitation, used_code
from strifebarge.web.table.presence import record_visit
from strifebarge.web.table.records import as_file, as_text, books_of, for_others, looking_back
from strifebarge.web.table.seating import AWAY, count_join, seat_link
from strifebarge.web.table.talk import noting, talk
from strifebarge.web.words import absence, turn
from strifebarge.web.words.dates import machine
from strifebarge.web.words.proposals import proposal
from strifebarge.web.words.texts import render_text

blueprint = at_a_table("play")
blueprint.before_request(turn_round)


@blueprint.after_request
def _remember_the_view(answer: Response) -> Response:
    """Remember `?view=text` and `?view=board` in this browser."""
    view = this_request().args.get("view")
    if view in textview.VIEWS:
        remember(answer, "view", view)
        answer.headers["Cache-Control"] = "no-store"
    return answer


# -- showing ---------------------------------------------------------------------


@blueprint.get("/<id>")
def show(id: str) -> Any:
    """Show the table as the reader may see it: to play, to join, or to watch."""
    request, overview, player = this_request(), views().overview(id), player_id()
    if request.script_root + request.path != link()("play.show", id=id):
        return redirect(url_for(".show", id=id, i=used_code() or None), 301)
    is_kept = is_cacheable(overview, player) and is_repeat_request(overview.table, player)
    key = page_key(overview, player) if is_kept else None
    cached = page_cache().get(key, now()) if key is not None else None
    if cached:
        _record_visit(overview.table, any(not chair.left for chair in overview.table.chairs_of(player)))
        page = cached[0]
    else:
        with views().place(overview.table, address(), player):
            view = noted(views().show(player, id, shown_seat(id), overview))
            if elsewhere := _asked_instead(view):
                return elsewhere
            _record_visit(view, any(seat.my_device and not seat.left for seat in view.places))
            page = _render_and_cache(view, key)
    free = overview.table.status is Status.OPEN or any(
        chair.player is None for chair in overview.table.chairs
    )
    return page.answer(public=player is None and (not free or overview.table.status is Status.OVER))


def _record_visit(at: Table | View, sits: bool) -> None:
    if "away" not in this_request().args:  # a page that nobody looks at asks for its news
        record_visit(at, sits)


def _asked_instead(view: View) -> Reply | None:
    """Return where what was typed is answered, or asked about once more; None where nothing was."""
    request = this_request()
    typed = request.args.get("say", "").strip()
    if typed and "key" in request.args:  # the box of a form that moves, sent to be asked with
        return _answer(view.id, typed)
    if typed and view.mine and not textview.question(typed, view.title):
        return redirect(url_for(".sure", id=view.id, say=typed, asked=view.question_number), 303)
    return None


def _render_and_cache(view: View, key: Hashable) -> CachedPage:
    """Render the page of a table, and keep it by its key, if it has one and the game could be shown."""
    with noting_changes() as until:
        page, whole = _render_page(view, this_request().args.get("done", type=int))
    kept_page = CachedPage(page)
    if key is not None and whole and view.position.game is not None and view.status is not Status.SUSPENDED:
        page_cache().put(key, kept_page, until[0])
    return kept_page


class Sure(NamedTuple):
    """What a table's page asks its reader before it is done: to make a move, or to resign."""

    action: Action | None = None  # None: to resign
    words: str = ""  # of the move, as forms send it
    question_number: int | None = None
    is_hint: bool = False  # a bot would play so


def table_page(view: View, refused: Refused | None = None, sure: Sure | None = None) -> str:
    """Render the page of a table in any state; `refused` is said above the fresh board, and `sure` asked.

    Where its game's code fails the page is without the board, and the table is suspended.
    """
    return _render_page(view, None, refused, sure)[0].filled(machine(view.times.now)).decode()


def _render_page(
    view: View, done: int | None = None, refused: Refused | None = None, sure: Sure | None = None
) -> tuple[Skeleton, bool]:
    """Render the page of a table, with holes for keys and the time; tell whether its game could be shown."""
    with leaving_holes(), contexts_released():
        try:
            page = run(view.id, "drawing its page", _table_page, view, done, refused, sure)
            return Skeleton(page), True
        except GameFault as fault:
            views().report(fault, view.position.newest)
            failed = views().show_failed(player_id(), view.id, shown_seat(view.id))
            return Skeleton(_table_page(failed, done, refused, None)), False


def _table_page(view: View, done: int | None, refused: Refused | None, sure: Sure | None) -> str:
    in_text = textview.is_requested()
    notice = said_above(view, refused) if refused else None
    if view.viewer.curtain:
        return curtain(view, notice)
    board = hand = rest = None
    if view.position.game is not None and in_text:
        board, hand, rest = textview.draw(view)
    elif view.position.game is not None:
        board, rest = draw_board(view)
    sentence, proposed = turn.sentence(view), proposal(view)
    return render(
        "table_text.html" if in_text else "table.html",
        view=view,
        board=board,
        hand=hand,
        rest=rest,
        sheet=None if in_text else draw_sheet(view),
        stage=stage(view, rest if not in_text else None),
        in_text=in_text,
        text=textview.about(view, rest, request.args.get("say", "")) if in_text else None,
        turn=sentence._replace(rest=sentence.rest + " " + proposed.text) if proposed else sentence,
        proposed=proposed,
        page_title=turn.page_title(view, sentence),
        played=turn.played(view, done),
        notice=notice,
        sure=sure,
        url=table_url(view.id),
        talk=talk(view),
        invitation=invitation(view),
        may_begin_with=_may_begin_with(view),
        plans_by_board=may_plan(view) and bool(picked_offer(view)),
        is_planning=not in_text and is_planning(view),
        to_keep=_answered_question(view) if in_text else pick_to_keep(view),
        pick_dropped=is_pick_outdated(view) and view.status is Status.PLAYING,
        hint=may_have_hint(view),
        books=books_of(view),
        waited_for=_waited_for(view),
        silent=_is_silent(view),
        waits=absence.waits(view),
        asking=_asking(view),
    )


def _answered_question(view: View) -> dict[str, str]:
    """Return the argument by which the page's script asks for it again with the answer that it shows."""
    typed = this_request().args.get("say", "").strip()
    return {"say": typed} if textview.question(typed, view.title) else {}


def _may_begin_with(view: View) -> int | None:
    """Return with how many players the host may begin, although seats are free; None if they may not."""
    ready = sum(seat.ready for seat in view.places)
    enough = seat_numbers(view.title.rules)[0] <= ready < len(view.places) and view.title.allows(ready)
    return ready if enough and view.viewer.host and view.viewer.ready else None


def _asking(view: View) -> list[tuple[SeatView, str]]:
    """Return the seats whose players stay away, each with the link by which another player may have it."""
    absent = [seat_view for seat_view in view.places if seat_view.absence.absent and not seat_view.my_device]
    if not absent or view.viewer.seat is None or not view.live:
        return []
    chairs = views().status(view.id).chairs
    return [(seat_view, seat_link(chairs[seat_view.seat], view.id, AWAY)) for seat_view in absent]


def _waited_for(view: View) -> list[SeatView]:
    """Return the seats that the reader may remind."""
    if (
        view.viewer.seat is None
        or view.times.nudged is not None
        or view.status is not Status.PLAYING
        or not view.live
    ):
        return []
    if referee().now() - view.times.moved < NUDGE_AFTER:
        changes_at(view.times.moved + NUDGE_AFTER)
        return []
    return [seat for seat in view.waiting if not (seat.mine or seat.free or seat.bot)]


def _is_silent(view: View) -> bool | None:
    """Tell whether a seated reader wants no notices of this table; None if they have none at all."""
    player = player_id()
    if player is None or view.viewer.seat is None:
        return None
    return own_facts(view, player, True, noting(view)).silent


def said_above(view: View, refused: Refused) -> Markup:
    """Render why the form was not carried out, and what it wanted."""
    reason = render_text(refused.text, view)
    page = render_template(
        "notice.html",
        reason=reason,
        token=refused.token,
        attempt=_attempt(view),
        view=view,
    )
    return Markup(page)  # noqa: S704 - a template's own output


def _attempt(view: View) -> str:
    """Return what the form wanted to play, as its button says it or as it was typed; "" if no move."""
    if request.endpoint not in (f"{blueprint.name}.move", f"{blueprint.name}.sure"):
        return ""
    try:
        return offer_label(Offer(from_form(request.values, actions(view.title.rules)), None), view)
    except Refused:
        fields = request.values.items(multi=True)
        return " ".join(str(value) for name, value in fields if name not in ("key", "asked", "do"))


@blueprint.get("/<id>/at/<int:number>")
def at(id: str, number: int) -> Response:
    """Show the position after a move, as the reader may see it."""
    as_seen, table, player = request.args.get("as") == "seen", views().status(id), player_id()

    def make() -> str:
        with place_for(table, address()):
            return looking_back(noted(views().show_at(player, id, number, as_seen, shown_seat(id))), as_seen)

    return cached_or_rendered(past_position_key(table, player, number, as_seen), make).answer(public=False)


@blueprint.get("/<id>/from/<int:number>")
def from_here(id: str, number: int) -> str:
    """Offer to play on from the position after a move."""
    table = views().status(id)
    with place_for(table, address()):
        view = noted(views().show_at(player_id(), id, number, viewer_seat=shown_seat(id)))
        return from_here_page(view, table, url_for(".play_on", id=id, number=number))


@blueprint.post("/<id>/from/<int:number>")
@leaves_receipt
def play_on(id: str, number: int) -> Reply:
    """Begin a table at the position after a move."""
    return begun_from(lambda: id, number)


@blueprint.get("/<id>/log")
def log(id: str) -> str:
    """Show all that was told, from the first move on."""
    with place_for(views().status(id), address()):
        view = noted(views().log(player_id(), id, shown_seat(id)))
        return render_template("log.html", view=view, page_title=turn.page_title(view))


@blueprint.get("/<id>/sheet/<int:number>")
def cell(id: str, number: int) -> Reply:
    """Redirect to the position after the move in a cell of the score sheet, counted from 1."""
    with place_for(views().status(id), address()):
        view = noted(views().log(player_id(), id, shown_seat(id)))
        return redirect(url_for(".at", id=id, number=number_of_cell(view, number)), 303)


@blueprint.get("/<id>/log.txt")
def log_as_text(id: str) -> Response:
    """Send all that was told as a file."""
    with place_for(views().status(id), address()):
        return as_text(noted(views().log(player_id(), id, shown_seat(id))), id)


@blueprint.get("/<id>/record.json")
def record(id: str) -> Response:
    """Send the whole game, once it is over: seed, options, seats and moves, to be played again anywhere."""
    with COSTLY.place(address()):
        return as_file(results().record(id), id)


@blueprint.get("/<id>/export.<ending>")
def export(id: str, ending: str) -> Response:
    """Send the game as a file for other programs, as far as the reader may see it."""
    view = current_view(id).must_show_game()
    with place_for(views().status(id), address()):
        return for_others(view, ending, id)


# -- playing --------------------------------------------------------------------------


@blueprint.post("/<id>/turn")
@leaves_receipt
def move(id: str) -> Reply:
    """Make one move; a form that is sent again is the same move, and gets the same answer."""
    token = form_token()
    if token.question is None:
        raise Refused(TableRefusal.NO_KEY)
    player = required_player_id()
    form = this_request().form
    reads: Callable[[Kinds], Action] = partial(from_form, form)
    if typed := form.get("say", "").strip():
        view = views().show(player, id, token.seat)
        if textview.question(typed, view.title):
            return _answer(id, typed)
        reads = partial(textview.understood, typed, view)
    accepted = referee().carry_out(player, id, token, moves.move, reads)
    return redirect(f"{link()('play.show', id=id)}?done={accepted.number}#turn", 303)


@blueprint.get("/<id>/sure")
def sure(id: str) -> Any:
    """Ask players on the table's page whether they want to make a move, if they want to be asked."""
    view = current_view(id)
    typed = request.args.get("say", "").strip()
    if typed and textview.question(typed, view.title):
        return _answer(id, typed)
    if not view.mine:
        return redirect(url_for(".show", id=id), 303)
    try:
        kinds = actions(view.title.rules)
        action = textview.understood(typed, view, kinds) if typed else from_form(request.args, kinds)
        if refused := view.reason(action):
            raise refused
    except Refused as no:
        return table_page(view, no), status_of(no)
    number = request.args.get("asked", view.question_number, type=int)
    return table_page(view, sure=Sure(action, write(action), number))


@blueprint.get("/<id>/hint")
def hint(id: str) -> str:
    """Show on the table's page what a bot would play in the viewer's seat, with the button that plays it."""
    view = current_view(id)
    if view.viewer.seat is None or not may_have_hint(view):
        raise Refused(TableRefusal.NO_HINT)
    words = hinting().hint(id, view.viewer.seat, required_player_id(), address())
    action = read(words, actions(view.title.rules))
    return table_page(view, sure=Sure(action, words, view.question_number, is_hint=True))


@blueprint.get("/<id>/resign")
def resign(id: str) -> Any:
    """Ask players on the table's page whether they resign; they may also while others are to move."""
    view = current_view(id)
    if not view.viewer.may_resign:
        return redirect(url_for(".show", id=id), 303)
    return table_page(view, sure=Sure())


def _answer(id: str, question: str) -> Reply:
    """Redirect to the answer of a question that was typed where a move might have been."""
    return redirect(url_for(".show", id=id, say=question, _anchor="answer"), 303)


@blueprint.post("/<id>/undo")
@leaves_receipt
def undo(id: str) -> Reply:
    carry_out(id, moves.undo)
    return back_to(id)


# -- afterwards ------------------------------------------------------------------------


@blueprint.post("/<id>/rematch")
def rematch(id: str) -> Reply:
    player = required_player_id()
    count_join()
    return back_to(play_again(referee(), player, id, form_token()))
