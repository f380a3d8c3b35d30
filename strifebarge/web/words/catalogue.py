"""Sentences in the reader's language: out of the site's catalogue, or of a game's own."""

from collections.abc import Callable
from functools import lru_cache
from gettext import NullTranslations
from typing import Any

from markupsafe import Markup, escape

from strifebarge.tables.library.library import Title
from strifebarge.web.render.templating import escaped, in_ascii
from strifebarge.web.words.languages import language

NUMBERS = frozenset({int, float})


def translations(title: Title | None = None) -> NullTranslations:
    """Return the catalogue of the page's language, with a game's own words or without."""
    return language().of(title)


@lru_cache(64)
def phrases(catalogue: NullTranslations) -> dict[str, Callable[..., Markup]]:
    """Return the functions that templates call to say a sentence, by the names they have for it.

    They are as Jinja's own, but for one catalogue, and each sentence is looked up once.
    """

    @lru_cache(4096)
    def translated(sentence: str) -> Markup:
        return Markup(in_ascii(catalogue.gettext(sentence)))  # noqa: S704 - out of templates and catalogues

    @lru_cache(4096)
    def whole(sentence: str) -> Markup:
        return translated(sentence) % {}

    def one(sentence: str, /, **args: Any) -> Markup:
        return filled(translated(sentence), args) if args else whole(sentence)

    def counted(sentence: str, plural: str, num: int, /, **args: Any) -> Markup:
        args["num"] = num
        return filled(in_ascii(catalogue.ngettext(sentence, plural, num)), args)

    return {"_": one, "gettext": one, "ngettext": counted}


def filled(sentence: str, args: dict[str, Any]) -> Markup:
    """Return a sentence out of a template or a catalogue with its `%(name)s` filled in, each escaped."""
    # Markup's own way of formatting takes many times as long.  Numbers remain: there may be a `%(name).1f`.
    values = {name: value if type(value) in NUMBERS else escaped(value) for name, value in args.items()}
    return Markup(str.__mod__(sentence, values))  # noqa: S704 - each is escaped


def say(sentence: str, **args: object) -> Markup:
    """Return a sentence of the site's own as HTML, its arguments escaped."""
    text = in_ascii(translations().gettext(sentence))
    if "{" in text:  # escaped here, for Markup's own way of formatting takes many times as long
        text = text.format(**{name: escape(value) for name, value in args.items()})
    return Markup(text)  # noqa: S704 - our own words


def game_words(text: str, title: Title | None = None) -> Markup:
    """Return words of a game's classes, its labels and docstrings, as HTML."""
    return _said_in(translations(title), str(text)) if text else Markup()


@lru_cache(4096)
def _said_in(catalogue: NullTranslations, text: str) -> Markup:
    return in_ascii(escape(catalogue.gettext(text)))


def named(title: Title) -> Markup:
    """Return the name of a game."""
    return game_words(title.title, title)
