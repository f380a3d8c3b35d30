"""Sentences with named arguments, told to each reader in their own words.

What is kept is the sentence and its arguments, never the finished line: who
reads it decides the language, the names, and what they may know.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum
from functools import lru_cache
from gettext import NullTranslations
from string import Formatter
from types import NoneType
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
    """Return a sentence about `n` things: `count("{n} card", "{n} cards", 3)`."""
    return Text(one, {"n": n, **args}, many)


class Teller(Protocol):
    """Someone's ears: the language they hear, how a seat is named to them, and whose ears they are.

    What these give is told as it is: a teller of HTML has to escape it.
    """

    def is_one_of(self, seats: Collection[int]) -> bool: ...
    def sentence(self, text: str, plural: str, n: int) -> str: ...
    def seat(self, number: int) -> str: ...
    def word(self, value: str) -> str: ...


class PlainTeller:
    """English, and seats by number: for tests and records."""

    def __init__(self, viewer: int | None = None, names: Callable[[int], str] | None = None):
        self.viewer = viewer
        self.seat = names or (lambda number: f"P{number}")

    def is_one_of(self, seats: Collection[int]) -> bool:
        return self.viewer is not None and self.viewer in seats

    def sentence(self, text: str, plural: str, n: int) -> str:
        return plural if plural and n != 1 else text

    def word(self, value: str) -> str:
        return value


class Translator:
    """The part of a teller that translates by a catalogue, `wording`."""

    words: NullTranslations

    def sentence(self, text: str, plural: str, n: int) -> str:
        if not text:  # for which a catalogue has its header
            return ""
        return self.words.ngettext(text, plural, n) if plural else self.words.gettext(text)


def tell(text: Text | Mapping[str, Any] | str, teller: Teller | int | None) -> str:
    """Tell a sentence in the words that one reader may hear; `text` may be its packed form too."""
    ears = PlainTeller(teller) if teller is None or isinstance(teller, int) else teller
    packed = text if isinstance(text, Mapping) else pack(text)
    return _tell_arg(packed, "", ears)


@lru_cache(4096)
def pieces(sentence: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return a sentence in pieces: words, the argument after them, and what follows its colon.

    That is the words for viewers who may not know a secret; of a seat the words for that seat itself.
    """
    parsed = Formatter().parse(sentence)
    return tuple((literal, name, otherwise or "") for literal, name, otherwise, _ in parsed)


def _tell(packed: Mapping[str, Any], ears: Teller) -> str:
    args = packed.get("args", {})
    sentence = ears.sentence(packed["text"], packed.get("plural", ""), args.get("n", 1))
    # The pieces are joined one by one, so that a name holding braces stays a name.
    parts = []
    for literal, name, otherwise in pieces(sentence):
        if literal:
            parts.append(ears.word(literal))
        if name is not None:
            parts.append(_tell_arg(args[name], otherwise, ears))
    return "".join(parts)


def _tell_arg(arg: Any, otherwise: str, ears: Teller) -> str:
    if type(arg) is str:
        return ears.word(arg)
    match arg:
        case {"seat": int(number)}:
            return _tell_seat(number, otherwise, ears)
        case {"secret": content, "known": readers}:
            may_know = None in readers or ears.is_one_of(readers)
            return _tell_arg(content, "", ears) if may_know else ears.word(otherwise)
        case {"text": _}:
            return _tell(arg, ears)
        case [*several]:
            return ", ".join(_tell_arg(each, "", ears) for each in several)
        case None:
            return ears.word(otherwise)
    return ears.word(str(arg))


def _tell_seat(number: int, wording: str, ears: Teller) -> str:
    """Tell of a seat: `{seat:You| is}` is `You` to that seat itself, and `Ann is` to all others."""
    itself, _, after = wording.partition("|")
    if itself and ears.is_one_of((number,)):
        return ears.word(itself)
    return "".join((ears.seat(number), ears.word(after)))  # `+` looks whether what is added is HTML too


def pack(value: Any) -> Any:
    """Pack a text, or an argument of one, as plain JSON that keeps its secrets marked.

    Seats become `{"seat": n}`, secrets `{"secret": …, "known": […]}`, sentences and
    words of the game `{"text": …}`; numbers and strings stay.  Seats and secrets say it
    themselves, where they are defined.  Raises TypeError, also for a sentence that names
    an argument it is not given.
    """
    return PACKERS[type(value)](value)


class Packers(dict[type, Callable[[Any], Any]]):
    """The functions that pack things, by their class; for a class derived from others, the nearest one's.

    An enum is packed by its words, whatever else it is derived from.  Classes that are found so are not kept:
    they are those of games, which may be read anew.
    """

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        return self[Enum if issubclass(kind, Enum) else next(each for each in kind.__mro__ if each in self)]


def _itself(value: Any) -> Any:
    return value


def _packed_each(things: Iterable[Any]) -> list[Any]:
    return list(map(pack, things))


def _packed_enum(member: Enum) -> Any:
    return pack(member.text) if hasattr(member, "text") else {"text": _escaped(str(member.value))}


def _packed_words(value: Any) -> Any:
    if hasattr(value, "text"):
        return pack(value.text)
    raise TypeError(f"no words for {value!r}")


def pack_text(text: Text) -> dict[str, Any]:
    """Pack a sentence.  Raises TypeError, also where it names an argument that it is not given."""
    sentence, plural, args = _whole(text.sentence), text.plural, text.args
    if plural != "":
        plural = _whole(plural)
    for each in (sentence, plural) if plural else (sentence,):
        # Now, where the author sees it, and not whenever somebody reads the log.
        if not named_in(each) <= args.keys():
            raise TypeError(f"“{each}” is not given {', '.join(sorted(named_in(each) - args.keys()))}")
    packed: dict[str, Any] = {"text": sentence}
    if args:
        packed["args"] = {name: pack(arg) for name, arg in args.items()}
    if plural:
        packed["plural"] = plural
    return packed


@lru_cache(4096)
def named_in(sentence: str) -> frozenset[str]:
    """Return the names of the arguments that a sentence needs."""
    return frozenset(name for _, name, _ in pieces(sentence) if name is not None)


def _whole(word: str) -> str:
    """Return a string that can be written down: half a letter (a lone surrogate) is replaced.

    A reason may tell what somebody has typed, whatever that was.  Raises TypeError for anything else.
    """
    if not isinstance(word, str):
        raise TypeError(f"{word!r:.80} is no text")
    if word.isascii():
        return word
    try:
        word.encode()
    except UnicodeEncodeError:
        return word.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return word


def _escaped(word: str) -> str:
    return word.replace("{", "{{").replace("}", "}}")


PACKERS = Packers({str: _whole, Text: pack_text, Enum: _packed_enum, object: _packed_words})
PACKERS.update(dict.fromkeys((int, bool, float, NoneType), _itself))
PACKERS.update(dict.fromkeys((list, tuple), _packed_each))
