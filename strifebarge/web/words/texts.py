"""Texts of games and of the site as HTML, in the eyes of one viewer.

Texts about a game are kept by their words and arguments, the language, and the names of the seats.  Whether
the viewer counts too is seen while a text is told: it asks whether its reader has one of some seats.  To all
who have none of these it is the same text; for each of the others it is kept by itself.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup, escape

from strifebarge.rules import Refused, Text
from strifebarge.rules.text import Translator, pack_text, tell
from strifebarge.tables.library.library import Title
from strifebarge.tables.view import SeatView, View
from strifebarge.web.http.request_store import request_globals
from strifebarge.web.render.keeping import PieceCache
from strifebarge.web.render.templating import escaped, in_ascii
from strifebarge.web.words.catalogue import translations
from strifebarge.web.words.names import with_flags

MOST = 2 * 1024 * 1024  # bytes of told texts that a process keeps, of all games together

_written = msgspec.msgpack.Encoder().encode


class RenderedText(NamedTuple):
    """A text as HTML, and the seats that may be told something else."""

    html: Markup
    seats: frozenset[int]


RENDERED_TEXTS: PieceCache[RenderedText] = PieceCache(MOST)


class HtmlTeller(Translator):
    """A reader of texts in HTML: every word escaped, seats with flag and name."""

    def __init__(self, view: View | None, title: Title | None = None):
        self.view = view
        self.title = view.title if view else title
        self.words = translations(self.title)
        self.asked_about: set[int] = set()  # seats that may be told something else
        # All that a text depends on beside itself and the viewer: its language, and the names of seats.
        self.key = self.words, _names_of(view.places)[1] if view else ""

    def is_one_of(self, seats: Collection[int]) -> bool:
        """Return whether texts are told for the eyes of one of these seats; that this was asked is noted."""
        self.asked_about.update(seats)
        return self.view is not None and self.view.viewer.is_one_of(seats)

    def render(self, packed: Mapping[str, Any]) -> Markup:
        """Return a packed text as HTML, told now or before."""
        try:
            key = self.key, _written(packed)
        except (TypeError, ValueError, OverflowError):  # a value that cannot be written
            return Markup(tell(packed, self))  # noqa: S704 - every piece was escaped on its way
        fragment = RENDERED_TEXTS.get(key)
        if fragment is None or self.is_one_of(fragment.seats):
            own = *key, self.view.viewer.cache_identity if self.view else None
            fragment = RENDERED_TEXTS.get(own) or self._render(packed, key, own)
            self.is_one_of(fragment.seats)  # so that whatever holds the text is kept for the same readers
        return fragment.html

    def _render(
        self, packed: Mapping[str, Any], for_others: tuple[Any, ...], own: tuple[Any, ...]
    ) -> RenderedText:
        """Tell a text, and keep it: for all seats that it does not ask about, or for this reader alone.

        A reader of whom each of its questions has the same answer is told the same.
        """
        self.asked_about = set()
        html = Markup(in_ascii(tell(packed, self)))  # noqa: S704 - every piece was escaped on its way
        fragment = RenderedText(html, frozenset(self.asked_about))
        RENDERED_TEXTS.put(own if self.is_one_of(fragment.seats) else for_others, fragment)
        return fragment

    def seat(self, number: int) -> str:
        if self.view is None or number >= len(self.view.places):
            return escape(str(number + 1))
        return _names_of(self.view.places)[0][number]

    word = staticmethod(escaped)


def _names_of(places: list[SeatView]) -> tuple[tuple[Markup, ...], str]:
    """Return the names of all seats, one by one and joined; made once for texts that follow one another."""
    g = request_globals()
    cached: tuple[list[SeatView], tuple[tuple[Markup, ...], str]] | None = g.names_of
    if cached is None or cached[0] is not places:
        each = with_flags(places)
        cached = g.names_of = places, (each, "".join(each))
    return cached[1]


def render_text(
    text: Text | dict[str, Any] | str | None, view: View | None = None, title: Title | None = None
) -> Markup:
    """Return a text, packed or not, as HTML for the viewer of `view`, or of a page about a game."""
    if text is None:
        return Markup()
    if isinstance(text, str):
        return escape(text)
    g = request_globals()
    aloud: HtmlTeller | None = g.aloud
    if aloud is None or aloud.view is not view or aloud.title is not (view.title if view else title):
        aloud = g.aloud = HtmlTeller(view, title)
    return aloud.render(pack_text(text) if isinstance(text, Text) else text)


def notice_of(refused: Refused | None) -> dict[str, Any]:
    """Return what a template shows of a refusal: its sentence, and its token for programs."""
    return (
        {"notice": render_text(refused.text), "token": refused.token}
        if refused
        else {"notice": "", "token": ""}
    )
