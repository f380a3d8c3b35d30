"""Previews: what a chat shows of a link that somebody has sent there, a card drawn as PNG.

A card of a table shows what a spectator of it may see now, to anybody.  Where spectators see the game later
or not at all, and where a seat has a PIN, it shows the game's emblem and no position.
"""

import logging
from collections.abc import Callable, Hashable
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, tostring
from zlib import crc32

from flask import Blueprint, Flask, Response, current_app, request

from strifebarge.lib.costly import COSTLY
from strifebarge.tables.library.budget import GameFault, run_template
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.chair import FLAGS
from strifebarge.tables.model.status import Status
from strifebarge.tables.play.queries import place_for
from strifebarge.tables.view import SeatView, View
from strifebarge.web.http.guard import address
from strifebarge.web.http.request_store import link, request_globals
from strifebarge.web.http.services import limits, now, referee, views
from strifebarge.web.http.table_access import at_a_table
from strifebarge.web.page.pages import site_url
from strifebarge.web.page.pictures import draw_position, picture
from strifebarge.web.previews.cards import SITE, WIDE, CardPlayer, PreviewCard, drawn
from strifebarge.web.previews.drawn import CannotBeDrawn, Symbols
from strifebarge.web.previews.lettering import readable
from strifebarge.web.render.keeping import BoundedCache
from strifebarge.web.site.lobby import FIRST
from strifebarge.web.table.records import entry_of
from strifebarge.web.words import catalogue
from strifebarge.web.words.languages import language, languages
from strifebarge.web.words.names import player_names
from strifebarge.web.words.turn import sentence

blueprint = Blueprint("previews", __name__, url_prefix="/preview")
at_tables = at_a_table("table_previews", "/preview/tables")
MOST = 3 * 1024 * 1024  # bytes of cards that a process keeps
FOR_EVER = float("inf")
FRESH = 30  # seconds in which a table is not looked at again for its card
LASTING = "public, max-age=300"
GAMES = 4  # of which the card of the site has a picture
NO_TABLE = ""  # a game's code that fails in a picture has failed at no table

log = logging.getLogger("strifebarge")


class Preview(NamedTuple):
    """The picture of a page for link previews: its whole address, and what it shows in words."""

    url: str
    description: str
    width: int = WIDE[0]
    height: int = WIDE[1]


def prepare(app: Flask) -> None:
    """Let templates name the pictures of their pages."""
    app.extensions["cards"] = BoundedCache[bytes](MOST, len)
    app.extensions["symbols"] = None
    app.jinja_env.globals.update(
        preview_of_site=preview_of_site,
        preview_of_game=preview_of_game,
        preview_of_view=preview_of_view,
        url_of_record=url_of_record,
    )


# -- their addresses -------------------------------------------------------------------


def preview_of_site() -> Preview:
    """Return the picture of the page of all games."""
    return Preview(_address("previews.site"), SITE)


def preview_of_game(title: Title) -> Preview:
    """Return the picture of a game's rules."""
    return Preview(_address("previews.game", game=title.slug), _plain(catalogue.named(title)))


def preview_of_view(view: View, **square: str) -> Preview:
    """Return the picture of a table, or of a game at its permanent address.

    The address changes with the position, for services keep what they have fetched.
    """
    facts = view.status, view.newest, [seat.name for seat in view.places]
    version = f"{view.newest}-{crc32(repr(facts).encode()):x}"
    if view.status is Status.OVER and view.ending.record:
        url = _address("previews.record", record=view.ending.record, v=version, **square)
    else:
        url = _address("table_previews.table", id=view.id, v=version, **square)
    return Preview(url, _plain(catalogue.named(view.title)))


def url_of_record(view: View) -> str:
    """Return the whole permanent address of a game that is over, to be sent to anybody."""
    return site_url(link()("records.show", record=view.ending.record))


def _address(endpoint: str, **values: str) -> str:
    return site_url(link()(endpoint, l=language().code, **values))


# -- the pictures ----------------------------------------------------------------------


@blueprint.before_request
@at_tables.before_request
def _speak_as_asked() -> None:
    """Make the card in the language of the page whose picture it is."""
    code = request.args.get("l", "")
    if code in languages():
        request_globals().language = languages().by_code[code]


@blueprint.get("/site.png")
def site() -> Response:
    """Draw the card of the site."""
    return _answer(("site",), lambda: _card_of_site)


@blueprint.get("/games/<game>.png")
def game(game: str) -> Response:
    """Draw the card of a game."""
    title = referee().library[game]
    return _answer(("game", title.slug, title.stamp), lambda: partial(_card_of_game, title))


@at_tables.get("/<id>.png")
def table(id: str) -> Response:
    """Draw the card of a table as a spectator sees it now."""
    return _of_table(id)


@blueprint.get("/records/<record>.png")
def record(record: str) -> Response:
    """Draw the card of a game that is over."""
    return _of_table(entry_of(record).table)


def _of_table(id: str) -> Response:
    table = views().status(id)
    locked = any(chair.pin is not None for chair in table.chairs)
    key = ("table", id, table.revision, referee().library.stamp(table), locked)

    def look() -> Callable[[bool], PreviewCard]:
        with place_for(table, address()):
            view = views().show(None, id)
        return lambda emblem: _card_of_view(view, emblem or locked)

    return _answer(key, look, FRESH)


def _answer(
    key: Hashable, look: Callable[[], Callable[[bool], PreviewCard]], seconds: float = FOR_EVER
) -> Response:
    """Return the card that is kept by a key, or draw it: with emblems where the game's code fails in it.

    `look` returns what makes the card, with emblems or without.
    """
    cards: BoundedCache[bytes] = current_app.extensions["cards"]
    square = request.args.get("shape") == "square"
    whole = key, language().code, square, request.script_root
    if cached := cards.get(whole, now()):
        return _sent(cached[0])
    make = look()
    try:
        png = _card_png(cards, run_template(NO_TABLE, "drawing its picture", make, False), square)
    except GameFault as fault:
        log.error("The card at %s cannot be drawn: %s", request.url_rule, fault)
        png = _card_png(cards, make(True), square)
    cards.put(whole, png, now() + seconds)
    return _sent(png)


def _card_png(cards: BoundedCache[bytes], card: PreviewCard, square: bool) -> bytes:
    """Return a card as PNG: one that shows the same, or a new one.

    Raises GameFault, Refused(TOO_FAST), Busy.
    """
    key = blake2b(repr((_shown(card), square)).encode(), digest_size=16).digest()
    if cached := cards.get(key, now()):
        return cached[0]
    with COSTLY.place(address()):
        limits().count("pictures")
        png = run_template(NO_TABLE, "drawing its picture", drawn, card, square)
    cards.put(key, png, FOR_EVER)
    return png


def _shown(card: PreviewCard) -> tuple[Any, ...]:
    """Return all that a card shows, to be compared."""
    flags = [(each.name, each.flag is not None and tostring(each.flag)) for each in card.players]
    return list(map(tostring, card.pictures)), card.heading, flags, *card[3:]


def _sent(png: bytes) -> Response:
    answer = Response(png, mimetype="image/png")
    answer.headers["Cache-Control"] = LASTING
    answer.set_etag(blake2b(png, digest_size=12).hexdigest())
    answer.make_conditional(request)
    return answer


# -- what is on them -------------------------------------------------------------------


def _card_of_site(emblem: bool) -> PreviewCard:
    titles = sorted(referee().library, key=lambda title: title.slug != FIRST)[:GAMES]
    slogan = catalogue.say("Board games with friends. Just send a link.")
    more = catalogue.say("No account, no app. Play now or over days, on any device.")
    return PreviewCard([_picture(each, emblem) for each in titles], _plain(slogan), [], text=_plain(more))


def _card_of_game(title: Title, emblem: bool) -> PreviewCard:
    blurb = readable(_plain(catalogue.game_words(title.blurb, title)), "")
    return PreviewCard([_picture(title, emblem)], _heading(title), [], text=blurb)


def _card_of_view(view: View, emblem: bool) -> PreviewCard:
    title = view.title
    seated = [seat for seat in view.places if not seat.free]
    moves = catalogue.phrases(catalogue.translations(title))["ngettext"](
        "%(num)s move.", "%(num)s moves.", view.newest
    )
    return PreviewCard(
        [_emblem(title) if emblem or view.spectators.held_back else _board(view)],
        _heading(title),
        [CardPlayer(_symbols().flag(seat.letter), _name(seat)) for seat in seated],
        _standing_sentence(view),
        _plain(moves) if view.newest else "",
    )


def _board(view: View) -> Element:
    """Return the position of a view, or the game's example where there is none yet; else the emblem."""
    if view.status is Status.OPEN:
        return _picture(view.title, False)
    if view.position.game is None or not view.title.picture:
        return _emblem(view.title)
    return _symbols().self_contained(draw_position(view.title, view.position.game))


def _picture(title: Title, emblem: bool) -> Element:
    """Return the picture of a game's example, or else its emblem."""
    drawing = "" if emblem else picture(title)
    return _symbols().self_contained(drawing) if drawing else _emblem(title)


def _emblem(title: Title) -> Element:
    own = f"{title.slug}-" if title.emblem in title.drawings else ""
    try:
        return _symbols().emblem(own + title.emblem)
    except CannotBeDrawn:
        return _symbols().emblem("logo")


def _heading(title: Title) -> str:
    return readable(_plain(catalogue.named(title)), title.slug)


def _standing_sentence(view: View) -> str:
    """Return how a game stands, as its page tells a spectator."""
    first_sentence = sentence(view)
    alone = view.status in (Status.PLAYING, Status.OVER) and not view.spectators.excluded
    text = _plain(first_sentence.rest if alone and first_sentence.rest else first_sentence.strong)
    if view.status is Status.OPEN:
        text = f"{text} {_plain(first_sentence.rest)}"
    for seat in view.places:
        text = text.replace(_plain(player_names(seat)), _name(seat))
    return readable(text, "")


def _name(seat: SeatView) -> str:
    return readable(_plain(player_names(seat)), FLAGS[seat.letter])


def _plain(text: Any) -> str:
    """Return words of a page without its marks."""
    return str(text.striptags()) if hasattr(text, "striptags") else str(text)


def _symbols() -> Symbols:
    """Return the drawings of the site and its games, read once."""
    symbols: Symbols | None = current_app.extensions["symbols"]
    if symbols is None:
        symbols = current_app.extensions["symbols"] = Symbols(current_app.extensions["sprite"])
    return symbols
