"""Terms of a game that a glossary explains: made links where they stand in a text."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from flask import current_app, url_for
from markupsafe import Markup, escape

from strifebarge.rules.schema import Field
from strifebarge.table.learning import EXAMPLE, glossary
from strifebarge.table.library import Title
from strifebarge.table.view import View

from .languages import language
from .sentences import catalogue

ENDINGS = "(?:s|es|e|n|en|er|em)?"  # of a term within a sentence: `shares`, `Stufen`
# What is no text to be linked in: a tag, and the whole of what is pressed already, or is only read out.
NO_TEXT = re.compile(
    r"""(<a\b.*?</a>|<button\b.*?</button>|<summary\b.*?</summary>|<span class="vh">.*?</span>|<[^>]*>)""",
    re.DOTALL,
)
NOT_A_LETTER = re.compile(r"\W+")


class Term(NamedTuple):
    """A word of a game, and what it means."""

    words: str
    meaning: str

    @property
    def anchor(self) -> str:
        """The name of its place on the page of the rules."""
        return "term-" + NOT_A_LETTER.sub("-", self.words.lower())


class Terms(NamedTuple):
    """The glossary of a game, in one language."""

    language: str
    terms: tuple[Term, ...]

    def within(self, texts: Iterable[str]) -> list[Term]:
        """Return the terms that stand in one of these texts, in the order of the glossary."""
        if not self.terms:
            return []
        pattern, together = _pattern(self.terms), "\n".join(texts)
        found = {_term(self.terms, match) for match in pattern.finditer(together)}
        return [term for term in self.terms if term in found]


def terms_of(title: Title) -> Terms:
    """Return what a game's terms mean, in the reader's language or else in English."""
    kept: dict[tuple[str, str, str], Terms] = current_app.extensions.setdefault("terms", {})
    key = (title.slug, title.stamp, language().code)
    if key not in kept:
        code, meanings = glossary(title, language().code)
        kept[key] = Terms(code, tuple(Term(words, meaning) for words, meaning in meanings.items()))
    return kept[key]


def words_of(fields: Iterable[Field], title: Title) -> list[Markup]:
    """Return all that the fields of a form say, in the reader's language."""
    said = [(field.label, field.hint, *(choice.label for choice in field.choices)) for field in fields]
    return [catalogue.said(each, title) for words in said for each in words]


def explaining(view: View) -> Callable[[str], Markup]:
    """Return a function that makes the first of each term in a part of a table's board a link to its meaning.

    The link opens "How to play" over the table, or without a script its page, which leads back.  Diagrams,
    which stand in that page, have none.
    """
    if view.id == EXAMPLE:
        return Markup
    terms = terms_of(view.title).terms
    page = url_for("manual.how", game=view.title.slug, table=view.id)
    return lambda html: linked(Markup(html), terms, page, " data-sheet")  # noqa: S704 - a template's own output


@lru_cache(512)  # parts of boards, most of which no move changes
def linked(html: Markup, terms: tuple[Term, ...], page: str = "", more: str = "") -> Markup:
    """Return HTML in which the first of each term is a link to its place on a page; "" is this one.

    `more`: attributes that each link gets.
    """
    if not terms:
        return html
    pattern, seen = _pattern(terms), set()

    def link(match: re.Match[str]) -> str:
        term = _term(terms, match)
        if term in seen:
            return match[0]
        seen.add(term)
        about = f'href="{page}#{term.anchor}" title="{escape(term.meaning)}"'
        return f'<a class="term" {about}{more}>{match[0]}</a>'

    parts = NO_TEXT.split(html)
    parts[::2] = [pattern.sub(link, part) for part in parts[::2]]
    return Markup("".join(parts))  # noqa: S704 - it was HTML, and what is added is escaped


@lru_cache(64)
def _pattern(terms: tuple[Term, ...]) -> re.Pattern[str]:
    """Return what finds any of the terms; of two that begin alike the longer one."""
    longest = sorted((str(escape(term.words)) for term in terms), key=len, reverse=True)
    any_of_them = "|".join(f"({re.escape(each)})" for each in longest)
    return re.compile(rf"\b(?:{any_of_them}){ENDINGS}\b", re.IGNORECASE)


def _term(terms: tuple[Term, ...], match: re.Match[str]) -> Term:
    """Return the term that was found."""
    words = str(match[match.lastindex or 0]).lower()
    return next(term for term in terms if escape(term.words).lower() == words)
