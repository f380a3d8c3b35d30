"""Sentences as plain text, in the reader's language and in the eyes of one viewer."""

from collections.abc import Collection, Mapping
from enum import Enum
from functools import lru_cache
from gettext import NullTranslations
from itertools import chain
from typing import Any

from msgspec import Struct

from strifebarge.api.ports import Language
from strifebarge.rules import Action, Refusal, Refused, Text
from strifebarge.rules.text import Translator, pack, tell
from strifebarge.rules.validity import written
from strifebarge.tables.library.library import Title
from strifebarge.tables.view import View

Plain = str | int | float | Enum | None  # what is told alike for as long as it is equal


class Why(Struct):
    """A reason why something is refused: a token that stays, and its sentence."""

    token: str
    text: str
    args: dict[str, str | int | float | bool | None] = {}  # what fills the sentence


class Personal(LookupError):
    """Raised for a text that is not the same to all readers of a language."""


class Sentences(Translator):
    """Tells texts to one reader; a teller in the sense of `rules.text`."""

    def __init__(self, language: Language, view: View | None = None, title: Title | None = None):
        self.view = view
        self.words = language.of(view.title if view else title)

    def is_one_of(self, seats: Collection[int]) -> bool:
        """Return whether texts are told for the eyes of one of these seats."""
        return self.view is not None and self.view.viewer.is_one_of(seats)

    def seat(self, number: int) -> str:
        if self.view is None or number >= len(self.view.places):
            return str(number + 1)
        place = self.view.places[number]
        return " & ".join([place.name, *place.beside])

    def word(self, value: str) -> str:
        return value

    def told(self, text: Text | Mapping[str, Any] | str | None) -> str:
        """Return a text, packed or not, as this reader hears it."""
        if text is None or text == "":
            return ""
        return text if isinstance(text, str) else tell(text, self)

    def offered(self, action: Action) -> str:
        """Return an action as its button says it."""
        try:
            return _for_all(self.words, action, written(action))
        except (Personal, TypeError):  # names somebody; or holds what cannot be a key
            return self.told(action.words)

    def said(self, words: str) -> str:
        """Return words of a game's classes, as its labels and docstrings."""
        return self.words.gettext(words) if words else ""

    def why(self, no: Refused) -> Why:
        """Return a refusal with its sentence, and what fills it as this reader may know it."""
        args = no.args_told
        if not all(isinstance(arg, Plain) for arg in args.values()):
            return self.filled(no)
        try:
            return _why_for_all(self.words, no.why, *chain.from_iterable(args.items()))
        except Personal:
            return self.filled(no)

    def filled(self, no: Refused) -> Why:
        """Return the same as `why`, made anew."""
        packed = pack(no.text)
        args = {name: self._plain(arg) for name, arg in packed.get("args", {}).items()}
        return Why(no.token, self.told(packed), args)

    def _plain(self, arg: Any) -> str | int | float | bool | None:
        if arg is None or isinstance(arg, str | int | float):
            return arg
        # Only as the sentence itself would tell it: what is secret stays so.
        return tell({"text": "{it}", "args": {"it": arg}}, self)


class ForAll(Sentences):
    """Tells what all readers of a language hear alike.  Raises Personal for anything else."""

    def __init__(self, words: NullTranslations):
        self.words = words

    def is_one_of(self, seats: Collection[int]) -> bool:
        raise Personal

    def seat(self, number: int) -> str:
        raise Personal


@lru_cache(4096)
def _for_all(words: NullTranslations, action: Action, _written: bytes) -> str:
    """Return what the button of an action says to all: the same ones are offered again and again.

    As it is written tells 1 from True.
    """
    return tell(action.words, ForAll(words))


@lru_cache(4096, typed=True)
def _why_for_all(words: NullTranslations, why: Refusal, *filled: Any) -> Why:
    """Return a refusal as all hear it; `filled` are names, each before what stands for it."""
    return ForAll(words).filled(Refused(why, **dict(zip(filled[::2], filled[1::2], strict=True))))
