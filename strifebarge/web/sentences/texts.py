"""Texts of games and of the site as HTML, in the eyes of one viewer."""

from typing import Any

from flask import g
from markupsafe import Markup, escape

from strifebarge.rules import Refused, Text
from strifebarge.rules.text import tell
from strifebarge.table.library import Title
from strifebarge.table.view import View

from ..templating import printed
from .catalogue import translations
from .names import name


class Aloud:
    """A reader of texts in HTML: every word escaped, seats with flag and name."""

    def __init__(self, view: View | None, title: Title | None = None):
        self.view = view
        self.viewer = view.viewer.eyes if view else None
        self.title = view.title if view else title
        self.words = translations(self.title)
        self.names: dict[int, Markup] = {}  # a page says each of them many times

    def sentence(self, text: str, plural: str, n: int) -> str:
        if not text:  # which gettext takes for the question who translated it
            return ""
        return self.words.ngettext(text, plural, n) if plural else self.words.gettext(text)

    def seat(self, number: int) -> str:
        if self.view is None or number >= len(self.view.places):
            return escape(str(number + 1))
        if number not in self.names:
            self.names[number] = name(self.view.places[number])
        return self.names[number]

    word = staticmethod(printed)


def told(
    text: Text | dict[str, Any] | str | None, view: View | None = None, title: Title | None = None
) -> Markup:
    """Return a text, packed or not, as HTML for the viewer of `view`, or of a page about a game."""
    if text is None:
        return Markup()
    if isinstance(text, str):
        return escape(text)
    aloud: Aloud | None = g.get("aloud")
    if aloud is None or aloud.view is not view or aloud.title is not (view.title if view else title):
        aloud = g.aloud = Aloud(view, title)
    return Markup(tell(text, aloud))  # noqa: S704 - every piece was escaped on its way


def notice_of(no: Refused | None) -> dict[str, Any]:
    """Return what a template shows of a refusal: its sentence, and its token for programs."""
    return {"notice": told(no.text), "token": no.token} if no else {"notice": "", "token": ""}
