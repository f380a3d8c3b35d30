"""Sentences for people: names with their flags, whose turn it is, how long ago."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from gettext import NullTranslations
from typing import Any

from flask import current_app, g
from markupsafe import Markup, escape

from strifebarge.rules import Text, count
from strifebarge.rules.schema import seat_numbers
from strifebarge.rules.text import tell
from strifebarge.table.library import Title
from strifebarge.table.table import FLAGS, Chair
from strifebarge.table.view import Place, View

from .languages import language

MONTHS = [
    Text("January"),
    Text("February"),
    Text("March"),
    Text("April"),
    Text("May"),
    Text("June"),
    Text("July"),
    Text("August"),
    Text("September"),
    Text("October"),
    Text("November"),
    Text("December"),
]


def translations(title: Title | None = None) -> NullTranslations:
    """The catalogue of the language this page is in, with a game's own words or without."""
    return language().of(title)


@lru_cache(64)
def phrases(catalogue: NullTranslations) -> dict[str, Callable[..., Markup]]:
    """What a page's templates call to say a sentence, by the names they have for it.

    As Jinja's own, but for one catalogue, and each sentence is looked up once.
    """

    @lru_cache(4096)
    def words(sentence: str) -> Markup:
        return Markup(catalogue.gettext(sentence))  # noqa: S704 - out of templates and catalogues

    @lru_cache(4096)
    def whole(sentence: str) -> Markup:
        return words(sentence) % {}

    def one(sentence: str, /, **args: Any) -> Markup:
        return words(sentence) % args if args else whole(sentence)

    def counted(sentence: str, plural: str, num: int, /, **args: Any) -> Markup:
        return Markup(catalogue.ngettext(sentence, plural, num)) % {"num": num, **args}  # noqa: S704

    return {"_": one, "gettext": one, "ngettext": counted}


def say(sentence: str, **args: object) -> Markup:
    """A sentence of the site's own as HTML, its arguments escaped."""
    words = Markup(translations().gettext(sentence))  # noqa: S704 - our own words
    return words.format(**args) if "{" in words else words


def said(words: str, title: Title | None = None) -> Markup:
    """Words that stand somewhere in a game's classes, its labels and docstrings, as HTML."""
    return escape(translations(title).gettext(str(words))) if words else Markup()


def named(title: Title) -> Markup:
    """What a game is called."""
    return said(title.title, title)


class Aloud:
    """Tells a text in HTML: every word escaped, seats with flag and name."""

    def __init__(self, view: View | None, title: Title | None = None):
        self.view = view
        self.viewer = view.eyes if view else None
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

    word = staticmethod(escape)


def told(
    text: Text | dict[str, Any] | str | None, view: View | None = None, title: Title | None = None
) -> Markup:
    """A text, packed or not, as HTML for the one who looks at `view`, or at a page about a game."""
    if text is None:
        return Markup()
    if isinstance(text, str):
        return escape(text)
    aloud: Aloud | None = g.get("aloud")
    if aloud is None or aloud.view is not view or aloud.title is not (view.title if view else title):
        aloud = g.aloud = Aloud(view, title)
    return Markup(tell(text, aloud))  # noqa: S704 - every piece was escaped on its way


def flag(letter: str, css: str = "flag") -> Markup:
    """A seat's signal flag."""
    return _flag(current_app.jinja_env.globals["asset"]("sprite.svg"), letter, css)  # type: ignore[operator]


@lru_cache(256)
def _flag(sprite: str, letter: str, css: str) -> Markup:
    return Markup('<svg class="{}" aria-hidden="true" focusable="false"><use href="{}#f-{}"/></svg>').format(
        css, sprite, letter
    )


def called(who: Place | Chair) -> Markup:
    """What somebody is called; who gave no name, by their flag in the reader's language."""
    first = say("Guest {flag}", flag=FLAGS[who.letter]) if who.guest else escape(who.name)
    if not who.beside:
        return first
    others = [known_as(each if isinstance(each, str) else each.name) for each in who.beside]
    return Markup(" & ").join([first, *others])


def known_as(name: str) -> Markup:
    """A name as it was kept at the time; that of a flag in the reader's language."""
    guest, _, flag = name.partition(" ")
    if guest == "Guest" and flag.partition(" ")[0] in FLAGS.values():
        return say("Guest {flag}", flag=flag)
    return escape(name)


def name(place: Place) -> Markup:
    """A seat's flag, and who sits there, on one line."""
    # No space, however hard, keeps a drawing and a word together.
    return Markup(f'<span class="whole">{flag(place.letter)} <bdi>{called(place)}</bdi></span>')  # noqa: S704 - both are escaped


def instant(seconds: float | None) -> Markup:
    """A moment, for people and machines."""
    if seconds is None:
        return Markup()
    moment = datetime.fromtimestamp(seconds, UTC)
    words = say(
        "{day} {month} {year}, {time} UTC",
        day=moment.day,
        month=told(MONTHS[moment.month - 1]),
        year=moment.year,
        time=moment.strftime("%H:%M"),
    )
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(timespec="seconds"), words)


def machine(seconds: float) -> str:
    """A moment to the millisecond, as programs read it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def referee_now() -> float:
    """The time it is at the tables."""
    return float(current_app.extensions["referee"].now())


def day(seconds: float) -> Markup:
    """On which day a moment was."""
    moment = datetime.fromtimestamp(seconds, UTC)
    words = say(
        "on {day} {month} {year}", day=moment.day, month=told(MONTHS[moment.month - 1]), year=moment.year
    )
    return Markup('<time datetime="{}">{}</time>').format(moment.date().isoformat(), words)


def ago(seconds: float) -> Markup:
    """How long ago a moment was; the moment itself for machines, and for those who point at it."""
    exact = instant(seconds)
    relative = told(_since(int(referee_now() - seconds)))
    moment = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    return Markup('<time datetime="{}" title="{}">{}</time>').format(moment, exact.striptags(), relative)


def _since(past: int) -> Text:
    if past < 60:
        return Text("just now")
    if past < 3600:
        return count("{n} minute ago", "{n} minutes ago", past // 60)
    if past < 86400:
        return count("{n} hour ago", "{n} hours ago", past // 3600)
    return count("{n} day ago", "{n} days ago", past // 86400)


def number(value: float) -> Markup:
    """3, or 2.5 with the point or comma of the reader's language."""
    whole, point, part = f"{value:g}".partition(".")
    return say("{whole}.{part}", whole=whole, part=part) if point else escape(whole)


def players(title: Title) -> Markup:
    """For how many: `2 players`, `2-8 players`, `1-5 players`."""
    numbers = seat_numbers(title.rules)
    few, many = numbers[0], numbers[-1]
    number = str(few) if few == many else f"{few}–{many}"
    return say("{number} players", number=number)
