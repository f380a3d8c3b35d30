"""Terms of a game that a glossary explains: made links where they stand in a text."""

import logging
import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import NamedTuple

from markupsafe import Markup, escape

from strifebarge.lib.cached import cached_property
from strifebarge.rules.schema import Field
from strifebarge.tables.library.library import Title
from strifebarge.tables.view import View
from strifebarge.tables.view.learning import EXAMPLE, glossary
from strifebarge.web.http.request_store import link, this_app
from strifebarge.web.words import catalogue
from strifebarge.web.words.languages import language

ENDINGS = "(?:s|es|e|n|en|er|em)?"  # of a term within a sentence: `shares`, `Stufen`
# What is no text to be linked in: tags, with the whole of what is pressed already or is only read out; and
# what lies between them, if it is no word.
NO_TEXT = re.compile(
    r"""((?:(?:
    <a\b.*?</a>|<button\b.*?</button>|<summary\b.*?</summary>|<span[ ]class="vh">.*?</span>|<[^>]*>
    )[^\w<&]*)+)""",
    re.DOTALL | re.VERBOSE,
)
log = logging.getLogger("strifebarge")
MOST_TEXTS = 4096  # of each glossary that are remembered
SHORT = 200  # characters of such a text
NOT_A_LETTER = re.compile(r"\W+")


class Term(NamedTuple):
    """A word of a game, and what it means."""

    name: str
    meaning: str

    @property
    def anchor(self) -> str:
        """The name of its place on the page of the rules."""
        return "term-" + NOT_A_LETTER.sub("-", self.name.lower())


Occurrences = tuple[tuple[Term, int, int], ...]  # in the order of a text: from where to where each stands


class GameGlossary(NamedTuple):
    """The glossary of a game, in one language."""

    language: str
    terms: tuple[Term, ...]

    def within(self, texts: Iterable[str]) -> list[Term]:
        """Return the terms that stand in one of these texts, in the order of the glossary."""
        if not self.terms:
            return []
        terms = {term for term, _, _ in _finder(self.terms).in_any("\n".join(texts))}
        return [term for term in self.terms if term in terms]


def terms_of(title: Title) -> GameGlossary:
    """Return what a game's terms mean, in the reader's language or else in English; none if that fails."""
    cache: dict[tuple[str, str, str], GameGlossary] = this_app().extensions.setdefault("terms", {})
    key = (title.slug, title.stamp, language().code)
    if key not in cache:
        cache[key] = _read(title, key[-1])
    return cache[key]


def _read(title: Title, code: str) -> GameGlossary:
    try:
        spoken, meanings = glossary(title, code)
    except (OSError, ValueError) as wrong:
        log.error("The terms of %s cannot be explained: %s", title.slug, wrong)
        return GameGlossary("en", ())
    return GameGlossary(spoken, tuple(Term(name, meaning) for name, meaning in meanings.items()))


def words_of(fields: Iterable[Field], title: Title) -> list[Markup]:
    """Return all that the fields of a form say, in the reader's language."""
    texts = [(field.label, field.hint, *(choice.label for choice in field.choices)) for field in fields]
    return [catalogue.game_words(each, title) for group in texts for each in group]


class Finder:
    """Finds the terms of one glossary in texts."""

    def __init__(self, terms: tuple[Term, ...]):
        self.terms = terms
        self.by_words = {str(escape(term.name)).lower(): term for term in reversed(terms)}
        longest = sorted(self.by_words, key=len, reverse=True)  # of two that begin alike the longer one
        any_of_them = "|".join(f"({re.escape(each)})" for each in longest)
        self.pattern = re.compile(rf"\b(?:{any_of_them}){ENDINGS}\b", re.IGNORECASE)
        self.shortest = min(map(len, self.by_words), default=0)
        self.in_short = lru_cache(MOST_TEXTS)(self.in_any)

    def within(self, text: str) -> Occurrences:
        """Return where terms stand in a text; short texts are remembered, for boards repeat them."""
        return self.in_short(text) if len(text) <= SHORT else self.in_any(text)

    def in_any(self, text: str) -> Occurrences:
        """Return where terms stand in a text, by looking."""
        return tuple([(self._term(match), *match.span()) for match in self.pattern.finditer(text)])

    def _term(self, match: re.Match[str]) -> Term:
        return self.by_words[match[match.lastindex or 0].lower()]


@lru_cache(64)
def _finder(terms: tuple[Term, ...]) -> Finder:
    return Finder(terms)


class Linking(NamedTuple):
    """The parts of links of terms: how terms are found, where links lead, and what else each has."""

    finder: Finder
    page: str = ""  # "" is the page on which they stand
    more: str = ""  # attributes of each


@lru_cache(1024)  # parts of boards, most of which no move changes
def _terms_in(html: str, finder: Finder) -> Occurrences:
    """Return where terms stand in the texts of HTML."""
    occurrences, at = [], 0
    for index, part in enumerate(NO_TEXT.split(str(html))):
        if index % 2 == 0 and len(part) >= finder.shortest:  # a text, and not a mere space or number
            occurrences += [(term, at + start, at + end) for term, start, end in finder.within(part)]
        at += len(part)
    return tuple(occurrences)


def _linked(html: str, how: Linking, before: frozenset[Term]) -> tuple[str, frozenset[Term]]:
    """Return HTML with a link for the first of each term that was not seen before; and all seen by now."""
    occurrences = _terms_in(html, how.finder)
    if before.issuperset([term for term, _, _ in occurrences]):
        return html, before
    seen = {*before}
    return _with_links(str(html), occurrences, how, seen), frozenset(seen)


def _with_links(text: str, occurrences: Occurrences, how: Linking, seen: set[Term]) -> str:
    """Return a text with links, and note which terms were seen."""
    parts, done = [], 0
    for term, start, end in occurrences:
        if term not in seen:
            seen.add(term)
            about = f'href="{how.page}#{term.anchor}" title="{escape(term.meaning)}"'
            parts += [text[done:start], f'<a class="term" {about}{how.more}>{text[start:end]}</a>']
            done = end
    return "".join([*parts, text[done:]])


class Linker:
    """Makes the first of each term a link, in all that it is given one after the other."""

    def __init__(self, how: Linking | None):
        self.how = how  # None: it makes none
        self.seen: frozenset[Term] = frozenset()

    def __call__(self, html: str) -> Markup:
        """Return HTML with links to terms that it was not given before."""
        if self.how is not None:
            html, self.seen = _linked(html, self.how, self.seen)
        # A template's own output, and what is added is escaped.
        return html if type(html) is Markup else Markup(html)  # noqa: S704


class Explaining:
    """Makes the first of each term in a part of a board a link to its meaning."""

    def __init__(self, linking: Callable[[], Linking | None]):
        self.linking = linking  # called once, by the first part that is to be explained

    @cached_property
    def how(self) -> Linking | None:
        """How links are made; None: there are none."""
        return self.linking()

    def __call__(self, html: str) -> Markup:
        """Return one part of a board with links."""
        return Linker(self.how)(html)

    def in_turn(self) -> Linker:
        """Return what does so in several pieces that are one part together."""
        return Linker(self.how)


def explaining(view: View) -> Explaining:
    """Return what makes the first of each term in a part of a table's board a link to its meaning.

    The link opens "How to play" over the table, or without a script its page, which leads back.  Diagrams,
    which stand in that page, have none.
    """
    return Explaining(partial(_linking_of, view))


def _linking_of(view: View) -> Linking | None:
    terms = () if view.id == EXAMPLE else terms_of(view.title).terms
    if not terms:
        return None
    page = link()("manual.how", game=view.title.slug, table=view.id)
    return Linking(_finder(terms), page, " data-sheet")


def linked(html: Markup, terms: tuple[Term, ...]) -> Markup:
    """Return HTML in which the first of each term is a link to its place on this page."""
    return Linker(Linking(_finder(terms)) if terms else None)(html)
