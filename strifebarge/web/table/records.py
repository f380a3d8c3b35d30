"""Pages of results: ended games at their own addresses, their check, people's pages, imported games."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from flask import Blueprint, Response, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as Reply

from strifebarge.lib.costly import COSTLY
from strifebarge.results.bookkeeper import Score, scores, unrated
from strifebarge.results.models import ESTABLISHED, Entry, EntryKind, caveat
from strifebarge.results.record import LARGEST, Record, RecordRefusal, WrongRecord, written
from strifebarge.results.trends import Trend
from strifebarge.rules import Refused, Text
from strifebarge.rules.chance import Draw
from strifebarge.tables.model.bots import IDS, bot_name, level_of
from strifebarge.tables.model.log import Line
from strifebarge.tables.model.player import Player, public_id
from strifebarge.tables.model.table import ResultUse, Table, TableRefusal
from strifebarge.tables.play.queries import place_for
from strifebarge.tables.play.turn import FormToken
from strifebarge.tables.view import View
from strifebarge.web.http.guard import address
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.services import accounts, limits, referee, results, services, views
from strifebarge.web.http.session import as_person, current_player, sent_before
from strifebarge.web.page import textview
from strifebarge.web.page.kept_pages import cached_or_rendered, past_position_key
from strifebarge.web.page.offers import Board
from strifebarge.web.page.pages import draw_board, render, site_url
from strifebarge.web.page.score_sheet import draw_sheet, number_of_cell
from strifebarge.web.page.stage import stage
from strifebarge.web.render.turning import turn_round
from strifebarge.web.table.from_here import begun_from, from_here_page, may_go_on
from strifebarge.web.table.rating_line import rating_line
from strifebarge.web.words import history, turn
from strifebarge.web.words.catalogue import named
from strifebarge.web.words.names import known_as
from strifebarge.web.words.texts import render_text

blueprint = Blueprint("records", __name__)
blueprint.before_request(turn_round)
SCRIPT = Path(__file__).parents[2] / "verify.py"
ADDRESS = re.compile("[0-9a-f]{16}")
LATEST = 20  # games on a person's page
BOTS = {public_id(bot): bot for bot in IDS}  # by the ids of their pages
ABOUT_FORM = 4096  # bytes of a form round a file


class Sitter(NamedTuple):
    """A player of an ended game, as pages show them: `person` is the id of their page, or ""."""

    name: str
    person: str = ""
    rating: int | None = None


class PlayerWins(NamedTuple):
    """One person's wins in a series of rematches."""

    who: Sitter
    score: Score


class SeriesGame(NamedTuple):
    """One game of a row of rematches: its number, its address, and who won it."""

    number: int
    record: str
    winners: list[Sitter]
    finished: bool


class GameResults(NamedTuple):
    """The results shown of a game that is over.  No secret id is in here."""

    record: str
    seats: list[list[Sitter]]
    rated: bool
    remarks: list[Text]
    series: list[SeriesGame]
    scores: list[PlayerWins]


def books_of(view: View) -> GameResults | None:
    """Return what is shown of a game beside its result, once it is over."""
    if not view.ending.record:
        return None
    entry = results().entry(view.ending.record)
    # A person with several seats would play against themselves there.
    series = [] if view.settings.shared else called_alike(results().series(entry), entry)
    remarks = [caveat(entry)]
    if view.settings.afterwards is ResultUse.RATED and entry.rated is None:
        remarks.append(unrated(views().status(view.id)))
    return GameResults(
        entry.id,
        [_sitters(entry, seat) for seat in range(len(view.places))],
        entry.rated is not None,
        [remark for remark in remarks if remark],
        [_once(number, each) for number, each in enumerate(series, 1)],
        [PlayerWins(_sitter(score.name, score.player, entry), score) for score in scores(series)],
    )


def called_alike(series: list[Entry], entry: Entry) -> list[Entry]:
    """Return a series of rematches in which people are called as in this game, or else as in their last."""
    names = {each.player: each.name for game in (*series, entry) for each in game.seats}
    for game in series:
        for each in game.seats:
            each.name = names[each.player]
    return series


def _sitter(name: str, player: str, entry: Entry, rating: int | None = None) -> Sitter:
    return Sitter(name, public_id(player) if entry.public else "", rating)


def _sitters(entry: Entry, seat: int) -> list[Sitter]:
    return [
        _sitter(each.name, each.player, entry, each.rating.displayed if each.rating else None)
        for each in entry.in_seat(seat)
    ]


def _once(number: int, entry: Entry) -> SeriesGame:
    won = [_sitter(each.name, each.player, entry) for each in entry.seats if each.place == 1]
    return SeriesGame(number, entry.id, won, entry.kind is EntryKind.FINISHED)


# -- one game ------------------------------------------------------------------------


def entry_of(record: str) -> Entry:
    """Return the entry of a record.  Raises Refused(NO_RECORD)."""
    if not ADDRESS.fullmatch(record):
        raise Refused(TableRefusal.NO_RECORD)
    return results().entry(record)


@contextmanager
def _table_of(record: str) -> Iterator[Table]:
    """Yield the table of a record, with a place in the queue of costly work if its game is long.

    Raises Refused(NO_RECORD), Busy.
    """
    table = views().status(entry_of(record).table)
    with place_for(table, address()):
        yield table


def _permanent(view: View) -> View:
    """Return a view whose links stay at the permanent address: no link leads from there to the table."""
    view.position.permanent = True
    return view


def _draw_position(view: View) -> tuple[Markup, Board]:
    """Draw the position, as text for readers who prefer that; return it with its board."""
    if textview.is_requested():
        in_words = textview.draw(view)
        return in_words.board, in_words.rest
    return draw_board(view)


@blueprint.get("/r/<record>")
def show(record: str) -> str:
    """Show a game that is over, at its permanent address."""
    with _table_of(record) as table:
        view = _permanent(views().show(None, table.id))
        board, rest = _draw_position(view) if view.position.game is not None else (None, None)
        return render(
            "record.html",
            view=view,
            board=board,
            sheet=None if textview.is_requested() else draw_sheet(view),
            stage=stage(view, rest),
            bar=rest.bar if rest else "",
            turn=turn.sentence(view),
            page_title=turn.page_title(view),
            books=books_of(view),
        )


@blueprint.get("/r/<record>/at/<int:number>")
def at(record: str, number: int) -> str:
    """Show the position after a move, with nothing hidden."""
    as_seen = request.args.get("as") == "seen"
    with _table_of(record) as table:
        return looking_back(_permanent(views().show_at(None, table.id, number, as_seen)), as_seen)


def looking_back(view: View, as_seen: bool) -> str:
    """Return the page of a position, at its table or at the permanent address."""
    board, rest = _draw_position(view)
    return render(
        "history.html",
        view=view,
        board=board,
        sheet=None if textview.is_requested() else draw_sheet(view),
        stage=stage(view, rest),
        bar=rest.bar,
        in_text=textview.is_requested(),
        as_seen=as_seen,
        as_seen_too={"as": "seen"} if as_seen else {},
        steps=history.steps(view),
        may_go_on=may_go_on(view),
        turn=turn.sentence(view),
        page_title=turn.page_title(view),
    )


@blueprint.get("/r/<record>/from/<int:number>")
def from_here(record: str, number: int) -> str:
    """Offer to play on from the position after a move."""
    with _table_of(record) as table:
        view = _permanent(views().show_at(None, table.id, number))
        return from_here_page(view, table, url_for(".play_on", record=record, number=number))


@blueprint.post("/r/<record>/from/<int:number>")
@leaves_receipt
def play_on(record: str, number: int) -> Reply:
    """Begin a table at the position after a move."""
    return begun_from(lambda: entry_of(record).table, number)


@blueprint.get("/r/<record>/log")
def log(record: str) -> str:
    with _table_of(record) as table:
        view = _permanent(views().log(None, table.id))
        return render_template("log.html", view=view, page_title=turn.page_title(view))


@blueprint.get("/r/<record>/sheet/<int:number>")
def cell(record: str, number: int) -> Reply:
    """Redirect to the position after the move in a cell of the score sheet, counted from 1."""
    with _table_of(record) as table:
        view = _permanent(views().log(None, table.id))
        return redirect(url_for(".at", record=record, number=number_of_cell(view, number)), 303)


@blueprint.get("/r/<record>/log.txt")
def log_as_text(record: str) -> Response:
    with _table_of(record) as table:
        return as_text(views().log(None, table.id), record)


@blueprint.get("/r/<record>/record.json")
def record(record: str) -> Response:
    """Send the whole game as a file."""
    table = entry_of(record).table
    with COSTLY.place(address()):
        return as_file(results().record(table), record)


def as_file(record: Record, name: str) -> Response:
    disposition = f'attachment; filename="{record.game}-{name}.json"'
    return Response(
        written(record), mimetype="application/json", headers={"Content-Disposition": disposition}
    )


@blueprint.get("/r/<record>/export.<ending>")
def export(record: str, ending: str) -> Response:
    """Send the game as a file for other programs."""
    with _table_of(record) as table:
        return for_others(views().show(None, table.id), ending, record)


def for_others(view: View, ending: str, name: str) -> Response:
    """Return the game's own kind of file, of what this view shows.  Raises Refused(NO_POSITION)."""
    record = view.ending.record
    address = (
        site_url(url_for("records.show", record=record)) if record else site_url(url_for("lobby.landing"))
    )
    files = services().files(view, address)
    if ending not in files:
        raise Refused(TableRefusal.NO_POSITION)
    disposition = f'attachment; filename="{view.title.slug}-{name}.{ending}"'
    return Response(files[ending], mimetype="text/plain", headers={"Content-Disposition": disposition})


def as_text(view: View, name: str) -> Response:
    """Send the log of this view as plain text: a line for each sentence, with its move's number before it."""
    lines = [f"{line.number:>4}  {_plain(line, view)}" for line in view.lines]
    disposition = f'attachment; filename="{view.title.slug}-{name}.txt"'
    page = "\n".join([named(view.title).unescape(), "", *lines, ""])
    return Response(page, mimetype="text/plain", headers={"Content-Disposition": disposition})


def _plain(line: Line, view: View) -> str:
    by = f" ({known_as(line.by).unescape()})" if line.by else ""
    return render_text(line.text, view).striptags() + by


# -- checking it ---------------------------------------------------------------------


class MoveDraws(NamedTuple):
    """The random numbers drawn for the deal (move 0), or for a move."""

    move: int
    draws: list[Draw]


@blueprint.get("/r/<record>/check")
def check(record: str) -> Response:
    """Check the seed, every draw and every move of a game again, and say how to do so oneself."""
    table = views().status(entry_of(record).table)

    def make() -> str:
        with COSTLY.place(address()):
            return _checked_page(table.id)

    return cached_or_rendered(past_position_key(table, None, "check"), make).answer(public=False)


def _checked_page(table: str) -> str:
    view = _permanent(views().show(None, table))
    stored = results().bare_record(table)
    checked = results().check(stored)
    return render_template(
        "check.html",
        view=view,
        kept=stored,
        wrong=render_text(checked.wrong.text, view) if checked.wrong else None,
        not_proved=[render_text(each, view) for each in checked.not_proved],
        fingerprint=checked.fingerprint,
        drawn=[MoveDraws(*each) for each in enumerate(checked.draws or []) if each[1]],
        page_title=turn.page_title(view),
    )


@blueprint.get("/verify.py")
def script() -> Response:
    """Send the script that checks a record on any machine."""
    text = SCRIPT.read_text(encoding="utf-8")
    disposition = 'attachment; filename="verify.py"'
    return Response(text, mimetype="text/x-python", headers={"Content-Disposition": disposition})


# -- bringing one here -----------------------------------------------------------------


@blueprint.get("/import")
def importing() -> str:
    return render_template("import.html", notice=None)


@blueprint.post("/import")
def import_game() -> Any:
    """Keep a game from a file, to be looked at."""
    if request.mimetype == "multipart/form-data":  # as the page sends it: others take 60 times their size
        request.max_content_length = request.max_form_memory_size = 2 * LARGEST + ABOUT_FORM
    try:
        request.get_data()  # all of it has come before its turn
        with COSTLY.place(address()):
            data = _sent()
            if not sent_before():
                limits().count("create")
                limits().count("import")
            table = as_person(lambda player, form: _import_record(player, data, form))
    except RequestEntityTooLarge:
        return _not_imported(WrongRecord(RecordRefusal.TOO_LARGE, most=_most_bytes() // 1024))
    except WrongRecord as wrong:
        return _not_imported(wrong)
    return redirect(url_for(".show", record=table.ending.record), 303)


def _not_imported(wrong: WrongRecord) -> Any:
    return render_template("import.html", notice=render_text(wrong.text), token=wrong.token), 422


def _import_record(player: Player, data: bytes, form: FormToken) -> Table:
    # What the form says of a file is its name; what it means is what is in there.
    return results().bring(player, data, msgspec.structs.replace(form, content=sha256(data).hexdigest()))


def _most_bytes() -> int:
    return min(LARGEST, request.max_content_length or LARGEST)


def _sent() -> bytes:
    """Return the uploaded file, or the text of its field.  Raises RequestEntityTooLarge."""
    file = request.files.get("file")
    data = file.read() if file else b""
    return data or request.form.get("text", "").encode("utf-8", "surrogatepass")


# -- people ----------------------------------------------------------------------------


class PublicGame(NamedTuple):
    """A public game on somebody's page."""

    entry: Entry
    place: int | None
    others: list[Sitter]
    rating: int | None  # after it, if it was rated
    change: str  # of the rating by it, as "+12"; "" if that is not known


@blueprint.get("/p/me")
def me() -> Any:
    """Show the reader's own page, as everybody sees it."""
    player = current_player()
    return redirect(url_for("lobby.my_games"), 303) if player is None else _page_of(player)


@blueprint.get("/p/<person>")
def person(person: str) -> str:
    """Show what a person's games have made public: results, ratings and the latest games.

    Raises Refused: NO_PERSON; PRIVATE_PAGE to everybody but them, if they want that.
    """
    if not ADDRESS.fullmatch(person):
        raise Refused(TableRefusal.NO_PERSON)
    if bot := BOTS.get(person):
        return render_template("bot.html", level=level_of(bot), name=bot_name(level_of(bot)))
    player = accounts().person(person)
    if player.is_private and player != current_player():
        raise Refused(TableRefusal.PRIVATE_PAGE)
    return _page_of(player)


def _page_of(player: Player) -> str:
    titles = referee().library.titles
    latest = results().latest(player.id, LATEST)
    trends = results().trends(player.id)
    return render_template(
        "person.html",
        name=player.name,
        former=player.gone == "former",
        address=url_for(".person", person=player.public),
        mine=current_player() is not None and current_player() == player,
        is_private=player.is_private,
        established=ESTABLISHED,
        lines={game: rating_line(trend) for game, trend in trends.items() if trend.changes},
        tallies=[each for each in results().tallies(player.id) if each.game in titles],
        games=[_game(each, player, trends.get(each.game)) for each in latest if each.game in titles],
    )


def _game(entry: Entry, player: Player, trend: Trend | None) -> PublicGame:
    own_results = [each for each in entry.seats if each.player == player.id]
    others = {each.player: each for each in entry.seats if each.player != player.id}.values()
    place = min((each.place for each in own_results if each.place), default=None)
    rating = next((each.rating.displayed for each in own_results if each.rating), None)
    change = trend.changes.get(entry.id) if trend else None
    return PublicGame(
        entry,
        place,
        [_sitter(each.name, each.player, entry) for each in others],
        rating,
        "" if change is None else f"{change:+}".replace("-", "−"),
    )
