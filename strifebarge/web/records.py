"""The books: games that are over at their own addresses, the check, people's pages, games brought here."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import RequestEntityTooLarge

from strifebarge.rules import Refused, Text
from strifebarge.rules.chance import Draw
from strifebarge.table.bookkeeper import Score, scores, unrated
from strifebarge.table.entry import Entry, Kind
from strifebarge.table.log import Line
from strifebarge.table.ports import Player, public_id
from strifebarge.table.record import (
    LARGEST,
    Record,
    Wrong,
    WrongRecord,
    bare_record_of,
    bring,
    record_of,
    replay,
    said_of,
    written,
)
from strifebarge.table.referee import Slip
from strifebarge.table.table import Afterwards, No
from strifebarge.table.view import View

from . import textview, turn
from .pages import draw_board
from .people import as_person, referee, sent_before, who
from .words import known_as, named, told

blueprint = Blueprint("records", __name__)
SCRIPT = Path(__file__).parent.parent / "verify.py"
ADDRESS = re.compile("[0-9a-f]{16}")
LATEST = 20  # games on a person's page
ABOUT_FORM = 4096  # bytes of a form round a file


class Sitter(NamedTuple):
    """Somebody in the books, as pages show them: `person` is the id of their page, or ""."""

    name: str
    person: str = ""
    rating: int | None = None


class Won(NamedTuple):
    """What somebody has made of a row of rematches."""

    who: Sitter
    score: Score


class Once(NamedTuple):
    """One game of a row of rematches: its number, its address, and who won it."""

    number: int
    record: str
    winners: list[Sitter]
    finished: bool


class Books(NamedTuple):
    """What the books say of a game that is over.  Nobody's secret id is in here."""

    record: str
    seats: list[list[Sitter]]
    rated: bool
    remarks: list[Text]
    series: list[Once]
    scores: list[Won]


def books_of(view: View) -> Books | None:
    """What is shown of a game beside its result, once it is over."""
    if not view.record:
        return None
    entry = referee().store.entry(view.record)
    # Who has several seats would play against themselves there.
    series = [] if view.shared else called_alike(referee().store.series(entry.series), entry)
    remarks = [said_of(entry)]
    if view.afterwards is Afterwards.RATED and entry.rated is None:
        remarks.append(unrated(referee().status(view.id)))
    return Books(
        entry.id,
        [_sitters(entry, seat) for seat in range(len(view.places))],
        entry.rated is not None,
        [remark for remark in remarks if remark],
        [_once(number, each) for number, each in enumerate(series, 1)],
        [Won(_sitter(score.name, score.player, entry), score) for score in scores(series)],
    )


def called_alike(series: list[Entry], entry: Entry) -> list[Entry]:
    """A row of rematches in which everybody is called as in this game, or else as in their last.

    A guest goes by the flag of their seat, and seats move on from game to game.
    """
    names = {each.player: each.name for game in (*series, entry) for each in game.seats}
    for game in series:
        for each in game.seats:
            each.name = names[each.player]
    return series


def _sitter(name: str, player: str, entry: Entry, rating: int | None = None) -> Sitter:
    return Sitter(name, public_id(player) if entry.public else "", rating)


def _sitters(entry: Entry, seat: int) -> list[Sitter]:
    return [
        _sitter(each.name, each.player, entry, each.rating.shown if each.rating else None)
        for each in entry.in_seat(seat)
    ]


def _once(number: int, entry: Entry) -> Once:
    won = [_sitter(each.name, each.player, entry) for each in entry.seats if each.place == 1]
    return Once(number, entry.id, won, entry.kind is Kind.FINISHED)


# -- one game ------------------------------------------------------------------------


def _entry(record: str) -> Entry:
    """Raises Refused(NO_RECORD)."""
    if not ADDRESS.fullmatch(record):
        raise Refused(No.NO_RECORD)
    return referee().store.entry(record)


def _permanent(view: View) -> View:
    """The same view, whose links stay at the address in the books: no way leads from there to the table."""
    view.permanent = True
    return view


def _board(view: View) -> Markup:
    """The position, as text for those who want it so."""
    return textview.draw(view).board if textview.wanted() else draw_board(view)[0]


@blueprint.get("/r/<record>")
def show(record: str) -> str:
    """A game that is over, at the address where it stays."""
    view = _permanent(referee().show(None, _entry(record).table))
    board = _board(view) if view.game is not None else None
    return render_template(
        "record.html",
        view=view,
        board=board,
        turn=turn.sentence(view),
        page_title=turn.page_title(view),
        books=books_of(view),
    )


@blueprint.get("/r/<record>/at/<int:number>")
def at(record: str, number: int) -> str:
    """The position after a move, laid open."""
    as_seen = request.args.get("as") == "seen"
    view = _permanent(referee().show_at(None, _entry(record).table, number, as_seen))
    return looking_back(view, as_seen)


def looking_back(view: View, as_seen: bool) -> str:
    """The page of a position, at its table or in the books."""
    return render_template(
        "history.html",
        view=view,
        board=_board(view),
        in_text=textview.wanted(),
        as_seen=as_seen,
        turn=turn.sentence(view),
        page_title=turn.page_title(view),
    )


@blueprint.get("/r/<record>/log")
def log(record: str) -> str:
    view = _permanent(referee().log(None, _entry(record).table))
    return render_template("log.html", view=view, page_title=turn.page_title(view))


@blueprint.get("/r/<record>/log.txt")
def log_as_text(record: str) -> Response:
    return as_text(referee().log(None, _entry(record).table), record)


@blueprint.get("/r/<record>/record.json")
def record(record: str) -> Response:
    """The whole game as a file."""
    return as_file(record_of(referee(), _entry(record).table), record)


def as_file(record: Record, name: str) -> Response:
    found = f'attachment; filename="{record.game}-{name}.json"'
    return Response(written(record), mimetype="application/json", headers={"Content-Disposition": found})


@blueprint.get("/r/<record>/export.<ending>")
def export(record: str, ending: str) -> Response:
    """The game as a file for other programs."""
    return for_others(referee().show(None, _entry(record).table), ending, record)


def for_others(view: View, ending: str, name: str) -> Response:
    """A game's own kind of file, of what this view shows.  Raises Refused(NO_POSITION)."""
    names = [place.name for place in view.places]
    files = view.game.exports(names) if view.game is not None else {}
    if ending not in files:
        raise Refused(No.NO_POSITION)
    found = f'attachment; filename="{view.title.slug}-{name}.{ending}"'
    return Response(files[ending], mimetype="text/plain", headers={"Content-Disposition": found})


def as_text(view: View, name: str) -> Response:
    """The log of this view as plain text, a line for each sentence, its move's number before it."""
    lines = [f"{line.number:>4}  {_plain(line, view)}" for line in view.lines]
    found = f'attachment; filename="{view.title.slug}-{name}.txt"'
    page = "\n".join([named(view.title).unescape(), "", *lines, ""])
    return Response(page, mimetype="text/plain", headers={"Content-Disposition": found})


def _plain(line: Line, view: View) -> str:
    by = f" ({known_as(line.by).unescape()})" if line.by else ""
    return told(line.text, view).striptags() + by


# -- checking it ---------------------------------------------------------------------


class Drawn(NamedTuple):
    """What was drawn for the deal (move 0), or for a move."""

    move: int
    draws: list[Draw]


@blueprint.get("/r/<record>/check")
def check(record: str) -> str:
    """The promise, every draw and every move of a game, checked again; and how to do so oneself."""
    entry = _entry(record)
    view = _permanent(referee().show(None, entry.table))
    kept = bare_record_of(referee(), entry.table)
    wrong, again = None, None
    try:
        again = replay(kept, referee().library)
    except WrongRecord as no:
        wrong = no
    return render_template(
        "check.html",
        view=view,
        kept=kept,
        wrong=told(wrong.text, view) if wrong else None,
        fingerprint=again.match.fingerprint() if again else "",
        drawn=[Drawn(*each) for each in enumerate(again.draws) if each[1]] if again else [],
        page_title=turn.page_title(view),
    )


@blueprint.get("/verify.py")
def script() -> Response:
    """The script that checks a record on anybody's own machine."""
    text = SCRIPT.read_text(encoding="utf-8")
    found = 'attachment; filename="verify.py"'
    return Response(text, mimetype="text/x-python", headers={"Content-Disposition": found})


# -- bringing one here -----------------------------------------------------------------


@blueprint.get("/import")
def importing() -> str:
    return render_template("import.html", notice=None)


@blueprint.post("/import")
def bring_here() -> Any:
    """Keep a game from a file, to be looked at."""
    request.max_content_length = request.max_form_memory_size = 2 * LARGEST + ABOUT_FORM
    try:
        data = _sent()
        if not sent_before():
            current_app.extensions["limits"].count("create")
        table = as_person(lambda player, slip: _bring(player, data, slip))
    except WrongRecord as wrong:
        return render_template("import.html", notice=told(wrong.text), token=wrong.token), 422
    return redirect(url_for(".show", record=table.record), 303)


def _bring(player: Player, data: bytes, slip: Slip) -> Any:
    # What the form says of a file is its name; what it means is what is in there.
    return bring(referee(), player, data, msgspec.structs.replace(slip, content=sha256(data).hexdigest()))


def _sent() -> bytes:
    """The file of the form, or what was put into its field.  Raises WrongRecord(TOO_LARGE)."""
    try:
        file = request.files.get("file")
        data = file.read() if file else b""
        return data or request.form.get("text", "").encode("utf-8", "surrogatepass")
    except RequestEntityTooLarge as large:
        raise WrongRecord(Wrong.TOO_LARGE, most=LARGEST // 1024) from large


# -- people ----------------------------------------------------------------------------


class Game(NamedTuple):
    """A public game on somebody's page."""

    entry: Entry
    place: int | None
    others: list[Sitter]


@blueprint.get("/p/me")
def me() -> Any:
    """My own page, as everybody sees it."""
    player = who()
    return redirect(url_for("lobby.mine"), 303) if player is None else _page_of(player)


@blueprint.get("/p/<person>")
def person(person: str) -> str:
    """What somebody's games have made public: their record and ratings, and the latest games."""
    if not ADDRESS.fullmatch(person):
        raise Refused(No.NO_PERSON)
    return _page_of(referee().store.person(person))


def _page_of(player: Player) -> str:
    here = referee().library.titles
    latest = referee().store.latest(player.id, LATEST)
    return render_template(
        "person.html",
        name=player.name,
        former=player.gone == "former",
        address=url_for(".person", person=player.public),
        mine=who() is not None and who() == player,
        tallies=[each for each in referee().store.tallies(player.id) if each.game in here],
        games=[_game(each, player) for each in latest if each.game in here],
    )


def _game(entry: Entry, player: Player) -> Game:
    mine = [each for each in entry.seats if each.player == player.id]
    others = {each.player: each for each in entry.seats if each.player != player.id}.values()
    place = min((each.place for each in mine if each.place), default=None)
    return Game(entry, place, [_sitter(each.name, each.player, entry) for each in others])
