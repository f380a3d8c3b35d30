"""Sentences with named arguments, told to each reader in their own words.

What is kept is the sentence and its arguments, never the finished line: who
reads it decides the language, the names, and what they may know.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from string import Formatter
from typing import Any, Protocol

from msgspec import Struct


class Text(Struct, frozen=True):
    """A keyed sentence: `Text("{seat} fires at {square}.", {"seat": ann, "square": "K9"})`.

    With `plural` the argument `n` chooses between the two (gettext's ngettext).
    """

    sentence: str
    args: Mapping[str, Any] = {}
    plural: str = ""

    def __str__(self) -> str:
        return tell(self, None)


def count(one: str, many: str, n: int, /, **args: Any) -> Text:
    """A sentence about `n` things: `count("{n} card", "{n} cards", 3)`."""
    return Text(one, {"n": n, **args}, many)


class Teller(Protocol):
    """Someone's ears: the language they hear and how a seat is named to them.

    What these give is told as it is: a teller of HTML has to escape it.
    """

    viewer: int | None

    def sentence(self, text: str, plural: str, n: int) -> str: ...
    def seat(self, number: int) -> str: ...
    def word(self, value: str) -> str: ...


class PlainTeller:
    """English, and seats by number: for tests and records."""

    def __init__(self, viewer: int | None = None, names: Callable[[int], str] | None = None):
        self.viewer = viewer
        self.seat = names or (lambda number: f"P{number}")

    def sentence(self, text: str, plural: str, n: int) -> str:
        return plural if plural and n != 1 else text

    def word(self, value: str) -> str:
        return value


def tell(text: Text | Mapping[str, Any] | str, teller: Teller | int | None) -> str:
    """A sentence in the words one reader may hear; `text` may be its packed form too."""
    ears = PlainTeller(teller) if teller is None or isinstance(teller, int) else teller
    packed = text if isinstance(text, Mapping) else pack(text)
    return _tell_arg(packed, "", ears)


@lru_cache(4096)
def pieces(sentence: str) -> tuple[tuple[str, str | None, str], ...]:
    """A sentence in pieces: words, the argument after them, and the words for those who may not know it."""
    parsed = Formatter().parse(sentence)
    return tuple((literal, name, otherwise or "") for literal, name, otherwise, _ in parsed)


def _tell(packed: Mapping[str, Any], ears: Teller) -> str:
    args = packed.get("args", {})
    sentence = ears.sentence(packed["text"], packed.get("plural", ""), args.get("n", 1))
    # The pieces are joined one by one, so that a name holding braces stays a name.
    told = []
    for literal, name, otherwise in pieces(sentence):
        if literal:
            told.append(ears.word(literal))
        if name is not None:
            told.append(_tell_arg(args[name], otherwise, ears))
    return "".join(told)


def _tell_arg(arg: Any, otherwise: str, ears: Teller) -> str:
    if type(arg) is str:
        return ears.word(arg)
    match arg:
        case {"seat": int(number)}:
            return ears.seat(number)
        case {"secret": content, "known": known}:
            may_know = None in known or (ears.viewer is not None and ears.viewer in known)
            return _tell_arg(content, "", ears) if may_know else ears.word(otherwise)
        case {"text": _}:
            return _tell(arg, ears)
        case [*several]:
            return ", ".join(_tell_arg(each, "", ears) for each in several)
        case None:
            return ears.word(otherwise)
    return ears.word(str(arg))


def pack(thing: Any) -> Any:
    """A text, or an argument of one, as plain JSON that keeps its secrets marked.

    Seats become `{"seat": n}`, secrets `{"secret": …, "known": […]}`, sentences and
    words of the game `{"text": …}`; numbers and strings stay.  Raises TypeError,
    also for a sentence that names an argument it is not given.
    """
    from .game import Seat  # a Seat is told by name, and Game needs Text
    from .hidden import Secret

    match thing:
        case Text():
            _must_have_all(thing)
            packed: dict[str, Any] = {"text": thing.sentence}
            if thing.args:
                packed["args"] = {name: pack(arg) for name, arg in thing.args.items()}
            if thing.plural:
                packed["plural"] = thing.plural
            return packed
        case Seat():
            return {"seat": thing.number}
        case Secret():
            known = sorted(thing.known, key=lambda seat: -1 if seat is None else seat)
            return {"secret": pack(thing.value), "known": known}
        case Enum():
            return pack(thing.text) if hasattr(thing, "text") else {"text": _escaped(str(thing.value))}
        case None | bool() | int() | float() | str():
            return thing
        case list() | tuple():
            return [pack(each) for each in thing]
    if hasattr(thing, "text"):
        return pack(thing.text)
    raise TypeError(f"no words for {thing!r}")


def _must_have_all(text: Text) -> None:
    # Now, where the author sees it, and not whenever somebody reads the log.
    for sentence in filter(None, (text.sentence, text.plural)):
        if missing := {name for _, name, _ in pieces(sentence) if name is not None} - text.args.keys():
            raise TypeError(f"“{sentence}” is not given {', '.join(sorted(missing))}")


def _escaped(word: str) -> str:
    return word.replace("{", "{{").replace("}", "}}")
