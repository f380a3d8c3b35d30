"""The languages the site speaks, and the one a page is in.

A language is a file `strifebarge/locale/<code>.po`; a game brings its own words in `<code>.po` beside its
rules.  They are read when the site starts.  What a game does not say, the site's own file says; what
neither does is said in English.
"""

from collections.abc import Iterator
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

import polib
from flask import Flask, current_app, g, has_request_context, request

from strifebarge.table.library import Library, Title

from .people import who

LOCALE = Path(__file__).parent.parent / "locale"
COOKIE = "lang"


class Language:
    """One language: how it calls itself, which way it is written, and its catalogues.

    A game's words go before the site's: a draw is one thing in chess and another at cards.
    """

    def __init__(self, code: str, name: str, direction: str, site: NullTranslations):
        self.code = code
        self.name = name
        self.direction = direction
        self.site = site
        self.games: dict[str, NullTranslations] = {}

    def of(self, title: Title | None) -> NullTranslations:
        """The catalogue for a page about this game, or about none."""
        return self.games.get(title.slug, self.site) if title else self.site

    def add(self, slug: str, catalogue: NullTranslations) -> None:
        """The words of one game."""
        catalogue.add_fallback(self.site)
        self.games[slug] = catalogue


ENGLISH = Language("en", "English", "ltr", NullTranslations())


class Languages:
    """All languages there are, by their codes; English always is."""

    def __init__(self, library: Library, usual: str = "en"):
        found = [ENGLISH, *_found(library)]
        self.by_code = {language.code: language for language in found}
        self.usual = self.by_code.get(usual) or self.by_code.get(usual.partition("-")[0]) or ENGLISH

    def __iter__(self) -> Iterator[Language]:
        return iter(self.by_code.values())

    def __contains__(self, code: str) -> bool:
        return code in self.by_code

    def chosen(self) -> Language:
        """As chosen in this browser, or by this person in another; as it asks for, or else the usual one."""
        if chosen := self.by_code.get(request.cookies.get(COOKIE, "")):
            return chosen
        person = who()
        if person and (chosen := self.by_code.get(person.preferences.get(COOKIE, ""))):
            return chosen
        codes = [self.usual.code, *(code for code in self.by_code if code != self.usual.code)]
        asked = request.accept_languages.best_match(codes)
        return self.by_code[asked] if asked else self.usual


def prepare(app: Flask) -> None:
    usual = app.extensions["settings"].language
    app.extensions["languages"] = Languages(app.extensions["referee"].library, usual)


def language() -> Language:
    """The language of the page being made; English where there is no page."""
    if not has_request_context():
        return ENGLISH
    if "language" not in g:
        g.language = current_app.extensions["languages"].chosen()
    found: Language = g.language
    return found


def _found(library: Library) -> Iterator[Language]:
    for path in sorted(LOCALE.glob("*.po")):
        words = _read(path)
        about = words.info()
        language = Language(path.stem, about.get("x-name", path.stem), about.get("x-direction", "ltr"), words)
        for title in library:
            own = title.folder / path.name
            if own.is_file():
                language.add(title.slug, _read(own))
        yield language


def _read(path: Path) -> GNUTranslations:
    return GNUTranslations(BytesIO(_packed(path, path.stat().st_mtime_ns)))


@lru_cache(256)
def _packed(path: Path, changed: int) -> bytes:
    """All that is translated and sure in a file, as gettext reads it: that takes long, and is asked again."""
    packed: bytes = polib.pofile(str(path), encoding="utf-8").to_binary()
    return packed
