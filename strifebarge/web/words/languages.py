"""The languages the site speaks, and the one a page is in.

A language is a file `strifebarge/locale/<code>.po`; a game brings its own words in `<code>.po` beside its
rules.  They are read when the site starts.  What a game does not say, the site's own file says; what
neither does is said in English.  A file of a game that cannot be read is named in the log and at /readyz,
and the game is played without it.
"""

import logging
from collections.abc import Iterator
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

import polib
from flask import Flask, has_request_context
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from strifebarge.lib.encoding import utf8
from strifebarge.settings.check import LOCALE
from strifebarge.tables.library.library import Library, Title
from strifebarge.web.http.request_store import APPLICATIONS, RequestStore, this_app, this_request
from strifebarge.web.http.session import current_player

COOKIE = "lang"
LONGEST = 200  # characters of an Accept-Language header that is remembered

log = logging.getLogger(__name__)


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
        """Return the catalogue for a page about this game, or about none."""
        return self.games.get(title.slug, self.site) if title else self.site

    def add(self, slug: str, catalogue: NullTranslations) -> None:
        """Add the words of one game."""
        catalogue.add_fallback(self.site)
        self.games[slug] = catalogue


ENGLISH = Language("en", "English", "ltr", NullTranslations())


class Languages:
    """All languages there are, by their codes; English always is."""

    def __init__(self, library: Library, usual: str = "en"):
        self.unreadable: list[Path] = []  # files of games
        languages = [ENGLISH, *self._read_languages(library)]
        self.by_code = {language.code: language for language in languages}
        self._best_cached = lru_cache(256)(self._best)  # what browsers send is mostly the same
        self.usual = self.by_code.get(usual) or self.by_code.get(usual.partition("-")[0]) or ENGLISH

    def __iter__(self) -> Iterator[Language]:
        return iter(self.by_code.values())

    def __contains__(self, code: object) -> bool:
        return code in self.by_code

    def chosen(self) -> Language:
        """Return the language chosen in this browser or by the person, else the one the browser asks for."""
        request = this_request()
        if chosen := self.by_code.get(request.cookies.get(COOKIE, "")):
            return chosen
        person = current_player()
        if person and (chosen := self.by_code.get(person.preferences.get(COOKIE, ""))):
            return chosen
        return self.asked_for(request.headers.get("Accept-Language", ""))

    def asked_for(self, accepted: str) -> Language:
        """Return the language that an Accept-Language header asks for, or the usual one."""
        return self._best_cached(accepted) if len(accepted) <= LONGEST else self._best(accepted)

    def _best(self, accepted: str) -> Language:
        codes = [self.usual.code, *(code for code in self.by_code if code != self.usual.code)]
        best = parse_accept_header(accepted, LanguageAccept).best_match(codes)
        return self.by_code[best] if best else self.usual

    def _read_languages(self, library: Library) -> Iterator[Language]:
        for path in sorted(LOCALE.glob("*.po")):
            translations = _read(path)
            about = translations.info()
            language = Language(
                path.stem, about.get("x-name", path.stem), about.get("x-direction", "ltr"), translations
            )
            for title in library:
                if (own := title.folder / path.name).is_file() and (catalogue := self._of_game(own)):
                    language.add(title.slug, catalogue)
            yield language

    def _of_game(self, path: Path) -> GNUTranslations | None:
        try:
            return _read(path)
        except Exception as error:  # whatever an author may have written
            self.unreadable.append(path)
            log.error("%s cannot be read, and is left out: %s: %s", path, type(error).__name__, error)
            return None


def prepare(app: Flask) -> None:
    usual = app.extensions["settings"].language
    app.extensions["languages"] = Languages(app.extensions["referee"].library, usual)


def languages() -> Languages:
    """Return the languages in which pages are made."""
    extension: Languages = this_app().extensions["languages"]
    return extension


def language() -> Language:
    """Return the language of the page being made; English where there is no page."""
    try:
        g: RequestStore = APPLICATIONS.get().g  # a page asks for this dozens of times
    except LookupError:
        return ENGLISH
    if g.language is None:
        if not has_request_context():
            return ENGLISH
        g.language = languages().chosen()
    chosen: Language = g.language
    return chosen


def _read(path: Path) -> GNUTranslations:
    return GNUTranslations(BytesIO(_packed(path, path.stat().st_mtime_ns)))


@lru_cache(256)
def _packed(path: Path, changed: int) -> bytes:
    """Compile the sure translations of a file for gettext; cached, for it takes long."""
    packed: bytes = polib.pofile(utf8(path.read_bytes()).decode(), encoding="utf-8").to_binary()
    return packed
