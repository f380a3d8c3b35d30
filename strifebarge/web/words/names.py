"""The names of players, with the flags of their seats."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from gettext import NullTranslations
from operator import attrgetter

from markupsafe import Markup, escape

from strifebarge.rules import Text
from strifebarge.tables.model.bots import parts_of_name
from strifebarge.tables.model.chair import FLAGS, GUEST, Chair, is_guest_name
from strifebarge.tables.view import SeatView
from strifebarge.web.http.request_store import asset
from strifebarge.web.words.catalogue import say, translations

LEVELS = {"easy": Text("Easy"), "medium": Text("Medium"), "hard": Text("Hard")}  # of bots
BOTS = {"easy": Text("Bot (easy)"), "medium": Text("Bot (medium)"), "hard": Text("Bot (hard)")}


def flag(letter: str, css: str = "flag") -> Markup:
    """Return the drawing of a seat's signal flag."""
    return _flag(asset("sprite.svg"), letter, css)


@lru_cache(256)
def _flag(sprite: str, letter: str, css: str) -> Markup:
    return Markup('<svg class="{}" aria-hidden="true" focusable="false"><use href="{}#f-{}"/></svg>').format(
        css, sprite, letter
    )


# What a seat is called by: the letter of its flag, its name, whether it is free, its coplayers' names.
Call = tuple[str, str, bool, tuple[str, ...]]
_call: Callable[[SeatView], Call] = attrgetter("letter", "name", "free", "coplayers")


def player_names(who: SeatView | Chair) -> Markup:
    """Return the names of all who play a seat, or that it is free."""
    if isinstance(who, Chair):
        coplayers = tuple([each.name for each in who.coplayers])
        call = who.letter, who.called, who.player is None, coplayers
    else:
        call = _call(who)
    return _player_names(translations(), call)


def all_called(places: Iterable[SeatView]) -> tuple[Markup, ...]:
    """Return the names of all who play, by seat."""
    return _all_called(translations(), tuple(map(_call, places)))


@lru_cache(1024)
def _all_called(catalogue: NullTranslations, calls: tuple[Call, ...]) -> tuple[Markup, ...]:
    """Return the names of all who play: a table has the same for many pages."""
    return tuple([_player_names(catalogue, call) for call in calls])


@lru_cache(1024)
def _player_names(_language: NullTranslations, call: Call) -> Markup:
    """Return names of a seat: a page says each of them many times."""
    letter, name, free, coplayers = call
    first = say("{flag} (free)", flag=FLAGS[letter]) if free else known_as(name)
    return Markup(" & ").join([first, *map(known_as, coplayers)])


def known_as(name: str) -> Markup:
    """Return a name that was kept; those of flags and of bots in the reader's language."""
    if bot := parts_of_name(name):
        level, number = bot
        return Markup(" ").join(filter(None, [say(BOTS[level].sentence), escape(number)]))
    return say("Guest {flag}", flag=name.removeprefix(f"{GUEST} ")) if is_guest_name(name) else escape(name)


def own_name(name: str) -> str:
    """Return a name as its person may edit it: "" where the site has given it."""
    return "" if is_guest_name(name) else name


def name(seat: SeatView) -> Markup:
    """Return a seat's flag and its players' names, on one line."""
    return _whole(flag(seat.letter), player_names(seat))


def with_flags(places: Iterable[SeatView]) -> tuple[Markup, ...]:
    """Return the flags and names of all who play, by seat, each as `name` does."""
    return _with_flags(translations(), tuple(map(_call, places)), asset("sprite.svg"))


@lru_cache(1024)
def _with_flags(catalogue: NullTranslations, calls: tuple[Call, ...], sprite: str) -> tuple[Markup, ...]:
    flags = [_flag(sprite, letter, "flag") for letter, *_ in calls]
    return tuple(map(_whole, flags, _all_called(catalogue, calls)))


@lru_cache(1024)
def _whole(flag: Markup, called: Markup) -> Markup:
    # No space, however hard, keeps a drawing and a word together.
    return Markup(f'<span class="whole">{flag} <bdi>{called}</bdi></span>')  # noqa: S704 - both are escaped


def names(places: list[SeatView]) -> Markup:
    """Return the names of several seats: Ann, Ben and Cleo."""
    each = [Markup(f"<bdi>{player_names(seat)}</bdi>") for seat in places]  # noqa: S704 - it is escaped
    if not each:
        return say("nobody")
    if len(each) == 1:
        return each[0]
    return say("{several} and {last}", several=Markup(", ").join(each[:-1]), last=each[-1])
